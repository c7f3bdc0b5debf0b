//! Skin tone detection for a stage before the colour pipe (§13.11).
use super::frame::Gate;
use super::{ColorParameters, skin};
use crate::format::Sampling;
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, zeroed, zeroed_rows};
use dndi_simd::{Kernels, SkinFactor, color_bits, unit_depth};

/// Detection of skin tones in pictures of one depth.
#[derive(Debug)]
pub(crate) struct SkinDetector {
    factor: SkinFactor,
    /// Bits per sample of pictures, n.
    depth: u8,
}

/// A line of pixels in detection.
#[derive(Debug)]
pub(crate) struct SkinLine {
    /// The components of each pixel.
    yuv: [Vec<u16>; 3],
    /// The skin tone factor of each pixel, 0…31.
    factor: Vec<u16>,
}

impl SkinLine {
    /// A line of `width` pixels.
    pub fn new(width: usize) -> Result<SkinLine, OutOfMemory> {
        // Whole groups of pixels that share chroma.
        Ok(SkinLine { yuv: zeroed_rows(width.next_multiple_of(4))?, factor: zeroed(width)? })
    }
}

impl SkinDetector {
    /// The detector with these parameters for samples of `depth` bits; none if detection is off.
    pub fn new(p: &ColorParameters, depth: u8) -> Option<SkinDetector> {
        p.std_enable.then(|| SkinDetector { factor: skin::factor(p), depth })
    }

    /// The skin tone factors of the pixels of a line: `luma` has P = max(10, n) bits (§9.4), and
    /// `chroma` are the lines of both components at its position.
    pub fn factors<'a, S: PlaneSample>(
        &self,
        kernels: &Kernels,
        sampling: Sampling,
        luma: &[u16],
        chroma: [&[S]; 2],
        line: &'a mut SkinLine,
    ) -> &'a mut [u16] {
        let (gate, bits, width) = (Gate::<S>::new(kernels, self.depth), color_bits(self.depth), luma.len());
        let SkinLine { yuv, factor } = line;
        let shift = bits - unit_depth(self.depth);
        yuv[0].iter_mut().zip(luma).for_each(|(out, &v)| *out = v << shift);
        for (component, chroma) in yuv[1..].iter_mut().zip(chroma) {
            match sampling {
                Sampling::Mono => component.fill(1 << (bits - 1)),
                _ => gate.unpack_chroma(sampling, component, chroma),
            }
        }
        let yuv = yuv.each_ref().map(|component| &component[..width]);
        (kernels.skin_factor)(&mut factor[..width], yuv, &self.factor, bits);
        &mut factor[..width]
    }
}
