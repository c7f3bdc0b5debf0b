//! Motion-compensated interpolation with its checks (§3.5).
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::motion_search::{Columns, GROUP, PerPair, VECTORS, best_of_pair};
use crate::{APRON, Row, Sample, VERTICAL, offset};

/// Parameters of [`compensate`](crate::SampleKernels::compensate), named as in §8.1.
#[derive(Clone, Copy, Debug)]
pub struct Compensate {
    /// Up to this motion measure `di` has no weight in the output (§3.7).
    pub stmm_min: u8,
    /// Detail per unit of threshold; 1…16.
    pub cat_slope: u8,
    /// Margin below the vertical cost, in units of 30; 0…15.
    pub sad_tight_th: u8,
    /// Largest difference of neighbouring vectors; 0…3.
    pub smooth_mv_th: u8,
    /// Up to this SAD fewer checks apply; 0…3.
    pub cat_th1: u8,
    /// Limit of the distance to a vertical neighbour, exclusive; 0…15.
    pub neighbor_pixel_th: u8,
    /// Limit of the difference of the two compensations, exclusive; 0…63.
    pub mc_pixel_consistency_th: u8,
    /// Threshold of flat areas; 0…15.
    pub sad_tha: u8,
    /// Threshold of detailed areas; 0…15.
    pub sad_thb: u8,
}

/// The input of [`compensate`](crate::SampleKernels::compensate) for a block row.
#[derive(Clone, Copy, Debug)]
pub struct CompensateRows<'a, S = u8> {
    /// Lines of the block row inside the picture, 1…4.
    pub lines: usize,
    /// The 8 most significant bits of the lines -4…7 of both frames: first the frame whose even
    /// lines are missing, then the one whose odd lines are missing.
    pub frames: [[Row<'a>; 12]; 2],
    /// The same lines with all bits.
    pub samples: [[Row<'a, S>; 12]; 2],
    /// stmm3 of the pairs of each line.
    pub stmm3: [&'a [u8]; 4],
    /// Final angles of the pairs of each line.
    pub angle: [&'a [u8]; 4],
    /// Detail, svcm + shcm, of the pairs of each line.
    pub detail: [&'a [u16]; 4],
    /// Costs of the vertical of the pairs of each line.
    pub cost90: [&'a [u16]; 4],
}

impl<'a, S: Sample> CompensateRows<'a, S> {
    /// The vector (Mx, My) with the smallest SAD of a pair of line `l`, whether the pair passes the
    /// checks or not.
    pub fn vector(&self, l: usize, pair: usize) -> (i8, i8) {
        VECTORS[best_of_pair(pair, &self.k(l)[..5], self.r(l)).1 as usize]
    }

    /// Lines y-2…y+2 (and more) of K, the frame in which line `l` is missing.
    #[inline(always)]
    fn k(&self, l: usize) -> &[Row<'a>] {
        &self.frames[l % 2][l + 2..]
    }

    /// Lines y-4…y+4 (and more) of R, the other frame.
    #[inline(always)]
    fn r(&self, l: usize) -> &[Row<'a>] {
        &self.frames[1 - l % 2][l..]
    }

    /// Lines y-2, y and y+2 of R with all bits.
    fn r_samples(&self, l: usize) -> [Row<'a, S>; 3] {
        let lines = &self.samples[1 - l % 2][l..];
        [lines[2], lines[4], lines[6]]
    }

    /// Lines whose vectors are compared with those of line `l`: one of the other parity and one of
    /// its own.
    #[inline(always)]
    fn neighbours(l: usize) -> [usize; 2] {
        if l < 2 { [l + 1, l + 2] } else { [l - 1, l - 2] }
    }
}

/// Replaces `di`, the spatial interpolation of each line, by the compensated sample where all
/// checks pass and the motion measure exceeds `stmm_min`.
pub fn scalar<S: Sample>(di: &mut [&mut [S]; 4], rows: &CompensateRows<S>, p: &Compensate) {
    for (l, di) in di.iter_mut().enumerate().take(rows.lines) {
        let pairs = di.len().div_ceil(2);
        let vector = |l: usize, pair: usize| best_of_pair(pair, &rows.k(l)[..5], rows.r(l)).1;
        for pair in 0..pairs {
            let bound = bound(rows, l, pair, p);
            if bound == 0 {
                continue;
            }
            let (sad, own) = best_of_pair(pair, &rows.k(l)[..5], rows.r(l));
            let [other, same] = CompensateRows::<S>::neighbours(l);
            let agrees = |l: usize, pair: usize, sign: i8| {
                l >= rows.lines || pair >= pairs || close(own, vector(l, pair), sign, p.smooth_mv_th)
            };
            if sad < bound && agrees(other, pair, -1) && agrees(same, pair, 1) && agrees(l, pair ^ 1, 1) {
                compensate_pair(di, pair, l, rows, (sad, own), p);
            }
        }
    }
}

/// The limit below which the SAD of a pair must be. It combines all checks of the pair except
/// smoothness.
fn bound<S>(rows: &CompensateRows<S>, l: usize, pair: usize, p: &Compensate) -> u16 {
    if rows.stmm3[l][pair] <= p.stmm_min {
        return 0;
    }
    let adaptive = adaptive_threshold(rows.detail[l][pair], p) * 30;
    let tight = (2 * rows.cost90[l][pair]).saturating_sub(p.sad_tight_th as u16 * 30);
    let checked = if rows.angle[l][pair] == VERTICAL { adaptive.min(tight) } else { 0 };
    checked.max(p.cat_th1 as u16 + 1)
}

/// cat2 of a pair with detail q.
fn adaptive_threshold(q: u16, p: &Compensate) -> u16 {
    let (slope, tha, thb) = (p.cat_slope as u16, p.sad_tha as u16, p.sad_thb as u16);
    if q < slope * tha {
        tha
    } else if q > slope * thb {
        thb
    } else {
        q / slope
    }
}

/// Whether two vectors agree; with `sign` -1, whether one agrees with the opposite of the other.
fn close(a: u8, b: u8, sign: i8, smooth_mv_th: u8) -> bool {
    let ((ax, ay), (bx, by)) = (VECTORS[a as usize], VECTORS[b as usize]);
    (ax - sign * bx).unsigned_abs() <= smooth_mv_th && (ay - sign * by).unsigned_abs() <= smooth_mv_th
}

/// Search results of a group of pairs, for each line.
struct SearchResults {
    bound: [PerPair<u16>; 4],
    best: [PerPair<u16>; 4],
    vector: [PerPair<u16>; 4],
}

impl SearchResults {
    /// A bit for each pair whose SAD is below its bound.
    #[inline(always)]
    fn below<I: Isa>(&self, s: I, l: usize, count: usize) -> u64 {
        let mut below = 0;
        blocks!(count, I::N / 2, pair => {
            let mask = s.gt15(s.load16(&self.bound[l][pair..]), s.load16(&self.best[l][pair..]));
            below |= (s.bits16(mask) as u64) << pair;
        });
        below
    }

    /// A bit for each pair whose vector equals those of its neighbours, or the opposite of the
    /// vector in the line of the other parity.
    #[inline(always)]
    fn equal<I: Isa>(&self, s: I, l: usize, lines: usize, count: usize) -> u64 {
        let [other, same] = CompensateRows::<u8>::neighbours(l);
        let mut equal = 0;
        blocks!(count.next_multiple_of(2), I::N / 2, pair => {
            let own = s.load16(&self.vector[l][pair..]);
            let mut agrees = s.eq16(own, s.swap16(own));
            // Opposite vectors have indices whose sum is 15.
            if other < lines {
                let opposite = s.sub16(s.splat16(15), s.load16(&self.vector[other][pair..]));
                agrees = s.and16(agrees, s.eq16(own, opposite));
            }
            if same < lines {
                agrees = s.and16(agrees, s.eq16(own, s.load16(&self.vector[same][pair..])));
            }
            equal |= (s.bits16(agrees) as u64) << pair;
        });
        // A last pair without a right neighbour skips that comparison.
        equal | (count as u64 & 1) << (count - 1)
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S>(di: &[&mut [S]; 4], rows: &CompensateRows<S>, p: &Compensate) {
    contract::within(p.cat_slope, 1..=16);
    contract::within(p.sad_tha.max(p.sad_thb), 0..=15);
    let [first, second, third, fourth] = di;
    for other in [second, third, fourth] {
        contract::same_length([first, other]);
    }
    let pairs = first.len().div_ceil(2);
    for frame in rows.frames {
        contract::rows(frame, 2 * pairs);
    }
    for frame in rows.samples {
        contract::rows(frame, 2 * pairs);
    }
    for l in 0..rows.lines.min(4) {
        contract::at_least([rows.stmm3[l], rows.angle[l]], pairs);
        contract::at_least([rows.detail[l], rows.cost90[l]], pairs);
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Sample>(s: I, di: &mut [&mut [S]; 4], rows: &CompensateRows<S>, p: &Compensate) -> bool {
    let pairs = di[0].len().div_ceil(2);
    if pairs < I::N / 2 {
        return false;
    }
    let mut columns = [Columns::new(), Columns::new()];
    let mut found = SearchResults { bound: [[0; _]; 4], best: [[0; _]; 4], vector: [[0; _]; 4] };
    // The last group may begin inside the one before it, since none has fewer pairs than a vector.
    // Groups start at even pairs, because neighbours in twos are compared.
    let (mut first, last) = (0, (pairs - I::N / 2) & !1);
    loop {
        let group = Group { first, count: GROUP.min(pairs - first) };
        let below = search(s, &mut columns, &mut found, rows, group, p);
        for (l, di) in di.iter_mut().enumerate() {
            let mut below = below[l];
            if below != 0 && p.smooth_mv_th == 0 {
                below &= found.equal(s, l, rows.lines, group.count);
            }
            if below != 0 {
                compensate_group(di, l, below, &found, rows, group, p);
            }
        }
        if first + group.count == pairs {
            return true;
        }
        first = (first + GROUP).min(last);
    }
}

/// Pairs that are processed together.
#[derive(Clone, Copy)]
struct Group {
    first: usize,
    count: usize,
}

impl Group {
    /// The position of the first pixel in the rows.
    fn x(self) -> usize {
        APRON + 2 * self.first
    }
}

/// Searches the vectors of a group. Returns a bit for each pair of each line whose SAD is below its
/// bound. All vectors are searched only if there is such a pair.
#[inline(always)]
fn search<I: Isa, S: Sample>(
    s: I,
    columns: &mut [Columns; 2],
    found: &mut SearchResults,
    rows: &CompensateRows<S>,
    group: Group,
    p: &Compensate,
) -> [u64; 4] {
    let Group { count, .. } = group;
    let (mut summed, mut searched, mut below) = ([false; 2], [false; 4], [0; 4]);
    for parity in [0, 1] {
        let mut possible = false;
        for l in [parity, parity + 2] {
            possible |= l < rows.lines && bounds(s, &mut found.bound[l], rows, l, group, p);
        }
        if !possible {
            continue;
        }
        summed[parity] = true;
        columns[parity].sum(s, rows.k(parity), rows.r(parity), group.x(), count);
        for l in [parity, parity + 2] {
            if columns[parity].may_be_below(s, l / 2, &found.bound[l], count) {
                searched[l] = true;
                columns[parity].best(s, l / 2, &mut found.best[l], &mut found.vector[l], count);
                below[l] = found.below(s, l, count);
            }
        }
    }
    if below != [0; 4] {
        // Any line's vectors may be compared with these, so all of them must be known.
        for parity in [0, 1] {
            if !summed[parity] {
                columns[parity].sum(s, rows.k(parity), rows.r(parity), group.x(), count);
            }
            for l in [parity, parity + 2] {
                if !searched[l] {
                    columns[parity].best(s, l / 2, &mut found.best[l], &mut found.vector[l], count);
                }
            }
        }
    }
    below
}

/// Writes the bounds of a line: 0 for pairs that cannot pass. Returns whether any pair can pass.
#[inline(always)]
fn bounds<I: Isa, S: Sample>(
    s: I,
    bound: &mut PerPair<u16>,
    rows: &CompensateRows<S>,
    l: usize,
    group: Group,
    p: &Compensate,
) -> bool {
    let [min, slope, tha, thb] = [p.stmm_min, p.cat_slope, p.sad_tha, p.sad_thb].map(|v| s.splat16(v as u16));
    let (flat, detailed) = (s.mul_low(slope, tha), s.mul_low(slope, thb));
    let (margin, least) = (s.splat16(p.sad_tight_th as u16 * 30), s.splat16(p.cat_th1 as u16 + 1));
    // The high half of the product is the exact quotient for q up to 15 * 255.
    let inverse = s.splat16(65536_u32.div_ceil(p.cat_slope as u32) as u16);
    let (upper, lower) = (rows.k(l)[1], rows.k(l)[3]);
    let mut any = s.splat16(0);
    blocks!(group.count, I::N / 2, pair => {
        let at = group.first + pair;
        let mut value = s.gt15(s.load_half(&rows.stmm3[l][at..]), min);
        if s.any16(value) {
            let q = s.load16(&rows.detail[l][at..]);
            let quotient = if p.cat_slope == 1 { q } else { s.mul_high(q, inverse) };
            let between = s.select16(s.gt15(q, detailed), thb, quotient);
            let adaptive = s.mul_low(s.select16(s.gt15(flat, q), tha, between), s.splat16(30));
            let tight = s.sub_saturating16(s.shl::<1>(s.load16(&rows.cost90[l][at..])), margin);
            let checked = s.max15(s.min15(adaptive, tight), least);
            // At the vertical, e > d requires that the lines above and below differ.
            let x = APRON + 2 * at;
            let differ = s.pair_sum(s.xor(s.load(&upper[x..]), s.load(&lower[x..])));
            let checked = s.and16(checked, s.gt15(differ, s.splat16(0)));
            let vertical = s.eq16(s.load_half(&rows.angle[l][at..]), s.splat16(VERTICAL as u16));
            value = s.and16(value, s.select16(vertical, checked, least));
        }
        any = s.or16(any, value);
        s.store16(&mut bound[pair..], value);
    });
    s.any16(any)
}

/// Compensates the pairs of a group in a line whose SAD is `below` its bound. There are few, so
/// they are processed one by one.
fn compensate_group<S: Sample>(
    di: &mut [S],
    l: usize,
    mut below: u64,
    found: &SearchResults,
    rows: &CompensateRows<S>,
    group: Group,
    p: &Compensate,
) {
    let [other, same] = CompensateRows::<S>::neighbours(l);
    while below != 0 {
        let i = below.trailing_zeros() as usize;
        below &= below - 1;
        let own = found.vector[l][i] as u8;
        let agrees = |l: usize, i: usize, sign: i8| {
            l >= rows.lines || i >= group.count || close(own, found.vector[l][i] as u8, sign, p.smooth_mv_th)
        };
        if agrees(other, i, -1) && agrees(same, i, 1) && agrees(l, i ^ 1, 1) {
            compensate_pair(di, group.first + i, l, rows, (found.best[l][i], own), p);
        }
    }
}

/// Checks and writes the pixels of a pair that passed the checks of the pair. The checks see 8 bits
/// (§9.2).
fn compensate_pair<S: Sample>(
    di: &mut [S],
    pair: usize,
    l: usize,
    rows: &CompensateRows<S>,
    (sad, vector): (u16, u8),
    p: &Compensate,
) {
    let (k, r) = (rows.k(l), rows.r(l));
    let needs_near = sad > p.cat_th1 as u16;
    let vector = VECTORS[vector as usize];
    let (from_r, from_k) = (Taps::new([r[2], r[4], r[6]], vector, 1), Taps::new([k[0], k[2], k[4]], vector, -1));
    let samples = Taps::new(rows.r_samples(l), vector, 1);
    let o = offset(rows.angle[l][pair]);
    for (i, out) in di[2 * pair..].iter_mut().take(2).enumerate() {
        let x = APRON + 2 * pair + i;
        let (mcdi, mc_cur) = (from_r.at(x), from_k.at(x));
        let d = mcdi.abs_diff(mc_cur);
        let e = k[1][x.wrapping_add_signed(o)].abs_diff(k[3][x.wrapping_add_signed(-o)]);
        let (up, down) = (k[1][x], k[3][x]);
        let between = up.min(down) <= mcdi && mcdi <= up.max(down);
        let near = between || mcdi.abs_diff(up).min(mcdi.abs_diff(down)) < p.neighbor_pixel_th;
        if e > d && d < p.mc_pixel_consistency_th && (near || !needs_near) {
            *out = samples.at(x);
        }
    }
}

/// The samples whose mean is mc(F, u): two columns of two lines.
struct Taps<'a, S> {
    lines: [Row<'a, S>; 2],
    columns: [isize; 2],
}

impl<'a, S: Sample> Taps<'a, S> {
    /// `lines` are y-2, y, y+2 of F. The specification uses a column or line once where this uses
    /// it twice; average and truncation are the same.
    #[inline(always)]
    fn new(lines: [Row<'a, S>; 3], (mx, my): (i8, i8), u: i8) -> Taps<'a, S> {
        let h = mx / 2;
        let columns = [h, if mx % 2 == 0 { h } else { h + mx.signum() }].map(|h| (u * h) as isize);
        let first = if my == 0 || u * my > 0 { 1 } else { 0 };
        Taps { lines: [lines[first], lines[if my == 0 { first } else { first + 1 }]], columns }
    }

    /// mc(F, u) at column x.
    #[inline(always)]
    fn at(&self, x: usize) -> S {
        let [left, right] = self.columns.map(|column| x.wrapping_add_signed(column));
        let [upper, lower] = self.lines.map(|line| line[left].into() + line[right].into());
        S::from_u32((upper + lower) >> 2)
    }
}
