//! The lengths that kernels require of their slices, and the ranges of parameters outside which
//! levels would differ or overflow. Each kernel has a function `check`, which the table calls
//! before the kernel at every level, so that a slice that is too short panics at every level and
//! before anything is written.
use crate::{APRON, Lines, Row, Tap};
use std::ops::RangeInclusive;

/// Panics if a slice has fewer than `len` entries.
#[inline(always)]
#[track_caller]
pub(crate) fn at_least<T, const N: usize>(slices: [&[T]; N], len: usize) {
    for slice in slices {
        if slice.len() < len {
            too_short(slice.len(), len);
        }
    }
}

/// Panics if a row has fewer than `samples` samples and its aprons.
#[inline(always)]
#[track_caller]
pub(crate) fn rows<S, const N: usize>(rows: [Row<S>; N], samples: usize) {
    at_least(rows, samples + 2 * APRON);
}

/// Panics if two outputs differ in length.
#[inline(always)]
#[track_caller]
pub(crate) fn same_length<T>([a, b]: [&[T]; 2]) {
    if a.len() != b.len() {
        unequal(a.len(), b.len());
    }
}

/// Panics if `data` does not hold `count` lines of `width` entries, `stride` entries apart.
#[inline(always)]
#[track_caller]
pub(crate) fn lines<T>(data: &[T], count: usize, stride: usize, width: usize) {
    if stride < width {
        too_short(stride, width);
    }
    if let Some(last) = count.checked_sub(1) {
        at_least([data], last.saturating_mul(stride).saturating_add(width));
    }
}

/// Panics if `data` does not hold such lines from each position on.
#[inline(always)]
#[track_caller]
pub(crate) fn lines_at<T>(data: &[T], positions: impl Iterator<Item = usize>, count: usize, stride: usize, width: usize) {
    lines(data, count, stride, width);
    // Does not overflow, because `data` is not shorter.
    let len = (count - 1) * stride + width;
    for position in positions {
        if position > data.len() - len {
            too_short(data.len(), position.saturating_add(len));
        }
    }
}

/// Panics if a phase is above 31, `src` does not hold the eight lines of a tap, or the output lines
/// and the weights are not as many lines of that shape as there are taps.
#[inline(always)]
#[track_caller]
pub(crate) fn filter<T, U>(dst: &[U], src: Lines<T>, taps: &[Tap], weights: Option<&[u8]>) {
    let (last, phases) = taps.iter().fold((0, 0), |(last, phases), tap| (tap.first.max(last), tap.phase | phases));
    within(phases, 0..=31);
    lines(src.data, if taps.is_empty() { 0 } else { last as usize + 8 }, src.stride, src.width);
    lines(dst, taps.len(), src.stride, src.width);
    if let Some(weights) = weights {
        lines(weights, taps.len(), src.stride, src.width);
    }
}

/// Panics unless samples of this type can have `depth` bits.
#[inline(always)]
#[track_caller]
pub(crate) fn depth<S>(depth: u8) {
    within(depth, if size_of::<S>() == 1 { 8..=8 } else { 9..=16 });
}

/// Panics if a parameter is outside the range that the kernel can compute with.
#[inline(always)]
#[track_caller]
pub(crate) fn within(parameter: impl Into<i32>, range: RangeInclusive<i32>) {
    let value = parameter.into();
    if !range.contains(&value) {
        outside(value, &range);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn too_short(len: usize, needed: usize) -> ! {
    panic!("a slice has {len} entries, the kernel needs {needed}");
}

#[cold]
#[inline(never)]
#[track_caller]
fn unequal(a: usize, b: usize) -> ! {
    panic!("the outputs have {a} and {b} entries, the kernel needs equal lengths");
}

#[cold]
#[inline(never)]
#[track_caller]
fn outside(value: i32, range: &RangeInclusive<i32>) -> ! {
    panic!("a parameter is {value}, the kernel needs {}…{}", range.start(), range.end());
}
