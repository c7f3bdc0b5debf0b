//! Messages on stderr and stdout. They do not damage a progress bar that is shown.

use crate::error::CliError;
use indicatif::ProgressBar;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The progress bar on the screen; other lines are printed above it.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Number of warnings so far, printed or not.
static WARNINGS: AtomicUsize = AtomicUsize::new(0);

/// Prints one line on stderr. Control characters in `message` are escaped. If stderr is closed, the
/// message is lost.
pub fn message(message: impl Display) {
    let mut line = String::from("dndi: ");
    for character in message.to_string().chars() {
        if character.is_control() { line.extend(character.escape_default()) } else { line.push(character) }
    }
    line.push('\n');
    with_bar_hidden(|| {
        let _ = io::stderr().write_all(line.as_bytes());
    });
}

/// Prints several lines on stderr. If stderr is closed, they are lost.
pub fn usage(lines: &str) {
    let _ = io::stderr().write_all(lines.as_bytes());
}

/// Counts a warning. Prints it unless `quiet`.
pub fn warn(quiet: bool, warning: impl Display) {
    WARNINGS.fetch_add(1, Ordering::Relaxed);
    if !quiet {
        message(format_args!("warning: {warning}"));
    }
}

/// Number of warnings so far, printed or not.
pub fn warnings() -> usize {
    WARNINGS.load(Ordering::Relaxed)
}

/// Prints on stdout.
pub fn print(text: &str) -> Result<(), CliError> {
    let mut stdout = io::stdout();
    let printed = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    printed.map_err(|error| CliError::runtime(format_args!("cannot write to stdout: {error}")))
}

/// Whether stderr is a terminal.
pub fn is_interactive() -> bool {
    io::stderr().is_terminal()
}

/// Registers the progress bar that is on the screen; none if there is none.
pub fn set_bar(bar: Option<ProgressBar>) {
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = bar;
}

/// Calls `write`, which writes lines on stderr, while the progress bar is hidden.
pub fn with_bar_hidden(write: impl FnOnce()) {
    let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}
