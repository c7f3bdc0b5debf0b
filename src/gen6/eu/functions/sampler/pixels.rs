//! Shared parts of the `sample_*` messages of 32 and 64 pixels: channel masks, the chroma key, and
//! the order of pixels in registers.
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::Message;
use crate::gen6::eu::data::register::Register;
use crate::gen6::eu::functions::context::ChromaKey;

/// Number of channels: red, green, blue, alpha.
pub(super) const CHANNELS: usize = 4;

/// The texel of a YCrCb format that a chroma key replaces: Cr, Y, Cb, and alpha 0. Zeros would be
/// green (volume 4 part 1, 2.11.3.1, ChromaKey Mode).
pub(super) const YCRCB_BLACK: [u8; CHANNELS] = [0x80, 0x10, 0x80, 0];

/// Whether the header masks each channel. Without header no channel is masked.
pub(super) fn masked(message: &Message) -> Result<[bool; CHANNELS], MessageError> {
    let Some(header) = message.payload.first().filter(|_| message.descriptor.has_header()) else { return Ok([false; CHANNELS]) };
    let masked = [12, 13, 14, 15].map(|bit| header.bits(2, bit, bit) == 1);
    if masked == [true; CHANNELS] {
        return Err(MessageError::Payload { reason: "all channels are masked", value: header.dword(2) });
    }
    Ok(masked)
}

/// Whether red, green, blue and alpha are within the bounds of the key.
pub(super) fn matches(key: ChromaKey, channels: [u8; CHANNELS]) -> bool {
    let bounds = |dword: u32| {
        let [b, g, r, a] = dword.to_le_bytes();
        [r, g, b, a]
    };
    let (low, high) = (bounds(key.low), bounds(key.high));
    (0..CHANNELS).all(|i| (low[i]..=high[i]).contains(&channels[i]))
}

/// The two registers of 8 × 4 pixels. Each has two lines: four pixels of the upper one, the four
/// below them, then the same for the other half.
pub(super) fn registers(pixels: &[[u16; 8]; 4]) -> [Register; 2] {
    [0, 2].map(|top| {
        let pair = |x: usize, y: usize| u32::from(pixels[y][x]) | u32::from(pixels[y][x + 1]) << 16;
        Register::of(std::array::from_fn(|dword| pair(dword / 4 * 4 + dword % 2 * 2, top + dword / 2 % 2)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the documents: pixels are numbered line by line, eight a line.
    #[test]
    fn pixels_are_ordered_in_quads() {
        let pixels = std::array::from_fn(|y| std::array::from_fn(|x| (8 * y + x) as u16));
        let order = |register: Register| -> Vec<u32> {
            (0..8).rev().flat_map(|n| [register.bits(n, 31, 16), register.bits(n, 15, 0)]).collect()
        };
        let [first, second] = registers(&pixels);
        assert_eq!(order(first), [15, 14, 13, 12, 7, 6, 5, 4, 11, 10, 9, 8, 3, 2, 1, 0]);
        assert_eq!(order(second), [31, 30, 29, 28, 23, 22, 21, 20, 27, 26, 25, 24, 19, 18, 17, 16]);
    }

    #[test]
    fn keys_are_inclusive() {
        let key = ChromaKey { low: 0x0010_2030, high: 0xff11_2131 };
        assert!(matches(key, [0x10, 0x20, 0x30, 0]) && matches(key, [0x11, 0x21, 0x31, 255]));
        assert!(!matches(key, [0x12, 0x20, 0x30, 0]) && !matches(key, [0x10, 0x1f, 0x30, 0]));
    }
}
