//! Counts of pixels, collected while the colour pipe processes a frame.
use crate::luma::Tally;

/// Counts of the pixels of a band.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// Luma and skin, if they are counted.
    pub luma: Option<Tally>,
    /// Pixels outside the gamut, with gamut compression.
    pub outside: u64,
}

impl Counts {
    /// The sum of both.
    pub fn with(self, other: Counts) -> Counts {
        let luma = match (self.luma, other.luma) {
            (Some(a), Some(b)) => Some(a.with(b)),
            (a, b) => a.or(b),
        };
        Counts { luma, outside: self.outside + other.outside }
    }
}
