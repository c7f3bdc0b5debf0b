//! Weight of the scaler's sharp filter: alpha of each sample from its eight source samples (§5.2).
use crate::contract;
use crate::isa::{Isa, blocks, load_each};
use crate::{Lines, Tap};

/// Limits of [`sharpness`](crate::Kernels::sharpness), named as in the scaler's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sharpness {
    /// Curvature up to which four samples count as smooth; 0…255.
    pub max_deriv_4: u8,
    /// Greatest step up to which eight samples count as smooth; 0…255.
    pub max_deriv_8: u8,
    /// Width of the transition of the first: greater is wider; 0…7.
    pub transition_4: u8,
    /// Width of the transition of the second.
    pub transition_8: u8,
}

/// Writes alpha of the output line of each tap. Output lines have the stride of `src`, whose lines
/// are W.
pub fn scalar(dst: &mut [u8], src: Lines<u8>, taps: &[Tap], p: &Sharpness) {
    for (line, tap) in taps.iter().enumerate() {
        let w = src.eight(tap.first as usize);
        for (x, out) in dst[line * src.stride..][..src.width].iter_mut().enumerate() {
            let w = w.map(|row| row[x] as i32);
            let d = |k: usize| w[k] - w[k + 1];
            let m4 = d(3).abs().max(d(2).abs()).min(d(3).abs().max(d(4).abs()));
            let d4 = (((d(2) - d(3)).abs() + (d(4) - d(3)).abs()) >> 1).min(m4);
            let m8 = (0..7).map(|k| d(k).abs()).max().unwrap_or(0);
            let a4 = ((d4 - p.max_deriv_4 as i32) << (8 - p.transition_4)).clamp(0, 255);
            let a8 = (255 - ((m8 - p.max_deriv_8 as i32) << (8 - p.transition_8))).clamp(0, 255);
            *out = a4.max(a8) as u8;
        }
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u8], src: Lines<u8>, taps: &[Tap], p: &Sharpness) {
    contract::filter(dst, src, taps, None);
    contract::within(p.transition_4.max(p.transition_8), 0..=7);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], src: Lines<u8>, taps: &[Tap], p: &Sharpness) -> bool {
    if src.width < I::N {
        return false;
    }
    let (deriv_4, deriv_8) = (s.splat(p.max_deriv_4), s.splat(p.max_deriv_8));
    for (line, tap) in taps.iter().enumerate() {
        let at = line * src.stride;
        // Alpha does not depend on the phase. An enlargement has many lines with the same samples.
        if line > 0 && taps[line - 1].first == tap.first {
            dst.copy_within(at - src.stride..at - src.stride + src.width, at);
            continue;
        }
        let rows = src.eight(tap.first as usize);
        let dst = &mut dst[at..][..src.width];
        blocks!(dst.len(), I::N, x => {
            let w = load_each(s, rows, x);
            // W[k] - W[k + 1] as two unsigned numbers, one of them 0.
            let (down2, up2) = (s.sub_saturating(w[2], w[3]), s.sub_saturating(w[3], w[2]));
            let (down3, up3) = (s.sub_saturating(w[3], w[4]), s.sub_saturating(w[4], w[3]));
            let (down4, up4) = (s.sub_saturating(w[4], w[5]), s.sub_saturating(w[5], w[4]));
            let (step2, step3, step4) = (s.or(down2, up2), s.or(down3, up3), s.or(down4, up4));
            let (near, far) = (s.max(step3, step2), s.max(step3, step4));
            // If a sum saturates, the mean of both is still at least m4.
            let before = s.abs_diff(s.add_saturating(down2, up3), s.add_saturating(up2, down3));
            let behind = s.abs_diff(s.add_saturating(down4, up3), s.add_saturating(up4, down3));
            let d4 = s.min(s.avg(before, behind), s.min(near, far));
            let outer = s.max(s.abs_diff(w[0], w[1]), s.abs_diff(w[1], w[2]));
            let outer = s.max(outer, s.max(s.abs_diff(w[5], w[6]), s.abs_diff(w[6], w[7])));
            let m8 = s.max(outer, s.max(near, far));
            let a4 = shl_saturating(s, s.sub_saturating(d4, deriv_4), 8 - p.transition_4);
            let a8 = shl_saturating(s, s.sub_saturating(m8, deriv_8), 8 - p.transition_8);
            s.store(&mut dst[x..], s.max(a4, s.xor(a8, s.splat(255))));
        });
    }
    true
}

/// `min(255, v << by)`.
#[inline(always)]
fn shl_saturating<I: Isa>(s: I, mut v: I::B, by: u8) -> I::B {
    for _ in 0..by {
        v = s.add_saturating(v, v);
    }
    v
}
