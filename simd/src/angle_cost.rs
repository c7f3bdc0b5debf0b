//! Costs of the nine angles between two lines of a field (§3.3).
use crate::isa::{Isa, blocks};
use crate::{APRON, OFFSETS, Row};

/// For each offset o of [`OFFSETS`] and each pair x, `|upper(x+i+o) - lower(x+i-o)|` summed over i = 0, 1 and over i = -2…3. `dst`
/// holds eighteen rows of equal length one after the other: nine of the small window, row k for `OFFSETS[k]`, then nine of the large.
pub fn scalar(dst: &mut [u16], upper: Row, lower: Row) {
    let (small, large) = dst.split_at_mut(dst.len() / 2);
    let pairs = (small.len() / OFFSETS.len()).max(1);
    for ((small, large), o) in small.chunks_exact_mut(pairs).zip(large.chunks_exact_mut(pairs)).zip(OFFSETS) {
        for (pair, (small, large)) in small.iter_mut().zip(large).enumerate() {
            let difference = |i: isize| {
                let x = (APRON + 2 * pair).wrapping_add_signed(i);
                upper[x.wrapping_add_signed(o as isize)].abs_diff(lower[x.wrapping_add_signed(-o as isize)]) as u16
            };
            *small = (0..2).map(difference).sum();
            *large = (-2..4).map(difference).sum();
        }
    }
}

/// Pairs whose small windows are held at a time.
const CHUNK: usize = 128;

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], upper: Row, lower: Row) -> bool {
    let pairs = dst.len() / (2 * OFFSETS.len());
    let (upper, lower) = (&upper[..2 * pairs + 2 * APRON], &lower[..2 * pairs + 2 * APRON]);
    let (small, large) = dst.split_at_mut(OFFSETS.len() * pairs);
    blocks!(pairs, CHUNK.min(pairs.max(I::N / 2)), first => {
        let count = CHUNK.min(pairs);
        for (k, o) in OFFSETS.into_iter().enumerate() {
            // The small windows from one pair before the first to one after the last: a large window is three of them.
            let mut window = [0; CHUNK + 2];
            blocks!(count + 2, I::N / 2, pair => {
                let x = APRON - 2 + 2 * (first + pair);
                let upper = s.load(&upper[x.wrapping_add_signed(o as isize)..]);
                let lower = s.load(&lower[x.wrapping_add_signed(-o as isize)..]);
                s.store16(&mut window[pair..], s.pair_sum(s.abs_diff(upper, lower)));
            });
            let (small, large) = (&mut small[k * pairs + first..], &mut large[k * pairs + first..]);
            blocks!(count, I::N / 2, pair => {
                let middle = s.load16(&window[pair + 1..]);
                let sides = s.add16(s.load16(&window[pair..]), s.load16(&window[pair + 2..]));
                s.store16(&mut small[pair..], middle);
                s.store16(&mut large[pair..], s.add16(middle, sides));
            });
        }
    })
}
