//! Conversions against real arithmetic.
use super::*;
use crate::parameters::field::Stage;
use ColorMatrix::{Bt601, Bt709, Bt2020};
use ColorRange::{Full, Limited};

fn spaces() -> impl Iterator<Item = ColorSpace> {
    [Bt601, Bt709, Bt2020].into_iter().flat_map(|matrix| [Limited, Full].map(|range| ColorSpace { matrix, range }))
}

fn pairs() -> impl Iterator<Item = (ColorSpace, ColorSpace)> {
    spaces().flat_map(|from| spaces().map(move |to| (from, to)))
}

/// The conversion of an 8-bit pixel by §6.6.
fn pixel(p: &ColorParameters, pixel: [i32; 3]) -> [i32; 3] {
    pixel_of_depth(p, 8, pixel)
}

/// The conversion of a pixel by §6.6 and §9.5.
fn pixel_of_depth(p: &ColorParameters, depth: u8, pixel: [i32; 3]) -> [i32; 3] {
    let (bits, max) = (depth.max(12), (1 << depth) - 1);
    let shift = bits - depth;
    let c = [p.c0, p.c1, p.c2, p.c3, p.c4, p.c5, p.c6, p.c7, p.c8].map(i32::from);
    let oi = [p.offset_in_1, p.offset_in_2, p.offset_in_3].map(i32::from);
    let oo = [p.offset_out_1, p.offset_out_2, p.offset_out_3].map(i32::from);
    [0, 1, 2].map(|j| {
        let sum: i32 = (0..3).map(|k| c[3 * j + k] * ((pixel[k] << shift) + (oi[k] << (bits - 10)))).sum();
        let out = (((sum + 512) >> 10) + (oo[j] << (bits - 10))).clamp(0, (1 << bits) - 1);
        match (depth, shift) {
            (8, _) => out >> 4,
            (_, 0) => out,
            _ => ((out + (1 << (shift - 1))) >> shift).min(max),
        }
    })
}

/// The same conversion in real numbers; without `to` to R, G, B.
fn real(from: ColorSpace, to: Option<ColorSpace>, pixel: [i32; 3]) -> [f64; 3] {
    real_of_depth(from, to, 8, pixel)
}

/// The conversion of a pixel of `depth` bits in real numbers.
fn real_of_depth(from: ColorSpace, to: Option<ColorSpace>, depth: u8, pixel: [i32; 3]) -> [f64; 3] {
    let step = f64::from(1 << (depth - 8));
    let scaled = |[black, luma, chroma]: [f64; 3], range| match range {
        Limited => [black * step, luma * step, chroma * step],
        Full => [0.0, f64::from((1 << depth) - 1), f64::from((1 << depth) - 1)],
    };
    let (limited, zero) = ([16.0, 219.0, 224.0], 128.0 * step);
    let [black, luma, chroma] = scaled(limited, from.range);
    let [y, u, v] = pixel.map(f64::from);
    let (y, u, v) = ((y - black) / luma, (u - zero) / chroma, (v - zero) / chroma);
    let (kr, kb) = from.matrix.weights();
    let (r, b) = (y + 2.0 * (1.0 - kr) * v, y + 2.0 * (1.0 - kb) * u);
    let g = (y - kr * r - kb * b) / (1.0 - kr - kb);
    let Some(to) = to else { return [r, g, b].map(|c| f64::from((1 << depth) - 1) * c) };
    let [black, luma, chroma] = scaled(limited, to.range);
    let (kr, kb) = to.matrix.weights();
    let y = kr * r + (1.0 - kr - kb) * g + kb * b;
    let (u, v) = ((b - y) / (2.0 * (1.0 - kb)), (r - y) / (2.0 * (1.0 - kr)));
    [black + luma * y, zero + chroma * u, zero + chroma * v]
}

fn converted(from: ColorSpace, to: ColorSpace) -> ColorParameters {
    converted_of_depth(from, to, 8)
}

fn converted_of_depth(from: ColorSpace, to: ColorSpace, depth: u8) -> ColorParameters {
    let mut color = ColorParameters::default();
    color.set_conversion(from, to, depth);
    assert_eq!((color.check_ranges(), color.transform_enable), (Ok(()), true), "{from:?} {to:?}");
    color
}

fn to_rgb(from: ColorSpace) -> ColorParameters {
    to_rgb_of_depth(from, 8)
}

fn to_rgb_of_depth(from: ColorSpace, depth: u8) -> ColorParameters {
    let mut color = ColorParameters::default();
    color.set_conversion_to_rgb(from, depth);
    assert_eq!((color.check_ranges(), color.transform_enable), (Ok(()), true), "{from:?}");
    color
}

/// Errors are at most half a code value and the effect of three rounded coefficients and 12
/// bits.
#[test]
fn every_conversion_is_the_rounded_real_one() {
    let check = |color: &ColorParameters, from, to: Option<ColorSpace>| {
        for (y, u, v) in (0..=17 * 17 * 17).map(|n| (n / 289 % 17, n / 17 % 17, n % 17)) {
            let samples = [y, u, v].map(|n: i32| (16 * n).min(255));
            let (got, want) = (pixel(color, samples), real(from, to, samples));
            for (got, want) in got.into_iter().zip(want) {
                let error = (f64::from(got) - want.clamp(0.0, 255.0)).abs();
                assert!(error < 0.7, "{from:?} to {to:?}: {samples:?} gives {got}, {want}");
            }
        }
    };
    pairs().for_each(|(from, to)| check(&converted(from, to), from, Some(to)));
    spaces().for_each(|from| check(&to_rgb(from), from, None));
}

#[test]
fn greys_remain_grey_and_ranges_map_to_ranges() {
    let ends = |range| if range == Limited { [16, 235] } else { [0, 255] };
    for (from, to) in pairs() {
        let color = converted(from, to);
        for y in 0..=255 {
            let [luma, u, v] = pixel(&color, [y, 128, 128]);
            assert_eq!([u, v], [128; 2], "{from:?} to {to:?}: {y}");
            let error = (f64::from(luma) - real(from, Some(to), [y, 128, 128])[0].clamp(0.0, 255.0)).abs();
            assert!(error < 0.65, "{from:?} to {to:?}: {y} gives {luma}");
        }
        assert_eq!(ends(from.range).map(|y| pixel(&color, [y, 128, 128])[0]), ends(to.range), "{from:?} to {to:?}");
    }
    for from in spaces() {
        let color = to_rgb(from);
        for y in 0..=255 {
            let [r, g, b] = pixel(&color, [y, 128, 128]);
            assert_eq!([g, b], [r; 2], "{from:?}: {y}");
            assert!((f64::from(r) - real(from, None, [y, 128, 128])[0].clamp(0.0, 255.0)).abs() < 0.65, "{from:?}: {y}");
        }
        assert_eq!(ends(from.range).map(|y| pixel(&color, [y, 128, 128])), [[0; 3], [255; 3]], "{from:?}");
    }
}

#[test]
fn conversion_of_a_space_to_itself_is_the_identity() {
    for space in spaces() {
        let color = converted(space, space);
        for n in 0..256 * 4 {
            let samples = [n % 256, (n * 7) % 256, (n * 31) % 256];
            assert_eq!(pixel(&color, samples), samples, "{space:?}");
        }
    }
}

/// Published coefficients, rounded to 1/1024.
#[test]
fn well_known_matrices() {
    let rgb = to_rgb(ColorSpace { matrix: Bt601, range: Limited });
    assert_eq!([rgb.c0, rgb.c1, rgb.c2, rgb.c4, rgb.c5, rgb.c7, rgb.c8], [1192, 0, 1634, -401, -832, 2066, 0]);
    assert_eq!([rgb.offset_in_1, rgb.offset_in_2, rgb.offset_in_3], [-64, -512, -512]);
    assert_eq!([rgb.offset_out_1, rgb.offset_out_2, rgb.offset_out_3], [2; 3]);
    let rgb = to_rgb(ColorSpace { matrix: Bt709, range: Limited });
    assert_eq!([rgb.c2, rgb.c4, rgb.c5, rgb.c7], [1836, -218, -546, 2163]);
}

#[test]
fn usual_matrix_of_a_size() {
    assert_eq!([(720, 576), (1024, 576)].map(|(w, h)| ColorMatrix::usual(w, h)), [Bt601; 2]);
    assert_eq!([(720, 577), (1025, 576), (1920, 1080)].map(|(w, h)| ColorMatrix::usual(w, h)), [Bt709; 3]);
}

const DEEP: [u8; 5] = [9, 10, 12, 14, 16];

/// Errors are at most half a code value, and 1/5 of an 8-bit code value by three rounded
/// coefficients and the offsets.
#[test]
fn every_conversion_of_more_than_8_bits_is_close_to_the_real_one() {
    let check = |color: &ColorParameters, from, to: Option<ColorSpace>, depth: u8| {
        let (most, tolerance) = ((1 << depth) - 1, 0.52 + 0.2 * f64::from(1 << (depth - 8)));
        for (y, u, v) in (0..9 * 9 * 9).map(|n| (n / 81, n / 9 % 9, n % 9)) {
            let samples = [y, u, v].map(|n: i32| n * most / 8);
            let (got, want) = (pixel_of_depth(color, depth, samples), real_of_depth(from, to, depth, samples));
            for (got, want) in got.into_iter().zip(want) {
                let error = (f64::from(got) - want.clamp(0.0, f64::from(most))).abs();
                assert!(error < tolerance, "{from:?} to {to:?}, {depth} bits: {samples:?} gives {got}, {want}");
            }
        }
    };
    for depth in DEEP {
        pairs().for_each(|(from, to)| check(&converted_of_depth(from, to, depth), from, Some(to), depth));
        spaces().for_each(|from| check(&to_rgb_of_depth(from, depth), from, None, depth));
    }
}

#[test]
fn greys_of_more_than_8_bits_remain_grey_and_black_remains_black() {
    for depth in DEEP {
        let (most, zero, black) = ((1 << depth) - 1, 1 << (depth - 1), 16 << (depth - 8));
        let step = (most / 1000).max(1) as usize;
        for (from, to) in pairs() {
            let color = converted_of_depth(from, to, depth);
            for y in (0..=most).step_by(step) {
                let [_, u, v] = pixel_of_depth(&color, depth, [y, zero, zero]);
                assert_eq!([u, v], [zero; 2], "{from:?} to {to:?}, {depth} bits: {y}");
            }
            let [from_black, to_black] = [from, to].map(|space| if space.range == Limited { black } else { 0 });
            let luma = pixel_of_depth(&color, depth, [from_black, zero, zero])[0];
            assert!((luma - to_black).abs() <= most >> 12, "{from:?} to {to:?}, {depth} bits: {luma}");
        }
        for from in spaces() {
            let color = to_rgb_of_depth(from, depth);
            for y in (0..=most).step_by(step) {
                let [r, g, b] = pixel_of_depth(&color, depth, [y, zero, zero]);
                assert_eq!([g, b], [r; 2], "{from:?}, {depth} bits: {y}");
            }
            let black = if from.range == Limited { black } else { 0 };
            assert_eq!(pixel_of_depth(&color, depth, [black, zero, zero]), [0; 3], "{from:?}, {depth} bits");
        }
    }
}

#[test]
fn white_of_10_bits_is_white() {
    let white = |range| if range == Limited { 940 } else { 1023 };
    for (from, to) in pairs() {
        let color = converted_of_depth(from, to, 10);
        assert_eq!(pixel_of_depth(&color, 10, [white(from.range), 512, 512])[0], white(to.range), "{from:?} to {to:?}");
        assert_eq!(pixel_of_depth(&to_rgb_of_depth(from, 10), 10, [white(from.range), 512, 512]), [1023; 3], "{from:?}");
    }
}

#[test]
fn conversion_of_a_space_to_itself_is_the_identity_at_each_depth() {
    for (space, depth) in spaces().flat_map(|space| DEEP.map(|depth| (space, depth))) {
        let (color, count) = (converted_of_depth(space, space, depth), 1 << depth);
        for n in (0..count).step_by(7) {
            let samples = [n, (n * 7) % count, (n * 31) % count];
            assert_eq!(pixel_of_depth(&color, depth, samples), samples, "{space:?}, {depth} bits");
        }
    }
}
