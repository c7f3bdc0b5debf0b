//! Brightness and contrast (§6.5).
use crate::contract;
use crate::isa::{Isa, blocks};

/// Writes `((y - 256) * contrast >> 7) + brightness + 256`, clipped to 0…4095. Samples are 0…4095,
/// `contrast` 0…2047, `brightness` -2048…2047.
pub fn scalar(dst: &mut [u16], y: &[u16], contrast: u16, brightness: i16) {
    for (out, &y) in dst.iter_mut().zip(y) {
        *out = ((((y as i32 - 256) * contrast as i32) >> 7) + brightness as i32 + 256).clamp(0, 4095) as u16;
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u16], y: &[u16], contrast: u16, brightness: i16) {
    contract::at_least([y], dst.len());
    contract::within(contrast, 0..=2047);
    contract::within(brightness, -2048..=2047);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], y: &[u16], contrast: u16, brightness: i16) -> bool {
    let n = dst.len();
    let y = &y[..n];
    let p = Amplifier::new(s, contrast, brightness);
    blocks!(n, I::N / 2, x => {
        s.store16(&mut dst[x..], p.amplified(s, s.load16(&y[x..])));
    })
}

/// The parameters in vectors.
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
