//! The scaler's first direction: fills lines of a tile's window (§5.2).
//!
//! It works on transposed blocks: the columns of up to [`LANES`] lines lie one after the other, so
//! that a kernel combines whole columns as the second direction combines whole lines. Reads outside
//! the source repeat its edge.
use super::axis::Position;
use super::plan::{Filter, Weight};
use super::scratch::{BLOCK, COLUMNS, GROUP, Input, LANES, Scratch};
use crate::format::Rect;
use crate::frame::PlaneSample;
use dndi_simd::{Lines, Sample, unit_depth};
use std::ops::Range;

/// Filters source lines `new` horizontally into the window, from its line `at` on.
pub(super) fn fill<S: PlaneSample>(input: &Input<S>, rect: Rect, scratch: &mut Scratch<S>, new: Range<i32>, at: usize) {
    let (count, stride) = (new.len(), scratch.stride);
    let (lines, before) = clamped(new, input.planes[0].height);
    let columns = &input.planes[0].plan.columns[rect.x..rect.x + rect.width];
    input.planes.iter().for_each(|plane| touch(plane.source, lines.clone()));
    let mut done = 0;
    while done < columns.len() {
        let span = block(&columns[done..]);
        let target = (at + before) * stride + done;
        filter_block(input, &columns[done..done + span.0], span.1, lines.clone(), scratch, target);
        done += span.0;
    }
    for (_, window) in &mut scratch.planes[..input.planes.len()] {
        spread(&mut window[at * stride..], stride, before, lines.len(), count);
    }
    if input.planes[0].plan.down.weight == Weight::Adaptive {
        let (words, unit_depth) = (&input.kernels.words, unit_depth(input.plan.depth));
        for line in at..at + count {
            let samples = line * stride..line * stride + rect.width;
            let levels = &mut scratch.levels[samples.clone()];
            match &scratch.planes[..] {
                [g, b, r] if input.plan.mixed => {
                    let planes = [g, b, r].map(|plane| &plane.1[samples.clone()]);
                    (words.mixed_levels)(levels, planes, unit_depth);
                }
                planes => (words.top_byte)(levels, &planes[0].1[samples], unit_depth - 8),
            }
        }
    }
}

/// Loads lines into the cache one after the other, in the order of memory. Blocks alone would read
/// a part of each line in turn.
fn touch<S: Sample>(source: Lines<S>, lines: Range<usize>) {
    const CACHE_LINE: usize = 64;
    let step = CACHE_LINE / size_of::<S>();
    let first = |line| source.line(line).iter().step_by(step).fold(0, |all, &sample| all ^ sample.into());
    std::hint::black_box(lines.map(first).fold(0, |all, line| all ^ line));
}

/// The number of columns of the next block, and the source columns that they read.
fn block(columns: &[Position]) -> (usize, Range<i32>) {
    let reads = |position: &Position| position.index - 3..position.index + 5;
    let mut span = reads(&columns[0]);
    for (count, position) in columns.iter().enumerate() {
        let next = reads(position);
        let wider = span.start.min(next.start)..span.end.max(next.end);
        if count == BLOCK || wider.len() > COLUMNS {
            return (count, span);
        }
        span = wider;
    }
    (columns.len(), span)
}

/// Filters the source columns `span` of some lines. The first sample goes to index `target` of the
/// window.
fn filter_block<S: PlaneSample>(
    input: &Input<S>,
    columns: &[Position],
    span: Range<i32>,
    lines: Range<usize>,
    scratch: &mut Scratch<S>,
    target: usize,
) {
    let (kernels, count, width) = (input.kernels, span.len(), lines.len().next_multiple_of(GROUP));
    let (own, depth) = (S::kernels(kernels), input.plan.depth);
    scratch.taps.clear();
    scratch.taps.extend(columns.iter().map(|position| position.tap(span.start)));
    for (plane, (turned, _)) in input.planes.iter().zip(&mut scratch.planes) {
        let (inside, before) = clamped(span.clone(), plane.source.width);
        let first = lines.start * plane.source.stride + inside.start;
        let source = Lines { data: &plane.source.data[first..], stride: plane.source.stride, width: inside.len() };
        (own.transpose)(&mut turned[before * LANES..], LANES, source, width.min(plane.height - lines.start), plane.most);
        spread(turned, LANES, before, inside.len(), count);
    }
    for (index, plane) in input.planes.iter().enumerate() {
        let Filter { coefficients, weight } = &plane.plan.across;
        if index == 0 && *weight == Weight::Adaptive {
            let levels = match &scratch.planes[..] {
                [g, b, r] if input.plan.mixed => {
                    let levels = &mut scratch.block_levels[..count * LANES];
                    (own.mixed_levels)(levels, [g, b, r].map(|plane| &plane.0[..]), depth);
                    levels
                }
                planes => match S::as_bytes(&planes[0].0) {
                    Some(levels) => levels,
                    None => {
                        let levels = &mut scratch.block_levels[..count * LANES];
                        (own.top_byte)(levels, &planes[0].0, depth - 8);
                        levels
                    }
                },
            };
            let levels = Lines { data: levels, stride: LANES, width };
            (kernels.sharpness)(&mut scratch.alpha, levels, &scratch.taps, &input.plan.sharpness);
        }
        let alpha = weight.alpha(&scratch.alpha);
        let (turned, window) = &mut scratch.planes[index];
        let source = Lines { data: turned, stride: LANES, width };
        (own.filter)(&mut scratch.filtered, source, &scratch.taps, coefficients, alpha);
        let filtered = Lines { data: &scratch.filtered, stride: LANES, width };
        (kernels.words.transpose)(&mut window[target..], scratch.stride, filtered, columns.len(), u16::MAX);
    }
}

/// The part of a run of samples that lies inside `size`, and the number of samples before it, which
/// are copies of its first one. For a run that lies outside the part is the edge sample.
fn clamped(run: Range<i32>, size: usize) -> (Range<usize>, usize) {
    let last = size as i32 - 1;
    let inside = run.start.clamp(0, last) as usize..(run.end - 1).clamp(0, last) as usize + 1;
    (inside, (-run.start).clamp(0, run.end - run.start - 1) as usize)
}

/// Fills `count` pieces of `step` samples, of which `known` pieces from piece `before` on exist:
/// copies the first one to the pieces before, the last one to those after.
fn spread<T: Copy>(data: &mut [T], step: usize, before: usize, known: usize, count: usize) {
    for piece in 0..before {
        data.copy_within(before * step..(before + 1) * step, piece * step);
    }
    for piece in before + known..count {
        data.copy_within((before + known - 1) * step..(before + known) * step, piece * step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_outside_the_source_are_its_edge_sample() {
        assert_eq!(clamped(2..6, 10), (2..6, 0));
        assert_eq!(clamped(-3..5, 10), (0..5, 3));
        assert_eq!(clamped(6..14, 10), (6..10, 0));
        assert_eq!(clamped(-9..-4, 10), (0..1, 4));
        assert_eq!(clamped(12..20, 10), (9..10, 0));
        assert_eq!(clamped(-3..5, 1), (0..1, 3));
    }

    #[test]
    fn edge_pieces_are_copied() {
        let mut data = [0, 0, 7, 8, 9, 0, 0];
        spread(&mut data, 1, 2, 3, 7);
        assert_eq!(data, [7, 7, 7, 8, 9, 9, 9]);
    }
}
