//! The messages of the data cache port by type.
use super::{bytes, scratch, untyped};
use crate::gen6::eu::data::descriptor::SharedFunction;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::eu::functions::range::unsupported;

/// The first binding table index that names no surface: the shared local memory. The next one is
/// the stateless model.
const FIRST_SPECIAL: u8 = 254;

/// Processes a message. Reads and writes of typed surfaces belong to another port, and the
/// documents give them no encoding here.
pub(in crate::gen6::eu::functions) fn serve(context: FunctionContext, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    let descriptor = message.descriptor;
    if descriptor.bits(18, 18) == 1 {
        return scratch::serve(context, message);
    }
    let message_type = descriptor.bits(17, 14);
    if [4, 5, 6, 12, 13].contains(&message_type) && descriptor.binding() >= FIRST_SPECIAL {
        return Err(unsupported(message, "only surfaces of the binding table are modelled"));
    }
    match message_type {
        4 => bytes::serve(context, message, false),
        5 => untyped::read(context, message),
        6 => untyped::atomic(context, message),
        7 => fence(message),
        12 => bytes::serve(context, message, true),
        13 => untyped::write(context, message),
        _ => Err(MessageError::Opcode { function: SharedFunction::DataCache, control: descriptor.control() }),
    }
}

/// Memory fence: all earlier messages had their effects, so that it only commits.
fn fence(message: &Message) -> Result<Vec<Writeback>, MessageError> {
    message.header()?;
    message.check_length(0)?;
    Ok(if message.descriptor.bits(13, 13) == 1 { vec![Writeback::COMMIT] } else { vec![] })
}
