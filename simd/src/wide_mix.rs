//! One component of a matrix on numbers of 16 bits (§13.1, §13.4, §13.7).
use crate::contract;
use crate::isa::Isa;

/// Coefficients and offsets that compute one component from the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WideMix {
    /// Coefficients in 1/65536, -2^20…2^20.
    pub coefficients: [i32; 3],
    /// Added to the inputs before the products, -2^17…2^17.
    pub offset_in: [i32; 3],
    /// Added after the shift, -2^17…2^17.
    pub offset_out: i32,
    /// The least and the greatest result.
    pub limits: [i32; 2],
    /// The greatest magnitude of an input, 0…2^23.
    pub reach: i32,
}

/// Writes `((sum of c * (v + offset_in) + 32768) >> 16) + offset_out` of the three inputs, limited.
pub fn scalar(dst: &mut [i32], src: [&[i32]; 3], p: &WideMix) {
    let [least, most] = p.limits.map(i64::from);
    for (x, out) in dst.iter_mut().enumerate() {
        let term = |k: usize| i64::from(p.coefficients[k]) * (i64::from(src[k][x]) + i64::from(p.offset_in[k]));
        let sum = ((term(0) + term(1) + term(2) + 32768) >> 16) + i64::from(p.offset_out);
        *out = sum.max(least).min(most) as i32;
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[i32], src: [&[i32]; 3], p: &WideMix) {
    contract::at_least(src, dst.len());
    p.coefficients.iter().for_each(|&c| contract::within(c, -(1 << 20)..=1 << 20));
    p.offset_in.iter().chain([&p.offset_out]).for_each(|&offset| contract::within(offset, -(1 << 17)..=1 << 17));
    contract::within(p.limits[0], i32::MIN..=p.limits[1]);
    contract::within(p.reach, 0..=1 << 23);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(_: I, dst: &mut [i32], src: [&[i32]; 3], p: &WideMix) -> bool {
    let WideMix { coefficients: c, offset_in: offset, .. } = *p;
    // Products are of 32 bits. The high parts of the inputs, and the carry of the low ones, which
    // is at most the sum of the coefficients.
    let high = |k: usize| (i64::from(p.reach) + i64::from(offset[k]).abs()) / 256 + 2;
    let greatest: i64 = (0..3).map(|k| i64::from(c[k]).abs() * high(k)).sum();
    if greatest + 32768 > i32::MAX.into() {
        return false;
    }
    // Matrices of colour spaces and gains have coefficients of 0.
    match c.map(|c| c != 0) {
        [true, false, false] => products(dst, [src[0]], [c[0]], [offset[0]], p),
        [false, true, false] => products(dst, [src[1]], [c[1]], [offset[1]], p),
        [false, false, true] => products(dst, [src[2]], [c[2]], [offset[2]], p),
        [true, true, false] => products(dst, [src[0], src[1]], [c[0], c[1]], [offset[0], offset[1]], p),
        [true, false, true] => products(dst, [src[0], src[2]], [c[0], c[2]], [offset[0], offset[2]], p),
        _ => products(dst, src, c, offset, p),
    }
    true
}

/// The sum in two parts, by the low 8 bits of the inputs and the rest. The compiler vectorises the
/// loop.
#[inline(always)]
fn products<const K: usize>(dst: &mut [i32], src: [&[i32]; K], c: [i32; K], offset: [i32; K], p: &WideMix) {
    let n = dst.len();
    let src = src.map(|src| &src[..n]);
    for (x, out) in dst.iter_mut().enumerate() {
        let (mut high, mut low) = (0i32, 32768i32);
        for k in 0..K {
            let v = src[k][x].wrapping_add(offset[k]);
            high = high.wrapping_add((v >> 8).wrapping_mul(c[k]));
            low = low.wrapping_add((v & 255).wrapping_mul(c[k]));
        }
        let sum = high.wrapping_add(low >> 8) >> 8;
        *out = sum.wrapping_add(p.offset_out).max(p.limits[0]).min(p.limits[1]);
    }
}
