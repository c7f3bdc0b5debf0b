//! Values of options that are not a name or a number, written as on the command line.
use dndi::{ColorRange, ColorSpace};

#[path = "../../../src/cli/options/colorspace_arg.rs"]
mod colorspace_arg;
#[path = "../../../src/cli/options/geometry_text.rs"]
mod geometry_text;
#[path = "../../../src/cli/options/size.rs"]
mod size;

pub use colorspace_arg::{Colors, Space};
pub use geometry_text::{Fill, canvas, fill, siting};
pub use size::{Size, crop};

/// `on` or `off`; `true`, `false`, `1` and `0` are the same, for hosts that have such values.
pub fn switch(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "on" | "true" | "1" => Ok(true),
        "off" | "false" | "0" => Ok(false),
        _ => Err(format!("no value '{text}'; there are: on, off")),
    }
}

/// A fraction such as `30000:1001` or `30000/1001`, or a whole number.
pub fn fraction(text: &str) -> Result<(u32, u32), String> {
    let (above, below) = text.split_once([':', '/']).unwrap_or((text, "1"));
    match (above.trim().parse(), below.trim().parse()) {
        (Ok(above), Ok(below)) if above > 0 && below > 0 => Ok((above, below)),
        _ => Err(format!("'{text}' is no frame rate; write it as in 30000:1001")),
    }
}

/// `FROM:TO`, the conversion between two colour spaces. A range is none if it is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    from: Space,
    to: Space,
}

impl Conversion {
    /// Parses a conversion to Y'CbCr.
    pub fn parse(text: &str) -> Result<Conversion, &'static str> {
        let parsed: colorspace_arg::Conversion = text.parse()?;
        let to = parsed.to.ok_or("frames are Y'CbCr; the command writes RGB with --rgb")?;
        Ok(Conversion { from: parsed.from, to })
    }

    /// Both colour spaces; `range` is that of the clip.
    pub fn spaces(self, range: ColorRange) -> (ColorSpace, ColorSpace) {
        let from = self.from.or(range);
        (from, self.to.or(from.range))
    }
}
