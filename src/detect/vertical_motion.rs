//! Detects vertical motion between two woven fields.
//!
//! In a progressive picture a line differs equally from the lines above and below. If the fields
//! are from different times and the picture moved vertically, lines of one field are closer to one
//! side. This detects interlacing where the comb metric fails: text rolling one line per frame
//! combs least in the wrong match, because lines repeat in pairs.
use super::sampling;
use super::zscore::{SIGNIFICANT_Q4, ZScore};
use dndi_simd::Tile;

/// The mean square from which on a tile counts as moving. Below it a tile is still but for rounding
/// and coding noise: it has no motion, but may have stripes that favour one side. At 8 more fields
/// of mixed clips are woven with another picture, at 24 still more.
const MOVING: u32 = 2;

/// The largest ratio of the vertical motion of a frame's two `across` weaves that still shows a
/// progressive frame. The previous frame is equally far from both fields of a progressive frame,
/// but the motion differs between tiles. Half and twice the value change no clip that was measured.
const PROGRESSIVE_RATIO: u64 = 4;

/// The largest ratio of the vertical motion of two adjacent field pairs whose fields have three
/// different times. It is tighter than for progressive frames, since film, too, has motion at every
/// start of a picture. 1.5 and 4 change no clip that was measured.
const DISTINCT_RATIO: u64 = 2;

/// The largest vertical motion of a progressive frame's own weave, in parts of the smaller one of
/// its `across` weaves: two thirds, as numerator and denominator. With 1, film that rolls by a line
/// is woven wrongly; with 1/3, more fields of mixed clips are deinterlaced.
const OWN_MOTION: [u64; 2] = [2, 3];

/// Vertical motion between the fields of a frame, and between fields of it and of the previous
/// frame, over the tiles that changed. The sign is that of the differences to the lines below minus
/// those to the lines above.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VerticalMotion {
    /// The two fields of the frame.
    inside: ZScore,
    /// Per field order: the first field of the frame and the second one of the previous frame.
    across: [ZScore; 2],
    /// How much more a line differs from the adjacent lines of the other field than, by a quarter
    /// more, from the next lines of its own field.
    uncorrelated: ZScore,
}

impl VerticalMotion {
    /// Measures a frame from its tiles.
    pub fn of(tiles: &[Tile]) -> VerticalMotion {
        let least = MOVING * (sampling::change_samples(0) + sampling::change_samples(1));
        let changed = || tiles.iter().filter(|tile| tile.changed[0] + tile.changed[1] > least);
        let of = |measure: fn(&Tile) -> i32| ZScore::of(changed().map(|tile| measure(tile) as i64));
        VerticalMotion {
            inside: of(|tile| tile.vertical_motion),
            across: [of(|tile| tile.vertical_motion_across[0]), of(|tile| tile.vertical_motion_across[1])],
            uncorrelated: of(|tile| tile.uncorrelated),
        }
    }

    /// Whether the two fields of the frame are certainly from one time: the previous frame is
    /// displaced from both, to opposite sides, and they are displaced from each other by at most
    /// two thirds of that ([`OWN_MOTION`]).
    pub fn shows_progressive(&self) -> bool {
        let ([top_first, bottom_first], [part, whole]) = (self.across, OWN_MOTION);
        are_opposite(top_first, bottom_first, PROGRESSIVE_RATIO)
            && whole * self.inside.magnitude() <= part * top_first.magnitude().min(bottom_first.magnitude())
    }

    /// Whether the three fields of the field pairs before and inside the frame are certainly from
    /// three times.
    pub fn shows_distinct_before(&self, order: usize) -> bool {
        are_opposite(self.across[order], self.inside, DISTINCT_RATIO)
    }

    /// The same for the field pairs inside the frame and after it; `next` is the next frame.
    pub fn shows_distinct_after(&self, next: &VerticalMotion, order: usize) -> bool {
        are_opposite(self.inside, next.across[order], DISTINCT_RATIO)
    }

    /// Whether the two fields of the frame are uncorrelated: they differ from each other by more
    /// than the lines of one field do. Natural pictures do not, except for stripes one line high.
    pub fn fields_uncorrelated(&self) -> bool {
        self.uncorrelated.quarter_sigmas() >= SIGNIFICANT_Q4
    }
}

/// Whether two weaves have significant vertical motion in opposite directions, neither more than
/// `ratio` times the other.
fn are_opposite(a: ZScore, b: ZScore, ratio: u64) -> bool {
    let (a_q4, b_q4) = (a.quarter_sigmas(), b.quarter_sigmas());
    let are_significant = a_q4.abs() >= SIGNIFICANT_Q4 && b_q4.abs() >= SIGNIFICANT_Q4;
    let are_similar = a.magnitude() <= ratio * b.magnitude() && b.magnitude() <= ratio * a.magnitude();
    are_significant && (a_q4 < 0) != (b_q4 < 0) && are_similar
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::score;
    use super::*;

    /// Vertical motion over 100 changed tiles, all alike.
    fn motion(inside: i32, across: [i32; 2], uncorrelated: i32) -> VerticalMotion {
        let tile = Tile {
            changed: [1000, 1000],
            vertical_motion: inside,
            vertical_motion_across: across,
            uncorrelated,
            ..Tile::default()
        };
        VerticalMotion::of(&[tile; 100])
    }

    #[test]
    fn progressive_frames_lie_between_their_neighbours() {
        assert!(motion(0, [500, -500], 0).shows_progressive());
        assert!(motion(80, [-480, 120], 0).shows_progressive());
        assert!(!motion(80, [-481, 120], 0).shows_progressive());
        assert!(!motion(81, [-480, 120], 0).shows_progressive());
        assert!(!motion(0, [500, 500], 0).shows_progressive());
    }

    #[test]
    fn opposite_motion_is_significant_and_similar() {
        let opposite = |a: [usize; 2], b: [usize; 2], ratio: u64| {
            let [a, b] = [a, b].map(|[more, fewer]| score(more, fewer));
            assert_eq!(are_opposite(a, b, ratio), are_opposite(b, a, ratio));
            are_opposite(a, b, ratio)
        };
        // 16 tiles are four sigma.
        assert!(opposite([16, 0], [0, 16], 4) && !opposite([15, 0], [0, 16], 4) && !opposite([16, 0], [0, 15], 4));
        assert!(!opposite([16, 0], [16, 0], 4) && !opposite([0, 16], [0, 16], 4));
        assert!(opposite([16, 0], [0, 64], 4) && !opposite([16, 0], [0, 65], 4));
        assert!(opposite([64, 0], [0, 16], 4) && !opposite([65, 0], [0, 16], 4));
    }

    #[test]
    fn interlaced_fields_move_to_one_side_and_back() {
        assert!(motion(-300, [600, 0], 0).shows_distinct_before(0));
        assert!(!motion(-300, [601, 0], 0).shows_distinct_before(0));
        assert!(!motion(-300, [600, 0], 0).shows_distinct_before(1));
        assert!(motion(300, [0; 2], 0).shows_distinct_after(&motion(0, [0, -150], 0), 1));
        assert!(!motion(300, [0; 2], 0).shows_distinct_after(&motion(0, [0, -149], 0), 1));
    }

    #[test]
    fn static_tiles_do_not_count() {
        let tile = Tile { changed: [96, 64], uncorrelated: 5, ..Tile::default() };
        assert!(!VerticalMotion::of(&[tile; 100]).fields_uncorrelated());
        let tile = Tile { changed: [97, 64], ..tile };
        assert!(VerticalMotion::of(&[tile; 100]).fields_uncorrelated());
        assert!(!motion(0, [0; 2], -5).fields_uncorrelated());
        // 16 tiles are four sigma.
        let of = |tiles: usize| VerticalMotion::of(&vec![tile; tiles]).fields_uncorrelated();
        assert!(of(16) && !of(15));
    }
}
