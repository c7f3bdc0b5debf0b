//! The rectangle of a media block message.
use crate::gen6::eu::data::register::BYTES;

/// A rectangle, in bytes and lines of the surface, which may lie outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub x: i64,
    pub y: i64,
    pub width: usize,
    pub height: usize,
}

impl Block {
    /// Bytes from one row to the next in the registers.
    pub fn pitch(&self) -> usize {
        self.width.next_power_of_two()
    }

    /// Registers of the block.
    pub fn registers(&self) -> usize {
        (self.pitch() * self.height).div_ceil(BYTES)
    }

    /// The register that a row starts in, and its first byte there.
    pub fn position(&self, row: usize) -> (usize, usize) {
        let byte = row * self.pitch();
        (byte / BYTES, byte % BYTES)
    }
}
