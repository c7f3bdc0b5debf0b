//! Saturation and hue of samples (§6, §6.5, §9.5): unpacker, ProcAmp and repacker in one pass.
use crate::Sample;
use crate::amplify_chroma::Rotation;
use crate::color_depth::{Gate, check_depth, color_bits, is_byte};
use crate::contract;
use crate::isa::{Isa, Lane, blocks};

/// Writes U and V as [`amplify_chroma`](crate::Kernels::amplify_chroma) computes them, with
/// [`unpack`](crate::SampleKernels::unpack) before and [`pack`](crate::SampleKernels::pack) after.
pub fn scalar<S: Sample>(dst: &mut [&mut [S]; 2], [u, v]: [&[S]; 2], cos: i16, sin: i16, depth: u8) {
    let [dst_u, dst_v] = dst;
    let gate = Gate::new::<S>(depth);
    for (x, (out_u, out_v)) in dst_u.iter_mut().zip(dst_v.iter_mut()).enumerate() {
        let (u, v) = ([gate.component(u[x])], [gate.component(v[x])]);
        let (mut rotated_u, mut rotated_v) = ([0], [0]);
        let bits = color_bits(depth);
        crate::amplify_chroma::scalar(&mut [&mut rotated_u, &mut rotated_v], [&u, &v], cos, sin, bits);
        (*out_u, *out_v) = (gate.sample(rotated_u[0]), gate.sample(rotated_v[0]));
    }
}

/// Panics if a slice is too short or samples cannot have this depth.
#[inline(always)]
pub(crate) fn check<S: Sample>([dst_u, dst_v]: &[&mut [S]; 2], uv: [&[S]; 2], _: i16, _: i16, depth: u8) {
    contract::same_length([dst_u, dst_v]);
    contract::at_least(uv, dst_u.len());
    check_depth::<S>(depth);
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, dst: &mut [&mut [S]; 2], [u, v]: [&[S]; 2], cos: i16, sin: i16, depth: u8) -> bool {
    let bits = if is_byte::<S>() { 12 } else { color_bits(depth) };
    let Some(p) = Rotation::new(s, cos, sin, bits) else { return false };
    let [dst_u, dst_v] = dst;
    let n = dst_u.len();
    let (dst_v, u, v) = (&mut dst_v[..n], &u[..n], &v[..n]);
    let gate = Gate::new::<S>(depth);
    blocks!(n, S::count::<I>(), x => {
        let (mut u, mut v) = (S::split(s, S::load(s, &u[x..])), S::split(s, S::load(s, &v[x..])));
        for (u, v) in u.as_mut().iter_mut().zip(v.as_mut()) {
            let [new_u, new_v] = p.rotated(s, gate.components::<I, S>(s, *u), gate.components::<I, S>(s, *v));
            (*u, *v) = (gate.samples::<I, S>(s, new_u), gate.samples::<I, S>(s, new_v));
        }
        S::store(s, &mut dst_u[x..], S::join(s, u));
        S::store(s, &mut dst_v[x..], S::join(s, v));
    })
}
