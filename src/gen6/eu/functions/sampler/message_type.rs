//! Message types of the sampler, in the function control.
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::Message;
use crate::gen6::eu::functions::context::FunctionContext;

/// Message types, bits 15:12 of the descriptor. The pixel-shader layout of the payload has Delta U
/// in DWord 0 and the second derivative of U in DWord 1, the media layout has them the other way
/// round.
pub mod opcode {
    /// `sample_unorm`, pixel-shader layout.
    pub const SAMPLE_UNORM: u32 = 0b0000;
    /// `sample_unorm+killpix`, pixel-shader layout.
    pub const SAMPLE_UNORM_KILLPIX: u32 = 0b0010;
    /// `sample_8x8`, pixel-shader layout.
    pub const SAMPLE_8X8: u32 = 0b0011;
    /// `deinterlace`.
    pub const DEINTERLACE: u32 = 0b1000;
    /// `sample_unorm+killpix`, media layout.
    pub const SAMPLE_UNORM_KILLPIX_MEDIA: u32 = 0b1010;
    /// `sample_8x8`, media layout.
    pub const SAMPLE_8X8_MEDIA: u32 = 0b1011;
    /// `sample_unorm`, media layout.
    pub const SAMPLE_UNORM_MEDIA: u32 = 0b1100;
}

/// Bits 17:16 of the descriptor of the messages that are modelled.
pub(super) const SIMD32_64: u32 = 3;

/// The layout of the differences in a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PayloadLayout {
    PixelShader,
    Media,
}

impl PayloadLayout {
    /// The DWord of Delta U.
    pub fn delta_u(self) -> usize {
        if self == PayloadLayout::Media { 1 } else { 0 }
    }

    /// The DWord of the second derivative of U.
    pub fn second_u(self) -> usize {
        1 - self.delta_u()
    }
}

/// Function control (bits 18:0 of the descriptor) of a sampler message. `opcode` is one of
/// [`opcode`], `sampler` the index of the SAMPLER_STATE in units of 4 DWords, `binding` the binding
/// table index.
pub const fn control(opcode: u32, sampler: u32, binding: u32) -> u32 {
    SIMD32_64 << 16 | opcode << 12 | sampler << 8 | binding
}

/// Address of the SAMPLER_STATE of a message. All arrays of such states have indices in units of 4
/// DWords; the index must be a multiple of `step`.
pub(super) fn state_address(context: FunctionContext, message: &Message, step: u32) -> Result<u64, MessageError> {
    let index = message.descriptor.bits(11, 8);
    if !index.is_multiple_of(step) {
        return Err(MessageError::Payload { reason: "a sampler index that this message cannot have", value: index });
    }
    Ok(u64::from(context.bases.dynamic_state) + u64::from(message.samplers) + 16 * u64::from(index))
}
