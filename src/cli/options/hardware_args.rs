//! Options of the hardware: its algorithms, its parameters and its state.

use super::values::{Engine, Sharpen, Switch};
use clap::ArgAction;
use dndi::ColorParameters;
use std::path::PathBuf;

/// Options of the hardware. The list of options ends with them.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Parameters, stages and state of the hardware")]
pub struct HardwareArgs {
    /// Set a parameter of a stage; can be repeated. --help lists all parameters
    #[arg(long, value_name = "NAME=VALUE", action = ArgAction::Append)]
    pub set: Vec<String>,

    /// Motion-compensated interpolation of missing lines (MCDI) with --deinterlacer gen6; sets the
    /// parameter mcdi_enable [default: on]
    #[arg(long, value_name = "on|off", value_enum, hide_possible_values = true)]
    pub mcdi: Option<Switch>,

    /// Sharpen luma for a fixed noise level (ief.global_noise_estimation)
    #[arg(long, value_name = "MODE", value_enum, overrides_with = "sharpen")]
    pub ief: Option<Sharpen>,

    /// Enable skin tone detection (STD) with the parameters as set
    #[arg(long)]
    pub std: bool,

    /// Enable skin tone enhancement (STE) with the parameters as set; needs --std
    #[arg(long)]
    pub ste: bool,

    /// Enable contrast enhancement (ACE) with the curve color.y1 … color.s10
    #[arg(long)]
    pub ace: bool,

    /// Enable total colour control (TCC) with the parameters as set
    #[arg(long)]
    pub tcc: bool,

    /// Enable brightness, contrast, hue and saturation (ProcAmp) with the parameters as set
    #[arg(long)]
    pub procamp: bool,

    /// Enable colour space conversion with the matrix color.c0 … color.c8 and its offsets
    #[arg(long)]
    pub csc: bool,

    /// Print the scaler's coefficients on stdout, or on stderr if stdout is in use
    #[arg(long)]
    pub print_tables: bool,

    /// Implementation that processes the frames. Both write the same bytes; messages has the
    /// deinterlacer gen6 alone, and neither --denoise-chroma nor --denoise-motion
    #[arg(long, value_name = "ENGINE", value_enum, default_value = "pipeline")]
    pub engine: Engine,

    /// Hardware state of the scaler, SAMPLER_8x8_STATE: a file of 138 hex DWords
    #[arg(long, value_name = "FILE")]
    pub scaler_state: Option<PathBuf>,

    /// Hardware state of the sharpening filter, SAMPLER_STATE of sample_8x8: a file of 16 hex
    /// DWords
    #[arg(long, value_name = "FILE")]
    pub sampler_state: Option<PathBuf>,

    /// Hardware state of the colour pipe, COLOR_PROCESSING_STATE: a file of 64 hex DWords
    #[arg(long, value_name = "FILE")]
    pub color_state: Option<PathBuf>,

    /// Hardware state of Gen11: a file of hex DWords, VEBOX_DNDI_STATE (45), VEBOX_IECP_STATE (115)
    /// or VEBOX_CAPTURE_PIPE_STATE (7); can be repeated. Its enables act like the options
    #[arg(long, value_name = "FILE", action = ArgAction::Append)]
    pub vebox_state: Vec<PathBuf>,
}

impl HardwareArgs {
    /// Enables the stages whose options are given. Their other parameters do not change.
    pub fn enable(&self, color: &mut ColorParameters) {
        let flags = [
            (self.std, &mut color.std_enable),
            (self.ste, &mut color.ste_enable),
            (self.ace, &mut color.ace_enable),
            (self.tcc, &mut color.tcc_enable),
            (self.procamp, &mut color.procamp_enable),
            (self.csc, &mut color.transform_enable),
        ];
        flags.into_iter().filter(|(flag, _)| *flag).for_each(|(_, enable)| *enable = true);
    }
}
