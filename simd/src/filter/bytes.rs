//! The scaler's filter for samples of 8 bits: products and, for usual coefficients, sums of 16
//! bits.
use super::Filter;
use crate::isa::{Isa, blocks};
use crate::{Alpha, Lines, Polyphase, Tap};

impl Filter for u8 {
    #[inline(always)]
    fn vector<I: Isa>(s: I, dst: &mut [u16], src: Lines<u8>, taps: &[Tap], filter: &Polyphase, alpha: Alpha) -> bool {
        if src.width < I::N {
            return false;
        }
        for (line, tap) in taps.iter().enumerate() {
            let (rows, k) = (src.eight(tap.first as usize), filter.row(tap.phase));
            let dst = &mut dst[line * src.stride..][..src.width];
            blocks!(src.width, I::N, x => {
                let [mut low, mut high] = match (filter.is_narrow(), filter.has_four()) {
                    (true, false) => sharp::<I, 4>(s, rows, k, x),
                    (true, true) => sharp::<I, 2>(s, rows, k, x),
                    _ => sharp_wide(s, rows, k, x),
                };
                if !matches!(alpha, Alpha::All(255)) {
                    let (t3, t4) = (s.load(&rows[3][x..]), s.load(&rows[4][x..]));
                    let weights = [32 - tap.phase as i8, tap.phase as i8];
                    let smooth = [s.interleave_low(t3, t4), s.interleave_high(t3, t4)];
                    let alpha = match alpha {
                        Alpha::All(alpha) => s.splat(alpha),
                        Alpha::Each(alpha) => s.load(&alpha[line * src.stride + x..]),
                    };
                    low = mixed(s, low, s.madd_bytes(smooth[0], weights), s.widen_low(alpha));
                    high = mixed(s, high, s.madd_bytes(smooth[1], weights), s.widen_high(alpha));
                }
                s.store_parts(&mut dst[x..], low, high);
            });
        }
        true
    }
}

/// Σ T·K of the inner taps, `PAIRS` on each side, rounded. Opposite taps form pairs.
#[inline(always)]
fn sharp<I: Isa, const PAIRS: usize>(s: I, rows: [&[u8]; 8], k: &[i8; 8], x: usize) -> [I::H; 2] {
    // Σ 4v·K + 32 >> 6 is Σ v·K + 8 >> 4.
    let (mut low, mut high) = (s.splat16(8), s.splat16(8));
    for pair in 0..PAIRS {
        let (left, right) = (3 - pair, 4 + pair);
        let (a, b) = (s.load(&rows[left][x..]), s.load(&rows[right][x..]));
        let weights = [k[left], k[right]];
        low = s.add16(low, s.madd_bytes(s.interleave_low(a, b), weights));
        high = s.add16(high, s.madd_bytes(s.interleave_high(a, b), weights));
    }
    [clipped(s, s.sra::<4>(low)), clipped(s, s.sra::<4>(high))]
}

/// The same for coefficients whose sums of products need 32 bits.
#[inline(always)]
fn sharp_wide<I: Isa>(s: I, rows: [&[u8]; 8], k: &[i8; 8], x: usize) -> [I::H; 2] {
    let mut sums = [[s.splat32(8); 2]; 2];
    for pair in 0..4 {
        let (left, right) = (3 - pair, 4 + pair);
        let (a, b) = (s.load(&rows[left][x..]), s.load(&rows[right][x..]));
        let weights = s.pair16([k[left], k[right]]);
        let (a_low, b_low) = (s.widen_low(a), s.widen_low(b));
        let (a_high, b_high) = (s.widen_high(a), s.widen_high(b));
        sums[0][0] = s.add32(sums[0][0], s.madd16(s.interleave_low16(a_low, b_low), weights));
        sums[0][1] = s.add32(sums[0][1], s.madd16(s.interleave_high16(a_low, b_low), weights));
        sums[1][0] = s.add32(sums[1][0], s.madd16(s.interleave_low16(a_high, b_high), weights));
        sums[1][1] = s.add32(sums[1][1], s.madd16(s.interleave_high16(a_high, b_high), weights));
    }
    let [[a, b], [c, d]] = sums;
    let (low, high) = (s.pack32(s.sra32::<4>(a), s.sra32::<4>(b)), s.pack32(s.sra32::<4>(c), s.sra32::<4>(d)));
    [clipped(s, low), clipped(s, high)]
}

#[inline(always)]
fn clipped<I: Isa>(s: I, v: I::H) -> I::H {
    s.max15(s.min15(v, s.splat16(1023)), s.splat16(0))
}

/// The blend of §5.2; `sum` is T\[3\]·(32 - beta) + T\[4\]·beta of 8-bit samples.
#[inline(always)]
fn mixed<I: Isa>(s: I, sharp: I::H, sum: I::H, alpha: I::H) -> I::H {
    let smooth = s.shr::<3>(s.add16(sum, s.splat16(4)));
    super::words::mixed(s, sharp, smooth, alpha)
}
