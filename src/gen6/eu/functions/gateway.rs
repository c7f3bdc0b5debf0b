//! Message gateway: opens and closes the registers of a thread for other threads (§11.9; the VLV
//! document describes it).
//!
//! No document describes the messages that would write to those registers, so that the model checks
//! and acknowledges, and keeps no gateway.
use crate::gen6::eu::data::descriptor::SharedFunction;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::data::register::GRF;

const OPEN: u32 = 0;
const CLOSE: u32 = 1;

/// Processes a message.
pub(super) fn serve(message: &Message) -> Result<Vec<Writeback>, MessageError> {
    let (descriptor, function) = (message.descriptor, SharedFunction::Gateway);
    let opcode = descriptor.bits(2, 0);
    if ![OPEN, CLOSE].contains(&opcode) {
        return Err(MessageError::Opcode { function, control: descriptor.control() });
    }
    if descriptor.has_header() {
        return Err(MessageError::Payload { reason: "a message to the gateway with a header", value: descriptor.0 });
    }
    message.check_length(1)?;
    // The last message of a thread closes the gateway, whatever its opcode is.
    if opcode == OPEN && !descriptor.end_of_thread() {
        let range = message.last()?.dword(5);
        let (first, count) = (range >> 21 & 0xff, 1 << (range >> 8 & 7));
        if first + count > GRF as u32 {
            return Err(MessageError::Payload { reason: "a gateway beyond r127", value: range });
        }
    }
    if descriptor.bits(14, 14) == 0 {
        return Ok(vec![]);
    }
    let mut acknowledgement = Writeback::EMPTY;
    acknowledgement.set(0, u32::from(function.identifier()) << 16, 4);
    Ok(vec![acknowledgement])
}
