//! Frames of the stream in memory, as one surface of the sampler each.
use super::error::DriverError;
use super::plane::{ALIGN, Plane, allocate};
use crate::format::{Format, Sampling};
use crate::frame::InputPlane;
use crate::gen6::eu::data::memory::Memory;
use crate::gen6::eu::data::picture::format;
use crate::gen6::state::MediaSurfaceState;

/// The largest chroma offset of a surface state, in columns or lines.
pub(super) const MAX_OFFSET: usize = 8191;

/// A frame in one surface: the chroma planes are below or beside the luma.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub planes: Vec<Plane>,
    sampling: Sampling,
    /// Column and line of the chroma planes in the surface.
    offsets: [(usize, usize); 2],
}

impl Picture {
    /// Allocates a frame.
    ///
    /// # Errors
    /// [`DriverError::Size`] if the offsets of a surface state cannot describe it.
    pub fn new(memory: &mut Memory, format: Format) -> Result<Picture, DriverError> {
        let Format { width, height, sampling, .. } = format;
        let size = (width, height);
        if sampling == Sampling::Mono {
            let planes = vec![Plane::new(memory, size)?];
            return Ok(Picture { planes, sampling, offsets: [(0, 0); 2] });
        }
        let offsets = offsets(format)?;
        let (across, down) = sampling.chroma_size(width, height);
        let [pitch, lines] =
            offsets.iter().fold([width, height], |[pitch, lines], &(x, y)| [pitch.max(x + across), lines.max(y + down)]);
        let pitch = pitch.next_multiple_of(ALIGN);
        let base = allocate(memory, pitch * lines, size)?;
        let chroma = |(x, y): (usize, usize)| Plane { base: base + (y * pitch + x) as u32, pitch, width: across, height: down };
        let planes = vec![Plane { base, pitch, width, height }, chroma(offsets[0]), chroma(offsets[1])];
        Ok(Picture { planes, sampling, offsets })
    }

    /// The surface state for the sampler.
    pub fn state(&self) -> MediaSurfaceState {
        let [(x_cb, y_cb), (x_cr, y_cr)] = self.offsets.map(|(x, y)| (x as u32, y as u32));
        let luma = self.planes[0].media_state(match self.sampling {
            Sampling::Mono => format::Y8_UNORM,
            Sampling::C420 => format::PLANAR_420_8,
            Sampling::C411 => format::PLANAR_411_8,
            Sampling::C422 => format::PLANAR_422_8,
            Sampling::C444 => format::PLANAR_444_8,
        });
        MediaSurfaceState { x_offset_for_cb: x_cb, y_offset_for_cb: y_cb, x_offset_for_cr: x_cr, y_offset_for_cr: y_cr, ..luma }
    }

    /// Copies the caller's planes.
    pub fn import(&self, memory: &Memory, planes: &[InputPlane; 3]) {
        self.planes.iter().zip(planes).for_each(|(plane, from)| plane.import(memory, *from));
    }
}

/// Column and line of Cb and Cr in the surface of a frame with chroma: below the luma side by side
/// if the offsets of a surface state can describe that, else in another arrangement.
fn offsets(format: Format) -> Result<[(usize, usize); 2], DriverError> {
    let Format { width, height, sampling, .. } = format;
    let (across, down) = sampling.chroma_size(width, height);
    let [right, beside] = [width, across].map(|width| width.next_multiple_of(ALIGN));
    let arrangements = [
        [(0, height), (beside, height)],
        [(0, height), (0, height + down)],
        [(right, 0), (right, down)],
        [(right, 0), (right + beside, 0)],
    ];
    let fits = |offsets: &[(usize, usize); 2]| offsets.iter().all(|&(x, y)| x <= MAX_OFFSET && y <= MAX_OFFSET);
    let needs = "the chroma offsets of a surface state have 13 bits, which is too few";
    arrangements.into_iter().find(fits).ok_or(DriverError::Size { width, height, needs })
}
