//! Which pictures leave, how often and when, where film is written at its own rate. Times are in half fields.

/// A picture: the fields that show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Its first field.
    pub field: u64,
    /// Whether it belongs to film.
    pub film: bool,
    /// Whether pictures of two and of three fields take turns.
    pub uneven: bool,
}

/// Keeps the frames that leave in step with the fields that are shown.
#[derive(Debug)]
pub struct Pace {
    /// How long a frame lasts; 0 where each picture leaves once, whenever it is shown.
    duration: u64,
    /// Frames so far.
    frames: u64,
    /// When the last picture was shown, whatever its fields, if another of its kind may follow evenly.
    even: Option<u64>,
}

/// A film's picture leaves once while this is not exceeded: a field and a half beyond what any cadence needs.
const TOLERANCE: u64 = 6;

impl Pace {
    /// For frames that last `duration`, or as long as their pictures if it is 0.
    pub fn new(duration: u64) -> Pace {
        Pace { duration, frames: 0, even: None }
    }

    /// Frames that left so far.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// How often a picture leaves that is shown until field `end`, excluded.
    pub fn count(&mut self, picture: Picture, end: u64) -> u64 {
        let count = if self.duration == 0 {
            1
        } else {
            let once = (self.frames + 1) * self.duration;
            let due = ((2 * end + self.duration / 2) / self.duration).saturating_sub(self.frames);
            // A single field is what a cut left of a picture.
            let whole = picture.film && end > picture.field + 1;
            if whole && once.abs_diff(2 * end) <= TOLERANCE { 1 } else { due }
        };
        self.frames += count;
        count
    }

    /// When a picture is shown: where two and three fields take turns, as if each lasted two and a half.
    pub fn time(&mut self, picture: Picture) -> u64 {
        let shown = 2 * picture.field;
        let even = self.even.map(|last| last + 5).filter(|even| even.abs_diff(shown) <= 2);
        let time = even.filter(|_| picture.uneven).unwrap_or(shown);
        self.even = picture.uneven.then_some(time);
        time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn film(fields: &[u64], duration: u64) -> Vec<u64> {
        let mut pace = Pace::new(duration);
        let mut field = 0;
        let count = |&fields: &u64| {
            field += fields;
            pace.count(Picture { field: field - fields, film: true, uneven: false }, field)
        };
        fields.iter().map(count).collect()
    }

    #[test]
    fn pictures_of_a_cadence_leave_once() {
        for cadence in [[2, 3, 2, 3], [3, 2, 3, 2], [2, 3, 3, 2], [2, 2, 2, 4], [4, 2, 2, 2]] {
            assert_eq!(film(&cadence.repeat(50), 5), [1; 200], "{cadence:?}");
        }
        assert_eq!(film(&[2; 100], 4), [1; 100]);
        assert_eq!(film(&[[1].as_slice(), &[2; 38], &[1]].concat(), 4).iter().sum::<u64>(), 39);
    }

    #[test]
    fn other_material_keeps_the_time() {
        assert_eq!(film(&[1; 1000], 5).iter().sum::<u64>(), 400);
        assert_eq!(film(&[2; 1000], 5).iter().sum::<u64>().abs_diff(800), 1);
        let mixed = [[2, 3].repeat(20), vec![1; 101], [3, 2].repeat(20), vec![50]].concat();
        assert_eq!(film(&mixed, 5).iter().sum::<u64>(), mixed.iter().sum::<u64>() * 2 / 5);
        assert_eq!(film(&[1, 10, 1], 2), [1, 10, 1]);
    }

    #[test]
    fn times_of_film_are_even() {
        let mut pace = Pace::new(0);
        let mut time = |field, uneven| pace.time(Picture { field, film: true, uneven });
        assert_eq!([0, 2, 5, 7, 10].map(|field| time(field, true)), [0, 5, 10, 15, 20]);
        assert_eq!([12, 13, 14].map(|field| time(field, false)), [24, 26, 28]);
        assert_eq!([15, 18, 20, 30].map(|field| time(field, true)), [30, 35, 40, 60]);
        // Not after a gap, nor after other material.
        assert_eq!([34, 36].map(|field| time(field, true)), [68, 73]);
        assert_eq!([(40, true), (42, false), (45, true)].map(|(field, uneven)| time(field, uneven)), [78, 84, 90]);
    }
}
