//! Frame properties: those that the conversion follows, and those of the outputs.

use crate::host::{Core, Frame, FrameMut, Map};
use crate::options::Options;
use dndi::convert::{ClipPlan, Converted};
use dndi::{ChromaLocation, ColorMatrix, ColorRange, ColorSpace, Format, Interlacing, Sampling};
use dndi_bindings::Settings;
use std::ffi::CStr;

const FIELD_BASED: &CStr = c"_FieldBased";
const MATRIX: &CStr = c"_Matrix";
const RANGE: &CStr = c"_Range";
const COLOR_RANGE: &CStr = c"_ColorRange";
const CHROMA_LOCATION: &CStr = c"_ChromaLocation";
const DURATION: [&CStr; 2] = [c"_DurationNum", c"_DurationDen"];
const TIME: &CStr = c"_AbsoluteTime";

/// The properties of a clip, from its first frame.
#[derive(Clone, Copy, Debug)]
pub struct ClipProperties {
    /// Format of the frames.
    pub format: Format,
    /// Frames in seconds; none if unknown.
    pub rate: Option<(u32, u32)>,
    /// The declared scan.
    pub interlacing: Interlacing,
    /// The chroma location; none if the library does not have it. That of untagged clips is on the
    /// left, as in the host's own functions.
    pub location: Option<ChromaLocation>,
    /// Matrix and range. The matrix of untagged clips follows from their size, and their range is
    /// limited.
    pub space: ColorSpace,
}

impl ClipProperties {
    /// The properties of a clip whose first frame has these frame properties.
    pub fn new(first: Map, format: Format, rate: Option<(u32, u32)>) -> ClipProperties {
        let interlacing = match first.int(FIELD_BASED) {
            Some(0) => Interlacing::Progressive,
            Some(1) => Interlacing::BottomFirst,
            Some(2) => Interlacing::TopFirst,
            _ => Interlacing::Unknown,
        };
        let location = match first.int(CHROMA_LOCATION) {
            None | Some(0) => Some(ChromaLocation::Left),
            Some(1) => Some(ChromaLocation::Center),
            Some(2) => Some(ChromaLocation::TopLeft),
            Some(_) => None,
        };
        let matrix = match first.int(MATRIX) {
            Some(1) => ColorMatrix::Bt709,
            Some(5 | 6) => ColorMatrix::Bt601,
            Some(9) => ColorMatrix::Bt2020,
            _ => ColorMatrix::usual(format.width, format.height),
        };
        // The values of the old property are the other way around.
        let full = first.int(RANGE).or(first.int(COLOR_RANGE).map(|value| 1 - value)) == Some(1);
        let range = if full { ColorRange::Full } else { ColorRange::Limited };
        ClipProperties { format, rate, interlacing, location, space: ColorSpace { matrix, range } }
    }

    /// The settings with default options for the clip.
    ///
    /// # Errors
    /// The message of the library.
    pub fn settings(&self) -> Result<Settings, String> {
        let mut settings = Settings::new(self.format);
        let ColorSpace { matrix, range } = self.space;
        let location = self.location.unwrap_or(ChromaLocation::Left);
        let rate = self.rate.map(|(frames, seconds)| ("frame-rate", format!("{frames}:{seconds}")));
        let properties = [
            ("interlacing", self.interlacing.to_string()),
            ("matrix", matrix.to_string()),
            ("range", range.to_string()),
            ("location", location.to_string()),
        ];
        for (name, value) in properties.into_iter().chain(rate) {
            settings.set(name, &value).map_err(|error| error.to_string())?;
        }
        Ok(settings)
    }

    /// The argument `colorspace` as FROM:TO. FROM is that of the clip if it is not given.
    pub fn conversion(&self, text: &str) -> String {
        let ColorSpace { matrix, range } = self.space;
        if text.contains(':') { text.to_owned() } else { format!("{matrix}-{range}:{text}") }
    }
}

/// The colour space TO of a conversion FROM:TO that the library has accepted.
pub fn target(conversion: &str, input: ColorSpace) -> Option<ColorSpace> {
    let (from, to) = conversion.split_once(':')?;
    let range = |text: &str| text.split_once('-').and_then(|(_, range)| range.parse().ok());
    let matrix = to.split('-').next()?.parse().ok()?;
    Some(ColorSpace { matrix, range: range(to).or(range(from)).unwrap_or(input.range) })
}

/// The properties of the outputs of a conversion that differ from those of the inputs.
#[derive(Clone, Copy, Debug)]
pub struct OutputProperties {
    /// Whether the outputs are progressive.
    progressive: bool,
    /// The chroma location, if the outputs have subsampled chroma and it is known.
    location: Option<ChromaLocation>,
    /// Whether the outputs have chroma at every luma sample, or none.
    has_no_location: bool,
    /// Matrix and range, if they are converted.
    space: Option<ColorSpace>,
}

impl OutputProperties {
    /// The properties for a conversion with these options and this plan.
    pub fn new(options: &Options, plan: &ClipPlan) -> OutputProperties {
        let subsampled = [Sampling::C420, Sampling::C422, Sampling::C411].contains(&plan.output_format.sampling);
        OutputProperties {
            progressive: plan.progressive,
            location: options.location.filter(|_| subsampled),
            has_no_location: !subsampled,
            space: options.space,
        }
    }

    /// Sets the properties of an output. `source` is the input frame whose field it shows.
    pub fn set(&self, frame: &mut FrameMut, output: &Converted, source: &Frame, core: Core) {
        if self.progressive {
            frame.set_int(FIELD_BASED, 0);
            frame.remove(c"_Field");
        }
        match self.location {
            Some(location) => frame.set_int(CHROMA_LOCATION, location_number(location)),
            None if self.has_no_location => frame.remove(CHROMA_LOCATION),
            None => {}
        }
        if let Some(ColorSpace { matrix, range }) = self.space {
            frame.set_int(MATRIX, matrix_number(matrix));
            let full = range == ColorRange::Full;
            if core.has_range() {
                frame.remove(COLOR_RANGE);
                frame.set_int(RANGE, full.into());
            } else {
                frame.set_int(COLOR_RANGE, (!full).into());
            }
        }
        set_times(frame, output, source.properties());
    }
}

/// Sets duration and time from those of the input frame.
fn set_times(frame: &mut FrameMut, output: &Converted, source: Map) {
    let quarters = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let [Some(num), Some(den)] = DURATION.map(|key| source.int(key)) else { return };
    if num <= 0 || den <= 0 {
        return;
    }
    let (num, den) = (num.saturating_mul(quarters(output.duration)), den.saturating_mul(4));
    let common = common_divisor(num, den);
    frame.set_int(DURATION[0], num / common);
    frame.set_int(DURATION[1], den / common);
    if let Some(time) = source.float(TIME) {
        let offset = quarters(output.time) - 4 * quarters(output.field / 2);
        let duration = num as f64 / den as f64 / quarters(output.duration.max(1)) as f64;
        frame.set_float(TIME, time + offset as f64 * duration);
    }
}

/// The greatest common divisor of positive numbers.
pub fn common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a.max(1) } else { common_divisor(b, a % b) }
}

fn location_number(location: ChromaLocation) -> i64 {
    match location {
        ChromaLocation::Center => 1,
        ChromaLocation::TopLeft => 2,
        _ => 0,
    }
}

fn matrix_number(matrix: ColorMatrix) -> i64 {
    match matrix {
        ColorMatrix::Bt601 => 6,
        ColorMatrix::Bt2020 => 9,
        _ => 1,
    }
}
