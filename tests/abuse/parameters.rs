//! Parameters, picture controls and coefficient tables.
use crate::{REALS, SIZES, VALUES, WORDS, pairs};
use dndi::{
    Coefficients, ColorMatrix, ColorParameters, ColorRange, ColorSaturation, ColorSpace, FilterTables, Format, Frame, GammaTable,
    GamutTable, ParameterError, Parameters, ProcAmp, Sampling, ScaleFilter, Scan, Stream, VertexTable, WhiteBalance,
};

#[test]
fn values_outside_their_range_are_errors() {
    for field in Parameters::fields() {
        let mut parameters = Parameters::default();
        for value in VALUES {
            let allowed = i32::try_from(value).is_ok_and(|value| (field.min..=field.max).contains(&value));
            match parameters.set(field.name, value) {
                Ok(()) => assert!(allowed && parameters.get(field.name).map(i64::from) == Ok(value), "{} {value}", field.name),
                Err(error) => assert!(!allowed && matches!(error, ParameterError::Range { .. }), "{error}"),
            }
        }
    }
}

#[test]
fn coefficients_outside_their_range_are_errors() {
    let mut parameters = Parameters::default();
    for value in VALUES {
        let set = parameters.set("scaler.table_0x.16.7", value);
        assert_eq!(set.is_ok(), i8::try_from(value).is_ok(), "{value}");
        for name in ["scaler.table_0x.17.0", "scaler.table_0x.18446744073709551616.0", "scaler.table_1y.0.7", "scaler.table_0x"] {
            assert!(parameters.set(name, value).is_err(), "{name}");
        }
    }
    assert_eq!(parameters.coefficients.fixed(), [("scaler.table_0x.16.7".to_owned(), 0)]);
}

#[test]
fn tables_for_any_ratio_add_up() {
    for source in pairs(&SIZES) {
        for target in pairs(&[0, 1, 8192, usize::MAX / 2, usize::MAX]) {
            let tables = FilterTables::new(source, target);
            assert_eq!(Coefficients::default().filter_tables(source, target), tables);
            let five = FilterTables::of(ScaleFilter::Poly5, source, target);
            assert_eq!(Coefficients::default().tables_of(ScaleFilter::Poly5, source, target), five);
            for (name, table) in tables.named().into_iter().chain(five.named()) {
                for row in table {
                    assert_eq!(row.iter().map(|&k| i32::from(k)).sum::<i32>(), 64, "{name} {source:?} {target:?}");
                }
            }
        }
    }
}

#[test]
fn picture_controls_outside_their_range_are_errors() {
    let before = ColorParameters::default();
    let changes: [fn(ProcAmp, f64) -> ProcAmp; 4] = [ProcAmp::brightness, ProcAmp::contrast, ProcAmp::saturation, ProcAmp::hue];
    for (change, limits) in changes.into_iter().zip([-100.0..=100.0, 0.0..=10.0, 0.0..=10.0, -180.0..=180.0]) {
        for range in [ColorRange::Limited, ColorRange::Full] {
            for value in REALS.into_iter().chain([*limits.start(), *limits.end()]) {
                let mut parameters = before.clone();
                let set = parameters.set_procamp(&change(ProcAmp::default().range(range), value));
                assert_eq!(set.is_ok(), limits.contains(&value), "{value}");
                assert!(set.is_ok() || parameters == before);
                let mut all = Parameters::default();
                all.color = parameters;
                assert_eq!(all.check(true), Ok(()));
            }
        }
    }
}

#[test]
fn saturations_and_skin_tones_outside_their_range_are_errors() {
    let before = ColorParameters::default();
    type Set = fn(ColorSaturation, f64) -> ColorSaturation;
    let changes: [Set; 6] = [
        ColorSaturation::red,
        ColorSaturation::yellow,
        ColorSaturation::green,
        ColorSaturation::cyan,
        ColorSaturation::blue,
        ColorSaturation::magenta,
    ];
    for value in REALS.into_iter().chain([0.0, 1.0, 255.0 / 128.0]) {
        for change in changes {
            let mut parameters = before.clone();
            let set = parameters.set_color_saturation(&change(ColorSaturation::default(), value));
            assert_eq!(set.is_ok(), (0.0..=255.0 / 128.0).contains(&value), "{value}");
            assert!(set.is_ok() || parameters == before);
        }
        let mut parameters = before.clone();
        let set = parameters.set_skin_tone(value);
        assert_eq!(set.is_ok(), (0.0..=1.0).contains(&value), "{value}");
        assert!(set.is_ok() || parameters == before);
    }
}

#[test]
fn errors_of_any_numbers_are_printed() {
    for (value, min) in pairs(&REALS) {
        assert!(!ParameterError::Real { name: "hue", value, min, max: f64::NAN }.to_string().is_empty());
    }
    for value in VALUES {
        assert!(!ParameterError::Range { name: "hue", value, min: i32::MIN, max: i32::MAX }.to_string().is_empty());
    }
}

/// Depths that no stage has count as the nearest one that stages have.
#[test]
fn conversions_of_any_depth_have_valid_parameters() {
    for matrix in [ColorMatrix::Bt601, ColorMatrix::Bt2020] {
        for range in [ColorRange::Limited, ColorRange::Full] {
            let (from, to) = (ColorSpace { matrix, range }, ColorSpace { matrix: ColorMatrix::Bt709, range: ColorRange::Full });
            let converted = |depth: u8| {
                let (mut color, mut rgb) = (ColorParameters::default(), ColorParameters::default());
                color.set_conversion(from, to, depth);
                rgb.set_conversion_to_rgb(from, depth);
                let stream = |color: &ColorParameters| {
                    let mut parameters = Parameters::default();
                    parameters.color = color.clone();
                    let format = Format::new(16, 8, Sampling::C444).with_depth(depth.clamp(8, 16));
                    Stream::builder(format, Scan::Progressive).parameters(parameters).check()
                };
                assert_eq!((stream(&color), stream(&rgb)), (Ok(()), Ok(())), "{depth}");
                [color, rgb]
            };
            // A conversion tries many offsets.
            for depth in [0, 1, 7, 8, 9, 16, 17, 127, 128, 255] {
                assert_eq!(converted(depth), converted(depth.clamp(8, 16)), "{depth}");
            }
        }
    }
}

#[test]
fn gammas_outside_their_range_are_errors() {
    for gamma in REALS.into_iter().chain([0.1, 10.0]) {
        assert_eq!(GammaTable::power(gamma).is_ok(), (0.1..=10.0).contains(&gamma), "{gamma}");
    }
}

/// Tables and parameters at the ends of their ranges, on the smallest and the largest samples.
#[test]
fn tables_of_any_words() {
    let ends = |most: bool| {
        let mut parameters = Parameters::default();
        for field in Parameters::fields().filter(|field| ["gamut", "lace", "wb", "color"].contains(&field.group().unwrap_or("")))
        {
            let is_switch = field.name.ends_with("_enable");
            let value = if is_switch {
                field.default
            } else if most {
                field.max
            } else {
                field.min
            };
            parameters.set(field.name, value.into()).unwrap();
        }
        parameters
    };
    for word in WORDS {
        let [gamma, gamut] = [GammaTable::from_state(&[word; 2048]), GammaTable::from_state(&[!word; 2048])];
        let (expansion, vertex) = (GamutTable::from_state(&[word; 1024]), VertexTable::from_state(&[word; 512]));
        for (most, table, depth) in [(false, gamma, 8), (true, gamut, 16)] {
            let format = Format::new(5, 3, Sampling::C444).with_depth(depth);
            let mut frame = Frame::new(format);
            match frame.samples_mut() {
                dndi::SamplesMut::U8(samples) => samples.iter_mut().step_by(2).for_each(|v| *v = 255),
                dndi::SamplesMut::U16(samples) => samples.iter_mut().step_by(2).for_each(|v| *v = 65535),
            }
            let plain = Stream::builder(format, Scan::Progressive).denoise(false).parameters(ends(most));
            let plain = plain.white_balance(if most { WhiteBalance::Set } else { WhiteBalance::Auto }).color_correction(true);
            let plain = plain.gamma(table).gamut_expansion(expansion.clone()).front_conversion(true);
            let mut stream = plain.gamut_compression(vertex.clone()).local_contrast(true).build().unwrap();
            stream.push(&frame.planes()).unwrap();
            assert!(stream.pull().is_some());
        }
    }
}
