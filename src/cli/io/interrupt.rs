//! Interrupts (SIGINT, SIGTERM, SIGHUP). The first one ends the program after the current frame, or after some seconds if that frame
//! blocks; the second one ends it at once.

use crate::error::CliError;
use crate::terminal::message;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Time that the current frame may take after an interrupt.
const PATIENCE: Duration = Duration::from_secs(5);

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Counts written frames.
static PROGRESS: AtomicU64 = AtomicU64::new(0);

/// Installs the signal handler.
pub fn install() -> Result<(), CliError> {
    let handler = || {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            message("interrupted again, stopped at once; the last frame may be cut off");
            std::process::exit(1);
        }
        // A write to a pipe that nobody reads never returns.
        let _ = std::thread::Builder::new().spawn(|| {
            let mut seen = None;
            while seen != Some(PROGRESS.load(Ordering::Relaxed)) {
                seen = Some(PROGRESS.load(Ordering::Relaxed));
                std::thread::sleep(PATIENCE);
            }
            message("interrupted, stopped in the middle of a frame that took too long");
            std::process::exit(1);
        });
    };
    ctrlc::set_handler(handler).map_err(|error| CliError::runtime(format_args!("cannot handle interrupts: {error}")))
}

/// Reports that a frame was written: the time limit starts anew.
pub fn progress() {
    PROGRESS.fetch_add(1, Ordering::Relaxed);
}

/// Whether the program was interrupted.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
