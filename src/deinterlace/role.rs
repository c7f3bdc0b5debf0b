//! The two outputs of a step (§1.4).

/// One of the two frames that a step completes (§1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The 2nd field of the previous frame, completed.
    Prev2,
    /// The 1st field of the current frame, completed.
    Cur1,
}

/// The outputs of a step in the order of time, each at the index that `role as usize` has.
pub(super) const ROLES: [Role; 2] = [Role::Prev2, Role::Cur1];

impl Role {
    /// Parity of the lines that are missing.
    pub fn missing(self, top_first: bool) -> usize {
        match self {
            Role::Prev2 => !top_first as usize,
            Role::Cur1 => top_first as usize,
        }
    }
}
