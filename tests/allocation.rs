//! Resources of a stream: it allocates memory once and uses only the threads of the pool in which
//! it is called. All tests run in their own pools, because the last test requires that no test
//! starts the global rayon pool.

use allocation_counter::{AllocationInfo, measure};
use dndi::{
    ChromaOutput, Deinterlacer, DenoiseMode, Format, Frame, Parameters, PlaneMut, Sampling, Scale, Scan, SharpenMode, Stream,
    StreamBuilder,
};

/// Streams for every code path: progressive and deinterlaced, each chroma sampling and chroma
/// output, colour stages together and alone.
fn builders() -> Vec<StreamBuilder> {
    use Sampling::*;
    let size = |sampling| Format::new(52, 36, sampling);
    let mut builders = vec![
        Stream::builder(size(C420), Scan::Progressive),
        Stream::builder(size(C411), Scan::BottomFirst).deinterlace(false),
        Stream::builder(size(C444), Scan::TopFirst).denoise(false).deinterlace(false),
        Stream::builder(size(C422), Scan::TopFirst).denoise(false),
        Stream::builder(size(C420), Scan::TopFirst).deinterlacer(Deinterlacer::Best),
        Stream::builder(size(C422), Scan::TopFirst).deinterlacer(Deinterlacer::Gen6),
        Stream::builder(size(C420), Scan::Progressive).denoise_motion(true).denoise_chroma(DenoiseMode::Auto),
        Stream::builder(size(C422), Scan::TopFirst).denoise_motion(true).denoise(DenoiseMode::Strong),
        Stream::builder(size(C411), Scan::BottomFirst).denoise_motion(true).denoise_chroma(DenoiseMode::Light),
        Stream::builder(size(C444), Scan::TopFirst).deinterlacer(Deinterlacer::Best).denoise_motion(true).measured_noise(true),
    ];
    for sampling in [Mono, C420, C411, C422, C444] {
        for chroma in [ChromaOutput::Same, ChromaOutput::C422, ChromaOutput::C420, ChromaOutput::C420Drop] {
            builders.push(Stream::builder(size(sampling), Scan::BottomFirst).chroma(chroma));
        }
    }
    let mut parameters = Parameters::default();
    parameters.scaler.adaptive_filter_for_all_channels = true;
    for sampling in [Mono, C420, C444] {
        for builder in [
            Stream::builder(size(sampling), Scan::TopFirst).luma_statistics(true),
            Stream::builder(size(sampling), Scan::TopFirst).deinterlace(false).measured_noise(true),
            Stream::builder(size(sampling), Scan::Progressive).denoise(false).statistics(false),
        ] {
            let builder = builder.scale(Some(Scale::new(70, 20))).parameters(parameters.clone());
            builders.push(builder.clone().sharpen(Some(SharpenMode::Combination)));
            builders.push(builder);
        }
        builders
            .push(Stream::builder(size(sampling), Scan::BottomFirst).sharpen(Some(SharpenMode::Detail5)).measured_noise(true));
        for (stages, contrast) in [("std ste ace tcc procamp csc", None), ("procamp", Some(80)), ("csc", None)] {
            let mut parameters = Parameters::default();
            stages.split(' ').for_each(|stage| parameters.set(&format!("color.{stage}_enable"), 1).unwrap());
            let builder = Stream::builder(size(sampling), Scan::Progressive).parameters(parameters).auto_contrast(contrast);
            builders.push(builder.clone().luma_statistics(true));
            builders.push(builder.denoise(false).statistics(false));
        }
    }
    builders
}

/// Runs on one thread, where the counter sees all allocations.
fn on_one_thread(work: impl FnOnce() + Send) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(work);
}

/// Moving noise.
fn frames(format: Format) -> Vec<Frame> {
    let sample = |n: usize, i: usize| ((i + 5 * n).wrapping_mul(0x9e37_79b9) >> 13) as u8;
    (0..4).map(|n| Frame::from_vec(format, (0..format.samples()).map(|i| sample(n, i)).collect())).collect()
}

/// Pushes `count` frames; `pull` takes the output.
fn feed(stream: &mut Stream, frames: &[Frame], count: usize, mut pull: impl FnMut(&mut Stream)) -> AllocationInfo {
    measure(|| {
        for frame in frames.iter().cycle().take(count) {
            stream.push(&frame.planes()).unwrap();
            pull(stream);
        }
    })
}

fn recycle(stream: &mut Stream) {
    while let Some(output) = stream.pull() {
        stream.recycle(output.frame);
    }
}

#[test]
fn recycled_frames_need_no_new_memory() {
    on_one_thread(|| {
        for builder in builders() {
            let mut stream = builder.clone().build().unwrap();
            let frames = frames(stream.input_format());
            feed(&mut stream, &frames, 3, recycle);
            let info = feed(&mut stream, &frames, 20, recycle);
            assert_eq!(info, AllocationInfo::default(), "{builder:?}");
            // A flush and a reset allocate nothing either, except that a flush makes two outputs
            // more than a push if a frame waits to be denoised along motion and deinterlaced.
            let outputs = if stream.latency() > 2 { 2 } else { 0 };
            let info = measure(|| {
                stream.flush().unwrap();
                recycle(&mut stream);
                stream.reset();
            });
            assert!(info.count_total <= outputs, "{info:?}: {builder:?}");
            let info = feed(&mut stream, &frames, 5, recycle);
            assert_eq!(info, AllocationInfo::default(), "{builder:?}");
        }
    });
}

#[test]
fn frames_pulled_into_planes_need_no_new_memory() {
    on_one_thread(|| {
        for builder in builders() {
            let mut stream = builder.clone().build().unwrap();
            let frames = frames(stream.input_format());
            let format = stream.output_format();
            let mut memory = [0, 1, 2].map(|i| vec![0_u8; format.plane_size(i).0 * format.plane_size(i).1]);
            let mut pull = |stream: &mut Stream| {
                let [luma, u, v] = &mut memory;
                let stride = |i| format.plane_size(i).0;
                let mut planes = [
                    PlaneMut::new(&mut luma[..], stride(0)),
                    PlaneMut::new(&mut u[..], stride(1)),
                    PlaneMut::new(&mut v[..], stride(2)),
                ];
                while stream.pull_into(&mut planes).unwrap().is_some() {}
            };
            feed(&mut stream, &frames, 3, &mut pull);
            let info = feed(&mut stream, &frames, 20, &mut pull);
            assert_eq!(info, AllocationInfo::default(), "{builder:?}");
        }
    });
}

/// Frames that the application keeps or drops belong to it. The memory of the stream does not grow.
#[test]
fn a_long_stream_does_not_grow() {
    on_one_thread(|| {
        for builder in builders().into_iter().take(6) {
            let mut stream = builder.clone().build().unwrap();
            let frames = frames(stream.input_format());
            let drop_all = |stream: &mut Stream| while stream.pull().is_some() {};
            feed(&mut stream, &frames, 3, drop_all);
            let info = feed(&mut stream, &frames, 200, drop_all);
            assert_eq!((info.count_current, info.bytes_current), (0, 0), "{builder:?}");
            // At most two frames for the next step, and nothing besides frames.
            let output = stream.output_format().samples() as u64;
            assert!(info.bytes_max <= 2 * output && info.bytes_total <= 400 * output, "{builder:?}: {info:?}");
            // The stream does not keep more recycled frames than it made.
            let give_more = |stream: &mut Stream| {
                recycle(stream);
                stream.recycle(Frame::new(stream.output_format()));
            };
            feed(&mut stream, &frames, 3, give_more);
            let info = feed(&mut stream, &frames, 200, give_more);
            assert_eq!((info.count_current, info.bytes_current), (0, 0), "{builder:?}");
        }
    });
}

/// A stream allocates about as much as its planes need: it holds two steps (§1.4).
#[test]
fn a_stream_holds_a_bounded_number_of_frames() {
    on_one_thread(|| {
        let format = Format::new(720, 576, Sampling::C420);
        let mut stream = None;
        let info = measure(|| stream = Some(Stream::builder(format, Scan::TopFirst).build().unwrap()));
        let frames = info.bytes_current as f64 / format.samples() as f64;
        assert!((4.0..12.0).contains(&frames), "{frames} frames");
        drop(stream);
    });
}

/// A stream that only scales reads the caller's planes. Its memory besides output frames grows with
/// the width, not with the number of threads.
#[test]
fn scaling_alone_holds_no_pictures() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let bytes = |height: usize, threads: usize| {
        let format = Format::new(640, height, Sampling::C420);
        let builder =
            Stream::builder(format, Scan::Progressive).denoise(false).statistics(false).scale(Some(Scale::new(320, height)));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut bytes = 0;
        pool.install(|| {
            let mut stream = None;
            let made = measure(|| stream = Some(builder.build().unwrap())).bytes_current;
            let mut stream = stream.unwrap();
            let used = feed(&mut stream, &frames(format)[..1], 2, recycle).bytes_current;
            bytes = (made + used) as u64 - 2 * stream.output_format().samples() as u64;
        });
        bytes
    };
    let (low, high) = (bytes(2048, 1), bytes(8192, 1));
    // Per line: 8 bytes of positions. Per scratch buffer: 88 lines of 16 bits and of 8 bits, and
    // two blocks.
    assert!(high - low < 6144 * 20, "{low} and {high} bytes");
    assert!(low < threads * 200_000 + 2048 * 20, "{low} bytes");
    assert!(bytes(2048, 9) < low + 100_000, "{low} and {} bytes", bytes(2048, 9));
}

#[test]
fn inside_a_pool_the_global_one_is_not_started() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| {
        for builder in builders() {
            let mut stream = builder.build().unwrap();
            for frame in frames(stream.input_format()) {
                stream.push(&frame.planes()).unwrap();
                recycle(&mut stream);
            }
            stream.flush().unwrap();
        }
    });
    // The global pool can be made only once.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the global pool was not needed");
}
