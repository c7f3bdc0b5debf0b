//! Sums of the differences of two pictures over cells of 4×4 samples (§16.5).
use crate::contract;
use crate::isa::{Isa, blocks};

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

/// The sums of four lines fit signed halfwords: samples have 12 bits.
#[inline(always)]
pub(crate) fn vector<I: Isa>(
    s: I,
    absolute: &mut [i32],
    signed: &mut [i32],
    own: [&[u16]; 4],
    other: [&[u16]; 4],
    shift: u8,
) -> bool {
    let n = absolute.len();
    let signed = &mut signed[..n];
    let (own, other) = (own.map(|line| &line[..SIDE * n]), other.map(|line| &line[..SIDE * n]));
    let zero = s.splat16(0);
    blocks!(n, I::N / 8, cell => {
        let (mut absolutes, mut differences) = (zero, zero);
        for (own, other) in own.iter().zip(&other) {
            let (own, other) = (s.load16(&own[SIDE * cell..]), s.load16(&other[SIDE * cell..]));
            let difference = s.sub16(s.shr_by(other, shift), s.shr_by(own, shift));
            differences = s.add16(differences, difference);
            absolutes = s.add16(absolutes, s.max15(difference, s.sub16(zero, difference)));
        }
        s.store_eighth32(&mut absolute[cell..], cells(s, absolutes));
        s.store_eighth32(&mut signed[cell..], cells(s, differences));
    })
}

/// Adds four columns; the sum of two of them fits a halfword. Each sum is in two words.
#[inline(always)]
fn cells<I: Isa>(s: I, columns: I::H) -> I::W {
    s.madd16(s.add16(columns, s.swap32(columns)), s.splat16(1))
}
