//! The comb filter against dot crawl and rainbows, and its meter.

use dndi::{CompositeStandard, DotCrawlMeter, DotCrawlRepair, Format, Frame, Samples, SamplesMut, Sampling};
use std::f64::consts::TAU;

const STANDARDS: [CompositeStandard; 2] = [CompositeStandard::Ntsc, CompositeStandard::Pal];

/// A plane as numbers.
#[derive(Clone)]
struct Plane {
    width: usize,
    height: usize,
    samples: Vec<i32>,
}

impl Plane {
    /// A sample of the line that is `lines` lines of the same field below line `y`, or of the last
    /// one there.
    fn at(&self, x: isize, y: usize, lines: isize) -> i32 {
        let mut line = y as isize + 2 * lines;
        while line < 0 {
            line += 2;
        }
        while line >= self.height as isize {
            line -= 2;
        }
        self.samples[line as usize * self.width + x.clamp(0, self.width as isize - 1) as usize]
    }
}

fn planes(frame: &Frame) -> Vec<Plane> {
    let plane = |index: usize| {
        let (width, height) = frame.format().plane_size(index);
        let samples = match frame.planes()[index].samples {
            Samples::U8(samples) => samples.iter().map(|&v| v.into()).collect(),
            Samples::U16(samples) => samples.iter().map(|&v| v.into()).collect(),
        };
        Plane { width, height, samples }
    };
    (0..frame.format().sampling.planes()).map(plane).collect()
}

/// The sum of `value` over the differences of the samples of a window of 9 samples and 3 lines.
fn window(a: &Plane, b: &Plane, x: usize, y: usize, value: impl Fn(i32) -> i32) -> i32 {
    let places = (-1..=1).flat_map(|lines| (-4..=4).map(move |columns| (lines, columns)));
    places.map(|(lines, columns)| value(a.at(x as isize + columns, y, lines) - b.at(x as isize + columns, y, lines))).sum()
}

/// The mean difference of every eighth line of luma.
fn far(a: &Plane, b: &Plane) -> f64 {
    let lines = (0..a.height).step_by(8).flat_map(|y| y * a.width..(y + 1) * a.width);
    let sum: i32 = lines.map(|i| (a.samples[i] - b.samples[i]).abs()).sum();
    f64::from(sum) / (a.height.div_ceil(8) * a.width) as f64
}

/// Which samples of frame `number` and of that at `distance` after it have crosstalk, by plane.
fn alternates(clip: &[Vec<Plane>], number: usize, distance: usize, depth: u8) -> Option<Vec<Vec<bool>>> {
    let one = 1 << (depth - 8);
    let second = clip.get(number + distance)?;
    let first = &clip[number];
    let mut before = number.checked_sub(distance).map(|number| &clip[number]);
    let mut after = clip.get(number + 2 * distance);
    if let (Some(early), Some(late)) = (before, after) {
        let (e, l) = (far(&early[0], &second[0]), far(&first[0], &late[0]));
        let between = far(&first[0], &second[0]);
        let limit = |other: f64| (4.0 * other + f64::from(4 * one)).max(2.0 * between);
        (before, after) = (before.filter(|_| e <= limit(l)), after.filter(|_| l <= limit(e)));
    }
    if before.is_none() && after.is_none() {
        return None;
    }
    let mut still = vec![];
    let mut found = vec![];
    for index in 0..first.len() {
        let Plane { width, height, .. } = first[index];
        let equal = |x: usize, y: usize| {
            let of_before = before.map(|before| window(&before[index], &second[index], x, y, i32::abs));
            let of_after = after.map(|after| window(&first[index], &after[index], x, y, i32::abs));
            of_before.max(of_after).unwrap_or(0)
        };
        // The lower quartile of windows, in sixteenths.
        let mut noise = vec![];
        for y in (0..height).step_by(8) {
            noise.extend((0..width).step_by(8).map(|x| 16 * equal(x, y) / (27 * one)));
        }
        noise.sort_unstable();
        let quartile = noise[noise.len().div_ceil(4) - 1];
        let limit = if quartile <= 80 { (quartile * 27 * one / 16 * 5 / 4).max(3 * 27 * one) } else { 3 * 27 * one };
        let mut crosstalk = vec![false; width * height];
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let equal = equal(x, y);
            let opposite = window(&first[index], &second[index], x, y, i32::abs);
            let sum = window(&first[index], &second[index], x, y, |v| v).abs();
            let is_still = if index == 0 {
                let is_still = equal <= limit && 2 * sum <= opposite + 27 * one;
                still.push(is_still);
                is_still
            } else {
                let (across, down) = (first[0].width.div_ceil(width), first[0].height.div_ceil(height));
                let lines = if down == 1 { vec![y] } else { vec![y / 2 * 4 + y % 2, y / 2 * 4 + y % 2 + 2] };
                let lines = lines.into_iter().filter(|&line| line < first[0].height);
                let samples = lines.flat_map(|line| (across * x..across * (x + 1)).map(move |x| (line, x)));
                let mut samples = samples.filter(|&(_, x)| x < first[0].width);
                equal <= limit && samples.all(|(line, x)| still[line * first[0].width + x])
            };
            crosstalk[y * width + x] = is_still && 2 * opposite >= 3 * equal + 27 * one;
        }
        found.push(crosstalk);
    }
    Some(found)
}

/// The clip behind the filter, pixel by pixel.
fn reference(clip: &[Frame], distance: usize) -> Vec<Vec<Vec<i32>>> {
    let depth = clip[0].format().depth;
    let clip: Vec<_> = clip.iter().map(planes).collect();
    let pairs: Vec<_> = (0..clip.len()).map(|number| alternates(&clip, number, distance, depth)).collect();
    let sample = |number: usize, index: usize, i: usize| {
        let own = clip[number][index].samples[i];
        let has = |pair: usize| pairs[pair].as_ref().is_some_and(|found| found[index][i]);
        let before = number.checked_sub(distance).filter(|&pair| has(pair)).map(|other| clip[other][index].samples[i]);
        let after = Some(number + distance).filter(|_| has(number)).map(|other| clip[other][index].samples[i]);
        match (before, after) {
            (Some(before), Some(after)) => (before + 2 * own + after + 2) / 4,
            (Some(other), None) | (None, Some(other)) => (own + other + 1) / 2,
            (None, None) => own,
        }
    };
    let plane = |number: usize, index: usize| (0..clip[number][index].samples.len()).map(|i| sample(number, index, i)).collect();
    (0..clip.len()).map(|number| (0..clip[number].len()).map(|index| plane(number, index)).collect()).collect()
}

fn repaired(clip: &[Frame], standard: CompositeStandard) -> Vec<Frame> {
    let mut repair = DotCrawlRepair::new(standard);
    let distance = standard.distance();
    let frames = clip.iter().enumerate().map(|(number, frame)| {
        let mut frame = frame.try_clone().unwrap();
        repair.repair(&mut frame, [1, 2].map(|k| clip.get(number + k * distance))).unwrap();
        frame
    });
    frames.collect()
}

/// A frame with these samples, by plane, column and line, in code values of 8 bits.
fn frame(format: Format, mut value: impl FnMut(usize, usize, usize) -> f64) -> Frame {
    let mut frame = Frame::new(format);
    let one = f64::from(1 << (format.depth - 8));
    let most = f64::from((1u32 << format.depth) - 1);
    for (index, plane) in frame.planes_mut().into_iter().enumerate() {
        let (width, _) = format.plane_size(index);
        let mut value = |i: usize| (one * value(index, i % width, i / width)).round().clamp(0.0, most);
        match plane.samples {
            SamplesMut::U8(to) => to.iter_mut().enumerate().for_each(|(i, v)| *v = value(i) as u8),
            SamplesMut::U16(to) => to.iter_mut().enumerate().for_each(|(i, v)| *v = value(i) as u16),
        }
    }
    frame
}

/// The crosstalk of a frame: dots in luma, rainbows in chroma.
fn crosstalk(standard: CompositeStandard, number: usize, index: usize, x: usize, y: usize) -> f64 {
    let phase = number as f64 / (2 * standard.distance()) as f64 + y as f64 / 4.0;
    let along = if index == 0 { x as f64 * 0.28 } else { x as f64 / 40.0 };
    10.0 * (TAU * (phase + along + 0.07)).sin()
}

fn picture(scene: usize, index: usize, x: usize, y: usize) -> f64 {
    let (x, y) = (x as f64, y as f64);
    let scene = scene as f64;
    120.0 + 60.0 * (scene + index as f64 + x / (6.0 + scene)).sin() * (y / 5.0 + 2.0 * scene).cos()
}

/// A clip of two scenes with crosstalk, of which the second begins at frame 7: noise of this
/// amplitude, and an object that moves over both.
fn clip(format: Format, standard: CompositeStandard, frames: usize, noise: f64) -> Vec<Frame> {
    let mut random = fastrand::Rng::with_seed(frames as u64);
    let one = |number: usize| {
        frame(format, |index, x, y| {
            let (width, height) = format.plane_size(index);
            let is_object = x * 40 / width / 5 == number % 8 && y * 3 / height == 1;
            let noise = noise * (random.f64() - 0.5);
            let value = picture(usize::from(number >= 7), index, x, y) + crosstalk(standard, number, index, x, y);
            if is_object { 200.0 } else { value + noise }
        })
    };
    (0..frames).map(one).collect()
}

#[test]
fn the_filter_is_that_of_the_reference() {
    for (number, (sampling, depth)) in
        [(Sampling::C420, 8), (Sampling::C422, 10), (Sampling::C444, 16), (Sampling::C411, 8), (Sampling::Mono, 12)]
            .into_iter()
            .enumerate()
    {
        for standard in STANDARDS {
            // The width is beyond the columns that are summed at once.
            let (width, height) = [(300, 20), (45, 23)][number % 2];
            let format = Format::new(width, height, sampling).with_depth(depth);
            for noise in [0.0, 9.0, 16.0] {
                let clip = clip(format, standard, 14, noise);
                let threads = |count: usize| rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap();
                let one = threads(1).install(|| repaired(&clip, standard));
                assert_eq!(one, threads(3).install(|| repaired(&clip, standard)));
                for (number, (frame, wanted)) in one.iter().zip(reference(&clip, standard.distance())).enumerate() {
                    for (index, (plane, wanted)) in planes(frame).into_iter().zip(wanted).enumerate() {
                        let context = format!("{sampling} {depth} {standard:?}, noise {noise}, frame {number}, plane {index}");
                        assert!(plane.samples == wanted, "{context}");
                    }
                }
                assert!(one != clip, "{sampling} {standard:?}");
            }
        }
    }
}

#[test]
fn crosstalk_of_still_scenes_is_removed_from_all_frames() {
    let format = Format::new(64, 48, Sampling::C422);
    for standard in STANDARDS {
        // A scene cut between frames 7 and 8.
        let scene = |number: usize| usize::from(number > 7);
        let clean: Vec<_> = (0..16).map(|number| frame(format, |index, x, y| picture(scene(number), index, x, y))).collect();
        let with = |number: usize| {
            frame(format, |index, x, y| picture(scene(number), index, x, y) + crosstalk(standard, number, index, x, y))
        };
        let damaged: Vec<_> = (0..16).map(with).collect();
        for (number, (frame, clean)) in repaired(&damaged, standard).iter().zip(&clean).enumerate() {
            let pairs = frame.data().iter().zip(clean.data());
            let most = pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap();
            assert!(most <= 1, "{standard:?}, frame {number}: {most}");
        }
        // The other standard has no frames of equal phases at these places.
        let other = STANDARDS[usize::from(standard == CompositeStandard::Ntsc)];
        assert!(repaired(&damaged, other) == damaged, "{standard:?}");
        assert!(repaired(&clean, standard) == clean);
    }
}

#[test]
fn clips_without_crosstalk_stay() {
    let format = Format::new(64, 48, Sampling::C420);
    // Moving texture, a flash, and a flicker of all samples by the same amount.
    let moving = |number: usize| frame(format, |index, x, y| picture(1, index, x + 3 * number, y));
    let flash = |number: usize| frame(format, |index, x, y| picture(usize::from(number == 6), index, x, y));
    let flicker = |number: usize| {
        let step = if number.is_multiple_of(2) { 6.0 } else { 0.0 };
        frame(format, |index, x, y| picture(0, index, x, y) + step)
    };
    for standard in STANDARDS {
        for (name, make) in [("moving", &moving as &dyn Fn(usize) -> Frame), ("flash", &flash), ("flicker", &flicker)] {
            let clip: Vec<_> = (0..14).map(make).collect();
            assert!(repaired(&clip, standard) == clip, "{name} {standard:?}");
        }
    }
}

#[test]
fn any_size_and_change_of_format_is_taken() {
    for standard in STANDARDS {
        let mut repair = DotCrawlRepair::new(standard);
        let mut meter = DotCrawlMeter::default();
        for (width, height) in [(0, 0), (1, 1), (2, 1), (1, 3), (40, 2), (3, 40), (41, 5)] {
            for (sampling, depth) in [(Sampling::C420, 8), (Sampling::C411, 16), (Sampling::Mono, 8)] {
                let format = Format::new(width, height, sampling).with_depth(depth);
                let later = Frame::new(format);
                for later in [[Some(&later); 2], [Some(&later), None], [None; 2]] {
                    repair.repair(&mut Frame::new(format), later).unwrap();
                }
                (0..8).for_each(|_| meter.add(&later).unwrap());
            }
        }
        assert_eq!(meter.found(), None);
    }
}

#[test]
fn the_meter_finds_the_standard_and_both_faults() {
    let format = Format::new(160, 96, Sampling::C420);
    let measure = |make: &dyn Fn(usize) -> Frame, run: usize| {
        let mut meter = DotCrawlMeter::default();
        for number in 0..24 {
            if number % run == 0 {
                meter.end_run();
            }
            meter.add(&make(number)).unwrap();
        }
        meter.found()
    };
    for standard in STANDARDS {
        let with = |dots: bool, rainbows: bool| {
            move |number: usize| {
                frame(format, |index, x, y| {
                    let has = if index == 0 { dots } else { rainbows };
                    picture(0, index, x, y) + if has { crosstalk(standard, number, index, x, y) } else { 0.0 }
                })
            }
        };
        for (dots, rainbows) in [(true, true), (true, false), (false, true)] {
            let found = measure(&with(dots, rainbows), 24).expect("crosstalk");
            assert_eq!((found.standard, found.dot_crawl, found.rainbows), (standard, dots, rainbows));
        }
        assert_eq!(measure(&with(false, false), 24), None);
        // Runs that are too short for the frames that are compared.
        assert_eq!(measure(&with(true, true), 3 * standard.distance()), None);
        assert!(measure(&with(true, true), 3 * standard.distance() + 1).is_some());
        let moving = |number: usize| {
            frame(format, |index, x, y| picture(1, index, x + 2 * number, y) + crosstalk(standard, number, index, x, y))
        };
        assert_eq!(measure(&moving, 24), None);
    }
}
