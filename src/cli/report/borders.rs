//! Black borders around the picture of a clip.

use dndi::{ColorRange, Frame, Rect, Samples, Sampling};
use serde::Serialize;

/// Greatest mean of a line or column of a border above black, in code values of 8 bits. It is not
/// tuned: borders of tapes have a noise of a few code values.
const ABOVE_BLACK: u64 = 4;

/// Measures the lines and columns of successive frames.
#[derive(Debug, Default)]
pub struct Borders {
    /// The greatest sum of each line and of each column in any frame.
    lines: Vec<u64>,
    columns: Vec<u64>,
}

/// Widths of the borders in luma samples and lines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    pub left: usize,
    pub right: usize,
    pub top: usize,
    pub bottom: usize,
    /// Lines at the bottom with noise of switching heads, and the border below it.
    pub head_switching: usize,
    /// The value of `--crop` that removes them. Its sides lie between chroma samples, and between
    /// pairs of chroma lines of both fields.
    pub crop: String,
    /// The same as a rectangle.
    #[serde(skip)]
    pub rect: Rect,
}

impl Borders {
    /// Adds the luma of a frame.
    pub fn add(&mut self, frame: &Frame) {
        let format = frame.format();
        self.lines.resize(format.height, 0);
        self.columns.resize(format.width, 0);
        let mut columns = vec![0; format.width];
        let Some(plane) = frame.planes().first().copied() else { return };
        for (y, most) in self.lines.iter_mut().enumerate() {
            let samples = y * plane.stride..y * plane.stride + format.width;
            let line = match plane.samples {
                Samples::U8(bytes) => add_line(&bytes[samples], &mut columns),
                Samples::U16(words) => add_line(&words[samples], &mut columns),
            };
            *most = line.max(*most);
        }
        self.columns.iter_mut().zip(columns).for_each(|(most, column)| *most = column.max(*most));
    }

    /// The borders of the clip, with the lines at the bottom that switching heads damaged; none if
    /// there are none, or if all is black.
    pub fn found(&self, depth: u8, sampling: Sampling, range: ColorRange, head_switching: usize) -> Option<Found> {
        let (width, height) = (self.columns.len(), self.lines.len());
        let black = if range == ColorRange::Full { 0 } else { 16 };
        let limit = (black + ABOVE_BLACK) << (depth - 8);
        let edges = |sums: &[u64], count: usize| {
            let is_black = |sum: &&u64| **sum <= limit * count as u64;
            Some([sums.iter().take_while(is_black).count(), sums.iter().rev().take_while(is_black).count()])
                .filter(|[first, _]| *first < sums.len())
        };
        let ([left, right], [top, bottom]) = (edges(&self.columns, height)?, edges(&self.lines, width)?);
        if [left, right, top, bottom, head_switching] == [0; 5] {
            return None;
        }
        let (across, down) = match sampling {
            Sampling::C420 => (2, 4),
            Sampling::C422 => (2, 2),
            Sampling::C411 => (4, 2),
            _ => (1, 2),
        };
        let first = |border: usize, unit: usize| border.next_multiple_of(unit);
        let last = |size: usize, border: usize, unit: usize| (size - border) / unit * unit;
        let (x, y) = (first(left, across), first(top, down));
        let end = (
            if right == 0 { width } else { last(width, right, across) },
            match bottom.max(head_switching) {
                0 => height,
                lost => last(height, lost.min(height), down),
            },
        );
        let inside = Rect { x, y, width: end.0.checked_sub(x)?, height: end.1.checked_sub(y)? };
        let Rect { x, y, width, height } = inside;
        (width > 0 && height > 0).then(|| Found {
            left,
            right,
            top,
            bottom,
            head_switching,
            crop: format!("{x},{y},{width},{height}"),
            rect: inside,
        })
    }
}

/// Adds the samples of a line to the sums of the columns. Returns their sum.
fn add_line<T: Copy + Into<u64>>(line: &[T], columns: &mut [u64]) -> u64 {
    let mut sum = 0;
    for (&sample, column) in line.iter().zip(columns) {
        *column += sample.into();
        sum += sample.into();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use dndi::Format;

    /// The borders of frames with these rectangles (left, top, right, bottom) on black.
    fn found(sampling: Sampling, depth: u8, rectangles: &[[usize; 4]], head_switching: usize) -> Option<Found> {
        let format = Format::new(40, 32, sampling).with_depth(depth);
        let mut borders = Borders::default();
        for &[left, top, right, bottom] in rectangles {
            let value = |x: usize, y: usize| {
                if (left..right).contains(&x) && (top..bottom).contains(&y) { 120 } else { 17 + (x + y) % 5 }
            };
            let mut samples: Vec<usize> = (0..32).flat_map(|y| (0..40).map(move |x| value(x, y))).collect();
            samples.resize(format.samples(), 128);
            borders.add(&match depth {
                8 => Frame::from_vec(format, samples.into_iter().map(|sample| sample as u8).collect()),
                _ => Frame::from_vec_u16(format, samples.into_iter().map(|sample| (sample << (depth - 8)) as u16).collect()),
            });
        }
        borders.found(depth, sampling, ColorRange::Limited, head_switching)
    }

    #[test]
    fn borders_are_those_of_all_frames() {
        let [a, b] = [[3, 5, 36, 30], [3, 7, 33, 32]];
        let is = |left, right, top, bottom, head_switching, crop: &str| {
            let rect = crop.parse().unwrap();
            Some(Found { left, right, top, bottom, head_switching, crop: crop.to_owned(), rect })
        };
        assert_eq!(found(Sampling::C420, 8, &[a], 0), is(3, 4, 5, 2, 0, "4,8,32,20"));
        assert_eq!(found(Sampling::C420, 10, &[a, b], 0), is(3, 4, 5, 0, 0, "4,8,32,24"));
        assert_eq!(found(Sampling::C444, 16, &[b], 0), is(3, 7, 7, 0, 0, "3,8,30,24"));
        assert_eq!(found(Sampling::C420, 8, &[a], 10), is(3, 4, 5, 2, 10, "4,8,32,12"));
        assert_eq!(found(Sampling::C444, 8, &[[0, 0, 40, 32]], 6), is(0, 0, 0, 0, 6, "0,0,40,26"));
        assert_eq!(found(Sampling::Mono, 8, &[[0, 0, 40, 32]], 0), None);
        assert_eq!(found(Sampling::C422, 8, &[[0; 4]], 4), None, "all is black");
        assert_eq!(Borders::default().found(8, Sampling::C420, ColorRange::Limited, 0), None);
    }
}
