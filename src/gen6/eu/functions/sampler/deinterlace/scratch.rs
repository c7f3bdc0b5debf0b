//! Scratch buffers of the message.
use super::block::WIDTH;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::functions::decoded::Decoded;
use crate::gen6::state::{DEINTERLACE_DWORDS, DeinterlaceControl, StateError};
use crate::parameters::Parameters;
use crate::plane::{PaddedPlane, PairPlane};
use crate::{deinterlace, fmd};

/// Scratch buffers of a message, and the state that was decoded last. The buffers hold the window
/// around the block.
#[derive(Debug)]
pub(in crate::gen6::eu::functions::sampler) struct Scratch {
    pub(super) state: Decoded<[u32; DEINTERLACE_DWORDS], (Parameters, DeinterlaceControl)>,
    pub(super) buffers: Buffers,
}

/// The samples that the stages read and write.
#[derive(Debug)]
pub(super) struct Buffers {
    /// Luma of the current frame, before and after denoising.
    pub original: PaddedPlane,
    pub denoised: PaddedPlane,
    /// Luma of the previous frame, denoised with denoising on.
    pub previous: PaddedPlane,
    /// Chroma of the current and of the previous frame.
    pub chroma: [[PaddedPlane; 2]; 2],
    /// Denoise histories of the previous step and of this one, one value for each 4×4 block.
    pub history: [Vec<u8>; 2],
    /// Motion measures of the previous step.
    pub stored: PairPlane,
    /// Luma and chroma of both outputs, and the motion measures of this step: the lines of the
    /// block, as long as those of the window.
    pub luma: [Vec<u8>; 2],
    pub colors: [[Vec<u8>; 2]; 2],
    pub measure: Vec<u8>,
    /// A line of the denoise filter or of the noise estimate.
    pub line: Vec<u8>,
    pub fmd: fmd::Scratch,
    pub deinterlace: deinterlace::Scratch,
}

impl Default for Scratch {
    fn default() -> Scratch {
        // A window is at most three blocks wide, an output four lines high.
        let lines = || vec![0; 4 * 3 * WIDTH];
        let chroma = || [PaddedPlane::default(), PaddedPlane::default()];
        let buffers = Buffers {
            original: PaddedPlane::default(),
            denoised: PaddedPlane::default(),
            previous: PaddedPlane::default(),
            chroma: [chroma(), chroma()],
            history: [vec![], vec![]],
            stored: PairPlane::default(),
            luma: [lines(), lines()],
            colors: [[lines(), lines()], [lines(), lines()]],
            measure: lines(),
            line: vec![0; 3 * WIDTH],
            fmd: fmd::Scratch::new(WIDTH, 4).unwrap_or_else(|error| error.end()),
            deinterlace: deinterlace::Scratch::new(WIDTH).unwrap_or_else(|error| error.end()),
        };
        Scratch { state: Decoded::default(), buffers }
    }
}

/// Decodes the state of a message.
pub(super) fn decode(dwords: &[u32; DEINTERLACE_DWORDS]) -> Result<(Parameters, DeinterlaceControl), MessageError> {
    let mut parameters = Parameters::default();
    let control = parameters.set_deinterlace_state(dwords)?;
    parameters.check(control.di_enable).map_err(StateError::from)?;
    if parameters.passthrough.di_partial && control.di_enable {
        let message = "di_partial and di_enable are both on; no document describes the partial writeback".to_owned();
        return Err(StateError::Conflict { fields: &["di_partial", "di_enable"], message }.into());
    }
    Ok((parameters, control))
}
