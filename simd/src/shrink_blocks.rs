//! Blocks of 8×8 samples with the coefficients of their cosine transform shrunk (§16.7).
use crate::contract;
use crate::isa::Isa;

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
/// the first, and transforms them back. Samples are shifted right by `shift` to 12 bits; 2048 counts
/// as 0. A coefficient loses its distance to twice the threshold; one up to the threshold becomes 0.
///
/// All values between the passes fit 16 bits. Samples are -2048 … 2047. The matrix divided by 181 is
/// orthonormal within 1 %, so the first pass multiplies the norm of a column by 181/128, the second
/// that of a row by 181/256. Sums of absolute weights limit values more closely there: to 8192 and
/// 16384. Both passes keep the norm of a block, at most 8·2048, and shrinking does not increase it.
/// So no value exceeds 1.01·16384·181/128 < 23500 behind the third pass, and 1.01·16384 behind the
/// fourth one.
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

#[inline(always)]
pub(crate) fn vector<I: Isa>(_s: I, _dst: &mut [&mut [i16]; 8], _src: [&[u16]; 8], _thresholds: &[u16], _shift: u8) -> bool {
    false
}
