//! Blocks of 8×8 samples with the coefficients of their cosine transform shrunk (§16.7).
use crate::contract;
use crate::isa::{Isa, blocks};
use wide::bytemuck::cast_slice_mut;

/// Samples of a side of a block.
const SIDE: usize = 8;

/// The rows of the transform.
const MATRIX: [[i32; SIDE]; SIDE] = [
    [64, 64, 64, 64, 64, 64, 64, 64],
    [89, 75, 50, 18, -18, -50, -75, -89],
    [83, 36, -36, -83, -83, -36, 36, 83],
    [75, -18, -89, -50, 50, 89, 18, -75],
    [64, -64, -64, 64, 64, -64, -64, 64],
    [50, -89, 18, 75, -75, -18, 89, -50],
    [36, -83, 83, -36, -36, 83, -83, 36],
    [18, -50, 75, -89, 89, -75, 50, -18],
];

type Block = [[i32; SIDE]; SIDE];

/// Transforms blocks that are side by side, one for each threshold, shrinks all coefficients but
/// the first, and transforms them back. Samples are shifted right by `shift` to 12 bits; 2048
/// counts as 0. A coefficient loses its distance to twice the threshold; one up to the threshold
/// becomes 0.
///
/// All values between the passes fit 16 bits. Samples are -2048 … 2047. The matrix divided by 181
/// is orthonormal within 1 %, so the first pass multiplies the norm of a column by 181/128, the
/// second that of a row by 181/256. Sums of absolute weights limit values more closely there: to
/// 8192 and 16384. Both passes keep the norm of a block, at most 8·2048, and shrinking does not
/// increase it. So no value exceeds 1.01·16384·181/128 < 23500 behind the third pass, and
/// 1.01·16384 behind the fourth one.
pub fn scalar(dst: &mut [&mut [i16]; 8], src: [&[u16]; 8], thresholds: &[u16], shift: u8) {
    for (i, &threshold) in thresholds.iter().enumerate() {
        let at = |x: usize, y: usize| i32::from(src[y][SIDE * i + x] >> shift) - 2048;
        let block: Block = std::array::from_fn(|y| std::array::from_fn(|x| at(x, y)));
        let block = columns(&block, |k, y| MATRIX[k][y], 7);
        let mut block = columns(&block, |k, x| MATRIX[k][x], 8);
        let first = block[0][0];
        block.iter_mut().flatten().for_each(|c| *c = shrunk(*c, threshold.into()));
        block[0][0] = first;
        let block = columns(&transposed(&block), |x, k| MATRIX[k][x], 7);
        let block = transposed(&columns(&block, |y, k| MATRIX[k][y], 8));
        for (dst, line) in dst.iter_mut().zip(&block) {
            for (x, &v) in line.iter().enumerate() {
                dst[SIDE * i + x] = v as i16;
            }
        }
    }
}

/// Multiplies each column by a matrix, divides by 1 << `bits` and rounds. Columns become lines, so
/// that the next pass takes the other direction.
fn columns(block: &Block, matrix: impl Fn(usize, usize) -> i32, bits: u8) -> Block {
    let sum = |x: usize, k: usize| (0..SIDE).map(|y| matrix(k, y) * block[y][x]).sum::<i32>();
    std::array::from_fn(|x| std::array::from_fn(|k| (sum(x, k) + (1 << (bits - 1))) >> bits))
}

fn transposed(block: &Block) -> Block {
    std::array::from_fn(|y| std::array::from_fn(|x| block[x][y]))
}

fn shrunk(c: i32, threshold: i32) -> i32 {
    c.signum() * c.abs().min(2 * (c.abs() - threshold).max(0))
}

/// Panics if a line is too short or `shift` is above 4.
#[inline(always)]
pub(crate) fn check(dst: &[&mut [i16]; 8], src: [&[u16]; 8], thresholds: &[u16], shift: u8) {
    contract::at_least(dst.each_ref().map(|line| &**line), SIDE * thresholds.len());
    contract::at_least(src, SIDE * thresholds.len());
    contract::within(shift, 0..=4);
}

/// One block for each group of 8 halfwords.
#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [&mut [i16]; 8], src: [&[u16]; 8], thresholds: &[u16], shift: u8) -> bool {
    let (blocks, n) = (I::N / 16, SIDE * thresholds.len());
    let src = src.map(|line| &line[..n]);
    let centre = s.splat16(2048);
    blocks!(thresholds.len(), blocks, block => {
        let x = SIDE * block;
        let mut v = [centre; SIDE];
        for (v, line) in v.iter_mut().zip(src) {
            *v = s.sub16(s.shr_by(s.load16(&line[x..]), shift), centre);
        }
        let mut v = transposed_vectors(s, forward::<I, 7>(s, v));
        v = forward::<I, 8>(s, v);
        let mut limits = [0; 32];
        for (limits, &threshold) in limits.chunks_exact_mut(SIDE).zip(&thresholds[block..][..blocks]) {
            // No coefficient is greater than 2^15 - 1.
            limits.fill(threshold.min(0x7fff));
        }
        let limit = s.load16(&limits);
        // A threshold of 0 keeps the first coefficient.
        v[0] = shrunk_vector(s, v[0], s.and16(limit, s.load16(&BUT_FIRST)));
        for v in &mut v[1..] {
            *v = shrunk_vector(s, *v, limit);
        }
        let v = transposed_vectors(s, inverse::<I, 7>(s, v));
        let v = inverse::<I, 8>(s, v);
        for (line, v) in dst.iter_mut().zip(&v) {
            s.store16(&mut cast_slice_mut(line)[x..], *v);
        }
    })
}

/// A mask of all halfwords but the first one of each group.
const BUT_FIRST: [u16; 32] = {
    let mut mask = [u16::MAX; 32];
    let mut first = 0;
    while first < mask.len() {
        mask[first] = 0;
        first += SIDE;
    }
    mask
};

/// [`shrunk`]: the distance to the threshold counts twice, up to the threshold.
#[inline(always)]
fn shrunk_vector<I: Isa>(s: I, c: I::H, limit: I::H) -> I::H {
    let least = s.sub16(s.splat16(0), limit);
    let beyond = s.sub16(c, s.max15(s.min15(c, limit), least));
    s.add16(beyond, s.max15(s.min15(beyond, limit), least))
}

/// Transposes the block of each group: three times, the first half of the lines alternates with the
/// second one.
#[inline(always)]
fn transposed_vectors<I: Isa>(s: I, mut v: [I::H; SIDE]) -> [I::H; SIDE] {
    for _ in 0..3 {
        let [a, b, c, d, e, f, g, h] = v;
        v = [
            s.interleave_low16(a, e),
            s.interleave_high16(a, e),
            s.interleave_low16(b, f),
            s.interleave_high16(b, f),
            s.interleave_low16(c, g),
            s.interleave_high16(c, g),
            s.interleave_low16(d, h),
            s.interleave_high16(d, h),
        ];
    }
    v
}

/// Two vectors in pairs: the low and the high part.
#[inline(always)]
fn pairs<I: Isa>(s: I, a: I::H, b: I::H) -> [I::H; 2] {
    [s.interleave_low16(a, b), s.interleave_high16(a, b)]
}

/// Two factors alternating.
#[inline(always)]
fn factors<I: Isa>(s: I, [first, second]: [i8; 2]) -> I::H {
    s.splat_pair(first as i16 as u16 as u32 | (second as i16 as u16 as u32) << 16)
}

/// `sum` and the products of pairs and two factors.
#[inline(always)]
fn dot<I: Isa>(s: I, sum: [I::W; 2], pairs: [I::H; 2], pair: [i8; 2]) -> [I::W; 2] {
    let factors = factors(s, pair);
    [s.dot16(sum[0], pairs[0], factors), s.dot16(sum[1], pairs[1], factors)]
}

#[inline(always)]
fn shifted<I: Isa, const BITS: u32>(s: I, [low, high]: [I::W; 2]) -> I::H {
    s.pack32(s.sra32::<BITS>(low), s.sra32::<BITS>(high))
}

/// Rounded sums of the products of pairs and two factors, divided by 1 << `BITS`.
#[inline(always)]
fn even<I: Isa, const BITS: u32>(s: I, pairs: [I::H; 2], factors: [i8; 2]) -> I::H {
    shifted::<I, BITS>(s, dot(s, [s.splat32(1 << (BITS - 1)); 2], pairs, factors))
}

/// The same of two pairs and four factors.
#[inline(always)]
fn odd<I: Isa, const BITS: u32>(s: I, [first, second]: [[I::H; 2]; 2], [a, b, c, d]: [i8; 4]) -> I::H {
    let round = [s.splat32(1 << (BITS - 1)); 2];
    shifted::<I, BITS>(s, dot(s, dot(s, round, first, [a, b]), second, [c, d]))
}

/// Transforms columns. The inputs of the second pass are up to 8192, and sums of four of them
/// -32768 … 32764, because the greatest input of the first pass is 2047.
#[inline(always)]
fn forward<I: Isa, const BITS: u32>(s: I, [a, b, c, d, e, f, g, h]: [I::H; SIDE]) -> [I::H; SIDE] {
    let (outer, inner) = (s.add16(a, h), s.add16(d, e));
    let (next_outer, next_inner) = (s.add16(b, g), s.add16(c, f));
    let sums = pairs(s, s.add16(outer, inner), s.add16(next_outer, next_inner));
    let waves = pairs(s, s.sub16(outer, inner), s.sub16(next_outer, next_inner));
    let differences = [pairs(s, s.sub16(a, h), s.sub16(b, g)), pairs(s, s.sub16(c, f), s.sub16(d, e))];
    [
        even::<I, BITS>(s, sums, [64, 64]),
        odd::<I, BITS>(s, differences, [89, 75, 50, 18]),
        even::<I, BITS>(s, waves, [83, 36]),
        odd::<I, BITS>(s, differences, [75, -18, -89, -50]),
        even::<I, BITS>(s, sums, [64, -64]),
        odd::<I, BITS>(s, differences, [50, -89, 18, 75]),
        even::<I, BITS>(s, waves, [36, -83]),
        odd::<I, BITS>(s, differences, [18, -50, 75, -89]),
    ]
}

/// Transforms columns back: the sums and differences of an even and an odd part.
#[inline(always)]
fn inverse<I: Isa, const BITS: u32>(s: I, [a, b, c, d, e, f, g, h]: [I::H; SIDE]) -> [I::H; SIDE] {
    let (round, zero) = ([s.splat32(1 << (BITS - 1)); 2], [s.splat32(0); 2]);
    let (flat, wave) = (pairs(s, a, e), pairs(s, c, g));
    let (sum, difference) = (dot(s, round, flat, [64, 64]), dot(s, round, flat, [64, -64]));
    let (steep, slow) = (dot(s, zero, wave, [83, 36]), dot(s, zero, wave, [36, -83]));
    let odd = [pairs(s, b, d), pairs(s, f, h)];
    let [a, h] = opposite::<I, BITS>(s, sums(s, sum, steep), odd, [89, 75, 50, 18]);
    let [b, g] = opposite::<I, BITS>(s, sums(s, difference, slow), odd, [75, -18, -89, -50]);
    let [c, f] = opposite::<I, BITS>(s, differences(s, difference, slow), odd, [50, -89, 18, 75]);
    let [d, e] = opposite::<I, BITS>(s, differences(s, sum, steep), odd, [18, -50, 75, -89]);
    [a, b, c, d, e, f, g, h]
}

/// A line of the inverse transform and the opposite one.
#[inline(always)]
fn opposite<I: Isa, const BITS: u32>(s: I, even: [I::W; 2], odd: [[I::H; 2]; 2], [a, b, c, d]: [i8; 4]) -> [I::H; 2] {
    let odd = dot(s, dot(s, [s.splat32(0); 2], odd[0], [a, b]), odd[1], [c, d]);
    [shifted::<I, BITS>(s, sums(s, even, odd)), shifted::<I, BITS>(s, differences(s, even, odd))]
}

#[inline(always)]
fn sums<I: Isa>(s: I, a: [I::W; 2], b: [I::W; 2]) -> [I::W; 2] {
    [s.add32(a[0], b[0]), s.add32(a[1], b[1])]
}

#[inline(always)]
fn differences<I: Isa>(s: I, a: [I::W; 2], b: [I::W; 2]) -> [I::W; 2] {
    [s.sub32(a[0], b[0]), s.sub32(a[1], b[1])]
}
