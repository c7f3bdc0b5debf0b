//! Motion compensation (§3.5): the input of its kernel.
use super::block_row::BlockRow;
use super::{angle, motion};
use dndi_simd::{CompensateRows, Sample};

/// The rows of a block row that the motion search and its checks read.
pub(super) fn compensate_rows<'a, S: Sample>(
    row: &BlockRow<'a, S>,
    motion: &'a motion::Scratch,
    angle: &'a angle::Scratch,
) -> CompensateRows<'a, S> {
    let (own, span) = ([0, 1, 2, 3], row.span);
    CompensateRows {
        lines: row.lines,
        frames: row.frames.map(|frame| frame.map(|line| row.own(line))),
        samples: row.samples.map(|frame| frame.map(|line| row.own(line))),
        stmm3: own.map(|l| span.own(motion.stmm3(l))),
        angle: own.map(|l| angle.of_line(l, span)),
        detail: own.map(|l| span.own(&motion.detail[l])),
        cost90: own.map(|l| span.own(&angle.cost90[l])),
    }
}
