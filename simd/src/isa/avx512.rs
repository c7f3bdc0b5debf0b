//! 512-bit vectors of x86-64 processors with AVX-512 F, BW, VL and VNNI.
use super::{Isa, PackedPair, weighted_halfwords};
use std::arch::x86_64::*;

/// Proof that the processor has AVX-512 F, BW, VL and VNNI.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The call is safe only in a function with the target features, which proves that the
    /// processor has them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    pub(crate) fn in_avx512() -> Avx512 {
        Avx512(())
    }
}

/// Operations that consist of one expression of intrinsics.
macro_rules! operations {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $result:ty = $value:expr;)*) => {
        $(#[inline(always)]
        fn $name(self, $($arg: $ty),*) -> $result {
            // SAFETY: an `Avx512` proves the processor features; no pointers are involved.
            unsafe { $value }
        })*
    };
}

impl Isa for Avx512 {
    const N: usize = 64;
    type B = __m512i;
    type H = __m512i;
    type W = __m512i;

    #[inline(always)]
    fn load(self, src: &[u8]) -> __m512i {
        let src: &[u8; 64] = src.first_chunk().expect("N bytes");
        // SAFETY: `src` has 64 bytes, and the processor has AVX-512.
        unsafe { _mm512_loadu_si512(src.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store(self, dst: &mut [u8], v: __m512i) {
        let dst: &mut [u8; 64] = dst.first_chunk_mut().expect("N bytes");
        // SAFETY: `dst` has 64 bytes, and the processor has AVX-512.
        unsafe { _mm512_storeu_si512(dst.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn load16(self, src: &[u16]) -> __m512i {
        let src: &[u16; 32] = src.first_chunk().expect("N/2 halfwords");
        // SAFETY: `src` has 64 bytes, and the processor has AVX-512.
        unsafe { _mm512_loadu_si512(src.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store16(self, dst: &mut [u16], v: __m512i) {
        let dst: &mut [u16; 32] = dst.first_chunk_mut().expect("N/2 halfwords");
        // SAFETY: `dst` has 64 bytes, and the processor has AVX-512.
        unsafe { _mm512_storeu_si512(dst.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn load_half(self, src: &[u8]) -> __m512i {
        let src: &[u8; 32] = src.first_chunk().expect("N/2 bytes");
        // SAFETY: `src` has 32 bytes, and the processor has AVX-512.
        unsafe { _mm512_cvtepu8_epi16(_mm256_loadu_si256(src.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store_half(self, dst: &mut [u8], v: __m512i) {
        let dst: &mut [u8; 32] = dst.first_chunk_mut().expect("N/2 bytes");
        // SAFETY: `dst` has 32 bytes, and the processor has AVX-512.
        unsafe { _mm256_storeu_si256(dst.as_mut_ptr().cast(), _mm512_cvtepi16_epi8(v)) }
    }
    #[inline(always)]
    fn load_quarter(self, src: &[u8]) -> __m512i {
        let src: &[u8; 16] = src.first_chunk().expect("N/4 bytes");
        // SAFETY: `src` has 16 bytes, and the processor has AVX-512.
        unsafe { _mm512_cvtepu8_epi32(_mm_loadu_si128(src.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store_quarter(self, dst: &mut [u8], v: __m512i) {
        let dst: &mut [u8; 16] = dst.first_chunk_mut().expect("N/4 bytes");
        // SAFETY: `dst` has 16 bytes, and the processor has AVX-512.
        unsafe { _mm_storeu_si128(dst.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(v)) }
    }
    #[inline(always)]
    fn load_quarter16(self, src: &[u16]) -> __m512i {
        let src: &[u16; 16] = src.first_chunk().expect("N/4 halfwords");
        // SAFETY: `src` has 32 bytes, and the processor has AVX-512.
        unsafe { _mm512_cvtepu16_epi32(_mm256_loadu_si256(src.as_ptr().cast())) }
    }
    #[inline(always)]
    fn store_quarter16(self, dst: &mut [u16], v: __m512i) {
        let dst: &mut [u16; 16] = dst.first_chunk_mut().expect("N/4 halfwords");
        // SAFETY: `dst` has 32 bytes, and the processor has AVX-512.
        unsafe { _mm256_storeu_si256(dst.as_mut_ptr().cast(), _mm512_cvtepi32_epi16(v)) }
    }
    #[inline(always)]
    fn store_eighth32(self, dst: &mut [i32], v: __m512i) {
        let dst: &mut [i32; 8] = dst.first_chunk_mut().expect("N/8 words");
        // SAFETY: `dst` has 32 bytes, and the processor has AVX-512.
        unsafe { _mm256_storeu_si256(dst.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(v)) }
    }
    #[inline(always)]
    fn load_cell_pairs(self, a: &[u16], b: &[u16]) -> [__m512i; 2] {
        let (a, b): (&[u16; 8], &[u16; 8]) = (a.first_chunk().expect("N/8 halfwords"), b.first_chunk().expect("N/8 halfwords"));
        // SAFETY: both have 16 bytes, and the processor has AVX-512.
        unsafe {
            let (a, b) = (_mm_loadu_si128(a.as_ptr().cast()), _mm_loadu_si128(b.as_ptr().cast()));
            let pairs = _mm256_or_si256(_mm256_cvtepu16_epi32(a), _mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(b)));
            let pairs = _mm512_castsi256_si512(pairs);
            let low = _mm512_setr_epi32(0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6);
            let high = _mm512_setr_epi32(1, 1, 1, 1, 3, 3, 3, 3, 5, 5, 5, 5, 7, 7, 7, 7);
            [_mm512_permutexvar_epi32(low, pairs), _mm512_permutexvar_epi32(high, pairs)]
        }
    }
    #[inline(always)]
    fn load_lines<const LINES: usize>(self, src: &[u8], step: usize) -> [__m512i; 8] {
        assert!(src.len() >= (LINES - 1).saturating_mul(step).saturating_add(16), "LINES lines");
        let mut vectors = [self.splat(0); 8];
        for (i, vector) in vectors[..LINES / 4].iter_mut().enumerate() {
            // SAFETY: `src` has 16 bytes at each `step`, and the processor has AVX-512.
            *vector = unsafe { four(src.as_ptr().add(4 * i * step), step) };
        }
        vectors
    }
    #[inline(always)]
    fn load_groups16(self, src: &[u16], step: usize) -> __m512i {
        assert!(src.len() >= step.saturating_mul(3).saturating_add(8), "four groups");
        // SAFETY: `src` has 16 bytes at each `step`, and the processor has AVX-512.
        unsafe { four(src.as_ptr().cast(), 2 * step) }
    }
    #[inline(always)]
    fn load_neighbours(self, src: &[u8], step: usize) -> [__m512i; 2] {
        assert!(src.len() >= step.saturating_mul(3).saturating_add(16), "four groups");
        // SAFETY: `src` has 16 bytes at each `step`, and the processor has AVX-512.
        unsafe {
            let v = four(src.as_ptr(), step);
            let near = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8));
            let far = _mm512_broadcast_i32x4(_mm_setr_epi8(2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10));
            [_mm512_shuffle_epi8(v, near), _mm512_shuffle_epi8(v, far)]
        }
    }
    #[inline(always)]
    fn lookup(self, table: &[u8; 16], i: __m512i) -> __m512i {
        // SAFETY: the table has 16 bytes, and the processor has AVX-512.
        unsafe {
            let table = _mm512_broadcast_i32x4(_mm_loadu_si128(table.as_ptr().cast()));
            _mm512_shuffle_epi8(table, i)
        }
    }
    #[inline(always)]
    fn sum_groups(self, v: __m512i) -> [u32; 4] {
        let mut sums = [0u32; 16];
        // SAFETY: `sums` has 64 bytes, and the processor has AVX-512.
        unsafe {
            let v = _mm512_add_epi32(v, _mm512_shuffle_epi32::<0b01_00_11_10>(v));
            let v = _mm512_add_epi32(v, _mm512_shuffle_epi32::<0b10_11_00_01>(v));
            _mm512_storeu_si512(sums.as_mut_ptr().cast(), v);
        }
        [sums[0], sums[4], sums[8], sums[12]]
    }
    #[inline(always)]
    fn add_groups(self, v: __m512i) -> [u32; 4] {
        let mut sums = [0; 4];
        // SAFETY: `sums` has 16 bytes, and the processor has AVX-512.
        unsafe {
            let v = _mm256_add_epi32(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v));
            let v = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
            _mm_storeu_si128(sums.as_mut_ptr().cast(), v);
        }
        sums
    }
    #[inline(always)]
    fn count(self, mask: __m512i) -> [u32; 4] {
        // SAFETY: the processor has AVX-512; no pointers are involved.
        let bits = unsafe { _mm512_movepi8_mask(mask) };
        [0, 16, 32, 48].map(|first| ((bits >> first) & 0xffff).count_ones())
    }
    #[inline(always)]
    fn weighted(self, v: [__m512i; 2], w: [__m512i; 2], shift: u8) -> __m512i {
        // `maddubs` below reads the weights as signed bytes; 1 << 7 does not fit.
        if shift == 7 {
            return weighted_halfwords(self, v, w, shift);
        }
        // SAFETY: the processor has AVX-512; no pointers are involved.
        unsafe {
            let shift = _mm_cvtsi32_si128(shift as i32);
            let low = _mm512_maddubs_epi16(_mm512_unpacklo_epi8(v[0], v[1]), _mm512_unpacklo_epi8(w[0], w[1]));
            let high = _mm512_maddubs_epi16(_mm512_unpackhi_epi8(v[0], v[1]), _mm512_unpackhi_epi8(w[0], w[1]));
            _mm512_packus_epi16(_mm512_srl_epi16(low, shift), _mm512_srl_epi16(high, shift))
        }
    }
    #[inline(always)]
    fn div(self, a: __m512i, b: __m512i) -> __m512i {
        // The quotient of two such floats is off by less than 1/255, so it never reaches the next
        // integer.
        // SAFETY: the processor has AVX-512; no pointers are involved.
        unsafe {
            let low = quotients(_mm512_castsi512_si256(a), _mm512_castsi512_si256(b));
            let high = quotients(_mm512_extracti64x4_epi64::<1>(a), _mm512_extracti64x4_epi64::<1>(b));
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
        }
    }

    #[inline(always)]
    fn reverse(self, v: __m512i) -> __m512i {
        // SAFETY: the processor has AVX-512; no pointers are involved.
        unsafe {
            let order = _mm512_broadcast_i32x4(_mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
            let v = _mm512_shuffle_epi8(v, order);
            _mm512_shuffle_i64x2::<0b00_01_10_11>(v, v)
        }
    }
    #[inline(always)]
    fn reverse16(self, v: __m512i) -> __m512i {
        // SAFETY: the processor has AVX-512; no pointers are involved.
        unsafe {
            let order = _mm512_broadcast_i32x4(_mm_setr_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1));
            let v = _mm512_shuffle_epi8(v, order);
            _mm512_shuffle_i64x2::<0b00_01_10_11>(v, v)
        }
    }

    operations! {
        swap16(v: __m512i) -> __m512i = _mm512_rol_epi32::<16>(v);
        swap32(v: __m512i) -> __m512i = _mm512_shuffle_epi32::<0b10_11_00_01>(v);
        splat(v: u8) -> __m512i = _mm512_set1_epi8(v as i8);
        splat16(v: u16) -> __m512i = _mm512_set1_epi16(v as i16);
        min(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epu8(a, b);
        max(a: __m512i, b: __m512i) -> __m512i = _mm512_max_epu8(a, b);
        add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi8(a, b);
        add_saturating(a: __m512i, b: __m512i) -> __m512i = _mm512_adds_epu8(a, b);
        sub_saturating(a: __m512i, b: __m512i) -> __m512i = _mm512_subs_epu8(a, b);
        and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        or(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
        xor(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        avg_up(a: __m512i, b: __m512i) -> __m512i = _mm512_avg_epu8(a, b);
        eq(a: __m512i, b: __m512i) -> __m512i = _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(a, b));
        select(mask: __m512i, t: __m512i, f: __m512i) -> __m512i = _mm512_ternarylogic_epi64::<0xca>(mask, t, f);
        any(v: __m512i) -> bool = _mm512_test_epi8_mask(v, v) != 0;
        any16(v: __m512i) -> bool = _mm512_test_epi8_mask(v, v) != 0;
        bits16(mask: __m512i) -> u32 = _mm512_movepi16_mask(mask);
        even(v: __m512i) -> __m512i = _mm512_and_si512(v, _mm512_set1_epi16(0xff));
        odd(v: __m512i) -> __m512i = _mm512_srli_epi16::<8>(v);
        merge(even: __m512i, odd: __m512i) -> __m512i = _mm512_or_si512(even, _mm512_slli_epi16::<8>(odd));
        pair_sum(v: __m512i) -> __m512i = _mm512_maddubs_epi16(v, _mm512_set1_epi8(1));
        add16(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi16(a, b);
        sub16(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi16(a, b);
        add_saturating16(a: __m512i, b: __m512i) -> __m512i = _mm512_adds_epu16(a, b);
        sub_saturating16(a: __m512i, b: __m512i) -> __m512i = _mm512_subs_epu16(a, b);
        and16(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        or16(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
        xor16(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        min16(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epu16(a, b);
        max16(a: __m512i, b: __m512i) -> __m512i = _mm512_max_epu16(a, b);
        eq16(a: __m512i, b: __m512i) -> __m512i = _mm512_movm_epi16(_mm512_cmpeq_epi16_mask(a, b));
        select16(mask: __m512i, t: __m512i, f: __m512i) -> __m512i = _mm512_ternarylogic_epi64::<0xca>(mask, t, f);
        mul_low(a: __m512i, b: __m512i) -> __m512i = _mm512_mullo_epi16(a, b);
        mul_high(a: __m512i, b: __m512i) -> __m512i = _mm512_mulhi_epu16(a, b);
        min15(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epi16(a, b);
        max15(a: __m512i, b: __m512i) -> __m512i = _mm512_max_epi16(a, b);
        gt15(a: __m512i, b: __m512i) -> __m512i = _mm512_movm_epi16(_mm512_cmpgt_epi16_mask(a, b));
        mul_round(a: __m512i, b: __m512i) -> __m512i = _mm512_mulhrs_epi16(a, b);
        madd_bytes(v: __m512i, k: [i8; 2]) -> __m512i = _mm512_maddubs_epi16(v, _mm512_set1_epi16(i16::from_le_bytes([k[0] as u8, k[1] as u8])));
        madd16(a: __m512i, b: __m512i) -> __m512i = _mm512_madd_epi16(a, b);
        splat32(v: i32) -> __m512i = _mm512_set1_epi32(v);
        add32(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
        sub32(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi32(a, b);
        mul32(a: __m512i, b: __m512i) -> __m512i = _mm512_mullo_epi32(a, b);
        min32(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epi32(a, b);
        max32(a: __m512i, b: __m512i) -> __m512i = _mm512_max_epi32(a, b);
        // Numbers below 2^24 are exact, and no quotient of them rounds up to the next integer.
        div32(a: __m512i, b: __m512i) -> __m512i = _mm512_cvttps_epi32(_mm512_div_ps(_mm512_cvtepi32_ps(a), _mm512_cvtepi32_ps(b)));
        interleave_low(a: __m512i, b: __m512i) -> __m512i = _mm512_unpacklo_epi8(a, b);
        interleave_high(a: __m512i, b: __m512i) -> __m512i = _mm512_unpackhi_epi8(a, b);
        interleave_low16(a: __m512i, b: __m512i) -> __m512i = _mm512_unpacklo_epi16(a, b);
        interleave_high16(a: __m512i, b: __m512i) -> __m512i = _mm512_unpackhi_epi16(a, b);
        widen_low(v: __m512i) -> __m512i = _mm512_unpacklo_epi8(v, _mm512_setzero_si512());
        widen_high(v: __m512i) -> __m512i = _mm512_unpackhi_epi8(v, _mm512_setzero_si512());
        pack32(low: __m512i, high: __m512i) -> __m512i = _mm512_packs_epi32(low, high);
        pack16(low: __m512i, high: __m512i) -> __m512i = _mm512_packus_epi16(low, high);
        sad(a: __m512i, b: __m512i) -> __m512i = _mm512_sad_epu8(a, b);
        merge32(even: __m512i, odd: __m512i) -> __m512i = _mm512_mask_blend_epi16(0xaaaa_aaaa, even, _mm512_slli_epi32::<16>(odd));
    }
    #[inline(always)]
    fn shift_in16<const K: usize>(self, v: __m512i, next: __m512i) -> __m512i {
        // SAFETY: the processor has AVX-512; no pointers are involved.
        unsafe {
            let behind = _mm512_alignr_epi64::<2>(next, v);
            match K {
                1 => _mm512_alignr_epi8::<2>(behind, v),
                2 => _mm512_alignr_epi8::<4>(behind, v),
                3 => _mm512_alignr_epi8::<6>(behind, v),
                _ => unreachable!("a shift by more than 3"),
            }
        }
    }
    #[inline(always)]
    fn last16<const K: usize>(self, v: __m512i) -> __m512i {
        // SAFETY: the processor has AVX-512; no pointers are involved.
        unsafe {
            let last = _mm512_castsi128_si512(_mm512_extracti32x4_epi32::<3>(v));
            match K {
                2 => _mm512_bsrli_epi128::<12>(last),
                3 => _mm512_bsrli_epi128::<10>(last),
                _ => unreachable!("neither 2 nor 3"),
            }
        }
    }
    #[inline(always)]
    fn shl<const S: u32>(self, v: __m512i) -> __m512i {
        // SAFETY: the processor has AVX-512; no pointers are involved.
        unsafe { _mm512_slli_epi16::<S>(v) }
    }
    #[inline(always)]
    fn shr<const S: u32>(self, v: __m512i) -> __m512i {
        // SAFETY: the processor has AVX-512; no pointers are involved.
        unsafe { _mm512_srli_epi16::<S>(v) }
    }
    #[inline(always)]
    fn shr_by(self, v: __m512i, s: u8) -> __m512i {
        // SAFETY: the processor has AVX-512; no pointers are involved.
        unsafe { _mm512_srl_epi16(v, _mm_cvtsi32_si128(s.into())) }
    }
    #[inline(always)]
    fn sra<const S: u32>(self, v: __m512i) -> __m512i {
        // SAFETY: the processor has AVX-512; no pointers are involved.
        unsafe { _mm512_srai_epi16::<S>(v) }
    }
    #[inline(always)]
    fn sra32<const S: u32>(self, v: __m512i) -> __m512i {
        // SAFETY: the processor has AVX-512; no pointers are involved.
        unsafe { _mm512_srai_epi32::<S>(v) }
    }
    #[inline(always)]
    fn sra32_by(self, v: __m512i, s: u8) -> __m512i {
        // SAFETY: the processor has AVX-512; no pointers are involved.
        unsafe { _mm512_sra_epi32(v, _mm_cvtsi32_si128(s.into())) }
    }
    #[inline(always)]
    fn splat_pair(self, pair: PackedPair) -> __m512i {
        self.splat32(pair as i32)
    }
    #[inline(always)]
    fn dot16(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the processor has AVX-512 VNNI; no pointers are involved.
        unsafe { _mm512_dpwssd_epi32(sum, a, b) }
    }
    #[inline(always)]
    fn store_parts(self, dst: &mut [u16], low: __m512i, high: __m512i) {
        let dst: &mut [u16; 64] = dst.first_chunk_mut().expect("N halfwords");
        // SAFETY: the processor has AVX-512; no pointers are involved.
        let halves = unsafe {
            let (first, second) = (_mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15));
            [_mm512_permutex2var_epi64(low, first, high), _mm512_permutex2var_epi64(low, second, high)]
        };
        self.store16(&mut dst[..32], halves[0]);
        self.store16(&mut dst[32..], halves[1]);
    }
    #[inline(always)]
    fn store_groups(self, dst: &mut [u8], step: usize, v: __m512i) {
        // SAFETY: the processor has AVX-512.
        for (i, group) in unsafe { groups(v) }.into_iter().enumerate() {
            let dst: &mut [u8; 16] = dst[i * step..].first_chunk_mut().expect("a group");
            // SAFETY: `dst` has 16 bytes, and the processor has AVX-512.
            unsafe { _mm_storeu_si128(dst.as_mut_ptr().cast(), group) }
        }
    }
    #[inline(always)]
    fn store_groups16(self, dst: &mut [u16], step: usize, v: __m512i) {
        // SAFETY: the processor has AVX-512.
        for (i, group) in unsafe { groups(v) }.into_iter().enumerate() {
            let dst: &mut [u16; 8] = dst[i * step..].first_chunk_mut().expect("a group");
            // SAFETY: `dst` has 16 bytes, and the processor has AVX-512.
            unsafe { _mm_storeu_si128(dst.as_mut_ptr().cast(), group) }
        }
    }
    #[inline(always)]
    fn store_half_groups(self, dst: &mut [u8], step: usize, v: __m512i) {
        // SAFETY: the processor has AVX-512.
        for (i, group) in unsafe { groups(_mm512_packus_epi16(v, v)) }.into_iter().enumerate() {
            let dst: &mut [u8; 8] = dst[i * step..].first_chunk_mut().expect("a group");
            // SAFETY: `dst` has 8 bytes, and the processor has AVX-512.
            unsafe { _mm_storel_epi64(dst.as_mut_ptr().cast(), group) }
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn quotients(a: __m256i, b: __m256i) -> __m256i {
    let (a, b) = (_mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(a)), _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(b)));
    _mm512_cvtepi32_epi16(_mm512_cvttps_epi32(_mm512_div_ps(a, b)))
}

/// The four groups of 16 bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
fn groups(v: __m512i) -> [__m128i; 4] {
    [
        _mm512_castsi512_si128(v),
        _mm512_extracti32x4_epi32::<1>(v),
        _mm512_extracti32x4_epi32::<2>(v),
        _mm512_extracti32x4_epi32::<3>(v),
    ]
}

/// 16 bytes at each of four steps, in bytes.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
unsafe fn four(src: *const u8, step: usize) -> __m512i {
    // SAFETY: the caller says so.
    unsafe {
        let low = _mm256_loadu2_m128i(src.add(step).cast(), src.cast());
        let high = _mm256_loadu2_m128i(src.add(3 * step).cast(), src.add(2 * step).cast());
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
    }
}
