//! Ctrl-C, and the request to terminate: the first is noticed between two frames or, if one takes too long, ends the
//! program after a while; the second ends it at once.

use crate::failure::{Failure, say};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How long the frame that is being worked on or written may take.
const PATIENCE: Duration = Duration::from_secs(5);

static ASKED: AtomicBool = AtomicBool::new(false);

/// Counts what goes on after that.
static PROGRESS: AtomicU64 = AtomicU64::new(0);

/// Takes over the signals.
pub fn install() -> Result<(), Failure> {
    let handler = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            say("interrupted again, stopped at once; the last frame may be cut off");
            std::process::exit(1);
        }
        // Whoever reads the output may have stopped doing so: a write then never returns.
        let _ = std::thread::Builder::new().spawn(|| {
            let mut seen = None;
            while seen != Some(PROGRESS.load(Ordering::Relaxed)) {
                seen = Some(PROGRESS.load(Ordering::Relaxed));
                std::thread::sleep(PATIENCE);
            }
            say("interrupted, stopped in the middle of a frame that took too long");
            std::process::exit(1);
        });
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::runtime(format_args!("cannot handle interrupts: {error}")))
}

/// A frame was written: the next one may take its time again.
pub fn progress() {
    PROGRESS.fetch_add(1, Ordering::Relaxed);
}

/// Whether the program was asked to end.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
