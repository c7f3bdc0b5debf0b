//! The command line: `dndi [OPTIONS] INPUT OUTPUT`.
//!
//! Exit codes: 0 fine, 1 a runtime error, 2 a wrong command line, 3 an input that is truncated or corrupt.

mod ahead;
mod args;
mod cadence;
mod choices;
mod conversion;
mod failure;
mod files;
mod geometry;
mod input;
mod interrupt;
mod output;
mod pace;
mod parameters;
mod parse;
mod plan;
mod report;
mod run;
mod state;

use std::process::ExitCode;

fn main() -> ExitCode {
    let done = parse::parse().and_then(|args| args.map_or(Ok(()), |args| run::run(&args)));
    done.map_or_else(|failure| failure.report(), |()| ExitCode::SUCCESS)
}
