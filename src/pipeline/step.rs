//! One step of a stream: what is kept from frame to frame, and the stages on bands of lines.
use super::denoising::{Denoising, Place};
use super::picture::Picture;
use super::rooms::Rooms;
use super::statistics::Statistics;
use super::{Builder, Cadence, Scan};
use crate::deinterlace::chroma::{self, Woven};
use crate::deinterlace::motion::Current;
use crate::deinterlace::{self, Code, DeinterlaceParameters, Making, Role};
use crate::denoise::strength::{Strength, softened};
use crate::detect::Torn;
use crate::film;
use crate::frame::{Format, Frame, PlaneRef};
use crate::surface::{LINES, PairPlane, Rect, Surface, View};
use dndi_simd::Kernels;
use rayon::prelude::*;
use std::slice::{from_mut, from_ref};

/// How the picture is cut into tiles. It changes no bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiling {
    /// Lines of a band, which one thread works on; a multiple of 8.
    pub lines: usize,
    /// Pixels of a tile's lines; a multiple of 16.
    pub columns: usize,
}

const TILING: Tiling = Tiling { lines: 32, columns: 8192 };

/// Room for a tile.
#[derive(Debug)]
pub(super) struct Scratch {
    pub line: Vec<u8>,
    pub film: film::Scratch,
    pub deinterlace: deinterlace::Scratch,
}

impl Scratch {
    fn new(settings: &Builder, tiling: Tiling) -> Scratch {
        let width = settings.format.width.min(tiling.columns);
        let (field, lines) = if settings.deinterlace { (width, tiling.lines) } else { (0, 0) };
        Scratch { line: vec![0; width], film: film::Scratch::new(field, lines), deinterlace: deinterlace::Scratch::new(field) }
    }
}

fn add(makings: &mut [Making; 2], more: [Making; 2]) {
    makings.iter_mut().zip(more).for_each(|(making, more)| *making += more);
}

/// What is kept from step to step.
#[derive(Debug)]
pub(super) struct State {
    pub tiling: Tiling,
    pub current: Picture,
    pub previous: Picture,
    /// What denoising keeps, of the luma and of the chroma.
    pub luma: Denoising,
    pub chroma: Denoising,
    /// Motion measure of the previous step and of this one.
    pub measure: [PairPlane; 2],
    pub rooms: Rooms<Scratch>,
    /// What the last step's prev2 and cur1 were made of, if that was counted.
    pub makings: [Making; 2],
}

/// What is woven in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weave<'a> {
    pub cadence: Cadence,
    /// Where prev2 and cur1 are deinterlaced all the same.
    pub torn: Option<&'a [Torn; 2]>,
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

    /// The first line of the field that is the earlier one, or of the frame.
    pub fn first_line(&self) -> usize {
        (self.settings.scan == Scan::BottomFirst) as usize
    }

    /// Lines as the denoise filter reads them, and the distance from one to the next (§1.2, §2).
    pub fn lines<'a>(&self, surface: &'a Surface) -> View<'a> {
        if self.settings.scan == Scan::Progressive { surface.frame() } else { surface.fields() }
    }

    /// What the deinterlacer reads, but for chroma.
    pub fn deinterlacing<'a>(
        &'a self,
        given: &'a DeinterlaceParameters,
        [current, previous]: [&'a Picture; 2],
        original: Option<&'a Surface>,
        stored: &'a PairPlane,
        codes: [Code; 2],
        torn: [Option<&'a Torn>; 2],
    ) -> deinterlace::Input<'a> {
        let compensation = &self.settings.parameters.compensation;
        deinterlace::Input {
            kernels: self.kernels,
            parameters: given,
            compensation: (compensation.mcdi_enable == 1).then_some(compensation),
            pairs: self.pairs(),
            current: Current {
                denoised: current.luma.fields(),
                original: original.map(Surface::fields),
                top_first: self.top_first(),
            },
            previous: previous.luma.fields(),
            stored,
            codes,
            torn,
            counts: self.settings.statistics,
            chroma: None,
        }
    }

    /// Lines of a block of the noise estimate (§2.5).
    pub fn noise_lines(&self) -> usize {
        if self.settings.deinterlace { 4 } else { 8 }
    }

    pub fn line_step(&self) -> isize {
        if self.settings.scan == Scan::Progressive { 1 } else { 2 }
    }
}

impl Tiling {
    /// Bands of a picture.
    pub fn bands(self, (_, height): (usize, usize)) -> usize {
        height.div_ceil(self.lines)
    }

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
        let luma = if settings.denoises() { &[(width, height)][..] } else { &[] };
        let chroma = if settings.denoises_chroma() { [settings.chroma_surface_size(); 2].to_vec() } else { vec![] };
        let pairs = || if settings.deinterlace { PairPlane::new(width, height) } else { PairPlane::default() };
        State {
            tiling,
            current: Picture::new(settings),
            previous: Picture::new(settings),
            luma: Denoising::new(luma),
            chroma: Denoising::new(&chroma),
            measure: [pairs(), pairs()],
            makings: [Making::default(); 2],
            rooms: Rooms::new(tiling.bands((width, height)), || Scratch::new(settings, tiling)),
        }
    }

    /// Takes frame `number` and makes the frames prev2 and cur1; on the first step and with deinterlacing off cur1 alone. Returns the
    /// step's statistics, unless they are off.
    pub fn step(
        &mut self,
        work: Work,
        number: u64,
        planes: &[PlaneRef; 3],
        weave: Weave,
        frames: &mut [Frame; 2],
    ) -> Option<Statistics> {
        let first = number == 0;
        self.import(work, planes, first);
        if work.settings.deinterlace {
            if first {
                self.measure[1].fill(255);
                let missing = work.pairs() * (work.size().1 / 2);
                self.makings[1] = Making::of((work.size().0 * work.size().1 / 2) as u64, false);
                (self.makings[1].pairs, self.makings[1].stmm_sum) = (missing as u64, 255 * missing as u64);
                let frame = &mut frames[Role::Cur1 as usize];
                work.spatial(Role::Cur1, &self.current, false, self.tiling, &self.rooms, frame);
            } else {
                self.deinterlace(work, weave, frames);
            }
        } else {
            self.pass(work, planes, &mut frames[Role::Cur1 as usize]);
        }
        let statistics = work.settings.statistics.then(|| self.statistics(work, number));
        std::mem::swap(&mut self.current, &mut self.previous);
        self.luma.end_step();
        self.chroma.end_step();
        self.measure.swap(0, 1);
        statistics
    }

    /// What the last step denoised luma and chroma with.
    pub fn strengths(&self) -> [Option<Strength>; 2] {
        [&self.luma, &self.chroma].map(Denoising::strength)
    }

    /// Makes the last frame: the 2nd field of the frame that the last step took.
    pub fn last(&self, work: Work, weave: bool, frame: &mut Frame) {
        work.spatial(Role::Prev2, &self.previous, weave, self.tiling, &self.rooms, frame);
    }

    /// Takes the frame's planes, denoised where that is wanted, and its noise, if somebody asks.
    fn import(&mut self, work: Work, planes: &[PlaneRef; 3], first: bool) {
        let State { tiling, rooms, luma, chroma, current, previous, .. } = self;
        let (settings, place) = (work.settings, Place { work, tiling: *tiling, rooms });
        let parameters = &settings.parameters;
        if settings.denoises() {
            luma.originals().for_each(|original| original.import(planes[0]));
            let (out, before) = (from_mut(&mut current.luma), (!first).then_some(from_ref(&previous.luma)));
            luma.run(place, (settings.denoise, &parameters.denoise), before, out, settings.wants_noise());
        } else {
            current.luma.import(planes[0]);
            if settings.wants_noise() {
                luma.noise = place.estimate_noise(&current.luma, work.size(), true, false).all;
            }
        }
        if settings.denoises_chroma() {
            chroma.originals().zip(&planes[1..]).for_each(|(original, plane)| settings.import_chroma(original, plane));
            let before = (!first).then_some(previous.chroma.as_slice());
            chroma.run(place, (settings.denoise_chroma, &parameters.chroma.denoise()), before, &mut current.chroma, false);
        } else if settings.deinterlace {
            current.chroma.iter_mut().zip(&planes[1..]).for_each(|(surface, plane)| settings.import_chroma(surface, plane));
        }
    }

    /// What the last step deinterlaced with.
    pub fn deinterlace_parameters(&self, work: Work) -> DeinterlaceParameters {
        let given = &work.settings.parameters.deinterlace;
        self.luma.situation.map_or_else(|| given.clone(), |situation| softened(given, &situation))
    }

    /// Both outputs of a step after the first.
    fn deinterlace(&mut self, work: Work, weave: Weave, frames: &mut [Frame; 2]) {
        let tiling = self.tiling;
        let codes = [weave.cadence.prev2, weave.cadence.cur1];
        let torn = match weave.torn {
            Some([prev2, cur1]) => [prev2, cur1].map(|torn| Some(torn).filter(|torn| !torn.is_empty())),
            None => [None; 2],
        };
        let parameters = &self.deinterlace_parameters(work);
        let [stored, measure] = &mut self.measure;
        let (current, previous) = (&self.current, &self.previous);
        let chroma = |role: Role, completed, other| {
            let chroma = work.chroma(role, completed, Some(other), Woven::of(codes[role as usize], role), torn[role as usize]);
            chroma.map(|input| chroma::Input { mix: parameters.mix(), ..input })
        };
        let chroma = [chroma(Role::Prev2, previous, current), chroma(Role::Cur1, current, previous)];
        let input = deinterlace::Input {
            chroma: chroma[0].zip(chroma[1]).map(Into::into),
            ..work.deinterlacing(parameters, [current, previous], self.luma.original(), stored, codes, torn)
        };
        let [prev2, cur1] = frames;
        let bands = (work.bands(prev2, tiling), work.bands(cur1, tiling), measure.bands_mut(tiling.lines));
        let makings = bands.into_par_iter().enumerate().map(|(band, (prev2, cur1, measure))| {
            let mut out = deinterlace::Output { luma: [prev2.0, cur1.0], chroma: [prev2.1, cur1.1], measure };
            let scratch = &mut self.rooms.enter().deinterlace;
            let mut makings = [Making::default(); 2];
            for rect in tiling.tiles(band, work.size()) {
                add(&mut makings, deinterlace::tile(&input, rect, &mut out, scratch));
            }
            makings
        });
        self.makings = makings.reduce(Default::default, |mut a, b| {
            add(&mut a, b);
            a
        });
    }

    /// A frame that is not deinterlaced: the planes that were denoised, and the caller's.
    fn pass(&self, work: Work, planes: &[PlaneRef; 3], frame: &mut Frame) {
        let format = work.settings.format;
        let [u, v] = &self.current.chroma;
        let surfaces = [&self.current.luma, u, v].map(Surface::frame);
        for (index, plane) in frame.planes_mut().into_iter().enumerate().take(format.sampling.planes()) {
            let width = format.plane_size(index).0;
            let lines = plane.par_chunks_exact_mut(width).enumerate().with_min_len(LINES);
            lines.for_each(|(y, line)| {
                line.copy_from_slice(if index == 0 || work.settings.denoises_chroma() {
                    surfaces[index].line(y as isize, 0, width)
                } else {
                    &planes[index].data[y * planes[index].stride..][..width]
                });
            });
        }
    }
}
