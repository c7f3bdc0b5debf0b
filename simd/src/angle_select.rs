//! Choice of the angle of a pair, with both fallbacks (§3.3). The horizontal median follows in `median3`.
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
/// [`angle_cost`](crate::Kernels::angle_cost) for the pairs of lines (y-3, y-1), (y-1, y+1), (y+1, y+3), from one pair before the
/// first to one after the last; `detail` those of [`fine_detail`](crate::Kernels::fine_detail) of the lines y-1 and y+1.
pub fn scalar(dst: &mut [u8], cost90: &mut [u16], costs: [&[u16]; 3], detail: [&[u16]; 2], th: &AngleThresholds) {
    let n = dst.len();
    let (threshold, delta) = (th.sdi_threshold as u16, th.sdi_delta as u16);
    for pair in 0..n {
        let cost: [u16; 9] = std::array::from_fn(|k| costs.iter().flat_map(|c| &c[k * (n + 2) + pair..][..3]).sum());
        let cost2 = |k: usize| costs[1][k * (n + 2) + pair + 1];
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
    debug_assert_eq!(costs.map(<[u16]>::len), [OFFSETS.len() * (n + 2); 3]);
}
