//! The choice of the active mutant. The program writes this file into the copy of `dndi-simd`.
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

enum Mode {
    /// One mutant is active; 0 is the original.
    Active(u32),
    /// None is active. The numbers of all mutants that are reached go into a file.
    Trace(std::path::PathBuf),
}

static MODE: OnceLock<Mode> = OnceLock::new();
static SEEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

/// Whether a mutant is active.
#[inline]
pub fn is(mutant: u32) -> bool {
    match MODE.get_or_init(mode) {
        Mode::Active(active) => *active == mutant,
        Mode::Trace(folder) => {
            if !SEEN[mutant as usize].swap(true, Ordering::Relaxed) {
                let file = folder.join(std::process::id().to_string());
                let file = std::fs::OpenOptions::new().create(true).append(true).open(file);
                file.and_then(|mut file| file.write_all(format!("{mutant}\n").as_bytes())).expect("the trace is written");
            }
            false
        }
    }
}

/// The value of a constant: that of the active mutant, or the original.
pub fn pick<T: ?Sized>(mutants: &'static [(u32, &'static T)], original: &'static T) -> &'static T {
    mutants.iter().filter(|(mutant, _)| is(*mutant)).map(|(_, value)| *value).next().unwrap_or(original)
}

fn mode() -> Mode {
    if let Some(folder) = std::env::var_os("DNDI_MUTANT_TRACE") {
        return Mode::Trace(folder.into());
    }
    Mode::Active(std::env::var("DNDI_MUTANT").ok().and_then(|number| number.parse().ok()).unwrap_or(0))
}
