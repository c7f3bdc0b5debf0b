//! The colour pipe on bands of frames: unpacking, repacking, and the chroma of pixels that share
//! it (§6).
use super::pipe::{GRAY, Line, Pipe};
use crate::format::Sampling;
use crate::frame::InputPlane;
use crate::luma::Tally;
use crate::memory::{OutOfMemory, zeroed_rows};
use dndi_simd::{Conversion, Kernels};

/// A band of lines of a frame with their chroma.
pub(crate) struct Band<'a> {
    pub sampling: Sampling,
    /// Pixels in a line.
    pub width: usize,
    /// Number of the band's first line; even with 4:2:0.
    pub top: usize,
    /// Luma and both chroma planes of the band, without gaps between the lines.
    pub planes: [&'a mut [u8]; 3],
    /// Whole planes of the caller to read instead.
    pub unread: Option<[InputPlane<'a>; 3]>,
}

/// Scratch buffers for a band.
#[derive(Debug)]
pub(crate) struct Scratch {
    line: Line,
    /// Copies of 8-bit lines that are overwritten before they are read for the last time: two of
    /// luma, both components of chroma.
    bytes: [Vec<u8>; 4],
}

impl Scratch {
    /// Buffers for lines of `width` pixels.
    pub fn new(width: usize) -> Result<Scratch, OutOfMemory> {
        // Whole groups of pixels that share chroma; surplus pixels repeat the last one.
        Ok(Scratch { line: Line::new(width.next_multiple_of(4))?, bytes: zeroed_rows(width)? })
    }
}

/// A line of the caller's plane if there is one, else the frame's own line.
fn read<'a>(unread: Option<InputPlane<'a>>, line: usize, own: &'a [u8]) -> &'a [u8] {
    unread.map_or(own, |plane| &plane.data[line * plane.stride..][..own.len()])
}

/// The same line, valid while the frame's own line is overwritten: `scratch` holds a copy of it.
fn keep<'a>(unread: Option<InputPlane<'a>>, line: usize, own: &[u8], scratch: &'a mut [u8]) -> &'a [u8] {
    match unread {
        Some(_) => read(unread, line, &scratch[..own.len()]),
        None => {
            scratch[..own.len()].copy_from_slice(own);
            &scratch[..own.len()]
        }
    }
}

impl Pipe {
    /// Runs the pipe on a band and counts its luma.
    pub fn band(&self, kernels: &Kernels, band: Band, scratch: &mut Scratch, tally: Option<&mut Tally>) {
        match &self.convert {
            Some(convert) if band.sampling == Sampling::C420 && self.only_converts() => {
                convert_band(kernels, convert, band, scratch, tally);
            }
            None if self.skin_factor.is_none() => self.separate(kernels, band, scratch, tally),
            _ => self.joint(kernels, band, scratch, tally),
        }
    }

    /// Whether the conversion of the colour space is the only stage.
    fn only_converts(&self) -> bool {
        self.skin_factor.is_none() && self.curve.is_none() && self.total.is_none() && self.amplify.is_none()
    }

    /// Processes luma and chroma together, pixel by pixel.
    fn joint(&self, kernels: &Kernels, band: Band, scratch: &mut Scratch, mut tally: Option<&mut Tally>) {
        let Band { sampling, width, top, planes: [y, u, v], unread } = band;
        let line = &mut scratch.line;
        let chroma_width = sampling.chroma_width(width);
        let step = if sampling == Sampling::C420 { 2 } else { 1 };
        for (pair, lines) in y.chunks_mut(step * width).enumerate() {
            let chroma = pair * chroma_width..(pair + 1) * chroma_width;
            // The lower line first: the chroma of the upper line overwrites the chroma that both
            // read.
            for (below, y) in lines.chunks_exact_mut(width).enumerate().rev() {
                let number = top + pair * step + below;
                let stores_chroma = below == 0 && sampling != Sampling::Mono;
                (kernels.unpack)(&mut line.yuv[0][..width], read(unread.map(|planes| planes[0]), number, y));
                let last = line.yuv[0][width - 1];
                line.yuv[0][width..].fill(last);
                if sampling == Sampling::Mono {
                    line.yuv[1..].iter_mut().for_each(|samples| samples.fill(GRAY));
                } else {
                    let from = |index: usize| unread.map(|planes| planes[index]);
                    unpack(kernels, sampling, &mut line.yuv[1], read(from(1), number / step, &u[chroma.clone()]));
                    unpack(kernels, sampling, &mut line.yuv[2], read(from(2), number / step, &v[chroma.clone()]));
                }
                let counted = tally.as_deref_mut().map(|tally| (tally, number, width));
                self.line(kernels, line, stores_chroma, counted);
                (kernels.pack)(y, &line.yuv[0][..width]);
                if stores_chroma {
                    pack(kernels, sampling, &mut u[chroma.clone()], &line.yuv[1]);
                    pack(kernels, sampling, &mut v[chroma.clone()], &line.yuv[2]);
                }
            }
        }
    }

    /// Processes luma and chroma separately. Without conversion and skin tones, chroma does not
    /// depend on luma, so that pixels that share chroma still share it afterwards.
    fn separate(&self, kernels: &Kernels, band: Band, scratch: &mut Scratch, mut tally: Option<&mut Tally>) {
        let Band { sampling, width, top, planes: [y, u, v], unread } = band;
        let Scratch { line, bytes: [first, second, ..] } = scratch;
        for (number, y) in y.chunks_exact_mut(width).enumerate() {
            let number = top + number;
            let source = keep(unread.map(|planes| planes[0]), number, y, first);
            if let Some(tally) = &mut tally {
                tally.count(number, source, |y| y);
            }
            match (&self.curve, self.amplify) {
                (Some(_), _) => {
                    (kernels.unpack)(&mut line.yuv[0][..width], source);
                    self.luma(kernels, line);
                    (kernels.pack)(y, &line.yuv[0][..width]);
                }
                (None, Some((contrast, [brightness, ..]))) => (kernels.amplify_luma_bytes)(y, source, contrast, brightness),
                (None, None) => y.copy_from_slice(source),
            }
        }
        let width = sampling.chroma_width(width);
        if width == 0 {
            return;
        }
        let top = if sampling == Sampling::C420 { top / 2 } else { top };
        for (number, (u, v)) in u.chunks_exact_mut(width).zip(v.chunks_exact_mut(width)).enumerate() {
            let from = |index: usize| unread.map(|planes| planes[index]);
            let sources = [keep(from(1), top + number, u, first), keep(from(2), top + number, v, second)];
            match (&self.total, self.amplify) {
                (Some(_), _) => {
                    (kernels.unpack)(&mut line.yuv[1][..width], sources[0]);
                    (kernels.unpack)(&mut line.yuv[2][..width], sources[1]);
                    self.chroma(kernels, line);
                    (kernels.pack)(u, &line.yuv[1][..width]);
                    (kernels.pack)(v, &line.yuv[2][..width]);
                }
                (None, Some((_, [_, cos, sin]))) => (kernels.amplify_chroma_bytes)(&mut [u, v], sources, cos, sin),
                (None, None) => {
                    u.copy_from_slice(sources[0]);
                    v.copy_from_slice(sources[1]);
                }
            }
        }
    }
}

/// Converts the colour space of 4:2:0, where the chroma of one pixel of four is stored.
fn convert_band(kernels: &Kernels, convert: &[Conversion; 3], band: Band, scratch: &mut Scratch, mut tally: Option<&mut Tally>) {
    let Band { width, top, planes: [y, u, v], unread, .. } = band;
    let chroma_width = width.div_ceil(2);
    let [upper, lower, old_u, old_v] = &mut scratch.bytes;
    let chroma = u.chunks_exact_mut(chroma_width).zip(v.chunks_exact_mut(chroma_width));
    for (pair, (lines, (u, v))) in y.chunks_mut(2 * width).zip(chroma).enumerate() {
        let from = |index: usize| unread.map(|planes| planes[index]);
        let old = [keep(from(1), top / 2 + pair, u, old_u), keep(from(2), top / 2 + pair, v, old_v)];
        let mut luma = |number: usize, y: &mut [u8], scratch| {
            let source = keep(from(0), number, y, scratch);
            if let Some(tally) = &mut tally {
                tally.count(number, source, |y| y);
            }
            (kernels.convert_luma_bytes)(y, source, old, &convert[0]);
            source
        };
        let (first, second) = lines.split_at_mut(width);
        let number = top + 2 * pair;
        let upper = luma(number, first, upper);
        if !second.is_empty() {
            luma(number + 1, second, lower);
        }
        (kernels.convert_chroma_bytes)(&mut [u, v], upper, old, [&convert[1], &convert[2]]);
    }
}

/// Expands a line of chroma so that each pixel has its own.
fn unpack(kernels: &Kernels, sampling: Sampling, dst: &mut [u16], src: &[u8]) {
    match sampling {
        Sampling::C444 | Sampling::Mono => (kernels.unpack)(&mut dst[..src.len()], src),
        Sampling::C420 | Sampling::C422 => (kernels.unpack_pairs)(&mut dst[..2 * src.len()], src),
        Sampling::C411 => dst.chunks_exact_mut(4).zip(src).for_each(|(four, &v)| four.fill((v as u16) << 4)),
    }
}

/// Reduces the chroma of pixels that share it to the samples that are stored.
fn pack(kernels: &Kernels, sampling: Sampling, dst: &mut [u8], src: &[u16]) {
    match sampling {
        Sampling::C444 | Sampling::Mono => (kernels.pack)(dst, &src[..dst.len()]),
        Sampling::C422 => (kernels.pack_422)(dst, &src[..2 * dst.len()]),
        Sampling::C420 => (kernels.pack_420)(dst, &src[..2 * dst.len()]),
        Sampling::C411 => {
            for (out, four) in dst.iter_mut().zip(src.chunks_exact(4)) {
                let pairs = [(four[0] + four[1]) >> 1, (four[2] + four[3]) >> 1];
                *out = ((pairs[0] + pairs[1]) >> 1 >> 4) as u8;
            }
        }
    }
}
