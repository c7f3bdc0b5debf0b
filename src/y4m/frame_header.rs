//! The `FRAME` line before the samples of each frame.

use crate::format::{FieldOrder, FrameFlags};
use std::io::{self, Write};

/// What a `FRAME` line begins with.
pub(super) const MAGIC: &[u8] = b"FRAME";

/// The parameters of one frame, kept byte for byte. The default is a bare `FRAME`.
///
/// In an `Im` stream the parameter `Ixyz` tells how the frame is scanned: x how it is shown (`t`, `T` top field first, `b`, `B`
/// bottom field first, `1`, `2`, `3` as a whole that many times), y how it was taken (`p` at once, `i` field by field), z how its
/// chroma was subsampled (`p`, `i`, or `?`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameHeader {
    /// What stands between `FRAME` and the line feed: nothing, or something that begins with a space.
    parameters: Vec<u8>,
}

impl FrameHeader {
    pub(super) fn new(parameters: &[u8]) -> FrameHeader {
        FrameHeader { parameters: parameters.to_vec() }
    }

    /// The interlacing flags: progressive if taken at once or shown as a whole; the field order if shown field by field.
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

    /// The line of the same frame in a progressive stream, where `I` has no place; the other parameters stay.
    pub fn without_interlacing(&self) -> FrameHeader {
        let parameters: Vec<_> = self.split().filter(|parameter| !parameter.starts_with(b"I")).collect();
        FrameHeader { parameters: parameters.join(&b' ') }
    }

    /// Writes the line, with its line feed.
    pub fn write(&self, mut output: impl Write) -> io::Result<()> {
        let mut line = Vec::new();
        self.append_to(&mut line);
        output.write_all(&line)
    }

    pub(super) fn append_to(&self, line: &mut Vec<u8>) {
        line.extend_from_slice(MAGIC);
        line.extend_from_slice(&self.parameters);
        line.push(b'\n');
    }

    /// xyz of the last `Ixyz`; empty if there is none.
    fn interlacing(&self) -> &[u8] {
        self.split().rev().find_map(|parameter| parameter.strip_prefix(b"I")).unwrap_or_default()
    }

    fn split(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.parameters.split(|&byte| byte == b' ')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_interlacing_parameter_counts() {
        let header = |parameters: &str| FrameHeader::new(parameters.as_bytes());
        let flags = |progressive, order| FrameFlags { progressive, field_order: Some(order) };
        assert_eq!(header(" Itii Ibpp").flags(), flags(true, FieldOrder::BottomFirst));
        assert_eq!(header(" Ibpp Itii").flags(), flags(false, FieldOrder::TopFirst));
    }

    #[test]
    fn only_the_interlacing_is_dropped() {
        let without = |parameters: &[u8]| FrameHeader::new(parameters).without_interlacing().parameters;
        assert_eq!(without(b""), b"");
        assert_eq!(without(b" I1pp"), b"");
        assert_eq!(without(b" Xa Itii  XI\xff Ibii"), b" Xa  XI\xff");
        assert_eq!(without(b"  Xa "), b"  Xa ");
    }
}
