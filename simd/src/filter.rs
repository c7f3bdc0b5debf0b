//! The scaler's filter of one direction, to P bits: the first direction reads the samples of a
//! picture, the second one those of the first (§5.2, §9.4).
use crate::contract;
use crate::isa::Isa;
use crate::polyphase::blend;
use crate::{Alpha, Lines, Polyphase, Sample, Tap};

mod bytes;
pub(crate) mod words;

/// Writes the output line of each tap, of P = max(10, n) bits, where n is the depth of `filter`.
/// Output lines have the stride of `src`. A sample v of `src`, 0…2^n - 1, represents
/// T = v << (P - n).
pub fn scalar<S: Sample>(dst: &mut [u16], src: Lines<S>, taps: &[Tap], filter: &Polyphase, alpha: Alpha) {
    let (shift, most) = (filter.shift(), filter.most());
    for (line, tap) in taps.iter().enumerate() {
        let (t, k) = (src.eight(tap.first as usize), filter.row(tap.phase));
        for (x, out) in dst[line * src.stride..][..src.width].iter_mut().enumerate() {
            *out = blend(t.map(|row| row[x].signed() << shift), k, tap.phase, alpha.at(line, src.stride, x), most);
        }
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[u16], src: Lines<S>, taps: &[Tap], filter: &Polyphase, alpha: Alpha) {
    contract::depth::<S>(filter.depth());
    contract::filter(dst, src, taps, alpha.weights());
}

/// The vector form for a type of samples.
pub(crate) trait Filter: Sample {
    fn vector<I: Isa>(s: I, dst: &mut [u16], src: Lines<Self>, taps: &[Tap], filter: &Polyphase, alpha: Alpha) -> bool;
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Filter>(
    s: I,
    dst: &mut [u16],
    src: Lines<S>,
    taps: &[Tap],
    filter: &Polyphase,
    alpha: Alpha,
) -> bool {
    S::vector(s, dst, src, taps, filter, alpha)
}
