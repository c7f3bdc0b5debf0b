//! The shared function of each message (§7.2).
use super::context::FunctionContext;
use super::data_cache::serve as data_cache;
use super::data_port::message_type;
use super::data_port::serve as data_port;
use super::gateway;
use super::math::serve as math;
use super::sampler::serve as sampler;
use super::urb;
use crate::gen6::eu::data::descriptor::{Descriptor, SharedFunction};
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};

/// Scratch buffers of an execution unit, and states that it decoded before. They hold no contents
/// of surfaces.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    sampler: sampler::Scratch,
    data_port: data_port::Scratch,
}

/// The function with this identifier, if the machine has it.
pub(crate) fn find(context: FunctionContext, identifier: u8) -> Option<SharedFunction> {
    let lacks = |function: &SharedFunction| *function == SharedFunction::DataCache && !context.data_cache_port;
    SharedFunction::from_identifier(identifier).filter(|function| !lacks(function))
}

/// Processes a message and returns the registers of its response.
pub(crate) fn serve(
    context: FunctionContext,
    scratch: &mut Scratch,
    function: SharedFunction,
    message: &Message,
) -> Result<Vec<Writeback>, MessageError> {
    let control = message.descriptor.control();
    match function {
        SharedFunction::Null => Ok(vec![]),
        SharedFunction::ExtendedMath => math::serve(message),
        SharedFunction::Sampler => sampler::serve(context, &mut scratch.sampler, message),
        SharedFunction::SamplerCache | SharedFunction::RenderCache | SharedFunction::ConstantCache => {
            data_port::serve(context, &mut scratch.data_port, function, message)
        }
        // Opcode 0 returns the resources of a thread; 1 would spawn one.
        SharedFunction::ThreadSpawner if control & 1 == 0 => {
            message.check_length(1 - usize::from(message.descriptor.has_header())).map(|()| vec![])
        }
        SharedFunction::ThreadSpawner => Err(MessageError::Opcode { function, control }),
        SharedFunction::Gateway => gateway::serve(message),
        SharedFunction::Urb => urb::serve(context, message),
        SharedFunction::DataCache => data_cache::serve(context, message),
    }
}

/// Whether a function can take the last message of a thread (volume 4 part 1, 1.6.8).
pub(crate) fn can_end(function: SharedFunction, descriptor: Descriptor) -> bool {
    match function {
        SharedFunction::Null | SharedFunction::Gateway | SharedFunction::ThreadSpawner => true,
        SharedFunction::RenderCache => message_type::can_end(descriptor),
        SharedFunction::Urb => urb::can_end(descriptor),
        _ => false,
    }
}
