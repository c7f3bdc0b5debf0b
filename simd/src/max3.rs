//! Maximum over three neighbours: stmm3 (§3.2).

/// `dst[i]` = the greatest of `src[i]`, `src[i + 1]`, `src[i + 2]`; `src` is two longer than `dst`.
pub fn scalar(dst: &mut [u8], src: &[u8]) {
    for (out, three) in dst.iter_mut().zip(src.windows(3)) {
        *out = three[0].max(three[1]).max(three[2]);
    }
}
