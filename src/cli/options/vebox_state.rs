//! `--vebox-state`: hardware state of Gen11; its size says which structure it is.

use super::state_file;
use crate::error::CliError;
use dndi::Parameters;
use dndi::gen6::state::{StateError, Structure, VEBOX_CAPTURE_DWORDS, VEBOX_DNDI_DWORDS, VEBOX_IECP_DWORDS};
use std::path::Path;

/// A state.
#[derive(Clone, Debug)]
pub enum VeboxState {
    /// VEBOX_DNDI_STATE.
    Dndi([u32; VEBOX_DNDI_DWORDS]),
    /// VEBOX_IECP_STATE.
    Iecp(Box<[u32; VEBOX_IECP_DWORDS]>),
    /// VEBOX_CAPTURE_PIPE_STATE.
    Capture([u32; VEBOX_CAPTURE_DWORDS]),
}

/// The stages that states switch on, except those with parameters of their own for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct VeboxEnables {
    pub denoise_chroma: bool,
    pub deflicker: bool,
    pub ccm: bool,
    pub front_csc: bool,
    pub lace: bool,
}

impl VeboxState {
    /// The state in the file `path`.
    pub fn read(path: &Path) -> Result<VeboxState, CliError> {
        let state = state_file::read_any(path)?;
        let known = if let Ok(dndi) = <[u32; VEBOX_DNDI_DWORDS]>::try_from(&state[..]) {
            Some(VeboxState::Dndi(dndi))
        } else if let Ok(iecp) = <[u32; VEBOX_IECP_DWORDS]>::try_from(&state[..]) {
            Some(VeboxState::Iecp(Box::new(iecp)))
        } else {
            state[..].try_into().ok().map(VeboxState::Capture)
        };
        let sizes = format!("{VEBOX_DNDI_DWORDS}, {VEBOX_IECP_DWORDS} or {VEBOX_CAPTURE_DWORDS} are needed");
        known.ok_or_else(|| CliError::usage(format_args!("{}: {} DWords, {sizes}", path.display(), state.len())))
    }

    /// Sets the parameters of the state, and the stages that it enables.
    pub fn set(&self, parameters: &mut Parameters, enables: &mut VeboxEnables) -> Result<(), StateError> {
        let is_set = |structure: &str, field: &str, state: &[u32]| -> Result<bool, StateError> {
            Ok(Structure::named(structure)?.field(field)?.get(state)? == 1)
        };
        match self {
            VeboxState::Dndi(state) => {
                parameters.set_vebox_dndi_state(state)?;
                enables.denoise_chroma = is_set("VEBOX_DNDI_STATE", "chroma_denoise_enable", state)?;
                enables.deflicker = !is_set("VEBOX_DNDI_STATE", "bypass_deflicker", state)?;
            }
            VeboxState::Iecp(state) => {
                parameters.set_vebox_iecp_state(state)?;
                let on = |field: &str| is_set("VEBOX_IECP_STATE", field, &state[..]);
                (enables.ccm, enables.front_csc) = (on("ccm_enable")?, on("fecsc_enable")?);
                enables.lace = on("lace_histogram_enable")?;
            }
            VeboxState::Capture(state) => parameters.set_vebox_capture_state(state),
        }
        Ok(())
    }
}
