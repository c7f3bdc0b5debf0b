//! Total colour control: saturation by hue (§6.4, §9.5).
use crate::color_depth::{Signed, check_bits};
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::skin::clip12;

/// Parameters of [`total_color`](crate::Kernels::total_color), with the ranges of the state; entry
/// 0 of an array belongs to colour 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TotalColor {
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
    /// Width of the transition above `uv_threshold`, as log2, 0…7.
    pub uv_threshold_bits: i32,
    /// Skin factor above which the control is reduced, 0…31.
    pub ste_threshold: i32,
    /// Slope of the reduction, as log2, 0…7.
    pub ste_slope_bits: i32,
}

/// Sizes of the chroma, mx: 0…512.
const SIZES: usize = 513;

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

impl TotalColor {
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

    /// Whether the fields have the ranges of the state, in which the vector form computes.
    fn is_usual(&self) -> bool {
        let six = [(self.base_color, 1023), (self.sat_factor, 255), (self.slope, 65535), (self.bias, 1023)];
        let one = [
            (self.uv_max_color, 511),
            (self.inv_uv_max_color, 65535),
            (self.uv_threshold, 127),
            (self.uv_threshold_bits, 7),
            (self.ste_threshold, 31),
            (self.ste_slope_bits, 7),
        ];
        let is_within = |(value, most): (i32, i32)| (0..=most).contains(&value);
        one.into_iter().all(is_within) && six.iter().all(|(values, most)| values.iter().all(|&v| is_within((v, *most))))
    }
}

/// Writes U and V of each pixel with skin factors 0…31. Components have `bits` bits, 12 to 16.
pub fn scalar(dst: &mut [&mut [u16]; 2], [u, v]: [&[u16]; 2], factor: &[u16], p: &TotalColor, bits: u8) {
    let [dst_u, dst_v] = dst;
    for (x, (out_u, out_v)) in dst_u.iter_mut().zip(dst_v.iter_mut()).enumerate() {
        let sf = p.saturation(u[x] >> (bits - 10), v[x] >> (bits - 10), factor[x]);
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
    if !p.is_usual() {
        return false;
    }
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
            let chroma = [s.shr_by(new_u, bits - 10), s.shr_by(new_v, bits - 10)];
            let sf = saturation(s, chroma, s.load16(&factor[x..]), p);
            if s.any16(s.ge16(sf, s.splat16(USUAL + 1))) {
                // Only unusual values of the state produce such factors.
                let (u, v, factor) = (&u[x..][..I::N / 2], &v[x..][..I::N / 2], &factor[x..]);
                scalar(&mut [&mut dst_u[x..][..I::N / 2], &mut dst_v[x..]], [u, v], factor, p, bits);
                [new_u, new_v] = [s.load16(&dst_u[x..]), s.load16(&dst_v[x..])];
            } else if bits == 12 {
                (new_u, new_v) = (stretched_vector(s, new_u, sf), stretched_vector(s, new_v, sf));
            } else {
                (new_u, new_v) = (deep_stretched(s, new_u, sf, signed), deep_stretched(s, new_v, sf, signed));
            }
        }
        s.store16(&mut dst_u[x..], new_u);
        s.store16(&mut dst_v[x..], new_v);
    })
}

/// Sizes of U and V, and the greater and the lesser one, of 10-bit chroma.
#[inline(always)]
fn sizes<I: Isa>(s: I, [u, v]: [I::H; 2]) -> [I::H; 4] {
    let zero = s.splat16(512);
    let (u, v) = (s.distance16(u, zero), s.distance16(v, zero));
    [u, v, s.max15(u, v), s.min15(u, v)]
}

/// `(least << 10) / most`. Every second halfword is 0.
#[inline(always)]
fn ratio<I: Isa>(s: I, least: I::H, most: I::H) -> I::W {
    s.div32(s.madd16(least, s.splat_pair(1024)), s.madd16(most, s.splat_pair(1)))
}

/// [`hue`] of vectors.
#[inline(always)]
fn hues<I: Isa>(s: I, [u, v]: [I::H; 2], [size_u, size_v, most, least]: [I::H; 4]) -> I::H {
    let zero = s.splat16(0);
    let divisor = s.max15(most, s.splat16(1));
    let low = ratio(s, s.interleave_low16(least, zero), s.interleave_low16(divisor, zero));
    let high = ratio(s, s.interleave_high16(least, zero), s.interleave_high16(divisor, zero));
    // The polynomial of the angle in 16 bits. Its constants are those near the rounded ones of §6.4
    // with which all 1025 values are equal.
    let x = s.pack32(low, high);
    let x = s.select16(s.eq16(x, s.splat16(1024)), s.splat16(65535), s.shl::<6>(x));
    let slope = s.sub16(s.splat16(45039), s.mul_high(x, s.splat16(12009)));
    let a = s.shr::<8>(s.sub_saturating16(s.mul_high(x, slope), s.splat16(80)));
    let a = s.min15(a, s.splat16(128));
    let a = s.select16(s.gt15(size_v, size_u), s.sub16(s.splat16(256), a), a);
    let middle = s.splat16(512);
    let (left, below) = (s.gt15(middle, u), s.gt15(middle, v));
    let differ = s.xor16(left, below);
    let turned = s.sub16(s.xor16(a, differ), differ);
    s.and16(s.add16(s.and16(left, middle), turned), s.splat16(1023))
}

/// A field of the parameters in all halfwords.
#[inline(always)]
fn splat<I: Isa>(s: I, v: i32) -> I::H {
    s.splat16(v as u16)
}

/// [`TotalColor::by_theta`] of vectors.
#[inline(always)]
fn by_hue<I: Isa>(s: I, theta: I::H, p: &TotalColor) -> I::H {
    let mut base = splat(s, p.base_color[5]);
    let (mut slope, mut bias) = (splat(s, p.slope[5]), splat(s, p.bias[5]));
    let (mut from, mut to) = (splat(s, p.sat_factor[5]), splat(s, p.sat_factor[0]));
    // The first segment wins.
    for i in (0..5).rev() {
        let start = splat(s, p.base_color[i]);
        let is_before = s.gt15(start, theta);
        let is_inside = s.gt15(splat(s, p.base_color[i + 1]), theta);
        let is_outside = s.or16(is_before, s.xor16(is_inside, s.splat16(u16::MAX)));
        base = s.select16(is_outside, base, start);
        slope = s.select16(is_outside, slope, splat(s, p.slope[i]));
        bias = s.select16(is_outside, bias, splat(s, p.bias[i]));
        from = s.select16(is_outside, from, splat(s, p.sat_factor[i]));
        to = s.select16(is_outside, to, splat(s, p.sat_factor[i + 1]));
    }
    let d = s.and16(s.sub16(theta, base), s.splat16(1023));
    // A product of 127 << 16 or more is above all that counts.
    let high = s.min16(s.mul_high(d, slope), s.splat16(127));
    let rise = s.or16(s.shl::<8>(high), s.shr::<8>(s.mul_low(d, slope)));
    let al = s.min15(s.sub_saturating16(rise, bias), s.splat16(256));
    // The sum of both products is up to 256 * 255.
    let mixed = s.add16(s.mul_low(s.sub16(s.splat16(256), al), from), s.mul_low(al, to));
    s.shr::<7>(mixed)
}

/// [`TotalColor::saturation`] of vectors; factors above [`USUAL`] may be other ones above it.
#[inline(always)]
fn saturation<I: Isa>(s: I, uv: [I::H; 2], factor: I::H, p: &TotalColor) -> I::H {
    let (zero, one) = (s.splat16(0), s.splat16(256));
    let sizes = sizes(s, uv);
    let sf = by_hue(s, hues(s, uv, sizes), p);
    let mx = sizes[2];
    // The product of the first two factors has 17 bits.
    let (increase, room) = (s.sub_saturating16(sf, one), s.sub_saturating16(s.splat16(p.uv_max_color as u16), mx));
    let inverse = s.splat16(p.inv_uv_max_color as u16);
    let (low, high) = (s.mul_low(increase, room), s.mul_high(increase, room));
    let over = s.add_saturating16(s.mul_low(high, inverse), s.mul_high(low, inverse));
    let bits = p.uv_threshold_bits as u8;
    let whole = s.splat16(1 << bits);
    let gray = s.min15(s.sub_saturating16(mx, s.splat16(p.uv_threshold as u16)), whole);
    let part = if bits == 0 { zero } else { s.mul_high(over, s.shl_by(gray, 16 - bits)) };
    let part = s.select16(s.eq16(gray, whole), over, part);
    // Saturated ones count as unusual, whatever their part is.
    let part = s.or16(part, s.eq16(over, s.splat16(u16::MAX)));
    let sf = s.add_saturating16(s.min16(sf, one), part);
    if !s.any16(factor) {
        return sf;
    }
    let above = s.sub_saturating16(factor, s.splat16(p.ste_threshold as u16));
    let ste = s.min15(s.shl_by(above, 3 + p.ste_slope_bits as u8), s.splat16(255));
    let reduced = s.add_saturating16(ste, s.mul_high(s.shl::<8>(s.sub16(one, ste)), sf));
    s.select16(s.or16(s.eq16(ste, zero), s.ge16(sf, s.splat16(USUAL + 1))), sf, reduced)
}

/// The greatest SF that [`stretched_vector`] can compute. Doubled saturation is 512.
const USUAL: u16 = 2047;

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
    use crate::{Kernels, SimdLevel};

    /// Compares every angle and size of 10-bit chroma, at each level of the processor.
    #[test]
    fn vectors_compute_what_the_equations_say() {
        let p = TotalColor {
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
        let v: Vec<u16> = (0..1024).map(|v| v << 2).collect();
        let tables: Vec<&Kernels> = SimdLevel::ALL.into_iter().filter_map(|level| Kernels::at(level).ok()).collect();
        for u in 0..1024 {
            let (row, factor) = ([u << 2; 1024], [u % 64 / 2; 1024]);
            let mut expected = [[0; 1024]; 2];
            let [dst_u, dst_v] = &mut expected;
            scalar(&mut [dst_u, dst_v], [&row, &v], &factor, &p, 12);
            for kernels in &tables {
                let mut found = [[0; 1024]; 2];
                let [dst_u, dst_v] = &mut found;
                (kernels.total_color)(&mut [dst_u, dst_v], [&row, &v], &factor, &p, 12);
                assert_eq!(found, expected, "{u} at {kernels:?}");
            }
        }
    }

    /// The angle of each ratio, and of chroma in each octant.
    #[test]
    fn tables_hold_what_the_equations_say() {
        for u in 0..1024_u16 {
            for v in 0..1024_u16 {
                let (x, y) = (i32::from(u) - 512, i32::from(v) - 512);
                let (mx, mn) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
                let ratio = if mx == 0 { 0 } else { (mn << 10) / mx };
                assert_eq!(hue(u, v), theta(x, y, angle(ratio.into())), "{u} {v}");
            }
        }
    }
}
