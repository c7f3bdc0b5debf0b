//! From words to [`Args`], and the help that teaches them.

use crate::args::Args;
use crate::failure::Failure;
use crate::parameters;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use dndi::Level;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  A tape, a frame for each of its fields (ffmpeg tells which comes first):
    ffmpeg -i tape.avi -f yuv4mpegpipe - | dndi - tape.y4m

  In the middle of a chain, with the sound of the original, a frame for each frame:
    ffmpeg -i in.mpg -f yuv4mpegpipe - | dndi --field-order tff --rate frame - - \\
      | ffmpeg -i - -i in.mpg -map 0:v -map 1:a? -c:a copy out.mkv

  Only denoise, stronger, and look at 100 frames from frame 5000 on:
    ffmpeg -i in.mp4 -f yuv4mpegpipe - | dndi --deinterlace off --set stad_th=200 \\
      --skip 5000 --warmup 10 --frames 100 - - | ffplay -

  Colours as they should be, and stills of them:
    dndi --auto-contrast --saturation 1.1 --colorspace bt601:bt709 tape.y4m out.y4m
    dndi --rgb png --frames 10 out.y4m still-%03d.png

Hardware state as names and values: dndi state --help. (A clip called state is ./state.)

Exit codes: 0 fine, 1 runtime error, 2 wrong command line, 3 input truncated or corrupt
(all complete frames before that are written).
The environment variable DNDI_LEVEL forces an instruction set; --version tells which is used.";

/// The command line's arguments; none if it asked for help or the version, which are then printed.
pub fn parse() -> Result<Option<Args>, Failure> {
    let long_help = format!("Parameters of --set:\n{}\n{EXAMPLES}", parameters::table());
    let mut command = Args::command().after_help(EXAMPLES).after_long_help(long_help);
    let parsed = command.try_get_matches_from_mut(std::env::args_os());
    let error = match parsed.and_then(|matches| Args::from_arg_matches(&matches)) {
        Ok(args) if args.warmup > args.skip => {
            let message = format!("--warmup {} is more than --skip {}: only frames that are dropped", args.warmup, args.skip);
            return Err(Failure::usage(message + " can run unseen"));
        }
        Ok(args) => return Ok(Some(args)),
        Err(error) => error,
    };
    told(&error, "dndi --help").map(|()| None)
}

/// Prints what was asked for, the help or the version; anything else that `error` says is a failure. `help` leads on.
pub fn told(error: &clap::Error, help: &str) -> Result<(), Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp => print(&error.render().to_string()),
        ErrorKind::DisplayVersion => {
            print(&format!("dndi {} (level {})\n", env!("CARGO_PKG_VERSION"), Level::from_env().map_err(Failure::usage)?))
        }
        _ => Err(Failure::usage(one_line(error, help))),
    }
}

/// Prints on stdout.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout();
    let printed = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    printed.map_err(|error| Failure::runtime(format_args!("cannot write to stdout: {error}")))
}

/// What is wrong and how it is put right, without the usage.
fn one_line(error: &clap::Error, help: &str) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let paragraphs = text.split("\n\n").map(|lines| lines.split_whitespace().collect::<Vec<_>>().join(" "));
    let told = paragraphs.filter(|told| !told.starts_with("Usage:") && !told.starts_with("For more information"));
    told.chain([format!("see {help}")]).collect::<Vec<_>>().join("; ")
}
