//! Source positions of output samples in one direction, exact until truncated to 1/32 of a sample
//! (§5.1).
use crate::format::{ChromaLocation, Sampling};
use crate::memory::{OutOfMemory, collected};
use dndi_simd::Tap;

impl ChromaLocation {
    /// Distances of a chroma sample from its first luma sample, to the right and down, in half luma
    /// samples.
    pub(super) fn offsets(self, sampling: Sampling) -> (u32, u32) {
        let (across, down) = steps(sampling);
        match self {
            ChromaLocation::Left => (0, down - 1),
            ChromaLocation::Center => (across - 1, down - 1),
            ChromaLocation::TopLeft => (0, 0),
        }
    }
}

/// Positions of `samples` by their float addresses in a plane of `size` samples (§5.1), and whether
/// each lies inside the plane.
#[cfg(feature = "gen6")]
pub(crate) fn addressed(
    addresses: Addresses,
    size: usize,
    nearest: bool,
    samples: std::ops::Range<i64>,
) -> Vec<(Position, bool)> {
    let (grid, end) = (Grid { step: 1, offset: 0 }, 32.0 * size as f64 - 16.0);
    let direction = Direction { source: 1, target: 1, first: 0, whole: size, addresses: Some(addresses), nearest };
    let inside = |sample: i64| {
        let phases = 32.0 * (addresses.at(sample as f64) * size as f64 - 0.5) + 1.0 / 64.0;
        (-16.0..end).contains(&phases)
    };
    samples.map(|sample| (direction.position(grid, grid, sample), inside(sample))).collect()
}

impl Addresses {
    /// U(x), as a share of the source's width.
    fn at(&self, x: f64) -> f64 {
        self.start as f64 + self.delta as f64 * x + self.second as f64 * x * (x - 1.0) / 2.0
    }
}

/// Distance of chroma samples to the right and down, in luma samples.
pub(crate) fn steps(sampling: Sampling) -> (u32, u32) {
    match sampling {
        Sampling::C420 => (2, 2),
        Sampling::C411 => (4, 1),
        Sampling::C422 => (2, 1),
        Sampling::C444 | Sampling::Mono => (1, 1),
    }
}

/// Uneven horizontal addresses: output luma sample x reads the source at the share
/// U(x) = start + delta·x + second·x·(x-1)/2 of its width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Addresses {
    /// U of the first sample; `0.5 / output width` for even scaling.
    pub start: f32,
    /// First difference; `1.0 / output width` for even scaling.
    pub delta: f32,
    /// Second difference; 0 for even scaling.
    pub second: f32,
}

/// The scaling of luma in one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    /// Luma samples of the source rectangle.
    pub source: usize,
    /// Luma samples of the output.
    pub target: usize,
    /// First luma sample of the rectangle.
    pub first: usize,
    /// Luma samples of the whole source.
    pub whole: usize,
    /// Uneven addresses; none for even ones.
    pub addresses: Option<Addresses>,
    /// Whether positions are rounded to the nearest sample.
    pub nearest: bool,
}

/// The luma positions that a plane, or a field of it, samples: every `step` luma samples, the first
/// one `offset` half luma samples after luma sample 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub step: u32,
    pub offset: u32,
}

impl Grid {
    /// Every second line of the grid, from line `field` on.
    pub fn of_field(self, field: u32) -> Grid {
        Grid { step: 2 * self.step, offset: 2 * self.step * field + self.offset }
    }
}

/// The position of an output sample in the source: source sample `index` plus `phase`/32. The eight
/// taps T are source samples index - 3 … index + 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub index: i32,
    pub phase: u8,
}

impl Position {
    /// The tap with samples counted from `first`, which is T\[0\] or an earlier sample.
    pub fn tap(self, first: i32) -> Tap {
        Tap { first: (self.index - 3 - first) as u32, phase: self.phase }
    }
}

impl Direction {
    /// Positions of the first `count` samples of the output's grid among those of the source's.
    pub fn positions(&self, from: Grid, to: Grid, count: usize) -> Result<Vec<Position>, OutOfMemory> {
        collected((0..count).map(|sample| self.position(from, to, sample as i64)))
    }

    /// The position of one sample of the output's grid.
    fn position(&self, from: Grid, to: Grid, sample: i64) -> Position {
        let (step, offset) = (from.step as i64, from.offset as i64);
        // The luma position in the output, in half samples.
        let half_samples = 2 * to.step as i64 * sample + to.offset as i64;
        let q = match self.addresses {
            None => {
                let (source, target, first) = (self.source as i64, self.target as i64, self.first as i64);
                let position = (half_samples + 1) * source + target * (2 * first - 1 - offset);
                (16 * position).div_euclid(step * target)
            }
            Some(addresses) => {
                let luma = addresses.at(half_samples as f64 / 2.0) * self.whole as f64 - 0.5;
                let position = (luma - offset as f64 / 2.0) / step as f64;
                // Reads far outside the picture are clamped anyway.
                let limit = 32.0 * 2.0 * crate::MAX_SIZE as f64;
                (32.0 * position + 1.0 / 64.0).floor().clamp(-limit, limit) as i64
            }
        };
        if self.nearest {
            return Position { index: (q + 16).div_euclid(32) as i32, phase: 0 };
        }
        Position { index: q.div_euclid(32) as i32, phase: q.rem_euclid(32) as u8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn even(source: usize, target: usize, first: usize, whole: usize) -> Direction {
        Direction { source, target, first, whole, addresses: None, nearest: false }
    }

    const LUMA: Grid = Grid { step: 1, offset: 0 };

    #[test]
    fn equal_sizes_have_phase_zero() {
        for grid in [LUMA, Grid { step: 2, offset: 0 }, Grid { step: 2, offset: 1 }, Grid { step: 4, offset: 5 }] {
            for (sample, position) in even(8191, 8191, 0, 8191).positions(grid, grid, 2000).unwrap().into_iter().enumerate() {
                assert_eq!(position, Position { index: sample as i32, phase: 0 }, "{grid:?}");
            }
        }
    }

    /// With twice the size, output samples lie a quarter sample left and right of the source's.
    #[test]
    fn positions_of_twice_the_size() {
        let positions = even(4, 8, 0, 4).positions(LUMA, LUMA, 8).unwrap();
        let want = [(-1, 24), (0, 8), (0, 24), (1, 8), (1, 24), (2, 8), (2, 24), (3, 8)];
        assert_eq!(positions, want.map(|(index, phase)| Position { index, phase }));
        let cosited = even(4, 8, 0, 4).positions(Grid { step: 2, offset: 0 }, Grid { step: 2, offset: 0 }, 4).unwrap();
        // Luma 0, 2, 4, 6 of the output lie at -1/4, 3/4, 7/4, 11/4; chroma lies at half of that.
        assert_eq!(cosited, [(-1, 28), (0, 12), (0, 28), (1, 12)].map(|(index, phase)| Position { index, phase }));
    }

    #[test]
    fn a_source_rectangle_is_an_offset() {
        for (sample, position) in even(10, 10, 7, 30).positions(LUMA, LUMA, 10).unwrap().into_iter().enumerate() {
            assert_eq!(position, Position { index: sample as i32 + 7, phase: 0 });
        }
        let chroma = even(10, 10, 7, 30).positions(Grid { step: 2, offset: 1 }, Grid { step: 2, offset: 1 }, 5).unwrap();
        assert_eq!(chroma[0], Position { index: 3, phase: 16 });
    }

    #[test]
    fn even_addresses_match_even_scaling() {
        for (source, target) in [(64, 64), (64, 128), (720, 1280), (1920, 1280), (8192, 8192), (100, 7)] {
            let (start, delta) = (0.5 / target as f32, 1.0 / target as f32);
            let curve = Some(Addresses { start, delta, second: 0.0 });
            let direction = even(source, target, 0, source);
            let curved = Direction { addresses: curve, ..direction };
            let q = |p: Position| 32 * p.index + p.phase as i32;
            for (a, b) in
                direction.positions(LUMA, LUMA, target).unwrap().into_iter().zip(curved.positions(LUMA, LUMA, target).unwrap())
            {
                assert!((q(a) - q(b)).abs() <= (source != target) as i32, "{source} to {target}");
            }
        }
    }

    #[test]
    fn the_nearest_sample_is_less_than_half_a_step_away() {
        let direction = Direction { nearest: true, ..even(3, 6, 0, 3) };
        let indices: Vec<i32> = direction.positions(LUMA, LUMA, 6).unwrap().into_iter().map(|p| p.index).collect();
        assert_eq!(indices, [0, 0, 1, 1, 2, 2]);
    }
}
