//! §4.1: the variances of film mode detection.

use super::Params;
use super::picture::Surface;

/// Squared difference from a previous frame that does not exist: the largest square.
const NO_PREVIOUS: i64 = 255 * 255;

/// The terms of one column of a line pair.
#[derive(Clone, Copy, Default)]
struct Pixel {
    /// cTpT, cBpB, cTcB, cTpB, cBpT.
    differences: [i64; 5],
    moving: bool,
    /// The fine tear, which v5 counts.
    fine: bool,
    /// Both fields are vertically smooth, which v7 counts.
    smooth: bool,
    /// TEAR1, TEAR2, TEAR3, before isolated flags are cleared.
    tear: [bool; 3],
}

/// The frame sums of a `width`×`height` picture. `c` returns the view `C` of a block row; `p` is
/// none on the first step. Both are reduced (§9.2).
pub fn variances<'a>(
    width: i32,
    height: i32,
    c: impl Fn(i32) -> Surface<'a>,
    p: Option<Surface<'a>>,
    params: &Params,
) -> [u64; 11] {
    // One row of pixels for each even line.
    let pixels: Vec<Vec<Pixel>> =
        (0..height).step_by(2).map(|y| (0..width).map(|x| pixel(&c(y / 4), p.as_ref(), x, y, params)).collect()).collect();
    // The neighbours' flags are those before clearing; outside the picture they are false.
    let tear = |n: usize, x: i32, row: i32| {
        (0..width).contains(&x) && (0..height / 2).contains(&row) && pixels[row as usize][x as usize].tear[n]
    };

    let mut frame = [0; 11];
    for y0 in (0..height).step_by(4) {
        for x0 in (0..width).step_by(16) {
            let mut v = [0; 11];
            for row in y0 / 2..(y0 / 2 + 2).min(height / 2) {
                for x in x0..(x0 + 16).min(width) {
                    let pixel = pixels[row as usize][x as usize];
                    for (sum, difference) in v.iter_mut().zip(pixel.differences) {
                        *sum += difference as u64;
                    }
                    v[5] += u64::from(pixel.moving && pixel.fine);
                    v[6] += u64::from(pixel.moving && !pixel.fine);
                    v[7] += u64::from(pixel.moving && pixel.smooth);
                    for n in 0..3 {
                        let kept = tear(n, x - 1, row) || tear(n, x + 1, row) || tear(n, x, row - 1) || tear(n, x, row + 1);
                        v[8 + n] += u64::from(pixel.tear[n] && kept);
                    }
                }
            }
            if v[8] > v[9] && v[8] > v[10] {
                v[7..].fill(0);
            }
            for tears in &mut v[8..] {
                if *tears < params.fmd_thr_tear as u64 {
                    *tears = 0;
                }
            }
            for (n, (sum, block)) in frame.iter_mut().zip(v).enumerate() {
                *sum += if n < 5 { block / 16 } else { block };
            }
        }
    }
    frame
}

/// The formulas of the specification for column x of the even line y.
fn pixel(c: &Surface, p: Option<&Surface>, x: i32, y: i32, params: &Params) -> Pixel {
    let c = |y: i32| i64::from(c.at(x, y));
    let p = |y: i32| p.map(|p| i64::from(p.at(x, y)));
    let square = |d: i64| d * d;
    // Squares of differences from p.
    let c_with_p = |c: i64, p: Option<i64>| p.map_or(NO_PREVIOUS, |p| square(c - p));
    let p_with_p = |y0: i32, y1: i32| p(y0).zip(p(y1)).map_or(NO_PREVIOUS, |(a, b)| square(a - b));

    let c_t_p_t = c_with_p(c(y), p(y));
    let c_b_p_b = c_with_p(c(y + 1), p(y + 1));
    let c_t_c_b = square(c(y) - c(y + 1));
    let c_t_p_b = c_with_p(c(y), p(y + 1));
    let c_b_p_t = c_with_p(c(y + 1), p(y));
    let c_t_c_t = square(c(y) - c(y + 2));
    let c_b_c_b = square(c(y - 1) - c(y + 1));
    let p_t_p_t = p_with_p(y, y + 2);
    let p_b_p_b = p_with_p(y - 1, y + 1);

    // Smoothness: the last term is subtracted [I-13].
    let c_t = (c(y) - c(y - 2)).abs() + (c(y) - c(y + 2)).abs() - (c(y - 2) - c(y + 2)).abs();
    let c_b = (c(y + 1) - c(y - 1)).abs() + (c(y + 1) - c(y + 3)).abs() - (c(y - 1) - c(y + 3)).abs();

    let (vdiff1, vdiff2) = (i64::from(params.fmd_vdiff1), i64::from(params.fmd_vdiff2));
    let moving = c_t_p_t + c_b_p_b > i64::from(params.fmd_tdiff);
    let smooth = c_t < vdiff1 && c_b < vdiff1;
    let tear = if moving && smooth {
        [
            c_t_c_b >= vdiff2 && c_t_c_b > c_t_c_t + c_b_c_b,
            c_t_p_b >= vdiff2 && c_t_p_b > c_t_c_t + p_b_p_b,
            c_b_p_t >= vdiff2 && c_b_p_t > p_t_p_t + c_b_c_b,
        ]
    } else {
        [false; 3]
    };
    let differences = [c_t_p_t, c_b_p_b, c_t_c_b, c_t_p_b, c_b_p_t];
    Pixel { differences, moving, fine: c_t_c_b > c_t_c_t + c_b_c_b, smooth, tear }
}
