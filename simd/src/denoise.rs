//! Denoise filter of one line: mean of the good neighbours, recursive temporal filter and their
//! blend (§2.2 to §2.4, §9.3).
use crate::contract;
use crate::denoise5::Denoise5;
use crate::isa::Isa;
use crate::{APRON, Row, Sample};

mod bytes;
mod bytes5;
mod words;
mod words5;

/// 2048 / number of good neighbours, truncated like the table of the hardware (§2.3); 8 bits.
const G: [u16; 9] = [2048, 1024, 682, 512, 409, 341, 292, 256, 227];

/// 1024 / (temporal_diff_th - temporal_diff_low), rounded (§2.4); 8 bits.
const Q: [u16; 16] = [1024, 512, 341, 256, 205, 171, 146, 128, 114, 102, 93, 85, 79, 73, 68, 64];

/// Thresholds of [`denoise`](crate::SampleKernels::denoise), named as in §8.1, in units of the
/// samples: a value of 8 bits is shifted left by e = depth - 8.
#[derive(Clone, Copy, Debug)]
pub struct DenoiseThresholds {
    /// Bits per sample: 8 for bytes, 9…16 for words.
    pub depth: u8,
    /// A neighbour is good if it differs by less; 0…63 << e.
    pub good_neighbor_th: u16,
    /// From this temporal difference on the spatial filter is used alone; 0…63 << e, at most
    /// 16 << e above `temporal_diff_low`.
    pub temporal_diff_th: u16,
    /// Below this temporal difference the temporal filter is used alone; 0…63 << e.
    pub temporal_diff_low: u16,
}

/// Writes the filtered line. `cur` are the original lines above, at and below it, `prev` the clean
/// previous line, `history` the new history of each pixel's 4×4 block; a value below 128 means
/// motion.
pub fn scalar<S: Sample>(dst: &mut [S], cur: [Row<S>; 3], prev: Row<S>, history: &[u8], th: &DenoiseThresholds) {
    for (x, (out, &h)) in dst.iter_mut().zip(history).enumerate() {
        *out = mix(cur, prev, x, h, th, || mean(cur, x, th));
    }
}

/// The spatial filter sp of §2.3.
fn mean<S: Sample>(cur: [Row<S>; 3], x: usize, th: &DenoiseThresholds) -> u32 {
    let (c, good): (u32, u32) = (cur[1][APRON + x].into(), th.good_neighbor_th.into());
    let (mut sum, mut count) = (0, 0);
    for (line, row) in cur.into_iter().enumerate() {
        for (column, &n) in row[APRON + x - 1..=APRON + x + 1].iter().enumerate() {
            let n = n.into();
            if n.abs_diff(c) < good || (line, column) == (1, 1) {
                sum += n;
                count += 1;
            }
        }
    }
    match th.depth {
        8 => ((sum + (count >> 1)) * G[count as usize - 1] as u32) >> 11,
        _ => (sum + (count >> 1)) / count,
    }
}

/// The filtered sample `x` with the spatial filter `mean` (§2.2, §2.4). `cur` are the lines above,
/// at and below it, `h` its history.
pub(crate) fn mix<S: Sample>(
    cur: [Row<S>; 3],
    prev: Row<S>,
    x: usize,
    h: u8,
    th: &DenoiseThresholds,
    mean: impl Fn() -> u32,
) -> S {
    let [high, low] = [th.temporal_diff_th, th.temporal_diff_low].map(u32::from);
    let (c, p, h): (u32, u32, u32) = (cur[1][APRON + x].into(), prev[APRON + x].into(), h.into());
    let (mut least, mut most) = (c, c);
    for row in cur {
        for &n in &row[APRON + x - 1..=APRON + x + 1] {
            least = least.min(n.into());
            most = most.max(n.into());
        }
    }
    let mut t = (h * p + (256 - h) * c + 128) >> 8;
    if t >= most {
        t = (t + most) >> 1;
    }
    if t < least {
        t = (t + least) >> 1;
    }
    let td = c.abs_diff(p);
    S::from_u32(if td >= high || h < 128 {
        mean()
    } else if td < low {
        t
    } else if th.depth == 8 {
        let n = high - low;
        (((mean() * (td - low) + t * (high - td) + n / 2) * Q[n as usize - 1] as u32) >> 10).min(255)
    } else {
        let w = ((td - low) << 8) / (high - low);
        (mean() * w + t * (256 - w) + 128) >> 8
    })
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[S], cur: [Row<S>; 3], prev: Row<S>, history: &[u8], th: &DenoiseThresholds) {
    contract::rows(cur, dst.len());
    contract::rows([prev], dst.len());
    contract::at_least([history], dst.len());
    check_thresholds::<S>(th);
}

/// Panics if a threshold is outside its range.
#[inline(always)]
pub(crate) fn check_thresholds<S: Sample>(th: &DenoiseThresholds) {
    contract::depth::<S>(th.depth);
    let e = th.depth - 8;
    contract::within(th.good_neighbor_th.max(th.temporal_diff_th), 0..=if e == 0 { 255 } else { 63 << e });
    contract::within(th.temporal_diff_th.saturating_sub(th.temporal_diff_low), 0..=16 << e);
}

/// A spatial filter of vectors `V`. A trait and not a closure, which would be compiled without the
/// instructions of the level where the compiler does not inline it.
pub(crate) trait Spatial<I: Isa, V> {
    /// The filtered samples; `c` are those from sample `x` on.
    fn mean(&self, s: I, c: V, x: usize) -> V;
}

/// The vector form for a type of samples.
pub(crate) trait Denoise: Sample {
    fn vector<I: Isa>(
        s: I,
        dst: &mut [Self],
        cur: [Row<Self>; 3],
        prev: Row<Self>,
        history: &[u8],
        th: &DenoiseThresholds,
    ) -> bool;

    /// That of `denoise5`.
    fn vector5<I: Isa>(
        s: I,
        dst: &mut [Self],
        cur: [Row<Self>; 5],
        prev: Row<Self>,
        history: &[u8],
        th: &DenoiseThresholds,
        p: &Denoise5,
    ) -> bool;
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Denoise>(
    s: I,
    dst: &mut [S],
    cur: [Row<S>; 3],
    prev: Row<S>,
    history: &[u8],
    th: &DenoiseThresholds,
) -> bool {
    S::vector(s, dst, cur, prev, history, th)
}
