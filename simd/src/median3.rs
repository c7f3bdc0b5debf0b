//! Median over three neighbours: the final angle (§3.3).

/// `dst[i]` = the median of `src[i]`, `src[i + 1]`, `src[i + 2]`; `src` is two longer than `dst`.
pub fn scalar(dst: &mut [u8], src: &[u8]) {
    for (out, three) in dst.iter_mut().zip(src.windows(3)) {
        let (low, high) = (three[0].min(three[1]), three[0].max(three[1]));
        *out = low.max(high.min(three[2]));
    }
}
