//! Mirror and rotation of a plane (§13.10).
use crate::format::{Geometry, Mirror, Rotation};
use crate::frame::{MIN_TASK_LINES, PlaneSample};
use dndi_simd::{Kernels, Lines};
use rayon::prelude::*;

/// One of the eight orientations of a picture: reflections in the source, then axes that change
/// places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Orientation {
    /// Whether columns are read from right to left.
    pub reversed_columns: bool,
    /// Whether columns are mirrored before the rotation. Chroma samples of pictures of an odd width
    /// then stand for other luma columns.
    pub is_mirrored: bool,
    /// Whether lines are read from bottom to top.
    pub reversed_lines: bool,
    /// Whether lines of the output are columns of the source.
    pub swaps_axes: bool,
}

impl Orientation {
    /// The orientation of mirror and rotation together; none if the picture is not turned.
    pub fn of(geometry: &Geometry) -> Option<Orientation> {
        let [across, down] = [Mirror::Horizontal, Mirror::Vertical].map(|mirror| geometry.mirror == Some(mirror));
        let turned = match geometry.rotation {
            None => [false, false],
            Some(Rotation::Quarter) => [false, true],
            Some(Rotation::Half) => [true, true],
            Some(Rotation::ThreeQuarters) => [true, false],
        };
        let swaps_axes = geometry.swaps_axes();
        let (reversed_columns, reversed_lines) = (across != turned[0], down != turned[1]);
        let orientation = Orientation { reversed_columns, is_mirrored: across, reversed_lines, swaps_axes };
        (reversed_columns || reversed_lines || swaps_axes).then_some(orientation)
    }

    /// The line of the source for position `y` of `height`.
    fn line(self, y: usize, height: usize) -> usize {
        if self.reversed_lines { height - 1 - y } else { y }
    }
}

/// Lines of a block that is transposed at once, and columns of it: both in the nearest cache. The
/// numbers are not tuned.
const BLOCK_LINES: usize = 32;
const BLOCK_COLUMNS: usize = 64;

/// Writes `src`, of `height` lines, in another orientation to `dst`, row by row without gaps.
pub(crate) fn turn<S: PlaneSample>(kernels: &Kernels, orientation: Orientation, src: Lines<S>, height: usize, dst: &mut [S]) {
    if src.width == 0 || height == 0 {
        return;
    }
    let own = S::kernels(kernels);
    if orientation.swaps_axes {
        let bands = dst.par_chunks_mut(BLOCK_COLUMNS * height).enumerate();
        return bands.for_each(|(band, out)| turn_band(kernels, orientation, src, height, band * BLOCK_COLUMNS, out));
    }
    let lines = dst.par_chunks_exact_mut(src.width).enumerate().with_min_len(MIN_TASK_LINES);
    lines.for_each(|(y, out)| {
        let line = src.line(orientation.line(y, height));
        if orientation.reversed_columns { (own.mirror)(out, line) } else { out.copy_from_slice(line) }
    });
}

/// Writes the lines of the output from `first` on, which are columns of the source.
fn turn_band<S: PlaneSample>(
    kernels: &Kernels,
    orientation: Orientation,
    src: Lines<S>,
    height: usize,
    first: usize,
    out: &mut [S],
) {
    let own = S::kernels(kernels);
    let columns = out.len() / height;
    let start = if orientation.reversed_columns { src.width - first - columns } else { first };
    let mut block = [S::default(); BLOCK_LINES * BLOCK_COLUMNS];
    for x in (0..height).step_by(BLOCK_LINES) {
        let count = BLOCK_LINES.min(height - x);
        // The transposition reads lines in order, from left to right.
        for (i, piece) in block.chunks_exact_mut(BLOCK_COLUMNS).enumerate().take(count) {
            let samples = &src.line(orientation.line(x + i, height))[start..start + columns];
            let piece = &mut piece[..columns];
            if orientation.reversed_columns { (own.mirror)(piece, samples) } else { piece.copy_from_slice(samples) }
        }
        let lines = Lines { data: &block[..], stride: BLOCK_COLUMNS, width: columns };
        (own.transpose)(&mut out[x..], height, lines, count, S::MAX);
    }
}

/// Buffers of the chroma of a 4:2:2 picture that is rotated by a quarter.
#[derive(Debug, Default)]
pub(crate) struct PairedTurn<S> {
    /// Averages of two lines each.
    pub averages: Vec<S>,
    /// The same with exchanged axes.
    pub turned: Vec<S>,
}

/// Writes a chroma plane of 4:2:2, of `height` lines, rotated by a quarter to `dst`, which has
/// `width` lines, one for each luma column of the source. Each column of the source stands for two
/// luma columns, and each sample of the output is the truncated mean of two lines of the source.
pub(crate) fn turn_pairs<S: PlaneSample>(
    kernels: &Kernels,
    orientation: Orientation,
    src: Lines<S>,
    (width, height): (usize, usize),
    buffers: &mut PairedTurn<S>,
    dst: &mut [S],
) {
    if src.width == 0 || height == 0 {
        return;
    }
    let own = S::kernels(kernels);
    let pairs = height.div_ceil(2);
    let PairedTurn { averages, turned } = buffers;
    averages.par_chunks_exact_mut(src.width).enumerate().with_min_len(MIN_TASK_LINES).for_each(|(pair, out)| {
        let [a, b] = [2 * pair, (2 * pair + 1).min(height - 1)].map(|y| src.line(orientation.line(y, height)));
        (own.average)(out, a, b);
    });
    let straight = Orientation { reversed_columns: false, is_mirrored: false, reversed_lines: false, swaps_axes: true };
    turn(kernels, straight, Lines { data: &averages[..], stride: src.width, width: src.width }, pairs, turned);
    dst.par_chunks_exact_mut(pairs).enumerate().with_min_len(MIN_TASK_LINES).for_each(|(y, out)| {
        let is_turned_back = orientation.reversed_columns != orientation.is_mirrored;
        let column = if is_turned_back { width - 1 - y } else { y } / 2;
        let column = if orientation.is_mirrored { src.width - 1 - column } else { column };
        out.copy_from_slice(&turned[column * pairs..][..pairs]);
    });
}
