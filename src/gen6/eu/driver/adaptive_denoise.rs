//! Adaptive denoising (§2.6): the measurement of a step before its messages are sent. The policy is
//! that of the pipeline.
use crate::adapt::controller::{DenoiseController, Measured};
use crate::adapt::scene::Thumbnail;
use crate::deinterlace::DeinterlaceParameters;
use crate::denoise::DenoiseParameters;
use crate::format::{Rect, Scan};
use crate::frame::InputPlane;
use crate::memory::{OutOfMemory, zeroed};
use crate::noise::{self, Distribution};
use crate::pipeline::settings::Settings;
use crate::plane::PaddedPlane;
use dndi_simd::Kernels;

/// The controller of the luma, with a buffer for its measurement.
#[derive(Debug)]
pub(super) struct AdaptiveDenoise {
    pub controller: DenoiseController,
    /// The luma of the step before it is denoised; empty unless the mode is automatic.
    luma: PaddedPlane,
    /// A line of the noise estimate.
    line: Vec<u8>,
}

impl AdaptiveDenoise {
    pub fn new(settings: &Settings) -> Result<AdaptiveDenoise, OutOfMemory> {
        let controller = DenoiseController::new(settings.denoise, 8);
        let luma = match controller.is_automatic() {
            true => PaddedPlane::new(settings.format.width, settings.format.height)?,
            false => PaddedPlane::default(),
        };
        Ok(AdaptiveDenoise { controller, luma, line: zeroed(settings.format.width)? })
    }

    /// Begins a step and returns the parameters of its denoise filter and of its deinterlacer.
    pub fn begin_step(
        &mut self,
        settings: &Settings,
        kernels: &Kernels,
        first: bool,
        luma: InputPlane,
    ) -> (DenoiseParameters, DeinterlaceParameters) {
        let measured = self.controller.is_automatic().then(|| {
            self.luma.import(kernels, luma);
            let size = (settings.format.width, settings.format.height);
            let first_line = usize::from(settings.scan == Scan::BottomFirst);
            let thumbnail = Thumbnail::of(std::iter::once((self.luma.frame(), size)), first_line, 8);
            let lines = if settings.deinterlace { 4 } else { 8 };
            Measured { estimates: estimates(settings, kernels, &self.luma, lines, &mut self.line), lines, thumbnail }
        });
        let (fields, given) = (settings.scan.is_interlaced(), &settings.parameters);
        let denoise = self.controller.begin_step(first, &given.denoise, fields, measured.as_ref()).clone();
        (denoise, self.controller.deinterlace_parameters(&given.deinterlace))
    }
}

/// Noise estimates of the sampled blocks, of `lines` lines each (§2.5).
fn estimates(settings: &Settings, kernels: &Kernels, luma: &PaddedPlane, lines: usize, line: &mut [u8]) -> Distribution {
    let (width, height) = (settings.format.width, settings.format.height);
    let fields = settings.scan.is_interlaced();
    let input = noise::Input {
        kernels,
        parameters: &settings.parameters.noise,
        depth: 8,
        step: if fields { 2 } else { 1 },
        lines,
        current: if fields { luma.fields() } else { luma.frame() },
        size: (width, height),
        all: false,
        sampled: true,
    };
    noise::tile(&input, Rect { x: 0, y: 0, width, height }, line).sampled
}
