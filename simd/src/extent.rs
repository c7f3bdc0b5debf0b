//! The greatest less the least sample of a window (§13.9).
pub(crate) use crate::window_tap::check;

use crate::isa::{Isa, Lane, blocks};
use crate::window_tap::{load, samples};
use crate::{Lines, Sample, WindowTap};

/// Writes the difference of the greatest and the least sample at `taps`, which are those of
/// [`erode`](crate::Kernels). Without taps nothing is written.
pub fn scalar<S: Sample>(dst: &mut [S], src: Lines<S>, taps: &[WindowTap]) {
    for (x, out) in dst.iter_mut().enumerate() {
        let limits = samples(src, taps, x).max().zip(samples(src, taps, x).min());
        *out = limits.map_or(*out, |(most, least)| S::from_u32(most.into() - least.into()));
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], src: Lines<S>, taps: &[WindowTap]) -> bool {
    let n = dst.len();
    let Some((&first, rest)) = taps.split_first() else { return false };
    blocks!(n, S::count::<I>(), x => {
        let v = load(s, src, first, x);
        let (mut most, mut least) = (v, v);
        for &tap in rest {
            let v = load(s, src, tap, x);
            (most, least) = (S::greater(s, most, v), S::lesser(s, least, v));
        }
        S::store(s, &mut dst[x..], S::sub_saturating(s, most, least));
    })
}
