//! The values of options.

use clap::ValueEnum;
use dndi::convert::{DeinterlaceMode, FieldOrderMode, OutputRate};
use dndi::{ChromaLocation, ChromaOutput, DenoiseMode, FieldMatching, SharpenMode};

/// `--field-order`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FieldOrder {
    /// Detect it. Undetermined frames use the header, else top field first
    Auto,
    /// Use the header. In a mixed stream (Im) each frame's flags count, and progressive frames are woven
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
pub enum When {
    /// All frames if the field order is interlaced; with --field-order auto those detected as interlaced
    Auto,
    /// All frames; an error if the clip is not interlaced
    On,
    /// None
    Off,
    /// Frames that the header or their flags declare as interlaced, whatever --field-order is
    Flagged,
}

impl From<When> for DeinterlaceMode {
    fn from(when: When) -> DeinterlaceMode {
        match when {
            When::Auto => DeinterlaceMode::Auto,
            When::On => DeinterlaceMode::On,
            When::Off => DeinterlaceMode::Off,
            When::Flagged => DeinterlaceMode::Flagged,
        }
    }
}

/// `--denoise` and `--denoise-chroma`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Denoise {
    /// Adapt to the measured noise; clean video is not changed
    Auto,
    /// No denoising
    Off,
    /// Use the filter parameters as they are
    On,
    /// For faint noise (standard deviation 3)
    Light,
    /// For visible noise (standard deviation 6)
    Medium,
    /// For heavy noise (standard deviation 12)
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
    /// Its name on the command line.
    pub fn name(self) -> String {
        DenoiseMode::from(self).to_string()
    }
}

/// `--engine`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// The pipeline: bands of lines, fast
    Pipeline,
    /// A model of the hardware: threads that send messages, one per block; slow, for study
    Messages,
}

/// On or off.
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
    /// Field-match every field with its better neighbour, even without a pattern
    Reconstruct,
}

impl From<Film> for FieldMatching {
    fn from(film: Film) -> FieldMatching {
        match film {
            Film::Off => FieldMatching::Off,
            Film::Auto => FieldMatching::Pattern,
            Film::Reconstruct => FieldMatching::Always,
        }
    }
}

/// `--chroma`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Chroma {
    /// That of the input; 4:1:1 becomes 4:2:2
    Same,
    /// 4:2:2, which the deinterlacer computes
    #[value(name = "422")]
    C422,
    /// 4:2:0, the average of two lines
    #[value(name = "420")]
    C420,
    /// 4:2:0 as the hardware writes it: every second line is dropped
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
    /// One frame per field, at double the rate; progressive frames are repeated
    Field,
    /// One frame per input frame: that of its first field
    Frame,
    /// One frame per film frame, repeats are dropped. While undetermined: 4 of 5 frames of clips of about 30 frames per second
    Film,
}

impl From<Rate> for OutputRate {
    fn from(rate: Rate) -> OutputRate {
        match rate {
            Rate::Field => OutputRate::Field,
            Rate::Frame => OutputRate::Frame,
            Rate::Film => OutputRate::Film,
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
    /// Combination mode: sharpens edges and smooths noise
    Combo,
}

impl From<Sharpen> for Option<SharpenMode> {
    fn from(sharpen: Sharpen) -> Option<SharpenMode> {
        match sharpen {
            Sharpen::Off => None,
            Sharpen::Detail3 => Some(SharpenMode::Detail3),
            Sharpen::Detail5 => Some(SharpenMode::Detail5),
            Sharpen::Combo => Some(SharpenMode::Combination),
        }
    }
}

/// `--progress`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Progress {
    /// A bar with speed and remaining time, if stderr is a terminal
    Auto,
    /// None
    Off,
    /// JSON objects, one per line, at most two per second; the last one has the findings of a conversion
    Json,
}

/// `--preset`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// Less work for nearly the same picture
    Fast,
    /// The defaults
    Default,
    /// The best picture at any cost
    Best,
    /// The parameters of the open drivers, and the processing of the hardware
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
        same_names(|when: When| DeinterlaceMode::from(when));
        same_names(|denoise: Denoise| DenoiseMode::from(denoise));
        same_names(|chroma: Chroma| ChromaOutput::from(chroma));
        same_names(|rate: Rate| OutputRate::from(rate));
        same_names(|location: Location| ChromaLocation::from(location));
        same_names(|sharpen: Sharpen| {
            Option::<SharpenMode>::from(sharpen).map_or_else(|| "off".to_owned(), |mode| mode.to_string())
        });
    }
}
