//! Why the program ends early: one line on stderr and an exit code.

use crate::progress;
use dndi::y4m;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

/// A reason to end.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// Something failed while running.
    pub fn runtime(message: impl Display) -> Failure {
        Failure { code: 1, message: message.to_string() }
    }

    /// The command line, or what it names, cannot be meant so.
    pub fn usage(message: impl Display) -> Failure {
        Failure { code: 2, message: message.to_string() }
    }

    /// The input called `name` cannot be read (on).
    pub fn input(name: &str, error: &y4m::Error) -> Failure {
        match error {
            y4m::Error::Io(error) => Failure::runtime(format_args!("cannot read {name}: {error}")),
            _ => Failure { code: if error.is_bad_input() { 3 } else { 1 }, message: format!("{name}: {error}") },
        }
    }

    /// What was read is truncated or corrupt.
    pub fn corrupt(message: impl Display) -> Failure {
        Failure { code: 3, message: message.to_string() }
    }

    /// Prints the line.
    pub fn report(&self) -> ExitCode {
        say(&self.message);
        ExitCode::from(self.code)
    }
}

/// Prints one line on stderr, whatever characters `message` has. When stderr is closed there is nobody to tell.
pub fn say(message: impl Display) {
    let mut line = String::from("dndi: ");
    for character in message.to_string().chars() {
        if character.is_control() { line.extend(character.escape_default()) } else { line.push(character) }
    }
    line.push('\n');
    progress::aside(|| {
        let _ = io::stderr().write_all(line.as_bytes());
    });
}
