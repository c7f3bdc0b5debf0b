//! Adaptive contrast enhancement of more than 12 bits (§6.3, §9.5). The curve is linear over the
//! components of an 8-bit luma, so that a table of 256 pieces holds it. All levels use the scalar
//! form: a table look-up per component limits its speed.
use crate::color_depth::{check_bits, clipped};
use crate::contract;
use crate::isa::Isa;

/// The contrast curve for the components y of one 8-bit luma:
/// `value + ((y - start) * slope >> 10)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CurvePiece {
    /// A component.
    pub start: u16,
    /// The value at `start`.
    pub value: u16,
    /// The slope, U1.10.
    pub slope: u16,
}

/// Writes the luma that the piece of `y`'s 8 most significant bits maps `y` to; the change is
/// reduced where `factor` marks skin. Components have `bits` bits, 12 to 16.
pub fn scalar(dst: &mut [u16], y: &[u16], factor: &[u16], curve: &[CurvePiece; 256], bits: u8) {
    for (out, (&y, &factor)) in dst.iter_mut().zip(y.iter().zip(factor)) {
        let (old, piece) = (y as i32, &curve[(y >> (bits - 8)) as usize & 255]);
        let new = piece.value as i32 + (((old - piece.start as i32) * piece.slope as i32) >> 10);
        *out = clipped(old + (((new - old) * (32 - factor.min(32) as i32)) >> 5), bits);
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u16], y: &[u16], factor: &[u16], curve: &[CurvePiece; 256], bits: u8) {
    contract::at_least([y, factor], dst.len());
    check_bits(bits);
    contract::within(curve.iter().fold(0, |slopes, piece| slopes | piece.slope), 0..=2047);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(_: I, _: &mut [u16], _: &[u16], _: &[u16], _: &[CurvePiece; 256], _: u8) -> bool {
    false
}
