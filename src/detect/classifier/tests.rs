//! Decisions about pairs and frames of given measures and fits.
use super::super::cadence::PHASES;
use super::super::synthetic::{lookahead, score};
use super::*;

const ORDER: FieldOrder = FieldOrder::TopFirst;

/// Phases of 3:2, from the first one on, are not progressive.
const FILM: usize = 2;

fn classifier(phase: Option<usize>) -> Classifier {
    Classifier {
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
/// metric is 100.
fn is_valley(order: FieldOrder, combing: u64) -> bool {
    let lookahead = lookahead(12, |frame, metrics| {
        metrics.inside = if frame == 4 { combing } else { 100 };
        metrics.across[order as usize] = match frame {
            4 => 10_100,
            5 => 5000,
            _ => 20_000,
        };
    });
    Classifier { order, ..classifier(None) }.is_valley(&lookahead, 9)
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
        classifier(None).is_valley(&lookahead, 9)
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
