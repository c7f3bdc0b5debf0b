//! Compensated pictures: a reference, each block moved by its vector (§15.7).
use super::bordered::{BORDER, BorderedPlane};
use super::vectors::{Grid, Vector};
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, zeroed};
use dndi_simd::{APRON, Kernels, QuarterBlock};
use std::ops::Range;

/// The fewest samples that are interpolated at once: a vector of the narrowest instruction set.
/// Blocks to the right replace samples beyond a block.
const LEAST: usize = 8;

/// A reference of a picture for one plane.
#[derive(Clone, Copy)]
pub(crate) struct Reference<'a, S> {
    pub picture: &'a BorderedPlane<S>,
    pub vectors: &'a Grid,
    /// Luma samples for each sample, and luma lines for each line.
    pub scale: (usize, usize),
}

impl<S> Reference<'_, S> {
    /// The vectors of the row of blocks with line `y`, in quarters of a sample of this plane.
    fn vectors(&self, y: usize) -> impl Iterator<Item = Vector> {
        let row = (y * self.scale.1 / 8).min(self.vectors.height - 1);
        let vectors = &self.vectors.vectors[row * self.vectors.width..][..self.vectors.width];
        vectors.iter().map(|vector| vector.scaled(self.scale))
    }

    /// The vector of the block with a sample, in quarters of a sample of this plane.
    pub fn vector(&self, x: usize, y: usize) -> Vector {
        let at = |sample: usize, scale: usize| (sample * scale / 8) as isize;
        self.vectors.at(at(x, self.scale.0), at(y, self.scale.1)).scaled(self.scale)
    }

    /// Writes how near the position of each sample of line `y` in the reference is to a line of the
    /// reference's field: 32 at a line, 0 between two lines; shifted left by `shift`. `is_far` if
    /// that field has the parity of this one.
    pub fn phases(&self, y: usize, is_far: bool, shift: u8, out: &mut [u16]) {
        let phase = |vector: Vector| {
            let quarters = vector.y & 7;
            let distance = quarters.min(8 - quarters);
            (8 * (if is_far { distance } else { 4 - distance }) as u16) << shift
        };
        match self.scale.0 {
            1 => fill_blocks::<8>(out, self.vectors(y).map(phase)),
            _ => fill_blocks::<4>(out, self.vectors(y).map(phase)),
        }
    }
}

/// Fills blocks of `COLUMNS` samples with a value each.
fn fill_blocks<const COLUMNS: usize>(out: &mut [u16], mut values: impl Iterator<Item = u16>) {
    let (blocks, rest) = out.as_chunks_mut::<COLUMNS>();
    blocks.iter_mut().zip(&mut values).for_each(|(block, value)| *block = [value; COLUMNS]);
    rest.fill(values.next().unwrap_or_default());
}

/// Lines of a compensated picture, each with its apron, and their 8 most significant bits.
#[derive(Debug)]
pub(crate) struct Compensated<S> {
    samples: Vec<S>,
    /// Empty for bytes, and if they are not needed.
    top: Vec<u8>,
    stride: usize,
    width: usize,
    /// The lines that are kept, and the height of the picture.
    lines: Range<usize>,
    height: usize,
}

impl<S: PlaneSample> Compensated<S> {
    /// Memory for `lines` lines of up to `width` samples, and for their 8 most significant bits if
    /// they are words and `tops` are needed.
    pub fn new(width: usize, lines: usize, tops: bool) -> Result<Compensated<S>, OutOfMemory> {
        let stride = if width == 0 { 0 } else { width + 2 * APRON };
        let samples = zeroed(stride * lines)?;
        let top = if !tops || S::as_bytes(&samples).is_some() { Vec::new() } else { zeroed(stride * lines)? };
        Ok(Compensated { samples, top, stride, width: 0, lines: 0..0, height: 0 })
    }

    /// Compensates `lines` of a reference.
    pub fn fill(&mut self, kernels: &Kernels, reference: &Reference<S>, lines: Range<usize>, depth: u8) {
        (self.width, self.height) = reference.picture.size();
        self.lines = lines;
        let block = (8 / reference.scale.0, 8 / reference.scale.1);
        let mut y = self.lines.start;
        while y < self.lines.end {
            let end = (y / block.1 * block.1 + block.1).min(self.lines.end);
            self.fill_row(kernels, reference, y..end, block.0, depth);
            y = end;
        }
        let count = self.lines.len() * self.stride;
        for line in self.samples[..count].chunks_exact_mut(self.stride) {
            let (first, last) = (line[APRON], line[APRON + self.width - 1]);
            line[..APRON].fill(first);
            line[APRON + self.width..].iter_mut().take(APRON).for_each(|v| *v = last);
        }
        if !self.top.is_empty() {
            (S::kernels(kernels).top_byte)(&mut self.top[..count], &self.samples[..count], depth - 8);
        }
    }

    /// Compensates lines of one row of blocks. Adjacent blocks with the same vector move together.
    fn fill_row(&mut self, kernels: &Kernels, reference: &Reference<S>, lines: Range<usize>, block: usize, depth: u8) {
        let picture = reference.picture;
        let mut blocks = reference.vectors(lines.start).peekable();
        let mut end = 0;
        while let Some(vector) = blocks.next() {
            let x = end;
            end += block;
            while blocks.next_if_eq(&vector).is_some() {
                end += block;
            }
            end = end.min(self.width);
            let width = (end - x).max(LEAST);
            // The search keeps windows within the border; the limits only make sure of it.
            let limited = |at: usize, by: i32, count: usize, size: usize| {
                let least = 1 - BORDER as isize;
                (at as isize + (by >> 2) as isize).clamp(least, (size + BORDER) as isize - 2 - count as isize)
            };
            let from = limited(x, vector.x, width, self.width);
            let top = limited(lines.start, vector.y, lines.len(), self.height);
            let moved = QuarterBlock {
                samples: picture.from(from - 1, top - 1),
                stride: picture.stride(),
                size: (width, lines.len()),
                fraction: ((vector.x & 3) as u8, (vector.y & 3) as u8),
            };
            let out = &mut self.samples[(lines.start - self.lines.start) * self.stride + APRON + x..];
            (S::kernels(kernels).catmull_rom)(out, self.stride, &moved, depth);
        }
    }

    /// Line `y` with its apron; a line outside the picture is the nearest one.
    pub fn row(&self, y: isize) -> &[S] {
        &self.samples[self.start(y)..][..self.width + 2 * APRON]
    }

    /// The 8 most significant bits of a line with its apron.
    pub fn top_row(&self, y: isize) -> &[u8] {
        let data = S::as_bytes(&self.samples).unwrap_or(&self.top);
        &data[self.start(y)..][..self.width + 2 * APRON]
    }

    fn start(&self, y: isize) -> usize {
        let y = y.clamp(0, self.height as isize - 1) as usize;
        (y - self.lines.start) * self.stride
    }
}
