//! The two types of samples: bytes for 8 bits, 16-bit words for 9 to 16 bits (§9.1).
use crate::table::{Kernels, SampleKernels};
use std::fmt::Debug;

/// A sample: `u8` for a depth of 8 bits, `u16` for 9 to 16 bits.
pub trait Sample: Copy + Debug + Default + Ord + Into<u32> + From<u8> + Send + Sync + 'static {
    /// The greatest value of the type.
    const MAX: Self;

    /// The value as a signed number, for differences.
    #[inline(always)]
    fn signed(self) -> i32 {
        self.into() as i32
    }

    /// The sample with value `v`; higher bits of `v` are dropped.
    fn from_u32(v: u32) -> Self;

    /// The kernels for samples of this type.
    fn kernels(kernels: &Kernels) -> &SampleKernels<Self>;
}

impl Sample for u8 {
    const MAX: u8 = u8::MAX;

    #[inline(always)]
    fn from_u32(v: u32) -> u8 {
        v as u8
    }

    fn kernels(kernels: &Kernels) -> &SampleKernels<u8> {
        &kernels.bytes
    }
}

impl Sample for u16 {
    const MAX: u16 = u16::MAX;

    #[inline(always)]
    fn from_u32(v: u32) -> u16 {
        v as u16
    }

    fn kernels(kernels: &Kernels) -> &SampleKernels<u16> {
        &kernels.words
    }
}

/// `(a + b) >> 1`, truncated like all averages of the specification.
#[inline(always)]
pub(crate) fn average<S: Sample>(a: S, b: S) -> S {
    S::from_u32((a.into() + b.into()) >> 1)
}
