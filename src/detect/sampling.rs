//! What is measured of a frame's luma: lines in groups over the whole height, at a quarter of their width, in tiles.
use crate::frame::BytePlane;
use dndi_simd::{Kernels, Tile};
use rayon::prelude::*;

/// Lines of a group: three of the top field, two of the bottom field between them.
const LINES: usize = 5;

/// Samples of a tile's lines; 64 pixels.
const TILE: usize = 16;

/// Pixels of a tile's lines.
pub(super) const TILE_PIXELS: usize = 4 * TILE;

/// About as many groups are looked at: more of narrow pictures, whose rows have few tiles.
const GROUPS: [usize; 2] = [64, 48];

/// Width from which on fewer are.
const WIDE: usize = 512;

/// Groups that are worth a task of their own.
const TASK: usize = 16;

/// Where the groups and tiles lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampleGrid {
    /// Samples of a line at a quarter of the width.
    width: usize,
    /// The same with zeros up to whole vectors of any instruction set.
    stride: usize,
    /// Lines from one group to the next, even.
    pub pitch: usize,
    groups: usize,
}

impl SampleGrid {
    pub fn new(width: usize, height: usize) -> SampleGrid {
        let pitch = ((height / GROUPS[usize::from(width >= WIDE)]) & !1).max(2);
        let width = (width / 4).max(1);
        SampleGrid { width, stride: width.next_multiple_of(64), pitch, groups: height.saturating_sub(LINES - 1).div_ceil(pitch) }
    }

    /// Tiles in a row.
    pub fn columns(self) -> usize {
        self.stride / TILE
    }

    pub fn tiles(self) -> usize {
        self.columns() * self.groups
    }

    /// Samples that are compared in each measure of combing.
    pub fn samples(self) -> u64 {
        (2 * self.groups * self.width) as u64
    }
}

/// The groups of a frame.
#[derive(Debug)]
pub(super) struct SubsampledLuma(Vec<u8>);

impl SubsampledLuma {
    pub fn new(grid: SampleGrid) -> SubsampledLuma {
        SubsampledLuma(vec![0; grid.stride * LINES * grid.groups])
    }

    /// Takes a luma plane of `width` samples.
    pub fn take(&mut self, grid: SampleGrid, kernels: &Kernels, luma: BytePlane, width: usize) {
        let groups = self.0.par_chunks_mut(grid.stride * LINES).enumerate().with_min_len(TASK);
        groups.for_each(|(group, lines)| {
            for (y, line) in lines.chunks_exact_mut(grid.stride).enumerate() {
                let source = &luma.data[(group * grid.pitch + y) * luma.stride..][..width];
                match source {
                    &[first, ..] if width < 4 => line[0] = first,
                    _ => (kernels.downsample4)(&mut line[..grid.width], source),
                }
            }
        });
    }

    /// The lines of each group.
    fn groups(&self, grid: SampleGrid) -> impl IndexedParallelIterator<Item = [&[u8]; LINES]> {
        self.0.par_chunks(grid.stride * LINES).map(move |group| {
            let mut lines = [&[][..]; LINES];
            for (line, samples) in lines.iter_mut().zip(group.chunks_exact(grid.stride)) {
                *line = samples;
            }
            lines
        })
    }
}

/// Measures a frame and the one before it, in tiles, a row for each group.
pub(super) fn measure(
    grid: SampleGrid,
    kernels: &Kernels,
    current: &SubsampledLuma,
    previous: &SubsampledLuma,
    tiles: &mut [Tile],
) {
    let groups = (tiles.par_chunks_mut(grid.columns()), current.groups(grid), previous.groups(grid));
    groups
        .into_par_iter()
        .with_min_len(TASK)
        .for_each(|(tiles, current, previous)| (kernels.field_metrics)(tiles, current, previous));
}

/// Samples of a field of this parity (0 top) that are compared with those of the frame before in a tile.
pub(super) fn change_samples(parity: usize) -> u32 {
    ((LINES - parity).div_ceil(2) * TILE) as u32
}
