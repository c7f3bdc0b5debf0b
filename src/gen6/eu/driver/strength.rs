//! How strongly the next frame is denoised: what software decides from the noise and the motion that the hardware saw (§2.6).
use super::Driver;
use crate::deinterlace::DeinterlaceParameters;
use crate::denoise::automatic::{self, DenoiseController, Noise};
use crate::denoise::curve::{Share10, WHOLE};
use crate::denoise::outline::Thumbnail;
use crate::denoise::strength::{DenoiseMode, DenoiseState, deinterlace_for_noise};
use crate::format::{Rect, Scan};
use crate::frame::PlaneRef;
use crate::noise::{self, Estimate};
use crate::pipeline::{Statistics, StreamBuilder};
use crate::plane::PaddedPlane;
use dndi_simd::Kernels;

/// What is followed from frame to frame.
#[derive(Debug, Default)]
pub(super) struct Guide {
    automatic: DenoiseController,
    strength: DenoiseState,
    /// The luma, as it came.
    luma: PaddedPlane,
}

impl Guide {
    pub fn new(settings: &StreamBuilder) -> Guide {
        let automatic = settings.denoise == DenoiseMode::Auto;
        let luma = if automatic { PaddedPlane::new(settings.format.width, settings.format.height) } else { PaddedPlane::default() };
        Guide { luma, ..Guide::default() }
    }

    /// What the last step denoised with; none where it did not.
    pub fn strength(&self, settings: &StreamBuilder) -> Option<DenoiseState> {
        settings.denoises().then(|| self.strength.clone())
    }
}

impl Driver {
    /// Sets the parameters of this step; tells what noise it sees.
    pub(super) fn guide(&mut self, planes: &[PlaneRef; 3]) -> Option<Noise> {
        let Driver { settings, guide, .. } = self;
        let (fields, automatic) = (settings.scan != Scan::Progressive, settings.denoise == DenoiseMode::Auto);
        let mut seen = None;
        if automatic {
            guide.luma.import(planes[0]);
            seen = noise_of(settings, self.machine.kernels, &guide.luma, fields);
            let (size, first_line) = ((settings.format.width, settings.format.height), settings.scan == Scan::BottomFirst);
            let outline = Thumbnail::of(std::iter::once((guide.luma.frame(), size)), first_line as usize);
            guide.automatic.look(self.steps == 0, seen, outline);
        }
        guide.strength = DenoiseState::new(settings.denoise, &settings.parameters.denoise, fields, &guide.automatic);
        self.parameters.denoise = guide.strength.parameters.clone();
        if settings.deinterlace {
            let given: &DeinterlaceParameters = &settings.parameters.deinterlace;
            self.parameters.deinterlace = if automatic { deinterlace_for_noise(given, &guide.automatic.situation) } else { given.clone() };
        }
        seen
    }

    /// Follows what this step saw.
    pub(super) fn follow(&mut self, seen: Option<Noise>, statistics: &Statistics) {
        if self.settings.denoise == DenoiseMode::Auto {
            let (width, height) = (self.settings.format.width, self.settings.format.height);
            let blocks = (width.div_ceil(4) * height.div_ceil(4)) as u64;
            let motion = (statistics.motion_blocks * WHOLE as u64 / blocks) as Share10;
            self.guide.automatic.follow(seen, motion);
        }
    }
}

fn noise_of(settings: &StreamBuilder, kernels: &Kernels, luma: &PaddedPlane, fields: bool) -> Option<Noise> {
    let (width, height) = (settings.format.width, settings.format.height);
    let input = noise::Input {
        kernels,
        parameters: &settings.parameters.noise,
        step: if fields { 2 } else { 1 },
        lines: if settings.deinterlace { 4 } else { 8 },
        current: if fields { luma.fields() } else { luma.frame() },
        size: (width, height),
        all: false,
        sampled: true,
    };
    let Estimate { sampled, .. } = noise::tile(&input, Rect { x: 0, y: 0, width, height }, &mut vec![0; width]);
    automatic::noise(&sampled, input.lines)
}
