//! Removal of hot pixels (§13.2).
use crate::parameters::field::parameters;

parameters! { "hot.",
    /// Parameters of the removal of hot pixels. A count of 0 is a median filter; one above 8 has no
    /// effect.
    HotPixelParameters {
        /// difference above which a luma neighbour counts, in 8-bit code values
        luma_threshold: u8 = 32 in 0..=255;
        /// number of such neighbours from which on luma is the median
        luma_count: u8 = 7 in 0..=255;
        /// difference above which a U neighbour counts, in 8-bit code values
        u_threshold: u8 = 32 in 0..=255;
        /// number of such neighbours from which on U is the median
        u_count: u8 = 7 in 0..=255;
        /// difference above which a V neighbour counts, in 8-bit code values
        v_threshold: u8 = 32 in 0..=255;
        /// number of such neighbours from which on V is the median
        v_count: u8 = 7 in 0..=255;
    }
}

impl HotPixelParameters {
    /// Threshold and count of a plane, for samples of `depth` bits.
    pub(crate) fn plane(&self, index: usize, depth: u8) -> (u16, u8) {
        let (threshold, count) = match index {
            0 => (self.luma_threshold, self.luma_count),
            1 => (self.u_threshold, self.u_count),
            _ => (self.v_threshold, self.v_count),
        };
        (u16::from(threshold) << (depth - 8), count)
    }
}
