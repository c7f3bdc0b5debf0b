//! Conversions between colour spaces as parameters of the colour pipe (§6.6, §9.6).
use super::ColorParameters;
use crate::format::{ColorMatrix, ColorRange, ColorSpace, DEPTHS};

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
    /// The code value of luma 0, and the code values per unit of luma and of chroma, for samples of
    /// `depth` bits, in 8-bit code values.
    fn steps(self, depth: u8) -> (f64, f64, f64) {
        match self {
            ColorRange::Limited => (16.0, 219.0, 224.0),
            ColorRange::Full => (0.0, full(depth), full(depth)),
        }
    }
}

/// The greatest sample of `depth` bits, in 8-bit code values.
fn full(depth: u8) -> f64 {
    256.0 - (f64::from(depth) - 8.0).exp2().recip()
}

/// Scale of the components before or after a linear map, in 8-bit code values.
struct Components {
    /// Code values of 0.
    zero: [f64; 3],
    /// Code values per unit.
    unit: [f64; 3],
}

impl Components {
    fn rgb(depth: u8) -> Components {
        Components { zero: [0.0; 3], unit: [full(depth); 3] }
    }

    fn yuv(range: ColorRange, depth: u8) -> Components {
        let (black, luma, chroma) = range.steps(depth);
        Components { zero: [black, 128.0, 128.0], unit: [luma, chroma, chroma] }
    }
}

impl ColorParameters {
    /// Sets and enables the conversion (§6.6) of samples from one colour space to another: `c0` to
    /// `c8`, `offset_in_*`, `offset_out_*`, `transform_enable`, and the flags `yuv_in` and
    /// `yuv_out`. `depth` is that of the stages: the greater one of the input's and the output's.
    /// Depths outside 8 to 16 bits count as the nearest of these. A full range ends at 2^depth - 1,
    /// and only 8-bit samples are truncated after the conversion.
    ///
    /// The conversion is the linear map Y'CbCr → R'G'B' → Y'CbCr; it does not convert transfer
    /// functions and primaries. Greys remain exactly grey. Results are rounded to the nearest code
    /// value, except for the rounding of the matrix: 1/32 of an 8-bit code value, and for samples
    /// of more than 8 bits up to 1/5 of an 8-bit code value by its ten fractional bits.
    pub fn set_conversion(&mut self, from: ColorSpace, to: ColorSpace, depth: u8) {
        let depth = depth.clamp(*DEPTHS.start(), *DEPTHS.end());
        let map = product(to.matrix.yuv_of_rgb(), from.matrix.rgb_of_yuv());
        self.set_map(&map, &Components::yuv(from.range, depth), &Components::yuv(to.range, depth), depth);
        self.yuv_out = true;
    }

    /// Sets and enables the conversion to R, G and B of the full range, which replace Y, U and V.
    /// `depth` is that of the stages, as for [`set_conversion`](ColorParameters::set_conversion).
    pub fn set_conversion_to_rgb(&mut self, from: ColorSpace, depth: u8) {
        let depth = depth.clamp(*DEPTHS.start(), *DEPTHS.end());
        self.set_map(&from.matrix.rgb_of_yuv(), &Components::yuv(from.range, depth), &Components::rgb(depth), depth);
        self.yuv_out = false;
    }

    /// Sets the matrix and the offsets of a linear map.
    fn set_map(&mut self, map: &[[f64; 3]; 3], from: &Components, to: &Components, depth: u8) {
        let coefficient = |j: usize, k: usize| (1024.0 * map[j][k] * to.unit[j] / from.unit[k]).round() as i32;
        let rows = [0, 1, 2].map(|j| [0, 1, 2].map(|k| coefficient(j, k)));
        let offsets = if depth == 8 { offsets } else { deep_offsets };
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

/// Offsets before and after the matrix, in 10 bits, that map `zero_in` to `zero_out` (8 bits) for
/// samples of more than 8 bits, which the pipe rounds at its end.
///
/// The offset after the matrix, 4·128 for chroma, does not fit the field either. The search covers
/// more shifts than that of [`offsets`]: with 16 bits, greys are grey only if the offsets are off
/// by less than 1/128 of their unit.
fn deep_offsets(rows: &[[i32; 3]; 3], zero_in: [i32; 3], zero_out: [i32; 3]) -> ([i32; 3], [i32; 3]) {
    /// The largest value of an offset field.
    const MAX_OFFSET: i32 = 511;
    /// Shifts that the search covers: pairs below this sum. With 512 greys of 16 bits are not exact
    /// between BT.601 and BT.709; a greater sum takes more time.
    const SHIFTS: i32 = 1024;
    /// Weight of errors of chroma against those of luma. With 1 greys of 16 bits are not exact, a
    /// greater weight makes luma less exact.
    const CHROMA: i32 = 4;
    // Offsets after the matrix, and errors in 1/1024 of their unit.
    let shifted = |row: &[i32; 3], u: i32, v: i32| row[1] * u + row[2] * v;
    let out =
        |u, v| [0, 1, 2].map(|j| (4 * zero_out[j] - ((shifted(&rows[j], u, v) + 512) >> 10)).clamp(-MAX_OFFSET, MAX_OFFSET));
    let error = |u, v| {
        let out = out(u, v);
        let error = |j: usize| (shifted(&rows[j], u, v) + 1024 * (out[j] - 4 * zero_out[j])).abs();
        error(0).max(CHROMA * error(1).max(error(2)))
    };
    let shifts = (0..SHIFTS).flat_map(|sum| (0..=sum).map(move |u| (u, sum - u)));
    let (u, v) = shifts.min_by_key(|&(u, v)| error(u, v)).unwrap_or_default();
    let offset_in = [-4 * zero_in[0], u - 4 * zero_in[1], v - 4 * zero_in[2]];
    (offset_in, out(u, v))
}

/// The product of two matrices.
fn product(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

#[cfg(test)]
mod tests;
