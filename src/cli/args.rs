//! What can be said on the command line.

mod color;

pub use color::{Color, Rgb};

use crate::choices::{Chroma, Denoise, Engine, Enhance, FieldOrder, Film, Location, Progress, Rate, Switch, When};
use crate::geometry::{self, Size};
use crate::profile::{Places, Preset};
use crate::settings::Layer;
use clap::builder::ArgPredicate;
use clap::{ArgAction, Parser};
use dndi::Rect;
use std::path::PathBuf;

/// Denoises, deinterlaces, scales, sharpens video and corrects its colours, bit for bit as specified
///
/// Reads y4m (YUV4MPEG2), 8 bits a sample: 4:2:0, 4:1:1, 4:2:2, 4:4:4 and mono. Writes the same, or RGB.
#[derive(Clone, Debug, Parser)]
#[command(name = "dndi", version, args_override_self = true, disable_help_flag = true, disable_version_flag = true)]
#[command(override_usage = "dndi [OPTIONS] <INPUT> <OUTPUT>")]
pub struct Args {
    /// y4m file to read; - for stdin
    #[arg(
        value_name = "INPUT",
        required = false,
        required_unless_present = "dump_config",
        default_value_if("dump_config", ArgPredicate::IsPresent, "-")
    )]
    pub input: PathBuf,

    /// y4m file, or what --rgb says, to write; - for stdout
    #[arg(
        value_name = "OUTPUT",
        required = false,
        required_unless_present = "dump_config",
        default_value_if("dump_config", ArgPredicate::IsPresent, "-")
    )]
    pub output: PathBuf,

    /// Which field is the earlier one, or none
    #[arg(long, value_name = "ORDER", value_enum, default_value = "auto", help_heading = "Processing")]
    pub field_order: FieldOrder,

    /// Whether fields are completed to frames
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", help_heading = "Processing")]
    pub deinterlace: When,

    /// How the luma is denoised; but for `on`, parameters that --set leaves at their defaults are chosen
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto", help_heading = "Processing")]
    pub denoise: Denoise,

    /// How the chroma is denoised, by parameters of its own, chroma.NAME
    #[arg(long, value_name = "HOW", value_enum, default_value = "off", hide_possible_values = true, help_heading = "Processing")]
    pub denoise_chroma: Denoise,

    /// Whether missing lines may be motion compensated; sets mcdi_enable [default: on]
    #[arg(long, value_name = "on|off", value_enum, hide_possible_values = true, help_heading = "Processing")]
    pub mcdi: Option<Switch>,

    /// Film that is looked for
    #[arg(long, value_name = "MODE", value_enum, default_value = "auto", help_heading = "Processing")]
    pub film: Film,

    /// Codes of the frames from a file instead of from a detector
    ///
    /// Line N, from 0, has the codes `prev2 cur1` of step N. They tell what the second
    /// field of frame N-1 and the first field of frame N are made with:
    ///   0  deinterlacing
    ///   1  weaving with the previous field
    ///   2  weaving with the next field
    /// Missing lines are 0 0, line 0 has no effect. Of the line after the last frame
    /// prev2 counts, and only as 1.
    #[arg(long, value_name = "FILE", verbatim_doc_comment, help_heading = "Processing")]
    pub cadence: Option<PathBuf>,

    /// A parameter of the stages; can be repeated. --help lists all
    #[arg(long, value_name = "NAME=VALUE", action = ArgAction::Append, help_heading = "Processing")]
    pub set: Vec<String>,

    /// Chroma sampling of deinterlaced frames; 4:4:4 and mono always keep theirs
    #[arg(long, value_name = "CHROMA", value_enum, default_value = "same", help_heading = "Output")]
    pub chroma: Chroma,

    /// What frames stand for; those without fields leave twice with `field` [default: field where there are fields, but frame
    /// where the clip begins with progressive ones]
    #[arg(long, value_name = "RATE", value_enum, help_heading = "Output")]
    pub rate: Option<Rate>,

    /// Write when each frame is shown, from --skip on, mkv timestamps v2; with --rate film no picture of other material is then dropped
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub timecodes: Option<PathBuf>,

    /// Size of the frames: WxH, a factor such as 2x, or :H (W:) that keeps the aspect
    #[arg(long, value_name = "SIZE", help_heading = "Scaling and enhancement")]
    pub scale: Option<Size>,

    /// The part of the frames that leaves, in luma samples of the input
    #[arg(long, value_name = "X,Y,W,H", value_parser = geometry::crop, help_heading = "Scaling and enhancement")]
    pub crop: Option<Rect>,

    /// Where chroma samples lie, in input and output [default: as the input says]
    #[arg(long, value_name = "WHERE", value_enum, help_heading = "Scaling and enhancement")]
    pub chroma_location: Option<Location>,

    /// Enhancement of the luma, by the noise that the step before measured
    #[arg(long, value_name = "MODE", value_enum, overrides_with = "ief", help_heading = "Scaling and enhancement")]
    pub sharpen: Option<Enhance>,

    /// Enhancement of the luma, by the noise that ief.global_noise_estimation says
    #[arg(long, value_name = "MODE", value_enum, overrides_with = "sharpen", help_heading = "Scaling and enhancement")]
    pub ief: Option<Enhance>,

    /// State of the scaler, SAMPLER_8x8_STATE: 138 hex DWords; no stdin
    #[arg(long, value_name = "FILE", help_heading = "Scaling and enhancement")]
    pub scaler_state: Option<PathBuf>,

    /// State of the enhancement, SAMPLER_STATE of sample_8x8: 16 hex DWords; no stdin
    #[arg(long, value_name = "FILE", help_heading = "Scaling and enhancement")]
    pub sampler_state: Option<PathBuf>,

    /// Print the scaler's coefficients, on stderr if stdout is taken
    #[arg(long, help_heading = "Scaling and enhancement")]
    pub print_tables: bool,

    #[command(flatten)]
    pub color: Color,

    /// Options and parameters as a whole; a profile, then the command line, may change them again
    #[arg(long, value_name = "PRESET", value_enum, help_heading = "Profiles")]
    pub preset: Option<Preset>,

    /// Options and parameters from a TOML file, as --dump-config prints them; what the command line says wins
    #[arg(long, value_name = "FILE", help_heading = "Profiles")]
    pub profile: Option<PathBuf>,

    /// Print all options and parameters as a profile, and do nothing else
    #[arg(long, help_heading = "Profiles")]
    pub dump_config: bool,

    /// Overwrite files
    #[arg(short = 'y', help_heading = "Output")]
    pub overwrite: bool,

    /// Drop the first N input frames
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Range (frames count from 0)")]
    pub skip: u64,

    /// Run the last K of the dropped frames unseen, so that motion and noise are known
    #[arg(long, value_name = "K", default_value_t = 0, help_heading = "Range (frames count from 0)")]
    pub warmup: u64,

    /// End after N input frames, the dropped ones not counted
    #[arg(long, value_name = "N", help_heading = "Range (frames count from 0)")]
    pub frames: Option<u64>,

    /// Tell on stderr how far it is
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto", help_heading = "Reports")]
    pub progress: Progress,

    /// Write the statistics of each input frame, a JSON object a line; - for stdout
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub stats: Option<PathBuf>,

    /// Print the MD5 of all frames written, on stderr if stdout is taken
    #[arg(long, help_heading = "Reports")]
    pub md5: bool,

    /// Write the MD5 of each frame written, as ffmpeg's framemd5 does; - for stdout
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub framemd5: Option<PathBuf>,

    /// Threads that compute, besides one that reads and one that writes; they change no bit [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "General")]
    pub threads: Option<u16>,

    /// What makes the frames; both make the same bytes
    #[arg(long, value_name = "ENGINE", value_enum, default_value = "pipeline", help_heading = "General")]
    pub engine: Engine,

    /// No warnings
    #[arg(short = 'q', help_heading = "General")]
    pub quiet: bool,

    /// Tell what is done, and how fast
    #[arg(short = 'v', help_heading = "General")]
    pub verbose: bool,

    /// Print help; --help with all details
    #[arg(short, long, action = ArgAction::Help, help_heading = "General")]
    help: Option<bool>,

    /// Print the version and the instruction set in use
    #[arg(short = 'V', long, action = ArgAction::Version, help_heading = "General")]
    version: Option<bool>,

    /// Where all this was said, the weakest first: preset, profile, command line.
    #[arg(skip)]
    pub layers: Vec<Layer>,

    /// Where in the profile it was said, if there.
    #[arg(skip)]
    pub places: Places,
}
