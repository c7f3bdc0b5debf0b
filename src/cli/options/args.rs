//! The options of a conversion.

use super::MAX_THREADS;
use super::automatic::{self, Automatic};
use super::chunk_args::ChunkArgs;
use super::color_args::ColorArgs;
use super::filter_args::FilterArgs;
use super::geometry_args::GeometryArgs;
use super::hardware_args::HardwareArgs;
use super::media_args::{EncodeArgs, SourceArgs};
use super::size::Size;
use super::values::{
    self, Bayer, Chroma, Deinterlace, Deinterlacer, Denoise, DenoiseFilter, Dither, DotCrawl, FieldOrder, Film, Location, Preset,
    Progress, Rate, Sharpen, Switch,
};
use clap::builder::ArgPredicate;
use clap::{ArgAction, Parser};
use dndi::convert::MatchSource;
use dndi::{ChromaShift, Rect};
use std::path::PathBuf;

/// Denoise, deinterlace, scale and sharpen video, detect and remove telecine, correct colours
///
/// Reads y4m (YUV4MPEG2) with 8 to 16 bits per sample: 4:2:0, 4:2:2, 4:4:4 and mono, and 4:1:1 of 8
/// bits; ffmpeg decodes all other files. Writes y4m or RGB; ffmpeg encodes containers such as .mkv
/// and .mp4. The frames are bit-exact: they do not depend on the CPU or the number of threads.
#[derive(Clone, Debug, Parser)]
#[command(name = "dndi", version, args_override_self = true, disable_help_flag = true, disable_version_flag = true)]
#[command(override_usage = "dndi [OPTIONS] <INPUT> <OUTPUT>")]
pub struct Args {
    /// File to read: y4m, or any other that ffmpeg decodes; - for y4m from stdin
    #[arg(
        value_name = "INPUT",
        required = false,
        required_unless_present = "dump_config",
        default_value_if("dump_config", ArgPredicate::IsPresent, "-")
    )]
    pub input: PathBuf,

    /// File to write. A container such as .mkv, .mp4 or .mov is encoded with ffmpeg, which also
    /// copies audio, subtitles and chapters; other names are y4m, or RGB with --rgb; - for stdout
    #[arg(
        value_name = "OUTPUT",
        required = false,
        required_unless_present = "dump_config",
        default_value_if("dump_config", ArgPredicate::IsPresent, "-")
    )]
    pub output: PathBuf,

    /// Field order of the input, or progressive
    #[arg(long, value_name = "ORDER", value_enum, default_value = "auto", help_heading = "Processing")]
    pub field_order: FieldOrder,

    /// Frames to deinterlace
    #[arg(
        long,
        value_name = "MODE",
        value_enum,
        default_value = "auto",
        default_value_if("bayer", ArgPredicate::IsPresent, "off"),
        help_heading = "Processing"
    )]
    pub deinterlace: Deinterlace,

    /// Algorithm that completes fields to frames [default: balanced; gen6 with --engine messages]
    #[arg(
        long,
        value_name = "NAME",
        value_enum,
        default_value = "balanced",
        default_value_if("engine", "messages", "gen6"),
        hide_default_value = true,
        help_heading = "Processing"
    )]
    pub deinterlacer: Deinterlacer,

    /// Luma denoising. All modes except `on` choose the filter parameters; values given with --set
    /// are kept
    #[arg(
        long,
        value_name = "MODE",
        value_enum,
        default_value = "auto",
        default_value_if("bayer", ArgPredicate::IsPresent, "off"),
        help_heading = "Processing"
    )]
    pub denoise: Denoise,

    /// Chroma denoising, with the modes of --denoise [default: auto; off with --denoise off, with
    /// --engine messages, and with --denoise on unless --denoise-motion is on]. Its filter
    /// parameters are chroma.NAME
    #[arg(
        long,
        value_name = "MODE",
        value_enum,
        default_value = "auto",
        default_value_ifs([
            ("denoise", "off", "off"),
            ("engine", "messages", "off"),
            ("denoise_motion", "on", "auto"),
            ("denoise", "on", "off"),
        ]),
        hide_default_value = true,
        hide_possible_values = true,
        help_heading = "Processing"
    )]
    pub denoise_chroma: Denoise,

    /// Denoise along motion: average each pixel with the matching ones of the frame before and the
    /// frame after. Removes more noise than the filter with a motion history, keeps more detail,
    /// and is slower. It has no filter parameters, so --denoise on acts like auto
    #[arg(
        long,
        value_name = "on|off",
        value_enum,
        default_value = "off",
        hide_possible_values = true,
        help_heading = "Processing"
    )]
    pub denoise_motion: Switch,

    /// Spatial filter of --denoise and --denoise-chroma
    #[arg(long, value_name = "FILTER", value_enum, default_value = "3x3", help_heading = "Processing")]
    pub denoise_filter: DenoiseFilter,

    /// Remove hot pixels from the input: single samples that differ from most of their neighbours
    #[arg(long, help_heading = "Processing")]
    pub hot_pixel: bool,

    /// Repair faults of tapes: --drop-outs, and --chroma-shift auto and --dot-crawl auto unless
    /// these options are given. Nothing is measured in a pipe, which has its drop-outs repaired
    /// alone
    #[arg(long, help_heading = "Processing")]
    pub repair: bool,

    /// Repair drop-outs of tapes in the input: parts of lines that differ from the lines around
    /// them and from the frames before and after
    #[arg(long, help_heading = "Processing")]
    pub drop_outs: bool,

    /// Move chroma over luma, by luma samples to the right and lines down, in quarters: -3,1.5;
    /// auto measures the movement in a file before the conversion
    #[arg(
        long,
        value_name = "X,Y|auto",
        value_parser = automatic::chroma_shift,
        allow_hyphen_values = true,
        help_heading = "Processing"
    )]
    pub chroma_shift: Option<Automatic<ChromaShift>>,

    /// Remove dot crawl and rainbows of composite video where the picture is still
    #[arg(long, value_name = "STANDARD", value_enum, help_heading = "Processing")]
    pub dot_crawl: Option<DotCrawl>,

    /// Smooth moving parts of frames that --deinterlacer gen6 makes between their lines, against
    /// flicker of fine lines; no effect with other deinterlacers [default: off]
    #[arg(long, value_name = "on|off", value_enum, hide_possible_values = true, help_heading = "Processing")]
    pub deflicker: Option<Switch>,

    /// The input has raw frames of a sensor, in mono: interpolate their colours, to 4:4:4. The four
    /// letters are the colours of two samples of the first line, then of the second one. Nothing
    /// is denoised, deinterlaced, scaled or sharpened; capture.NAME are the parameters
    #[arg(long, value_name = "PATTERN", value_enum, help_heading = "Processing")]
    pub bayer: Option<Bayer>,

    /// Detect and undo telecine
    #[arg(long, value_name = "MODE", value_enum, default_value = "auto", help_heading = "Processing")]
    pub film: Film,

    /// Read field matches from FILE instead of detecting them
    ///
    /// Line N, counted from 0, has two numbers for input frame N: the match of the second
    /// field of frame N-1, and the match of the first field of frame N:
    ///   0  deinterlace the field
    ///   1  weave it with the previous field in time
    ///   2  weave it with the next field in time
    /// Lines missing at the end of the file are 0 0. In line 0 only the second number has an
    /// effect, only if it is 2, and none with --deinterlacer gen6. In the line after the last
    /// frame, only the first number has an effect, and only if it is 1.
    #[arg(long, alias = "cadence", value_name = "FILE", verbatim_doc_comment, help_heading = "Processing")]
    pub matches: Option<PathBuf>,

    /// Chroma sampling of deinterlaced frames; 4:4:4 and mono are kept
    #[arg(long, value_name = "CHROMA", value_enum, default_value = "same", help_heading = "Output")]
    pub chroma: Chroma,

    /// Bits per sample of the output [default: as the input]. All processing is done at the greater
    /// of both depths
    #[arg(
        long,
        value_name = "8|9|10|12|14|16",
        value_parser = values::depth(),
        hide_possible_values = true,
        help_heading = "Output"
    )]
    pub depth: Option<u8>,

    /// Rounding to fewer bits per sample
    #[arg(long, value_name = "DITHER", value_enum, default_value = "ordered", help_heading = "Output")]
    pub dither: Dither,

    /// Output frame rate
    #[arg(long, value_name = "RATE", value_enum, default_value = "auto", help_heading = "Output")]
    pub rate: Rate,

    /// Write output timestamps (Matroska timestamp format v2), counted from --skip. With --rate
    /// film this makes the output variable frame rate, so video segments keep every frame
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub timecodes: Option<PathBuf>,

    /// Output size: WxH, a factor such as 2x, or :H or W: to keep the aspect ratio
    #[arg(long, value_name = "SIZE", help_heading = "Scaling and sharpening")]
    pub scale: Option<Size>,

    /// Keep only this rectangle of the picture, in luma samples of the input; auto cuts off black
    /// borders, which it measures in a file before the conversion
    #[arg(long, value_name = "X,Y,W,H|auto", value_parser = automatic::crop, help_heading = "Scaling and sharpening")]
    pub crop: Option<Automatic<Rect>>,

    /// Chroma location of input and output [default: from the header of the input]. A header of
    /// more than 8 bits per sample cannot state it
    #[arg(long, value_name = "LOCATION", value_enum, help_heading = "Scaling and sharpening")]
    pub chroma_location: Option<Location>,

    /// Sharpen luma, adapting to the noise measured in the previous frame
    #[arg(long, value_name = "MODE", value_enum, overrides_with = "ief", help_heading = "Scaling and sharpening")]
    pub sharpen: Option<Sharpen>,

    #[command(flatten)]
    pub color: ColorArgs,

    #[command(flatten)]
    pub filters: FilterArgs,

    #[command(flatten)]
    pub geometry: GeometryArgs,

    #[command(flatten)]
    pub source: SourceArgs,

    #[command(flatten)]
    pub encode: EncodeArgs,

    /// Predefined options and parameters. --profile overrides them, the command line overrides both
    #[arg(long, value_name = "PRESET", value_enum, help_heading = "Profiles")]
    pub preset: Option<Preset>,

    /// Read options and parameters from a TOML file, in the format of --dump-config. The command
    /// line overrides them
    #[arg(long, value_name = "FILE", help_heading = "Profiles")]
    pub profile: Option<PathBuf>,

    /// Print all options and parameters as a profile and exit
    #[arg(long, help_heading = "Profiles")]
    pub dump_config: bool,

    /// Overwrite existing files
    #[arg(short = 'y', help_heading = "Output")]
    pub overwrite: bool,

    /// Skip the first N input frames
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Range (frames count from 0)")]
    pub skip: u64,

    /// Process the last K skipped frames without output, so that temporal filters and noise
    /// measurement have a history at the first output frame
    #[arg(long, value_name = "K", default_value_t = 0, help_heading = "Range (frames count from 0)")]
    pub warmup: u64,

    /// Stop after N input frames, not counting skipped ones
    #[arg(long, value_name = "N", help_heading = "Range (frames count from 0)")]
    pub frames: Option<u64>,

    #[command(flatten)]
    pub chunks: ChunkArgs,

    /// Progress report on stderr
    #[arg(long, value_name = "MODE", value_enum, default_value = "auto", help_heading = "Reports")]
    pub progress: Progress,

    /// Write statistics of each input frame, one JSON object per line; - for stdout
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub stats: Option<PathBuf>,

    /// Write encoder statistics of each input frame: 16 bytes, four little-endian DWords, for each
    /// block of 16x4 pixels; - for stdout
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub encoder_stats: Option<PathBuf>,

    /// Print the MD5 of all output frames on stdout, or on stderr if stdout is in use
    #[arg(long, help_heading = "Reports")]
    pub md5: bool,

    /// Write the MD5 of each output frame in ffmpeg's framemd5 format; - for stdout
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub framemd5: Option<PathBuf>,

    /// Number of worker threads, not counting one reader and one writer. The output does not depend
    /// on it [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_THREADS)), help_heading = "General")]
    pub threads: Option<u16>,

    /// Print no warnings
    #[arg(short = 'q', help_heading = "General")]
    pub quiet: bool,

    /// Print the settings, a summary and the speed
    #[arg(short = 'v', help_heading = "General")]
    pub verbose: bool,

    /// Print help; --help prints all details
    #[arg(short, long, action = ArgAction::Help, help_heading = "General")]
    help: Option<bool>,

    /// Print the version and the SIMD level in use
    #[arg(short = 'V', long, action = ArgAction::Version, help_heading = "General")]
    version: Option<bool>,

    #[command(flatten)]
    pub hardware: HardwareArgs,
}

impl Args {
    /// The source of field matches: the file of `--matches`, or the detector.
    pub fn match_source(&self) -> MatchSource {
        if self.matches.is_some() { MatchSource::Caller } else { MatchSource::Detector }
    }
}
