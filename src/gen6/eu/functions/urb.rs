//! Unified return buffer: a memory of 64-byte units, which threads access by handles (§11.7; the
//! VLV document describes it).
use super::context::FunctionContext;
use crate::gen6::eu::data::descriptor::{Descriptor, SharedFunction};
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::memory::Memory;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::data::register::Register;

/// Bytes of a unit; handle h is byte 64·h.
const UNIT: u64 = 64;
/// The bit of an opcode that reads, and that for units of 16 bytes.
const READ: u32 = 2;
const OWORD: u32 = 1;
const ATOMIC_MOV: u32 = 4;
const ATOMIC_INC: u32 = 5;

fn opcode(descriptor: Descriptor) -> u32 {
    descriptor.bits(2, 0)
}

/// Whether a message may end its thread: the writes.
pub(super) fn can_end(descriptor: Descriptor) -> bool {
    opcode(descriptor) < READ
}

/// The DWords that a read or write moves.
struct Transfer {
    /// Byte of the first DWord of each half of the first register.
    starts: [u64; 2],
    /// Bytes from register to register.
    step: u64,
    /// Bit n: DWord n of a register is moved.
    moved: u32,
}

impl Transfer {
    /// # Errors
    /// [`MessageError::Payload`] for an offset beyond the range of the message.
    fn of(message: &Message, header: &Register) -> Result<Transfer, MessageError> {
        let descriptor = message.descriptor;
        let is_oword = opcode(descriptor) & OWORD != 0;
        let (interleaved, per_slot) = (descriptor.bits(14, 14) == 1, descriptor.bits(16, 16) == 1);
        let (unit, largest) = if is_oword { (16, 2047) } else { (32, 1023) };
        // The byte that handle `n` and its offset select.
        let start = |n: usize| {
            let slot = if per_slot { header.dword(3 + n) } else { 0 };
            let offset = u64::from(descriptor.bits(13, 3)) + u64::from(slot);
            if offset > largest {
                return Err(MessageError::Payload { reason: "an offset beyond the range of the message", value: offset as u32 });
            }
            Ok(UNIT * u64::from(header.bits(n, 15, 0)) + unit * offset)
        };
        let enabled = u32::from(message.mask) & header.bits(5, 15, 8);
        let first = start(0)?;
        let (second, step, half) = match (interleaved, is_oword) {
            (true, _) => (start(1)?, 16, 0xff),
            (false, false) => (first + 16, 32, 0xff),
            // One of the halves, from the same byte on.
            (false, true) => (first, 16, if header.bits(5, 16, 16) == 1 { 0xf0 } else { 0x0f }),
        };
        Ok(Transfer { starts: [first, second], step, moved: enabled & half })
    }

    /// The DWords that are moved, of `registers` registers: register, DWord there, address.
    fn dwords(&self, registers: usize) -> impl Iterator<Item = (usize, usize, u64)> {
        let all = (0..registers).flat_map(|register| (0..8).map(move |dword| (register, dword)));
        all.filter(|(_, dword)| self.moved >> dword & 1 == 1).map(|(register, dword)| {
            let address = self.starts[dword / 4] + self.step * register as u64 + 4 * (dword % 4) as u64;
            (register, dword, address)
        })
    }
}

/// Processes a message.
pub(super) fn serve(context: FunctionContext, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    let (descriptor, urb) = (message.descriptor, context.urb);
    let is_oword = opcode(descriptor) & OWORD != 0;
    match opcode(descriptor) {
        ATOMIC_MOV | ATOMIC_INC => atomic(urb, message),
        code if code & !OWORD == READ => {
            let (header, _) = message.header()?;
            message.check_length(0)?;
            let transfer = Transfer::of(message, header)?;
            let mut response = vec![Writeback::EMPTY; if is_oword { 1 } else { descriptor.response() }];
            for (register, dword, address) in transfer.dwords(response.len()) {
                response[register].set(dword, urb.dword(address), 4);
            }
            Ok(response)
        }
        code if code & !OWORD == 0 => {
            let (header, data) = message.header()?;
            message.check_length(if is_oword { 1 } else { data.len().max(1) })?;
            for (register, dword, address) in Transfer::of(message, header)?.dwords(data.len()) {
                urb.set_dword(address, data[register].dword(dword));
            }
            Ok(vec![])
        }
        _ => Err(MessageError::Opcode { function: SharedFunction::Urb, control: descriptor.control() }),
    }
}

/// Moves a DWord to the buffer, or increments one and returns the old value.
fn atomic(urb: &Memory, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    let (header, _) = message.header()?;
    message.check_length(0)?;
    let address = UNIT * u64::from(header.bits(0, 15, 0)) + 4 * u64::from(message.descriptor.bits(13, 3));
    if opcode(message.descriptor) == ATOMIC_MOV {
        urb.set_dword(address, header.dword(2));
        return Ok(vec![]);
    }
    let mut response = Writeback::EMPTY;
    response.set(0, urb.update(address, |old| old.wrapping_add(1)), 4);
    Ok(vec![response])
}
