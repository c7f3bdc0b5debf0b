//! The greatest less the least sample of a window (§13.9).
use crate::convolve::window;
use crate::isa::{Isa, Lane, blocks};
use crate::{Lines, Sample};

/// A sample of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowTap {
    /// The line of the window.
    pub row: u8,
    /// The column, from the first one that the first output reads.
    pub column: u8,
}

/// Writes the difference of the greatest and the least sample at `taps`, which are those of
/// [`erode`](crate::Kernels). Without taps nothing is written.
pub fn scalar<S: Sample>(dst: &mut [S], src: Lines<S>, taps: &[WindowTap]) {
    for (x, out) in dst.iter_mut().enumerate() {
        let samples = || taps.iter().map(|tap| src.line(tap.row.into())[x + usize::from(tap.column)]);
        let limits = samples().max().zip(samples().min());
        *out = limits.map_or(*out, |(most, least)| S::from_u32(most.into() - least.into()));
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
        let (mut most, mut least) = (load(first), load(first));
        for tap in rest {
            let v = load(tap);
            (most, least) = (S::greater(s, most, v), S::lesser(s, least, v));
        }
        S::store(s, &mut dst[x..], S::sub_saturating(s, most, least));
    })
}
