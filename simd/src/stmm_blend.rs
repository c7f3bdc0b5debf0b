//! Blend of a moving and a static value by the motion measure (§3.6, §3.7), for luma, up-sampled
//! chroma and completed chroma.
use crate::isa::Isa;

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
    pub(crate) fn blend(&self, stmm: u8, moving: u8, still: u8) -> u8 {
        if stmm < self.stmm_min {
            still
        } else if stmm > self.stmm_max {
            moving
        } else {
            let (up, down) = ((stmm - self.stmm_min) as u16, (self.stmm_max - stmm) as u16);
            ((moving as u16 * up + still as u16 * down) >> self.stmm_shift) as u8
        }
    }

    /// The weights of a vector of samples. At each limit the blend equals one of the two values, so
    /// clamping the measure to the limits gives the right result beyond them.
    #[inline(always)]
    pub(crate) fn weights<I: Isa>(&self, s: I, stmm: I::B) -> Weights<I> {
        let (least, most) = (s.splat(self.stmm_min), s.splat(self.stmm_max));
        let stmm = s.max(s.min(stmm, most), least);
        Weights { moving: s.sub_saturating(stmm, least), still: s.sub_saturating(most, stmm), shift: self.stmm_shift }
    }
}

/// Weights of a vector of samples; the two sum to 1 << `shift`.
#[derive(Clone, Copy)]
pub(crate) struct Weights<I: Isa> {
    moving: I::B,
    still: I::B,
    shift: u8,
}

impl<I: Isa> Weights<I> {
    /// Whether any static value has a weight. If none has, the blend equals the moving values.
    #[inline(always)]
    pub fn any_still(&self, s: I) -> bool {
        s.any(self.still)
    }

    #[inline(always)]
    pub fn blend(&self, s: I, moving: I::B, still: I::B) -> I::B {
        s.weighted([moving, still], [self.moving, self.still], self.shift)
    }
}
