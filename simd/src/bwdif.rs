//! The value of ffmpeg's filter bwdif for missing samples, and the values that it is made of
//! (§14.2).
use crate::contract;
use crate::field_lines::{FieldLines, inner};
use crate::isa::{Isa, Lane, PackedPair, blocks};
use crate::sample::Sample;

/// The values for the missing samples of a line; slices of equal length.
#[derive(Debug)]
pub struct BwdifValues<'a, S> {
    /// bwdif's value B.
    pub base: &'a mut [S],
    /// The mean M of the fields before and after.
    pub temporal: &'a mut [S],
    /// The spatial cubic, clipped.
    pub spatial: &'a mut [S],
    /// The value of w3fdif, clipped.
    pub mixed: &'a mut [S],
    /// The mean of lines y - 2 and y + 2 of the fields before and after.
    pub around: &'a mut [S],
    /// The mean of lines y - 1 and y + 1 of the fields t - 2 and t + 2.
    pub outer: &'a mut [S],
}

/// Spatial cubic: factors of lines y ± 1 and y ± 3, in 1/8192.
const CUBIC: [i32; 2] = [5077, -981];
/// w3fdif in the field t: factors of lines y ± 1 and y ± 3, in 1/8192.
const LOW: [i32; 2] = [4309, -213];
/// w3fdif in the fields t ± 1: factors of lines y, y ± 2 and y ± 4, in 1/32768.
const HIGH: [i32; 3] = [5570, -3801, 1016];

/// Writes the values, and to `range` the distance from the temporal mean to which bwdif limits its
/// value: 0 where it is that mean.
pub fn scalar<S: Sample>(values: &mut BwdifValues<S>, range: &mut [u16], lines: &FieldLines<S>, depth: u8) {
    let n = values.base.len();
    let max = (1 << depth) - 1;
    let [c3, c, e, e3] = lines.own.map(|row| inner(row, n));
    let before = lines.before.map(|row| inner(row, n));
    let after = lines.after.map(|row| inner(row, n));
    let (older, newer) = (lines.older.map(|row| inner(row, n)), lines.newer.map(|row| inner(row, n)));
    for x in 0..n {
        let at = |row: &[S]| row[x].signed();
        let [c3, c, e, e3] = [c3, c, e, e3].map(at);
        let [p4m, pm, p, pp, p4p] = before.map(at);
        let [n4m, nm, n, np, n4p] = after.map(at);
        let ([qc, qe], [rc, re]) = (older.map(at), newer.map(at));
        let d = (p + n) >> 1;
        let t0 = (p - n).abs();
        let t1 = ((qc - c).abs() + (qe - e).abs()) >> 1;
        let t2 = ((rc - c).abs() + (re - e).abs()) >> 1;
        let diff = (t0 >> 1).max(t1).max(t2);
        let (near, far, two, four) = (c + e, c3 + e3, pm + nm + pp + np, p4m + n4m + p4p + n4p);
        let spatial = (CUBIC[0] * near + CUBIC[1] * far) >> 13;
        let high = (HIGH[0] * (p + n) + HIGH[1] * two + HIGH[2] * four) >> 2;
        let mixed = (high + LOW[0] * near + LOW[1] * far) >> 13;
        let (b, g) = (((pm + nm) >> 1) - c, ((pp + np) >> 1) - e);
        let (dc, de) = (d - c, d - e);
        let greatest = de.max(dc).max(b.min(g));
        let least = de.min(dc).min(b.max(g));
        let limit = diff.max(least).max(-greatest);
        let value = if (c - e).abs() > t0 { mixed } else { spatial };
        let limited = value.min(d + limit).max(d - limit).clamp(0, max);
        let sample = |v: i32| S::from_u32(v as u32);
        values.base[x] = sample(if diff == 0 { d } else { limited });
        values.temporal[x] = sample((p + n + 1) >> 1);
        values.spatial[x] = sample(spatial.clamp(0, max));
        values.mixed[x] = sample(mixed.clamp(0, max));
        values.around[x] = sample((two + 2) >> 2);
        values.outer[x] = sample((qc + qe + rc + re + 2) >> 2);
        range[x] = if diff == 0 { 0 } else { limit as u16 };
    }
}

/// Panics if an output has another length than the first, or a line is too short, or samples cannot
/// have this depth.
#[inline(always)]
pub(crate) fn check<S>(values: &BwdifValues<S>, range: &[u16], lines: &FieldLines<S>, depth: u8) {
    let BwdifValues { base, temporal, spatial, mixed, around, outer } = values;
    contract::same_length([base, temporal]);
    contract::same_length([base, spatial]);
    contract::same_length([base, mixed]);
    contract::same_length([base, around]);
    contract::same_length([base, outer]);
    contract::at_least([range], base.len());
    lines.check(base.len());
    contract::depth::<S>(depth);
}

/// Two factors for adjacent halfwords.
const fn pair(first: i32, second: i32) -> PackedPair {
    first as u16 as u32 | (second as u16 as u32) << 16
}

/// Signed halfwords hold all sums of up to 13 bits; more bits take the scalar form.
#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(
    s: I,
    values: &mut BwdifValues<S>,
    range: &mut [u16],
    lines: &FieldLines<S>,
    depth: u8,
) -> bool {
    if depth > 13 {
        return false;
    }
    let n = values.base.len();
    let max = s.splat16(((1u32 << depth) - 1) as u16);
    let zero = s.splat16(0);
    let (cubic, low) = (s.splat_pair(pair(CUBIC[0], CUBIC[1])), s.splat_pair(pair(LOW[0], LOW[1])));
    let (high, highest) = (s.splat_pair(pair(HIGH[0], HIGH[1])), s.splat_pair(pair(HIGH[2], 0)));
    let [c3_row, c_row, e_row, e3_row] = lines.own.map(|row| inner(row, n));
    let [p4m_row, pm_row, p_row, pp_row, p4p_row] = lines.before.map(|row| inner(row, n));
    let [n4m_row, nm_row, n_row, np_row, n4p_row] = lines.after.map(|row| inner(row, n));
    let [qc_row, qe_row] = lines.older.map(|row| inner(row, n));
    let [rc_row, re_row] = lines.newer.map(|row| inner(row, n));
    blocks!(n, I::N / 2, x => {
        let (c, e) = (S::load_half(s, &c_row[x..]), S::load_half(s, &e_row[x..]));
        let (p, n) = (S::load_half(s, &p_row[x..]), S::load_half(s, &n_row[x..]));
        let (qc, qe) = (S::load_half(s, &qc_row[x..]), S::load_half(s, &qe_row[x..]));
        let (rc, re) = (S::load_half(s, &rc_row[x..]), S::load_half(s, &re_row[x..]));
        let (pm, nm) = (S::load_half(s, &pm_row[x..]), S::load_half(s, &nm_row[x..]));
        let (pp, np) = (S::load_half(s, &pp_row[x..]), S::load_half(s, &np_row[x..]));
        let both = s.add16(p, n);
        let d = s.shr::<1>(both);
        let t0 = s.abs_diff16(p, n);
        let t1 = s.shr::<1>(s.add16(s.abs_diff16(qc, c), s.abs_diff16(qe, e)));
        let t2 = s.shr::<1>(s.add16(s.abs_diff16(rc, c), s.abs_diff16(re, e)));
        let diff = s.max15(s.shr::<1>(t0), s.max15(t1, t2));
        let (above, below) = (s.add16(pm, nm), s.add16(pp, np));
        let (near, two) = (s.add16(c, e), s.add16(above, below));
        let far = s.add16(S::load_half(s, &c3_row[x..]), S::load_half(s, &e3_row[x..]));
        let four = s.add16(
            s.add16(S::load_half(s, &p4m_row[x..]), S::load_half(s, &n4m_row[x..])),
            s.add16(S::load_half(s, &p4p_row[x..]), S::load_half(s, &n4p_row[x..])),
        );
        let own = [s.interleave_low16(near, far), s.interleave_high16(near, far)];
        let others = [s.interleave_low16(both, two), s.interleave_high16(both, two)];
        let last = [s.interleave_low16(four, zero), s.interleave_high16(four, zero)];
        let mut cubes = [s.splat32(0); 2];
        let mut mixes = cubes;
        for half in 0..2 {
            cubes[half] = s.sra32::<13>(s.madd16(own[half], cubic));
            let fields = s.sra32::<2>(s.add32(s.madd16(others[half], high), s.madd16(last[half], highest)));
            mixes[half] = s.sra32::<13>(s.add32(fields, s.madd16(own[half], low)));
        }
        let (spatial, mixed) = (s.pack32(cubes[0], cubes[1]), s.pack32(mixes[0], mixes[1]));
        let (b, g) = (s.sub16(s.shr::<1>(above), c), s.sub16(s.shr::<1>(below), e));
        let (dc, de) = (s.sub16(d, c), s.sub16(d, e));
        let greatest = s.max15(s.max15(de, dc), s.min15(b, g));
        let least = s.min15(s.min15(de, dc), s.max15(b, g));
        let limit = s.max15(s.max15(diff, least), s.sub16(zero, greatest));
        let value = s.select16(s.gt15(s.abs_diff16(c, e), t0), mixed, spatial);
        let distance = s.select16(s.eq16(diff, zero), zero, limit);
        s.store16(&mut range[x..], distance);
        let limited = s.max15(s.min15(value, s.add16(d, limit)), s.sub16(d, limit));
        let limited = s.min15(s.max15(limited, zero), max);
        S::store_half(s, &mut values.base[x..], s.select16(s.eq16(diff, zero), d, limited));
        S::store_half(s, &mut values.temporal[x..], s.avg_up16(p, n));
        S::store_half(s, &mut values.spatial[x..], s.min15(s.max15(spatial, zero), max));
        S::store_half(s, &mut values.mixed[x..], s.min15(s.max15(mixed, zero), max));
        S::store_half(s, &mut values.around[x..], s.shr::<2>(s.add16(two, s.splat16(2))));
        let outer = s.add16(s.add16(qc, qe), s.add16(rc, re));
        S::store_half(s, &mut values.outer[x..], s.shr::<2>(s.add16(outer, s.splat16(2))));
    })
}
