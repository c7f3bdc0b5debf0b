//! Samples of 9 to 16 bits: the results of an 8-bit clip that is shifted left (§9.8), changes of
//! depth, settings without effect, word planes, and samples above their range.
use super::planes::planes_mut;
use super::*;
use crate::content::{Random, plane, random_scene};
use dndi::{DenoiseMode, Dither, FullRange, Maps, Samples, Scale, SharpenMode, Statistics};

const DEPTHS: [u8; 5] = [9, 10, 12, 14, 16];
const SCANS: [Scan; 3] = [Scan::Progressive, Scan::TopFirst, Scan::BottomFirst];

/// Frames of random scenes.
fn clip(seed: u64, format: Format, scan: Scan, frames: usize) -> Vec<Frame> {
    let random = &mut Random::new(seed);
    let scenes = [random_scene(random).1, random_scene(random).1, random_scene(random).1];
    let first = (scan != Scan::Progressive).then_some(i32::from(scan == Scan::BottomFirst));
    let frame = |n: usize| [0, 1, 2].map(|i| plane(&scenes[i], format.plane_size(i), first, 2 * n as i32));
    (0..frames).map(|n| Frame::from_vec(format, frame(n).concat())).collect()
}

fn words(frame: &Frame) -> Vec<u16> {
    match frame.samples() {
        Samples::U8(samples) => samples.iter().map(|&sample| sample.into()).collect(),
        Samples::U16(samples) => samples.to_vec(),
    }
}

/// A frame of 9 to 16 bits, whose sample of index i is `sample(i)`.
fn deep(format: Format, sample: impl FnMut(usize) -> u16) -> Frame {
    Frame::from_vec_u16(format, (0..format.samples()).map(sample).collect())
}

/// An 8-bit frame with its samples shifted left.
fn shifted(frame: &Frame, depth: u8) -> Frame {
    deep(frame.format().with_depth(depth), |i| u16::from(frame.data()[i]) << (depth - 8))
}

/// A frame of random samples.
fn random_frame(format: Format, seed: u64) -> Frame {
    let (random, largest) = (&mut Random::new(seed), (1 << format.depth) - 1);
    // The ends of the range are frequent.
    let mut sample = || if random.once_in(8) { random.pick(&[0, largest]) } else { random.within(0..=largest) };
    if format.depth > 8 {
        deep(format, |_| sample() as u16)
    } else {
        Frame::from_vec(format, (0..format.samples()).map(|_| sample() as u8).collect())
    }
}

/// Outputs, and statistics and maps of each step.
type Run = (Vec<(u64, Frame)>, Vec<Statistics>, Vec<Option<Maps>>);

/// All results of a clip. Every third output is woven if `woven`.
fn process(builder: &StreamBuilder, clip: &[Frame], woven: bool) -> Run {
    let mut stream = builder.clone().build().unwrap();
    let (mut outputs, mut statistics, mut maps) = (vec![], vec![], vec![]);
    for (n, frame) in clip.iter().enumerate() {
        let matches = [FieldMatch::Deinterlace, FieldMatch::Next, FieldMatch::Previous];
        let step = StepMatches { second_of_previous: matches[n % 3], first_of_current: matches[(n + 1) % 3] };
        let step = if woven { step } else { StepMatches::default() };
        stream.push(Input::new(&frame.planes()).matches(&step.into())).unwrap();
        statistics.extend(stream.statistics().cloned());
        maps.push(stream.maps().unwrap());
        outputs.extend(pull_all(&mut stream));
    }
    stream.flush().unwrap();
    outputs.extend(pull_all(&mut stream));
    (outputs, statistics, maps)
}

fn frames(builder: &StreamBuilder, clip: &[Frame]) -> Vec<Frame> {
    process(builder, clip, false).0.into_iter().map(|(_, frame)| frame).collect()
}

/// Panics if a sample of plane `index` of `deep` differs from that of the 8-bit frame, shifted
/// left, by other values than `allowed`.
fn assert_near(eight: &Frame, deep: &Frame, index: usize, allowed: std::ops::Range<i32>, name: &str) {
    let e = deep.format().depth - 8;
    let Samples::U16(words) = deep.planes()[index].samples else { panic!("{name}: bytes") };
    assert_eq!(words.len(), eight.plane(index).len(), "{name}");
    for (i, (&byte, &word)) in eight.plane(index).iter().zip(words).enumerate() {
        let difference = i32::from(word) - (i32::from(byte) << e);
        assert!(allowed.contains(&difference), "{name}: plane {index}, sample {i}: {word}, at 8 bits {byte}");
    }
}

/// Without denoising, a clip that is shifted left has the decisions of the 8-bit clip, and pixels
/// that no average truncates (§9.8).
#[test]
fn a_shifted_clip_has_the_decisions_of_8_bits() {
    for (seed, sampling) in (0..).zip(SAMPLINGS.iter().cycle().take(15)) {
        for (scan, chroma) in SCANS.into_iter().flat_map(|scan| CHROMA.map(|chroma| (scan, chroma))) {
            let format = Format::new(43 + seed as usize, 22, *sampling);
            let chroma = if scan == Scan::Progressive { ChromaOutput::Same } else { chroma };
            let clip = clip(100 + seed, format, scan, 4);
            let woven = seed % 3 == 2;
            let build = |format| Stream::builder(format, scan).deinterlacer(Deinterlacer::Gen6).denoise(false).chroma(chroma);
            let (want, rows, maps) = process(&build(format), &clip, woven);
            let depth = DEPTHS[(seed as usize + chroma as usize) % 5];
            let name = format!("seed {seed}: {sampling:?} {scan:?} {chroma:?}, {depth} bits");
            let raised: Vec<Frame> = clip.iter().map(|frame| shifted(frame, depth)).collect();
            let (got, deep_rows, deep_maps) = process(&build(format.with_depth(depth)), &raised, woven);
            let e = depth - 8;
            for (mut row, deep) in rows.into_iter().zip(deep_rows) {
                row.gne_sum <<= e;
                row.gne = row.gne_sum.checked_div(row.gne_count).unwrap_or(0);
                assert_eq!(deep, row, "{name}");
            }
            for (mut map, mut deep) in maps.into_iter().flatten().zip(deep_maps.into_iter().flatten()) {
                // A pixel that motion compensation does not change at 8 bits has no vector
                // there, but its low bits may change.
                let [vectors, deep_vectors] = [&mut map, &mut deep].map(|map| std::mem::take(&mut map.vectors));
                assert!(deep == map && deep_vectors.len() == vectors.len(), "{name}: maps");
                assert!(
                    vectors.iter().zip(&deep_vectors).all(|(eight, deep)| eight.is_none() || eight == deep),
                    "{name}: vectors"
                );
            }
            assert_eq!(got.len(), want.len(), "{name}");
            for ((time, eight), (deep_time, deep)) in want.iter().zip(&got) {
                assert_eq!(time, deep_time, "{name}");
                for index in 0..eight.format().sampling.planes() {
                    assert_near(eight, deep, index, 0..if index == 0 { 2 } else { 5 } << e, &name);
                }
            }
        }
    }
}

/// The networks make almost the same corrections of a clip that is shifted left (§14.5): only the
/// rounding of averages differs.
#[test]
fn a_shifted_clip_has_the_corrections_of_8_bits() {
    for (seed, sampling) in (0..).zip(SAMPLINGS.iter().cycle().take(10)) {
        for scan in [Scan::TopFirst, Scan::BottomFirst] {
            let format = Format::new(43 + seed as usize, 22, *sampling);
            let clip = clip(400 + seed, format, scan, 4);
            let build = |format| Stream::builder(format, scan).deinterlacer(Deinterlacer::Balanced).denoise(false);
            let depth = DEPTHS[seed as usize % 5];
            let raised: Vec<Frame> = clip.iter().map(|frame| shifted(frame, depth)).collect();
            let (want, got) =
                (process(&build(format), &clip, false).0, process(&build(format.with_depth(depth)), &raised, false).0);
            let (mut sum, mut count) = (0, 0);
            for ((_, eight), (_, deep)) in want.iter().zip(&got) {
                let Samples::U8(eight) = eight.samples() else { unreachable!() };
                for (&eight, deep) in eight.iter().zip(words(deep)) {
                    sum += u64::from((u32::from(eight) << (depth - 8)).abs_diff(deep.into()));
                    count += 1 << (depth - 8);
                }
            }
            // In code values of 8 bits.
            assert!(sum <= count, "seed {seed}: {sampling:?} {scan:?}, {depth} bits: {}", sum as f64 / count as f64);
        }
    }
}

/// The noise estimate of each step, and the samples of the first one (§9.8).
#[test]
fn a_shifted_clip_has_the_noise_of_8_bits() {
    for (seed, sampling) in (0..).zip(SAMPLINGS.iter().cycle().take(20)) {
        for (scan, depth) in SCANS.into_iter().flat_map(|scan| DEPTHS.map(|depth| (scan, depth))) {
            let (format, e) = (Format::new(37 + seed as usize, 22, *sampling), depth - 8);
            let name = format!("seed {seed}: {sampling:?} {scan:?}, {depth} bits");
            let clip = clip(200 + seed, format, scan, 3);
            let raised: Vec<Frame> = clip.iter().map(|frame| shifted(frame, depth)).collect();
            let build = |format, deinterlace| {
                Stream::builder(format, scan)
                    .deinterlacer(Deinterlacer::Gen6)
                    .denoise(true)
                    .denoise_chroma(true)
                    .deinterlace(deinterlace)
            };
            for deinterlace in [false, scan != Scan::Progressive] {
                let (want, rows, _) = process(&build(format, deinterlace), &clip, false);
                let (got, deep_rows, _) = process(&build(format.with_depth(depth), deinterlace), &raised, false);
                for (row, deep) in rows.iter().zip(&deep_rows) {
                    assert_eq!((deep.gne_sum, deep.gne_count), (row.gne_sum << e, row.gne_count), "{name}");
                    assert_eq!(deep.gne >> e, row.gne, "{name}");
                }
                for index in (0..sampling.planes()).filter(|_| !deinterlace) {
                    assert_near(&want[0].1, &got[0].1, index, 1 - (2 << e)..2 << e, &name);
                }
            }
        }
    }
}

/// A stream without stages that raises, and one that lowers again, for any dither and range.
#[test]
fn raised_frames_come_back_unchanged() {
    let ranges = [FullRange::None, FullRange::Luma, FullRange::Rgb];
    for (from, to) in (8..=16).flat_map(|from| (from + 1..=16).map(move |to| (from, to))) {
        for (seed, sampling) in (0..).zip(SAMPLINGS) {
            for (scan, range) in SCANS.into_iter().flat_map(|scan| ranges.map(|range| (scan, range))) {
                let format = Format::new(19, 12, sampling).with_depth(from);
                let clip = [random_frame(format, seed), random_frame(format, seed + 5)];
                let build = |format: Format| {
                    Stream::builder(format, scan).deinterlacer(Deinterlacer::Gen6).denoise(false).deinterlace(false).range(range)
                };
                let raised = frames(&build(format).output_depth(to), &clip);
                assert!(raised.iter().all(|frame| frame.format() == format.with_depth(to)));
                for dither in [Dither::Ordered, Dither::None] {
                    let lowered = build(format.with_depth(to)).output_depth(from).dither(dither);
                    assert!(
                        frames(&lowered, &raised) == clip,
                        "{from} to {to} bits and back: {sampling:?} {scan:?} {range:?} {dither:?}"
                    );
                }
            }
        }
    }
}

/// Settings without effect return their input at each depth: the stages run, or do not exist.
#[test]
fn settings_without_effect_are_lossless() {
    let neutral = |change: fn(&mut Parameters)| {
        let mut parameters = Parameters::default();
        change(&mut parameters);
        parameters
    };
    let procamp = neutral(|parameters| parameters.color.procamp_enable = true);
    let still = neutral(|parameters| {
        // Each pixel is the mean of those that differ by less than 0 from it.
        (parameters.denoise.good_neighbor_th, parameters.chroma_denoise.good_neighbor_th) = (0, 0);
        // Each pixel is spatial.
        (parameters.denoise.stad_th, parameters.chroma_denoise.stad_th) = (0, 0);
    });
    for depth in [8].into_iter().chain(9..=16) {
        for (seed, sampling) in (0..).zip(SAMPLINGS) {
            for scan in SCANS {
                let format = Format::new(35, 14, sampling).with_depth(depth);
                let clip: Vec<Frame> = (0..3).map(|n| random_frame(format, 3 * seed + n)).collect();
                let plain = Stream::builder(format, scan).deinterlacer(Deinterlacer::Gen6).denoise(false).deinterlace(false);
                let filtered = plain.clone().denoise(true).denoise_chroma(true).parameters(still.clone());
                let builders = [
                    ("no stage", plain.clone()),
                    ("no stage, no statistics", plain.clone().statistics(false)),
                    ("equal size", plain.clone().scale(Scale::new(35, 14))),
                    ("procamp", plain.clone().parameters(procamp.clone())),
                    ("all", plain.scale(Scale::new(35, 14)).parameters(procamp.clone()).output_depth(depth)),
                    ("filter", filtered),
                ];
                for (name, builder) in builders {
                    assert!(frames(&builder, &clip) == clip, "{name}: {depth} bits, {sampling:?} {scan:?}");
                }
            }
        }
    }
}

/// Words of the caller's planes beside and below the picture do not change.
#[test]
fn word_planes_are_filled() {
    for (depth, sampling) in DEPTHS.into_iter().flat_map(|depth| SAMPLINGS.map(|sampling| (depth, sampling))) {
        let format = Format::new(20, 12, sampling).with_depth(depth);
        let builder = Stream::builder(format, Scan::TopFirst).deinterlacer(Deinterlacer::Gen6);
        let clip: Vec<Frame> = (0..3).map(|n| random_frame(format, n)).collect();
        let outputs = process(&builder, &clip, false).0;
        let mut stream = builder.build().unwrap();
        let sizes = [0, 1, 2].map(|i| stream.output_format().plane_size(i));
        let strides = [0, 1, 2].map(|i| sizes[i].0 + i);
        let mut expected = outputs.iter();
        for number in 0..=3 {
            match clip.get(number) {
                Some(frame) => stream.push(&frame.planes()).unwrap(),
                None => stream.flush().unwrap(),
            }
            loop {
                let mut memory = [0, 1, 2].map(|i| vec![0xcdcd_u16; strides[i] * (sizes[i].1 + 1)]);
                let [luma, u, v] = &mut memory;
                let mut index = 0..;
                let mut planes = [luma, u, v].map(|plane| PlaneMut::new(&mut plane[..], strides[index.next().unwrap()]));
                let Some(time) = pull_into(&mut stream, &mut planes).unwrap() else { break };
                let (expected_time, frame) = expected.next().unwrap();
                assert_eq!(time, *expected_time);
                for (i, plane) in frame.planes().iter().enumerate() {
                    let Samples::U16(samples) = plane.samples else { panic!("bytes of {depth} bits") };
                    let (width, height) = sizes[i];
                    for (y, row) in memory[i].chunks(strides[i]).enumerate() {
                        let (inside, beside) = row.split_at(if y < height { width } else { 0 });
                        assert!(y >= height || *inside == samples[y * width..][..width], "{depth} {sampling:?}: {i} {y}");
                        assert!(beside.iter().all(|&word| word == 0xcdcd), "{depth} {sampling:?}: beside {i} {y}");
                    }
                }
            }
        }
        assert_eq!(expected.next(), None);
    }
}

/// Planes of bytes where words are needed, and of words where bytes are needed.
#[test]
fn planes_of_the_wrong_type_are_errors() {
    for (input, output) in [(8, 8), (10, 10), (8, 10), (16, 8), (9, 16)] {
        let format = Format::new(20, 12, Sampling::C420).with_depth(input);
        let mut stream =
            Stream::builder(format, Scan::TopFirst).deinterlacer(Deinterlacer::Gen6).output_depth(output).build().unwrap();
        let (sizes, right) = ([(20, 12), (10, 6), (10, 6)], random_frame(format, 1));
        let other = random_frame(format.with_depth(if input > 8 { 8 } else { 16 }), 1);
        let error = |index: usize, depth: u8| {
            let (size, needed_bytes) = (sizes[index], if depth > 8 { 2 } else { 1 });
            Error::Plane { index, samples: size.0 * size.1, bytes: 3 - needed_bytes, stride: size.0, size, needed_bytes }
        };
        for index in 0..3 {
            let mut planes = right.planes().to_vec();
            planes[index] = other.planes()[index];
            let refused = stream.push(&planes[..]).unwrap_err();
            assert_eq!(refused, error(index, input));
            let ends = if input > 8 { "20x12 samples of 2 bytes" } else { "20x12 samples of 1 bytes" };
            assert!(index > 0 || refused.to_string().ends_with(ends), "{refused}");
        }
        assert_eq!((stream.pull(), stream.statistics()), (None, None), "a refused frame is no step");
        stream.push(&right.planes()).unwrap();
        let mut bytes = sizes.map(|(width, height)| vec![0xcd; width * height]);
        let mut words = Frame::new(format.with_depth(16));
        for index in 0..3 {
            let mut target = Frame::new(stream.output_format());
            let mut planes: Vec<PlaneMut> = target.planes_mut().into_iter().collect();
            let wrong = if output > 8 {
                planes_mut(&mut bytes, [20, 10, 10]).into_iter().nth(index)
            } else {
                words.planes_mut().into_iter().nth(index)
            };
            planes[index] = wrong.unwrap();
            assert_eq!(pull_into(&mut stream, &mut planes), Err(error(index, output)));
            drop(planes);
            assert_eq!(target, Frame::new(stream.output_format()), "an error, but samples were written");
        }
        assert!(bytes.iter().flatten().all(|&byte| byte == 0xcd) && self::words(&words).iter().all(|&word| word == 0));
        // The output is still there.
        let mut target = Frame::new(stream.output_format());
        assert_eq!(pull_into(&mut stream, &mut target.planes_mut()), Ok(Some(0)));
    }
}

/// Words above 2^n - 1 count as 2^n - 1 in all stages, at every level.
#[test]
fn words_above_their_range_are_processed() {
    let mut parameters = Parameters::default();
    parameters.color.procamp_enable = true;
    for (seed, (depth, output)) in (0..).zip([(9, 9), (10, 10), (10, 8), (10, 16), (12, 12), (12, 9), (14, 14), (14, 16)]) {
        for (sampling, scan) in SAMPLINGS.into_iter().flat_map(|sampling| SCANS.map(|scan| (sampling, scan))) {
            let format = Format::new(45, 22, sampling).with_depth(depth);
            let random = &mut Random::new(seed);
            let clip: Vec<Frame> = [0xffff, 0, 0xffff, 1 << depth, 0xffff]
                .into_iter()
                .enumerate()
                .map(|(n, word)| deep(format, |_| if n > 1 && random.once_in(2) { random.bits() as u16 } else { word }))
                .collect();
            let most = u16::MAX >> (16 - depth);
            let limited: Vec<Frame> = clip
                .iter()
                .map(|frame| {
                    let words = words(frame);
                    deep(format, |i| words[i].min(most))
                })
                .collect();
            let deinterlacers = [Deinterlacer::Gen6, Deinterlacer::Balanced, Deinterlacer::Best];
            let deinterlacer = deinterlacers[seed as usize / 2 % 3];
            let alone = Stream::builder(format, scan).deinterlacer(deinterlacer);
            let all = alone
                .clone()
                .denoise_chroma(DenoiseMode::Auto)
                .scale(Scale::new(57, 30))
                .sharpen(SharpenMode::Detail3)
                .measured_noise(true)
                .luma_statistics(true)
                .auto_contrast(50)
                .parameters(parameters.clone())
                .output_depth(output);
            // Without statistics a stage that needs no previous frame reads the caller's planes.
            let direct = alone.clone().denoise(false).deinterlace(false).statistics(false);
            for (name, builder) in [
                ("all stages", all.clone()),
                ("fixed filters", all.denoise(true).denoise_chroma(true)),
                ("filters", alone.clone().denoise(true).denoise_chroma(true)),
                ("automatic filters", alone.clone().denoise_chroma(DenoiseMode::Auto)),
                ("filtered luma", alone.clone().denoise(true).deinterlace(false)),
                ("no filter", alone.denoise(false)),
                ("copy", direct.clone().luma_statistics(true)),
                ("scaler", direct.clone().scale(Scale::new(57, 30))),
                ("enhancement", direct.clone().sharpen(SharpenMode::Combination)),
                ("colours", direct.parameters(parameters.clone())),
            ] {
                let name = format!("{name}: {depth} to {output} bits, {sampling:?} {scan:?}");
                let woven = seed % 2 == 1;
                let want = process(&builder.clone().simd_level(SimdLevel::Scalar), &limited, woven);
                for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
                    assert!(process(&builder.clone().simd_level(level), &clip, woven) == want, "{level}, {name}");
                }
            }
        }
    }
}
