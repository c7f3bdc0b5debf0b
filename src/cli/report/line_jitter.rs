//! Jitter of lines: errors of the time base of a tape, which move each line to the left or right.

use dndi::{Frame, Samples};

/// Samples each way in which a line is searched in that above it.
const REACH: usize = 12;
/// The steps from the best place to those beside it must add up to this, in code values of 8 bits
/// in the mean: flat lines have no place.
const CURVE: f64 = 1.0;
/// The least number of runs of three lines with a place.
const LEAST_RUNS: u64 = 150;
/// The least standard deviation that is reported, in samples. Clips of the corpus without jitter
/// and without noise have up to 0.24.
const LEAST: f64 = 0.3;
/// The variance must be this many times its standard error: the places of noisy lines vary by
/// chance.
const ERRORS: f64 = 4.0;

/// Measures how lines of a field lie beside those above them.
///
/// Jitter of its own in each line moves it against both neighbours, in opposite directions: the
/// product of the distances of successive lines has a mean of minus the variance of the jitter.
/// Slanted edges move lines in one direction. They add the same to that product and to the product
/// of distances that are two lines apart, so that the difference is the variance of the jitter.
#[derive(Debug, Default)]
pub struct LineJitter {
    runs: u64,
    /// The sum of the differences of the products, and that of their squares.
    sums: [f64; 2],
}

impl LineJitter {
    /// Adds the luma of a frame.
    pub fn add(&mut self, frame: &Frame) {
        let format = frame.format();
        let Some(plane) = frame.planes().first().copied() else { return };
        if format.width < 8 * REACH {
            return;
        }
        let one = f64::from(1u32 << (format.depth.clamp(8, 16) - 8));
        let place = |y: usize| {
            let [line, above] = [y, y - 2].map(|y| y * plane.stride..y * plane.stride + format.width);
            match plane.samples {
                Samples::U8(bytes) => place(&bytes[line], &bytes[above], one),
                Samples::U16(words) => place(&words[line], &words[above], one),
            }
        };
        let mut before = [[None; 2]; 2];
        for y in 2..format.height {
            let now = place(y);
            let [first, second] = before[y % 2];
            if let (Some(first), Some(second), Some(third)) = (first, second, now) {
                let difference = first * third - 0.5 * second * (first + third);
                self.runs += 1;
                self.sums[0] += difference;
                self.sums[1] += difference * difference;
            }
            before[y % 2] = [second, now];
        }
    }

    /// The standard deviation of the jitter in samples, to tenths; none if there is none.
    pub fn found(&self) -> Option<f64> {
        let runs = self.runs.max(1) as f64;
        let [variance, squares] = self.sums.map(|sum| sum / runs);
        let error = ((squares - variance * variance).max(0.0) / runs).sqrt();
        let is_certain = self.runs >= LEAST_RUNS && variance >= ERRORS * error;
        let deviation = variance.max(0.0).sqrt();
        (is_certain && deviation >= LEAST).then(|| (10.0 * deviation).round() / 10.0)
    }
}

/// How far a line lies to the right of that above it, in samples; none if the line is flat, or
/// beyond reach.
fn place<T: Copy + Into<u32>>(line: &[T], above: &[T], one: f64) -> Option<f64> {
    let inner = line.len() - 2 * REACH;
    let above = &above[REACH..][..inner];
    let cost: [u64; 2 * REACH + 1] = std::array::from_fn(|k| {
        let differences = line[k..][..inner].iter().zip(above).map(|(&a, &b)| a.into().abs_diff(b.into()));
        differences.map(u64::from).sum()
    });
    let best = (1..2 * REACH).min_by_key(|&k| cost[k])?;
    let [left, least, right] = [best - 1, best, best + 1].map(|k| cost[k] as f64 / (one * inner as f64));
    let curve = left - 2.0 * least + right;
    // A best place at the end of the reach has a lower cost beside it.
    let is_least = left >= least && right >= least;
    (is_least && curve > CURVE).then(|| best as f64 - REACH as f64 + 0.5 * (left - right) / curve)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dndi::{Format, Sampling};

    /// A frame of waves whose lines are moved by these samples, and slanted by so many a line.
    fn frame(depth: u8, distance: impl Fn(usize) -> f64, slant: f64) -> Frame {
        let format = Format::new(200, 120, Sampling::Mono).with_depth(depth);
        let value = |x: usize, y: usize| {
            let at = x as f64 - distance(y) - slant * y as f64;
            (120.0 + 60.0 * (at / 9.0).sin() + 30.0 * (at / 31.0).cos()) * f64::from(1u32 << (depth - 8))
        };
        let samples = (0..120).flat_map(|y| (0..200).map(move |x| (x, y))).map(|(x, y)| value(x, y).round());
        match depth {
            8 => Frame::from_vec(format, samples.map(|value| value as u8).collect()),
            _ => Frame::from_vec_u16(format, samples.map(|value| value as u16).collect()),
        }
    }

    fn found(depth: u8, frames: usize, distance: impl Fn(usize) -> f64, slant: f64) -> Option<f64> {
        let mut jitter = LineJitter::default();
        (0..frames).for_each(|_| jitter.add(&frame(depth, &distance, slant)));
        jitter.found()
    }

    /// Distances with a standard deviation of 1, one for each line.
    fn random(y: usize) -> f64 {
        let word = (y as u32 + 1).wrapping_mul(0x9e37_79b9);
        let unit = f64::from((word ^ (word >> 15)).wrapping_mul(0x85eb_ca6b) >> 8) / f64::from(1 << 24);
        (unit - 0.5) * 12f64.sqrt()
    }

    #[test]
    fn jitter_is_its_standard_deviation() {
        for depth in [8, 10, 16] {
            for sigma in [0.6, 1.0, 2.0] {
                let jitter = found(depth, 3, |y| sigma * random(y), 0.0).expect("jitter");
                assert!((jitter - sigma).abs() <= 0.25 * sigma, "{depth} bits: {jitter} for {sigma}");
            }
        }
        assert_eq!(found(8, 3, |y| 0.1 * random(y), 0.0), None, "too little");
        assert_eq!(found(8, 1, random, 0.0), found(16, 1, random, 0.0));
    }

    #[test]
    fn pictures_have_none() {
        for slant in [0.0, 0.4, -2.5] {
            assert_eq!(found(8, 3, |_| 0.0, slant), None);
        }
        let mut flat = LineJitter::default();
        (0..9).for_each(|_| flat.add(&Frame::new(Format::new(200, 120, Sampling::C420))));
        for (width, height) in [(0, 0), (1, 1), (95, 40), (96, 1), (200, 2)] {
            flat.add(&Frame::new(Format::new(width, height, Sampling::C420)));
        }
        assert_eq!(flat.found(), None);
    }
}
