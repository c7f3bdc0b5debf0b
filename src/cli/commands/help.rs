//! `dndi help SUBCOMMAND`: the help of `dndi SUBCOMMAND --help`.

use crate::error::CliError;
use crate::options::clap_text::print_help_or_fail;
use crate::options::conversion_help::{self, HELP};
use crate::options::help::Help;
use crate::options::similar::similar;
use crate::terminal::print;
use clap::error::ErrorKind;
use clap::{Command, CommandFactory, Parser};
use std::ffi::OsString;

/// Print the help of a subcommand, or the main options
#[derive(Debug, Parser)]
#[command(name = "dndi help", bin_name = "dndi help")]
struct HelpArgs {
    /// Subcommand, such as inspect or state decode
    #[arg(value_name = "SUBCOMMAND")]
    subcommand: Vec<String>,
}

/// The options of `dndi help`.
pub fn command() -> Command {
    HelpArgs::command()
}

/// Runs `dndi help`; `arguments` are those after it. `program` has all subcommands.
pub fn run(arguments: impl Iterator<Item = OsString>, program: Command) -> Result<(), CliError> {
    let own = match HelpArgs::try_parse_from(std::iter::once("dndi help".into()).chain(arguments)) {
        Ok(own) => own,
        Err(error) => {
            return print_help_or_fail(&error, &command(), &Help { name: "dndi help", main: &[], after: "" });
        }
    };
    if own.subcommand.is_empty() {
        return print(&HELP.short(&conversion_help::command()));
    }
    let command = named(program, &own.subcommand)?;
    let name = command.get_name().to_owned();
    match command.try_get_matches_from([&name, "--help"]) {
        Err(help) if help.kind() == ErrorKind::DisplayHelp => print(&help.render().to_string()),
        _ => Err(CliError::runtime("internal error: no help")),
    }
}

/// The subcommand of `program` that `names` name, with those of its parents before it.
pub fn named(mut program: Command, names: &[String]) -> Result<Command, CliError> {
    program.build();
    let mut command = program;
    for name in names {
        let Some(found) = command.find_subcommand(name) else { return Err(unknown(&command, name)) };
        command = found.clone();
    }
    Ok(command)
}

/// The error that `command` has no subcommand `name`.
fn unknown(command: &Command, name: &str) -> CliError {
    let known: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
    let of = command.get_bin_name().unwrap_or(command.get_name());
    let similar = similar(name, known.iter().copied());
    let advice = match (&similar[..], &known[..]) {
        (_, []) => "it has none".to_owned(),
        ([], known) => format!("there are {}", known.join(", ")),
        (similar, _) => format!("similar: {}", similar.join(", ")),
    };
    CliError::usage(format_args!("{of} has no subcommand '{name}'; {advice}"))
}
