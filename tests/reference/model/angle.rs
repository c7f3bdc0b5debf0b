//! §3.3 and the interpolators of §3.4. `kept` is K of the specification; an angle is the signed
//! offset o of the upper line [I-10].

use super::Params;
use super::picture::{Surface, avg};

/// |K(x+o, y-1) - K(x-o, y+1)|: the two samples that an angle joins.
pub fn difference(kept: &Surface, x: i32, y: i32, o: i32) -> i32 {
    (kept.at(x + o, y - 1) - kept.at(x - o, y + 1)).abs()
}

/// `cost(o)`, the 6×3 window.
pub fn cost(kept: &Surface, x: i32, y: i32, o: i32) -> i32 {
    let mut sum = 0;
    for i in -2..=3 {
        for j in [-2, 0, 2] {
            sum += difference(kept, x + i, y + j, o);
        }
    }
    sum
}

/// `cost2(o)`, the 2×1 window.
fn cost2(kept: &Surface, x: i32, y: i32, o: i32) -> i32 {
    difference(kept, x, y, o) + difference(kept, x + 1, y, o)
}

/// The selection, before the fallbacks. 45° is an offset of 1, 27° of 2, 18° of 3, 11° of 5.
fn select(kept: &Surface, x: i32, y: i32, params: &Params) -> i32 {
    let (th, d) = (params.sdi_threshold, params.sdi_delta);
    let cost = |o: i32| cost(kept, x, y, o);
    let (n45, p45, vertical) = (cost(-1), cost(1), cost(0));
    let side = if n45 + th < p45 && n45 + th < vertical {
        -1
    } else if p45 + th < n45 && p45 + th < vertical {
        1
    } else {
        return 0;
    };
    let mut a = side;
    if cost(2 * side) + d < cost(side) {
        a = 2 * side;
        if cost(3 * side) + d < cost(2 * side) {
            a = 3 * side;
            if cost(5 * side) + d < cost(3 * side) {
                a = 5 * side;
            }
        }
    }
    if cost(a) < th { a } else { 0 }
}

/// Fallback 1: horizontal detail finer than an edge.
fn is_fine_detail(kept: &Surface, x: i32, y: i32, params: &Params) -> bool {
    let h1 = |l: i32| (-2..=3).map(|i| (kept.at(x + i, l) - kept.at(x + i + 1, l)).abs()).sum::<i32>();
    let h2 = |l: i32| {
        let through = |i: i32| (kept.at(x - 2, l) - kept.at(x + i, l)).abs() + (kept.at(x + i, l) - kept.at(x + 4, l)).abs();
        (-2..=3).map(through).max().expect("six values")
    };
    let sum_h1 = h1(y - 1) + h1(y + 1);
    let sum_h2 = h2(y - 1) + h2(y + 1);
    sum_h1 > sum_h2 + params.sdi_t1 && sum_h1 >= params.sdi_t2
}

/// The angle of a pair after both fallbacks.
fn angle(kept: &Surface, x: i32, y: i32, params: &Params) -> i32 {
    let o = select(kept, x, y, params);
    if o == 0 || is_fine_detail(kept, x, y, params) {
        return 0;
    }
    // Fallback 2: the small window prefers the vertical direction.
    let vertical = cost(kept, x, y, 0) + (cost2(kept, x, y, 0) << 3);
    let slanted = cost(kept, x, y, o) + ((cost2(kept, x, y, o) + params.angle2x1) << 3);
    if vertical < slanted { 0 } else { o }
}

/// `o_final` of every pair of the missing line y: the horizontal median. `kept` is reduced (§9.2).
pub fn final_offsets(kept: &Surface, width: i32, y: i32, params: &Params) -> Vec<i32> {
    let angles: Vec<i32> = (0..width).step_by(2).map(|x| angle(kept, x, y, params)).collect();
    (0..angles.len())
        .map(|pair| {
            // The middle pair replaces one outside the picture.
            let left = if pair > 0 { angles[pair - 1] } else { angles[pair] };
            let right = angles.get(pair + 1).copied().unwrap_or(angles[pair]);
            let mut three = [left, angles[pair], right];
            three.sort_unstable();
            three[1]
        })
        .collect()
}

/// §3.4: `sdi` of one pixel.
pub fn sdi(kept: &Surface, x: i32, y: i32, o: i32) -> i32 {
    avg(kept.at(x + o, y - 1), kept.at(x - o, y + 1))
}

/// §3.4: `tdi` of one pixel, the same line in the two adjacent fields.
pub fn tdi(c: &Surface, p: &Surface, x: i32, y: i32) -> i32 {
    avg(c.at(x, y), p.at(x, y))
}
