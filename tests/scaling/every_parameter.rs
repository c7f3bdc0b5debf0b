//! Each parameter of the scaler and of the sharpening filter changes an output.

use crate::content::Random;
use crate::{MODES, builder, picture, process};
use dndi::{Format, Frame, ParameterField, Parameters, Sampling, Scale, Scan};

/// Number of random pictures that are tried until one shows an effect.
const PICTURES: u64 = 60;

fn changes_something(field: &ParameterField) -> bool {
    let &ParameterField { name, min, max, default, .. } = field;
    let format = Format::new(48, 40, Sampling::C444);
    let process = |parameters: &Parameters, frame: &Frame| -> Vec<Frame> {
        let settings = builder(format, Scan::Progressive).parameters(parameters.clone());
        match name.starts_with("scaler.") {
            true => vec![process(&settings.scale(Some(Scale::new(65, 31))), frame)],
            false => MODES.map(|mode| process(&settings.clone().sharpen(Some(mode)), frame)).to_vec(),
        }
    };
    let mut usual = Parameters::default();
    match name {
        // It replaces the adaptive filter.
        "scaler.default_sharpness" => usual.scaler.bypass_x_adaptive = true,
        // Thresholds of parts that are off by default.
        "ief.mr_threshold" => usual.sharpen.mr_boost = true,
        "ief.steepness_threshold" => usual.sharpen.steepness_boost = true,
        "ief.skin_tuned" => usual.color.std_enable = true,
        "ief.skin_detail_factor" => {
            usual.color.std_enable = true;
            usual.sharpen.skin_tuned = true;
        }
        _ => {}
    }
    (0..PICTURES).any(|seed| {
        let frame = picture(&mut Random::new(seed), format);
        let before = process(&usual, &frame);
        [min, max, default + 1, default - 1].into_iter().filter(|value| (min..=max).contains(value)).any(|value| {
            let mut parameters = usual.clone();
            parameters.set(name, value.into()).unwrap();
            process(&parameters, &frame) != before
        })
    })
}

#[test]
fn each_parameter_changes_something() {
    let fields = Parameters::fields().filter(|field| field.name.starts_with("scaler.") || field.name.starts_with("ief."));
    let silent: Vec<_> = fields.filter(|field| !changes_something(field)).map(|field| field.name).collect();
    assert_eq!(silent, [""; 0]);
}

#[test]
fn each_coefficient_changes_something() {
    let format = Format::new(48, 40, Sampling::C420);
    let frame = picture(&mut Random::new(2), format);
    // Equal sizes use row 0 only, the others use many rows.
    let out = |parameters: &Parameters| {
        [(48, 40), (67, 59), (131, 117)].map(|(width, height)| {
            let scale = Some(Scale::new(width, height));
            process(&builder(format, Scan::Progressive).parameters(parameters.clone()).scale(scale), &frame)
        })
    };
    let usual = out(&Parameters::default());
    for table in ["0x", "0y", "1x", "1y"] {
        for (beta, tap) in [(0, 3), (5, 2), (15, 4), (9, 5)] {
            let mut parameters = Parameters::default();
            parameters.set(&format!("scaler.table_{table}.{beta}.{tap}"), 90).unwrap();
            assert!(out(&parameters) != usual, "{table} {beta} {tap}");
        }
    }
}
