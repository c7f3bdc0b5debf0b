//! The slices of a call, all of the required length except one.
use dndi_simd::*;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Entries of outputs before a call.
pub const START: u64 = 0x5a;
pub const B: u8 = START as u8;
pub const W: u16 = START as u16;

/// A sample type with the start of its outputs.
pub trait TestSample: Sample + Into<u64> {
    const START: Self;
    /// The depth that the tests use.
    const DEPTH: u8;
}

impl TestSample for u8 {
    const START: u8 = B;
    const DEPTH: u8 = 8;
}

impl TestSample for u16 {
    const START: u16 = W;
    const DEPTH: u8 = 12;
}

/// How the length of one slice differs from the required one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    Shorter(usize),
    Longer(usize),
}

/// Slices of one call. All have the length that the kernel requires, except the one that changes.
#[derive(Default)]
pub struct Slices {
    pub change: Option<(usize, Change)>,
    /// Required length of each slice that may change, and whether it may be longer.
    pub required: Vec<(usize, bool)>,
    pub panicked: bool,
    pub outputs: Vec<Vec<u64>>,
}

thread_local! {
    /// Whether panics of this thread are expected and not printed.
    pub static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// A number that depends on the slice and the position alone.
pub fn noise(slice: usize, at: usize) -> u64 {
    let mut v = (slice * 7919 + at + 1) as u64;
    for _ in 0..3 {
        v ^= v << 13;
        v ^= v >> 7;
        v ^= v << 17;
    }
    v
}

impl Slices {
    fn len(&mut self, required: usize, may_be_longer: bool) -> usize {
        let slice = self.required.len();
        self.required.push((required, may_be_longer));
        match self.change {
            Some((changed, Change::Shorter(by))) if changed == slice => required - by,
            Some((changed, Change::Longer(by))) if changed == slice => required + by,
            _ => required,
        }
    }

    fn input<T>(&mut self, required: usize, entry: impl Fn(u64) -> T) -> Vec<T> {
        let slice = self.required.len();
        (0..self.len(required, true)).map(|at| entry(noise(slice, at))).collect()
    }

    pub fn bytes(&mut self, required: usize) -> Vec<u8> {
        self.input(required, |v| v as u8)
    }

    pub fn angles(&mut self, required: usize) -> Vec<u8> {
        self.input(required, |v| (v % 9) as u8)
    }

    pub fn words(&mut self, required: usize, most: u16) -> Vec<u16> {
        self.input(required, |v| (v % (most as u64 + 1)) as u16)
    }

    pub fn lines<const N: usize>(&mut self, required: usize) -> [Vec<u8>; N] {
        std::array::from_fn(|_| self.bytes(required))
    }

    pub fn rows<const N: usize>(&mut self, samples: usize) -> [Vec<u8>; N] {
        self.lines(samples + 2 * APRON)
    }

    /// Lines of samples of any value.
    pub fn sample_lines<S: TestSample, const N: usize>(&mut self, required: usize) -> [Vec<S>; N] {
        std::array::from_fn(|_| self.input(required, |v| S::from_u32(v as u32)))
    }

    pub fn sample_rows<S: TestSample, const N: usize>(&mut self, samples: usize) -> [Vec<S>; N] {
        self.sample_lines(samples + 2 * APRON)
    }

    /// Lines of samples of the type's depth.
    pub fn samples_in_range<S: TestSample, const N: usize>(&mut self, required: usize) -> [Vec<S>; N] {
        let most = (1 << S::DEPTH) - 1;
        std::array::from_fn(|_| self.input(required, |v| S::from_u32(v as u32 & most)))
    }

    /// Rows of samples of the type's depth.
    pub fn rows_in_range<S: TestSample, const N: usize>(&mut self, samples: usize) -> [Vec<S>; N] {
        self.samples_in_range(samples + 2 * APRON)
    }

    /// These entries, or fewer of them, or more.
    pub fn prefix<T: Copy + Default>(&mut self, entries: &[T]) -> Vec<T> {
        let len = self.len(entries.len(), true);
        (0..len).map(|at| entries.get(at).copied().unwrap_or_default()).collect()
    }

    pub fn deep<const N: usize>(&mut self, required: usize, most: u16) -> [Vec<u16>; N] {
        std::array::from_fn(|_| self.words(required, most))
    }

    /// An output whose length the kernel compares with another length.
    pub fn output<T: Clone>(&mut self, required: usize, start: T) -> Vec<T> {
        vec![start; self.len(required, true)]
    }

    /// An output that must have exactly this length.
    pub fn twin<T: Clone>(&mut self, required: usize, start: T) -> Vec<T> {
        vec![start; self.len(required, false)]
    }

    pub fn call(&mut self, kernel: impl FnOnce()) {
        QUIET.set(true);
        self.panicked = catch_unwind(AssertUnwindSafe(kernel)).is_err();
        QUIET.set(false);
    }

    /// Keeps the samples that the call wrote.
    pub fn wrote<T: Copy + Into<u64>>(&mut self, output: &[T]) {
        self.outputs.push(output.iter().map(|&v| v.into()).collect());
    }
}

pub fn refs<T, const N: usize>(rows: &[Vec<T>; N]) -> [&[T]; N] {
    rows.each_ref().map(Vec::as_slice)
}

/// Calls a kernel for a number of samples, pairs or blocks.
pub type Call = fn(&Kernels, usize, &mut Slices);

/// Calls a kernel with one output of `n` entries, which determines the other lengths.
macro_rules! one {
    ($s:ident, $n:expr, $start:expr, |$dst:ident| $call:expr) => {{
        let mut output = vec![$start; $n];
        $s.call(|| {
            let $dst = &mut output[..];
            $call
        });
        $s.wrote(&output);
    }};
}

/// The same with two outputs of equal length.
macro_rules! two {
    ($s:ident, $n:expr, $start:expr, |$dst:ident| $call:expr) => {{
        let (mut first, mut second) = (vec![$start; $n], $s.twin($n, $start));
        $s.call(|| {
            let $dst = &mut [&mut first[..], &mut second[..]];
            $call
        });
        $s.wrote(&first);
        $s.wrote(&second);
    }};
}
pub(crate) use {one, two};
