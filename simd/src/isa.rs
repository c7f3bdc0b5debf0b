//! The vector operations of the kernels, one interface for all instruction sets.
//!
//! A [`Isa::B`] holds N bytes. A [`Isa::H`] holds N/2 halfwords: either the even or the odd ones of
//! N samples, or one value per pair. Splitting into even and odd instead of low and high crosses no
//! lane, so the same code fits every width.
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod lane;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
pub(crate) use lane::Lane;
pub(crate) use portable::Portable;

/// Two signed halfwords, the first one in the low half: adjacent factors of
/// [`madd16`](Isa::madd16).
pub(crate) type PackedPair = u32;

/// One instruction set. A value of the type proves that the processor has it.
pub(crate) trait Isa: Copy {
    /// Bytes in a vector; a multiple of 16, at most 64.
    const N: usize;
    /// N bytes.
    type B: Copy;
    /// N/2 halfwords.
    type H: Copy;
    /// N/4 words.
    type W: Copy;

    /// The first N bytes of `src`.
    fn load(self, src: &[u8]) -> Self::B;
    /// Stores into the first N bytes of `dst`.
    fn store(self, dst: &mut [u8], v: Self::B);
    /// The first N/2 halfwords of `src`.
    fn load16(self, src: &[u16]) -> Self::H;
    /// Stores into the first N/2 halfwords of `dst`.
    fn store16(self, dst: &mut [u16], v: Self::H);
    /// The first N/2 bytes of `src`, each widened to a halfword.
    fn load_half(self, src: &[u8]) -> Self::H;
    /// Stores halfwords up to 255 as the first N/2 bytes of `dst`.
    fn store_half(self, dst: &mut [u8], v: Self::H);
    /// The first N/4 bytes of `src`, each widened to a halfword and followed by a halfword of 0.
    fn load_quarter(self, src: &[u8]) -> Self::H;
    /// Stores every second halfword, from the first one on, as the first N/4 bytes of `dst`; all
    /// are up to 255.
    fn store_quarter(self, dst: &mut [u8], v: Self::H);
    /// The first N/4 halfwords of `src`, each followed by a halfword of 0.
    fn load_quarter16(self, src: &[u16]) -> Self::H;
    /// Stores every second halfword, from the first one on, as the first N/4 halfwords of `dst`.
    fn store_quarter16(self, dst: &mut [u16], v: Self::H);
    /// Stores every second word, from the first one on, as the first N/8 words of `dst`.
    fn store_eighth32(self, dst: &mut [i32], v: Self::W);
    /// Pairs of the first N/8 halfwords of `a` and of `b`, each four times: operands of
    /// [`madd16`](Isa::madd16) for the low and the high part of interleaved vectors.
    fn load_cell_pairs(self, a: &[u16], b: &[u16]) -> [Self::H; 2];
    /// `LINES` lines of 16 bytes, `step` bytes apart, up to 8: `LINES * 16 / N` vectors and zeros.
    /// `LINES` is a multiple of N / 16.
    fn load_lines<const LINES: usize>(self, src: &[u8], step: usize) -> [Self::B; 8];
    /// The 8 halfwords at `src[i * step..]` as group i.
    fn load_groups16(self, src: &[u16], step: usize) -> Self::H;
    /// For each group i the bytes k of `src[i * step..]` in pairs of neighbours: (0, 1), (1, 2), …
    /// (7, 8), and (2, 3), (3, 4), … (9, 10). `src[i * step..]` has 16 bytes.
    fn load_neighbours(self, src: &[u8], step: usize) -> [Self::B; 2];
    /// The bytes in reverse order.
    fn reverse(self, v: Self::B) -> Self::B;
    /// The halfwords in reverse order.
    fn reverse16(self, v: Self::H) -> Self::H;
    /// Exchanges halfwords 2i and 2i + 1.
    fn swap16(self, v: Self::H) -> Self::H;
    /// The halfwords of `v` from number `K` on, then the first `K` of `next`; K is 1…3.
    fn shift_in16<const K: usize>(self, v: Self::H, next: Self::H) -> Self::H;
    /// The last `K` halfwords first; the others are unspecified; K is 2 or 3.
    fn last16<const K: usize>(self, v: Self::H) -> Self::H;
    /// Exchanges the pairs of halfwords 4i, 4i + 1 and 4i + 2, 4i + 3.
    fn swap32(self, v: Self::H) -> Self::H;
    fn splat(self, v: u8) -> Self::B;
    fn splat16(self, v: u16) -> Self::H;

    // Bytes.
    fn min(self, a: Self::B, b: Self::B) -> Self::B;
    fn max(self, a: Self::B, b: Self::B) -> Self::B;
    fn add(self, a: Self::B, b: Self::B) -> Self::B;
    fn add_saturating(self, a: Self::B, b: Self::B) -> Self::B;
    fn sub_saturating(self, a: Self::B, b: Self::B) -> Self::B;
    fn and(self, a: Self::B, b: Self::B) -> Self::B;
    fn or(self, a: Self::B, b: Self::B) -> Self::B;
    fn xor(self, a: Self::B, b: Self::B) -> Self::B;
    /// `(a + b + 1) >> 1`.
    fn avg_up(self, a: Self::B, b: Self::B) -> Self::B;
    /// 255 where equal, else 0.
    fn eq(self, a: Self::B, b: Self::B) -> Self::B;
    /// `t` where the mask is 255, `f` where it is 0.
    fn select(self, mask: Self::B, t: Self::B, f: Self::B) -> Self::B;
    /// Whether any byte is not 0.
    fn any(self, v: Self::B) -> bool;
    /// Whether any halfword is not 0.
    fn any16(self, v: Self::H) -> bool;
    /// One bit per halfword of a mask, the first halfword in bit 0.
    fn bits16(self, mask: Self::H) -> u32;
    /// `table[i]` for each index below 16; unspecified for others.
    fn lookup(self, table: &[u8; 16], i: Self::B) -> Self::B;
    /// The sum of each group of four words, in the first N/16 entries.
    fn sum_groups(self, v: Self::W) -> [u32; 4];
    /// The sums of words 4i + k over all i, for each k.
    fn add_groups(self, v: Self::W) -> [u32; 4];
    /// The number of bytes with value 255 in each group of 16, in the first N/16 entries; the other
    /// bytes are 0.
    fn count(self, mask: Self::B) -> [u32; 4];

    // Between bytes and halfwords.
    fn even(self, v: Self::B) -> Self::H;
    fn odd(self, v: Self::B) -> Self::H;
    /// Interleaves even and odd bytes again; all halfwords are up to 255.
    fn merge(self, even: Self::H, odd: Self::H) -> Self::B;

    // Halfwords.
    fn add16(self, a: Self::H, b: Self::H) -> Self::H;
    fn sub16(self, a: Self::H, b: Self::H) -> Self::H;
    fn add_saturating16(self, a: Self::H, b: Self::H) -> Self::H;
    fn sub_saturating16(self, a: Self::H, b: Self::H) -> Self::H;
    fn and16(self, a: Self::H, b: Self::H) -> Self::H;
    fn or16(self, a: Self::H, b: Self::H) -> Self::H;
    fn xor16(self, a: Self::H, b: Self::H) -> Self::H;
    fn min16(self, a: Self::H, b: Self::H) -> Self::H;
    fn max16(self, a: Self::H, b: Self::H) -> Self::H;
    fn eq16(self, a: Self::H, b: Self::H) -> Self::H;
    fn select16(self, mask: Self::H, t: Self::H, f: Self::H) -> Self::H;
    fn shl<const S: u32>(self, v: Self::H) -> Self::H;
    fn shr<const S: u32>(self, v: Self::H) -> Self::H;
    /// `v >> s`; s is 0…15.
    fn shr_by(self, v: Self::H, s: u8) -> Self::H;
    /// Low half of the product.
    fn mul_low(self, a: Self::H, b: Self::H) -> Self::H;
    /// High half of the unsigned product.
    fn mul_high(self, a: Self::H, b: Self::H) -> Self::H;
    /// Minimum of halfwords below 2^15.
    fn min15(self, a: Self::H, b: Self::H) -> Self::H;
    /// Maximum of halfwords below 2^15.
    fn max15(self, a: Self::H, b: Self::H) -> Self::H;
    /// All ones where `a > b`, else 0; both are below 2^15.
    fn gt15(self, a: Self::H, b: Self::H) -> Self::H;
    /// `a / b`, rounded down; `b` is 1…256.
    fn div(self, a: Self::H, b: Self::H) -> Self::H;

    // Signed numbers, in two's complement. `min15`, `max15`, `gt15` also compare signed halfwords.
    /// `v >> S` of signed halfwords.
    fn sra<const S: u32>(self, v: Self::H) -> Self::H;
    /// `(a * b + 2^14) >> 15` of signed halfwords; at most one of them is -2^15.
    fn mul_round(self, a: Self::H, b: Self::H) -> Self::H;
    /// `k[0]` times the first byte plus `k[1]` times the second byte of each pair; the sum fits 16
    /// bits.
    fn madd_bytes(self, v: Self::B, k: [i8; 2]) -> Self::H;
    /// Products of signed halfwords, added in pairs.
    fn madd16(self, a: Self::H, b: Self::H) -> Self::W;
    fn splat32(self, v: i32) -> Self::W;
    fn add32(self, a: Self::W, b: Self::W) -> Self::W;
    fn sub32(self, a: Self::W, b: Self::W) -> Self::W;
    fn mul32(self, a: Self::W, b: Self::W) -> Self::W;
    /// Minimum of signed words.
    fn min32(self, a: Self::W, b: Self::W) -> Self::W;
    /// Maximum of signed words.
    fn max32(self, a: Self::W, b: Self::W) -> Self::W;
    /// `a / b`, rounded down; a is 0…2^23, b is 1…2^23. With greater positive numbers and a
    /// quotient up to 2^16 the result may be off by one.
    fn div32(self, a: Self::W, b: Self::W) -> Self::W;
    /// `v >> S` of signed words.
    fn sra32<const S: u32>(self, v: Self::W) -> Self::W;
    /// `v >> s` of signed words; s is 0…31.
    fn sra32_by(self, v: Self::W, s: u8) -> Self::W;
    /// The two factors of a packed pair alternating, an operand of [`madd16`](Isa::madd16).
    fn splat_pair(self, pair: PackedPair) -> Self::H;
    /// `sum + madd16(a, b)`.
    #[inline(always)]
    fn dot16(self, sum: Self::W, a: Self::H, b: Self::H) -> Self::W {
        self.add32(sum, self.madd16(a, b))
    }

    // Interleaving: of each group of 16 bytes the low half is the low part, the high half the high
    // part.
    /// Bytes of `a` and `b` alternating, the low part.
    fn interleave_low(self, a: Self::B, b: Self::B) -> Self::B;
    fn interleave_high(self, a: Self::B, b: Self::B) -> Self::B;
    /// Halfwords of `a` and `b` alternating, the low part.
    fn interleave_low16(self, a: Self::H, b: Self::H) -> Self::H;
    fn interleave_high16(self, a: Self::H, b: Self::H) -> Self::H;
    /// The bytes of the low part as halfwords.
    fn widen_low(self, v: Self::B) -> Self::H;
    fn widen_high(self, v: Self::B) -> Self::H;
    /// Stores both parts, in order, into the first N halfwords of `dst`.
    fn store_parts(self, dst: &mut [u16], low: Self::H, high: Self::H);
    /// Joins both parts, in order, saturated to signed halfwords.
    fn pack32(self, low: Self::W, high: Self::W) -> Self::H;
    /// Joins the low and the high part, limited to 0…255 as signed halfwords.
    fn pack16(self, low: Self::H, high: Self::H) -> Self::B;
    /// Interleaves the low halves of even and odd words, in order.
    fn merge32(self, even: Self::W, odd: Self::W) -> Self::H;
    /// Stores the 16 bytes of group i of `v` at `dst[i * step..]`.
    fn store_groups(self, dst: &mut [u8], step: usize, v: Self::B);
    /// Stores the 8 halfwords of group i of `v` at `dst[i * step..]`.
    fn store_groups16(self, dst: &mut [u16], step: usize, v: Self::H);
    /// Stores the 8 halfwords of group i of `v`, limited to 0…255 as signed numbers, as bytes at
    /// `dst[i * step..]`.
    fn store_half_groups(self, dst: &mut [u8], step: usize, v: Self::H);

    /// Words whose sum is the sum of `|a - b|`.
    #[inline(always)]
    fn sad(self, a: Self::B, b: Self::B) -> Self::W {
        self.madd16(self.pair_sum(self.abs_diff(a, b)), self.splat16(1))
    }

    /// The sum of all words of each vector, up to 2^15 - 1; no word is negative.
    #[inline(always)]
    fn totals(self, [a, b, c, d]: [Self::W; 4]) -> [u16; 4] {
        let one = self.splat16(1);
        let (first, second) = (self.madd16(self.pack32(a, b), one), self.madd16(self.pack32(c, d), one));
        let [a, b, c, d] = self.add_groups(self.madd16(self.pack32(first, second), one));
        [a as u16, b as u16, c as u16, d as u16]
    }

    #[inline(always)]
    fn abs_diff(self, a: Self::B, b: Self::B) -> Self::B {
        self.or(self.sub_saturating(a, b), self.sub_saturating(b, a))
    }

    /// 255 where `a >= b`, else 0.
    #[inline(always)]
    fn ge(self, a: Self::B, b: Self::B) -> Self::B {
        self.eq(self.max(a, b), a)
    }

    /// `(a + b) >> 1`, truncated like all averages of the specification.
    #[inline(always)]
    fn avg(self, a: Self::B, b: Self::B) -> Self::B {
        // The rounded-up average is greater by one where the sum is odd.
        let odd = self.and(self.xor(a, b), self.splat(1));
        self.sub_saturating(self.avg_up(a, b), odd)
    }

    /// `(v[0] * w[0] + v[1] * w[1]) >> shift`; the two weights sum to `1 << shift`, shift is 0…7.
    #[inline(always)]
    fn weighted(self, v: [Self::B; 2], w: [Self::B; 2], shift: u8) -> Self::B {
        weighted_halfwords(self, v, w, shift)
    }

    /// Stores the halfwords of `even` and `odd` alternating into the first N halfwords of `dst`.
    #[inline(always)]
    fn store_alternating(self, dst: &mut [u16], even: Self::H, odd: Self::H) {
        self.store_parts(dst, self.interleave_low16(even, odd), self.interleave_high16(even, odd));
    }

    /// Sums of bytes 2i and 2i + 1.
    #[inline(always)]
    fn pair_sum(self, v: Self::B) -> Self::H {
        self.add16(self.even(v), self.odd(v))
    }

    /// The two factors alternating, an operand of [`madd16`](Isa::madd16).
    #[inline(always)]
    fn pair16(self, [first, second]: [i8; 2]) -> Self::H {
        self.interleave_low16(self.splat16(first as u16), self.splat16(second as u16))
    }

    /// `|a - b|` of halfwords below 2^15.
    #[inline(always)]
    fn abs_diff16(self, a: Self::H, b: Self::H) -> Self::H {
        self.sub16(self.max15(a, b), self.min15(a, b))
    }

    /// `|a - b|` of any halfwords.
    #[inline(always)]
    fn distance16(self, a: Self::H, b: Self::H) -> Self::H {
        self.or16(self.sub_saturating16(a, b), self.sub_saturating16(b, a))
    }

    /// `(a + b + 1) >> 1` of any halfwords.
    #[inline(always)]
    fn avg_up16(self, a: Self::H, b: Self::H) -> Self::H {
        self.sub16(self.or16(a, b), self.shr::<1>(self.xor16(a, b)))
    }

    /// `(a + b) >> 1` of any halfwords, truncated.
    #[inline(always)]
    fn avg16(self, a: Self::H, b: Self::H) -> Self::H {
        self.add16(self.and16(a, b), self.shr::<1>(self.xor16(a, b)))
    }

    /// All ones where `a >= b`, else 0, of any halfwords.
    #[inline(always)]
    fn ge16(self, a: Self::H, b: Self::H) -> Self::H {
        self.eq16(self.max16(a, b), a)
    }

    /// `v << s`.
    #[inline(always)]
    fn shl_by(self, v: Self::H, s: u8) -> Self::H {
        self.mul_low(v, self.splat16(1 << s))
    }
}

/// [`Isa::weighted`] in halfwords.
#[inline(always)]
fn weighted_halfwords<I: Isa>(s: I, v: [I::B; 2], w: [I::B; 2], shift: u8) -> I::B {
    let even = s.add16(s.mul_low(s.even(v[0]), s.even(w[0])), s.mul_low(s.even(v[1]), s.even(w[1])));
    let odd = s.add16(s.mul_low(s.odd(v[0]), s.odd(w[0])), s.mul_low(s.odd(v[1]), s.odd(w[1])));
    match shift {
        0 => s.merge(even, odd),
        shift => s.merge(s.shr_by(even, shift), s.shr_by(odd, shift)),
    }
}

/// Squares of even and odd bytes, summed over four neighbours.
#[inline(always)]
pub(crate) fn squares<I: Isa>(s: I, even: I::H, odd: I::H) -> I::W {
    s.add32(s.madd16(even, even), s.madd16(odd, odd))
}

/// N bytes of each row from `x` on. A loop, because the compiler does not always inline `map` of an
/// array and then passes the vectors through memory.
#[inline(always)]
pub(crate) fn load_each<I: Isa, const K: usize>(s: I, rows: [&[u8]; K], x: usize) -> [I::B; K] {
    let mut vectors = [s.splat(0); K];
    for (vector, row) in vectors.iter_mut().zip(rows) {
        *vector = s.load(&row[x..]);
    }
    vectors
}

/// Runs `body` for blocks of `width` that cover `0..n`. The last block overlaps the one before. If
/// `n < width` nothing is done and the result is false. Overlapping requires that a block's result
/// does not depend on the output of the block before.
macro_rules! blocks {
    ($n:expr, $width:expr, $x:ident => $body:block) => {{
        let (n, width): (usize, usize) = ($n, $width);
        if n < width {
            false
        } else {
            let mut $x = 0;
            loop {
                $body
                if $x + width >= n {
                    break true;
                }
                $x = ($x + width).min(n - width);
            }
        }
    }};
}
pub(crate) use blocks;

/// Runs `body` for chunks of up to `$most` that cover `0..n`, each with its first position and its
/// length. The last one may begin inside the chunk before it, since none has fewer than `$least`.
/// If `n < least` nothing is done and the result is false. Overlapping has the requirement of
/// [`blocks`].
macro_rules! chunks {
    ($n:expr, $most:expr, $least:expr, $first:ident, $count:ident => $body:block) => {{
        let (n, most, least): (usize, usize, usize) = ($n, $most, $least);
        if n < least {
            false
        } else {
            let mut $first: usize = 0;
            loop {
                let $count = most.min(n - $first);
                $body
                if $first + $count >= n {
                    break true;
                }
                $first = ($first + most).min(n - least);
            }
        }
    }};
}
pub(crate) use chunks;
