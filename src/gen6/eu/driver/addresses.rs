//! Float addresses of `sample_8x8` messages for the exact positions of a scaled frame (§5.1).
//!
//! The addresses of a message are that of its first pixel and the distance of the pixels, as 32-bit
//! floats relative to the size of the surface. The phase of a pixel at position p is 32·p + 1/64,
//! rounded down. The phases of the frame are known, so the search finds a straight line through all
//! of them that still meets them after its rounding to floats.
use crate::scale::{Addresses, Position, addressed};

/// Address of the first pixel of a message, and the distance of its pixels.
pub(super) type Address = [f32; 2];

/// The positions of a frame in one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct AxisPositions<'a> {
    /// Positions of the whole frame.
    pub positions: &'a [Position],
    /// Source samples for each output sample.
    pub step: f64,
    /// Size of the surface in samples.
    pub size: usize,
    /// Whether the filter is the nearest sample.
    pub nearest: bool,
    /// Pixels on each side of a message that the sharpening filter reads.
    pub margin: usize,
}

impl AxisPositions<'_> {
    /// The addresses of each run of `count` pixels; none if floats cannot express the positions.
    pub fn addresses(&self, count: usize) -> Option<Vec<Address>> {
        (0..self.positions.len()).step_by(count).map(|first| self.address(first, count)).collect()
    }

    /// The addresses of `count` pixels from pixel `first` on.
    fn address(&self, first: usize, count: usize) -> Option<Address> {
        let slope = 32.0 * self.step;
        let (size, margin) = (32.0 * self.size as f64, self.margin as i64);
        let last = self.positions.len() as i64;
        // The range of the phase at the first pixel that gives each pixel its phase.
        let (mut least, mut most) = (f64::MIN, f64::MAX);
        for x in -margin..count as i64 + margin {
            let pixel = first as i64 + x;
            let (low, high) = match pixel {
                _ if margin > 0 && pixel < 0 => (f64::MIN, -16.0),
                _ if margin > 0 && pixel >= last => (size - 16.0, f64::MAX),
                _ if !(0..last).contains(&pixel) => continue,
                _ => {
                    let Position { index, phase } = self.positions[pixel as usize];
                    let q = 32.0 * f64::from(index) + f64::from(phase);
                    if self.nearest { (q - 16.0, q + 16.0) } else { (q, q + 1.0) }
                }
            };
            least = least.max(low - slope * x as f64);
            most = most.min(high - slope * x as f64);
        }
        // The middle of the range is the safest against rounding; other shares of it are tried
        // after it.
        let address = |share: f64| {
            let phases = least + share * (most - least);
            [((phases - 1.0 / 64.0) / 32.0 + 0.5) / self.size as f64, self.step / self.size as f64].map(|v| v as f32)
        };
        // Neighbouring floats are tried, too.
        let beside = |ulps: i32| move |v: f32| f32::from_bits(v.to_bits().wrapping_add_signed(ulps));
        let ulps = (0..25).map(|n: i32| [n / 5, n % 5].map(|n| (n + 1) / 2 * if n % 2 == 0 { 1 } else { -1 }));
        let near = ulps.flat_map(|[start, delta]| [0.5, 0.3, 0.7, 0.15, 0.85, 0.02, 0.98].map(|share| (share, start, delta)));
        let mut addresses = near.map(|(share, start, delta)| {
            let [first, step] = address(share);
            [beside(start)(first), beside(delta)(step)]
        });
        addresses.find(|address| self.meets(*address, first, count))
    }

    /// Whether a message with these addresses has the positions of the pixels from `first` on.
    fn meets(&self, [start, delta]: Address, first: usize, count: usize) -> bool {
        let (last, margin) = (self.positions.len() as i64 - 1, self.margin as i64);
        let samples = -margin..count as i64 + margin;
        let found = addressed(Addresses { start, delta, second: 0.0 }, self.size, self.nearest, samples.clone());
        samples.zip(found).all(|(x, (position, inside))| {
            let pixel = first as i64 + x;
            let exists = (0..=last).contains(&pixel);
            if !exists {
                return margin == 0 || !inside;
            }
            position == self.positions[pixel as usize] && (margin == 0 || inside)
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

    /// Floats can express all usual ratios.
    #[test]
    fn positions_are_met() {
        let sizes = [1, 2, 3, 5, 16, 21, 48, 75, 100, 128, 352, 480, 576, 720, 1080, 1280, 1920, 3840, 4095, 8191, 8192];
        let mut missed = vec![];
        for (source, target) in sizes.into_iter().flat_map(|source| sizes.map(|target| (source, target))) {
            if source >= 16 * target {
                continue;
            }
            let positions = positions(source, target);
            for margin in [0, 2] {
                let step = source as f64 / target as f64;
                let axis = AxisPositions { positions: &positions, step, size: source, nearest: false, margin };
                if axis.addresses(16).is_none() || axis.addresses(4).is_none() {
                    missed.push((source, target, margin));
                }
            }
        }
        // The positions that are missed have phases a few millionths apart.
        assert!(missed.iter().all(|&(source, target, _)| source == 8191 || target == 8191), "{missed:?}");
    }
}
