//! Values of `--colorspace` and `--tcc-colors`. The bindings include this file.

use dndi::{ColorMatrix, ColorRange, ColorSaturation, ColorSpace};
use std::str::FromStr;

/// `--colorspace FROM:TO`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// Colour space of the input.
    pub from: Space,
    /// Colour space of the output; none for RGB.
    pub to: Option<Space>,
}

/// A colour space as written: `bt601`, `bt709-full` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    matrix: ColorMatrix,
    /// The range; none if not given.
    range: Option<ColorRange>,
}

impl Space {
    /// The colour space; its range is `range` if none is given.
    pub fn or(self, range: ColorRange) -> ColorSpace {
        ColorSpace { matrix: self.matrix, range: self.range.unwrap_or(range) }
    }
}

const SYNTAX: &str = "write FROM:TO with bt601, bt709 or bt2020, such as bt601:bt709-full";

impl FromStr for Space {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Space, &'static str> {
        let (matrix, range) = text.split_once('-').map_or((text, None), |(matrix, range)| (matrix, Some(range)));
        let matrix = matrix.parse().map_err(|_| SYNTAX)?;
        let range = range.map(str::parse).transpose();
        let range = range.map_err(|_| "a range is limited or full, such as bt601-full:bt709-limited")?;
        Ok(Space { matrix, range })
    }
}

impl FromStr for Conversion {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Conversion, &'static str> {
        let text = text.to_ascii_lowercase();
        let (from, to) = text.split_once(':').ok_or(SYNTAX)?;
        let to = if to == "rgb" { None } else { Some(to.parse()?) };
        Ok(Conversion { from: from.parse()?, to })
    }
}

/// `--tcc-colors red=1.2,green=0.9,...`; the library checks the factors.
#[derive(Clone, Debug, PartialEq)]
pub struct Colors(pub ColorSaturation);

impl FromStr for Colors {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Colors, &'static str> {
        const SYNTAX: &str = "write COLOR=FACTOR,... with red, yellow, green, cyan, blue, magenta, such as red=1.2,green=0.9";
        let mut colors = ColorSaturation::default();
        for assignment in text.split(',') {
            let (name, factor) = assignment.split_once('=').ok_or(SYNTAX)?;
            let color = match name.trim().to_ascii_lowercase().as_str() {
                "red" => &mut colors.red,
                "yellow" => &mut colors.yellow,
                "green" => &mut colors.green,
                "cyan" => &mut colors.cyan,
                "blue" => &mut colors.blue,
                "magenta" => &mut colors.magenta,
                _ => return Err(SYNTAX),
            };
            *color = factor.trim().parse().map_err(|_| SYNTAX)?;
        }
        Ok(Colors(colors))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions() {
        let of = |text: &str| {
            let Conversion { from, to } = text.parse().ok()?;
            Some((from.or(ColorRange::Limited), to.map(|to| to.or(ColorRange::Limited))))
        };
        let space = |matrix, range| ColorSpace { matrix, range };
        let (sd, hd) = (space(ColorMatrix::Bt601, ColorRange::Limited), space(ColorMatrix::Bt709, ColorRange::Limited));
        assert_eq!(of("bt601:bt709"), Some((sd, Some(hd))));
        assert_eq!(of("BT601-limited:bt709-full"), Some((sd, Some(space(ColorMatrix::Bt709, ColorRange::Full)))));
        assert_eq!(of("bt2020-full:rgb"), Some((space(ColorMatrix::Bt2020, ColorRange::Full), None)));
        for wrong in
            ["", ":", "bt601", "bt601:", ":bt709", "rgb:bt601", "bt601:bt709:rgb", "bt601-:bt709", "bt601-half:rgb", "709:601"]
        {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn colors() {
        let of = |text: &str| text.parse().map(|Colors(colors)| colors).ok();
        let defaults = ColorSaturation::default;
        assert_eq!(of("red=1.2,Green=0.9"), Some(defaults().red(1.2).green(0.9)));
        assert_eq!(of("yellow=0,cyan=.5,blue=1, magenta = 2"), Some(defaults().yellow(0.0).cyan(0.5).blue(1.0).magenta(2.0)));
        assert_eq!(of("red=1,red=0.5"), Some(defaults().red(0.5)));
        for wrong in ["", "red", "red=", "red=x", "red=1,", "orange=1", "red=1;green=1"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
