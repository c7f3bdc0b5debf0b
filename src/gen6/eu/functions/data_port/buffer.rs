//! Accesses to buffers: OWord block, unaligned OWord block, OWord dual block, DWord scattered
//! (volume 4 part 1, 3.9.3, 3.9.4, 3.9.5, 3.9.7).
use super::commit;
use super::message_type::opcode;
use crate::gen6::eu::data::descriptor::SharedFunction;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::eu::functions::range::{Element, Range, STATELESS, unsupported};

/// The buffer of a message, whose base must be a multiple of `align` bytes.
fn bind(context: FunctionContext, function: SharedFunction, message: &Message, align: u32) -> Result<Range, MessageError> {
    let binding = message.descriptor.binding();
    let (header, _) = message.header()?;
    if binding == STATELESS {
        if function != SharedFunction::RenderCache {
            return Err(unsupported(message, "only the render cache supports stateless buffers"));
        }
        return Ok(Range::stateless(context, header));
    }
    let state = context.surface(message, binding)?;
    let range = Range::of(&state, Element::Bytes(16), align).map_err(|reason| unsupported(message, reason))?;
    let is_null = range.size == 0;
    if function == SharedFunction::RenderCache && state.render_cache_read_write_mode == 0 && !is_null {
        return Err(unsupported(message, "the render cache is not in read/write mode"));
    }
    Ok(range)
}

/// A DWord of a register, and the byte offset in the buffer that the message moves it to or from.
#[derive(Clone, Copy, Debug)]
struct Access {
    register: usize,
    dword: usize,
    offset: u64,
    /// Whether the execution mask enables the read, and the write.
    enabled: [bool; 2],
}

/// Processes a message. None if its block size does not exist.
pub(super) fn serve(
    context: FunctionContext,
    function: SharedFunction,
    opcode: u32,
    message: &Message,
) -> Result<Option<Vec<Writeback>>, MessageError> {
    let (header, _) = message.header()?;
    let global = u64::from(header.dword(2));
    let mask = u32::from(message.mask);
    let descriptor = message.descriptor;
    let payload = |register: usize| message.payload.get(register).copied().unwrap_or_default();
    let (accesses, addresses, align) = match opcode {
        opcode::DWORD_SCATTERED_READ | opcode::DWORD_SCATTERED_WRITE => {
            let registers = match descriptor.bits(9, 8) {
                0b10 => 1,
                0b11 => 2,
                _ => return Ok(None),
            };
            let access = |channel: usize| {
                let offset = u64::from(payload(1 + channel / 8).dword(channel % 8));
                let enabled = mask >> channel & 1 == 1;
                Access { register: channel / 8, dword: channel % 8, offset: 4 * (global + offset), enabled: [enabled; 2] }
            };
            ((0..8 * registers).map(access).collect::<Vec<_>>(), registers, 4)
        }
        opcode::OWORD_DUAL_BLOCK_READ | opcode::OWORD_DUAL_BLOCK_WRITE => {
            let registers = match descriptor.bits(9, 8) {
                0b00 => 1,
                0b10 => 4,
                _ => return Ok(None),
            };
            let offsets = [0, 4].map(|dword| global + u64::from(payload(1).dword(dword)));
            let accesses = (0..registers).flat_map(|register| (0..8).map(move |dword| (register, dword)));
            let access = |(register, dword): (usize, usize)| {
                let offset = 16 * (offsets[dword / 4] + register as u64) + 4 * (dword % 4) as u64;
                Access { register, dword, offset, enabled: enabled(mask & 0xff, dword) }
            };
            (accesses.map(access).collect(), 1, 16)
        }
        _ => {
            let (first, count) = match descriptor.bits(10, 8) {
                0b000 => (0, 4),
                0b001 => (4, 4),
                0b010 => (0, 8),
                0b011 => (0, 16),
                0b100 => (0, 32),
                _ => return Ok(None),
            };
            let unaligned = opcode == opcode::UNALIGNED_OWORD_BLOCK_READ;
            if unaligned && global % 4 != 0 {
                return Err(MessageError::Payload { reason: "an offset that is no multiple of 4 bytes", value: header.dword(2) });
            }
            let start = if unaligned { global } else { 16 * global };
            let access = |n: usize| {
                let (register, dword) = ((first + n) / 8, (first + n) % 8);
                // The low 8 bits of the mask are for the first and third register, the high ones
                // for the second and fourth.
                let bits = if register % 2 == 0 { mask & 0xff } else { mask >> 8 };
                let enabled = if unaligned { [true; 2] } else { enabled(bits, dword) };
                Access { register, dword, offset: start + 4 * n as u64, enabled }
            };
            ((0..count).map(access).collect(), 0, 16)
        }
    };
    let buffer = bind(context, function, message, align)?;
    let registers = accesses.iter().map(|access| access.register + 1).max().unwrap_or(0);
    if opcode >= opcode::OWORD_BLOCK_WRITE {
        message.check_length(addresses + registers)?;
        for access in accesses.iter().filter(|access| access.enabled[1]) {
            buffer.write(context.memory, access.offset, payload(1 + addresses + access.register).dword(access.dword));
        }
        return Ok(Some(commit::response(message)));
    }
    message.check_length(addresses)?;
    let mut response = vec![Writeback::EMPTY; registers];
    for access in accesses.iter().filter(|access| access.enabled[0]) {
        response[access.register].set(access.dword, buffer.read(context.memory, access.offset), 4);
    }
    Ok(Some(response))
}

/// Whether DWord `dword` of a register is read, which any mask bit of its OWord enables, and
/// whether it is written, which its own mask bit enables.
fn enabled(mask: u32, dword: usize) -> [bool; 2] {
    [mask >> (dword / 4 * 4) & 0xf != 0, mask >> dword & 1 == 1]
}
