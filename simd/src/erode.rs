//! The least sample of a window (§13.9).
use crate::convolve::window;
use crate::isa::{Isa, Lane, blocks};
use crate::{Lines, Sample, WindowTap};

/// Writes the least sample at `taps`: sample x of the output reads column `x + column` of line
/// `row` for each tap. A line has as many samples as the output, and those that the greatest column
/// needs. Without taps nothing is written.
pub fn scalar<S: Sample>(dst: &mut [S], src: Lines<S>, taps: &[WindowTap]) {
    for (x, out) in dst.iter_mut().enumerate() {
        let samples = taps.iter().map(|tap| src.line(tap.row.into())[x + usize::from(tap.column)]);
        *out = samples.min().unwrap_or(*out);
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], src: Lines<S>, taps: &[WindowTap]) {
    window(dst, src, taps.iter().map(|tap| (tap.row, tap.column)));
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], src: Lines<S>, taps: &[WindowTap]) -> bool {
    let n = dst.len();
    let Some((first, rest)) = taps.split_first() else { return false };
    blocks!(n, S::count::<I>(), x => {
        let load = |tap: &WindowTap| S::load(s, &src.line(tap.row.into())[x + usize::from(tap.column)..]);
        let mut v = load(first);
        for tap in rest {
            v = S::lesser(s, v, load(tap));
        }
        S::store(s, &mut dst[x..], v);
    })
}
