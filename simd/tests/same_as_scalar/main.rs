//! Every kernel at every level gives the values of the scalar level and writes nothing else.
mod best;
mod color;
mod deinterlace;
mod denoise;
mod denoise_motion;
mod detect;
mod enhance;
mod fmd;
mod geometry;
mod network;
mod scaler;
mod wide;

use dndi_simd::*;
use std::ops::Range;

/// Widths beyond 1…200 at which a vector or a chunk of pairs ends.
const WIDE: [usize; 12] = [255, 256, 257, 258, 259, 260, 511, 513, 719, 720, 721, 962];

/// Entries around each output that must not change.
const GUARD: usize = 70;

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn within(&mut self, range: Range<usize>) -> usize {
        range.start + (self.next() % (range.end - range.start) as u64) as usize
    }
}

#[derive(Clone, Copy, Debug)]
enum Fill {
    Noise,
    Near,
    Low,
    High,
    Extremes,
    Flat,
    Ramp,
    Edges,
}

const FILLS: [Fill; 8] = [Fill::Noise, Fill::Near, Fill::Low, Fill::High, Fill::Extremes, Fill::Flat, Fill::Ramp, Fill::Edges];

/// Generates the inputs of one call, the same for every level.
struct Inputs {
    rng: Rng,
    fill: Fill,
    base: u8,
}

impl Inputs {
    /// `len` samples of the current fill pattern.
    fn row(&mut self, len: usize) -> Vec<u8> {
        let (period, phase) = (self.rng.within(2..9), self.rng.within(0..9));
        (0..len)
            .map(|i| {
                let r = self.rng.next() as u8;
                match self.fill {
                    Fill::Noise => r,
                    Fill::Near => self.base.wrapping_add(r % 16),
                    Fill::Low => r & 1,
                    Fill::High => 255 - (r & 1),
                    Fill::Extremes => (r & 1) * 255,
                    Fill::Flat => self.base,
                    Fill::Ramp => (i as u8).wrapping_mul(3),
                    Fill::Edges => {
                        if (i + phase) / period % 2 == 0 {
                            self.base
                        } else {
                            self.base.wrapping_add(40) | 1
                        }
                    }
                }
            })
            .collect()
    }

    fn rows<const N: usize>(&mut self, samples: usize) -> [Vec<u8>; N] {
        std::array::from_fn(|_| self.row(samples + 2 * APRON))
    }

    fn bytes(&mut self, len: usize, range: Range<usize>) -> Vec<u8> {
        (0..len).map(|_| self.rng.within(range.clone()) as u8).collect()
    }

    fn halfwords(&mut self, len: usize, range: Range<usize>) -> Vec<u16> {
        (0..len).map(|_| self.rng.within(range.clone()) as u16).collect()
    }

    fn byte(&mut self, range: Range<usize>) -> u8 {
        self.rng.within(range) as u8
    }
}

/// A sample type with rows of each fill pattern.
trait TestSample: Sample + Into<i64> {
    /// The depths of samples of this type.
    const DEPTHS: &'static [u8];

    /// `len` samples of the current fill pattern; those of words have all 16 bits at any depth, as
    /// kernels must accept.
    fn row(inputs: &mut Inputs, len: usize) -> Vec<Self>;

    fn rows<const N: usize>(inputs: &mut Inputs, samples: usize) -> [Vec<Self>; N] {
        std::array::from_fn(|_| Self::row(inputs, samples + 2 * APRON))
    }
}

impl TestSample for u8 {
    const DEPTHS: &'static [u8] = &[8];

    fn row(inputs: &mut Inputs, len: usize) -> Vec<u8> {
        inputs.row(len)
    }
}

impl TestSample for u16 {
    const DEPTHS: &'static [u8] = &[9, 10, 12, 14, 16];

    fn row(inputs: &mut Inputs, len: usize) -> Vec<u16> {
        // Scales of the patterns, so that differences lie around thresholds of each depth.
        let shift = [0, 1, 2, 4, 6, 8][inputs.rng.within(0..6)];
        let high = inputs.row(len);
        high.into_iter().map(|v| (u16::from(v) << 8 | (inputs.rng.next() & 0xff) as u16) >> (8 - shift)).collect()
    }
}

fn refs<T, const N: usize>(rows: &[Vec<T>; N]) -> [&[T]; N] {
    rows.each_ref().map(|row| row.as_slice())
}

/// The output of a call: all outputs with their guards, as numbers.
#[derive(Default, PartialEq)]
struct Written(Vec<Vec<i64>>);

impl Written {
    /// Adds an output of `len` entries that hold `start`, at an odd offset.
    fn take<T: Copy + Into<i64>>(&mut self, len: usize, start: T, fill: impl FnOnce(&mut [T])) {
        let mut guarded = vec![start; len + 2 * GUARD + 1];
        fill(&mut guarded[GUARD + 1..GUARD + 1 + len]);
        self.0.push(guarded.into_iter().map(Into::into).collect());
    }
}

/// Depths of words.
const DEPTHS: [u8; 5] = [9, 10, 12, 14, 16];

/// Samples of `depth` bits with the patterns of [`Inputs::row`].
fn words(inputs: &mut Inputs, len: usize, depth: u8) -> Vec<u16> {
    let low = (1 << (depth - 8)) - 1;
    let extremes = matches!(inputs.fill, Fill::Extremes);
    let word = |v: u8, r: u64| (v as u16) << (depth - 8) | if extremes { v as u16 & low } else { r as u16 & low };
    inputs.row(len).into_iter().map(|v| word(v, inputs.rng.next())).collect()
}

fn check(kernel: &str, call: impl Fn(&Kernels, usize, &mut Inputs, &mut Written)) {
    let number = |name| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let seed = number("DNDI_SEED").unwrap_or(0x1234_5678_9abc_def1);
    // More than 1 where the tests run slowly; odd, so that there are odd and even widths.
    let step = number("DNDI_WIDTH_STEP").unwrap_or(1) as usize;
    let scalar = Kernels::at(SimdLevel::Scalar).unwrap();
    for level in SimdLevel::ALL {
        let Ok(kernels) = Kernels::at(level) else {
            eprintln!("{kernel}: {level} skipped, not on this processor");
            continue;
        };
        let mut seeds = Rng(seed);
        for width in (1..=200).step_by(step).chain(WIDE) {
            for fill in FILLS {
                let (start, base) = (seeds.next(), seeds.next() as u8);
                let run = |kernels: &Kernels| {
                    let mut written = Written::default();
                    call(kernels, width, &mut Inputs { rng: Rng(start), fill, base }, &mut written);
                    written
                };
                let (want, got) = (run(scalar), run(kernels));
                for (output, (want, got)) in want.0.iter().zip(&got.0).enumerate() {
                    let at = want.iter().zip(got).position(|(a, b)| a != b).map(|at| at as isize - GUARD as isize - 1);
                    assert_eq!(
                        at, None,
                        "{kernel} at {level}: width {width}, {fill:?}, DNDI_SEED={seed}: output {output} differs first there"
                    );
                }
            }
        }
    }
}

/// Tests that check the functions of module `one`, once for bytes and once for words.
macro_rules! for_samples {
    ($($name:ident),*) => {
        $(#[test]
        fn $name() {
            crate::check(stringify!($name), one::$name::<u8>);
            crate::check(concat!(stringify!($name), " of words"), one::$name::<u16>);
        })*
    };
}
use for_samples;
