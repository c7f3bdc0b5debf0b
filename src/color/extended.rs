//! Settings of the stages of the colour pipe beyond Gen6 (§13).
use super::tables::{GammaTable, GamutTable, VertexTable};
use super::{ColorCorrectionParameters, ColorParameters, GamutParameters, LocalContrastParameters};
use crate::format::{ColorMatrix, ColorRange, ColorSpace, NameError};
use std::fmt;
use std::str::FromStr;

/// The source of the gains of the white balance (§13.7). Names: `set`, `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WhiteBalance {
    /// The parameters `wb.red`, `wb.green` and `wb.blue`.
    Set,
    /// The grey points of each frame; gains move towards them from frame to frame.
    Auto,
}

impl WhiteBalance {
    const NAMES: &'static [&'static str] = &["set", "auto"];
}

impl FromStr for WhiteBalance {
    type Err = NameError;

    fn from_str(name: &str) -> Result<WhiteBalance, NameError> {
        NameError::find("white balance", name, WhiteBalance::NAMES, &[WhiteBalance::Set, WhiteBalance::Auto])
    }
}

impl fmt::Display for WhiteBalance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WhiteBalance::NAMES[*self as usize])
    }
}

/// The parameters of all stages of the pipe but the white balance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColorGroups<'a> {
    pub color: &'a ColorParameters,
    pub correction: &'a ColorCorrectionParameters,
    pub gamut: &'a GamutParameters,
    pub local_contrast: &'a LocalContrastParameters,
}

/// The stages that are on, with their tables.
#[derive(Clone, Debug)]
pub(crate) struct Extended {
    /// The colour space between luma, chroma and RGB.
    pub space: ColorSpace,
    /// Whether the pipe begins with the RGB of captured frames (§13.8).
    pub captured: bool,
    pub white_balance: Option<WhiteBalance>,
    /// The colour correction matrix.
    pub correction: bool,
    pub gamma: Option<GammaTable>,
    pub gamut_expansion: Option<GamutTable>,
    /// The conversion behind the stages on RGB.
    pub front_conversion: bool,
    pub gamut_compression: Option<VertexTable>,
    pub local_contrast: bool,
}

impl Default for Extended {
    fn default() -> Extended {
        Extended {
            space: ColorSpace { matrix: ColorMatrix::Bt709, range: ColorRange::Limited },
            captured: false,
            white_balance: None,
            correction: false,
            gamma: None,
            gamut_expansion: None,
            front_conversion: false,
            gamut_compression: None,
            local_contrast: false,
        }
    }
}

impl Extended {
    /// Whether a stage on RGB is on.
    pub fn has_rgb(&self) -> bool {
        let has_stage = self.white_balance.is_some() || self.correction || self.gamma.is_some() || self.gamut_expansion.is_some();
        self.captured || has_stage
    }

    /// Whether any stage is on.
    pub fn is_on(&self) -> bool {
        self.has_rgb() || self.front_conversion || self.gamut_compression.is_some() || self.local_contrast
    }
}
