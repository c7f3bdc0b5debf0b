//! The `sample_8x8` messages of a stream: planes, fields and addresses (§5, §7.4).
use super::addresses::{Address, AxisPositions};
use super::error::DriverError;
use super::picture::MAX_OFFSET;
use super::plane::Plane;
use crate::error::Error;
use crate::format::Sampling;
use crate::gen6::eu::data::picture::format;
use crate::gen6::state::MediaSurfaceState;
use crate::pipeline::settings::Settings;
use crate::scale::{Plan, Position, Scale, steps};

/// Columns and lines of a message.
pub(super) const WIDTH: usize = 16;
pub(super) const HEIGHT: usize = 4;

/// Columns and lines around a message that the sharpening filter reads.
const MARGIN: usize = 2;

/// One run over a frame or a field, for one plane or for all.
#[derive(Debug)]
pub(super) struct Pass {
    /// The indices of the planes.
    pub planes: Vec<usize>,
    /// Parity of the field, if frames stay interlaced.
    field: Option<usize>,
    /// Horizontal addresses of each column of messages, and vertical addresses of each row.
    pub columns: Vec<Address>,
    pub lines: Vec<Address>,
}

/// Masked channels, bits 15:12 of the header: all except luma, all except Cr, only alpha.
const LUMA: i64 = 0b1101 << 12;
const CHROMA: i64 = 0b1110 << 12;
const COLORS: i64 = 0b1000 << 12;

impl Pass {
    /// The plane, or its field.
    pub fn part(&self, plane: &Plane) -> Plane {
        self.field.map_or(*plane, |parity| plane.field(parity))
    }

    /// The masked channels, and the surface that is sampled.
    pub fn source(&self, planes: &[Plane]) -> Result<(i64, MediaSurfaceState), DriverError> {
        Ok(match self.planes[..] {
            [0] => (LUMA, self.part(&planes[0]).media_state(format::Y8_UNORM)),
            [index] => (CHROMA, self.part(&planes[index]).media_state(format::R8_UNORM)),
            _ => (COLORS, joint_surface(&self.planes.iter().map(|&index| self.part(&planes[index])).collect::<Vec<_>>())?),
        })
    }
}

/// The passes of a stream.
///
/// # Errors
/// [`DriverError::Unsupported`] if float addresses cannot express the positions.
pub(super) fn passes(settings: &Settings) -> Result<Vec<Pass>, DriverError> {
    let (format, parameters) = (settings.frame_format(), &settings.parameters);
    let fields = settings.is_scaled_by_fields();
    let scale = settings.scale.unwrap_or(Scale::new(format.width, format.height));
    if scale.addresses.is_some() {
        return Err(DriverError::Unsupported("uneven addresses of whole frames"));
    }
    let plan = Plan::new(&scale, format, settings.chroma_location, fields, &parameters.scaler, &parameters.coefficients)
        .map_err(Error::from)?;
    let nearest = settings.scale.is_none() || parameters.scaler.avs_filter_type == 1;
    let crop = scale.crop.map_or((format.width, format.height), |crop| (crop.width, crop.height));
    let [across, down] = [crop.0 as f64 / scale.width as f64, crop.1 as f64 / scale.height as f64];
    if across >= 16.0 || down >= 16.0 {
        return Err(DriverError::Unsupported("scaling to a sixteenth or less"));
    }
    let groups: Vec<Vec<usize>> = match format.sampling {
        _ if settings.scale.is_none() => vec![vec![0]],
        Sampling::Mono => vec![vec![0]],
        Sampling::C444 if plan.joint || plan.mixed => vec![vec![0, 1, 2]],
        _ => vec![vec![0], vec![1], vec![2]],
    };
    let mut passes = vec![];
    for planes in groups {
        let margin = if planes[0] == 0 && settings.sharpen.is_some() { MARGIN } else { 0 };
        let (plane, (width, height)) = (plan.plane(planes[0]), format.plane_size(planes[0]));
        // Source samples for each output sample. The ratio of chroma differs from that of luma if
        // its sampling changes.
        let [from, to] =
            [format, scale.format(format)].map(|format| if planes[0] == 0 { (1, 1) } else { steps(format.sampling) });
        let ratio = |luma: f64, from: u32, to: u32| luma * f64::from(to) / f64::from(from);
        for (field, lines) in plane.lines.iter().enumerate() {
            let addresses = |positions: &[Position], step: f64, size: usize, count: usize| {
                let addresses = AxisPositions { positions, step, size, nearest, margin }.addresses(count);
                let unsupported = match scale.crop {
                    Some(_) if margin > 0 => "sharpening of a part of the picture, because the sampler reads beyond its edges",
                    _ => "the positions of this scaling ratio",
                };
                addresses.ok_or(DriverError::Unsupported(unsupported))
            };
            let size = if fields { (height + 1 - field) / 2 } else { height };
            let columns = addresses(&plane.columns, ratio(across, from.0, to.0), width, WIDTH)?;
            let lines = addresses(lines, ratio(down, from.1, to.1), size, HEIGHT)?;
            passes.push(Pass { planes: planes.clone(), field: fields.then_some(field), columns, lines });
        }
    }
    Ok(passes)
}

/// Three planes of one size as one surface of the sampler.
fn joint_surface(planes: &[Plane]) -> Result<MediaSurfaceState, DriverError> {
    let luma = planes[0];
    let offset = |plane: &Plane| {
        let distance = i64::from(plane.base) - i64::from(luma.base);
        let pitch = luma.pitch as i64;
        let [x, y] = [distance.rem_euclid(pitch), distance.div_euclid(pitch)];
        let range = 0..=MAX_OFFSET as i64;
        (range.contains(&y) && range.contains(&x) && plane.pitch == luma.pitch).then_some((x as u32, y as u32))
    };
    let [Some(cb), Some(cr)] = [offset(&planes[1]), offset(&planes[2])] else {
        return Err(DriverError::Unsupported("4:4:4 chroma of frames this high in one surface with the luma"));
    };
    let state = luma.media_state(format::PLANAR_444_8);
    Ok(MediaSurfaceState { x_offset_for_cb: cb.0, y_offset_for_cb: cb.1, x_offset_for_cr: cr.0, y_offset_for_cr: cr.1, ..state })
}
