//! The shared function and the descriptor of a message (§7.2).
use super::register::bits;
use std::fmt;

/// The shared functions, with their identifiers of 4 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SharedFunction {
    /// Accepts any message and does nothing: 0.
    Null,
    /// Extended math: 1.
    ExtendedMath,
    /// Sampler: 2.
    Sampler,
    /// Message gateway: 3.
    Gateway,
    /// Data port, sampler cache: 4.
    SamplerCache,
    /// Data port, render cache: 5.
    RenderCache,
    /// Unified return buffer: 6.
    Urb,
    /// Thread spawner: 7.
    ThreadSpawner,
    /// Data port, constant cache: 9.
    ConstantCache,
    /// Data cache port of a later part: 10. A machine has it only if
    /// [`Machine::data_cache_port`](crate::gen6::eu::Machine::data_cache_port) is set; otherwise
    /// the identifier is bad.
    DataCache,
}

impl SharedFunction {
    /// All shared functions with their identifiers.
    pub const ALL: [(u8, SharedFunction); 10] = [
        (0, SharedFunction::Null),
        (1, SharedFunction::ExtendedMath),
        (2, SharedFunction::Sampler),
        (3, SharedFunction::Gateway),
        (4, SharedFunction::SamplerCache),
        (5, SharedFunction::RenderCache),
        (6, SharedFunction::Urb),
        (7, SharedFunction::ThreadSpawner),
        (9, SharedFunction::ConstantCache),
        (10, SharedFunction::DataCache),
    ];

    /// The function with this identifier, if there is one.
    pub fn from_identifier(identifier: u8) -> Option<SharedFunction> {
        SharedFunction::ALL.iter().find(|(known, _)| *known == identifier).map(|&(_, function)| function)
    }

    /// The identifier, 0 to 10.
    pub fn identifier(self) -> u8 {
        SharedFunction::ALL.iter().find(|(_, known)| *known == self).map_or(0, |&(identifier, _)| identifier)
    }
}

impl fmt::Display for SharedFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SharedFunction::Null => "null function",
            SharedFunction::ExtendedMath => "extended math function",
            SharedFunction::Sampler => "sampler",
            SharedFunction::Gateway => "message gateway",
            SharedFunction::SamplerCache => "sampler cache data port",
            SharedFunction::RenderCache => "render cache data port",
            SharedFunction::Urb => "unified return buffer",
            SharedFunction::ThreadSpawner => "thread spawner",
            SharedFunction::ConstantCache => "constant cache data port",
            SharedFunction::DataCache => "data cache port",
        })
    }
}

/// A message descriptor, 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Descriptor(pub u32);

impl Descriptor {
    /// The descriptor of a message of `length` registers (0 to 15) with a response of `response`
    /// registers (0 to 31). `control` is the function control, 19 bits. Higher bits of all three
    /// are ignored.
    pub const fn new(length: u32, response: u32, header: bool, control: u32) -> Descriptor {
        Descriptor((length & 15) << 25 | (response & 31) << 20 | (header as u32) << 19 | control & 0x7ffff)
    }

    /// The same descriptor with the end-of-thread bit.
    pub const fn ending(self) -> Descriptor {
        Descriptor(self.0 | 1 << 31)
    }

    /// Whether the message ends the thread (bit 31).
    pub const fn end_of_thread(self) -> bool {
        self.0 >> 31 == 1
    }

    /// Message length in registers (bits 28:25).
    pub const fn length(self) -> usize {
        self.bits(28, 25) as usize
    }

    /// Response length in registers (bits 24:20).
    pub const fn response(self) -> usize {
        self.bits(24, 20) as usize
    }

    /// Whether the first register is a header (bit 19).
    pub const fn has_header(self) -> bool {
        self.bits(19, 19) == 1
    }

    /// Function control (bits 18:0).
    pub const fn control(self) -> u32 {
        self.bits(18, 0)
    }

    /// Binding table index (bits 7:0), in the function control of most functions.
    pub const fn binding(self) -> u8 {
        self.0 as u8
    }

    /// Bits `high` to `low`, moved down to bit 0. Bits above 31 are 0, and so is a range whose
    /// `high` is below `low`.
    pub const fn bits(self, high: u32, low: u32) -> u32 {
        bits(self.0, high, low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_the_bits_of_the_specification() {
        let descriptor = Descriptor::new(2, 12, true, 0x38003).ending();
        assert_eq!(descriptor.0, 1 << 31 | 2 << 25 | 12 << 20 | 1 << 19 | 0x38003);
        assert!(descriptor.end_of_thread() && descriptor.has_header());
        assert_eq!((descriptor.length(), descriptor.response(), descriptor.control(), descriptor.binding()), (2, 12, 0x38003, 3));
    }

    #[test]
    fn identifiers() {
        for identifier in 0..16 {
            let function = SharedFunction::from_identifier(identifier);
            assert_eq!(function.is_none(), [8, 11, 12, 13, 14, 15].contains(&identifier));
            assert!(function.is_none_or(|function| function.identifier() == identifier));
        }
    }
}
