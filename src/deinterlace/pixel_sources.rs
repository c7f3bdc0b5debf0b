//! Sources of the pixels of an output's missing lines.
use crate::frame::PlaneSample;
use dndi_simd::Kernels;
use std::ops::{AddAssign, Range};

/// The sources of the pixels of an output's missing lines, as numbers of pixels; the first five
/// numbers add up to all of them. A stream counts them only if it makes statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PixelSources {
    /// Pixels woven from another field (§3.8).
    pub woven: u64,
    /// Still pixels: the temporal average alone (§3.7).
    pub temporal: u64,
    /// Pixels that move, at least partly, and that motion compensation changed (§3.5); with `best`
    /// those of groups in which the compensated pictures agree (§15.9).
    pub compensated: u64,
    /// The other pixels that move, interpolated along an angle (§3.4).
    pub spatial: u64,
    /// Pixels of a network (§14.4), with a deinterlacer that has one: all others, and with `best`
    /// those of the picture of the field alone.
    pub network: u64,
    /// Sum of the motion measure, 0…255 per pair, that was stored for the missing lines.
    pub stmm_sum: u64,
    /// Number of the pairs that `stmm_sum` covers.
    pub pairs: u64,
}

impl PixelSources {
    /// Counts the pixels `part` of a deinterlaced line. `stmm3` has one value per pair; `di` is the
    /// line after motion compensation, `sdi` the line before.
    pub(super) fn count<S: PlaneSample>(
        &mut self,
        kernels: &Kernels,
        part: Range<usize>,
        stmm3: &[u8],
        stmm_min: u8,
        lines: [&[S]; 2],
    ) {
        // A part can begin inside a pair.
        let middle = part.start.next_multiple_of(2).min(part.end);
        let mut counts = [0; 2];
        for part in [part.start..middle, middle..part.end] {
            let [di, sdi] = lines.map(|line| &line[part.clone()]);
            let pairs = &stmm3[(part.start / 2).min(stmm3.len())..];
            (S::kernels(kernels).compensated)(&mut counts, di, sdi, pairs, stmm_min);
        }
        let [moving, compensated] = counts.map(u64::from);
        self.temporal += part.len() as u64 - moving;
        self.compensated += compensated;
        self.spatial += moving - compensated;
    }

    /// `pixels` without a motion measure: all woven, or else all interpolated spatially.
    pub(crate) fn of(pixels: u64, woven: bool) -> PixelSources {
        if woven {
            PixelSources { woven: pixels, ..PixelSources::default() }
        } else {
            PixelSources { spatial: pixels, ..PixelSources::default() }
        }
    }
}

/// Adds number by number. A sum is at most `u64::MAX`.
impl AddAssign for PixelSources {
    fn add_assign(&mut self, other: PixelSources) {
        let PixelSources { woven, temporal, compensated, spatial, network, stmm_sum, pairs } = self;
        let sums = [woven, temporal, compensated, spatial, network, stmm_sum, pairs];
        let more = [other.woven, other.temporal, other.compensated, other.spatial, other.network, other.stmm_sum, other.pairs];
        sums.into_iter().zip(more).for_each(|(sum, more)| *sum = sum.saturating_add(more));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dndi_simd::SimdLevel;

    #[test]
    fn each_part_is_counted_pixel_by_pixel() {
        let kernels = Kernels::at(SimdLevel::Portable).unwrap();
        let mut random = fastrand::Rng::with_seed(1);
        let line = |random: &mut fastrand::Rng, values| (0..11).map(|_| random.u8(..values)).collect::<Vec<_>>();
        let (stmm3, di, sdi) = (line(&mut random, 8), line(&mut random, 2), line(&mut random, 2));
        for (start, end) in (0..11).flat_map(|start| (start + 1..=11).map(move |end| (start, end))) {
            let mut expected = PixelSources::default();
            for x in start..end {
                match () {
                    () if stmm3[x / 2] < 4 => expected.temporal += 1,
                    () if di[x] != sdi[x] => expected.compensated += 1,
                    () => expected.spatial += 1,
                }
            }
            let mut sources = PixelSources::default();
            sources.count(kernels, start..end, &stmm3, 4, [&di, &sdi]);
            assert_eq!(sources, expected, "{start}..{end}");
        }
    }
}
