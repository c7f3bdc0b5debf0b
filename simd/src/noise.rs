//! Block noise estimate: the metric of one pixel (§2.5).
use crate::isa::{Isa, blocks};
use crate::{APRON, Row};

/// Lowers `dst[x]` to the pixel's metric - the sum of the absolute differences of its 3×3 neighbourhood to their median, at most
/// 255 - where the pixel qualifies: edge strength below `edge_th` and range of the differences below `noise_th`. `rows` are the
/// lines above, at and below it.
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

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], rows: [Row; 3], edge_th: u8, noise_th: u8) -> bool {
    let n = dst.len();
    let rows = rows.map(|row| &row[APRON - 1..APRON + n + 1]);
    blocks!(n, I::N, x => {
        let [a, b, c] = rows.map(|row| [s.load(&row[x..]), s.load(&row[x + 1..]), s.load(&row[x + 2..])]);
        let m = median9(s, a, b, c);
        // The median is one of the nine: the least difference is 0, the range is the greatest.
        let (mut metric, mut range) = (s.splat(0), s.splat(0));
        for n in a.into_iter().chain(b).chain(c) {
            let d = s.abs_diff(n, m);
            metric = s.add_saturating(metric, d);
            range = s.max(range, d);
        }
        let ed = s.merge(edge(s, a, b, c, I::even), edge(s, a, b, c, I::odd));
        let out = s.or(s.ge(ed, s.splat(edge_th)), s.ge(range, s.splat(noise_th)));
        let least = s.min(s.load(&dst[x..]), s.or(metric, out));
        s.store(&mut dst[x..], least);
    })
}

/// `ed` of the even or the odd pixels.
#[inline(always)]
fn edge<I: Isa>(s: I, a: [I::B; 3], b: [I::B; 3], c: [I::B; 3], half: impl Fn(I, I::B) -> I::H) -> I::H {
    let sum = |p: I::B, q: I::B, r: I::B| s.add16(s.add16(half(s, p), half(s, r)), s.shl::<1>(half(s, q)));
    let hrz = s.abs_diff16(sum(a[0], a[1], a[2]), sum(c[0], c[1], c[2]));
    let vrt = s.abs_diff16(sum(a[0], b[0], c[0]), sum(a[2], b[2], c[2]));
    s.shr::<3>(s.add16(hrz, vrt))
}

/// The median of nine: of the greatest column minimum, the median of the column medians and the least column maximum.
#[inline(always)]
fn median9<I: Isa>(s: I, a: [I::B; 3], b: [I::B; 3], c: [I::B; 3]) -> I::B {
    let [l, m, r] = [0, 1, 2].map(|i| sort3(s, a[i], b[i], c[i]));
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
