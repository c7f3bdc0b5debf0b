//! Denoise filters of the luma and of the chroma planes: what each keeps from step to step, and what it goes by (§2).
use super::rooms::Rooms;
use super::step::{Scratch, Tiling, Work};
use crate::denoise::automatic::{self, Automatic, Situation};
use crate::denoise::curve::{ALL, Share};
use crate::denoise::outline::Outline;
use crate::denoise::strength::{Denoise, Strength};
use crate::denoise::{self, DenoiseParameters};
use crate::noise::{self, Estimate, Sums};
use crate::surface::{Surface, Target};
use rayon::prelude::*;

/// Planes that are denoised alike: the luma, or Cb and Cr.
#[derive(Debug)]
pub(super) struct Denoising {
    planes: Vec<Plane>,
    /// What the next step goes by, or this one while it is made.
    automatic: Automatic,
    /// What the last step worked with.
    strength: Strength,
    /// What the last step went by, if that was found automatically.
    pub situation: Option<Situation>,
    /// The noise of all blocks of the last step, if that was asked for.
    pub noise: Sums,
}

/// What is kept of a plane.
#[derive(Debug)]
struct Plane {
    size: (usize, usize),
    /// Of the current frame, before it is denoised.
    original: Surface,
    /// Of the previous step and of this one, one value for each 4×4 block.
    history: [Vec<u8>; 2],
}

impl Plane {
    fn new(size: (usize, usize)) -> Plane {
        let history = || vec![0; size.0.div_ceil(4) * size.1.div_ceil(4)];
        Plane { size, original: Surface::new(size.0, size.1), history: [history(), history()] }
    }

    fn filter(&mut self, place: Place, parameters: &DenoiseParameters, previous: Option<&Surface>, out: &mut Surface) {
        let Place { work, tiling, rooms } = place;
        let [old, new] = &mut self.history;
        let blocks = self.size.0.div_ceil(4);
        let input = denoise::Input {
            kernels: work.kernels,
            parameters,
            step: work.line_step(),
            current: work.lines(&self.original),
            previous: previous.map(|previous| (work.lines(previous), old.as_slice())),
            blocks,
        };
        let block_rows = tiling.lines / 4;
        let bands = (out.bands_mut(tiling.lines), new.par_chunks_mut(blocks * block_rows));
        bands.into_par_iter().enumerate().for_each(|(band, (mut out, history))| {
            let line = &mut rooms.enter().line;
            let mut history = Target::new(history, blocks, band * block_rows);
            for rect in tiling.tiles(band, self.size) {
                denoise::tile(&input, rect, &mut out, &mut history, line);
            }
            out.replicate();
        });
    }
}

/// Where a step is made.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub work: Work<'a>,
    pub tiling: Tiling,
    pub rooms: &'a Rooms<Scratch>,
}

impl Place<'_> {
    /// The noise of a plane: of all its blocks, of sampled ones.
    pub fn estimate_noise(self, plane: &Surface, size: (usize, usize), all: bool, sampled: bool) -> Estimate {
        let Place { work, tiling, rooms } = self;
        let input = noise::Input {
            kernels: work.kernels,
            parameters: &work.settings.parameters.noise,
            step: work.line_step(),
            lines: work.noise_lines(),
            current: work.lines(plane),
            size,
            all,
            sampled,
        };
        let bands = (0..tiling.bands(size)).into_par_iter().map(|band| {
            let line = &mut rooms.enter().line;
            let mut estimate = Estimate::default();
            for rect in tiling.tiles(band, size) {
                estimate += noise::tile(&input, rect, line);
            }
            estimate
        });
        bands.reduce(Estimate::default, |mut a, b| {
            a += b;
            a
        })
    }
}

impl Denoising {
    /// For planes of these sizes.
    pub fn new(sizes: &[(usize, usize)]) -> Denoising {
        let planes = sizes.iter().map(|&size| Plane::new(size)).collect();
        let (strength, noise) = (Strength::default(), Sums::default());
        Denoising { planes, automatic: Automatic::default(), strength, situation: None, noise }
    }

    /// The surfaces for the planes before they are denoised.
    pub fn originals(&mut self) -> impl Iterator<Item = &mut Surface> {
        self.planes.iter_mut().map(|plane| &mut plane.original)
    }

    /// The first plane before it was denoised; none where nothing is.
    pub fn original(&self) -> Option<&Surface> {
        self.planes.first().map(|plane| &plane.original)
    }

    /// What the last step worked with; none where nothing is denoised.
    pub fn strength(&self) -> Option<Strength> {
        (!self.planes.is_empty()).then(|| self.strength.clone())
    }

    /// The first plane's motion history as the step that ended last wrote it; empty where nothing is denoised.
    pub fn last_history(&self) -> &[u8] {
        self.planes.first().map_or(&[], |plane| &plane.history[0])
    }

    /// The first plane's motion history as this step wrote it; empty where nothing is denoised.
    pub fn history(&self) -> &[u8] {
        self.planes.first().map_or(&[], |plane| &plane.history[1])
    }

    /// Denoises the originals into `out`, a surface for each. `previous` are the clean planes of the frame before; none on the first step.
    /// `all` asks for the noise of all blocks.
    pub fn run(
        &mut self,
        place: Place,
        (how, given): (Denoise, &DenoiseParameters),
        previous: Option<&[Surface]>,
        out: &mut [Surface],
        all: bool,
    ) {
        let (work, automatic) = (place.work, how == Denoise::Auto);
        let mut noise = Estimate::default();
        if automatic || all {
            for plane in &self.planes {
                noise += place.estimate_noise(&plane.original, plane.size, all, automatic);
            }
        }
        self.noise = noise.all;
        let seen = automatic::noise(&noise.sampled, work.noise_lines());
        if automatic {
            let planes = self.planes.iter().map(|plane| (plane.original.frame(), plane.size));
            self.automatic.look(previous.is_none(), seen, Outline::of(planes, work.first_line()));
        }
        self.strength = Strength::new(how, given, work.line_step() == 2, &self.automatic);
        self.situation = automatic.then_some(self.automatic.situation);
        for (index, (plane, out)) in self.planes.iter_mut().zip(out).enumerate() {
            plane.filter(place, &self.strength.parameters, previous.map(|previous| &previous[index]), out);
        }
        if automatic {
            self.automatic.follow(seen, self.motion());
        }
    }

    /// The share of the blocks that this step found moving.
    fn motion(&self) -> Share {
        let blocks = self.planes.iter().map(|plane| plane.history[1].len() as u64).sum::<u64>();
        let moving = self.planes.iter().map(|plane| moving(&plane.history[1])).sum::<u64>();
        (moving * ALL as u64 / blocks.max(1)) as Share
    }

    /// What this step wrote is what the next one reads.
    pub fn end_step(&mut self) {
        self.planes.iter_mut().for_each(|plane| plane.history.swap(0, 1));
    }
}

/// Blocks with motion.
pub(super) fn moving(history: &[u8]) -> u64 {
    history.chunks(1 << 16).map(|values| values.iter().map(|&h| (h < 128) as u32).sum::<u32>() as u64).sum()
}
