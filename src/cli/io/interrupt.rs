//! Interrupts (SIGINT, SIGTERM, SIGHUP).
//!
//! The first interrupt ends the program after the current frame, or after some seconds if that
//! frame blocks. The second interrupt ends it at once.

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

/// Installs the signal handler.
pub fn install() -> Result<(), CliError> {
    let handler = || {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            message("interrupted again, stopped at once; the last frame may be cut off");
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
            std::process::exit(1);
        });
    };
    ctrlc::set_handler(handler).map_err(|error| CliError::runtime(format_args!("cannot handle interrupts: {error}")))
}

/// Reports that a frame was written. The time limit for the next frame starts.
pub fn progress() {
    PROGRESS.fetch_add(1, Ordering::Relaxed);
}

/// Whether the program was interrupted.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
