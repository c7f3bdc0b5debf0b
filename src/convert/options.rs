//! Options of a conversion.
use crate::detect::FieldMatching;
use crate::format::{Format, Interlacing, NameError, Scan};
use crate::pipeline::StreamBuilder;
use std::fmt;
use std::str::FromStr;

/// Declares an enum whose values have the names that the command line uses.
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
    /// The source of the field order.
    #[derive(Default)]
    FieldOrderMode {
        /// The detector; undetermined frames use the flags, without flags top field first.
        #[default]
        Auto = "auto",
        /// The flags of the clip; in a mixed clip those of each frame, and frames flagged as progressive are woven.
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
    /// The frames that are deinterlaced.
    #[derive(Default)]
    DeinterlaceMode {
        /// All frames of an interlaced field order; with [`FieldOrderMode::Auto`] those that are detected as interlaced.
        #[default]
        Auto = "auto",
        /// All frames; an error if the clip has no fields.
        On = "on",
        /// No frame.
        Off = "off",
        /// The frames that are flagged as interlaced, whatever the field order.
        Flagged = "flagged",
    }
}

named! { "output rate",
    /// The output frame rate.
    OutputRate {
        /// One frame per field; progressive frames are repeated.
        Field = "field",
        /// One frame per input frame: that of its first field.
        Frame = "frame",
        /// One frame per film frame: repeated pictures are dropped. Where the first frames are undetermined, 4 of 5 frames of clips
        /// of about 30 frames per second, else every frame.
        Film = "film",
    }
}

/// The source of field matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MatchSource {
    /// The detector.
    #[default]
    Detector,
    /// The caller, with each frame: [`ClipFrame::matches`](super::ClipFrame::matches).
    Caller,
}

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
    /// Whether timestamps are used, so that film may be output at a variable rate.
    pub variable_rate: bool,
    /// The first frame that is output.
    pub first_output: u64,
    /// Scan and deinterlacing of it are replaced.
    pub stream: StreamBuilder,
}

impl Options {
    /// The builder of a stream for frames of this scan.
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
    fn names_lead_back() {
        for name in FieldOrderMode::NAMES {
            assert_eq!(name.parse::<FieldOrderMode>().unwrap().to_string(), *name);
        }
        for name in DeinterlaceMode::NAMES {
            assert_eq!(name.parse::<DeinterlaceMode>().unwrap().to_string(), *name);
        }
        for name in OutputRate::NAMES {
            assert_eq!(name.parse::<OutputRate>().unwrap().to_string(), *name);
        }
        let error = "double".parse::<OutputRate>().unwrap_err().to_string();
        assert_eq!(error, "no output rate 'double'; there are: field, frame, film");
    }
}
