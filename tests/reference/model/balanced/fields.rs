//! §14.1: the fields of a plane, and those that an output reads.

use super::super::picture::Plane;

/// The fields of a plane of a clip, in order of time.
pub struct Fields<'a> {
    frames: Vec<&'a Plane>,
    /// Parity of the first field of each frame.
    first: i32,
}

impl<'a> Fields<'a> {
    pub fn new(frames: Vec<&'a Plane>, first: i32) -> Fields<'a> {
        Fields { frames, first }
    }

    pub fn count(&self) -> i32 {
        2 * self.frames.len() as i32
    }

    /// Whether the clip contains field t.
    pub fn has(&self, t: i32) -> bool {
        (0..self.count()).contains(&t)
    }

    /// Whether the clip contains field `other` and no scene cut lies between it and field t.
    /// `cuts[t]`: one lies between fields t - 1 and t.
    pub fn in_scene(&self, t: i32, other: i32, cuts: &[bool]) -> bool {
        let cut = |after: i32| cuts[after as usize];
        self.has(other) && !(t.min(other) + 1..=t.max(other)).any(cut)
    }

    /// The parity of the lines of field t.
    pub fn parity(&self, t: i32) -> i32 {
        (t & 1) ^ self.first
    }

    /// The frame of field t.
    pub fn frame(&self, t: i32) -> &'a Plane {
        self.frames[(t >> 1) as usize]
    }

    /// F(t, y, x), clamped. Line y belongs to the field.
    pub fn at(&self, t: i32, x: i32, y: i32) -> i32 {
        assert_eq!(y & 1, self.parity(t), "line {y} is not of field {t}");
        self.frame(t).at(x, y)
    }
}

/// The fields around field t, with replacements for missing ones.
pub struct View<'a> {
    fields: &'a Fields<'a>,
    /// The fields used as t - 2 to t + 2.
    used: [i32; 5],
    /// Whether t - 1 and t + 1 are there.
    beside: [bool; 2],
    /// The third field, unless it is missing.
    third: Option<i32>,
    /// Low bits that a read drops (§14.5).
    dropped: u32,
}

impl<'a> View<'a> {
    /// `cuts[t]`: a scene cut lies between fields t - 1 and t.
    pub fn new(fields: &'a Fields<'a>, t: i32, cuts: &[bool]) -> View<'a> {
        let available = |other: i32| fields.in_scene(t, other, cuts);
        let or = |field: i32, replacement: i32| if available(field) { field } else { replacement };
        let used = [or(t - 2, t), or(t - 1, t + 1), t, or(t + 1, t - 1), or(t + 2, t)];
        let third = if t & 1 == 1 { t - 3 } else { t + 3 };
        let third = available(third).then_some(third);
        View { fields, used, beside: [t - 1, t + 1].map(available), third, dropped: 0 }
    }

    /// Whether t - 1 and t + 1 are missing.
    pub fn is_alone(&self) -> bool {
        self.beside == [false; 2]
    }

    /// Whether t - 1 and t + 1 are both there.
    pub fn is_between(&self) -> bool {
        self.beside == [true; 2]
    }

    pub fn has_third(&self) -> bool {
        self.third.is_some()
    }

    /// Width and height of the plane.
    pub fn size(&self) -> (i32, i32) {
        let frame = self.fields.frame(0);
        (frame.width, frame.height)
    }

    /// Whether field t has line y.
    pub fn has_line(&self, y: i32) -> bool {
        y & 1 == self.fields.parity(self.used[2])
    }

    /// §14.4: the fields of inputs 17 to 20, in which the third field replaces t - 1 or t + 1.
    pub fn evidence(&self) -> View<'a> {
        let [before, after] = self.beside;
        let or_third = |is_there: bool, used: i32| if is_there { used } else { self.third.unwrap_or(used) };
        let [far_before, t1, t, t2, far_after] = self.used;
        View { used: [far_before, or_third(before, t1), t, or_third(after, t2), far_after], ..*self }
    }

    pub fn depth(&self) -> u32 {
        self.fields.frame(0).depth
    }

    /// The 8 most significant bits of each sample.
    pub fn reduced(&self) -> View<'a> {
        View { dropped: self.depth() - 8, ..*self }
    }

    /// F(t + k, y, x), or the sample of its replacement.
    pub fn at(&self, k: i32, x: i32, y: i32) -> i32 {
        self.fields.at(self.used[(k + 2) as usize], x, y) >> self.dropped
    }

    /// The sample of the third field, which is there.
    pub fn third(&self, x: i32, y: i32) -> i32 {
        self.fields.at(self.third.expect("a third field"), x, y) >> self.dropped
    }
}
