//! Costs of a compensated picture by its residuals in the lines of the field (§15.6).
use crate::contract;
use crate::isa::Isa;
use crate::{APRON, Row};

/// `costs[0][x]` is a fifth of the residuals of lines y - 1 and y + 1 in the columns x - 2 … x + 2,
/// `costs[1][x]` an 11th of those of lines y - 3, y - 1, y + 1, y + 3 in the columns x - 5 … x + 5,
/// both rounded, then shifted left by `shift`. `residuals` are the four lines from above.
pub fn scalar(costs: &mut [&mut [u16]; 2], residuals: [Row; 4], shift: u8) {
    let [near, wide] = costs;
    for (x, (near, wide)) in near.iter_mut().zip(wide.iter_mut()).enumerate() {
        let sum = |row: Row, reach: usize| row[APRON + x - reach..=APRON + x + reach].iter().map(|&v| u32::from(v)).sum::<u32>();
        let fifth = (sum(residuals[1], 2) + sum(residuals[2], 2)) * 13107 + 32768;
        let eleventh = residuals.map(|row| sum(row, 5)).iter().sum::<u32>() * 5958 + 32768;
        (*near, *wide) = ((fifth >> 16 << shift) as u16, (eleventh >> 16 << shift) as u16);
    }
}

/// Panics if the outputs differ in length, a row is too short, or the shift is above 4.
#[inline(always)]
pub(crate) fn check(costs: &[&mut [u16]; 2], residuals: [Row; 4], shift: u8) {
    contract::same_length([&costs[0], &costs[1]]);
    contract::rows(residuals, costs[0].len());
    contract::within(shift, 0..=4);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(_: I, _: &mut [&mut [u16]; 2], _: [Row; 4], _: u8) -> bool {
    false
}
