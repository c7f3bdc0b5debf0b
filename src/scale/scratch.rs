//! Input and scratch buffers of the scaler's tiles, and the sizes of their blocks (§5.2).
use super::axis::Position;
use super::plan::{Plan, PlanePlan, Weight};
use crate::memory::{OutOfMemory, with_capacity, zeroed};
use dndi_simd::{Kernels, Lines, Sample, Tap};

/// Source lines that the first direction filters at a time. The value follows from the widest
/// vector, 64 bytes, it is not measured: fewer lines would not fill it; twice as many would double
/// the buffers, which then exceed a first-level cache.
pub(super) const LANES: usize = 64;
/// The number of these lines is rounded up to a multiple of `GROUP`, so that vectors are full. The
/// surplus lines are ignored. The value follows from the transposition, which takes 16 lines at a
/// time, it is not measured: fewer would be transposed sample by sample, more would filter lines
/// without use.
pub(super) const GROUP: usize = 16;
/// Lines of the window: new lines, older lines that taps still read, and surplus lines.
const WINDOW: usize = LANES + 8 + GROUP;
/// Most output columns of a block. The value follows from a first-level cache of 32 KiB, it is not
/// measured: source columns (13 KiB), filtered columns (12 KiB) and weights (6 KiB) of a plane fill
/// it. More columns exceed it; with fewer, the taps at the sides of blocks are a larger part.
pub(super) const BLOCK: usize = 96;
/// Most source columns of a block. The value follows from `BLOCK`, it is not measured: a reduction
/// to half reads two columns for each output column, and those of the eight taps, rounded up to a
/// multiple of 16. With fewer columns such blocks are narrower; more serve only larger reductions.
pub(super) const COLUMNS: usize = 208;

/// A plane to scale, or a field of one.
#[derive(Clone, Copy)]
pub(crate) struct Plane<'a, S> {
    pub plan: &'a PlanePlan,
    /// Positions of the output lines in the source.
    pub lines: &'a [Position],
    pub source: Lines<'a, S>,
    /// The greatest value of the source; greater samples count as this value.
    pub most: S,
    /// Lines of the source.
    pub height: usize,
}

/// Input of the tiles of a plane, or of all planes together.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a, S> {
    pub kernels: &'a Kernels,
    pub plan: &'a Plan,
    /// One plane, or all three if the weights of one serve all.
    pub planes: &'a [Plane<'a, S>],
}

/// Scratch buffers for a tile.
#[derive(Debug, Default)]
pub(crate) struct Scratch<S> {
    /// For each plane the transposed source columns of a block, and the lines of the window.
    pub(super) planes: Vec<(Vec<S>, Vec<u16>)>,
    /// 8-bit values of a block that the weights are computed from (W of §5.2), unless they are the
    /// samples of a plane.
    pub(super) block_levels: Vec<u8>,
    /// 8-bit values of the window that the weights are computed from (W of §5.2).
    pub(super) levels: Vec<u8>,
    /// Weights of a block, or of a line.
    pub(super) alpha: Vec<u8>,
    /// A block after the first direction, still transposed.
    pub(super) filtered: Vec<u16>,
    /// A line of the output.
    pub(super) line: Vec<u16>,
    /// The taps of a block's columns.
    pub(super) taps: Vec<Tap>,
    /// Samples from one line of the window to the next.
    pub(super) stride: usize,
}

impl<S: Sample> Scratch<S> {
    /// Buffers for tiles of up to `width` columns of a plan.
    pub fn new(plan: &Plan, width: usize) -> Result<Scratch<S>, OutOfMemory> {
        let planes = if plan.joint || plan.mixed { 3 } else { 1 };
        // A little more than the width: the lines of wide pictures would share cache sets
        // otherwise.
        let stride = width + 32;
        let adaptive = plan.planes.iter().any(|plane| [&plane.across, &plane.down].map(|f| f.weight).contains(&Weight::Adaptive));
        let mut buffers = with_capacity(planes)?;
        for _ in 0..planes {
            buffers.push((zeroed(COLUMNS * LANES)?, zeroed(WINDOW * stride)?));
        }
        Ok(Scratch {
            planes: buffers,
            block_levels: zeroed(if adaptive && (plan.mixed || plan.depth > 8) { COLUMNS * LANES } else { 0 })?,
            levels: zeroed(if adaptive { WINDOW * stride } else { 0 })?,
            alpha: zeroed(if adaptive { (BLOCK * LANES).max(width) } else { 0 })?,
            filtered: zeroed(BLOCK * LANES)?,
            line: zeroed(width)?,
            taps: with_capacity(BLOCK)?,
            stride,
        })
    }
}
