//! Motion-compensated interpolation with its checks (§3.5).
use crate::isa::{Isa, blocks};
use crate::{APRON, OFFSETS, Row, VECTORS, VERTICAL};

/// Parameters of [`compensate`](crate::Kernels::compensate), named as in §8.1.
#[derive(Clone, Copy, Debug)]
pub struct Compensate {
    /// Detail per unit of threshold; 1…16.
    pub cat_slope: u8,
    /// Margin below the vertical cost, in units of 30; 0…15.
    pub sad_tight_th: u8,
    /// A SAD up to it needs fewer checks; 0…3.
    pub cat_th1: u8,
    /// Distance to a neighbour that counts as near; 0…15.
    pub neighbor_pixel_th: u8,
    /// Largest difference of the two compensations, excluded; 0…63.
    pub mc_pixel_consistency_th: u8,
    /// Threshold of flat areas; 0…15.
    pub sad_tha: u8,
    /// Threshold of detailed areas; 0…15.
    pub sad_thb: u8,
}

/// What [`compensate`](crate::Kernels::compensate) reads of a missing line y.
#[derive(Clone, Copy, Debug)]
pub struct CompensateRows<'a> {
    /// The final angle of each pair.
    pub angle: &'a [u8],
    /// The smallest SAD of each pair.
    pub best_sad: &'a [u16],
    /// The vector of each pair.
    pub vector: &'a [u8],
    /// 255 where the vector is smooth, else 0.
    pub smooth: &'a [u8],
    /// svcm + shcm of each pair.
    pub detail: &'a [u16],
    /// Cost of the vertical of each pair.
    pub cost90: &'a [u16],
    /// Lines y-2…y+2 of the frame being completed.
    pub k: [Row<'a>; 5],
    /// Lines y-2, y, y+2 of the other frame.
    pub r: [Row<'a>; 3],
}

/// Replaces `di`, which holds the spatial interpolation, by the compensated sample where all checks pass.
pub fn scalar(di: &mut [u8], rows: &CompensateRows, p: &Compensate) {
    for pair in 0..di.len().div_ceil(2) {
        let best_sad = rows.best_sad[pair] as u32;
        let tight = best_sad + p.sad_tight_th as u32 * 30 < 2 * rows.cost90[pair] as u32;
        let below = best_sad < adaptive_threshold(rows.detail[pair], p) * 30;
        let good = best_sad <= p.cat_th1 as u32 || below && rows.angle[pair] == VERTICAL && tight;
        if rows.smooth[pair] != 0 && good {
            compensate_pair(di, pair, rows, p);
        }
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, di: &mut [u8], rows: &CompensateRows, p: &Compensate) -> bool {
    let pairs = di.len().div_ceil(2);
    let rows = &CompensateRows {
        angle: &rows.angle[..pairs],
        best_sad: &rows.best_sad[..pairs],
        smooth: &rows.smooth[..pairs],
        detail: &rows.detail[..pairs],
        cost90: &rows.cost90[..pairs],
        ..*rows
    };
    let [slope, tha, thb] = [p.cat_slope, p.sad_tha, p.sad_thb].map(|v| s.splat16(v as u16));
    let (flat, detailed) = (s.mul_low(slope, tha), s.mul_low(slope, thb));
    let margin = s.splat16(p.sad_tight_th as u16 * 30);
    // Few pairs pass the checks of the pair: the checks of the pixels follow one by one.
    blocks!(pairs, I::N / 2, first => {
        let (sad, q) = (s.load16(&rows.best_sad[first..]), s.load16(&rows.detail[first..]));
        let tight = s.gt15(s.shl::<1>(s.load16(&rows.cost90[first..])), s.add16(sad, margin));
        let between = s.select16(s.gt15(q, detailed), thb, s.div(q, slope));
        let cat2 = s.select16(s.gt15(flat, q), tha, between);
        let below = s.gt15(s.mul_low(cat2, s.splat16(30)), sad);
        let vertical = s.eq16(s.load_half(&rows.angle[first..]), s.splat16(VERTICAL as u16));
        let least = s.gt15(s.splat16(p.cat_th1 as u16 + 1), sad);
        let good = s.or16(least, s.and16(below, s.and16(vertical, tight)));
        let good = s.and16(good, s.load_half(&rows.smooth[first..]));
        if s.any16(good) {
            let mut passed = [0; 32];
            s.store16(&mut passed, good);
            for (pair, &passed) in (first..first + I::N / 2).zip(&passed) {
                if passed != 0 {
                    compensate_pair(di, pair, rows, p);
                }
            }
        }
    })
}

/// The checks of the pixels of a pair that passed its own.
fn compensate_pair(di: &mut [u8], pair: usize, rows: &CompensateRows, p: &Compensate) {
    let needs_near = rows.best_sad[pair] > p.cat_th1 as u16;
    let vector = VECTORS[rows.vector[pair] as usize];
    let o = OFFSETS[rows.angle[pair] as usize] as isize;
    for (i, out) in di[2 * pair..].iter_mut().take(2).enumerate() {
        let x = APRON + 2 * pair + i;
        let mcdi = compensated(rows.r, x, vector, 1);
        let mc_cur = compensated([rows.k[0], rows.k[2], rows.k[4]], x, vector, -1);
        let d = mcdi.abs_diff(mc_cur);
        let e = rows.k[1][x.wrapping_add_signed(o)].abs_diff(rows.k[3][x.wrapping_add_signed(-o)]);
        let (up, down) = (rows.k[1][x], rows.k[3][x]);
        let between = up.min(down) <= mcdi && mcdi <= up.max(down);
        let near = between || mcdi.abs_diff(up).min(mcdi.abs_diff(down)) < p.neighbor_pixel_th;
        if e > d && d < p.mc_pixel_consistency_th && (near || !needs_near) {
            *out = mcdi;
        }
    }
}

/// cat2 of a pair with detail q.
fn adaptive_threshold(q: u16, p: &Compensate) -> u32 {
    let (q, slope) = (q as u32, p.cat_slope as u32);
    if q < slope * p.sad_tha as u32 {
        p.sad_tha as u32
    } else if q > slope * p.sad_thb as u32 {
        p.sad_thb as u32
    } else {
        q / slope
    }
}

/// mc(F, u) at column x; `lines` are y-2, y, y+2 of F.
fn compensated(lines: [Row; 3], x: usize, (mx, my): (i8, i8), u: i8) -> u8 {
    let h = mx / 2;
    let columns = [h, if mx % 2 == 0 { h } else { h + mx.signum() }].map(|h| x.wrapping_add_signed((u * h) as isize));
    let first = if my == 0 || u * my > 0 { 1 } else { 0 };
    let lines = [lines[first], lines[if my == 0 { first } else { first + 1 }]];
    // Taking a column or line twice where the text takes it once changes neither the average nor its truncation.
    let sum: u16 = lines.iter().flat_map(|line| columns.map(|x| line[x] as u16)).sum();
    (sum >> 2) as u8
}
