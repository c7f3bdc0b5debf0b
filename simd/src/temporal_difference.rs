//! Temporal difference of the cross-filtered fields (§3.2).
use crate::isa::{Isa, blocks};
use crate::{APRON, DIFFERENCE_APRON, Row};

/// Writes `|C'(x) - P'(x)|`, the cross filter over the lines y-2, y, y+2 of the current (`c`) and the previous (`p`) frame, which may
/// change places. `dst` begins [`DIFFERENCE_APRON`] samples before the rows' first sample and ends as many after their last.
pub fn scalar(dst: &mut [u8], c: [Row; 3], p: [Row; 3]) {
    for (x, out) in dst.iter_mut().enumerate() {
        let cross = |[above, at, below]: [Row; 3]| {
            let x = APRON - DIFFERENCE_APRON + x;
            let sum = 2 * at[x] as u16 + at[x - 1] as u16 + at[x + 1] as u16 + 2 * above[x] as u16 + 2 * below[x] as u16;
            (sum >> 3) as u8
        };
        *out = cross(c).abs_diff(cross(p));
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], c: [Row; 3], p: [Row; 3]) -> bool {
    let n = dst.len();
    let c = c.map(|row| &row[APRON - DIFFERENCE_APRON - 1..][..n + 2]);
    let p = p.map(|row| &row[APRON - DIFFERENCE_APRON - 1..][..n + 2]);
    blocks!(n, I::N, x => {
        s.store(&mut dst[x..], s.abs_diff(cross(s, c, x), cross(s, p, x)));
    })
}

/// The cross filter at x - 1 and after.
#[inline(always)]
fn cross<I: Isa>(s: I, [above, at, below]: [&[u8]; 3], x: usize) -> I::B {
    let (left, here, right) = (s.load(&at[x..]), s.load(&at[x + 1..]), s.load(&at[x + 2..]));
    let (above, below) = (s.load(&above[x + 1..]), s.load(&below[x + 1..]));
    // The neighbours of an even pixel are odd ones, and the other way round.
    let (even, odd) = (s.even(here), s.odd(here));
    let even_column = s.shl::<1>(s.add16(even, s.add16(s.even(above), s.even(below))));
    let odd_column = s.shl::<1>(s.add16(odd, s.add16(s.odd(above), s.odd(below))));
    let even_sum = s.add16(even_column, s.add16(s.even(left), odd));
    let odd_sum = s.add16(odd_column, s.add16(even, s.odd(right)));
    s.merge(s.shr::<3>(even_sum), s.shr::<3>(odd_sum))
}
