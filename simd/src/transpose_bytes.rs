//! Transposes rows of bytes.
use crate::Lines;
use crate::contract;
use crate::isa::{Isa, blocks};

/// `dst[x * dst_stride + y]` = sample x of line y, for `src.width` columns and `rows` lines.
pub fn scalar(dst: &mut [u8], dst_stride: usize, src: Lines<u8>, rows: usize) {
    for y in 0..rows {
        for (x, &v) in src.line(y).iter().enumerate() {
            dst[x * dst_stride + y] = v;
        }
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], dst_stride: usize, src: Lines<u8>, rows: usize) {
    contract::lines(src.data, rows, src.stride, src.width);
    contract::lines(dst, src.width, dst_stride, rows);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], dst_stride: usize, src: Lines<u8>, rows: usize) -> bool {
    // Wider vectors gain nothing: the stores of 16 bytes each dominate the time.
    if I::N > 32 || src.width < I::N || rows < 16 {
        return false;
    }
    blocks!(rows, 16, y => {
        blocks!(src.width, I::N, x => {
            let mut v = [s.splat(0); 16];
            for (i, v) in v.iter_mut().enumerate() {
                *v = s.load(&src.data[(y + i) * src.stride + x..]);
            }
            // Interleaving the two halves four times transposes each group of 16 lines and columns.
            for _ in 0..4 {
                let mut turned = v;
                for i in 0..8 {
                    turned[2 * i] = s.interleave_low(v[i], v[i + 8]);
                    turned[2 * i + 1] = s.interleave_high(v[i], v[i + 8]);
                }
                v = turned;
            }
            for i in 0..16 {
                s.store_groups(&mut dst[(x + i) * dst_stride + y..], 16 * dst_stride, v[i]);
            }
        });
    })
}
