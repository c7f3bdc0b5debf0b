//! Decides about field pairs and frames: progressive, interlaced or film.
use super::cadence::{IN_PHASE, NO_FIT, Pulldown, cadence_phase};
use super::cadence_fit::{CadenceFit, DETAIL_PERCENT};
use super::decision::{Content, FieldMatching, FlagHint, Reason};
use super::field_order::{changes_at, first_order, ordered};
use super::frame_metrics::FrameMetrics;
use super::lookahead::{LOOK_AHEAD, Lookahead, PairState};
use super::scene_cut::{has_surely_progressive, is_cut};
use super::window::Window;
use super::zscore::{SIGNIFICANT_Q4, ZScore};
use crate::blend::fit::Found;
use crate::field_match::FieldMatch;
use crate::format::FieldOrder;
use std::ops::Range;

/// Field pairs on either side of one that is compared with those around it: half a long window. 6
/// to 15 change no clip that was measured.
const HOLD_REACH: u64 = 10;

/// How much a field pair without a pattern may comb for its fields to be woven, in percent of the
/// larger of the pairs beside it, each above the detail of the pictures. Stricter than inside the
/// pictures of a pattern, since nothing else supports the match: at 60 % fields are woven with
/// another picture.
const VALLEY_PERCENT: u64 = 35;

/// The same for both fields of a frame after one whose fields were woven, so that the picture does
/// not alternate between both while motion begins.
const KEPT_PERCENT: u64 = 50;

/// Frames from the decided one on whose interlacing ends progressive frames. With nine, frames
/// before the first interlaced one are interlaced, too; three and four change no clip that was
/// measured.
const INTERLACED_FRAMES: u64 = 6;

/// Frames with distinct pictures or uncorrelated fields that show interlacing without a field
/// order. One, two and five change no clip that was measured.
const MIN_INTERLACED: usize = 3;

/// Past frames whose order counts for the confidence and the reason of an interlaced frame, and for
/// nothing else.
const ORDER_BEHIND: u64 = 4;

/// Frames from the decided one on that count for the same.
const ORDER_AHEAD: u64 = 7;

/// Picture starts without a visible change that count in the choice of a phase, at most. If none
/// counted, the current phase would stay as long as it fits; four change no clip that was measured.
const MAX_INVISIBLE: u8 = 2;

/// Weight of each of them in the choice, against [`CHANGE_COST`].
const INVISIBLE_COST: u8 = 2;

/// Weight of a change of the phase: more than one start without a visible change, less than two.
/// Other weights change a few fields of mixed clips.
const CHANGE_COST: u8 = 3;

/// Percent of confidence per sigma of a z-score; a scale of the reports only.
const CONFIDENCE_PER_SIGMA: i64 = 10;

/// The state that decisions continue from.
#[derive(Debug)]
pub(super) struct Classifier {
    mode: FieldMatching,
    /// Whether the fields of single frames are woven if they do not comb, also without a pattern.
    pub whole_frames: bool,
    /// Whether the field order is detected; else it is given.
    detects_order: bool,
    pub order: FieldOrder,
    /// The first frame of that order.
    order_since: u64,
    /// The phase at the last decided field pair.
    phase: Option<usize>,
    /// The next field pair to be decided.
    next_pair: u64,
    /// The first field pair that the phase of the clip start fits at. Up to it the phase is held
    /// more easily.
    first_fit: u64,
    /// Whether the pictures contradicted progressive flags.
    distrusts_flags: bool,
}

/// The content of a frame, and the evidence for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Classification {
    pub content: Content,
    pub pulldown: Option<Pulldown>,
    pub confidence: u8,
    pub reason: Reason,
}

impl Classifier {
    /// Starts with the frames that are known. `order` is the field order if the caller gives it;
    /// `hint` are the flags of the first frame; `before` is the order of the frames before it,
    /// if it is known. Returns the start of the clip, too.
    pub fn new(
        lookahead: &Lookahead,
        mode: FieldMatching,
        order: Option<FieldOrder>,
        hint: FlagHint,
        before: Option<FieldOrder>,
    ) -> (Classifier, Classification) {
        let detects_order = order.is_none();
        let order = order.unwrap_or_else(|| first_order(lookahead, before.or(hint.field_order())));
        let mut classifier = Classifier {
            mode,
            whole_frames: false,
            detects_order,
            order,
            order_since: 0,
            phase: None,
            next_pair: 1,
            first_fit: 0,
            distrusts_flags: false,
        };
        let first_fit = classifier.first_fit(lookahead);
        let start = classifier.clip_start(lookahead, hint, first_fit);
        let progressive = (start.content == Content::Progressive).then_some((0, IN_PHASE));
        if let Some((pair, phase)) = first_fit.or(progressive) {
            (classifier.first_fit, classifier.phase) = (pair, Some(phase));
        }
        classifier.distrusts_flags = hint.is_progressive() && start.content != Content::Progressive;
        (classifier, start)
    }

    /// The first field pair that a phase fits at, and the phase.
    fn first_fit(&self, lookahead: &Lookahead) -> Option<(u64, usize)> {
        lookahead.known_pairs(1..2 * LOOK_AHEAD + 2).find_map(|pair| Some((pair, self.best_fit(lookahead, pair)?)))
    }

    /// The content of the clip's start: that of the first fit, else interlaced if the frames are,
    /// else that of the flags.
    fn clip_start(&self, lookahead: &Lookahead, hint: FlagHint, first_fit: Option<(u64, usize)>) -> Classification {
        if let Some((pair, phase)) = first_fit {
            return self.by_pattern(lookahead, pair, phase, false);
        }
        let order = ordered(lookahead, 0..LOOK_AHEAD + 1);
        if order.is_significant() {
            return Classification::combing(confidence(order));
        }
        if is_surely_interlaced(lookahead, 0..LOOK_AHEAD + 1) {
            return Classification::combing(0);
        }
        let (content, reason) = match hint {
            FlagHint::Progressive => (Content::Progressive, Reason::Flags),
            FlagHint::Interlaced(_) => (Content::Interlaced, Reason::Flags),
            FlagHint::Unknown => (Content::Progressive, Reason::Undetermined),
        };
        Classification { content, pulldown: None, confidence: 0, reason }
    }

    /// Decides about `frame`; frames are decided one after the other. Returns also whether its
    /// field order differs from that of the previous frame.
    pub fn decide(&mut self, lookahead: &mut Lookahead, frame: u64, hint: FlagHint) -> (Classification, bool) {
        let order_changed = frame > 0 && self.detects_order && changes_at(lookahead, frame, self.order);
        if order_changed {
            (self.order, self.order_since) = (self.order.reversed(), frame);
            (self.phase, self.next_pair) = (None, 2 * frame);
        }
        for pair in lookahead.known_pairs(self.next_pair..2 * frame + 3) {
            // A change of the field order separates the fields of the pair before the frame.
            let is_separate = order_changed && pair == 2 * frame;
            let state = if is_separate { PairState::default() } else { self.pair_state(lookahead, pair, hint) };
            self.phase = state.phase;
            lookahead.set_state(pair, state);
            self.next_pair = pair + 1;
        }
        let classification = self.classify(lookahead, frame, hint);
        self.distrusts_flags |= hint.is_progressive() && classification.content != Content::Progressive;
        (classification, order_changed)
    }

    /// The phase that fits best at a field pair. In animation, or where little moves, many fit.
    fn best_fit(&self, lookahead: &Lookahead, pair: u64) -> Option<usize> {
        let fits = || lookahead.fits(self.order, pair).iter().enumerate().filter(|&(_, &fit)| fit != NO_FIT);
        let is_progressive = |phase: usize| cadence_phase(phase).is_progressive();
        // Progressive frames need no other explanation.
        let stays_progressive = fits().any(|(phase, _)| is_progressive(phase)) && self.phase.is_none_or(is_progressive);
        // The current phase stays, unless it lacks two visible changes and another one lacks none.
        let rank = |&(phase, &fit): &(usize, &u8)| {
            (INVISIBLE_COST * fit.min(MAX_INVISIBLE) + CHANGE_COST * u8::from(self.phase != Some(phase)), phase)
        };
        let considered = fits().filter(|&(phase, _)| !stays_progressive || is_progressive(phase));
        considered.min_by_key(rank).map(|(phase, _)| phase)
    }

    /// Decides about a field pair: by the best fit, else by the current phase if it is held, else
    /// by the field pair alone.
    fn pair_state(&self, lookahead: &Lookahead, pair: u64, hint: FlagHint) -> PairState {
        let by_phase = |phase: usize, is_held| PairState {
            phase: Some(phase),
            is_held,
            same_picture: !cadence_phase(phase).starts_picture(pair),
        };
        if let Some(phase) = self.best_fit(lookahead, pair) {
            return by_phase(phase, false);
        }
        let flagged = (hint.is_progressive() && !self.distrusts_flags).then_some(IN_PHASE);
        if let Some(phase) = self.phase.or(flagged).filter(|&phase| self.is_held(lookahead, pair, phase)) {
            return by_phase(phase, true);
        }
        let same_picture = match self.mode {
            FieldMatching::Always => self.is_valley(lookahead, pair, VALLEY_PERCENT),
            _ => self.whole_frames && pair % 2 == 1 && self.is_whole(lookahead, pair),
        };
        PairState { same_picture, ..PairState::default() }
    }

    /// Whether a picture starts at a known field pair: by the decision about it, or by the phase
    /// that fits if there is none yet.
    pub fn starts_picture(&self, lookahead: &Lookahead, pair: u64) -> bool {
        if pair < self.next_pair {
            return !lookahead.state(pair).same_picture;
        }
        self.best_fit(lookahead, pair).is_none_or(|phase| cadence_phase(phase).starts_picture(pair))
    }

    /// Whether a phase that does not fit is held at a field pair, because nothing contradicts it
    /// there.
    fn is_held(&self, lookahead: &Lookahead, pair: u64, phase: usize) -> bool {
        let is_progressive = cadence_phase(phase).is_progressive();
        let is_interlaced = || self.is_interlaced(lookahead, pair / 2, phase);
        if is_progressive && pair >= self.first_fit {
            return !is_interlaced();
        }
        if !is_progressive && is_cut(lookahead, self.order, pair) {
            return false;
        }
        // Before the first fit a picture may also be still, as animation is.
        let before_first_fit = || pair < self.first_fit && (self.is_still(lookahead, pair) || is_progressive && !is_interlaced());
        cadence_phase(phase).starts_picture(pair) || !self.combs(lookahead, pair, phase) || before_first_fit()
    }

    /// Whether the fields around a pair repeat those before them.
    fn is_still(&self, lookahead: &Lookahead, pair: u64) -> bool {
        let window = self.window_around(lookahead, pair);
        window.is_still(pair) && window.is_still(pair + 1)
    }

    /// Whether a pair inside a picture of a phase combs too much.
    fn combs(&self, lookahead: &Lookahead, pair: u64, phase: usize) -> bool {
        CadenceFit::new(&self.window_around(lookahead, pair), phase).combs(pair)
    }

    /// The known pairs from [`HOLD_REACH`] before a pair to as many after it.
    fn pairs_around(lookahead: &Lookahead, pair: u64) -> Range<u64> {
        lookahead.known_pairs(pair.saturating_sub(HOLD_REACH)..pair + HOLD_REACH + 1)
    }

    fn window_around<'a>(&self, lookahead: &'a Lookahead, pair: u64) -> Window<'a> {
        Window::new(lookahead, self.order, Classifier::pairs_around(lookahead, pair))
    }

    /// Whether progressive frames end with a frame: no frame from it on is certainly progressive,
    /// and either the field order is significant and the frame combs, or the fields are certainly
    /// from different times.
    fn is_interlaced(&self, lookahead: &Lookahead, frame: u64, phase: usize) -> bool {
        let end = frame + INTERLACED_FRAMES;
        let from = |first: u64| {
            let order = ordered(lookahead, first..end);
            let inside = lookahead.frames(first..end).map(|frame| frame.pairs[1][self.order as usize].peak);
            let inside: ZScore = inside.sum();
            let combs = || inside.quarter_sigmas() > -SIGNIFICANT_Q4 || self.combs(lookahead, 2 * frame + 1, phase);
            order.is_significant() && combs()
        };
        // After a cut the first frame has a large, meaningless order: the others count alone, too.
        !has_surely_progressive(lookahead, frame..end)
            && (from(frame) || from(frame + 1) || is_surely_interlaced(lookahead, frame..end))
    }

    /// Whether the fields of the frame of a pair show one picture: they comb much less than with
    /// their other neighbours, or nothing moves.
    fn is_whole(&self, lookahead: &Lookahead, pair: u64) -> bool {
        // The last field of a whole frame shows an earlier picture than its time, so that it combs
        // more with the field after it.
        let is_kept = pair > 2 && lookahead.state(pair - 2).same_picture;
        let (pairs, percent) = if is_kept { (pair..pair + 2, KEPT_PERCENT) } else { (pair - 1..pair + 2, VALLEY_PERCENT) };
        self.is_valley_of(lookahead, pair, pairs, percent)
            || pair > 2 && self.is_still(lookahead, pair - 1) && self.is_valley(lookahead, pair, 0)
    }

    /// Whether a field pair combs much less than a pair beside it: at most by `percent` of the
    /// combing of that pair, each above the detail of the pictures.
    fn is_valley(&self, lookahead: &Lookahead, pair: u64, percent: u64) -> bool {
        self.is_valley_of(lookahead, pair, pair - 1..pair + 2, percent)
    }

    /// The same for the pair that combs most in a range of pairs.
    fn is_valley_of(&self, lookahead: &Lookahead, pair: u64, pairs: Range<u64>, percent: u64) -> bool {
        let combing = |pair: u64| lookahead.combing(self.order, pair);
        let detail = Classifier::pairs_around(lookahead, pair).map(combing).min().unwrap_or(0);
        let beside = lookahead.known_pairs(pairs).map(combing).max().unwrap_or(0);
        let (excess, motion) = (combing(pair) - detail, beside - detail);
        100 * excess <= percent * motion + DETAIL_PERCENT * detail
            && self.window_around(lookahead, pair).is_peak(beside, pair, combing(pair))
    }

    /// Classifies a frame by the decisions about its two field pairs.
    fn classify(&self, lookahead: &Lookahead, frame: u64, hint: FlagHint) -> Classification {
        let (across, inside) = (lookahead.state(2 * frame), lookahead.state(2 * frame + 1));
        for (pair, state) in [(2 * frame + 1, inside), (2 * frame, across)] {
            // If a picture starts with the frame, the phase of that pair belongs to the previous
            // frame.
            if let Some(phase) = state.phase.filter(|_| pair % 2 == 1 || state.same_picture) {
                return self.by_pattern(lookahead, pair, phase, state.is_held);
            }
        }
        let without_confidence = |content, reason| Classification { content, pulldown: None, confidence: 0, reason };
        if self.whole_frames && inside.same_picture && self.mode != FieldMatching::Always {
            return without_confidence(Content::Interlaced, Reason::FieldMatched);
        }
        if inside.same_picture || across.same_picture {
            return without_confidence(Content::Film, Reason::FieldMatched);
        }
        let first = frame.saturating_sub(ORDER_BEHIND).max(self.order_since);
        let order = ordered(lookahead, first..frame + ORDER_AHEAD);
        if order.is_significant() {
            return Classification::combing(confidence(order));
        }
        let reason = if hint == FlagHint::Unknown { Reason::Undetermined } else { Reason::Flags };
        without_confidence(Content::Interlaced, reason)
    }

    /// The classification by a phase that fits, or is held, at a field pair.
    fn by_pattern(&self, lookahead: &Lookahead, pair: u64, phase: usize, is_held: bool) -> Classification {
        let phase = cadence_phase(phase);
        let starts = Classifier::pairs_around(lookahead, pair).filter(|&pair| phase.starts_picture(pair));
        let peaks: ZScore = starts.map(|pair| lookahead.pair(self.order, pair).peak).sum();
        Classification {
            content: if phase.is_progressive() { Content::Progressive } else { Content::Film },
            pulldown: Some(phase.pulldown),
            confidence: confidence(peaks),
            reason: if is_held { Reason::PatternHeld } else { Reason::PatternMatched },
        }
    }

    /// Whether a field repeats the previous one of its parity in a phase: the two pairs between
    /// them are inside a picture, as far as is known.
    pub fn is_repeat(&self, lookahead: &Lookahead, field: u64, phase: Option<usize>) -> bool {
        let is_inside = |pair: u64| {
            if pair < self.next_pair {
                let state = lookahead.state(pair);
                return state.same_picture && state.phase == phase;
            }
            // Not decided yet: the current phase may continue.
            self.phase.filter(|_| self.phase == phase).is_some_and(|phase| {
                let fits = |pair| lookahead.fits(self.order, pair)[phase] != NO_FIT;
                lookahead.known_pairs(pair..pair + 1).any(fits) && !cadence_phase(phase).starts_picture(pair)
            })
        };
        field > 1 && is_inside(field - 1) && is_inside(field)
    }
}

impl Classification {
    /// Interlaced, because the fields comb.
    fn combing(confidence: u8) -> Classification {
        Classification { content: Content::Interlaced, pulldown: None, confidence, reason: Reason::Combing }
    }

    /// Blended fields. The confidence is 100 if the fields are exactly mixes of pictures.
    pub fn blended(found: &Found) -> Classification {
        let confidence = (100.0 * (1.0 - found.ratio)).round() as u8;
        Classification { content: Content::Interlaced, pulldown: None, confidence, reason: Reason::Blended }
    }
}

/// The match of a decided field (§3.8): the previous field if it shows the same picture, else the
/// next.
pub(super) fn field_match(lookahead: &Lookahead, field: u64) -> FieldMatch {
    if lookahead.state(field).same_picture {
        FieldMatch::Previous
    } else if lookahead.state(field + 1).same_picture {
        FieldMatch::Next
    } else {
        FieldMatch::Deinterlace
    }
}

/// Whether at least [`MIN_INTERLACED`] of the frames have fields that are certainly from different
/// times, in either order, and none is certainly progressive.
fn is_surely_interlaced(lookahead: &Lookahead, frames: Range<u64>) -> bool {
    if has_surely_progressive(lookahead, frames.clone()) {
        return false;
    }
    let count = |condition: fn(&FrameMetrics) -> bool| lookahead.frames(frames.clone()).filter(|frame| condition(frame)).count();
    count(|frame| frame.pairs[1][0].distinct_pictures) >= MIN_INTERLACED
        || count(|frame| frame.pairs[1][1].distinct_pictures) >= MIN_INTERLACED
        || count(|frame| frame.uncorrelated) >= MIN_INTERLACED
}

/// The confidence in percent of a z-score: 100 from 10 sigma on.
fn confidence(score: ZScore) -> u8 {
    (score.quarter_sigmas().abs() * CONFIDENCE_PER_SIGMA / 4).min(100) as u8
}

#[cfg(test)]
mod tests;
