//! What the missing lines of an output were made of.
use std::ops::{AddAssign, Range};

/// What the missing lines of an output were made of: numbers of pixels, which are all of them together. Made of a step's arithmetic
/// only where its statistics are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PixelSources {
    /// Woven (§3.8).
    pub woven: u64,
    /// Still: the temporal average alone (§3.7).
    pub temporal: u64,
    /// Moving, at least partly, and changed by motion compensation (§3.5).
    pub compensated: u64,
    /// The other moving ones, interpolated along an angle (§3.4).
    pub spatial: u64,
    /// Sum of the motion measure that was stored for the missing lines, all pairs.
    pub stmm_sum: u64,
    /// Number of those pairs.
    pub pairs: u64,
}

impl PixelSources {
    /// Counts the pixels of a deinterlaced part of a line: `stmm3` has an entry a pair, `di` and `sdi` what motion compensation made of
    /// what.
    pub(super) fn count(&mut self, part: Range<usize>, stmm3: &[u8], stmm_min: u8, [di, sdi]: [&[u8]; 2]) {
        for x in part {
            match () {
                () if stmm3[x / 2] < stmm_min => self.temporal += 1,
                () if di[x] != sdi[x] => self.compensated += 1,
                () => self.spatial += 1,
            }
        }
    }

    /// Of `pixels` that no motion measure counted for.
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
