//! Skin tone enhancement: moves the chroma of pixels with skin colours (§6.2, §9.5).
use crate::color_depth::{check_bits, clipped};
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::skin::{SkinPlane, clip12};

/// Parameters of [`skin_enhance`](crate::Kernels::skin_enhance).
#[derive(Clone, Debug)]
pub struct SkinEnhance {
    /// The plane of saturation and hue, and the limits of both.
    pub plane: SkinPlane,
    /// Curves of bright skin: saturation, hue.
    pub bright: [SkinCurve; 2],
    /// Curves of dark skin, and the darkness of each Y8, 0…256. `None` if all skin counts as
    /// bright.
    pub dark: Option<([SkinCurve; 2], Box<[u16; 256]>)>,
}

/// A piecewise linear function of four pieces.
#[derive(Clone, Copy, Debug)]
pub struct SkinCurve {
    /// Start of each piece, -256…252; the first one is the least value that occurs.
    pub points: [i16; 4],
    /// Value at the start of each piece, -512…511.
    pub values: [i16; 4],
    /// Slope of each piece, U3.8.
    pub slopes: [u16; 4],
}

impl SkinCurve {
    fn at(&self, v: i32) -> i32 {
        let i = self.points.iter().rposition(|&point| point as i32 <= v).unwrap_or(0);
        self.values[i] as i32 + (((v - self.points[i] as i32) * self.slopes[i] as i32) >> 8)
    }

    #[inline(always)]
    fn at_vector<I: Isa>(&self, s: I, v: I::H) -> I::H {
        let mut point = s.splat16(self.points[0] as u16);
        let mut value = s.splat16(self.values[0] as u16);
        let mut slope = s.splat16(self.slopes[0] << 3);
        for i in 1..4 {
            let begin = s.splat16(self.points[i] as u16);
            let before = s.gt15(begin, v);
            point = s.select16(before, point, begin);
            value = s.select16(before, value, s.splat16(self.values[i] as u16));
            slope = s.select16(before, slope, s.splat16(self.slopes[i] << 3));
        }
        s.add16(value, s.mul_high(s.shl::<5>(s.sub16(v, point)), slope))
    }
}

impl SkinEnhance {
    fn pixel(&self, y: u16, uv: [u16; 2], factor: u16, bits: u8) -> [u16; 2] {
        let old = self.plane.centred(uv[0], uv[1], bits);
        let sat_hue = self.plane.rotated(old);
        let limits = [self.plane.sat_max as i32, self.plane.hue_max as i32];
        let limited = |curves: &[SkinCurve; 2], i: usize| curves[i].at(sat_hue[i]).clamp(-limits[i], limits[i]);
        let new = [0, 1].map(|i| {
            let bright = limited(&self.bright, i);
            let Some((curves, dark)) = &self.dark else { return bright };
            let dark = dark[(y >> (bits - 8)) as usize & 255] as i32;
            (dark * limited(curves, i) + (256 - dark) * bright) >> 8
        });
        let new = self.plane.unrotated(new);
        [0, 1].map(|i| clipped(uv[i] as i32 + ((((new[i] - old[i]) * factor as i32) >> 5) << (bits - 10)), bits))
    }
}

/// Writes U and V of each pixel. Components have `bits` bits, 12 to 16. `factor` comes from
/// [`skin_factor`](crate::Kernels::skin_factor) with the same plane.
pub fn scalar(dst: &mut [&mut [u16]; 2], [y, u, v]: [&[u16]; 3], factor: &[u16], p: &SkinEnhance, bits: u8) {
    let [dst_u, dst_v] = dst;
    for (x, (out_u, out_v)) in dst_u.iter_mut().zip(dst_v.iter_mut()).enumerate() {
        let uv = [u[x], v[x]];
        [*out_u, *out_v] = if factor[x] > 0 { p.pixel(y[x], uv, factor[x], bits) } else { uv };
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check([dst_u, dst_v]: &[&mut [u16]; 2], yuv: [&[u16]; 3], factor: &[u16], _: &SkinEnhance, bits: u8) {
    check_bits(bits);
    contract::same_length([dst_u, dst_v]);
    contract::at_least(yuv, dst_u.len());
    contract::at_least([factor], dst_u.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(
    s: I,
    dst: &mut [&mut [u16]; 2],
    yuv: [&[u16]; 3],
    factor: &[u16],
    p: &SkinEnhance,
    bits: u8,
) -> bool {
    // The usual number of bits is a constant, for the sake of speed.
    if bits == 12 { line(s, dst, yuv, factor, p, 12) } else { line(s, dst, yuv, factor, p, bits) }
}

#[inline(always)]
fn line<I: Isa>(s: I, dst: &mut [&mut [u16]; 2], [y, u, v]: [&[u16]; 3], factor: &[u16], p: &SkinEnhance, bits: u8) -> bool {
    let [dst_u, dst_v] = dst;
    let n = dst_u.len();
    let (dst_v, y, u, v, factor) = (&mut dst_v[..n], &y[..n], &u[..n], &v[..n], &factor[..n]);
    blocks!(n, I::N / 2, x => {
        let factor = s.load16(&factor[x..]);
        let (mut new_u, mut new_v) = (s.load16(&u[x..]), s.load16(&v[x..]));
        if s.any16(factor) {
            let mut dark = [0; 32];
            if let Some((_, of_luma)) = &p.dark {
                for (dark, &y) in dark[..I::N / 2].iter_mut().zip(&y[x..]) {
                    *dark = of_luma[(y >> (bits - 8)) as usize & 255];
                }
            }
            [new_u, new_v] = pixels(s, s.load16(&dark), [new_u, new_v], factor, p, bits);
        }
        s.store16(&mut dst_u[x..], new_u);
        s.store16(&mut dst_v[x..], new_v);
    })
}

#[inline(always)]
fn pixels<I: Isa>(s: I, dark: I::H, uv: [I::H; 2], factor: I::H, p: &SkinEnhance, bits: u8) -> [I::H; 2] {
    let old = p.plane.centred_vector(s, uv[0], uv[1], bits);
    let [sat, hue] = p.plane.rotated_vector(s, old);
    let sat = curves(s, sat, &p.bright[0], p.dark.as_ref().map(|(curves, _)| &curves[0]), dark, p.plane.sat_max);
    let hue = curves(s, hue, &p.bright[1], p.dark.as_ref().map(|(curves, _)| &curves[1]), dark, p.plane.hue_max);
    let [new_u, new_v] = p.plane.unrotated_vector(s, [sat, hue]);
    [moved(s, uv[0], s.sub16(new_u, old[0]), factor, bits), moved(s, uv[1], s.sub16(new_v, old[1]), factor, bits)]
}

#[inline(always)]
fn curves<I: Isa>(s: I, v: I::H, bright: &SkinCurve, dark: Option<&SkinCurve>, darkness: I::H, limit: i16) -> I::H {
    let (least, most) = (s.splat16((-limit) as u16), s.splat16(limit as u16));
    let bright = s.max15(s.min15(bright.at_vector(s, v), most), least);
    let Some(dark) = dark else { return bright };
    let dark = s.max15(s.min15(dark.at_vector(s, v), most), least);
    // bright + ((darkness * (dark - bright)) >> 8); adding 512 makes the difference positive.
    let difference = s.add16(s.sub16(dark, bright), s.splat16(512));
    let part = s.mul_high(s.shl::<5>(difference), s.shl::<3>(darkness));
    s.add16(bright, s.sub16(part, s.shl::<1>(darkness)))
}

/// `old + (((by * factor) >> 5) << (bits - 10))`, clipped, where the factor is not 0; `by` is
/// -2048…2047.
#[inline(always)]
fn moved<I: Isa>(s: I, old: I::H, by: I::H, factor: I::H, bits: u8) -> I::H {
    let part = s.mul_high(s.shl::<4>(s.add16(by, s.splat16(2048))), s.shl::<7>(factor));
    let part = s.sub16(part, s.shl::<6>(factor));
    let new = if bits == 12 { clip12(s, s.add16(old, s.shl::<2>(part))) } else { deep_sum(s, old, part, bits) };
    s.select16(s.eq16(factor, s.splat16(0)), old, new)
}

/// `old + (part << (bits - 10))`, clipped; `part` is -2048…2047, so that half of it, shifted, fits
/// an unsigned halfword.
#[inline(always)]
fn deep_sum<I: Isa>(s: I, old: I::H, part: I::H, bits: u8) -> I::H {
    let zero = s.splat16(0);
    let (more, less) = (s.max15(part, zero), s.max15(s.sub16(zero, part), zero));
    let mut sum = old;
    for half in halves(s, more) {
        sum = s.add_saturating16(sum, s.shl_by(half, bits - 10));
    }
    for half in halves(s, less) {
        sum = s.sub_saturating16(sum, s.shl_by(half, bits - 10));
    }
    s.min16(sum, s.splat16(u16::MAX >> (16 - bits)))
}

/// Two parts of a value with their sum.
#[inline(always)]
fn halves<I: Isa>(s: I, v: I::H) -> [I::H; 2] {
    [s.shr::<1>(v), s.sub16(v, s.shr::<1>(v))]
}
