//! Motion search of a missing line (§3.5).
use crate::isa::{Isa, blocks, load_each};
use crate::{APRON, Row};

/// The candidate vectors (Mx, My) in the order of the search.
pub const VECTORS: [(i8, i8); 16] = [
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

/// Writes each pair's smallest SAD and the index of its vector; on equal SAD the later vector wins. `k` are the lines y-2…y+2 of
/// the frame being completed, `r` the lines y-4…y+4 of the other one.
pub fn scalar(best: &mut [u16], vector: &mut [u8], k: [Row; 5], r: [Row; 9]) {
    for (pair, (best, vector)) in best.iter_mut().zip(vector).enumerate() {
        let x = APRON + 2 * pair - 2;
        *best = u16::MAX;
        for (index, (mx, my)) in VECTORS.into_iter().enumerate() {
            let mut sad = 0;
            for (j, k) in k.iter().enumerate() {
                let r = r[(j + 2).wrapping_add_signed(my as isize)];
                let moved = x.wrapping_add_signed(mx as isize);
                sad += k[x..x + 6].iter().zip(&r[moved..moved + 6]).map(|(a, b)| a.abs_diff(*b) as u16).sum::<u16>();
            }
            if sad <= *best {
                (*best, *vector) = (sad, index as u8);
            }
        }
    }
}

/// Pairs whose sums are held at a time: little enough to stay in the first cache.
const CHUNK: usize = 128;

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, best: &mut [u16], vector: &mut [u8], k: [Row; 5], r: [Row; 9]) -> bool {
    let n = best.len();
    let k = k.map(|row| &row[..2 * n + 2 * APRON]);
    let r = r.map(|row| &row[..2 * n + 2 * APRON]);
    let vector = &mut vector[..n];
    blocks!(n, CHUNK.min(n.max(I::N / 2)), first => {
        let count = CHUNK.min(n);
        // Differences of the two columns of each pair, for every vector, from one pair before the first to one after the last.
        let mut columns = [[0; CHUNK + 2]; VECTORS.len()];
        blocks!(count + 2, I::N / 2, pair => {
            let x = APRON + 2 * (first + pair) - 2;
            let k = load_each(s, k, x);
            for (columns, (mx, my)) in columns.iter_mut().zip(VECTORS) {
                let moved = x.wrapping_add_signed(mx as isize);
                let mut sum = s.splat16(0);
                for (k, row) in k.into_iter().zip(&r[2usize.wrapping_add_signed(my as isize)..]) {
                    sum = s.add16(sum, s.pair_sum(s.abs_diff(k, s.load(&row[moved..]))));
                }
                s.store16(&mut columns[pair..], sum);
            }
        });
        blocks!(count, I::N / 2, pair => {
            let (mut least, mut index) = (s.splat16(i16::MAX as u16), s.splat16(0));
            for (i, columns) in columns.iter().enumerate() {
                let sad = s.add16(s.load16(&columns[pair..]), s.load16(&columns[pair + 1..]));
                let sad = s.add16(sad, s.load16(&columns[pair + 2..]));
                index = s.select16(s.gt15(sad, least), index, s.splat16(i as u16));
                least = s.min15(least, sad);
            }
            s.store16(&mut best[first + pair..], least);
            s.store_half(&mut vector[first + pair..], index);
        });
    })
}
