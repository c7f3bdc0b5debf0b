//! Float addresses of `sample_8x8` messages that stand for the exact positions of a scaled frame (§5.1).
//!
//! A message says where its first pixel lies and how far the next one is, in 32-bit floats of the surface's size. Its pixels fall into
//! the phases 32·p + 1/64 rounded down; the phases that the frame needs are known, so a line through them is found that stays within all
//! of them, also once it is rounded.
use crate::scale::{Addresses, Position, addressed};

/// Address of a message's first pixel, and the distance to the next.
pub(super) type Line = [f32; 2];

/// What the positions of one direction are to become.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    /// Positions of the whole frame.
    pub positions: &'a [Position],
    /// Source samples an output sample.
    pub step: f64,
    /// Samples of the surface.
    pub size: usize,
    pub nearest: bool,
    /// Pixels on each side of a message that count, too.
    pub around: usize,
}

impl Wanted<'_> {
    /// Addresses of each run of `count` pixels; none where floats cannot say it.
    pub fn lines(&self, count: usize) -> Option<Vec<Line>> {
        (0..self.positions.len()).step_by(count).map(|first| self.line(first, count)).collect()
    }

    fn line(&self, first: usize, count: usize) -> Option<Line> {
        let slope = 32.0 * self.step;
        let (size, around) = (32.0 * self.size as f64, self.around as i64);
        let last = self.positions.len() as i64;
        // The value at the first pixel, as each of the others allows it.
        let (mut least, mut most) = (f64::MIN, f64::MAX);
        for x in -around..count as i64 + around {
            let place = first as i64 + x;
            let (low, high) = match place {
                _ if around > 0 && place < 0 => (f64::MIN, -16.0),
                _ if around > 0 && place >= last => (size - 16.0, f64::MAX),
                _ if !(0..last).contains(&place) => continue,
                _ => {
                    let Position { index, phase } = self.positions[place as usize];
                    let q = 32.0 * f64::from(index) + f64::from(phase);
                    if self.nearest { (q - 16.0, q + 16.0) } else { (q, q + 1.0) }
                }
            };
            least = least.max(low - slope * x as f64);
            most = most.min(high - slope * x as f64);
        }
        // Halfway it is farthest from rounding the wrong way; else nearer to either end.
        let line = |share: f64| {
            let phases = least + share * (most - least);
            [((phases - 1.0 / 64.0) / 32.0 + 0.5) / self.size as f64, self.step / self.size as f64].map(|v| v as f32)
        };
        // And of the floats beside those.
        let beside = |ulps: i32| move |v: f32| f32::from_bits(v.to_bits().wrapping_add_signed(ulps));
        let ulps = (0..25).map(|n: i32| [n / 5, n % 5].map(|n| (n + 1) / 2 * if n % 2 == 0 { 1 } else { -1 }));
        let near = ulps.flat_map(|[start, delta]| [0.5, 0.3, 0.7, 0.15, 0.85, 0.02, 0.98].map(|share| (share, start, delta)));
        let mut lines = near.map(|(share, start, delta)| {
            let [first, step] = line(share);
            [beside(start)(first), beside(delta)(step)]
        });
        lines.find(|line| self.holds(*line, first, count))
    }

    /// Whether a message with these addresses has the positions that are wanted.
    fn holds(&self, [start, delta]: Line, first: usize, count: usize) -> bool {
        let (last, around) = (self.positions.len() as i64 - 1, self.around as i64);
        let samples = -around..count as i64 + around;
        let found = addressed(Addresses { start, delta, second: 0.0 }, self.size, self.nearest, samples.clone());
        samples.zip(found).all(|(x, (position, inside))| {
            let place = first as i64 + x;
            let exists = (0..=last).contains(&place);
            if !exists {
                return around == 0 || !inside;
            }
            position == self.positions[place as usize] && (around == 0 || inside)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(source: usize, target: usize) -> Vec<Position> {
        let (source, target) = (source as i64, target as i64);
        let q = |x: i64| (16 * ((2 * x + 1) * source - target)).div_euclid(target);
        (0..target).map(|x| Position { index: q(x).div_euclid(32) as i32, phase: q(x).rem_euclid(32) as u8 }).collect()
    }

    /// Any usual ratio can be said.
    #[test]
    fn positions_are_met() {
        let sizes = [1, 2, 3, 5, 16, 21, 48, 75, 100, 128, 352, 480, 576, 720, 1080, 1280, 1920, 3840, 4095, 8191, 8192];
        let mut missed = vec![];
        for (source, target) in sizes.into_iter().flat_map(|source| sizes.map(|target| (source, target))) {
            if source >= 16 * target {
                continue;
            }
            let positions = positions(source, target);
            for around in [0, 2] {
                let step = source as f64 / target as f64;
                let wanted = Wanted { positions: &positions, step, size: source, nearest: false, around };
                if wanted.lines(16).is_none() || wanted.lines(4).is_none() {
                    missed.push((source, target, around));
                }
            }
        }
        // What is missed needs phases a few millionths apart.
        assert!(missed.iter().all(|&(source, target, _)| source == 8191 || target == 8191), "{missed:?}");
    }
}
