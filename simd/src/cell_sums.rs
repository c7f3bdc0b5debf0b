//! Sums of the differences of two pictures over cells of 4×4 samples (§16.5).
use crate::contract;
use crate::isa::Isa;

/// Samples of a side of a cell.
const SIDE: usize = 4;

/// For each cell of four lines the sum of `|d|` and the sum of d, where d is the difference of a
/// sample of `other` to that of `own`, both shifted right by `shift` to 12 bits.
pub fn scalar(absolute: &mut [i32], signed: &mut [i32], own: [&[u16]; 4], other: [&[u16]; 4], shift: u8) {
    for (cell, (absolute, signed)) in absolute.iter_mut().zip(signed).enumerate() {
        (*absolute, *signed) = (0, 0);
        for (own, other) in own.into_iter().zip(other) {
            for x in SIDE * cell..SIDE * (cell + 1) {
                let difference = i32::from(other[x] >> shift) - i32::from(own[x] >> shift);
                *absolute += difference.abs();
                *signed += difference;
            }
        }
    }
}

/// Panics if the outputs differ in length, a line is too short, or `shift` is above 4.
#[inline(always)]
pub(crate) fn check(absolute: &[i32], signed: &[i32], own: [&[u16]; 4], other: [&[u16]; 4], shift: u8) {
    contract::same_length([absolute, signed]);
    contract::at_least(own, SIDE * absolute.len());
    contract::at_least(other, SIDE * absolute.len());
    contract::within(shift, 0..=4);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(
    _s: I,
    _absolute: &mut [i32],
    _signed: &mut [i32],
    _own: [&[u16]; 4],
    _other: [&[u16]; 4],
    _shift: u8,
) -> bool {
    false
}
