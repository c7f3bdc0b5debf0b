//! Pictures: what they are made of, borrowed from the caller and owned (§1.1, §1.6).

use crate::surface::LINES;
use rayon::prelude::*;

/// The largest width and height of a picture.
pub const MAX_SIZE: usize = 8192;

/// Chroma sampling of a picture. Chroma sizes round up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sampling {
    /// Luma only.
    Mono,
    /// Half the width, half the height.
    C420,
    /// A quarter of the width, full height.
    C411,
    /// Half the width, full height.
    C422,
    /// Full width and height.
    C444,
}

impl Sampling {
    /// Number of planes: 1 or 3.
    pub fn planes(self) -> usize {
        if self == Sampling::Mono { 1 } else { 3 }
    }

    /// Chroma samples in a line of a picture of `width` luma samples; 0 for mono.
    pub(crate) fn chroma_width(self, width: usize) -> usize {
        self.chroma_size(width, 1).0
    }

    /// Width and height of each chroma plane of a picture of `width`×`height` luma samples; 0×0 for mono.
    pub fn chroma_size(self, width: usize, height: usize) -> (usize, usize) {
        match self {
            Sampling::Mono => (0, 0),
            Sampling::C420 => (width.div_ceil(2), height.div_ceil(2)),
            Sampling::C411 => (width.div_ceil(4), height),
            Sampling::C422 => (width.div_ceil(2), height),
            Sampling::C444 => (width, height),
        }
    }
}

/// Size, sampling and sample depth of the pictures of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Format {
    /// Luma samples in a line.
    pub width: usize,
    /// Luma lines.
    pub height: usize,
    /// Chroma sampling.
    pub sampling: Sampling,
    /// Bits a sample. Only 8 is supported.
    pub depth: u8,
}

impl Format {
    /// An 8-bit format.
    pub fn new(width: usize, height: usize, sampling: Sampling) -> Format {
        Format { width, height, sampling, depth: 8 }
    }

    /// Width and height of plane `index` (0 luma, 1 and 2 chroma).
    pub fn plane_size(&self, index: usize) -> (usize, usize) {
        if index == 0 { (self.width, self.height) } else { self.sampling.chroma_size(self.width, self.height) }
    }

    /// Samples of all planes of one picture.
    pub fn samples(&self) -> usize {
        let (chroma_width, chroma_height) = self.plane_size(1);
        self.width * self.height + 2 * chroma_width * chroma_height
    }
}

/// One plane of the caller's picture: rows `stride` bytes apart.
#[derive(Clone, Copy, Debug)]
pub struct PlaneRef<'a> {
    /// The samples; row y starts at `y * stride`. The last row may end with its last sample.
    pub data: &'a [u8],
    /// Bytes from one row to the next, at least the plane's width.
    pub stride: usize,
}

/// One plane of the caller's memory that is to be filled.
#[derive(Debug)]
pub struct PlaneMut<'a> {
    /// The samples; row y starts at `y * stride`. Bytes between rows are left alone.
    pub data: &'a mut [u8],
    /// Bytes from one row to the next, at least the plane's width.
    pub stride: usize,
}

/// Whether `len` bytes hold a plane of `size` whose rows are `stride` bytes apart.
pub(crate) fn plane_fits(len: usize, stride: usize, (width, height): (usize, usize)) -> bool {
    stride >= width && (height - 1).checked_mul(stride).and_then(|n| n.checked_add(width)).is_some_and(|need| len >= need)
}

/// An owned picture, rows without gaps, planes one after the other: luma, Cb, Cr - the payload of a y4m frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    format: Format,
    data: Vec<u8>,
}

impl Frame {
    /// A black-luma picture (all samples 0) of `format`.
    pub fn new(format: Format) -> Frame {
        Frame { format, data: vec![0; format.samples()] }
    }

    /// A picture of `format` whose samples are `data`, plane after plane.
    ///
    /// # Panics
    /// If `data` is not [`Format::samples`] long.
    pub fn from_vec(format: Format, data: Vec<u8>) -> Frame {
        assert_eq!(data.len(), format.samples(), "samples of a picture");
        Frame { format, data }
    }

    /// The picture's format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// All samples, plane after plane.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// All samples, plane after plane, to be written.
    pub fn data_mut(&mut self) -> &mut [u8] {
        &mut self.data
    }

    /// Plane `index` (0 luma, 1 Cb, 2 Cr), rows without gaps; empty where the format has no chroma.
    pub fn plane(&self, index: usize) -> &[u8] {
        let (start, len) = self.span(index);
        &self.data[start..start + len]
    }

    /// The three planes, to be written; the last two are empty where the format has no chroma.
    pub fn planes_mut(&mut self) -> [&mut [u8]; 3] {
        let (luma, chroma) = self.data.split_at_mut(self.format.width * self.format.height);
        let (u, v) = chroma.split_at_mut(chroma.len() / 2);
        [luma, u, v]
    }

    /// The planes as [`Stream::push`](crate::Stream::push) takes them.
    pub fn planes(&self) -> [PlaneRef<'_>; 3] {
        [0, 1, 2].map(|index| PlaneRef { data: self.plane(index), stride: self.format.plane_size(index).0 })
    }

    /// Takes the samples of the caller's planes, which must have this frame's format.
    pub(crate) fn copy_from(&mut self, planes: &[PlaneRef; 3]) {
        let format = self.format;
        for (index, (to, from)) in self.planes_mut().into_iter().zip(planes).enumerate() {
            let width = format.plane_size(index).0;
            let lines = to.par_chunks_exact_mut(width.max(1)).enumerate().with_min_len(LINES);
            lines.for_each(|(line, samples)| samples.copy_from_slice(&from.data[line * from.stride..][..width]));
        }
    }

    fn span(&self, index: usize) -> (usize, usize) {
        let luma = self.format.width * self.format.height;
        let chroma = (self.data.len() - luma) / 2;
        if index == 0 { (0, luma) } else { (luma + (index - 1) * chroma, chroma) }
    }
}

/// A picture without samples.
impl Default for Frame {
    fn default() -> Frame {
        Frame::new(Format::new(0, 0, Sampling::Mono))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chroma_sizes_round_up() {
        let size = |sampling: Sampling| sampling.chroma_size(21, 18);
        assert_eq!(
            [Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444].map(size),
            [(11, 9), (6, 18), (11, 18), (21, 18)]
        );
        assert_eq!(Format::new(5, 3, Sampling::C420).samples(), 15 + 2 * 6);
        assert_eq!(Format::new(5, 3, Sampling::Mono).samples(), 15);
    }

    #[test]
    fn planes_lie_one_after_the_other() {
        let mut frame = Frame::new(Format::new(3, 3, Sampling::C420));
        for (value, plane) in frame.planes_mut().into_iter().enumerate() {
            plane.fill(value as u8 + 1);
        }
        assert_eq!(frame.data(), [vec![1; 9], vec![2; 4], vec![3; 4]].concat());
        assert_eq!(frame.plane(2), [3; 4]);
    }
}
