//! Each decision of the detector, on small clips whose every field is known.
mod cadence_hold;
mod clip;
mod clip_start;
mod comb_mask;
mod expect;
mod motion;
mod scene_cuts;

use clip::*;
use dndi::{
    Content, Decision, Detector, FieldMatch, FieldMatching, FieldOrder, Format, PlaneRef, Pulldown, Reason, Sampling, Scan,
    SimdLevel,
};
use expect::*;

#[test]
fn video_in_either_order() {
    expect(&Clip::new((0..60).collect()), Content::Interlaced, None);
    expect(&Clip::new((0..60).collect()).bottom_first(), Content::Interlaced, None);
    expect(&Clip::new((0..60).collect()).bottom_first().painted(noisy), Content::Interlaced, None);
}

#[test]
fn progressive_frames() {
    for paint in [moving, noisy, on_twos, on_threes] {
        expect(&Clip::new(pattern(&[2], 0, 40)).painted(paint), Content::Progressive, Some(Pulldown::P22));
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
            let right =
                |decision: &Decision| decision.content == Content::Interlaced && decision.field_order == FieldOrder::BottomFirst;
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
            for paint in [moving, noisy] {
                let fields = pattern(&cadence, 0, 40)[phase..].to_vec();
                let even = fields.len() / 2 * 2;
                let clip = Clip::new(fields[..even].to_vec()).painted(paint);
                let frames = clip.fields.chunks(2).all(|pair| pair[0] == pair[1]);
                expect(&clip, if frames { Content::Progressive } else { Content::Film }, Some(pulldown));
                expect(
                    &Clip { order: FieldOrder::BottomFirst, ..clip },
                    if frames { Content::Progressive } else { Content::Film },
                    Some(pulldown),
                );
            }
        }
    }
}

#[test]
fn animation() {
    for paint in [on_twos, on_threes] {
        for cadence in [&[2, 3][..], &[2, 3, 3, 2]] {
            for phase in 0..5 {
                let clip = Clip::new(pattern(cadence, 0, 48)[phase..][..110].to_vec()).painted(paint);
                // While the first drawing is held, its first fields may count as the last ones of
                // another; so may the last fields.
                let missed = nothing_wrong(&clip);
                assert!(missed.iter().all(|&field| !(2..108).contains(&field)), "{cadence:?} {phase} {missed:?}");
            }
        }
    }
}

#[test]
fn breaks() {
    // A lost field, a repeated one, a cut within a picture.
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
fn film_and_video_alternate() {
    for length in 40..46 {
        let film = &pattern(&[2, 3], 0, 30)[..length];
        let fields = [film, &Vec::from_iter(100..131), &pattern(&[2], 300, 20), &pattern(&[3, 2], 400, 20)].concat();
        let even = fields.len() / 2 * 2;
        let clip = Clip::new(fields[..even].to_vec());
        let decisions = clip.decisions();
        let (matches, wrong, missed) = woven(&clip, &decisions);
        assert_eq!(wrong, 0, "{length}");
        assert!(missed.len() <= 4, "{length}: {missed:?}");
        assert!(matches[length..length + 31].iter().all(|&field_match| field_match == FieldMatch::Deinterlace), "{length}");
        assert!(decisions.iter().all(|decision| decision.field_order == FieldOrder::TopFirst && !decision.field_order_changed));
    }
}

#[test]
fn fades() {
    for cadence in [&[2, 3][..], &[2]] {
        let clip = Clip::new(pattern(cadence, 0, 48)).painted(fading);
        let missed = nothing_wrong(&clip);
        assert!(missed.len() <= 8 && longest(&missed) <= 8, "{cadence:?}: {missed:?}");
    }
    let video = Clip::new((0..96).collect()).painted(|x, y, field| {
        let level = field.min(32).min(96 - field);
        (16 + (moving(x, y, field) as usize - 16) * level / 32) as u8
    });
    assert!(
        video
            .decisions()
            .iter()
            .all(|decision| decision.content == Content::Interlaced && decision.field_order == FieldOrder::TopFirst)
    );
}

/// If the pictures are undetermined, the flags decide; without flags nothing is deinterlaced.
#[test]
fn stills_black_and_single_frames() {
    for (paint, frames) in [(still as Painter, 30), (black, 30), (moving, 1), (black, 1), (still, 2)] {
        for flags in FLAGS {
            let clip = Clip { flags, ..Clip::new((0..2 * frames).collect()).painted(paint) };
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
    // Without flags that have an order the top field is the earlier one.
    assert_eq!(Clip::new(vec![0, 1]).decisions()[0].field_order, FieldOrder::TopFirst);
}

/// Undetermined frames do not count for the start of the clip.
#[test]
fn the_clip_start_is_the_first_determined_content() {
    let late = |x: usize, y: usize, picture: usize| if picture < 8 { 16 } else { moving(x, y, picture) };
    let clip_start = |clip: &Clip| {
        let mut detector = detector().simd_level(SimdLevel::Scalar).build().unwrap();
        let mut frames = clip.frames().into_iter();
        assert_eq!(detector.clip_start(), None);
        let mut pushed = 0;
        loop {
            if let Some(start) = detector.clip_start() {
                return (start, pushed);
            }
            detector.push(frames.next().unwrap().planes()[0], clip.flags).unwrap();
            pushed += 1;
        }
    };
    let clip = Clip::new(pattern(&[2], 0, 30)).painted(late).flagged(Scan::BottomFirst);
    let (start, pushed) = clip_start(&clip);
    assert_eq!((start.content, start.pulldown, pushed), (Content::Progressive, Some(Pulldown::P22), Detector::LOOK_AHEAD + 1));
    let clip = Clip::new((0..60).collect()).painted(late).bottom_first().flagged(Scan::Progressive);
    let (start, _) = clip_start(&clip);
    assert_eq!((start.content, start.scan()), (Content::Interlaced, Scan::BottomFirst));
    let late = |x: usize, y: usize, picture: usize| if picture < 4 { 16 } else { moving(x, y, picture) };
    let clip = Clip::new(pattern(&[2, 3], 0, 40)).painted(late);
    assert_eq!(clip_start(&clip).0.pulldown, Some(Pulldown::P32));
}

#[test]
fn cuts() {
    // Progressive shots of a few frames each.
    let shots = |x: usize, y: usize, picture: usize| {
        if (picture / 5).is_multiple_of(2) { moving(x, y, picture) } else { elsewhere(x, y, picture) }
    };
    expect(&Clip::new(pattern(&[2], 0, 50)).painted(shots), Content::Progressive, Some(Pulldown::P22));
    // Film that was cut before the pulldown.
    let film = Clip::new(pattern(&[2, 3], 0, 60));
    let long = |x: usize, y: usize, picture: usize| {
        if (picture / 15).is_multiple_of(2) { moving(x, y, picture) } else { elsewhere(x, y, picture) }
    };
    assert_eq!(nothing_wrong(&film.painted(long)), [0; 0]);
}

#[test]
fn the_field_order_changes() {
    let (top, bottom) = (Clip::new((0..40).collect()), Clip::new((40..80).collect()).bottom_first());
    let frames = [top.frames(), bottom.frames()].concat();
    let mut detector = detector().build().unwrap();
    let mut decisions = vec![];
    for frame in &frames {
        detector.push(frame.planes()[0], Some(Scan::TopFirst)).unwrap();
        decisions.extend(std::iter::from_fn(|| detector.pull()));
    }
    detector.finish();
    decisions.extend(std::iter::from_fn(|| detector.pull()));
    let changed: Vec<u64> =
        decisions.iter().filter(|decision| decision.field_order_changed).map(|decision| decision.frame).collect();
    assert_eq!(changed, [20]);
    assert!(decisions.iter().all(|decision| (decision.field_order == FieldOrder::TopFirst) == (decision.frame < 20)));
    assert!(decisions.iter().all(|decision| decision.content == Content::Interlaced));
}

#[test]
fn a_given_order_is_kept() {
    let clip = Clip::new((0..60).collect());
    let mut detector = detector().field_order(FieldOrder::BottomFirst).build().unwrap();
    clip.frames().iter().for_each(|frame| detector.push(frame.planes()[0], None).unwrap());
    assert!(std::iter::from_fn(|| detector.pull()).all(|decision| decision.field_order == FieldOrder::BottomFirst));
}

#[test]
fn without_field_matching_only_progressive_frames_are_detected() {
    let film = Clip::new(pattern(&[2, 3], 0, 40)).decisions_with(FieldMatching::Off, SimdLevel::Portable);
    assert!(film.iter().all(|decision| decision.content == Content::Interlaced && decision.field_order == FieldOrder::TopFirst));
    let frames = Clip::new(pattern(&[2], 0, 40)).decisions_with(FieldMatching::Off, SimdLevel::Portable);
    assert!(frames.iter().all(|decision| decision.content == Content::Progressive));
}

/// Pictures of two to four fields, in pseudo-random order.
#[test]
fn always_needs_no_pattern() {
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

/// A text crawl at the field rate over film: only the crawl is deinterlaced.
#[test]
fn a_crawl_is_deinterlaced() {
    let crawl = |x: usize, y: usize, field: usize| match y {
        64..80 if ((x + 4 * field) / 6).is_multiple_of(3) => 235,
        _ => moving(x, y, field / 5 * 2 + usize::from(field % 5 > 1)),
    };
    let decisions = Clip::new((0..120).collect()).painted(crawl).decisions();
    assert!(decisions.iter().all(|decision| decision.content == Content::Film));
    for decision in &decisions[3..decisions.len() - 3] {
        for mask in &decision.matches.comb_masks {
            assert!(!mask.is_empty(), "frame {}", decision.frame);
            assert!((66..78).all(|y| (0..SIZE.0).all(|x| mask.contains(x, y))), "frame {}", decision.frame);
            assert!((0..48).all(|y| (0..SIZE.0).all(|x| !mask.contains(x, y))), "frame {}", decision.frame);
        }
    }
}

#[test]
fn decisions_do_not_depend_on_the_instruction_set() {
    for clip in [Clip::new(pattern(&[2, 3], 0, 30)).painted(noisy), Clip::new((0..40).collect())] {
        let scalar = clip.decisions_with(FieldMatching::Pattern, SimdLevel::Scalar);
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
            assert_eq!(clip.decisions_with(FieldMatching::Pattern, level), scalar, "{level}");
        }
    }
}

/// Frames of any size, content and number are decided, each once.
#[test]
fn all_sizes() {
    for (width, height) in [(1, 1), (1, 2), (3, 4), (2, 5), (5, 6), (63, 9), (8, 8), (17, 200), (1000, 7)] {
        for count in [0, 1, 2, 5, 30] {
            let mut detector = Detector::builder(Format::new(width, height, Sampling::Mono)).build().unwrap();
            let mut decided = 0;
            for n in 0..count {
                let data: Vec<u8> = (0..width * height).map(|i| (i * (n + 3) * 37 % 251) as u8).collect();
                detector.push(PlaneRef::new(&data[..], width), None).unwrap();
                decided += std::iter::from_fn(|| detector.pull()).count();
            }
            detector.finish();
            decided += std::iter::from_fn(|| detector.pull()).count();
            assert_eq!(decided, count, "{width}x{height}");
        }
    }
    let mut detector = Detector::builder(Format::new(4, 4, Sampling::Mono)).build().unwrap();
    assert!(detector.push(PlaneRef::new(&[0u8; 15][..], 4), None).is_err());
    detector.finish();
    assert!(detector.push(PlaneRef::new(&[0u8; 16][..], 4), None).is_err());
}
