//! Streams with any settings on any pictures: the instruction sets agree, the messages agree with
//! the pipeline, and a converter makes outputs in order of time.
#![no_main]
use dndi::convert::*;
use dndi::gen6::eu::Driver;
use dndi::*;
use libfuzzer_sys::fuzz_target;
use std::sync::Once;

/// The choices that the input makes; zeros after its end.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    fn below(&mut self, end: usize) -> usize {
        usize::from(u16::from_le_bytes([self.byte(), self.byte()])) % end
    }

    fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[usize::from(self.byte()) % values.len()]
    }

    /// True in one of `n` cases.
    fn rarely(&mut self, n: u8) -> bool {
        self.byte() % n == n - 1
    }

    fn float(&mut self) -> f32 {
        f32::from_bits(u32::from_le_bytes(std::array::from_fn(|_| self.byte())))
    }

    fn rect(&mut self) -> Rect {
        Rect { x: self.below(70), y: self.below(40), width: self.below(71), height: self.below(41) }
    }
}

const SAMPLINGS: [Sampling; 5] = [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444];
const DEPTHS: [u8; 8] = [8, 8, 8, 9, 10, 12, 14, 16];
const OUTPUT_DEPTHS: [Option<u8>; 8] = [None, None, None, None, Some(8), Some(10), Some(13), Some(16)];
const SCANS: [Scan; 3] = [Scan::Progressive, Scan::TopFirst, Scan::BottomFirst];
const MATCHES: [FieldMatch; 3] = [FieldMatch::Deinterlace, FieldMatch::Previous, FieldMatch::Next];

/// Runs parallel work on the thread that calls it.
fn on_this_thread() {
    static ONCE: Once = Once::new();
    let pool = || rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    ONCE.call_once(|| pool().build_global().expect("the first pool"));
}

fuzz_target!(|data: &[u8]| {
    on_this_thread();
    let mut choices = Choices(data);
    // The last bytes choose depths and the denoiser, so that older inputs keep the meaning of the
    // first ones.
    let [input, output] = [1, 2].map(|at| data.len().checked_sub(at).map_or(0, |at| usize::from(data[at])));
    let format = Format::new(1 + choices.below(70), 1 + choices.below(40), choices.of(&SAMPLINGS));
    let format = format.with_depth(DEPTHS[input % DEPTHS.len()]);
    let output_depth = OUTPUT_DEPTHS[output % OUTPUT_DEPTHS.len()];
    let dither = if output / 128 == 0 { Dither::Ordered } else { Dither::None };
    let denoise_motion = output / OUTPUT_DEPTHS.len() % 2 == 1;
    let builder = settings(&mut choices, format).output_depth(output_depth).dither(dither).denoise_motion(denoise_motion);
    let vector = choices.of(&[SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512]);
    let vector = if vector.is_supported() { vector } else { SimdLevel::Portable };
    let matching = choices.of(&[FieldMatching::Off, FieldMatching::Pattern, FieldMatching::Always]);
    let messages = choices.rarely(8);
    let conversion = choices.byte();
    let streams = [SimdLevel::Scalar, vector].map(|level| builder.clone().simd_level(level).build());
    let [Ok(mut scalar), Ok(stream)] = streams else {
        assert!(builder.check().is_err());
        return;
    };
    builder.check().expect("built settings");
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(stream)];
    if messages && let Ok(driver) = Driver::new(builder.clone(), Some(1)) {
        engines.push(Box::new(driver));
    }
    let frames = frames(&mut choices, format);
    let mut detector = Detector::builder(format).field_matching(matching).simd_level(vector).build().expect("a detector");
    for frame in &frames {
        let flags = choices.of(&[None, Some(Scan::Progressive), Some(Scan::TopFirst), Some(Scan::BottomFirst)]);
        detector.push(frame.planes()[0], flags).expect("a frame of the format");
    }
    detector.finish();
    for frame in &frames {
        let decision = detector.pull().expect("a decision for each frame");
        let step = StepMatches { second_of_previous: choices.of(&MATCHES), first_of_current: choices.of(&MATCHES) };
        let matches = if choices.rarely(2) { decision.matches } else { step.into() };
        let planes = frame.planes();
        Stream::push(&mut scalar, Input::new(&planes).matches(&matches)).expect("a frame of the format");
        engines.iter_mut().for_each(|engine| engine.push(Input::new(&planes).matches(&matches)).expect("a frame of the format"));
        compare(&mut scalar, &mut engines);
    }
    Stream::flush(&mut scalar).expect("a running stream");
    engines.iter_mut().for_each(|engine| engine.flush().expect("a running stream"));
    compare(&mut scalar, &mut engines);
    convert(conversion, builder, frames, format);
});

fn settings(choices: &mut Choices, format: Format) -> StreamBuilder {
    let fields: Vec<&ParameterField> = Parameters::fields().collect();
    let mut parameters = Parameters::default();
    for _ in 0..choices.below(8) {
        let field = fields[choices.below(fields.len())];
        let (min, max) = (i64::from(field.min), i64::from(field.max));
        let value = match choices.byte() % 4 {
            0 => min,
            1 => max,
            2 => min + choices.below((max - min) as usize + 1) as i64,
            _ => choices.below(65536) as i64 - 3000,
        };
        let _ = parameters.set(field.name, value);
    }
    let modes = [DenoiseMode::Off, DenoiseMode::Auto, DenoiseMode::On, DenoiseMode::Strong];
    let mut builder = Stream::builder(format, choices.of(&SCANS)).parameters(parameters);
    builder = builder.denoise(choices.of(&modes)).denoise_chroma(choices.of(&modes));
    if choices.rarely(3) {
        builder = builder.deinterlace(choices.rarely(2));
    }
    builder = builder.chroma(choices.of(&[ChromaOutput::Same, ChromaOutput::C422, ChromaOutput::C420, ChromaOutput::C420Drop]));
    builder = builder.deinterlacer(choices.of(&[Deinterlacer::Gen6, Deinterlacer::Balanced, Deinterlacer::Best]));
    let [statistics, luma, noise] = [0; 3].map(|_| choices.rarely(2));
    builder = builder.statistics(statistics).luma_statistics(luma).measured_noise(noise);
    if choices.rarely(3) {
        let mut scale = Scale::new(1 + choices.below(90), 1 + choices.below(60));
        if choices.rarely(2) {
            scale = scale.crop(choices.rect());
        }
        if choices.rarely(8) {
            scale = scale.addresses(Addresses { start: choices.float(), delta: choices.float(), second: choices.float() });
        }
        if choices.rarely(4) {
            scale = scale.sampling(choices.of(&SAMPLINGS));
        }
        builder = builder.scale(Some(scale));
    }
    let modes = [None, None, Some(SharpenMode::Detail3), Some(SharpenMode::Detail5), Some(SharpenMode::Combination)];
    builder = builder.sharpen(choices.of(&modes));
    builder = builder.chroma_location(choices.of(&[ChromaLocation::Left, ChromaLocation::Center, ChromaLocation::TopLeft]));
    if choices.rarely(6) {
        builder = builder.auto_contrast(Some(choices.byte()));
    }
    if choices.rarely(6) {
        builder = builder.area_of_interest(Some(choices.rect()));
    }
    builder
}

/// Up to five pictures: noise, flat, a pattern that moves, combing. The rest of the input replaces
/// their first samples.
fn frames(choices: &mut Choices, format: Format) -> Vec<Frame> {
    (0..choices.below(6))
        .map(|number| {
            let (kind, seed) = (choices.byte(), choices.byte());
            let mut frame = Frame::new(format);
            let mut random = u32::from(seed) | 1;
            let given = choices.0.len().min(choices.0.len() / 2 + 1);
            let extra = format.depth - 8;
            // A byte, and the bits that deeper samples have beyond it.
            let mut next = |at: usize| {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let top = match kind % 4 {
                    _ if at < given => choices.byte(),
                    0 => (random >> 24) as u8,
                    1 => seed,
                    2 => (at / 3 + number * 7) as u8,
                    _ if (at / format.width).is_multiple_of(2) => seed,
                    _ => !seed,
                };
                (top, u16::from(top) << extra | (random >> 8) as u16 & ((1 << extra) - 1))
            };
            match frame.samples_mut() {
                SamplesMut::U8(samples) => samples.iter_mut().enumerate().for_each(|(at, sample)| *sample = next(at).0),
                SamplesMut::U16(samples) => samples.iter_mut().enumerate().for_each(|(at, sample)| *sample = next(at).1),
            }
            frame
        })
        .collect()
}

/// All engines have the same outputs and statistics.
fn compare(scalar: &mut Stream, engines: &mut [Box<dyn Engine>]) {
    let wanted: Vec<Output> = std::iter::from_fn(|| Stream::pull(scalar)).collect();
    for engine in engines {
        let found: Vec<Output> = std::iter::from_fn(|| engine.pull()).collect();
        assert!(found == wanted, "outputs differ");
        assert_eq!(engine.statistics(), Stream::statistics(scalar));
        found.into_iter().for_each(|output| engine.recycle(output.frame));
    }
}

/// A conversion with the same settings, which may refuse them.
fn convert(choice: u8, builder: StreamBuilder, frames: Vec<Frame>, format: Format) {
    let rate = [None, Some(OutputRate::Field), Some(OutputRate::Frame), Some(OutputRate::Film)][usize::from(choice % 4)];
    let interlacing = [Interlacing::Unknown, Interlacing::Progressive, Interlacing::TopFirst, Interlacing::Mixed];
    let order = [FieldOrderMode::Auto, FieldOrderMode::Flags, FieldOrderMode::BottomFirst, FieldOrderMode::Progressive];
    let mode = [DeinterlaceMode::Auto, DeinterlaceMode::On, DeinterlaceMode::Flagged, DeinterlaceMode::Off];
    let converter = Converter::builder(format).rate(rate).interlacing(interlacing[usize::from(choice / 4 % 4)]);
    let converter = converter.field_order(order[usize::from(choice / 16 % 4)]).deinterlace(mode[usize::from(choice / 64)]);
    let shift = ChromaShift::new(i32::from(choice % 65) - 32, i32::from(choice % 33) - 16).unwrap_or_default();
    let converter = converter.repair_drop_outs(choice % 3 == 0).chroma_shift(if choice % 5 == 0 { shift } else { ChromaShift::default() });
    let converter = match converter.frame_rate(u32::from(choice), 1).stream(|_| builder).build() {
        // The rate contradicts other options.
        Err(Error::Options(_)) => return,
        converter => converter.expect("a format in range"),
    };
    let count = frames.len() as u64;
    let mut end = 0;
    for output in converter.convert(frames) {
        let Ok(output) = output else { return };
        assert!(output.time >= end, "an output before the end of the one before");
        end = output.time + output.duration;
        assert!(end <= 4 * count + 4);
    }
}
