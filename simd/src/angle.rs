//! Choice of the interpolation angle of a pair, with both fallbacks (§3.3). The kernel `median3`
//! applies the horizontal median to the result.
use crate::contract;
use crate::isa::{Isa, blocks, chunks, load_each};
use crate::{APRON, OFFSETS, Row, VERTICAL};

/// Thresholds of [`angle`](crate::Kernels::angle), named as in §8.1; 0…255 each.
#[derive(Clone, Copy, Debug)]
pub struct AngleThresholds {
    /// Up to this motion measure the angle has no weight in the output (§3.6, §3.7).
    pub stmm_min: u8,
    /// The margin by which a side must beat the other side and the vertical, and the limit that the
    /// cost of the chosen angle must be below.
    pub sdi_threshold: u8,
    /// The margin by which each flatter angle must beat the one before.
    pub sdi_delta: u8,
    /// First fallback: margin of h1 over h2.
    pub sdi_t1: u8,
    /// First fallback: least h1.
    pub sdi_t2: u8,
    /// Second fallback: handicap of the angle in the small window.
    pub angle2x1: u8,
}

/// Writes each pair's angle (an index into [`OFFSETS`]) and its cost of the vertical. `lines` are
/// the lines y-3, y-1, y+1, y+3 of the field. `stmm` is the motion measure of the pairs and of one
/// more pair on both sides. If the pair and both neighbours (their angles enter the median) are
/// static, the angle is the vertical and the cost 0.
pub fn scalar(dst: &mut [u8], cost90: &mut [u16], lines: [Row; 4], stmm: &[u8], th: &AngleThresholds) {
    let (threshold, delta) = (th.sdi_threshold as u32, th.sdi_delta as u32);
    for (pair, (dst, cost90)) in dst.iter_mut().zip(cost90).enumerate() {
        (*dst, *cost90) = (VERTICAL, 0);
        if stmm[pair..pair + 3].iter().all(|&stmm| stmm <= th.stmm_min) {
            continue;
        }
        let at = |line: usize, i: isize| lines[line][(APRON + 2 * pair).wrapping_add_signed(i)];
        let difference = |j: usize, i: isize, o: isize| at(j, i + o).abs_diff(at(j + 1, i - o)) as u32;
        let cost = |k: usize| (0..3).flat_map(|j| (-2..4).map(move |i| difference(j, i, OFFSETS[k] as isize))).sum::<u32>();
        let cost2 = |k: usize| (0..2).map(|i| difference(1, i, OFFSETS[k] as isize)).sum::<u32>();
        let [n45, vertical, p45] = [3, 4, 5].map(cost);
        // From 45 degrees of the winning side towards the flatter angles.
        let side = if n45 + threshold < p45 && n45 + threshold < vertical {
            [3, 2, 1, 0]
        } else if p45 + threshold < n45 && p45 + threshold < vertical {
            [5, 6, 7, 8]
        } else {
            [VERTICAL as usize; 4]
        };
        let mut angle = side[0];
        for k in &side[1..] {
            if cost(*k) + delta >= cost(angle) {
                break;
            }
            angle = *k;
        }
        let h1 = |line: usize| (-2..4).map(|i| at(line, i).abs_diff(at(line, i + 1)) as u32).sum::<u32>();
        let h2 = |line: usize| {
            let sums = (-2..4).map(|i| at(line, -2).abs_diff(at(line, i)) as u32 + at(line, i).abs_diff(at(line, 4)) as u32);
            sums.max().unwrap_or(0)
        };
        let (h1, h2) = (h1(1) + h1(2), h2(1) + h2(2));
        let fine = h1 > h2 + th.sdi_t1 as u32 && h1 >= th.sdi_t2 as u32;
        let small_window = vertical + (cost2(VERTICAL as usize) << 3) < cost(angle) + ((cost2(angle) + th.angle2x1 as u32) << 3);
        if cost(angle) >= threshold || fine || small_window {
            angle = VERTICAL as usize;
        }
        *dst = angle as u8;
        *cost90 = vertical as u16;
    }
}

/// Pairs per chunk. With one pair more on both sides a chunk fills whole vectors. A window is read
/// across the borders of vectors of columns, which waits until they have left the store buffer;
/// with half as many pairs the kernel takes 1.05 to 1.08 times as long.
const CHUNK: usize = 126;

/// Sums over columns two pixels wide, from one pair before a chunk to one after it.
type Columns = [u16; CHUNK + 2];

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check(dst: &[u8], cost90: &[u16], lines: [Row; 4], stmm: &[u8], _: &AngleThresholds) {
    contract::at_least([cost90], dst.len());
    contract::rows(lines, 2 * dst.len());
    contract::at_least([stmm], dst.len() + 2);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(
    s: I,
    dst: &mut [u8],
    cost90: &mut [u16],
    lines: [Row; 4],
    stmm: &[u8],
    th: &AngleThresholds,
) -> bool {
    let n = dst.len();
    let lines = lines.map(|line| &line[..2 * n + 2 * APRON]);
    let stmm = &stmm[..n + 2];
    let (vertical, threshold) = (s.splat16(VERTICAL as u16), s.splat16(th.sdi_threshold as u16));
    let (mut columns, mut sides) = ([0; CHUNK + 2], [[0; CHUNK + 2]; 2]);
    chunks!(n, CHUNK, I::N / 2, first, count => {
        let (dst, cost90) = (&mut dst[first..first + count], &mut cost90[first..first + count]);
        let stmm = &stmm[first..first + count + 2];
        if stmm.iter().fold(0, |most, &stmm| stmm.max(most)) > th.stmm_min {
            let lines = [&lines[0][2 * first..], &lines[1][2 * first..], &lines[2][2 * first..], &lines[3][2 * first..]];
            blocks!(count + 2, I::N / 2, pair => {
                s.store16(&mut columns[pair..], column(s, lines, APRON - 2 + 2 * pair, 0));
            });
            let mut high = s.splat16(0);
            blocks!(count, I::N / 2, pair => {
                let cost = s.and16(window(s, &columns, pair), moving(s, stmm, pair, th));
                high = s.or16(high, s.gt15(cost, threshold));
                s.store16(&mut cost90[pair..], cost);
                s.store_half(&mut dst[pair..], vertical);
            });
            // Another angle must beat the vertical by more than the threshold. Most of a picture is
            // vertical already here.
            if s.any16(high) {
                blocks!(count + 2, I::N / 2, pair => {
                    let x = APRON - 2 + 2 * pair;
                    s.store16(&mut sides[0][pair..], column(s, lines, x, -1));
                    s.store16(&mut sides[1][pair..], column(s, lines, x, 1));
                });
                blocks!(count, I::N / 2, pair => {
                    let (n45, p45) = (window(s, &sides[0], pair), window(s, &sides[1], pair));
                    let cost90 = s.load16(&cost90[pair..]);
                    let negative = wins(s, n45, p45, cost90, threshold);
                    let positive = wins(s, p45, n45, cost90, threshold);
                    if s.any16(s.or16(negative, positive)) {
                        let angle = slanted(s, lines, pair, [negative, positive], s.select16(negative, n45, p45), cost90, th);
                        s.store_half(&mut dst[pair..], angle);
                    }
                });
            }
        } else {
            dst.fill(VERTICAL);
            cost90.fill(0);
        }
    })
}

/// Mask of the pairs that move or have a neighbour that moves.
#[inline(always)]
fn moving<I: Isa>(s: I, stmm: &[u8], pair: usize, th: &AngleThresholds) -> I::H {
    let sides = s.max15(s.load_half(&stmm[pair..]), s.load_half(&stmm[pair + 2..]));
    s.gt15(s.max15(sides, s.load_half(&stmm[pair + 1..])), s.splat16(th.stmm_min as u16))
}

/// The sum of |K(x+o) - K(x-o)| over the three pairs of lines and two pixels.
#[inline(always)]
fn column<I: Isa>(s: I, lines: [&[u8]; 4], x: usize, o: isize) -> I::H {
    let mut sum = s.splat16(0);
    for j in 0..3 {
        sum = s.add16(sum, two(s, lines, j, x, o));
    }
    sum
}

/// Absolute differences between the lines j and j + 1, for two pixels.
#[inline(always)]
fn two<I: Isa>(s: I, lines: [&[u8]; 4], j: usize, x: usize, o: isize) -> I::H {
    let upper = s.load(&lines[j][x.wrapping_add_signed(o)..]);
    let lower = s.load(&lines[j + 1][x.wrapping_add_signed(-o)..]);
    s.pair_sum(s.abs_diff(upper, lower))
}

/// A cost: the sum of three columns.
#[inline(always)]
fn window<I: Isa>(s: I, columns: &Columns, pair: usize) -> I::H {
    let sides = s.add16(s.load16(&columns[pair..]), s.load16(&columns[pair + 2..]));
    s.add16(sides, s.load16(&columns[pair + 1..]))
}

/// Mask of the pairs where 45 degrees of one side beats the other side and the vertical by more
/// than the threshold.
#[inline(always)]
fn wins<I: Isa>(s: I, this: I::H, other: I::H, vertical: I::H, threshold: I::H) -> I::H {
    let this = s.add16(this, threshold);
    s.and16(s.gt15(other, this), s.gt15(vertical, this))
}

/// The angles of a vector of pairs in which a side, negative or positive, wins at least once;
/// `cost45` is the winner's cost.
#[inline(always)]
fn slanted<I: Isa>(
    s: I,
    lines: [&[u8]; 4],
    pair: usize,
    [negative, positive]: [I::H; 2],
    cost45: I::H,
    cost90: I::H,
    th: &AngleThresholds,
) -> I::H {
    let [threshold, delta, t1, t2, handicap] =
        [th.sdi_threshold, th.sdi_delta, th.sdi_t1, th.sdi_t2, th.angle2x1].map(|v| s.splat16(v as u16));
    let vertical = s.splat16(VERTICAL as u16);
    let x = APRON + 2 * pair;
    // Each flatter angle is reached only if it beats the one before.
    let (mut cost, mut steps) = (cost45, s.splat16(1));
    let mut reached = s.or16(negative, positive);
    // An angle is kept if its cost is below the threshold.
    let mut kept = s.and16(reached, s.gt15(threshold, cost));
    for (flatter, o) in [(2, 2), (3, 3), (4, 5)] {
        let mut next = s.splat16(0);
        for (side, o) in [(negative, -o), (positive, o)] {
            if s.any16(s.and16(reached, side)) {
                next = s.select16(side, cost_at(s, lines, x, o), next);
            }
        }
        reached = s.and16(reached, s.gt15(cost, s.add16(next, delta)));
        cost = s.select16(reached, next, cost);
        steps = s.select16(reached, s.splat16(flatter), steps);
        kept = s.select16(reached, s.gt15(threshold, cost), kept);
        if !s.any16(s.or16(kept, reached)) {
            return vertical;
        }
        if !s.any16(reached) {
            break;
        }
    }
    let mut cost2 = s.splat16(0);
    for (step, o) in [(1, 1), (2, 2), (3, 3), (4, 5)] {
        let sides = s.select16(negative, two(s, lines, 1, x, -o), two(s, lines, 1, x, o));
        cost2 = s.select16(s.eq16(steps, s.splat16(step)), sides, cost2);
    }
    let (upper, lower) = (fine_detail(s, lines[1], x), fine_detail(s, lines[2], x));
    let (h1, h2) = (s.add16(upper[0], lower[0]), s.add16(upper[1], lower[1]));
    let fine = s.and16(s.gt15(h1, s.add16(h2, t1)), s.eq16(s.gt15(t2, h1), s.splat16(0)));
    let small_vertical = s.add16(cost90, s.shl::<3>(two(s, lines, 1, x, 0)));
    let small_window = s.gt15(s.add16(cost, s.shl::<3>(s.add16(cost2, handicap))), small_vertical);
    let kept = s.and16(kept, s.eq16(s.or16(fine, small_window), s.splat16(0)));
    let angle = s.select16(negative, s.sub16(vertical, steps), s.add16(vertical, steps));
    s.select16(kept, angle, vertical)
}

/// The cost of an angle for the pairs from x on.
#[inline(always)]
fn cost_at<I: Isa>(s: I, lines: [&[u8]; 4], x: usize, o: isize) -> I::H {
    let sides = s.add16(column(s, lines, x - 2, o), column(s, lines, x + 2, o));
    s.add16(sides, column(s, lines, x, o))
}

/// h1 and h2 of the pairs from x on (first fallback).
#[inline(always)]
fn fine_detail<I: Isa>(s: I, line: &[u8], x: usize) -> [I::H; 2] {
    // Samples -2…4 of each pixel.
    let line = &line[x - 2..];
    let at = load_each(s, [line, &line[1..], &line[2..], &line[3..], &line[4..], &line[5..], &line[6..]], 0);
    let mut sum = s.splat16(0);
    for i in [0, 2, 4] {
        sum = s.add16(sum, s.pair_sum(s.abs_diff(at[i], at[i + 1])));
    }
    let mut most = s.even(s.abs_diff(at[0], at[6]));
    for v in &at[1..6] {
        most = s.max15(most, s.add16(s.even(s.abs_diff(at[0], *v)), s.even(s.abs_diff(*v, at[6]))));
    }
    [sum, most]
}
