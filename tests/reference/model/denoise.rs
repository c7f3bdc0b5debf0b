//! §2.1 to §2.4: motion history, temporal and spatial filter, blend; §9.3 for 9 to 16 bits.

use super::Params;
use super::picture::Plane;

/// §2.3, 8 bits: 2048 / n, rounded as in the table of the hardware.
const G: [i32; 9] = [2048, 1024, 682, 512, 409, 341, 292, 256, 227];

/// §2.4, 8 bits: 1024 / n, rounded as in the table of the hardware.
const Q: [i32; 16] = [1024, 512, 341, 256, 205, 171, 146, 128, 114, 102, 93, 85, 79, 73, 68, 64];

/// The result of §2.1 for a 4×4 block.
#[derive(Clone, Copy, Debug, Default)]
pub struct Block {
    pub motion: bool,
    /// h', the history that is stored.
    pub history: i32,
}

/// A denoised plane and its 4×4 blocks, row by row, including those that extend beyond the picture.
pub struct Denoised {
    pub plane: Plane,
    pub blocks: Vec<Block>,
}

/// First frame: 100 % spatial, history 0.
pub fn denoise_first(c: &Plane, params: &Params) -> Denoised {
    denoise_first_by(c, &|x, y| spatial(c, x, y, params))
}

/// The same with another spatial filter.
pub fn denoise_first_by(c: &Plane, sp: &dyn Fn(i32, i32) -> i32) -> Denoised {
    let plane = Plane::from_fn(c.width, c.height, c.interlaced, c.depth, sp);
    Denoised { plane, blocks: vec![Block::default(); (blocks_across(c) * blocks_down(c)) as usize] }
}

/// `c` is the original current plane, `p` the denoised previous one, `stored` the blocks of the
/// previous step.
pub fn denoise(c: &Plane, p: &Plane, stored: &[Block], params: &Params) -> Denoised {
    denoise_by(c, p, stored, params, &|x, y| spatial(c, x, y, params))
}

/// The same with another spatial filter.
pub fn denoise_by(c: &Plane, p: &Plane, stored: &[Block], params: &Params, sp: &dyn Fn(i32, i32) -> i32) -> Denoised {
    let mut blocks = Vec::new();
    for by in 0..blocks_down(c) {
        for bx in 0..blocks_across(c) {
            let h = stored[blocks.len()].history;
            blocks.push(motion_history(c, p, 4 * bx, 4 * by, h, params));
        }
    }
    let plane = Plane::from_fn(c.width, c.height, c.interlaced, c.depth, |x, y| {
        let block = blocks[((y / 4) * blocks_across(c) + x / 4) as usize];
        blend(c, p, x, y, block, params, sp(x, y))
    });
    Denoised { plane, blocks }
}

fn blocks_across(c: &Plane) -> i32 {
    (c.width + 3) / 4
}

fn blocks_down(c: &Plane) -> i32 {
    (c.height + 3) / 4
}

/// §2.1 for the block at (x0, y0): the whole 4×4, clamped (§1.3).
fn motion_history(c: &Plane, p: &Plane, x0: i32, y0: i32, h: i32, params: &Params) -> Block {
    let e = c.depth - 8;
    let (mut stad, mut sum, mut moving, mut shcm, mut svcm) = (0, 0, 0, 0, 0);
    for y in y0..y0 + 4 {
        for x in x0..x0 + 4 {
            let d = c.at(x, y) - p.at(x, y);
            stad += d.abs();
            sum += d;
            if d.abs() >= params.temporal_diff_th << e {
                moving += 1;
            }
            if x < x0 + 3 {
                shcm += (c.at(x, y) - c.at(x + 1, y)).abs();
            }
            if y < y0 + 3 {
                svcm += (c.at(x, y) - c.at(x, y + 1)).abs();
            }
        }
    }
    let tasd = i32::abs(sum);
    let scm = shcm + svcm;

    if stad >= params.stad_th << e || moving > params.moving_pixel_th {
        return Block { motion: true, history: if h >= 128 { h / 2 } else { 0 } };
    }
    let mut history = if h < 128 {
        128
    } else if h < params.history_max {
        // Not clamped to history_max.
        h + params.history_delta
    } else {
        h
    };
    if tasd > params.asd_th << e && scm < params.scm_th << e {
        history = 128;
    }
    Block { motion: false, history }
}

/// §2.2 [I-7].
fn temporal(c: i32, p: i32, history: i32) -> i32 {
    (history * p + (256 - history) * c + 128) >> 8
}

/// §2.3.
fn spatial(c: &Plane, x: i32, y: i32, params: &Params) -> i32 {
    let centre = c.at(x, y);
    // The centre counts for any threshold: the sum starts with it, and the loop below skips it.
    let (mut sum, mut count) = (centre, 1);
    for (j, row) in c.neighbours(x, y).into_iter().enumerate() {
        for (i, n) in row.into_iter().enumerate() {
            if (i, j) != (1, 1) && (n - centre).abs() < params.good_neighbor_th << (c.depth - 8) {
                sum += n;
                count += 1;
            }
        }
    }
    if c.depth > 8 {
        return (sum + (count >> 1)) / count;
    }
    ((sum + (count >> 1)) * G[count as usize - 1]) >> 11
}

/// §2.4.
fn blend(c: &Plane, p: &Plane, x: i32, y: i32, block: Block, params: &Params, sp: i32) -> i32 {
    let neighbourhood = c.neighbours(x, y);
    let max3x3 = neighbourhood.into_iter().flatten().max().expect("nine samples");
    let min3x3 = neighbourhood.into_iter().flatten().min().expect("nine samples");

    let mut t = temporal(c.at(x, y), p.at(x, y), block.history);
    if t >= max3x3 {
        t = (t + max3x3) >> 1;
    }
    if t < min3x3 {
        t = (t + min3x3) >> 1;
    }

    let td = (c.at(x, y) - p.at(x, y)).abs();
    let e = c.depth - 8;
    let (th, low) = (params.temporal_diff_th << e, params.temporal_diff_low << e);
    if td >= th || block.motion {
        sp
    } else if td < low {
        t
    } else if c.depth > 8 {
        let w = ((td - low) << 8) / (th - low);
        (sp * w + t * (256 - w) + 128) >> 8
    } else {
        let mixed = ((sp * (td - low) + t * (th - td) + (th - low) / 2) * Q[(th - low) as usize - 1]) >> 10;
        mixed.min(255)
    }
}
