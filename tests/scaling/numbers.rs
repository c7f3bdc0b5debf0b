//! Tests the scaler against real arithmetic: the bounds are those of integer rounding.

use crate::content::Random;
use crate::model::ideal;
use crate::{builder, picture, process};
use approx::assert_abs_diff_eq;
use dndi::{FilterTables, Format, Parameters, Sampling, Scale, Scan};

const SIZES: [(usize, usize); 7] = [(64, 128), (64, 81), (64, 64), (64, 50), (64, 21), (64, 7), (9, 100)];

/// Coefficients are rounded. One of them takes the sum of the rounding errors.
#[test]
fn tables_are_windowed_sincs() {
    for (source, target) in SIZES.into_iter().chain([(1920, 1280), (1280, 1920), (8192, 512), (512, 8192)]) {
        let tables = FilterTables::new((source, source), (target, target));
        for (table, lobes) in [(&tables.x0, 4.0), (&tables.x1, 2.0)] {
            for (beta, row) in table.iter().enumerate() {
                let ideal = ideal(source, target, lobes, beta);
                let mut errors: Vec<f64> = row.iter().zip(ideal).map(|(&k, ideal)| (k as f64 - ideal).abs()).collect();
                errors.sort_by(f64::total_cmp);
                assert!(errors[6] <= 0.5 + 1e-9, "{source} to {target}, row {beta}");
                assert_abs_diff_eq!(errors[7], 0.0, epsilon = 0.5 * 8.0);
            }
        }
    }
}

/// With the sharp filter alone the output is the double sum of samples and coefficients, except for
/// clipping between the directions and for rounding: half a step of 10 bits in each direction, the
/// first one filtered by the second, and half a step of 8 bits.
#[test]
fn sharp_scaling_is_a_double_sum() {
    let mut parameters = Parameters::default();
    parameters.scaler.bypass_x_adaptive = true;
    parameters.scaler.bypass_y_adaptive = true;
    for (seed, (source, target)) in (0..).zip(SIZES) {
        let format = Format::new(source, 40, Sampling::Mono);
        let frame = picture(&mut Random::new(seed), format);
        let scale = Scale::new(target, 33);
        let got = process(&builder(format, Scan::Progressive).parameters(parameters.clone()).scale(Some(scale)), &frame);
        let tables = FilterTables::new((source, 40), (target, 33));
        let across = |y: usize| -> Vec<f64> {
            let line: Vec<f64> = frame.plane(0)[y * source..][..source].iter().map(|&v| 4.0 * v as f64).collect();
            (0..target).map(|x| sum(&tables.x0, x, source, target, |i| line[i])).collect()
        };
        let lines: Vec<Vec<f64>> = (0..40).map(across).collect();
        let weight = tables.y0.iter().map(|row| row.iter().map(|k| k.unsigned_abs() as f64).sum::<f64>()).fold(0.0, f64::max);
        let most = (0.5 * weight / 64.0 + 0.5) / 4.0 + 0.5;
        for y in 0..33 {
            for x in 0..target {
                let column = |i: usize| lines.get(i).map_or(0.0, |line: &Vec<f64>| line[x].clamp(0.0, 1023.0));
                let want = sum(&tables.y0, y, 40, 33, column).clamp(0.0, 1020.0) / 4.0;
                assert_abs_diff_eq!(got.plane(0)[y * target + x] as f64, want, epsilon = most + 1e-9);
            }
        }
    }
}

/// The sum for output sample `x`, with its position truncated to 1/32.
fn sum(table: &[[i8; 8]; 17], x: usize, source: usize, target: usize, sample: impl Fn(usize) -> f64) -> f64 {
    let position = (x as f64 + 0.5) * source as f64 / target as f64 - 0.5;
    // The division may be below a whole 1/32 by one ulp.
    let q = (32.0 * position + 1e-9).floor() as i64;
    let (i, beta) = (q.div_euclid(32), q.rem_euclid(32) as usize);
    let coefficient = |k: usize| if beta > 16 { table[32 - beta][7 - k] } else { table[beta][k] } as f64;
    (0..8).map(|k| coefficient(k) / 64.0 * sample((i - 3 + k as i64).clamp(0, source as i64 - 1) as usize)).sum()
}
