//! A survey of a clip before its conversion: windows of frames, spread over the clip, show the
//! material that it consists of, and thereby the output rate that loses and repeats nothing.
use super::options::OutputRate;
use crate::blend::Blend;
use crate::detect::{Content, Decision, Pulldown, Reason};
use crate::format::{FieldOrder, Format};
use std::fmt;
use std::ops::Range;

/// Frames of a window: twelve before and eleven after a decision count for it, so that a window has
/// 17 decisions that are those of the whole clip. A longer window finds no other material, and
/// fewer windows fit the time.
const WINDOW: u64 = 40;

/// Frames of a clip for which there is one window. The frames of the windows are then 2 % of the
/// clip, and since the detector takes less time than a conversion, so does the survey.
const FRAMES_PER_WINDOW: u64 = 2000;

/// Windows of a clip of any length, if its frames are small enough. Eight windows find material
/// that is a third of a clip in 96 % of the cases.
const WINDOWS: u64 = 8;

/// Bytes that the windows of a short clip may have: eight windows of 1920×1080 frames. They are
/// read in a second from memory.
const BYTES: u64 = 1 << 30;

/// Successive frames of one kind of material that a window must have. Single frames at an edit are
/// of no pattern, and a pattern may fit a few frames of other material. With 3 an edit in film
/// counts as video; with 12 parts of less than half a second are not seen.
pub(super) const RUN: u64 = 6;

/// The material of a clip, from windows of its frames.
///
/// ```
/// use dndi::convert::{Converter, OutputRate, Survey};
/// use dndi::{Detector, Error, Format, Frame, Sampling};
///
/// # fn main() -> Result<(), Error> {
/// let format = Format::new(64, 48, Sampling::C420);
/// let clip: Vec<Frame> = (0..50).map(|_| Frame::new(format)).collect();
/// let mut survey = Survey::default();
/// for window in Survey::windows(clip.len() as u64, format) {
///     let mut detector = Detector::builder(format).build()?;
///     for frame in &clip[window.start as usize..window.end as usize] {
///         detector.push(frame.planes()[0], None)?;
///     }
///     detector.finish();
///     survey.add_window(std::iter::from_fn(|| detector.pull()));
/// }
/// // Black frames show nothing, and the look-ahead decides.
/// assert_eq!(survey.rate(false), None);
/// let converter = Converter::builder(format).survey(survey).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    windows: u64,
    frames: u64,
    /// Windows with each kind of material, in the order of [`Kind`].
    counts: [u64; 5],
    /// The first pattern of 3:2, 3:2:2:3 or 2:2:2:4 that was found.
    pulldown: Option<Pulldown>,
    /// Frames with visible fields, top field first and bottom field first.
    orders: [u64; 2],
    /// Frames with each way of blending, in the order of [`Blend::ALL`].
    blends: [u64; Blend::ALL.len()],
}

/// The kinds of material that need different rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// 24 pictures in 60 fields that are not whole frames: 3:2 and 3:2:2:3.
    Telecine,
    /// Progressive frames of which every fourth is repeated: 2:2:2:4 in phase.
    Repeated,
    /// 2:2 whose pictures begin with the second field of a frame.
    Shifted,
    Progressive,
    Interlaced,
}

impl Kind {
    /// The kind of a frame whose pictures determine it; none for other frames.
    fn of(decision: &Decision) -> Option<Kind> {
        let is_film = decision.content == Content::Film;
        match (decision.reason, decision.pulldown) {
            (Reason::Blended, _) => Some(Kind::Interlaced),
            (Reason::Combing, _) if decision.content == Content::Interlaced && decision.confidence > 0 => Some(Kind::Interlaced),
            (Reason::PatternMatched, Some(Pulldown::P2224)) if !is_film => Some(Kind::Repeated),
            (Reason::PatternMatched, Some(Pulldown::P22)) if is_film => Some(Kind::Shifted),
            (Reason::PatternMatched, Some(_)) if is_film => Some(Kind::Telecine),
            (Reason::PatternMatched, _) if decision.content == Content::Progressive => Some(Kind::Progressive),
            _ => None,
        }
    }
}

impl Survey {
    /// The windows of a clip of `frames` frames, in their order. They follow from the arguments
    /// alone. The first begins with the clip, and the last one ends with it. A short clip is one
    /// window.
    pub fn windows(frames: u64, format: Format) -> impl Iterator<Item = Range<u64>> {
        let bytes = (format.samples() as u64).saturating_mul(format.bytes_per_sample() as u64);
        let small = (BYTES / bytes.saturating_mul(WINDOW).max(1)).clamp(1, WINDOWS);
        let count = small.max(frames / FRAMES_PER_WINDOW);
        let (count, length) = if frames <= count * WINDOW { (1, frames) } else { (count, WINDOW) };
        let first = move |index: u64| match count {
            1 => 0,
            _ => (u128::from(frames - length) * u128::from(index) / u128::from(count - 1)) as u64,
        };
        (0..count).map(move |index| first(index)..first(index) + length)
    }

    /// Adds a window: the decisions of a [`Detector`](crate::Detector) about its frames, in their
    /// order. Material counts if six successive frames have it.
    pub fn add_window(&mut self, decisions: impl IntoIterator<Item = Decision>) {
        self.windows = self.windows.saturating_add(1);
        let (mut found, mut run) = ([false; 5], (None, 0));
        for decision in decisions {
            self.frames = self.frames.saturating_add(1);
            let kind = Kind::of(&decision);
            if let Some(index) = Blend::ALL.iter().position(|blend| decision.blend == Some(*blend)) {
                self.blends[index] = self.blends[index].saturating_add(1);
            }
            run = if run.0 == kind { (kind, run.1 + 1) } else { (kind, 1) };
            let Some(kind) = kind.filter(|_| run.1 >= RUN) else { continue };
            found[kind as usize] = true;
            if matches!(kind, Kind::Telecine | Kind::Repeated) {
                self.pulldown = self.pulldown.or(decision.pulldown);
            }
            if !matches!(kind, Kind::Progressive | Kind::Repeated) {
                let order = usize::from(decision.field_order == FieldOrder::BottomFirst);
                self.orders[order] = self.orders[order].saturating_add(1);
            }
        }
        for (count, found) in self.counts.iter_mut().zip(found) {
            *count = count.saturating_add(u64::from(found));
        }
    }

    /// The number of windows.
    pub fn window_count(&self) -> u64 {
        self.windows
    }

    /// The number of frames of all windows.
    pub fn frame_count(&self) -> u64 {
        self.frames
    }

    fn has(&self, kind: Kind) -> bool {
        self.counts[kind as usize] > 0
    }

    /// Whether the clip has film of 24 pictures in 60 fields. Repeated frames count in two windows
    /// at least, and only if no frame is without them: animation of which each drawing has three
    /// frames looks the same in parts.
    fn has_pulldown(&self) -> bool {
        let repeats = self.counts[Kind::Repeated as usize] >= 2 && !self.has(Kind::Progressive);
        self.has(Kind::Telecine) || repeats
    }

    /// Whether the clip has progressive frames that are no film of 24 pictures in 60 fields.
    fn has_progressive(&self) -> bool {
        self.has(Kind::Progressive) || self.has(Kind::Repeated) && !self.has_pulldown()
    }

    /// The output rate at which no picture of this material is lost, and as few as possible are
    /// repeated. `variable` is whether each output can have its own duration. None if the windows
    /// show no material.
    pub fn rate(&self, variable: bool) -> Option<OutputRate> {
        let film = self.has_pulldown() || self.has(Kind::Shifted);
        let several = self.has_pulldown() && (self.has(Kind::Shifted) || self.has_progressive());
        match (self.has(Kind::Interlaced), film) {
            (true, true) if variable => Some(OutputRate::Film),
            (true, _) => Some(OutputRate::Field),
            (false, true) if several && !variable => Some(OutputRate::Frame),
            (false, true) => Some(OutputRate::Film),
            (false, false) => self.has_progressive().then_some(OutputRate::Frame),
        }
    }

    /// The ratio of the film rate to the input rate: the least at which no material loses pictures.
    pub(super) fn film_ratio(&self) -> Option<(u32, u32)> {
        let interlaced = self.has(Kind::Interlaced).then_some((2, 1));
        let whole = (self.has(Kind::Shifted) || self.has_progressive()).then_some((1, 1));
        interlaced.or(whole).or(self.has_pulldown().then_some((4, 5)))
    }

    /// Whether the clip has progressive frames and nothing else.
    pub(super) fn is_progressive(&self) -> bool {
        self.has_progressive() && !self.has_fields()
    }

    /// How the fields of the clip are blended; none unless those of a quarter of the frames are.
    pub fn blend(&self) -> Option<Blend> {
        let count: u64 = self.blends.iter().sum();
        let most = self.blends.iter().zip(Blend::ALL).rev().max_by_key(|(count, _)| **count);
        most.filter(|_| count > 0 && count >= self.frames / 4).map(|(_, blend)| blend)
    }

    /// Whether the clip has frames whose two fields were sampled, or belong to pictures, at
    /// different times.
    pub fn has_fields(&self) -> bool {
        [Kind::Telecine, Kind::Shifted, Kind::Interlaced].into_iter().any(|kind| self.has(kind))
    }

    /// The field order of most frames whose fields are visible.
    pub fn field_order(&self) -> Option<FieldOrder> {
        match self.orders {
            [0, 0] => None,
            [top, bottom] => Some(if bottom > top { FieldOrder::BottomFirst } else { FieldOrder::TopFirst }),
        }
    }
}

/// The material: `film 3:2`, `progressive`, `interlaced`, `blended fields (24 pictures in 50
/// fields)`, several joined by "and", or
/// `undetermined`.
impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let film = self.pulldown.filter(|_| self.has_pulldown()).map(|pulldown| format!("film {pulldown}"));
        let shifted = self.has(Kind::Shifted).then(|| "film 2:2".to_owned());
        let progressive = self.has_progressive().then(|| "progressive".to_owned());
        let blended = self.blend().map(|blend| format!("blended fields ({blend})"));
        let interlaced = self.has(Kind::Interlaced).then(|| "interlaced".to_owned()).filter(|_| blended.is_none());
        let all: Vec<_> = [film, shifted, progressive, blended, interlaced].into_iter().flatten().collect();
        f.write_str(&if all.is_empty() { "undetermined".to_owned() } else { all.join(" and ") })
    }
}

#[cfg(test)]
mod tests;
