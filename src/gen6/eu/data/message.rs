//! A message that reached its shared function, and the registers of the response (§7.2).
use super::descriptor::Descriptor;
use super::error::MessageError;
use super::register::{BYTES, Register};

/// A message that reached its shared function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message<'a> {
    pub descriptor: Descriptor,
    /// The registers of the message, the header first if there is one.
    pub payload: &'a [Register],
    /// The execution mask of the `send`.
    pub mask: u16,
    /// The binding table of the thread, an offset from the surface state base.
    pub binding_table: u32,
    /// The SAMPLER_STATE array of the thread, an offset from the dynamic state base.
    pub samplers: u32,
}

impl<'a> Message<'a> {
    /// The header, which this message must have, and the registers after it.
    pub fn header(&self) -> Result<(&'a Register, &'a [Register]), MessageError> {
        let (first, rest) = self.payload.split_first().ok_or(MessageError::Length { found: 0, needed: 1 })?;
        let missing = MessageError::Payload { reason: "a message without header", value: self.descriptor.0 };
        self.descriptor.has_header().then_some((first, rest)).ok_or(missing)
    }

    /// The last register, which holds the addresses of sampler messages.
    pub fn last(&self) -> Result<&'a Register, MessageError> {
        self.payload.last().ok_or(MessageError::Length { found: 0, needed: 1 })
    }

    /// The header, if the message has one, and the registers after it.
    pub fn optional_header(&self) -> (Option<&'a Register>, &'a [Register]) {
        match self.payload.split_first() {
            Some((first, rest)) if self.descriptor.has_header() => (Some(first), rest),
            _ => (None, self.payload),
        }
    }

    /// Checks that `registers` registers follow the header.
    pub fn check_length(&self, registers: usize) -> Result<(), MessageError> {
        let (found, needed) = (self.payload.len(), registers + usize::from(self.descriptor.has_header()));
        if found == needed { Ok(()) } else { Err(MessageError::Length { found, needed }) }
    }
}

/// A register of a response.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Writeback {
    pub value: Register,
    /// Bit n: byte n is written. The other bytes of the destination are kept.
    pub written: u32,
}

impl From<Register> for Writeback {
    fn from(value: Register) -> Writeback {
        Writeback { value, written: u32::MAX }
    }
}

impl Writeback {
    /// A register of which no byte is written yet.
    pub const EMPTY: Writeback = Writeback { value: Register([0; BYTES]), written: 0 };

    /// The response of a write with commit: it clears the in-flight bit and writes no byte.
    pub const COMMIT: Writeback = Writeback::EMPTY;

    /// Sets DWord `index`, 0 to 7, of which the lowest `bytes` bytes are written, 0 to 4.
    pub fn set(&mut self, index: usize, value: u32, bytes: u32) {
        self.value.set_dword(index, value);
        self.written |= ((1 << bytes) - 1) << (4 * index);
    }

    /// Writes the bytes to the destination.
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
