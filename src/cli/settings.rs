//! What the stages are told by a preset, a profile and the command line, one after the other.

use crate::args::Args;
use crate::failure::Failure;
use crate::{parameters, state};
use dndi::{COLOR_DWORDS, ColorSpace, SharpenMode, ParameterError, Parameters, SAMPLER_DWORDS, SCALER_DWORDS};
use std::fmt::{Debug, Display};
use std::path::{Path, PathBuf};

/// What one of them says.
#[derive(Clone, Debug)]
pub struct Layer {
    said: Box<Args>,
    /// With all that was said before.
    sum: Box<Args>,
    scaler_state: Option<[u32; SCALER_DWORDS]>,
    sampler_state: Option<[u32; SAMPLER_DWORDS]>,
    color_state: Option<[u32; COLOR_DWORDS]>,
}

/// What the stages are told.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Of all stages.
    pub parameters: Parameters,
    /// How the luma is enhanced.
    pub enhance: Option<SharpenMode>,
    /// Whether that goes by the noise that was measured.
    pub measured_noise: bool,
    /// Whether something was said about the scaler.
    pub scaler: bool,
}

impl Layer {
    /// Reads the state files, too.
    pub fn new(said: Args, sum: Args) -> Result<Layer, Failure> {
        fn read<const N: usize>(path: Option<&PathBuf>) -> Result<Option<[u32; N]>, Failure> {
            path.map(|path| state::read(path)).transpose()
        }
        Ok(Layer {
            scaler_state: read(said.scaler_state.as_ref())?,
            sampler_state: read(said.sampler_state.as_ref())?,
            color_state: read(said.color.color_state.as_ref())?,
            said: Box::new(said),
            sum: Box::new(sum),
        })
    }

    /// State files, then options, at last single parameters.
    fn apply(&self, settings: &mut Settings, input: ColorSpace) -> Result<(), Failure> {
        let said = &self.said;
        let parameters = &mut settings.parameters;
        if let Some(state) = &self.scaler_state {
            of_file(&said.scaler_state, parameters.set_scaler_state(state))?;
            settings.scaler = true;
        }
        if let Some(state) = &self.sampler_state {
            settings.enhance = of_file(&said.sampler_state, parameters.set_sampler_state(state))?;
            settings.measured_noise = false;
        }
        if let Some(mode) = said.ief.or(said.sharpen) {
            settings.enhance = mode.into();
            settings.measured_noise = said.sharpen.is_some() && said.sampler_state.is_none();
        }
        if let Some(mcdi) = said.mcdi {
            parameters.compensation.mcdi_enable = mcdi.is_on().into();
        }
        if let Some(state) = &self.color_state {
            of_file(&said.color.color_state, parameters.set_color_state(state))?;
        }
        let color = &mut parameters.color;
        let turned = self.sum.color.turn(&said.color, color, input);
        turned.map_err(|what| Failure::usage(format_args!("--{what}")))?;
        self.sum.color.follow(&said.color, color, input);
        said.color.enable(color);
        for assignment in &said.set {
            parameters::set(parameters, assignment)?;
            settings.measured_noise &= !parameters::is_noise(assignment);
            settings.scaler |= parameters::is_scaler(assignment);
        }
        Ok(())
    }
}

/// What a state file set, or what is wrong with it.
fn of_file<T>(path: &Option<PathBuf>, read: Result<T, ParameterError>) -> Result<T, Failure> {
    let name = path.as_deref().unwrap_or(Path::new("")).display();
    read.map_err(|error| Failure::usage(format_args!("{name}: {error}")))
}

impl Args {
    /// What the stages are told where the input is in the colours `input`. Conditions across fields are left to the stream's check.
    pub fn settings(&self, input: ColorSpace) -> Result<Settings, Failure> {
        self.color.check().map_err(|(option, what)| Failure::usage(self.places.of_option(option, what)))?;
        let mut settings = Settings::default();
        self.layers.iter().try_for_each(|layer| layer.apply(&mut settings, input))?;
        let converts = [("--rgb", self.color.rgb.is_some()), ("--colorspace", self.color.colorspace.is_some())];
        if let Some((option, _)) = converts.iter().find(|(_, said)| *said && settings.parameters.color.transform_enable == 0) {
            let what = format!("color.transform_enable = 0 leaves {option} without its matrix");
            return Err(Failure::usage(self.parameters_wrong(&what)));
        }
        Ok(settings)
    }

    /// What is wrong with parameters that do not fit each other, and who said so.
    pub fn parameters_wrong(&self, what: &impl Display) -> String {
        let said = if self.set.is_empty() { "" } else { "--set: " };
        self.places.of_parameters(what).unwrap_or_else(|| format!("{said}{what}"))
    }
}
