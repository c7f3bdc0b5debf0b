//! Each parameter of the colour pipe changes an output, except passthrough fields.

use crate::cases;
use crate::content::Random;
use crate::{Job, Statistics};
use dndi::{ColorParameters, Format, Frame, ParameterField, Parameters, Rect, Sampling};

/// Number of random settings that are tried until one shows an effect.
const SETTINGS: u64 = 300;

/// Fields that have no effect on any sample according to the specification.
const PASSTHROUGH: [&str; 4] = ["color.yuv_in", "color.yuv_out", "color.alpha_from_state_select", "color.color_pipe_alpha"];

fn result(color: &ColorParameters, frame: &Frame) -> (Frame, Statistics) {
    let area = Some(Rect { x: 3, y: 2, width: 10, height: 20 });
    Job { parameters: color.clone(), area }.library(frame)
}

/// Settings under which most parameters have an effect, and a picture: curves and colours all
/// differ, points ascend, and many pixels count as skin.
fn setting(seed: u64) -> (Parameters, Frame) {
    let random = &mut Random::new(seed);
    let mut parameters = Parameters::default();
    let mut set = |name: &str, value: i32| parameters.set(&format!("color.{name}"), value.into()).unwrap();
    for stage in ["std", "ste", "ace", "tcc", "procamp", "transform", "skin_types"] {
        set(&format!("{stage}_enable"), 1);
    }
    set("vy_std_enable", random.once_in(2).into());
    for (name, value) in [("sat_max", 63), ("hue_max", 63), ("diamond_th", 63), ("diamond_alpha", 20)] {
        set(name, value);
    }
    for (i, value) in (1..).zip([40, 70, 180, 220]) {
        set(&format!("y_point_{i}"), value + random.within(-20..=20));
    }
    for (i, value) in [40, 90, 140, 190].into_iter().enumerate() {
        for (curve, bias) in [("l", 125), ("u", 185)] {
            set(&format!("p{i}{curve}"), value + random.within(-20..=20));
            set(&format!("b{i}{curve}"), bias + random.within(-20..=20));
        }
    }
    for (i, value) in (1..).zip([-20, 0, 20]) {
        for kind in ["", "_dark"] {
            for axis in ["sat", "hue"] {
                let point = value + random.within(-9..=9);
                set(&format!("{axis}p{i}{kind}"), point);
                set(&format!("{axis}b{i}{kind}"), 4 * point + random.within(-40..=40));
                set(&format!("{axis}s{i}{kind}"), random.within(100..=400));
            }
        }
    }
    for i in 1..=6 {
        set(&format!("sat_factor_{i}"), random.within(40..=200));
    }
    for i in 1..=10 {
        set(&format!("b{i}"), 16 + 20 * i + random.within(-9..=9));
        set(&format!("s{i}"), random.within(800..=1300));
    }
    for (name, value) in [("s0", 900), ("contrast", 120), ("cos_c_s", 240), ("sin_c_s", 20), ("c0", 1000), ("c4", 1100)] {
        set(name, value);
    }
    let frame = cases::picture(random, Format::new(40, 32, Sampling::C444), &parameters.color);
    (parameters, frame)
}

fn changes_something(field: &ParameterField) -> bool {
    let &ParameterField { name, min, max, default, .. } = field;
    (0..SETTINGS).any(|seed| {
        let (usual, frame) = setting(seed);
        let before = result(&usual.color, &frame);
        [min, max, (default + 1).min(max), (default - 1).max(min), (min + max) / 2].into_iter().any(|value| {
            let mut parameters = usual.clone();
            parameters.set(name, value.into()).unwrap();
            result(&parameters.color, &frame) != before
        })
    })
}

fn fields() -> impl Iterator<Item = &'static ParameterField> {
    let extended = |name: &str| name.starts_with("color.ccm_") || name.starts_with("color.fecsc_");
    Parameters::fields().filter(move |field| field.name.starts_with("color.") && !extended(field.name))
}

#[test]
fn each_parameter_changes_something() {
    let active = fields().filter(|field| !PASSTHROUGH.contains(&field.name));
    let silent: Vec<_> = active.filter(|field| !changes_something(field)).map(|field| field.name).collect();
    assert_eq!(silent, [""; 0]);
}

#[test]
fn passthrough_fields_change_nothing() {
    for seed in 0..40 {
        let (usual, frame) = setting(seed);
        let before = result(&usual.color, &frame);
        let mut parameters = usual.clone();
        for name in PASSTHROUGH {
            let field = fields().find(|field| field.name == name).unwrap();
            parameters.set(name, field.max.into()).unwrap();
            assert!(result(&parameters.color, &frame) == before, "{name}");
        }
    }
}
