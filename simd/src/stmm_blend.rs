//! Blend of a moving and a static value by the motion measure (§3.6, §3.7), for luma, up-sampled
//! chroma and completed chroma.
use crate::Sample;
use crate::isa::{Isa, Lane};

/// Limits of the blend, named as in §8.1: `stmm_max - stmm_min = 1 << stmm_shift`, shift 0…7.
#[derive(Clone, Copy, Debug)]
pub struct StmmBlend {
    /// Below this motion measure the result is the static value.
    pub stmm_min: u8,
    /// Above this motion measure the result is the moving value.
    pub stmm_max: u8,
    /// log2 of the distance between the two limits.
    pub stmm_shift: u8,
}

impl StmmBlend {
    /// The blended sample at the motion measure `stmm`.
    pub(crate) fn blend<S: Sample>(&self, stmm: u8, moving: S, still: S) -> S {
        if stmm < self.stmm_min {
            still
        } else if stmm > self.stmm_max {
            moving
        } else {
            let (up, down) = ((stmm - self.stmm_min) as u32, (self.stmm_max - stmm) as u32);
            S::from_u32((moving.into() * up + still.into() * down) >> self.stmm_shift)
        }
    }

    /// The weights of a vector of samples. At each limit the blend equals one of the two values, so
    /// clamping the measure to the limits gives the right result beyond them.
    #[inline(always)]
    pub(crate) fn weights<I: Isa, S: Lane>(&self, s: I, stmm: S::V<I>) -> Weights<I, S> {
        let (least, most) = (S::splat(s, self.stmm_min.into()), S::splat(s, self.stmm_max.into()));
        let stmm = S::greater(s, S::lesser(s, stmm, most), least);
        let (moving, still) = (S::sub_saturating(s, stmm, least), S::sub_saturating(s, most, stmm));
        Weights { moving, still, shift: self.stmm_shift }
    }
}

/// Weights of a vector of samples; the two sum to 1 << `shift`.
#[derive(Clone, Copy)]
pub(crate) struct Weights<I: Isa, S: Lane> {
    moving: S::V<I>,
    still: S::V<I>,
    shift: u8,
}

impl<I: Isa, S: Lane> Weights<I, S> {
    /// Whether any static value has a weight. If none has, the blend equals the moving values.
    #[inline(always)]
    pub fn any_still(&self, s: I) -> bool {
        S::any(s, self.still)
    }

    #[inline(always)]
    pub fn blend(&self, s: I, moving: S::V<I>, still: S::V<I>) -> S::V<I> {
        S::weighted(s, [moving, still], [self.moving, self.still], self.shift)
    }
}
