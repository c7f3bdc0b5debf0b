//! Film mode detection variances of a pair of lines, before the clean-up of the tear flags (§4.1).
use crate::contract;
use crate::isa::{Isa, load_each, squares};
use crate::{APRON, Row};

/// Thresholds of [`fmd`](crate::Kernels::fmd), named as in §8.1; 0…255 each.
#[derive(Clone, Copy, Debug)]
pub struct FmdThresholds {
    /// Limit of the squared temporal differences of a pixel; only pixels above it count.
    pub fmd_tdiff: u8,
    /// Limit of the smoothness measures, exclusive.
    pub fmd_vdiff1: u8,
    /// Least squared difference of a tear.
    pub fmd_vdiff2: u8,
}

/// Lines that [`fmd`](crate::Kernels::fmd) reads around the even line y.
#[derive(Clone, Copy, Debug)]
pub struct FmdRows<'a> {
    /// Lines y-2…y+3 of the current frame.
    pub c: [Row<'a>; 6],
    /// Lines y-1…y+2 of the previous frame. `None` on the first step: every difference to the
    /// previous frame is then 65025.
    pub p: Option<[Row<'a>; 4]>,
}

/// v0…v7 of a block; v0…v4 are not divided yet.
pub type FmdSums = [u32; 8];

/// Adds the variances v0…v7 of the pixels of lines y and y+1 to `sums`, one entry per 16 pixels,
/// and writes the tear flags of each pixel: bit 0 TEAR1, bit 1 TEAR2, bit 2 TEAR3.
pub fn scalar(sums: &mut [FmdSums], tears: &mut [u8], rows: &FmdRows, th: &FmdThresholds) {
    let square = |a: u8, b: u8| (a.abs_diff(b) as u32).pow(2);
    let distance = |a: u8, b: u8| a.abs_diff(b) as i32;
    let (tdiff, vdiff1, vdiff2) = (th.fmd_tdiff as u32, th.fmd_vdiff1 as i32, th.fmd_vdiff2 as u32);
    for (block, (v, tears)) in sums.iter_mut().zip(tears.chunks_mut(16)).enumerate() {
        for (i, tear) in tears.iter_mut().enumerate() {
            let x = APRON + 16 * block + i;
            let [t_up, b_up, t, b, t_down, b_down] = rows.c.map(|row| row[x]);
            let [tptp, bpbp, ctpt, cbpb, ctpb, cbpt] = match rows.p {
                Some(p) => {
                    let [pb_up, pt, pb, pt_down] = p.map(|row| row[x]);
                    [square(pt, pt_down), square(pb_up, pb), square(t, pt), square(b, pb), square(t, pb), square(b, pt)]
                }
                None => [65025; 6],
            };
            let (ctcb, ctct, cbcb) = (square(t, b), square(t, t_down), square(b_up, b));
            for (v, term) in v.iter_mut().zip([ctpt, cbpb, ctcb, ctpb, cbpt]) {
                *v += term;
            }
            *tear = 0;
            if ctpt + cbpb <= tdiff {
                continue;
            }
            v[if ctcb > ctct + cbcb { 5 } else { 6 }] += 1;
            let ct = distance(t, t_up) + distance(t, t_down) - distance(t_up, t_down);
            let cb = distance(b, b_up) + distance(b, b_down) - distance(b_up, b_down);
            if ct < vdiff1 && cb < vdiff1 {
                v[7] += 1;
                let tear1 = ctcb >= vdiff2 && ctcb > ctct + cbcb;
                let tear2 = ctpb >= vdiff2 && ctpb > ctct + bpbp;
                let tear3 = cbpt >= vdiff2 && cbpt > tptp + cbcb;
                *tear = tear1 as u8 | (tear2 as u8) << 1 | (tear3 as u8) << 2;
            }
        }
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(sums: &[FmdSums], tears: &[u8], rows: &FmdRows, _: &FmdThresholds) {
    contract::at_least([sums], tears.len().div_ceil(16));
    contract::rows(rows.c, tears.len());
    if let Some(p) = rows.p {
        contract::rows(p, tears.len());
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, sums: &mut [FmdSums], tears: &mut [u8], rows: &FmdRows, th: &FmdThresholds) -> bool {
    let n = tears.len();
    // Sums must count each pixel once, so vectors must not overlap. The scalar form adds the
    // remaining pixels.
    let whole = n / I::N * I::N;
    let c_rows = rows.c.map(|row| &row[APRON..APRON + n]);
    let p_rows = rows.p.map(|p| p.map(|row| &row[APRON..APRON + n]));
    for x in (0..whole).step_by(I::N) {
        let sums = &mut sums[x / 16..][..I::N / 16];
        let c = load_each(s, c_rows, x);
        let [_, b_up, t, b, t_down, _] = c;
        let most = s.splat(255);
        let (mut terms, mut inside) = ([most; 5], [most; 4]);
        (terms[2], inside[0], inside[1]) = (s.abs_diff(t, b), s.abs_diff(t, t_down), s.abs_diff(b_up, b));
        if let Some(p_rows) = p_rows {
            let [pb_up, pt, pb, pt_down] = load_each(s, p_rows, x);
            (terms[0], terms[1]) = (s.abs_diff(t, pt), s.abs_diff(b, pb));
            (terms[3], terms[4]) = (s.abs_diff(t, pb), s.abs_diff(b, pt));
            (inside[2], inside[3]) = (s.abs_diff(pt, pt_down), s.abs_diff(pb_up, pb));
        }
        for (v, term) in terms.into_iter().enumerate() {
            for (sum, term) in sums.iter_mut().zip(s.sum_groups(squares(s, s.even(term), s.odd(term)))) {
                sum[v] += term;
            }
        }
        let still = s.splat16(th.fmd_tdiff as u16);
        let (even, odd) =
            (moving(s, s.even(terms[0]), s.even(terms[1]), still), moving(s, s.odd(terms[0]), s.odd(terms[1]), still));
        if s.any16(s.or16(even, odd)) {
            let masks = masks(s, &c, &terms, &inside, [even, odd], th);
            for (v, mask) in (5..8).zip(masks) {
                if s.any(mask) {
                    for (sum, count) in sums.iter_mut().zip(s.count(mask)) {
                        sum[v] += count;
                    }
                }
            }
            let bits = s.or(s.and(masks[3], s.splat(1)), s.or(s.and(masks[4], s.splat(2)), s.and(masks[5], s.splat(4))));
            s.store(&mut tears[x..], bits);
        } else {
            s.store(&mut tears[x..], s.splat(0));
        }
    }
    if whole < n {
        let rest = FmdRows { c: rows.c.map(|row| &row[whole..]), p: rows.p.map(|p| p.map(|row| &row[whole..])) };
        scalar(&mut sums[whole / 16..], &mut tears[whole..], &rest, th);
    }
    true
}

/// Mask of the pixels whose two squared differences have a sum above the limit.
#[inline(always)]
fn moving<I: Isa>(s: I, ctpt: I::H, cbpb: I::H, limit: I::H) -> I::H {
    let sum = s.add_saturating16(s.mul_low(ctpt, ctpt), s.mul_low(cbpb, cbpb));
    s.eq16(at_most(s, sum, limit), s.splat16(0))
}

/// Masks of the pixels that count into v5, v6, v7, and of the three tears. `terms` are the
/// differences of v0…v4, `inside` those within the fields, `moving` the masks of moving even and
/// odd pixels.
#[inline(always)]
fn masks<I: Isa>(s: I, c: &[I::B; 6], terms: &[I::B; 5], inside: &[I::B; 4], moving: [I::H; 2], th: &FmdThresholds) -> [I::B; 6] {
    let steps = [Steps::of(s, c[2], c[0], c[4]), Steps::of(s, c[3], c[1], c[5])];
    let (mut even, mut odd) = ([s.splat16(0); 9], [s.splat16(0); 9]);
    for ((even, odd), v) in even.iter_mut().zip(&mut odd).zip(terms.iter().chain(inside)) {
        let (low, high) = (s.even(*v), s.odd(*v));
        (*even, *odd) = (s.mul_low(low, low), s.mul_low(high, high));
    }
    let vdiff1 = s.splat16(th.fmd_vdiff1 as u16);
    let smooth_even = s.and16(steps[0].even(s, vdiff1), steps[1].even(s, vdiff1));
    let smooth_odd = s.and16(steps[0].odd(s, vdiff1), steps[1].odd(s, vdiff1));
    let (even, odd) = (flags(s, even, moving[0], smooth_even, th), flags(s, odd, moving[1], smooth_odd, th));
    let byte = s.splat16(255);
    let mut masks = [s.splat(0); 6];
    for (mask, (even, odd)) in masks.iter_mut().zip(even.into_iter().zip(odd)) {
        *mask = s.merge(s.and16(even, byte), s.and16(odd, byte));
    }
    masks
}

/// Distances of a line to the next lines of its field above and below, and of those two to each
/// other.
#[derive(Clone, Copy)]
struct Steps<I: Isa> {
    up: I::B,
    down: I::B,
    across: I::B,
}

impl<I: Isa> Steps<I> {
    #[inline(always)]
    fn of(s: I, line: I::B, above: I::B, below: I::B) -> Steps<I> {
        Steps { up: s.abs_diff(line, above), down: s.abs_diff(line, below), across: s.abs_diff(above, below) }
    }

    /// Mask of the even pixels whose cT (or cB) is below the limit.
    #[inline(always)]
    fn even(self, s: I, limit: I::H) -> I::H {
        s.gt15(s.add16(s.even(self.across), limit), s.add16(s.even(self.up), s.even(self.down)))
    }

    #[inline(always)]
    fn odd(self, s: I, limit: I::H) -> I::H {
        s.gt15(s.add16(s.odd(self.across), limit), s.add16(s.odd(self.up), s.odd(self.down)))
    }
}

/// Masks of the pixels that count into v5, v6, v7, and of the three tears. Squares use all 16 bits.
/// If a sum of two saturates, no square exceeds it.
#[inline(always)]
fn flags<I: Isa>(s: I, squares: [I::H; 9], moving: I::H, smooth: I::H, th: &FmdThresholds) -> [I::H; 6] {
    let [_, _, ctcb, ctpb, cbpt, ctct, cbcb, tptp, bpbp] = squares;
    let zero = s.splat16(0);
    let within = s.add_saturating16(ctct, cbcb);
    let combed = s.eq16(at_most(s, ctcb, within), zero);
    let candidate = s.and16(moving, smooth);
    let least = s.splat16(th.fmd_vdiff2 as u16);
    [
        s.and16(moving, combed),
        s.and16(moving, s.eq16(combed, zero)),
        candidate,
        tear(s, candidate, ctcb, least, within),
        tear(s, candidate, ctpb, least, s.add_saturating16(ctct, bpbp)),
        tear(s, candidate, cbpt, least, s.add_saturating16(tptp, cbcb)),
    ]
}

/// Mask of `a <= b`, for any unsigned halfwords.
#[inline(always)]
fn at_most<I: Isa>(s: I, a: I::H, b: I::H) -> I::H {
    s.eq16(s.sub_saturating16(a, b), s.splat16(0))
}

/// Mask of the differences that are at least `least` and exceed the differences within the fields.
#[inline(always)]
fn tear<I: Isa>(s: I, candidate: I::H, v: I::H, least: I::H, within: I::H) -> I::H {
    let above = s.eq16(at_most(s, v, within), s.splat16(0));
    s.and16(candidate, s.and16(at_most(s, least, v), above))
}
