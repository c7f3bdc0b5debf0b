//! Detail filter of the enhancement (§5.4, §9.4).
use crate::contract;
use crate::isa::Isa;

mod deep;
mod ten_bits;

/// Samples on both sides of the rows that the enhancement reads.
pub const ENHANCE_APRON: usize = 2;

/// Parameters of [`detail_filter`](crate::Kernels::detail_filter), named as in §5.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detail {
    /// P, the bits of the samples; 10…16.
    pub depth: u8,
    /// Whether neighbours at distance 2 (5×5) are used instead of distance 1 (3×3).
    pub wide: bool,
    /// Whether the filter smooths (§13.11): the weighted difference is subtracted, and the result
    /// limited to the 3×3 neighbourhood.
    pub smooth: bool,
    /// Edges above this are strong; 0…15.
    pub strong_edge_threshold: u8,
    /// Edges above this are weak; 0…15.
    pub weak_edge_threshold: u8,
    /// Weights of strong edges, of weak edges and of flat areas; 0…7.
    pub weights: [u8; 3],
    /// Strength; 0…63.
    pub gain_factor: u8,
}

/// Writes the filtered line, of P bits like `rows`. The rows are the lines y-2…y+2; sample x of a
/// row is at `[ENHANCE_APRON + x]`. `shares` are those of the change that each sample takes, in
/// 1/32, 0…63; without them each sample takes the whole change.
pub fn scalar(dst: &mut [u16], rows: [&[u16]; 5], shares: Option<&[u16]>, p: &Detail) {
    let (e, limit, most) = (p.depth - 8, 1 << (p.depth - 3), (1 << p.depth) - 1);
    for (x, out) in dst.iter_mut().enumerate() {
        let at = |i: isize, j: isize| rows[(2 + j) as usize][(x + ENHANCE_APRON).wrapping_add_signed(i)] as i32;
        let near = || (-1..=1).flat_map(|j| (-1..=1).map(move |i| (i, j)));
        let sobel_h = at(-1, -1) + 2 * at(0, -1) + at(1, -1) - at(-1, 1) - 2 * at(0, 1) - at(1, 1);
        let sobel_v = at(-1, -1) + 2 * at(-1, 0) + at(-1, 1) - at(1, -1) - 2 * at(1, 0) - at(1, 1);
        let em = ((sobel_h.abs() + sobel_v.abs() + (4 << (p.depth - 10))) >> (p.depth - 7)).min(15);
        let [strong, regular, none] = p.weights.map(i32::from);
        let weight = if em > p.strong_edge_threshold as i32 {
            strong
        } else if em > p.weak_edge_threshold as i32 {
            regular
        } else {
            none
        };
        let distance = if p.wide { 2 } else { 1 };
        let around: i32 = near().map(|(i, j)| at(distance * i, distance * j)).sum();
        let sigma = (9 * at(0, 0) - around).clamp(-limit, limit - 1);
        let greatest = near().map(|(i, j)| at(i, j)).max().unwrap_or(0);
        let least = near().map(|(i, j)| at(i, j)).min().unwrap_or(0);
        let divisor = (8 + (greatest >> e) - (least >> e)).min(255);
        let delta = (sigma * p.gain_factor as i32 * weight + 64).div_euclid(128 * divisor);
        let change = if p.smooth { -delta } else { delta };
        let change = shares.map_or(change, |shares| (change * i32::from(shares[x])) >> 5);
        let limits = if p.smooth { (least, greatest) } else { (0, most) };
        *out = (at(0, 0) + change).clamp(limits.0, limits.1) as u16;
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u16], rows: [&[u16]; 5], shares: Option<&[u16]>, p: &Detail) {
    contract::at_least(rows, dst.len() + 2 * ENHANCE_APRON);
    check_shares(dst, shares);
    contract::within(p.depth, 10..=16);
    contract::within(p.gain_factor, 0..=63);
    p.weights.iter().for_each(|&weight| contract::within(weight, 0..=7));
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], rows: [&[u16]; 5], shares: Option<&[u16]>, p: &Detail) -> bool {
    if p.depth == 10 { ten_bits::vector(s, dst, rows, shares, p) } else { deep::vector(s, dst, rows, shares, p) }
}

/// Panics if there are shares, but not one for each sample.
#[inline(always)]
#[track_caller]
pub(crate) fn check_shares(dst: &[u16], shares: Option<&[u16]>) {
    shares.iter().for_each(|shares| contract::at_least([shares], dst.len()));
}

/// `(delta * share) >> 5` of signed halfwords of at most 12 bits; without shares delta.
#[inline(always)]
fn shared<I: Isa>(s: I, delta: I::H, shares: Option<&[u16]>, x: usize) -> I::H {
    let Some(shares) = shares else { return delta };
    let share = s.load16(&shares[x..]);
    // The high half of the product of an unsigned number: a bias of 4096 gives 128 shares more.
    let product = s.mul_high(s.shl::<3>(s.add16(delta, s.splat16(4096))), s.shl::<8>(share));
    s.sub16(product, s.shl::<7>(share))
}

/// Samples x-1…x+1 of the lines y-1…y+1.
#[inline(always)]
fn load3x3<I: Isa>(s: I, rows: [&[u16]; 5], x: usize) -> [[I::H; 3]; 3] {
    let mut at = [[s.splat16(0); 3]; 3];
    for (line, row) in at.iter_mut().enumerate() {
        for (column, v) in row.iter_mut().enumerate() {
            *v = s.load16(&rows[line + 1][x + column + 1..]);
        }
    }
    at
}

/// The gain of each sample by its edge measure `em`, 0…15; `gains` are those of strong edges, of
/// weak edges and of flat areas.
#[inline(always)]
fn gain<I: Isa>(s: I, em: I::H, gains: [I::H; 3], p: &Detail) -> I::H {
    let (strong_th, weak_th) = (s.splat16(p.strong_edge_threshold as u16), s.splat16(p.weak_edge_threshold as u16));
    let gain = s.select16(s.gt15(em, weak_th), gains[1], gains[2]);
    s.select16(s.gt15(em, strong_th), gains[0], gain)
}

/// The floor of `dividend / min(255, 8 + diff3)`; the dividend is a signed halfword.
#[inline(always)]
fn quotient<I: Isa>(s: I, dividend: I::H, diff3: I::H) -> I::H {
    let divisor = s.min15(s.add16(diff3, s.splat16(8)), s.splat16(255));
    let zero = s.splat16(0);
    let negative = s.gt15(zero, dividend);
    let magnitude = s.max15(dividend, s.sub16(zero, dividend));
    // The floor of a negative quotient is its magnitude, rounded up.
    let up = s.and16(negative, s.sub16(divisor, s.splat16(1)));
    let quotient = s.div(s.add16(magnitude, up), divisor);
    s.select16(negative, s.sub16(zero, quotient), quotient)
}
