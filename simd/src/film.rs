//! Film mode variances of a pair of lines, without the tears' clean-up (§4.1).
use crate::isa::Isa;
use crate::{APRON, Row};

/// Thresholds of [`film`](crate::Kernels::film), named as in §8.1; 0…255 each.
#[derive(Clone, Copy, Debug)]
pub struct FilmThresholds {
    /// Least temporal difference of a pixel that counts.
    pub fmd_tdiff: u8,
    /// Limit of the smoothness measures, excluded.
    pub fmd_vdiff1: u8,
    /// Least difference of a tear.
    pub fmd_vdiff2: u8,
}

/// Lines that [`film`](crate::Kernels::film) reads around the even line y.
#[derive(Clone, Copy, Debug)]
pub struct FilmRows<'a> {
    /// Lines y-2…y+3 of the current frame.
    pub c: [Row<'a>; 6],
    /// Lines y-1…y+2 of the previous frame; none on the first step, when every difference that reads them is 65025.
    pub p: Option<[Row<'a>; 4]>,
}

/// v0…v7 of a block, v0…v4 not yet divided.
pub type FilmSums = [u32; 8];

/// Adds the variances v0…v7 of the pixels of line y (and y+1 below it) to `sums`, one entry for each 16 pixels, and writes the
/// tear flags of each pixel: bit 0 TEAR1, bit 1 TEAR2, bit 2 TEAR3.
pub fn scalar(sums: &mut [FilmSums], tears: &mut [u8], rows: &FilmRows, th: &FilmThresholds) {
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

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, sums: &mut [FilmSums], tears: &mut [u8], rows: &FilmRows, th: &FilmThresholds) -> bool {
    let Some(p) = rows.p else { return false };
    let n = tears.len();
    // Sums must not count a pixel twice: whole vectors, then the rest plainly.
    let whole = n / I::N * I::N;
    let (c, p) = (rows.c.map(|row| &row[APRON..APRON + n]), p.map(|row| &row[APRON..APRON + n]));
    for x in (0..whole).step_by(I::N) {
        let sums = &mut sums[x / 16..][..I::N / 16];
        let (c, p) = (c.map(|row| s.load(&row[x..])), p.map(|row| s.load(&row[x..])));
        let [_, b_up, t, b, t_down, _] = c;
        let [pb_up, pt, pb, pt_down] = p;
        let terms = [(t, pt), (b, pb), (t, b), (t, pb), (b, pt)].map(|(a, b)| s.abs_diff(a, b));
        for (v, term) in terms.into_iter().enumerate() {
            for (sum, term) in sums.iter_mut().zip(s.sum_squares(term)) {
                sum[v] += term;
            }
        }
        let inside = [(t, t_down), (b_up, b), (pt, pt_down), (pb_up, pb)].map(|(a, b)| s.abs_diff(a, b));
        let (even, odd) = (flags(s, terms, inside, c, th, I::even), flags(s, terms, inside, c, th, I::odd));
        let byte = s.splat16(255);
        let [v5, v6, v7, tear1, tear2, tear3] = std::array::from_fn(|i| s.merge(s.and16(even[i], byte), s.and16(odd[i], byte)));
        for (v, mask) in [(5, v5), (6, v6), (7, v7)] {
            if s.any(mask) {
                for (sum, count) in sums.iter_mut().zip(s.count(mask)) {
                    sum[v] += count;
                }
            }
        }
        let bits = [(tear1, 1), (tear2, 2), (tear3, 4)].map(|(mask, bit)| s.and(mask, s.splat(bit)));
        s.store(&mut tears[x..], s.or(bits[0], s.or(bits[1], bits[2])));
    }
    if whole < n {
        let rest = FilmRows { c: rows.c.map(|row| &row[whole..]), p: rows.p.map(|p| p.map(|row| &row[whole..])) };
        scalar(&mut sums[whole / 16..], &mut tears[whole..], &rest, th);
    }
    true
}

/// Masks of the pixels that count into v5, v6, v7, and of the three tears, for the even or the odd pixels.
#[inline(always)]
fn flags<I: Isa>(
    s: I,
    terms: [I::B; 5],
    inside: [I::B; 4],
    c: [I::B; 6],
    th: &FilmThresholds,
    half: impl Fn(I, I::B) -> I::H,
) -> [I::H; 6] {
    let square = |v: I::B| {
        let v = half(s, v);
        s.mul_low(v, v)
    };
    let zero = s.splat16(0);
    let not = |mask: I::H| s.eq16(mask, zero);
    // Of squares: they fill their 16 bits, and where a sum saturates no square exceeds it.
    let above = |a: I::H, b: I::H| not(s.eq16(s.sub_saturating16(a, b), zero));
    let at_least = |a: I::H, b: I::H| s.eq16(s.sub_saturating16(b, a), zero);
    let [ctpt, cbpb, ctcb, ctpb, cbpt] = terms.map(square);
    let [ctct, cbcb, tptp, bpbp] = inside.map(square);
    let moving = above(s.add_saturating16(ctpt, cbpb), s.splat16(th.fmd_tdiff as u16));
    let combed = above(ctcb, s.add_saturating16(ctct, cbcb));
    let smooth = |middle: I::B, up: I::B, down: I::B| {
        let [up_step, down_step, across] = [(middle, up), (middle, down), (up, down)].map(|(a, b)| half(s, s.abs_diff(a, b)));
        s.gt15(s.add16(across, s.splat16(th.fmd_vdiff1 as u16)), s.add16(up_step, down_step))
    };
    let candidate = s.and16(moving, s.and16(smooth(c[2], c[0], c[4]), smooth(c[3], c[1], c[5])));
    let least = s.splat16(th.fmd_vdiff2 as u16);
    let tear = |v: I::H, within: I::H| s.and16(candidate, s.and16(at_least(v, least), above(v, within)));
    [
        s.and16(moving, combed),
        s.and16(moving, not(combed)),
        candidate,
        tear(ctcb, s.add_saturating16(ctct, cbcb)),
        tear(ctpb, s.add_saturating16(ctct, bpbp)),
        tear(cbpt, s.add_saturating16(tptp, cbcb)),
    ]
}
