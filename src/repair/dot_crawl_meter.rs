//! Whether a clip has crosstalk of composite video, and of which standard.

use super::alternation::{AREA, Four, Window};
use super::chroma_shift::subsampling;
use super::composite::CompositeStandard;
use super::copy;
use crate::frame::{Frame, PlaneSample, Samples};
use crate::memory::{OutOfMemory, reserve, reserve_one};
use std::collections::VecDeque;

/// The standards, in the order of the counts.
const STANDARDS: [CompositeStandard; 2] = [CompositeStandard::Ntsc, CompositeStandard::Pal];
/// Frames before the last one that are compared with it: those of PAL.
const BEFORE: usize = 3 * CompositeStandard::Pal.distance();
/// One of this many lines of a field is measured, and every eighth window of it.
const LINES: usize = 8;
const COLUMNS: usize = 8;
/// A still window has crosstalk if frames of opposite phases differ by this many halves of the
/// difference between frames of equal phases, and by this many code values of 8 bits more.
const HALVES: i32 = 3;
const LEAST: i32 = 2;
/// The share of still windows with crosstalk in a clip that has it, as one of this many.
const SHARE: u64 = 100;
/// The least number of windows with crosstalk.
const LEAST_WINDOWS: u64 = 40;

/// Crosstalk of composite video in a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompositeCrosstalk {
    /// The standard of the composite video.
    pub standard: CompositeStandard,
    /// Whether chroma is in the luma: dots that crawl.
    pub dot_crawl: bool,
    /// Whether luma is in the chroma: rainbows.
    pub rainbows: bool,
}

/// Measures crosstalk of composite video in successive frames. Only crosstalk in still parts of the
/// picture is found: that which [`DotCrawlRepair`](super::DotCrawlRepair) can remove.
#[derive(Debug, Default)]
pub struct DotCrawlMeter {
    /// The last frames of the run, at most [`BEFORE`] and one.
    frames: VecDeque<Frame>,
    /// The numbers of still windows and of those with crosstalk, of luma and of chroma, by
    /// standard.
    counts: [[[u64; 2]; 2]; 2],
    /// Whether the samples of a luma line are still.
    still: Vec<bool>,
}

impl DotCrawlMeter {
    /// Adds the next frame of a run of successive frames.
    ///
    /// # Errors
    /// If there is no memory for a copy of the frame.
    pub fn add(&mut self, frame: &Frame) -> Result<(), OutOfMemory> {
        let mut memory = if self.frames.len() > BEFORE { self.frames.pop_front() } else { None }.unwrap_or_default();
        copy(&mut memory, frame)?;
        reserve_one(&mut self.frames)?;
        self.frames.push_back(memory);
        for (standard, counts) in STANDARDS.into_iter().zip(&mut self.counts) {
            let distance = standard.distance();
            let Some(oldest) = self.frames.len().checked_sub(3 * distance + 1) else { continue };
            let four = [0, 1, 2, 3].map(|k| &self.frames[oldest + k * distance]);
            if four.iter().any(|other| other.format() != frame.format()) {
                continue;
            }
            match frame.samples() {
                Samples::U8(_) => measure::<u8>(four, counts, &mut self.still)?,
                Samples::U16(_) => measure::<u16>(four, counts, &mut self.still)?,
            }
        }
        Ok(())
    }

    /// Ends a run: the next frame does not follow the last one.
    pub fn end_run(&mut self) {
        self.frames.clear();
    }

    /// The crosstalk of the frames so far; none if there is none.
    pub fn found(&self) -> Option<CompositeCrosstalk> {
        let has = |[still, with]: [u64; 2]| with >= LEAST_WINDOWS && SHARE * with >= still;
        let of_both = |counts: &[[u64; 2]; 2]| counts[0][1] + counts[1][1];
        let at = usize::from(of_both(&self.counts[1]) > of_both(&self.counts[0]));
        let [dot_crawl, rainbows] = self.counts[at].map(has);
        let found = CompositeCrosstalk { standard: STANDARDS[at], dot_crawl, rainbows };
        (dot_crawl || rainbows).then_some(found)
    }
}

/// Adds the windows of four frames. Windows of chroma count only where luma is still.
fn measure<S: PlaneSample>(frames: [&Frame; 4], counts: &mut [[u64; 2]; 2], still: &mut Vec<bool>) -> Result<(), OutOfMemory> {
    let format = frames[0].format();
    let area = AREA << (format.depth.clamp(8, 16) - 8);
    let [across, down] = subsampling(format);
    let plane = |index: usize| {
        let [before, first, second, after] =
            frames.map(|frame| frame.planes().get(index).and_then(|plane| S::of(plane.samples)).unwrap_or_default());
        let (width, height) = format.plane_size(index);
        Four { before: Some(before), first, second, after: Some(after), width, height }
    };
    let luma = plane(0);
    let mut limits = [0; 3];
    for (index, limit) in limits.iter_mut().enumerate().take(format.sampling.planes()) {
        *limit = plane(index).still_limit(area);
    }
    reserve(still, format.width)?;
    still.resize(format.width, false);
    for y in (0..format.height).filter(|y| y / 2 % LINES == LINES / 2) {
        let [of_luma, of_chroma] = &mut *counts;
        luma.windows(y, |x, window| {
            let is_dots = 2 * window.sum.abs() <= window.opposite + area;
            still[x] = window.equal <= limits[0] && is_dots;
            count(of_luma, x, window, still[x], area);
        });
        // The chroma line of the same field.
        let line = y / (2 * down) * 2 + y % 2;
        for (index, limit) in limits.into_iter().enumerate().take(format.sampling.planes()).skip(1) {
            let chroma = plane(index);
            if line < chroma.height {
                chroma.windows(line, |x, window| {
                    let is_still = window.equal <= limit && still.get(x * across) == Some(&true);
                    count(of_chroma, x, window, is_still, area);
                });
            }
        }
    }
    Ok(())
}

/// Adds a window.
fn count([still, with]: &mut [u64; 2], x: usize, window: Window, is_still: bool, area: i32) {
    if is_still && x % COLUMNS == COLUMNS / 2 {
        *still += 1;
        *with += u64::from(2 * window.opposite >= HALVES * window.equal + 2 * LEAST * area);
    }
}
