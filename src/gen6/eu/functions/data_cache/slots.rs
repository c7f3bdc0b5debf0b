//! The slots of a message: the execution mask, and the registers with a value for each of them.
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::data::register::Register;

/// The slots of a message, 8 or 16.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    /// Registers with a value for each slot: 1 or 2.
    pub registers: usize,
    /// Bit n: slot n is live.
    live: u16,
}

impl Slots {
    /// Slots of which `mask` enables some.
    pub fn new(registers: usize, mask: u16) -> Slots {
        Slots { registers, live: if registers == 1 { mask & 0xff } else { mask } }
    }

    /// The slots that are enabled, in order.
    pub fn live(self) -> impl Iterator<Item = usize> {
        (0..16).filter(move |slot| self.live >> slot & 1 == 1)
    }

    /// The value of a slot in these registers.
    pub fn value(self, registers: &[Register], slot: usize) -> u32 {
        registers.get(slot / 8).map_or(0, |register| register.dword(slot % 8))
    }

    /// Registers of a response without values.
    pub fn response(self) -> Vec<Writeback> {
        vec![Writeback::EMPTY; self.registers]
    }
}

/// The mask of a message with a mask of pixels in its header.
pub(super) fn mask(message: &Message) -> u16 {
    let (header, _) = message.optional_header();
    message.mask & header.map_or(u16::MAX, |header| header.dword(7) as u16)
}
