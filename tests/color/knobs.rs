//! Each parameter of the colour pipe changes something, and what is only carried changes nothing.

use crate::cases;
use crate::content::Random;
use crate::{Job, Statistics};
use dndi::{ColorParameters, Crop, Format, Frame, ParameterField, Parameters, Sampling};

/// How many settings are looked at until one shows an effect.
const SETTINGS: u64 = 300;

/// No effect on any sample, as the specification has it.
const CARRIED: [&str; 4] = ["color.yuv_in", "color.yuv_out", "color.alpha_from_state_select", "color.color_pipe_alpha"];

fn result(color: &ColorParameters, frame: &Frame) -> (Frame, Statistics) {
    let area = Some(Crop { x: 3, y: 2, width: 10, height: 20 });
    Job { parameters: color.clone(), area }.library(frame)
}

/// Settings under which much is to be seen, and a picture.
fn setting(seed: u64) -> (Parameters, Frame) {
    let random = &mut Random::new(seed);
    let mut parameters = Parameters::default();
    let color = cases::parameters(random);
    if random.once_in(3) {
        parameters.color = color;
    }
    let frame = cases::picture(random, Format::new(40, 32, Sampling::C444), &parameters.color);
    // All stages on, but for what hides the others.
    let color = &mut parameters.color;
    (color.std_enable, color.ste_enable, color.ace_enable, color.tcc_enable) = (1, 1, 1, 1);
    (color.procamp_enable, color.transform_enable) = (1, 1);
    (color.output_control, color.skin_types_enable, color.vy_std_enable) = (0, 1, random.once_in(2).into());
    if random.once_in(2) {
        (color.y_point_1, color.y_point_2, color.y_point_3, color.y_point_4) = (60, 90, 160, 200);
    }
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
    Parameters::fields().filter(|field| field.name.starts_with("color."))
}

#[test]
fn each_parameter_changes_something() {
    let active = fields().filter(|field| !CARRIED.contains(&field.name));
    let silent: Vec<_> = active.filter(|field| !changes_something(field)).map(|field| field.name).collect();
    assert_eq!(silent, [""; 0]);
}

#[test]
fn what_is_carried_changes_nothing() {
    for seed in 0..100 {
        let (usual, frame) = setting(seed);
        let before = result(&usual.color, &frame);
        let mut parameters = usual.clone();
        for name in CARRIED {
            let field = fields().find(|field| field.name == name).unwrap();
            parameters.set(name, field.max.into()).unwrap();
            assert!(result(&parameters.color, &frame) == before, "{name}");
        }
    }
}
