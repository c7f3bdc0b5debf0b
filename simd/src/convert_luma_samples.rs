//! Colour space conversion of luma samples whose pairs of pixels share chroma (§6, §6.6, §9.5):
//! unpacker, CSC and repacker in one pass.
use crate::color_depth::{Gate, check_depth, color_bits, is_byte};
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::{Conversion, Sample};

/// Writes the component that [`convert`](crate::Kernels::convert) computes, with
/// [`unpack`](crate::SampleKernels::unpack) before and [`pack`](crate::SampleKernels::pack) after.
/// `uv` has a sample for each pair of `y`.
pub fn scalar<S: Sample>(dst: &mut [S], y: &[S], uv: [&[S]; 2], p: &Conversion, depth: u8) {
    for (x, out) in dst.iter_mut().enumerate() {
        *out = of_samples([y[x], uv[0][x / 2], uv[1][x / 2]], p, depth);
    }
}

pub(crate) fn of_samples<S: Sample>(yuv: [S; 3], p: &Conversion, depth: u8) -> S {
    let gate = Gate::new::<S>(depth);
    let [y, u, v] = yuv.map(|v| [gate.component(v)]);
    let mut out = [0];
    crate::convert::scalar(&mut out, [&y, &u, &v], p, color_bits(depth));
    gate.sample(out[0])
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[S], y: &[S], uv: [&[S]; 2], p: &Conversion, depth: u8) {
    contract::at_least([y], dst.len());
    contract::at_least(uv, dst.len().div_ceil(2));
    check_depth::<S>(depth);
    p.check_ranges(color_bits(depth));
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], y: &[S], uv: [&[S]; 2], p: &Conversion, depth: u8) -> bool {
    let n = dst.len();
    let (y, u, v) = (&y[..n], &uv[0][..n / 2], &uv[1][..n / 2]);
    let converter = Converter::new::<S>(s, depth);
    let [c0, c1, c2] = p.coefficients.map(|c| s.splat16(c as u16));
    let zero = s.splat16(0);
    let (left, right, shared) = (s.interleave_low16(c0, zero), s.interleave_low16(zero, c0), s.interleave_low16(c1, c2));
    let constant = s.splat32(constant::<S>(p, depth));
    let done = blocks!(n / 2, I::N / 4, pair => {
        let uv = converter.pairs::<S>(s, &u[pair..], &v[pair..]);
        let shared = s.add32(s.madd16(uv, shared), constant);
        let y = converter.luma::<S>(s, &y[2 * pair..]);
        let even = s.sra32::<10>(s.add32(s.madd16(y, left), shared));
        let odd = s.sra32::<10>(s.add32(s.madd16(y, right), shared));
        S::store_half(s, &mut dst[2 * pair..], converter.samples::<S>(s, even, odd));
    });
    if done && n % 2 == 1 {
        dst[n - 1] = of_samples([y[n - 1], uv[0][n / 2], uv[1][n / 2]], p, depth);
    }
    done
}

/// The constant that is added to Σ C·v of samples before a shift by ten bits.
///
/// With S = Σ C·v, K = Σ C·offset, s = Q - n and half the term of the exit's rounding,
/// `(((S << s) + K + 512) >> 10) + out + half >> s` equals
/// `S + ((K + 512 + ((out + half) << 10)) >> s) >> 10`: successive shifts equal one shift by their
/// sum, and the clipping may follow it. Words are less 2^(n-1), before and after.
#[inline(always)]
pub(crate) fn constant<S: Sample>(p: &Conversion, depth: u8) -> i32 {
    let gate = Gate::new::<S>(depth);
    let zero = zero::<S>(depth);
    let (mut offsets, mut zeros) = (512 + ((p.offset_out as i32 + gate.half as i32) << 10), 0);
    for (&c, &offset) in p.coefficients.iter().zip(&p.offset_in) {
        offsets += c as i32 * offset as i32;
        zeros += c as i32 * zero;
    }
    (offsets >> gate.shift) + zeros - (zero << 10)
}

/// The number that is subtracted from samples so that they fit signed halfwords.
#[inline(always)]
fn zero<S: Sample>(depth: u8) -> i32 {
    if is_byte::<S>() { 0 } else { 1 << (depth - 1) }
}

/// Reads samples as signed halfwords and writes them.
#[derive(Clone, Copy)]
pub(crate) struct Converter<I: Isa> {
    /// 2^n - 1.
    max: I::H,
    zero: I::H,
    /// The limits of words less `zero`.
    least: I::W,
    most: I::W,
}

impl<I: Isa> Converter<I> {
    #[inline(always)]
    pub fn new<S: Sample>(s: I, depth: u8) -> Converter<I> {
        let (max, zero) = (Gate::new::<S>(depth).max, zero::<S>(depth));
        Converter {
            max: s.splat16(max),
            zero: s.splat16(zero as u16),
            least: s.splat32(-zero),
            most: s.splat32(max as i32 - zero),
        }
    }

    /// N/2 samples.
    #[inline(always)]
    pub fn luma<S: Lane>(self, s: I, y: &[S]) -> I::H {
        self.signed::<S>(s, S::load_half(s, y))
    }

    /// N/4 samples of U and of V, alternating.
    #[inline(always)]
    pub fn pairs<S: Lane>(self, s: I, u: &[S], v: &[S]) -> I::H {
        self.signed::<S>(s, s.or16(S::load_quarter(s, u), s.swap16(S::load_quarter(s, v))))
    }

    #[inline(always)]
    fn signed<S: Lane>(self, s: I, v: I::H) -> I::H {
        if is_byte::<S>() { v } else { s.sub16(s.min16(v, self.max), self.zero) }
    }

    /// Even and odd samples in order, clipped.
    #[inline(always)]
    pub fn samples<S: Lane>(self, s: I, even: I::W, odd: I::W) -> I::H {
        if is_byte::<S>() {
            return s.max15(s.min15(s.merge32(even, odd), self.max), self.zero);
        }
        let even = s.max32(s.min32(even, self.most), self.least);
        let odd = s.max32(s.min32(odd, self.most), self.least);
        s.add16(s.merge32(even, odd), self.zero)
    }
}
