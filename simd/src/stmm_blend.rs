//! Mixing of a moving and a still value by the motion measure (§3.6, §3.7): of the luma, of up-sampled chroma, of completed chroma.
use crate::isa::Isa;

/// Ends of the mix, named as in §8.1: `stmm_max - stmm_min = 1 << stmm_shift`, 0…7.
#[derive(Clone, Copy, Debug)]
pub struct StmmBlend {
    /// Below it the still value alone.
    pub stmm_min: u8,
    /// Above it the moving value alone.
    pub stmm_max: u8,
    /// log2 of the distance between the two.
    pub stmm_shift: u8,
}

impl StmmBlend {
    /// The mix of a sample whose motion measure is `stmm`.
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

    /// The weights of a vector of samples. At the ends of the range the mix is one of the two itself, so beyond them the range's end
    /// serves.
    #[inline(always)]
    pub(crate) fn weights<I: Isa>(&self, s: I, stmm: I::B) -> Weights<I> {
        let (least, most) = (s.splat(self.stmm_min), s.splat(self.stmm_max));
        let stmm = s.max(s.min(stmm, most), least);
        Weights { moving: s.sub_saturating(stmm, least), still: s.sub_saturating(most, stmm), shift: self.stmm_shift }
    }
}

/// Weights of a vector of samples; together 1 << `shift`.
#[derive(Clone, Copy)]
pub(crate) struct Weights<I: Isa> {
    moving: I::B,
    still: I::B,
    shift: u8,
}

impl<I: Isa> Weights<I> {
    /// Whether the still values count anywhere. Where they do not, the mix is the moving ones.
    #[inline(always)]
    pub fn any_still(&self, s: I) -> bool {
        s.any(self.still)
    }

    #[inline(always)]
    pub fn blend(&self, s: I, moving: I::B, still: I::B) -> I::B {
        s.weighted([moving, still], [self.moving, self.still], self.shift)
    }
}
