//! Decimation to the film rate: how often each picture is output, and when. Times are in quarters
//! of the duration of an input frame, which are half fields.

/// A picture of telecined film, or a field or frame of other material: the fields that show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Picture {
    /// Its first field.
    pub field: u64,
    /// Whether it is a picture of film whose rate is the output rate.
    pub film: bool,
    /// Whether pictures of two and three fields alternate (3:2, 3:2:2:3).
    pub uneven: bool,
}

/// Keeps the output frames in step with the fields of the input.
#[derive(Debug)]
pub(super) struct Decimator {
    /// Duration of an output frame. 0 is a variable frame rate: each picture is output once.
    duration: u64,
    /// Frames that were output.
    frames: u64,
    /// The time of the last picture if it is uneven.
    even: Option<u64>,
}

/// A picture of film is output once if its end is within this distance of the end of that output:
/// one and a half fields, the smallest value for which all pulldown patterns in every phase have
/// one output per picture (unit tests). A lower value repeats or drops pictures of 2:2:2:4. A
/// higher value delays the correction after a change of pattern, and audio and video are out of
/// step for that time.
const TOLERANCE: u64 = 6;

impl Decimator {
    /// A decimator to output frames of `duration`; 0 is a variable frame rate.
    pub fn new(duration: u64) -> Decimator {
        Decimator { duration, frames: 0, even: None }
    }

    /// Frames that were output.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Duration of an output frame; none for a variable frame rate.
    pub fn duration(&self) -> Option<u64> {
        Some(self.duration).filter(|&duration| duration > 0)
    }

    /// The number of outputs of a picture that is shown until field `end` (exclusive).
    pub fn count(&mut self, picture: Picture, end: u64) -> u64 {
        let count = if self.duration == 0 {
            1
        } else {
            let once = (self.frames + 1) * self.duration;
            let due = ((2 * end + self.duration / 2) / self.duration).saturating_sub(self.frames);
            // A picture of a single field was cut off at an edit.
            let complete = picture.film && end > picture.field + 1;
            if complete && once.abs_diff(2 * end) <= TOLERANCE { 1 } else { due }
        };
        self.frames += count;
        count
    }

    /// The time of a picture. Uneven pictures last two and a half fields each.
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
        let mut decimator = Decimator::new(duration);
        let mut field = 0;
        let count = |&fields: &u64| {
            field += fields;
            decimator.count(Picture { field: field - fields, film: true, uneven: false }, field)
        };
        fields.iter().map(count).collect()
    }

    #[test]
    fn pictures_of_a_pattern_are_output_once() {
        for pattern in [[2, 3, 2, 3], [3, 2, 3, 2], [2, 3, 3, 2], [2, 2, 2, 4], [4, 2, 2, 2]] {
            assert_eq!(film(&pattern.repeat(50), 5), [1; 200], "{pattern:?}");
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
        let mut decimator = Decimator::new(0);
        let mut time = |field, uneven| decimator.time(Picture { field, film: true, uneven });
        assert_eq!([0, 2, 5, 7, 10].map(|field| time(field, true)), [0, 5, 10, 15, 20]);
        assert_eq!([12, 13, 14].map(|field| time(field, false)), [24, 26, 28]);
        assert_eq!([15, 18, 20, 30].map(|field| time(field, true)), [30, 35, 40, 60]);
        // Times are not evened after a gap or after other material.
        assert_eq!([34, 36].map(|field| time(field, true)), [68, 73]);
        assert_eq!([(40, true), (42, false), (45, true)].map(|(field, uneven)| time(field, uneven)), [78, 84, 90]);
    }
}
