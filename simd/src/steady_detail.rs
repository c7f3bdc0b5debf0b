//! Detail of a steady part of the picture that noise alone changes (§14.4).
use crate::contract;
use crate::isa::{Isa, blocks};

/// Sets the static measure to 0 where the comb measure is at least `factor` times as large.
pub fn scalar(still: &mut [u16], comb: &[u16], factor: u16) {
    for (still, &comb) in still.iter_mut().zip(comb) {
        if comb >= factor.wrapping_mul(*still) {
            *still = 0;
        }
    }
}

/// Panics if there are fewer comb measures, or the factor is above 4.
#[inline(always)]
pub(crate) fn check(still: &[u16], comb: &[u16], factor: u16) {
    contract::at_least([comb], still.len());
    contract::within(factor, 0..=4);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, still: &mut [u16], comb: &[u16], factor: u16) -> bool {
    let n = still.len();
    let comb = &comb[..n];
    let (zero, factor) = (s.splat16(0), s.splat16(factor));
    blocks!(n, I::N / 2, x => {
        let measure = s.load16(&still[x..]);
        let keeps = s.ge16(s.load16(&comb[x..]), s.mul_low(measure, factor));
        s.store16(&mut still[x..], s.select16(keeps, zero, measure));
    })
}
