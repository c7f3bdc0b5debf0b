//! Options of a conversion.
use crate::deinterlace::Deinterlacer;
use crate::detect::FieldMatching;
use crate::format::{Format, Interlacing, NameError, Scan};
use crate::pipeline::StreamBuilder;
use crate::repair::{ChromaShift, CompositeStandard};
use std::fmt;
use std::str::FromStr;

/// Declares an enum with `Display` and `FromStr`, whose values have the names of the command line.
macro_rules! named {
    ($kind:literal, $(#[$meta:meta])* $name:ident { $($(#[$about:meta])* $value:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name { $($(#[$about])* $value,)* }

        impl $name {
            const NAMES: &'static [&'static str] = &[$($text),*];
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($name::NAMES[*self as usize])
            }
        }

        impl FromStr for $name {
            type Err = NameError;

            fn from_str(name: &str) -> Result<$name, NameError> {
                NameError::find($kind, name, $name::NAMES, &[$($name::$value),*])
            }
        }
    };
}

named! { "field order",
    /// The source of the field order. Names: `auto`, `header`, `tff`, `bff`, `progressive`.
    #[derive(Default)]
    FieldOrderMode {
        /// The detector. Undetermined frames have the declared order, or top field first if nothing
        /// is declared.
        #[default]
        Auto = "auto",
        /// The scan that the clip declares. In a mixed clip the flags of each frame count, and
        /// frames that are flagged as progressive are woven.
        Flags = "header",
        /// Interlaced, top field first.
        TopFirst = "tff",
        /// Interlaced, bottom field first.
        BottomFirst = "bff",
        /// Not interlaced.
        Progressive = "progressive",
    }
}

named! { "deinterlace mode",
    /// Which frames are deinterlaced. Names: `auto`, `on`, `off`, `flagged`, `combed`.
    #[derive(Default)]
    DeinterlaceMode {
        /// All frames if the field order is interlaced; with [`FieldOrderMode::Auto`] the frames
        /// that the detector finds interlaced.
        #[default]
        Auto = "auto",
        /// All frames; [`Error::NotInterlaced`](crate::Error::NotInterlaced) if the clip is not
        /// interlaced.
        On = "on",
        /// None.
        Off = "off",
        /// The frames that the clip or their flags declare as interlaced, whatever the field order
        /// is.
        Flagged = "flagged",
        /// As `Auto`, but only those of these frames that visibly comb. Any other frame is a
        /// progressive picture, whatever the frames around it are.
        Combed = "combed",
    }
}

named! { "output rate",
    /// The output frame rate. Names: `field`, `frame`, `film`.
    OutputRate {
        /// One frame per field, twice the input rate; progressive frames are repeated.
        Field = "field",
        /// One frame per input frame: the output of its first field.
        Frame = "frame",
        /// One frame per film frame; repeated fields are dropped. If the first frames are
        /// undetermined, the rate is 4/5 of the input rate for clips of 29.5 to 30.5 frames per
        /// second, else the input rate.
        Film = "film",
    }
}

named! { "source of field matches",
    /// The source of field matches. Names: `detector`, `caller`.
    #[derive(Default)]
    MatchSource {
        /// The detector.
        #[default]
        Detector = "detector",
        /// The caller, with each frame: [`ClipFrame::matches`](super::ClipFrame::matches).
        Caller = "caller",
    }
}

/// The greatest number of a frame that a caller can state, so that numbers of fields and times fit
/// 64 bits.
pub(super) const MAX_FRAME: u64 = 1 << 56;

/// Options of a conversion and the declared properties of its clip.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub format: Format,
    pub interlacing: Interlacing,
    pub frame_rate: Option<(u32, u32)>,
    pub field_order: FieldOrderMode,
    pub deinterlace: DeinterlaceMode,
    pub field_matching: FieldMatching,
    pub match_source: MatchSource,
    pub rate: Option<OutputRate>,
    /// Whether the film rate is variable: each picture is output once, with its own duration.
    pub variable_rate: bool,
    /// The first frame that is output.
    pub first_output: u64,
    /// How chroma moves over luma.
    pub chroma_shift: ChromaShift,
    /// Whether drop-outs of the input are repaired.
    pub repairs_drop_outs: bool,
    /// The standard of composite video whose crosstalk is removed from the input; none if it stays.
    pub dot_crawl: Option<CompositeStandard>,
    /// Settings of the streams. [`Options::stream`] replaces their scan and deinterlacing.
    pub stream: StreamBuilder,
}

impl Options {
    /// The step of a stream of this scan that makes the output at a field time. The number of a
    /// step is that of its input frame, which waits for the next one with denoising along motion.
    pub fn step_of(&self, scan: Scan, field_time: u64) -> u64 {
        let deinterlaces = scan.is_interlaced() && self.deinterlace != DeinterlaceMode::Off;
        let looks_ahead = deinterlaces && self.stream.settings.deinterlacer != Deinterlacer::Gen6;
        if looks_ahead { field_time / 2 + 1 } else { field_time.div_ceil(2) }
    }

    /// The settings of a stream for frames of this scan.
    pub fn stream(&self, scan: Scan) -> StreamBuilder {
        let mut builder = self.stream.clone();
        builder.settings.scan = scan;
        builder.settings.deinterlace = scan.is_interlaced() && self.deinterlace != DeinterlaceMode::Off;
        builder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_to_their_values() {
        for name in FieldOrderMode::NAMES {
            assert_eq!(name.parse::<FieldOrderMode>().unwrap().to_string(), *name);
        }
        for name in DeinterlaceMode::NAMES {
            assert_eq!(name.parse::<DeinterlaceMode>().unwrap().to_string(), *name);
        }
        for name in MatchSource::NAMES {
            assert_eq!(name.parse::<MatchSource>().unwrap().to_string(), *name);
        }
        for name in OutputRate::NAMES {
            assert_eq!(name.parse::<OutputRate>().unwrap().to_string(), *name);
        }
        let error = "double".parse::<OutputRate>().unwrap_err().to_string();
        assert_eq!(error, "no output rate 'double'; there are: field, frame, film");
    }
}
