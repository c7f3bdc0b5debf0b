//! Sources of the pixels of an output's missing lines.
use std::ops::{AddAssign, Range};

/// The sources of the pixels of an output's missing lines, as numbers of pixels; the first four
/// numbers add up to all of them. A stream counts them only if it makes statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PixelSources {
    /// Pixels woven from another field (§3.8).
    pub woven: u64,
    /// Still pixels: the temporal average alone (§3.7).
    pub temporal: u64,
    /// Pixels that move, at least partly, and that motion compensation changed (§3.5).
    pub compensated: u64,
    /// The other pixels that move, interpolated along an angle (§3.4).
    pub spatial: u64,
    /// Sum of the motion measure, 0…255 per pair, that was stored for the missing lines.
    pub stmm_sum: u64,
    /// Number of the pairs that `stmm_sum` covers.
    pub pairs: u64,
}

impl PixelSources {
    /// Counts the pixels `part` of a deinterlaced line. `stmm3` has one value per pair; `di` is the
    /// line after motion compensation, `sdi` the line before.
    pub(super) fn count(&mut self, part: Range<usize>, stmm3: &[u8], stmm_min: u8, [di, sdi]: [&[u8]; 2]) {
        for x in part {
            match () {
                () if stmm3[x / 2] < stmm_min => self.temporal += 1,
                () if di[x] != sdi[x] => self.compensated += 1,
                () => self.spatial += 1,
            }
        }
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

impl AddAssign for PixelSources {
    fn add_assign(&mut self, other: PixelSources) {
        self.woven += other.woven;
        self.temporal += other.temporal;
        self.compensated += other.compensated;
        self.spatial += other.spatial;
        self.stmm_sum += other.stmm_sum;
        self.pairs += other.pairs;
    }
}
