//! The order of calls, and small clips.
use super::super::cadence::{IN_PHASE, NO_FIT};
use super::super::decision::{Content, Reason};
use super::super::lookahead::PairState;
use super::super::synthetic::lookahead;
use super::*;
use crate::field_match::FieldMatch;
use crate::format::Sampling;

const SIZE: (usize, usize) = (128, 32);

/// A texture that moves by 5 pixels with each picture. Fields have the pictures `2 * frame` and
/// `2 * frame + 1` of `pictures`, top field first.
fn frame(pictures: impl Fn(usize) -> usize, frame: usize) -> Vec<u8> {
    let pixel = |i: usize| {
        let (x, y) = (i % SIZE.0, i / SIZE.0);
        let x = x + 5 * pictures(2 * frame + y % 2);
        let mut v = ((x / 8) as u32).wrapping_mul(0x9e37_79b9) ^ ((y / 8) as u32).wrapping_mul(0x85eb_ca6b);
        v = (v ^ v >> 15).wrapping_mul(0x2c1b_3c6d);
        (v >> 24) as u8
    };
    (0..SIZE.0 * SIZE.1).map(pixel).collect()
}

fn detector() -> Detector {
    Detector::builder(Format::new(SIZE.0, SIZE.1, Sampling::Mono)).build().unwrap()
}

fn push(detector: &mut Detector, frame: &[u8]) {
    detector.push(PlaneRef::new(frame, SIZE.0), None).unwrap();
}

#[test]
fn decisions_are_eleven_frames_late() {
    let mut detector = detector();
    for number in 0..30 {
        assert_eq!(detector.clip_start().is_some(), number > 11);
        push(&mut detector, &frame(|field| field, number));
        let decided: Vec<u64> = std::iter::from_fn(|| detector.pull()).map(|decision| decision.frame).collect();
        assert!(decided.into_iter().eq((number as u64).checked_sub(11)), "{number}");
    }
    for _ in 0..2 {
        detector.finish();
    }
    assert!(std::iter::from_fn(|| detector.pull()).map(|decision| decision.frame).eq(19..30));
    assert!(matches!(detector.push(PlaneRef::new(&frame(|field| field, 0)[..], SIZE.0), None), Err(Error::Ended)));
}

#[test]
fn planes_are_checked() {
    let mut detector = detector();
    assert!(matches!(detector.push(PlaneRef::new(&[0u8; 128 * 32 - 1][..], SIZE.0), None), Err(Error::Plane { index: 0, .. })));
    // The frame does not count.
    detector.finish();
    assert!(detector.pull().is_none() && detector.clip_start().is_none());
}

/// Frame 0 has nothing before it to differ from.
#[test]
fn the_first_frame_is_measured_alone() {
    let mut detector = detector();
    (0..2).for_each(|number| push(&mut detector, &frame(|field| field, number)));
    let [first, second] = [0, 1].map(|frame| detector.lookahead.get(frame).unwrap());
    assert!(first.inside > 0 && first.across == [0; 2] && first.changed == [0; 2]);
    assert!(second.across.iter().chain(&second.changed).all(|&measure| measure > 0));
}

/// The measures of the last frame are complete only when the clip ends.
#[test]
fn windows_do_not_hold_the_last_frame() {
    let fits = |detector: &Detector| {
        let fits = |pair: &u64| detector.lookahead.fits(FieldOrder::TopFirst, *pair)[IN_PHASE] != NO_FIT;
        detector.lookahead.known_pairs(0..99).filter(fits).count()
    };
    let mut detector = detector();
    for number in 0..7 {
        push(&mut detector, &frame(|field| field / 2, number));
        assert_eq!(fits(&detector), if number < 6 { 0 } else { 12 }, "{number}");
    }
    detector.finish();
    assert_eq!(fits(&detector), 13);
}

/// The decisions about a clip of 24 frames.
fn decide(pictures: impl Fn(usize) -> usize) -> Vec<Decision> {
    let mut detector = detector();
    (0..24).for_each(|number| push(&mut detector, &frame(&pictures, number)));
    detector.finish();
    std::iter::from_fn(|| detector.pull()).collect()
}

/// Content and reason, the new pictures, and the matches of the fields that are completed.
type Found = (Content, Reason, [bool; 2], [FieldMatch; 3]);

fn found(decision: &Decision) -> Found {
    let FieldMatches { step, final_match, .. } = &decision.matches;
    let matches = [step.second_of_previous, step.first_of_current, *final_match];
    (decision.content, decision.reason, decision.new_picture, matches)
}

#[test]
fn frames_fields_and_film() {
    let (previous, next, none) = (FieldMatch::Previous, FieldMatch::Next, FieldMatch::Deinterlace);
    let progressive = decide(|field| field / 2);
    let is_progressive = |decision: &Decision, before: FieldMatch| {
        found(decision) == (Content::Progressive, Reason::PatternMatched, [true, false], [before, next, previous])
    };
    // Before the first frame there is no field.
    assert!(is_progressive(&progressive[0], none), "{:?}", found(&progressive[0]));
    assert!(progressive[1..].iter().all(|decision| is_progressive(decision, previous)));
    let interlaced = decide(|field| field);
    assert!(interlaced.iter().all(|decision| found(decision) == (Content::Interlaced, Reason::Combing, [true; 2], [none; 3])));
    // 3:2 from field 0 on: pictures of two and three fields.
    let film = decide(|field| field / 5 * 2 + usize::from(field % 5 > 1));
    let is_new = |field: usize| [0, 2].contains(&(field % 5));
    let matched = |field: usize| if is_new(field) { next } else { previous };
    for (number, decision) in film.iter().enumerate().skip(1) {
        let (first, second) = (2 * number, 2 * number + 1);
        let last = if is_new(second) { none } else { previous };
        let expected = [matched(first - 1), matched(first), last];
        assert_eq!(
            found(decision),
            (Content::Film, Reason::PatternMatched, [is_new(first), is_new(second)], expected),
            "{number}"
        );
    }
}

/// A phase of 3:2 film whose pictures start at the pairs 1 and 3 of five, and another one.
const FILM: [usize; 2] = [3, 4];

/// The detector after the decisions about 12 frames of that film. A tile differs in field 15, which
/// should repeat field 13.
fn film_detector() -> (Detector, Classifier) {
    let mut lookahead = lookahead(24, |frame, metrics| {
        if frame == 7 {
            metrics.tiles[0].changed[1] = 100_000;
        }
    });
    let order = FieldOrder::TopFirst;
    (1..48).for_each(|pair| lookahead.add_fit(order, pair, FILM[0], 0));
    let (mut classifier, _) = Classifier::new(&lookahead, FieldMatching::Pattern, Some(order), FlagHint::Unknown, None);
    (0..12).for_each(|frame| _ = classifier.decide(&mut lookahead, frame, FlagHint::Unknown));
    let starts: Vec<u64> = (1..11).filter(|&pair| !lookahead.state(pair).same_picture).collect();
    assert_eq!(starts, [1, 3, 6, 8]);
    (Detector { lookahead, ..detector() }, classifier)
}

/// Each of both fields has the mask of the repeated fields beside it: 5, 10, 15, 20.
#[test]
fn each_field_has_its_mask() {
    let (detector, classifier) = film_detector();
    let masks = |frame: u64| {
        let mut scratch = comb_mask::Scratch::default();
        let matches = detector.matches(&classifier, frame, Default::default(), &mut scratch);
        (matches.comb_masks.map(|mask| !mask.is_empty()), matches.final_match)
    };
    let (whole, none) = (FieldMatch::Previous, FieldMatch::Deinterlace);
    // Fields 10 to 19 have field 15 beside them. Pictures start at fields 11, 13, 16, 18, 21.
    assert_eq!([4, 5, 6, 7].map(masks), [([false; 2], whole), ([false, true], none), ([true; 2], none), ([true; 2], none)]);
    assert_eq!([8, 9, 10].map(masks), [([true; 2], none), ([true; 2], none), ([true, false], none)]);
}

#[test]
fn repeated_fields_of_another_pattern_do_not_count() {
    let marks = |field: u64, phases: &[(u64, usize)]| {
        let (mut detector, classifier) = film_detector();
        for &(pair, phase) in phases {
            let state = detector.lookahead.state(pair);
            detector.lookahead.set_state(pair, PairState { phase: Some(phase), ..state });
        }
        let mut scratch = comb_mask::Scratch::default();
        !detector.comb_mask(&classifier, Some(field), vec![], &mut scratch).is_empty()
    };
    let other = FILM[1];
    // Field 17 shows the picture of field 16, field 16 that of field 17: pair 17 decides.
    assert!(marks(17, &[]) && marks(17, &[(18, other), (16, other)]) && !marks(17, &[(17, other)]));
    assert!(marks(16, &[]) && marks(16, &[(16, other), (18, other)]) && !marks(16, &[(17, other)]));
}

/// A crawl over film is marked in the comb masks of woven fields, and a frame with one is not
/// whole.
#[test]
fn masks_mark_crawls() {
    let mut detector = Detector::builder(Format::new(SIZE.0, 96, Sampling::Mono)).build().unwrap();
    for number in 0..40 {
        let film = |field: usize| field / 5 * 2 + usize::from(field % 5 > 1);
        let mut data: Vec<u8> = [frame(film, number), frame(film, number + 100), frame(film, number + 200)].concat();
        for y in 64..80 {
            let field = 2 * number + y % 2;
            let line = &mut data[y * SIZE.0..][..SIZE.0];
            line.iter_mut().enumerate().for_each(|(x, v)| *v = if ((x + 4 * field) / 6).is_multiple_of(3) { 235 } else { 16 });
        }
        detector.push(PlaneRef::new(&data[..], SIZE.0), None).unwrap();
    }
    detector.finish();
    let decisions: Vec<Decision> = std::iter::from_fn(|| detector.pull()).collect();
    assert!(decisions.iter().all(|decision| decision.content == Content::Film));
    for decision in &decisions[4..36] {
        assert!(decision.matches.comb_masks.iter().all(|mask| mask.contains(9, 72) && !mask.contains(9, 20)));
        assert_eq!(decision.matches.final_match, FieldMatch::Deinterlace);
    }
}
