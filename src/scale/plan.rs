//! What a stream's scaling needs to know before its first frame: positions and filters of each plane.
use super::axis::{Direction, Grid, Position, steps};
use super::tables::FilterTable;
use super::tables::{Coefficients, FilterTables};
use super::{Scale, ScalerParameters};
use crate::format::{ChromaLocation, Format, Rect, Sampling};
use dndi_simd::{Polyphase, Sharpness};

/// Where the sharp filter's weight comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// The same everywhere.
    Fixed(u8),
    /// From the samples.
    Adaptive,
}

/// One direction of a plane.
#[derive(Debug)]
pub(crate) struct Filter {
    pub coefficients: Polyphase,
    pub weight: Weight,
}

impl Filter {
    /// Of luma or chroma; `joint` if all planes follow one decision.
    fn new(table: &FilterTable, bypass: bool, parameters: &ScalerParameters, is_luma: bool, joint: bool) -> Filter {
        let nearest = parameters.avs_filter_type == 1;
        let weight = if is_luma && !nearest && bypass {
            Weight::Fixed(parameters.default_sharpness)
        } else if nearest || bypass || !(is_luma || joint) {
            Weight::Fixed(255)
        } else {
            Weight::Adaptive
        };
        Filter { coefficients: Polyphase::new(table), weight }
    }
}

/// How one plane is scaled.
#[derive(Debug)]
pub(crate) struct PlanePlan {
    pub columns: Vec<Position>,
    /// Of the whole plane, or of each of its fields.
    pub lines: Vec<Vec<Position>>,
    pub across: Filter,
    pub down: Filter,
}

/// How a stream's frames are scaled.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Luma, then both chroma planes alike, if there are any.
    pub planes: Vec<PlanePlan>,
    pub sharpness: Sharpness,
    /// All planes follow one decision.
    pub joint: bool,
    /// That decision is made of all of them.
    pub mixed: bool,
}

impl Plan {
    /// For frames of `format`; with `fields` the lines of either parity stay by themselves.
    pub fn new(
        scale: &Scale,
        format: Format,
        location: ChromaLocation,
        fields: bool,
        parameters: &ScalerParameters,
        coefficients: &Coefficients,
    ) -> Plan {
        let &ScalerParameters { bypass_x_adaptive, bypass_y_adaptive, avs_filter_type, .. } = parameters;
        let crop = scale.crop.unwrap_or(Rect { x: 0, y: 0, width: format.width, height: format.height });
        let (source, target) = ((crop.width, crop.height), (scale.width, scale.height));
        let nearest = avs_filter_type == 1;
        let tables = if nearest { identity() } else { coefficients.tables(source, target) };
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
            // Where the plane's samples lie in the source and in the output.
            let grids = [format.sampling, output.sampling].map(|sampling| match index {
                0 => [Grid { step: 1, offset: 0 }; 2],
                _ => {
                    let ((step_x, step_y), (offset_x, offset_y)) = (steps(sampling), location.offsets(sampling));
                    [Grid { step: step_x, offset: offset_x }, Grid { step: step_y, offset: offset_y }]
                }
            });
            let line_count = |field: Option<u32>| field.map_or(height, |field| (height - field as usize).div_ceil(2));
            let parts: &[Option<u32>] = if fields { &[Some(0), Some(1)] } else { &[None] };
            let lines = parts.iter().map(|&field| {
                let [from, to] = grids.map(|[_, grid]| field.map_or(grid, |field| grid.of_field(field)));
                down.positions(from, to, line_count(field))
            });
            let filter = |table: &FilterTable, bypass| Filter::new(table, bypass, parameters, index == 0, joint);
            let (x, y) = if index == 0 { (&tables.x0, &tables.y0) } else { (&tables.x1, &tables.y1) };
            PlanePlan {
                columns: across.positions(grids[0][0], grids[1][0], width),
                lines: lines.collect(),
                across: filter(x, bypass_x_adaptive),
                down: filter(y, bypass_y_adaptive),
            }
        };
        let planes = (0..output.sampling.planes().min(2)).map(plane).collect();
        Plan { planes, sharpness: parameters.sharpness(), joint, mixed }
    }

    /// For pieces of a surface, whose positions are filled in for each: `tables` and parameters as its state says, `full` if chroma has
    /// the size of luma.
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
                across: Filter::new(x, across, parameters, is_luma, joint),
                down: Filter::new(y, down, parameters, is_luma, joint),
            }
        };
        let mixed = full && parameters.rgb_adaptive;
        Plan { planes: vec![plane(true), plane(false)], sharpness: parameters.sharpness(), joint, mixed }
    }

    /// Luma (0) or chroma (1, 2).
    pub fn plane(&self, index: usize) -> &PlanePlan {
        &self.planes[index.min(1)]
    }
}

/// Tables that pass the nearest sample on.
fn identity() -> FilterTables {
    let table = [[0, 0, 0, 64, 0, 0, 0, 0]; 17];
    FilterTables { x0: table, y0: table, x1: table, y1: table }
}
