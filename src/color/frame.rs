//! The colour pipe on bands of frames: unpacking, repacking, and the chroma of pixels that share
//! it (§6, §9.5).
use super::pipe::{Line, Pipe};
use crate::format::Sampling;
use crate::frame::{InputPlane, PlaneSample};
use crate::luma::Tally;
use crate::memory::{OutOfMemory, zeroed_rows};
use dndi_simd::{Conversion, Kernels, SampleKernels};

/// A band of lines of a frame with their chroma.
pub(crate) struct Band<'a, S> {
    pub sampling: Sampling,
    /// Pixels in a line.
    pub width: usize,
    /// Number of the band's first line; even with 4:2:0.
    pub top: usize,
    /// Luma and both chroma planes of the band, without gaps between the lines.
    pub planes: [&'a mut [S]; 3],
    /// Whole planes of the caller to read instead.
    pub unread: Option<[InputPlane<'a, S>; 3]>,
}

/// Scratch buffers for a band.
#[derive(Debug)]
pub(crate) struct Scratch<S> {
    line: Line,
    /// Copies of lines of samples that are overwritten before they are read for the last time: two
    /// of luma, both components of chroma.
    kept: [Vec<S>; 4],
}

impl<S: PlaneSample> Scratch<S> {
    /// Buffers for lines of `width` pixels.
    pub fn new(width: usize) -> Result<Scratch<S>, OutOfMemory> {
        // Whole groups of pixels that share chroma; surplus pixels repeat the last one.
        Ok(Scratch { line: Line::new(width.next_multiple_of(4))?, kept: zeroed_rows(width)? })
    }
}

/// A line of the caller's plane if there is one, else the frame's own line.
fn read<'a, S: PlaneSample>(unread: Option<InputPlane<'a, S>>, line: usize, own: &'a [S]) -> &'a [S] {
    unread.map_or(own, |plane| plane.line(line, own.len()))
}

/// The same line, valid while the frame's own line is overwritten: `scratch` holds a copy of it.
fn keep<'a, S: PlaneSample>(unread: Option<InputPlane<'a, S>>, line: usize, own: &[S], scratch: &'a mut [S]) -> &'a [S] {
    match unread {
        Some(_) => read(unread, line, &scratch[..own.len()]),
        None => {
            scratch[..own.len()].copy_from_slice(own);
            &scratch[..own.len()]
        }
    }
}

/// The 8 most significant bits of a sample of `depth` bits.
fn eight_bits<S: PlaneSample>(depth: u8) -> impl Fn(S) -> u8 {
    // Words above the range of their depth count as its end.
    move |v| (v.into() >> (depth - 8)).min(255) as u8
}

impl Pipe {
    /// Runs the pipe on a band and counts its luma.
    pub fn band<S: PlaneSample>(&self, kernels: &Kernels, band: Band<S>, scratch: &mut Scratch<S>, tally: Option<&mut Tally>) {
        match &self.convert {
            Some(convert) if band.sampling == Sampling::C420 && self.only_converts() => {
                convert_band(S::kernels(kernels), self.depth, convert, band, scratch, tally);
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
    fn joint<S: PlaneSample>(&self, kernels: &Kernels, band: Band<S>, scratch: &mut Scratch<S>, mut tally: Option<&mut Tally>) {
        let Band { sampling, width, top, planes: [y, u, v], unread } = band;
        let (line, gate) = (&mut scratch.line, Gate::<S>::new(kernels, self.depth));
        let chroma_width = sampling.chroma_width(width);
        let step = if sampling == Sampling::C420 { 2 } else { 1 };
        for (pair, lines) in y.chunks_mut(step * width).enumerate() {
            let chroma = pair * chroma_width..(pair + 1) * chroma_width;
            // The lower line first: the chroma of the upper line overwrites the chroma that both
            // read.
            for (below, y) in lines.chunks_exact_mut(width).enumerate().rev() {
                let number = top + pair * step + below;
                let stores_chroma = below == 0 && sampling != Sampling::Mono;
                gate.unpack(&mut line.yuv[0][..width], read(unread.map(|planes| planes[0]), number, y));
                let last = line.yuv[0][width - 1];
                line.yuv[0][width..].fill(last);
                if sampling == Sampling::Mono {
                    line.yuv[1..].iter_mut().for_each(|samples| samples.fill(self.gray()));
                } else {
                    let from = |index: usize| unread.map(|planes| planes[index]);
                    gate.unpack_chroma(sampling, &mut line.yuv[1], read(from(1), number / step, &u[chroma.clone()]));
                    gate.unpack_chroma(sampling, &mut line.yuv[2], read(from(2), number / step, &v[chroma.clone()]));
                }
                let counted = tally.as_deref_mut().map(|tally| (tally, number, width));
                self.line(kernels, line, stores_chroma, counted);
                gate.pack(y, &line.yuv[0][..width]);
                if stores_chroma {
                    gate.pack_chroma(sampling, &mut u[chroma.clone()], &mut line.yuv[1]);
                    gate.pack_chroma(sampling, &mut v[chroma.clone()], &mut line.yuv[2]);
                }
            }
        }
    }

    /// Processes luma and chroma separately. Without conversion and skin tones, chroma does not
    /// depend on luma, so that pixels that share chroma still share it afterwards.
    fn separate<S: PlaneSample>(
        &self,
        kernels: &Kernels,
        band: Band<S>,
        scratch: &mut Scratch<S>,
        mut tally: Option<&mut Tally>,
    ) {
        let Band { sampling, width, top, planes: [y, u, v], unread } = band;
        let Scratch { line, kept: [first, second, ..] } = scratch;
        let (gate, samples) = (Gate::<S>::new(kernels, self.depth), S::kernels(kernels));
        for (number, y) in y.chunks_exact_mut(width).enumerate() {
            let number = top + number;
            let source = keep(unread.map(|planes| planes[0]), number, y, first);
            if let Some(tally) = &mut tally {
                tally.count(number, source, eight_bits(self.depth));
            }
            match (&self.curve, self.amplify) {
                (Some(_), _) => {
                    gate.unpack(&mut line.yuv[0][..width], source);
                    self.luma(kernels, line);
                    gate.pack(y, &line.yuv[0][..width]);
                }
                (None, Some((contrast, [brightness, ..]))) => {
                    (samples.amplify_luma_samples)(y, source, contrast, brightness, self.depth);
                }
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
                    gate.unpack(&mut line.yuv[1][..width], sources[0]);
                    gate.unpack(&mut line.yuv[2][..width], sources[1]);
                    self.chroma(kernels, line);
                    gate.pack(u, &line.yuv[1][..width]);
                    gate.pack(v, &line.yuv[2][..width]);
                }
                (None, Some((_, [_, cos, sin]))) => {
                    (samples.amplify_chroma_samples)(&mut [u, v], sources, cos, sin, self.depth);
                }
                (None, None) => {
                    u.copy_from_slice(sources[0]);
                    v.copy_from_slice(sources[1]);
                }
            }
        }
    }
}

/// Converts the colour space of 4:2:0, where the chroma of one pixel of four is stored.
fn convert_band<S: PlaneSample>(
    kernels: &SampleKernels<S>,
    depth: u8,
    convert: &[Conversion; 3],
    band: Band<S>,
    scratch: &mut Scratch<S>,
    mut tally: Option<&mut Tally>,
) {
    let Band { width, top, planes: [y, u, v], unread, .. } = band;
    let chroma_width = width.div_ceil(2);
    let [upper, lower, old_u, old_v] = &mut scratch.kept;
    let chroma = u.chunks_exact_mut(chroma_width).zip(v.chunks_exact_mut(chroma_width));
    for (pair, (lines, (u, v))) in y.chunks_mut(2 * width).zip(chroma).enumerate() {
        let from = |index: usize| unread.map(|planes| planes[index]);
        let old = [keep(from(1), top / 2 + pair, u, old_u), keep(from(2), top / 2 + pair, v, old_v)];
        let mut luma = |number: usize, y: &mut [S], scratch| {
            let source = keep(from(0), number, y, scratch);
            if let Some(tally) = &mut tally {
                tally.count(number, source, eight_bits(depth));
            }
            (kernels.convert_luma_samples)(y, source, old, &convert[0], depth);
            source
        };
        let (first, second) = lines.split_at_mut(width);
        let number = top + 2 * pair;
        let upper = luma(number, first, upper);
        if !second.is_empty() {
            luma(number + 1, second, lower);
        }
        (kernels.convert_chroma_samples)(&mut [u, v], upper, old, [&convert[1], &convert[2]], depth);
    }
}

/// The entry of samples into the pipe, and their exit.
struct Gate<'a, S: 'static> {
    kernels: &'a SampleKernels<S>,
    depth: u8,
}

impl<S: PlaneSample> Gate<'_, S> {
    fn new(kernels: &Kernels, depth: u8) -> Gate<'_, S> {
        Gate { kernels: S::kernels(kernels), depth }
    }

    fn unpack(&self, dst: &mut [u16], src: &[S]) {
        (self.kernels.unpack)(dst, src, self.depth);
    }

    /// Expands a line of chroma so that each pixel has its own.
    fn unpack_chroma(&self, sampling: Sampling, dst: &mut [u16], src: &[S]) {
        match sampling {
            Sampling::C444 | Sampling::Mono => self.unpack(&mut dst[..src.len()], src),
            Sampling::C420 | Sampling::C422 => (self.kernels.unpack_pairs)(&mut dst[..2 * src.len()], src, self.depth),
            Sampling::C411 => {
                self.unpack(&mut dst[..src.len()], src);
                for index in (0..src.len()).rev() {
                    let v = dst[index];
                    dst[4 * index..][..4].fill(v);
                }
            }
        }
    }

    fn pack(&self, dst: &mut [S], src: &[u16]) {
        (self.kernels.pack)(dst, src, self.depth);
    }

    /// Reduces the chroma of pixels that share it to the samples that are stored. The values of
    /// `src` are lost.
    fn pack_chroma(&self, sampling: Sampling, dst: &mut [S], src: &mut [u16]) {
        match sampling {
            Sampling::C444 | Sampling::Mono => self.pack(dst, &src[..dst.len()]),
            Sampling::C422 => (self.kernels.pack_422)(dst, &src[..2 * dst.len()], self.depth),
            Sampling::C420 => (self.kernels.pack_420)(dst, &src[..2 * dst.len()], self.depth),
            Sampling::C411 => {
                let average = |a: u16, b: u16| ((u32::from(a) + u32::from(b)) >> 1) as u16;
                for index in 0..dst.len() {
                    let pairs = [average(src[4 * index], src[4 * index + 1]), average(src[4 * index + 2], src[4 * index + 3])];
                    src[index] = average(pairs[0], pairs[1]);
                }
                self.pack(dst, &src[..dst.len()]);
            }
        }
    }
}
