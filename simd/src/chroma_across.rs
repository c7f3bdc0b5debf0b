//! Chroma of twice the width, at any siting (§13.10).
use crate::chroma_mix::mix;
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;

/// Writes two samples for each of `src`, whose samples lie `siting` eighths of an output sample
/// after the even ones, 0…8. Samples beyond the ends of `src` are its first and its last one. The
/// output may be one sample shorter.
pub fn scalar<S: Sample>(dst: &mut [S], src: &[S], siting: u8) {
    let n = dst.len().div_ceil(2);
    let src = &src[..n];
    let f = u32::from(siting);
    let mix = |a: S, b: S, g: u32| S::from_u32((a.into() * (16 - g) + b.into() * g + 8) >> 4);
    let Some((&first, &last)) = src.first().zip(src.last()) else { return };
    dst[0] = mix(first, first, 0);
    // Samples 2k + 1 and 2k + 2 lie between samples k and k + 1.
    for (out, pair) in dst[1..].chunks_exact_mut(2).zip(src.windows(2)) {
        out[0] = mix(pair[0], pair[1], 8 - f);
        out[1] = mix(pair[0], pair[1], 16 - f);
    }
    if dst.len().is_multiple_of(2) {
        dst[2 * n - 1] = last;
    }
}

/// Panics if a slice is too short or the siting outside its range.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], src: &[S], siting: u8) {
    contract::at_least([src], dst.len().div_ceil(2));
    contract::within(siting, 0..=8);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], src: &[S], siting: u8) -> bool {
    let n = dst.len().div_ceil(2);
    let src = &src[..n];
    let Some((&first, &last)) = src.first().zip(src.last()) else { return false };
    let (len, pairs) = (dst.len(), n - 1);
    dst[0] = first;
    if len.is_multiple_of(2) {
        dst[len - 1] = last;
    }
    blocks!(pairs, I::N / 2, k => {
        let (a, b) = (S::load_half(s, &src[k..]), S::load_half(s, &src[k + 1..]));
        let (near, far) = (mix::<I, S>(s, a, b, 8 - siting), mix::<I, S>(s, a, b, 16 - siting));
        S::store_alternating(s, &mut dst[2 * k + 1..], near, far);
    })
}
