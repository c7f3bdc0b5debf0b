//! From words to [`Args`], and the help that teaches them.

use crate::args::Args;
use crate::failure::Failure;
use crate::parameters;
use crate::profile::{self, Preset, dump};
use crate::settings::Layer;
use clap::error::ErrorKind;
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};
use dndi::SimdLevel;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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

  What a clip is, and what became of one of its frames:
    dndi inspect tape.y4m
    dndi view --frame 100 --show both tape.y4m frame.png

Subcommands: dndi inspect --help, dndi view --help, and for hardware state as names and
values dndi state --help. (A clip that is called like one of them is ./state and so on.)

Exit codes: 0 fine, 1 runtime error, 2 wrong command line, 3 input truncated or corrupt
(all complete frames before that are written).
The environment variable DNDI_LEVEL forces an instruction set; --version tells which is used.";

/// What is meant where the first word is one of them.
const SUBCOMMANDS: [&str; 3] = ["inspect", "view", "state"];

/// The command line's arguments; none if it asked for something that is printed: help, the version, a profile.
pub fn parse() -> Result<Option<Args>, Failure> {
    let long_help = format!("Parameters of --set:\n{}\n{EXAMPLES}", parameters::table());
    let command = Args::command().after_help(EXAMPLES).after_long_help(long_help);
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    if let Some(name) = late_subcommand(&words) {
        let message = format!("{name} is a subcommand only as the first word: dndi {name} [OPTIONS]");
        return Err(Failure::usage(format_args!("{message}; a file of that name is ./{name}")));
    }
    let Some((args, matches)) = layered(command, words, "dndi --help")? else { return Ok(None) };
    if args.dump_config {
        print(&dump::dump(&args, &matches)?)?;
        return Ok(None);
    }
    if args.warmup > args.skip {
        let message = format!("--warmup {} is more than --skip {}: only frames that are dropped", args.warmup, args.skip);
        return Err(Failure::usage(message + " can run unseen"));
    }
    Ok(Some(args))
}

/// The subcommand that stands behind options, where INPUT does, unless it is a clip and all is well.
fn late_subcommand(words: &[OsString]) -> Option<&'static str> {
    let command = Args::command().no_binary_name(true);
    let matches = command.clone().ignore_errors(true).try_get_matches_from(words).ok()?;
    let input = matches.get_one::<PathBuf>("input")?;
    let name = SUBCOMMANDS.into_iter().find(|name| input == Path::new(name))?;
    (!input.exists() || command.try_get_matches_from(words).is_err()).then_some(name)
}

/// What `command`, which has all arguments and perhaps more, makes of `words` and the preset and the profile that they name, which come
/// before them: what is said later wins. None if help or the version was asked for, which is then printed; `help` tells how.
pub fn layered(command: Command, words: Vec<OsString>, help: &str) -> Result<Option<(Args, ArgMatches)>, Failure> {
    let parse = |command: &Command, words: &[OsString]| {
        let matches = command.clone().no_binary_name(true).try_get_matches_from(words)?;
        Ok((Args::from_arg_matches(&matches)?, matches))
    };
    let (mut said, mut matches) = match parse(&command, &words) {
        Ok(parsed) => parsed,
        Err(error) => return told(&error, help).map(|()| None),
    };
    let (profile, mut places) = said.profile.as_deref().map(profile::read).transpose()?.unzip();
    if let Some(places) = &mut places {
        places.outweigh(&matches, &said.set);
    }
    let alone = |words: &[OsString]| {
        let words = [words, &["-".into(), "-".into()]].concat();
        parse(&Args::command(), &words).map(|(args, _)| args).map_err(|error| Failure::usage(one_line(&error, help)))
    };
    let named = profile.as_deref().map(alone).transpose()?.and_then(|args| args.preset);
    let preset = said.preset.or(named).map(Preset::words).transpose()?;
    let (mut layers, mut before) = (Vec::new(), Vec::new());
    for words in [preset, profile].into_iter().flatten() {
        before.extend(words.iter().cloned());
        layers.push(Layer::new(alone(&words)?, alone(&before)?)?);
    }
    let own = said.clone();
    if !before.is_empty() {
        before.extend(words);
        (said, matches) = parse(&command, &before).map_err(|error| Failure::usage(one_line(&error, help)))?;
    }
    layers.push(Layer::new(own, said.clone())?);
    (said.layers, said.places) = (layers, places.unwrap_or_default());
    Ok(Some((said, matches)))
}

/// Prints what was asked for, the help or the version; anything else that `error` says is a failure. `help` leads on.
pub fn told(error: &clap::Error, help: &str) -> Result<(), Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp => print(&error.render().to_string()),
        ErrorKind::DisplayVersion => {
            print(&format!("dndi {} (level {})\n", env!("CARGO_PKG_VERSION"), SimdLevel::from_env().map_err(Failure::usage)?))
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

/// What is wrong, how it is put right and where more is told.
fn one_line(error: &clap::Error, help: &str) -> String {
    format!("{}; see {help}", what_is_wrong(error))
}

/// What is wrong and how it is put right, without the usage.
pub fn what_is_wrong(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let paragraphs = text.split("\n\n").map(|lines| lines.split_whitespace().collect::<Vec<_>>().join(" "));
    let told = paragraphs.filter(|told| !told.starts_with("Usage:") && !told.starts_with("For more information"));
    told.collect::<Vec<_>>().join("; ")
}
