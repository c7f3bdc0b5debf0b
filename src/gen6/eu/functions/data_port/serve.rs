//! The messages of the data ports by cache and opcode.
use super::message_type::{opcode, read_opcode, render_opcode};
use super::{atomic, buffer, color, loop_filter, media_block, render_target, unorm_block, vertices};
use crate::gen6::eu::data::descriptor::SharedFunction;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::functions::context::FunctionContext;

/// Scratch buffers of the data ports.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    color: color::Scratch,
}

/// Processes a message to one of the caches.
pub(crate) fn serve(
    context: FunctionContext,
    scratch: &mut Scratch,
    function: SharedFunction,
    message: &Message,
) -> Result<Vec<Writeback>, MessageError> {
    let descriptor = message.descriptor;
    let unknown = MessageError::Opcode { function, control: descriptor.control() };
    let (opcode, known): (u32, &[u32]) = match function {
        SharedFunction::SamplerCache => (
            read_opcode(descriptor),
            &[
                opcode::OWORD_BLOCK_READ,
                opcode::OWORD_DUAL_BLOCK_READ,
                opcode::AVC_LOOP_FILTER_READ,
                opcode::MEDIA_BLOCK_READ,
                opcode::DWORD_SCATTERED_READ,
            ],
        ),
        SharedFunction::ConstantCache => (
            read_opcode(descriptor),
            &[
                opcode::OWORD_BLOCK_READ,
                opcode::OWORD_DUAL_BLOCK_READ,
                opcode::UNALIGNED_OWORD_BLOCK_READ,
                opcode::DWORD_SCATTERED_READ,
            ],
        ),
        _ => (
            render_opcode(descriptor),
            &[
                opcode::OWORD_BLOCK_READ,
                opcode::RENDER_TARGET_UNORM_READ,
                opcode::OWORD_DUAL_BLOCK_READ,
                opcode::AVC_LOOP_FILTER_READ,
                opcode::MEDIA_BLOCK_READ,
                opcode::UNALIGNED_OWORD_BLOCK_READ,
                opcode::DWORD_SCATTERED_READ,
                opcode::DWORD_ATOMIC,
                opcode::OWORD_BLOCK_WRITE,
                opcode::OWORD_DUAL_BLOCK_WRITE,
                opcode::MEDIA_BLOCK_WRITE,
                opcode::DWORD_SCATTERED_WRITE,
                opcode::RENDER_TARGET_WRITE,
                opcode::STREAMED_VERTEX_WRITE,
                opcode::RENDER_TARGET_UNORM_WRITE,
            ],
        ),
    };
    if !known.contains(&opcode) {
        return Err(unknown);
    }
    match opcode {
        opcode::MEDIA_BLOCK_READ => media_block::read(context, message),
        opcode::MEDIA_BLOCK_WRITE => media_block::write(context, &mut scratch.color, message),
        opcode::AVC_LOOP_FILTER_READ => loop_filter::serve(context, function, message),
        opcode::DWORD_ATOMIC => atomic::serve(context, message),
        opcode::STREAMED_VERTEX_WRITE => vertices::serve(context, message),
        opcode::RENDER_TARGET_UNORM_READ => unorm_block::read(context, message),
        opcode::RENDER_TARGET_UNORM_WRITE => unorm_block::write(context, message),
        opcode::RENDER_TARGET_WRITE => render_target::serve::serve(context, message)?.ok_or(unknown),
        _ => buffer::serve(context, function, opcode, message)?.ok_or(unknown),
    }
}
