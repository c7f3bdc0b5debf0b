//! How much lines differ.
use crate::isa::{Isa, squares};

/// `(a(x) - b(x))²` of all pairs of lines added up in `sums`, one entry for each 16 samples; lines of equal length.
pub fn scalar(sums: &mut [u32], pairs: &[[&[u8]; 2]]) {
    sums.fill(0);
    for [a, b] in pairs {
        for (sum, (a, b)) in sums.iter_mut().zip(a.chunks(16).zip(b.chunks(16))) {
            *sum += a.iter().zip(b).map(|(&a, &b)| (a.abs_diff(b) as u32).pow(2)).sum::<u32>();
        }
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, sums: &mut [u32], pairs: &[[&[u8]; 2]]) -> bool {
    let n = pairs.first().map_or(0, |pair| pair[0].len());
    if !n.is_multiple_of(I::N) {
        return false;
    }
    for (x, sums) in (0..n).step_by(I::N).zip(sums.chunks_mut(I::N / 16)) {
        let mut sum = s.splat32(0);
        for [a, b] in pairs {
            let difference = s.abs_diff(s.load(&a[x..]), s.load(&b[x..]));
            sum = s.add32(sum, squares(s, s.even(difference), s.odd(difference)));
        }
        for (sum, group) in sums.iter_mut().zip(s.sum_groups(sum)) {
            *sum = group;
        }
    }
    true
}
