//! The surfaces of `deinterlace` and `sample_8x8` as planes of samples (§7.3).
use super::memory::Memory;
use super::surface::{Layout, Tiling};
use crate::format::Sampling;
use crate::gen6::state::MediaSurfaceState;

/// One component of a picture in memory: luma, Cb or Cr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Component {
    layout: Layout,
    /// Byte and line of the first sample.
    first: (usize, usize),
    /// Bytes from one sample to the next.
    step: usize,
    pub width: usize,
    pub height: usize,
}

impl Component {
    /// Reads samples of line `y`, from sample `x` on. They must lie inside the picture.
    pub fn read(&self, memory: &Memory, x: usize, y: usize, samples: &mut [u8]) {
        let (start, y) = (self.first.0 + x * self.step, self.first.1 + y);
        if self.step == 1 {
            return self.layout.read(memory, start, y, samples);
        }
        let mut bytes = [0; 256];
        for (part, samples) in samples.chunks_mut(bytes.len() / self.step).enumerate() {
            let bytes = &mut bytes[..(samples.len() - 1) * self.step + 1];
            self.layout.read(memory, start + part * (256 / self.step) * self.step, y, bytes);
            for (sample, byte) in samples.iter_mut().zip(bytes.iter().step_by(self.step)) {
                *sample = *byte;
            }
        }
    }
}

/// A surface as the sampler reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    /// The chroma sampling.
    pub sampling: Sampling,
    /// Luma, Cb, Cr; one component for mono.
    pub components: Vec<Component>,
    /// Whether the only component of mono is luma, not chroma.
    pub is_luma: bool,
    /// Bytes from one line to the next. In an STMM surface the denoise histories start at half the
    /// pitch.
    pub pitch: usize,
}

/// Surface formats of [`MediaSurfaceState`].
pub mod format {
    /// Y0 Cb Y1 Cr: YUY2.
    pub const YCRCB_NORMAL: u32 = 0;
    /// Cr Y0 Cb Y1: VYUY.
    pub const YCRCB_SWAPUVY: u32 = 1;
    /// Y0 Cr Y1 Cb: YVYU.
    pub const YCRCB_SWAPUV: u32 = 2;
    /// Cb Y0 Cr Y1: UYVY.
    pub const YCRCB_SWAPY: u32 = 3;
    /// 4:2:0: NV12 with interleaved chroma, else I420, YV12, IMC3, IMC4.
    pub const PLANAR_420_8: u32 = 4;
    /// 4:1:1.
    pub const PLANAR_411_8: u32 = 5;
    /// 4:2:2.
    pub const PLANAR_422_8: u32 = 6;
    /// Motion measures, with denoise histories from half the pitch on.
    pub const STMM_DN_STATISTICS: u32 = 7;
    /// One channel, red.
    pub const R8_UNORM: u32 = 11;
    /// One channel, luma.
    pub const Y8_UNORM: u32 = 12;
    /// Extension of the model, not in the hardware: 4:4:4.
    pub const PLANAR_444_8: u32 = 13;
}

impl Picture {
    /// The picture of a state.
    ///
    /// # Errors
    /// The property that the messages do not support.
    pub fn from_state(state: &MediaSurfaceState) -> Result<Picture, &'static str> {
        let (width, height, pitch) = (state.width as usize, state.height as usize, state.surface_pitch as usize);
        let tiling = Tiling::from_state(state.tiled_surface, state.tile_walk);
        let layout = Layout { base: state.surface_base_address, pitch, tiling };
        if tiling != Tiling::Linear && pitch % tiling.width() != 0 {
            return Err("a pitch that is no multiple of the tile width");
        }
        let packed = |luma: usize, chroma: [usize; 2]| {
            let component = |first: usize, step: usize| Component {
                layout,
                first: (first, 0),
                step,
                width: if step == 2 { width } else { width.div_ceil(2) },
                height,
            };
            let components = vec![component(luma, 2), component(chroma[0], 4), component(chroma[1], 4)];
            Ok(Picture { sampling: Sampling::C422, components, is_luma: true, pitch })
        };
        let sampling = match state.surface_format {
            format::YCRCB_NORMAL => return packed(0, [1, 3]),
            format::YCRCB_SWAPUV => return packed(0, [3, 1]),
            format::YCRCB_SWAPY => return packed(1, [0, 2]),
            format::YCRCB_SWAPUVY => return packed(1, [2, 0]),
            format::PLANAR_420_8 => Sampling::C420,
            format::PLANAR_411_8 => Sampling::C411,
            format::PLANAR_422_8 => Sampling::C422,
            format::PLANAR_444_8 => Sampling::C444,
            format::R8_UNORM | format::Y8_UNORM | format::STMM_DN_STATISTICS => Sampling::Mono,
            _ => return Err("a format that is not modelled"),
        };
        let is_luma = state.surface_format != format::R8_UNORM;
        let luma = Component { layout, first: (0, 0), step: 1, width, height };
        let mut components = vec![luma];
        if sampling != Sampling::Mono {
            let (interleaved, halved) = (state.interleave_chroma == 1, state.half_pitch_for_chroma == 1);
            if halved && (tiling != Tiling::Linear || pitch % 2 != 0) {
                return Err("half a pitch with tiles, or of an odd number of bytes");
            }
            let (width, height) = sampling.chroma_size(width, height);
            let chroma = |x: u32, y: u32| {
                let (x, y) = (x as usize, y as usize);
                // With half the pitch, the offsets are still in lines of the whole pitch.
                let base = layout.base.wrapping_add(if halved { (y * pitch + x) as u32 } else { 0 });
                let first = if halved { (0, 0) } else { (x, y) };
                let layout = Layout { base, pitch: if halved { pitch / 2 } else { pitch }, tiling };
                Component { layout, first, step: if interleaved { 2 } else { 1 }, width, height }
            };
            let cb = chroma(state.x_offset_for_cb, state.y_offset_for_cb);
            let cr = match interleaved {
                true => Component { first: (cb.first.0 + 1, cb.first.1), ..cb },
                false => chroma(state.x_offset_for_cr, state.y_offset_for_cr),
            };
            components.extend([cb, cr]);
        }
        Ok(Picture { sampling, components, is_luma, pitch })
    }
}
