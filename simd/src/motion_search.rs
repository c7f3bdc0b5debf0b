//! Motion search of the missing lines of a block row (§3.5).
use crate::isa::{Isa, blocks};
use crate::{APRON, Row};

/// The candidate vectors (Mx, My) in the order of the search.
pub(crate) const VECTORS: [(i8, i8); 16] = [
    (-1, -2),
    (0, -2),
    (1, -2),
    (-6, 0),
    (-5, 0),
    (-4, 0),
    (-3, 0),
    (-2, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (-1, 2),
    (0, 2),
    (1, 2),
];

/// The greatest horizontal component of a vector, in pixels.
const REACH: usize = 6;

/// The smallest SAD of a pair and the index of its vector; of equal SADs the later vector wins. `k`
/// are the lines y-2…y+2 of the frame with the missing line, `r` the lines y-4…y+4 of the other
/// frame.
pub(crate) fn best_of_pair(pair: usize, k: &[Row], r: &[Row]) -> (u16, u8) {
    let x = APRON + 2 * pair - 2;
    let mut best = (u16::MAX, 0);
    for (index, (mx, my)) in VECTORS.into_iter().enumerate() {
        let mut sad = 0;
        for (j, k) in k.iter().enumerate() {
            let r = r[(j + 2).wrapping_add_signed(my as isize)];
            let moved = x.wrapping_add_signed(mx as isize);
            sad += k[x..x + 6].iter().zip(&r[moved..moved + 6]).map(|(a, b)| a.abs_diff(*b) as u16).sum::<u16>();
        }
        if sad <= best.0 {
            best = (sad, index as u8);
        }
    }
    best
}

/// Pairs per group. The number is even because pairs are compared in twos. With one pair more on
/// both sides a group fills whole vectors.
pub(crate) const GROUP: usize = 62;

/// One value per pair of a group. The last group of a line may have one pair more; the array then
/// also has an entry for that pair's neighbour.
pub(crate) type PerPair<T> = [T; GROUP + 2];

/// One value per pair, and one before and one after them.
type Neighbourhood = [u16; GROUP + 3];

/// Sums over the two columns of each pair of a group, for two missing lines of one parity, y and
/// y+2.
pub(crate) struct Columns {
    /// Sums for every vector.
    sums: [[Neighbourhood; VECTORS.len()]; 2],
    /// The least sum of all vectors.
    least: [Neighbourhood; 2],
}

impl Columns {
    pub fn new() -> Columns {
        Columns { sums: [[[0; GROUP + 3]; VECTORS.len()]; 2], least: [[0; GROUP + 3]; 2] }
    }

    /// Sums the differences of all lines of the windows. `k` are the lines y-2…y+4 of the frame
    /// with the missing lines, y being the first of the two. `r` are the lines y-4…y+6 of the other
    /// frame. `x` is the position of the group's first pixel in both.
    #[inline(always)]
    pub fn sum<I: Isa>(&mut self, s: I, k: &[Row], r: &[Row], x: usize, count: usize) {
        let (k, r): (&[Row; 7], &[Row; 11]) = (k.first_chunk().expect("7 lines"), r.first_chunk().expect("11 lines"));
        blocks!(count + 2, I::N / 2, pair => {
            let x = x + 2 * pair - 2;
            let mut here = [s.splat(0); 7];
            for (here, k) in here.iter_mut().zip(k) {
                *here = s.load(&k[x..]);
            }
            // The part of each line that the vectors reach, sliced once.
            let mut reach: [&[u8]; 11] = [&[]; 11];
            for (reach, r) in reach.iter_mut().zip(r) {
                *reach = &r[x - REACH..][..I::N + 2 * REACH];
            }
            let mut least = [s.splat16(i16::MAX as u16); 2];
            self.sum_each(s, &here, &reach, pair, &mut least);
            s.store16(&mut self.least[0][pair..], least[0]);
            s.store16(&mut self.least[1][pair..], least[1]);
        });
    }

    /// Runs `sum_one` for every vector. The vector is a constant parameter: a loop would spend more
    /// on bounds checks and loads than on the sums.
    #[inline(always)]
    fn sum_each<I: Isa>(&mut self, s: I, k: &[I::B; 7], reach: &[&[u8]; 11], pair: usize, least: &mut [I::H; 2]) {
        macro_rules! each {
            ($($index:literal)*) => { $(self.sum_one::<I, $index>(s, k, reach, pair, least);)* };
        }
        each!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    }

    #[inline(always)]
    fn sum_one<I: Isa, const INDEX: usize>(
        &mut self,
        s: I,
        k: &[I::B; 7],
        reach: &[&[u8]; 11],
        pair: usize,
        least: &mut [I::H; 2],
    ) {
        let (mx, my) = const { VECTORS[INDEX] };
        let (moved, first) = ((REACH as isize + mx as isize) as usize, (2 + my) as usize);
        let mut lines = [s.splat16(0); 7];
        for j in 0..7 {
            lines[j] = s.pair_sum(s.abs_diff(k[j], s.load(&reach[first + j][moved..])));
        }
        // The windows of both lines have three lines in common.
        let common = s.add16(s.add16(lines[2], lines[3]), lines[4]);
        let upper = s.add16(common, s.add16(lines[0], lines[1]));
        let lower = s.add16(common, s.add16(lines[5], lines[6]));
        s.store16(&mut self.sums[0][INDEX][pair..], upper);
        s.store16(&mut self.sums[1][INDEX][pair..], lower);
        *least = [s.min15(least[0], upper), s.min15(least[1], lower)];
    }

    /// Whether the SAD of any pair can be below its bound. The window of the least column sums is a
    /// lower limit of every window's SAD.
    #[inline(always)]
    pub fn may_be_below<I: Isa>(&self, s: I, line: usize, bound: &PerPair<u16>, count: usize) -> bool {
        let mut below = s.splat16(0);
        blocks!(count, I::N / 2, pair => {
            below = s.or16(below, s.gt15(s.load16(&bound[pair..]), window(s, &self.least[line], pair)));
        });
        s.any16(below)
    }

    /// Finds the smallest SAD of each pair and the index of its vector.
    #[inline(always)]
    pub fn best<I: Isa>(&self, s: I, line: usize, best: &mut PerPair<u16>, vector: &mut PerPair<u16>, count: usize) {
        blocks!(count, I::N / 2, pair => {
            let (mut least, mut index) = (s.splat16(i16::MAX as u16), s.splat16(0));
            for (i, sums) in self.sums[line].iter().enumerate() {
                let sad = window(s, sums, pair);
                index = s.select16(s.gt15(sad, least), index, s.splat16(i as u16));
                least = s.min15(least, sad);
            }
            s.store16(&mut best[pair..], least);
            s.store16(&mut vector[pair..], index);
        });
    }
}

/// A window: the sum of three columns.
#[inline(always)]
fn window<I: Isa>(s: I, columns: &Neighbourhood, pair: usize) -> I::H {
    let sides = s.add16(s.load16(&columns[pair..]), s.load16(&columns[pair + 2..]));
    s.add16(sides, s.load16(&columns[pair + 1..]))
}
