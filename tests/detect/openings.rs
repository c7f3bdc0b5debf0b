//! How clips begin, and clips that are little more than a beginning.
use crate::clip::*;
use crate::expect::*;
use dndi::{Content, Detector, FieldMatching, Format, SimdLevel, ClipStart, Pulldown, Reason, Sampling, Scan};

fn on_fours(x: usize, y: usize, picture: usize) -> u8 {
    moving(x, y, picture / 4 * 4)
}

fn on_sixes(x: usize, y: usize, picture: usize) -> u8 {
    moving(x, y, picture / 6 * 6)
}

fn opening(clip: &Clip) -> ClipStart {
    let mut detector = Detector::at(Format::new(SIZE.0, SIZE.1, Sampling::Mono), FieldMatching::Pattern, SimdLevel::Portable).unwrap();
    clip.frames().iter().for_each(|frame| detector.push(frame.planes()[0], clip.flags).unwrap());
    detector.finish();
    detector.clip_start().unwrap()
}

/// Drawings that stay from the first frame on.
#[test]
fn drawings_at_the_beginning() {
    for look in [on_twos, on_threes] {
        expect_in_both_orders(Clip::new(pattern(&[2], 0, 30)).look(look), Content::Progressive, Some(Pulldown::P22));
        for phase in 0..5 {
            in_both_orders(Clip::new(pattern(&[2, 3], 0, 26)[phase..][..60].to_vec()).look(look), |clip, decisions| {
                let film = decisions.iter().all(|decision| {
                    (decision.content, decision.pulldown, decision.top_first)
                        == (Content::Film, Some(Pulldown::P32), clip.top_first)
                });
                let (_, wrong, missed) = woven(clip, decisions);
                film && wrong == 0 && missed.iter().all(|&field| !(2..58).contains(&field))
            });
        }
    }
    // Too seldom to be sure of: nothing speaks against flags that say progressive, or for deinterlacing without any.
    for look in [on_fours, on_sixes] {
        for clip in [Clip::new(pattern(&[2], 0, 40)).look(look), Clip::new(pattern(&[2], 0, 40)).look(look).bottom_first()] {
            for flags in [None, Some(Scan::Progressive)] {
                let clip = Clip { fields: clip.fields.clone(), flags, ..clip };
                assert_eq!(letters(&clip.decisions()), "p".repeat(40), "{flags:?}");
                assert_eq!(opening(&clip).content, Content::Progressive);
            }
        }
    }
}

/// What leads in keeps what it is, however near to the opening's cadence.
#[test]
fn leads() {
    let rests = [(pattern(&[2], 14, 20), 'p'), (pattern(&[2, 3], 14, 16), 'f')];
    for (rest, letter) in rests {
        for lead in [Vec::from_iter(0..14), Vec::from_iter(100..114)] {
            for look in [moving, noisy] {
                in_both_orders(Clip::new([lead.clone(), rest.clone()].concat()).look(look), |clip, decisions| {
                    let (_, wrong, missed) = woven(clip, decisions);
                    let found = letters(decisions);
                    found == "i".repeat(7) + &letter.to_string().repeat(20) && wrong == 0 && missed.is_empty()
                });
            }
        }
    }
}

/// One to six frames: not enough to see a frame repeated twice, and one alone tells nothing.
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

/// A frame that is repeated once is no cadence.
#[test]
fn a_period_is_not_enough() {
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

/// Flags that were wrong once are not believed where nothing tells.
#[test]
fn flags_that_were_wrong() {
    let stops = |x: usize, y: usize, field: usize| moving(x, y, field.min(40));
    for top_first in [true, false] {
        let clip = Clip { top_first, ..Clip::new((0..120).collect()).look(stops).flagged(Scan::Progressive) };
        assert_eq!(letters(&clip.decisions()), "i".repeat(60));
    }
    // They are, where it begins with what nothing tells about, until it moves.
    let starts = |x: usize, y: usize, field: usize| moving(x, y, field.clamp(40, 80) - 40);
    let decisions = Clip::new((0..120).collect()).look(starts).flagged(Scan::Progressive).decisions();
    let found = letters(&decisions);
    assert!(found.starts_with(&"p".repeat(12)) && found.ends_with(&"i".repeat(40)), "{found}");
    assert!(decisions[..12].iter().all(|decision| decision.reason == Reason::PatternHeld));
}

/// The order is that of the film, if it is not that of fields; that of the flags where nothing tells.
#[test]
fn the_first_order() {
    for flags in FLAGS {
        for top_first in [true, false] {
            for cadence in [&[2, 3][..], &[2, 3, 3, 2]] {
                let fields = pattern(cadence, 0, 24)[1..][..50].to_vec();
                let clip = Clip { top_first, flags, ..Clip::new(fields) };
                assert_eq!(opening(&clip).top_first, top_first, "{cadence:?} {flags:?}");
            }
            // The film begins late, its fields are seen in the order, but surely so only later.
            let late = |x: usize, y: usize, picture: usize| if picture < 6 { 16 } else { moving(x, y, picture) };
            let clip = Clip { top_first, flags, ..Clip::new(pattern(&[2], 0, 31)[1..][..60].to_vec()).look(late) };
            assert_eq!(opening(&clip).top_first, top_first, "{flags:?}");
        }
    }
    for (look, fields) in [(black as fn(usize, usize, usize) -> u8, 20), (moving, 2)] {
        for (flags, top_first) in [(None, true), (Some(Scan::TopFirst), true), (Some(Scan::BottomFirst), false)] {
            let clip = Clip { flags, ..Clip::new((0..fields).collect()).look(look) };
            assert_eq!(opening(&clip).top_first, top_first, "{flags:?}");
        }
    }
}

/// Where no order combs less but fields have nothing in common, the clip opens as fields all the same.
#[test]
fn an_opening_without_order() {
    for look in [(|x, y, field| still(x + 64 * field, y, 0)) as fn(usize, usize, usize) -> u8, |x, y, field| {
        still(x + 977 * field, y + 331 * field, 0)
    }] {
        for flags in FLAGS {
            let clip = Clip { flags, ..Clip::new((0..40).collect()).look(look) };
            let opening = opening(&clip);
            assert_eq!((opening.content, opening.reason), (Content::Interlaced, Reason::Combing), "{flags:?}");
        }
    }
}
