//! Data ports: reads and writes of surfaces through the sampler, constant and render caches (§7.3, volume 4 part 1, 3.9).
mod buffer;
pub(crate) mod color;
mod media_block;

use super::descriptor::{Descriptor, SharedFunction};
use super::error::MessageError;
use super::machine::Machine;
use super::message::{Message, Writeback};
use super::room::Room;

/// Message types, those of the render cache where caches differ.
pub mod opcode {
    /// OWord block read.
    pub const OWORD_BLOCK_READ: u32 = 0b0000;
    /// OWord dual block read.
    pub const OWORD_DUAL_BLOCK_READ: u32 = 0b0010;
    /// Media block read.
    pub const MEDIA_BLOCK_READ: u32 = 0b0100;
    /// OWord block read from any DWord on.
    pub const UNALIGNED_OWORD_BLOCK_READ: u32 = 0b0101;
    /// DWord scattered read.
    pub const DWORD_SCATTERED_READ: u32 = 0b0110;
    /// OWord block write.
    pub const OWORD_BLOCK_WRITE: u32 = 0b1000;
    /// OWord dual block write.
    pub const OWORD_DUAL_BLOCK_WRITE: u32 = 0b1001;
    /// Media block write.
    pub const MEDIA_BLOCK_WRITE: u32 = 0b1010;
    /// DWord scattered write.
    pub const DWORD_SCATTERED_WRITE: u32 = 0b1011;
}

/// Bit of the function control that asks a write for a commit message.
pub const WRITE_COMMIT: u32 = 1 << 17;

/// Function control of a data port message (18:0 of the descriptor): `specific` are its bits 12:8.
pub const fn control(opcode: u32, specific: u32, binding: u32) -> u32 {
    opcode << 13 | specific << 8 | binding
}

/// Type of a message to the render cache.
fn render_type(descriptor: Descriptor) -> u32 {
    descriptor.bits(16, 13)
}

/// Whether a message to the render cache writes.
pub(crate) fn writes(descriptor: Descriptor) -> bool {
    (opcode::OWORD_BLOCK_WRITE..=opcode::DWORD_SCATTERED_WRITE).contains(&render_type(descriptor))
}

pub(crate) fn serve(
    machine: &Machine,
    room: &mut Room,
    function: SharedFunction,
    message: &Message,
) -> Result<Vec<Writeback>, MessageError> {
    let descriptor = message.descriptor;
    let unknown = MessageError::Opcode { function, control: descriptor.control() };
    let (opcode, known): (u32, &[u32]) = match function {
        SharedFunction::SamplerCache => (
            descriptor.bits(15, 13),
            &[opcode::OWORD_BLOCK_READ, opcode::OWORD_DUAL_BLOCK_READ, opcode::MEDIA_BLOCK_READ, opcode::DWORD_SCATTERED_READ],
        ),
        SharedFunction::ConstantCache => (
            descriptor.bits(15, 13),
            &[
                opcode::OWORD_BLOCK_READ,
                opcode::OWORD_DUAL_BLOCK_READ,
                opcode::UNALIGNED_OWORD_BLOCK_READ,
                opcode::DWORD_SCATTERED_READ,
            ],
        ),
        _ => (
            render_type(descriptor),
            &[
                opcode::OWORD_BLOCK_READ,
                opcode::OWORD_DUAL_BLOCK_READ,
                opcode::MEDIA_BLOCK_READ,
                opcode::UNALIGNED_OWORD_BLOCK_READ,
                opcode::DWORD_SCATTERED_READ,
                opcode::OWORD_BLOCK_WRITE,
                opcode::OWORD_DUAL_BLOCK_WRITE,
                opcode::MEDIA_BLOCK_WRITE,
                opcode::DWORD_SCATTERED_WRITE,
            ],
        ),
    };
    if !known.contains(&opcode) {
        return Err(unknown);
    }
    match opcode {
        opcode::MEDIA_BLOCK_READ => media_block::read(machine, message),
        opcode::MEDIA_BLOCK_WRITE => media_block::write(machine, &mut room.color, message),
        _ => buffer::serve(machine, function, opcode, message).and_then(|answer| answer.ok_or(unknown)),
    }
}

/// What a write answers: nothing, or that it is done.
fn written(message: &Message) -> Vec<Writeback> {
    if message.descriptor.control() & WRITE_COMMIT != 0 { vec![Writeback::COMMIT] } else { vec![] }
}
