//! Values of `--scale` and `--crop`. The bindings include this file.

use dndi::{Rect, RectError};
use std::str::FromStr;

/// `--scale`
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// `WxH`
    Exact(usize, usize),
    /// `W:`: the height follows from the aspect ratio.
    Width(usize),
    /// `:H`: the width follows from the aspect ratio.
    Height(usize),
    /// A factor for width and height: `2x`
    Factor(f64),
}

impl Size {
    /// Width and height in samples for a picture of `width`×`height` samples, rounded to nearest. A
    /// height that is not given is rounded to a multiple of `lines`.
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
        let size = |digits: &str| number(digits).filter(|&size| size > 0).ok_or(SYNTAX);
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

/// `--crop x,y,w,h`
pub fn crop(text: &str) -> Result<Rect, RectError> {
    let rect = text.parse()?;
    let Rect { x, y, width, height } = rect;
    if [x, y, width, height].iter().all(|number| *number <= MAX_NUMBER) { Ok(rect) } else { Err(RectError) }
}

/// The largest number that is parsed: the product of two fits 64 bits.
const MAX_NUMBER: usize = 1 << 20;

/// A decimal number of at most [`MAX_NUMBER`].
fn number(digits: &str) -> Option<usize> {
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse::<usize>().ok().filter(|&number| plain && number <= MAX_NUMBER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let size = |text: &str| text.parse::<Size>().map(|size| size.of((720, 576), 1)).ok();
        assert_eq!(size("21x13"), Some((21, 13)));
        assert_eq!(size("2x"), Some((1440, 1152)));
        assert_eq!(size("0.5x"), Some((360, 288)));
        assert_eq!(size(":720"), Some((900, 720)));
        assert_eq!(size("360:"), Some((360, 288)));
        assert_eq!(size("0.0001x"), Some((1, 1)));
        // At least one line, or sample.
        assert_eq!(Size::Width(1).of((100, 4), 1), (1, 1));
        assert_eq!([Size::Width(1).of((100, 4), 2), Size::Height(1).of((4, 100), 1)], [(1, 2), (1, 1)]);
        // Halves are rounded up.
        assert_eq!([Size::Width(5).of((10, 5), 1), Size::Width(5).of((11, 5), 1)], [(5, 3), (5, 2)]);
        for wrong in
            ["", "x", "0x", "-1x", "1e3x", "infx", "nanx", "3x-4", "3x0", ":", ":0", "3:4", "720", "12x34x", "1 x2", "+3x4"]
        {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn heights_that_fields_can_have() {
        let even = |text: &str, of| text.parse::<Size>().unwrap().of(of, 2);
        assert_eq!(even("2x", (720, 576)), (1440, 1152));
        assert_eq!(even("1.25x", (22, 18)), (28, 22)); // 22.5 lines
        assert_eq!(even("1.3x", (22, 18)), (29, 24)); // 23.4
        assert_eq!(even("0.0001x", (720, 576)), (1, 2));
        assert_eq!(even("33:", (22, 18)), (33, 28)); // 27
        assert_eq!(even("32:", (22, 18)), (32, 26)); // 26.2
        // A height that is given is not rounded.
        assert_eq!(even(":9", (22, 18)), (11, 9));
        assert_eq!(even("5x7", (22, 18)), (5, 7));
    }

    #[test]
    fn rectangles() {
        assert_eq!(crop("7,5,30,21"), Ok(Rect { x: 7, y: 5, width: 30, height: 21 }));
        for wrong in ["1,2,3", "1,2,3,1048577"] {
            assert!(crop(wrong).is_err(), "{wrong}");
        }
    }
}
