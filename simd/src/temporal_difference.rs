//! Temporal difference of the cross-filtered fields (§3.2).
use crate::isa::{Isa, blocks};
use crate::{APRON, Row};

/// `dst[x] = |C'(x) - P'(x)|`, the cross filter over the lines y-2, y, y+2 of the current (`c`) and the previous (`p`) frame.
pub fn scalar(dst: &mut [u8], c: [Row; 3], p: [Row; 3]) {
    for (x, out) in dst.iter_mut().enumerate() {
        let cross = |[above, at, below]: [Row; 3]| {
            let x = APRON + x;
            let sum = 2 * at[x] as u16 + at[x - 1] as u16 + at[x + 1] as u16 + 2 * above[x] as u16 + 2 * below[x] as u16;
            (sum >> 3) as u8
        };
        *out = cross(c).abs_diff(cross(p));
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], c: [Row; 3], p: [Row; 3]) -> bool {
    let n = dst.len();
    let [c, p] = [c, p].map(|lines| lines.map(|row| &row[APRON - 1..APRON + n + 1]));
    blocks!(n, I::N, x => {
        let filtered = [c, p].map(|[above, at, below]| {
            let (left, here, right) = (s.load(&at[x..]), s.load(&at[x + 1..]), s.load(&at[x + 2..]));
            let (above, below) = (s.load(&above[x + 1..]), s.load(&below[x + 1..]));
            // The neighbours of an even pixel are odd ones, and the other way round.
            let (even, odd) = (s.even(here), s.odd(here));
            let vertical = |here: I::H, above: I::H, below: I::H| s.shl::<1>(s.add16(here, s.add16(above, below)));
            let even_sum = s.add16(vertical(even, s.even(above), s.even(below)), s.add16(s.even(left), odd));
            let odd_sum = s.add16(vertical(odd, s.odd(above), s.odd(below)), s.add16(even, s.odd(right)));
            s.merge(s.shr::<3>(even_sum), s.shr::<3>(odd_sum))
        });
        s.store(&mut dst[x..], s.abs_diff(filtered[0], filtered[1]));
    })
}
