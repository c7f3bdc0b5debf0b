//! The frame in which a picture lies (§13.10).
use crate::frame::{MIN_TASK_LINES, PlaneSample};
use dndi_simd::Lines;
use rayon::prelude::*;

/// Writes a plane of `width` samples a line to `dst`: `src`, of `height` lines, with its top left
/// at column `x` of line `y`, and `fill` around it.
pub(crate) fn place<S: PlaneSample>((src, height): (Lines<S>, usize), (x, y): (i64, i64), fill: S, dst: &mut [S], width: usize) {
    if width == 0 {
        return;
    }
    // The columns of the output that show the picture.
    let within = |v: i64, most: usize| v.clamp(0, most as i64) as usize;
    let (left, right) = (within(x, width), within(x + src.width as i64, width));
    dst.par_chunks_exact_mut(width).enumerate().with_min_len(MIN_TASK_LINES).for_each(|(line, out)| {
        let line = usize::try_from(line as i64 - y).ok().filter(|&line| line < height && left < right);
        let Some(line) = line else { return out.fill(fill) };
        out[..left].fill(fill);
        out[right..].fill(fill);
        let start = (left as i64 - x) as usize;
        out[left..right].copy_from_slice(&src.line(line)[start..][..right - left]);
    });
}
