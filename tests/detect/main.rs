//! Each decision of the detector, on small clips whose every field is known.
mod clip;
mod cuts;
mod expect;
mod holds;
mod motion;
mod openings;
mod torn;

use clip::*;
use dndi::{FieldMatch, Content, Decision, Detector, FieldMatching, Format, SimdLevel, PlaneRef, Pulldown, Reason, Sampling, Scan};
use expect::*;

#[test]
fn video_in_either_order() {
    expect(&Clip::new((0..60).collect()), Content::Interlaced, None);
    expect(&Clip::new((0..60).collect()).bottom_first(), Content::Interlaced, None);
    expect(&Clip::new((0..60).collect()).bottom_first().look(noisy), Content::Interlaced, None);
}

#[test]
fn progressive_frames() {
    for look in [moving, noisy, on_twos, on_threes] {
        expect(&Clip::new(pattern(&[2], 0, 40)).look(look), Content::Progressive, Some(Pulldown::P22));
    }
    // Few frames are enough.
    for count in 3..8 {
        expect(&Clip::new(pattern(&[2], 0, count)), Content::Progressive, Some(Pulldown::P22));
    }
}

#[test]
fn few_fields_of_video() {
    for count in 3..8 {
        for flags in FLAGS {
            let decisions = Clip { flags, ..Clip::new((0..2 * count).collect()).bottom_first() }.decisions();
            let right = |decision: &Decision| decision.content == Content::Interlaced && !decision.top_first;
            assert!(decisions.iter().all(right), "{count} frames, {flags:?}");
        }
    }
}

#[test]
fn cadences_in_all_phases() {
    let cadences = [
        (Pulldown::P32, vec![2, 3]),
        (Pulldown::P2332, vec![2, 3, 3, 2]),
        (Pulldown::P22, vec![2]),
        (Pulldown::P2224, vec![2, 2, 2, 4]),
    ];
    for (pulldown, cadence) in cadences {
        for phase in 0..cadence.iter().sum() {
            for look in [moving, noisy] {
                let fields = pattern(&cadence, 0, 40)[phase..].to_vec();
                let even = fields.len() / 2 * 2;
                let clip = Clip::new(fields[..even].to_vec()).look(look);
                let frames = clip.fields.chunks(2).all(|pair| pair[0] == pair[1]);
                expect(&clip, if frames { Content::Progressive } else { Content::Film }, Some(pulldown));
                expect(
                    &Clip { top_first: false, ..clip },
                    if frames { Content::Progressive } else { Content::Film },
                    Some(pulldown),
                );
            }
        }
    }
}

#[test]
fn drawings_that_stay() {
    for look in [on_twos, on_threes] {
        for cadence in [&[2, 3][..], &[2, 3, 3, 2]] {
            for phase in 0..5 {
                let clip = Clip::new(pattern(cadence, 0, 48)[phase..][..110].to_vec()).look(look);
                // Where the first drawing stays its first fields may be taken for another one's last, and so may the last ones.
                let missed = nothing_wrong(&clip);
                assert!(missed.iter().all(|&field| !(2..108).contains(&field)), "{cadence:?} {phase} {missed:?}");
            }
        }
    }
}

#[test]
fn breaks() {
    // A field is lost, one is repeated, a cut in the middle of a picture.
    for cut in 40..50 {
        let film = pattern(&[2, 3], 0, 48);
        let lost = [&film[..cut], &film[cut + 1..]].concat();
        let again = [&film[..cut], &film[cut - 1..]].concat();
        let jump = [&film[..cut], &pattern(&[2, 3], 200, 24)].concat();
        for fields in [lost, again, jump] {
            let even = fields.len() / 2 * 2;
            let missed = nothing_wrong(&Clip::new(fields[..even].to_vec()));
            assert!(missed.len() <= 4, "cut at field {cut}: {missed:?}");
        }
    }
}

#[test]
fn film_and_video_in_turn() {
    for length in 40..46 {
        let film = &pattern(&[2, 3], 0, 30)[..length];
        let fields = [film, &Vec::from_iter(100..131), &pattern(&[2], 300, 20), &pattern(&[3, 2], 400, 20)].concat();
        let even = fields.len() / 2 * 2;
        let clip = Clip::new(fields[..even].to_vec());
        let decisions = clip.decisions();
        let (codes, wrong, missed) = woven(&clip, &decisions);
        assert_eq!(wrong, 0, "{length}");
        assert!(missed.len() <= 4, "{length}: {missed:?}");
        assert!(codes[length..length + 31].iter().all(|&code| code == FieldMatch::Deinterlace), "{length}");
        assert!(decisions.iter().all(|decision| decision.top_first && !decision.turned));
    }
}

#[test]
fn fades() {
    for cadence in [&[2, 3][..], &[2]] {
        let clip = Clip::new(pattern(cadence, 0, 48)).look(fading);
        let missed = nothing_wrong(&clip);
        assert!(missed.len() <= 8 && longest(&missed) <= 8, "{cadence:?}: {missed:?}");
    }
    let video = Clip::new((0..96).collect()).look(|x, y, field| {
        let level = field.min(32).min(96 - field);
        (16 + (moving(x, y, field) as usize - 16) * level / 32) as u8
    });
    assert!(video.decisions().iter().all(|decision| decision.content == Content::Interlaced && decision.top_first));
}

/// Where nothing tells, flags do; without flags nothing is deinterlaced.
#[test]
fn stills_black_and_single_frames() {
    for (look, frames) in [(still as fn(usize, usize, usize) -> u8, 30), (black, 30), (moving, 1), (black, 1), (still, 2)] {
        for flags in FLAGS {
            let clip = Clip { flags, ..Clip::new((0..2 * frames).collect()).look(look) };
            for decision in clip.decisions() {
                let (scan, reason) = match flags {
                    None => (Scan::Progressive, [Reason::Undetermined, Reason::PatternHeld]),
                    Some(flags) => (flags, [Reason::Flags, Reason::PatternHeld]),
                };
                assert_eq!(decision.scan(), scan, "{frames} frames, {flags:?}");
                assert!(reason.contains(&decision.reason), "{:?}", decision.reason);
            }
        }
    }
    // Without flags that tell an order the top field is the earlier one.
    assert!(Clip::new(vec![0, 1]).decisions()[0].top_first);
}

/// Dark frames before the first that tell do not matter.
#[test]
fn the_opening_is_the_first_that_tells() {
    let late = |x: usize, y: usize, picture: usize| if picture < 8 { 16 } else { moving(x, y, picture) };
    let opening = |clip: &Clip| {
        let mut detector = Detector::at(Format::new(SIZE.0, SIZE.1, Sampling::Mono), FieldMatching::Pattern, SimdLevel::Scalar).unwrap();
        let mut frames = clip.frames().into_iter();
        assert_eq!(detector.clip_start(), None);
        let mut taken = 0;
        loop {
            if let Some(opening) = detector.clip_start() {
                return (opening, taken);
            }
            detector.push(frames.next().unwrap().planes()[0], clip.flags).unwrap();
            taken += 1;
        }
    };
    let clip = Clip::new(pattern(&[2], 0, 30)).look(late).flagged(Scan::BottomFirst);
    let (seen, taken) = opening(&clip);
    assert_eq!((seen.content, seen.pulldown, taken), (Content::Progressive, Some(Pulldown::P22), Detector::LOOK_AHEAD + 1));
    let clip = Clip::new((0..60).collect()).look(late).bottom_first().flagged(Scan::Progressive);
    let (seen, _) = opening(&clip);
    assert_eq!((seen.content, seen.scan()), (Content::Interlaced, Scan::BottomFirst));
    let late = |x: usize, y: usize, picture: usize| if picture < 4 { 16 } else { moving(x, y, picture) };
    let clip = Clip::new(pattern(&[2, 3], 0, 40)).look(late);
    assert_eq!(opening(&clip).0.pulldown, Some(Pulldown::P32));
}

#[test]
fn cuts() {
    // Progressive shots of a few frames each.
    let shots = |x: usize, y: usize, picture: usize| {
        if (picture / 5).is_multiple_of(2) { moving(x, y, picture) } else { elsewhere(x, y, picture) }
    };
    expect(&Clip::new(pattern(&[2], 0, 50)).look(shots), Content::Progressive, Some(Pulldown::P22));
    // Film that was cut before it was spread over fields, and after.
    let film = Clip::new(pattern(&[2, 3], 0, 60));
    let long = |x: usize, y: usize, picture: usize| {
        if (picture / 15).is_multiple_of(2) { moving(x, y, picture) } else { elsewhere(x, y, picture) }
    };
    assert_eq!(nothing_wrong(&film.look(long)), [0; 0]);
}

#[test]
fn the_order_turns() {
    let (top, bottom) = (Clip::new((0..40).collect()), Clip::new((40..80).collect()).bottom_first());
    let frames = [top.frames(), bottom.frames()].concat();
    let mut detector = Detector::at(frames[0].format(), FieldMatching::Pattern, SimdLevel::Portable).unwrap();
    let mut decisions = vec![];
    for frame in &frames {
        detector.push(frame.planes()[0], Some(Scan::TopFirst)).unwrap();
        decisions.extend(std::iter::from_fn(|| detector.pull()));
    }
    detector.finish();
    decisions.extend(std::iter::from_fn(|| detector.pull()));
    let turned: Vec<u64> = decisions.iter().filter(|decision| decision.turned).map(|decision| decision.frame).collect();
    assert_eq!(turned, [20]);
    assert!(decisions.iter().all(|decision| decision.top_first == (decision.frame < 20)));
    assert!(decisions.iter().all(|decision| decision.content == Content::Interlaced));
}

#[test]
fn an_order_that_is_given_stays() {
    let clip = Clip::new((0..60).collect());
    let mut detector = Detector::new(Format::new(SIZE.0, SIZE.1, Sampling::Mono), FieldMatching::Pattern).unwrap().with_order(false);
    clip.frames().iter().for_each(|frame| detector.push(frame.planes()[0], None).unwrap());
    assert!(std::iter::from_fn(|| detector.pull()).all(|decision| !decision.top_first));
}

#[test]
fn without_film_only_frames_are_told_from_fields() {
    let film = Clip::new(pattern(&[2, 3], 0, 40)).decisions_with(FieldMatching::Off, SimdLevel::Portable);
    assert!(film.iter().all(|decision| decision.content == Content::Interlaced && decision.top_first));
    let frames = Clip::new(pattern(&[2], 0, 40)).decisions_with(FieldMatching::Off, SimdLevel::Portable);
    assert!(frames.iter().all(|decision| decision.content == Content::Progressive));
}

/// Pictures of two to four fields, at random.
#[test]
fn reconstruction_needs_no_cadence() {
    let mut seed = 7u32;
    let mut fields = vec![];
    for picture in 0..40 {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        fields.extend(std::iter::repeat_n(picture, 2 + (seed >> 28) as usize % 3));
    }
    let clip = Clip::new(fields[..fields.len() / 2 * 2].to_vec());
    let (_, wrong, missed) = woven(&clip, &clip.decisions_with(FieldMatching::Always, SimdLevel::Portable));
    assert!(wrong == 0 && missed.len() < 3, "{wrong} {missed:?}");
}

/// A crawl at the rate of the fields over film: only where it is, nothing is woven.
#[test]
fn a_crawl_tears() {
    let crawl = |x: usize, y: usize, field: usize| match y {
        64..80 if ((x + 4 * field) / 6).is_multiple_of(3) => 235,
        _ => moving(x, y, field / 5 * 2 + usize::from(field % 5 > 1)),
    };
    let decisions = Clip::new((0..120).collect()).look(crawl).decisions();
    assert!(decisions.iter().all(|decision| decision.content == Content::Film));
    for decision in &decisions[3..decisions.len() - 3] {
        for torn in &decision.torn {
            assert!(!torn.is_empty(), "frame {}", decision.frame);
            assert!((66..78).all(|y| (0..SIZE.0).all(|x| torn.contains(x, y))), "frame {}", decision.frame);
            assert!((0..48).all(|y| (0..SIZE.0).all(|x| !torn.contains(x, y))), "frame {}", decision.frame);
        }
    }
}

#[test]
fn levels_decide_alike() {
    for clip in [Clip::new(pattern(&[2, 3], 0, 30)).look(noisy), Clip::new((0..40).collect())] {
        let scalar = clip.decisions_with(FieldMatching::Pattern, SimdLevel::Scalar);
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
            assert_eq!(clip.decisions_with(FieldMatching::Pattern, level), scalar, "{level}");
        }
    }
}

/// No size, content or number of frames stops it; each frame is decided once.
#[test]
fn all_sizes() {
    for (width, height) in [(1, 1), (1, 2), (3, 4), (2, 5), (5, 6), (63, 9), (8, 8), (17, 200), (1000, 7)] {
        for count in [0, 1, 2, 5, 30] {
            let mut detector = Detector::new(Format::new(width, height, Sampling::Mono), FieldMatching::Pattern).unwrap();
            let mut decided = 0;
            for n in 0..count {
                let data: Vec<u8> = (0..width * height).map(|i| (i * (n + 3) * 37 % 251) as u8).collect();
                detector.push(PlaneRef { data: &data, stride: width }, None).unwrap();
                decided += std::iter::from_fn(|| detector.pull()).count();
            }
            detector.finish();
            decided += std::iter::from_fn(|| detector.pull()).count();
            assert_eq!(decided, count, "{width}x{height}");
        }
    }
    let mut detector = Detector::new(Format::new(4, 4, Sampling::Mono), FieldMatching::Pattern).unwrap();
    assert!(detector.push(PlaneRef { data: &[0; 15], stride: 4 }, None).is_err());
    detector.finish();
    assert!(detector.push(PlaneRef { data: &[0; 16], stride: 4 }, None).is_err());
}
