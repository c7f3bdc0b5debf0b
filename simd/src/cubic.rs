//! Missing samples of the chroma from the lines of their field alone (§15.2).
use crate::contract;
use crate::isa::{Isa, Lane, blocks};
use crate::sample::Sample;

/// Factors of the lines y ± 1 and y ± 3, in 1/8192.
const CUBIC: [i16; 2] = [5077, -981];

/// Interpolates between the lines y - 3, y - 1, y + 1 and y + 3, and clips to `depth` bits.
pub fn scalar<S: Sample>(dst: &mut [S], lines: [&[S]; 4], depth: u8) {
    let max = (1 << depth) - 1;
    let [near, far] = CUBIC.map(i32::from);
    for (x, out) in dst.iter_mut().enumerate() {
        let [c3, c, e, e3] = lines.map(|line| line[x].signed());
        *out = S::from_u32(((near * (c + e) + far * (c3 + e3)) >> 13).clamp(0, max) as u32);
    }
}

/// Panics if a line is too short or samples cannot have this depth.
#[inline(always)]
pub(crate) fn check<S>(dst: &[S], lines: [&[S]; 4], depth: u8) {
    contract::at_least(lines, dst.len());
    contract::depth::<S>(depth);
}

/// Signed halfwords hold the sums of two samples of up to 14 bits; more bits take the scalar form.
#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], lines: [&[S]; 4], depth: u8) -> bool {
    if depth > 14 {
        return false;
    }
    let n = dst.len();
    let [c3, c, e, e3] = lines.map(|line| &line[..n]);
    let (zero, max) = (s.splat16(0), s.splat16((1 << depth) - 1));
    let weights = s.splat_pair(CUBIC[0] as u16 as u32 | (CUBIC[1] as u16 as u32) << 16);
    blocks!(n, I::N / 2, x => {
        let near = s.add16(S::load_half(s, &c[x..]), S::load_half(s, &e[x..]));
        let far = s.add16(S::load_half(s, &c3[x..]), S::load_half(s, &e3[x..]));
        let low = s.sra32::<13>(s.madd16(s.interleave_low16(near, far), weights));
        let high = s.sra32::<13>(s.madd16(s.interleave_high16(near, far), weights));
        let value = s.min15(s.max15(s.pack32(low, high), zero), max);
        S::store_half(s, &mut dst[x..], value);
    })
}
