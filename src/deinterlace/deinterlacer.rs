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
    /// Motion compensation to four fields and a network that joins them (§15): the best pictures.
    /// It reads the frames before and after.
    Best,
}

impl Deinterlacer {
    const NAMES: &'static [&'static str] = &["gen6", "balanced", "best"];
    const ALL: [Deinterlacer; 3] = [Deinterlacer::Gen6, Deinterlacer::Balanced, Deinterlacer::Best];
}

/// `gen6`, `balanced` or `best`; case does not matter.
impl FromStr for Deinterlacer {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Deinterlacer, NameError> {
        NameError::find("deinterlacer", name, Deinterlacer::NAMES, &Deinterlacer::ALL)
    }
}

/// `gen6`, `balanced` or `best`.
impl fmt::Display for Deinterlacer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Deinterlacer::NAMES[*self as usize])
    }
}
