//! How much two lines differ.
use crate::isa::Isa;

/// Adds `(a(x) - b(x))²` to `sums`, one entry for each 16 samples; lines of equal length.
pub fn scalar(sums: &mut [u32], a: &[u8], b: &[u8]) {
    for (sum, (a, b)) in sums.iter_mut().zip(a.chunks(16).zip(b.chunks(16))) {
        *sum += a.iter().zip(b).map(|(&a, &b)| (a.abs_diff(b) as u32).pow(2)).sum::<u32>();
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, sums: &mut [u32], a: &[u8], b: &[u8]) -> bool {
    let n = a.len();
    let b = &b[..n];
    // Sums must not count a sample twice: whole vectors, then the rest plainly.
    let whole = n / I::N * I::N;
    for x in (0..whole).step_by(I::N) {
        let squares = s.sum_squares(s.abs_diff(s.load(&a[x..]), s.load(&b[x..])));
        for (sum, square) in sums[x / 16..].iter_mut().zip(&squares[..I::N / 16]) {
            *sum += square;
        }
    }
    scalar(&mut sums[whole / 16..], &a[whole..], &b[whole..]);
    true
}
