//! The block of a message, and the window of samples around it.
use super::surfaces::Surfaces;
use crate::format::{Rect, Sampling};
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::state::DeinterlaceControl;
use crate::parameters::Parameters;
use crate::plane::{PaddedPlane, PlaneView};

/// Width of a block in luma samples.
pub(super) const WIDTH: usize = 16;

/// The settings and surfaces of a message, and the position of its block.
#[derive(Clone, Copy)]
pub(super) struct BlockContext<'a> {
    pub context: FunctionContext<'a>,
    pub parameters: &'a Parameters,
    pub control: DeinterlaceControl,
    pub surfaces: &'a Surfaces,
    /// The part of the picture in the scratch buffers.
    pub window: Rect,
    /// The block, with its position relative to the window.
    pub inner: Rect,
}

impl BlockContext<'_> {
    /// Lines as the denoise filter reads them (§2).
    pub fn lines<'a>(&self, plane: &'a PaddedPlane) -> PlaneView<'a> {
        if self.control.progressive_dn { plane.frame() } else { plane.fields() }
    }

    /// Distance of neighbouring lines of the denoise filter.
    pub fn line_step(&self) -> isize {
        if self.control.progressive_dn { 1 } else { 2 }
    }

    /// Chroma sampling of the scratch buffers: that of the picture, but 4:2:2 for 4:1:1.
    pub fn sampling(&self) -> Sampling {
        if self.surfaces.current.sampling == Sampling::C411 { Sampling::C422 } else { self.surfaces.current.sampling }
    }

    /// 4×4 blocks in a row of the window.
    pub fn blocks(&self) -> usize {
        self.window.width.div_ceil(4)
    }
}
