//! Convolution of a line with a kernel of up to 31×31 coefficients (§13.9).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::{Lines, Sample};

/// A coefficient of a kernel that is not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// The line of the window that it weighs.
    pub row: u8,
    /// The column, from the first one that the first output reads.
    pub column: u8,
    /// The coefficient, in 1/4096.
    pub weight: i16,
}

/// A kernel, and the depth of its samples.
#[derive(Clone, Copy, Debug)]
pub struct Convolution<'a> {
    /// The coefficients.
    pub weights: &'a [Weight],
    /// The sum is divided by `1 << shift`; 12…22.
    pub shift: u8,
    /// Bits of the samples, 8…16.
    pub depth: u8,
}

impl Convolution<'_> {
    /// Whether each sum of products of samples of the type's range fits 31 bits, with a term of
    /// 2^15 for each coefficient.
    fn is_narrow(&self) -> bool {
        let sum = self.weights.iter().map(|w| u64::from(w.weight.unsigned_abs())).sum::<u64>();
        let most = if self.depth == 8 { 1 << 8 } else { 1 << 17 };
        sum * most < 1 << 31
    }
}

/// Writes the weighted sums of the window `src`: sample x of the output reads column `x + column`
/// of line `row` for each coefficient. The sum is shifted and limited to the depth. A line has as
/// many samples as the output, and those that the greatest column needs.
pub fn scalar<S: Sample>(dst: &mut [S], src: Lines<S>, p: &Convolution) {
    let most = (1 << p.depth) - 1;
    for (x, out) in dst.iter_mut().enumerate() {
        let product = |w: &Weight| i64::from(w.weight) * i64::from(src.line(w.row.into())[x + usize::from(w.column)].signed());
        let sum = p.weights.iter().map(product).sum::<i64>();
        *out = S::from_u32((sum >> p.shift).clamp(0, most) as u32);
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[S], src: Lines<S>, p: &Convolution) {
    contract::depth::<S>(p.depth);
    contract::within(p.shift, 12..=22);
    window(dst, src, p.weights.iter().map(|w| (w.row, w.column)));
}

/// Panics if the window does not hold the samples at `taps`.
#[inline(always)]
pub(crate) fn window<S>(dst: &[S], src: Lines<S>, taps: impl Iterator<Item = (u8, u8)>) {
    let mut rows = 0;
    for (row, column) in taps {
        rows = rows.max(usize::from(row) + 1);
        contract::lines(src.data, 1, src.stride, src.width);
        if src.width < dst.len() + usize::from(column) {
            contract::at_least([&src.data[..src.width]], dst.len() + usize::from(column));
        }
    }
    contract::lines(src.data, rows, src.stride, src.width);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], src: Lines<S>, p: &Convolution) -> bool {
    if !p.is_narrow() || p.weights.is_empty() {
        return false;
    }
    let n = dst.len();
    // Words of 16 bits become signed ones by a bias, which a constant term takes back.
    let bias: u16 = if p.depth == 16 { 1 << 15 } else { 0 };
    let start = p.weights.iter().map(|w| i32::from(w.weight)).sum::<i32>() * i32::from(bias);
    let most = s.splat16(u16::MAX >> (16 - p.depth));
    blocks!(n, I::N / 2, x => {
        let load = |w: &Weight| {
            let v = S::load_half(s, &src.line(w.row.into())[x + usize::from(w.column)..]);
            s.xor16(v, s.splat16(bias))
        };
        let mut sums = [s.splat32(start); 2];
        for pair in p.weights.chunks(2) {
            let (a, b) = (pair[0], pair.get(1).copied().unwrap_or(Weight { weight: 0, ..pair[0] }));
            let (va, vb) = (load(&a), load(&b));
            let k = s.splat_pair(u32::from(a.weight as u16) | u32::from(b.weight as u16) << 16);
            sums[0] = s.add32(sums[0], s.madd16(s.interleave_low16(va, vb), k));
            sums[1] = s.add32(sums[1], s.madd16(s.interleave_high16(va, vb), k));
        }
        // The saturation of signed halfwords limits to 0…65535.
        let sums = sums.map(|sum| s.sub32(s.sra32_by(sum, p.shift), s.splat32(1 << 15)));
        let out = s.xor16(s.pack32(sums[0], sums[1]), s.splat16(1 << 15));
        S::store_half(s, &mut dst[x..], s.min16(out, most));
    })
}
