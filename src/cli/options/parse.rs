//! Parses arguments into [`Options`], and holds the help text.

use super::args::Args;
use super::clap_text::{one_line, print_help_or_fail};
use super::layers::{OptionLayer, Options};
use super::{profile, profile_dump, set_option};
use crate::error::CliError;
use crate::terminal::print;
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
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

  Analyse a clip, and compare one of its frames before and after:
    dndi inspect tape.y4m
    dndi view --frame 100 --show both tape.y4m frame.png

Subcommands: dndi inspect --help, dndi view --help, and for hardware state as names and
values dndi state --help. (A clip with the name of a subcommand is ./state and so on.)

Exit codes: 0 success, 1 runtime error, 2 usage error, 3 input truncated or corrupt
(all complete frames before that are written).
The environment variable DNDI_LEVEL forces a SIMD level; --version prints the one in use.";

/// The subcommands. A subcommand must be the first argument.
const SUBCOMMANDS: [&str; 3] = ["inspect", "view", "state"];

/// The options of the command line; none if help, the version or a profile was printed instead.
pub fn parse() -> Result<Option<Options>, CliError> {
    let long_help = format!("Parameters of --set:\n{}\n{EXAMPLES}", set_option::table());
    let command = Args::command().after_help(EXAMPLES).after_long_help(long_help);
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    if let Some(name) = late_subcommand(&arguments) {
        let message = format!("{name} is a subcommand only as the first argument: dndi {name} [OPTIONS]");
        return Err(CliError::usage(format_args!("{message}; a file of that name is ./{name}")));
    }
    let Some((options, matches)) = layered(command, arguments, "dndi --help")? else { return Ok(None) };
    if options.dump_config {
        print(&profile_dump::dump(&options, &matches)?)?;
        return Ok(None);
    }
    if options.warmup > options.skip {
        let message = format!("--warmup {} is more than --skip {}: only skipped", options.warmup, options.skip);
        return Err(CliError::usage(message + " frames can be processed without output"));
    }
    Ok(Some(options))
}

/// The subcommand that is given as INPUT behind options. None if a file has this name and the
/// command line is valid.
fn late_subcommand(arguments: &[OsString]) -> Option<&'static str> {
    let command = Args::command().no_binary_name(true);
    let matches = command.clone().ignore_errors(true).try_get_matches_from(arguments).ok()?;
    let input = matches.get_one::<PathBuf>("input")?;
    let name = SUBCOMMANDS.into_iter().find(|name| input == Path::new(name))?;
    (!input.exists() || command.try_get_matches_from(arguments).is_err()).then_some(name)
}

/// Parses the options from `arguments`, and from the preset and the profile that they name.
///
/// `command` has all options of `Args`, and perhaps more. The command line overrides the profile,
/// and the profile overrides the preset. None if help or version was requested; it is then printed.
/// `help` is the command that prints help.
pub fn layered(command: Command, arguments: Vec<OsString>, help: &str) -> Result<Option<(Options, ArgMatches)>, CliError> {
    let parse = |command: &Command, arguments: &[OsString]| {
        let matches = command.clone().no_binary_name(true).try_get_matches_from(arguments)?;
        Ok((Args::from_arg_matches(&matches)?, matches))
    };
    let (own, mut matches) = match parse(&command, &arguments) {
        Ok(parsed) => parsed,
        Err(error) => return print_help_or_fail(&error, help).map(|()| None),
    };
    let (profile, mut origins) = own.profile.as_deref().map(profile::read).transpose()?.unzip();
    if let Some(origins) = &mut origins {
        origins.override_by(&matches, &own.set);
    }
    let parse_layer = |arguments: &[OsString]| {
        let arguments = [arguments, &["-".into(), "-".into()]].concat();
        parse(&Args::command(), &arguments).map(|(args, _)| args).map_err(|error| CliError::usage(one_line(&error, help)))
    };
    let of_profile = profile.as_deref().map(parse_layer).transpose()?.and_then(|args| args.preset);
    let preset = own.preset.or(of_profile).map(profile::preset).transpose()?;
    let (mut layers, mut before) = (Vec::new(), Vec::new());
    for arguments in [preset, profile].into_iter().flatten() {
        before.extend(arguments.iter().cloned());
        layers.push(OptionLayer::new(parse_layer(&arguments)?, parse_layer(&before)?)?);
    }
    let mut args = own.clone();
    if !before.is_empty() {
        before.extend(arguments);
        (args, matches) = parse(&command, &before).map_err(|error| CliError::usage(one_line(&error, help)))?;
    }
    layers.push(OptionLayer::new(own, args.clone())?);
    Ok(Some((Options { args, layers, origins: origins.unwrap_or_default() }, matches)))
}
