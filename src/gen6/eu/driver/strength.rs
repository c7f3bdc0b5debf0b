//! Adaptive denoising: the noise that a step measures before its messages are sent (§2.6). The policy is the pipeline's.
use crate::adapt::controller::{DenoiseController, Measured};
use crate::adapt::scene::Thumbnail;
use crate::deinterlace::DeinterlaceParameters;
use crate::denoise::DenoiseParameters;
use crate::format::{Rect, Scan};
use crate::frame::BytePlane;
use crate::noise::{self, Distribution};
use crate::pipeline::settings::Settings;
use crate::plane::PaddedPlane;
use dndi_simd::Kernels;

/// The controller of the luma, with the luma that it measures.
#[derive(Debug)]
pub(super) struct AdaptiveDenoise {
    pub controller: DenoiseController,
    /// The luma of the step before it is denoised; empty unless the denoising is automatic.
    luma: PaddedPlane,
}

impl AdaptiveDenoise {
    pub fn new(settings: &Settings) -> AdaptiveDenoise {
        let controller = DenoiseController::new(settings.denoise);
        let luma = match controller.is_automatic() {
            true => PaddedPlane::new(settings.format.width, settings.format.height),
            false => PaddedPlane::default(),
        };
        AdaptiveDenoise { controller, luma }
    }

    /// Begins step `number` and returns the parameters of its denoise filter and of its deinterlacer.
    pub fn begin_step(
        &mut self,
        settings: &Settings,
        kernels: &Kernels,
        number: u64,
        luma: BytePlane,
    ) -> (DenoiseParameters, DeinterlaceParameters) {
        let fields = settings.scan.is_interlaced();
        let measured = self.controller.is_automatic().then(|| {
            self.luma.import(luma);
            let (size, first_line) = ((settings.format.width, settings.format.height), settings.scan == Scan::BottomFirst);
            let thumbnail = Thumbnail::of(std::iter::once((self.luma.frame(), size)), first_line.into());
            let lines = if settings.deinterlace { 4 } else { 8 };
            Measured { estimates: estimates(settings, kernels, &self.luma, lines), lines, thumbnail }
        });
        let denoise = self.controller.begin_step(number == 0, &settings.parameters.denoise, fields, measured.as_ref()).clone();
        (denoise, self.controller.deinterlace_parameters(&settings.parameters.deinterlace))
    }
}

/// Noise estimates of the sampled blocks, of `lines` lines each.
fn estimates(settings: &Settings, kernels: &Kernels, luma: &PaddedPlane, lines: usize) -> Distribution {
    let (width, height) = (settings.format.width, settings.format.height);
    let fields = settings.scan.is_interlaced();
    let input = noise::Input {
        kernels,
        parameters: &settings.parameters.noise,
        step: if fields { 2 } else { 1 },
        lines,
        current: if fields { luma.fields() } else { luma.frame() },
        size: (width, height),
        all: false,
        sampled: true,
    };
    noise::tile(&input, Rect { x: 0, y: 0, width, height }, &mut vec![0; width]).sampled
}
