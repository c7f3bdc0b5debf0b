//! The denoise filter of bytes, with the tables of the hardware (§2.3, §2.4).
use super::{Denoise, DenoiseThresholds, G, Q, Spatial, bytes5};
use crate::denoise5::Denoise5;
use crate::isa::{Isa, blocks};
use crate::{APRON, Row};

/// The table `G << 3` as low and high bytes, indexed by the number of good neighbours.
const G_BYTES: [[u8; 16]; 2] = {
    let mut bytes = [[0; 16]; 2];
    let mut count = 1;
    while count <= 9 {
        let scaled = G[count - 1] << 3;
        (bytes[0][count], bytes[1][count]) = (scaled as u8, (scaled >> 8) as u8);
        count += 1;
    }
    bytes
};

/// The thresholds, which 8 bits hold.
#[derive(Clone, Copy)]
struct Thresholds {
    good: u8,
    high: u8,
    low: u8,
}

impl Denoise for u8 {
    #[inline(always)]
    fn vector<I: Isa>(s: I, dst: &mut [u8], cur: [Row; 3], prev: Row, history: &[u8], th: &DenoiseThresholds) -> bool {
        let [good, high, low] = [th.good_neighbor_th, th.temporal_diff_th, th.temporal_diff_low].map(|th| th as u8);
        let th = Thresholds { good, high, low };
        let near = cur.map(|row| &row[APRON - 1..APRON + dst.len() + 1]);
        filter(s, dst, near, prev, history, th, Mean { cur: near, th })
    }

    #[inline(always)]
    fn vector5<I: Isa>(
        s: I,
        dst: &mut [u8],
        cur: [Row; 5],
        prev: Row,
        history: &[u8],
        th: &DenoiseThresholds,
        p: &Denoise5,
    ) -> bool {
        let [good, high, low] = [th.good_neighbor_th, th.temporal_diff_th, th.temporal_diff_low].map(|th| th as u8);
        let n = dst.len();
        let near = [cur[1], cur[2], cur[3]].map(|row| &row[APRON - 1..APRON + n + 1]);
        let (cur, weights) = (cur.map(|row| &row[APRON - 2..APRON + n + 2]), bytes5::Weights::new(p));
        filter(s, dst, near, prev, history, Thresholds { good, high, low }, bytes5::Mean { cur, weights })
    }
}

/// The filter with the spatial filter `spatial_filter`. `cur[1][x + 1]` is sample x.
#[inline(always)]
fn filter<I: Isa>(
    s: I,
    dst: &mut [u8],
    cur: [&[u8]; 3],
    prev: Row,
    history: &[u8],
    th: Thresholds,
    spatial_filter: impl Spatial<I, I::B>,
) -> bool {
    let n = dst.len();
    let (prev, history) = (&prev[APRON..APRON + n], &history[..n]);
    let (high, low) = (s.splat(th.high), s.splat(th.low));
    blocks!(n, I::N, x => {
        let (c, p, h) = (s.load(&cur[1][x + 1..]), s.load(&prev[x..]), s.load(&history[x..]));
        let td = s.abs_diff(c, p);
        let moving = s.eq(s.max(h, s.splat(127)), s.splat(127));
        let spatial = s.or(s.ge(td, high), moving);
        // If every pixel uses the spatial filter alone, skip the temporal one, and the reverse.
        let value = if !s.any(s.xor(spatial, s.splat(255))) {
            spatial_filter.mean(s, c, x)
        } else {
            let t = temporal(s, cur, c, p, h, x);
            let blended = s.ge(td, low);
            if s.any(s.or(spatial, blended)) {
                let sp = spatial_filter.mean(s, c, x);
                s.select(spatial, sp, s.select(blended, blend(s, sp, t, td, th), t))
            } else {
                t
            }
        };
        s.store(&mut dst[x..], value);
    })
}

/// The spatial filter sp of §2.3.
struct Mean<'a> {
    cur: [&'a [u8]; 3],
    th: Thresholds,
}

impl<I: Isa> Spatial<I, I::B> for Mean<'_> {
    #[inline(always)]
    fn mean(&self, s: I, c: I::B, x: usize) -> I::B {
        mean(s, self.cur, c, x, self.th)
    }
}

#[inline(always)]
fn mean<I: Isa>(s: I, cur: [&[u8]; 3], c: I::B, x: usize, th: Thresholds) -> I::B {
    let good = s.splat(th.good);
    let (mut even, mut odd, mut far_ones) = (s.even(c), s.odd(c), s.splat(0));
    for (line, row) in cur.into_iter().enumerate() {
        for column in 0..3 {
            if (line, column) != (1, 1) {
                let neighbour = s.load(&row[x + column..]);
                let far = s.ge(s.abs_diff(neighbour, c), good);
                // 255 is -1.
                far_ones = s.add(far_ones, far);
                let kept = s.sub_saturating(neighbour, far);
                even = s.add16(even, s.even(kept));
                odd = s.add16(odd, s.odd(kept));
            }
        }
    }
    let count = s.add(far_ones, s.splat(9));
    let (g_low, g_high) = (s.lookup(&G_BYTES[0], count), s.lookup(&G_BYTES[1], count));
    s.merge(
        quotient(s, even, s.even(count), s.even(g_low), s.even(g_high)),
        quotient(s, odd, s.odd(count), s.odd(g_low), s.odd(g_high)),
    )
}

/// The temporal filter t of §2.2, pulled to the extremes of the neighbourhood (§2.4).
#[inline(always)]
fn temporal<I: Isa>(s: I, cur: [&[u8]; 3], c: I::B, p: I::B, h: I::B, x: usize) -> I::B {
    let (mut least, mut most) = (c, c);
    for row in cur {
        for column in 0..3 {
            let neighbour = s.load(&row[x + column..]);
            least = s.min(least, neighbour);
            most = s.max(most, neighbour);
        }
    }
    let t = s.merge(filtered(s, s.even(c), s.even(p), s.even(h)), filtered(s, s.odd(c), s.odd(p), s.odd(h)));
    let t = s.avg(t, s.min(t, most));
    s.avg(t, s.max(t, least))
}

/// `((sum + (count >> 1)) * G[count - 1]) >> 11`, with operands scaled so that the result is the
/// high half of a product.
#[inline(always)]
fn quotient<I: Isa>(s: I, sum: I::H, count: I::H, g_low: I::H, g_high: I::H) -> I::H {
    let g = s.or16(g_low, s.shl::<8>(g_high));
    s.mul_high(s.shl::<2>(s.add16(sum, s.shr::<1>(count))), g)
}

/// t of §2.2; below 2^16 before its shift.
#[inline(always)]
fn filtered<I: Isa>(s: I, c: I::H, p: I::H, h: I::H) -> I::H {
    let sum = s.add16(s.mul_low(h, p), s.mul_low(s.sub16(s.splat16(256), h), c));
    s.shr::<8>(s.add16(sum, s.splat16(128)))
}

/// The blend of §2.4 where td is in low…high. Elsewhere the result is not used.
#[inline(always)]
fn blend<I: Isa>(s: I, sp: I::B, t: I::B, td: I::B, th: Thresholds) -> I::B {
    let n = th.high.saturating_sub(th.low);
    if n == 0 {
        return sp;
    }
    let up = s.min(s.sub_saturating(td, s.splat(th.low)), s.splat(n));
    let down = s.sub_saturating(s.splat(n), up);
    let q = s.splat16(Q[n as usize - 1] << 2);
    let half = s.splat16(n as u16 / 2);
    let even = weighted(s, [s.even(sp), s.even(t), s.even(up), s.even(down)], half, q);
    let odd = weighted(s, [s.odd(sp), s.odd(t), s.odd(up), s.odd(down)], half, q);
    s.merge(even, odd)
}

/// The weighted sum of halfwords, times `q`. The sum is at most 255 * 16 + 8, so both factors still
/// fit 16 bits after being scaled by 2^6 together, for a shift of 16 instead of 10.
#[inline(always)]
fn weighted<I: Isa>(s: I, [sp, t, up, down]: [I::H; 4], half: I::H, q: I::H) -> I::H {
    let sum = s.add16(s.add16(s.mul_low(sp, up), s.mul_low(t, down)), half);
    s.min15(s.mul_high(s.shl::<4>(sum), q), s.splat16(255))
}
