//! From evidence to decisions.
use super::cadence::{IN_PHASE, NO_FIT, Pulldown, hypothesis};
use super::cadence_fit::{SURE, Trial};
use super::decision::{Content, FieldMatching, FlagHint, Reason};
use super::frame_metrics::{Contrast, Evidence, Found};
use super::lookahead::History;
use super::window::Window;
use crate::field_match::FieldMatch;
use crate::format::FieldOrder;
use std::ops::Range;

/// Frames ahead of the one that is decided.
pub(super) const LOOK_AHEAD: u64 = 11;

/// Borders on either side within which what is held on to is compared.
const NEAR: u64 = 10;

/// What combs so many times less than the pictures do themselves does not count.
const TRACE: u64 = 32;

/// What decisions go on from.
#[derive(Debug)]
pub(super) struct Judge {
    pub film: FieldMatching,
    /// Whether the order is measured.
    pub follows: bool,
    pub order: FieldOrder,
    /// The first frame of that order.
    since: u64,
    /// The cadence of the last border.
    cadence: Option<usize>,
    /// The next border.
    next: u64,
    /// The first border that the opening's cadence was seen at.
    seen: u64,
    /// Whether a hint that says progressive was found wrong.
    distrusts: bool,
}

/// What was found out about a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    pub content: Content,
    pub pulldown: Option<Pulldown>,
    pub confidence: u8,
    pub reason: Reason,
}

impl Judge {
    /// Begins with the frames that are known; `order` is the one that is given, if it is.
    pub fn new(history: &History, film: FieldMatching, order: Option<FieldOrder>, hint: FlagHint) -> (Judge, Verdict) {
        let follows = order.is_none();
        let order = order.unwrap_or_else(|| first_order(history, hint));
        let mut judge = Judge { film, follows, order, since: 0, cadence: None, next: 1, seen: 0, distrusts: false };
        let seen = judge.first_seen(history);
        let opening = judge.opening(history, hint, seen);
        let frames = (opening.content == Content::Progressive).then_some((0, IN_PHASE));
        (judge.seen, judge.cadence) = seen.or(frames).map_or((0, None), |(border, index)| (border, Some(index)));
        judge.distrusts = hint.is_progressive() && opening.content != Content::Progressive;
        (judge, opening)
    }

    /// The first border where a cadence is seen, and which.
    fn first_seen(&self, history: &History) -> Option<(u64, usize)> {
        history.borders(1..2 * LOOK_AHEAD + 2).find_map(|border| Some((border, self.fitting(history, border)?)))
    }

    /// What the clip is, by the first frames that tell.
    fn opening(&self, history: &History, hint: FlagHint, seen: Option<(u64, usize)>) -> Verdict {
        if let Some((border, index)) = seen {
            return self.measured(history, border, index, false);
        }
        let order = ordered(history, 0..LOOK_AHEAD + 1);
        if order.strength().abs() >= SURE {
            return combs(order);
        }
        if is_strange(history, 0..LOOK_AHEAD + 1) {
            return Verdict { content: Content::Interlaced, pulldown: None, confidence: 0, reason: Reason::Combing };
        }
        let (content, reason) = match hint {
            FlagHint::Progressive => (Content::Progressive, Reason::Flags),
            FlagHint::Interlaced(_) => (Content::Interlaced, Reason::Flags),
            FlagHint::Unknown => (Content::Progressive, Reason::Undetermined),
        };
        Verdict { content, pulldown: None, confidence: 0, reason }
    }

    /// Decides about `frame`; frames come one after the other. Tells whether its field order is another one than before.
    pub fn decide(&mut self, history: &mut History, frame: u64, hint: FlagHint) -> (Verdict, bool) {
        let turned = frame > 0 && self.follows && self.turns(history, frame);
        if turned {
            (self.order, self.since) = (self.order.reversed(), frame);
            (self.cadence, self.next) = (None, 2 * frame);
        }
        for border in history.borders(self.next..2 * frame + 3) {
            let first = turned && border == 2 * frame;
            let found = if first { Found::default() } else { self.judge(history, border, hint) };
            self.cadence = found.cadence.or(self.cadence.filter(|_| first));
            history.set_found(border, found);
            self.next = border + 1;
        }
        let verdict = self.verdict(history, frame, hint);
        self.distrusts |= hint.is_progressive() && verdict.content != Content::Progressive;
        (verdict, turned)
    }

    /// Whether the frames from `frame` on have the other order.
    fn turns(&self, history: &History, frame: u64) -> bool {
        let strength = |order: Contrast| match self.order {
            FieldOrder::TopFirst => order.strength(),
            FieldOrder::BottomFirst => -order.strength(),
        };
        let ahead = || history.range(frame + 1..frame + 7).map(|evidence| evidence.order);
        let sure = |order: &Contrast| strength(*order) <= -12;
        strength(ahead().sum()) <= -20
            && ahead().take(1).all(|order| sure(&order))
            && ahead().filter(sure).count() >= 3
            && !ahead().any(|order| strength(order) >= 12)
    }

    /// The cadence that fits best around a border. Where drawings stay or little moves many do.
    fn fitting(&self, history: &History, border: u64) -> Option<usize> {
        let fits = || history.fits(self.order, border).iter().enumerate().filter(|&(_, &fit)| fit != NO_FIT);
        let keeps_frames = |index: usize| hypothesis(index).keeps_frames();
        let known = |index: usize| self.cadence == Some(index);
        // That before stays, but for one that sees a change wherever it expects one, where that before twice does not. Whole frames
        // need no other explanation.
        let whole = fits().any(|(index, _)| keeps_frames(index)) && self.cadence.is_none_or(keeps_frames);
        let rank = |&(index, &fit): &(usize, &u8)| (2 * fit.min(2) + 3 * u8::from(!known(index)), index);
        fits().filter(|&(index, _)| !whole || keeps_frames(index)).min_by_key(rank).map(|(index, _)| index)
    }

    fn judge(&self, history: &History, border: u64, hint: FlagHint) -> Found {
        let held = || {
            let trusted = (hint.is_progressive() && !self.distrusts).then_some(IN_PHASE);
            self.cadence.or(trusted).filter(|&index| self.holds(history, border, index))
        };
        if let Some(index) = self.fitting(history, border) {
            return Found { cadence: Some(index), held: false, joined: !hypothesis(index).begins(border) };
        }
        if let Some(index) = held() {
            return Found { cadence: Some(index), held: true, joined: !hypothesis(index).begins(border) };
        }
        Found { joined: self.film == FieldMatching::Always && self.is_valley(history, border), ..Found::default() }
    }

    /// Whether a cadence that nothing shows may go on.
    fn holds(&self, history: &History, border: u64, index: usize) -> bool {
        let h = hypothesis(index);
        if h.keeps_frames() && border >= self.seen {
            return !self.is_interlaced(history, border / 2, index);
        }
        let cut = !h.keeps_frames() && history.is_cut(self.order, border);
        !cut && (h.begins(border)
            || !self.is_torn(history, border, index)
            || border < self.seen && self.lasts(history, border, index))
    }

    /// Whether a picture that is torn lasts all the same, before its cadence was seen.
    fn lasts(&self, history: &History, border: u64, index: usize) -> bool {
        self.rests(history, border) || hypothesis(index).keeps_frames() && !self.is_interlaced(history, border / 2, index)
    }

    /// Whether the fields around a border repeat those before them, as those of drawings do that stay.
    fn rests(&self, history: &History, border: u64) -> bool {
        let window = self.near(history, border);
        window.stands(border) && window.stands(border + 1)
    }

    fn is_torn(&self, history: &History, border: u64, index: usize) -> bool {
        Trial::new(&self.near(history, border), index).is_torn(border)
    }

    /// The borders around one.
    fn near<'a>(&self, history: &'a History, border: u64) -> Window<'a> {
        Window::new(history, self.order, history.borders(border.saturating_sub(NEAR)..border + NEAR + 1))
    }

    /// Whether a frame's fields are of different times: those of the frames from it on are in order, and its own comb, or all do alike.
    fn is_interlaced(&self, history: &History, frame: u64, index: usize) -> bool {
        // After a cut the first of them says nothing, loudly.
        let from = |first: u64| {
            let order = ordered(history, first..frame + 6);
            let inside: Contrast = history.range(first..frame + 6).map(|evidence| evidence.peaks[1][self.order as usize]).sum();
            order.strength().abs() >= SURE && (inside.strength() > -SURE || self.is_torn(history, 2 * frame + 1, index))
        };
        !history.has_whole(frame..frame + 6) && (from(frame) || from(frame + 1) || is_strange(history, frame..frame + 6))
    }

    /// Whether the fields at a border comb much less than those on one side of it.
    fn is_valley(&self, history: &History, border: u64) -> bool {
        let combing = |border: u64| history.combing(self.order, border);
        let least = history.borders(border.saturating_sub(NEAR)..border + NEAR + 1).map(combing).min().unwrap_or(0);
        let beside = history.borders(border - 1..border + 2).map(combing).max().unwrap_or(0);
        let (excess, motion) = (combing(border) - least, beside - least);
        100 * excess <= 35 * motion + 8 * least && self.near(history, border).is_above(beside, border, combing(border))
    }

    fn verdict(&self, history: &History, frame: u64, hint: FlagHint) -> Verdict {
        let (own, before) = (history.found(2 * frame + 1), history.found(2 * frame));
        for (border, found) in [(2 * frame + 1, own), (2 * frame, before)] {
            // A picture that begins with the frame tells of the one before.
            if let Some(index) = found.cadence.filter(|_| border % 2 == 1 || found.joined) {
                return self.measured(history, border, index, found.held);
            }
        }
        if own.joined || before.joined {
            return Verdict { content: Content::Film, pulldown: None, confidence: 0, reason: Reason::FieldMatched };
        }
        let order = ordered(history, frame.saturating_sub(4).max(self.since)..frame + 7);
        if order.strength().abs() >= SURE {
            return combs(order);
        }
        let reason = if hint == FlagHint::Unknown { Reason::Undetermined } else { Reason::Flags };
        Verdict { content: Content::Interlaced, pulldown: None, confidence: 0, reason }
    }

    fn measured(&self, history: &History, border: u64, index: usize, held: bool) -> Verdict {
        let h = hypothesis(index);
        let near = history.borders(border.saturating_sub(NEAR)..border + NEAR + 1).filter(|&border| h.begins(border));
        let peaks: Contrast = near.map(|border| history.peak(self.order, border)).sum();
        let content = if h.keeps_frames() { Content::Progressive } else { Content::Film };
        let reason = if held { Reason::PatternHeld } else { Reason::PatternMatched };
        Verdict { content, pulldown: Some(h.pulldown), confidence: confidence(peaks), reason }
    }

    /// Whether field `field` repeats the last but one before it in `cadence`: the borders between them are inside a picture, as far as is known.
    pub fn repeats(&self, history: &History, field: u64, cadence: Option<usize>) -> bool {
        let inside = |border: u64| match self.cadence.filter(|_| self.cadence == cadence) {
            _ if border < self.next => history.found(border).joined && history.found(border).cadence == cadence,
            Some(index) => {
                let known = history.borders(border..border + 1).any(|border| history.fits(self.order, border)[index] != NO_FIT);
                known && !hypothesis(index).begins(border)
            }
            None => false,
        };
        field > 1 && inside(field - 1) && inside(field)
    }

    /// The code of field `field` (§3.8): the field before it where that shows the same picture, else the one after it.
    pub fn code(history: &History, field: u64) -> FieldMatch {
        if history.found(field).joined {
            FieldMatch::Previous
        } else if history.found(field + 1).joined {
            FieldMatch::Next
        } else {
            FieldMatch::Deinterlace
        }
    }
}

/// The order in which the fields comb less, that in which film is seen, or the one that was told.
fn first_order(history: &History, hint: FlagHint) -> FieldOrder {
    let order = ordered(history, 0..LOOK_AHEAD + 1);
    let film = |order: FieldOrder| {
        let seen = |border: &u64| {
            let fits = history.fits(order, *border).iter().enumerate();
            fits.filter(|&(index, &fit)| fit != NO_FIT && !hypothesis(index).keeps_frames()).count() > 0
        };
        history.borders(1..2 * LOOK_AHEAD + 2).filter(seen).count()
    };
    match (order.strength(), film(FieldOrder::TopFirst), film(FieldOrder::BottomFirst), hint) {
        (SURE.., ..) => FieldOrder::TopFirst,
        (strength, ..) if strength <= -SURE => FieldOrder::BottomFirst,
        (_, top, bottom, _) if top > bottom => FieldOrder::TopFirst,
        (_, top, bottom, _) if top < bottom => FieldOrder::BottomFirst,
        (.., FlagHint::Interlaced(order)) => order,
        _ => FieldOrder::TopFirst,
    }
}

/// How much less the fields of some frames comb top first than bottom first. Nothing where that is a trace of what they comb; where the frame before
/// is about as far from both fields; nor where no order combs more than the frames do by themselves, but one more and one less: that is motion by a
/// trace, which adds to the picture's detail or takes from it.
fn ordered(history: &History, frames: Range<u64>) -> Contrast {
    let sums = |evidence: &Evidence| [evidence.across[0], evidence.across[1], evidence.own];
    let all = || history.range(frames.clone()).filter(|evidence| evidence.own > 0);
    let add = |a: [u64; 3], b: [u64; 3]| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
    // A cut says nothing, loudly.
    let cut =
        all().max_by_key(|evidence| evidence.across[0] + evidence.across[1]).filter(|_| all().count() > 2).map_or([0; 3], sums);
    let total = all().map(sums).fold([0; 3], add);
    let [top_first, bottom_first, own] = [total[0] - cut[0], total[1] - cut[1], total[2] - cut[2]];
    let (difference, beyond) = (top_first.abs_diff(bottom_first), (top_first + bottom_first).saturating_sub(2 * own));
    let trace = TRACE * difference < own || 2 * difference < own && 4 * beyond < difference;
    if trace || beyond > 3 * difference {
        return Contrast::default();
    }
    history.range(frames).map(|evidence| evidence.order).sum()
}

/// Whether the fields of at least three frames are surely of different times, in whatever order.
fn is_strange(history: &History, frames: Range<u64>) -> bool {
    if history.has_whole(frames.clone()) {
        return false;
    }
    let count = |tells: fn(&Evidence) -> bool| history.range(frames.clone()).filter(|evidence| tells(evidence)).count();
    count(|evidence| evidence.apart[1][0]) >= 3
        || count(|evidence| evidence.apart[1][1]) >= 3
        || count(|evidence| evidence.strange) >= 3
}

fn combs(order: Contrast) -> Verdict {
    Verdict { content: Content::Interlaced, pulldown: None, confidence: confidence(order), reason: Reason::Combing }
}

/// 100 at ten times what noise alone makes.
fn confidence(evidence: Contrast) -> u8 {
    (evidence.strength().abs() * 5 / 2).min(100) as u8
}
