//! The colour pipe on bands of frames: unpacking, repacking, and the chroma of pixels that share
//! it (§6, §9.5).
use super::WhiteBalanceParameters;
use super::counts::Counts;
use super::pipe::{Line, Pipe, RgbLine};
use super::white_balance::GreyPoints;
use crate::format::{Format, Sampling};
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
    /// Whole planes of captured RGB to read instead, 16 bits a sample.
    pub rgb: Option<[&'a [u16]; 3]>,
}

/// A whole frame before the pipe.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a, S> {
    pub format: Format,
    pub planes: [InputPlane<'a, S>; 3],
    /// Planes of captured RGB to read instead, 16 bits a sample.
    pub rgb: Option<[&'a [u16]; 3]>,
}

/// Line `number` of planes of RGB with lines of `width` pixels.
fn rgb_line(rgb: [&[u16]; 3], number: usize, width: usize) -> [&[u16]; 3] {
    rgb.map(|plane| &plane[number * width..][..width])
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
    pub fn new(width: usize, pipe: &Pipe) -> Result<Scratch<S>, OutOfMemory> {
        // Whole groups of pixels that share chroma; surplus pixels repeat the last one.
        Ok(Scratch { line: Line::for_pipe(width.next_multiple_of(4), pipe)?, kept: zeroed_rows(width)? })
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
    pub fn band<S: PlaneSample>(&self, kernels: &Kernels, band: Band<S>, scratch: &mut Scratch<S>, counts: &mut Counts) {
        match &self.convert {
            Some(convert) if band.sampling == Sampling::C420 && self.only_converts() => {
                convert_band(S::kernels(kernels), self.depth, convert, band, scratch, counts.luma.as_mut());
            }
            _ if self.is_joint() => self.joint(kernels, band, scratch, counts),
            _ => self.separate(kernels, band, scratch, counts.luma.as_mut()),
        }
    }

    /// Whether the conversion of the colour space is the only stage.
    fn only_converts(&self) -> bool {
        let has_other = self.curve.is_some() || self.total.is_some() || self.amplify.is_some() || self.rounds;
        self.skin_factor.is_none()
            && !has_other
            && self.wide.is_none()
            && self.compression.is_none()
            && self.local_contrast.is_none()
    }

    /// Processes luma and chroma together, pixel by pixel.
    fn joint<S: PlaneSample>(&self, kernels: &Kernels, band: Band<S>, scratch: &mut Scratch<S>, counts: &mut Counts) {
        let Band { sampling, width, top, planes: [y, u, v], unread, rgb } = band;
        let (line, gate) = (&mut scratch.line, self.gate::<S>(kernels));
        let chroma_width = sampling.chroma_width(width);
        let step = if sampling == Sampling::C420 { 2 } else { 1 };
        for (pair, lines) in y.chunks_mut(step * width).enumerate() {
            let chroma = pair * chroma_width..(pair + 1) * chroma_width;
            // The lower line first: the chroma of the upper line overwrites the chroma that both
            // read.
            for (below, y) in lines.chunks_exact_mut(width).enumerate().rev() {
                let number = top + pair * step + below;
                let stores_chroma = below == 0 && sampling != Sampling::Mono;
                let from = |index: usize| unread.map(|planes| planes[index]);
                let chroma_lines = if sampling == Sampling::Mono {
                    [&[][..]; 2]
                } else {
                    [read(from(1), number / step, &u[chroma.clone()]), read(from(2), number / step, &v[chroma.clone()])]
                };
                match rgb {
                    Some(rgb) => line.load_rgb(rgb_line(rgb, number, width)),
                    None => self.unpack_line(&gate, sampling, line, read(from(0), number, y), chroma_lines),
                }
                self.line(kernels, line, stores_chroma, [number, width], counts);
                gate.pack(y, &mut line.yuv[0][..width]);
                if stores_chroma {
                    gate.pack_chroma(sampling, &mut u[chroma.clone()], &mut line.yuv[1]);
                    gate.pack_chroma(sampling, &mut v[chroma.clone()], &mut line.yuv[2]);
                }
            }
        }
    }

    /// Unpacks a line of samples so that each pixel has its own chroma; surplus pixels repeat the
    /// last one.
    fn unpack_line<S: PlaneSample>(&self, gate: &Gate<S>, sampling: Sampling, line: &mut Line, y: &[S], chroma: [&[S]; 2]) {
        let width = y.len();
        gate.unpack(&mut line.yuv[0][..width], y);
        let last = line.yuv[0][width - 1];
        line.yuv[0][width..].fill(last);
        if sampling == Sampling::Mono {
            line.yuv[1..].iter_mut().for_each(|samples| samples.fill(self.gray()));
        } else {
            gate.unpack_chroma(sampling, &mut line.yuv[1], chroma[0]);
            gate.unpack_chroma(sampling, &mut line.yuv[2], chroma[1]);
        }
    }

    /// Loads line `number` of a frame.
    fn load<S: PlaneSample>(&self, kernels: &Kernels, source: &Source<S>, number: usize, line: &mut Line) {
        let Source { format: Format { width, sampling, .. }, ref planes, rgb } = *source;
        if let Some(rgb) = rgb {
            line.load_rgb(rgb_line(rgb, number, width));
            return self.to_yuv(kernels, line);
        }
        let (chroma_width, step) = (sampling.chroma_width(width), if sampling == Sampling::C420 { 2 } else { 1 });
        let chroma = match sampling {
            Sampling::Mono => [&[][..]; 2],
            _ => [1, 2].map(|index: usize| planes[index].line(number / step, chroma_width)),
        };
        self.unpack_line(&self.gate::<S>(kernels), sampling, line, planes[0].line(number, width), chroma);
    }

    /// Calls `use_luma` with the luma of line `number` before local contrast.
    pub fn luma_before_local_contrast<S: PlaneSample>(
        &self,
        kernels: &Kernels,
        source: &Source<S>,
        number: usize,
        scratch: &mut Scratch<S>,
        use_luma: &mut dyn FnMut(&[u16]),
    ) {
        let line = &mut scratch.line;
        let width = source.format.width;
        if self.is_joint() {
            self.load(kernels, source, number, line);
        } else {
            self.gate::<S>(kernels).unpack(&mut line.yuv[0][..width], source.planes[0].line(number, width));
        }
        self.before_local_contrast(kernels, line);
        use_luma(&line.yuv[0][..width]);
    }

    /// Writes the luma of line `number` before all stages to `out`.
    pub fn write_luma<S: PlaneSample>(
        &self,
        kernels: &Kernels,
        source: &Source<S>,
        number: usize,
        scratch: &mut Scratch<S>,
        out: &mut [S],
    ) {
        self.load(kernels, source, number, &mut scratch.line);
        self.gate::<S>(kernels).pack(out, &mut scratch.line.yuv[0][..source.format.width]);
    }

    /// Counts the grey points of line `number` for the white balance.
    pub fn count_grey<S: PlaneSample>(
        &self,
        kernels: &Kernels,
        source: &Source<S>,
        number: usize,
        scratch: &mut Scratch<S>,
        (parameters, grey): (&WhiteBalanceParameters, &mut GreyPoints),
    ) {
        self.load(kernels, source, number, &mut scratch.line);
        if let Some(RgbLine { yuv, rgb }) = self.to_rgb(kernels, &mut scratch.line) {
            grey.count(parameters, yuv.map(|line| &line[..source.format.width]), rgb, self.bits);
        }
    }

    /// The entry and exit of samples of this type.
    fn gate<'a, S: PlaneSample>(&self, kernels: &'a Kernels) -> Gate<'a, S> {
        Gate { kernels: S::kernels(kernels), depth: self.depth, rounds: self.rounds }
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
        let Band { sampling, width, top, planes: [y, u, v], unread, .. } = band;
        let Scratch { line, kept: [first, second, ..] } = scratch;
        let (gate, samples) = (self.gate::<S>(kernels), S::kernels(kernels));
        // The samples kernels truncate at the exit, and so do not suit stages that round.
        let amplify = self.amplify.filter(|_| !self.rounds);
        for (number, y) in y.chunks_exact_mut(width).enumerate() {
            let number = top + number;
            let source = keep(unread.map(|planes| planes[0]), number, y, first);
            if let Some(tally) = &mut tally {
                tally.count(number, source, eight_bits(self.depth));
            }
            match amplify {
                _ if self.curve.is_some() || self.local_contrast.is_some() || amplify.is_some() != self.amplify.is_some() => {
                    gate.unpack(&mut line.yuv[0][..width], source);
                    self.luma(kernels, line, [number, width]);
                    gate.pack(y, &mut line.yuv[0][..width]);
                }
                Some((contrast, [brightness, ..])) => {
                    (samples.amplify_luma_samples)(y, source, contrast, brightness, self.depth);
                }
                None => y.copy_from_slice(source),
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
            match amplify {
                _ if self.total.is_some() || amplify.is_some() != self.amplify.is_some() => {
                    gate.unpack(&mut line.yuv[1][..width], sources[0]);
                    gate.unpack(&mut line.yuv[2][..width], sources[1]);
                    self.chroma(kernels, line);
                    gate.pack(u, &mut line.yuv[1][..width]);
                    gate.pack(v, &mut line.yuv[2][..width]);
                }
                Some((_, [_, cos, sin])) => {
                    (samples.amplify_chroma_samples)(&mut [u, v], sources, cos, sin, self.depth);
                }
                None => {
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
pub(super) struct Gate<'a, S: 'static> {
    kernels: &'a SampleKernels<S>,
    depth: u8,
    /// Whether samples of 8 bits are rounded at the exit (§13.1).
    rounds: bool,
}

/// Half an 8-bit code value in 12 bits.
const HALF: u16 = 8;

impl<S: PlaneSample> Gate<'_, S> {
    /// The entry of samples whose exit is not used.
    pub fn new(kernels: &Kernels, depth: u8) -> Gate<'_, S> {
        Gate { kernels: S::kernels(kernels), depth, rounds: false }
    }

    fn unpack(&self, dst: &mut [u16], src: &[S]) {
        (self.kernels.unpack)(dst, src, self.depth);
    }

    /// Expands a line of chroma so that each pixel has its own.
    pub fn unpack_chroma(&self, sampling: Sampling, dst: &mut [u16], src: &[S]) {
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

    /// Packs components, whose values are lost.
    fn pack(&self, dst: &mut [S], src: &mut [u16]) {
        if self.rounds {
            src.iter_mut().for_each(|v| *v = (*v + HALF).min(4095));
        }
        (self.kernels.pack)(dst, src, self.depth);
    }

    /// Reduces the chroma of pixels that share it to the samples that are stored. The values of
    /// `src` are lost.
    fn pack_chroma(&self, sampling: Sampling, dst: &mut [S], src: &mut [u16]) {
        let average = |a: u16, b: u16| ((u32::from(a) + u32::from(b)) >> 1) as u16;
        match sampling {
            Sampling::C444 | Sampling::Mono => self.pack(dst, &mut src[..dst.len()]),
            Sampling::C422 if self.rounds => {
                (0..dst.len()).for_each(|index| src[index] = average(src[2 * index], src[2 * index + 1]));
                self.pack(dst, &mut src[..dst.len()]);
            }
            Sampling::C422 => (self.kernels.pack_422)(dst, &src[..2 * dst.len()], self.depth),
            Sampling::C420 if self.rounds => {
                (0..dst.len()).for_each(|index| src[index] = src[2 * index]);
                self.pack(dst, &mut src[..dst.len()]);
            }
            Sampling::C420 => (self.kernels.pack_420)(dst, &src[..2 * dst.len()], self.depth),
            Sampling::C411 => {
                for index in 0..dst.len() {
                    let pairs = [average(src[4 * index], src[4 * index + 1]), average(src[4 * index + 2], src[4 * index + 3])];
                    src[index] = average(pairs[0], pairs[1]);
                }
                self.pack(dst, &mut src[..dst.len()]);
            }
        }
    }
}
