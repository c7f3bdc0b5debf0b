//! Words of 9 to 15 bits without the unused bits, for frames that wait.
use crate::contract;
use crate::isa::Isa;

/// Samples of a block that is packed on its own.
pub const BIT_BLOCK: usize = ROWS * COLUMNS;

/// Rows of a block: as many as a word has bits, so that they fill as many words as a sample has
/// bits.
pub(crate) const ROWS: usize = 16;

/// Columns of a block: the halfwords of the widest vector. All samples of a column are packed into
/// the words of that column, so that no bits cross lanes and the order is that of every level.
pub(crate) const COLUMNS: usize = 32;

/// Packs the whole blocks of `src`, with samples of at most `2^depth - 1`; greater ones become
/// that. A block is 16 rows of 32 samples, and becomes `depth` rows of 32 words. Column x of the
/// words holds the bits of column x of the samples, from the first row and the lowest bit on.
///
/// `src` determines the number of blocks.
pub fn scalar(dst: &mut [u16], src: &[u16], depth: u8) {
    let (depth, most) = (usize::from(depth), u16::MAX >> (16 - depth));
    for (dst, src) in dst.chunks_exact_mut(depth * COLUMNS).zip(src.chunks_exact(BIT_BLOCK)) {
        dst.fill(0);
        for (row, src) in src.chunks_exact(COLUMNS).enumerate() {
            let (word, shift) = (row * depth / 16, row * depth % 16);
            for (x, &v) in src.iter().enumerate() {
                let bits = u32::from(v.min(most)) << shift;
                dst[word * COLUMNS + x] |= bits as u16;
                if shift + depth > 16 {
                    dst[(word + 1) * COLUMNS + x] = (bits >> 16) as u16;
                }
            }
        }
    }
}

/// Panics if a slice is too short or the depth is not 9…15 bits.
#[inline(always)]
pub(crate) fn check(dst: &[u16], src: &[u16], depth: u8) {
    contract::within(depth, 9..=15);
    contract::at_least([dst], src.len() / BIT_BLOCK * COLUMNS * usize::from(depth));
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], src: &[u16], depth: u8) -> bool {
    let depth = usize::from(depth);
    let most = s.splat16(u16::MAX >> (16 - depth));
    for (dst, src) in dst.chunks_exact_mut(depth * COLUMNS).zip(src.chunks_exact(BIT_BLOCK)) {
        for x in (0..COLUMNS).step_by(I::N / 2) {
            let (mut word, mut filled, mut out) = (s.splat16(0), 0, x);
            for row in 0..ROWS {
                let v = s.min16(s.load16(&src[row * COLUMNS + x..]), most);
                // The halves of the product are the bits that fit into the word and the others.
                let shift = s.splat16(1 << filled);
                word = s.or16(word, s.mul_low(v, shift));
                filled += depth;
                if filled >= 16 {
                    s.store16(&mut dst[out..], word);
                    word = s.mul_high(v, shift);
                    (filled, out) = (filled - 16, out + COLUMNS);
                }
            }
        }
    }
    true
}
