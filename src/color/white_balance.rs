//! Automatic white balance (§13.7): gains from the grey points of frames.
use super::extended_parameters::WhiteBalanceParameters;
use super::wide::UNITY;

/// The gains that a frame can set, in 1/4096.
const GAINS: (u64, u64) = (2048, 8192);

/// Grey points of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct GreyPoints {
    pub points: u64,
    /// Sums of R, G and B before the gains, 16 bits each.
    pub sums: [u64; 3],
}

impl GreyPoints {
    /// Counts the pixels of a line: the components of the pipe, of `bits` bits, and their RGB.
    pub fn count(&mut self, p: &WhiteBalanceParameters, yuv: [&[u16]; 3], rgb: [&[i32]; 3], bits: u8) {
        let zero = 128;
        let (dark, bright) = (i32::from(p.y_bright), i32::from(p.y_outlier));
        for (x, &y) in yuv[0].iter().enumerate() {
            let [y, u, v] = [y, yuv[1][x], yuv[2][x]].map(|v| i32::from(v >> (bits - 8)));
            let chroma = (u - zero).abs() + (v - zero).abs();
            if y > dark && y <= bright && chroma << 8 <= i32::from(p.uv_threshold) * y {
                self.points += 1;
                for (sum, component) in self.sums.iter_mut().zip(rgb) {
                    *sum += component[x].clamp(0, 65535) as u64;
                }
            }
        }
    }

    /// The points of both.
    pub fn with(self, other: GreyPoints) -> GreyPoints {
        let sums = std::array::from_fn(|k| self.sums[k] + other.sums[k]);
        GreyPoints { points: self.points + other.points, sums }
    }

    /// The gains that make these points grey; none if there are too few.
    fn target(&self, pixels: u64) -> Option<[u16; 3]> {
        let [red, green, blue] = self.sums;
        if self.points * 1024 < pixels || self.sums.contains(&0) {
            return None;
        }
        let gain = |sum: u64| ((green << 12) / sum).clamp(GAINS.0, GAINS.1) as u16;
        Some([gain(red), UNITY, gain(blue)])
    }
}

/// Gains that follow the grey points of frames.
#[derive(Debug, Default)]
pub(crate) struct AutoBalance {
    /// The gains in hand; none before the first frame.
    gains: Option<[u16; 3]>,
}

impl AutoBalance {
    /// The gains of the next frame, which has these points.
    pub fn follow(&mut self, points: &GreyPoints, p: &WhiteBalanceParameters, pixels: u64) -> [u16; 3] {
        let old = self.gains.unwrap_or([UNITY; 3]);
        let target = points.target(pixels).unwrap_or(old);
        let gains = match self.gains {
            None => target,
            Some(old) => std::array::from_fn(|k| {
                let (old, target) = (i32::from(old[k]), i32::from(target[k]));
                (old + (((target - old) * i32::from(p.speed)) >> 4)) as u16
            }),
        };
        self.gains = Some(gains);
        gains
    }

    /// Discards the gains.
    pub fn reset(&mut self) {
        self.gains = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(sums: [u64; 3]) -> GreyPoints {
        GreyPoints { points: 10, sums }
    }

    #[test]
    fn the_first_frame_sets_the_gains_and_later_ones_move_them() {
        let (p, mut balance) = (WhiteBalanceParameters::default(), AutoBalance::default());
        assert_eq!(balance.follow(&points([1000, 2000, 4000]), &p, 10_240), [8192, 4096, 2048]);
        assert_eq!(balance.follow(&points([2000, 2000, 2000]), &p, 10_240), [7680, 4096, 2304]);
        // Too few points, or one sum of 0: the gains stay.
        assert_eq!(balance.follow(&points([2000, 2000, 2000]), &p, 10_241), [7680, 4096, 2304]);
        assert_eq!(balance.follow(&points([2000, 0, 2000]), &p, 100), [7680, 4096, 2304]);
        balance.reset();
        assert_eq!(balance.follow(&points([1, 1, 0]), &p, 100), [4096; 3]);
        // Steps below 0 round down, so that they end.
        assert_eq!(balance.follow(&points([4097, 4096, 4095]), &p, 100), [4095, 4096, 4096]);
    }

    #[test]
    fn limits_of_a_grey_point() {
        let p = WhiteBalanceParameters::default();
        let counted = |y: u16, u: u16, v: u16| {
            let mut points = GreyPoints::default();
            points.count(&p, [&[y << 4], &[u << 4], &[v << 4]], [&[-5], &[7], &[70_000]], 12);
            points
        };
        assert_eq!(counted(240, 128, 128), GreyPoints { points: 1, sums: [0, 7, 65535] });
        assert_eq!([230, 231, 253, 254].map(|y| counted(y, 128, 128).points), [0, 1, 1, 0]);
        // (|u| + |v|) * 256 <= 64 * 240 up to a sum of 60.
        assert_eq!([counted(240, 158, 98).points, counted(240, 159, 98).points], [1, 0]);
    }
}
