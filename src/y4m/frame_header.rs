//! The `FRAME` line before the samples of each frame.
use crate::format::{FieldOrder, FrameFlags};
use crate::memory::{OutOfMemory, copied};
use std::io::{self, Write};

/// The first bytes of a `FRAME` line.
pub(super) const MAGIC: &[u8] = b"FRAME";

/// The parameters of one frame, byte for byte. The default is a bare `FRAME`.
///
/// In an `Im` stream the parameter `Ixyz` declares the scan of the frame. x is its presentation:
/// `t` or `T` top field first, `b` or `B` bottom field first, `1`, `2` or `3` progressive, shown
/// that many times. y is its sampling in time: `p` progressive, `i` interlaced. z is the
/// subsampling of its chroma: `p`, `i`, or `?` unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameHeader {
    /// The bytes between `FRAME` and the line feed; empty, or beginning with a space.
    parameters: Vec<u8>,
}

impl FrameHeader {
    /// The header of a frame in an `Im` stream with these flags: `Ixyz`, with `?` for z. A
    /// progressive frame without field order is shown once. Flags that declare nothing give no `I`.
    pub fn with_flags(flags: FrameFlags) -> FrameHeader {
        let parameters: &[u8] = match (flags.progressive, flags.field_order) {
            (true, None) => b" I1p?",
            (true, Some(FieldOrder::TopFirst)) => b" Itp?",
            (true, Some(FieldOrder::BottomFirst)) => b" Ibp?",
            (false, Some(FieldOrder::TopFirst)) => b" Iti?",
            (false, Some(FieldOrder::BottomFirst)) => b" Ibi?",
            (false, None) => b"",
        };
        FrameHeader { parameters: parameters.to_vec() }
    }

    /// The header with these bytes after `FRAME`.
    pub(super) fn new(parameters: &[u8]) -> Result<FrameHeader, OutOfMemory> {
        Ok(FrameHeader { parameters: copied(parameters)? })
    }

    /// The interlacing flags of `Ixyz`: progressive if x is `1`, `2` or `3` or y is `p`; the field
    /// order if x is a field order.
    pub fn flags(&self) -> FrameFlags {
        FrameFlags {
            progressive: matches!(self.interlacing(), [b'1' | b'2' | b'3', ..] | [_, b'p', ..]),
            field_order: match self.interlacing() {
                [b't' | b'T', ..] => Some(FieldOrder::TopFirst),
                [b'b' | b'B', ..] => Some(FieldOrder::BottomFirst),
                _ => None,
            },
        }
    }

    /// The header of the same frame in a progressive stream: without `I`, with all other
    /// parameters.
    pub fn without_interlacing(&self) -> FrameHeader {
        let parameters: Vec<_> = self.split().filter(|parameter| !parameter.starts_with(b"I")).collect();
        FrameHeader { parameters: parameters.join(&b' ') }
    }

    /// Writes the line with its line feed.
    pub fn write(&self, mut output: impl Write) -> io::Result<()> {
        let mut line = Vec::new();
        self.append_to(&mut line);
        output.write_all(&line)
    }

    /// Appends the line with its line feed.
    pub(super) fn append_to(&self, line: &mut Vec<u8>) {
        line.extend_from_slice(MAGIC);
        line.extend_from_slice(&self.parameters);
        line.push(b'\n');
    }

    /// xyz of the last `Ixyz`; empty without one.
    fn interlacing(&self) -> &[u8] {
        self.split().rev().find_map(|parameter| parameter.strip_prefix(b"I")).unwrap_or_default()
    }

    /// The parameters, separated by single spaces.
    fn split(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.parameters.split(|&byte| byte == b' ')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_interlacing_parameter_counts() {
        let header = |parameters: &str| FrameHeader::new(parameters.as_bytes()).unwrap();
        let flags = |progressive, order| FrameFlags { progressive, field_order: Some(order) };
        assert_eq!(header(" Itii Ibpp").flags(), flags(true, FieldOrder::BottomFirst));
        assert_eq!(header(" Ibpp Itii").flags(), flags(false, FieldOrder::TopFirst));
    }

    #[test]
    fn flags_are_written_and_read() {
        for progressive in [false, true] {
            for field_order in [None, Some(FieldOrder::TopFirst), Some(FieldOrder::BottomFirst)] {
                let flags = FrameFlags { progressive, field_order };
                assert_eq!(FrameHeader::with_flags(flags).flags(), flags);
            }
        }
        assert_eq!(FrameHeader::with_flags(FrameFlags::default()), FrameHeader::default());
    }

    #[test]
    fn only_the_interlacing_is_dropped() {
        let without = |parameters: &[u8]| FrameHeader::new(parameters).unwrap().without_interlacing().parameters;
        assert_eq!(without(b""), b"");
        assert_eq!(without(b" I1pp"), b"");
        assert_eq!(without(b" Xa Itii  XI\xff Ibii"), b" Xa  XI\xff");
        assert_eq!(without(b"  Xa "), b"  Xa ");
    }
}
