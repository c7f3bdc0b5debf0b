//! Valid and invalid settings.
use super::*;

#[test]
fn sizes_out_of_range_are_refused() {
    use Sampling::*;
    use Scan::*;
    use SizeRequirement::*;
    for (width, height, sampling, scan, needs) in [
        (0, 2, Mono, Progressive, Limits),
        (2, 0, C420, TopFirst, Limits),
        (8193, 2, C422, TopFirst, Limits),
        (2, 8193, Mono, Progressive, Limits),
        (2, usize::MAX, C444, BottomFirst, Limits),
        (4, 1, Mono, TopFirst, EvenHeight),
        (4, 575, C422, BottomFirst, EvenHeight),
        (4, 2, C420, TopFirst, FourLines),
    ] {
        let builder = Stream::builder(Format::new(width, height, sampling), scan);
        let error = builder.check().unwrap_err();
        assert_eq!(error, Error::Size { width, height, needs });
        assert_eq!(error.to_string(), format!("picture size {width}x{height}: {needs}"));
        assert_eq!(builder.clone().build().unwrap_err(), error);
        // Without deinterlacing the limits are the same.
        assert_eq!(builder.deinterlace(false).check(), Err(error));
    }
}

#[test]
fn the_smallest_and_largest_sizes_are_possible() {
    use Sampling::*;
    for sampling in SAMPLINGS {
        let largest = Format::new(8192, 8192, sampling);
        assert_eq!(Stream::builder(largest, Scan::BottomFirst).check(), Ok(()));
        let smallest = Stream::builder(Format::new(1, 1, sampling), Scan::Progressive);
        assert_eq!(run(&mut smallest.build().unwrap(), 3).len(), 3);
        let lines = if sampling == C420 { 4 } else { 2 };
        for chroma in CHROMA {
            let smallest = Stream::builder(Format::new(1, lines, sampling), Scan::BottomFirst).chroma(chroma);
            assert_eq!(run(&mut smallest.build().unwrap(), 3).len(), 6);
        }
    }
    let mut long = Stream::builder(Format::new(8192, 2, Mono), Scan::TopFirst).build().unwrap();
    let mut high = Stream::builder(Format::new(1, 8192, C411), Scan::TopFirst).build().unwrap();
    assert_eq!((run(&mut long, 2).len(), run(&mut high, 2).len()), (4, 4));
}

#[test]
fn contradictory_settings_are_refused() {
    let deep = |depth| Stream::builder(Format::new(20, 12, Sampling::C420).with_depth(depth), Scan::TopFirst);
    for depth in [7, 17] {
        let error = deep(depth).build().unwrap_err();
        assert_eq!((&error, error.to_string().contains(&format!("{depth} bits"))), (&Error::Depth(depth), true));
        assert_eq!(deep(10).output_depth(depth).build().unwrap_err(), Error::Depth(depth));
    }

    let progressive = Stream::builder(Format::new(20, 12, Sampling::C420), Scan::Progressive);
    assert_eq!(progressive.clone().check(), Ok(()));
    assert_eq!(progressive.deinterlace(true).build().unwrap_err(), Error::NotInterlaced);

    for chroma in [ChromaOutput::C422, ChromaOutput::C420, ChromaOutput::C420Drop] {
        let error = interlaced(Sampling::C411).deinterlace(false).chroma(chroma).build().unwrap_err();
        assert_eq!(error, Error::Chroma { input: Sampling::C411 });
        assert_eq!(error.to_string(), "output chroma for 411: without deinterlacing it stays the same");
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    let refused = |change: fn(&mut Parameters)| {
        let mut parameters = Parameters::default();
        change(&mut parameters);
        interlaced(Sampling::C420).parameters(parameters).build().unwrap_err()
    };
    let error = refused(|parameters| parameters.denoise.asd_th = 64);
    assert!(matches!(error, Error::Parameter(ParameterError::Range { name: "asd_th", value: 64, min: 0, max: 63, .. })));
    assert_eq!(error.to_string(), "asd_th = 64 is outside 0…63");
    let error = refused(|parameters| parameters.passthrough.column_width = 0);
    assert_eq!(error.to_string(), "column_width = 0 is outside 1…512");
    let error = refused(|parameters| parameters.denoise.temporal_diff_low = 13);
    assert!(matches!(error, Error::Parameter(ParameterError::Conflict { .. })), "{error}");
    let error = refused(|parameters| parameters.deinterlace.stmm_max = 149);
    assert!(error.to_string().contains("stmm_max - stmm_min = 149 - 118"), "{error}");
    // Each field of each stage is checked.
    for field in Parameters::fields() {
        let mut parameters = Parameters::default();
        for outside in [i64::from(field.min) - 1, i64::from(field.max) + 1, i64::MAX, i64::MIN] {
            let error = parameters.set(field.name, outside).unwrap_err();
            assert!(matches!(error, ParameterError::Range { name, .. } if name == field.name), "{error}");
        }
        assert_eq!(parameters, Parameters::default());
    }
}

#[test]
fn the_stream_uses_the_chosen_simd_level() {
    for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
        assert_eq!(interlaced(Sampling::C420).simd_level(level).build().unwrap().simd_level(), level);
    }
}
