//! The messages of the sampler by type.
use super::message_type::{PayloadLayout, SIMD32_64, opcode};
use super::{deinterlace, sample_8x8, sample_unorm, texture};
use crate::gen6::eu::data::descriptor::SharedFunction;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::functions::context::FunctionContext;

/// Scratch buffers of the sampler.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    deinterlace: deinterlace::scratch::Scratch,
    sample_8x8: sample_8x8::Scratch,
}

/// Processes a message to the sampler.
pub(crate) fn serve(context: FunctionContext, scratch: &mut Scratch, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    let (mode, opcode) = (message.descriptor.bits(17, 16), message.descriptor.bits(15, 12));
    let unknown = MessageError::Opcode { function: SharedFunction::Sampler, control: message.descriptor.control() };
    if message.descriptor.bits(18, 18) != 0 {
        return Err(unknown);
    }
    if mode != SIMD32_64 {
        return texture::serve::serve(context, message);
    }
    let (shader, media) = (PayloadLayout::PixelShader, PayloadLayout::Media);
    match opcode {
        opcode::DEINTERLACE => deinterlace::serve::serve(context, &mut scratch.deinterlace, message),
        opcode::SAMPLE_8X8 => sample_8x8::serve(context, &mut scratch.sample_8x8, message, shader),
        opcode::SAMPLE_8X8_MEDIA => sample_8x8::serve(context, &mut scratch.sample_8x8, message, media),
        opcode::SAMPLE_UNORM => sample_unorm::serve(context, message, shader, false),
        opcode::SAMPLE_UNORM_KILLPIX => sample_unorm::serve(context, message, shader, true),
        opcode::SAMPLE_UNORM_MEDIA => sample_unorm::serve(context, message, media, false),
        opcode::SAMPLE_UNORM_KILLPIX_MEDIA => sample_unorm::serve(context, message, media, true),
        _ => Err(unknown),
    }
}
