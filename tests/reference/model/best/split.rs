//! §15.6: the vectors of 8×8 blocks.

use super::pyramid::Pyramid;
use super::vectors::{Grid, Match, Vector};

/// The grid of 8×8 blocks of a grid of level 0.
pub fn split(a: &Pyramid, b: &Pyramid, grid: &Grid) -> Grid {
    let (a, b) = (&a.levels[0], &b.levels[0]);
    let mut blocks = Grid { columns: (a.width + 7) / 8, rows: (a.height + 7) / 8, vectors: vec![] };
    for gy in 0..blocks.rows {
        for gx in 0..blocks.columns {
            let of = Match { a, b, window: (8 * gx - 4, 8 * gy - 2) };
            blocks.vectors.push(choice(&of, grid.around((gx, gy), (gx >> 1, gy >> 1))));
        }
    }
    blocks
}

fn choice(of: &Match, candidates: [Vector; 4]) -> Vector {
    let [first, others @ ..] = candidates;
    let is_near = |v: &Vector| (v.0 - first.0).abs() <= 1 && (v.1 - first.1).abs() <= 1;
    if others.iter().all(is_near) {
        return first;
    }
    let all = candidates.into_iter().chain([(0, 0)]).zip([0, 3, 3, 3, 3]);
    let allowed = all.filter(|&(v, _)| of.allows(v));
    // Of equal ones, `min_by_key` returns the first.
    allowed.min_by_key(|&(v, extra)| of.sad(v, 6) + extra).expect("(0, 0)").0
}
