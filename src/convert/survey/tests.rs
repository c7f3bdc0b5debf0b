use super::*;
use crate::field_match::FieldMatches;
use crate::format::Sampling;

const SD: Format = Format::new(720, 480, Sampling::C420);

fn decision(content: Content, pulldown: Option<Pulldown>, reason: Reason) -> Decision {
    Decision {
        frame: 0,
        content,
        pulldown,
        field_order: FieldOrder::BottomFirst,
        field_order_changed: false,
        matches: FieldMatches::default(),
        new_picture: [true; 2],
        confidence: 50,
        reason,
        blend: None,
    }
}

fn film() -> Decision {
    decision(Content::Film, Some(Pulldown::P32), Reason::PatternMatched)
}

fn shifted() -> Decision {
    decision(Content::Film, Some(Pulldown::P22), Reason::PatternMatched)
}

fn repeated() -> Decision {
    decision(Content::Progressive, Some(Pulldown::P2224), Reason::PatternMatched)
}

fn progressive() -> Decision {
    decision(Content::Progressive, Some(Pulldown::P22), Reason::PatternMatched)
}

fn interlaced() -> Decision {
    decision(Content::Interlaced, None, Reason::Combing)
}

/// The survey of windows, each of 40 frames of one kind.
fn survey<const N: usize>(windows: [fn() -> Decision; N]) -> Survey {
    let mut survey = Survey::default();
    for window in windows {
        survey.add_window((0..40).map(|_| window()));
    }
    survey
}

#[test]
fn windows_are_spread_over_the_clip() {
    let windows = |frames, format| Survey::windows(frames, format).collect::<Vec<_>>();
    let only = |windows: Vec<Range<u64>>| (windows.len() == 1).then(|| windows[0].clone());
    assert_eq!((only(windows(0, SD)), only(windows(320, SD))), (Some(0..0), Some(0..320)));
    assert_eq!(windows(321, SD).len(), 8);
    let long = windows(1000, SD);
    assert_eq!((long[0].clone(), long[1].clone(), long[7].clone()), (0..40, 137..177, 960..1000));
    assert!(long.windows(2).all(|pair| pair[0].end < pair[1].start));
    assert_eq!(windows(15_999, SD).len(), 8);
    assert_eq!(windows(18_000, SD).len(), 9);
    assert_eq!(windows(200_000, SD).len(), 100);
    // Large frames of a short clip have fewer windows.
    assert_eq!(windows(1000, Format::new(1920, 1080, Sampling::C420)).len(), 8);
    assert_eq!(windows(1000, Format::new(3840, 2160, Sampling::C420)).len(), 2);
    let largest = Format::new(8192, 8192, Sampling::C444).with_depth(16);
    assert_eq!(only(windows(1000, largest)), Some(0..40));
    assert_eq!(Survey::windows(u64::MAX, SD).next(), Some(0..40));
}

#[test]
fn each_material_has_the_rate_that_loses_nothing() {
    use OutputRate::{Field, Film, Frame};
    let rates = |survey: Survey| [false, true].map(|variable| survey.rate(variable));
    assert_eq!(rates(survey([film, film])), [Some(Film); 2]);
    assert_eq!(rates(survey([shifted, progressive])), [Some(Film); 2]);
    assert_eq!(rates(survey([progressive])), [Some(Frame); 2]);
    assert_eq!(rates(survey([interlaced])), [Some(Field); 2]);
    assert_eq!(rates(survey([interlaced, progressive])), [Some(Field); 2]);
    assert_eq!(rates(survey([interlaced, film])), [Some(Field), Some(Film)]);
    assert_eq!(rates(survey([film, progressive])), [Some(Frame), Some(Film)]);
    assert_eq!(rates(survey([film, shifted])), [Some(Frame), Some(Film)]);
    assert_eq!(rates(survey([])), [None; 2]);
}

/// Repeated frames are film only if they are everywhere.
#[test]
fn repeated_frames_may_be_animation() {
    assert_eq!(survey([repeated]).rate(true), Some(OutputRate::Frame));
    assert_eq!(survey([repeated, repeated]).rate(false), Some(OutputRate::Film));
    assert_eq!(survey([repeated, repeated, progressive]).rate(true), Some(OutputRate::Frame));
    // Both are 24 pictures in 60 fields.
    assert_eq!(survey([repeated, film]).rate(false), Some(OutputRate::Film));
}

#[test]
fn the_film_rate_loses_no_picture() {
    assert_eq!(survey([film]).film_ratio(), Some((4, 5)));
    assert_eq!(survey([film, interlaced]).film_ratio(), Some((2, 1)));
    assert_eq!(survey([film, progressive]).film_ratio(), Some((1, 1)));
    assert_eq!(survey([shifted]).film_ratio(), Some((1, 1)));
    assert_eq!(survey([repeated, repeated]).film_ratio(), Some((4, 5)));
    assert_eq!(survey([]).film_ratio(), None);
}

#[test]
fn material_needs_six_successive_frames() {
    let runs = |frames: usize| {
        let mut survey = Survey::default();
        survey.add_window((0..80).map(|number| if number % 20 < frames { interlaced() } else { film() }));
        survey.to_string()
    };
    assert_eq!([runs(5), runs(6)], ["film 3:2", "film 3:2 and interlaced"]);
}

#[test]
fn only_frames_that_the_pictures_determine_count() {
    let guess = || Decision { confidence: 0, ..interlaced() };
    let held = || decision(Content::Film, Some(Pulldown::P32), Reason::PatternHeld);
    let flagged = || decision(Content::Progressive, None, Reason::Flags);
    let survey = survey([guess, held, flagged]);
    assert_eq!((survey.rate(true), survey.to_string()), (None, "undetermined".to_owned()));
    assert_eq!((survey.window_count(), survey.frame_count(), survey.field_order()), (3, 120, None));
}

#[test]
fn the_order_is_that_of_most_fields() {
    let top = || Decision { field_order: FieldOrder::TopFirst, ..interlaced() };
    assert_eq!(survey([interlaced, film, top]).field_order(), Some(FieldOrder::BottomFirst));
    assert_eq!(survey([interlaced, top, top]).field_order(), Some(FieldOrder::TopFirst));
    assert_eq!(survey([progressive, repeated]).field_order(), None);
}

#[test]
fn a_clip_without_fields_is_progressive() {
    let progressive_only = [survey([progressive]), survey([progressive, repeated]), survey([repeated])];
    assert!(progressive_only.iter().all(Survey::is_progressive));
    let others = [survey([]), survey([film]), survey([progressive, shifted]), survey([interlaced, progressive])];
    assert!(!others.iter().any(Survey::is_progressive));
}

#[test]
fn the_text_names_all_material() {
    assert_eq!(survey([shifted, interlaced, progressive]).to_string(), "film 2:2 and progressive and interlaced");
    assert_eq!(survey([repeated, repeated]).to_string(), "film 2:2:2:4");
}
