//! §16.5 and §16.6: the weights of the references, and the mean.

use crate::model::best::compensation::Compensated;
use crate::model::picture::Plane;

/// One number for each cell of 4×4 samples of a plane.
#[derive(Clone)]
pub struct Cells {
    columns: i32,
    rows: i32,
    values: Vec<i64>,
}

impl Cells {
    /// The values of `value` for the cells of a plane.
    pub fn of(plane: &Plane, value: impl Fn(i32, i32) -> i64) -> Cells {
        let (columns, rows) = ((plane.width + 3) / 4, (plane.height + 3) / 4);
        let values = (0..rows).flat_map(|cy| (0..columns).map(move |cx| (cx, cy))).map(|(cx, cy)| value(cx, cy));
        Cells { columns, rows, values: values.collect() }
    }

    /// That of the nearest cell.
    pub fn at(&self, cx: i32, cy: i32) -> i64 {
        let (cx, cy) = (cx.clamp(0, self.columns - 1), cy.clamp(0, self.rows - 1));
        self.values[(cy * self.columns + cx) as usize]
    }
}

/// A reference of a plane.
pub struct Reference {
    /// C(k).
    compensated: Compensated,
    /// wk.
    weights: Cells,
}

impl Reference {
    /// The reference C(k) of Y(t). `variances` is ρ(t-1) for k = -1, and none for k = +1.
    pub fn new(y: &Plane, compensated: Compensated, variances: Option<&Cells>, sigma: i32) -> Reference {
        let z = |v: i32| v >> (y.depth - 12);
        let d = |i: i32, j: i32| {
            let (i, j) = (i.min(y.width - 1), j.min(y.height - 1));
            i64::from(z(compensated.at(i, j)) - z(y.at_line(i, j)))
        };
        let a = Cells::of(y, |cx, cy| samples(cx, cy).map(|(i, j)| d(i, j).abs()).sum());
        let s = Cells::of(y, |cx, cy| samples(cx, cy).map(|(i, j)| d(i, j)).sum());
        let weights = Cells::of(y, |cx, cy| {
            let rho = variances.map_or(256, |variances| {
                let (vx, vy) = compensated.vector(4 * cx, 4 * cy);
                variances.at((4 * cx + 2 + (vx >> 2)) >> 2, (4 * cy + 2 + (vy >> 2)) >> 2)
            });
            weight(around(&a, cx, cy), around(&s, cx, cy), rho, sigma.into())
        });
        Reference { compensated, weights }
    }
}

/// The samples of a cell.
fn samples(cx: i32, cy: i32) -> impl Iterator<Item = (i32, i32)> {
    (0..4).flat_map(move |j| (0..4).map(move |i| (4 * cx + i, 4 * cy + j)))
}

/// The weighted sum over 3×3 cells.
fn around(cells: &Cells, cx: i32, cy: i32) -> i64 {
    let mut sum = 0;
    for (j, down) in [(-1, 1), (0, 2), (1, 1)] {
        for (i, across) in [(-1, 1), (0, 2), (1, 1)] {
            sum += down * across * cells.at(cx + i, cy + j);
        }
    }
    sum
}

/// wk of the sums A and S.
fn weight(a: i64, s: i64, rho: i64, sigma: i64) -> i64 {
    let most = (1 << 18) - 1;
    let q = ((a.min(most) * (82125 / sigma)) >> 16).min(1023);
    let p = ((s.abs().min(most) * (65536 / sigma)) >> 16).min(1023);
    let of_differences = ((q * q) >> 4) - (256 + rho);
    let of_mean = ((p * p) >> 4) - ((256 + rho) >> 7);
    let beta = 2 * of_differences.max(of_mean).max(0);
    65536 / (rho + beta + 8)
}

/// T(t) and ρ(t).
pub fn mean(y: &Plane, references: &[Reference]) -> (Plane, Cells) {
    let sum = Cells::of(y, |cx, cy| 256 + references.iter().map(|reference| reference.weights.at(cx, cy)).sum::<i64>());
    let variances = Cells::of(y, |cx, cy| (65536 / sum.at(cx, cy)).max(1));
    let mean = Plane::from_fn(y.width, y.height, false, y.depth, |i, j| {
        let (cx, cy) = (i / 4, j / 4);
        let changes = references.iter().map(|reference| {
            let share = (reference.weights.at(cx, cy) << 15) / sum.at(cx, cy);
            share * i64::from(reference.compensated.at(i, j) - y.at_line(i, j))
        });
        y.at_line(i, j) + ((changes.sum::<i64>() + 16384) >> 15) as i32
    });
    (mean, variances)
}
