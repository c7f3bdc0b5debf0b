//! The command line: `dndi [OPTIONS] INPUT OUTPUT`, and the subcommands inspect, view and state.
//! A subcommand must be the first argument.
//!
//! Exit codes: 0 success, 1 runtime error, 2 usage error, 3 input truncated or corrupt.

mod commands;
mod error;
mod io;
mod media;
mod options;
mod report;
mod terminal;

use std::ffi::OsStr;
use std::process::ExitCode;

fn main() -> ExitCode {
    io::interrupt::report_file_size_limit();
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next();
    let result = match first.as_deref().and_then(OsStr::to_str) {
        Some("state") => commands::state::run(arguments),
        Some("inspect") => commands::inspect::run(arguments),
        Some("view") => commands::view::run(arguments),
        _ => commands::convert::run(),
    };
    io::processes::end_all();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::message(&error);
            ExitCode::from(error.code())
        }
    }
}
