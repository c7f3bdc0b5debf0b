//! Chroma location, matrix and range of the samples (§5.1, §6).
use super::names::NameError;
use std::fmt;
use std::str::FromStr;

/// The position of a chroma sample relative to its luma samples (§5.1). Names: `left`, `center`,
/// `topleft`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChromaLocation {
    /// Horizontally on the first luma sample, vertically centred (MPEG-2; 4:2:2).
    Left,
    /// Centred in both directions (JPEG, MPEG-1).
    Center,
    /// On the first luma sample in both directions (PAL DV).
    TopLeft,
}

impl ChromaLocation {
    const NAMES: &'static [&'static str] = &["left", "center", "topleft"];
}

impl FromStr for ChromaLocation {
    type Err = NameError;

    fn from_str(name: &str) -> Result<ChromaLocation, NameError> {
        let values = [ChromaLocation::Left, ChromaLocation::Center, ChromaLocation::TopLeft];
        NameError::find("chroma location", name, ChromaLocation::NAMES, &values)
    }
}

impl fmt::Display for ChromaLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ChromaLocation::NAMES[*self as usize])
    }
}

/// The matrix between R'G'B' and Y'CbCr. It does not include primaries and transfer functions.
/// Names: `bt601`, `bt709`, `bt2020`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ColorMatrix {
    /// BT.601, standard definition, both of 525 and 625 lines.
    Bt601,
    /// BT.709, high definition.
    Bt709,
    /// BT.2020 with non-constant luminance, ultra-high definition.
    Bt2020,
}

impl ColorMatrix {
    const NAMES: &'static [&'static str] = &["bt601", "bt709", "bt2020"];

    /// The usual matrix for pictures of `width`×`height` luma samples without declared matrix:
    /// BT.709 above 1024 columns or 576 lines, else BT.601.
    pub fn usual(width: usize, height: usize) -> ColorMatrix {
        if width > 1024 || height > 576 { ColorMatrix::Bt709 } else { ColorMatrix::Bt601 }
    }
}

impl FromStr for ColorMatrix {
    type Err = NameError;

    fn from_str(name: &str) -> Result<ColorMatrix, NameError> {
        let values = [ColorMatrix::Bt601, ColorMatrix::Bt709, ColorMatrix::Bt2020];
        NameError::find("colour matrix", name, ColorMatrix::NAMES, &values)
    }
}

impl fmt::Display for ColorMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ColorMatrix::NAMES[*self as usize])
    }
}

/// The code values of black, white and the most saturated colours. Names: `limited`, `full`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorRange {
    /// Luma 16…235 and chroma 16…240 in 8 bits.
    Limited,
    /// Luma and chroma 0…255 in 8 bits.
    Full,
}

impl ColorRange {
    const NAMES: &'static [&'static str] = &["limited", "full"];
}

impl FromStr for ColorRange {
    type Err = NameError;

    fn from_str(name: &str) -> Result<ColorRange, NameError> {
        NameError::find("colour range", name, ColorRange::NAMES, &[ColorRange::Limited, ColorRange::Full])
    }
}

impl fmt::Display for ColorRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ColorRange::NAMES[*self as usize])
    }
}

/// The colour space of luma and chroma samples: matrix and range. Names: `bt709-limited` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColorSpace {
    /// The matrix between R'G'B' and Y'CbCr.
    pub matrix: ColorMatrix,
    /// The code values of black and white.
    pub range: ColorRange,
}

/// The matrix and the range, such as `bt709-limited`.
impl fmt::Display for ColorSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.matrix, self.range)
    }
}

/// The matrix and the range, such as `bt709-full`; without a range it is limited. Case does not
/// matter.
impl FromStr for ColorSpace {
    type Err = NameError;

    fn from_str(name: &str) -> Result<ColorSpace, NameError> {
        let (matrix, range) = name.split_once('-').unwrap_or((name, "limited"));
        Ok(ColorSpace { matrix: matrix.parse()?, range: range.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_to_their_values() {
        for location in [ChromaLocation::Left, ChromaLocation::Center, ChromaLocation::TopLeft] {
            assert_eq!(location.to_string().parse(), Ok(location));
        }
        for matrix in [ColorMatrix::Bt601, ColorMatrix::Bt709, ColorMatrix::Bt2020] {
            assert_eq!(matrix.to_string().parse(), Ok(matrix));
        }
        for range in [ColorRange::Limited, ColorRange::Full] {
            assert_eq!(range.to_string().parse(), Ok(range));
        }
        let error = "bt470".parse::<ColorMatrix>().unwrap_err().to_string();
        assert_eq!(error, "no colour matrix 'bt470'; there are: bt601, bt709, bt2020");
        let full = ColorSpace { matrix: ColorMatrix::Bt709, range: ColorRange::Full };
        assert_eq!((full.to_string().parse(), "BT709-full".parse()), (Ok(full), Ok(full)));
        assert_eq!("bt709".parse(), Ok(ColorSpace { range: ColorRange::Limited, ..full }));
        for wrong in ["", "bt709-", "bt709-half", "full", "bt709-full-full"] {
            assert!(wrong.parse::<ColorSpace>().is_err(), "{wrong}");
        }
    }
}
