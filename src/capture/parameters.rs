//! Order of the colour filters of a sensor, and parameters of each (§13.8).
use crate::format::NameError;
use crate::parameters::field::parameters;
use dndi_simd::BayerLevel;
use std::fmt;
use std::str::FromStr;

/// The colours of a sensor's samples: those of columns 0 and 1 of line 0, then of line 1. Names:
/// `rggb`, `bggr`, `grbg`, `gbrg`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BayerPattern {
    /// Red and green, green and blue.
    Rggb,
    /// Blue and green, green and red.
    Bggr,
    /// Green and red, blue and green.
    Grbg,
    /// Green and blue, red and green.
    Gbrg,
}

impl BayerPattern {
    const ALL: [BayerPattern; 4] = [BayerPattern::Rggb, BayerPattern::Bggr, BayerPattern::Grbg, BayerPattern::Gbrg];
    const NAMES: &'static [&'static str] = &["rggb", "bggr", "grbg", "gbrg"];

    /// The colours of columns 0 and 1 in line `y`.
    pub(super) fn line(self, y: usize) -> [Site; 2] {
        let (red, blue) = ([Site::Red, Site::GreenOfRed], [Site::GreenOfBlue, Site::Blue]);
        let mirrored = |[a, b]: [Site; 2]| [b, a];
        let lines = match self {
            BayerPattern::Rggb => [red, blue],
            BayerPattern::Bggr => [mirrored(blue), mirrored(red)],
            BayerPattern::Grbg => [mirrored(red), mirrored(blue)],
            BayerPattern::Gbrg => [blue, red],
        };
        lines[y % 2]
    }

    /// The first column of line `y` with a sample of green: 0 or 1.
    pub(super) fn green_column(self, y: usize) -> usize {
        usize::from(matches!(self.line(y)[0], Site::Red | Site::Blue))
    }
}

impl FromStr for BayerPattern {
    type Err = NameError;

    fn from_str(name: &str) -> Result<BayerPattern, NameError> {
        NameError::find("Bayer pattern", name, BayerPattern::NAMES, &BayerPattern::ALL)
    }
}

impl fmt::Display for BayerPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(BayerPattern::NAMES[*self as usize])
    }
}

/// The colour of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    Red,
    /// Green in a line with red.
    GreenOfRed,
    /// Green in a line with blue.
    GreenOfBlue,
    Blue,
}

parameters! { "capture.",
    /// Parameters of raw Bayer frames. Of the greens, `top` is in lines with red and `bottom` in
    /// lines with blue.
    CaptureParameters {
        /// subtraction of the black points: 0 off, 1 on
        black_enable: bool = 0 in 0..=1;
        /// multiplication by the balance: 0 off, 1 on
        balance_enable: bool = 0 in 0..=1;
        /// black point of red, in 16-bit code values
        black_red: i32 = 0 in -65536..=65535;
        /// black point of green next to red, in 16-bit code values
        black_green_top: i32 = 0 in -65536..=65535;
        /// black point of blue, in 16-bit code values
        black_blue: i32 = 0 in -65536..=65535;
        /// black point of green next to blue, in 16-bit code values
        black_green_bottom: i32 = 0 in -65536..=65535;
        /// gain of red, in 1/4096
        balance_red: u16 = 4096 in 0..=65535;
        /// gain of green next to red, in 1/4096
        balance_green_top: u16 = 4096 in 0..=65535;
        /// gain of blue, in 1/4096
        balance_blue: u16 = 4096 in 0..=65535;
        /// gain of green next to blue, in 1/4096
        balance_green_bottom: u16 = 4096 in 0..=65535;
    }
}

impl CaptureParameters {
    /// The black point and the gain of samples of this colour; 0 and 4096 change nothing.
    pub(super) fn of(&self, site: Site) -> BayerLevel {
        let (black, gain) = match site {
            Site::Red => (self.black_red, self.balance_red),
            Site::GreenOfRed => (self.black_green_top, self.balance_green_top),
            Site::GreenOfBlue => (self.black_green_bottom, self.balance_green_bottom),
            Site::Blue => (self.black_blue, self.balance_blue),
        };
        BayerLevel { black: if self.black_enable { black } else { 0 }, gain: if self.balance_enable { gain } else { 4096 } }
    }
}
