//! Scratch block read and write: whole registers in the memory of a thread.
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::eu::functions::range::Range;

/// Processes a message.
pub(super) fn serve(context: FunctionContext, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    let descriptor = message.descriptor;
    let (header, data) = message.header()?;
    let (writes, by_dword) = (descriptor.bits(17, 17) == 1, descriptor.bits(16, 16) == 1);
    let registers = match descriptor.bits(13, 12) {
        code @ (0 | 1) => 1 + code as usize,
        3 => 4,
        _ => return Err(MessageError::Payload { reason: "a reserved size of blocks", value: descriptor.0 }),
    };
    message.check_length(if writes { registers } else { 0 })?;
    let range = Range::stateless(context, header);
    let mut response = vec![Writeback::EMPTY; if writes { 0 } else { registers }];
    for (register, dword) in (0..registers).flat_map(|register| (0..8).map(move |dword| (register, dword))) {
        // The low 8 bits of the mask are for the first and third register, the high ones for the
        // second and fourth.
        let mask = message.mask >> (8 * (register % 2)) & 0xff;
        let enabled = if by_dword { mask >> dword & 1 == 1 } else { mask >> (dword / 4 * 4) & 0xf != 0 };
        if !enabled {
            continue;
        }
        let offset = 32 * (u64::from(descriptor.bits(11, 0)) + register as u64) + 4 * dword as u64;
        match response.get_mut(register) {
            Some(writeback) => writeback.set(dword, range.read(context.memory, offset), 4),
            None => range.write(context.memory, offset, data[register].dword(dword)),
        }
    }
    Ok(response)
}
