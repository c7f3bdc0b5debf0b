//! Pixel formats of media block writes through the colour pipe: of the message, and of the surface
//! (volume 4 part 1, 3.9.6).
use crate::gen6::eu::data::register::{BYTES, Register};

/// Alpha of pixels in messages without alpha.
const OPAQUE: u16 = 0xffff;

/// The pixel format of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MessageFormat {
    /// 4:2:2: two pixels share their chroma. Else 4:4:4 with alpha.
    pub pairs: bool,
    /// Components of 16 bits, else of 8 bits.
    pub deep: bool,
}

impl MessageFormat {
    /// The format of bits 3:2 of DWord 3 of the header.
    pub fn from_bits(bits: u32) -> MessageFormat {
        MessageFormat { pairs: bits.is_multiple_of(2), deep: bits >= 2 }
    }

    /// Bytes of a pixel.
    pub fn bytes(self) -> usize {
        let components = if self.pairs { 2 } else { 4 };
        components * if self.deep { 2 } else { 1 }
    }

    /// Luma, Cb and Cr in 12 bits and alpha in 16 bits of pixel `x` of the row that starts at byte
    /// `row` of the data.
    pub fn pixel(self, data: &[Register], row: usize, x: usize) -> [u16; 4] {
        let byte = |at: usize| data[at / BYTES].0[at % BYTES];
        let start = row + if self.pairs { x / 2 * 2 } else { x } * self.bytes();
        // Component n of a pixel or of a pair.
        let component = |n: usize| match self.deep {
            true => u16::from_le_bytes([byte(start + 2 * n), byte(start + 2 * n + 1)]) >> 4,
            false => u16::from(byte(start + n)) << 4,
        };
        let alpha = |n: usize| match self.deep {
            true => u16::from_le_bytes([byte(start + 2 * n), byte(start + 2 * n + 1)]),
            false => u16::from(byte(start + n)) * 0x101,
        };
        match (self.pairs, self.deep) {
            (true, _) => [component(x % 2 * 2), component(1), component(3), OPAQUE],
            (false, false) => [component(2), component(1), component(0), alpha(3)],
            (false, true) => [component(1), component(0), component(2), alpha(3)],
        }
    }
}

/// The pixel format of a surface that the colour pipe writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SurfaceFormat {
    /// Packed 4:2:2: the bytes of the first luma, of Cb and of Cr in a pair.
    Pairs([usize; 3]),
    /// Four components of 8 bits: the bytes of the first three, in the order of the pipe, and of
    /// alpha.
    Bytes([usize; 4]),
    /// Four components of 16 bits, in the order of the pipe.
    Words,
    /// 4:2:0 with interleaved chroma.
    Nv12,
}

impl SurfaceFormat {
    /// The format of the `surface_format` of a state; none if the colour pipe does not write it.
    pub fn from_state(surface_format: u32) -> Option<SurfaceFormat> {
        Some(match surface_format {
            0x182 => SurfaceFormat::Pairs([0, 1, 3]),
            0x183 => SurfaceFormat::Pairs([1, 2, 0]),
            0x18f => SurfaceFormat::Pairs([0, 3, 1]),
            0x190 => SurfaceFormat::Pairs([1, 0, 2]),
            0x0c7 => SurfaceFormat::Bytes([0, 1, 2, 3]),
            0x0c0 => SurfaceFormat::Bytes([2, 1, 0, 3]),
            0x080 => SurfaceFormat::Words,
            0x10a => SurfaceFormat::Nv12,
            _ => return None,
        })
    }

    /// Bytes of a pixel in a line.
    pub fn bytes(self) -> usize {
        match self {
            SurfaceFormat::Nv12 => 1,
            SurfaceFormat::Pairs(_) => 2,
            SurfaceFormat::Bytes(_) => 4,
            SurfaceFormat::Words => 8,
        }
    }

    /// Checks that a block of message format `format` at pixel `x` of line `y` can be written.
    pub fn check(self, format: MessageFormat, x: i64, y: i64) -> Result<(), &'static str> {
        match self {
            SurfaceFormat::Nv12 if format == (MessageFormat { pairs: false, deep: true }) => Err("NV12 from 16-bit 4:4:4"),
            SurfaceFormat::Nv12 if x % 4 != 0 || y % 2 != 0 => Err("a block of NV12 off the grid of 4 × 2 pixels"),
            SurfaceFormat::Pairs(_) if x % 2 != 0 => Err("a block that starts within a pair of pixels"),
            _ => Ok(()),
        }
    }
}
