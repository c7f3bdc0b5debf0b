//! Untyped surface read, write and atomic operation: DWords at byte addresses of a raw buffer.
use super::slots::{Slots, mask};
use crate::gen6::eu::data::descriptor::{Descriptor, SharedFunction};
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::data::register::Register;
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::eu::functions::range::{Element, Range, surface_state, unsupported};

/// The format RAW.
const RAW: u32 = 0x1ff;
/// The atomic operation with two sources.
const COMPARE_AND_WRITE: u32 = 14;
/// The atomic operation that returns the new value.
const PREDECREMENT: u32 = 15;

/// The raw buffer of a message.
fn bind(context: FunctionContext, message: &Message) -> Result<Range, MessageError> {
    let state = surface_state(context, message)?;
    let range = Range::of(&state, Element::Pitch, 1).map_err(|reason| unsupported(message, reason))?;
    let is_null = range.size == 0;
    if state.surface_format != RAW && !is_null {
        return Err(unsupported(message, "a format other than RAW"));
    }
    Ok(range)
}

/// An address that is a multiple of 4.
fn aligned(address: u32) -> Result<u64, MessageError> {
    match address.is_multiple_of(4) {
        true => Ok(address.into()),
        false => Err(MessageError::Payload { reason: "an address that is no multiple of 4 bytes", value: address }),
    }
}

/// The addresses of the live slots.
fn addresses(slots: Slots, registers: &[Register]) -> Result<Vec<(usize, u64)>, MessageError> {
    slots.live().map(|slot| Ok((slot, aligned(slots.value(registers, slot))?))).collect()
}

/// The channels that the descriptor of a read or write does not mask, R first.
fn channels(descriptor: Descriptor) -> Vec<u64> {
    (0..4).filter(|channel| descriptor.bits(11, 8) >> channel & 1 == 0).collect()
}

/// Registers for each parameter by the mode of a read or write; 0 for pairs of four channels.
fn registers(descriptor: Descriptor) -> Option<usize> {
    match descriptor.bits(13, 12) {
        0 => Some(0),
        1 => Some(2),
        2 => Some(1),
        _ => None,
    }
}

fn bad_descriptor(message: &Message, reason: &'static str) -> MessageError {
    MessageError::Payload { reason, value: message.descriptor.0 }
}

/// Processes a read.
pub(super) fn read(context: FunctionContext, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    let channels = channels(message.descriptor);
    if channels.is_empty() {
        return Err(bad_descriptor(message, "all channels are masked"));
    }
    let registers = registers(message.descriptor).ok_or_else(|| bad_descriptor(message, "a reserved mode"))?;
    let (_, payload) = message.optional_header();
    if registers == 0 {
        message.check_length(1)?;
        return read_pair(context, message, &payload[0], &channels);
    }
    let slots = Slots::new(registers, mask(message));
    // The second parameter is ignored.
    let parameters = if payload.len() > registers { 2 } else { 1 };
    message.check_length(parameters * registers)?;
    let range = bind(context, message)?;
    let addresses = addresses(slots, payload)?;
    let mut response = vec![];
    for channel in channels {
        let mut values = slots.response();
        for &(slot, address) in &addresses {
            values[slot / 8].set(slot % 8, range.read(context.memory, address + 4 * channel), 4);
        }
        response.extend(values);
    }
    Ok(response)
}

/// Two slots of four channels in one register; the addresses are DWords 0 and 4.
fn read_pair(
    context: FunctionContext,
    message: &Message,
    payload: &Register,
    channels: &[u64],
) -> Result<Vec<Writeback>, MessageError> {
    let range = bind(context, message)?;
    let mask = mask(message);
    let mut response = Writeback::EMPTY;
    for slot in (0..2).filter(|slot| mask >> (4 * slot) & 0xf != 0) {
        let address = aligned(payload.dword(4 * slot))?;
        for &channel in channels {
            response.set(4 * slot + channel as usize, range.read(context.memory, address + 4 * channel), 4);
        }
    }
    Ok(vec![response])
}

/// Processes a write.
pub(super) fn write(context: FunctionContext, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    if ![0, 8, 0xc, 0xe].contains(&message.descriptor.bits(11, 8)) {
        return Err(bad_descriptor(message, "a channel without those before it"));
    }
    let registers = registers(message.descriptor).filter(|&registers| registers > 0);
    let registers = registers.ok_or_else(|| bad_descriptor(message, "a mode without writes"))?;
    let slots = Slots::new(registers, mask(message));
    let channels = channels(message.descriptor);
    message.check_length(registers * (1 + channels.len()))?;
    let range = bind(context, message)?;
    let (_, payload) = message.optional_header();
    let addresses = addresses(slots, payload)?;
    for (channel, data) in channels.into_iter().zip(payload[registers..].chunks(registers)) {
        for &(slot, address) in &addresses {
            range.write(context.memory, address + 4 * channel, slots.value(data, slot));
        }
    }
    Ok(vec![])
}

/// The value that replaces `old`.
fn new(operation: u32, old: u32, [first, second]: [u32; 2]) -> u32 {
    match operation {
        1 => old & first,
        2 => old | first,
        3 => old ^ first,
        4 => first,
        5 => old.wrapping_add(1),
        6 | PREDECREMENT => old.wrapping_sub(1),
        7 => old.wrapping_add(first),
        8 => old.wrapping_sub(first),
        9 => first.wrapping_sub(old),
        10 => (old as i32).max(first as i32) as u32,
        11 => (old as i32).min(first as i32) as u32,
        12 => old.max(first),
        13 => old.min(first),
        COMPARE_AND_WRITE if first == old => second,
        _ => old,
    }
}

/// Processes an atomic operation. Slots are processed in order, so that slots of the same DWord see
/// the results of each other.
pub(super) fn atomic(context: FunctionContext, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    let descriptor = message.descriptor;
    let operation = descriptor.bits(11, 8);
    let sources = match operation {
        0 => return Err(MessageError::Opcode { function: SharedFunction::DataCache, control: descriptor.control() }),
        5 | 6 | PREDECREMENT => 0,
        COMPARE_AND_WRITE => 2,
        _ => 1,
    };
    let slots = Slots::new(2 - descriptor.bits(12, 12) as usize, mask(message));
    message.check_length(slots.registers * (1 + sources))?;
    let range = bind(context, message)?;
    let (_, payload) = message.optional_header();
    let mut response = slots.response();
    for (slot, address) in addresses(slots, payload)? {
        let source = |n: usize| payload.get(n * slots.registers..).map_or(0, |registers| slots.value(registers, slot));
        let sources = [source(1), source(2)];
        let old = range.update(context.memory, address, |old| new(operation, old, sources));
        let is_outside = !range.contains(address, 4);
        let returned = match operation {
            PREDECREMENT if !is_outside => old.wrapping_sub(1),
            _ => old,
        };
        response[slot / 8].set(slot % 8, returned, 4);
    }
    Ok(if descriptor.bits(13, 13) == 1 { response } else { vec![] })
}
