//! §2.5 and §2.6: block and global noise estimate, in units of the clip's depth (§9.3).

use super::picture::Plane;
use super::{Params, Statistics};

/// §2.5: the BNE of each 16×`block_height` block of the original luma, row by row.
fn block_noise_estimates(c: &Plane, block_height: i32, params: &Params) -> Vec<i32> {
    let mut estimates = Vec::new();
    for y0 in (0..c.height).step_by(block_height as usize) {
        for x0 in (0..c.width).step_by(16) {
            // Only pixels inside the picture count [I-2]; none when none qualifies.
            let mut bne = none(c);
            for y in y0..(y0 + block_height).min(c.height) {
                for x in x0..(x0 + 16).min(c.width) {
                    if let Some(metric) = pixel_noise(c, x, y, params) {
                        bne = bne.min(metric);
                    }
                }
            }
            estimates.push(bne);
        }
    }
    estimates
}

/// The estimate of a block without a pixel that qualifies.
fn none(c: &Plane) -> i32 {
    255 << (c.depth - 8)
}

/// The metric of a pixel, if it qualifies.
fn pixel_noise(c: &Plane, x: i32, y: i32, params: &Params) -> Option<i32> {
    let e = c.depth - 8;
    let [a, b, c] = c.neighbours(x, y);
    let hrz = (a[0] + 2 * a[1] + a[2] - c[0] - 2 * c[1] - c[2]).abs();
    let vrt = (a[0] + 2 * b[0] + c[0] - a[2] - 2 * b[2] - c[2]).abs();
    let ed = (hrz + vrt) >> 3;

    let mut nine = [a, b, c].concat();
    nine.sort_unstable();
    let m = nine[4];
    let deviations = nine.iter().map(|n| (n - m).abs());
    let metric = deviations.clone().sum();
    let range = deviations.clone().max()? - deviations.min()?;
    (ed < params.bne_edge_th << e && range < params.bne_noise_th << e).then_some(metric)
}

/// §2.6: sets the noise statistics of a frame.
pub fn measure(c: &Plane, block_height: i32, params: &Params, row: &mut Statistics) {
    for bne in block_noise_estimates(c, block_height, params) {
        if bne < none(c) {
            row.gne_sum += bne as u64;
            row.gne_count += 1;
        }
    }
    row.gne = row.gne_sum.checked_div(row.gne_count).unwrap_or(0);
}
