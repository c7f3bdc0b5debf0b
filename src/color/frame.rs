//! The pipe on bands of frames: unpacking, repacking, and which pixels' chroma leaves (§6).
use super::{GRAY, Line, Pipe};
use crate::frame::Sampling;
use crate::luma::Tally;
use dndi_simd::Kernels;

/// Some lines of a frame with their chroma.
pub(crate) struct Band<'a> {
    pub sampling: Sampling,
    /// Pixels in a line.
    pub width: usize,
    /// First line, even with 4:2:0.
    pub top: usize,
    /// Luma and both chroma planes, lines without gaps.
    pub planes: [&'a mut [u8]; 3],
}

/// Room for a band.
#[derive(Debug)]
pub(crate) struct Room {
    line: Line,
}

impl Room {
    /// For lines of `width` pixels.
    pub fn new(width: usize) -> Room {
        // Whole pairs and groups of pixels that share chroma; what sticks out repeats the last pixel.
        Room { line: Line::new(width.next_multiple_of(4)) }
    }
}

impl Pipe {
    /// Changes a band in place, and counts its luma.
    pub fn band(&self, kernels: &Kernels, band: Band, room: &mut Room, tally: Option<&mut Tally>) {
        if self.is_joint() {
            self.joint(kernels, band, room, tally);
        } else {
            self.apart(kernels, band, room, tally);
        }
    }

    /// Luma and chroma together, pixel by pixel.
    fn joint(&self, kernels: &Kernels, band: Band, room: &mut Room, mut tally: Option<&mut Tally>) {
        let Band { sampling, width, top, planes: [y, u, v] } = band;
        let line = &mut room.line;
        let chroma_width = sampling.chroma_width(width);
        let step = if sampling == Sampling::C420 { 2 } else { 1 };
        for (pair, lines) in y.chunks_mut(step * width).enumerate() {
            // From below: the upper line's chroma leaves in the place of what both read.
            for (below, y) in lines.chunks_exact_mut(width).enumerate().rev() {
                let chroma = pair * chroma_width..(pair + 1) * chroma_width;
                let leaves = below == 0 && sampling != Sampling::Mono;
                (kernels.unpack)(&mut line.yuv[0][..width], y);
                let last = line.yuv[0][width - 1];
                line.yuv[0][width..].fill(last);
                if sampling == Sampling::Mono {
                    line.yuv[1..].iter_mut().for_each(|samples| samples.fill(GRAY));
                } else {
                    unpack(kernels, sampling, &mut line.yuv[1], &u[chroma.clone()]);
                    unpack(kernels, sampling, &mut line.yuv[2], &v[chroma.clone()]);
                }
                let counted = tally.as_deref_mut().map(|tally| (tally, top + pair * step + below, width));
                self.line(kernels, line, leaves, counted);
                (kernels.pack)(y, &line.yuv[0][..width]);
                if leaves {
                    pack(kernels, sampling, &mut u[chroma.clone()], &line.yuv[1]);
                    pack(kernels, sampling, &mut v[chroma], &line.yuv[2]);
                }
            }
        }
    }

    /// Luma alone, then chroma alone: pixels that share chroma keep sharing it, so that one of them speaks for all.
    fn apart(&self, kernels: &Kernels, band: Band, room: &mut Room, mut tally: Option<&mut Tally>) {
        let Band { sampling, width, top, planes: [y, u, v] } = band;
        let line = &mut room.line;
        for (number, y) in y.chunks_exact_mut(width).enumerate() {
            if let Some(tally) = &mut tally {
                tally.count(top + number, y, |y| y);
            }
            if self.curve.is_some() || self.amplify.is_some() {
                (kernels.unpack)(&mut line.yuv[0][..width], y);
                self.luma(kernels, line);
                (kernels.pack)(y, &line.yuv[0][..width]);
            }
        }
        let width = sampling.chroma_width(width).max(1);
        if self.total.is_some() || self.amplify.is_some() {
            for (u, v) in u.chunks_exact_mut(width).zip(v.chunks_exact_mut(width)) {
                (kernels.unpack)(&mut line.yuv[1][..width], u);
                (kernels.unpack)(&mut line.yuv[2][..width], v);
                self.chroma(kernels, line);
                (kernels.pack)(u, &line.yuv[1][..width]);
                (kernels.pack)(v, &line.yuv[2][..width]);
            }
        }
    }
}

/// Gives each pixel chroma of its own.
fn unpack(kernels: &Kernels, sampling: Sampling, dst: &mut [u16], src: &[u8]) {
    match sampling {
        Sampling::C444 | Sampling::Mono => (kernels.unpack)(&mut dst[..src.len()], src),
        Sampling::C420 | Sampling::C422 => (kernels.unpack_pairs)(&mut dst[..2 * src.len()], src),
        Sampling::C411 => dst.chunks_exact_mut(4).zip(src).for_each(|(four, &v)| four.fill((v as u16) << 4)),
    }
}

/// What leaves for the pixels that share chroma.
fn pack(kernels: &Kernels, sampling: Sampling, dst: &mut [u8], src: &[u16]) {
    match sampling {
        Sampling::C444 | Sampling::Mono => (kernels.pack)(dst, &src[..dst.len()]),
        Sampling::C422 => (kernels.pack_pairs)(dst, &src[..2 * dst.len()]),
        Sampling::C420 => (kernels.pack_even)(dst, &src[..2 * dst.len()]),
        Sampling::C411 => {
            for (out, four) in dst.iter_mut().zip(src.chunks_exact(4)) {
                let pairs = [(four[0] + four[1]) >> 1, (four[2] + four[3]) >> 1];
                *out = ((pairs[0] + pairs[1]) >> 1 >> 4) as u8;
            }
        }
    }
}
