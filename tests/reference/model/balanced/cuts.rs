//! §14.1: thumbnails of fields, and the scene cuts that they show.

use super::fields::Fields;
use crate::model::picture::Plane;

const COLUMNS: i32 = 8;
const ROWS: i32 = 6;

/// The values of all cells, row by row.
pub type Thumbnail = Vec<i64>;

/// For each field, whether a scene cut lies between it and the one before. Reads luma.
pub fn cuts(luma: &Fields) -> Vec<bool> {
    let thumbnails: Vec<Option<Thumbnail>> = (0..luma.count()).map(|t| thumbnail(luma.frame(t), luma.parity(t))).collect();
    let cut = |t: usize| match (&thumbnails[t - 1], &thumbnails[t]) {
        (Some(a), Some(b)) => !correlate(a, b),
        (Some(one), None) | (None, Some(one)) => dot(one, one) >= 48 * 256 * 64,
        (None, None) => false,
    };
    (0..thumbnails.len()).map(|t| t > 0 && cut(t)).collect()
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

/// The thumbnail of the picture of a plane whose first line is `first`.
pub fn thumbnail(plane: &Plane, first: i32) -> Option<Thumbnail> {
    let (width, height) = (plane.width, plane.height);
    let mut means = vec![];
    let mut smallest = i64::MAX;
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let (mut sum, mut count) = (0, 0);
            for y in lines(height, first).filter(|y| 6 * y / height == row) {
                for x in column * width / COLUMNS..(column + 1) * width / COLUMNS {
                    sum += i64::from(plane.at(x, y));
                    count += 1;
                }
            }
            if count == 0 {
                return None;
            }
            smallest = smallest.min(count);
            means.push(16 * sum / (count << (plane.depth - 8)));
        }
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
