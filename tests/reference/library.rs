//! Runs the library on a clip of the model and compares frames, times and statistics.

use super::content::Random;
use super::model::{self, Chroma, Clip, Deinterlacer, Network, Options, Output, Params, Sampling, Scan, Statistics};
use dndi::{
    ChromaOutput, CombMask, FieldMatch, FieldMatches, Format, Frame, Input, Parameters, PlaneRef, Samples, SimdLevel,
    StepMatches, Stream, StreamBuilder,
};
use dndi_simd::Kernels;
use std::sync::{LazyLock, Once};

/// Outputs, and a row of statistics for each step.
pub type Run = (Vec<Output>, Vec<Statistics>);

pub fn builder(clip: &Clip, options: &Options, level: SimdLevel) -> StreamBuilder {
    let sampling = match clip.sampling {
        Sampling::Mono => dndi::Sampling::Mono,
        Sampling::C420 => dndi::Sampling::C420,
        Sampling::C411 => dndi::Sampling::C411,
        Sampling::C422 => dndi::Sampling::C422,
        Sampling::C444 => dndi::Sampling::C444,
    };
    let scan = match options.scan {
        Scan::Progressive => dndi::Scan::Progressive,
        Scan::TopFirst => dndi::Scan::TopFirst,
        Scan::BottomFirst => dndi::Scan::BottomFirst,
    };
    let chroma = match options.chroma {
        Chroma::Same => ChromaOutput::Same,
        Chroma::C422 => ChromaOutput::C422,
        Chroma::C420 => ChromaOutput::C420,
        Chroma::C420Drop => ChromaOutput::C420Drop,
    };
    let mut parameters = Parameters::default();
    for (name, value) in options.params.named() {
        parameters.set(name, value.into()).unwrap();
    }
    for (name, value) in options.chroma_denoise.iter().flat_map(Params::named) {
        // The filter has no others.
        let _ = parameters.set(&format!("chroma.{name}"), value.into());
    }
    for (index, weight) in options.deflicker.iter().flatten().enumerate() {
        parameters.set(&format!("deflicker.lut_{index}"), i64::from(*weight)).unwrap();
    }
    let format = Format::new(clip.width, clip.height, sampling).with_depth(clip.depth as u8);
    let builder = Stream::builder(format, scan).denoise(options.denoise).denoise_chroma(options.chroma_denoise.is_some());
    let deinterlacer = match options.deinterlacer {
        Deinterlacer::Gen6 => dndi::Deinterlacer::Gen6,
        Deinterlacer::Balanced => dndi::Deinterlacer::Balanced,
        Deinterlacer::Best => dndi::Deinterlacer::Best,
    };
    let builder = builder.deflicker(options.deflicker.is_some());
    builder.deinterlace(options.deinterlace).deinterlacer(deinterlacer).chroma(chroma).parameters(parameters).simd_level(level)
}

/// The field match of a cadence code.
fn field_match(code: u8) -> FieldMatch {
    [FieldMatch::Deinterlace, FieldMatch::Previous, FieldMatch::Next][code as usize]
}

/// The comb mask of an output.
fn comb_mask(options: &Options, output: Option<usize>) -> CombMask {
    let mask = output.and_then(|output| options.masks.get(output)?.as_ref());
    mask.map_or(CombMask::default(), |mask| CombMask::new(mask.columns, mask.tile_width, mask.tile_height, mask.tiles.clone()))
}

/// Outputs and statistics of the library.
fn run(clip: &Clip, options: &Options, level: SimdLevel) -> Run {
    run_of(builder(clip, options, level), clip, options).run
}

/// A run with more than the model has.
pub struct Details {
    pub run: Run,
    /// The noise levels that the filters of luma and chroma used for each frame.
    pub levels: Vec<[Option<u16>; 2]>,
    /// The number of outputs up to each input frame.
    pub ready: Vec<usize>,
}

/// The same of a stream with other settings. The planes have a stride larger than the width.
pub fn run_of(builder: StreamBuilder, clip: &Clip, options: &Options) -> Details {
    let mut stream = builder.build().unwrap();
    let format = stream.input_format();
    let (mut outputs, mut statistics, mut levels, mut ready) = (vec![], vec![], vec![], vec![]);
    let codes = |n: usize| options.cadence.get(n).copied().unwrap_or_default();
    let mut pull = |stream: &mut Stream| {
        while let Some(output) = stream.pull() {
            if output.field_time.is_multiple_of(2) {
                levels.push([&output.denoise, &output.denoise_chroma].map(|state| state.as_ref()?.noise));
            }
            outputs.push(Output { time: output.field_time, planes: planes_of(&output.frame) });
            stream.recycle(output.frame);
        }
        outputs.len()
    };
    for (number, frame) in clip.frames.iter().enumerate() {
        let strided: [(Vec<u16>, usize); 3] = std::array::from_fn(|i| {
            let width = format.plane_size(i).0;
            let rows = frame[i].chunks(width.max(1)).flat_map(|row| row.iter().copied().chain([0xeeee; 5]));
            (rows.collect(), width + 5)
        });
        let bytes = strided.each_ref().map(|(words, _)| words.iter().map(|&word| word as u8).collect::<Vec<u8>>());
        let planes = [0, 1, 2].map(|i| {
            let (words, stride) = &strided[i];
            if clip.depth > 8 { PlaneRef::new(&words[..], *stride) } else { PlaneRef::new(&bytes[i][..], *stride) }
        });
        let (prev2, cur1) = codes(number);
        let step = StepMatches { second_of_previous: field_match(prev2), first_of_current: field_match(cur1) };
        let masks = [(2 * number).checked_sub(1), Some(2 * number)].map(|output| comb_mask(options, output));
        let matches = FieldMatches::from(step).final_match(field_match(codes(number + 1).0)).comb_masks(masks);
        stream.push(Input::new(&planes).matches(&matches)).unwrap();
        statistics.extend(statistics_of(&stream));
        ready.push(pull(&mut stream));
    }
    stream.flush().unwrap();
    statistics.extend(statistics_of(&stream));
    // Only denoising along motion has a step at the end.
    statistics.dedup();
    pull(&mut stream);
    Details { run: (outputs, statistics), levels, ready }
}

/// The statistics of the last step, if there is one.
fn statistics_of(stream: &Stream) -> Option<Statistics> {
    let s = stream.statistics()?;
    let (step, gne_sum, gne_count, gne, v) = (s.step, s.gne_sum, s.gne_count, s.gne, s.fmd_variances);
    let (motion_blocks, history_sum, stmm_sum) = (s.motion_blocks, s.history_sum, s.stmm_sum);
    Some(Statistics { step, gne_sum, gne_count, gne, v, motion_blocks, history_sum, stmm_sum })
}

/// The samples of the planes; chroma of mono is empty.
fn planes_of(frame: &Frame) -> [Vec<u16>; 3] {
    let planes = frame.planes();
    [0, 1, 2].map(|i| match planes.get(i).map(|plane| plane.samples) {
        None => vec![],
        Some(Samples::U8(bytes)) => bytes.iter().map(|&byte| byte.into()).collect(),
        Some(Samples::U16(words)) => words.to_vec(),
    })
}

/// Panics with the first difference if the library differs from the model at any supported
/// instruction set.
pub fn compare(name: &str, clip: &Clip, options: &Options) {
    let want = model::run(clip, options);
    for level in supported_levels() {
        if let Some(difference) = difference(clip, options, &want, &run(clip, options, level)) {
            panic!("{level}: {difference}\n{name}");
        }
    }
}

/// The same with one and with two threads.
pub fn compare_with_threads(name: &str, clip: &Clip, options: &Options) {
    compare_runs(name, clip, options, &model::run(clip, options), |level| run(clip, options, level));
}

/// Panics if a run of the library differs from `want` at any supported instruction set, with one
/// or with two threads.
pub fn compare_runs(name: &str, clip: &Clip, options: &Options, want: &Run, run: impl Fn(SimdLevel) -> Run + Sync) {
    static POOLS: LazyLock<[rayon::ThreadPool; 2]> =
        LazyLock::new(|| [1, 2].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()));
    for level in supported_levels() {
        for pool in POOLS.iter() {
            if let Some(difference) = difference(clip, options, want, &pool.install(|| run(level))) {
                panic!("{level}, {} threads: {difference}\n{name}", pool.current_num_threads());
            }
        }
    }
}

/// Panics if the kernel of the networks differs from the model for random inputs.
pub fn compare_network(text: &str, random: &mut Random, depth: u32) {
    let (network, model) = (dndi_simd::Network::parse(text.as_bytes()), Network::parse(text));
    let most = 255 << (depth - 8).min(4);
    let rows: Vec<Vec<i32>> = (0..70).map(|_| (0..network.inputs()).map(|_| random.within(-most..=most)).collect()).collect();
    let want: Vec<i32> = rows.iter().map(|row| model.correction(row, depth)).collect();
    let inputs: Vec<u16> = (0..network.inputs()).flat_map(|i| rows.iter().map(move |row| row[i] as u16)).collect();
    for level in supported_levels() {
        let mut got = vec![0; rows.len()];
        (Kernels::at(level).unwrap().network)(&mut got, &inputs, rows.len(), &network, depth as u8);
        // The kernel adds to the range of §14.4 one value, which the next kernel excludes.
        let got: Vec<i32> = got.into_iter().map(|value| i32::from(value as i16).max(-32767)).collect();
        assert_eq!(got, want, "{level}, {depth} bits, {text}");
    }
}

/// The instruction sets that the processor supports. The others are printed once.
fn supported_levels() -> impl Iterator<Item = SimdLevel> {
    static PRINTED: Once = Once::new();
    let unsupported = || SimdLevel::ALL.into_iter().filter(|level| !level.is_supported());
    PRINTED.call_once(|| unsupported().for_each(|level| eprintln!("{level} skipped: this processor does not support it")));
    SimdLevel::ALL.into_iter().filter(|level| level.is_supported())
}

/// The first difference of outputs and statistics.
fn difference(clip: &Clip, options: &Options, want: &Run, got: &Run) -> Option<String> {
    let times = |outputs: &[Output]| outputs.iter().map(|output| output.time).collect::<Vec<_>>();
    if times(&got.0) != times(&want.0) {
        return Some(format!("times {:?} instead of {:?}", times(&got.0), times(&want.0)));
    }
    let format = builder(clip, options, SimdLevel::Scalar).output_format();
    for (want, got) in want.0.iter().zip(&got.0) {
        for plane in 0..3 {
            let (width, _) = format.plane_size(plane);
            let (time, want, got) = (want.time, &want.planes[plane], &got.planes[plane]);
            if got.len() != want.len() {
                return Some(format!("time {time}, plane {plane}: {} samples instead of {}", got.len(), want.len()));
            }
            if let Some(at) = (0..want.len()).find(|&i| want[i] != got[i]) {
                let differing = want.iter().zip(got).filter(|(a, b)| a != b).count();
                let (x, y, got, want) = (at % width, at / width, got[at], want[at]);
                return Some(format!("time {time}, plane {plane}, x {x} y {y}: {got} instead of {want}; {differing} differ"));
            }
        }
    }
    if got.1.len() != want.1.len() {
        return Some(format!("{} rows of statistics instead of {}", got.1.len(), want.1.len()));
    }
    let row = want.1.iter().zip(&got.1).find(|(want, got)| want != got);
    row.map(|(want, got)| format!("statistics {got:?} instead of {want:?}"))
}
