//! Denoise filter of one line with the 5×5 neighbourhood as its spatial filter (§13.3); the rest is
//! that of `denoise`.
use crate::contract;
use crate::denoise::{Denoise, DenoiseThresholds, check_thresholds, mix};
use crate::isa::Isa;
use crate::{APRON, Row, Sample};

/// Weights of the neighbours by distance and by difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Denoise5 {
    /// Weight of the neighbours at each distance: lines, then columns. 0…31.
    pub distance: [[u8; 3]; 3],
    /// Weight by the number of thresholds that the difference reaches, 0…31.
    pub range: [u8; 6],
    /// Differences from which on a threshold is reached, in code values of the samples. They need
    /// not ascend.
    pub thresholds: [u32; 5],
}

impl Denoise5 {
    /// The weighted mean of the neighbourhood of sample `x` (in the row with its apron); the sample
    /// itself if all weights are 0.
    fn mean<S: Sample>(&self, cur: [Row<S>; 5], x: usize) -> u32 {
        let c: u32 = cur[2][x].into();
        let (mut sum, mut weights) = (0, 0);
        for (row, dy) in cur.into_iter().zip([2, 1, 0, 1, 2]) {
            for (&n, dx) in row[x - 2..=x + 2].iter().zip([2, 1, 0, 1, 2]) {
                let n: u32 = n.into();
                let reached = self.thresholds.iter().filter(|&&th| n.abs_diff(c) >= th).count();
                let w = u32::from(self.distance[dy][dx]) * u32::from(self.range[reached]);
                sum += w * n;
                weights += w;
            }
        }
        (sum + (weights >> 1)).checked_div(weights).unwrap_or(c)
    }

    /// The same weights with thresholds in ascending order that fit samples of up to `most`. If a
    /// difference cannot reach a threshold, the weights beyond it are those before it.
    pub(crate) fn within(&self, most: u16) -> ([u16; 5], [u8; 6]) {
        let (mut sorted, mut range) = (self.thresholds, self.range);
        sorted.sort_unstable();
        for k in (0..5).rev() {
            if sorted[k] > most.into() {
                let last = range[k];
                range[k + 1..].fill(last);
            }
        }
        (sorted.map(|th| th.min(most.into()) as u16), range)
    }
}

/// Writes the filtered line. `cur` are the original lines around it, two above and two below;
/// otherwise like `denoise`.
pub fn scalar<S: Sample>(dst: &mut [S], cur: [Row<S>; 5], prev: Row<S>, history: &[u8], th: &DenoiseThresholds, p: &Denoise5) {
    let near = [cur[1], cur[2], cur[3]];
    for (x, (out, &h)) in dst.iter_mut().zip(history).enumerate() {
        *out = mix(near, prev, x, h, th, || p.mean(cur, APRON + x));
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S: Sample>(dst: &[S], cur: [Row<S>; 5], prev: Row<S>, history: &[u8], th: &DenoiseThresholds, p: &Denoise5) {
    contract::rows(cur, dst.len());
    contract::rows([prev], dst.len());
    contract::at_least([history], dst.len());
    check_thresholds::<S>(th);
    p.distance.iter().flatten().chain(&p.range).for_each(|&weight| contract::within(weight, 0..=31));
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Denoise>(
    s: I,
    dst: &mut [S],
    cur: [Row<S>; 5],
    prev: Row<S>,
    history: &[u8],
    th: &DenoiseThresholds,
    p: &Denoise5,
) -> bool {
    S::vector5(s, dst, cur, prev, history, th, p)
}
