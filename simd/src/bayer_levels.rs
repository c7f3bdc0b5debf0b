//! Black level and white balance of a line of a Bayer frame (§13.8).
use crate::Sample;
use crate::contract;
use crate::isa::{Isa, Lane, blocks};

/// The black point and the gain of the samples of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BayerLevel {
    /// The black point, in 16-bit code values; -65536…65535.
    pub black: i32,
    /// The gain, in 1/4096.
    pub gain: u16,
}

/// Writes the samples in 16 bits, less the black point, times the gain of their colour. `levels`
/// are those of even and of odd columns. Samples above the range of `depth` count as 65535.
pub fn scalar<S: Sample>(dst: &mut [u16], src: &[S], levels: [BayerLevel; 2], depth: u8) {
    for (x, (out, &sample)) in dst.iter_mut().zip(src).enumerate() {
        let BayerLevel { black, gain } = levels[x % 2];
        let v = (sample.into() << (16 - depth)).min(65535) as i32;
        let v = (v - black).clamp(0, 65535) as u32;
        *out = ((v * u32::from(gain) + 2048) >> 12).min(65535) as u16;
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[u16], src: &[S], levels: [BayerLevel; 2], depth: u8) {
    contract::depth::<S>(depth);
    contract::at_least([src], dst.len());
    for level in levels {
        contract::within(level.black, -65536..=65535);
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [u16], src: &[S], levels: [BayerLevel; 2], depth: u8) -> bool {
    let n = dst.len();
    let pair = |[first, second]: [u16; 2]| s.splat_pair(u32::from(first) | u32::from(second) << 16);
    // A sample of 16 bits, more or less 65535, is at the end of the range, as with 65536.
    let above = pair(levels.map(|level| level.black.clamp(0, 65535) as u16));
    let below = pair(levels.map(|level| level.black.saturating_neg().clamp(0, 65535) as u16));
    let gains = pair(levels.map(|level| level.gain));
    let (shift, most) = (16 - depth, s.splat16(u16::MAX >> (16 - depth)));
    blocks!(n, I::N / 2, x => {
        // The last block may start in an odd column.
        let of_columns = |v: I::H| if x % 2 == 0 { v } else { s.swap16(v) };
        let sample = S::load_half(s, &src[x..]);
        let v = s.select16(s.ge16(most, sample), s.shl_by(sample, shift), s.splat16(65535));
        let v = s.add_saturating16(s.sub_saturating16(v, of_columns(above)), of_columns(below));
        let gain = of_columns(gains);
        let (low, high) = (s.mul_low(v, gain), s.mul_high(v, gain));
        let rounded = s.add16(low, s.splat16(2048));
        // All ones, which is -1, where the sum carries into the high half.
        let carry = s.xor16(s.ge16(rounded, low), s.splat16(u16::MAX));
        let high = s.sub16(high, carry);
        let value = s.or16(s.shl::<4>(high), s.shr::<12>(rounded));
        s.store16(&mut dst[x..], s.select16(s.ge16(high, s.splat16(4096)), s.splat16(65535), value));
    })
}
