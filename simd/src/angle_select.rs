//! Choice of the angle of a pair, with both fallbacks (§3.3). The horizontal median follows in `median3`.
use crate::isa::{Isa, blocks};
use crate::{OFFSETS, VERTICAL};

/// Thresholds of [`angle_select`](crate::Kernels::angle_select), named as in §8.1; 0…255 each.
#[derive(Clone, Copy, Debug)]
pub struct AngleThresholds {
    /// What a side must win by, and what the chosen angle must stay below.
    pub sdi_threshold: u8,
    /// What each flatter angle must win by.
    pub sdi_delta: u8,
    /// First fallback: margin of h1 over h2.
    pub sdi_t1: u8,
    /// First fallback: least h1.
    pub sdi_t2: u8,
    /// Second fallback: handicap of the angle in the small window.
    pub angle2x1: u8,
}

/// Writes each pair's angle (an index into [`OFFSETS`]) and its cost of the vertical. `costs` are the rows of
/// [`angle_cost`](crate::Kernels::angle_cost) for the pairs of lines (y-3, y-1), (y-1, y+1), (y+1, y+3); `detail` those
/// of [`fine_detail`](crate::Kernels::fine_detail) of the lines y-1 and y+1.
pub fn scalar(dst: &mut [u8], cost90: &mut [u16], costs: [&[u16]; 3], detail: [&[u16]; 2], th: &AngleThresholds) {
    let n = dst.len();
    let (threshold, delta) = (th.sdi_threshold as u16, th.sdi_delta as u16);
    for pair in 0..n {
        let cost: [u16; 9] = std::array::from_fn(|k| costs.iter().map(|rows| rows[(9 + k) * n + pair]).sum());
        let cost2 = |k: usize| costs[1][k * n + pair];
        let [n45, vertical, p45] = [3, 4, 5].map(|k| cost[k]);
        // From the side's 45 degrees towards the flatter angles.
        let side = if n45 + threshold < p45 && n45 + threshold < vertical {
            [3, 2, 1, 0]
        } else if p45 + threshold < n45 && p45 + threshold < vertical {
            [5, 6, 7, 8]
        } else {
            [VERTICAL as usize; 4]
        };
        let mut angle = side[0];
        for k in &side[1..] {
            if cost[*k] + delta >= cost[angle] {
                break;
            }
            angle = *k;
        }
        let h1 = detail[0][pair] + detail[1][pair];
        let h2 = detail[0][n + pair] + detail[1][n + pair];
        let fine = h1 > h2 + th.sdi_t1 as u16 && h1 >= th.sdi_t2 as u16;
        let small_window = vertical + (cost2(VERTICAL as usize) << 3) < cost[angle] + ((cost2(angle) + th.angle2x1 as u16) << 3);
        if cost[angle] >= threshold || fine || small_window {
            angle = VERTICAL as usize;
        }
        dst[pair] = angle as u8;
        cost90[pair] = vertical;
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(
    s: I,
    dst: &mut [u8],
    cost90: &mut [u16],
    costs: [&[u16]; 3],
    detail: [&[u16]; 2],
    th: &AngleThresholds,
) -> bool {
    let n = dst.len();
    let cost90 = &mut cost90[..n];
    let costs = costs.map(|rows| &rows[..2 * OFFSETS.len() * n]);
    let detail = detail.map(|rows| &rows[..2 * n]);
    let [threshold, delta, t1, t2, handicap] =
        [th.sdi_threshold, th.sdi_delta, th.sdi_t1, th.sdi_t2, th.angle2x1].map(|v| s.splat16(v as u16));
    blocks!(n, I::N / 2, pair => {
        let mut cost = [s.splat16(0); 9];
        for (k, cost) in cost.iter_mut().enumerate() {
            for rows in costs {
                *cost = s.add16(*cost, s.load16(&rows[(OFFSETS.len() + k) * n + pair..]));
            }
        }
        let mut cost2 = [s.splat16(0); 9];
        for (k, cost2) in cost2.iter_mut().enumerate() {
            *cost2 = s.load16(&costs[1][k * n + pair..]);
        }
        let vertical = cost[VERTICAL as usize];
        let negative = wins(s, cost[3], cost[5], vertical, threshold);
        let positive = wins(s, cost[5], cost[3], vertical, threshold);
        // Costs of the side's 45, 27, 18 and 11 degrees.
        let side = of_side(s, negative, cost);
        let is27 = flatter(s, side[0], side[1], delta);
        let is18 = s.and16(is27, flatter(s, side[1], side[2], delta));
        let is11 = s.and16(is18, flatter(s, side[2], side[3], delta));
        let reached = [is27, is18, is11];
        let cost_a = chosen(s, reached, side);
        let cost2_a = chosen(s, reached, of_side(s, negative, cost2));
        let h1 = s.add16(s.load16(&detail[0][pair..]), s.load16(&detail[1][pair..]));
        let h2 = s.add16(s.load16(&detail[0][n + pair..]), s.load16(&detail[1][n + pair..]));
        let calm = s.or16(s.eq16(s.gt15(h1, s.add16(h2, t1)), s.splat16(0)), s.gt15(t2, h1));
        let small_vertical = s.add16(vertical, s.shl::<3>(cost2[VERTICAL as usize]));
        let small_a = s.add16(cost_a, s.shl::<3>(s.add16(cost2_a, handicap)));
        let kept = s.and16(s.eq16(s.gt15(small_a, small_vertical), s.splat16(0)), s.and16(calm, s.gt15(threshold, cost_a)));
        let steps = chosen(s, reached, [s.splat16(1), s.splat16(2), s.splat16(3), s.splat16(4)]);
        let middle = s.splat16(VERTICAL as u16);
        let angle = s.select16(negative, s.sub16(middle, steps), s.add16(middle, steps));
        let kept = s.and16(kept, s.or16(negative, positive));
        s.store_half(&mut dst[pair..], s.select16(kept, angle, middle));
        s.store16(&mut cost90[pair..], vertical);
    })
}

/// Where a side's 45 degrees beats the other side's and the vertical by more than the threshold.
#[inline(always)]
fn wins<I: Isa>(s: I, this: I::H, other: I::H, vertical: I::H, threshold: I::H) -> I::H {
    let this = s.add16(this, threshold);
    s.and16(s.gt15(other, this), s.gt15(vertical, this))
}

/// Where the flatter angle beats the steeper one by more than delta.
#[inline(always)]
fn flatter<I: Isa>(s: I, steeper: I::H, flatter: I::H, delta: I::H) -> I::H {
    s.gt15(steeper, s.add16(flatter, delta))
}

/// Of values of the nine angles those of one side, from 45 degrees on.
#[inline(always)]
fn of_side<I: Isa>(s: I, negative: I::H, v: [I::H; 9]) -> [I::H; 4] {
    [
        s.select16(negative, v[3], v[5]),
        s.select16(negative, v[2], v[6]),
        s.select16(negative, v[1], v[7]),
        s.select16(negative, v[0], v[8]),
    ]
}

/// The value of the flattest angle that was reached.
#[inline(always)]
fn chosen<I: Isa>(s: I, [is27, is18, is11]: [I::H; 3], of: [I::H; 4]) -> I::H {
    s.select16(is11, of[3], s.select16(is18, of[2], s.select16(is27, of[1], of[0])))
}
