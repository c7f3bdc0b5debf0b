//! Tilings, threads and instruction sets do not affect any sample: one clip through streams that
//! differ in one of these.
#[path = "../../tests/reference/content.rs"]
mod content;

use super::context::Tiling;
use super::step::State;
use super::stream::AnyStages;
use super::{ChromaOutput, Input, Output, Statistics, Stream, StreamBuilder};
use crate::deinterlace::Deinterlacer;
use crate::field_match::{CombMask, FieldMatch, FieldMatches, StepMatches};
use crate::format::{Format, Sampling, Scan};
use crate::frame::{Frame, Samples};
use crate::parameters::Parameters;
use content::{Random, plane, random_scene};
use dndi_simd::SimdLevel;

/// More than two bands and columns of the small tilings, and no multiple of them.
const SIZE: (usize, usize) = (71, 42);
const FRAMES: usize = 4;
const DEPTHS: [u8; 3] = [8, 10, 16];
const DEINTERLACERS: [Deinterlacer; 3] = [Deinterlacer::Gen6, Deinterlacer::Balanced, Deinterlacer::Best];
const WHOLE: Tiling = Tiling { lines: 64, columns: 96 };

fn clip(seed: u64, format: Format) -> Vec<Frame> {
    let random = &mut Random::new(seed);
    let scenes = [random_scene(random).1, random_scene(random).1, random_scene(random).1];
    let frame = |n: usize| [0, 1, 2].map(|i| plane(&scenes[i], format.plane_size(i), Some(0), 2 * n as i32));
    (0..FRAMES).map(|n| of_depth(format, frame(n).concat(), random)).collect()
}

/// A frame of any depth from 8-bit samples, with random low bits.
fn of_depth(format: Format, samples: Vec<u8>, random: &mut Random) -> Frame {
    if format.depth == 8 {
        return Frame::from_vec(format, samples);
    }
    let low = 1 << (format.depth - 8);
    let words = samples.into_iter().map(|sample| u16::from(sample) * low + random.within(0..=i32::from(low) - 1) as u16);
    Frame::from_vec_u16(format, words.collect())
}

/// The samples of a plane.
fn words(frame: &Frame, plane: usize) -> Vec<u16> {
    match frame.planes()[plane].samples {
        Samples::U8(samples) => samples.iter().map(|&sample| sample.into()).collect(),
        Samples::U16(samples) => samples.to_vec(),
    }
}

/// Frames and statistics of a clip, with matches on some steps if `woven`.
fn process(settings: &StreamBuilder, tiling: Tiling, clip: &[Frame], woven: bool) -> (Vec<Output>, Vec<Statistics>) {
    let mut stream = settings.clone().build().unwrap();
    match &mut stream.stages {
        AnyStages::Bytes(stages) => stages.state = State::tiled(&settings.settings, tiling).unwrap(),
        AnyStages::Words(stages) => stages.state = State::tiled(&settings.settings, tiling).unwrap(),
    }
    let (mut outputs, mut statistics) = (vec![], vec![]);
    let pull = |stream: &mut Stream, outputs: &mut Vec<Output>| outputs.extend(std::iter::from_fn(|| stream.pull()));
    for (n, frame) in clip.iter().enumerate() {
        let matches =
            if woven { [FieldMatch::Next, FieldMatch::Previous, FieldMatch::Deinterlace] } else { [FieldMatch::Deinterlace; 3] };
        let step = StepMatches { second_of_previous: matches[n % 3], first_of_current: matches[(n + 1) % 3] };
        stream.push(Input::new(&frame.planes()).matches(&step.into())).unwrap();
        statistics.extend(stream.statistics().cloned());
        pull(&mut stream, &mut outputs);
    }
    stream.flush().unwrap();
    pull(&mut stream, &mut outputs);
    (outputs, statistics)
}

/// A woven output is deinterlaced in the marked tiles of its comb mask, and only there: each sample
/// is that of the deinterlaced or of the woven output.
#[test]
fn comb_masks_are_deinterlaced() {
    let weave = StepMatches { second_of_previous: FieldMatch::Next, first_of_current: FieldMatch::Previous };
    // Two columns of tiles of 64 pixels, the second one narrow; rows of 8 lines.
    let masks = [1, 0].map(|first| CombMask::new(2, 64, 8, (0..12).map(|tile| (tile / 2 + tile % 2) % 2 == first).collect()));
    let samplings = [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444];
    let formats = DEPTHS.into_iter().flat_map(|depth| samplings.map(|sampling| (depth, sampling)));
    for ((depth, sampling), deinterlacer) in formats.flat_map(|format| DEINTERLACERS.map(|deinterlacer| (format, deinterlacer))) {
        for chroma in [ChromaOutput::Same, ChromaOutput::C422, ChromaOutput::C420] {
            // A line of 4:2:2 is made of two rows of 4:2:0, which may differ in their tiles.
            let looks_ahead = deinterlacer != Deinterlacer::Gen6;
            if looks_ahead && (sampling, chroma) == (Sampling::C420, ChromaOutput::C422) {
                continue;
            }
            let format = Format::new(97, 42, sampling).with_depth(depth);
            let clip = clip(9, format);
            let settings = Stream::builder(format, Scan::TopFirst).deinterlacer(deinterlacer).chroma(chroma);
            let run = |step: StepMatches, comb_masks: [CombMask; 2]| {
                let matches = FieldMatches { comb_masks, ..step.into() };
                let mut stream = settings.clone().build().unwrap();
                let mut outputs = vec![];
                for frame in &clip {
                    stream.push(Input::new(&frame.planes()).matches(&matches)).unwrap();
                    outputs.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame));
                }
                outputs
            };
            let (woven, plain) = (run(weave, Default::default()), run(StepMatches::default(), Default::default()));
            let masked = run(weave, masks.clone());
            for (n, output) in masked.iter().enumerate().skip(1) {
                let mask = &masks[usize::from(n % 2 == 0)];
                for plane in 0..output.format().sampling.planes() {
                    let (width, height) = output.format().plane_size(plane);
                    let [plain, woven, output] = [&plain[n], &woven[n], output].map(|frame| words(frame, plane));
                    for (i, &sample) in output.iter().enumerate() {
                        let (x, y) = (i % width * 97usize.div_ceil(width), i / width * (42 / height));
                        let is_combed = mask.contains(x, y / 4 * 4);
                        // The pictures before differ from those of the plain run.
                        if is_combed && deinterlacer == Deinterlacer::Best && n > 1 {
                            continue;
                        }
                        let from = if is_combed { &plain } else { &woven };
                        assert_eq!(sample, from[i], "{depth} bits, {sampling:?} {chroma:?}: {n} {plane} {x} {y}");
                    }
                }
            }
        }
    }
}

/// Outputs that are not wanted are left out, except where later ones depend on them, and the others
/// are the same.
#[test]
fn only_wanted_outputs_are_made() {
    for (deinterlacer, depth) in DEINTERLACERS.into_iter().flat_map(|kind| DEPTHS.map(|depth| (kind, depth))) {
        let format = Format::new(SIZE.0, SIZE.1, Sampling::C420).with_depth(depth);
        let clip = clip(5, format);
        let plain = Stream::builder(format, Scan::TopFirst).deinterlacer(deinterlacer);
        for (settings, depends) in [(plain.clone(), false), (plain.auto_contrast(50), true)] {
            let run = |wanted: [bool; 2], step: StepMatches| {
                let (mut stream, mut outputs) = (settings.clone().build().unwrap(), vec![]);
                for frame in &clip {
                    let (planes, matches) = (frame.planes(), step.into());
                    stream.push(Input { wanted, ..Input::new(&planes).matches(&matches) }).unwrap();
                    outputs.extend(std::iter::from_fn(|| stream.pull()));
                }
                stream.flush().unwrap();
                outputs.extend(std::iter::from_fn(|| stream.pull()));
                outputs
            };
            let weave = StepMatches { second_of_previous: FieldMatch::Next, first_of_current: FieldMatch::Deinterlace };
            for step in [StepMatches::default(), weave] {
                let all = run([true; 2], step);
                for wanted in [[false, true], [true, false], [false; 2]] {
                    let last = 2 * FRAMES as u64 - 1;
                    let expected = all.iter().filter(|output| {
                        depends || output.field_time == last || wanted[usize::from(output.field_time.is_multiple_of(2))]
                    });
                    assert!(run(wanted, step).iter().eq(expected), "{deinterlacer}, {depth} bits, {wanted:?}");
                }
            }
        }
    }
}

/// Streams of all depths, samplings, scans and kinds of processing, with a clip for each.
fn streams() -> Vec<(String, StreamBuilder, Vec<Frame>, bool)> {
    use Sampling::*;
    let mut streams = vec![];
    let samplings = || (0..).zip([Mono, C420, C420, C411, C422, C444]);
    let formats = DEPTHS.into_iter().flat_map(|depth| samplings().map(move |sampling| (depth, sampling)));
    for ((depth, (seed, sampling)), deinterlacer) in formats.flat_map(|format| DEINTERLACERS.map(|kind| (format, kind))) {
        let format = Format::new(SIZE.0, SIZE.1, sampling).with_depth(depth);
        let name = format!("{deinterlacer}, {depth} bits, {sampling:?}");
        for (i, scan) in [Scan::TopFirst, Scan::BottomFirst].into_iter().enumerate() {
            let seed = 10 * seed + i as u64;
            let chroma = [ChromaOutput::Same, ChromaOutput::C422, ChromaOutput::C420Drop][seed as usize % 3];
            let builder = Stream::builder(format, scan).deinterlacer(deinterlacer).chroma(chroma);
            let woven = seed % 4 == 1;
            streams.push((format!("{name} {scan:?} {chroma:?} {woven}"), builder.clone(), clip(seed, format), woven));
            let builder = builder.denoise(seed % 4 < 2).chroma(ChromaOutput::Same);
            streams.push((format!("{name} {scan:?}, clip 2"), builder.clone(), clip(seed + 100, format), false));
            if deinterlacer == Deinterlacer::Gen6 {
                streams.push((
                    format!("{name} {scan:?} not deinterlaced"),
                    builder.deinterlace(false),
                    clip(seed, format),
                    false,
                ));
            }
        }
        if deinterlacer != Deinterlacer::Gen6 {
            continue;
        }
        let format = Format { height: SIZE.1 + 1, ..format };
        let builder = Stream::builder(format, Scan::Progressive).denoise_chroma(depth > 8);
        streams.push((format!("{name} progressive"), builder, clip(50 + seed, format), false));
    }
    streams
}

#[test]
fn tiles_change_nothing() {
    for (name, settings, clip, woven) in streams() {
        let whole = process(&settings, WHOLE, &clip, woven);
        for (lines, columns) in [(8, 16), (8, 96), (64, 16), (16, 32), (24, 48), (40, 64), (32, 8192)] {
            let tiled = process(&settings, Tiling { lines, columns }, &clip, woven);
            assert!(tiled == whole, "{name}: tiles of {columns}x{lines}");
        }
    }
}

/// Parameters that blend all sources of a pixel and favour angles, so that samples depend on the
/// neighbours of a tile.
#[test]
fn tiles_read_beyond_their_edges() {
    let mut parameters = Parameters::default();
    let p = &mut parameters.deinterlace;
    (p.stmm_min, p.stmm_max, p.stmm_shift) = (0, 128, 7);
    (p.sdi_threshold, p.sdi_delta, p.sdi_t1, p.sdi_t2, p.angle2x1) = (200, 0, 255, 255, 0);
    for (depth, seed) in DEPTHS.into_iter().flat_map(|depth| (0..12).map(move |seed| (depth, seed))) {
        let sampling = [Sampling::C420, Sampling::C422, Sampling::C444][seed as usize % 3];
        let format = Format::new(SIZE.0, SIZE.1, sampling).with_depth(depth);
        let random = &mut Random::new(seed);
        let settings = Stream::builder(format, Scan::TopFirst).denoise(false).parameters(parameters.clone());
        let settings = DEINTERLACERS.map(|deinterlacer| settings.clone().deinterlacer(deinterlacer));
        // Stripes that lean to either side, slightly different in each frame.
        let sample = |n: usize, x: usize, y: usize| {
            let lean = if seed % 2 == 0 { x + y } else { x + 200 - y };
            ((lean / 4 % 2) * 120 + 20 + (x * 7 + y * 13 + n * 5 + seed as usize) % 9 + (x / 3 * 31 + n * 17) % 40) as u8
        };
        let frames = (0..FRAMES).map(|n| {
            let plane = |i: usize| {
                let (width, height) = format.plane_size(i);
                (0..height).flat_map(move |y| (0..width).map(move |x| sample(n, x, y))).collect::<Vec<u8>>()
            };
            of_depth(format, [plane(0), plane(1), plane(2)].concat(), random)
        });
        let clip: Vec<Frame> = frames.collect();
        for (settings, deinterlacer) in settings.iter().zip(DEINTERLACERS) {
            let whole = process(settings, WHOLE, &clip, false);
            for (lines, columns) in [(8, 16), (16, 32)] {
                let tiled = process(settings, Tiling { lines, columns }, &clip, false);
                assert!(tiled == whole, "{deinterlacer}, {depth} bits, seed {seed}: tiles of {columns}x{lines}");
            }
        }
    }
}

#[test]
fn threads_change_nothing() {
    for (name, settings, clip, woven) in streams() {
        let whole = process(&settings, WHOLE, &clip, woven);
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let tiled = pool.install(|| process(&settings, Tiling { lines: 8, columns: 32 }, &clip, woven));
            assert!(tiled == whole, "{name}: {threads} threads");
        }
    }
}

#[test]
fn levels_change_nothing() {
    for (name, settings, clip, woven) in streams() {
        let scalar = process(&settings.clone().simd_level(SimdLevel::Scalar), WHOLE, &clip, woven);
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
            for tiling in [WHOLE, Tiling { lines: 8, columns: 16 }] {
                let vector = process(&settings.clone().simd_level(level), tiling, &clip, woven);
                assert!(vector == scalar, "{name}: {level}, {tiling:?}");
            }
        }
    }
}

/// Pictures of a tile's size, of one sample less or more, and much smaller ones.
#[test]
fn sizes_around_a_tile_change_nothing() {
    for (width, height) in [(1, 4), (2, 8), (15, 8), (16, 8), (17, 10), (31, 6), (32, 16), (33, 18), (47, 24), (49, 14)] {
        let samplings = [Sampling::C420, Sampling::C411, Sampling::C444];
        for (depth, sampling) in DEPTHS.into_iter().flat_map(|depth| samplings.map(|sampling| (depth, sampling))) {
            let format = Format::new(width, height, sampling).with_depth(depth);
            let clip = clip((width * height) as u64, format);
            for deinterlacer in DEINTERLACERS {
                let settings = Stream::builder(format, Scan::BottomFirst).deinterlacer(deinterlacer);
                let whole = process(&settings, WHOLE, &clip, false);
                let tiled = process(&settings, Tiling { lines: 8, columns: 16 }, &clip, false);
                assert!(tiled == whole, "{deinterlacer}, {depth} bits, {width}x{height} {sampling:?}");
            }
        }
    }
}
