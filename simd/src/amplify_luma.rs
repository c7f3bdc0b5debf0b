//! Brightness and contrast (§6.5, §9.5).
use crate::color_depth::{Signed, check_bits, clipped};
use crate::contract;
use crate::isa::{Isa, blocks};

/// Writes `((y - black) * contrast >> 7) + (brightness << k) + black`, clipped to 0…2^bits - 1,
/// with `k = bits - 12` and `black = 256 << k`. Components have `bits` bits, 12 to 16. `contrast`
/// is 0…2047, `brightness` -2048…2047.
pub fn scalar(dst: &mut [u16], y: &[u16], contrast: u16, brightness: i16, bits: u8) {
    let black = 256 << (bits - 12);
    let offset = ((brightness as i32) << (bits - 12)) + black;
    for (out, &y) in dst.iter_mut().zip(y) {
        *out = clipped((((y as i32 - black) * contrast as i32) >> 7) + offset, bits);
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u16], y: &[u16], contrast: u16, brightness: i16, bits: u8) {
    contract::at_least([y], dst.len());
    check_ranges(contrast, brightness);
    check_bits(bits);
}

#[inline(always)]
pub(crate) fn check_ranges(contrast: u16, brightness: i16) {
    contract::within(contrast, 0..=2047);
    contract::within(brightness, -2048..=2047);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], y: &[u16], contrast: u16, brightness: i16, bits: u8) -> bool {
    let n = dst.len();
    let y = &y[..n];
    if bits == 12 {
        let p = Amplifier::new(s, contrast, brightness);
        blocks!(n, I::N / 2, x => {
            s.store16(&mut dst[x..], p.amplified(s, s.load16(&y[x..])));
        })
    } else {
        let p = DeepAmplifier::new(s, contrast, brightness, bits);
        blocks!(n, I::N / 2, x => {
            s.store16(&mut dst[x..], p.amplified(s, s.load16(&y[x..])));
        })
    }
}

/// The parameters in vectors, for 12 bits.
#[derive(Clone, Copy)]
pub(crate) struct Amplifier<I: Isa> {
    contrast: I::H,
    more: I::H,
    less: I::H,
    above: I::H,
}

impl<I: Isa> Amplifier<I> {
    #[inline(always)]
    pub fn new(s: I, contrast: u16, brightness: i16) -> Amplifier<I> {
        // 256 * contrast is a multiple of 128, so it can be subtracted after the shift.
        let offset = brightness + 256 - 2 * contrast as i16;
        Amplifier {
            contrast: s.splat16(contrast << 5),
            more: s.splat16(offset.max(0) as u16),
            less: s.splat16((-offset).max(0) as u16),
            above: s.splat16(u16::MAX - 4095),
        }
    }

    /// 12-bit luma with contrast and brightness applied.
    #[inline(always)]
    pub fn amplified(self, s: I, y: I::H) -> I::H {
        let product = s.mul_high(s.shl::<4>(y), self.contrast);
        let v = s.sub_saturating16(s.add_saturating16(product, self.more), self.less);
        s.sub_saturating16(s.add_saturating16(v, self.above), self.above)
    }
}

/// The parameters in vectors, for any number of bits: results of more than 12 bits exceed the high
/// half of a product.
#[derive(Clone, Copy)]
pub(crate) struct DeepAmplifier<I: Isa> {
    signed: Signed<I>,
    contrast: I::H,
    constant: I::W,
    offset: I::W,
}

impl<I: Isa> DeepAmplifier<I> {
    #[inline(always)]
    pub fn new(s: I, contrast: u16, brightness: i16, bits: u8) -> DeepAmplifier<I> {
        let (zero, black) = (1 << (bits - 1), 256 << (bits - 12));
        DeepAmplifier {
            signed: Signed::new(s, bits),
            contrast: s.interleave_low16(s.splat16(contrast), s.splat16(0)),
            constant: s.splat32((zero - black) * contrast as i32),
            offset: s.splat32(((brightness as i32) << (bits - 12)) + black - zero),
        }
    }

    /// Luma with contrast and brightness applied.
    #[inline(always)]
    pub fn amplified(self, s: I, y: I::H) -> I::H {
        let y = self.signed.of(s, y);
        let low = s.madd16(s.interleave_low16(y, y), self.contrast);
        let high = s.madd16(s.interleave_high16(y, y), self.contrast);
        self.signed.component(s, self.scaled(s, low), self.scaled(s, high))
    }

    #[inline(always)]
    fn scaled(self, s: I, product: I::W) -> I::W {
        s.add32(s.sra32::<7>(s.add32(product, self.constant)), self.offset)
    }
}
