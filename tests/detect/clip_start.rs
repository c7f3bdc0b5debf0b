//! The start of a clip, and clips of few frames.
use crate::clip::*;
use crate::expect::*;
use dndi::{ClipStart, Content, Pulldown, Reason, Scan};

fn on_fours(x: usize, y: usize, picture: usize) -> u8 {
    moving(x, y, picture / 4 * 4)
}

fn on_sixes(x: usize, y: usize, picture: usize) -> u8 {
    moving(x, y, picture / 6 * 6)
}

fn clip_start(clip: &Clip) -> ClipStart {
    let mut detector = detector().build().unwrap();
    clip.frames().iter().for_each(|frame| detector.push(frame.planes()[0], clip.flags).unwrap());
    detector.finish();
    detector.clip_start().unwrap()
}

/// Animation from the first frame on.
#[test]
fn animation_at_the_start() {
    for paint in [on_twos, on_threes] {
        expect_in_both_orders(Clip::new(pattern(&[2], 0, 30)).painted(paint), Content::Progressive, Some(Pulldown::P22));
        for phase in 0..5 {
            in_both_orders(Clip::new(pattern(&[2, 3], 0, 26)[phase..][..60].to_vec()).painted(paint), |clip, decisions| {
                let film = decisions.iter().all(|decision| {
                    (decision.content, decision.pulldown, decision.field_order)
                        == (Content::Film, Some(Pulldown::P32), clip.order)
                });
                let (_, wrong, missed) = woven(clip, decisions);
                film && wrong == 0 && missed.iter().all(|&field| !(2..58).contains(&field))
            });
        }
    }
    // New pictures are too rare to be certain. Progressive flags are followed, and without flags
    // nothing is deinterlaced.
    for paint in [on_fours, on_sixes] {
        let clip = || Clip::new(pattern(&[2], 0, 40)).painted(paint);
        for clip in [clip(), clip().bottom_first()] {
            for flags in [None, Some(Scan::Progressive)] {
                let clip = Clip { fields: clip.fields.clone(), flags, ..clip };
                assert_eq!(letters(&clip.decisions()), "p".repeat(40), "{flags:?}");
                assert_eq!(clip_start(&clip).content, Content::Progressive);
            }
        }
    }
}

/// Video before the first pattern stays video, although the pattern counts for the start of the
/// clip.
#[test]
fn video_before_a_pattern() {
    let rests = [(pattern(&[2], 14, 20), 'p'), (pattern(&[2, 3], 14, 16), 'f')];
    for (rest, letter) in rests {
        for lead in [Vec::from_iter(0..14), Vec::from_iter(100..114)] {
            for paint in [moving, noisy] {
                in_both_orders(Clip::new([lead.clone(), rest.clone()].concat()).painted(paint), |clip, decisions| {
                    let (_, wrong, missed) = woven(clip, decisions);
                    let found = letters(decisions);
                    found == "i".repeat(7) + &letter.to_string().repeat(20) && wrong == 0 && missed.is_empty()
                });
            }
        }
    }
}

/// One to six frames are too few for a frame to be repeated twice, and a single frame shows no
/// motion.
#[test]
fn few_frames() {
    for cadence in [&[1][..], &[2], &[2, 3], &[2, 3, 3, 2], &[2, 2, 2, 4]] {
        for phase in 0..cadence.iter().sum() {
            for frames in 1..7 {
                let clip = Clip::new(pattern(cadence, 0, 30)[phase..][..2 * frames].to_vec());
                in_both_orders(clip, |clip, decisions| {
                    let wrong = frames > 2 && woven(clip, decisions).1 > 0;
                    !wrong && decisions.iter().all(|decision| decision.pulldown != Some(Pulldown::P2224))
                });
            }
        }
    }
}

/// A frame that is repeated once is no 2:2:2:4.
#[test]
fn one_period_is_not_enough() {
    for cadence in [&[2, 2, 2, 4][..], &[2, 2, 4, 2], &[2, 4, 2, 2], &[4, 2, 2, 2]] {
        for frames in 5..10 {
            let clip = Clip::new(pattern(cadence, 0, 12)[..2 * frames].to_vec());
            in_both_orders(clip, |_, decisions| {
                decisions
                    .iter()
                    .all(|decision| decision.content == Content::Progressive && decision.pulldown == Some(Pulldown::P22))
            });
        }
    }
}

/// Flags that were contradicted once are ignored where the pictures are undetermined.
#[test]
fn contradicted_flags() {
    let stops = |x: usize, y: usize, field: usize| moving(x, y, field.min(40));
    for order in ORDERS {
        let clip = Clip { order, ..Clip::new((0..120).collect()).painted(stops).flagged(Scan::Progressive) };
        assert_eq!(letters(&clip.decisions()), "i".repeat(60));
    }
    // They are followed in undetermined pictures at the start, until something moves.
    let starts = |x: usize, y: usize, field: usize| moving(x, y, field.clamp(40, 80) - 40);
    let decisions = Clip::new((0..120).collect()).painted(starts).flagged(Scan::Progressive).decisions();
    let found = letters(&decisions);
    assert!(found.starts_with(&"p".repeat(12)) && found.ends_with(&"i".repeat(40)), "{found}");
    assert!(decisions[..12].iter().all(|decision| decision.reason == Reason::PatternHeld));
}

/// The field order at the start is that of the film if fields do not show one, and that of the
/// flags if nothing does.
#[test]
fn the_first_order() {
    for flags in FLAGS {
        for order in ORDERS {
            for cadence in [&[2, 3][..], &[2, 3, 3, 2]] {
                let fields = pattern(cadence, 0, 24)[1..][..50].to_vec();
                let clip = Clip { order, flags, ..Clip::new(fields) };
                assert_eq!(clip_start(&clip).field_order, order, "{cadence:?} {flags:?}");
            }
            // The film starts late: its order is visible within the look-ahead, but significant
            // only after it.
            let late = |x: usize, y: usize, picture: usize| if picture < 6 { 16 } else { moving(x, y, picture) };
            let clip = Clip { order, flags, ..Clip::new(pattern(&[2], 0, 31)[1..][..60].to_vec()).painted(late) };
            assert_eq!(clip_start(&clip).field_order, order, "{flags:?}");
        }
    }
    let [top_first, bottom_first] = ORDERS;
    for (paint, fields) in [(black as Painter, 20), (moving, 2)] {
        for (flags, order) in [(None, top_first), (Some(Scan::TopFirst), top_first), (Some(Scan::BottomFirst), bottom_first)] {
            let clip = Clip { flags, ..Clip::new((0..fields).collect()).painted(paint) };
            assert_eq!(clip_start(&clip).field_order, order, "{flags:?}");
        }
    }
}

/// If neither order combs less but the fields are uncorrelated, the clip starts as interlaced.
#[test]
fn a_start_without_order() {
    let painters: [Painter; 2] =
        [|x, y, field| still(x + 64 * field, y, 0), |x, y, field| still(x + 977 * field, y + 331 * field, 0)];
    for paint in painters {
        for flags in FLAGS {
            let clip = Clip { flags, ..Clip::new((0..40).collect()).painted(paint) };
            let start = clip_start(&clip);
            assert_eq!((start.content, start.reason), (Content::Interlaced, Reason::Combing), "{flags:?}");
        }
    }
}

/// The start is determined unless flags or nothing decided it.
#[test]
fn determined_starts() {
    for (clip, is_determined) in [
        (Clip::new(pattern(&[2], 0, 20)), true),
        (Clip::new((0..40).collect()), true),
        (Clip::new((0..40).collect()).painted(black), false),
        (Clip::new((0..40).collect()).painted(black).flagged(Scan::TopFirst), false),
    ] {
        let start = clip_start(&clip);
        assert_eq!(start.is_determined(), is_determined, "{start:?}");
    }
}
