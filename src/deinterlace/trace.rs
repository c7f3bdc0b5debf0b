//! Angles and vectors of a step, recomputed for inspection.
use super::block_row::{BlockRow, Input, Span};
use super::compensation::compensate_rows;
use super::luma::Scratch;
use crate::format::Rect;
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, with_capacity};
use crate::plane::PairPlane;

/// One value for each pair of each line; a line is missing in one of the step's outputs, which its
/// values refer to.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    /// Final angles (§3.3).
    pub angles: Vec<u8>,
    /// Vectors of the pairs that motion compensation changed (§3.5).
    pub vectors: Vec<Option<(i8, i8)>>,
}

/// Recomputes the angles and vectors of a step as its tiles did. `input.counts` must be set: the
/// lines before motion compensation show which pairs it changed.
pub(crate) fn trace<S: PlaneSample>(input: &Input<S>, (width, height): (usize, usize)) -> Result<Trace, OutOfMemory> {
    let (mut scratch, mut measure) = (Scratch::new(width)?, PairPlane::new(width, height)?);
    let rect = Rect { x: 0, y: 0, width, height };
    let span = Span::of(rect, input.pairs);
    let pairs = width.div_ceil(2) * height;
    let mut trace = Trace { angles: with_capacity(pairs)?, vectors: with_capacity(pairs)? };
    for top in (0..height).step_by(4) {
        let row = &BlockRow::new(input, rect, span, top);
        scratch.measure(input, row, rect, &mut measure.target());
        scratch.interpolate(input, row, rect);
        let rows = compensate_rows(row, &scratch.motion, &scratch.angle);
        for l in 0..row.lines {
            trace.angles.extend_from_slice(scratch.angle.of_line(l, span));
            let [di, sdi] = [&scratch.di[l], &scratch.sdi[l]].map(|line| line[..width].chunks(2));
            let changed = di.zip(sdi).map(|(di, sdi)| di != sdi);
            trace.vectors.extend(changed.enumerate().map(|(pair, changed)| changed.then(|| rows.vector(l, pair))));
        }
    }
    Ok(trace)
}
