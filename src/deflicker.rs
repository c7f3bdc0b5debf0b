//! Deflicker (§13.12).
use crate::parameters::field::parameters;

parameters! { "deflicker.",
    /// Parameters of the deflicker filter: the weight of the vertical low pass by the motion
    /// measure of a pair of pixels, in 1/256; 255 counts as 256.
    DeflickerParameters {
        /// weight of the low pass at a motion measure of 0…31
        lut_0: u8 = 0 in 0..=255;
        /// weight of the low pass at a motion measure of 32…63
        lut_1: u8 = 0 in 0..=255;
        /// weight of the low pass at a motion measure of 64…95
        lut_2: u8 = 0 in 0..=255;
        /// weight of the low pass at a motion measure of 96…127
        lut_3: u8 = 0 in 0..=255;
        /// weight of the low pass at a motion measure of 128…159
        lut_4: u8 = 32 in 0..=255;
        /// weight of the low pass at a motion measure of 160…191
        lut_5: u8 = 64 in 0..=255;
        /// weight of the low pass at a motion measure of 192…223
        lut_6: u8 = 128 in 0..=255;
        /// weight of the low pass at a motion measure of 224…255
        lut_7: u8 = 255 in 0..=255;
    }
}

impl DeflickerParameters {
    /// The weights, 0…256.
    pub(crate) fn weights(&self) -> [u16; 8] {
        let DeflickerParameters { lut_0, lut_1, lut_2, lut_3, lut_4, lut_5, lut_6, lut_7 } = *self;
        [lut_0, lut_1, lut_2, lut_3, lut_4, lut_5, lut_6, lut_7].map(|weight| if weight == 255 { 256 } else { weight.into() })
    }
}
