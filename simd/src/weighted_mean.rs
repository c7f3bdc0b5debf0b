//! Weighted mean of a sample and those of two references (§16.6).
use crate::contract;
use crate::isa::{Isa, blocks};

/// Writes the mean of `own` and `others`. The weights of the references are in 1/32768, one for
/// four samples; the rest of 32768 is the weight of `own`. The weights of both sum to at most
/// 32767.
pub fn scalar(dst: &mut [u16], own: &[u16], others: [&[u16]; 2], weights: [&[u16]; 2], _depth: u8) {
    for (x, out) in dst.iter_mut().enumerate() {
        let own = i32::from(own[x]);
        let [first, second] = [0, 1].map(|k| i32::from(weights[k][x / 4]).wrapping_mul(i32::from(others[k][x]) - own));
        *out = (own + (first.wrapping_add(second).wrapping_add(1 << 14) >> 15)) as u16;
    }
}

/// Panics if a slice is too short or the samples do not have 12 to 16 bits.
#[inline(always)]
pub(crate) fn check(dst: &[u16], own: &[u16], others: [&[u16]; 2], weights: [&[u16]; 2], depth: u8) {
    contract::at_least([own], dst.len());
    contract::at_least(others, dst.len());
    contract::at_least(weights, dst.len().div_ceil(4));
    contract::within(depth, 12..=16);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], own: &[u16], others: [&[u16]; 2], weights: [&[u16]; 2], depth: u8) -> bool {
    if depth < 16 { lines::<I, false>(s, dst, own, others, weights) } else { lines::<I, true>(s, dst, own, others, weights) }
}

#[inline(always)]
fn lines<I: Isa, const DEEP: bool>(s: I, dst: &mut [u16], own: &[u16], others: [&[u16]; 2], weights: [&[u16]; 2]) -> bool {
    let n = dst.len();
    let (own, [a, b]) = (&own[..n], others.map(|line| &line[..n]));
    let [first_weights, second_weights] = weights.map(|weights| &weights[..n.div_ceil(4)]);
    let whole = n - n % 4;
    let is_done = blocks!(whole, I::N / 2, x => {
        let weights = s.load_cell_pairs(&first_weights[x / 4..], &second_weights[x / 4..]);
        let (own, a, b) = (s.load16(&own[x..]), s.load16(&a[x..]), s.load16(&b[x..]));
        let mean = if DEEP { mean_of_words(s, own, [a, b], weights) } else { mean(s, own, [a, b], weights) };
        s.store16(&mut dst[x..], mean);
    });
    if is_done {
        let weights = [&first_weights[whole / 4..], &second_weights[whole / 4..]];
        scalar(&mut dst[whole..], &own[whole..], [&a[whole..], &b[whole..]], weights, 16);
    }
    is_done
}

/// Differences of up to 15 bits fit halfwords.
#[inline(always)]
fn mean<I: Isa>(s: I, own: I::H, [a, b]: [I::H; 2], [low, high]: [I::H; 2]) -> I::H {
    let (a, b) = (s.sub16(a, own), s.sub16(b, own));
    let round = s.splat32(1 << 14);
    let low = s.dot16(round, s.interleave_low16(a, b), low);
    let high = s.dot16(round, s.interleave_high16(a, b), high);
    s.add16(own, s.pack32(s.sra32::<15>(low), s.sra32::<15>(high)))
}

/// Adds the products of all three weights and samples less 2^15. The own weight may be 2^15, so it
/// is negative, as is its sample: -v = !v + 1.
#[inline(always)]
fn mean_of_words<I: Isa>(s: I, own: I::H, [a, b]: [I::H; 2], [low, high]: [I::H; 2]) -> I::H {
    let (centre, one) = (s.splat16(1 << 15), s.splat16(1));
    let (a, b) = (s.xor16(a, centre), s.xor16(b, centre));
    let own = s.xor16(own, s.splat16(0x7fff));
    let low = sum_of_words(s, s.interleave_low16(a, b), s.interleave_low16(own, one), low);
    let high = sum_of_words(s, s.interleave_high16(a, b), s.interleave_high16(own, one), high);
    s.xor16(s.pack32(low, high), centre)
}

/// `own` holds pairs of a sample and 1.
#[inline(always)]
fn sum_of_words<I: Isa>(s: I, others: I::H, own: I::H, weights: I::H) -> I::W {
    let own_weights = s.sub16(s.add16(weights, s.swap16(weights)), s.splat16(1 << 15));
    s.sra32::<15>(s.dot16(s.dot16(s.splat32(1 << 14), others, weights), own, own_weights))
}
