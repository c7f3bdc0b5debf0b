//! A message on its way, and what comes back (§7.2).
use super::data_port;
use super::descriptor::{Descriptor, SharedFunction};
use super::error::MessageError;
use super::machine::Machine;
use super::register::{BYTES, Register};
use super::room::Room;
use super::sampler;

/// A message that arrived.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message<'a> {
    pub descriptor: Descriptor,
    /// Its registers, the header first if there is one.
    pub payload: &'a [Register],
    /// The execution mask.
    pub mask: u16,
    /// Pointers of the thread, delivered beside the message.
    pub binding_table: u32,
    pub samplers: u32,
}

impl<'a> Message<'a> {
    /// The header, which this message must have, and what follows it.
    pub fn header(&self) -> Result<(&'a Register, &'a [Register]), MessageError> {
        let (first, rest) = self.payload.split_first().ok_or(MessageError::Length { found: 0, needed: 1 })?;
        let missing = MessageError::Payload { what: "a message without header", value: self.descriptor.0 };
        self.descriptor.has_header().then_some((first, rest)).ok_or(missing)
    }

    /// Checks the number of registers that follow the header.
    pub fn needs(&self, registers: usize) -> Result<(), MessageError> {
        let (found, needed) = (self.payload.len(), registers + usize::from(self.descriptor.has_header()));
        if found == needed { Ok(()) } else { Err(MessageError::Length { found, needed }) }
    }
}

/// A register that comes back: the bytes that `written` names; the others keep what they hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Writeback {
    pub value: Register,
    pub written: u32,
}

impl From<Register> for Writeback {
    fn from(value: Register) -> Writeback {
        Writeback { value, written: u32::MAX }
    }
}

impl Writeback {
    /// Only tells that something is done.
    pub const COMMIT: Writeback = Writeback { value: Register([0; BYTES]), written: 0 };

    pub fn write(&self, register: &mut Register) {
        if self.written == u32::MAX {
            *register = self.value;
            return;
        }
        for byte in (0..BYTES).filter(|byte| self.written >> byte & 1 == 1) {
            register.0[byte] = self.value.0[byte];
        }
    }
}

/// Lets a shared function work on a message.
pub(crate) fn serve(
    machine: &Machine,
    room: &mut Room,
    function: SharedFunction,
    message: &Message,
) -> Result<Vec<Writeback>, MessageError> {
    let control = message.descriptor.control();
    match function {
        SharedFunction::Null => Ok(vec![]),
        SharedFunction::Sampler => sampler::serve(machine, room, message),
        SharedFunction::SamplerCache | SharedFunction::RenderCache | SharedFunction::ConstantCache => {
            data_port::serve(machine, room, function, message)
        }
        // Opcode 0 gives the resources of a thread back; 1 would spawn one.
        SharedFunction::ThreadSpawner if control & 1 == 0 => {
            message.needs(1 - usize::from(message.descriptor.has_header())).map(|()| vec![])
        }
        SharedFunction::ThreadSpawner => Err(MessageError::Opcode { function, control }),
        SharedFunction::ExtendedMath | SharedFunction::Gateway | SharedFunction::Urb => {
            Err(MessageError::NotModelled { function })
        }
    }
}

/// Whether a function can take the last message of a thread (volume 4 part 1, 1.6.8).
pub(crate) fn can_end(function: SharedFunction, descriptor: Descriptor) -> bool {
    match function {
        SharedFunction::Null | SharedFunction::Gateway | SharedFunction::Urb | SharedFunction::ThreadSpawner => true,
        SharedFunction::RenderCache => data_port::writes(descriptor),
        _ => false,
    }
}
