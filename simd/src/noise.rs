//! Block noise estimate: the metric of one pixel (§2.5).
use crate::contract;
use crate::isa::{Isa, blocks, load_each};
use crate::{APRON, Row};

/// Lowers `dst[x]` to the pixel's metric where the pixel qualifies. The metric is the sum of the
/// absolute differences of the 3×3 neighbourhood to its median, at most 255. A pixel qualifies if
/// its edge strength is below `edge_th` and the range of the differences below `noise_th`. `rows`
/// are the lines above, at and below it.
pub fn scalar(dst: &mut [u8], rows: [Row; 3], edge_th: u8, noise_th: u8) {
    for (x, out) in dst.iter_mut().enumerate() {
        let [a, b, c] = rows.map(|row| [-1, 0, 1].map(|dx: isize| row[(APRON + x).wrapping_add_signed(dx)] as i32));
        let hrz = (a[0] + 2 * a[1] + a[2] - c[0] - 2 * c[1] - c[2]).abs();
        let vrt = (a[0] + 2 * b[0] + c[0] - a[2] - 2 * b[2] - c[2]).abs();
        let ed = (hrz + vrt) >> 3;
        let mut sorted = [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]];
        sorted.sort_unstable();
        let m = sorted[4];
        let (mut metric, mut least, mut most) = (0, i32::MAX, 0);
        for n in sorted {
            let d = (n - m).abs();
            metric += d;
            least = least.min(d);
            most = most.max(d);
        }
        if ed < edge_th as i32 && most - least < noise_th as i32 {
            *out = (*out).min(metric.min(255) as u8);
        }
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], rows: [Row; 3], _: u8, _: u8) {
    contract::rows(rows, dst.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], rows: [Row; 3], edge_th: u8, noise_th: u8) -> bool {
    let n = dst.len();
    let rows = rows.map(|row| &row[APRON - 1..APRON + n + 1]);
    blocks!(n, I::N, x => {
        let ([a0, b0, c0], [a1, b1, c1], [a2, b2, c2]) =
            (load_each(s, rows, x), load_each(s, rows, x + 1), load_each(s, rows, x + 2));
        let (a, b, c) = ([a0, a1, a2], [b0, b1, b2], [c0, c1, c2]);
        let even = edge(s, evens(s, a), evens(s, b), evens(s, c));
        let odd = edge(s, odds(s, a), odds(s, b), odds(s, c));
        let edges = s.ge(s.merge(even, odd), s.splat(edge_th));
        // Few pixels have an edge strength below the limit.
        if s.any(s.xor(edges, s.splat(255))) {
            let m = median9(s, a, b, c);
            // The median is one of the nine samples, so the least difference is 0 and the range is
            // the greatest one.
            let (mut metric, mut range) = (s.splat(0), s.splat(0));
            for n in [a0, a1, a2, b0, b1, b2, c0, c1, c2] {
                let d = s.abs_diff(n, m);
                metric = s.add_saturating(metric, d);
                range = s.max(range, d);
            }
            let out = s.or(edges, s.ge(range, s.splat(noise_th)));
            let least = s.min(s.load(&dst[x..]), s.or(metric, out));
            s.store(&mut dst[x..], least);
        }
    })
}

/// The edge strength `ed` of the even or the odd pixels, from the samples of those columns in each
/// row.
#[inline(always)]
fn edge<I: Isa>(s: I, a: [I::H; 3], b: [I::H; 3], c: [I::H; 3]) -> I::H {
    let hrz = s.abs_diff16(sobel(s, a[0], a[1], a[2]), sobel(s, c[0], c[1], c[2]));
    let vrt = s.abs_diff16(sobel(s, a[0], b[0], c[0]), sobel(s, a[2], b[2], c[2]));
    s.shr::<3>(s.add16(hrz, vrt))
}

#[inline(always)]
fn sobel<I: Isa>(s: I, p: I::H, q: I::H, r: I::H) -> I::H {
    s.add16(s.add16(p, r), s.shl::<1>(q))
}

#[inline(always)]
fn evens<I: Isa>(s: I, v: [I::B; 3]) -> [I::H; 3] {
    [s.even(v[0]), s.even(v[1]), s.even(v[2])]
}

#[inline(always)]
fn odds<I: Isa>(s: I, v: [I::B; 3]) -> [I::H; 3] {
    [s.odd(v[0]), s.odd(v[1]), s.odd(v[2])]
}

/// The median of nine: the median of the greatest column minimum, the median of the column medians
/// and the least column maximum.
#[inline(always)]
fn median9<I: Isa>(s: I, a: [I::B; 3], b: [I::B; 3], c: [I::B; 3]) -> I::B {
    let (l, m, r) = (sort3(s, a[0], b[0], c[0]), sort3(s, a[1], b[1], c[1]), sort3(s, a[2], b[2], c[2]));
    let (low, high) = (s.max(s.max(l[0], m[0]), r[0]), s.min(s.min(l[2], m[2]), r[2]));
    median3(s, low, median3(s, l[1], m[1], r[1]), high)
}

#[inline(always)]
fn sort3<I: Isa>(s: I, a: I::B, b: I::B, c: I::B) -> [I::B; 3] {
    let (low, high) = (s.min(a, b), s.max(a, b));
    [s.min(low, c), s.max(low, s.min(high, c)), s.max(high, c)]
}

#[inline(always)]
fn median3<I: Isa>(s: I, a: I::B, b: I::B, c: I::B) -> I::B {
    s.max(s.min(a, b), s.min(s.max(a, b), c))
}
