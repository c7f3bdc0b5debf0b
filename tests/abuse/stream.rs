//! Streams: formats, strides, scaling, field matches.
use crate::{REALS, SAMPLINGS, SIZES, pairs, texture};
use dndi::*;

const SCANS: [Scan; 3] = [Scan::Progressive, Scan::TopFirst, Scan::BottomFirst];

/// A format of a picture with two fields.
const FORMAT: Format = Format::new(36, 20, Sampling::C420);

fn run(stream: &mut Stream, format: Format, frames: usize) -> Vec<Output> {
    let mut outputs = vec![];
    for seed in 0..frames {
        stream.push(&texture(Frame::new(format), seed).planes()).unwrap();
        outputs.extend(std::iter::from_fn(|| stream.pull()));
    }
    stream.flush().unwrap();
    outputs.extend(std::iter::from_fn(|| stream.pull()));
    outputs
}

#[test]
fn formats_outside_the_range_are_errors() {
    for (sampling, scan) in SAMPLINGS.into_iter().flat_map(|sampling| SCANS.map(|scan| (sampling, scan))) {
        for (width, height) in pairs(&SIZES) {
            let builder = Stream::builder(Format::new(width, height, sampling), scan);
            assert_eq!((builder.output_format().width, builder.output_format().height), (width, height));
            let inside = (1..=MAX_SIZE).contains(&width) && (1..=MAX_SIZE).contains(&height);
            match builder.check() {
                Ok(()) => assert!(inside),
                Err(error) => {
                    assert!(matches!(error, Error::Size { .. }), "{error}");
                    assert_eq!(builder.build().err(), Some(error));
                }
            }
            let deep = Stream::builder(Format::new(width, height, sampling).with_depth(255), scan);
            assert_eq!(deep.build().err(), Some(Error::Depth(255)));
        }
    }
}

/// The widest and the tallest pictures, with motion compensation, at each instruction set.
#[test]
fn the_largest_sizes_do_not_depend_on_the_level() {
    for (width, height) in [(MAX_SIZE, 18), (MAX_SIZE - 1, 22), (18, MAX_SIZE), (17, MAX_SIZE - 2)] {
        let format = Format::new(width, height, Sampling::C420);
        for deinterlacer in [Deinterlacer::Balanced, Deinterlacer::Best] {
            let outputs = |level: Option<SimdLevel>| {
                let builder = Stream::builder(format, Scan::TopFirst).deinterlacer(deinterlacer).denoise_motion(true);
                run(&mut builder.denoise(true).simd_level(level).build().unwrap(), format, 3)
            };
            let [scalar, strongest] = [Some(SimdLevel::Scalar), None].map(outputs);
            assert_eq!(scalar.len(), 6);
            let equal = scalar.iter().zip(&strongest).all(|(a, b)| a.frame == b.frame);
            assert!(equal, "{width}x{height} {deinterlacer:?}");
        }
    }
}

#[test]
fn planes_of_absurd_strides_are_errors() {
    let samples = vec![0u8; 36 * 20];
    for stride in SIZES.into_iter().filter(|&stride| !(36..=MAX_SIZE).contains(&stride)) {
        for index in 0..3 {
            let mut planes = [PlaneRef::new(&samples[..], 36); 3];
            planes[index].stride = stride;
            let mut stream = Stream::builder(FORMAT, Scan::TopFirst).build().unwrap();
            let result = stream.push(&planes);
            // The chroma planes are 18 samples wide.
            assert!(matches!(result, Err(Error::Plane { index: i, stride: s, .. }) if (i, s) == (index, stride)), "{result:?}");
        }
    }
    let mut stream = Stream::builder(FORMAT, Scan::TopFirst).build().unwrap();
    assert!(matches!(stream.push(&[]), Err(Error::Plane { index: 0, .. })));
}

#[test]
fn outputs_of_absurd_strides_are_errors() {
    let mut stream = Stream::builder(FORMAT, Scan::Progressive).build().unwrap();
    stream.push(&texture(Frame::new(FORMAT), 1).planes()).unwrap();
    let mut memory = vec![0u8; 3 * 36 * 20];
    for stride in SIZES.into_iter().filter(|&stride| !(36..=MAX_SIZE).contains(&stride)) {
        for index in 0..3 {
            let mut strides = [36; 3];
            strides[index] = stride;
            let mut parts = memory.chunks_mut(36 * 20).zip(strides);
            let mut planes: [PlaneMut; 3] = std::array::from_fn(|_| {
                let (samples, stride) = parts.next().unwrap();
                PlaneMut::new(samples, stride)
            });
            let result = stream.pull_into(&mut planes);
            assert!(matches!(result, Err(Error::Plane { index: i, .. }) if i == index), "{stride} {index}: {result:?}");
        }
    }
    // The output is still there.
    assert!(stream.pull().is_some());
}

#[test]
fn scales_crops_and_areas_outside_the_range_are_errors() {
    for (width, height) in pairs(&SIZES) {
        let inside = (1..=MAX_SIZE).contains(&width) && (1..=MAX_SIZE).contains(&height);
        let stream = |change: &dyn Fn(StreamBuilder) -> StreamBuilder| change(Stream::builder(FORMAT, Scan::Progressive));
        let scaled = stream(&|stream| stream.scale(Some(Scale::new(width, height)))).check();
        assert_eq!(scaled.is_ok(), inside, "{width}x{height}: {scaled:?}");
        for (x, y) in pairs(&[0, 35, 36, usize::MAX]) {
            let rect = Rect { x, y, width, height };
            let fits = |at: usize, size: usize, whole: usize| size > 0 && at < whole && size <= whole - at;
            let fits = fits(x, width, 36) && fits(y, height, 20);
            let crop = stream(&|stream| stream.scale(Some(Scale::new(8, 8).crop(rect)))).check();
            assert_eq!(crop.is_ok(), fits, "{rect:?}: {crop:?}");
            assert_eq!(stream(&|stream| stream.scale(Some(Scale::cut(rect)))).check().is_ok(), fits);
            assert_eq!(stream(&|stream| stream.area_of_interest(Some(rect))).check().is_ok(), fits);
        }
    }
    for strength in [101, 128, 255] {
        assert!(Stream::builder(FORMAT, Scan::Progressive).auto_contrast(Some(strength)).build().is_err());
    }
    for (input, output) in
        [0, 7, 8, 9, 13, 16, 17, 255].into_iter().flat_map(|input| [0, 8, 11, 16, 17, 255].map(|output| (input, output)))
    {
        let builder = Stream::builder(FORMAT.with_depth(input), Scan::Progressive).output_depth(output);
        let wrong = [input, output].into_iter().find(|depth| !(8..=16).contains(depth));
        assert_eq!(builder.check().err(), wrong.map(Error::Depth), "{input} {output}");
    }
}

/// Any finite addresses give pictures of their size.
#[test]
fn scaled_addresses() {
    for (start, delta) in pairs(&REALS.map(|v| v as f32)) {
        for second in [0.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::NAN] {
            let addresses = Addresses { start, delta, second };
            let scale = Scale::new(70, 9).addresses(addresses);
            let built = Stream::builder(FORMAT, Scan::Progressive).denoise(false).scale(Some(scale)).build();
            let finite = [start, delta, second].iter().all(|v| v.is_finite());
            assert_eq!(built.is_ok(), finite, "{addresses:?}");
            if let Ok(mut stream) = built {
                assert!(run(&mut stream, FORMAT, 1).iter().all(|output| output.frame.format().width == 70));
            }
        }
    }
}

#[test]
fn coefficients_of_any_value() {
    for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
        for (value, other) in pairs(&[i8::MIN, i8::MAX, -1, 0]) {
            let row = [value, other, value, other, other, value, other, value];
            let table = [row; 17];
            let mut parameters = Parameters::default();
            parameters.coefficients.tables = Some(Box::new(FilterTables { x0: table, y0: table, x1: table, y1: table }));
            for full in [Sampling::C444, Sampling::C420] {
                let format = Format::new(40, 33, full);
                let builder = Stream::builder(format, Scan::Progressive).parameters(parameters.clone()).simd_level(level);
                let builder = builder.scale(Some(Scale::new(77, 70))).sharpen(Some(SharpenMode::Combination));
                assert_eq!(run(&mut builder.build().unwrap(), format, 2).len(), 2);
            }
        }
    }
}

/// All parameters at one end of their range.
#[test]
fn parameters_at_the_ends_of_their_ranges() {
    for greatest in [false, true] {
        let mut parameters = Parameters::default();
        for field in Parameters::fields() {
            parameters.set(field.name, if greatest { field.max } else { field.min }.into()).unwrap();
        }
        // The thresholds of the blends must fit each other.
        for (name, value) in [("stmm_min", 0), ("stmm_max", 1), ("stmm_shift", 0), ("color.ymin", 0), ("color.ymax", 255)] {
            parameters.set(name, value).unwrap();
        }
        parameters.check(true).unwrap();
        let outputs = SimdLevel::ALL.into_iter().filter(|level| level.is_supported()).map(|level| {
            let builder = Stream::builder(FORMAT, Scan::TopFirst).parameters(parameters.clone()).simd_level(level);
            let builder = builder.denoise_chroma(true).scale(Some(Scale::new(50, 44))).sharpen(Some(SharpenMode::Detail5));
            run(&mut builder.auto_contrast(Some(100)).build().unwrap(), FORMAT, 4)
        });
        let outputs: Vec<_> = outputs.collect();
        assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]));
    }
}

#[test]
fn fields_outside_their_range_are_errors() {
    let wrong = |change: &dyn Fn(&mut Parameters)| {
        let mut parameters = Parameters::default();
        change(&mut parameters);
        let mut stream = Stream::builder(FORMAT, Scan::TopFirst).build().unwrap();
        assert!(matches!(stream.set_parameters(parameters.clone()), Err(Error::Parameter(_))));
        let built = Stream::builder(FORMAT, Scan::TopFirst).parameters(parameters).build();
        assert!(matches!(built, Err(Error::Parameter(_))));
    };
    wrong(&|p| p.denoise.temporal_diff_th = u8::MAX);
    wrong(&|p| p.chroma_denoise.temporal_diff_low = u8::MAX);
    wrong(&|p| p.deinterlace.stmm_shift = u8::MAX);
    wrong(&|p| p.deinterlace.stmm_c2 = 0);
    wrong(&|p| p.compensation.cat_slope = 0);
    wrong(&|p| p.scaler.transition_4 = u8::MAX);
    wrong(&|p| p.sharpen.gain_factor = u8::MAX);
    wrong(&|p| p.color.contrast = u16::MAX);
    wrong(&|p| p.color.brightness = i16::MIN);
    wrong(&|p| p.fmd.fmd_thr_tear = u8::MAX);
    wrong(&|p| p.noise.bne_noise_th = u8::MAX);
}

#[test]
fn field_matches_with_masks_of_any_shape() {
    for (columns, size) in pairs(&SIZES) {
        for tiles in [vec![true], vec![true, false, true]] {
            let mask = CombMask::new(columns, size, columns, tiles);
            let step = StepMatches { second_of_previous: FieldMatch::Next, first_of_current: FieldMatch::Previous };
            let mut matches = FieldMatches::from(step);
            (matches.comb_masks, matches.final_match) = ([mask.clone(), mask], FieldMatch::Previous);
            let mut stream = Stream::builder(FORMAT, Scan::BottomFirst).build().unwrap();
            let mut outputs = 0;
            for seed in 0..2 {
                let frame = texture(Frame::new(FORMAT), seed);
                stream.push(Input::new(&frame.planes()).matches(&matches)).unwrap();
                outputs += std::iter::from_fn(|| stream.pull()).count();
            }
            stream.flush().unwrap();
            assert_eq!(outputs + std::iter::from_fn(|| stream.pull()).count(), 4);
        }
    }
}

#[test]
fn geometry_of_any_numbers() {
    let check = |geometry| Stream::builder(FORMAT, Scan::Progressive).geometry(geometry).check();
    for (width, height) in pairs(&SIZES) {
        let inside = (1..=MAX_SIZE).contains(&width) && (1..=MAX_SIZE).contains(&height);
        let result = check(Geometry::default().canvas(Canvas::new(width, height, 0, 0)));
        assert_eq!(result.is_ok(), inside, "{width}x{height}: {result:?}");
        assert_eq!(FilterWindow::new(width, height).is_ok(), (1..=15).contains(&width) && (1..=15).contains(&height));
        assert!(FilterWindow::with_mask(width, vec![u16::MAX; 2]).is_err());
        let kernel = ConvolutionKernel::new(width, vec![i16::MIN; 93]);
        assert_eq!(kernel.is_ok(), [3].contains(&width), "{width}");
    }
    for (x, y) in pairs(&[i32::MIN, i32::MIN + 1, -2, -1, 0, 1, 2, i32::MAX - 1, i32::MAX]) {
        let canvas = Canvas::new(50, 30, x, y);
        let geometry = Geometry::default().rotation(Rotation::Quarter).canvas(canvas.fill([0, 255, 7]));
        assert_eq!(check(geometry).is_ok(), x % 2 == 0 && y % 2 == 0, "{x} {y}");
        if check(geometry).is_ok() {
            let mut stream = Stream::builder(FORMAT, Scan::Progressive).geometry(geometry).build().unwrap();
            assert!(run(&mut stream, FORMAT, 1).iter().all(|output| output.frame.format().width == 50));
        }
    }
    for (across, down) in pairs(&[0, 8, 9, u8::MAX]) {
        let siting = Siting { across, down };
        let _ = siting.location();
        assert_eq!(check(Geometry::default().sitings(siting, siting)).is_ok(), across <= 8 && down <= 8);
    }
}

/// The greatest sums of the greatest kernel.
#[test]
fn kernels_of_any_coefficients() {
    for (depth, coefficient) in [8, 12, 16].into_iter().flat_map(|depth| [i16::MIN, i16::MAX].map(|k| (depth, k))) {
        let format = Format::new(40, 20, Sampling::Mono).with_depth(depth);
        let kernel = ConvolutionKernel::new(31, vec![coefficient; 31 * 31]).unwrap();
        let filters = PictureFilters::default().convolve(kernel);
        let mut stream = Stream::builder(format, Scan::Progressive).denoise(false).filters(filters).build().unwrap();
        let most = ((1u32 << depth) - 1) as u16;
        let frame = match depth {
            8 => Frame::from_vec(format, vec![255; 800]),
            _ => Frame::from_vec_u16(format, vec![most; 800]),
        };
        stream.push(&frame.planes()).unwrap();
        let out = stream.pull().unwrap().frame;
        let want = if coefficient > 0 { most } else { 0 };
        match out.samples() {
            Samples::U8(samples) => assert!(samples.iter().all(|&v| u16::from(v) == want)),
            Samples::U16(samples) => assert!(samples.iter().all(|&v| v == want)),
        }
    }
}
