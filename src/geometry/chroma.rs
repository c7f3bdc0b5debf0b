//! Conversion of the chroma sampling of a plane (§13.10).
use crate::format::{Sampling, Siting};
use crate::frame::{MIN_TASK_LINES, PlaneSample};
use dndi_simd::{Kernels, Lines};
use rayon::prelude::*;

/// A change of the chroma sampling, with the sitings of the chroma before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Resampling {
    /// The samplings before and after.
    pub samplings: [Sampling; 2],
    /// Eighths of a luma step at which subsampled chroma lies, before and after.
    pub sitings: [Siting; 2],
}

/// Writes a chroma plane `src` of `height` lines in another sampling to `dst`, of `size`. `lines`
/// holds a line of the output's width for each of `height`; it is used if both axes change.
pub(crate) fn convert<S: PlaneSample>(
    kernels: &Kernels,
    resampling: Resampling,
    (src, height): (Lines<S>, usize),
    (dst, width): (&mut [S], usize),
    wide: &mut [S],
) {
    if src.width == 0 || height == 0 || width == 0 {
        return;
    }
    let own = S::kernels(kernels);
    let Resampling { samplings: [from, to], sitings: [before, after] } = resampling;
    let ((from_across, from_down), (to_across, to_down)) = (from.chroma_scale(), to.chroma_scale());
    let widens = from_across > to_across;
    // Up before down, horizontally first.
    let src = if widens {
        let whole = from_down == to_down;
        let target = if whole { &mut *dst } else { &mut *wide };
        target.par_chunks_exact_mut(width).enumerate().with_min_len(MIN_TASK_LINES).for_each(|(y, out)| {
            (own.chroma_across)(out, src.line(y), before.across);
        });
        if whole {
            return;
        }
        Lines { data: &*wide, stride: width, width }
    } else {
        src
    };
    let narrows = from_across < to_across;
    dst.par_chunks_exact_mut(width).enumerate().with_min_len(MIN_TASK_LINES).for_each(|(y, out)| {
        let (rows, weight) = if from_down > to_down {
            let position = 8 * y as isize - isize::from(before.down);
            let line = |index: isize| src.line(index.clamp(0, height as isize - 1) as usize);
            ([line(position >> 4), line((position >> 4) + 1)], (position & 15) as u8)
        } else if from_down < to_down {
            ([src.line(2 * y), src.line((2 * y + 1).min(height - 1))], 2 * after.down)
        } else {
            ([src.line(y); 2], 0)
        };
        if !narrows {
            return (own.chroma_mix)(out, rows, weight);
        }
        let sitings = [after.across, weight / 2];
        // The last pair of an odd width has one sample.
        let whole = src.width / 2;
        (own.chroma_reduce)(&mut out[..whole], rows, sitings);
        if whole < width {
            let last = rows.map(|row| [row[src.width - 1]; 2]);
            (own.chroma_reduce)(&mut out[whole..], [&last[0], &last[1]], sitings);
        }
    });
}
