//! The stages of the pipeline on the window of a block.
use super::block::BlockContext;
use super::scratch::Buffers;
use super::surfaces::Surfaces;
use super::window;
use crate::deinterlace::Current;
use crate::deinterlace::chroma::{self, Store, Woven};
use crate::deinterlace::{self, Output, PixelSources, Role};
use crate::format::{Rect, Sampling};
use crate::plane::BandMut;
use crate::{denoise, fmd, noise};

impl BlockContext<'_> {
    /// Reads the window of all surfaces.
    pub fn read(&self, buffers: &mut Buffers) {
        let (memory, window, Surfaces { current, previous, clean, statistics }) =
            (self.context.memory, self.window, self.surfaces);
        window::read(memory, &current.components[0], window, &mut buffers.original);
        if let Some(picture) = clean.as_ref().or(previous.as_ref()) {
            window::read(memory, &picture.components[0], window, &mut buffers.previous);
        }
        if self.needs_chroma() {
            for (picture, planes) in [Some(current), previous.as_ref()].into_iter().flatten().zip(&mut buffers.chroma) {
                for (component, plane) in picture.components[1..].iter().zip(planes) {
                    let width = picture.components[0].width;
                    window::read_chroma(memory, component, picture.sampling, window, width, plane);
                }
            }
        }
        let Some(statistics) = statistics else { return };
        let Rect { x, y, width, height } = window;
        if self.control.di_enable {
            buffers.stored.reshape(width, height);
            let mut target = buffers.stored.target();
            for line in 0..height {
                statistics.components[0].read(memory, x / 2, y + line, target.line(line, 0, width.div_ceil(2)));
            }
        }
        if self.control.dn_enable {
            let blocks = self.blocks();
            buffers.history[0].resize(blocks * height.div_ceil(4), 0);
            for (row, history) in buffers.history[0].chunks_exact_mut(blocks).enumerate() {
                statistics.components[0].read(memory, statistics.pitch / 2 + x / 4, y / 4 + row, history);
            }
        }
    }

    /// Whether chroma is deinterlaced, or part of the response.
    fn needs_chroma(&self) -> bool {
        self.control.di_enable || self.surfaces.current.sampling == Sampling::C422
    }

    /// Denoises the window.
    pub fn denoise(&self, buffers: &mut Buffers) {
        let Rect { width, height, .. } = self.window;
        let blocks = self.blocks();
        buffers.denoised.reshape(width, height);
        let [old, new] = &mut buffers.history;
        new.resize(blocks * height.div_ceil(4), 0);
        let input = denoise::Input {
            kernels: self.context.kernels,
            thresholds: &self.parameters.denoise.thresholds(8),
            step: self.line_step(),
            current: self.lines(&buffers.original),
            previous: self.surfaces.clean.is_some().then(|| (self.lines(&buffers.previous), old.as_slice())),
            blocks,
            weights: None,
        };
        let mut out = buffers.denoised.target();
        let rect = Rect { x: 0, y: 0, width, height };
        denoise::tile(&input, rect, &mut out, &mut BandMut::new(new, blocks, 0), &mut buffers.line);
        out.replicate();
    }

    /// Makes both outputs of the block. Returns its film mode variances and the pixel sources of
    /// the outputs.
    pub fn deinterlace(&self, buffers: &mut Buffers) -> ([u64; 11], [PixelSources; 2]) {
        let Buffers { original, denoised, previous, chroma, stored, luma, colors, measure, fmd, deinterlace, .. } = buffers;
        let (denoise, top_first, first) = (self.control.dn_enable, self.control.top_first, self.control.first_frame);
        let current = if denoise { &*denoised } else { &*original };
        let (window, inner, parameters) = (self.window, self.inner, self.parameters);
        let [prev2, cur1] = luma.each_mut().map(|lines| BandMut::new(lines, window.width, inner.y));
        let chroma_width = self.sampling().chroma_size(window.width, 1).0;
        let [[u2, v2], [u1, v1]] =
            colors.each_mut().map(|planes| planes.each_mut().map(|lines| BandMut::new(lines, chroma_width, inner.y)));
        let complete = |role: Role, weave| {
            let (completed, other) = if role == Role::Cur1 { (0, 1) } else { (1, 0) };
            (self.sampling() != Sampling::Mono).then(|| chroma::Input {
                kernels: self.context.kernels,
                mix: parameters.deinterlace.mix(),
                sampling: self.sampling(),
                store: Store::Native,
                width: chroma_width,
                lines: window.height,
                missing: role.missing(top_first),
                completed: &chroma[completed],
                other: (!first).then(|| &chroma[other]),
                weave,
                comb_mask: None,
            })
        };
        let mut variances = [0; 11];
        let input = fmd::Input {
            kernels: self.context.kernels,
            parameters: &parameters.fmd,
            size: (window.width, window.height),
            current: current.fields(),
            previous: (!first).then(|| previous.fields()),
        };
        fmd::tile(&input, inner, fmd, &mut variances);
        if first {
            let input = deinterlace::Spatial {
                kernels: self.context.kernels,
                parameters: &parameters.deinterlace,
                pairs: window.width.div_ceil(2),
                missing: Role::Cur1.missing(top_first),
                field: current.fields().into(),
                weave: false,
                chroma: complete(Role::Cur1, None),
            };
            let (mut luma, mut chroma) = (cur1, [u1, v1]);
            deinterlace::spatial_tile(&input, inner, &mut luma, &mut chroma, deinterlace);
            measure.fill(255);
            let (pixels, pairs) = (inner.width * inner.height / 2, (inner.width.div_ceil(2) * inner.height / 2) as u64);
            let sources = PixelSources { pairs, stmm_sum: 255 * pairs, ..PixelSources::of(pixels as u64, false) };
            return (variances, [PixelSources::default(), sources]);
        }
        let matches = [self.control.prev2, self.control.cur1];
        let weave = |role: Role| Woven::of(matches[role as usize], role);
        let chroma = [complete(Role::Prev2, weave(Role::Prev2)), complete(Role::Cur1, weave(Role::Cur1))];
        let compensation = self.context.compensation;
        let input = deinterlace::Input {
            kernels: self.context.kernels,
            parameters: &parameters.deinterlace,
            compensation: compensation.mcdi_enable.then_some(compensation),
            pairs: window.width.div_ceil(2),
            current: Current {
                denoised: current.fields().into(),
                original: denoise.then(|| original.fields().into()),
                top_first,
            },
            previous: previous.fields().into(),
            stored,
            matches,
            comb_masks: [None; 2],
            wanted: [true; 2],
            counts: true,
            chroma: chroma[0].zip(chroma[1]).map(Into::into),
        };
        let measure = BandMut::new(measure, window.width.div_ceil(2), inner.y);
        let mut output = Output { luma: [prev2, cur1], chroma: [[u2, v2], [u1, v1]], measure };
        (variances, deinterlace::tile(&input, inner, &mut output, deinterlace))
    }

    /// The noise estimate of the block (§2.5); 255 if no pixel qualifies.
    pub fn estimate_noise(&self, buffers: &mut Buffers) -> u8 {
        let input = noise::Input {
            kernels: self.context.kernels,
            parameters: &self.parameters.noise,
            depth: 8,
            step: self.line_step(),
            lines: if self.control.di_enable { 4 } else { 8 },
            current: self.lines(&buffers.original),
            size: (self.inner.width, self.inner.height),
            all: true,
            sampled: false,
        };
        let sums = noise::tile(&input, self.inner, &mut buffers.line).all;
        if sums.count == 0 { 255 } else { sums.sum as u8 }
    }

    /// Denoise histories of the 4×4 blocks, 0 outside the picture. Only blocks of eight lines have
    /// the second row.
    pub fn history(&self, buffers: &Buffers) -> [[u8; 4]; 2] {
        let Rect { x, y, width, height } = self.inner;
        let blocks = self.blocks();
        let inside = |row: usize, column: usize| {
            self.control.dn_enable && !self.control.first_frame && 4 * row < height && 4 * column < width
        };
        let at = |row: usize, column: usize| buffers.history[1][(y / 4 + row) * blocks + x / 4 + column];
        [0, 1].map(|row| [0, 1, 2, 3].map(|column| if inside(row, column) { at(row, column) } else { 0 }))
    }
}
