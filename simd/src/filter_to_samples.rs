//! The scaler's second direction with output of the depth of the picture (§5.1, §5.2, §9.4):
//! `filter` and `narrow` in one pass.
use crate::contract;
use crate::filter::words::{BIASED, PLAIN, Words};
use crate::isa::{Isa, blocks};
use crate::narrow::{Narrow, narrowed};
use crate::polyphase::{blend, unit_depth};
use crate::{Alpha, Lines, Polyphase, Sample, Tap};

/// Writes the output line of a tap as samples of `depth` bits. The lines of `src` are T, of
/// P = max(10, depth) bits, which is the depth of `filter`.
pub fn scalar<S: Sample>(dst: &mut [S], src: Lines<u16>, tap: Tap, filter: &Polyphase, alpha: Alpha, depth: u8) {
    let (t, k) = (src.eight(tap.first as usize), filter.row(tap.phase));
    for (x, out) in dst[..src.width].iter_mut().enumerate() {
        let v = blend(t.map(|row| row[x] as i32), k, tap.phase, alpha.at(0, src.stride, x), filter.most());
        *out = narrowed(v, depth);
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[S], src: Lines<u16>, tap: Tap, filter: &Polyphase, alpha: Alpha, depth: u8) {
    contract::depth::<S>(depth);
    contract::within(filter.depth(), unit_depth(depth).into()..=unit_depth(depth).into());
    contract::filter(dst, src, &[tap], alpha.weights());
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Narrow>(
    s: I,
    dst: &mut [S],
    src: Lines<u16>,
    tap: Tap,
    filter: &Polyphase,
    alpha: Alpha,
    depth: u8,
) -> bool {
    // Bytes come from 10 bits.
    if size_of::<S>() > 1 && depth == 16 {
        line::<I, S, BIASED>(s, dst, src, tap, filter, alpha, depth)
    } else {
        line::<I, S, PLAIN>(s, dst, src, tap, filter, alpha, depth)
    }
}

#[inline(always)]
fn line<I: Isa, S: Narrow, const FORM: u8>(
    s: I,
    dst: &mut [S],
    src: Lines<u16>,
    tap: Tap,
    filter: &Polyphase,
    alpha: Alpha,
    depth: u8,
) -> bool {
    let words = Words::<I, FORM>::new(s, src, &tap, filter);
    let dst = &mut dst[..src.width];
    blocks!(src.width, I::N / 2, x => {
        S::store_narrow(s, &mut dst[x..], words.at(s, alpha, 0, x), depth);
    })
}
