//! The greatest sample of a window (§13.9).
pub(crate) use crate::window_tap::check;

use crate::isa::{Isa, Lane, blocks};
use crate::window_tap::{load, samples};
use crate::{Lines, Sample, WindowTap};

/// Writes the greatest sample at `taps`: sample x of the output reads column `x + column` of line
/// `row` for each tap. A line has as many samples as the output, and those that the greatest column
/// needs. Without taps nothing is written.
pub fn scalar<S: Sample>(dst: &mut [S], src: Lines<S>, taps: &[WindowTap]) {
    for (x, out) in dst.iter_mut().enumerate() {
        *out = samples(src, taps, x).max().unwrap_or(*out);
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], src: Lines<S>, taps: &[WindowTap]) -> bool {
    let n = dst.len();
    let Some((&first, rest)) = taps.split_first() else { return false };
    blocks!(n, S::count::<I>(), x => {
        let mut v = load(s, src, first, x);
        for &tap in rest {
            v = S::greater(s, v, load(s, src, tap, x));
        }
        S::store(s, &mut dst[x..], v);
    })
}
