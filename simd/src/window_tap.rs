//! The samples of a window that erosion, dilation and extent read (§13.9).
use crate::convolve::window;
use crate::isa::{Isa, Lane};
use crate::{Lines, Sample};

/// A sample of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowTap {
    /// The line of the window.
    pub row: u8,
    /// The column, from the first one that the first output reads.
    pub column: u8,
}

/// The samples at `taps` for output `x`.
pub(crate) fn samples<S: Sample>(src: Lines<S>, taps: &[WindowTap], x: usize) -> impl Iterator<Item = S> {
    taps.iter().map(move |tap| src.line(tap.row.into())[x + usize::from(tap.column)])
}

/// The samples at a tap for the outputs from `x` on.
#[inline(always)]
pub(crate) fn load<I: Isa, S: Lane>(s: I, src: Lines<S>, tap: WindowTap, x: usize) -> S::V<I> {
    S::load(s, &src.line(tap.row.into())[x + usize::from(tap.column)..])
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], src: Lines<S>, taps: &[WindowTap]) {
    window(dst, src, taps.iter().map(|tap| (tap.row, tap.column)));
}
