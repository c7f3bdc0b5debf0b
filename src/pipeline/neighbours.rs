//! The frames around the one whose fields are completed (§14.1).
use super::picture::Picture;
use crate::deinterlace::fields::Fields;
use crate::field_match::FieldMatch;
use crate::frame::PlaneSample;
use crate::plane::{LumaView, PaddedPlane};

/// Positions of the frames in [`Neighbours::pictures`].
const OLDER: usize = 0;
const FRAME: usize = 1;
const NEWER: usize = 2;

/// A plane of the older frame, of the frame and of the newer one.
pub(super) type Views<'a, S> = [LumaView<'a, S>; 3];

/// The frame whose fields are completed and its neighbours.
pub(super) struct Neighbours<'a, S> {
    pub older: Option<&'a Picture<S>>,
    pub frame: &'a Picture<S>,
    pub newer: Option<&'a Picture<S>>,
}

impl<S> Clone for Neighbours<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Neighbours<'_, S> {}

impl<'a, S: PlaneSample> Neighbours<'a, S> {
    /// The frames in order. The frame itself replaces those that do not exist; no field reads it in
    /// their place.
    fn pictures(self) -> [&'a Picture<S>; 3] {
        [self.older.unwrap_or(self.frame), self.frame, self.newer.unwrap_or(self.frame)]
    }

    /// Plane `index` of the frames with all bits.
    pub fn planes(self, index: usize) -> [&'a PaddedPlane<S>; 3] {
        self.pictures().map(|picture| picture.plane(index))
    }

    /// Plane `index` of the frames with all bits and with 8, if these are kept.
    pub fn views(self, index: usize) -> Views<'a, S> {
        self.pictures().map(|picture| picture.fields(index))
    }

    /// The frames that hold the fields t - 1 and t + 1, or none where the clip or the shot has no
    /// such field; t is the second field of the frame, or the first one.
    fn beside(self, second: bool) -> [Option<usize>; 2] {
        let own = (!self.frame.cuts[1]).then_some(FRAME);
        let older = self.older.filter(|_| !self.frame.cuts[0]).map(|_| OLDER);
        let newer = self.newer.filter(|frame| !frame.cuts[0]).map(|_| NEWER);
        if second { [own, newer] } else { [older, own] }
    }

    /// The frames that hold the fields t - 1, t + 1, t - 2 and t + 2, or none where the clip or the
    /// shot has no such field.
    pub fn scene(self, second: bool) -> [Option<usize>; 4] {
        let beside = self.beside(second);
        let [older, newer] = [beside[0].and(self.older), beside[1].and(self.newer)];
        // A cut also separates t ± 2 if it is on the far side of t ± 1.
        let older = older.filter(|older| !if second { self.frame.cuts[0] } else { older.cuts[1] });
        let newer = newer.filter(|newer| !newer.cuts[usize::from(second)]);
        [beside[0], beside[1], older.map(|_| OLDER), newer.map(|_| NEWER)]
    }

    /// The fields around a field (§14.1) in a plane of the frames.
    pub fn fields<'v>(self, second: bool, views: &Views<'v, S>) -> Fields<'v, S> {
        let [before, after, older, newer] = self.scene(second).map(|frame| frame.map(|frame| views[frame]));
        let own = views[FRAME];
        let beside = match [before, after] {
            [Some(before), Some(after)] => Some([before, after]),
            [Some(one), None] | [None, Some(one)] => Some([one; 2]),
            [None, None] => None,
        };
        let is_between_fields = before.is_some() && after.is_some();
        let third =
            if second { older.filter(|_| !self.is_cut_inside(OLDER)) } else { newer.filter(|_| !self.is_cut_inside(NEWER)) };
        Fields { own, beside, is_between_fields, outer: [older, newer].map(|frame| frame.unwrap_or(own)), third }
    }

    /// Whether a scene cut separates the fields of a frame.
    fn is_cut_inside(self, frame: usize) -> bool {
        self.pictures()[frame].cuts[1]
    }

    /// The changes of the cells of the luma between the fields t - 1 and t + 1, t - 2 and t, and t
    /// and t + 2 (§14.4); none if field t - 1 or t + 1 is missing, and for a pair of which a field
    /// is missing.
    pub fn changes(self, second: bool, top_first: bool) -> Option<[Option<&'a [u32]>; 3]> {
        let [Some(_), Some(_), older, newer] = self.scene(second) else { return None };
        let own = usize::from(second == top_first);
        let newer_frame = self.newer.unwrap_or(self.frame);
        let between = if second { newer_frame } else { self.frame };
        let before = older.map(|_| self.frame.changes.of_lines(own));
        let after = newer.map(|_| newer_frame.changes.of_lines(own));
        Some([Some(between.changes.of_lines(1 - own)), before, after])
    }

    /// The frame that a field match weaves from; none if the field is completed.
    pub fn woven(self, second: bool, field_match: FieldMatch) -> Option<&'a Picture<S>> {
        match (field_match, second) {
            (FieldMatch::Deinterlace, _) => None,
            (FieldMatch::Previous, true) | (FieldMatch::Next, false) => Some(self.frame),
            (FieldMatch::Previous, false) => self.older,
            (FieldMatch::Next, true) => self.newer,
        }
    }
}
