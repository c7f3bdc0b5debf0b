//! Byte scattered read and write.
use super::slots::Slots;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::eu::functions::range::{Element, Range, surface_state, unsupported};

/// Processes a message: numbers of 1, 2 or 4 bytes at any bytes of a buffer.
pub(super) fn serve(context: FunctionContext, message: &Message, writes: bool) -> Result<Vec<Writeback>, MessageError> {
    let descriptor = message.descriptor;
    let size = match descriptor.bits(11, 10) {
        code @ 0..=2 => 1usize << code,
        _ => return Err(MessageError::Payload { reason: "a reserved size of data", value: descriptor.0 }),
    };
    // All slots of the execution mask: the header has no mask of pixels here.
    let slots = Slots::new(1 + descriptor.bits(8, 8) as usize, message.mask);
    message.check_length(slots.registers * (1 + usize::from(writes)))?;
    let refused = |reason| unsupported(message, reason);
    let range = Range::of(&surface_state(context, message)?, Element::Bytes(4), 4).map_err(refused)?;
    let (header, payload) = message.optional_header();
    let global = u64::from(header.map_or(0, |header| header.dword(2)));
    let (offsets, data) = payload.split_at(slots.registers);
    let mut response = slots.response();
    for slot in slots.live() {
        let offset = global + u64::from(slots.value(offsets, slot));
        let inside = range.contains(offset, size as u64);
        if writes {
            if inside {
                context.memory.write(range.base + offset, &slots.value(data, slot).to_le_bytes()[..size]);
            }
            continue;
        }
        let mut bytes = [0; 4];
        if inside {
            context.memory.read(range.base + offset, &mut bytes[..size]);
        }
        response[slot / 8].set(slot % 8, u32::from_le_bytes(bytes), size as u32);
    }
    Ok(if writes { vec![] } else { response })
}
