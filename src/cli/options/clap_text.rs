//! Error messages of the argument parser as one line each.

use super::help::Help;
use crate::error::CliError;
use crate::terminal::print;
use clap::Command;
use clap::error::ErrorKind;
use dndi::SimdLevel;

/// Prints help or version if `error`, which `command` returned, is a request for one. Any other
/// error is returned.
pub fn print_help_or_fail(error: &clap::Error, command: &Command, help: &Help) -> Result<(), CliError> {
    match error.kind() {
        ErrorKind::DisplayHelp => {
            let text = error.render().to_string();
            let is_short = text == command.clone().render_help().to_string();
            print(&if is_short { help.short(command) } else { text })
        }
        ErrorKind::DisplayVersion => {
            print(&format!("dndi {} (level {})\n", env!("CARGO_PKG_VERSION"), SimdLevel::from_env().map_err(CliError::usage)?))
        }
        _ => Err(CliError::usage(one_line(error, help))),
    }
}

/// The error and the parser's advice in one line, with the command that prints help.
pub fn one_line(error: &clap::Error, help: &Help) -> String {
    format!("{}; see {} --help", without_usage(error), help.name)
}

/// The error and the parser's advice in one line, without the usage.
pub fn without_usage(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let paragraphs = text.split("\n\n").map(|lines| lines.split_whitespace().collect::<Vec<_>>().join(" "));
    let kept = paragraphs.filter(|text| !text.starts_with("Usage:") && !text.starts_with("For more information"));
    kept.collect::<Vec<_>>().join("; ")
}
