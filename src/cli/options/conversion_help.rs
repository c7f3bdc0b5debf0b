//! The help texts of the conversion, `dndi INPUT OUTPUT`.

use super::args::Args;
use super::help::Help;
use super::set_option;
use clap::{Command, CommandFactory};

/// The subcommands. A subcommand must be the first argument.
pub const SUBCOMMANDS: [&str; 7] = ["inspect", "view", "join", "state", "help", "completions", "man"];

/// The usage without arguments.
pub const USAGE: &str = "\
Usage: dndi [OPTIONS] <INPUT> <OUTPUT>

  dndi tape.avi tape.mkv    deinterlaces a tape and copies its audio; needs ffmpeg

dndi -h lists the main options, dndi --help all of them. dndi inspect tape.avi analyses a clip.
";

/// The help of the conversion.
pub const HELP: Help = Help {
    name: "dndi",
    main: &[
        ("input", "y4m, or any file that ffmpeg decodes; - for y4m from stdin"),
        ("output", ".mkv, .mp4, .mov and so on are encoded with ffmpeg; others are y4m"),
        ("field_order", "Field order"),
        ("deinterlacer", "Algorithm"),
        ("rate", "Frames of the output"),
        ("film", "Undo telecine"),
        ("denoise", "Denoise luma"),
        ("denoise_chroma", "Denoise chroma, with the same modes"),
        ("denoise_motion", "Denoise along motion: better, slower"),
        ("crop", "Keep only this rectangle"),
        ("scale", "1280x720, 2x, or :720 to keep the shape"),
        ("preset", "Sets of options"),
        ("encoder", "Output options of ffmpeg: \"-c:v libx265 -crf 20\""),
        ("lossless", "Encode with FFV1"),
        ("frames", "Stop after N input frames"),
        ("overwrite", "Overwrite existing files"),
        ("verbose", "Print the settings, a summary and the speed"),
        ("help", "Print this help; --help prints all options and parameters"),
        ("version", "Print the version"),
    ],
    after: "\
The first value is the default. --help has all options, their values and examples.

Subcommands:
  dndi inspect tape.avi          analyse a clip, and recommend a command
  dndi view tape.avi frame.png   write a frame before and after
  dndi join out.y4m PART...      join the parts that --chunk --only makes
  dndi state                     hardware state as names and values
  dndi help, completions, man    help for a subcommand, shell completions, manual

Example: dndi tape.avi tape.mkv
",
};

/// The lines below the options of `--help`, and the end of the manual. A line with a colon begins a
/// section.
const NOTES: &str = "\
Examples:
  A tape, one frame per field, with its audio; ffmpeg must be installed:
    dndi tape.avi tape.mkv

  Film from a DVD, and ProRes to ProRes:
    dndi --rate film title.vob film.mkv
    dndi --encoder '-c:v prores_ks -profile:v 3' in.mov out.mov

  In a pipe, one frame per input frame:
    ffmpeg -i in.mpg -map 0:v:0 -strict -1 -f yuv4mpegpipe - | dndi --rate frame - - | ffplay -

  Only denoise, stronger, 100 frames from frame 5000 on:
    dndi --deinterlace off --set stad_th=200 --skip 5000 --warmup 10 --frames 100 in.mp4 out.mp4

  Correct colours, and write stills:
    dndi --auto-contrast --saturation 1.1 --colorspace bt601:bt709 tape.y4m out.y4m
    dndi --rgb png --frames 10 out.y4m still-%03d.png

  In chunks on all cores; chunk 7 alone, on any machine, and the parts together:
    dndi --chunk 500 tape.y4m out.y4m
    dndi --chunk 500 --only 7 tape.y4m part-7.y4m
    dndi join out.y4m part-*.y4m

  Analyse a clip, and compare one of its frames before and after:
    dndi inspect tape.y4m
    dndi view --frame 100 --show both tape.y4m frame.png

Help on subcommands: dndi inspect --help, dndi view --help, dndi join --help, for hardware state
as names and values dndi state --help, for shells and manuals dndi completions --help and dndi man --help.
dndi help inspect is the same as dndi inspect --help. A subcommand must be the first argument; a
clip with its name is ./state and so on.

Exit codes: 0 success, 1 runtime error, 2 usage error, 3 input truncated or corrupt
(all complete frames before that are written).

Environment: DNDI_LEVEL forces a SIMD level; --version prints the one in use.
";

/// The options of the conversion, with the notes below.
pub fn command() -> Command {
    Args::command().after_help(NOTES)
}

/// The same, with the table of the parameters at the end of `--help`.
pub fn command_with_parameters() -> Command {
    command().after_long_help(format!("{NOTES}\nParameters of --set:\n{}", set_option::table()))
}
