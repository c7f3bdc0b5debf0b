//! Positions and filters of each plane, computed before the first frame (§5.1, §5.2).
use super::axis::{Direction, Grid, Position, steps};
use super::settings::{Scale, ScaleFilter, ScalerParameters};
use super::tables::{Coefficients, FilterTable, FilterTables};
use crate::format::{ChromaLocation, Format, Rect, Sampling};
use crate::memory::{OutOfMemory, with_capacity};
use dndi_simd::{Alpha, Polyphase, Sharpness, unit_depth};

/// The weight of the sharp filter against the smooth one (alpha of §5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// A constant, 0…255.
    Fixed(u8),
    /// Computed from the samples.
    Adaptive,
}

impl Weight {
    /// The weight as kernels take it, with the `samples` of an adaptive one.
    pub fn alpha(self, samples: &[u8]) -> Alpha<'_> {
        match self {
            Weight::Fixed(alpha) => Alpha::All(alpha),
            Weight::Adaptive => Alpha::Each(samples),
        }
    }
}

/// The filter of one direction of a plane.
#[derive(Debug)]
pub(crate) struct Filter {
    pub coefficients: Polyphase,
    pub weight: Weight,
}

impl Filter {
    /// The filter of luma or chroma, for samples of `depth` bits; with `joint` chroma takes the
    /// weights of the luma.
    fn new(table: &FilterTable, depth: u8, bypass: bool, parameters: &ScalerParameters, is_luma: bool, joint: bool) -> Filter {
        let nearest = parameters.avs_filter_type == 1;
        let weight = if is_luma && !nearest && bypass {
            Weight::Fixed(parameters.default_sharpness)
        } else if nearest || bypass || !(is_luma || joint) {
            Weight::Fixed(255)
        } else {
            Weight::Adaptive
        };
        Filter { coefficients: Polyphase::new(table, depth), weight }
    }
}

/// Positions and filters of one plane.
#[derive(Debug)]
pub(crate) struct PlanePlan {
    /// Positions of the output columns.
    pub columns: Vec<Position>,
    /// Positions of the output lines, of the whole plane or of each of its fields.
    pub lines: Vec<Vec<Position>>,
    pub across: Filter,
    pub down: Filter,
}

/// Positions and filters of all planes of a stream.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Luma, and chroma unless mono; both chroma planes have the same plan.
    pub planes: Vec<PlanePlan>,
    /// Bits per sample of the input and of the output.
    pub depth: u8,
    pub sharpness: Sharpness,
    /// Whether all planes take the weights of the luma.
    pub joint: bool,
    /// Whether these weights come from all planes instead of the luma.
    pub mixed: bool,
}

impl Plan {
    /// The plan for frames of `format`; with `fields` the lines of each parity are scaled
    /// separately.
    pub fn new(
        scale: &Scale,
        format: Format,
        location: ChromaLocation,
        fields: bool,
        parameters: &ScalerParameters,
        coefficients: &Coefficients,
    ) -> Result<Plan, OutOfMemory> {
        let &ScalerParameters { bypass_x_adaptive, bypass_y_adaptive, avs_filter_type, .. } = parameters;
        let crop = scale.crop.unwrap_or(Rect { x: 0, y: 0, width: format.width, height: format.height });
        let (source, target) = ((crop.width, crop.height), (scale.width, scale.height));
        let nearest = avs_filter_type == 1;
        let tables = if nearest { identity() } else { coefficients.tables_of(scale.filter, source, target) };
        let linear = scale.filter == ScaleFilter::Bilinear && !nearest;
        let across = Direction {
            source: source.0,
            target: target.0,
            first: crop.x,
            whole: format.width,
            addresses: scale.addresses,
            nearest,
        };
        let down =
            Direction { source: source.1, target: target.1, first: crop.y, whole: format.height, addresses: None, nearest };
        let output = scale.format(format);
        let full = [format.sampling, output.sampling] == [Sampling::C444; 2];
        let joint = full && parameters.adaptive_filter_for_all_channels;
        let mixed = full && parameters.rgb_adaptive;

        let plane = |index: usize| {
            let (width, height) = output.plane_size(index);
            // Positions of the plane's samples in the source and in the output.
            let grids = [format.sampling, output.sampling].map(|sampling| match index {
                0 => [Grid { step: 1, offset: 0 }; 2],
                _ => {
                    let ((step_x, step_y), (offset_x, offset_y)) = (steps(sampling), location.offsets(sampling));
                    [Grid { step: step_x, offset: offset_x }, Grid { step: step_y, offset: offset_y }]
                }
            });
            let line_count = |field: Option<u32>| field.map_or(height, |field| (height - field as usize).div_ceil(2));
            let parts: &[Option<u32>] = if fields { &[Some(0), Some(1)] } else { &[None] };
            let mut lines = with_capacity(parts.len())?;
            for &field in parts {
                let [from, to] = grids.map(|[_, grid]| field.map_or(grid, |field| grid.of_field(field)));
                lines.push(down.positions(from, to, line_count(field))?);
            }
            let filter = |table, depth, bypass| {
                let filter = Filter::new(table, depth, bypass, parameters, index == 0, joint);
                if linear { Filter { weight: Weight::Fixed(0), ..filter } } else { filter }
            };
            let (x, y) = if index == 0 { (&tables.x0, &tables.y0) } else { (&tables.x1, &tables.y1) };
            Ok(PlanePlan {
                columns: across.positions(grids[0][0], grids[1][0], width)?,
                lines,
                across: filter(x, format.depth, bypass_x_adaptive),
                down: filter(y, unit_depth(format.depth), bypass_y_adaptive),
            })
        };
        let mut planes = with_capacity(2)?;
        for index in 0..output.sampling.planes().min(2) {
            planes.push(plane(index)?);
        }
        Ok(Plan { planes, depth: format.depth, sharpness: parameters.sharpness(), joint, mixed })
    }

    /// A plan without positions, for parts of a picture of 8 bits whose positions the caller fills
    /// in. `full` means that chroma has the size of luma.
    #[cfg(feature = "gen6")]
    pub fn unplaced(tables: &FilterTables, parameters: &ScalerParameters, full: bool) -> Plan {
        let joint = full && parameters.adaptive_filter_for_all_channels;
        let own = if parameters.avs_filter_type == 1 { &identity() } else { tables };
        let plane = |is_luma: bool| {
            let (x, y) = if is_luma { (&own.x0, &own.y0) } else { (&own.x1, &own.y1) };
            let (across, down) = (parameters.bypass_x_adaptive, parameters.bypass_y_adaptive);
            PlanePlan {
                columns: vec![],
                lines: vec![vec![]],
                across: Filter::new(x, 8, across, parameters, is_luma, joint),
                down: Filter::new(y, unit_depth(8), down, parameters, is_luma, joint),
            }
        };
        let mixed = full && parameters.rgb_adaptive;
        Plan { planes: vec![plane(true), plane(false)], depth: 8, sharpness: parameters.sharpness(), joint, mixed }
    }

    /// The plan of luma (0) or chroma (1, 2).
    pub fn plane(&self, index: usize) -> &PlanePlan {
        &self.planes[index.min(1)]
    }
}

/// Tables that copy the nearest sample.
fn identity() -> FilterTables {
    let table = [[0, 0, 0, 64, 0, 0, 0, 0]; 17];
    FilterTables { x0: table, y0: table, x1: table, y1: table }
}
