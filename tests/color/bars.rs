//! Colour bars with the sample values of textbooks.

use crate::numbers::{LIMITED, WEIGHTS, conversion, from_rgb, times, to_rgb};
use crate::swatches;
use dndi::ColorParameters;

/// White, yellow, cyan, green, magenta, red, blue, black.
const RGB: [[bool; 3]; 8] = [
    [true, true, true],
    [true, true, false],
    [false, true, true],
    [false, true, false],
    [true, false, true],
    [true, false, false],
    [false, false, true],
    [false, false, false],
];
const FULL_601: [[u8; 3]; 8] = [
    [235, 128, 128],
    [210, 16, 146],
    [170, 166, 16],
    [145, 54, 34],
    [106, 202, 222],
    [81, 90, 240],
    [41, 240, 110],
    [16, 128, 128],
];
const LESS_601: [[u8; 3]; 8] = [
    [180, 128, 128],
    [162, 44, 142],
    [131, 156, 44],
    [112, 72, 58],
    [84, 184, 198],
    [65, 100, 212],
    [35, 212, 114],
    [16, 128, 128],
];
const FULL_709: [[u8; 3]; 8] = [
    [235, 128, 128],
    [219, 16, 138],
    [188, 154, 16],
    [173, 42, 26],
    [78, 214, 230],
    [63, 102, 240],
    [32, 240, 118],
    [16, 128, 128],
];
const LESS_709: [[u8; 3]; 8] = [
    [180, 128, 128],
    [168, 44, 136],
    [145, 147, 44],
    [133, 63, 52],
    [63, 193, 204],
    [51, 109, 212],
    [28, 212, 120],
    [16, 128, 128],
];

/// Checks that all samples are equal within 1.
fn assert_bars(got: &[[u8; 3]], want: &[[u8; 3]], what: &str) {
    let near = |a: &[u8; 3], b: &[u8; 3]| a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= 1);
    assert!(got.len() == 8 && got.iter().zip(want).all(|(a, b)| near(a, b)), "{what}: {got:?} instead of {want:?}");
}

#[test]
fn bars_are_full_colours() {
    let bars = [(&FULL_601, 0, 255), (&LESS_601, 0, 191), (&FULL_709, 1, 255), (&LESS_709, 1, 191)];
    for (bars, standard, level) in bars {
        let got = swatches(&conversion(&to_rgb(WEIGHTS[standard]), LIMITED, [0.0; 3]), bars);
        let want = RGB.map(|colour| colour.map(|on| if on { level } else { 0 }));
        assert_bars(&got, &want, &format!("{level} of {standard}"));
    }
}

#[test]
fn bars_of_one_standard_become_those_of_another() {
    for (from, to, bars, want) in [(0, 1, &FULL_601, &FULL_709), (1, 0, &FULL_709, &FULL_601), (0, 1, &LESS_601, &LESS_709)] {
        let matrix = times(&from_rgb(WEIGHTS[to]), &to_rgb(WEIGHTS[from]));
        assert_bars(&swatches(&conversion(&matrix, LIMITED, LIMITED), bars), want, &format!("{from} to {to}"));
    }
}

/// 75 % bars are 100 % bars with a contrast and a saturation of 3/4.
#[test]
fn procamp_makes_75_percent_bars() {
    let parameters = ColorParameters::default().procamp_enable(true).contrast(96).cos_c_s(192);
    assert_bars(&swatches(&parameters, &FULL_601), &LESS_601, "BT.601");
    assert_bars(&swatches(&parameters, &FULL_709), &LESS_709, "BT.709");
}

/// A hue of 180 degrees makes the complement of a colour: the bar at the same distance from the
/// other end. A hue of 90 degrees exchanges the chroma planes.
#[test]
fn procamp_turns_the_hue() {
    let half = ColorParameters::default().procamp_enable(true).cos_c_s(-256);
    for bars in [FULL_601, LESS_601, FULL_709, LESS_709] {
        let complements: Vec<_> = (0..8).map(|i| [bars[i][0], bars[7 - i][1], bars[7 - i][2]]).collect();
        assert_bars(&swatches(&half, &bars), &complements, "complements");
        // At 90 degrees U becomes -V, and V becomes U.
        let quarter = ColorParameters::default().procamp_enable(true).cos_c_s(0).sin_c_s(-256);
        let want: Vec<_> = bars.iter().map(|&[y, u, v]| [y, (256 - v as u16) as u8, u]).collect();
        assert_eq!(swatches(&quarter, &bars), want);
    }
}

#[test]
fn procamp_without_saturation_is_grey() {
    let grey = ColorParameters::default().procamp_enable(true).cos_c_s(0).brightness(-160);
    let want = FULL_601.map(|[y, ..]| [y.saturating_sub(10), 128, 128]);
    assert_eq!(swatches(&grey, &FULL_601), want);
}
