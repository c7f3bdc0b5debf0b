//! The vector operations that kernels are written in, once for all instruction sets.
//!
//! A [`Isa::B`] holds N bytes. A [`Isa::H`] holds N/2 halfwords: of a run of N samples either the even or the odd ones, or one value
//! for each pair. Even and odd rather than low and high: no lane is crossed, and the same text serves every width.
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
pub(crate) use portable::Portable;

/// One instruction set. A value of it is the proof that the processor has it.
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
    /// Into the first N bytes of `dst`.
    fn store(self, dst: &mut [u8], v: Self::B);
    /// The first N/2 halfwords of `src`.
    fn load16(self, src: &[u16]) -> Self::H;
    /// Into the first N/2 halfwords of `dst`.
    fn store16(self, dst: &mut [u16], v: Self::H);
    /// The first N/2 bytes of `src`, each a halfword.
    fn load_half(self, src: &[u8]) -> Self::H;
    /// Halfwords up to 255 into the first N/2 bytes of `dst`.
    fn store_half(self, dst: &mut [u8], v: Self::H);
    /// The first N/4 bytes of `src`, each followed by a halfword of 0.
    fn load_quarter(self, src: &[u8]) -> Self::H;
    /// Every second halfword, up to 255, from the first on, into the first N/4 bytes of `dst`.
    fn store_quarter(self, dst: &mut [u8], v: Self::H);
    /// Halfwords 2i and 2i + 1 change places.
    fn swap16(self, v: Self::H) -> Self::H;
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
    /// A bit for each halfword of a mask, the first one's lowest.
    fn bits16(self, mask: Self::H) -> u32;
    /// `table[i]` of each index below 16; any value for others.
    fn lookup(self, table: &[u8; 16], i: Self::B) -> Self::B;
    /// For each group of four words their sum; the first N/16 entries count.
    fn sum_groups(self, v: Self::W) -> [u32; 4];
    /// For each group of 16 bytes how many are 255, the others being 0; the first N/16 entries count.
    fn count(self, mask: Self::B) -> [u32; 4];

    // Between them.
    fn even(self, v: Self::B) -> Self::H;
    fn odd(self, v: Self::B) -> Self::H;
    /// Even and odd bytes back together; all halfwords up to 255.
    fn merge(self, even: Self::H, odd: Self::H) -> Self::B;

    // Halfwords.
    fn add16(self, a: Self::H, b: Self::H) -> Self::H;
    fn sub16(self, a: Self::H, b: Self::H) -> Self::H;
    fn add_saturating16(self, a: Self::H, b: Self::H) -> Self::H;
    fn sub_saturating16(self, a: Self::H, b: Self::H) -> Self::H;
    fn and16(self, a: Self::H, b: Self::H) -> Self::H;
    fn or16(self, a: Self::H, b: Self::H) -> Self::H;
    fn eq16(self, a: Self::H, b: Self::H) -> Self::H;
    fn select16(self, mask: Self::H, t: Self::H, f: Self::H) -> Self::H;
    fn shl<const S: u32>(self, v: Self::H) -> Self::H;
    fn shr<const S: u32>(self, v: Self::H) -> Self::H;
    /// Low half of the product.
    fn mul_low(self, a: Self::H, b: Self::H) -> Self::H;
    /// High half of the unsigned product.
    fn mul_high(self, a: Self::H, b: Self::H) -> Self::H;
    /// Of halfwords below 2^15.
    fn min15(self, a: Self::H, b: Self::H) -> Self::H;
    /// Of halfwords below 2^15.
    fn max15(self, a: Self::H, b: Self::H) -> Self::H;
    /// All ones where `a > b`, both below 2^15, else 0.
    fn gt15(self, a: Self::H, b: Self::H) -> Self::H;
    /// `a / b`, floored; `b` 1…256.
    fn div(self, a: Self::H, b: Self::H) -> Self::H;

    // Signed numbers. Halfwords and words have two's complement, and `min15`, `max15`, `gt15` compare them as signed, too.
    /// `v >> S` of signed halfwords.
    fn sra<const S: u32>(self, v: Self::H) -> Self::H;
    /// `(a * b + 2^14) >> 15` of signed halfwords, not both of them -2^15.
    fn mul_round(self, a: Self::H, b: Self::H) -> Self::H;
    /// `k[0]` times the first and `k[1]` times the second byte of each pair, added; the sum fits 16 bits.
    fn madd_bytes(self, v: Self::B, k: [i8; 2]) -> Self::H;
    /// The products of signed halfwords, those of each pair added.
    fn madd16(self, a: Self::H, b: Self::H) -> Self::W;
    fn splat32(self, v: i32) -> Self::W;
    fn add32(self, a: Self::W, b: Self::W) -> Self::W;
    fn sub32(self, a: Self::W, b: Self::W) -> Self::W;
    fn mul32(self, a: Self::W, b: Self::W) -> Self::W;
    /// `v >> S` of signed words.
    fn sra32<const S: u32>(self, v: Self::W) -> Self::W;

    // Two runs alternating. Which part is low and which is high is the instruction set's affair, the same for all of these.
    /// Bytes of `a` and `b` in turn, the low part.
    fn interleave_low(self, a: Self::B, b: Self::B) -> Self::B;
    fn interleave_high(self, a: Self::B, b: Self::B) -> Self::B;
    /// Halfwords of `a` and `b` in turn, the low part.
    fn interleave_low16(self, a: Self::H, b: Self::H) -> Self::H;
    fn interleave_high16(self, a: Self::H, b: Self::H) -> Self::H;
    /// The low part of the bytes as halfwords.
    fn widen_low(self, v: Self::B) -> Self::H;
    fn widen_high(self, v: Self::B) -> Self::H;
    /// Both parts back together, in order, into the first N halfwords of `dst`.
    fn store_parts(self, dst: &mut [u16], low: Self::H, high: Self::H);
    /// Both parts back together, saturated to signed halfwords.
    fn pack32(self, low: Self::W, high: Self::W) -> Self::H;
    /// Words that fit signed halfwords in turn, in order.
    fn merge32(self, even: Self::W, odd: Self::W) -> Self::H;
    /// Bytes 16i… of `v` into 16 bytes of `dst` at `i * step`.
    fn store_groups(self, dst: &mut [u8], step: usize, v: Self::B);
    /// Halfwords 8i… of `v` into 8 halfwords of `dst` at `i * step`.
    fn store_groups16(self, dst: &mut [u16], step: usize, v: Self::H);

    #[inline(always)]
    fn abs_diff(self, a: Self::B, b: Self::B) -> Self::B {
        self.or(self.sub_saturating(a, b), self.sub_saturating(b, a))
    }

    /// 255 where `a >= b`, else 0.
    #[inline(always)]
    fn ge(self, a: Self::B, b: Self::B) -> Self::B {
        self.eq(self.max(a, b), a)
    }

    /// `(a + b) >> 1`, as the specification's averages truncate.
    #[inline(always)]
    fn avg(self, a: Self::B, b: Self::B) -> Self::B {
        // The rounded-up average is one more where the sum is odd.
        let odd = self.and(self.xor(a, b), self.splat(1));
        self.sub_saturating(self.avg_up(a, b), odd)
    }

    /// `(v[0] * w[0] + v[1] * w[1]) >> shift` of weights that are together `1 << shift`, shift 0…7.
    #[inline(always)]
    fn weighted(self, v: [Self::B; 2], w: [Self::B; 2], shift: u8) -> Self::B {
        weighted_halfwords(self, v, w, shift)
    }

    /// Bytes 2i and 2i + 1 added.
    #[inline(always)]
    fn pair_sum(self, v: Self::B) -> Self::H {
        self.add16(self.even(v), self.odd(v))
    }

    /// The two factors in turn, for [`madd16`](Isa::madd16).
    #[inline(always)]
    fn pair16(self, [first, second]: [i8; 2]) -> Self::H {
        self.interleave_low16(self.splat16(first as u16), self.splat16(second as u16))
    }

    /// Of halfwords below 2^15.
    #[inline(always)]
    fn abs_diff16(self, a: Self::H, b: Self::H) -> Self::H {
        self.sub16(self.max15(a, b), self.min15(a, b))
    }

    /// `v << s`.
    #[inline(always)]
    fn shl_by(self, v: Self::H, s: u8) -> Self::H {
        self.mul_low(v, self.splat16(1 << s))
    }

    /// `v >> s`, s not 0.
    #[inline(always)]
    fn shr_by(self, v: Self::H, s: u8) -> Self::H {
        self.mul_high(v, self.splat16(1 << (16 - s)))
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

/// Squares of even and odd bytes, those of four neighbours added.
#[inline(always)]
pub(crate) fn squares<I: Isa>(s: I, even: I::H, odd: I::H) -> I::W {
    s.add32(s.madd16(even, even), s.madd16(odd, odd))
}

/// N bytes of each row, from `x` on. A loop, because an array's `map` is not always inlined, and then goes through memory.
#[inline(always)]
pub(crate) fn load_each<I: Isa, const K: usize>(s: I, rows: [&[u8]; K], x: usize) -> [I::B; K] {
    let mut vectors = [s.splat(0); K];
    for (vector, row) in vectors.iter_mut().zip(rows) {
        *vector = s.load(&row[x..]);
    }
    vectors
}

/// Runs `body` for blocks of `width` that cover `0..n`, the last one overlapping the one before; false, with nothing done, if
/// `n < width`. Overlapping is harmless where a block's result does not depend on what the block before wrote.
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
