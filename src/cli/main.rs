//! The command line: `dndi [OPTIONS] INPUT OUTPUT`, and subcommands, which the first word names.
//!
//! Exit codes: 0 success, 1 runtime error, 2 usage error, 3 input truncated or corrupt.

mod commands;
mod error;
mod io;
mod options;
mod report;
mod terminal;

use std::ffi::OsStr;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    let first = words.next();
    let done = match first.as_deref().and_then(OsStr::to_str) {
        Some("state") => commands::state::run(words),
        Some("inspect") => commands::inspect::run(words),
        Some("view") => commands::view::run(words),
        _ => commands::convert::run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::message(&error);
            ExitCode::from(error.code())
        }
    }
}
