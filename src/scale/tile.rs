//! A rectangle of the scaler's output, its source going by in a window of lines (§5.2).
//!
//! The first direction works on transposed blocks: the columns of up to [`LANES`] lines lie one after the other, and a kernel
//! combines whole columns as the second direction combines whole lines. Reads outside the source repeat its edge.
use super::axis::Position;
use super::plan::{Filter, Plan, PlanePlan, Weight};
use crate::format::Rect;
use dndi_simd::{Alpha, Kernels, Lines, Tap};
use std::ops::Range;

/// Lines that are filtered at a time.
const LANES: usize = 64;
/// Lines are filtered in multiples of it, that vectors are full; what is too much is not looked at.
const GROUP: usize = 16;
/// Lines in the window: those that are new, what of the lines before them is still needed, and what is too much.
const WINDOW: usize = LANES + 8 + GROUP;
/// Output columns of a block.
const BLOCK: usize = 96;
/// Source columns of a block.
const COLUMNS: usize = 208;

/// A plane to scale, or a field of one.
#[derive(Clone, Copy)]
pub(crate) struct Plane<'a> {
    pub plan: &'a PlanePlan,
    /// Where its lines come from.
    pub lines: &'a [Position],
    pub source: Lines<'a, u8>,
    pub height: usize,
}

/// Room for a tile.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// For each plane the columns of a block, and the lines of the window.
    planes: Vec<(Vec<u8>, Vec<u16>)>,
    /// W of a block where it is none of the planes' own columns.
    mixed: Vec<u8>,
    /// W of the window.
    levels: Vec<u8>,
    /// Weights of a block, or of a line.
    alpha: Vec<u8>,
    /// A block after the first direction, not yet turned back.
    filtered: Vec<u16>,
    /// A line of the output.
    line: Vec<u16>,
    taps: Vec<Tap>,
    /// Samples from one line of the window to the next.
    stride: usize,
}

impl Scratch {
    /// For tiles of up to `width` columns of a plan.
    pub fn new(plan: &Plan, width: usize) -> Scratch {
        let planes = if plan.joint || plan.mixed { 3 } else { 1 };
        // A little more than the width, lest the lines of wide pictures share their cache sets.
        let stride = width + 32;
        let adaptive = plan.planes.iter().any(|plane| [&plane.across, &plane.down].map(|f| f.weight).contains(&Weight::Adaptive));
        Scratch {
            planes: (0..planes).map(|_| (vec![0; COLUMNS * LANES], vec![0; WINDOW * stride])).collect(),
            mixed: if plan.mixed { vec![0; COLUMNS * LANES] } else { vec![] },
            levels: if adaptive { vec![0; WINDOW * stride] } else { vec![] },
            alpha: if adaptive { vec![0; (BLOCK * LANES).max(width)] } else { vec![] },
            filtered: vec![0; BLOCK * LANES],
            line: vec![0; width],
            taps: Vec::with_capacity(BLOCK),
            stride,
        }
    }
}

/// What the tiles of a plane, or of all planes together, read.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub kernels: &'a Kernels,
    pub plan: &'a Plan,
    /// One plane; all three where one decision serves all.
    pub planes: &'a [Plane<'a>],
}

/// A line of the output that is still to be computed.
pub(crate) struct Pending<'a> {
    kernels: &'a Kernels,
    source: Lines<'a, u16>,
    tap: Tap,
    filter: &'a Filter,
    alpha: Alpha<'a>,
    room: &'a mut [u16],
}

impl<'a> Pending<'a> {
    /// Its samples in 10 bits.
    pub fn words(self) -> &'a [u16] {
        let Pending { kernels, source, tap, filter, alpha, room } = self;
        (kernels.filter_words)(room, source, &[tap], &filter.coefficients, alpha);
        &room[..source.width]
    }

    /// Writes its samples in 8 bits.
    pub fn bytes(self, dst: &mut [u8]) {
        (self.kernels.filter_to_bytes)(dst, self.source, self.tap, &self.filter.coefficients, self.alpha);
    }

    /// Samples of the line.
    pub fn width(&self) -> usize {
        self.source.width
    }
}

/// Goes through the rectangle (lines counted in the field, if the planes are fields) and hands out line after line:
/// `emit(plane, line, samples)`.
pub(crate) fn tile(input: &Input, rect: Rect, scratch: &mut Scratch, mut emit: impl FnMut(usize, usize, Pending)) {
    let lines = &input.planes[0].lines[rect.y..rect.y + rect.height];
    let end = lines.iter().map(|line| line.index + 5).max().unwrap_or(0);
    let mut window = 0..0;
    for (y, line) in (rect.y..).zip(lines) {
        let first = line.index - 3;
        if !window.contains(&first) {
            window = first..first;
        }
        if window.end < first + 8 {
            keep(scratch, input.planes.len(), (first - window.start) as usize..(window.end - window.start) as usize);
            window.start = first;
            let new = window.end..end.min(window.end + LANES as i32);
            fill(input, rect, scratch, new.clone(), (window.end - window.start) as usize);
            window.end = new.end;
        }
        let tap = line.tap(window.start);
        for (index, plane) in input.planes.iter().enumerate() {
            let filter = &plane.plan.down;
            let stride = scratch.stride;
            if index == 0 && filter.weight == Weight::Adaptive {
                let levels = Lines { data: &scratch.levels, stride, width: rect.width };
                (input.kernels.sharpness)(&mut scratch.alpha, levels, &[tap], &input.plan.sharpness);
            }
            let alpha = alpha(filter.weight, &scratch.alpha);
            let source = Lines { data: &scratch.planes[index].1, stride, width: rect.width };
            emit(index, y, Pending { kernels: input.kernels, source, tap, filter, alpha, room: &mut scratch.line });
        }
    }
}

fn alpha(weight: Weight, samples: &[u8]) -> Alpha<'_> {
    match weight {
        Weight::Fixed(alpha) => Alpha::All(alpha),
        Weight::Adaptive => Alpha::Each(samples),
    }
}

/// Moves lines of the window to its begin.
fn keep(scratch: &mut Scratch, planes: usize, lines: Range<usize>) {
    let samples = lines.start * scratch.stride..lines.end * scratch.stride;
    for (_, window) in &mut scratch.planes[..planes] {
        window.copy_within(samples.clone(), 0);
    }
    if !scratch.levels.is_empty() {
        scratch.levels.copy_within(samples, 0);
    }
}

/// The part of a run of samples that exists, and how many before it are copies of its first one. A run outside has one sample.
fn clamped(run: Range<i32>, size: usize) -> (Range<usize>, usize) {
    let last = size as i32 - 1;
    let inside = run.start.clamp(0, last) as usize..(run.end - 1).clamp(0, last) as usize + 1;
    (inside, (-run.start).clamp(0, run.end - run.start - 1) as usize)
}

/// Repeats the first and the last of the `known` pieces of `step` samples that begin with piece `before`, for `count` pieces in all.
fn spread<T: Copy>(data: &mut [T], step: usize, before: usize, known: usize, count: usize) {
    for piece in 0..before {
        data.copy_within(before * step..(before + 1) * step, piece * step);
    }
    for piece in before + known..count {
        data.copy_within((before + known - 1) * step..(before + known) * step, piece * step);
    }
}

/// Filters source lines `new` horizontally into the window, from line `at` of it on.
fn fill(input: &Input, rect: Rect, scratch: &mut Scratch, new: Range<i32>, at: usize) {
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
        for line in at..at + count {
            let samples = line * stride..line * stride + rect.width;
            let levels = &mut scratch.levels[samples.clone()];
            match &scratch.planes[..] {
                [g, b, r] if input.plan.mixed => {
                    let others = r.1[samples.clone()].iter().zip(&b.1[samples.clone()]);
                    for (out, (g, (r, b))) in levels.iter_mut().zip(g.1[samples].iter().zip(others)) {
                        *out = ((r + 2 * g + b) >> 4) as u8;
                    }
                }
                planes => (input.kernels.narrow)(levels, &planes[0].1[samples], 0),
            }
        }
    }
}

/// Brings lines into the cache, one after the other as memory likes it: blocks would ask for a piece of each in turn.
fn touch(source: Lines<u8>, lines: Range<usize>) {
    const CACHE_LINE: usize = 64;
    let first = |line| source.line(line).iter().step_by(CACHE_LINE).fold(0, |all, sample| all ^ sample);
    std::hint::black_box(lines.map(first).fold(0, |all, line| all ^ line));
}

/// How many columns make the next block, and the source columns they read.
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

/// Filters the source columns `span` of some lines; the first sample goes to `target` of the window.
fn filter_block(
    input: &Input,
    columns: &[Position],
    span: Range<i32>,
    lines: Range<usize>,
    scratch: &mut Scratch,
    target: usize,
) {
    let (kernels, count, width) = (input.kernels, span.len(), lines.len().next_multiple_of(GROUP));
    scratch.taps.clear();
    scratch.taps.extend(columns.iter().map(|position| position.tap(span.start)));
    for (plane, (turned, _)) in input.planes.iter().zip(&mut scratch.planes) {
        let (inside, before) = clamped(span.clone(), plane.source.width);
        let first = lines.start * plane.source.stride + inside.start;
        let source = Lines { data: &plane.source.data[first..], stride: plane.source.stride, width: inside.len() };
        (kernels.transpose_bytes)(&mut turned[before * LANES..], LANES, source, width.min(plane.height - lines.start));
        spread(turned, LANES, before, inside.len(), count);
    }
    for (index, plane) in input.planes.iter().enumerate() {
        let Filter { coefficients, weight } = &plane.plan.across;
        if index == 0 && *weight == Weight::Adaptive {
            let levels = match &scratch.planes[..] {
                [g, b, r] if input.plan.mixed => {
                    let others = r.0.iter().zip(&b.0);
                    for (out, (&g, (&r, &b))) in scratch.mixed[..count * LANES].iter_mut().zip(g.0.iter().zip(others)) {
                        *out = ((r as u16 + 2 * g as u16 + b as u16) >> 2) as u8;
                    }
                    &scratch.mixed
                }
                planes => &planes[0].0,
            };
            let levels = Lines { data: levels, stride: LANES, width };
            (kernels.sharpness)(&mut scratch.alpha, levels, &scratch.taps, &input.plan.sharpness);
        }
        let alpha = alpha(*weight, &scratch.alpha);
        let (turned, window) = &mut scratch.planes[index];
        let source = Lines { data: turned, stride: LANES, width };
        (kernels.filter_bytes)(&mut scratch.filtered, source, &scratch.taps, coefficients, alpha);
        let filtered = Lines { data: &scratch.filtered, stride: LANES, width };
        (kernels.transpose_words)(&mut window[target..], scratch.stride, filtered, columns.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_outside_have_the_edge_sample() {
        assert_eq!(clamped(2..6, 10), (2..6, 0));
        assert_eq!(clamped(-3..5, 10), (0..5, 3));
        assert_eq!(clamped(6..14, 10), (6..10, 0));
        assert_eq!(clamped(-9..-4, 10), (0..1, 4));
        assert_eq!(clamped(12..20, 10), (9..10, 0));
        assert_eq!(clamped(-3..5, 1), (0..1, 3));
    }

    #[test]
    fn edges_spread() {
        let mut data = [0, 0, 7, 8, 9, 0, 0];
        spread(&mut data, 1, 2, 3, 7);
        assert_eq!(data, [7, 7, 7, 8, 9, 9, 9]);
    }

    /// Blocks of any size, in any order, give the samples of the whole.
    #[test]
    fn tiles_change_nothing() {
        use crate::format::ChromaLocation;
        use crate::scale::Scale;
        use crate::{Format, Parameters, Sampling, SimdLevel};
        let format = Format::new(150, 90, Sampling::C444);
        let mut noise = 7u32;
        let data: Vec<u8> = (0..150 * 90)
            .map(|i| {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (noise >> 25) as u8 + if i / 7 % 3 == 0 { 120 } else { 0 }
            })
            .collect();
        let kernels = Kernels::at(SimdLevel::Portable).unwrap();
        for (all, mixed) in [(false, false), (true, false), (true, true), (false, true)] {
            let mut parameters = Parameters::default();
            parameters.scaler.adaptive_filter_for_all_channels = all;
            parameters.scaler.rgb_adaptive = mixed;
            for (width, height) in [(150, 90), (301, 200), (9, 5), (100, 61)] {
                let plan = {
                    let (scaler, coefficients) = (&parameters.scaler, &parameters.coefficients);
                    Plan::new(&Scale::new(width, height), format, ChromaLocation::Left, false, scaler, coefficients)
                };
                let source = Lines { data: &data, stride: 150, width: 150 };
                let plane = |index| {
                    let plan = plan.plane(index);
                    Plane { plan, lines: &plan.lines[0], source, height: 90 }
                };
                let planes = [plane(0), plane(1), plane(2)];
                let planes = if plan.joint || plan.mixed { &planes[..] } else { &planes[..1] };
                let scratch = &mut Scratch::new(&plan, width);
                let mut run = |rect: Rect, out: &mut [Vec<u16>]| {
                    tile(&Input { kernels, plan: &plan, planes }, rect, scratch, |plane, y, samples| {
                        out[plane][y * width + rect.x..][..rect.width].copy_from_slice(samples.words());
                    });
                };
                let empty = vec![vec![0; width * height]; planes.len()];
                let mut whole = empty.clone();
                run(Rect { x: 0, y: 0, width, height }, &mut whole);
                for (columns, lines) in [(16, 4), (64, 8), (33, 70), (200, 1)] {
                    let mut tiled = empty.clone();
                    for y in (0..height).step_by(lines).rev() {
                        for x in (0..width).step_by(columns) {
                            let rect = Rect { x, y, width: columns.min(width - x), height: lines.min(height - y) };
                            run(rect, &mut tiled);
                        }
                    }
                    assert!(tiled == whole, "{width}x{height}, {all} {mixed}: tiles of {columns}x{lines}");
                }
            }
        }
    }
}
