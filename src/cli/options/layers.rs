//! Layers of options: preset, profile, command line. Each overrides those before it.

use super::args::Args;
use super::automatic::Automatic;
use super::extended_args::ExtendedTables;
use super::origins::OptionOrigins;
use super::values::DotCrawl;
use super::vebox_state::{VeboxEnables, VeboxState};
use super::{set_option, state_file};
use crate::error::CliError;
use dndi::gen6::state::{COLOR_DWORDS, SAMPLER_DWORDS, SCALER_DWORDS, StateError};
use dndi::{ChromaShift, ColorSpace, ParameterError, Parameters, SharpenMode};
use std::fmt::{Debug, Display};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};

/// One layer: a preset, a profile or the command line.
#[derive(Clone, Debug)]
pub struct OptionLayer {
    /// The options of this layer only.
    own: Args,
    /// The options of this layer and of the layers before it.
    merged: Args,
    scaler_state: Option<[u32; SCALER_DWORDS]>,
    sampler_state: Option<[u32; SAMPLER_DWORDS]>,
    color_state: Option<[u32; COLOR_DWORDS]>,
    vebox_states: Vec<(PathBuf, VeboxState)>,
    /// The tables of the merged options.
    tables: ExtendedTables,
}

/// The settings of the stages.
#[derive(Clone, Debug, Default)]
pub struct StageSettings {
    /// Parameters of all stages.
    pub parameters: Parameters,
    /// The sharpening filter; none if off.
    pub sharpen: Option<SharpenMode>,
    /// Whether sharpening adapts to the measured noise.
    pub measured_noise: bool,
    /// Whether an option of the scaler is given.
    pub scaler: bool,
    /// The stages that hardware state switches on.
    pub enables: VeboxEnables,
    /// Tables of the colour pipe that files hold.
    pub tables: ExtendedTables,
}

impl OptionLayer {
    /// Creates a layer, and reads the state files that it names.
    pub fn new(own: Args, merged: Args) -> Result<OptionLayer, CliError> {
        fn read<const N: usize>(path: Option<&PathBuf>) -> Result<Option<[u32; N]>, CliError> {
            path.map(|path| state_file::read(path)).transpose()
        }
        let vebox = |path: &PathBuf| Ok((path.clone(), VeboxState::read(path)?));
        Ok(OptionLayer {
            vebox_states: own.hardware.vebox_state.iter().map(vebox).collect::<Result<_, CliError>>()?,
            scaler_state: read(own.hardware.scaler_state.as_ref())?,
            sampler_state: read(own.hardware.sampler_state.as_ref())?,
            color_state: read(own.hardware.color_state.as_ref())?,
            tables: merged.color.extended.tables()?,
            own,
            merged,
        })
    }

    /// Applies state files, then options, then single parameters.
    fn apply(&self, settings: &mut StageSettings, input: ColorSpace, depth: u8) -> Result<(), CliError> {
        let own = &self.own;
        let parameters = &mut settings.parameters;
        if let Some(state) = &self.scaler_state {
            of_file(&own.hardware.scaler_state, parameters.set_scaler_state(state))?;
            settings.scaler = true;
        }
        if let Some(state) = &self.sampler_state {
            settings.sharpen = of_file(&own.hardware.sampler_state, parameters.set_sampler_state(state))?;
            settings.measured_noise = false;
        }
        if let Some(mode) = own.hardware.ief.or(own.sharpen) {
            settings.sharpen = mode.into();
            settings.measured_noise = own.sharpen.is_some() && own.hardware.sampler_state.is_none();
        }
        if let Some(mcdi) = own.hardware.mcdi {
            parameters.compensation.mcdi_enable = mcdi.is_on();
        }
        if let Some(state) = &self.color_state {
            of_file(&own.hardware.color_state, parameters.set_color_state(state))?;
        }
        for (path, state) in &self.vebox_states {
            let set = state.set(parameters, &mut settings.enables);
            set.map_err(|error| CliError::usage(format_args!("{}: {error}", path.display())))?;
        }
        let color = &mut parameters.color;
        let controls = self.merged.color.set_controls(&own.color, color, input);
        controls.map_err(|error| CliError::usage(format_args!("--{error}")))?;
        let csc = [own, &self.merged].map(|args| args.hardware.csc);
        self.merged.color.set_conversion(&own.color, csc, color, input, depth);
        own.hardware.enable(color);
        for assignment in &own.hardware.set {
            set_option::set(parameters, assignment)?;
            settings.measured_noise &= !set_option::is_noise(assignment);
            settings.scaler |= set_option::is_scaler(assignment);
        }
        Ok(())
    }
}

/// Adds the name of the state file `path` to an error.
fn of_file<T>(path: &Option<PathBuf>, read: Result<T, StateError>) -> Result<T, CliError> {
    let name = path.as_deref().unwrap_or(Path::new("")).display();
    read.map_err(|error| CliError::usage(format_args!("{name}: {error}")))
}

/// The options of a run: all layers merged, the layers themselves, and the origin of each option.
#[derive(Clone, Debug)]
pub struct Options {
    /// The options of all layers, merged.
    pub args: Args,
    /// The layers. Later ones override earlier ones.
    pub layers: Vec<OptionLayer>,
    /// The profile line of each option that a profile sets.
    pub origins: OptionOrigins,
}

impl Deref for Options {
    type Target = Args;

    fn deref(&self) -> &Args {
        &self.args
    }
}

impl DerefMut for Options {
    fn deref_mut(&mut self) -> &mut Args {
        &mut self.args
    }
}

impl Options {
    /// The value of `--chroma-shift`, which `--repair` also sets.
    pub fn chroma_shift(&self) -> Option<Automatic<ChromaShift>> {
        self.chroma_shift.or(self.repair.then_some(Automatic::Auto))
    }

    /// The value of `--dot-crawl`, which `--repair` also sets.
    pub fn dot_crawl(&self) -> DotCrawl {
        self.dot_crawl.unwrap_or(if self.repair { DotCrawl::Auto } else { DotCrawl::Off })
    }

    /// The settings of the stages for an input of `depth` bits in the colour space `input`. The
    /// stream builder checks conditions that involve several parameters.
    pub fn stage_settings(&self, input: ColorSpace, depth: u8) -> Result<StageSettings, CliError> {
        self.color.check(self.hardware.csc).map_err(|(option, error)| CliError::usage(self.origins.of_option(option, error)))?;
        let mut settings = StageSettings::default();
        let depth = depth.max(self.depth.unwrap_or(depth));
        self.layers.iter().try_for_each(|layer| layer.apply(&mut settings, input, depth))?;
        let converts = [("--rgb", self.color.rgb.is_some()), ("--colorspace", self.color.colorspace.is_some())];
        if let Some((option, _)) = converts.iter().find(|(_, given)| *given && !settings.parameters.color.transform_enable) {
            let message = format!("color.transform_enable = 0 disables the conversion of {option}");
            return Err(CliError::usage(self.with_origin(&["color.transform_enable"], &message)));
        }
        if let Some(layer) = self.layers.last() {
            settings.tables = layer.tables.clone();
        }
        Ok(settings)
    }

    /// The message of a parameter error, with the profile line or the option that set the
    /// parameter.
    pub fn parameter_error(&self, error: &ParameterError) -> String {
        self.with_origin(&error.names(), error)
    }

    fn with_origin(&self, names: &[&str], error: &dyn Display) -> String {
        let prefix = if self.hardware.set.is_empty() { "" } else { "--set: " };
        self.origins.of_parameters(names, error).unwrap_or_else(|| format!("{prefix}{error}"))
    }
}
