//! 128-bit vectors by crate `wide`, compiled for the baseline of the target: usually SSE2 or NEON.
use super::{Isa, PackedPair};
use wide::bytemuck::cast;
use wide::{f32x4, f32x8, i16x8, i32x4, i32x8, u8x16, u16x8, u32x4};

#[derive(Clone, Copy)]
pub(crate) struct Portable;

fn signed(v: u16x8) -> i16x8 {
    cast(v)
}

impl Isa for Portable {
    const N: usize = 16;
    type B = u8x16;
    type H = u16x8;
    type W = i32x4;

    #[inline(always)]
    fn load(self, src: &[u8]) -> u8x16 {
        u8x16::new(*src.first_chunk().expect("N bytes"))
    }
    #[inline(always)]
    fn store(self, dst: &mut [u8], v: u8x16) {
        *dst.first_chunk_mut().expect("N bytes") = v.to_array();
    }
    #[inline(always)]
    fn load16(self, src: &[u16]) -> u16x8 {
        u16x8::new(*src.first_chunk().expect("N/2 halfwords"))
    }
    #[inline(always)]
    fn store16(self, dst: &mut [u16], v: u16x8) {
        *dst.first_chunk_mut().expect("N/2 halfwords") = v.to_array();
    }
    #[inline(always)]
    fn load_half(self, src: &[u8]) -> u16x8 {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&src[..8]);
        u16x8::from_u8x16_low(u8x16::new(bytes))
    }
    #[inline(always)]
    fn store_half(self, dst: &mut [u8], v: u16x8) {
        let packed = u8x16::narrow_i16x8(signed(v), signed(v)).to_array();
        dst[..8].copy_from_slice(&packed[..8]);
    }
    #[inline(always)]
    fn load_quarter(self, src: &[u8]) -> u16x8 {
        let &[a, b, c, d] = src.first_chunk().expect("N/4 bytes");
        u16x8::new([a.into(), 0, b.into(), 0, c.into(), 0, d.into(), 0])
    }
    #[inline(always)]
    fn store_quarter(self, dst: &mut [u8], v: u16x8) {
        let [a, _, b, _, c, _, d, _] = v.to_array();
        *dst.first_chunk_mut().expect("N/4 bytes") = [a as u8, b as u8, c as u8, d as u8];
    }
    #[inline(always)]
    fn load_quarter16(self, src: &[u16]) -> u16x8 {
        let &[a, b, c, d] = src.first_chunk().expect("N/4 halfwords");
        u16x8::new([a, 0, b, 0, c, 0, d, 0])
    }
    #[inline(always)]
    fn store_quarter16(self, dst: &mut [u16], v: u16x8) {
        let [a, _, b, _, c, _, d, _] = v.to_array();
        *dst.first_chunk_mut().expect("N/4 halfwords") = [a, b, c, d];
    }
    #[inline(always)]
    fn store_eighth32(self, dst: &mut [i32], v: i32x4) {
        let [a, _, b, _] = v.to_array();
        *dst.first_chunk_mut().expect("N/8 words") = [a, b];
    }
    #[inline(always)]
    fn load_cell_pairs(self, a: &[u16], b: &[u16]) -> [u16x8; 2] {
        let (a, b): (&[u16; 2], &[u16; 2]) = (a.first_chunk().expect("N/8 halfwords"), b.first_chunk().expect("N/8 halfwords"));
        [0, 1].map(|i| self.splat_pair(PackedPair::from(a[i]) | PackedPair::from(b[i]) << 16))
    }
    #[inline(always)]
    fn load_lines<const LINES: usize>(self, src: &[u8], step: usize) -> [u8x16; 8] {
        let mut vectors = [self.splat(0); 8];
        for (i, vector) in vectors[..LINES].iter_mut().enumerate() {
            *vector = self.load(&src[i * step..]);
        }
        vectors
    }
    #[inline(always)]
    fn load_groups16(self, src: &[u16], _step: usize) -> u16x8 {
        self.load16(src)
    }
    #[inline(always)]
    fn load_neighbours(self, src: &[u8], _step: usize) -> [u8x16; 2] {
        let eight = |first: usize| {
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&src[first..first + 8]);
            u8x16::new(bytes)
        };
        [u8x16::unpack_low(eight(0), eight(1)), u8x16::unpack_low(eight(2), eight(3))]
    }
    #[inline(always)]
    fn reverse(self, v: u8x16) -> u8x16 {
        let mut bytes = v.to_array();
        bytes.reverse();
        u8x16::new(bytes)
    }
    #[inline(always)]
    fn reverse16(self, v: u16x8) -> u16x8 {
        let mut halfwords = v.to_array();
        halfwords.reverse();
        u16x8::new(halfwords)
    }
    #[inline(always)]
    fn swap32(self, v: u16x8) -> u16x8 {
        let [a, b, c, d] = cast::<u16x8, [[u16; 2]; 4]>(v);
        cast([b, a, d, c])
    }
    #[inline(always)]
    fn swap16(self, v: u16x8) -> u16x8 {
        let v: u32x4 = cast(v);
        cast((v >> 16u32) | (v << 16u32))
    }
    #[inline(always)]
    fn splat(self, v: u8) -> u8x16 {
        u8x16::splat(v)
    }
    #[inline(always)]
    fn splat16(self, v: u16) -> u16x8 {
        u16x8::splat(v)
    }

    #[inline(always)]
    fn min(self, a: u8x16, b: u8x16) -> u8x16 {
        a.min(b)
    }
    #[inline(always)]
    fn max(self, a: u8x16, b: u8x16) -> u8x16 {
        a.max(b)
    }
    #[inline(always)]
    fn add(self, a: u8x16, b: u8x16) -> u8x16 {
        a + b
    }
    #[inline(always)]
    fn add_saturating(self, a: u8x16, b: u8x16) -> u8x16 {
        a.saturating_add(b)
    }
    #[inline(always)]
    fn sub_saturating(self, a: u8x16, b: u8x16) -> u8x16 {
        a.saturating_sub(b)
    }
    #[inline(always)]
    fn and(self, a: u8x16, b: u8x16) -> u8x16 {
        a & b
    }
    #[inline(always)]
    fn or(self, a: u8x16, b: u8x16) -> u8x16 {
        a | b
    }
    #[inline(always)]
    fn xor(self, a: u8x16, b: u8x16) -> u8x16 {
        a ^ b
    }
    #[inline(always)]
    fn avg_up(self, a: u8x16, b: u8x16) -> u8x16 {
        // `wide` has no averaging instruction: a | b minus half of the difference, a ^ b.
        let half: u8x16 = cast(cast::<_, u16x8>(a ^ b) >> 1u32);
        (a | b) - (half & u8x16::splat(0x7f))
    }
    #[inline(always)]
    fn avg(self, a: u8x16, b: u8x16) -> u8x16 {
        let half: u8x16 = cast(cast::<_, u16x8>(a ^ b) >> 1u32);
        (a & b) + (half & u8x16::splat(0x7f))
    }
    #[inline(always)]
    fn eq(self, a: u8x16, b: u8x16) -> u8x16 {
        a.simd_eq(b)
    }
    #[inline(always)]
    fn select(self, mask: u8x16, t: u8x16, f: u8x16) -> u8x16 {
        mask.bitselect(t, f)
    }
    #[inline(always)]
    fn any(self, v: u8x16) -> bool {
        cast::<_, u128>(v) != 0
    }
    #[inline(always)]
    fn any16(self, v: u16x8) -> bool {
        cast::<_, u128>(v) != 0
    }
    #[inline(always)]
    fn bits16(self, mask: u16x8) -> u32 {
        signed(mask).to_bitmask()
    }
    #[inline(always)]
    fn lookup(self, table: &[u8; 16], i: u8x16) -> u8x16 {
        let mut found = u8x16::splat(0);
        for (k, &v) in table.iter().enumerate() {
            if v != 0 {
                found |= i.simd_eq(u8x16::splat(k as u8)) & u8x16::splat(v);
            }
        }
        found
    }
    #[inline(always)]
    fn sum_groups(self, v: i32x4) -> [u32; 4] {
        [v.reduce_add() as u32, 0, 0, 0]
    }
    #[inline(always)]
    fn add_groups(self, v: i32x4) -> [u32; 4] {
        cast(v)
    }
    #[inline(always)]
    fn count(self, mask: u8x16) -> [u32; 4] {
        [mask.to_bitmask().count_ones(), 0, 0, 0]
    }

    #[inline(always)]
    fn even(self, v: u8x16) -> u16x8 {
        let v: u16x8 = cast(v);
        if cfg!(target_endian = "little") { v & u16x8::splat(0xff) } else { v >> 8u32 }
    }
    #[inline(always)]
    fn odd(self, v: u8x16) -> u16x8 {
        let v: u16x8 = cast(v);
        if cfg!(target_endian = "little") { v >> 8u32 } else { v & u16x8::splat(0xff) }
    }
    #[inline(always)]
    fn merge(self, even: u16x8, odd: u16x8) -> u8x16 {
        cast(if cfg!(target_endian = "little") { even | (odd << 8u32) } else { (even << 8u32) | odd })
    }

    #[inline(always)]
    fn add16(self, a: u16x8, b: u16x8) -> u16x8 {
        a + b
    }
    #[inline(always)]
    fn sub16(self, a: u16x8, b: u16x8) -> u16x8 {
        a - b
    }
    #[inline(always)]
    fn add_saturating16(self, a: u16x8, b: u16x8) -> u16x8 {
        a.saturating_add(b)
    }
    #[inline(always)]
    fn sub_saturating16(self, a: u16x8, b: u16x8) -> u16x8 {
        a.saturating_sub(b)
    }
    #[inline(always)]
    fn and16(self, a: u16x8, b: u16x8) -> u16x8 {
        a & b
    }
    #[inline(always)]
    fn or16(self, a: u16x8, b: u16x8) -> u16x8 {
        a | b
    }
    #[inline(always)]
    fn xor16(self, a: u16x8, b: u16x8) -> u16x8 {
        a ^ b
    }
    #[inline(always)]
    fn min16(self, a: u16x8, b: u16x8) -> u16x8 {
        a.min(b)
    }
    #[inline(always)]
    fn max16(self, a: u16x8, b: u16x8) -> u16x8 {
        a.max(b)
    }
    #[inline(always)]
    fn eq16(self, a: u16x8, b: u16x8) -> u16x8 {
        a.simd_eq(b)
    }
    #[inline(always)]
    fn select16(self, mask: u16x8, t: u16x8, f: u16x8) -> u16x8 {
        mask.bitselect(t, f)
    }
    #[inline(always)]
    fn shift_in16<const K: usize>(self, v: u16x8, next: u16x8) -> u16x8 {
        let (v, next) = (v.to_array(), next.to_array());
        u16x8::new(std::array::from_fn(|i| if i + K < 8 { v[i + K] } else { next[i + K - 8] }))
    }
    #[inline(always)]
    fn last16<const K: usize>(self, v: u16x8) -> u16x8 {
        let v = v.to_array();
        u16x8::new(std::array::from_fn(|i| if i < K { v[8 - K + i] } else { 0 }))
    }
    #[inline(always)]
    fn shl<const S: u32>(self, v: u16x8) -> u16x8 {
        v << S
    }
    #[inline(always)]
    fn shr<const S: u32>(self, v: u16x8) -> u16x8 {
        v >> S
    }
    #[inline(always)]
    fn shr_by(self, v: u16x8, s: u8) -> u16x8 {
        v >> u32::from(s)
    }
    #[inline(always)]
    fn mul_low(self, a: u16x8, b: u16x8) -> u16x8 {
        a * b
    }
    #[inline(always)]
    fn mul_high(self, a: u16x8, b: u16x8) -> u16x8 {
        a.mul_keep_high(b)
    }
    #[inline(always)]
    fn min15(self, a: u16x8, b: u16x8) -> u16x8 {
        cast(signed(a).min(signed(b)))
    }
    #[inline(always)]
    fn max15(self, a: u16x8, b: u16x8) -> u16x8 {
        cast(signed(a).max(signed(b)))
    }
    #[inline(always)]
    fn gt15(self, a: u16x8, b: u16x8) -> u16x8 {
        cast(signed(a).simd_gt(signed(b)))
    }
    #[inline(always)]
    fn div(self, a: u16x8, b: u16x8) -> u16x8 {
        // The quotient of two such floats is off by less than 1/255, so it never reaches the next
        // integer.
        let float = |v: u16x8| f32x8::from_i32x8(i32x8::from_u16x8(v));
        let quotient = (float(a) / float(b)).fast_trunc_int();
        cast(i16x8::from_i32x8_truncate(quotient))
    }

    #[inline(always)]
    fn sra<const S: u32>(self, v: u16x8) -> u16x8 {
        cast(signed(v) >> S)
    }
    #[inline(always)]
    fn mul_round(self, a: u16x8, b: u16x8) -> u16x8 {
        cast(signed(a).mul_scale_round(signed(b)))
    }
    #[inline(always)]
    fn madd_bytes(self, v: u8x16, [first, second]: [i8; 2]) -> u16x8 {
        self.even(v) * u16x8::splat(first as u16) + self.odd(v) * u16x8::splat(second as u16)
    }
    #[inline(always)]
    fn madd16(self, a: u16x8, b: u16x8) -> i32x4 {
        signed(a).dot(signed(b))
    }
    #[inline(always)]
    fn splat32(self, v: i32) -> i32x4 {
        i32x4::splat(v)
    }
    #[inline(always)]
    fn div32(self, a: i32x4, b: i32x4) -> i32x4 {
        // Numbers below 2^24 are exact, and no quotient of them rounds up to the next integer.
        (f32x4::from_i32x4(a) / f32x4::from_i32x4(b)).fast_trunc_int()
    }
    #[inline(always)]
    fn add32(self, a: i32x4, b: i32x4) -> i32x4 {
        a + b
    }
    #[inline(always)]
    fn sub32(self, a: i32x4, b: i32x4) -> i32x4 {
        a - b
    }
    #[inline(always)]
    fn mul32(self, a: i32x4, b: i32x4) -> i32x4 {
        a * b
    }
    #[inline(always)]
    fn min32(self, a: i32x4, b: i32x4) -> i32x4 {
        a.min(b)
    }
    #[inline(always)]
    fn max32(self, a: i32x4, b: i32x4) -> i32x4 {
        a.max(b)
    }
    #[inline(always)]
    fn sra32<const S: u32>(self, v: i32x4) -> i32x4 {
        v >> S
    }
    #[inline(always)]
    fn sra32_by(self, v: i32x4, s: u8) -> i32x4 {
        v >> i32::from(s)
    }
    #[inline(always)]
    fn splat_pair(self, pair: PackedPair) -> u16x8 {
        let (first, second) = (pair as u16, (pair >> 16) as u16);
        u16x8::new([first, second, first, second, first, second, first, second])
    }
    #[inline(always)]
    fn interleave_low(self, a: u8x16, b: u8x16) -> u8x16 {
        u8x16::unpack_low(a, b)
    }
    #[inline(always)]
    fn interleave_high(self, a: u8x16, b: u8x16) -> u8x16 {
        u8x16::unpack_high(a, b)
    }
    #[inline(always)]
    fn interleave_low16(self, a: u16x8, b: u16x8) -> u16x8 {
        // `wide` interleaves only bytes: interleave the first bytes of all halfwords with the
        // second bytes.
        let (first, second) =
            (self.merge(self.even(cast(a)), self.even(cast(b))), self.merge(self.odd(cast(a)), self.odd(cast(b))));
        cast(u8x16::unpack_low(first, second))
    }
    #[inline(always)]
    fn interleave_high16(self, a: u16x8, b: u16x8) -> u16x8 {
        let (first, second) =
            (self.merge(self.even(cast(a)), self.even(cast(b))), self.merge(self.odd(cast(a)), self.odd(cast(b))));
        cast(u8x16::unpack_high(first, second))
    }
    #[inline(always)]
    fn widen_low(self, v: u8x16) -> u16x8 {
        self.even(u8x16::unpack_low(v, u8x16::splat(0)))
    }
    #[inline(always)]
    fn widen_high(self, v: u8x16) -> u16x8 {
        self.even(u8x16::unpack_high(v, u8x16::splat(0)))
    }
    #[inline(always)]
    fn store_parts(self, dst: &mut [u16], low: u16x8, high: u16x8) {
        let dst: &mut [u16; 16] = dst.first_chunk_mut().expect("N halfwords");
        self.store16(&mut dst[..8], low);
        self.store16(&mut dst[8..], high);
    }
    #[inline(always)]
    fn pack32(self, low: i32x4, high: i32x4) -> u16x8 {
        cast(i16x8::from_i32x8_saturate(cast([low, high])))
    }
    #[inline(always)]
    fn pack16(self, low: u16x8, high: u16x8) -> u8x16 {
        u8x16::narrow_i16x8(signed(low), signed(high))
    }
    #[inline(always)]
    fn merge32(self, even: i32x4, odd: i32x4) -> u16x8 {
        let (even, odd): (u32x4, u32x4) = (cast(even), cast(odd));
        let (low, high) = if cfg!(target_endian = "little") { (even, odd) } else { (odd, even) };
        cast((low & u32x4::splat(0xffff)) | (high << 16u32))
    }
    #[inline(always)]
    fn store_groups(self, dst: &mut [u8], _step: usize, v: u8x16) {
        self.store(dst, v);
    }
    #[inline(always)]
    fn store_groups16(self, dst: &mut [u16], _step: usize, v: u16x8) {
        self.store16(dst, v);
    }
    #[inline(always)]
    fn store_half_groups(self, dst: &mut [u8], _step: usize, v: u16x8) {
        self.store_half(dst, v);
    }
}
