//! The 8 most significant bits of the lines near a band (§9.2), for stages that read each line in
//! few bands.
use super::{LumaView, PAD, PaddedPlane, PlaneView};
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, zeroed};
use dndi_simd::Kernels;
use std::ops::Range;

/// Memory for the 8 most significant bits of some lines of a plane. A second-level cache holds
/// them, in place of another plane in memory.
#[derive(Debug, Default)]
pub(crate) struct TopLines(Vec<u8>);

impl TopLines {
    /// For up to `lines` lines of planes of up to `width` samples; empty if `width` is 0.
    pub fn new(width: usize, lines: usize) -> Result<TopLines, OutOfMemory> {
        Ok(TopLines(if width == 0 { Vec::new() } else { zeroed((width + 2 * PAD) * lines)? }))
    }

    /// Views of a plane with samples of `depth` bits that clamp lines to the lines of their parity.
    /// In the view of the 8 most significant bits `lines` alone can be read: they are copied if
    /// samples have more bits.
    pub fn fields<'a, S: PlaneSample>(
        &'a mut self,
        kernels: &Kernels,
        plane: &'a PaddedPlane<S>,
        depth: u8,
        lines: Range<usize>,
    ) -> LumaView<'a, S> {
        let samples = plane.fields();
        let PlaneView { data, stride, height, interlaced, .. } = samples;
        let (data, first) = match S::as_bytes(data) {
            Some(bytes) => (bytes, 0),
            None => {
                let from = &data[lines.start * stride..lines.end * stride];
                let top = &mut self.0[..from.len()];
                (S::kernels(kernels).top_byte)(top, from, depth - 8);
                (&*top, lines.start)
            }
        };
        LumaView { samples, bytes: PlaneView { data, stride, height, interlaced, first } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::InputPlane;
    use dndi_simd::SimdLevel;

    /// The bytes of the extracted lines are those of the whole plane, with padding and clamping.
    #[test]
    fn extracted_lines_are_those_of_the_plane() {
        let kernels = Kernels::at(SimdLevel::Scalar).unwrap();
        let (width, height) = (5, 9);
        let data: Vec<u16> = (0..width * height).map(|i| (i * 23 % 1024) as u16).collect();
        let mut plane = PaddedPlane::new(width, height).unwrap();
        plane.import(kernels, InputPlane { data: &data, stride: width, most: 1023 });
        let mut whole = PaddedPlane::new(width, height).unwrap();
        plane.extract_top(&mut whole, kernels, 10);
        let mut top = TopLines::new(width, 6).unwrap();
        for (lines, read) in [(0..4, -3..4), (2..8, 2..8), (5..9, 5..14)] {
            let view = top.fields(kernels, &plane, 10, lines);
            for y in read {
                assert_eq!(view.bytes.row(y, -1, width + 2), whole.fields().row(y, -1, width + 2), "line {y}");
                assert_eq!(view.samples.row(y, 0, width), plane.fields().row(y, 0, width), "line {y}");
            }
        }
    }
}
