//! Significance of the difference of two measures over all tiles of a frame.
use std::iter::Sum;
use std::ops::Add;

/// The z-score, in quarters of a sigma, from which on a difference is significant: 4 sigma. Noise
/// alone gives about ±4 quarters. At 8 quarters text that rolls by a line excludes the wrong field
/// order, and fields without a pattern are not woven; at 32 slow fades have no order, and vertical
/// motion is missed.
pub(super) const SIGNIFICANT_Q4: i64 = 16;

/// The sum of the differences of two measures over tiles, and the sum of their squares. The z-score
/// is the sum divided by the root of the sum of squares. Noise alone gives about ±1 whatever its
/// level, since the tiles then differ independently and with both signs; visible combing gives 5 to
/// 20; one moving tile among a thousand still ones gives 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ZScore {
    sum: i64,
    squares: u128,
}

impl ZScore {
    /// The score of one difference per tile.
    pub fn of(differences: impl Iterator<Item = i64>) -> ZScore {
        let (mut sum, mut squares) = (0, 0);
        for d in differences {
            sum += d;
            squares += (d * d) as u128;
        }
        ZScore { sum, squares }
    }

    /// The absolute value of the sum of the differences.
    pub fn magnitude(self) -> u64 {
        self.sum.unsigned_abs()
    }

    /// The z-score in quarters of a sigma, rounded towards zero.
    pub fn quarter_sigmas(self) -> i64 {
        let square = 16 * (self.sum as i128).pow(2) as u128;
        square.checked_div(self.squares).map_or(0, |square| square.isqrt() as i64 * self.sum.signum())
    }

    /// Whether the difference is significant, with either sign.
    pub fn is_significant(self) -> bool {
        self.quarter_sigmas().abs() >= SIGNIFICANT_Q4
    }
}

impl Add for ZScore {
    type Output = ZScore;

    /// The score of the differences of both.
    fn add(self, other: ZScore) -> ZScore {
        ZScore { sum: self.sum + other.sum, squares: self.squares + other.squares }
    }
}

impl Sum for ZScore {
    fn sum<I: Iterator<Item = ZScore>>(scores: I) -> ZScore {
        scores.fold(ZScore::default(), ZScore::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_is_the_sum_by_the_root_of_the_squares() {
        let score = |differences: &[i64]| ZScore::of(differences.iter().copied());
        assert_eq!(score(&[]).quarter_sigmas(), 0);
        assert_eq!(score(&[0, 0]).quarter_sigmas(), 0);
        // One tile alone has 1 sigma, n tiles that agree have the root of n.
        assert_eq!(score(&[-300]).quarter_sigmas(), -4);
        assert_eq!(score(&[7; 16]).quarter_sigmas(), SIGNIFICANT_Q4);
        assert!(score(&[7; 16]).is_significant() && !score(&[7; 15]).is_significant());
        assert!(score(&[-7; 16]).is_significant());
        assert_eq!(score(&[1, -1, 1, -1]).quarter_sigmas(), 0);
        assert_eq!((score(&[3; 8]) + score(&[3; 8])), score(&[3; 16]));
        assert_eq!(score(&[3, -5]).magnitude(), 2);
    }

    #[test]
    fn the_largest_measures_do_not_overflow() {
        // 31 field pairs of a picture of 8192×8192; a tile combs by 2·16·255² at most.
        let (tile, count) = (2 * 16 * 255 * 255, 31 * 128 * 125);
        let score = ZScore::of(std::iter::repeat_n(2 * tile, count));
        assert_eq!(score.quarter_sigmas(), (16 * count).isqrt() as i64);
    }
}
