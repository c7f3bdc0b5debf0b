//! Noise of switching heads: the lowest lines of captures of VHS, which are torn and noisy.

use dndi::{Frame, PlaneRef, Samples};
use std::ops::Range;

/// The most lines of a field that heads damage. They damage up to 12 lines of the frame.
const MOST: usize = 8;
/// Lines of a field above them that show the picture.
const ABOVE: usize = 16;
/// Lines of a field below them that may be a border.
const BORDER: usize = 12;
/// Lines at the bottom of a field that are measured.
const LINES: usize = ABOVE + MOST + BORDER;
/// The greatest range of the samples of a line of a border, in code values of 8 bits.
const FLAT: u64 = 16;
/// A damaged line differs from that above it this many times as much as the lines of the picture
/// do, and from that of the frame before this many times, in hundredths; and by two code values of
/// 8 bits more. Tuned on the corpus with 66 seeded faults: with 200 and 150 only 43 are found, with
/// these 51, and none in clean clips.
const SPATIAL: u64 = 150;
const TEMPORAL: u64 = 120;
const MORE: u64 = 2;
/// The least share of fields with damage in a clip that has it, in percent, and their least number.
const SHARE: usize = 60;
const LEAST_FIELDS: usize = 8;

/// Measures the lowest lines of frames.
#[derive(Debug, Default)]
pub struct HeadSwitching {
    /// The number of fields by the number of their damaged lines, with those of a border below.
    fields: [usize; MOST + BORDER + 1],
}

/// The lines of a field, against those before them.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// The sum of absolute differences to the line above in the same field.
    spatial: u64,
    /// That to the same line of the frame before.
    temporal: u64,
    is_flat: bool,
}

impl HeadSwitching {
    /// Adds a frame. `before` is the frame before it. Frames of less than 74 lines have no effect.
    pub fn add(&mut self, before: &Frame, frame: &Frame) {
        let format = frame.format();
        if before.format() != format || format.height < 2 * (LINES + 1) || format.width == 0 {
            return;
        }
        let [Some(before), Some(now)] = [before, frame].map(|frame| frame.planes().first().copied()) else { return };
        let one = (format.width as u64) << (format.depth.clamp(8, 16) - 8);
        for field in 0..2 {
            let first = format.height - 2 * LINES + field;
            let lines = std::array::from_fn(|k| {
                let y = first + 2 * k;
                let [line, above] = [y, y - 2].map(|y| range(y, now, format.width));
                let (low, high) = bounds(now.samples, line.clone());
                Line {
                    spatial: distance([now.samples; 2], [line.clone(), above]),
                    temporal: distance([now.samples, before.samples], [line.clone(), line]),
                    is_flat: (high - low) * format.width as u64 <= FLAT * one,
                }
            });
            self.fields[damaged(&lines, one)] += 1;
        }
    }

    /// The number of damaged lines of the frame at its bottom, with those of a border below; 0 if
    /// there are none. Nine of ten fields with damage have at most these.
    pub fn lines(&self) -> usize {
        let all: usize = self.fields.iter().sum();
        let with = all - self.fields[0];
        if all < LEAST_FIELDS || 100 * with < SHARE * all {
            return 0;
        }
        let mut count = 0;
        let most = (1..self.fields.len()).find(|&lines| {
            count += self.fields[lines];
            10 * count >= 9 * with
        });
        2 * most.unwrap_or(0)
    }
}

/// The number of damaged lines of a field, with those of a border below. `one` is the sum of a line
/// with a difference of one code value of 8 bits.
fn damaged(lines: &[Line; LINES], one: u64) -> usize {
    let border = lines.iter().rev().take(BORDER).take_while(|line| line.is_flat).count();
    let end = LINES - border;
    let starts = (end - MOST..end - 1).find(|&start| {
        let picture = &lines[start - ABOVE..start];
        let median = |value: fn(&Line) -> u64| {
            let mut values: [u64; ABOVE] = std::array::from_fn(|k| value(&picture[k]));
            values.sort_unstable();
            values[ABOVE / 2]
        };
        let (spatial, temporal) = (median(|line| line.spatial), median(|line| line.temporal));
        let is_damaged = |line: &Line| {
            100 * line.spatial >= SPATIAL * spatial + 100 * MORE * one
                && 100 * line.temporal >= TEMPORAL * temporal + 100 * MORE * one
        };
        let region = &lines[start..end];
        let whole = region.iter().filter(|line| !is_damaged(line)).count();
        is_damaged(&region[0]) && is_damaged(&region[region.len() - 1]) && whole <= 1
    });
    starts.map_or(0, |start| LINES - start)
}

fn range(y: usize, plane: PlaneRef, width: usize) -> Range<usize> {
    y * plane.stride..y * plane.stride + width
}

/// The least and the greatest of some samples.
fn bounds(samples: Samples, range: Range<usize>) -> (u64, u64) {
    fn of<T: Copy + Into<u64>>(samples: &[T]) -> (u64, u64) {
        let values = samples.iter().map(|&sample| sample.into());
        values.fold((u64::MAX, 0), |(low, high), value| (low.min(value), high.max(value)))
    }
    match samples {
        Samples::U8(bytes) => of(&bytes[range]),
        Samples::U16(words) => of(&words[range]),
    }
}

/// The sum of the absolute differences of samples.
fn distance([a, b]: [Samples; 2], [of_a, of_b]: [Range<usize>; 2]) -> u64 {
    fn of<T: Copy + Into<u64>>(a: &[T], b: &[T]) -> u64 {
        a.iter().zip(b).map(|(&a, &b)| a.into().abs_diff(b.into())).sum()
    }
    match (a, b) {
        (Samples::U8(a), Samples::U8(b)) => of(&a[of_a], &b[of_b]),
        (Samples::U16(a), Samples::U16(b)) => of(&a[of_a], &b[of_b]),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: u64 = 100;

    /// Lines of a picture with differences of 2, of which the last ones above a border differ by
    /// these hundredths of a code value.
    fn field(lost: usize, spatial: u64, temporal: u64, border: usize) -> [Line; LINES] {
        std::array::from_fn(|k| match LINES - k {
            below if below <= border => Line { is_flat: true, ..Line::default() },
            below if below <= border + lost => Line { spatial, temporal, is_flat: false },
            _ => Line { spatial: 200, temporal: 200, is_flat: false },
        })
    }

    #[test]
    fn damaged_lines_differ_more_than_the_picture() {
        // 1.5 and 1.2 times 2, and 2 more.
        assert_eq!(damaged(&field(5, 500, 440, 0), ONE), 5);
        assert_eq!(damaged(&field(5, 499, 440, 0), ONE), 0);
        assert_eq!(damaged(&field(5, 500, 439, 0), ONE), 0);
        assert_eq!([1, 2, 8, 9].map(|lost| damaged(&field(lost, 900, 900, 0), ONE)), [0, 2, 8, 8]);
        assert_eq!([1, 12, 13].map(|border| damaged(&field(4, 900, 900, border), ONE)), [5, 16, 0]);
        let mut lines = field(6, 900, 900, 0);
        lines[LINES - 3].spatial = 200;
        assert_eq!(damaged(&lines, ONE), 6, "one line may be like the picture");
        lines[LINES - 4].spatial = 200;
        assert_eq!(damaged(&lines, ONE), 2, "two are the picture");
    }

    #[test]
    fn most_fields_have_the_damage() {
        let lines = |fields: &[(usize, usize)]| {
            let mut heads = HeadSwitching::default();
            fields.iter().for_each(|&(lines, count)| heads.fields[lines] = count);
            heads.lines()
        };
        assert_eq!(lines(&[(0, 4), (5, 6)]), 10);
        assert_eq!(lines(&[(0, 5), (5, 6)]), 0, "55 %");
        assert_eq!(lines(&[(5, 7)]), 0, "seven fields");
        assert_eq!(lines(&[(4, 60), (5, 30), (8, 10)]), 10);
        assert_eq!(lines(&[(4, 60), (5, 29), (8, 11)]), 16);
        assert_eq!(lines(&[]), 0);
    }
}
