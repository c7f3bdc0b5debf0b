//! §14.1: thumbnails and textures of fields, and the scene cuts that they show.

use super::fields::Fields;
use crate::model::picture::Plane;

const COLUMNS: i32 = 8;
const ROWS: i32 = 6;

/// The values of all cells, row by row.
pub type Thumbnail = Vec<i64>;

/// The properties of a field: its thumbnail, and the texture of its cells.
type Shown = (Option<Thumbnail>, Vec<i64>);

/// For each field, whether a scene cut lies between it and the one before. Reads luma.
pub fn cuts(luma: &Fields) -> Vec<bool> {
    let shown: Vec<Shown> =
        (0..luma.count()).map(|t| (thumbnail(luma.frame(t), luma.parity(t)), texture(luma.frame(t), luma.parity(t)))).collect();
    let differ = |t: usize, other: usize| differ(&shown[t], &shown[other]);
    let mut cuts = vec![false; shown.len()];
    for t in (2..shown.len()).step_by(2) {
        cuts[t] = differ(t - 1, t) && differ(t - 2, t) && differ(t - 1, t + 1);
        cuts[t + 1] = !cuts[t] && differ(t, t + 1) && differ(t - 1, t + 1);
    }
    cuts
}

fn differ((a, textures_a): &Shown, (b, textures_b): &Shown) -> bool {
    let n: i64 = textures_a.iter().zip(textures_b).map(|(&a, &b)| 12 * a.min(b)).sum();
    match (a, b) {
        (Some(a), Some(b)) => {
            let product = (dot(a, a) + n) as u128 * (dot(b, b) + n) as u128;
            let is_spread = a.iter().zip(b).filter(|(a, b)| (*a - *b).abs() >= 48).count() >= 16;
            ((dot(a, b) + n).max(0) as u128 * 1024) < product.isqrt() * 819 && is_spread
        }
        (Some(one), None) | (None, Some(one)) => {
            dot(one, one) >= 48 * 256 * 64 + n && one.iter().filter(|cell| cell.abs() >= 48).count() >= 16
        }
        (None, None) => false,
    }
}

/// The variance of the 8 most significant bits within each cell of a field; 0 in all cells if some
/// cell has no sample.
fn texture(plane: &Plane, first: i32) -> Vec<i64> {
    let cells: Vec<Vec<i64>> =
        all_cells(plane, first).map(|cell| cell.iter().map(|sample| sample >> (plane.depth - 8)).collect()).collect();
    if cells.iter().any(Vec::is_empty) {
        return vec![0; cells.len()];
    }
    let variance = |cell: &Vec<i64>| {
        let (p, sum) = (cell.len() as i64, cell.iter().sum::<i64>());
        (p * cell.iter().map(|q| q * q).sum::<i64>() - sum * sum) / (p * p)
    };
    cells.iter().map(variance).collect()
}

/// For each picture of a sequence of denoising along motion, whether a cut lies between it and the
/// one before (§16.8).
pub fn between(thumbnails: &[Option<Thumbnail>]) -> Vec<bool> {
    let cut = |t: usize| match (&thumbnails[t - 1], &thumbnails[t]) {
        (Some(a), Some(b)) => !correlate(a, b),
        _ => false,
    };
    (0..thumbnails.len()).map(|t| t > 0 && cut(t)).collect()
}

/// The lines of a picture that are read: those of a field from the line `first` on.
fn lines(height: i32, first: i32) -> impl Iterator<Item = i32> {
    let s = 2.max((height / 128) & !1);
    (first..height).step_by(s as usize)
}

/// The samples of each cell of the picture whose first line is `first`, cell by cell.
fn all_cells(plane: &Plane, first: i32) -> impl Iterator<Item = Vec<i64>> {
    let (width, height) = (plane.width, plane.height);
    (0..ROWS * COLUMNS).map(move |cell| {
        let (row, column) = (cell / COLUMNS, cell % COLUMNS);
        let columns = column * width / COLUMNS..(column + 1) * width / COLUMNS;
        let lines = lines(height, first).filter(|y| 6 * y / height == row);
        lines.flat_map(|y| columns.clone().map(move |x| i64::from(plane.at(x, y)))).collect()
    })
}

/// The thumbnail of the picture of a plane whose first line is `first`.
pub fn thumbnail(plane: &Plane, first: i32) -> Option<Thumbnail> {
    let mut means = vec![];
    let mut smallest = i64::MAX;
    for cell in all_cells(plane, first) {
        let count = cell.len() as i64;
        if count == 0 {
            return None;
        }
        smallest = smallest.min(count);
        means.push(16 * cell.iter().sum::<i64>() / (count << (plane.depth - 8)));
    }
    let mean = means.iter().sum::<i64>() / i64::from(COLUMNS * ROWS);
    let cells: Thumbnail = means.iter().map(|m| m - mean).collect();
    (dot(&cells, &cells) >= 48 * 256 * (1 + 2048 / smallest)).then_some(cells)
}

fn correlate(a: &Thumbnail, b: &Thumbnail) -> bool {
    let product = dot(a, a) as u128 * dot(b, b) as u128;
    dot(a, b).max(0) as u128 * 1024 >= product.isqrt() * 819
}

fn dot(a: &Thumbnail, b: &Thumbnail) -> i64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
