//! Tests the colour pipe against real arithmetic: the bounds are those of integer rounding.

use crate::content::Random;
use crate::{model, swatches};
use approx::assert_abs_diff_eq;
use dndi::{ColorParameters, Parameters};
use std::f64::consts::TAU;

type ColorMatrix = [[f64; 3]; 3];

/// Weights of red and blue in the luma of BT.601, BT.709 and BT.2020.
pub const WEIGHTS: [(f64, f64); 3] = [(0.299, 0.114), (0.2126, 0.0722), (0.2627, 0.0593)];

/// Luma and chroma of black, 8-bit samples in limited range.
pub const LIMITED: [f64; 3] = [16.0, 128.0, 128.0];

/// The matrix from Y, U and V, less their values at black, to RGB of 0…255, in limited range.
pub fn to_rgb((red, blue): (f64, f64)) -> ColorMatrix {
    let green = 1.0 - red - blue;
    let (y, c) = (255.0 / 219.0, 255.0 / 224.0);
    let (u, v) = (2.0 * (1.0 - blue) * c, 2.0 * (1.0 - red) * c);
    [[y, 0.0, v], [y, -u * blue / green, -v * red / green], [y, u, 0.0]]
}

/// The inverse matrix: the definition of luma and chroma.
pub fn from_rgb((red, blue): (f64, f64)) -> ColorMatrix {
    let luma = [red, 1.0 - red - blue, blue];
    let row = |of: [f64; 3], scale: f64| [0, 1, 2].map(|k| (of[k] - luma[k]) * scale);
    let chroma = |weight: f64| 224.0 / 255.0 / (2.0 * (1.0 - weight));
    [luma.map(|k| k * 219.0 / 255.0), row([0.0, 0.0, 1.0], chroma(blue)), row([1.0, 0.0, 0.0], chroma(red))]
}

pub fn times(a: &ColorMatrix, b: &ColorMatrix) -> ColorMatrix {
    [0, 1, 2].map(|j| [0, 1, 2].map(|k| (0..3).map(|i| a[j][i] * b[i][k]).sum()))
}

pub fn apply(m: &ColorMatrix, v: [f64; 3]) -> [f64; 3] {
    m.map(|row| (0..3).map(|k| row[k] * v[k]).sum())
}

/// Parameters of a conversion of 8-bit samples that subtracts `zero_in`, multiplies, adds
/// `zero_out` and rounds.
pub fn conversion(m: &ColorMatrix, zero_in: [f64; 3], zero_out: [f64; 3]) -> ColorParameters {
    let mut parameters = Parameters::default();
    let mut set = |name: String, value: f64| parameters.set(&format!("color.{name}"), value.round() as i64).unwrap();
    // Offsets after the matrix have less range, but where they suffice they do for both.
    let shift = if zero_out == [0.0; 3] { [0.0; 3] } else { apply(m, zero_in) };
    for j in 0..3 {
        (0..3).for_each(|k| set(format!("c{}", 3 * j + k), m[j][k] * 1024.0));
        set(format!("offset_in_{}", j + 1), if zero_out == [0.0; 3] { -4.0 * zero_in[j] } else { 0.0 });
        set(format!("offset_out_{}", j + 1), 4.0 * (zero_out[j] - shift[j]) + 2.0);
    }
    set("transform_enable".into(), 1.0);
    parameters.color
}

fn random_colours(seed: u64, count: usize) -> Vec<[u8; 3]> {
    let random = &mut Random::new(seed);
    (0..count).map(|_| [0; 3].map(|_| random.within(0..=255) as u8)).collect()
}

/// The centre of the values that an 8-bit sample holds after truncation.
fn centre(sample: u8) -> f64 {
    sample as f64 + 0.5
}

#[test]
fn matrices_inverse_to_each_other() {
    for weights in WEIGHTS {
        let identity = times(&to_rgb(weights), &from_rgb(weights));
        for (j, row) in identity.iter().enumerate() {
            row.iter().enumerate().for_each(|(k, &v)| assert_abs_diff_eq!(v, f64::from(u8::from(j == k)), epsilon = 1e-12));
        }
    }
}

/// Coefficients are rounded to 1/1024, for samples of up to 240; offsets are rounded to 1/4; the
/// result is rounded.
#[test]
fn matrices_make_rgb() {
    for (seed, weights) in (0..).zip(WEIGHTS) {
        let colours = random_colours(seed, 4000);
        let got = swatches(&conversion(&to_rgb(weights), LIMITED, [0.0; 3]), &colours);
        for (from, got) in colours.iter().zip(got) {
            let want = apply(&to_rgb(weights), [0, 1, 2].map(|k| from[k] as f64 - LIMITED[k]));
            for (got, want) in got.into_iter().zip(want) {
                assert_abs_diff_eq!(got as f64, want.clamp(0.0, 255.0), epsilon = 0.9);
            }
        }
    }
}

#[test]
fn matrices_change_between_standards() {
    for (seed, from) in (0..).zip(WEIGHTS) {
        for to in WEIGHTS {
            let matrix = times(&from_rgb(to), &to_rgb(from));
            let colours = random_colours(seed, 2000);
            let got = swatches(&conversion(&matrix, LIMITED, LIMITED), &colours);
            for (from, got) in colours.iter().zip(got) {
                let want = apply(&matrix, [0, 1, 2].map(|k| from[k] as f64 - LIMITED[k]));
                for ((got, want), zero) in got.into_iter().zip(want).zip(LIMITED) {
                    assert_abs_diff_eq!(got as f64, (want + zero).clamp(0.0, 255.0), epsilon = 0.9);
                }
            }
        }
    }
}

/// Hue rotates the chroma, and contrast scales the luma. Cosine and sine are rounded to 1/256, for
/// samples of up to 128.
#[test]
fn procamp_rotates() {
    for (seed, degrees) in (0..360).step_by(15).enumerate() {
        let random = &mut Random::new(seed as u64);
        let (contrast, brightness) = (random.within(0..=300) as u16, random.within(-800..=800) as i16);
        let saturation = random.within(0..=30) as f64 / 10.0;
        let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
        let parameters = ColorParameters::default()
            .procamp_enable(true)
            .contrast(contrast)
            .brightness(brightness)
            .cos_c_s((256.0 * saturation * cos).round() as i16)
            .sin_c_s((256.0 * saturation * sin).round() as i16);
        let colours = random_colours(seed as u64, 1000);
        for (from, got) in colours.iter().zip(swatches(&parameters, &colours)) {
            let [y, u, v] = [0, 1, 2].map(|k| from[k] as f64 - LIMITED[k]);
            let luma = y * contrast as f64 / 128.0 + brightness as f64 / 16.0;
            let chroma = [u * cos + v * sin, v * cos - u * sin].map(|c| saturation * c);
            let [luma, u, v] = [luma + 16.0, chroma[0] + 128.0, chroma[1] + 128.0].map(|v| v.clamp(0.0, 256.0));
            assert_abs_diff_eq!(centre(got[0]), luma, epsilon = 0.5 + 1.0 / 16.0 + 1e-9);
            assert_abs_diff_eq!(centre(got[1]), u, epsilon = 1.0 + 1.0 / 16.0 + 1e-9);
            assert_abs_diff_eq!(centre(got[2]), v, epsilon = 1.0 + 1.0 / 16.0 + 1e-9);
        }
    }
}

/// The curve passes through the points, with the slopes of the lines between them.
#[test]
fn ace_interpolates() {
    for seed in 0..40 {
        let random = &mut Random::new(seed);
        let mut parameters = Parameters::default();
        let mut set = |name: String, value: i32| parameters.set(&format!("color.{name}"), value.into()).unwrap();
        let (mut points, mut values) = (vec![random.within(0..=30)], vec![]);
        for i in 1..=11 {
            points.push(points[i - 1] + random.within(1..=20));
        }
        values.push(points[0]);
        for i in 1..=11 {
            // The slope's field holds values below 2.
            values.push((values[i - 1] + random.within(0..=2 * (points[i] - points[i - 1]) - 1)).min(255));
        }
        set("ymin".into(), points[0]);
        set("ymax".into(), points[11]);
        for i in 1..=10 {
            set(format!("y{i}"), points[i]);
            set(format!("b{i}"), values[i]);
        }
        for i in 0..=10 {
            let slope = f64::from(values[i + 1] - values[i]) / f64::from(points[i + 1] - points[i]);
            set(format!("s{i}"), (1024.0 * slope).round() as i32);
        }
        set("ace_enable".into(), 1);
        let colours: Vec<[u8; 3]> = (0..=255).map(|y| [y, 99, 200]).collect();
        for (y, got) in (0..).zip(swatches(&parameters.color, &colours)) {
            let segment = (0..11).find(|&i| (points[i]..points[i + 1]).contains(&y));
            let want = segment.map_or(f64::from(y), |i| {
                let part = f64::from(y - points[i]) / f64::from(points[i + 1] - points[i]);
                f64::from(values[i]) + part * f64::from(values[i + 1] - values[i])
            });
            assert_abs_diff_eq!(centre(got[0]), want, epsilon = 0.5 + 1.0 / 16.0 + 0.02);
        }
    }
}

/// The angle, 1024 for a full circle.
fn real_angle(u: f64, v: f64) -> f64 {
    v.atan2(u) * 1024.0 / TAU
}

/// The polynomial is off by up to 0.005 (0.8 of an angle step), its argument by 1/1024, and the
/// result is rounded.
#[test]
fn the_angle_is_that_of_atan2() {
    let mut most = 0.0_f64;
    for u in -512..=511 {
        for v in -512..=511 {
            if (u, v) != (0, 0) {
                let error = (model::angle(u, v) as f64 - real_angle(u as f64, v as f64)).rem_euclid(1024.0);
                most = most.max(error.min(1024.0 - error));
            }
        }
    }
    assert!((0.5..1.5).contains(&most), "{most}");
}

/// Saturation by colour: the factor changes from one base colour to the next with the slope of its
/// field, so an angle that is off by 1.5 changes it by 1.5 times that slope. The factor itself is
/// truncated to 1/256 three times.
#[test]
fn tcc_blends_the_factors_of_base_colours() {
    let base = [145.0, 307.0, 483.0, 657.0, 819.0, 995.0];
    let slope = [405.0, 744.0, 1131.0, 407.0, 372.0, 377.0];
    let bias = [0.0, 150.0, 0.0, 0.0, 0.0, 0.0];
    for seed in 0..20 {
        let random = &mut Random::new(seed);
        let factors = [0; 6].map(|_| random.within(0..=255) as u8);
        let mut parameters = ColorParameters::default().tcc_enable(true);
        [parameters.sat_factor_1, parameters.sat_factor_2, parameters.sat_factor_3] = [factors[0], factors[1], factors[2]];
        [parameters.sat_factor_4, parameters.sat_factor_5, parameters.sat_factor_6] = [factors[3], factors[4], factors[5]];
        let colours = random_colours(seed, 4000);
        for (from, got) in colours.iter().zip(swatches(&parameters, &colours)) {
            let [u, v] = [1, 2].map(|k| from[k] as f64 - 128.0);
            let theta = real_angle(u, v).rem_euclid(1024.0);
            let i = (0..5).find(|&i| base[i] <= theta && theta < base[i + 1]).unwrap_or(5);
            let al = ((theta - base[i]).rem_euclid(1024.0) * slope[i] / 256.0 - bias[i]).clamp(0.0, 256.0) / 256.0;
            let [first, second] = [factors[i], factors[(i + 1) % 6]].map(|factor| f64::from(factor) / 128.0);
            let factor = less_where_strong((1.0 - al) * first + al * second, 4.0 * u.abs().max(v.abs()));
            let tolerance = 1.5 * slope[i] / 65536.0 * (second - first).abs() + 4.0 / 256.0;
            assert_eq!(got[0], from[0]);
            for (got, chroma) in got[1..].iter().zip([u, v]) {
                let want = (128.0 + chroma * factor).clamp(0.0, 256.0);
                assert_abs_diff_eq!(centre(*got), want, epsilon = 0.5 + chroma.abs() * tolerance + 1.0 / 16.0);
            }
        }
    }
}

/// A factor above 1 decreases as the larger chroma component (10 bits) grows, and is 1 from 448 on.
/// Below 11 it decreases too, and is 1 up to 3.
fn less_where_strong(factor: f64, larger: f64) -> f64 {
    if factor <= 1.0 {
        return factor;
    }
    let strong = (448.0 - larger).max(0.0) * 146.0 / 65536.0;
    1.0 + (factor - 1.0) * strong * ((larger - 3.0) / 8.0).clamp(0.0, 1.0)
}
