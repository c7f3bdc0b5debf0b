//! The command line: `dndi [OPTIONS] INPUT OUTPUT`, and the subcommands. A subcommand must be the
//! first argument.
//!
//! Exit codes: 0 success, 1 runtime error, 2 usage error, 3 input truncated or corrupt.

mod commands;
mod error;
mod io;
mod media;
mod options;
mod report;
mod terminal;

use commands::program::program;
use dndi_simd::HugePages;
use std::ffi::OsStr;
use std::process::ExitCode;

/// Frames and planes lie in huge pages where the system has them.
#[global_allocator]
static ALLOCATOR: HugePages = HugePages;

fn main() -> ExitCode {
    HugePages::set_up();
    io::interrupt::report_file_size_limit();
    let mut arguments = std::env::args_os().skip(1);
    let Some(first) = arguments.next() else {
        terminal::usage(options::conversion_help::USAGE);
        return ExitCode::from(error::USAGE);
    };
    let result = match OsStr::to_str(&first) {
        Some("inspect") => commands::inspect::run(arguments),
        Some("view") => commands::view::run(arguments),
        Some("join") => commands::join::run(arguments),
        Some("state") => commands::state::run(arguments),
        Some("help") => commands::help::run(arguments, program()),
        Some("completions") => commands::completions::run(arguments, program()),
        Some("man") => commands::man::run(arguments, program()),
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
