//! Transposes rows of samples. Those of the caller are limited to the greatest value of their depth
//! (§9.1).
use crate::Lines;
use crate::Sample;
use crate::contract;
use crate::isa::{Isa, Lane, blocks};

/// `dst[x * dst_stride + y]` = sample x of line y, at most `most`, for `src.width` columns and
/// `rows` lines.
pub fn scalar<S: Sample>(dst: &mut [S], dst_stride: usize, src: Lines<S>, rows: usize, most: S) {
    for y in 0..rows {
        for (x, &v) in src.line(y).iter().enumerate() {
            dst[x * dst_stride + y] = v.min(most);
        }
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[S], dst_stride: usize, src: Lines<S>, rows: usize, _: S) {
    contract::lines(src.data, rows, src.stride, src.width);
    contract::lines(dst, src.width, dst_stride, rows);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], dst_stride: usize, src: Lines<S>, rows: usize, most: S) -> bool {
    // Wider vectors gain nothing: the stores of 16 bytes each dominate the time.
    if I::N > 32 || src.width < S::count::<I>() || rows < S::GROUP {
        return false;
    }
    let most = S::splat(s, most.into() as u16);
    blocks!(rows, S::GROUP, y => {
        blocks!(src.width, S::count::<I>(), x => {
            let mut v = [S::splat(s, 0); 16];
            for (i, v) in v[..S::GROUP].iter_mut().enumerate() {
                *v = S::lesser(s, S::load(s, &src.data[(y + i) * src.stride + x..]), most);
            }
            // Interleaving the two halves log2(GROUP) times transposes each group of lines and
            // columns.
            for _ in 0..S::GROUP.ilog2() {
                let mut turned = v;
                for i in 0..S::GROUP / 2 {
                    turned[2 * i] = S::interleave_low(s, v[i], v[i + S::GROUP / 2]);
                    turned[2 * i + 1] = S::interleave_high(s, v[i], v[i + S::GROUP / 2]);
                }
                v = turned;
            }
            for i in 0..S::GROUP {
                S::store_groups(s, &mut dst[(x + i) * dst_stride + y..], S::GROUP * dst_stride, v[i]);
            }
        });
    })
}
