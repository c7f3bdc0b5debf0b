//! A tile of the scaler's output. Its source lines pass through a window of horizontally filtered
//! lines, which the second direction combines (§5.2).
use super::horizontal::fill;
use super::plan::{Filter, Weight};
use super::scratch::{Input, LANES, Scratch};
use crate::format::Rect;
use crate::frame::PlaneSample;
use dndi_simd::{Alpha, Kernels, Lines, Sample, Tap};
use std::ops::Range;

/// A line of the output, not yet computed.
pub(crate) struct Pending<'a> {
    kernels: &'a Kernels,
    source: Lines<'a, u16>,
    tap: Tap,
    filter: &'a Filter,
    alpha: Alpha<'a>,
    /// Bits of the samples of the picture.
    depth: u8,
    buffer: &'a mut [u16],
}

impl<'a> Pending<'a> {
    /// Computes the samples in P = max(10, depth) bits (§9.4).
    pub fn words(self) -> &'a [u16] {
        let Pending { kernels, source, tap, filter, alpha, buffer, .. } = self;
        (kernels.words.filter)(buffer, source, &[tap], &filter.coefficients, alpha);
        &buffer[..source.width]
    }

    /// Writes the samples in the depth of the picture to `dst`.
    pub fn samples<S: Sample>(self, dst: &mut [S]) {
        let Pending { kernels, source, tap, filter, alpha, depth, .. } = self;
        (S::kernels(kernels).filter_to_samples)(dst, source, tap, &filter.coefficients, alpha, depth);
    }

    /// Number of samples.
    pub fn width(&self) -> usize {
        self.source.width
    }
}

/// Passes the lines of a rectangle one after the other to `emit(plane, line, samples)`. If the
/// planes are fields, lines count in the field.
pub(crate) fn tile<S: PlaneSample>(
    input: &Input<S>,
    rect: Rect,
    scratch: &mut Scratch<S>,
    mut emit: impl FnMut(usize, usize, Pending),
) {
    let lines = &input.planes[0].lines[rect.y..rect.y + rect.height];
    let end = lines.iter().map(|line| line.index + 5).max().unwrap_or(0);
    let mut window = 0..0;
    // The source line whose weights the scratch buffer has.
    let mut weighted = None;
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
            weighted = None;
        }
        let tap = line.tap(window.start);
        for (index, plane) in input.planes.iter().enumerate() {
            let filter = &plane.plan.down;
            let stride = scratch.stride;
            // The weights do not depend on the phase.
            if index == 0 && filter.weight == Weight::Adaptive && weighted.replace(first) != Some(first) {
                let levels = Lines { data: &scratch.levels, stride, width: rect.width };
                (input.kernels.sharpness)(&mut scratch.alpha, levels, &[tap], &input.plan.sharpness);
            }
            let alpha = filter.weight.alpha(&scratch.alpha);
            let source = Lines { data: &scratch.planes[index].1, stride, width: rect.width };
            let (kernels, depth) = (input.kernels, input.plan.depth);
            emit(index, y, Pending { kernels, source, tap, filter, alpha, depth, buffer: &mut scratch.line });
        }
    }
}

/// Moves `lines` of the window to its start.
fn keep<S: Sample>(scratch: &mut Scratch<S>, planes: usize, lines: Range<usize>) {
    let samples = lines.start * scratch.stride..lines.end * scratch.stride;
    for (_, window) in &mut scratch.planes[..planes] {
        window.copy_within(samples.clone(), 0);
    }
    if !scratch.levels.is_empty() {
        scratch.levels.copy_within(samples, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::Plan;
    use super::super::scratch::Plane;
    use super::*;

    /// Tiles of any size, in any order, give the same samples as one tile.
    #[test]
    fn tiles_change_nothing() {
        same_with_tiles::<u8>(8);
        same_with_tiles::<u16>(9);
        same_with_tiles::<u16>(16);
    }

    fn same_with_tiles<S: PlaneSample>(depth: u8) {
        use crate::format::ChromaLocation;
        use crate::scale::Scale;
        use crate::{Format, Parameters, Sampling, SimdLevel};
        let format = Format::new(150, 90, Sampling::C444).with_depth(depth);
        let mut noise = 7u32;
        let data: Vec<S> = (0..150 * 90)
            .map(|i| {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let top = (noise >> 25) + if i / 7 % 3 == 0 { 120 } else { 0 };
                S::from_u32(top << (depth - 8) | noise >> 16 & ((1 << (depth - 8)) - 1))
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
                    Plan::new(&Scale::new(width, height), format, ChromaLocation::Left, false, scaler, coefficients).unwrap()
                };
                let source = Lines { data: &data[..], stride: 150, width: 150 };
                let plane = |index| {
                    let plan = plan.plane(index);
                    Plane { plan, lines: &plan.lines[0], source, most: S::MAX, height: 90 }
                };
                let planes = [plane(0), plane(1), plane(2)];
                let planes = if plan.joint || plan.mixed { &planes[..] } else { &planes[..1] };
                let scratch = &mut Scratch::new(&plan, width).unwrap();
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
                    assert!(tiled == whole, "{depth} bits, {width}x{height}, {all} {mixed}: tiles of {columns}x{lines}");
                }
            }
        }
    }
}
