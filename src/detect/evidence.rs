//! What a frame and the one before it tell: sums over the picture, and how sure the tiles are of them.
use super::cadence::{HYPOTHESES, NO_FIT};
use super::picture::{self, Grid, Reduced};
use super::shear::{Room, Shear};
use super::trial::SURE;
use dndi_simd::Kernels;
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
        let (mut sum, mut squares) = (0, 0u64);
        for d in differences {
            sum += d;
            squares = squares.saturating_add((d * d) as u64);
        }
        Contrast { sum, squares: squares.into() }
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

/// Which field is the earlier one, as an index.
pub(super) const ORDERS: [Order; 2] = [Order::TopFirst, Order::BottomFirst];

/// Which field is the earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    TopFirst,
    BottomFirst,
}

impl Order {
    pub fn other(self) -> Order {
        ORDERS[1 - self as usize]
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
    pub lopsided: Option<Order>,
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
    pub tiles: Tiles,
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

/// The measures of each tile.
#[derive(Debug)]
pub(super) struct Tiles {
    inside: Vec<u32>,
    across: [Vec<u32>; 2],
    pub changed: [Vec<u32>; 2],
}

impl Tiles {
    /// How much the fields at a border comb.
    pub fn combing(&self, order: Order, border: u64) -> &[u32] {
        if border.is_multiple_of(2) { &self.across[order as usize] } else { &self.inside }
    }
}

impl Evidence {
    pub fn new(grid: Grid) -> Evidence {
        let tiles = || vec![0; grid.tiles()];
        Evidence {
            inside: 0,
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
            tiles: Tiles { inside: tiles(), across: [tiles(), tiles()], changed: [tiles(), tiles()] },
        }
    }

    /// Measures a frame, after `previous` unless it is the first.
    pub fn measure(&mut self, grid: Grid, kernels: &Kernels, current: &Reduced, previous: Option<&Reduced>, room: &mut Room) {
        let total = |tiles: &[u32]| tiles.iter().map(|&v| v as u64).sum();
        let Evidence { tiles, inside, across, changed, .. } = self;
        picture::combing(grid, kernels, current, current, &mut tiles.inside);
        *inside = total(&tiles.inside);
        (*across, *changed, self.order) = ([0; 2], [0; 2], Contrast::default());
        (self.peaks, self.strengths) = ([[Contrast::default(); 2]; 2], [[0; 2]; 2]);
        self.fits = [[[NO_FIT; HYPOTHESES]; 2]; 2];
        self.found = [Found::default(); 2];
        (self.shear, self.lopsided, self.whole, self.strange) = (Shear::default(), None, false, false);
        self.own = 0;
        (self.apart, self.calm) = ([[false; 2]; 2], [[0; 2]; 2]);
        let Some(previous) = previous else { return };
        picture::combing(grid, kernels, current, previous, &mut tiles.across[0]);
        picture::combing(grid, kernels, previous, current, &mut tiles.across[1]);
        for parity in [0, 1] {
            picture::change(grid, kernels, parity, current, previous, &mut tiles.changed[parity]);
            changed[parity] = total(&tiles.changed[parity]);
            across[parity] = total(&tiles.across[parity]);
        }
        let [top_first, bottom_first] = &tiles.across;
        self.order = Contrast::of(bottom_first.iter().zip(top_first).map(|(&b, &a)| b as i64 - a as i64));
        self.shear = Shear::measure(grid, kernels, current, previous, &tiles.changed, room);
        self.strange = self.shear.is_strange();
    }

    /// In which order the fields cannot be, because the outer two of both frames, in that order, comb surely less than the inner two do, and that by
    /// more than half of what goes beyond the frame's own: nor are these of one time.
    fn lopsided(&self) -> Option<Order> {
        let [top_first, bottom_first] = self.across;
        let beyond = top_first.max(bottom_first).saturating_sub(self.own);
        let sure = self.order.strength().abs() >= SURE && 2 * top_first.abs_diff(bottom_first) > beyond;
        sure.then_some(if top_first > bottom_first { Order::TopFirst } else { Order::BottomFirst })
    }

    /// Compares border 2n with those beside it; `before` is the frame before.
    pub fn compare_across(&mut self, before: &Evidence) {
        self.own = (before.inside + self.inside) / 2;
        self.lopsided = self.lopsided();
        self.whole = self.shear.is_whole() && self.lopsided.is_none();
        for order in [0, 1] {
            let beside = before.tiles.inside.iter().zip(&self.tiles.inside);
            self.peaks[0][order] = Contrast::of(peaks(&self.tiles.across[order], beside));
            self.strengths[0][order] = self.peaks[0][order].strength();
            if alike(self.across[order], self.inside) && self.shear.is_apart(order) {
                (self.apart[0][order], self.apart[1][order]) = (true, true);
            }
        }
    }

    /// Compares what changed with what did in the frames beside it, if there are any.
    pub fn compare_changes(&mut self, before: Option<&Evidence>, after: Option<&Evidence>) {
        for parity in [0, 1] {
            let own = &self.tiles.changed[parity];
            let Some((before, after)) = before.or(after).zip(after.or(before)) else { return };
            let [before, after] = [before, after].map(|evidence| &evidence.tiles.changed[parity]);
            let (mut less, mut more) = (0, 0);
            for ((&own, &before), &after) in own.iter().zip(before).zip(after) {
                let beside = before as u64 + after as u64;
                less += i64::from(4 * (own as u64) < beside);
                more += i64::from(own as u64 > beside);
            }
            self.calm[parity] = [less - more, less + more];
        }
    }

    /// Compares border 2n + 1 with those beside it; `after` is the frame after, if there is one, and neither is before the first frame.
    pub fn compare_inside(&mut self, first: bool, after: Option<&Evidence>) {
        for order in [0, 1] {
            let own = &self.tiles.across[order];
            let next = after.map_or(own, |after| &after.tiles.across[order]);
            let beside = if first { next.iter().zip(next) } else { own.iter().zip(next) };
            self.peaks[1][order] = Contrast::of(peaks(&self.tiles.inside, beside));
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
fn peaks<'a>(own: &'a [u32], beside: impl Iterator<Item = (&'a u32, &'a u32)>) -> impl Iterator<Item = i64> {
    own.iter().zip(beside).map(|(&own, (&left, &right))| 2 * own as i64 - left as i64 - right as i64)
}
