//! What is measured of a frame's luma: lines in groups over the whole height, at a quarter of their width, in tiles.
use crate::frame::PlaneRef;
use dndi_simd::Kernels;
use rayon::prelude::*;

/// Lines of a group: three of the top field, two of the bottom field between them.
const LINES: usize = 5;

/// Samples of a tile's lines; 64 pixels.
const TILE: usize = 16;

/// Pixels of a tile's lines.
pub(super) const TILE_PIXELS: usize = 4 * TILE;

/// About as many groups are looked at.
const GROUPS: usize = 64;

/// Groups that are worth a task of their own.
const TASK: usize = 16;

/// Where the groups and tiles lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// Samples of a line at a quarter of the width.
    width: usize,
    /// The same with zeros up to whole vectors of any instruction set.
    stride: usize,
    /// Lines from one group to the next, even.
    pub pitch: usize,
    groups: usize,
}

impl Grid {
    pub fn new(width: usize, height: usize) -> Grid {
        let pitch = ((height / GROUPS) & !1).max(2);
        let width = (width / 4).max(1);
        Grid { width, stride: width.next_multiple_of(64), pitch, groups: height.saturating_sub(LINES - 1).div_ceil(pitch) }
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
pub(super) struct Reduced(Vec<u8>);

impl Reduced {
    pub fn new(grid: Grid) -> Reduced {
        Reduced(vec![0; grid.stride * LINES * grid.groups])
    }

    /// Takes a luma plane of `width` samples.
    pub fn take(&mut self, grid: Grid, kernels: &Kernels, luma: PlaneRef, width: usize) {
        let groups = self.0.par_chunks_mut(grid.stride * LINES).enumerate().with_min_len(TASK);
        groups.for_each(|(group, lines)| {
            for (y, line) in lines.chunks_exact_mut(grid.stride).enumerate() {
                let source = &luma.data[(group * grid.pitch + y) * luma.stride..][..width];
                match source {
                    &[first, ..] if width < 4 => line[0] = first,
                    _ => (kernels.quarter)(&mut line[..grid.width], source),
                }
            }
        });
    }

    fn groups(&self, grid: Grid) -> impl IndexedParallelIterator<Item = Group<'_>> {
        self.0.par_chunks(grid.stride * LINES).map(move |lines| Group { lines, stride: grid.stride })
    }
}

/// The lines of a group.
#[derive(Clone, Copy)]
struct Group<'a> {
    lines: &'a [u8],
    stride: usize,
}

impl<'a> Group<'a> {
    fn line(self, y: usize) -> &'a [u8] {
        &self.lines[y * self.stride..][..self.stride]
    }
}

/// How much the top field of `top` and the bottom field of `bottom` comb, in each tile.
pub(super) fn combing(grid: Grid, kernels: &Kernels, top: &Reduced, bottom: &Reduced, tiles: &mut [u32]) {
    let groups = (tiles.par_chunks_mut(grid.columns()), top.groups(grid), bottom.groups(grid));
    groups.into_par_iter().with_min_len(TASK).for_each(|(tiles, top, bottom)| {
        // One difference begins with a line of the top field, one with a line of the bottom field: neither counts more.
        (kernels.combing)(tiles, [top.line(0), bottom.line(1), top.line(2), bottom.line(3), top.line(4)]);
    });
}

/// How much the lines of the top field of `top` differ from those of the bottom field of `bottom` below them, and from those above them, in
/// each tile.
pub(super) fn steps(grid: Grid, kernels: &Kernels, top: &Reduced, bottom: &Reduced, below: &mut [u32], above: &mut [u32]) {
    let tiles = (below.par_chunks_mut(grid.columns()), above.par_chunks_mut(grid.columns()));
    let groups = (tiles.0, tiles.1, top.groups(grid), bottom.groups(grid));
    groups.into_par_iter().with_min_len(TASK).for_each(|(below, above, top, bottom)| {
        (kernels.difference)(below, &[[top.line(0), bottom.line(1)], [top.line(2), bottom.line(3)]]);
        (kernels.difference)(above, &[[bottom.line(1), top.line(2)], [bottom.line(3), top.line(4)]]);
    });
}

/// How much lines of one field differ from the next, as many of them as [`steps`] compares.
pub(super) fn detail(grid: Grid, kernels: &Kernels, frame: &Reduced, tiles: &mut [u32]) {
    let groups = (tiles.par_chunks_mut(grid.columns()), frame.groups(grid));
    groups.into_par_iter().with_min_len(TASK).for_each(|(tiles, frame)| {
        let pair = |y| [frame.line(y), frame.line(y + 2)];
        (kernels.difference)(tiles, &[pair(0), pair(1), pair(1), pair(2)]);
    });
}

/// How much the fields of one parity (0 top) differ, in each tile.
pub(super) fn change(grid: Grid, kernels: &Kernels, parity: usize, a: &Reduced, b: &Reduced, tiles: &mut [u32]) {
    let groups = (tiles.par_chunks_mut(grid.columns()), a.groups(grid), b.groups(grid));
    groups.into_par_iter().with_min_len(TASK).for_each(|(tiles, a, b)| {
        let pair = |y| [a.line(y), b.line(y)];
        match parity {
            0 => (kernels.difference)(tiles, &[pair(0), pair(2), pair(4)]),
            _ => (kernels.difference)(tiles, &[pair(1), pair(3)]),
        }
    });
}

/// Samples that [`change`] compares in a tile.
pub(super) fn change_samples(parity: usize) -> u32 {
    ((LINES - parity).div_ceil(2) * TILE) as u32
}
