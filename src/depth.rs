//! Changes of depth: samples are raised to the working depth where they enter, and lowered to that
//! of the output at the exit (§9.6).
use crate::format::{ColorRange, Format, NameError};
use crate::frame::{Frame, MIN_TASK_LINES, PlaneRef, Samples, SamplesMut};
use dndi_simd::Sample;
use rayon::prelude::*;
use std::fmt;
use std::str::FromStr;

#[cfg(test)]
mod tests;

/// The offsets that are added before samples are lowered to fewer bits (§9.6). Names: `ordered`,
/// `none`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dither {
    /// An 8×8 pattern, the same in each frame, so that smooth gradients keep their mean.
    #[default]
    Ordered,
    /// Half a step: samples are rounded.
    None,
}

impl Dither {
    const NAMES: &'static [&'static str] = &["ordered", "none"];

    /// The offsets of the samples of line `y`, which repeat every 8 samples, for samples that lose
    /// `shift` bits.
    fn offsets(self, shift: u32, y: usize) -> [u16; 8] {
        let cell = |x: usize| {
            (0..3).fold(0, |sum, bit| {
                let (row, odd) = (y >> bit & 1, (x ^ y) >> bit & 1);
                sum + ((2 * odd + row) << (4 - 2 * bit)) as u32
            })
        };
        std::array::from_fn(|x| match self {
            Dither::Ordered => ((2 * cell(x) + 1) << shift >> 7) as u16,
            Dither::None => (1 << shift >> 1) as u16,
        })
    }
}

/// `ordered` or `none`; case does not matter.
impl FromStr for Dither {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Dither, NameError> {
        NameError::find("dither", name, Dither::NAMES, &[Dither::Ordered, Dither::None])
    }
}

/// `ordered` or `none`.
impl fmt::Display for Dither {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Dither::NAMES[*self as usize])
    }
}

/// The planes whose largest value is that of their depth, such as 255 and 1023 (§9.6). A change of
/// depth maps these values to each other. In other planes a sample that gains n bits is multiplied
/// by 2^n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FullRange {
    /// None: luma and chroma of limited range.
    #[default]
    None,
    /// Luma of full range. Its chroma is changed as that of limited range, so that its zero is the
    /// half of the range at each depth.
    Luma,
    /// All planes: RGB.
    Rgb,
}

impl FullRange {
    /// Whether plane `index` is one of them.
    fn has(self, index: usize) -> bool {
        match self {
            FullRange::None => false,
            FullRange::Luma => index == 0,
            FullRange::Rgb => true,
        }
    }
}

/// The planes of luma and chroma of this range.
impl From<ColorRange> for FullRange {
    fn from(range: ColorRange) -> FullRange {
        if range == ColorRange::Full { FullRange::Luma } else { FullRange::None }
    }
}

/// Raises planes of the caller, which were checked against `format`, to the greater depth of `to`.
/// `to` has the size and the sampling of `format`. Values above those of the depth are the greatest
/// one.
pub(crate) fn raise(from: &[PlaneRef], format: Format, to: &mut Frame, full: FullRange) {
    let depths = Depths::new(format.depth, to.format().depth);
    for (index, (from, to)) in from.iter().zip(to.planes_mut()).enumerate() {
        let size = format.plane_size(index);
        let SamplesMut::U16(target) = to.samples else { continue };
        match (from.samples, full.has(index)) {
            (Samples::U8(source), false) => {
                rows(source, from.stride, target, size, |_, from, to| depths.raise_plain(from, to));
            }
            (Samples::U8(source), true) => {
                rows(source, from.stride, target, size, |_, from, to| depths.raise_full(from, to));
            }
            (Samples::U16(source), false) => {
                rows(source, from.stride, target, size, |_, from, to| depths.raise_plain(from, to));
            }
            (Samples::U16(source), true) => {
                rows(source, from.stride, target, size, |_, from, to| depths.raise_full(from, to));
            }
        }
    }
}

/// Lowers a frame to the smaller depth of `to`, which has the same size and sampling.
/// `by_fields` is set for frames that consist of two fields: each has the dither pattern of its own
/// lines.
pub(crate) fn lower(from: &Frame, to: &mut Frame, full: FullRange, dither: Dither, by_fields: bool) {
    let format = from.format();
    let depths = Depths::new(to.format().depth, format.depth);
    for (index, (from, to)) in from.planes().iter().zip(to.planes_mut()).enumerate() {
        let size = format.plane_size(index);
        let Samples::U16(source) = from.samples else { continue };
        let offsets = |y: usize| dither.offsets(depths.shift, if by_fields { y >> 1 } else { y });
        match (to.samples, full.has(index)) {
            (SamplesMut::U8(target), false) => {
                rows(source, from.stride, target, size, |y, from, to| depths.lower_plain(from, to, offsets(y)));
            }
            (SamplesMut::U8(target), true) => {
                rows(source, from.stride, target, size, |y, from, to| depths.lower_full(from, to, offsets(y)));
            }
            (SamplesMut::U16(target), false) => {
                rows(source, from.stride, target, size, |y, from, to| depths.lower_plain(from, to, offsets(y)));
            }
            (SamplesMut::U16(target), true) => {
                rows(source, from.stride, target, size, |y, from, to| depths.lower_full(from, to, offsets(y)));
            }
        }
    }
}

/// Runs `change(line number, from, to)` on each line of a plane of `size` (width, height). The
/// lines of `to` have no gaps.
fn rows<A: Sync, B: Send>(
    from: &[A],
    stride: usize,
    to: &mut [B],
    (width, height): (usize, usize),
    change: impl Fn(usize, &[A], &mut [B]) + Sync,
) {
    let lines = to.par_chunks_exact_mut(width.max(1)).take(height).enumerate().with_min_len(MIN_TASK_LINES);
    lines.for_each(|(y, to)| change(y, &from[y * stride..][..width], to));
}

/// A sample as a word.
#[inline(always)]
fn word(sample: impl Sample) -> u16 {
    let value: u32 = sample.into();
    value as u16
}

/// Two depths, at most 8 bits apart.
#[derive(Clone, Copy, Debug)]
struct Depths {
    /// The number of bits of the smaller depth.
    low: u32,
    /// The difference in bits.
    shift: u32,
}

impl Depths {
    fn new(low: u8, high: u8) -> Depths {
        Depths { low: low.into(), shift: high.saturating_sub(low).into() }
    }

    /// The greatest value of the smaller depth.
    fn greatest(self) -> u16 {
        u16::MAX >> (16 - self.low)
    }

    fn raise_plain<A: Sample>(self, from: &[A], to: &mut [u16]) {
        let greatest = self.greatest();
        for (to, from) in to.iter_mut().zip(from) {
            *to = word(*from).min(greatest) << self.shift;
        }
    }

    /// The high bits are repeated in the low ones.
    fn raise_full<A: Sample>(self, from: &[A], to: &mut [u16]) {
        let (greatest, repeated) = (self.greatest(), self.low - self.shift);
        for (to, from) in to.iter_mut().zip(from) {
            let sample = word(*from).min(greatest);
            *to = sample << self.shift | sample >> repeated;
        }
    }

    fn lower_plain<B: Sample>(self, from: &[u16], to: &mut [B], offsets: [u16; 8]) {
        self.lower_by(from, to, offsets, |sample| sample);
    }

    fn lower_full<B: Sample>(self, from: &[u16], to: &mut [B], offsets: [u16; 8]) {
        self.lower_by(from, to, offsets, |sample| sample - (sample >> self.low));
    }

    #[inline(always)]
    fn lower_by<B: Sample>(self, from: &[u16], to: &mut [B], offsets: [u16; 8], scaled: impl Fn(u16) -> u16) {
        let greatest = self.greatest();
        // The sum of a 16-bit sample and its offset saturates at a value that becomes the greatest.
        let lowered =
            |sample: u16, offset| B::from_u32((scaled(sample).saturating_add(offset) >> self.shift).min(greatest).into());
        let (whole, rest) = to.as_chunks_mut::<8>();
        let (from, from_rest) = from.as_chunks::<8>();
        for (to, from) in whole.iter_mut().zip(from) {
            *to = std::array::from_fn(|x| lowered(from[x], offsets[x]));
        }
        for ((to, &from), offset) in rest.iter_mut().zip(from_rest).zip(offsets) {
            *to = lowered(from, offset);
        }
    }
}
