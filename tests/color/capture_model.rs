//! Section 13.8 of the specification, pixel by pixel: the RGB of raw Bayer frames.

use crate::model::Pixel;
use dndi::{BayerPattern, CaptureParameters, Frame, Parameters, Samples};

struct Sensor<'a> {
    frame: &'a Frame,
    p: &'a CaptureParameters,
    pattern: String,
}

/// The place `v` of `size`, moved inward by the least even number if it is outside.
fn inside(v: i64, size: usize) -> i64 {
    (0..).map(|k| if v < 0 { v + 2 * k } else { v - 2 * k }).find(|v| (0..size as i64).contains(v)).expect("two samples")
}

impl Sensor<'_> {
    /// `r`, `g` or `b`.
    fn color(&self, x: i64, y: i64) -> char {
        self.pattern.chars().nth((2 * y.rem_euclid(2) + x.rem_euclid(2)) as usize).unwrap()
    }

    /// Whether the green sample is in a line with red.
    fn is_top(&self, x: i64, y: i64) -> bool {
        self.color(x + 1, y) == 'r'
    }

    fn place(&self, x: i64, y: i64) -> (i64, i64) {
        let format = self.frame.format();
        (inside(x, format.width), inside(y, format.height))
    }

    fn v(&self, x: i64, y: i64) -> i64 {
        let (x, y) = self.place(x, y);
        let format = self.frame.format();
        let at = (y * format.width as i64 + x) as usize;
        let sample = match self.frame.samples() {
            Samples::U8(samples) => i64::from(samples[at]),
            Samples::U16(samples) => i64::from(samples[at]),
        };
        let p = self.p;
        let (black, gain) = match (self.color(x, y), self.is_top(x, y)) {
            ('r', _) => (p.black_red, p.balance_red),
            ('b', _) => (p.black_blue, p.balance_blue),
            (_, true) => (p.black_green_top, p.balance_green_top),
            _ => (p.black_green_bottom, p.balance_green_bottom),
        };
        let mut v = sample << (16 - format.depth);
        if p.black_enable {
            v = (v - i64::from(black)).clamp(0, 65535);
        }
        if p.balance_enable {
            v = ((v * i64::from(gain) + 2048) >> 12).min(65535);
        }
        v
    }

    fn green(&self, x: i64, y: i64) -> i64 {
        let (x, y) = self.place(x, y);
        let v = self.v(x, y);
        if self.color(x, y) == 'g' {
            return v;
        }
        let along = |dx: i64, dy: i64| {
            let a = |k: i64| self.v(x + k * dx, y + k * dy);
            let second = 2 * v - a(-2) - a(2);
            let value = ((2 * (a(-1) + a(1)) + second + 2) >> 2).clamp(0, 65535);
            ((a(-1) - a(1)).abs() + second.abs(), value)
        };
        let ((dh, gh), (dv, gv)) = (along(1, 0), along(0, 1));
        if dh < dv {
            gh
        } else if dv < dh {
            gv
        } else {
            (gh + gv + 1) >> 1
        }
    }

    /// v - G.
    fn e(&self, x: i64, y: i64) -> i64 {
        self.v(x, y) - self.green(x, y)
    }

    /// Red or blue.
    fn other(&self, wanted: char, x: i64, y: i64) -> i64 {
        let (color, e) = (self.color(x, y), |dx: i64, dy: i64| self.e(x + dx, y + dy));
        if color == wanted {
            return self.v(x, y);
        }
        let is_across = self.color(x + 1, y) == wanted;
        let sum = match color {
            'g' if is_across => (e(-1, 0) + e(1, 0)) >> 1,
            'g' => (e(0, -1) + e(0, 1)) >> 1,
            _ => (e(-1, -1) + e(1, -1) + e(-1, 1) + e(1, 1)) >> 2,
        };
        (self.green(x, y) + sum).clamp(0, 65535)
    }
}

/// R, G and B of each pixel, 16 bits each.
pub fn demosaic(frame: &Frame, p: &Parameters, pattern: BayerPattern) -> Vec<Pixel> {
    let sensor = Sensor { frame, p: &p.capture, pattern: pattern.to_string() };
    let (width, height) = (frame.format().width as i64, frame.format().height as i64);
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    places.map(|(x, y)| [sensor.other('r', x, y), sensor.green(x, y), sensor.other('b', x, y)]).collect()
}
