//! Types that the scaler's kernels of one direction share: lines, taps, coefficients (§5.2, §9.4).

/// P of §9.4: the bits on which the scaler and the enhancement work for samples of `depth` bits.
pub const fn unit_depth(depth: u8) -> u8 {
    if depth < 10 { 10 } else { depth }
}

/// Runs of samples of equal length, `stride` apart: the rows of a picture, or the columns of a
/// transposed one.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a, T> {
    /// Line i starts at `i * stride`. The data may end with the last sample of the last line.
    pub data: &'a [T],
    /// Samples from one line to the next, at least `width`.
    pub stride: usize,
    /// Samples of a line.
    pub width: usize,
}

impl<'a, T> Lines<'a, T> {
    /// Line `index`.
    #[inline(always)]
    pub fn line(&self, index: usize) -> &'a [T] {
        &self.data[index * self.stride..][..self.width]
    }

    /// The eight lines from `first` on.
    #[inline(always)]
    pub(crate) fn eight(&self, first: usize) -> [&'a [T]; 8] {
        let mut lines = [self.line(first); 8];
        for (k, line) in lines.iter_mut().enumerate() {
            *line = self.line(first + k);
        }
        lines
    }
}

/// The source of one output line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tap {
    /// The line of T\[0\]; T\[1\]…T\[7\] are the next seven lines.
    pub first: u32,
    /// The phase beta, 0…31.
    pub phase: u8,
}

/// Coefficients of one direction for every phase, S1.6, and the depth of the samples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polyphase {
    rows: [[i8; 8]; 32],
    /// Bits of the source samples.
    depth: u8,
    /// Whether only taps 2…5 have coefficients other than 0.
    four: bool,
    /// Whether sums of products of 8-bit samples fit 16 bits.
    narrow: bool,
}

impl Polyphase {
    /// Takes the rows of beta = 0…16, and the bits of the source samples: 8…16. The other rows are
    /// the rows 32 - beta, reversed.
    pub fn new(table: &[[i8; 8]; 17], depth: u8) -> Polyphase {
        let mut rows = [[0; 8]; 32];
        for (phase, row) in rows.iter_mut().enumerate() {
            *row = table[phase.min(32 - phase)];
            if phase > 16 {
                row.reverse();
            }
        }
        let four = rows.iter().all(|&[a, b, .., c, d]| [a, b, c, d] == [0; 4]);
        let weight = |row: &[i8; 8]| row.iter().map(|k| k.unsigned_abs() as u32).sum::<u32>();
        let narrow = rows.iter().all(|row| weight(row) <= 128);
        Polyphase { rows, depth, four, narrow }
    }

    /// The coefficients K\[beta\].
    #[inline(always)]
    pub fn row(&self, phase: u8) -> &[i8; 8] {
        &self.rows[phase as usize & 31]
    }

    /// Bits of the source samples.
    #[inline(always)]
    pub(crate) fn depth(&self) -> u8 {
        self.depth
    }

    /// T of a source sample v is `v << shift`.
    #[inline(always)]
    pub(crate) fn shift(&self) -> u8 {
        unit_depth(self.depth) - self.depth
    }

    /// The greatest value of P bits.
    #[inline(always)]
    pub(crate) fn most(&self) -> u16 {
        u16::MAX >> (16 - unit_depth(self.depth))
    }

    #[inline(always)]
    pub(crate) fn has_four(&self) -> bool {
        self.four
    }

    #[inline(always)]
    pub(crate) fn is_narrow(&self) -> bool {
        self.narrow
    }
}

/// Weights of the sharp filter against the smooth filter, 0…255.
#[derive(Clone, Copy, Debug)]
pub enum Alpha<'a> {
    /// One weight for all samples; 255 is the sharp filter alone.
    All(u8),
    /// One weight per sample, in lines with the stride of the source.
    Each(&'a [u8]),
}

impl<'a> Alpha<'a> {
    /// The weights of the samples, if each sample has its own.
    #[inline(always)]
    pub(crate) fn weights(self) -> Option<&'a [u8]> {
        match self {
            Alpha::All(_) => None,
            Alpha::Each(weights) => Some(weights),
        }
    }

    /// alpha of sample `x` of line `line`.
    #[inline(always)]
    pub(crate) fn at(self, line: usize, stride: usize, x: usize) -> u8 {
        match self {
            Alpha::All(alpha) => alpha,
            Alpha::Each(rows) => rows[line * stride + x],
        }
    }
}

/// One output sample of §5.2 from eight samples T of P bits, of which `most` is the greatest.
pub(crate) fn blend(t: [i32; 8], k: &[i8; 8], phase: u8, alpha: u8, most: u16) -> u16 {
    let (beta, alpha) = (phase as i32, alpha as i32);
    let sum: i32 = t.iter().zip(k).map(|(&t, &k)| t * k as i32).sum();
    let sharp = ((sum + 32) >> 6).clamp(0, most.into());
    let smooth = (t[3] * (32 - beta) + t[4] * beta + 16) >> 5;
    let a = alpha + (alpha >> 7);
    ((sharp * a + smooth * (256 - a) + 128) >> 8) as u16
}
