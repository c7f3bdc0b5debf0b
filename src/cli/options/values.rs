//! Values of options that have a fixed list of values. Doc comments of the variants are help text.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use dndi::convert::{DeinterlaceMode, FieldOrderMode, OutputRate};
use dndi::{ChromaLocation, ChromaOutput, DenoiseMode, FieldMatching, SharpenMode};

/// Parses the value of `--depth`.
pub fn depth() -> impl TypedValueParser<Value = u8> {
    PossibleValuesParser::new(["8", "9", "10", "12", "14", "16"]).map(|bits| bits.parse().unwrap_or(8))
}

/// `--field-order`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FieldOrder {
    /// Detect it. Undetermined frames use the header; without an order there, top field first
    Auto,
    /// Use the header. In a mixed stream (y4m tag Im) use the flags of each frame; frames flagged
    /// as progressive are woven
    Header,
    /// Interlaced, top field first
    Tff,
    /// Interlaced, bottom field first
    Bff,
    /// Not interlaced
    Progressive,
}

impl From<FieldOrder> for FieldOrderMode {
    fn from(order: FieldOrder) -> FieldOrderMode {
        match order {
            FieldOrder::Auto => FieldOrderMode::Auto,
            FieldOrder::Header => FieldOrderMode::Flags,
            FieldOrder::Tff => FieldOrderMode::TopFirst,
            FieldOrder::Bff => FieldOrderMode::BottomFirst,
            FieldOrder::Progressive => FieldOrderMode::Progressive,
        }
    }
}

/// `--deinterlace`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Deinterlace {
    /// With --field-order auto, the frames detected as interlaced; else all frames of an interlaced
    /// clip
    Auto,
    /// All frames; an error if the clip is not interlaced
    On,
    /// No frames; interlaced frames stay interlaced
    Off,
    /// Frames that the header or their own flags declare as interlaced, for any --field-order
    Flagged,
    /// As auto, but only frames that visibly comb; the others keep their lines
    Combed,
}

impl From<Deinterlace> for DeinterlaceMode {
    fn from(deinterlace: Deinterlace) -> DeinterlaceMode {
        match deinterlace {
            Deinterlace::Auto => DeinterlaceMode::Auto,
            Deinterlace::On => DeinterlaceMode::On,
            Deinterlace::Off => DeinterlaceMode::Off,
            Deinterlace::Flagged => DeinterlaceMode::Flagged,
            Deinterlace::Combed => DeinterlaceMode::Combed,
        }
    }
}

/// `--dot-crawl`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DotCrawl {
    /// That of the standard that is measured in a file before the conversion, if any
    Auto,
    /// Period of two frames
    Ntsc,
    /// Period of four frames
    Pal,
    /// Keep it
    Off,
}

/// `--deinterlacer`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Deinterlacer {
    /// That of the hardware, as specified: the fastest
    Gen6,
    /// bwdif, corrected by a small network
    Balanced,
    /// Motion compensation, joined by a network: the best luma of most clips, 9 to 19 times as
    /// slow as bwdif
    Best,
}

impl From<Deinterlacer> for dndi::Deinterlacer {
    fn from(deinterlacer: Deinterlacer) -> dndi::Deinterlacer {
        match deinterlacer {
            Deinterlacer::Gen6 => dndi::Deinterlacer::Gen6,
            Deinterlacer::Balanced => dndi::Deinterlacer::Balanced,
            Deinterlacer::Best => dndi::Deinterlacer::Best,
        }
    }
}

/// `--denoise` and `--denoise-chroma`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Denoise {
    /// Adapt to the measured noise; clean video is not changed, unless fine texture counts as noise
    Auto,
    /// No denoising
    Off,
    /// Use the filter parameters as set by --set or a profile, else their defaults
    On,
    /// For faint noise (standard deviation of 3 code values)
    Light,
    /// For visible noise (standard deviation of 6 code values)
    Medium,
    /// For heavy noise (as measured, but at least a standard deviation of 12 code values)
    Strong,
}

impl From<Denoise> for DenoiseMode {
    fn from(denoise: Denoise) -> DenoiseMode {
        match denoise {
            Denoise::Auto => DenoiseMode::Auto,
            Denoise::Off => DenoiseMode::Off,
            Denoise::On => DenoiseMode::On,
            Denoise::Light => DenoiseMode::Light,
            Denoise::Medium => DenoiseMode::Medium,
            Denoise::Strong => DenoiseMode::Strong,
        }
    }
}

impl Denoise {
    /// The name of the value on the command line.
    pub fn name(self) -> String {
        DenoiseMode::from(self).to_string()
    }
}

/// `--engine`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Fast: processes bands of lines in parallel
    Pipeline,
    /// Slow, for study: a model of the hardware, whose threads send a message for each block
    Messages,
}

/// A value of `--mcdi` or `--denoise-motion`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum Switch {
    On,
    Off,
}

impl Switch {
    /// Whether it is on.
    pub fn is_on(self) -> bool {
        self == Switch::On
    }
}

/// `--film`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Film {
    /// Never
    Off,
    /// Field-match where a pulldown pattern is found (3:2, 2:2 in any phase, 3:2:2:3, 2:2:2:4)
    Auto,
    /// As auto; of blended fields, which standards conversions of 24p and 30p to 50i and of 25p to
    /// 60i have, restore the pictures, each once at their own rate. Needs a file
    Deblend,
    /// Field-match every field with its better neighbour, even without a pattern
    Reconstruct,
}

impl From<Film> for FieldMatching {
    fn from(film: Film) -> FieldMatching {
        match film {
            Film::Off => FieldMatching::Off,
            Film::Auto | Film::Deblend => FieldMatching::Pattern,
            Film::Reconstruct => FieldMatching::Always,
        }
    }
}

/// `--chroma`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Chroma {
    /// As the input; 4:1:1 becomes 4:2:2
    Same,
    /// 4:2:2, in which the deinterlacer computes chroma
    #[value(name = "422")]
    C422,
    /// 4:2:0, each line the average of two 4:2:2 lines
    #[value(name = "420")]
    C420,
    /// 4:2:0 as the hardware writes it: every second 4:2:2 line is dropped
    #[value(name = "420drop")]
    C420Drop,
}

impl From<Chroma> for ChromaOutput {
    fn from(chroma: Chroma) -> ChromaOutput {
        match chroma {
            Chroma::Same => ChromaOutput::Same,
            Chroma::C422 => ChromaOutput::C422,
            Chroma::C420 => ChromaOutput::C420,
            Chroma::C420Drop => ChromaOutput::C420Drop,
        }
    }
}

/// `--rate`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rate {
    /// The rate at which the material of the clip loses and repeats nothing, or as little as
    /// possible. A survey of a file finds it: film has its own rate, progressive frames that of the
    /// input, and a clip with anything interlaced the field rate, or with film in it a variable
    /// rate if the output has times. The first frames of a pipe decide between field and frame
    Auto,
    /// One frame per field, at double the rate; progressive frames are repeated
    Field,
    /// One frame per input frame: the one deinterlaced from its first field
    Frame,
    /// One frame per film frame; repeated pictures are dropped. If the start of the clip is
    /// undetermined: 4 of 5 frames of a clip of about 30 frames per second, else every frame
    Film,
}

impl From<Rate> for Option<OutputRate> {
    fn from(rate: Rate) -> Option<OutputRate> {
        match rate {
            Rate::Auto => None,
            Rate::Field => Some(OutputRate::Field),
            Rate::Frame => Some(OutputRate::Frame),
            Rate::Film => Some(OutputRate::Film),
        }
    }
}

/// `--dither`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Dither {
    /// Add a fixed pattern of 8×8 pixels, so that smooth gradients show no bands
    Ordered,
    /// Round to the nearest value
    None,
}

impl From<Dither> for dndi::Dither {
    fn from(dither: Dither) -> dndi::Dither {
        match dither {
            Dither::Ordered => dndi::Dither::Ordered,
            Dither::None => dndi::Dither::None,
        }
    }
}

/// `--chroma-location`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Location {
    /// On the first luma sample horizontally, centred vertically (MPEG-2)
    Left,
    /// Centred (JPEG)
    Center,
    /// On the first luma sample (DV)
    #[value(name = "topleft")]
    TopLeft,
}

impl From<Location> for ChromaLocation {
    fn from(location: Location) -> ChromaLocation {
        match location {
            Location::Left => ChromaLocation::Left,
            Location::Center => ChromaLocation::Center,
            Location::TopLeft => ChromaLocation::TopLeft,
        }
    }
}

/// `--sharpen` and `--ief`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sharpen {
    /// No sharpening
    Off,
    /// Detail filter, 3×3
    Detail3,
    /// Detail filter, 5×5
    Detail5,
    /// Smooths flat areas, 3×3; weak at edges
    Smooth3,
    /// Combination mode: sharpens edges and smooths noise
    Combo,
}

impl From<Sharpen> for Option<SharpenMode> {
    fn from(sharpen: Sharpen) -> Option<SharpenMode> {
        match sharpen {
            Sharpen::Off => None,
            Sharpen::Detail3 => Some(SharpenMode::Detail3),
            Sharpen::Detail5 => Some(SharpenMode::Detail5),
            Sharpen::Smooth3 => Some(SharpenMode::Smooth3),
            Sharpen::Combo => Some(SharpenMode::Combination),
        }
    }
}

/// `--denoise-filter`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DenoiseFilter {
    /// Mean of the neighbours in 3×3 samples that differ little
    #[value(name = "3x3")]
    Neighbours3,
    /// Mean of 5×5 samples weighted by distance and difference; adapts to the measured noise
    #[value(name = "5x5")]
    Neighbours5,
}

impl From<DenoiseFilter> for dndi::DenoiseFilter {
    fn from(filter: DenoiseFilter) -> dndi::DenoiseFilter {
        match filter {
            DenoiseFilter::Neighbours3 => dndi::DenoiseFilter::Neighbours3,
            DenoiseFilter::Neighbours5 => dndi::DenoiseFilter::Neighbours5,
        }
    }
}

/// `--white-balance`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WhiteBalance {
    /// The gains wb.red, wb.green and wb.blue
    Set,
    /// Gains that make the brightest nearly grey pixels grey; they follow the frames
    Auto,
}

impl From<WhiteBalance> for dndi::WhiteBalance {
    fn from(mode: WhiteBalance) -> dndi::WhiteBalance {
        match mode {
            WhiteBalance::Set => dndi::WhiteBalance::Set,
            WhiteBalance::Auto => dndi::WhiteBalance::Auto,
        }
    }
}

/// `--bayer`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Bayer {
    /// Red and green, green and blue
    Rggb,
    /// Blue and green, green and red
    Bggr,
    /// Green and red, blue and green
    Grbg,
    /// Green and blue, red and green
    Gbrg,
}

impl From<Bayer> for dndi::BayerPattern {
    fn from(pattern: Bayer) -> dndi::BayerPattern {
        match pattern {
            Bayer::Rggb => dndi::BayerPattern::Rggb,
            Bayer::Bggr => dndi::BayerPattern::Bggr,
            Bayer::Grbg => dndi::BayerPattern::Grbg,
            Bayer::Gbrg => dndi::BayerPattern::Gbrg,
        }
    }
}

/// `--matrix`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Matrix {
    /// Standard definition
    Bt601,
    /// High definition
    Bt709,
    /// Ultra-high definition
    Bt2020,
}

/// `--range`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Range {
    /// Luma 16…235, chroma 16…240
    Limited,
    /// 0…255
    Full,
}

/// `--progress`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Progress {
    /// A bar with speed and remaining time, if stderr is a terminal
    Auto,
    /// No progress report
    Off,
    /// JSON objects, one per line, at most two per second; the last one of a conversion has a
    /// summary
    Json,
}

/// `--preset`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// The fastest: --deinterlacer gen6 without motion compensation; 2 to 3 dB below the default
    Fast,
    /// The defaults
    Default,
    /// The best picture, slower: --deinterlacer best, denoising along motion
    Best,
    /// Parameters of the open-source drivers of the hardware; trusts flags, no detection
    Driver,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Display;

    /// Checks that the library displays each value of an option with the name of the command line.
    fn same_names<T: ValueEnum + Copy, U: Display>(library: impl Fn(T) -> U) {
        for value in T::value_variants() {
            let name = value.to_possible_value().map(|value| value.get_name().to_owned());
            assert_eq!(name, Some(library(*value).to_string()));
        }
    }

    #[test]
    fn the_library_has_the_same_names() {
        same_names(|order: FieldOrder| FieldOrderMode::from(order));
        same_names(|deinterlace: Deinterlace| DeinterlaceMode::from(deinterlace));
        same_names(|deinterlacer: Deinterlacer| dndi::Deinterlacer::from(deinterlacer));
        same_names(|denoise: Denoise| DenoiseMode::from(denoise));
        same_names(|chroma: Chroma| ChromaOutput::from(chroma));
        same_names(|dither: Dither| dndi::Dither::from(dither));
        same_names(|rate: Rate| Option::<OutputRate>::from(rate).map_or_else(|| "auto".to_owned(), |rate| rate.to_string()));
        // The converter gets the pictures of blended fields instead of their frames.
        same_names(|film: Film| match film {
            Film::Deblend => "deblend".to_owned(),
            other => FieldMatching::from(other).to_string(),
        });
        same_names(|filter: DenoiseFilter| dndi::DenoiseFilter::from(filter));
        same_names(|mode: WhiteBalance| dndi::WhiteBalance::from(mode));
        same_names(|pattern: Bayer| dndi::BayerPattern::from(pattern));
        same_names(|matrix: Matrix| dndi::ColorMatrix::from(matrix));
        same_names(|range: Range| dndi::ColorRange::from(range));
        same_names(|location: Location| ChromaLocation::from(location));
        same_names(|sharpen: Sharpen| {
            Option::<SharpenMode>::from(sharpen).map_or_else(|| "off".to_owned(), |mode| mode.to_string())
        });
    }
}
