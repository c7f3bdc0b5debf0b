//! Differences of values to a base, the inputs of a network (§14.3).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;

/// Samples of a row, if the rows of `dst` begin `stride` entries apart and the last one ends it.
fn width(dst: &[u16], stride: usize, rows: usize) -> usize {
    dst.len().saturating_sub(rows.saturating_sub(1).saturating_mul(stride))
}

/// `dst[i * stride + x]` is `(values[i][x] >> shift) - (base[x] >> shift)`, signed; shifted values
/// have at most 12 bits. The last row ends with `dst`.
pub fn scalar<S: Sample>(dst: &mut [u16], stride: usize, values: &[&[S]], base: &[S], shift: u8) {
    let width = width(dst, stride, values.len());
    for (i, value) in values.iter().enumerate() {
        let row = &mut dst[i * stride..][..width];
        for (out, (&value, &base)) in row.iter_mut().zip(value.iter().zip(base)) {
            *out = ((value.signed() >> shift) - (base.signed() >> shift)) as u16;
        }
    }
}

/// Panics if a slice is too short, rows overlap, or the shift is above 4.
#[inline(always)]
pub(crate) fn check<S>(dst: &[u16], stride: usize, values: &[&[S]], base: &[S], shift: u8) {
    let width = width(dst, stride, values.len());
    contract::lines(dst, values.len(), stride, width);
    contract::at_least([base], width);
    for value in values {
        contract::at_least([*value], width);
    }
    contract::within(shift, 0..=4);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [u16], stride: usize, values: &[&[S]], base: &[S], shift: u8) -> bool {
    let n = width(dst, stride, values.len());
    if n < I::N / 2 {
        return false;
    }
    let base = &base[..n];
    for (i, value) in values.iter().enumerate() {
        let (dst, value) = (&mut dst[i * stride..][..n], &value[..n]);
        blocks!(n, I::N / 2, x => {
            let [mut value, mut base] = [S::load_half(s, &value[x..]), S::load_half(s, &base[x..])];
            if shift > 0 {
                (value, base) = (s.shr_by(value, shift), s.shr_by(base, shift));
            }
            s.store16(&mut dst[x..], s.sub16(value, base));
        });
    }
    true
}
