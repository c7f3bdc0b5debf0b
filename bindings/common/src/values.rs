//! Values of options that are not a name or a number, written as on the command line.
use dndi::{ColorMatrix, ColorRange, ColorSaturation, ColorSpace, Rect};
use std::str::FromStr;

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

/// `X,Y,W,H`
pub fn rect(text: &str) -> Result<Rect, String> {
    let rect: Rect = text.parse().map_err(|error: dndi::RectError| error.to_string())?;
    let Rect { x, y, width, height } = rect;
    let fits = [x, y, width, height].iter().all(|number| *number <= MAX_NUMBER);
    if fits { Ok(rect) } else { Err(dndi::RectError.to_string()) }
}

/// The greatest number of a size or a rectangle: the product of two fits 64 bits.
const MAX_NUMBER: usize = 1 << 20;

/// The size of the output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// `WxH`
    Exact(usize, usize),
    /// `W:`; the height follows from the aspect ratio.
    Width(usize),
    /// `:H`; the width follows from the aspect ratio.
    Height(usize),
    /// A factor for width and height, such as `2x`.
    Factor(f64),
}

impl Size {
    /// The size for a picture of `width`×`height` samples, rounded to nearest. A height that is not
    /// given is a multiple of `lines`.
    pub fn of(self, (width, height): (usize, usize), lines: usize) -> (usize, usize) {
        let share = |size: usize, of: usize, whole: usize, step: usize| {
            ((2 * size * of + step * whole) / (2 * step * whole)).max(1) * step
        };
        let times = |size: usize, factor: f64, step: usize| (size as f64 * factor / step as f64).round().max(1.0) as usize * step;
        match self {
            Size::Exact(width, height) => (width, height),
            Size::Width(wanted) => (wanted, share(height, wanted, width, lines)),
            Size::Height(wanted) => (share(width, wanted, height, 1), wanted),
            Size::Factor(factor) => (times(width, factor, 1), times(height, factor, lines)),
        }
    }
}

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Size, &'static str> {
        const SYNTAX: &str = "write WxH, :H, W: or a factor such as 2x";
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let size = |text: &str| {
            let number = text.parse().ok().filter(|number| digits(text) && (1..=MAX_NUMBER).contains(number));
            number.ok_or(SYNTAX)
        };
        if let Some(factor) = text.strip_suffix('x') {
            let plain = factor.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let factor = factor.parse().ok().filter(|&factor: &f64| plain && factor > 0.0 && factor <= 1e4);
            return factor.map(Size::Factor).ok_or(SYNTAX);
        }
        match (text.split_once('x'), text.split_once(':')) {
            (Some((width, height)), _) => Ok(Size::Exact(size(width)?, size(height)?)),
            (_, Some(("", height))) => Ok(Size::Height(size(height)?)),
            (_, Some((width, ""))) => Ok(Size::Width(size(width)?)),
            _ => Err(SYNTAX),
        }
    }
}

/// `FROM:TO`, the conversion between two colour spaces. A range is none if it is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    from: (ColorMatrix, Option<ColorRange>),
    to: (ColorMatrix, Option<ColorRange>),
}

impl Conversion {
    /// Both colour spaces; `range` is that of the clip.
    pub fn spaces(self, range: ColorRange) -> (ColorSpace, ColorSpace) {
        let from = ColorSpace { matrix: self.from.0, range: self.from.1.unwrap_or(range) };
        (from, ColorSpace { matrix: self.to.0, range: self.to.1.unwrap_or(from.range) })
    }
}

impl FromStr for Conversion {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Conversion, &'static str> {
        const SYNTAX: &str = "write FROM:TO with bt601, bt709 or bt2020, such as bt601:bt709-full";
        let space = |text: &str| {
            let (matrix, range) = text.split_once('-').map_or((text, None), |(matrix, range)| (matrix, Some(range)));
            let matrix = matrix.parse().map_err(|_| SYNTAX)?;
            let range = range.map(str::parse).transpose();
            Ok((matrix, range.map_err(|_| "a range is limited or full, such as bt601-full:bt709-limited")?))
        };
        let (from, to) = text.split_once(':').ok_or(SYNTAX)?;
        Ok(Conversion { from: space(from)?, to: space(to)? })
    }
}

/// `red=1.2,green=0.9,...`; the library checks the factors.
pub fn saturation(text: &str) -> Result<ColorSaturation, &'static str> {
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
    Ok(colors)
}
