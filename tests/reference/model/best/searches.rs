//! §15.5: the searches of a field.

use super::pyramid::Pyramid;
use super::split::split;
use super::vectors::{Costs, Grid, Related, search};

/// The grids f(t, k) of a field, and those of 8×8 blocks.
#[derive(Default)]
pub struct Searches {
    found: Vec<Found>,
}

struct Found {
    k: i32,
    grid: Grid,
    blocks: Grid,
}

impl Searches {
    /// The searches of field t. `in_scene(k)`: field t + k is in the scene. `pyramid(k)` is that of
    /// R(t + k), or of S(t). `previous` has the grids f(t-1, k) that exist.
    pub fn of(in_scene: impl Fn(i32) -> bool, pyramid: impl Fn(i32) -> Pyramid, previous: &Searches, costs: Costs) -> Searches {
        let mut searches = Searches::default();
        let a = pyramid(0);
        for k in [1, -1, 2, -2] {
            if !in_scene(k) {
                continue;
            }
            let is_full = k == 1 || k == -1 && !in_scene(1);
            let related = match k {
                1 => [(previous.grid(1), 1), (previous.grid(-1), -1)],
                -1 => [(searches.grid(1), -1), (previous.grid(1), -1)],
                2 => [(searches.grid(1), 2), (previous.grid(2), 1)],
                _ => [(searches.grid(-1), 2), (previous.grid(-2), 1)],
            };
            let related = related.into_iter().filter_map(|(grid, factor)| Some(Related { grid: grid?, factor }));
            let b = pyramid(k);
            let grid = search(&a, &b, is_full, &related.collect::<Vec<_>>(), costs);
            let blocks = split(&a, &b, &grid);
            searches.found.push(Found { k, grid, blocks });
        }
        searches
    }

    /// f(t, k), if it exists.
    fn grid(&self, k: i32) -> Option<&Grid> {
        self.found.iter().find(|found| found.k == k).map(|found| &found.grid)
    }

    /// The vectors of 8×8 luma blocks to a field in the scene.
    pub fn blocks(&self, k: i32) -> &Grid {
        &self.found.iter().find(|found| found.k == k).expect("a field in the scene").blocks
    }
}
