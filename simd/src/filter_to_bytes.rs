//! The scaler's second direction with 8-bit output (§5.1, §5.2): `filter_words` and `narrow` in one
//! pass.
use crate::contract;
use crate::filter_words::{sample, weights};
use crate::isa::{Isa, blocks};
use crate::polyphase::blend;
use crate::{Alpha, Lines, Polyphase, Tap};

/// Writes the output line of a tap as 8-bit samples. The lines of `src` are T, 0…1023.
pub fn scalar(dst: &mut [u8], src: Lines<u16>, tap: Tap, filter: &Polyphase, alpha: Alpha) {
    let (t, k) = (src.eight(tap.first as usize), filter.row(tap.phase));
    for (x, out) in dst[..src.width].iter_mut().enumerate() {
        let v = blend(t.map(|row| row[x] as i32), k, tap.phase, alpha.at(0, src.stride, x));
        *out = ((v + 2) >> 2).min(255) as u8;
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], src: Lines<u16>, tap: Tap, _: &Polyphase, alpha: Alpha) {
    contract::filter(dst, src, &[tap], alpha.weights());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], src: Lines<u16>, tap: Tap, filter: &Polyphase, alpha: Alpha) -> bool {
    let (rows, weights) = (src.eight(tap.first as usize), weights(s, filter.row(tap.phase)));
    let dst = &mut dst[..src.width];
    blocks!(src.width, I::N / 2, x => {
        let v = sample(s, rows, weights, &tap, filter, alpha, 0, x);
        s.store_half(&mut dst[x..], s.min15(s.shr::<2>(s.add16(v, s.splat16(2))), s.splat16(255)));
    })
}
