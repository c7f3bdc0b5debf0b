//! Ctrl-C, and the request to terminate: the first is noticed between two frames, the second ends the program at once.

use crate::failure::{Failure, say};
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Takes over the signals.
pub fn install() -> Result<(), Failure> {
    let handler = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            say("interrupted again, stopped at once; the last frame may be cut off");
            std::process::exit(1);
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::runtime(format_args!("cannot handle interrupts: {error}")))
}

/// Whether the program was asked to end.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
