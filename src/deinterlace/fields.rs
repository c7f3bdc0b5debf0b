//! The fields around the one that is completed (§14.1).
use crate::frame::PlaneSample;
use crate::plane::{LumaView, PlaneView};
use dndi_simd::{FieldLines, Row, Sample};

/// Lines above and below a missing line that [`Fields::lines`] reads.
pub(crate) const REACH: usize = 4;

/// A plane of the fields around field t. A field that the clip lacks, or that a scene cut
/// separates, is replaced (§14.1).
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a, S = u8> {
    /// The frame that holds field t.
    pub own: LumaView<'a, S>,
    /// The frames that hold the fields t - 1 and t + 1; none if there are neither.
    pub beside: Option<[LumaView<'a, S>; 2]>,
    /// Whether neither t - 1 nor t + 1 is missing.
    pub is_between_fields: bool,
    /// The frames that hold the fields t - 2 and t + 2.
    pub outer: [LumaView<'a, S>; 2],
    /// The frame that holds field t - 3 if t is a second field, else t + 3; none if a field up to
    /// that one is missing.
    pub third: Option<LumaView<'a, S>>,
}

/// Which planes a network completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    Luma,
    Chroma,
}

impl<'a, S: PlaneSample> Fields<'a, S> {
    /// The lines around missing line `y`, `width` samples from `start` on: for decisions, and with
    /// all bits. None if there are no fields t - 1 and t + 1.
    pub fn lines(&self, y: usize, start: isize, width: usize) -> Option<(FieldLines<'a, u8>, FieldLines<'a, S>)> {
        let [before, after] = self.beside?;
        let fields = [before, self.outer[0], self.outer[1], after];
        let decisions = lines(self.own.bytes, fields.map(|field| field.bytes), y, start, width);
        Some((decisions, lines(self.own.samples, fields.map(|field| field.samples), y, start, width)))
    }

    /// The lines around missing line `y` by which its costs are computed, as [`Fields::lines`]:
    /// field t - 3 or t + 3 replaces t - 1 or t + 1 if one of these is missing.
    pub fn evidence(&self, y: usize, start: isize, width: usize) -> Option<FieldLines<'a, u8>> {
        let [before, after] = self.beside?;
        let after = self.third.filter(|_| !self.is_between_fields).unwrap_or(after);
        let fields = [before, self.outer[0], self.outer[1], after];
        Some(lines(self.own.bytes, fields.map(|field| field.bytes), y, start, width))
    }

    /// Line `y` of field t - 3 or t + 3, for decisions; none if it is missing.
    pub fn third_row(&self, y: usize, start: isize, width: usize) -> Option<Row<'a, u8>> {
        self.third.map(|third| third.bytes.row(y as isize, start, width))
    }
}

/// The lines around missing line `y`. `fields` are t - 1, t - 2, t + 2 and t + 1.
fn lines<'a, S: Sample>(
    own: PlaneView<'a, S>,
    [before, older, newer, after]: [PlaneView<'a, S>; 4],
    y: usize,
    start: isize,
    width: usize,
) -> FieldLines<'a, S> {
    let row = |view: PlaneView<'a, S>, dy: isize| -> Row<'a, S> { view.row(y as isize + dy, start, width) };
    FieldLines {
        own: [-3, -1, 1, 3].map(|dy| row(own, dy)),
        before: [-4, -2, 0, 2, 4].map(|dy| row(before, dy)),
        after: [-4, -2, 0, 2, 4].map(|dy| row(after, dy)),
        older: [-1, 1].map(|dy| row(older, dy)),
        newer: [-1, 1].map(|dy| row(newer, dy)),
    }
}
