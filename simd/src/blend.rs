//! Final blend of the luma: temporal interpolation where all is still, `di` where it moves (§3.4, §3.7).
use crate::Mix;
use crate::isa::{Isa, blocks};

/// Writes the mix of `di` and the truncated average of the line in the two `fields` around; `stmm` is the motion measure of each
/// sample.
pub fn scalar(dst: &mut [u8], di: &[u8], fields: [&[u8]; 2], stmm: &[u8], p: &Mix) {
    for (x, out) in dst.iter_mut().enumerate() {
        let tdi = (fields[0][x] as u16 + fields[1][x] as u16) >> 1;
        *out = p.of(stmm[x], di[x], tdi as u8);
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u8], di: &[u8], fields: [&[u8]; 2], stmm: &[u8], p: &Mix) -> bool {
    let n = dst.len();
    let (di, a, b, stmm) = (&di[..n], &fields[0][..n], &fields[1][..n], &stmm[..n]);
    blocks!(n, I::N, x => {
        let weights = p.weights(s, s.load(&stmm[x..]));
        let mut value = s.load(&di[x..]);
        if weights.any_still(s) {
            value = weights.mix(s, value, s.avg(s.load(&a[x..]), s.load(&b[x..])));
        }
        s.store(&mut dst[x..], value);
    })
}
