//! One step of a stream: what is kept from frame to frame, and the stages on bands of lines.
use super::field::{Completion, luma_bands};
use super::picture::Picture;
use super::statistics::Statistics;
use super::{Builder, Cadence, Scan};
use crate::deinterlace::chroma::{self, Woven};
use crate::deinterlace::motion::Current;
use crate::deinterlace::{self, ROLES, Role};
use crate::frame::{Format, Frame, PlaneRef};
use crate::surface::{PairPlane, Rect, Surface, Target, View};
use crate::{denoise, film};
use dndi_simd::Kernels;
use rayon::prelude::*;

/// How the picture is cut into tiles. It changes no bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiling {
    /// Lines of a band, which one thread works on; a multiple of 8.
    pub lines: usize,
    /// Pixels of a tile's lines; a multiple of 16.
    pub columns: usize,
}

const TILING: Tiling = Tiling { lines: 32, columns: 8192 };

/// Room for the tiles of a band.
#[derive(Debug)]
pub(super) struct Scratch {
    pub line: Vec<u8>,
    pub film: film::Scratch,
    pub deinterlace: deinterlace::Scratch,
    pub chroma: chroma::Scratch,
}

/// What is kept from step to step.
#[derive(Debug)]
pub(super) struct State {
    pub tiling: Tiling,
    pub current: Picture,
    pub previous: Picture,
    /// Motion history of the previous step and of this one.
    pub history: [Vec<u8>; 2],
    /// Motion measure of the previous step and of this one.
    pub measure: [PairPlane; 2],
    angles: PairPlane,
    pub scratch: Vec<Scratch>,
}

/// What all parts of a step know.
#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    pub settings: &'a Builder,
    pub kernels: &'static Kernels,
}

impl Work<'_> {
    pub fn size(&self) -> (usize, usize) {
        (self.settings.format.width, self.settings.format.height)
    }

    pub fn pairs(&self) -> usize {
        self.settings.format.width.div_ceil(2)
    }

    pub fn top_first(&self) -> bool {
        self.settings.scan == Scan::TopFirst
    }

    /// Lines as the denoise filter reads them, and the distance from one to the next (§1.2, §2).
    pub fn lines<'a>(&self, surface: &'a Surface) -> View<'a> {
        if self.settings.scan == Scan::Progressive { surface.frame() } else { surface.fields() }
    }

    pub fn line_step(&self) -> isize {
        if self.settings.scan == Scan::Progressive { 1 } else { 2 }
    }
}

impl Tiling {
    /// The tiles of a band.
    pub fn tiles(self, band: usize, (width, height): (usize, usize)) -> impl Iterator<Item = Rect> {
        let y = band * self.lines;
        let height = self.lines.min(height - y);
        (0..width).step_by(self.columns).map(move |x| Rect { x, y, width: self.columns.min(width - x), height })
    }
}

impl State {
    pub fn new(settings: &Builder) -> State {
        State::tiled(settings, TILING)
    }

    pub fn tiled(settings: &Builder, tiling: Tiling) -> State {
        let Format { width, height, .. } = settings.format;
        let blocks = if settings.denoise { width.div_ceil(4) * height.div_ceil(4) } else { 0 };
        let pairs = || if settings.deinterlace { PairPlane::new(width, height) } else { PairPlane::default() };
        let scratch = |_| {
            let (field, lines) = if settings.deinterlace { (width.min(tiling.columns), tiling.lines) } else { (0, 0) };
            Scratch {
                line: vec![0; width.min(tiling.columns)],
                film: film::Scratch::new(field, lines),
                deinterlace: deinterlace::Scratch::new(field),
                chroma: chroma::Scratch::new(field),
            }
        };
        State {
            tiling,
            current: Picture::new(settings),
            previous: Picture::new(settings),
            history: [vec![0; blocks], vec![0; blocks]],
            measure: [pairs(), pairs()],
            angles: pairs(),
            scratch: (0..height.div_ceil(tiling.lines)).map(scratch).collect(),
        }
    }

    /// Takes frame `number` and makes the frames prev2 and cur1; on the first step and with deinterlacing off cur1 alone. Returns the
    /// step's statistics, unless they are off.
    pub fn step(
        &mut self,
        work: Work,
        number: u64,
        planes: &[PlaneRef; 3],
        cadence: Cadence,
        frames: &mut [Frame; 2],
    ) -> Option<Statistics> {
        let first = number == 0;
        self.current.import(work.settings, planes);
        if work.settings.denoise {
            self.denoise(work, first);
        }
        if work.settings.deinterlace {
            if first {
                self.measure[1].fill(255);
                let field = Completion { role: Role::Cur1, completed: &self.current, temporal: None, weave: None };
                let frame = &mut frames[Role::Cur1 as usize];
                field.spatial(work, self.tiling, &mut self.scratch, &mut self.angles, frame);
            } else {
                self.deinterlace(work, cadence, frames);
            }
        } else {
            self.pass(work, planes, &mut frames[Role::Cur1 as usize]);
        }
        let statistics = work.settings.statistics.then(|| self.statistics(work, number));
        std::mem::swap(&mut self.current, &mut self.previous);
        self.history.swap(0, 1);
        self.measure.swap(0, 1);
        statistics
    }

    /// Makes the last frame: the 2nd field of the frame that the last step took.
    pub fn last(&mut self, work: Work, weave: bool, frame: &mut Frame) {
        let weave = weave.then_some(Woven::Completed);
        let field = Completion { role: Role::Prev2, completed: &self.previous, temporal: None, weave };
        field.spatial(work, self.tiling, &mut self.scratch, &mut self.angles, frame);
    }

    fn denoise(&mut self, work: Work, first: bool) {
        let tiling = self.tiling;
        let [old, new] = &mut self.history;
        let blocks = work.settings.format.width.div_ceil(4);
        let input = denoise::Input {
            kernels: work.kernels,
            parameters: &work.settings.parameters.denoise,
            step: work.line_step(),
            current: work.lines(&self.current.original),
            previous: (!first).then(|| (work.lines(&self.previous.denoised), old.as_slice())),
            blocks,
        };
        let block_rows = tiling.lines / 4;
        let bands =
            (self.scratch.par_iter_mut(), self.current.denoised.bands_mut(tiling.lines), new.par_chunks_mut(blocks * block_rows));
        bands.into_par_iter().enumerate().for_each(|(band, (scratch, mut out, history))| {
            let mut history = Target::new(history, blocks, band * block_rows);
            for rect in tiling.tiles(band, work.size()) {
                denoise::tile(&input, rect, &mut out, &mut history, &mut scratch.line);
            }
            out.replicate();
        });
    }

    /// Both outputs of a step after the first.
    fn deinterlace(&mut self, work: Work, cadence: Cadence, frames: &mut [Frame; 2]) {
        let (tiling, settings) = (self.tiling, work.settings);
        let codes = [cadence.prev2, cadence.cur1];
        let [stored, measure] = &mut self.measure;
        let current = Current {
            denoised: self.current.luma(settings).fields(),
            original: self.current.original.fields(),
            top_first: work.top_first(),
        };
        let compensation = &settings.parameters.compensation;
        let input = deinterlace::Input {
            kernels: work.kernels,
            parameters: &settings.parameters.deinterlace,
            compensation: (compensation.mcdi_enable == 1).then_some(compensation),
            pairs: work.pairs(),
            top_first: work.top_first(),
            current,
            previous: self.previous.luma(settings).fields(),
            stored,
            codes,
        };
        let [prev2, cur1] = &mut *frames;
        let bands = (
            self.scratch.par_iter_mut(),
            luma_bands(prev2, tiling.lines),
            luma_bands(cur1, tiling.lines),
            measure.bands_mut(tiling.lines),
            self.angles.bands_mut(tiling.lines),
        );
        bands.into_par_iter().enumerate().for_each(|(band, (scratch, prev2, cur1, measure, angle))| {
            let mut out = deinterlace::Output { luma: [prev2, cur1], measure, angle };
            for rect in tiling.tiles(band, work.size()) {
                deinterlace::tile(&input, rect, &mut out, &mut scratch.deinterlace);
            }
        });
        for (role, frame) in ROLES.into_iter().zip(frames.iter_mut()) {
            let (completed, other) = match role {
                Role::Prev2 => (&self.previous, &self.current),
                Role::Cur1 => (&self.current, &self.previous),
            };
            let weave = Woven::of(codes[role as usize], role);
            let temporal = Some((other, &self.measure[1]));
            let field = Completion { role, completed, temporal, weave };
            field.chroma(work, tiling, &mut self.scratch, &self.angles, frame);
        }
    }

    /// A frame that is not deinterlaced: denoised luma, the caller's chroma.
    fn pass(&self, work: Work, planes: &[PlaneRef; 3], frame: &mut Frame) {
        let format = work.settings.format;
        let luma = self.current.luma(work.settings).frame();
        for (index, plane) in frame.planes_mut().into_iter().enumerate().take(format.sampling.planes()) {
            let width = format.plane_size(index).0;
            for (y, line) in plane.chunks_exact_mut(width).enumerate() {
                line.copy_from_slice(match index {
                    0 => luma.line(y as isize, 0, width),
                    _ => &planes[index].data[y * planes[index].stride..][..width],
                });
            }
        }
    }
}
