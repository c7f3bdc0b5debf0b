//! Clean-up and count of the tear flags of a line (§4.1).

/// Adds the tears that remain to `sums` (v8, v9, v10), one entry for each 16 pixels: a flag is cleared when its four neighbours
/// are clear. `above`, `flags`, `below` are rows of [`film`](crate::Kernels::film) for the lines y-2, y, y+2, one pixel longer on both
/// sides; outside the picture they are 0.
pub fn scalar(sums: &mut [[u32; 3]], above: &[u8], flags: &[u8], below: &[u8]) {
    let n = flags.len() - 2;
    for x in 0..n {
        let kept = flags[x + 1] & (flags[x] | flags[x + 2] | above[x + 1] | below[x + 1]);
        for (bit, sum) in sums[x / 16].iter_mut().enumerate() {
            *sum += (kept >> bit & 1) as u32;
        }
    }
}
