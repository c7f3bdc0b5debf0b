//! Vectors of samples: one source for kernels of bytes and of words.
use super::Isa;
use crate::Sample;

/// A sample type with its vectors: [`Isa::B`] for bytes, [`Isa::H`] for words of up to 16 bits.
pub(crate) trait Lane: Sample {
    /// As many samples as a vector holds.
    type V<I: Isa>: Copy;
    /// The samples of a vector as halfwords: the even and the odd bytes, or all words.
    type Halves<I: Isa>: Copy + AsMut<[I::H]>;

    /// Samples in 16 bytes, a group of [`store_groups`](Lane::store_groups).
    const GROUP: usize;

    /// Samples in a vector.
    fn count<I: Isa>() -> usize;
    fn load<I: Isa>(s: I, src: &[Self]) -> Self::V<I>;
    fn store<I: Isa>(s: I, dst: &mut [Self], v: Self::V<I>);
    /// Stores `v >> shift`, at most 255, as bytes; bytes have shift 0, words 1…8.
    fn store_bytes<I: Isa>(s: I, dst: &mut [u8], v: Self::V<I>, shift: u8);
    /// The value in all samples; for bytes its low byte.
    fn splat<I: Isa>(s: I, v: u16) -> Self::V<I>;
    /// Stores group i of `v` at `dst[i * step..]`.
    fn store_groups<I: Isa>(s: I, dst: &mut [Self], step: usize, v: Self::V<I>);
    /// Samples of `a` and `b` alternating, the low part.
    fn interleave_low<I: Isa>(s: I, a: Self::V<I>, b: Self::V<I>) -> Self::V<I>;
    fn interleave_high<I: Isa>(s: I, a: Self::V<I>, b: Self::V<I>) -> Self::V<I>;
    /// The samples in reverse order.
    fn reverse<I: Isa>(s: I, v: Self::V<I>) -> Self::V<I>;
    /// One byte for each sample.
    fn load_bytes<I: Isa>(s: I, src: &[u8]) -> Self::V<I>;
    /// One byte for each pair of samples, doubled.
    fn load_pairs<I: Isa>(s: I, src: &[u8]) -> Self::V<I>;
    fn lesser<I: Isa>(s: I, a: Self::V<I>, b: Self::V<I>) -> Self::V<I>;
    fn greater<I: Isa>(s: I, a: Self::V<I>, b: Self::V<I>) -> Self::V<I>;
    fn sub_saturating<I: Isa>(s: I, a: Self::V<I>, b: Self::V<I>) -> Self::V<I>;
    fn add_saturating<I: Isa>(s: I, a: Self::V<I>, b: Self::V<I>) -> Self::V<I>;
    fn or<I: Isa>(s: I, a: Self::V<I>, b: Self::V<I>) -> Self::V<I>;
    fn xor<I: Isa>(s: I, a: Self::V<I>, b: Self::V<I>) -> Self::V<I>;
    /// All ones where equal, else 0.
    fn equal<I: Isa>(s: I, a: Self::V<I>, b: Self::V<I>) -> Self::V<I>;
    /// `t` where the mask is all ones, `f` where it is 0.
    fn select<I: Isa>(s: I, mask: Self::V<I>, t: Self::V<I>, f: Self::V<I>) -> Self::V<I>;
    /// Whether any sample is not 0.
    fn any<I: Isa>(s: I, v: Self::V<I>) -> bool;
    /// `(a + b) >> 1`, truncated.
    fn avg<I: Isa>(s: I, a: Self::V<I>, b: Self::V<I>) -> Self::V<I>;
    fn abs_diff<I: Isa>(s: I, a: Self::V<I>, b: Self::V<I>) -> Self::V<I>;
    /// `(v[0] * w[0] + v[1] * w[1]) >> shift`; the two weights sum to `1 << shift`, shift is 0…7.
    fn weighted<I: Isa>(s: I, v: [Self::V<I>; 2], w: [Self::V<I>; 2], shift: u8) -> Self::V<I>;

    /// N/2 samples as halfwords.
    fn load_half<I: Isa>(s: I, src: &[Self]) -> I::H;
    /// Stores halfwords as N/2 samples, which can hold them.
    fn store_half<I: Isa>(s: I, dst: &mut [Self], v: I::H);
    /// Stores the halfwords of `even` and `odd`, which samples can hold, alternating as N samples.
    fn store_alternating<I: Isa>(s: I, dst: &mut [Self], even: I::H, odd: I::H);
    /// Replaces those of N samples whose mask, one of the even or the odd ones, is all ones, by
    /// `(a + b + 1) >> 1`.
    fn replace_by_mean<I: Isa>(s: I, dst: &mut [Self], means: [&[Self]; 2], masks: [I::H; 2]);
    /// N/4 samples, each followed by a halfword of 0.
    fn load_quarter<I: Isa>(s: I, src: &[Self]) -> I::H;
    /// Stores every second halfword, from the first one on, as N/4 samples, which can hold them.
    fn store_quarter<I: Isa>(s: I, dst: &mut [Self], v: I::H);
    fn split<I: Isa>(s: I, v: Self::V<I>) -> Self::Halves<I>;
    /// The samples again from halfwords that they can hold.
    fn join<I: Isa>(s: I, halves: Self::Halves<I>) -> Self::V<I>;

    /// All ones where `a >= b`, else 0.
    #[inline(always)]
    fn at_least<I: Isa>(s: I, a: Self::V<I>, b: Self::V<I>) -> Self::V<I> {
        Self::equal(s, Self::greater(s, a, b), a)
    }
}

/// The operations of a lane that are one operation of the instruction set.
macro_rules! forward {
    ($($name:ident = $operation:ident($($arg:ident),*);)*) => {
        $(#[inline(always)]
        fn $name<I: Isa>(s: I, $($arg: Self::V<I>),*) -> Self::V<I> {
            s.$operation($($arg),*)
        })*
    };
}

impl Lane for u8 {
    type V<I: Isa> = I::B;
    type Halves<I: Isa> = [I::H; 2];

    const GROUP: usize = 16;

    #[inline(always)]
    fn count<I: Isa>() -> usize {
        I::N
    }
    #[inline(always)]
    fn load<I: Isa>(s: I, src: &[u8]) -> I::B {
        s.load(src)
    }
    #[inline(always)]
    fn store<I: Isa>(s: I, dst: &mut [u8], v: I::B) {
        s.store(dst, v);
    }
    #[inline(always)]
    fn splat<I: Isa>(s: I, v: u16) -> I::B {
        s.splat(v as u8)
    }
    #[inline(always)]
    fn store_groups<I: Isa>(s: I, dst: &mut [u8], step: usize, v: I::B) {
        s.store_groups(dst, step, v);
    }
    #[inline(always)]
    fn load_bytes<I: Isa>(s: I, src: &[u8]) -> I::B {
        s.load(src)
    }
    #[inline(always)]
    fn load_pairs<I: Isa>(s: I, src: &[u8]) -> I::B {
        let v = s.load_half(src);
        s.merge(v, v)
    }
    #[inline(always)]
    fn store_bytes<I: Isa>(s: I, dst: &mut [u8], v: I::B, _: u8) {
        s.store(dst, v);
    }
    #[inline(always)]
    fn any<I: Isa>(s: I, v: I::B) -> bool {
        s.any(v)
    }
    #[inline(always)]
    fn weighted<I: Isa>(s: I, v: [I::B; 2], w: [I::B; 2], shift: u8) -> I::B {
        s.weighted(v, w, shift)
    }
    #[inline(always)]
    fn load_half<I: Isa>(s: I, src: &[u8]) -> I::H {
        s.load_half(src)
    }
    #[inline(always)]
    fn store_half<I: Isa>(s: I, dst: &mut [u8], v: I::H) {
        s.store_half(dst, v);
    }
    #[inline(always)]
    fn store_alternating<I: Isa>(s: I, dst: &mut [u8], even: I::H, odd: I::H) {
        s.store(dst, s.merge(even, odd));
    }
    #[inline(always)]
    fn replace_by_mean<I: Isa>(s: I, dst: &mut [u8], [a, b]: [&[u8]; 2], [even, odd]: [I::H; 2]) {
        let byte = s.splat16(255);
        let mask = s.merge(s.and16(even, byte), s.and16(odd, byte));
        s.store(dst, s.select(mask, s.avg_up(s.load(a), s.load(b)), s.load(dst)));
    }
    #[inline(always)]
    fn load_quarter<I: Isa>(s: I, src: &[u8]) -> I::H {
        s.load_quarter(src)
    }
    #[inline(always)]
    fn store_quarter<I: Isa>(s: I, dst: &mut [u8], v: I::H) {
        s.store_quarter(dst, v);
    }
    #[inline(always)]
    fn split<I: Isa>(s: I, v: I::B) -> [I::H; 2] {
        [s.even(v), s.odd(v)]
    }
    #[inline(always)]
    fn join<I: Isa>(s: I, halves: [I::H; 2]) -> I::B {
        let [even, odd] = halves;
        s.merge(even, odd)
    }
    forward! {
        reverse = reverse(v);
        interleave_low = interleave_low(a, b);
        interleave_high = interleave_high(a, b);
        lesser = min(a, b);
        greater = max(a, b);
        sub_saturating = sub_saturating(a, b);
        add_saturating = add_saturating(a, b);
        or = or(a, b);
        xor = xor(a, b);
        equal = eq(a, b);
        select = select(mask, t, f);
        avg = avg(a, b);
        abs_diff = abs_diff(a, b);
    }
}

impl Lane for u16 {
    type V<I: Isa> = I::H;
    type Halves<I: Isa> = [I::H; 1];

    const GROUP: usize = 8;

    #[inline(always)]
    fn count<I: Isa>() -> usize {
        I::N / 2
    }
    #[inline(always)]
    fn load<I: Isa>(s: I, src: &[u16]) -> I::H {
        s.load16(src)
    }
    #[inline(always)]
    fn store<I: Isa>(s: I, dst: &mut [u16], v: I::H) {
        s.store16(dst, v);
    }
    #[inline(always)]
    fn splat<I: Isa>(s: I, v: u16) -> I::H {
        s.splat16(v)
    }
    #[inline(always)]
    fn store_groups<I: Isa>(s: I, dst: &mut [u16], step: usize, v: I::H) {
        s.store_groups16(dst, step, v);
    }
    #[inline(always)]
    fn load_bytes<I: Isa>(s: I, src: &[u8]) -> I::H {
        s.load_half(src)
    }
    #[inline(always)]
    fn load_pairs<I: Isa>(s: I, src: &[u8]) -> I::H {
        let v = s.load_quarter(src);
        s.or16(v, s.swap16(v))
    }
    #[inline(always)]
    fn store_bytes<I: Isa>(s: I, dst: &mut [u8], v: I::H, shift: u8) {
        s.store_half(dst, s.min15(s.shr_by(v, shift), s.splat16(255)));
    }
    #[inline(always)]
    fn any<I: Isa>(s: I, v: I::H) -> bool {
        s.any16(v)
    }
    #[inline(always)]
    fn weighted<I: Isa>(s: I, v: [I::H; 2], w: [I::H; 2], shift: u8) -> I::H {
        weighted_words(s, v, w, shift)
    }
    #[inline(always)]
    fn load_half<I: Isa>(s: I, src: &[u16]) -> I::H {
        s.load16(src)
    }
    #[inline(always)]
    fn store_half<I: Isa>(s: I, dst: &mut [u16], v: I::H) {
        s.store16(dst, v);
    }
    #[inline(always)]
    fn store_alternating<I: Isa>(s: I, dst: &mut [u16], even: I::H, odd: I::H) {
        s.store_alternating(dst, even, odd);
    }
    #[inline(always)]
    fn replace_by_mean<I: Isa>(s: I, dst: &mut [u16], [a, b]: [&[u16]; 2], [even, odd]: [I::H; 2]) {
        let mut masks = [0; 64];
        s.store_alternating(&mut masks, even, odd);
        for x in [0, I::N / 2] {
            let mean = s.avg_up16(s.load16(&a[x..]), s.load16(&b[x..]));
            let value = s.select16(s.load16(&masks[x..]), mean, s.load16(&dst[x..]));
            s.store16(&mut dst[x..], value);
        }
    }
    #[inline(always)]
    fn load_quarter<I: Isa>(s: I, src: &[u16]) -> I::H {
        s.load_quarter16(src)
    }
    #[inline(always)]
    fn store_quarter<I: Isa>(s: I, dst: &mut [u16], v: I::H) {
        s.store_quarter16(dst, v);
    }
    #[inline(always)]
    fn split<I: Isa>(_s: I, v: I::H) -> [I::H; 1] {
        [v]
    }
    #[inline(always)]
    fn join<I: Isa>(_s: I, halves: [I::H; 1]) -> I::H {
        let [v] = halves;
        v
    }
    forward! {
        reverse = reverse16(v);
        interleave_low = interleave_low16(a, b);
        interleave_high = interleave_high16(a, b);
        lesser = min16(a, b);
        greater = max16(a, b);
        sub_saturating = sub_saturating16(a, b);
        add_saturating = add_saturating16(a, b);
        or = or16(a, b);
        xor = xor16(a, b);
        equal = eq16(a, b);
        select = select16(mask, t, f);
        avg = avg16(a, b);
        abs_diff = distance16(a, b);
    }
}

/// [`Lane::weighted`] of words of any depth. The lesser value, plus the share of the distance that
/// the weight of the greater value gives: no product needs more than the high half.
#[inline(always)]
fn weighted_words<I: Isa>(s: I, v: [I::H; 2], w: [I::H; 2], shift: u8) -> I::H {
    let (least, distance) = (s.min16(v[0], v[1]), s.distance16(v[0], v[1]));
    let weight = s.select16(s.eq16(least, v[0]), w[1], w[0]);
    // A weight of 1 << shift, scaled to the high half, would need 17 bits.
    let whole = s.eq16(weight, s.splat16(1 << shift));
    let part = match shift {
        0 => s.splat16(0),
        shift => s.mul_high(distance, s.shl_by(weight, 16 - shift)),
    };
    s.add16(least, s.select16(whole, distance, part))
}
