//! The command line: `dndi [OPTIONS] INPUT OUTPUT`, and subcommands, which are meant where the first word is one of them.
//!
//! Exit codes: 0 fine, 1 a runtime error, 2 a wrong command line, 3 an input that is truncated or corrupt.

mod ahead;
mod args;
mod cadence;
mod choices;
mod color;
mod conversion;
mod engine;
mod failure;
mod files;
mod geometry;
mod input;
mod inspect;
mod interrupt;
mod output;
mod pace;
mod parameters;
mod parse;
mod plan;
mod profile;
mod progress;
mod report;
mod run;
mod settings;
mod state;
mod survey;
mod view;

use std::ffi::OsStr;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    let first = words.next();
    let done = match first.as_deref().and_then(OsStr::to_str) {
        Some("state") => state::command::run(words),
        Some("inspect") => inspect::run(words),
        Some("view") => view::run(words),
        _ => parse::parse().and_then(|args| args.map_or(Ok(()), |args| run::run(&args))),
    };
    done.map_or_else(|failure| failure.report(), |()| ExitCode::SUCCESS)
}
