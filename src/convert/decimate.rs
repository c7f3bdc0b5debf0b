//! Decimation to the film rate: how often each picture is output, and when. Times are in quarters
//! of the duration of an input frame, which are half fields.
use std::collections::VecDeque;
use std::ops::Range;

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
    /// The pictures before a chunk, from which the number of its first output follows; none if it
    /// is known.
    phase: Option<Phase>,
}

/// A picture of film is output once if its end is within this distance of the end of that output:
/// one and a half fields, the smallest value for which all pulldown patterns in every phase have
/// one output per picture (unit tests). A lower value repeats or drops pictures of 2:2:2:4. A
/// higher value delays the correction after a change of pattern, and audio and video are out of
/// step for that time.
pub(super) const TOLERANCE: u64 = 6;

impl Decimator {
    /// A decimator to output frames of `duration`; 0 is a variable frame rate.
    pub fn new(duration: u64) -> Decimator {
        Decimator { duration, frames: 0, even: None, phase: None }
    }

    /// The same for a chunk that begins with field `border`, of a conversion that begins with field
    /// `origin`. `ratio` is that of the outputs to the input frames. Pictures before the chunk have
    /// no outputs, but set the phase.
    pub fn within(duration: u64, ratio: (u32, u32), origin: u64, border: u64) -> Decimator {
        let [outputs, frames] = [ratio.0, ratio.1].map(u64::from);
        let phase = Phase { origin, border, period: 2 * frames, outputs, pictures: VecDeque::new() };
        Decimator { phase: Some(phase), ..Decimator::new(duration) }
    }

    /// Duration of an output frame; none for a variable frame rate.
    pub fn duration(&self) -> Option<u64> {
        Some(self.duration).filter(|&duration| duration > 0)
    }

    /// The numbers of the outputs of a picture that is shown until field `end` (exclusive). They
    /// are none long before a chunk.
    pub fn numbers(&mut self, picture: Picture, end: u64) -> Range<u64> {
        if let Some(phase) = self.phase.as_mut().filter(|_| self.duration > 0) {
            phase.pictures.push_back(picture);
            if phase.origin + end + PHASE_FIELDS < phase.border {
                return 0..0;
            }
            self.frames = phase.number(picture.field, self.duration);
            self.phase = None;
        }
        let first = self.frames;
        first..first + self.count(picture, end)
    }

    /// The number of outputs of a picture that is shown until field `end` (exclusive).
    fn count(&mut self, picture: Picture, end: u64) -> u64 {
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
        if let Some(phase) = self.phase.as_mut().filter(|_| self.duration == 0) {
            phase.pictures.push_back(Picture { film: picture.uneven, field: picture.field - phase.origin, ..picture });
            if picture.field + PHASE_FIELDS >= phase.border {
                self.even = phase.time(picture.field - phase.origin).map(|time| (2 * phase.origin + time).saturating_sub(5));
                self.phase = None;
            }
        }
        let even = self.even.map(|last| last + 5).filter(|even| even.abs_diff(shown) <= 2);
        let time = even.filter(|_| picture.uneven).unwrap_or(shown);
        self.even = picture.uneven.then_some(time);
        time
    }
}

/// Fields before a chunk from which on pictures are counted, so that no output of the chunk is
/// before the first picture: the longest picture of a pattern has four.
const PHASE_FIELDS: u64 = 8;

/// Finds the number and the time of the first output of a chunk. Whether a picture of film is
/// output a little early or late depends on the phase of the pattern at the first frame of the
/// clip. The pattern before the chunk is assumed since then.
#[derive(Debug)]
struct Phase {
    /// The first field of the conversion, and of the chunk.
    origin: u64,
    border: u64,
    /// Fields after which the pattern repeats, and outputs in that time.
    period: u64,
    outputs: u64,
    /// The pictures so far, with fields from `origin` on.
    pictures: VecDeque<Picture>,
}

impl Phase {
    /// The fields with which pictures begin at the start of the conversion, if it has the pattern
    /// of the period up to `field`: those of three periods, after which the phase no longer
    /// changes, and the first one of the fourth that is a whole number of periods away from
    /// `field`. None if the period has no film.
    fn starts(&self, field: u64) -> Option<Vec<u64>> {
        let last = |picture: &&Picture| picture.field + self.period > field && picture.film;
        let mut starts: Vec<u64> = self.pictures.iter().filter(last).map(|picture| picture.field % self.period).collect();
        if starts.len() as u64 != self.outputs {
            return None;
        }
        starts.sort_unstable();
        let end = field % self.period + 3 * self.period;
        let all = (0..4).flat_map(|period| starts.iter().map(move |start| start + period * self.period));
        Some(std::iter::once(0).chain(all.filter(|&start| (1..=end).contains(&start))).collect())
    }

    /// The number of the first output of the picture that starts with `field`.
    fn number(&self, field: u64, duration: u64) -> u64 {
        let Some(starts) = self.starts(field) else { return (2 * field + duration / 2) / duration };
        let mut clip = Decimator::new(duration);
        for pair in starts.windows(2) {
            clip.count(Picture { field: pair[0], film: true, uneven: false }, pair[1]);
        }
        let outputs = self.outputs as i64 * self.fields_after(&starts, field) / self.period as i64;
        (clip.frames as i64 + outputs).max(0) as u64
    }

    /// The time of the picture that starts with `field`; none if times are not evened.
    fn time(&self, field: u64) -> Option<u64> {
        let starts = self.starts(field)?;
        let mut clip = Decimator::new(0);
        let times = starts.iter().map(|&field| clip.time(Picture { field, film: true, uneven: true }));
        u64::try_from(times.last()? as i64 + 2 * self.fields_after(&starts, field)).ok()
    }

    /// Fields from the last of `starts` to `field`: a whole number of periods.
    fn fields_after(&self, starts: &[u64], field: u64) -> i64 {
        field as i64 - starts.last().map_or(0, |&last| last as i64)
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

    /// A chunk continues the numbers of a clip with the same pattern, whatever the phase is.
    #[test]
    fn a_chunk_continues_the_pattern() {
        for pattern in [[2, 3, 2, 3], [2, 3, 3, 2], [2, 2, 2, 4]] {
            for offset in 0..10 {
                let mut starts = vec![0];
                let mut field = 10_i64 - offset;
                for fields in pattern.iter().cycle().take(200) {
                    field += fields;
                    if field > 10 {
                        starts.push(field as u64 - 10);
                    }
                }
                let pictures = |from: u64| starts.windows(2).filter(move |pair| pair[0] >= from).map(|pair| (pair[0], pair[1]));
                let mut whole = Decimator::new(5);
                let film = |field| Picture { field, film: true, uneven: false };
                let all: Vec<_> = pictures(0).map(|(field, end)| (field, whole.numbers(film(field), end))).collect();
                for frames in [20, 33, 57] {
                    let mut chunk = Decimator::within(5, (4, 5), 0, 2 * frames);
                    for (field, end) in pictures(2 * frames - 30) {
                        let numbers = chunk.numbers(film(field), end);
                        let expected = all.iter().find(|(start, _)| *start == field).unwrap().1.clone();
                        if end + PHASE_FIELDS >= 2 * frames {
                            assert_eq!(numbers, expected, "{pattern:?} from {offset}, picture {field} of chunk at {frames}");
                        } else {
                            assert!(numbers.is_empty());
                        }
                    }
                }
            }
        }
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
