//! Brightness and contrast of samples (§6, §6.5, §9.5): unpacker, ProcAmp and repacker in one pass.
use crate::Sample;
use crate::amplify_luma::{Amplifier, DeepAmplifier, check_ranges};
use crate::color_depth::{Gate, check_depth, color_bits, is_byte};
use crate::contract;
use crate::isa::{Isa, Lane, blocks};

/// Writes the luma that [`amplify_luma`](crate::Kernels::amplify_luma) computes, with
/// [`unpack`](crate::SampleKernels::unpack) before and [`pack`](crate::SampleKernels::pack) after.
pub fn scalar<S: Sample>(dst: &mut [S], y: &[S], contrast: u16, brightness: i16, depth: u8) {
    let gate = Gate::new::<S>(depth);
    for (out, &y) in dst.iter_mut().zip(y) {
        let mut amplified = [0];
        crate::amplify_luma::scalar(&mut amplified, &[gate.component(y)], contrast, brightness, color_bits(depth));
        *out = gate.sample(amplified[0]);
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[S], y: &[S], contrast: u16, brightness: i16, depth: u8) {
    contract::at_least([y], dst.len());
    check_ranges(contrast, brightness);
    check_depth::<S>(depth);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [S], y: &[S], contrast: u16, brightness: i16, depth: u8) -> bool {
    let n = dst.len();
    let y = &y[..n];
    let gate = Gate::new::<S>(depth);
    if is_byte::<S>() || color_bits(depth) == 12 {
        let p = Amplifier::new(s, contrast, brightness);
        blocks!(n, S::count::<I>(), x => {
            let mut halves = S::split(s, S::load(s, &y[x..]));
            for y in halves.as_mut() {
                *y = gate.samples::<I, S>(s, p.amplified(s, gate.components::<I, S>(s, *y)));
            }
            S::store(s, &mut dst[x..], S::join(s, halves));
        })
    } else {
        let p = DeepAmplifier::new(s, contrast, brightness, color_bits(depth));
        blocks!(n, S::count::<I>(), x => {
            let mut halves = S::split(s, S::load(s, &y[x..]));
            for y in halves.as_mut() {
                *y = gate.samples::<I, S>(s, p.amplified(s, gate.components::<I, S>(s, *y)));
            }
            S::store(s, &mut dst[x..], S::join(s, halves));
        })
    }
}
