//! Dot crawl and rainbows: crosstalk between luma and chroma of composite video.
//!
//! A simple decoder takes fine luma for chroma, which shows as rainbows, and edges of chroma for
//! luma, which shows as dots. Both have the phase of the subcarrier. Where the picture is still,
//! the mean of two frames of opposite phases has neither.

use super::alternation::{AREA, Four};
use super::chroma_shift::subsampling;
use super::composite::CompositeStandard;
use super::copy;
use crate::format::Format;
use crate::frame::{Frame, PlaneSample, Planes, Samples, SamplesMut};
use crate::memory::{OutOfMemory, reserve};
use rayon::prelude::*;

/// Frames of opposite phases differ by at least this many halves of the difference between frames
/// of equal phases. Tuned with those below on the corpus, decoded from composite video.
const HALVES: i32 = 3;
/// They differ by half a code value more.
const LEAST_HALVES: i32 = 1;
/// An end of the four frames belongs to another scene if it differs this many times as much as the
/// other end, and by this many code values of 8 bits more; and twice as much as the two frames
/// between, of which one can be another picture.
const CUT: u64 = 4;
/// Every eighth line decides that.
const CUT_LINES: usize = 8;
/// Lines that a task of the thread pool computes.
const TASK_LINES: usize = 16;

/// The flag of a luma sample whose window is still.
const IS_STILL: u8 = 1;
/// The flag of a sample whose window is still and has crosstalk.
const ALTERNATES: u8 = 2;

/// Removes dot crawl and rainbows of composite video by a comb filter in time: a sample becomes the
/// mean of the frames before and after of the opposite phase, and of its own with the double
/// weight, rounded up at a half. Only samples are changed around which
///
/// * frames of equal phases are alike, in luma also for chroma;
/// * frames of opposite phases differ more than these;
/// * the differences of luma have a mean near 0.
///
/// If that holds on one side in time alone, the sample becomes the mean of two frames. Fields and
/// progressive frames are taken alike. It runs on the rayon thread pool of its caller; the result
/// does not depend on the number of threads.
#[derive(Debug)]
pub struct DotCrawlRepair {
    standard: CompositeStandard,
    /// The number of the next frame.
    number: usize,
    /// The frames before it, as they were, by number modulo [`CompositeStandard::distance`]; empty
    /// if there is none.
    previous: [Frame; 2],
    /// The flags of pairs of these frames and those at the distance.
    pairs: [Pair; 2],
    /// The frame that is repaired, as it was.
    original: Frame,
    /// The flags of the frame that is repaired, and of the one at the distance after it.
    pair: Pair,
}

/// The flags of all samples of two frames of opposite phases; empty if there are no such frames.
#[derive(Debug, Default)]
struct Pair(Vec<u8>);

impl DotCrawlRepair {
    /// A filter for composite video of this standard.
    pub fn new(standard: CompositeStandard) -> DotCrawlRepair {
        DotCrawlRepair {
            standard,
            number: 0,
            previous: Default::default(),
            pairs: Default::default(),
            original: Frame::default(),
            pair: Pair::default(),
        }
    }

    /// Repairs the next frame of the clip in place. `later` are the frames at
    /// [`CompositeStandard::distance`] after it, and at twice that distance, not repaired; none at
    /// the end. Frames whose format differs from that of the frame count as none.
    ///
    /// # Errors
    /// If there is no memory for a copy of the frame and for a byte for each of its samples.
    pub fn repair(&mut self, frame: &mut Frame, later: [Option<&Frame>; 2]) -> Result<(), OutOfMemory> {
        let slot = self.number % self.standard.distance();
        self.number = (self.number + 1) % 2;
        copy(&mut self.original, frame)?;
        let format = frame.format();
        let is_same = |other: &&Frame| other.format() == format;
        let before = Some(&self.previous[slot]).filter(is_same);
        let [after, end] = later.map(|other| other.filter(is_same));
        self.pair.compare(before, &self.original, after, end)?;
        let has_flags = |pair: &Pair| pair.0.len() == format.samples();
        let before = before.filter(|_| has_flags(&self.pairs[slot])).map(|before| (before, &self.pairs[slot]));
        let after = after.filter(|_| has_flags(&self.pair)).map(|after| (after, &self.pair));
        match frame.samples_mut() {
            SamplesMut::U8(to) => comb(to, [before, after]),
            SamplesMut::U16(to) => comb(to, [before, after]),
        }
        std::mem::swap(&mut self.previous[slot], &mut self.original);
        std::mem::swap(&mut self.pairs[slot], &mut self.pair);
        Ok(())
    }
}

impl Pair {
    /// Compares two frames, with the help of one before and one after them. There are no flags if
    /// the second frame is missing, or both at the ends.
    fn compare(
        &mut self,
        before: Option<&Frame>,
        first: &Frame,
        second: Option<&Frame>,
        after: Option<&Frame>,
    ) -> Result<(), OutOfMemory> {
        self.0.clear();
        let Some(second) = second else { return Ok(()) };
        let [before, after] = same_scene(before, first, second, after);
        if before.is_none() && after.is_none() {
            return Ok(());
        }
        let format = first.format();
        reserve(&mut self.0, format.samples())?;
        self.0.resize(format.samples(), 0);
        let planes = [first.planes(), second.planes()];
        let ends = [before, after].map(|end| end.map(Frame::planes));
        let (luma, chroma) = self.0.split_at_mut((format.width * format.height).min(format.samples()));
        plane_flags(luma, planes, ends, 0, format, None);
        let (cb, cr) = chroma.split_at_mut(chroma.len() / 2);
        for (index, flags) in [(1, cb), (2, cr)] {
            plane_flags(flags, planes, ends, index, format, Some(luma));
        }
        Ok(())
    }
}

/// The frames at the ends that are of the same scene as those between.
fn same_scene<'a>(before: Option<&'a Frame>, first: &Frame, second: &Frame, after: Option<&'a Frame>) -> [Option<&'a Frame>; 2] {
    let (Some(early), Some(late)) = (before, after) else { return [before, after] };
    let ends = [distance(early, second), distance(first, late)];
    let between = distance(first, second);
    let format = first.format();
    let least = (CUT * (format.height.div_ceil(CUT_LINES) * format.width) as u64) << (format.depth.clamp(8, 16) - 8);
    let is_other = |at: usize| ends[at] > CUT * ends[1 - at] + least && ends[at] > 2 * between;
    [before.filter(|_| !is_other(0)), after.filter(|_| !is_other(1))]
}

/// The sum of the absolute differences of every eighth luma line of two frames of the same format.
fn distance(a: &Frame, b: &Frame) -> u64 {
    fn lines<S: PlaneSample>(a: &[S], b: &[S], width: usize) -> u64 {
        let lines = a.chunks_exact(width).zip(b.chunks_exact(width)).step_by(CUT_LINES);
        let line = |(a, b): (&[S], &[S])| -> u32 { a.iter().zip(b).map(|(a, b)| a.signed().abs_diff(b.signed())).sum() };
        lines.map(|pair| u64::from(line(pair))).sum()
    }
    let width = a.format().width.max(1);
    match [a, b].map(|frame| frame.planes()[0].samples) {
        [Samples::U8(a), Samples::U8(b)] => lines(a, b, width),
        [Samples::U16(a), Samples::U16(b)] => lines(a, b, width),
        _ => 0,
    }
}

/// Sets the flags of a plane of the two middle frames. Chroma needs those of luma.
fn plane_flags(
    flags: &mut [u8],
    [first, second]: [Planes; 2],
    [before, after]: [Option<Planes>; 2],
    index: usize,
    format: Format,
    luma: Option<&[u8]>,
) {
    match first.get(index).map(|plane| plane.samples) {
        Some(Samples::U8(first)) => set(flags, first, [before, Some(second), after], index, format, luma),
        Some(Samples::U16(first)) => set(flags, first, [before, Some(second), after], index, format, luma),
        None => {}
    }
}

fn set<S: PlaneSample>(
    flags: &mut [u8],
    first: &[S],
    others: [Option<Planes>; 3],
    index: usize,
    format: Format,
    luma: Option<&[u8]>,
) {
    let (width, height) = format.plane_size(index);
    let [before, second, after] = others.map(|planes| S::of(planes?.get(index)?.samples));
    let Some(second) = second.filter(|_| width > 0 && height > 0) else { return };
    let four = Four { before, first, second, after, width, height };
    let deep = format.depth.clamp(8, 16) - 8;
    let limit = four.still_limit(AREA << deep);
    let [across, down] = subsampling(format);
    let lines = flags.par_chunks_mut(width).enumerate().with_min_len(TASK_LINES);
    lines.for_each(|(y, flags)| {
        // The luma lines of a chroma line, of the same field.
        let of_luma = if down == 1 { [y, y] } else { [y / 2 * 4 + y % 2, y / 2 * 4 + y % 2 + 2] };
        let of_luma = of_luma.map(|line| luma.and_then(|luma| luma.get(line * format.width..)?.get(..format.width)));
        let luma_is_still = |x: usize| {
            let is_still = |line: &[u8]| line[across * x..].iter().take(across).all(|flags| flags & IS_STILL != 0);
            luma.is_none() || of_luma.iter().flatten().all(|line| is_still(line))
        };
        four.windows(y, |x, window| {
            let area = AREA << deep;
            let is_dots = 2 * window.sum.abs() <= window.opposite + area;
            let is_still = window.equal <= limit && if luma.is_some() { luma_is_still(x) } else { is_dots };
            let alternates = is_still && 2 * window.opposite >= HALVES * window.equal + LEAST_HALVES * area;
            flags[x] = if is_still { IS_STILL } else { 0 } | if alternates { ALTERNATES } else { 0 };
        });
    });
}

/// Writes the means of samples with those of the frame before and of the frame after, where the
/// flags of the pairs say so.
fn comb<S: PlaneSample>(to: &mut [S], sides: [Option<(&Frame, &Pair)>; 2]) {
    let [before, after] = sides.map(|side| {
        let (frame, pair) = side?;
        Some((S::of(frame.samples())?, &pair.0[..]))
    });
    let other = |side: Option<(&[S], &[u8])>, i: usize| match side {
        Some((samples, flags)) if flags[i] & ALTERNATES != 0 => Some(samples[i].signed()),
        _ => None,
    };
    for (i, to) in to.iter_mut().enumerate() {
        let own = to.signed();
        let value = match (other(before, i), other(after, i)) {
            (Some(before), Some(after)) => (before + 2 * own + after + 2) >> 2,
            (Some(other), None) | (None, Some(other)) => (own + other + 1) >> 1,
            (None, None) => own,
        };
        *to = S::from_u32(value as u32);
    }
}
