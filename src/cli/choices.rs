//! The values that options choose from.

use clap::ValueEnum;
use dndi::{ChromaLocation, ChromaOutput, SharpenMode};

/// `--field-order`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FieldOrder {
    /// As the pictures say; what they leave open, as the input says, else top field first
    Auto,
    /// As the input says; of a mixed stream (Im) each frame, whose progressive ones are woven
    Header,
    /// Interlaced, top field first
    Tff,
    /// Interlaced, bottom field first
    Bff,
    /// Not interlaced
    Progressive,
}

/// `--deinterlace`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// If the field order says interlaced; with --field-order auto, frames that are
    Auto,
    /// Always; or else end with an error
    On,
    /// Never
    Off,
    /// What the header or the frames' flags call interlaced, and nothing else, whatever order is given
    Flagged,
}

/// `--denoise` and `--denoise-chroma`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Denoise {
    /// As the noise demands that is measured; not at all where there is next to none
    Auto,
    /// Not at all
    Off,
    /// By the parameters as they are
    On,
    /// As suits faint noise (standard deviation 3)
    Light,
    /// As suits visible noise (6)
    Medium,
    /// As suits heavy noise (12)
    Strong,
}

impl From<Denoise> for dndi::Denoise {
    fn from(denoise: Denoise) -> dndi::Denoise {
        match denoise {
            Denoise::Auto => dndi::Denoise::Auto,
            Denoise::Off => dndi::Denoise::Off,
            Denoise::On => dndi::Denoise::On,
            Denoise::Light => dndi::Denoise::Light,
            Denoise::Medium => dndi::Denoise::Medium,
            Denoise::Strong => dndi::Denoise::Strong,
        }
    }
}

impl Denoise {
    /// Its name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// `--engine`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Bands of lines, as fast as can be
    Pipeline,
    /// Threads that send messages, a block each, as the hardware does it; for study
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
    /// None
    Off,
    /// Cadences that hold for some frames (3:2, 2:2 also a field late, 3:2:2:3, 2:2:2:4); their fields are woven
    Auto,
    /// Everything is film: each field is woven with the one beside it that fits better, if one does
    Reconstruct,
}

/// `--chroma`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Chroma {
    /// The input's, but 4:1:1 becomes 4:2:2
    Same,
    /// 4:2:2, as the deinterlacer makes it
    #[value(name = "422")]
    C422,
    /// 4:2:0, averages of two lines
    #[value(name = "420")]
    C420,
    /// 4:2:0 as the hardware makes it, every second line
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
    /// A frame for each field, at double the rate
    Field,
    /// A frame for each frame, that of its first field
    Frame,
    /// A frame for each picture of the film: repeats are dropped; 4 of 5 frames, of about 30 a second, where the first ones tell nothing
    Film,
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

/// `--ief` and `--sharpen`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Enhance {
    /// None
    Off,
    /// Detail filter, 3×3
    Detail3,
    /// Detail filter, 5×5
    Detail5,
    /// Combination mode: sharpens and smooths
    Combo,
}

impl From<Enhance> for Option<SharpenMode> {
    fn from(enhance: Enhance) -> Option<SharpenMode> {
        match enhance {
            Enhance::Off => None,
            Enhance::Detail3 => Some(SharpenMode::Detail3),
            Enhance::Detail5 => Some(SharpenMode::Detail5),
            Enhance::Combo => Some(SharpenMode::Combination),
        }
    }
}

/// `--progress`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Progress {
    /// A bar with speed and rest, if stderr is a terminal
    Auto,
    /// Nothing
    Off,
    /// JSON objects, a line each, at most two a second and one at the end, which has what a conversion found
    Json,
}
