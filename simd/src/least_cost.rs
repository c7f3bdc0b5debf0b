//! The search for the candidate of the least cost, for each sample of a part of a line.
use crate::isa::{Isa, Lane, blocks};

/// Samples that all candidates visit before the next ones: they fit the first-level cache.
pub(crate) const CHUNK: usize = 512;
/// More than any cost.
const NONE: u16 = 0x7fff;

/// The differences of the even columns of a vector, of the odd ones, and sums of pairs of both.
type Columns<I> = [<I as Isa>::H; 3];

/// The costs of the best candidate so far, of the even and of the odd samples of a chunk.
pub(crate) struct LeastCost([[u16; CHUNK / 2]; 2]);

impl LeastCost {
    pub fn new() -> LeastCost {
        LeastCost([[NONE; CHUNK / 2]; 2])
    }

    /// Compares the next candidate. Its cost is the sum of the differences of `rows` in a window of
    /// `2 * RADIUS + 1` columns, plus `penalty`; of three rows the middle one counts twice. A
    /// window begins at the entry of its sample. Where the cost is the least so far, the mean of
    /// `a` and `b` is written to `value`, whose length is even and at least a vector of bytes. The
    /// first candidate is written everywhere.
    #[inline(always)]
    pub fn improve<I: Isa, S: Lane, const ROWS: usize, const RADIUS: usize>(
        &mut self,
        s: I,
        value: &mut [S],
        [a, b]: [&[S]; 2],
        rows: [[&[u8]; 2]; ROWS],
        penalty: u16,
    ) {
        let count = value.len();
        let (a, b) = (&a[..count], &b[..count]);
        let mut trimmed = rows;
        for row in trimmed.as_flattened_mut() {
            *row = &row[..count + 2 * RADIUS];
        }
        let penalty = s.splat16(penalty);
        let [even_costs, odd_costs] = &mut self.0;
        let mut x = 0;
        let mut columns = columns(s, &trimmed, x);
        loop {
            let is_followed = x + 2 * I::N <= count;
            let next = if is_followed {
                self::columns(s, &trimmed, x + I::N)
            } else {
                let [even, odd, pairs] = self::columns(s, &trimmed, x + 2 * RADIUS);
                [s.last16::<RADIUS>(even), odd, s.last16::<RADIUS>(pairs)]
            };
            let [even, odd] = windows::<I, RADIUS>(s, columns, next, penalty);
            let pair = x / 2;
            let (best_even, best_odd) = (s.load16(&even_costs[pair..]), s.load16(&odd_costs[pair..]));
            s.store16(&mut even_costs[pair..], s.min15(even, best_even));
            s.store16(&mut odd_costs[pair..], s.min15(odd, best_odd));
            let is_better = [s.gt15(best_even, even), s.gt15(best_odd, odd)];
            S::replace_by_mean(s, &mut value[x..], [&a[x..], &b[x..]], is_better);
            if x + I::N >= count {
                break;
            }
            (x, columns) = if is_followed { (x + I::N, next) } else { (count - I::N, self::columns(s, &trimmed, count - I::N)) };
        }
    }

    /// Writes the costs of the best candidates, shifted right by `DOWN` and left by `up`.
    #[inline(always)]
    pub fn store<I: Isa, const DOWN: u32>(&self, s: I, dst: &mut [u16], up: u8) {
        let [even, odd] = &self.0;
        blocks!(dst.len(), I::N, x => {
            let [even, odd] = [s.load16(&even[x / 2..]), s.load16(&odd[x / 2..])];
            let [even, odd] = [s.shl_by(s.shr::<DOWN>(even), up), s.shl_by(s.shr::<DOWN>(odd), up)];
            s.store_alternating(&mut dst[x..], even, odd);
        });
    }
}

#[inline(always)]
fn columns<I: Isa, const ROWS: usize>(s: I, rows: &[[&[u8]; 2]; ROWS], x: usize) -> Columns<I> {
    let mut differences = [s.splat(0); ROWS];
    for (difference, [a, b]) in differences.iter_mut().zip(rows) {
        *difference = s.abs_diff(s.load(&a[x..]), s.load(&b[x..]));
    }
    let (mut even, mut odd) = (s.even(differences[0]), s.odd(differences[0]));
    if ROWS == 3 {
        even = s.add16(s.add16(even, s.even(differences[2])), s.shl::<1>(s.even(differences[1])));
        odd = s.add16(s.add16(odd, s.odd(differences[2])), s.shl::<1>(s.odd(differences[1])));
    }
    [even, odd, s.add16(even, odd)]
}

/// The sums of the windows that begin with the even and with the odd columns of a vector, plus a
/// constant.
#[inline(always)]
fn windows<I: Isa, const RADIUS: usize>(s: I, now: Columns<I>, next: Columns<I>, constant: I::H) -> [I::H; 2] {
    let [even, odd, pairs] = now;
    let mut common = s.add16(s.shift_in16::<1>(pairs, next[2]), constant);
    if RADIUS == 3 {
        common = s.add16(common, s.shift_in16::<2>(pairs, next[2]));
    }
    let even = s.add16(s.add16(pairs, common), s.shift_in16::<RADIUS>(even, next[0]));
    let odd = s.add16(s.add16(odd, common), s.shift_in16::<RADIUS>(pairs, next[2]));
    [even, odd]
}
