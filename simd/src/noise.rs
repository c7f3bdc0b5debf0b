//! Block noise estimate: the metric of one pixel (§2.5, §9.3).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::{APRON, Row, Sample};

/// Lowers `dst[x]` to the pixel's metric where the pixel qualifies. The metric is the sum of the
/// absolute differences of the 3×3 neighbourhood to its median, at most the greatest value of the
/// sample type. A pixel qualifies if
/// its edge strength is below `edge_th` and the range of the differences below `noise_th`. `rows`
/// are the lines above, at and below it.
pub fn scalar<S: Sample>(dst: &mut [S], rows: [Row<S>; 3], edge_th: u16, noise_th: u16) {
    for (x, out) in dst.iter_mut().enumerate() {
        let [a, b, c] = rows.map(|row| [-1, 0, 1].map(|dx: isize| row[(APRON + x).wrapping_add_signed(dx)].signed()));
        let hrz = (a[0] + 2 * a[1] + a[2] - c[0] - 2 * c[1] - c[2]).abs();
        let vrt = (a[0] + 2 * b[0] + c[0] - a[2] - 2 * b[2] - c[2]).abs();
        let ed = (hrz + vrt) >> 3;
        let mut sorted = [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]];
        sorted.sort_unstable();
        let m = sorted[4];
        let (mut metric, mut least, mut most) = (0i32, i32::MAX, 0);
        for n in sorted {
            let d = (n - m).abs();
            metric += d;
            least = least.min(d);
            most = most.max(d);
        }
        if ed < edge_th as i32 && most - least < noise_th as i32 {
            *out = (*out).min(S::from_u32(metric.min(S::MAX.signed()) as u32));
        }
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[S], rows: [Row<S>; 3], edge_th: u16, noise_th: u16) {
    contract::rows(rows, dst.len());
    contract::within(edge_th.max(noise_th), 0..=if size_of::<S>() == 1 { 255 } else { 31 << 8 });
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Edges>(s: I, dst: &mut [S], rows: [Row<S>; 3], edge_th: u16, noise_th: u16) -> bool {
    let n = dst.len();
    let rows = rows.map(|row| &row[APRON - 1..APRON + n + 1]);
    let none = S::splat(s, u16::MAX);
    blocks!(n, S::count::<I>(), x => {
        let ([a0, b0, c0], [a1, b1, c1], [a2, b2, c2]) =
            (column(s, rows, x), column(s, rows, x + 1), column(s, rows, x + 2));
        let (a, b, c) = ([a0, a1, a2], [b0, b1, b2], [c0, c1, c2]);
        let edges = S::at_least(s, S::edge(s, a, b, c), S::splat(s, edge_th));
        // Few pixels have an edge strength below the limit.
        if S::any(s, S::xor(s, edges, none)) {
            let m = median9::<I, S>(s, a, b, c);
            // The median is one of the nine samples, so the least difference is 0 and the range is
            // the greatest one.
            let (mut metric, mut range) = (S::splat(s, 0), S::splat(s, 0));
            for n in [a0, a1, a2, b0, b1, b2, c0, c1, c2] {
                let d = S::abs_diff(s, n, m);
                metric = S::add_saturating(s, metric, d);
                range = S::greater(s, range, d);
            }
            let out = S::or(s, edges, S::at_least(s, range, S::splat(s, noise_th)));
            let least = S::lesser(s, S::load(s, &dst[x..]), S::or(s, metric, out));
            S::store(s, &mut dst[x..], least);
        }
    })
}

/// The edge strength of a type of samples.
pub(crate) trait Edges: Lane {
    /// `ed` from the samples of the columns x-1…x+1 in the lines above, at and below.
    fn edge<I: Isa>(s: I, a: [Self::V<I>; 3], b: [Self::V<I>; 3], c: [Self::V<I>; 3]) -> Self::V<I>;
}

impl Edges for u8 {
    #[inline(always)]
    fn edge<I: Isa>(s: I, a: [I::B; 3], b: [I::B; 3], c: [I::B; 3]) -> I::B {
        let even = edge(s, evens(s, a), evens(s, b), evens(s, c));
        let odd = edge(s, odds(s, a), odds(s, b), odds(s, c));
        s.merge(even, odd)
    }
}

impl Edges for u16 {
    /// Differences are summed by their sign, saturated: no sum of a pixel whose samples all lie
    /// within 31 << 8 of the median saturates, and other pixels do not qualify.
    #[inline(always)]
    fn edge<I: Isa>(s: I, a: [I::H; 3], b: [I::H; 3], c: [I::H; 3]) -> I::H {
        let hrz = s.distance16(rise(s, a, c), rise(s, c, a));
        let (left, right) = ([a[0], b[0], c[0]], [a[2], b[2], c[2]]);
        let vrt = s.distance16(rise(s, left, right), rise(s, right, left));
        s.shr::<3>(s.add_saturating16(hrz, vrt))
    }
}

/// The sum of the samples of `a` that are above those of `b`, less these, with weights 1, 2, 1.
#[inline(always)]
fn rise<I: Isa>(s: I, a: [I::H; 3], b: [I::H; 3]) -> I::H {
    let middle = s.sub_saturating16(a[1], b[1]);
    let sides = s.add_saturating16(s.sub_saturating16(a[0], b[0]), s.sub_saturating16(a[2], b[2]));
    s.add_saturating16(sides, s.add_saturating16(middle, middle))
}

/// A vector of each row.
#[inline(always)]
pub(crate) fn column<I: Isa, S: Lane>(s: I, rows: [&[S]; 3], x: usize) -> [S::V<I>; 3] {
    [S::load(s, &rows[0][x..]), S::load(s, &rows[1][x..]), S::load(s, &rows[2][x..])]
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
pub(crate) fn median9<I: Isa, S: Lane>(s: I, a: [S::V<I>; 3], b: [S::V<I>; 3], c: [S::V<I>; 3]) -> S::V<I> {
    let (l, m, r) = (sort3::<I, S>(s, a[0], b[0], c[0]), sort3::<I, S>(s, a[1], b[1], c[1]), sort3::<I, S>(s, a[2], b[2], c[2]));
    let (low, high) = (S::greater(s, S::greater(s, l[0], m[0]), r[0]), S::lesser(s, S::lesser(s, l[2], m[2]), r[2]));
    median3::<I, S>(s, low, median3::<I, S>(s, l[1], m[1], r[1]), high)
}

#[inline(always)]
fn sort3<I: Isa, S: Lane>(s: I, a: S::V<I>, b: S::V<I>, c: S::V<I>) -> [S::V<I>; 3] {
    let (low, high) = (S::lesser(s, a, b), S::greater(s, a, b));
    [S::lesser(s, low, c), S::greater(s, low, S::lesser(s, high, c)), S::greater(s, high, c)]
}

#[inline(always)]
fn median3<I: Isa, S: Lane>(s: I, a: S::V<I>, b: S::V<I>, c: S::V<I>) -> S::V<I> {
    S::greater(s, S::lesser(s, a, b), S::lesser(s, S::greater(s, a, b), c))
}
