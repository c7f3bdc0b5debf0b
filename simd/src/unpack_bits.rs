//! The samples of packed words, for frames that waited.
use crate::contract;
use crate::isa::Isa;
use crate::pack_bits::{BIT_BLOCK, COLUMNS, ROWS};

/// Fills the whole blocks of `dst` with the samples that
/// [`pack_bits`](crate::Kernels::pack_bits) packed with the same `depth`.
pub fn scalar(dst: &mut [u16], src: &[u16], depth: u8) {
    let (depth, most) = (usize::from(depth), u16::MAX >> (16 - depth));
    for (dst, src) in dst.chunks_exact_mut(BIT_BLOCK).zip(src.chunks_exact(depth * COLUMNS)) {
        for (row, dst) in dst.chunks_exact_mut(COLUMNS).enumerate() {
            let (word, shift) = (row * depth / 16, row * depth % 16);
            for (x, v) in dst.iter_mut().enumerate() {
                let high = if shift + depth > 16 { src[(word + 1) * COLUMNS + x] } else { 0 };
                let bits = u32::from(high) << 16 | u32::from(src[word * COLUMNS + x]);
                *v = (bits >> shift) as u16 & most;
            }
        }
    }
}

/// Panics if a slice is too short or the depth is not 9…15 bits.
#[inline(always)]
pub(crate) fn check(dst: &[u16], src: &[u16], depth: u8) {
    contract::within(depth, 9..=15);
    contract::at_least([src], dst.len() / BIT_BLOCK * COLUMNS * usize::from(depth));
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], src: &[u16], depth: u8) -> bool {
    let depth = usize::from(depth);
    let most = s.splat16(u16::MAX >> (16 - depth));
    for (dst, src) in dst.chunks_exact_mut(BIT_BLOCK).zip(src.chunks_exact(depth * COLUMNS)) {
        for x in (0..COLUMNS).step_by(I::N / 2) {
            // Bits of the word that earlier samples hold.
            let (mut word, mut used, mut next) = (s.load16(&src[x..]), 0, x + COLUMNS);
            for row in 0..ROWS {
                let (mut v, mut end) = (word, used + depth);
                if used > 0 {
                    // The halves of products shift to both sides.
                    let shift = s.splat16(1 << (16 - used));
                    v = s.mul_high(word, shift);
                    if end > 16 {
                        word = s.load16(&src[next..]);
                        v = s.or16(v, s.mul_low(word, shift));
                        (end, next) = (end - 16, next + COLUMNS);
                    }
                }
                s.store16(&mut dst[row * COLUMNS + x..], s.and16(v, most));
                used = end;
            }
        }
    }
    true
}
