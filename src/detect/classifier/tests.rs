//! Decisions about pairs and frames of given measures and fits.
use super::super::cadence::PHASES;
use super::super::synthetic::{lookahead, score};
use super::*;

mod film;

const ORDER: FieldOrder = FieldOrder::TopFirst;

/// Phases of 3:2, from the first one on, are not progressive.
const FILM: usize = 2;

fn classifier(phase: Option<usize>) -> Classifier {
    Classifier {
        whole_frames: false,
        mode: FieldMatching::Pattern,
        detects_order: true,
        order: ORDER,
        order_since: 0,
        phase,
        next_pair: 1,
        first_fit: 0,
        distrusts_flags: false,
    }
}

/// The best of the phases with these fits at a pair, while `current` is the phase.
fn best(current: Option<usize>, fits: &[(usize, u8)]) -> Option<usize> {
    let mut lookahead = lookahead(12, |_, _| {});
    fits.iter().for_each(|&(phase, fit)| lookahead.add_fit(ORDER, 9, phase, fit));
    classifier(current).best_fit(&lookahead, 9)
}

#[test]
fn the_current_phase_stays_unless_it_lacks_two_changes() {
    let [a, b] = [FILM, FILM + 1];
    for (current, other) in [(a, b), (b, a)] {
        let best = |own: u8, others: u8| best(Some(current), &[(current, own), (other, others)]);
        assert_eq!([best(0, 0), best(1, 0), best(2, 1), best(3, 1), best(9, 2)], [Some(current); 5]);
        assert_eq!([best(2, 0), best(3, 0), best(9, 0)], [Some(other); 3]);
    }
    // Without a current phase the best fit counts, and of equal ones the first.
    assert_eq!([best(None, &[(a, 1), (b, 0)]), best(None, &[(a, 1), (b, 1)]), best(None, &[])], [Some(b), Some(a), None]);
    assert_eq!(best(Some(PHASES - 1), &[(a, 2), (b, 3)]), Some(a), "two missing changes count like three");
    assert_eq!(best(Some(PHASES - 1), &[(a, 2), (b, 1)]), Some(b));
}

#[test]
fn progressive_frames_need_no_other_explanation() {
    // 2:2:2:4 in phase is progressive, too.
    let repeated = (FILM..PHASES).find(|&phase| cadence_phase(phase).is_progressive()).unwrap();
    assert_eq!(best(Some(IN_PHASE), &[(repeated, 2), (FILM, 0)]), Some(repeated));
    assert_eq!(best(None, &[(repeated, 2), (FILM, 0)]), Some(repeated));
    assert_eq!(best(Some(FILM), &[(repeated, 1), (FILM, 0)]), Some(FILM));
    assert_eq!(best(Some(IN_PHASE), &[(FILM, 2)]), Some(FILM));
}

#[test]
fn ten_pairs_around_a_pair_count() {
    let around = |pair: u64| Classifier::pairs_around(&lookahead(24, |_, _| {}), pair);
    assert_eq!([around(20), around(3), around(40)], [10..31, 1..14, 30..48]);
}

/// Whether pair 9, of this comb metric, is a valley between pairs of 10 100 and 5000; the smallest
/// metric is 100. Pairs 7 and 11 comb more.
fn is_valley(order: FieldOrder, combing: u64) -> bool {
    let lookahead = lookahead(12, |frame, metrics| {
        metrics.inside = match frame {
            4 => combing,
            3 | 5 => 30_000,
            _ => 100,
        };
        metrics.across[order as usize] = match frame {
            4 => 10_100,
            5 => 5000,
            _ => 20_000,
        };
    });
    Classifier { order, ..classifier(None) }.is_valley(&lookahead, 9, VALLEY_PERCENT)
}

#[test]
fn a_valley_combs_by_a_third_of_the_pair_beside_it() {
    // 35 % of 10 000 and 8 % of 100.
    for order in FieldOrder::BOTH {
        assert!(is_valley(order, 100 + 3508) && !is_valley(order, 100 + 3509));
    }
}

#[test]
fn a_valley_lies_below_fields_three_periods_apart() {
    let with = |apart: u64| {
        let lookahead = lookahead(12, |_, metrics| (metrics.inside, metrics.across) = (0, [1000, apart]));
        classifier(None).is_valley(&lookahead, 9, VALLEY_PERCENT)
    };
    assert!(with(6000) && !with(6001));
}

/// Frames with a significant order in the frames of `tiles`, and tiles that comb in `inside`.
fn interlaced(tiles: impl Fn(usize) -> usize, inside: impl Fn(usize) -> [usize; 2]) -> Lookahead {
    lookahead(24, |frame, metrics| {
        (metrics.across, metrics.own_combing) = ([1000, 2000], 1000);
        metrics.order = score(tiles(frame), 0);
        let [more, fewer] = inside(frame);
        metrics.pairs[1][ORDER as usize].peak = score(more, fewer);
    })
}

#[test]
fn progressive_frames_end_with_six_interlaced_ones() {
    let ends = |with: usize| {
        let lookahead = interlaced(|frame| if frame == with { 16 } else { 0 }, |_| [0; 2]);
        classifier(Some(IN_PHASE)).is_interlaced(&lookahead, 8, IN_PHASE)
    };
    assert!(ends(8) && ends(13) && !ends(14) && !ends(7));
    let weak = interlaced(|frame| if frame == 9 { 15 } else { 0 }, |_| [0; 2]);
    assert!(!classifier(Some(IN_PHASE)).is_interlaced(&weak, 8, IN_PHASE));
}

#[test]
fn an_order_alone_does_not_end_progressive_frames() {
    // Fields inside the frames comb less than beside them, by four sigma.
    let ends = |fewer: usize| {
        let inside = |frame: usize| if frame == 13 { [0, fewer] } else { [0; 2] };
        classifier(Some(IN_PHASE)).is_interlaced(&interlaced(|_| 16, inside), 8, IN_PHASE)
    };
    assert!(ends(15) && !ends(16));
    // The frame after a cut does not count: the frames after it have an order, and comb.
    let after_cut = |first: usize| {
        let inside = |frame: usize| if frame == 8 { [0, 100] } else { [0; 2] };
        let lookahead = interlaced(|frame| if frame < first { 0 } else { 16 }, inside);
        classifier(Some(IN_PHASE)).is_interlaced(&lookahead, 8, IN_PHASE)
    };
    assert!(after_cut(8) && after_cut(9) && !after_cut(14));
    // The first of them alone has an order.
    let only_9 = |frame: usize| if frame == 9 { 16 } else { 0 };
    let lookahead = interlaced(only_9, |frame| if frame == 8 { [0, 100] } else { [0; 2] });
    assert!(classifier(Some(IN_PHASE)).is_interlaced(&lookahead, 8, IN_PHASE));
}

/// The fields of the frame itself may comb while those of the frames after it do not.
#[test]
fn a_frame_that_combs_ends_progressive_frames() {
    let ends = |combing: usize| {
        let lookahead = lookahead(24, |frame, metrics| {
            (metrics.across, metrics.own_combing, metrics.order) = ([1000, 2000], 1000, score(16, 0));
            metrics.inside = if frame == combing { 900 } else { 0 };
            metrics.pairs[1][ORDER as usize].peak = score(0, 16);
        });
        classifier(Some(IN_PHASE)).is_interlaced(&lookahead, 8, IN_PHASE)
    };
    assert!(ends(8) && [4, 7, 9, 12].into_iter().all(|frame| !ends(frame)));
}

#[test]
fn surely_progressive_frames_do_not_end() {
    let ends = |progressive: usize| {
        let lookahead = lookahead(24, |frame, metrics| {
            (metrics.across, metrics.own_combing, metrics.order) = ([1000, 2000], 1000, score(16, 0));
            metrics.surely_progressive = frame == progressive;
        });
        classifier(Some(IN_PHASE)).is_interlaced(&lookahead, 8, IN_PHASE)
    };
    assert!(ends(7) && !ends(8) && !ends(13) && ends(14));
}

#[test]
fn three_frames_show_interlacing_without_an_order() {
    let with = |count: usize, set: fn(&mut FrameMetrics)| {
        let lookahead = lookahead(12, |frame, metrics| {
            if (2..2 + count).contains(&frame) {
                set(metrics);
            }
        });
        // Of them two frames at most.
        assert!(!is_surely_interlaced(&lookahead, 0..4));
        is_surely_interlaced(&lookahead, 0..12)
    };
    let sets: [fn(&mut FrameMetrics); 3] = [
        |metrics| metrics.uncorrelated = true,
        |metrics| metrics.pairs[1][0].distinct_pictures = true,
        |metrics| metrics.pairs[1][1].distinct_pictures = true,
    ];
    for set in sets {
        assert!(with(3, set) && !with(2, set));
    }
    // Different evidence does not add up, and one progressive frame contradicts.
    let different = lookahead(12, |frame, metrics| {
        metrics.uncorrelated = frame < 2;
        metrics.pairs[1][frame % 2].distinct_pictures = (2..6).contains(&frame);
    });
    assert!(!is_surely_interlaced(&different, 0..12));
    let contradicted = lookahead(12, |frame, metrics| {
        (metrics.uncorrelated, metrics.surely_progressive) = (true, frame == 4);
    });
    assert!(!is_surely_interlaced(&contradicted, 0..12) && is_surely_interlaced(&contradicted, 5..12));
}

/// The classification of frame 9 by the flags and the order of a single frame.
fn by_order(classifier: &Classifier, with: usize, hint: FlagHint) -> (Content, Reason, u8) {
    let lookahead = interlaced(|frame| if frame == with { 16 } else { 0 }, |_| [0; 2]);
    let Classification { content, pulldown, confidence, reason } = classifier.classify(&lookahead, 9, hint);
    assert_eq!(pulldown, None);
    (content, reason, confidence)
}

#[test]
fn eleven_frames_give_the_reason_of_an_interlaced_one() {
    let found = |with: usize| by_order(&classifier(None), with, FlagHint::Unknown);
    let (combing, undetermined) = ((Content::Interlaced, Reason::Combing, 40), (Content::Interlaced, Reason::Undetermined, 0));
    assert_eq!([4, 5, 15, 16].map(found), [undetermined, combing, combing, undetermined]);
    // Frames before the last change of the order do not count.
    let later = Classifier { order_since: 7, ..classifier(None) };
    assert_eq!([6, 7].map(|with| by_order(&later, with, FlagHint::Unknown)), [undetermined, combing]);
    assert_eq!(by_order(&later, 20, FlagHint::Progressive), (Content::Interlaced, Reason::Flags, 0));
}

#[test]
fn confidence_is_full_from_ten_sigma_on() {
    assert_eq!([1, 16, 99, 100, 400].map(|tiles| confidence(score(tiles, 0))), [10, 40, 97, 100, 100]);
    assert_eq!(confidence(score(0, 16)), 40);
}

/// The start of a clip whose frames have a significant order where `tiles` returns 16, and where
/// these phases fit.
fn start(tiles: impl Fn(usize) -> usize, fits: &[(u64, usize)], hint: FlagHint) -> (Classifier, Classification) {
    let mut lookahead = interlaced(tiles, |_| [0; 2]);
    fits.iter().for_each(|&(pair, phase)| lookahead.add_fit(ORDER, pair, phase, 0));
    Classifier::new(&lookahead, FieldMatching::Pattern, None, hint, None)
}

fn found(start: &Classification) -> (Content, Reason, u8) {
    (start.content, start.reason, start.confidence)
}

#[test]
fn a_clip_starts_with_its_first_fit() {
    let interlaced = FlagHint::Interlaced(FieldOrder::TopFirst);
    for pair in [1, 7, 23] {
        let (classifier, start) = start(|_| 0, &[(pair, FILM)], interlaced);
        assert_eq!((start.content, start.pulldown), (Content::Film, Some(Pulldown::P32)));
        assert_eq!((start.reason, start.confidence), (Reason::PatternMatched, 0));
        assert_eq!((classifier.first_fit, classifier.phase), (pair, Some(FILM)));
    }
    let (classifier, after) = start(|_| 0, &[(24, FILM)], interlaced);
    assert_eq!(found(&after), (Content::Interlaced, Reason::Flags, 0));
    assert_eq!((classifier.first_fit, classifier.phase, classifier.next_pair), (0, None, 1));
}

#[test]
fn a_clip_without_fits_starts_with_the_order_of_twelve_frames() {
    let (combing, flags) = ((Content::Interlaced, Reason::Combing, 40), (Content::Progressive, Reason::Flags, 0));
    for (with, expected) in [(0, combing), (11, combing), (12, flags)] {
        let (classifier, start) = start(|frame| if frame == with { 16 } else { 0 }, &[], FlagHint::Progressive);
        assert_eq!(found(&start), expected, "{with}");
        assert_eq!(classifier.phase, (expected == flags).then_some(IN_PHASE));
    }
    // Else with uncorrelated fields in three of them.
    let uncorrelated = |first: usize| {
        let lookahead = lookahead(24, |frame, metrics| metrics.uncorrelated = (first..first + 3).contains(&frame));
        found(&Classifier::new(&lookahead, FieldMatching::Pattern, None, FlagHint::Progressive, None).1)
    };
    let combing = (Content::Interlaced, Reason::Combing, 0);
    assert_eq!([uncorrelated(0), uncorrelated(9), uncorrelated(10)], [combing, combing, flags]);
}

#[test]
fn flags_decide_an_undetermined_start() {
    let (classifier, unknown) = start(|_| 0, &[], FlagHint::Unknown);
    assert_eq!(found(&unknown), (Content::Progressive, Reason::Undetermined, 0));
    assert_eq!((classifier.order, classifier.detects_order), (FieldOrder::TopFirst, true));
    let (classifier, interlaced) = start(|_| 0, &[], FlagHint::Interlaced(FieldOrder::BottomFirst));
    assert_eq!(found(&interlaced), (Content::Interlaced, Reason::Flags, 0));
    assert_eq!(classifier.order, FieldOrder::BottomFirst);
    let given = Some(FieldOrder::BottomFirst);
    let (classifier, _) = Classifier::new(&interlaced_frames(), FieldMatching::Pattern, given, FlagHint::Unknown, None);
    assert_eq!((classifier.order, classifier.detects_order), (FieldOrder::BottomFirst, false));
}

/// Frames with a significant order.
fn interlaced_frames() -> Lookahead {
    interlaced(|_| 16, |_| [0; 2])
}

#[test]
fn contradicted_flags_are_not_trusted() {
    let distrusts = |tiles: usize, hint: FlagHint| start(|_| tiles, &[], hint).0.distrusts_flags;
    assert!(distrusts(16, FlagHint::Progressive) && !distrusts(0, FlagHint::Progressive) && !distrusts(16, FlagHint::Unknown));
    // Nor after a frame that is not progressive.
    for (tiles, hint, expected) in [(16, FlagHint::Progressive, true), (16, FlagHint::Unknown, false)] {
        let mut lookahead = interlaced(|_| tiles, |_| [0; 2]);
        let mut classifier = classifier(None);
        classifier.decide(&mut lookahead, 0, hint);
        assert_eq!(classifier.distrusts_flags, expected);
    }
    let (mut still, mut classifier) = (interlaced(|_| 0, |_| [0; 2]), classifier(None));
    classifier.decide(&mut still, 0, FlagHint::Progressive);
    assert!(!classifier.distrusts_flags && classifier.phase == Some(IN_PHASE));
}

#[test]
fn a_frame_decides_its_pairs_and_the_next_one() {
    let mut lookahead = lookahead(24, |_, _| {});
    (1..40).for_each(|pair| lookahead.add_fit(ORDER, pair, FILM, 0));
    let mut classifier = classifier(None);
    for frame in 0..5 {
        let (classification, changed) = classifier.decide(&mut lookahead, frame, FlagHint::Unknown);
        assert_eq!((classification.content, classification.pulldown, changed), (Content::Film, Some(Pulldown::P32), false));
        assert_eq!((classifier.next_pair, classifier.phase), (2 * frame + 3, Some(FILM)));
        assert!(lookahead.state(2 * frame + 2).phase.is_some() && lookahead.state(2 * frame + 3).phase.is_none());
    }
    // Pictures start at pairs 0, 2, 5, 7, 10 of the phase.
    let same: Vec<u64> = (1..11).filter(|&pair| lookahead.state(pair).same_picture).collect();
    assert_eq!(same, [1, 3, 4, 6, 8, 9]);
    let matches = [1, 2, 3, 4, 5].map(|field| field_match(&lookahead, field));
    let (previous, next) = (FieldMatch::Previous, FieldMatch::Next);
    assert_eq!(matches, [previous, next, previous, previous, next]);
    assert_eq!(field_match(&lookahead, 10), FieldMatch::Deinterlace);
}

#[test]
fn a_change_of_the_order_separates_fields() {
    // From frame 5 on the order is the other one, with film. Before it that order has other film.
    let mut lookahead = lookahead(24, |frame, metrics| {
        metrics.order = if frame > 4 { score(0, 100) } else { score(100, 0) };
    });
    for pair in 1..40 {
        lookahead.add_fit(ORDER, pair, FILM, 0);
        lookahead.add_fit(ORDER.reversed(), pair, if pair < 8 { FILM + 1 } else { FILM }, 0);
    }
    let mut classifier = classifier(None);
    let changes: Vec<bool> = (0..9).map(|frame| classifier.decide(&mut lookahead, frame, FlagHint::Unknown).1).collect();
    assert_eq!(changes.iter().position(|&changed| changed), Some(4), "the frames after frame 4 contradict");
    assert_eq!((changes.iter().filter(|&&changed| changed).count(), classifier.order), (1, FieldOrder::BottomFirst));
    assert_eq!(classifier.order_since, 4);
    let phases = [7, 8, 9].map(|pair| lookahead.state(pair).phase);
    assert_eq!(phases, [Some(FILM), None, Some(FILM)]);
    // A given order does not change, nor does that of frame 0.
    let mut given = Classifier { detects_order: false, ..self::classifier(None) };
    assert!(!given.decide(&mut lookahead, 4, FlagHint::Unknown).1);
    let mut other = self::lookahead(24, |_, metrics| metrics.order = score(0, 100));
    let mut first = self::classifier(None);
    assert!(!first.decide(&mut other, 0, FlagHint::Unknown).1 && first.decide(&mut other, 1, FlagHint::Unknown).1);
}

#[test]
fn frames_are_classified_by_their_pairs() {
    let none = PairState::default();
    let by = |phase: usize, is_held: bool, same_picture: bool| PairState { phase: Some(phase), is_held, same_picture };
    let matched = PairState { same_picture: true, ..none };
    let classify = |before: PairState, inside: PairState| {
        let [first, second] = [9, 10].map(|frame| {
            let (mut lookahead, pair) = (lookahead(24, |_, _| {}), 2 * frame);
            lookahead.set_state(pair, before);
            lookahead.set_state(pair + 1, inside);
            lookahead.set_state(pair - 1, by(PHASES - 1, false, true));
            lookahead.set_state(pair + 2, by(PHASES - 1, false, true));
            let classification = classifier(None).classify(&lookahead, frame, FlagHint::Unknown);
            (classification.content, classification.pulldown, classification.reason)
        });
        assert_eq!(first, second);
        first
    };
    let (film, frames) = (Some(Pulldown::P32), Some(Pulldown::P22));
    let (fits, held) = (Reason::PatternMatched, Reason::PatternHeld);
    assert_eq!(classify(none, by(FILM, false, false)), (Content::Film, film, fits));
    assert_eq!(classify(by(FILM, false, true), by(IN_PHASE, true, true)), (Content::Progressive, frames, held));
    // If a picture starts with the frame, the pattern of the pair before belongs to the last one.
    assert_eq!(classify(by(FILM, true, true), none), (Content::Film, film, held));
    assert_eq!(classify(by(FILM, true, false), none), (Content::Interlaced, None, Reason::Undetermined));
    let by_field = (Content::Film, None, Reason::FieldMatched);
    assert_eq!([classify(matched, none), classify(none, matched)], [by_field; 2]);
}

#[test]
fn the_starts_around_a_pair_give_the_confidence() {
    let confidence = |with: u64, phase: usize| {
        let lookahead = lookahead(24, |frame, metrics| {
            if frame as u64 == with / 2 {
                metrics.pairs[with as usize % 2][ORDER as usize].peak = score(16, 0);
            }
        });
        classifier(None).by_pattern(&lookahead, 20, phase, false).confidence
    };
    // Pictures start at pairs 0 and 2 of five.
    assert_eq!([10, 12, 20, 30].map(|pair| confidence(pair, FILM)), [40; 4]);
    assert_eq!([7, 11, 13, 19, 32].map(|pair| confidence(pair, FILM)), [0; 5]);
}

#[test]
fn repeated_fields_end_two_pairs_inside_a_picture() {
    let mut lookahead = lookahead(24, |_, _| {});
    let by = |phase: usize, same_picture: bool| PairState { phase: Some(phase), is_held: false, same_picture };
    (1..10).for_each(|pair| lookahead.set_state(pair, by(FILM, ![0, 2].contains(&(pair % 5)))));
    let mut classifier = Classifier { next_pair: 10, ..classifier(Some(FILM)) };
    let repeats = |classifier: &Classifier, lookahead: &Lookahead| -> Vec<u64> {
        (0..60).filter(|&field| classifier.is_repeat(lookahead, field, Some(FILM))).collect()
    };
    assert_eq!(repeats(&classifier, &lookahead), [4, 9]);
    // Another phase has other pictures.
    lookahead.set_state(3, by(FILM + 1, true));
    assert_eq!(repeats(&classifier, &lookahead), [9]);
    // Pairs that are not decided count by the fits of the current phase.
    (10..20).for_each(|pair| lookahead.add_fit(ORDER, pair, FILM, 0));
    assert_eq!(repeats(&classifier, &lookahead), [9, 14, 19]);
    (22..24).chain(25..29).for_each(|pair| lookahead.add_fit(ORDER, pair, FILM, 0));
    assert_eq!(repeats(&classifier, &lookahead), [9, 14, 19], "nothing fits at pairs 24 and 29");
    // The first pair that is not decided, and pairs that are not known.
    lookahead.add_fit(ORDER, 9, FILM, 0);
    lookahead.set_state(9, PairState::default());
    let at_9 = Classifier { next_pair: 9, ..self::classifier(Some(FILM)) };
    assert_eq!(repeats(&at_9, &lookahead), [9, 14, 19]);
    lookahead.set_state(9, by(FILM, true));
    classifier.phase = Some(FILM + 1);
    assert_eq!(repeats(&classifier, &lookahead), [9]);
    assert!(!classifier.is_repeat(&lookahead, 9, None) && !classifier.is_repeat(&lookahead, 14, Some(FILM + 1)));
    // The first picture may have three fields.
    lookahead.set_state(2, by(FILM, true));
    assert!(classifier.is_repeat(&lookahead, 2, Some(FILM)));
}
