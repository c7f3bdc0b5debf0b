//! Conversions between colour spaces as parameters of the colour pipe (§6.6).
use super::ColorParameters;
use crate::format::{ColorMatrix, ColorRange, ColorSpace};

impl ColorMatrix {
    /// The weights of red and of blue in luma.
    fn weights(self) -> (f64, f64) {
        match self {
            ColorMatrix::Bt601 => (0.299, 0.114),
            ColorMatrix::Bt709 => (0.2126, 0.0722),
            ColorMatrix::Bt2020 => (0.2627, 0.0593),
        }
    }

    /// The matrix from Y in 0…1 and Cb, Cr in ±0.5 to R, G, B in 0…1.
    fn rgb_of_yuv(self) -> [[f64; 3]; 3] {
        let (kr, kb) = self.weights();
        let (kg, cb, cr) = (1.0 - kr - kb, 2.0 * (1.0 - kb), 2.0 * (1.0 - kr));
        [[1.0, 0.0, cr], [1.0, -cb * kb / kg, -cr * kr / kg], [1.0, cb, 0.0]]
    }

    /// The inverse matrix.
    fn yuv_of_rgb(self) -> [[f64; 3]; 3] {
        let (kr, kb) = self.weights();
        let (kg, cb, cr) = (1.0 - kr - kb, 2.0 * (1.0 - kb), 2.0 * (1.0 - kr));
        [[kr, kg, kb], [-kr / cb, -kg / cb, 0.5], [0.5, -kg / cr, -kb / cr]]
    }
}

impl ColorRange {
    /// The code value of luma 0, and the code values per unit of luma and of chroma, in 8 bits.
    fn steps(self) -> (f64, f64, f64) {
        match self {
            ColorRange::Limited => (16.0, 219.0, 224.0),
            ColorRange::Full => (0.0, 255.0, 255.0),
        }
    }
}

/// Scale of the components before or after a linear map, in 8-bit code values.
struct Components {
    /// Code values of 0.
    zero: [f64; 3],
    /// Code values per unit.
    unit: [f64; 3],
}

impl Components {
    const RGB: Components = Components { zero: [0.0; 3], unit: [255.0; 3] };

    fn yuv(range: ColorRange) -> Components {
        let (black, luma, chroma) = range.steps();
        Components { zero: [black, 128.0, 128.0], unit: [luma, chroma, chroma] }
    }
}

impl ColorParameters {
    /// Sets and enables the conversion (§6.6) of 8-bit samples from one colour space to another:
    /// `c0` to `c8`, `offset_in_*`, `offset_out_*`, `transform_enable`, and the flags `yuv_in` and
    /// `yuv_out`.
    ///
    /// The conversion is the linear map Y'CbCr → R'G'B' → Y'CbCr; it does not convert transfer
    /// functions and primaries. Greys remain exactly grey. Results are rounded to the nearest code
    /// value, except for 1/32 of a code value by the rounding of the matrix.
    pub fn set_conversion(&mut self, from: ColorSpace, to: ColorSpace) {
        let map = product(to.matrix.yuv_of_rgb(), from.matrix.rgb_of_yuv());
        self.set_map(&map, &Components::yuv(from.range), &Components::yuv(to.range));
        self.yuv_out = true;
    }

    /// Sets and enables the conversion to R, G and B of the full range, which replace Y, U and V.
    pub fn set_conversion_to_rgb(&mut self, from: ColorSpace) {
        self.set_map(&from.matrix.rgb_of_yuv(), &Components::yuv(from.range), &Components::RGB);
        self.yuv_out = false;
    }

    /// Sets the matrix and the offsets of a linear map.
    fn set_map(&mut self, map: &[[f64; 3]; 3], from: &Components, to: &Components) {
        let coefficient = |j: usize, k: usize| (1024.0 * map[j][k] * to.unit[j] / from.unit[k]).round() as i32;
        let rows = [0, 1, 2].map(|j| [0, 1, 2].map(|k| coefficient(j, k)));
        let (offset_in, offset_out) = offsets(&rows, from.zero.map(|zero| zero as i32), to.zero.map(|zero| zero as i32));
        [[self.c0, self.c1, self.c2], [self.c3, self.c4, self.c5], [self.c6, self.c7, self.c8]] =
            rows.map(|row| row.map(|v| v as i16));
        [self.offset_in_1, self.offset_in_2, self.offset_in_3] = offset_in.map(|v| v as i16);
        [self.offset_out_1, self.offset_out_2, self.offset_out_3] = offset_out.map(|v| v as i16);
        (self.yuv_in, self.transform_enable) = (true, true);
    }
}

/// Offsets before and after the matrix, in 10 bits, that map `zero_in` to `zero_out` (8 bits) and
/// add half an 8-bit code value, because the pipe truncates to 8 bits at its end.
///
/// The plain offsets, -zero_in and zero_out, do not fit the fields for chroma: 4·128 + 2 exceeds
/// 511. Therefore less is subtracted from chroma before the matrix, and the matrix transforms the
/// rest. The function chooses the shifts whose result is closest to the half code value.
fn offsets(rows: &[[i32; 3]; 3], zero_in: [i32; 3], zero_out: [i32; 3]) -> ([i32; 3], [i32; 3]) {
    /// Half an 8-bit code value in the 12 bits of the pipe.
    const HALF: i32 = 8;
    /// The largest value of an offset field.
    const MAX_OFFSET: i32 = 511;
    let target = zero_out.map(|zero| 16 * zero + HALF);
    // The shifts after the matrix, in 12 bits, and the offsets from there to the target.
    let shifted = |u: i32, v: i32| rows.map(|row| (4 * (row[1] * u + row[2] * v) + 512) >> 10);
    let out = |u, v| {
        let shifted = shifted(u, v);
        [0, 1, 2].map(|j| (target[j] - shifted[j] + 2).div_euclid(4).min(MAX_OFFSET))
    };
    let error = |u, v| {
        let (shifted, out) = (shifted(u, v), out(u, v));
        (0..3).map(|j| (shifted[j] + 4 * out[j] - target[j]).abs()).max()
    };
    let shifts = (0..64).flat_map(|sum| (0..=sum).map(move |u| (u, sum - u)));
    let (u, v) = shifts.min_by_key(|&(u, v)| error(u, v)).unwrap_or_default();
    let offset_in = [-4 * zero_in[0], u - 4 * zero_in[1], v - 4 * zero_in[2]];
    (offset_in, out(u, v))
}

/// The product of two matrices.
fn product(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

#[cfg(test)]
mod tests {
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
        let c = [p.c0, p.c1, p.c2, p.c3, p.c4, p.c5, p.c6, p.c7, p.c8].map(i32::from);
        let oi = [p.offset_in_1, p.offset_in_2, p.offset_in_3].map(i32::from);
        let oo = [p.offset_out_1, p.offset_out_2, p.offset_out_3].map(i32::from);
        [0, 1, 2].map(|j| {
            let sum: i32 = (0..3).map(|k| c[3 * j + k] * (16 * pixel[k] + 4 * oi[k])).sum();
            (((sum + 512) >> 10) + 4 * oo[j]).clamp(0, 4095) >> 4
        })
    }

    /// The same conversion in real numbers; without `to` to R, G, B.
    fn real(from: ColorSpace, to: Option<ColorSpace>, pixel: [i32; 3]) -> [f64; 3] {
        let (black, luma, chroma) = from.range.steps();
        let [y, u, v] = pixel.map(f64::from);
        let (y, u, v) = ((y - black) / luma, (u - 128.0) / chroma, (v - 128.0) / chroma);
        let (kr, kb) = from.matrix.weights();
        let (r, b) = (y + 2.0 * (1.0 - kr) * v, y + 2.0 * (1.0 - kb) * u);
        let g = (y - kr * r - kb * b) / (1.0 - kr - kb);
        let Some(to) = to else { return [r, g, b].map(|c| 255.0 * c) };
        let (black, luma, chroma) = to.range.steps();
        let (kr, kb) = to.matrix.weights();
        let y = kr * r + (1.0 - kr - kb) * g + kb * b;
        let (u, v) = ((b - y) / (2.0 * (1.0 - kb)), (r - y) / (2.0 * (1.0 - kr)));
        [black + luma * y, 128.0 + chroma * u, 128.0 + chroma * v]
    }

    fn converted(from: ColorSpace, to: ColorSpace) -> ColorParameters {
        let mut color = ColorParameters::default();
        color.set_conversion(from, to);
        assert_eq!((color.check_ranges(), color.transform_enable), (Ok(()), true), "{from:?} {to:?}");
        color
    }

    fn to_rgb(from: ColorSpace) -> ColorParameters {
        let mut color = ColorParameters::default();
        color.set_conversion_to_rgb(from);
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
}
