//! Random cases: a seed gives a picture, parameters, an area and a description for failures.

use crate::content::{Random, Scene, plane, random_scene};
use crate::{Job, SAMPLINGS};
use dndi::{ColorParameters, Format, Frame, Parameters, Rect};

pub struct Case {
    pub name: String,
    pub job: Job,
    pub frame: Frame,
}

/// The case of a seed, of 8 bits.
pub fn random(seed: u64) -> Case {
    random_of_depth(seed, 8)
}

/// The case of a seed and a depth.
pub fn random_of_depth(seed: u64, depth: u8) -> Case {
    let random = &mut Random::new(seed);
    let size = |random: &mut Random| match random.within(0..=5) {
        0 => random.within(1..=5) as usize,
        1 => random.pick(&[31, 32, 33, 63, 64, 65, 97, 130]),
        _ => random.within(5..=40) as usize,
    };
    let format = Format::new(size(random), size(random), random.pick(&SAMPLINGS)).with_depth(depth);
    let parameters = parameters(random);
    let frame = picture(random, format, &parameters);
    let area = random.once_in(2).then(|| area(random, format));
    let name = format!("seed {seed}: {format:?}, {area:?}, {}", changes(&parameters));
    Case { name, job: Job { parameters, area }, frame }
}

/// A random rectangle inside the picture.
pub fn area(random: &mut Random, format: Format) -> Rect {
    let mut part = |whole: usize| {
        let first = random.within(0..=whole as i32 - 1);
        (first as usize, random.within(1..=whole as i32 - first) as usize)
    };
    let ((x, width), (y, height)) = (part(format.width), part(format.height));
    Rect { x, y, width, height }
}

/// The first field of each group of related fields: rectangle and rhombus, luma and curves, skin
/// tone enhancement, contrast, colour control, ProcAmp, matrix. Each group draws its own rate of
/// changed fields.
const PARTS: [&str; 7] = ["v_mid", "y_point_3", "satb1", "skin_threshold", "sat_factor_3", "contrast", "c1"];

/// Random stages, each with few or many changed parameters.
pub fn parameters(random: &mut Random) -> ColorParameters {
    let mut parameters = Parameters::default();
    let (mut rarity, stages) = (1, random.pick(&[1, 2, 2, 6]));
    let extended = |name: &str| name.starts_with("color.ccm_") || name.starts_with("color.fecsc_");
    for field in Parameters::fields().filter(|field| field.name.starts_with("color.") && !extended(field.name)) {
        if PARTS.contains(&&field.name["color.".len()..]) {
            rarity = random.pick(&[1, 2, 4, 30, 1000]);
        }
        let value = if field.name.ends_with("_enable") {
            random.once_in(stages).into()
        } else if random.once_in(rarity) {
            let near = (field.default - 4).max(field.min)..=(field.default + 4).min(field.max);
            let any = random.within(field.min..=field.max);
            random.pick(&[field.min, field.max, any, any, random.clone().within(near)])
        } else {
            continue;
        };
        parameters.set(field.name, value.into()).unwrap();
    }
    let color = &mut parameters.color;
    // The detector's output hides the result of the enhancement.
    color.output_control = random.once_in(5);
    if random.once_in(3) {
        // Points that do not exclude all skin.
        (color.y_point_1, color.y_point_2) = (random.within(0..=60) as u8, random.within(40..=120) as u8);
        (color.y_point_3, color.y_point_4) = (random.within(120..=220) as u8, random.within(200..=255) as u8);
    }
    if random.once_in(4) {
        // Skin near the ends of the sample range, where the enhancement may clip.
        color.u_mid = random.pick(&[0, 3, 128, 250, 255]);
        color.v_mid = random.pick(&[0, 3, 128, 250, 255]);
        if random.once_in(2) {
            // No other stage clips the result.
            (color.std_enable, color.ste_enable, color.output_control) = (true, true, false);
            (color.tcc_enable, color.procamp_enable, color.transform_enable) = (false, false, false);
        }
    }
    if random.once_in(4) {
        // A hue angle of 0, where the circle closes.
        color.base_color_1 = 0;
    }
    parameters.color
}

/// The parameters that differ from their defaults.
pub fn changes(color: &ColorParameters) -> String {
    let mut parameters = Parameters::default();
    parameters.color = color.clone();
    let all = Parameters::fields().zip(parameters.values());
    all.filter(|(field, value)| field.default != *value).map(|(field, value)| format!("{}={value} ", field.name)).collect()
}

/// A picture with colours anywhere, or near the skin colour of `p`.
pub fn picture(random: &mut Random, format: Format, p: &ColorParameters) -> Frame {
    let around = |scene: Scene, centre: i32, spread: i32| -> Scene {
        Box::new(move |x, y, t| centre + (scene(x, y, t).clamp(0, 255) - 128) * spread / 128)
    };
    let spread = random.pick(&[4, 12, 24, 40, 128]);
    let luma = if random.once_in(4) { 40 } else { 128 };
    let centres = if random.once_in(4) { [128; 3] } else { [128, p.u_mid, p.v_mid] }.map(i32::from);
    let planes = [0, 1, 2].map(|index| {
        let scene = around(random_scene(random).1, centres[index], if index == 0 { luma } else { spread });
        plane(&scene, format.plane_size(index), None, 0)
    });
    if format.depth == 8 {
        return Frame::from_vec(format, planes.concat());
    }
    // Lower bits at random, or samples at both ends of their range.
    let (more, ends) = (format.depth - 8, random.once_in(8));
    let word = |v: u8| match (ends, v < 128) {
        (true, true) => 0,
        (true, false) => u16::MAX >> (16 - format.depth),
        (false, _) => u16::from(v) << more | random.within(0..=(1 << more) - 1) as u16,
    };
    Frame::from_vec_u16(format, planes.concat().into_iter().map(word).collect())
}

/// A picture with every pair of chroma values, and a luma that changes from line to line.
pub fn all_chroma(luma: impl Fn(usize) -> u8) -> Frame {
    let format = Format::new(256, 256, dndi::Sampling::C444);
    let mut frame = Frame::new(format);
    let [y, u, v] = frame.byte_planes_mut();
    for at in 0..256 * 256 {
        (y[at], u[at], v[at]) = (luma(at), (at % 256) as u8, (at / 256) as u8);
    }
    frame
}
