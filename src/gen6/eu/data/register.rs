//! Registers of a thread (§7.1).
use std::fmt;

/// Bytes in a register.
pub const BYTES: usize = 32;

/// Number of general registers, r0…r127, which a thread computes with.
pub const GRF: usize = 128;

/// Number of message registers, m0…m15, which a thread builds messages in.
pub const MRF: usize = 16;

/// A register: 256 bits, little endian, DWord 0 in the lowest bits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[repr(align(32))]
pub struct Register(pub [u8; BYTES]);

impl Register {
    /// A register with these DWords, DWord 0 first.
    pub fn of(dwords: [u32; 8]) -> Register {
        let mut register = Register::default();
        dwords.into_iter().enumerate().for_each(|(index, value)| register.set_dword(index, value));
        register
    }

    /// DWord `index`, 0 to 7; 0 beyond.
    pub fn dword(&self, index: usize) -> u32 {
        self.0.as_chunks().0.get(index).map_or(0, |&bytes| u32::from_le_bytes(bytes))
    }

    /// Sets DWord `index`, 0 to 7; nothing beyond.
    pub fn set_dword(&mut self, index: usize, value: u32) {
        if let Some(bytes) = self.0.as_chunks_mut().0.get_mut(index) {
            *bytes = value.to_le_bytes();
        }
    }

    /// Bits `high` to `low` of DWord `index`, moved down to bit 0. Bits above 31 are 0, and so is a
    /// range whose `high` is below `low`.
    pub fn bits(&self, index: usize, high: u32, low: u32) -> u32 {
        bits(self.dword(index), high, low)
    }

    /// DWord `index` as a 32-bit float.
    pub fn float(&self, index: usize) -> f32 {
        f32::from_bits(self.dword(index))
    }
}

impl fmt::Debug for Register {
    /// In the order of the hardware documents: DWord 7 first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..8).rev().try_for_each(|index| write!(f, "{}{:08x}", if index < 7 { " " } else { "" }, self.dword(index)))
    }
}

/// The register files of a thread. Each register has an in-flight bit: an MRF register from the
/// moment a message is enqueued to its transmission, a GRF register from `send` to writeback.
#[derive(Clone, Debug)]
pub(crate) struct RegisterFiles {
    /// r0…r127.
    pub grf: [Register; GRF],
    /// m0…m15.
    pub mrf: [Register; MRF],
    /// Bit n: a writeback to rn is due.
    pub grf_in_flight: u128,
    /// Bit n: mn is not transmitted yet.
    pub mrf_in_flight: u16,
}

impl Default for RegisterFiles {
    fn default() -> RegisterFiles {
        RegisterFiles { grf: [Register::default(); GRF], mrf: [Register::default(); MRF], grf_in_flight: 0, mrf_in_flight: 0 }
    }
}

/// Bits `high` to `low` of `dword`, moved down to bit 0. Bits above 31 are 0, and so is a range
/// whose `high` is below `low`.
pub(super) const fn bits(dword: u32, high: u32, low: u32) -> u32 {
    if high < low || low > 31 {
        return 0;
    }
    let above = 31_u32.saturating_sub(high - low);
    dword >> low & u32::MAX >> above
}

/// The bits of the registers `first..first + count`, as far as the file has them.
pub(crate) fn grf_bits(first: usize, count: usize) -> u128 {
    (first..(first + count).min(GRF)).fold(0, |bits, register| bits | 1 << register)
}

/// The same for the MRF.
pub(crate) fn mrf_bits(first: usize, count: usize) -> u16 {
    (first..(first + count).min(MRF)).fold(0, |bits, register| bits | 1 << register)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dwords_are_little_endian_and_the_lowest_first() {
        let register = Register::of([0x0403_0201, 0, 0, 0, 0, 0, 0, 0x8000_0000]);
        assert_eq!((register.0[..4].to_vec(), register.0[31]), (vec![1, 2, 3, 4], 0x80));
        assert_eq!((register.dword(0), register.bits(0, 15, 8), register.bits(7, 31, 31)), (0x0403_0201, 2, 1));
        assert!(format!("{register:?}").starts_with("80000000 00000000"));
    }

    #[test]
    fn bits_stay_within_the_file() {
        assert_eq!((grf_bits(126, 5), mrf_bits(14, 3), grf_bits(0, 0)), (0b11 << 126, 0b11 << 14, 0));
    }
}
