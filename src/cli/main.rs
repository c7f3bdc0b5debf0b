//! The command line: `dndi [OPTIONS] INPUT OUTPUT`, and `dndi state`, which is meant where the first word is `state`.
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
    let mut words = std::env::args_os().skip(1);
    let done = match words.next() {
        Some(first) if first == "state" => state::command::run(words),
        _ => parse::parse().and_then(|args| args.map_or(Ok(()), |args| run::run(&args))),
    };
    done.map_or_else(|failure| failure.report(), |()| ExitCode::SUCCESS)
}
