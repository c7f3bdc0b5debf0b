//! The choice of the deinterlacer.
use crate::format::NameError;
use std::fmt;
use std::str::FromStr;

/// The algorithm that completes fields to frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Deinterlacer {
    /// The deinterlacer of the hardware (§3): the fastest. It reads the frame before.
    Gen6,
    /// bwdif, corrected by a small network (§14): better pictures than bwdif at a few times its
    /// cost. It reads the frames before and after.
    #[default]
    Balanced,
}

impl Deinterlacer {
    const NAMES: &'static [&'static str] = &["gen6", "balanced"];
    const ALL: [Deinterlacer; 2] = [Deinterlacer::Gen6, Deinterlacer::Balanced];
}

/// `gen6` or `balanced`; case does not matter.
impl FromStr for Deinterlacer {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Deinterlacer, NameError> {
        NameError::find("deinterlacer", name, Deinterlacer::NAMES, &Deinterlacer::ALL)
    }
}

/// `gen6` or `balanced`.
impl fmt::Display for Deinterlacer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Deinterlacer::NAMES[*self as usize])
    }
}
