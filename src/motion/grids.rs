//! Motion from a picture to those around it (§15.5, §16.4).
use super::bordered::BorderedPlane;
use super::pyramid::{LEVELS, Pyramid};
use super::search::{Costs, RESTART, Related, RelatedList, Search};
use super::vectors::{Grid, Vector};
use crate::memory::OutOfMemory;
use dndi_simd::Kernels;
use rayon::prelude::*;

/// The most references of a picture: t - 1, t + 1, and for `best` t - 2 and t + 2 (§15.5).
pub(crate) const REFERENCES: usize = 4;
/// Index of the reference t - 1.
const BEFORE: usize = 0;
/// Index of the reference t + 1.
const AFTER: usize = 1;

/// Vectors of a picture to its references.
#[derive(Debug, Default)]
pub(crate) struct Motion {
    /// Vectors of the smaller levels of the full search, from level 1 on.
    levels: [Grid; LEVELS - 1],
    /// Vectors of blocks of 16×16 samples.
    blocks: [Grid; REFERENCES],
    /// The same of the picture before.
    previous: [Grid; REFERENCES],
    /// References that were searched for this picture, and for the picture before.
    searched: [[bool; REFERENCES]; 2],
    /// Vectors of blocks of 8×8 samples.
    halves: [Grid; REFERENCES],
}

impl Motion {
    /// Grids for pictures of `size`.
    pub fn new(size: (usize, usize)) -> Result<Motion, OutOfMemory> {
        let mut motion = Motion::default();
        let mut smaller = size;
        for grid in &mut motion.levels {
            smaller = (smaller.0.div_ceil(2), smaller.1.div_ceil(2));
            *grid = Grid::new(smaller, 8)?;
        }
        for grid in motion.blocks.iter_mut().chain(&mut motion.previous) {
            *grid = Grid::new(size, 16)?;
        }
        for grid in &mut motion.halves {
            *grid = Grid::new(size, 8)?;
        }
        Ok(motion)
    }

    /// The vectors of 8×8 blocks to a reference that was searched.
    pub fn vectors(&self, reference: usize) -> &Grid {
        &self.halves[reference]
    }

    /// The vectors of 16×16 blocks from the picture, or from the one before it, to the picture
    /// before that; none if they were not searched, or a scene cut is between both pictures.
    pub fn blocks_before(&self, of_previous: bool) -> Option<&Grid> {
        let grids = if of_previous { &self.previous } else { &self.blocks };
        Some(&grids[BEFORE]).filter(|_| self.searched[usize::from(of_previous)][BEFORE])
    }

    /// Begins the next picture. `continues` if no scene cut is before it.
    pub fn next_picture(&mut self, continues: bool) {
        std::mem::swap(&mut self.blocks, &mut self.previous);
        self.searched = [[false; REFERENCES], if continues { self.searched[0] } else { [false; REFERENCES] }];
    }

    /// Searches the references that exist, at least t - 1 or t + 1.
    pub fn search(&mut self, kernels: &Kernels, costs: Costs, own: &Pyramid, references: [Option<&Pyramid>; REFERENCES]) {
        let main = if references[AFTER].is_some() { AFTER } else { BEFORE };
        let Some(other) = references[main] else { return };
        self.searched[0] = references.map(|reference| reference.is_some());
        self.search_levels(kernels, costs, own, other, main);
        self.search_blocks(kernels, costs, own, references, main);
        for (reference, other) in references.iter().enumerate() {
            let Some(other) = other else { continue };
            let pictures = [&own.levels[0], &other.levels[0]];
            let search = Search { kernels, costs, level: 0, pictures, above: None, related: &[] };
            let (grid, blocks) = (&mut self.halves[reference], &self.blocks[reference]);
            let rows = grid.vectors.par_chunks_mut(grid.width).enumerate().with_min_len(RESTART);
            rows.for_each(|(y, row)| search.split(blocks, y, row));
        }
    }

    /// Grids of the picture before, and their factors, that predict the vectors to a reference.
    fn before(&self, reference: usize) -> [Option<(usize, i32)>; 2] {
        let grids = match reference {
            BEFORE => [Some((AFTER, -1)), None],
            AFTER => [Some((AFTER, 1)), Some((BEFORE, -1))],
            outer => [Some((outer, 1)), None],
        };
        grids.map(|grid| grid.filter(|(grid, _)| self.searched[1][*grid]))
    }

    /// Searches the smaller levels for one reference.
    fn search_levels(&mut self, kernels: &Kernels, costs: Costs, own: &Pyramid, other: &Pyramid, main: usize) {
        let [a, b] = self.before(main).map(|grid| grid.map(|(grid, factor)| Related::whole(&self.previous[grid], factor)));
        let related = RelatedList::new([a, b, None]);
        for level in (1..LEVELS).rev() {
            let (grids, above) = self.levels.split_at_mut(level);
            let grid = &mut grids[level - 1];
            let pictures = [&own.levels[level], &other.levels[level]];
            let search = Search { kernels, costs, level, pictures, above: above.first(), related: related.get() };
            let width = grid.width;
            let bands = grid.vectors.par_chunks_mut(RESTART * width).enumerate();
            bands.for_each(|(band, vectors)| search.band(vectors, band * RESTART, width));
        }
    }

    /// Searches the blocks of the picture in its own size, for all references.
    fn search_blocks(
        &mut self,
        kernels: &Kernels,
        costs: Costs,
        own: &Pyramid,
        references: [Option<&Pyramid>; REFERENCES],
        main: usize,
    ) {
        let before = [0, 1, 2, 3].map(|reference| self.before(reference));
        let Motion { levels, blocks, previous, .. } = self;
        let (width, height) = (blocks[0].width, blocks[0].height);
        let band = RESTART * width;
        let [a, b, c, d] = blocks.each_mut().map(|grid| grid.vectors.par_chunks_mut(band));
        (a, b, c, d).into_par_iter().enumerate().for_each(|(number, (a, b, c, d))| {
            let first = number * RESTART;
            let mut bands = [a, b, c, d];
            for reference in [AFTER, BEFORE, 3, 2] {
                let Some(other) = references[reference] else { continue };
                let (reference_band, others) = split(&mut bands, reference);
                // The vectors to t + 1 predict those to t - 1, and each of these the farther one.
                let known = match reference {
                    BEFORE if main == AFTER => Some((AFTER, -1)),
                    outer if outer > AFTER => Some((outer - 2, 2)),
                    _ => None,
                };
                let known = known.map(|(grid, factor)| Related { vectors: others[grid], size: (width, height), first, factor });
                let [x, y] = before[reference].map(|grid| grid.map(|(grid, factor)| Related::whole(&previous[grid], factor)));
                let related = RelatedList::new([known, x, y]);
                let above = (reference == main).then_some(&levels[0]);
                let pictures: [&BorderedPlane; 2] = [&own.levels[0], &other.levels[0]];
                let search = Search { kernels, costs, level: 0, pictures, above, related: related.get() };
                search.band(reference_band, first, width);
            }
        });
    }
}

/// Band `at`, to be written, and all bands, with an empty one for it.
fn split<'a>(bands: &'a mut [&mut [Vector]; REFERENCES], at: usize) -> (&'a mut [Vector], [&'a [Vector]; REFERENCES]) {
    let mut written: &mut [Vector] = &mut [];
    let mut others: [&[Vector]; REFERENCES] = [&[]; REFERENCES];
    for (i, band) in bands.iter_mut().enumerate() {
        if i == at {
            written = band;
        } else {
            others[i] = band;
        }
    }
    (written, others)
}
