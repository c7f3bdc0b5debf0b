//! The scaler's second direction: from 10-bit samples to 10 bits (§5.2).
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::polyphase::blend;
use crate::{Alpha, Lines, Polyphase, Tap};

/// Writes the output line of each tap. Output lines have the stride of `src`. The lines of `src`
/// are T, 0…1023.
pub fn scalar(dst: &mut [u16], src: Lines<u16>, taps: &[Tap], filter: &Polyphase, alpha: Alpha) {
    for (line, tap) in taps.iter().enumerate() {
        let (t, k) = (src.eight(tap.first as usize), filter.row(tap.phase));
        for (x, out) in dst[line * src.stride..][..src.width].iter_mut().enumerate() {
            *out = blend(t.map(|row| row[x] as i32), k, tap.phase, alpha.at(line, src.stride, x));
        }
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u16], src: Lines<u16>, taps: &[Tap], _: &Polyphase, alpha: Alpha) {
    contract::filter(dst, src, taps, alpha.weights());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], src: Lines<u16>, taps: &[Tap], filter: &Polyphase, alpha: Alpha) -> bool {
    if src.width < I::N / 2 {
        return false;
    }
    for (line, tap) in taps.iter().enumerate() {
        let (rows, k) = (src.eight(tap.first as usize), filter.row(tap.phase));
        let dst = &mut dst[line * src.stride..][..src.width];
        let weights = weights(s, k);
        blocks!(src.width, I::N / 2, x => {
            s.store16(&mut dst[x..], sample(s, rows, weights, tap, filter, alpha, line * src.stride, x));
        });
    }
    true
}

/// Coefficients of opposite taps as pairs, the inner ones first.
#[inline(always)]
pub(crate) fn weights<I: Isa>(s: I, k: &[i8; 8]) -> [I::H; 4] {
    let mut weights = [s.splat16(0); 4];
    for (pair, weights) in weights.iter_mut().enumerate() {
        *weights = s.pair16([k[3 - pair], k[4 + pair]]);
    }
    weights
}

/// A vector of the output. The line's `alpha` starts at index `start`.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "one expression of two kernels")]
pub(crate) fn sample<I: Isa>(
    s: I,
    rows: [&[u16]; 8],
    weights: [I::H; 4],
    tap: &Tap,
    filter: &Polyphase,
    alpha: Alpha,
    start: usize,
    x: usize,
) -> I::H {
    let out = if filter.has_four() { sharp::<I, 2>(s, rows, weights, x) } else { sharp::<I, 4>(s, rows, weights, x) };
    let alpha = match alpha {
        Alpha::All(255) => return out,
        Alpha::All(alpha) => s.splat16(alpha as u16),
        Alpha::Each(alpha) => s.load_half(&alpha[start + x..]),
    };
    let (t3, t4) = (s.load16(&rows[3][x..]), s.load16(&rows[4][x..]));
    // At most 1023 * 32 + 16, which is below 2^15.
    let left = s.mul_low(t3, s.splat16(32 - tap.phase as u16));
    let right = s.mul_low(t4, s.splat16(tap.phase as u16));
    let smooth = s.shr::<5>(s.add16(s.add16(left, right), s.splat16(16)));
    mixed(s, out, smooth, alpha)
}

/// Σ T·K of the inner taps, `PAIRS` on each side, rounded and clipped.
#[inline(always)]
fn sharp<I: Isa, const PAIRS: usize>(s: I, rows: [&[u16]; 8], weights: [I::H; 4], x: usize) -> I::H {
    let (mut low, mut high) = (s.splat32(32), s.splat32(32));
    for pair in 0..PAIRS {
        let (a, b) = (s.load16(&rows[3 - pair][x..]), s.load16(&rows[4 + pair][x..]));
        low = s.add32(low, s.madd16(s.interleave_low16(a, b), weights[pair]));
        high = s.add32(high, s.madd16(s.interleave_high16(a, b), weights[pair]));
    }
    let sharp = s.pack32(s.sra32::<6>(low), s.sra32::<6>(high));
    s.max15(s.min15(sharp, s.splat16(1023)), s.splat16(0))
}

/// `(sharp * a + smooth * (256 - a) + 128) >> 8` with `a = alpha + (alpha >> 7)`.
#[inline(always)]
pub(crate) fn mixed<I: Isa>(s: I, sharp: I::H, smooth: I::H, alpha: I::H) -> I::H {
    let a = s.add16(alpha, s.shr::<7>(alpha));
    // The difference has 11 bits and a sign, a has 9 bits. Scaled by 2^7 together, the rounded high
    // half of their product is the result.
    s.add16(smooth, s.mul_round(s.shl::<4>(s.sub16(sharp, smooth)), s.shl::<3>(a)))
}
