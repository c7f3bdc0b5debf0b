//! Spatial complexity and the motion measure STMM of a line (§3.1, §3.2).
use crate::contract;
use crate::isa::{Isa, blocks, load_each};
use crate::{APRON, Row};

/// Parameters of [`stmm`](crate::Kernels::stmm), named as in §8.1.
#[derive(Clone, Copy, Debug)]
pub struct Stmm {
    /// Weight of vertical edges, in 1/32; 0…63.
    pub vecm_mul: u8,
    /// Constant added to the complexity; 1…8.
    pub stmm_c2: u8,
    /// `shift1`; 4…6.
    pub stmm_shift_down: u8,
    /// `shift2`; 6…8.
    pub stmm_shift_up: u8,
    /// Weight of the stored value where the measure is above `md_th`; 0…127.
    pub stmm_trc1: u8,
    /// Weight of the stored value elsewhere; 0…255.
    pub stmm_trc2: u8,
    /// Threshold of the measure that selects `stmm_trc1` or `stmm_trc2`, from
    /// `blending_constant_select`.
    pub md_th: u8,
}

/// Writes stmm2 and `detail` = svcm + shcm of each pair of a missing line. `k` are the lines
/// y-2…y+2 of the frame with the missing line, `difference` the rows of
/// [`temporal_difference`](crate::Kernels::temporal_difference) of the same lines, `old` the stored
/// values.
pub fn scalar(dst: &mut [u8], detail: &mut [u16], k: [Row; 5], difference: [&[u16]; 5], old: &[u8], p: &Stmm) {
    for (pair, (out, detail)) in dst.iter_mut().zip(detail).enumerate() {
        let at = |line: usize, x: isize| k[line][(APRON + 2 * pair).wrapping_add_signed(x)];
        let across = |line: usize, x: isize| at(line, x).abs_diff(at(line, x + 1)) as u32;
        let svcm: u32 = (0..2).flat_map(|x| (2..5).map(move |line| at(line, x).abs_diff(at(line - 2, x)) as u32)).sum();
        let shcm: u32 = (-1..2).flat_map(|x| (1..4).map(move |line| across(line, x))).sum();
        let vecm = ((0..5).map(|line| across(line, 0)).sum::<u32>() * p.vecm_mul as u32) >> 5;
        let scm = (svcm + shcm).saturating_sub(vecm);
        let tdm: u32 = difference.iter().map(|row| row[pair] as u32).sum();
        let stmm = (((tdm >> p.stmm_shift_down) << p.stmm_shift_up) / ((scm >> 4) + p.stmm_c2 as u32)).min(255);
        let trc = if stmm > p.md_th as u32 { p.stmm_trc1 } else { p.stmm_trc2 } as u32;
        *out = ((trc * old[pair] as u32 + (256 - trc) * stmm) >> 8) as u8;
        *detail = (svcm + shcm) as u16;
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u8], detail: &[u16], k: [Row; 5], difference: [&[u16]; 5], old: &[u8], p: &Stmm) {
    let n = dst.len();
    contract::at_least([detail], n);
    contract::rows(k, 2 * n);
    contract::at_least(difference, n);
    contract::at_least([old], n);
    contract::within(p.stmm_c2, 1..=8);
    contract::within(p.stmm_shift_down, 4..=6);
    contract::within(p.stmm_shift_up, 6..=8);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(
    s: I,
    dst: &mut [u8],
    detail: &mut [u16],
    k: [Row; 5],
    difference: [&[u16]; 5],
    old: &[u8],
    p: &Stmm,
) -> bool {
    let n = dst.len();
    let k = k.map(|row| &row[APRON - 1..APRON + 2 * n + 1]);
    let difference = difference.map(|row| &row[..n]);
    let (old, detail) = (&old[..n], &mut detail[..n]);
    blocks!(n, I::N / 2, pair => {
        let x = 2 * pair;
        let here = load_each(s, k, x + 1);
        let (mut svcm, mut shcm, mut vecm, mut tdm) = (s.splat16(0), s.splat16(0), s.splat16(0), s.splat16(0));
        for line in 0..5 {
            let across = s.abs_diff(here[line], s.load(&k[line][x + 2..]));
            vecm = s.add16(vecm, s.even(across));
            if (1..4).contains(&line) {
                let left = s.abs_diff(s.load(&k[line][x..]), here[line]);
                shcm = s.add16(shcm, s.add16(s.even(left), s.pair_sum(across)));
            }
            if line >= 2 {
                svcm = s.add16(svcm, s.pair_sum(s.abs_diff(here[line], here[line - 2])));
            }
            tdm = s.add16(tdm, s.load16(&difference[line][pair..]));
        }
        let q = s.add16(svcm, shcm);
        s.store16(&mut detail[pair..], q);
        // vecm * mul >> 5: the product does not fit 16 bits, but its high half does.
        let vecm = s.mul_high(s.shl::<5>(vecm), s.splat16((p.vecm_mul as u16) << 6));
        let scm = s.sub_saturating16(q, vecm);
        // Dividends of 2^16 and more are clamped: the greatest that fits also gives more than 255
        // with any divisor.
        let most = s.splat16(u16::MAX >> p.stmm_shift_up);
        let dividend = s.shl_by(s.min15(s.shr_by(tdm, p.stmm_shift_down), most), p.stmm_shift_up);
        let divisor = s.add16(s.shr::<4>(scm), s.splat16(p.stmm_c2 as u16));
        let quotient = s.div(dividend, divisor);
        let stmm = s.sub16(quotient, s.sub_saturating16(quotient, s.splat16(255)));
        let (trc1, trc2) = (s.splat16(p.stmm_trc1 as u16), s.splat16(p.stmm_trc2 as u16));
        let trc = s.select16(s.gt15(stmm, s.splat16(p.md_th as u16)), trc1, trc2);
        let old = s.load_half(&old[pair..]);
        let sum = s.add16(s.mul_low(trc, old), s.mul_low(s.sub16(s.splat16(256), trc), stmm));
        s.store_half(&mut dst[pair..], s.shr::<8>(sum));
    })
}
