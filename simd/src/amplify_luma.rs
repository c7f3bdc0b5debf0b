//! Brightness and contrast (§6.5).
use crate::isa::{Isa, blocks};

/// `((y - 256) * contrast >> 7) + brightness + 256`, clipped; samples 0…4095, contrast 0…2047, brightness -2048…2047.
pub fn scalar(dst: &mut [u16], y: &[u16], contrast: u16, brightness: i16) {
    for (out, &y) in dst.iter_mut().zip(y) {
        *out = ((((y as i32 - 256) * contrast as i32) >> 7) + brightness as i32 + 256).clamp(0, 4095) as u16;
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], y: &[u16], contrast: u16, brightness: i16) -> bool {
    let n = dst.len();
    let y = &y[..n];
    // 256 * contrast is a multiple of 128: it leaves the product before the shift.
    let offset = brightness + 256 - 2 * contrast as i16;
    let (more, less) = (s.splat16(offset.max(0) as u16), s.splat16((-offset).max(0) as u16));
    let (contrast, above) = (s.splat16(contrast << 5), s.splat16(u16::MAX - 4095));
    blocks!(n, I::N / 2, x => {
        let product = s.mul_high(s.shl::<4>(s.load16(&y[x..])), contrast);
        let v = s.sub_saturating16(s.add_saturating16(product, more), less);
        s.store16(&mut dst[x..], s.sub_saturating16(s.add_saturating16(v, above), above));
    })
}
