//! Cells of 4×4 samples: how well they match a reference, and the weight that follows (§16.5).

/// Width and height of a cell.
pub(super) const CELL: usize = 4;
/// The variance of the noise of a picture that was not averaged.
pub(super) const ONE: u16 = 256;
/// The largest sum of differences that counts.
const MOST: i32 = (1 << 18) - 1;

/// Columns and rows of the cells of a plane.
pub(super) fn count((width, height): (usize, usize)) -> (usize, usize) {
    (width.div_ceil(CELL), height.div_ceil(CELL))
}

/// Factors that make differences relative to a standard deviation of the noise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    absolute: u32,
    signed: u32,
}

impl Scale {
    /// The factors for a standard deviation in 1/64 of an 8-bit code value, at least 16.
    pub fn new(sigma: u16) -> Scale {
        let sigma = u32::from(sigma.max(16));
        Scale { absolute: 82125 / sigma, signed: 65536 / sigma }
    }

    /// The weight of a reference with a variance of `variance`: the weighted sums of the
    /// differences around the cell are `absolute` and `signed`.
    pub fn weight(self, absolute: i32, signed: i32, variance: u16) -> u32 {
        let part = |sum: i32, factor: u32| ((sum.min(MOST) as u32 * factor) >> 16).min(1023);
        let (q, p) = (part(absolute, self.absolute), part(signed.abs(), self.signed));
        let expected = u32::from(ONE) + u32::from(variance);
        let excess = 2 * ((q * q) >> 4).saturating_sub(expected).max(((p * p) >> 4).saturating_sub(expected >> 7));
        65536 / (u32::from(variance) + excess + 8)
    }
}

/// The shares of both references in the mean, in 1/32768, and its variance.
pub(super) fn shares(weights: [u32; 2]) -> ([u16; 2], u16) {
    let sum = u32::from(ONE) + weights[0] + weights[1];
    (weights.map(|weight| ((weight << 15) / sum) as u16), (65536 / sum).max(1) as u16)
}

/// Adds each value's neighbours with weights 1, 2 and 1; neighbours outside are the nearest value.
pub(super) fn spread(values: &[i32], out: &mut [i32]) {
    let last = values.len() - 1;
    for (x, out) in out.iter_mut().enumerate().take(values.len()) {
        *out = values[x.saturating_sub(1)] + 2 * values[x] + values[(x + 1).min(last)];
    }
}
