//! 256-bit vectors of x86-64 processors with AVX2.
use super::{Isa, PackedPair, weighted_halfwords};
use std::arch::x86_64::*;

/// Proof that the processor has AVX2.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The call is safe only in a function with the target feature, which proves that the processor
    /// has it.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn in_avx2() -> Avx2 {
        Avx2(())
    }
}

/// Operations that consist of one expression of intrinsics.
macro_rules! operations {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $result:ty = $value:expr;)*) => {
        $(#[inline(always)]
        fn $name(self, $($arg: $ty),*) -> $result {
            // SAFETY: an `Avx2` proves that the processor has AVX2; no pointers are involved.
            unsafe { $value }
        })*
    };
}

impl Isa for Avx2 {
    const N: usize = 32;
    type B = __m256i;
    type H = __m256i;
    type W = __m256i;

    #[inline(always)]
    fn load(self, src: &[u8]) -> __m256i {
        let src: &[u8; 32] = src.first_chunk().expect("N bytes");
        // SAFETY: `src` has 32 bytes, and the processor has AVX2.
        unsafe { _mm256_loadu_si256(src.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store(self, dst: &mut [u8], v: __m256i) {
        let dst: &mut [u8; 32] = dst.first_chunk_mut().expect("N bytes");
        // SAFETY: `dst` has 32 bytes, and the processor has AVX2.
        unsafe { _mm256_storeu_si256(dst.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn load16(self, src: &[u16]) -> __m256i {
        let src: &[u16; 16] = src.first_chunk().expect("N/2 halfwords");
        // SAFETY: `src` has 32 bytes, and the processor has AVX2.
        unsafe { _mm256_loadu_si256(src.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store16(self, dst: &mut [u16], v: __m256i) {
        let dst: &mut [u16; 16] = dst.first_chunk_mut().expect("N/2 halfwords");
        // SAFETY: `dst` has 32 bytes, and the processor has AVX2.
        unsafe { _mm256_storeu_si256(dst.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn load_half(self, src: &[u8]) -> __m256i {
        let src: &[u8; 16] = src.first_chunk().expect("N/2 bytes");
        // SAFETY: `src` has 16 bytes, and the processor has AVX2.
        unsafe { _mm256_cvtepu8_epi16(_mm_loadu_si128(src.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store_half(self, dst: &mut [u8], v: __m256i) {
        let dst: &mut [u8; 16] = dst.first_chunk_mut().expect("N/2 bytes");
        // SAFETY: `dst` has 16 bytes, and the processor has AVX2.
        unsafe {
            let packed = _mm256_permute4x64_epi64::<0b1000>(_mm256_packus_epi16(v, v));
            _mm_storeu_si128(dst.as_mut_ptr().cast(), _mm256_castsi256_si128(packed));
        }
    }
    #[inline(always)]
    fn load_quarter(self, src: &[u8]) -> __m256i {
        let src: &[u8; 8] = src.first_chunk().expect("N/4 bytes");
        // SAFETY: `src` has 8 bytes, and the processor has AVX2.
        unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(src.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store_quarter(self, dst: &mut [u8], v: __m256i) {
        let dst: &mut [u8; 8] = dst.first_chunk_mut().expect("N/4 bytes");
        // SAFETY: `dst` has 8 bytes, and the processor has AVX2.
        unsafe {
            let v = _mm256_and_si256(v, _mm256_set1_epi32(0xff));
            let v = _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
            _mm_storel_epi64(dst.as_mut_ptr().cast(), _mm_packus_epi16(v, v));
        }
    }
    #[inline(always)]
    fn load_quarter16(self, src: &[u16]) -> __m256i {
        let src: &[u16; 8] = src.first_chunk().expect("N/4 halfwords");
        // SAFETY: `src` has 16 bytes, and the processor has AVX2.
        unsafe { _mm256_cvtepu16_epi32(_mm_loadu_si128(src.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store_quarter16(self, dst: &mut [u16], v: __m256i) {
        let dst: &mut [u16; 8] = dst.first_chunk_mut().expect("N/4 halfwords");
        // SAFETY: `dst` has 16 bytes, and the processor has AVX2.
        unsafe {
            let v = _mm256_and_si256(v, _mm256_set1_epi32(0xffff));
            let v = _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
            _mm_storeu_si128(dst.as_mut_ptr().cast(), v);
        }
    }
    #[inline(always)]
    fn store_eighth32(self, dst: &mut [i32], v: __m256i) {
        let dst: &mut [i32; 4] = dst.first_chunk_mut().expect("N/8 words");
        // SAFETY: `dst` has 16 bytes, and the processor has AVX2.
        unsafe {
            let v = _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
            _mm_storeu_si128(dst.as_mut_ptr().cast(), _mm256_castsi256_si128(v));
        }
    }
    #[inline(always)]
    fn load_cell_pairs(self, a: &[u16], b: &[u16]) -> [__m256i; 2] {
        let (a, b): (&[u16; 4], &[u16; 4]) = (a.first_chunk().expect("N/8 halfwords"), b.first_chunk().expect("N/8 halfwords"));
        // SAFETY: both have 8 bytes, and the processor has AVX2.
        unsafe {
            let pairs = _mm_unpacklo_epi16(_mm_loadl_epi64(a.as_ptr().cast()), _mm_loadl_epi64(b.as_ptr().cast()));
            let pairs = _mm256_castsi128_si256(pairs);
            let low = _mm256_permutevar8x32_epi32(pairs, _mm256_setr_epi32(0, 0, 0, 0, 2, 2, 2, 2));
            [low, _mm256_permutevar8x32_epi32(pairs, _mm256_setr_epi32(1, 1, 1, 1, 3, 3, 3, 3))]
        }
    }
    #[inline(always)]
    fn load_lines<const LINES: usize>(self, src: &[u8], step: usize) -> [__m256i; 8] {
        assert!(src.len() >= (LINES - 1).saturating_mul(step).saturating_add(16), "LINES lines");
        let mut vectors = [self.splat(0); 8];
        for (i, vector) in vectors[..LINES / 2].iter_mut().enumerate() {
            // SAFETY: `src` has 16 bytes at each `step`, and the processor has AVX2.
            *vector = unsafe {
                let first = src.as_ptr().add(2 * i * step);
                _mm256_loadu2_m128i(first.add(step).cast(), first.cast())
            };
        }
        vectors
    }
    #[inline(always)]
    fn load_groups16(self, src: &[u16], step: usize) -> __m256i {
        assert!(src.len() >= step.saturating_add(8), "two groups");
        // SAFETY: `src` has 16 bytes at 0 and at `step`, and the processor has AVX2.
        unsafe { _mm256_loadu2_m128i(src.as_ptr().add(step).cast(), src.as_ptr().cast()) }
    }
    #[inline(always)]
    fn load_neighbours(self, src: &[u8], step: usize) -> [__m256i; 2] {
        assert!(src.len() >= step.saturating_add(16), "two groups");
        // SAFETY: `src` has 16 bytes at 0 and at `step`, and the processor has AVX2.
        unsafe {
            let v = _mm256_loadu2_m128i(src.as_ptr().add(step).cast(), src.as_ptr().cast());
            let near = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8));
            let far = _mm256_broadcastsi128_si256(_mm_setr_epi8(2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10));
            [_mm256_shuffle_epi8(v, near), _mm256_shuffle_epi8(v, far)]
        }
    }
    #[inline(always)]
    fn bits16(self, mask: __m256i) -> u32 {
        // SAFETY: the processor has AVX2; no pointers are involved.
        let bits = unsafe { _mm256_movemask_epi8(_mm256_packs_epi16(mask, _mm256_setzero_si256())) } as u32;
        (bits & 0xff) | (bits >> 8 & 0xff00)
    }
    #[inline(always)]
    fn lookup(self, table: &[u8; 16], i: __m256i) -> __m256i {
        // SAFETY: the table has 16 bytes, and the processor has AVX2.
        unsafe {
            let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast()));
            _mm256_shuffle_epi8(table, i)
        }
    }
    #[inline(always)]
    fn sum_groups(self, v: __m256i) -> [u32; 4] {
        let mut sums = [0u32; 8];
        // SAFETY: `sums` has 32 bytes, and the processor has AVX2.
        unsafe {
            let v = _mm256_add_epi32(v, _mm256_shuffle_epi32::<0b01_00_11_10>(v));
            let v = _mm256_add_epi32(v, _mm256_shuffle_epi32::<0b10_11_00_01>(v));
            _mm256_storeu_si256(sums.as_mut_ptr().cast(), v);
        }
        [sums[0], sums[4], 0, 0]
    }
    #[inline(always)]
    fn add_groups(self, v: __m256i) -> [u32; 4] {
        let mut sums = [0; 4];
        // SAFETY: `sums` has 16 bytes, and the processor has AVX2.
        unsafe {
            let v = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
            _mm_storeu_si128(sums.as_mut_ptr().cast(), v);
        }
        sums
    }
    #[inline(always)]
    fn count(self, mask: __m256i) -> [u32; 4] {
        // SAFETY: the processor has AVX2; no pointers are involved.
        let bits = unsafe { _mm256_movemask_epi8(mask) } as u32;
        [(bits & 0xffff).count_ones(), (bits >> 16).count_ones(), 0, 0]
    }
    #[inline(always)]
    fn weighted(self, v: [__m256i; 2], w: [__m256i; 2], shift: u8) -> __m256i {
        // `maddubs` below reads the weights as signed bytes; 1 << 7 does not fit.
        if shift == 7 {
            return weighted_halfwords(self, v, w, shift);
        }
        // SAFETY: the processor has AVX2; no pointers are involved.
        unsafe {
            let shift = _mm_cvtsi32_si128(shift as i32);
            let low = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(v[0], v[1]), _mm256_unpacklo_epi8(w[0], w[1]));
            let high = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(v[0], v[1]), _mm256_unpackhi_epi8(w[0], w[1]));
            _mm256_packus_epi16(_mm256_srl_epi16(low, shift), _mm256_srl_epi16(high, shift))
        }
    }
    #[inline(always)]
    fn div(self, a: __m256i, b: __m256i) -> __m256i {
        // The quotient of two such floats is off by less than 1/255, so it never reaches the next
        // integer.
        // SAFETY: the processor has AVX2; no pointers are involved.
        unsafe {
            let low = quotients(_mm256_castsi256_si128(a), _mm256_castsi256_si128(b));
            let high = quotients(_mm256_extracti128_si256::<1>(a), _mm256_extracti128_si256::<1>(b));
            _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(low, high))
        }
    }

    #[inline(always)]
    fn reverse(self, v: __m256i) -> __m256i {
        // SAFETY: the processor has AVX2; no pointers are involved.
        unsafe {
            let order = _mm256_broadcastsi128_si256(_mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
            _mm256_permute4x64_epi64::<0b01_00_11_10>(_mm256_shuffle_epi8(v, order))
        }
    }
    #[inline(always)]
    fn reverse16(self, v: __m256i) -> __m256i {
        // SAFETY: the processor has AVX2; no pointers are involved.
        unsafe {
            let order = _mm256_broadcastsi128_si256(_mm_setr_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1));
            _mm256_permute4x64_epi64::<0b01_00_11_10>(_mm256_shuffle_epi8(v, order))
        }
    }

    operations! {
        swap16(v: __m256i) -> __m256i = _mm256_or_si256(_mm256_srli_epi32::<16>(v), _mm256_slli_epi32::<16>(v));
        swap32(v: __m256i) -> __m256i = _mm256_shuffle_epi32::<0b10_11_00_01>(v);
        splat(v: u8) -> __m256i = _mm256_set1_epi8(v as i8);
        splat16(v: u16) -> __m256i = _mm256_set1_epi16(v as i16);
        min(a: __m256i, b: __m256i) -> __m256i = _mm256_min_epu8(a, b);
        max(a: __m256i, b: __m256i) -> __m256i = _mm256_max_epu8(a, b);
        add(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi8(a, b);
        add_saturating(a: __m256i, b: __m256i) -> __m256i = _mm256_adds_epu8(a, b);
        sub_saturating(a: __m256i, b: __m256i) -> __m256i = _mm256_subs_epu8(a, b);
        and(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        or(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
        xor(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
        avg_up(a: __m256i, b: __m256i) -> __m256i = _mm256_avg_epu8(a, b);
        eq(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpeq_epi8(a, b);
        select(mask: __m256i, t: __m256i, f: __m256i) -> __m256i = _mm256_blendv_epi8(f, t, mask);
        any(v: __m256i) -> bool = _mm256_testz_si256(v, v) == 0;
        any16(v: __m256i) -> bool = _mm256_testz_si256(v, v) == 0;
        even(v: __m256i) -> __m256i = _mm256_and_si256(v, _mm256_set1_epi16(0xff));
        odd(v: __m256i) -> __m256i = _mm256_srli_epi16::<8>(v);
        merge(even: __m256i, odd: __m256i) -> __m256i = _mm256_or_si256(even, _mm256_slli_epi16::<8>(odd));
        pair_sum(v: __m256i) -> __m256i = _mm256_maddubs_epi16(v, _mm256_set1_epi8(1));
        add16(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi16(a, b);
        sub16(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi16(a, b);
        add_saturating16(a: __m256i, b: __m256i) -> __m256i = _mm256_adds_epu16(a, b);
        sub_saturating16(a: __m256i, b: __m256i) -> __m256i = _mm256_subs_epu16(a, b);
        and16(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        or16(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
        xor16(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
        min16(a: __m256i, b: __m256i) -> __m256i = _mm256_min_epu16(a, b);
        max16(a: __m256i, b: __m256i) -> __m256i = _mm256_max_epu16(a, b);
        eq16(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpeq_epi16(a, b);
        select16(mask: __m256i, t: __m256i, f: __m256i) -> __m256i = _mm256_blendv_epi8(f, t, mask);
        mul_low(a: __m256i, b: __m256i) -> __m256i = _mm256_mullo_epi16(a, b);
        mul_high(a: __m256i, b: __m256i) -> __m256i = _mm256_mulhi_epu16(a, b);
        min15(a: __m256i, b: __m256i) -> __m256i = _mm256_min_epi16(a, b);
        max15(a: __m256i, b: __m256i) -> __m256i = _mm256_max_epi16(a, b);
        gt15(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpgt_epi16(a, b);
        mul_round(a: __m256i, b: __m256i) -> __m256i = _mm256_mulhrs_epi16(a, b);
        madd_bytes(v: __m256i, k: [i8; 2]) -> __m256i = _mm256_maddubs_epi16(v, _mm256_set1_epi16(i16::from_le_bytes([k[0] as u8, k[1] as u8])));
        madd16(a: __m256i, b: __m256i) -> __m256i = _mm256_madd_epi16(a, b);
        splat32(v: i32) -> __m256i = _mm256_set1_epi32(v);
        add32(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi32(a, b);
        sub32(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi32(a, b);
        mul32(a: __m256i, b: __m256i) -> __m256i = _mm256_mullo_epi32(a, b);
        min32(a: __m256i, b: __m256i) -> __m256i = _mm256_min_epi32(a, b);
        max32(a: __m256i, b: __m256i) -> __m256i = _mm256_max_epi32(a, b);
        // Numbers below 2^24 are exact, and no quotient of them rounds up to the next integer.
        div32(a: __m256i, b: __m256i) -> __m256i = _mm256_cvttps_epi32(_mm256_div_ps(_mm256_cvtepi32_ps(a), _mm256_cvtepi32_ps(b)));
        interleave_low(a: __m256i, b: __m256i) -> __m256i = _mm256_unpacklo_epi8(a, b);
        interleave_high(a: __m256i, b: __m256i) -> __m256i = _mm256_unpackhi_epi8(a, b);
        interleave_low16(a: __m256i, b: __m256i) -> __m256i = _mm256_unpacklo_epi16(a, b);
        interleave_high16(a: __m256i, b: __m256i) -> __m256i = _mm256_unpackhi_epi16(a, b);
        widen_low(v: __m256i) -> __m256i = _mm256_unpacklo_epi8(v, _mm256_setzero_si256());
        widen_high(v: __m256i) -> __m256i = _mm256_unpackhi_epi8(v, _mm256_setzero_si256());
        pack32(low: __m256i, high: __m256i) -> __m256i = _mm256_packs_epi32(low, high);
        pack16(low: __m256i, high: __m256i) -> __m256i = _mm256_packus_epi16(low, high);
        sad(a: __m256i, b: __m256i) -> __m256i = _mm256_sad_epu8(a, b);
        merge32(even: __m256i, odd: __m256i) -> __m256i = _mm256_blend_epi16::<0xaa>(even, _mm256_slli_epi32::<16>(odd));
    }
    #[inline(always)]
    fn shift_in16<const K: usize>(self, v: __m256i, next: __m256i) -> __m256i {
        // SAFETY: the processor has AVX2; no pointers are involved.
        unsafe {
            let behind = _mm256_permute2x128_si256::<0x21>(v, next);
            match K {
                1 => _mm256_alignr_epi8::<2>(behind, v),
                2 => _mm256_alignr_epi8::<4>(behind, v),
                3 => _mm256_alignr_epi8::<6>(behind, v),
                _ => unreachable!("a shift by more than 3"),
            }
        }
    }
    #[inline(always)]
    fn last16<const K: usize>(self, v: __m256i) -> __m256i {
        // SAFETY: the processor has AVX2; no pointers are involved.
        unsafe {
            let last = _mm256_castsi128_si256(_mm256_extracti128_si256::<1>(v));
            match K {
                2 => _mm256_bsrli_epi128::<12>(last),
                3 => _mm256_bsrli_epi128::<10>(last),
                _ => unreachable!("neither 2 nor 3"),
            }
        }
    }
    #[inline(always)]
    fn shl<const S: u32>(self, v: __m256i) -> __m256i {
        // SAFETY: the processor has AVX2; no pointers are involved.
        unsafe { _mm256_sll_epi16(v, _mm_cvtsi32_si128(S as i32)) }
    }
    #[inline(always)]
    fn shr<const S: u32>(self, v: __m256i) -> __m256i {
        // SAFETY: the processor has AVX2; no pointers are involved.
        unsafe { _mm256_srl_epi16(v, _mm_cvtsi32_si128(S as i32)) }
    }
    #[inline(always)]
    fn shr_by(self, v: __m256i, s: u8) -> __m256i {
        // SAFETY: the processor has AVX2; no pointers are involved.
        unsafe { _mm256_srl_epi16(v, _mm_cvtsi32_si128(s.into())) }
    }
    #[inline(always)]
    fn sra<const S: u32>(self, v: __m256i) -> __m256i {
        // SAFETY: the processor has AVX2; no pointers are involved.
        unsafe { _mm256_sra_epi16(v, _mm_cvtsi32_si128(S as i32)) }
    }
    #[inline(always)]
    fn sra32<const S: u32>(self, v: __m256i) -> __m256i {
        // SAFETY: the processor has AVX2; no pointers are involved.
        unsafe { _mm256_sra_epi32(v, _mm_cvtsi32_si128(S as i32)) }
    }
    #[inline(always)]
    fn sra32_by(self, v: __m256i, s: u8) -> __m256i {
        // SAFETY: the processor has AVX2; no pointers are involved.
        unsafe { _mm256_sra_epi32(v, _mm_cvtsi32_si128(s.into())) }
    }
    #[inline(always)]
    fn splat_pair(self, pair: PackedPair) -> __m256i {
        self.splat32(pair as i32)
    }
    #[inline(always)]
    fn store_parts(self, dst: &mut [u16], low: __m256i, high: __m256i) {
        let dst: &mut [u16; 32] = dst.first_chunk_mut().expect("N halfwords");
        // SAFETY: the processor has AVX2; no pointers are involved.
        let halves = unsafe { [_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high)] };
        self.store16(&mut dst[..16], halves[0]);
        self.store16(&mut dst[16..], halves[1]);
    }
    #[inline(always)]
    fn store_groups(self, dst: &mut [u8], step: usize, v: __m256i) {
        let (first, second) = dst[..step + 16].split_at_mut(step);
        let first: &mut [u8; 16] = first.first_chunk_mut().expect("a group");
        let second: &mut [u8; 16] = second.first_chunk_mut().expect("a group");
        // SAFETY: both parts have 16 bytes, and the processor has AVX2.
        unsafe {
            _mm_storeu_si128(first.as_mut_ptr().cast(), _mm256_castsi256_si128(v));
            _mm_storeu_si128(second.as_mut_ptr().cast(), _mm256_extracti128_si256::<1>(v));
        }
    }
    #[inline(always)]
    fn store_groups16(self, dst: &mut [u16], step: usize, v: __m256i) {
        let (first, second) = dst[..step + 8].split_at_mut(step);
        let first: &mut [u16; 8] = first.first_chunk_mut().expect("a group");
        let second: &mut [u16; 8] = second.first_chunk_mut().expect("a group");
        // SAFETY: both parts have 16 bytes, and the processor has AVX2.
        unsafe {
            _mm_storeu_si128(first.as_mut_ptr().cast(), _mm256_castsi256_si128(v));
            _mm_storeu_si128(second.as_mut_ptr().cast(), _mm256_extracti128_si256::<1>(v));
        }
    }
    #[inline(always)]
    fn store_half_groups(self, dst: &mut [u8], step: usize, v: __m256i) {
        assert!(dst.len() >= step.saturating_add(8), "two groups");
        // SAFETY: `dst` has 8 bytes at 0 and at `step`, and the processor has AVX2.
        unsafe {
            let v = _mm256_packus_epi16(v, v);
            _mm_storel_epi64(dst.as_mut_ptr().cast(), _mm256_castsi256_si128(v));
            _mm_storel_epi64(dst.as_mut_ptr().add(step).cast(), _mm256_extracti128_si256::<1>(v));
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn quotients(a: __m128i, b: __m128i) -> __m256i {
    let (a, b) = (_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(a)), _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(b)));
    _mm256_cvttps_epi32(_mm256_div_ps(a, b))
}
