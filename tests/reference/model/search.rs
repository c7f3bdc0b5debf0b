//! §3.5: motion compensated deinterlacing of luma [I-11]. `kept` is K of the specification, `other`
//! is R.

use super::Params;
use super::angle::{cost, difference, sdi};
use super::motion::complexity;
use super::picture::Surface;

/// The vectors (Mx, My) in the order of the search.
const VECTORS: [(i32, i32); 16] = [
    (-1, -2),
    (0, -2),
    (1, -2),
    (-6, 0),
    (-5, 0),
    (-4, 0),
    (-3, 0),
    (-2, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (-1, 2),
    (0, 2),
    (1, 2),
];

/// The best match of a pair.
#[derive(Clone, Copy)]
pub struct Match {
    pub vector: (i32, i32),
    pub best_sad: i32,
}

/// The search for the pair at (x, y); of equal SADs the later vector is taken. Both surfaces are
/// reduced (§9.2).
pub fn search(kept: &Surface, other: &Surface, x: i32, y: i32) -> Match {
    let mut best = Match { vector: VECTORS[0], best_sad: i32::MAX };
    for (mx, my) in VECTORS {
        let mut sad = 0;
        for i in -2..=3 {
            for j in -2..=2 {
                sad += (other.at(x + i + mx, y + j + my) - kept.at(x + i, y + j)).abs();
            }
        }
        if sad <= best.best_sad {
            best = Match { vector: (mx, my), best_sad: sad };
        }
    }
    best
}

/// `mc(F, u)` of one pixel.
fn compensate(f: &Surface, u: i32, x: i32, y: i32, (mx, my): (i32, i32)) -> i32 {
    // Rust's division truncates towards zero, as h and v do.
    let (h, v, g) = (mx / 2, my / 2, mx.signum());
    let line = |l: i32| {
        if mx % 2 == 0 { vec![f.at(x + u * h, l)] } else { vec![f.at(x + u * h, l), f.at(x + u * (h + g), l)] }
    };
    let samples = if my == 0 { line(y) } else { [line(y + u * v - 1), line(y + u * v + 1)].concat() };
    let sum: i32 = samples.iter().sum();
    // One, two or four samples: truncating division is equal to the shift of [I-1].
    sum / samples.len() as i32
}

/// Whether the vector of pair `pair` of line y is smooth; `matches` has all lines of the picture.
fn is_smooth(matches: &[Vec<Match>], pair: usize, y: usize, params: &Params) -> bool {
    let (mx, my) = matches[y][pair].vector;
    let t = params.smooth_mv_th;
    // Lines of the other parity search in the opposite direction, so that their vectors are
    // negated. A neighbour outside the picture passes.
    let passes = |pair: usize, line: usize| {
        let Some(neighbour) = matches.get(line).and_then(|line| line.get(pair)) else { return true };
        let sign = if line % 2 == y % 2 { -1 } else { 1 };
        let (nx, ny) = neighbour.vector;
        (mx + sign * nx).abs() <= t && (my + sign * ny).abs() <= t
    };
    let (near, far) = if y % 4 < 2 { (y + 1, y + 2) } else { (y - 1, y - 2) };
    // x % 4 == 0 is an even pair: the two pairs of a 4×4 block are compared with each other.
    let beside = if pair.is_multiple_of(2) { pair + 1 } else { pair - 1 };
    passes(pair, near) && passes(pair, far) && passes(beside, y)
}

/// `cat2`.
fn cat2(q: i32, params: &Params) -> i32 {
    if q < params.cat_slope * params.sad_tha {
        params.sad_tha
    } else if q > params.cat_slope * params.sad_thb {
        params.sad_thb
    } else {
        q / params.cat_slope
    }
}

/// `di` of the pixel (x, y). The choice reads v8, the pixel is made of all bits (§9.2). `o` is the
/// o_final of its pair; `matches` has all lines of the picture.
pub fn di(kept: &Surface, other: &Surface, x: i32, y: i32, o: i32, matches: &[Vec<Match>], params: &Params) -> i32 {
    let vector = matches[y as usize][(x / 2) as usize].vector;
    if is_compensated(&kept.reduced(), &other.reduced(), x, y, o, matches, params) {
        compensate(other, 1, x, y, vector)
    } else {
        sdi(kept, x, y, o)
    }
}

/// Whether the pixel is `mcdi`, not `sdi`.
fn is_compensated(kept: &Surface, other: &Surface, x: i32, y: i32, o: i32, matches: &[Vec<Match>], params: &Params) -> bool {
    let pair_x = x & !1;
    let Match { vector, best_sad } = matches[y as usize][(pair_x / 2) as usize];
    let mcdi = compensate(other, 1, x, y, vector);
    let mc_cur = compensate(kept, -1, x, y, vector);

    let e = difference(kept, x, y, o);
    let d = (mcdi - mc_cur).abs();
    let is_consistent = e > d && d < params.mc_pixel_consistency_th;
    let ok = is_consistent && is_smooth(matches, (pair_x / 2) as usize, y as usize, params);

    let (above, below) = (kept.at(x, y - 1), kept.at(x, y + 1));
    let is_median = above.min(below) <= mcdi && mcdi <= above.max(below);
    let near = is_median || (mcdi - above).abs().min((mcdi - below).abs()) < params.neighbor_pixel_th;

    let q = complexity(kept, pair_x, y, params).without_vecm;
    if best_sad <= params.cat_th1 {
        ok
    } else if best_sad < cat2(q, params) * 30 {
        ok && o == 0 && best_sad + params.sad_tight_th * 30 < 2 * cost(kept, pair_x, y, 0) && near
    } else {
        false
    }
}
