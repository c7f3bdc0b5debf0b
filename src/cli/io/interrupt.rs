//! Signals: interrupts (SIGINT, SIGTERM, SIGHUP), and the limit of file sizes (SIGXFSZ).
//!
//! The first interrupt ends the program after the current frame, or after some seconds if that
//! frame blocks. The second interrupt ends it at once. A signal that is ignored when the program
//! starts stays ignored: `nohup` ignores SIGHUP, and shells ignore SIGINT in background jobs of
//! scripts.

use super::processes;
use crate::error::CliError;
use crate::terminal::message;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Time limit for each frame after an interrupt. A shorter limit would cut off a slow frame, a
/// longer one delays the end of a program that is blocked.
const FRAME_LIMIT: Duration = Duration::from_secs(5);

/// Whether the program was interrupted.
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Number of written frames.
static PROGRESS: AtomicU64 = AtomicU64::new(0);

/// Installs the signal handlers.
pub fn install() -> Result<(), CliError> {
    handle(interrupt).map_err(|error| CliError::runtime(format_args!("cannot handle interrupts: {error}")))
}

/// Handles an interrupt, in a thread of its own.
fn interrupt() {
    if REQUESTED.swap(true, Ordering::Relaxed) {
        message("interrupted again, stopped at once; the last frame may be cut off");
        processes::end_all();
        std::process::exit(1);
    }
    // A write to a pipe whose reader is blocked may never return.
    let _ = std::thread::Builder::new().spawn(|| {
        let mut seen = None;
        while seen != Some(PROGRESS.load(Ordering::Relaxed)) {
            seen = Some(PROGRESS.load(Ordering::Relaxed));
            std::thread::sleep(FRAME_LIMIT);
        }
        message("interrupted, stopped inside a frame that took too long; the last frame may be cut off");
        processes::end_all();
        std::process::exit(1);
    });
}

/// Calls `handler` on each interrupt, except for signals that are ignored.
#[cfg(unix)]
fn handle(handler: impl Fn() + Send + 'static) -> Result<(), Box<dyn std::error::Error>> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let Some(ignored) = ignored() else {
        // `try_set_handler` fails if one of the three signals is ignored. Then all three keep their
        // actions: the ignored ones stay ignored, the others end the program at once.
        return match ctrlc::try_set_handler(handler) {
            Err(ctrlc::Error::MultipleHandlers) => Ok(()),
            result => Ok(result?),
        };
    };
    let handled = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(handled)?;
    let thread = std::thread::Builder::new().name("interrupts".to_owned());
    thread.spawn(move || signals.forever().for_each(|_| handler()))?;
    Ok(())
}

#[cfg(not(unix))]
fn handle(handler: impl Fn() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(handler)
}

/// The ignored signals of this process: bit N - 1 is signal N. None if the system does not have
/// Linux's `/proc`; no safe interface of other systems reads the actions of signals.
#[cfg(unix)]
fn ignored() -> Option<u64> {
    let status = std::fs::read("/proc/self/status").ok()?;
    let status = String::from_utf8_lossy(&status);
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// Makes a write beyond the limit of file sizes (`ulimit -f`) fail with an error. By default
/// SIGXFSZ ends the program inside a frame, without a message.
pub fn report_file_size_limit() {
    #[cfg(unix)]
    {
        // The handler sets the variable, which has no reader: the write fails with an error of its
        // own. If there is no handler, the signal ends the program.
        static SIGNALLED: AtomicBool = AtomicBool::new(false);
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, &SIGNALLED);
    }
}

/// Reports that a frame was written. The time limit for the next frame starts.
pub fn progress() {
    PROGRESS.fetch_add(1, Ordering::Relaxed);
}

/// Whether the program was interrupted.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
