//! What a frame and the one before it tell: sums over the picture, and how sure the tiles are of them.
use super::cadence::{HYPOTHESES, NO_FIT};
use super::cadence_fit::SURE;
use super::sampling::{self, SampleGrid, SubsampledLuma};
use super::vertical_motion::Shear;
use crate::format::FieldOrder;
use dndi_simd::{Kernels, Tile};
use std::ops::{Add, AddAssign, Neg};

/// A difference of two measures over all tiles. Its strength is the sum by the root of the sum of squares: about that of a
/// normally distributed value where the difference is but noise, whatever the noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Contrast {
    sum: i64,
    squares: u128,
}

impl Contrast {
    pub fn of(differences: impl Iterator<Item = i64>) -> Contrast {
        let (mut sum, mut squares) = (0, 0);
        for d in differences {
            sum += d;
            squares += (d * d) as u128;
        }
        Contrast { sum, squares }
    }

    pub fn size(self) -> u64 {
        self.sum.unsigned_abs()
    }

    /// The strength in quarters, towards zero.
    pub fn strength(self) -> i64 {
        let square = 16 * (self.sum as i128).pow(2) as u128;
        square.checked_div(self.squares).map_or(0, |square| square.isqrt() as i64 * self.sum.signum())
    }
}

impl Add for Contrast {
    type Output = Contrast;

    fn add(self, other: Contrast) -> Contrast {
        Contrast { sum: self.sum + other.sum, squares: self.squares + other.squares }
    }
}

impl AddAssign for Contrast {
    fn add_assign(&mut self, other: Contrast) {
        *self = *self + other;
    }
}

impl Neg for Contrast {
    type Output = Contrast;

    fn neg(self) -> Contrast {
        Contrast { sum: -self.sum, ..self }
    }
}

impl std::iter::Sum for Contrast {
    fn sum<I: Iterator<Item = Contrast>>(contrasts: I) -> Contrast {
        contrasts.fold(Contrast::default(), Contrast::add)
    }
}

/// What is known of a frame. Borders are counted in fields: border 2n lies before frame n, border 2n + 1 between its fields.
#[derive(Debug)]
pub(super) struct Evidence {
    /// Combing of the frame's own fields.
    pub inside: u64,
    /// The mean of that and of that of the frame before: what the pictures themselves do where fields of both are woven.
    pub own: u64,
    /// Combing of its first field with the second one of the frame before, for each order.
    pub across: [u64; 2],
    /// How much its top and its bottom field differ from those of the frame before.
    pub changed: [u64; 2],
    /// How much more the fields would comb bottom first than top first.
    pub order: Contrast,
    /// How much more border 2n, and border 2n + 1, combs than the borders beside it, for each order; and the strength of that.
    pub peaks: [[Contrast; 2]; 2],
    pub strengths: [[i64; 2]; 2],
    pub shear: Shear,
    /// In which order its fields surely are not; nor are they of one time then.
    pub lopsided: Option<FieldOrder>,
    /// Whether the fields of the frame are surely of one time.
    pub whole: bool,
    /// Whether they have nothing to do with each other.
    pub strange: bool,
    /// Whether the fields at border 2n, and border 2n + 1, are surely of different times, each a picture of its own, for each order.
    pub apart: [[bool; 2]; 2],
    /// In how many tiles its top and its bottom field changed much less than those of the frames beside it, but for those where
    /// they changed much more; and how many these are together.
    pub calm: [[i64; 2]; 2],
    /// How well each cadence fits around border 2n, and border 2n + 1, for each order.
    pub fits: [[[u8; HYPOTHESES]; 2]; 2],
    /// What was found out about border 2n and border 2n + 1.
    pub found: [Found; 2],
    pub tiles: Vec<Tile>,
}

/// What is found out about a border.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    /// The cadence around it.
    pub cadence: Option<usize>,
    /// Whether that is only held on to.
    pub held: bool,
    /// Whether the fields on both sides show the same picture.
    pub joined: bool,
}

impl Evidence {
    pub fn new(grid: SampleGrid) -> Evidence {
        Evidence { tiles: vec![Tile::default(); grid.tiles()], ..Evidence::of(0) }
    }

    /// Of combing alone.
    fn of(inside: u64) -> Evidence {
        Evidence {
            inside,
            own: 0,
            across: [0; 2],
            changed: [0; 2],
            order: Contrast::default(),
            peaks: [[Contrast::default(); 2]; 2],
            strengths: [[0; 2]; 2],
            shear: Shear::default(),
            lopsided: None,
            whole: false,
            strange: false,
            apart: [[false; 2]; 2],
            calm: [[0; 2]; 2],
            fits: [[[NO_FIT; HYPOTHESES]; 2]; 2],
            found: [Found::default(); 2],
            tiles: vec![],
        }
    }

    /// Measures a frame, after `previous` unless it is the first.
    pub fn measure(&mut self, grid: SampleGrid, kernels: &Kernels, current: &SubsampledLuma, previous: Option<&SubsampledLuma>) {
        let mut tiles = std::mem::take(&mut self.tiles);
        sampling::measure(grid, kernels, current, previous.unwrap_or(current), &mut tiles);
        let inside = sum(&tiles, |tile| tile.inside);
        *self = match previous {
            None => Evidence::of(inside),
            Some(_) => {
                let shear = Shear::of(&tiles);
                Evidence {
                    across: [0, 1].map(|order| sum(&tiles, |tile| tile.across[order])),
                    changed: [0, 1].map(|parity| sum(&tiles, |tile| tile.changed[parity])),
                    order: Contrast::of(tiles.iter().map(|tile| tile.across[1] as i64 - tile.across[0] as i64)),
                    strange: shear.is_strange(),
                    shear,
                    ..Evidence::of(inside)
                }
            }
        };
        self.tiles = tiles;
    }

    /// In which order the fields cannot be, because the outer two of both frames, in that order, comb surely less than the inner two do, and that by
    /// more than half of what goes beyond the frame's own: nor are these of one time.
    fn lopsided(&self) -> Option<FieldOrder> {
        let [top_first, bottom_first] = self.across;
        let beyond = top_first.max(bottom_first).saturating_sub(self.own);
        let sure = self.order.strength().abs() >= SURE && 2 * top_first.abs_diff(bottom_first) > beyond;
        sure.then_some(if top_first > bottom_first { FieldOrder::TopFirst } else { FieldOrder::BottomFirst })
    }

    /// Compares border 2n with those beside it; `before` is the frame before.
    pub fn compare_across(&mut self, before: &Evidence) {
        self.own = (before.inside + self.inside) / 2;
        self.lopsided = self.lopsided();
        self.whole = self.shear.is_whole() && self.lopsided.is_none();
        for order in [0, 1] {
            let inside = before.tiles.iter().zip(&self.tiles).map(|(before, own)| [before.inside, own.inside]);
            self.peaks[0][order] = Contrast::of(peaks(self.tiles.iter().map(|tile| tile.across[order]), inside));
            self.strengths[0][order] = self.peaks[0][order].strength();
            if alike(self.across[order], self.inside) && self.shear.is_apart(order) {
                (self.apart[0][order], self.apart[1][order]) = (true, true);
            }
        }
    }

    /// Compares what changed with what did in the frames beside it, if there are any.
    pub fn compare_changes(&mut self, before: Option<&Evidence>, after: Option<&Evidence>) {
        let Some((before, after)) = before.or(after).zip(after.or(before)) else { return };
        for parity in [0, 1] {
            let (mut less, mut more) = (0, 0);
            for ((own, before), after) in self.tiles.iter().zip(&before.tiles).zip(&after.tiles) {
                let [own, before, after] = [own, before, after].map(|tile| tile.changed[parity] as u64);
                less += i64::from(4 * own < before + after);
                more += i64::from(own > before + after);
            }
            self.calm[parity] = [less - more, less + more];
        }
    }

    /// Compares border 2n + 1 with those beside it; `after` is the frame after, if there is one, and neither is before the first frame.
    pub fn compare_inside(&mut self, first: bool, after: Option<&Evidence>) {
        let next = after.map_or(&self.tiles, |after| &after.tiles);
        let last = if first { next } else { &self.tiles };
        for order in [0, 1] {
            let across = last.iter().zip(next).map(|(last, next)| [last.across[order], next.across[order]]);
            self.peaks[1][order] = Contrast::of(peaks(self.tiles.iter().map(|tile| tile.inside), across));
            self.strengths[1][order] = self.peaks[1][order].strength();
            self.apart[1][order] |= after
                .is_some_and(|after| alike(self.inside, after.across[order]) && self.shear.is_apart_from(&after.shear, order));
        }
    }
}

/// Whether two borders comb about as much.
fn alike(a: u64, b: u64) -> bool {
    a <= 2 * b && b <= 2 * a
}

/// Twice what a border's tiles have more than the mean of those beside it.
fn peaks(own: impl Iterator<Item = u32>, beside: impl Iterator<Item = [u32; 2]>) -> impl Iterator<Item = i64> {
    own.zip(beside).map(|(own, [left, right])| 2 * own as i64 - left as i64 - right as i64)
}

fn sum(tiles: &[Tile], measure: impl Fn(&Tile) -> u32) -> u64 {
    tiles.iter().map(|tile| measure(tile) as u64).sum()
}
