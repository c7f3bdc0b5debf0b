//! §16.7: the spatial step.

use super::weights::Cells;
use crate::model::picture::Plane;

type Block = [[i32; 8]; 8];

const M: Block = [
    [64, 64, 64, 64, 64, 64, 64, 64],
    [89, 75, 50, 18, -18, -50, -75, -89],
    [83, 36, -36, -83, -83, -36, 36, 83],
    [75, -18, -89, -50, 50, 89, 18, -75],
    [64, -64, -64, 64, 64, -64, -64, 64],
    [50, -89, 18, 75, -75, -18, 89, -50],
    [36, -83, 83, -36, -36, 83, -83, 36],
    [18, -50, 75, -89, 89, -75, 50, -18],
];

/// A block of the values of `value`.
fn block(value: impl Fn(usize, usize) -> i32) -> Block {
    std::array::from_fn(|row| std::array::from_fn(|column| value(row, column)))
}

fn sum(value: impl Fn(usize) -> i32) -> i32 {
    (0..8).map(value).sum()
}

/// O(t) of T(t) with ρ(t). `factor` is K.
pub fn output(mean: &Plane, variances: &Cells, sigma: i32, factor: i64, n: u32) -> Plane {
    let b = mean.depth;
    let z = |v: i32| v >> (b - 12);
    let (columns, rows) = ((mean.width + 3) / 4, (mean.height + 3) / 4);
    // Block (bx, by) is at [by + 1][bx + 1].
    let mut blocks = vec![];
    for by in -1..rows {
        let row: Vec<Block> = (-1..columns)
            .map(|bx| {
                let x = block(|j, i| z(mean.at_line(4 * bx + i as i32, 4 * by + j as i32)) - 2048);
                reduced(&x, threshold(variances, (bx, by), sigma, factor))
            })
            .collect();
        blocks.push(row);
    }
    Plane::from_fn(mean.width, mean.height, false, n, |x, y| {
        let mut f = 0;
        for by in [y / 4 - 1, y / 4] {
            for bx in [x / 4 - 1, x / 4] {
                f += blocks[(by + 1) as usize][(bx + 1) as usize][(y - 4 * by) as usize][(x - 4 * bx) as usize];
            }
        }
        let t = mean.at_line(x, y);
        let v = t + ((((f + 2) >> 2) + 2048 - z(t)) << (b - 12));
        ((v + ((1 << (b - n)) >> 1)) >> (b - n)).clamp(0, (1 << n) - 1)
    })
}

/// th of a block.
fn threshold(variances: &Cells, (bx, by): (i32, i32), sigma: i32, factor: i64) -> i32 {
    let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| variances.at(bx + i, by + j));
    let r = (corners.iter().sum::<i64>() + 2) >> 2;
    ((i64::from(sigma) * (256 * r as u64).isqrt() as i64 * factor) >> 16) as i32
}

/// B of a block X.
fn reduced(x: &Block, threshold: i32) -> Block {
    let v = block(|k, i| (sum(|j| M[k][j] * x[j][i]) + 64) >> 7);
    let d = block(|k, l| (sum(|i| M[l][i] * v[k][i]) + 128) >> 8);
    let e = block(|k, l| {
        let size = d[k][l].abs();
        if (k, l) == (0, 0) { d[k][l] } else { d[k][l].signum() * size.min(2 * (size - threshold).max(0)) }
    });
    let h = block(|k, i| (sum(|l| M[l][i] * e[k][l]) + 64) >> 7);
    block(|j, i| (sum(|k| M[k][j] * h[k][i]) + 128) >> 8)
}
