//! The output of the fusion network with its limits (§15.7).
use crate::contract;
use crate::isa::{Isa, Lane};
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
    /// Static measures below the first are static: `dst` keeps its value. Below the second the value
    /// is limited to the range, if that changes it by less than the tolerance.
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
            let limited = value.clamp((mean - range).max(0), (mean + range).min(max));
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
pub(crate) fn vector<I: Isa, S: Lane>(_: I, _: &mut [S], _: &Fusion<S>, _: u8) -> bool {
    false
}
