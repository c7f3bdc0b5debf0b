//! Depths of the colour pipe (§9.5): samples have n bits, components Q = max(12, n) bits.
use crate::Sample;
use crate::contract;
use crate::isa::Isa;

/// Bits of a component, Q, for samples of `depth` bits.
pub const fn color_bits(depth: u8) -> u8 {
    if depth > 12 { depth } else { 12 }
}

/// Panics if samples of type `S` cannot have `depth` bits.
#[inline(always)]
#[track_caller]
pub(crate) fn check_depth<S: Sample>(depth: u8) {
    contract::within(depth, if is_byte::<S>() { 8..=8 } else { 9..=16 });
}

/// Panics if components cannot have `bits` bits.
#[inline(always)]
#[track_caller]
pub(crate) fn check_bits(bits: u8) {
    contract::within(bits, 12..=16);
}

/// Whether samples are bytes; known to the compiler.
#[inline(always)]
pub(crate) const fn is_byte<S>() -> bool {
    size_of::<S>() == 1
}

/// The entry of samples into the pipe, and their exit.
#[derive(Clone, Copy)]
pub(crate) struct Gate {
    /// Q - n: 4 for bytes, 0 to 3 for words.
    pub shift: u8,
    /// Added before the shift at the exit: 0 for 8 bits, which are truncated.
    pub half: u16,
    /// 2^n - 1.
    pub max: u16,
}

impl Gate {
    #[inline(always)]
    pub fn new<S: Sample>(depth: u8) -> Gate {
        if is_byte::<S>() {
            return Gate { shift: 4, half: 0, max: 255 };
        }
        let shift = color_bits(depth) - depth;
        Gate { shift, half: (1 << shift) >> 1, max: u16::MAX >> (16 - depth) }
    }

    /// The component of a sample. A sample above 2^n - 1 counts as 2^n - 1.
    #[inline(always)]
    pub fn component<S: Sample>(self, v: S) -> u16 {
        let v: u32 = v.into();
        if is_byte::<S>() { (v << 4) as u16 } else { (v.min(self.max as u32) << self.shift) as u16 }
    }

    /// The sample of a component.
    #[inline(always)]
    pub fn sample<S: Sample>(self, v: u16) -> S {
        if is_byte::<S>() {
            return S::from_u32(v as u32 >> 4);
        }
        S::from_u32(((v as u32 + self.half as u32) >> self.shift).min(self.max as u32))
    }

    #[inline(always)]
    pub fn components<I: Isa, S: Sample>(self, s: I, v: I::H) -> I::H {
        if is_byte::<S>() { s.shl::<4>(v) } else { s.shl_by(s.min16(v, s.splat16(self.max)), self.shift) }
    }

    #[inline(always)]
    pub fn samples<I: Isa, S: Sample>(self, s: I, v: I::H) -> I::H {
        if is_byte::<S>() {
            s.shr::<4>(v)
        } else {
            // Constant shifts are faster than one by a variable.
            let v = s.add16(v, s.splat16(self.half));
            let v = match self.shift {
                0 => v,
                1 => s.shr::<1>(v),
                2 => s.shr::<2>(v),
                _ => s.shr::<3>(v),
            };
            s.min16(v, s.splat16(self.max))
        }
    }
}

/// Components as signed halfwords: less 2^(Q-1).
#[derive(Clone, Copy)]
pub(crate) struct Signed<I: Isa> {
    zero: I::H,
    least: I::H,
    most: I::H,
}

impl<I: Isa> Signed<I> {
    #[inline(always)]
    pub fn new(s: I, bits: u8) -> Signed<I> {
        let zero = 1u16 << (bits - 1);
        Signed { zero: s.splat16(zero), least: s.splat16(zero.wrapping_neg()), most: s.splat16(zero - 1) }
    }

    #[inline(always)]
    pub fn of(self, s: I, component: I::H) -> I::H {
        s.sub16(component, self.zero)
    }

    /// The components again from both parts of signed words, clipped to 0…2^Q - 1.
    #[inline(always)]
    pub fn component(self, s: I, low: I::W, high: I::W) -> I::H {
        s.add16(s.max15(s.min15(s.pack32(low, high), self.most), self.least), self.zero)
    }
}

/// A component, clipped to 0…2^Q - 1.
#[inline(always)]
pub(crate) fn clipped(v: i32, bits: u8) -> u16 {
    v.clamp(0, (1 << bits) - 1) as u16
}
