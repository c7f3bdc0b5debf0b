//! Film mode variances of a pair of lines, without the tears' clean-up (§4.1).
use crate::{APRON, Row};

/// Thresholds of [`film`](crate::Kernels::film), named as in §8.1; 0…255 each.
#[derive(Clone, Copy, Debug)]
pub struct FilmThresholds {
    /// Least temporal difference of a pixel that counts.
    pub fmd_tdiff: u8,
    /// Limit of the smoothness measures, excluded.
    pub fmd_vdiff1: u8,
    /// Least difference of a tear.
    pub fmd_vdiff2: u8,
}

/// Lines that [`film`](crate::Kernels::film) reads around the even line y.
#[derive(Clone, Copy, Debug)]
pub struct FilmRows<'a> {
    /// Lines y-2…y+3 of the current frame.
    pub c: [Row<'a>; 6],
    /// Lines y-1…y+2 of the previous frame; none on the first step, when every difference that reads them is 65025.
    pub p: Option<[Row<'a>; 4]>,
}

/// v0…v7 of a block, v0…v4 not yet divided.
pub type FilmSums = [u32; 8];

/// Adds the variances v0…v7 of the pixels of line y (and y+1 below it) to `sums`, one entry for each 16 pixels, and writes the
/// tear flags of each pixel: bit 0 TEAR1, bit 1 TEAR2, bit 2 TEAR3.
pub fn scalar(sums: &mut [FilmSums], tears: &mut [u8], rows: &FilmRows, th: &FilmThresholds) {
    let square = |a: u8, b: u8| (a.abs_diff(b) as u32).pow(2);
    let distance = |a: u8, b: u8| a.abs_diff(b) as i32;
    let (tdiff, vdiff1, vdiff2) = (th.fmd_tdiff as u32, th.fmd_vdiff1 as i32, th.fmd_vdiff2 as u32);
    for (block, (v, tears)) in sums.iter_mut().zip(tears.chunks_mut(16)).enumerate() {
        for (i, tear) in tears.iter_mut().enumerate() {
            let x = APRON + 16 * block + i;
            let [t_up, b_up, t, b, t_down, b_down] = rows.c.map(|row| row[x]);
            let [tptp, bpbp, ctpt, cbpb, ctpb, cbpt] = match rows.p {
                Some(p) => {
                    let [pb_up, pt, pb, pt_down] = p.map(|row| row[x]);
                    [square(pt, pt_down), square(pb_up, pb), square(t, pt), square(b, pb), square(t, pb), square(b, pt)]
                }
                None => [65025; 6],
            };
            let (ctcb, ctct, cbcb) = (square(t, b), square(t, t_down), square(b_up, b));
            for (v, term) in v.iter_mut().zip([ctpt, cbpb, ctcb, ctpb, cbpt]) {
                *v += term;
            }
            *tear = 0;
            if ctpt + cbpb <= tdiff {
                continue;
            }
            v[if ctcb > ctct + cbcb { 5 } else { 6 }] += 1;
            let ct = distance(t, t_up) + distance(t, t_down) - distance(t_up, t_down);
            let cb = distance(b, b_up) + distance(b, b_down) - distance(b_up, b_down);
            if ct < vdiff1 && cb < vdiff1 {
                v[7] += 1;
                let tear1 = ctcb >= vdiff2 && ctcb > ctct + cbcb;
                let tear2 = ctpb >= vdiff2 && ctpb > ctct + bpbp;
                let tear3 = cbpt >= vdiff2 && cbpt > tptp + cbcb;
                *tear = tear1 as u8 | (tear2 as u8) << 1 | (tear3 as u8) << 2;
            }
        }
    }
}
