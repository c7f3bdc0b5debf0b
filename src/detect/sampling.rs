//! The part of the luma that the detector reads: groups of lines over the whole height, at a
//! quarter of their width, divided into tiles.
use crate::format::Format;
use crate::frame::{PlaneRef, Samples};
use crate::memory::{OutOfMemory, zeroed};
use dndi_simd::{Kernels, Tile};
use rayon::prelude::*;

/// Lines of a group: three of the top field with two of the bottom field between them. This is the
/// smallest group with two third differences, one that begins in each field; with fewer lines the
/// comb metric would prefer a parity.
const LINES: usize = 5;

/// Samples of a tile's lines. Fewer make the sums of a tile noisy, more make z-scores coarse.
const TILE: usize = 16;

/// Luma samples of the picture that a tile's line covers.
pub(super) const TILE_PIXELS: usize = 4 * TILE;

/// The number of groups, about: in pictures narrower than [`WIDE`], and in others. The height is
/// divided by it and rounded down to even lines, so pictures whose height does not divide well have
/// up to 125 and 93 groups. The detector's time is proportional to it. Narrow pictures need more
/// groups, because a group has fewer tiles there and a z-score grows with the root of their number:
/// with 32 much film is deinterlaced, with 16 field orders become wrong, too. In wide pictures 12
/// groups make 2:2 clips partly interlaced.
const GROUPS: [usize; 2] = [64, 48];

/// Luma samples in a line from which on fewer groups suffice: 8 tiles. Lower values have the effect
/// of too few groups, higher ones cost time.
const WIDE: usize = 512;

/// Samples for which words are reduced to bytes at a time, in memory on the stack. Decisions do not
/// depend on it; fewer make more calls, more take more of the cache.
const PART: usize = 256;

/// Groups that are worth a task of their own. Decisions do not depend on it.
const TASK: usize = 16;

/// The positions of groups and tiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampleGrid {
    /// Samples of a line at a quarter of the picture's width.
    width: usize,
    /// The same with zeros up to whole vectors of any instruction set.
    stride: usize,
    /// Lines of the picture from one group to the next; even.
    pub pitch: usize,
    groups: usize,
}

impl SampleGrid {
    /// The grid of pictures of `width`×`height` luma samples.
    pub fn new(width: usize, height: usize) -> SampleGrid {
        let pitch = ((height / GROUPS[usize::from(width >= WIDE)]) & !1).max(2);
        let groups = height.saturating_sub(LINES - 1).div_ceil(pitch);
        let width = (width / 4).max(1);
        SampleGrid { width, stride: width.next_multiple_of(64), pitch, groups }
    }

    /// Tiles in a row.
    pub fn columns(self) -> usize {
        self.stride / TILE
    }

    /// All tiles of a picture.
    pub fn tiles(self) -> usize {
        self.columns() * self.groups
    }

    /// Third differences in each comb metric of a picture.
    pub fn samples(self) -> u64 {
        (2 * self.groups * self.width) as u64
    }
}

/// The groups of a frame.
#[derive(Debug)]
pub(super) struct SubsampledLuma(Vec<u8>);

impl SubsampledLuma {
    /// Memory for the groups of a frame.
    pub fn new(grid: SampleGrid) -> Result<SubsampledLuma, OutOfMemory> {
        zeroed(grid.stride * LINES * grid.groups).map(SubsampledLuma)
    }

    /// Loads a luma plane that was checked against `format`.
    pub fn load(&mut self, grid: SampleGrid, kernels: &Kernels, luma: PlaneRef, format: &Format) {
        let groups = self.0.par_chunks_mut(grid.stride * LINES).enumerate();
        groups.with_min_len(TASK).for_each(|(group, lines)| {
            for (y, line) in lines.chunks_exact_mut(grid.stride).enumerate() {
                quarter_line(kernels, &mut line[..grid.width], luma, (0, group * grid.pitch + y), format);
            }
        });
    }

    /// The lines of each group.
    pub fn groups(&self, grid: SampleGrid) -> impl IndexedParallelIterator<Item = [&[u8]; LINES]> {
        self.0.par_chunks(grid.stride * LINES).map(move |group| {
            let mut lines = [&[][..]; LINES];
            for (line, samples) in lines.iter_mut().zip(group.chunks_exact(grid.stride)) {
                *line = samples;
            }
            lines
        })
    }
}

/// Reduces a line of a luma plane to a quarter of its width, from sample `x` of the result on. A
/// sample is the truncated mean of four pixels: noise falls to a half, and a motion by one pixel is
/// still visible. Of more than 8 bits the 8 most significant ones count. A line of fewer than four
/// pixels becomes the first one.
pub(super) fn quarter_line(kernels: &Kernels, line: &mut [u8], luma: PlaneRef, (x, y): (usize, usize), format: &Format) {
    let start = y * luma.stride + 4 * x;
    let source = start..start + (4 * line.len()).min(format.width - 4 * x);
    match luma.samples {
        Samples::U8(data) => quarter_bytes(kernels, line, &data[source]),
        Samples::U16(data) => {
            let mut bytes = [0; 4 * PART];
            for (line, source) in line.chunks_mut(PART).zip(data[source].chunks(4 * PART)) {
                let bytes = &mut bytes[..source.len()];
                (kernels.words.top_byte)(bytes, source, format.depth - 8);
                quarter_bytes(kernels, line, bytes);
            }
        }
    }
}

fn quarter_bytes(kernels: &Kernels, line: &mut [u8], source: &[u8]) {
    match source {
        &[first, ..] if source.len() < 4 => line[0] = first,
        _ => (kernels.downsample4)(line, source),
    }
}

/// Measures the tiles of a frame and the previous one, a row of tiles for each group.
pub(super) fn measure_tiles(
    grid: SampleGrid,
    kernels: &Kernels,
    current: &SubsampledLuma,
    previous: &SubsampledLuma,
    tiles: &mut [Tile],
) {
    let groups = (tiles.par_chunks_mut(grid.columns()), current.groups(grid), previous.groups(grid));
    let groups = groups.into_par_iter().with_min_len(TASK);
    groups.for_each(|(tiles, current, previous)| (kernels.field_metrics)(tiles, current, previous));
}

/// Samples in [`Tile::changed`] of the top field (parity 0) or the bottom field (1).
pub(super) fn change_samples(parity: usize) -> u32 {
    ((LINES - parity).div_ceil(2) * TILE) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Sampling;
    use dndi_simd::SimdLevel;

    #[test]
    fn narrow_pictures_have_more_groups() {
        let pitch = |width, height| SampleGrid::new(width, height).pitch;
        assert_eq!([pitch(16, 255), pitch(511, 255), pitch(511, 256), pitch(511, 383)], [2, 2, 4, 4]);
        assert_eq!([pitch(512, 191), pitch(512, 192), pitch(1920, 191), pitch(1920, 192)], [2, 4, 2, 4]);
    }

    #[test]
    fn groups_of_five_lines_fit_into_the_picture() {
        let grid = |width, height| {
            let grid = SampleGrid::new(width, height);
            (grid.columns(), grid.tiles(), grid.samples())
        };
        // 48 groups of 180 samples in twelve tiles.
        assert_eq!(grid(720, 576), (12, 576, 2 * 48 * 180));
        // The last group begins at line 4 of 9 and at line 6 of 11.
        assert_eq!(grid(16, 8), (4, 8, 2 * 2 * 4));
        assert_eq!([grid(16, 9), grid(16, 10), grid(16, 11)].map(|grid| grid.2 / 8), [3, 3, 4]);
        assert_eq!([grid(16, 4), grid(1, 1), grid(3, 5)], [(4, 0, 0), (4, 0, 0), (4, 4, 2)]);
        assert_eq!([grid(259, 5).0, grid(260, 5).0, grid(256, 5).0], [4, 8, 4]);
    }

    /// The 8 most significant bits of words give the same groups as bytes.
    #[test]
    fn words_are_read_as_bytes() {
        for width in [1, 3, 4, 37, 1023, 1024, 1025, 4100] {
            let format = Format::new(width, 9, Sampling::Mono);
            let grid = SampleGrid::new(width, 9);
            let kernels = Kernels::at(SimdLevel::from_env().unwrap()).unwrap();
            let mut random = fastrand::Rng::with_seed(width as u64);
            let data: Vec<u8> = (0..9 * width).map(|_| random.u8(..)).collect();
            let mut want = SubsampledLuma::new(grid).unwrap();
            want.load(grid, kernels, PlaneRef::new(&data[..], width), &format);
            for depth in [9, 10, 12, 14, 16] {
                let (format, shift) = (format.with_depth(depth), depth - 8);
                let words: Vec<u16> = data.iter().map(|&v| (v as u16) << shift | random.u16(..1 << shift)).collect();
                let mut groups = SubsampledLuma::new(grid).unwrap();
                groups.load(grid, kernels, PlaneRef::new(&words[..], width), &format);
                assert_eq!(groups.0, want.0, "{depth} bits, {width} samples a line");
            }
        }
    }

    #[test]
    fn narrow_lines_have_one_sample() {
        let kernels = Kernels::at(SimdLevel::Portable).unwrap();
        for width in 1..5 {
            let grid = SampleGrid::new(width, 5);
            let mut luma = SubsampledLuma::new(grid).unwrap();
            let format = Format::new(width, 5, Sampling::Mono);
            luma.load(grid, kernels, PlaneRef::new(&[70u8, 74, 78, 82].repeat(5)[..], 4), &format);
            let first = if width < 4 { 70 } else { 76 };
            assert!(luma.0.chunks(grid.stride).all(|line| line[0] == first && line[1..].iter().all(|&v| v == 0)), "{width}");
        }
    }

    #[test]
    fn samples_of_a_tile() {
        assert_eq!([change_samples(0), change_samples(1)], [3 * 16, 2 * 16]);
    }
}
