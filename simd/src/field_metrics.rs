//! Comb metrics and field differences of two frames, for the detector.
use crate::contract;
use crate::isa::{Isa, load_each, squares};

/// Samples of a line per tile.
const TILE: usize = 16;

/// Sums over a tile of five lines of a frame and of the previous frame. The first line belongs to
/// the top field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tile {
    /// Combing of the two fields of the frame: the sum of `min(255, |a - 3b + 3c - d| >> 2)²` over
    /// successive lines a, b, c, d. This third difference is greatest if every second line is from
    /// another time.
    pub inside: u32,
    /// The same metric for fields of two frames: the frame's top field with the previous bottom
    /// field, then the frame's bottom field with the previous top field.
    pub across: [u32; 2],
    /// Squared differences of the top and the bottom field to the same field of the previous frame.
    pub changed: [u32; 2],
    /// Squared differences of the bottom field's lines to the top field's lines below them, minus
    /// those to the lines above them.
    pub vertical_motion: i32,
    /// The same for the field pairs of `across`.
    pub vertical_motion_across: [i32; 2],
    /// Four times the squared differences of adjacent lines, which belong to different fields,
    /// minus five times those of an equal number of adjacent lines of one field.
    pub uncorrelated: i32,
}

/// Measures lines of a frame and of the `previous` frame, all of equal length, in tiles of 16
/// samples.
pub fn scalar(tiles: &mut [Tile], current: [&[u8]; 5], previous: [&[u8]; 5]) {
    let n = current[0].len();
    for (i, tile) in tiles.iter_mut().enumerate().take(n.div_ceil(TILE)) {
        let columns = TILE * i..n.min(TILE * i + TILE);
        let square = |a: &[u8], b: &[u8]| columns.clone().map(|x| (a[x].abs_diff(b[x]) as u32).pow(2)).sum::<u32>();
        let third = |[a, b, c, d]: [&[u8]; 4]| {
            let third = |x: usize| a[x] as i32 - 3 * b[x] as i32 + 3 * c[x] as i32 - d[x] as i32;
            columns.clone().map(|x| (third(x).unsigned_abs() >> 2).min(255).pow(2)).sum::<u32>()
        };
        // One of the two differences starts at the top field, one at the bottom field, so both
        // weigh the same.
        let combing = |[a, b, c, d, e]: [&[u8]; 5]| third([a, b, c, d]) + third([b, c, d, e]);
        let above = |[a, b, c, d, _]: [&[u8]; 5]| square(a, b) as i32 + square(c, d) as i32;
        let below = |[_, b, c, d, e]: [&[u8]; 5]| square(b, c) as i32 + square(d, e) as i32;
        let vertical_motion = |woven| below(woven) - above(woven);
        let (c, p) = (current, previous);
        let across = [[c[0], p[1], c[2], p[3], c[4]], [p[0], c[1], p[2], c[3], p[4]]];
        let one = square(c[0], c[2]) + 2 * square(c[1], c[3]) + square(c[2], c[4]);
        *tile = Tile {
            inside: combing(c),
            across: across.map(combing),
            changed: [square(c[0], p[0]) + square(c[2], p[2]) + square(c[4], p[4]), square(c[1], p[1]) + square(c[3], p[3])],
            vertical_motion: vertical_motion(c),
            vertical_motion_across: across.map(vertical_motion),
            uncorrelated: 4 * (above(c) + below(c)) - 5 * one as i32,
        };
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(tiles: &[Tile], current: [&[u8]; 5], previous: [&[u8]; 5]) {
    let n = current[0].len();
    contract::at_least([tiles], n.div_ceil(TILE));
    contract::at_least(current, n);
    contract::at_least(previous, n);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, tiles: &mut [Tile], current: [&[u8]; 5], previous: [&[u8]; 5]) -> bool {
    let n = current[0].len();
    if !n.is_multiple_of(I::N) {
        return false;
    }
    for (x, tiles) in (0..n).step_by(I::N).zip(tiles.chunks_mut(I::N / TILE)) {
        let (c, p) = (load_each(s, current, x), load_each(s, previous, x));
        let inside = woven(s, c);
        let top_first = woven(s, [c[0], p[1], c[2], p[3], c[4]]);
        let bottom_first = woven(s, [p[0], c[1], p[2], c[3], p[4]]);
        let middle = square(s, c[1], c[3]);
        let one = s.add32(s.add32(square(s, c[0], c[2]), square(s, c[2], c[4])), s.add32(middle, middle));
        let both = s.add32(inside.above, inside.below);
        let top = s.add32(s.add32(square(s, c[0], p[0]), square(s, c[2], p[2])), square(s, c[4], p[4]));
        let bottom = s.add32(square(s, c[1], p[1]), square(s, c[3], p[3]));
        let across = [s.sum_groups(top_first.combing), s.sum_groups(bottom_first.combing)];
        let changed = [s.sum_groups(top), s.sum_groups(bottom)];
        let vertical_motion = |woven: &Woven<I>| s.sum_groups(s.sub32(woven.below, woven.above));
        let (vertical_motion, vertical_motion_across) =
            (vertical_motion(&inside), [vertical_motion(&top_first), vertical_motion(&bottom_first)]);
        let (inside, one, both) = (s.sum_groups(inside.combing), s.sum_groups(one), s.sum_groups(both));
        for (i, tile) in tiles.iter_mut().enumerate() {
            *tile = Tile {
                inside: inside[i],
                across: [across[0][i], across[1][i]],
                changed: [changed[0][i], changed[1][i]],
                vertical_motion: vertical_motion[i] as i32,
                vertical_motion_across: [vertical_motion_across[0][i] as i32, vertical_motion_across[1][i] as i32],
                uncorrelated: 4 * both[i] as i32 - 5 * one[i] as i32,
            };
        }
    }
    true
}

/// Sums over woven lines.
struct Woven<I: Isa> {
    combing: I::W,
    above: I::W,
    below: I::W,
}

#[inline(always)]
fn woven<I: Isa>(s: I, [a, b, c, d, e]: [I::B; 5]) -> Woven<I> {
    let even = [
        s.sub16(s.even(a), s.even(b)),
        s.sub16(s.even(b), s.even(c)),
        s.sub16(s.even(c), s.even(d)),
        s.sub16(s.even(d), s.even(e)),
    ];
    let odd =
        [s.sub16(s.odd(a), s.odd(b)), s.sub16(s.odd(b), s.odd(c)), s.sub16(s.odd(c), s.odd(d)), s.sub16(s.odd(d), s.odd(e))];
    let first = squares(s, third(s, even[0], even[1], even[2]), third(s, odd[0], odd[1], odd[2]));
    let second = squares(s, third(s, even[1], even[2], even[3]), third(s, odd[1], odd[2], odd[3]));
    Woven {
        combing: s.add32(first, second),
        above: s.add32(squares(s, even[0], odd[0]), squares(s, even[2], odd[2])),
        below: s.add32(squares(s, even[1], odd[1]), squares(s, even[3], odd[3])),
    }
}

/// `|a - 3b + 3c - d| >> 2`, at most 255, from the differences a - b, b - c, c - d.
#[inline(always)]
fn third<I: Isa>(s: I, first: I::H, second: I::H, third: I::H) -> I::H {
    let third = s.sub16(s.add16(first, third), s.add16(second, second));
    let distance = s.max15(third, s.sub16(s.splat16(0), third));
    s.min15(s.shr::<2>(distance), s.splat16(255))
}

#[inline(always)]
fn square<I: Isa>(s: I, a: I::B, b: I::B) -> I::W {
    squares(s, s.sub16(s.even(a), s.even(b)), s.sub16(s.odd(a), s.odd(b)))
}
