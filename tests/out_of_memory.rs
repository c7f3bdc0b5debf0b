//! A lack of memory: in small runs of the library the n-th allocation fails, for each n. Every run
//! returns [`OutOfMemory`], and none ends the process.
//!
//! Allocations of at least [`LEAST`] bytes are counted. Smaller ones are boxes and queues of the
//! standard library and of rayon, whose failure ends the process; [`OutOfMemory`] documents them.
//! The pictures are so wide or high that every buffer that grows with them is counted.

use dndi::convert::{Converter, Deblender, FieldOrderMode, OutputRate};
use dndi::y4m;
use dndi::{
    Blend, BlendKernel, BlendRate, ChromaOutput, ChromaShift, CompositeStandard, Deinterlacer, DenoiseMode, Detector,
    DotCrawlMeter, Error, FieldOrder, Format, Frame, OutOfMemory, Parameters, Samples, Sampling, Scale, Scan, SharpenMode,
    Stream, StreamBuilder,
};
use dndi_failing_allocator::{FailingAllocator, Failure};
use std::io::{Cursor, ErrorKind};

#[global_allocator]
static ALLOCATOR: FailingAllocator = FailingAllocator;

/// The smallest size in bytes of the allocations that fail.
const LEAST: usize = 4096;

/// Runs `run` on one thread: first without failures, then with the failure of each allocation
/// alone, then of each allocation and all after it. `run` returns a checksum of its results.
#[track_caller]
fn check(name: &str, run: impl Fn() -> Result<u64, Error> + Sync) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let run = |first, all| pool.install(|| FailingAllocator::run(Failure { least: LEAST, first, all }, &run));
    let (whole, count) = run(u64::MAX, false);
    whole.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(count > 0, "{name} allocates nothing");
    for (first, all) in (0..count).flat_map(|first| [(first, false), (first, true)]) {
        match run(first, all).0 {
            Err(Error::OutOfMemory(error)) => assert!(error.bytes() > 0, "{name}, allocation {first}"),
            other => panic!("{name}, allocation {first} of {count}: {other:?}"),
        }
    }
}

/// Adds the samples of a frame to a checksum.
fn sum(sum: &mut u64, frame: &Frame) {
    let mut add = |sample: u16| *sum = sum.wrapping_mul(31).wrapping_add(sample.into());
    match frame.samples() {
        Samples::U8(samples) => samples.iter().step_by(61).for_each(|&sample| add(sample.into())),
        Samples::U16(samples) => samples.iter().step_by(61).for_each(|&sample| add(sample)),
    }
}

/// Moving noise.
fn frames(format: Format, count: usize) -> Vec<Frame> {
    let sample = |n: usize, i: usize| ((i + 5 * n).wrapping_mul(0x9e37_79b9) >> 13) as u8;
    (0..count)
        .map(|n| {
            let samples = (0..format.samples()).map(|i| sample(n, i));
            match format.depth {
                8 => Frame::from_vec(format, samples.collect()),
                _ => Frame::from_vec_u16(format, samples.map(u16::from).collect()),
            }
        })
        .collect()
}

/// Builds a stream and runs frames through it; with `keep` without recycling.
fn run_stream(builder: &StreamBuilder, frames: &[Frame], keep: bool) -> Result<u64, Error> {
    let (mut stream, mut checksum) = (builder.clone().build()?, 0);
    let mut pull = |stream: &mut Stream| {
        while let Some(output) = stream.pull() {
            sum(&mut checksum, &output.frame);
            if !keep {
                stream.recycle(output.frame);
            }
        }
    };
    for frame in frames {
        stream.push(&frame.planes())?;
        pull(&mut stream);
    }
    stream.set_parameters(stream.parameters().clone())?;
    checksum ^= stream.maps()?.map_or(0, |maps| maps.history.len() as u64);
    stream.flush()?;
    while stream.pull().is_some() {}
    Ok(checksum)
}

#[test]
fn streams() {
    let mut color = Parameters::default();
    for stage in ["std", "ste", "ace", "tcc", "procamp", "csc"] {
        color.set(&format!("color.{stage}_enable"), 1).unwrap();
    }
    color.scaler.adaptive_filter_for_all_channels = true;
    for (width, height) in [(8192, 8), (8, 8192)] {
        let builder = |sampling, scan| Stream::builder(Format::new(width, height, sampling), scan);
        use Sampling::*;
        let streams = [
            builder(C420, Scan::TopFirst),
            builder(C411, Scan::BottomFirst).chroma(ChromaOutput::C420).denoise_chroma(true),
            builder(C444, Scan::TopFirst).sharpen(Some(SharpenMode::Combination)).measured_noise(true),
            builder(Mono, Scan::Progressive).denoise(false).statistics(false),
            builder(C422, Scan::TopFirst).scale(Some(Scale::new(height, width))).sharpen(Some(SharpenMode::Detail5)),
            builder(C444, Scan::Progressive).parameters(color.clone()).scale(Some(Scale::new(width - 1, height))),
            builder(C420, Scan::TopFirst).deinterlace(false).auto_contrast(Some(50)).luma_statistics(true),
        ];
        for (number, builder) in streams.iter().enumerate() {
            let sampling = [C420, C411, C444, Mono, C422, C444, C420][number];
            let frames = frames(Format::new(width, height, sampling), 2);
            // Frames that are not recycled are allocated again.
            let keep = number % 2 == 0;
            check(&format!("stream {number} of {width}x{height}"), || run_stream(builder, &frames, keep));
        }
    }
    // It allocates as much as all others together.
    for (sampling, depth) in [(Sampling::C420, 8), (Sampling::Mono, 10)] {
        let format = Format::new(256, 32, sampling);
        let builder = Stream::builder(format, Scan::BottomFirst).deinterlacer(Deinterlacer::Best).output_depth(depth);
        let frames = frames(format, 2);
        check(&format!("best, {depth} bits"), || run_stream(&builder, &frames, false));
        let builder = Stream::builder(format, Scan::TopFirst).denoise_motion(true).denoise_chroma(DenoiseMode::Light);
        for builder in [builder.clone().deinterlacer(Deinterlacer::Gen6), builder.deinterlace(false).output_depth(depth)] {
            check(&format!("denoising along motion, {depth} bits"), || run_stream(&builder, &frames, false));
        }
    }
}

#[test]
fn detectors() {
    let format = Format::new(8192, 80, Sampling::Mono);
    let frames = frames(format, 4);
    check("detector", || {
        let (mut detector, mut woven) = (Detector::builder(format).build()?, 0);
        for number in 0..30 {
            // Two pictures of three fields: every second frame repeats.
            detector.push(frames[number / 2 % 4].planes()[0], None)?;
            while let Some(decision) = detector.pull() {
                woven += decision.matches.step.first_of_current.code() as u64;
            }
        }
        detector.finish();
        while detector.pull().is_some() {}
        Ok(woven)
    });
}

#[test]
fn converters() {
    for (rate, order, depth) in [
        (OutputRate::Field, FieldOrderMode::TopFirst, 8),
        (OutputRate::Field, FieldOrderMode::Progressive, 8),
        (OutputRate::Film, FieldOrderMode::Auto, 8),
        // Frames wait packed.
        (OutputRate::Film, FieldOrderMode::Auto, 10),
    ] {
        let width = if depth == 8 { 8192 } else { 1024 };
        let format = Format::new(width, 8, Sampling::C420).with_depth(depth);
        let frames = frames(format, 3);
        check(&format!("converter of {depth} bits to {rate:?}, {order:?}"), || {
            let mut converter = Converter::builder(format).frame_rate(25, 1).rate(Some(rate)).field_order(order).build()?;
            converter.capture(3);
            let mut checksum = 0;
            let pull = |converter: &mut Converter, checksum: &mut u64| -> Result<(), Error> {
                while let Some(output) = converter.pull()? {
                    sum(checksum, &output.frame);
                }
                Ok(())
            };
            for number in 0..15 {
                let frame = match converter.spare_input() {
                    Some(frame) => frame,
                    None => frames[number % 3].try_clone()?,
                };
                converter.push(frame)?;
                pull(&mut converter, &mut checksum)?;
            }
            converter.finish();
            pull(&mut converter, &mut checksum)?;
            Ok(checksum)
        });
    }
}

#[test]
fn repaired_inputs() {
    let format = Format::new(4096, 4, Sampling::C420);
    let frames = frames(format, 3);
    check("measured crosstalk", || {
        let mut meter = DotCrawlMeter::default();
        frames.iter().cycle().take(5).try_for_each(|frame| meter.add(frame))?;
        Ok(0)
    });
    check("repair", || {
        let builder = Converter::builder(format).field_order(FieldOrderMode::Progressive).stream(|stream| stream.denoise(false));
        let shift = ChromaShift::new(6, 2).unwrap();
        let builder = builder.repair_drop_outs(true).repair_dot_crawl(Some(CompositeStandard::Ntsc));
        let mut converter = builder.chroma_shift(shift).build()?;
        let mut checksum = 0;
        for frame in frames.iter().map(Some).chain([None]) {
            match frame {
                Some(frame) => converter.push(frame.try_clone()?)?,
                None => converter.finish(),
            }
            while let Some(output) = converter.pull()? {
                sum(&mut checksum, &output.frame);
            }
        }
        Ok(checksum)
    });
}

#[test]
fn pictures_of_blended_fields() {
    let format = Format::new(4096, 8, Sampling::C420);
    let frames = frames(format, 4);
    check("deblending", || {
        let blend = Blend::new(BlendRate::P24In50, BlendKernel::Linear);
        let builder = Converter::builder(format).stream(|stream| stream.deinterlacer(Deinterlacer::Gen6));
        let mut deblender = Deblender::new(builder, blend, FieldOrder::TopFirst)?;
        let mut checksum = 0;
        for frame in frames.iter().map(Some).chain([None]) {
            match frame {
                Some(frame) => deblender.push(frame.try_clone()?)?,
                None => deblender.finish()?,
            }
            while let Some(picture) = deblender.pull()? {
                sum(&mut checksum, &picture.frame);
            }
        }
        Ok(checksum)
    });
}

#[test]
fn readers_and_frames() {
    let format = Format::new(128, 64, Sampling::C420);
    let parameter = format!("FRAME X{}\n", "x".repeat(2 * LEAST));
    let lack = |error: y4m::Error| match error {
        y4m::Error::Io(error) if error.kind() == ErrorKind::OutOfMemory => Error::from(lack_of_memory()),
        error => panic!("{error}"),
    };
    for (chroma, bytes) in [("420jpeg", 1), ("420p10", 2)] {
        let mut clip = format!("YUV4MPEG2 W128 H64 Ip C{chroma}\n").into_bytes();
        for frame in frames(format, 3) {
            clip.extend_from_slice(parameter.as_bytes());
            clip.extend_from_slice(&frame.data().repeat(bytes));
        }
        check(chroma, || {
            let mut reader = y4m::Reader::new(Cursor::new(&clip)).map_err(lack)?;
            let mut frame = Frame::default();
            reader.seek_past().map_err(lack)?;
            reader.skip().map_err(lack)?;
            reader.read(&mut frame).map_err(lack)?;
            Ok(frame.samples().len() as u64)
        });
    }
    for depth in [8, 10] {
        let format = format.with_depth(depth);
        check("frame", || Ok(Frame::try_new(format)?.try_clone()?.samples().len() as u64));
    }
}

/// An error of the library for a lack of memory.
fn lack_of_memory() -> OutOfMemory {
    // More than an address space has.
    Frame::try_new(Format::new(1 << 31, 1 << 31, Sampling::Mono)).unwrap_err()
}
