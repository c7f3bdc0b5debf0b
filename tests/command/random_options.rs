//! Random options of a conversion. Most of the combinations are valid.

use crate::random_clip::pick;
use dndi::{Format, Parameters, Sampling};
use fastrand::Rng;

/// Options that are drawn one after the other.
struct Options<'a> {
    random: &'a mut Rng,
    words: Vec<String>,
}

impl Options<'_> {
    fn in_percent(&mut self, percent: u8) -> bool {
        self.random.u8(..100) < percent
    }

    /// Adds an option with one of `values` in `percent` of the cases.
    fn choose(&mut self, percent: u8, option: &str, values: &[&str]) {
        if self.in_percent(percent) {
            let value = pick(self.random, values);
            self.words.extend([option.to_owned(), value.to_owned()]);
        }
    }

    /// Adds an option without a value in `percent` of the cases.
    fn flag(&mut self, percent: u8, option: &str) {
        if self.in_percent(percent) {
            self.words.push(option.to_owned());
        }
    }

    /// A number from 1 to 160.
    fn length(&mut self) -> usize {
        self.random.usize(1..=160)
    }

    /// A rectangle within a picture of this size. Most of them begin at multiples of four.
    fn rectangle(&mut self, (width, height): (usize, usize)) -> String {
        let mask = if self.in_percent(50) { !3 } else { !0 };
        let (x, y) = (self.random.usize(..width) & mask, self.random.usize(..height) & mask);
        format!("{x},{y},{},{}", self.random.usize(1..=width - x), self.random.usize(1..=height - y))
    }

    fn stages(&mut self) {
        self.choose(50, "--field-order", &["auto", "header", "tff", "bff", "progressive"]);
        self.choose(40, "--deinterlace", &["auto", "on", "off", "flagged", "combed", "combed"]);
        self.choose(100, "--deinterlacer", &["gen6", "gen6", "balanced", "best"]);
        self.choose(60, "--denoise", &["auto", "off", "on", "light", "medium", "strong"]);
        self.choose(30, "--denoise-chroma", &["auto", "off", "on", "light", "medium", "strong"]);
        self.choose(20, "--denoise-motion", &["on", "on", "off"]);
        self.choose(8, "--denoise-filter", &["3x3", "5x5"]);
        self.flag(5, "--hot-pixel");
        self.flag(5, "--drop-outs");
        self.choose(5, "--deflicker", &["on", "on", "off"]);
        self.choose(20, "--mcdi", &["on", "off"]);
        self.choose(40, "--film", &["off", "auto", "reconstruct"]);
        self.choose(25, "--chroma", &["same", "422", "420", "420drop"]);
        self.choose(25, "--depth", &["8", "9", "10", "12", "14", "16"]);
        self.choose(10, "--dither", &["ordered", "none"]);
        self.choose(50, "--rate", &["field", "frame", "film", "film"]);
        self.choose(10, "--preset", &["fast", "default", "best", "driver"]);
    }

    fn scaling(&mut self, size: (usize, usize)) {
        if self.in_percent(35) {
            let (width, height) = (self.length(), self.length());
            let factor = pick(self.random, &["2x", "0.5x", "1.3x", "0.01x", "3x"]).to_owned();
            let values = [format!("{width}x{height}"), format!(":{height}"), format!("{width}:"), factor];
            self.words.extend(["--scale".to_owned(), pick(self.random, &values)]);
        }
        if self.in_percent(20) {
            let rectangle = self.rectangle(size);
            self.words.extend(["--crop".to_owned(), rectangle]);
        }
        self.choose(15, "--chroma-location", &["left", "center", "topleft"]);
        self.choose(20, "--sharpen", &["off", "detail3", "detail5", "combo"]);
        self.choose(12, "--ief", &["off", "detail3", "detail5", "combo"]);
        self.flag(5, "--print-tables");
    }

    fn color(&mut self, size: (usize, usize)) {
        self.choose(10, "--brightness", &["-100", "-3.3", "0", "17", "100"]);
        self.choose(10, "--contrast", &["0", "0.1", "1", "1.5", "10"]);
        self.choose(10, "--saturation", &["0", "0.1", "1", "1.5", "10"]);
        self.choose(10, "--hue", &["-180", "-90", "0", "33.3", "180"]);
        self.choose(10, "--skin-tone", &["0", "0.5", "1"]);
        self.choose(10, "--tcc-colors", &["red=1.2", "green=0,blue=1.99", "yellow=1.1,cyan=.3"]);
        if self.in_percent(12) {
            let value = pick(self.random, &["--auto-contrast", "--auto-contrast=30", "--auto-contrast=100"]);
            self.words.push(value.to_owned());
        }
        if self.in_percent(12) {
            let rectangle = self.rectangle(size);
            self.words.extend(["--aoi".to_owned(), rectangle]);
        }
        let spaces = ["bt601:bt709", "bt709:bt601", "bt601-full:bt601-limited", "bt2020:bt709-full", "bt601:bt601-full"];
        self.choose(10, "--colorspace", &spaces);
        ["--std", "--ste", "--ace", "--tcc", "--procamp", "--csc"].iter().for_each(|stage| self.flag(6, stage));
        self.choose(6, "--gamma", &["0.1", "0.8", "2.2", "10"]);
        self.choose(6, "--white-balance", &["auto", "set"]);
        self.choose(15, "--matrix", &["bt601", "bt709", "bt2020"]);
        ["--ccm", "--gamut-expand", "--front-csc", "--gamut-compress", "--lace"].iter().for_each(|stage| self.flag(4, stage));
        self.choose(8, "--rgb", &["raw"]);
    }

    /// The geometry of the output, and the filters before it.
    fn geometry(&mut self) {
        self.choose(4, "--mirror", &["h", "v"]);
        self.choose(4, "--rotate", &["90", "180", "270"]);
        if self.in_percent(4) {
            let (width, height, x) = (self.length(), self.length(), self.random.usize(..40));
            let canvas = [format!("{width}x{height}+{x}-{x}"), format!("{}x{}+0+0", 2 * width, 2 * height)];
            self.words.extend(["--canvas".to_owned(), pick(self.random, &canvas)]);
            self.choose(50, "--fill", &["16,128,128", "235,90,240"]);
        }
        self.choose(4, "--output-chroma", &["420", "422", "444", "mono"]);
        self.choose(2, "--siting-in", &["0,0", "4,4", "0,4"]);
        self.choose(2, "--siting-out", &["0,0", "4,4", "3,7"]);
        self.choose(5, "--scale-filter", &["poly5", "bilinear"]);
        self.choose(2, "--convolve", &["1;-.5;.5", "1,2,1;2,4,2;1,2,1", "-8,7.9997"]);
        self.choose(2, "--erode", &["3x3", "15x15", "1x4", "3x3:2,7,2"]);
        self.choose(2, "--dilate", &["3x3", "2x1", "4x3:9,0,6"]);
        self.choose(2, "--minmax", &["3x3", "15x1"]);
        self.choose(4, "--filter-planes", &["luma", "all"]);
    }

    /// Raw frames of a sensor, if the clip can have some.
    fn capture(&mut self, sampling: Sampling) {
        if sampling == Sampling::Mono && self.in_percent(10) {
            self.choose(100, "--bayer", &["rggb", "grbg", "gbrg", "bggr"]);
            self.words.extend(["--denoise", "off", "--deinterlace", "off"].map(str::to_owned));
        }
    }

    fn range(&mut self) {
        if self.in_percent(10) {
            self.choose(100, "--skip", &["0", "1", "2", "3", "5", "20"]);
            self.choose(40, "--warmup", &["0", "1", "2", "3"]);
        }
        self.choose(15, "--frames", &["0", "1", "2", "3", "7", "100"]);
    }

    /// Parameters that exclude each other are rare.
    fn parameters(&mut self) {
        let fields: Vec<_> = Parameters::fields().collect();
        let mut parameters = Parameters::default();
        for _ in 0..self.random.usize(1..=6) {
            let field = pick(self.random, &fields);
            let any = self.random.i32(field.min..=field.max);
            let value = pick(self.random, &[field.min, field.max, any]);
            let before = parameters.clone();
            parameters.set(field.name, value.into()).expect("a value within its range");
            if parameters.check(true).is_err() && !self.in_percent(10) {
                parameters = before;
                continue;
            }
            self.words.extend(["--set".to_owned(), format!("{}={value}", field.name)]);
        }
    }
}

/// Random options for a clip of this format.
pub fn options(random: &mut Rng, format: Format) -> Vec<String> {
    let mut options = Options { random, words: vec![] };
    let size = (format.width, format.height);
    options.stages();
    options.scaling(size);
    options.color(size);
    options.geometry();
    options.capture(format.sampling);
    options.range();
    if options.in_percent(30) {
        options.parameters();
    }
    options.words
}
