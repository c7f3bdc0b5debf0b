//! Parses arguments into [`Options`].

use super::args::Args;
use super::clap_text::{one_line, print_help_or_fail};
use super::conversion_help::{HELP, SUBCOMMANDS, command_with_parameters};
use super::help::Help;
use super::layers::{OptionLayer, Options};
use super::similar::similar;
use super::{is_standard, profile, profile_dump, words};
use crate::error::CliError;
use crate::terminal::print;
use clap::error::ErrorKind;
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The options of the command line; none if help, the version or a profile was printed instead.
pub fn parse() -> Result<Option<Options>, CliError> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    if let Some(name) = late_subcommand(&arguments) {
        let message = format!("{name} is a subcommand only as the first argument: dndi {name} [OPTIONS]");
        return Err(CliError::usage(format_args!("{message}; a file of that name is ./{name}")));
    }
    if let Some(message) = misspelled_subcommand(&arguments).or_else(|| missing_output(&arguments)) {
        return Err(CliError::usage(message));
    }
    let Some((options, matches)) = layered(command_with_parameters(), arguments, &HELP)? else { return Ok(None) };
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

/// The error if the first argument resembles a subcommand, and is no file.
fn misspelled_subcommand(arguments: &[OsString]) -> Option<String> {
    let name = arguments.first()?.to_str()?;
    let plain = name.bytes().all(|byte| byte.is_ascii_alphabetic());
    let similar = similar(name, SUBCOMMANDS);
    let found = similar.first().filter(|_| plain && !Path::new(name).exists())?;
    Some(format!("no subcommand and no file '{name}'; a similar subcommand is {found}; see dndi help"))
}

/// The error if the input is given alone, with an example.
fn missing_output(arguments: &[OsString]) -> Option<String> {
    let command = Args::command().no_binary_name(true);
    let error = command.clone().try_get_matches_from(arguments).err()?;
    let matches = command.ignore_errors(true).try_get_matches_from(arguments).ok()?;
    let is_missing = error.kind() == ErrorKind::MissingRequiredArgument && !matches.contains_id("output");
    let input = matches.get_one::<PathBuf>("input").filter(|_| is_missing)?;
    let y4m = is_standard(input) || input.extension().is_some_and(|end| end.eq_ignore_ascii_case("y4m"));
    let stem = input.file_stem().filter(|_| !is_standard(input)).map_or("out".into(), |stem| stem.to_string_lossy());
    let example = [&*input.to_string_lossy(), &format!("{stem}-progressive.{}", if y4m { "y4m" } else { "mkv" })];
    Some(format!("the output <OUTPUT> is missing: dndi {}; see dndi -h", words::join(&example)))
}

/// Parses the options from `arguments`, and from the preset and the profile that they name.
///
/// `command` has all options of `Args`, and perhaps more. The command line overrides the profile,
/// and the profile overrides the preset. None if help or version was requested; it is then printed.
pub fn layered(command: Command, arguments: Vec<OsString>, help: &Help) -> Result<Option<(Options, ArgMatches)>, CliError> {
    let parse = |command: &Command, arguments: &[OsString]| {
        let matches = command.clone().no_binary_name(true).try_get_matches_from(arguments)?;
        Ok((Args::from_arg_matches(&matches)?, matches))
    };
    let (own, mut matches) = match parse(&command, &arguments) {
        Ok(parsed) => parsed,
        Err(error) => return print_help_or_fail(&error, &command, help).map(|()| None),
    };
    let (profile, mut origins) = own.profile.as_deref().map(profile::read).transpose()?.unzip();
    if let Some(origins) = &mut origins {
        origins.override_by(&matches, &own.hardware.set);
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
