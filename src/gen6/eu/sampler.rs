//! Sampler: messages in SIMD32/64 mode (§7.3, volume 4 part 1, 2.12).
mod answer;
pub(crate) mod deinterlace;
mod pictures;
mod pixels;
pub(crate) mod sample_8x8;
mod sample_unorm;
mod window;

use super::descriptor::SharedFunction;
use super::error::MessageError;
use super::machine::Machine;
use super::message::{Message, Writeback};
use super::room::Room;

/// Bits 17:16 of the descriptor of the messages that are modelled.
const SIMD32_64: u32 = 3;

/// Message types, bits 15:12 of the descriptor.
pub mod opcode {
    /// `sample_unorm`, pixel-shader layout.
    pub const SAMPLE_UNORM: u32 = 0b0000;
    /// `sample_unorm+killpix`, pixel-shader layout.
    pub const SAMPLE_UNORM_KILLPIX: u32 = 0b0010;
    /// `sample_8x8`, pixel-shader layout.
    pub const SAMPLE_8X8: u32 = 0b0011;
    /// `deinterlace`.
    pub const DEINTERLACE: u32 = 0b1000;
    /// `sample_unorm+killpix`, media layout.
    pub const SAMPLE_UNORM_KILLPIX_MEDIA: u32 = 0b1010;
    /// `sample_8x8`, media layout.
    pub const SAMPLE_8X8_MEDIA: u32 = 0b1011;
    /// `sample_unorm`, media layout.
    pub const SAMPLE_UNORM_MEDIA: u32 = 0b1100;
}

/// Where a payload holds its differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Delta U in DWord 0, the second derivative in DWord 1.
    PixelShader,
    /// The other way round.
    Media,
}

/// Function control of a sampler message (18:0 of the descriptor).
pub const fn control(opcode: u32, sampler: u32, binding: u32) -> u32 {
    SIMD32_64 << 16 | opcode << 12 | sampler << 8 | binding
}

/// Address of the message's SAMPLER_STATE; the arrays of all kinds count in steps of 4 DWords. `step` is what the index must be a
/// multiple of.
fn state_address(machine: &Machine, message: &Message, step: u32) -> Result<u64, MessageError> {
    let index = message.descriptor.bits(11, 8);
    if !index.is_multiple_of(step) {
        return Err(MessageError::Payload { what: "a sampler index that this message cannot have", value: index });
    }
    Ok(u64::from(machine.bases.dynamic_state) + u64::from(message.samplers) + 16 * u64::from(index))
}

pub(crate) fn serve(machine: &Machine, room: &mut Room, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    let (mode, opcode) = (message.descriptor.bits(17, 16), message.descriptor.bits(15, 12));
    let unknown = MessageError::Opcode { function: SharedFunction::Sampler, control: message.descriptor.control() };
    if mode != SIMD32_64 || message.descriptor.bits(18, 18) != 0 {
        return Err(unknown);
    }
    match opcode {
        opcode::DEINTERLACE => deinterlace::serve(machine, &mut room.deinterlace, message),
        opcode::SAMPLE_8X8 => sample_8x8::serve(machine, &mut room.sample_8x8, message, Mode::PixelShader),
        opcode::SAMPLE_8X8_MEDIA => sample_8x8::serve(machine, &mut room.sample_8x8, message, Mode::Media),
        opcode::SAMPLE_UNORM => sample_unorm::serve(machine, message, Mode::PixelShader, false),
        opcode::SAMPLE_UNORM_KILLPIX => sample_unorm::serve(machine, message, Mode::PixelShader, true),
        opcode::SAMPLE_UNORM_MEDIA => sample_unorm::serve(machine, message, Mode::Media, false),
        opcode::SAMPLE_UNORM_KILLPIX_MEDIA => sample_unorm::serve(machine, message, Mode::Media, true),
        _ => Err(unknown),
    }
}
