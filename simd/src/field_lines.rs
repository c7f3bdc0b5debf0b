//! The lines of neighbouring fields around a missing line (§14.1).
use crate::{APRON, Row, contract};

/// Lines of the fields t - 2 … t + 2 around missing line y of field t.
#[derive(Clone, Copy, Debug)]
pub struct FieldLines<'a, S = u8> {
    /// Lines y - 3, y - 1, y + 1, y + 3 of field t.
    pub own: [Row<'a, S>; 4],
    /// Lines y - 4, y - 2, y, y + 2, y + 4 of field t - 1.
    pub before: [Row<'a, S>; 5],
    /// The same lines of field t + 1.
    pub after: [Row<'a, S>; 5],
    /// Lines y - 1 and y + 1 of field t - 2.
    pub older: [Row<'a, S>; 2],
    /// The same lines of field t + 2.
    pub newer: [Row<'a, S>; 2],
}

impl<'a, S> FieldLines<'a, S> {
    /// The lines from sample `x` on.
    #[inline]
    pub fn from(&self, x: usize) -> FieldLines<'a, S> {
        let FieldLines { own, before, after, older, newer } = *self;
        FieldLines {
            own: own.map(|row| &row[x..]),
            before: before.map(|row| &row[x..]),
            after: after.map(|row| &row[x..]),
            older: older.map(|row| &row[x..]),
            newer: newer.map(|row| &row[x..]),
        }
    }

    /// Panics if a line has fewer than `samples` samples and its aprons.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn check(&self, samples: usize) {
        contract::rows(self.own, samples);
        contract::rows(self.before, samples);
        contract::rows(self.after, samples);
        contract::rows(self.older, samples);
        contract::rows(self.newer, samples);
    }
}

/// The samples of a row without its aprons.
#[inline(always)]
pub(crate) fn inner<S>(row: Row<'_, S>, n: usize) -> &[S] {
    &row[APRON..APRON + n]
}
