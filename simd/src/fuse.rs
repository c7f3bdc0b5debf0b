//! The output of the fusion network with its limits (§15.9).
use crate::around::limit;
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;

/// Values of the missing samples of a line; slices of at least as many samples.
#[derive(Clone, Copy, Debug)]
pub struct Fusion<'a, S = u8> {
    /// The base, to which the correction is added.
    pub base: &'a [S],
    /// The signed output of the network; -32768 counts as -32767.
    pub correction: &'a [u16],
    /// The samples of the compensated pictures.
    pub references: [&'a [S]; 4],
    /// The truncated mean of the fields before and after.
    pub mean: &'a [S],
    /// The distance from it to which bwdif limits its value.
    pub range: &'a [u16],
    /// The static measure.
    pub still: &'a [u16],
    /// Static measures below the first are static: `dst` keeps its value. Below the second the
    /// value is limited to the range, if that changes it by less than the tolerance.
    pub thresholds: [u16; 2],
    /// See the thresholds.
    pub tolerance: u16,
}

/// Writes base and correction, limited to the values that they are made of.
pub fn scalar<S: Sample>(dst: &mut [S], p: &Fusion<S>, depth: u8) {
    let max = (1 << depth) - 1;
    for (x, out) in dst.iter_mut().enumerate() {
        let base = p.base[x].signed();
        let references = p.references.map(|row| row[x].signed());
        let (least, greatest) = references.into_iter().fold((base, base), |(least, greatest), v| (least.min(v), greatest.max(v)));
        let mut value = (base + i32::from(p.correction[x] as i16).max(-32767)).clamp(least, greatest);
        if p.still[x] < p.thresholds[1] {
            let (mean, range) = (p.mean[x].signed(), i32::from(p.range[x]));
            let limited = value.max(mean - range).min(mean + range).min(max);
            if value.abs_diff(limited) < p.tolerance.into() {
                value = limited;
            }
        }
        if p.still[x] >= p.thresholds[0] {
            *out = S::from_u32(value as u32);
        }
    }
}

/// Panics if a slice is too short, a threshold above 2^15 - 1, or samples cannot have this depth.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], p: &Fusion<S>, depth: u8) {
    contract::at_least([p.base, p.mean], dst.len());
    contract::at_least(p.references, dst.len());
    contract::at_least([p.correction, p.range, p.still], dst.len());
    contract::within(p.thresholds[0].max(p.thresholds[1]), 0..=0x7fff);
    contract::depth::<S>(depth);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], p: &Fusion<S>, depth: u8) -> bool {
    let n = dst.len();
    let (base, mean) = (&p.base[..n], &p.mean[..n]);
    let [first, second, third, fourth] = p.references.map(|row| &row[..n]);
    let (correction, range, still) = (&p.correction[..n], &p.range[..n], &p.still[..n]);
    let (zero, max) = (s.splat16(0), s.splat16(((1u32 << depth) - 1) as u16));
    let least_correction = s.splat16(-32767i16 as u16);
    let ([still_below, near_below], tolerance) = (p.thresholds.map(|threshold| s.splat16(threshold)), s.splat16(p.tolerance));
    blocks!(n, I::N / 2, x => {
        let base = S::load_half(s, &base[x..]);
        let (first, second) = (S::load_half(s, &first[x..]), S::load_half(s, &second[x..]));
        let (third, fourth) = (S::load_half(s, &third[x..]), S::load_half(s, &fourth[x..]));
        let least = s.min16(base, s.min16(s.min16(first, second), s.min16(third, fourth)));
        let greatest = s.max16(base, s.max16(s.max16(first, second), s.max16(third, fourth)));
        // The sum saturates where the limits are nearer.
        let correction = s.max15(s.load16(&correction[x..]), least_correction);
        let (more, less) = (s.max15(correction, zero), s.max15(s.sub16(zero, correction), zero));
        let sum = s.sub_saturating16(s.add_saturating16(base, more), less);
        let value = s.min16(s.max16(sum, least), greatest);
        let limited = limit(s, value, S::load_half(s, &mean[x..]), s.load16(&range[x..]), max);
        let still = s.load16(&still[x..]);
        let keeps = s.or16(s.ge16(still, near_below), s.ge16(s.distance16(value, limited), tolerance));
        let value = s.select16(keeps, value, limited);
        let out = s.select16(s.ge16(still, still_below), value, S::load_half(s, &dst[x..]));
        S::store_half(s, &mut dst[x..], out);
    })
}
