//! Sums of differences over the 4×4 blocks of a block, for the statistics register.
use super::block::{BlockContext, WIDTH};
use super::scratch::Buffers;
use crate::format::Rect;
use crate::plane::PlaneView;

/// Sums of the columns of 4×4 blocks, over both rows if there are two (§2.1).
#[derive(Default)]
pub(super) struct Sums {
    /// Temporal differences.
    pub stad: [u32; 4],
    /// Horizontal differences.
    pub shcm: [u32; 4],
    /// Vertical differences.
    pub svcm: [u32; 4],
    /// Moving pixels of all blocks.
    pub moving: u32,
}

impl BlockContext<'_> {
    /// The sums of the block; all 0 without denoising or a previous frame.
    pub fn sums(&self, buffers: &Buffers) -> Sums {
        let mut sums = Sums::default();
        if !self.control.dn_enable || self.control.first_frame {
            return sums;
        }
        let Rect { x, y, .. } = self.inner;
        let (current, clean) = (self.lines(&buffers.original), self.lines(&buffers.previous));
        let threshold = self.parameters.denoise.temporal_diff_th;
        let rows = if self.control.di_enable { 1 } else { 2 };
        for row in 0..rows {
            let line = |view: PlaneView<'_>, line: usize| -> [u8; WIDTH] {
                let samples = view.row((y + 4 * row + line) as isize, x as isize, 0);
                std::array::from_fn(|i| samples[dndi_simd::APRON + i])
            };
            let (c, p) = ([0, 1, 2, 3].map(|l| line(current, l)), [0, 1, 2, 3].map(|l| line(clean, l)));
            for block in 0..4 {
                for (j, i) in (0..4).flat_map(|j| (4 * block..4 * block + 4).map(move |i| (j, i))) {
                    let difference = c[j][i].abs_diff(p[j][i]);
                    sums.stad[block] += u32::from(difference);
                    sums.moving += u32::from(difference >= threshold);
                    if i % 4 < 3 {
                        sums.shcm[block] += u32::from(c[j][i].abs_diff(c[j][i + 1]));
                    }
                    if j < 3 {
                        sums.svcm[block] += u32::from(c[j][i].abs_diff(c[j + 1][i]));
                    }
                }
            }
        }
        sums
    }
}
