//! Errors of the command line: a message of one line and an exit code.

use dndi::y4m;
use std::fmt::{self, Display};

/// The exit code of usage errors.
pub const USAGE: u8 = 2;

/// An error that ends the program.
#[derive(Clone, Debug)]
pub struct CliError {
    code: u8,
    message: String,
}

impl CliError {
    /// A runtime error: reading, writing or computing failed. Exit code 1.
    pub fn runtime(message: impl Display) -> CliError {
        CliError { code: 1, message: message.to_string() }
    }

    /// Usage error: an option, or a file it names, is invalid. Exit code 2.
    pub fn usage(message: impl Display) -> CliError {
        CliError { code: USAGE, message: message.to_string() }
    }

    /// The input is truncated or corrupt. Exit code 3.
    pub fn corrupt(message: impl Display) -> CliError {
        CliError { code: 3, message: message.to_string() }
    }

    /// Reading the input `name` failed. Exit code 3 if its contents are invalid, else 1.
    pub fn input(name: &str, error: &y4m::Error) -> CliError {
        match error {
            y4m::Error::Io(error) => CliError::runtime(format_args!("cannot read {name}: {error}")),
            _ if error.is_bad_input() => CliError::corrupt(format_args!("{name}: {error}")),
            _ => CliError::runtime(format_args!("{name}: {error}")),
        }
    }

    /// The memory for `count` values of type `T` is not available. Exit code 1.
    pub fn out_of_memory<T>(count: usize) -> CliError {
        CliError::runtime(format_args!("out of memory: cannot allocate {} bytes", count.saturating_mul(size_of::<T>())))
    }

    /// The exit code: 1 runtime error, 2 usage error, 3 input truncated or corrupt.
    pub fn code(&self) -> u8 {
        self.code
    }
}

impl Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
