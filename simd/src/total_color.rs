//! Total colour control: saturation by hue (§6.4, §9.5).
use crate::color_depth::{Signed, check_bits};
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::skin::clip12;
use std::collections::TryReserveError;

/// Fields of the state; entry 0 of an array belongs to colour 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TotalColorFields {
    /// Angles of the basic colours, 0…1023.
    pub base_color: [i32; 6],
    /// Their saturation factors, U1.7.
    pub sat_factor: [i32; 6],
    /// Slopes of the transitions from each colour to the next, U8.8.
    pub slope: [i32; 6],
    /// Biases of the transitions, 0…1023.
    pub bias: [i32; 6],
    /// Chroma size from which on saturation does not increase, 0…511.
    pub uv_max_color: i32,
    /// Inverse of `uv_max_color`, U0.16.
    pub inv_uv_max_color: i32,
    /// Chroma size up to which saturation does not increase, 0…127.
    pub uv_threshold: i32,
    /// Width of the transition above `uv_threshold`, as log2.
    pub uv_threshold_bits: i32,
    /// Skin factor above which the control is reduced.
    pub ste_threshold: i32,
    /// Slope of the reduction, as log2.
    pub ste_slope_bits: i32,
}

/// The fields, and tables computed from them.
#[derive(Clone, Debug)]
pub struct TotalColor {
    fields: TotalColorFields,
    /// SF of each angle, before the terms that depend on the size of the chroma.
    by_theta: [u16; 1024],
    by_size: Box<[BySize; SIZES]>,
    /// Weight of each skin factor.
    skin: [u32; 32],
}

/// Sizes of the chroma, mx: 0…512.
const SIZES: usize = 513;

/// Terms that depend only on mx.
#[derive(Clone, Copy, Debug, Default)]
struct BySize {
    /// (uv_max_color - mx) * inv_uv_max_color; 0 for mx above uv_max_color.
    over: u32,
    /// mx - uv_threshold, at most 1 << uv_threshold_bits.
    gray: u32,
}

/// 2^31 / mx of each size, rounded up; 0 for 0.
const INVERSE: [u32; SIZES] = {
    let mut table = [0; SIZES];
    let mut size = 1;
    while size < SIZES {
        table[size] = (1u32 << 31).div_ceil(size as u32);
        size += 1;
    }
    table
};

/// The angle within an octant of x = mn << 10 / mx.
const ANGLE: [u8; 1025] = {
    let mut table = [0; 1025];
    let mut x = 0;
    while x <= 1024 {
        table[x] = angle(x as i64) as u8;
        x += 1;
    }
    table
};

const fn angle(x: i64) -> i32 {
    let a = (11531960 * x - ((3076044 * x) >> 10) * x - (53404 << 10) + (1 << 25)) >> 26;
    if a < 0 {
        0
    } else if a > 128 {
        128
    } else {
        a as i32
    }
}

/// The angle around the circle, 0…1023, from the angle within the octant.
fn theta(u: i32, v: i32, a: i32) -> i32 {
    let a = if v.abs() > u.abs() { 256 - a } else { a };
    match (u >= 0, v >= 0) {
        (true, true) => a,
        (false, true) => 512 - a,
        (false, false) => 512 + a,
        (true, false) => (1024 - a) & 1023,
    }
}

/// The same without branches: the signs of chroma are hard to predict.
#[inline(always)]
fn theta_branchless(u: i32, v: i32, a: i32) -> i32 {
    // With all ones in `steep`, `^` and `+` give 256 - a; with all ones in `differ`, `^` and `-`
    // give -a.
    let steep = -((v.abs() > u.abs()) as i32);
    let a = (a ^ steep) + (steep & 257);
    let differ = (u ^ v) >> 31;
    (((u >> 31) & 512) + ((a ^ differ) - differ)) & 1023
}

/// The angle of 10-bit chroma around the circle, 0…1023.
#[inline(always)]
pub(crate) fn hue(u: u16, v: u16) -> i32 {
    let (u, v) = (i32::from(u) - 512, i32::from(v) - 512);
    let (mx, mn) = (u.abs().max(v.abs()), u.abs().min(v.abs()));
    let x = (((mn as u64) << 10) * u64::from(INVERSE[(mx as usize).min(SIZES - 1)])) >> 31;
    theta_branchless(u, v, ANGLE[(x as usize).min(1024)].into())
}

impl TotalColorFields {
    fn by_theta(&self, theta: i32) -> i32 {
        let base = &self.base_color;
        let i = (0..5).find(|&i| base[i] <= theta && theta < base[i + 1]).unwrap_or(5);
        let d = (theta - base[i]) & 1023;
        let al = (((d * self.slope[i]) >> 8) - self.bias[i]).clamp(0, 256);
        ((256 - al) * 2 * self.sat_factor[i] + al * 2 * self.sat_factor[(i + 1) % 6]) >> 8
    }

    fn skin(&self, factor: i32) -> i32 {
        (((factor - self.ste_threshold) * 8) << self.ste_slope_bits).clamp(0, 255)
    }

    /// SF of a pixel's 10-bit chroma and skin factor.
    fn saturation(&self, u: u16, v: u16, factor: u16) -> i32 {
        let (u, v) = (u as i32 - 512, v as i32 - 512);
        let (mx, mn) = (u.abs().max(v.abs()), u.abs().min(v.abs()));
        let x = if mx == 0 { 0 } else { (mn << 10) / mx };
        let mut sf = self.by_theta(theta(u, v, angle(x as i64)));
        if sf > 256 {
            let over = (sf - 256) as i64 * (self.uv_max_color - mx) as i64 * self.inv_uv_max_color as i64;
            sf = if mx <= self.uv_max_color { 256 + (over >> 16) as i32 } else { 256 };
        }
        if sf > 256 {
            sf = if mx <= self.uv_threshold {
                256
            } else if mx < self.uv_threshold + (1 << self.uv_threshold_bits) {
                256 + (((sf - 256) * (mx - self.uv_threshold)) >> self.uv_threshold_bits)
            } else {
                sf
            };
        }
        let ste = self.skin(factor as i32);
        (256 * ste + (256 - ste) * sf) >> 8
    }
}

impl TotalColor {
    /// Computes the tables.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn new(fields: TotalColorFields) -> Result<TotalColor, TryReserveError> {
        let by_size = |mx: usize| {
            let mx = mx as i32;
            BySize {
                over: ((fields.uv_max_color - mx).max(0) * fields.inv_uv_max_color) as u32,
                gray: (mx - fields.uv_threshold).clamp(0, 1 << fields.uv_threshold_bits) as u32,
            }
        };
        let mut sizes = Vec::new();
        sizes.try_reserve_exact(SIZES)?;
        sizes.extend((0..SIZES).map(by_size));
        let sizes = sizes.into_boxed_slice().try_into();
        Ok(TotalColor {
            by_theta: std::array::from_fn(|theta| fields.by_theta(theta as i32) as u16),
            by_size: sizes.unwrap_or_else(|_| Box::new([BySize::default(); SIZES])),
            skin: std::array::from_fn(|factor| fields.skin(factor as i32) as u32),
            fields,
        })
    }

    /// [`TotalColorFields::saturation`] by the tables.
    #[inline(always)]
    fn looked_up(&self, u: u16, v: u16, factor: u16) -> u32 {
        let (u, v) = (u as i32 - 512, v as i32 - 512);
        let (mx, mn) = (u.abs().max(v.abs()), u.abs().min(v.abs()));
        let size = &self.by_size[(mx as usize).min(512)];
        let x = (((mn as u64) << 10) * u64::from(INVERSE[(mx as usize).min(SIZES - 1)])) >> 31;
        let theta = theta_branchless(u, v, ANGLE[(x as usize).min(1024)] as i32);
        let mut sf = self.by_theta[theta as usize & 1023] as u32;
        let over = (sf.saturating_sub(256) as u64 * size.over as u64) >> 16;
        sf = sf.min(256) + ((over as u32 * size.gray) >> self.fields.uv_threshold_bits);
        if factor > 0 {
            let ste = self.skin[factor as usize & 31];
            sf = (256 * ste + (256 - ste) * sf) >> 8;
        }
        sf
    }
}

/// Writes U and V of each pixel with skin factors 0…31. Components have `bits` bits, 12 to 16.
pub fn scalar(dst: &mut [&mut [u16]; 2], [u, v]: [&[u16]; 2], factor: &[u16], p: &TotalColor, bits: u8) {
    let [dst_u, dst_v] = dst;
    for (x, (out_u, out_v)) in dst_u.iter_mut().zip(dst_v.iter_mut()).enumerate() {
        let sf = p.fields.saturation(u[x] >> (bits - 10), v[x] >> (bits - 10), factor[x]);
        (*out_u, *out_v) = (stretched(u[x], sf, bits), stretched(v[x], sf, bits));
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check([dst_u, dst_v]: &[&mut [u16]; 2], uv: [&[u16]; 2], factor: &[u16], _: &TotalColor, bits: u8) {
    check_bits(bits);
    contract::same_length([dst_u, dst_v]);
    contract::at_least(uv, dst_u.len());
    contract::at_least([factor], dst_u.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [&mut [u16]; 2], uv: [&[u16]; 2], factor: &[u16], p: &TotalColor, bits: u8) -> bool {
    // The usual number of bits is a constant, for the sake of speed.
    if bits == 12 { line(s, dst, uv, factor, p, 12) } else { line(s, dst, uv, factor, p, bits) }
}

#[inline(always)]
fn line<I: Isa>(s: I, dst: &mut [&mut [u16]; 2], [u, v]: [&[u16]; 2], factor: &[u16], p: &TotalColor, bits: u8) -> bool {
    let [dst_u, dst_v] = dst;
    let n = dst_u.len();
    let (dst_v, u, v, factor) = (&mut dst_v[..n], &u[..n], &v[..n], &factor[..n]);
    let (zero, signed) = (s.splat16(1 << (bits - 1)), Signed::new(s, bits));
    blocks!(n, I::N / 2, x => {
        let (mut new_u, mut new_v) = (s.load16(&u[x..]), s.load16(&v[x..]));
        // Chroma of 0 has no colour, and no factor changes it.
        if s.any16(s.or16(s.sub16(new_u, zero), s.sub16(new_v, zero))) {
            let (mut sf, mut most, mut last, mut of_last) = ([0; 32], 0, [u16::MAX; 3], 0);
            for (i, out) in sf[..I::N / 2].iter_mut().enumerate() {
                // Most pairs of pixels have the same chroma, and so have flat areas.
                let pixel = [u[x + i], v[x + i], factor[x + i]];
                if pixel != last {
                    (last, of_last) = (pixel, p.looked_up(pixel[0] >> (bits - 10), pixel[1] >> (bits - 10), pixel[2]));
                    most = most.max(of_last);
                }
                *out = of_last as u16;
            }
            if most > USUAL {
                // Only unusual values of the state produce such factors.
                let (u, v, factor) = (&u[x..][..I::N / 2], &v[x..][..I::N / 2], &factor[x..]);
                scalar(&mut [&mut dst_u[x..][..I::N / 2], &mut dst_v[x..]], [u, v], factor, p, bits);
                [new_u, new_v] = [s.load16(&dst_u[x..]), s.load16(&dst_v[x..])];
            } else {
                let sf = s.load16(&sf);
                if bits == 12 {
                    (new_u, new_v) = (stretched_vector(s, new_u, sf), stretched_vector(s, new_v, sf));
                } else {
                    (new_u, new_v) = (deep_stretched(s, new_u, sf, signed), deep_stretched(s, new_v, sf, signed));
                }
            }
        }
        s.store16(&mut dst_u[x..], new_u);
        s.store16(&mut dst_v[x..], new_v);
    })
}

/// The greatest SF that [`stretched_vector`] can compute. Doubled saturation is 512.
const USUAL: u32 = 2047;

/// `zero + (((v - zero) * sf) >> 8)`, clipped.
fn stretched(v: u16, sf: i32, bits: u8) -> u16 {
    // Unusual factors of 18 bits and chroma of 16 bits need more than 32 bits.
    let zero = 1i64 << (bits - 1);
    (zero + (((v as i64 - zero) * sf as i64) >> 8)).clamp(0, 2 * zero - 1) as u16
}

#[inline(always)]
fn stretched_vector<I: Isa>(s: I, v: I::H, sf: I::H) -> I::H {
    let product = s.mul_high(s.shl::<4>(v), s.shl::<4>(sf));
    clip12(s, s.add16(s.sub16(product, s.shl::<3>(sf)), s.splat16(2048)))
}

/// The same for more bits, whose results exceed the high half of a product.
#[inline(always)]
fn deep_stretched<I: Isa>(s: I, v: I::H, sf: I::H, signed: Signed<I>) -> I::H {
    let (v, zero) = (signed.of(s, v), s.splat16(0));
    let low = s.madd16(s.interleave_low16(v, zero), s.interleave_low16(sf, zero));
    let high = s.madd16(s.interleave_high16(v, zero), s.interleave_high16(sf, zero));
    signed.component(s, s.sra32::<8>(low), s.sra32::<8>(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares every angle and size of 10-bit chroma.
    #[test]
    fn tables_hold_what_the_equations_say() {
        let fields = TotalColorFields {
            base_color: [145, 307, 483, 657, 819, 995],
            sat_factor: [220, 10, 255, 128, 90, 200],
            slope: [405, 744, 1131, 407, 372, 377],
            bias: [0, 150, 0, 0, 20, 0],
            uv_max_color: 448,
            inv_uv_max_color: 146,
            uv_threshold: 3,
            uv_threshold_bits: 3,
            ste_threshold: 5,
            ste_slope_bits: 1,
        };
        let tables = TotalColor::new(fields).unwrap();
        for u in 0..1024 {
            for v in 0..1024 {
                let factor = (u + v) % 32;
                assert_eq!(tables.looked_up(u, v, factor) as i32, fields.saturation(u, v, factor), "{u} {v} {factor}");
            }
        }
    }
}
