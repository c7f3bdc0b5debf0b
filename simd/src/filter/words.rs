//! The scaler's filter for words of 9 to 16 bits, which `filter_to_samples` uses as well.
//!
//! Products of samples and coefficients are those of signed halfwords. Samples of 16 bits lose
//! 32768 for that. Such a bias of all T passes through both filters and their blend unchanged,
//! where the weights sum to 1.
use super::Filter;
use crate::isa::{Isa, blocks};
use crate::{Alpha, Lines, Polyphase, Tap};

impl Filter for u16 {
    #[inline(always)]
    fn vector<I: Isa>(s: I, dst: &mut [u16], src: Lines<u16>, taps: &[Tap], filter: &Polyphase, alpha: Alpha) -> bool {
        match filter.depth() {
            9 => lines::<I, DOUBLED>(s, dst, src, taps, filter, alpha),
            16 => lines::<I, BIASED>(s, dst, src, taps, filter, alpha),
            _ => lines::<I, PLAIN>(s, dst, src, taps, filter, alpha),
        }
    }
}

#[inline(always)]
fn lines<I: Isa, const FORM: u8>(s: I, dst: &mut [u16], src: Lines<u16>, taps: &[Tap], filter: &Polyphase, alpha: Alpha) -> bool {
    if src.width < I::N / 2 {
        return false;
    }
    for (line, tap) in taps.iter().enumerate() {
        let dst = &mut dst[line * src.stride..][..src.width];
        let words = Words::<I, FORM>::new(s, src, tap, filter);
        blocks!(src.width, I::N / 2, x => {
            s.store16(&mut dst[x..], words.at(s, alpha, line * src.stride, x));
        });
    }
    true
}

/// Samples of 10 to 15 bits are T.
pub(crate) const PLAIN: u8 = 0;
/// T is twice the sample of 9 bits.
const DOUBLED: u8 = 1;
/// T is the sample of 16 bits, biased.
pub(crate) const BIASED: u8 = 2;

/// The bias of samples of 16 bits: exchanges 0…65535 and -32768…32767.
const BIAS: u16 = 1 << 15;

/// One output line: its source lines and the constants of its tap. Samples of 16 bits are biased.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a, I: Isa, const FORM: u8> {
    rows: [&'a [u16]; 8],
    phase: u8,
    /// Whether only taps 2…5 have coefficients other than 0.
    four: bool,
    /// Coefficients of opposite taps as pairs, the inner ones first; doubled if T is.
    weights: [I::H; 4],
    /// The rounding constant, and the bias of the sum where the coefficients do not sum to 64.
    start: I::W,
    /// The greatest value of P bits.
    most: I::H,
}

impl<'a, I: Isa, const FORM: u8> Words<'a, I, FORM> {
    #[inline(always)]
    pub fn new(s: I, src: Lines<'a, u16>, tap: &Tap, filter: &Polyphase) -> Self {
        let k = filter.row(tap.phase);
        let mut weights = [s.splat16(0); 4];
        for (pair, weights) in weights.iter_mut().enumerate() {
            let once = s.pair16([k[3 - pair], k[4 + pair]]);
            *weights = if FORM == DOUBLED { s.shl::<1>(once) } else { once };
        }
        let excess = k.iter().map(|&k| k as i32).sum::<i32>() - 64;
        let start = s.splat32(if FORM == BIASED { 32 + excess * BIAS as i32 } else { 32 });
        let rows = src.eight(tap.first as usize);
        Words { rows, phase: tap.phase, four: filter.has_four(), weights, start, most: s.splat16(filter.most()) }
    }

    /// A vector of the output. The line's `alpha` starts at index `start`.
    #[inline(always)]
    pub fn at(&self, s: I, alpha: Alpha, start: usize, x: usize) -> I::H {
        let sharp = if self.four { self.sharp::<2>(s, x) } else { self.sharp::<4>(s, x) };
        let alpha = match alpha {
            Alpha::All(255) => return self.unbiased(s, sharp),
            Alpha::All(alpha) => s.splat16(alpha as u16),
            Alpha::Each(alpha) => s.load_half(&alpha[start + x..]),
        };
        let (mut t3, mut t4) = (self.load(s, 3, x), self.load(s, 4, x));
        if FORM == BIASED {
            return self.unbiased(s, mixed_biased(s, sharp, [t3, t4], self.phase, alpha));
        }
        if FORM == DOUBLED {
            (t3, t4) = (s.add16(t3, t3), s.add16(t4, t4));
        }
        // The rounded product is (T[4] - T[3]) * beta + 16 >> 5.
        let beta = s.splat16((self.phase as u16) << 10);
        mixed(s, sharp, s.add16(t3, s.mul_round(s.sub16(t4, t3), beta)), alpha)
    }

    #[inline(always)]
    fn load(&self, s: I, row: usize, x: usize) -> I::H {
        let v = s.load16(&self.rows[row][x..]);
        if FORM == BIASED { s.xor16(v, s.splat16(BIAS)) } else { v }
    }

    #[inline(always)]
    fn unbiased(&self, s: I, v: I::H) -> I::H {
        if FORM == BIASED { s.xor16(v, s.splat16(BIAS)) } else { v }
    }

    /// Σ T·K of the inner taps, `PAIRS` on each side, rounded and clipped.
    #[inline(always)]
    fn sharp<const PAIRS: usize>(&self, s: I, x: usize) -> I::H {
        let (mut low, mut high) = (self.start, self.start);
        for pair in 0..PAIRS {
            let (a, b) = (self.load(s, 3 - pair, x), self.load(s, 4 + pair, x));
            low = s.add32(low, s.madd16(s.interleave_low16(a, b), self.weights[pair]));
            high = s.add32(high, s.madd16(s.interleave_high16(a, b), self.weights[pair]));
        }
        let sharp = s.pack32(s.sra32::<6>(low), s.sra32::<6>(high));
        // With the bias the saturation is the clip.
        if FORM == BIASED { sharp } else { s.max15(s.min15(sharp, self.most), s.splat16(0)) }
    }
}

/// `(sharp * a + smooth * (256 - a) + 128) >> 8` with `a = alpha + (alpha >> 7)`, of 15 bits at
/// most.
#[inline(always)]
pub(crate) fn mixed<I: Isa>(s: I, sharp: I::H, smooth: I::H, alpha: I::H) -> I::H {
    let a = s.add16(alpha, s.shr::<7>(alpha));
    // a has 9 bits: 2^7 times a does not fit a signed halfword, but its negative does.
    let minus = s.sub16(s.splat16(0), s.shl::<7>(a));
    s.add16(smooth, s.mul_round(s.sub16(smooth, sharp), minus))
}

/// The same of biased samples of 16 bits, whose differences do not fit signed halfwords. `t` is
/// T\[3\] and T\[4\].
#[inline(always)]
fn mixed_biased<I: Isa>(s: I, sharp: I::H, t: [I::H; 2], phase: u8, alpha: I::H) -> I::H {
    let beta = s.pair16([32 - phase as i8, phase as i8]);
    let low = s.add32(s.madd16(s.interleave_low16(t[0], t[1]), beta), s.splat32(16));
    let high = s.add32(s.madd16(s.interleave_high16(t[0], t[1]), beta), s.splat32(16));
    let smooth = s.pack32(s.sra32::<5>(low), s.sra32::<5>(high));
    let a = s.add16(alpha, s.shr::<7>(alpha));
    let rest = s.sub16(s.splat16(256), a);
    let low = s.madd16(s.interleave_low16(sharp, smooth), s.interleave_low16(a, rest));
    let high = s.madd16(s.interleave_high16(sharp, smooth), s.interleave_high16(a, rest));
    let half = s.splat32(128);
    s.pack32(s.sra32::<8>(s.add32(low, half)), s.sra32::<8>(s.add32(high, half)))
}
