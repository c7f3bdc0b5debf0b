//! Render target UNORM read and write: 8×4 pixels of four bytes (§11.4, volume 4 part 1, 3.9.10).
use super::{commit, line_stride};
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::data::register::Register;
use crate::gen6::eu::data::surface::{Surface, SurfaceKind};
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::eu::functions::range::{STATELESS, surface_state, unsupported};

const WIDTH: usize = 8;
const HEIGHT: usize = 4;
/// Bytes of a pixel.
const PIXEL: usize = 4;
/// R8G8B8A8, B8G8R8A8, R8G8B8X8 and B8G8R8X8.
const FORMATS: [u32; 4] = [0x0c7, 0x0c0, 0x0eb, 0x0e9];
/// The first of the two pixels in each DWord of a register.
const PAIRS: [usize; 8] = [0, 2, 8, 10, 4, 6, 12, 14];

/// Register and first byte of the two channels `channel` and `channel + 1` of pixel `n`.
fn position(n: usize, channel: usize) -> (usize, usize) {
    let dword = PAIRS.iter().position(|&first| first == n % 16 / 2 * 2).unwrap_or(0);
    (n / 16 + channel / 2 * 2, 4 * dword + 2 * (n % 2))
}

/// The bit of pixel `n` in the mask of a write: quads of 2 × 2, four of them in a square.
fn mask_bit(n: usize) -> usize {
    let (x, y) = (n % WIDTH, n / WIDTH);
    x % 2 + 2 * (y % 2) + 4 * (x / 2 % 2) + 8 * (y / 2) + 16 * (x / 4)
}

/// The surface of a message, and the first byte and the line of its block.
fn decode(context: FunctionContext, message: &Message) -> Result<(Surface, i64, i64), MessageError> {
    let (header, _) = message.header()?;
    let refused = |reason| unsupported(message, reason);
    if message.descriptor.binding() == STATELESS {
        return Err(refused("blocks of pixels are never stateless"));
    }
    let mut surface = Surface::from_state(&surface_state(context, message)?).map_err(refused)?;
    if surface.kind != SurfaceKind::Plane {
        return Err(refused("not a plane"));
    }
    if !surface.layout.base.is_multiple_of(32) {
        return Err(refused("a base that is no multiple of 32 bytes"));
    }
    if !FORMATS.contains(&surface.format) {
        return Err(refused("a format other than four channels of 8 bits"));
    }
    line_stride::replace(&mut surface, message.descriptor).map_err(refused)?;
    for (dword, step) in [(0, WIDTH), (1, HEIGHT)] {
        let value = header.dword(dword);
        if !value.is_multiple_of(step as u32) {
            return Err(MessageError::Payload { reason: "a position that is no multiple of the size of a block", value });
        }
    }
    Ok((surface, PIXEL as i64 * i64::from(header.dword(0) as i32), i64::from(header.dword(1) as i32)))
}

/// The pixels of a block that lie inside the surface: number, byte and line of the surface.
fn pixels(surface: &Surface, x: i64, y: i64) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..WIDTH * HEIGHT).filter_map(move |n| {
        let byte = usize::try_from(x + (n % WIDTH * PIXEL) as i64).ok().filter(|&byte| byte < surface.width)?;
        let line = usize::try_from(y + (n / WIDTH) as i64).ok().filter(|&line| line < surface.height)?;
        Some((n, byte + surface.origin.0, surface.frame_line(line)))
    })
}

/// Reads a block; pixels outside are 0.
pub(super) fn read(context: FunctionContext, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    message.header()?;
    message.check_length(0)?;
    let (surface, x, y) = decode(context, message)?;
    let mut response = [Register::default(); PIXEL];
    for (n, byte, line) in pixels(&surface, x, y) {
        let mut pixel = [0; PIXEL];
        surface.layout.read(context.memory, byte, line, &mut pixel);
        for (pair, channels) in pixel.chunks(2).enumerate() {
            let (register, at) = position(n, 2 * pair);
            response[register].0[at..at + 2].copy_from_slice(channels);
        }
    }
    Ok(response.map(Writeback::from).to_vec())
}

/// Writes the pixels of a block that the mask in the header selects.
pub(super) fn write(context: FunctionContext, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    let (header, data) = message.header()?;
    message.check_length(PIXEL)?;
    let (surface, x, y) = decode(context, message)?;
    for (n, byte, line) in pixels(&surface, x, y).filter(|&(n, ..)| header.dword(2) >> mask_bit(n) & 1 == 1) {
        let mut pixel = [0; PIXEL];
        for (pair, channels) in pixel.chunks_mut(2).enumerate() {
            let (register, at) = position(n, 2 * pair);
            channels.copy_from_slice(&data[register].0[at..at + 2]);
        }
        surface.layout.write(context.memory, byte, line, &pixel);
    }
    Ok(commit::response(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each byte of four registers belongs to one channel of one pixel.
    #[test]
    fn positions() {
        let mut bytes: Vec<usize> = (0..32)
            .flat_map(|n| (0..4).map(move |channel| (n, channel)))
            .map(|(n, channel)| {
                let (register, at) = position(n, channel);
                32 * register + at + channel % 2
            })
            .collect();
        bytes.sort_unstable();
        assert!(bytes.into_iter().eq(0..128));
        // M1.5 has pixels 7 and 6, M2.2 pixels 25 and 24, M3 the upper channels.
        assert_eq!([position(7, 1), position(24, 0), position(15, 3)], [(0, 22), (1, 8), (2, 30)]);
    }

    #[test]
    fn bits_of_the_mask() {
        assert_eq!([0, 1, 2, 4, 7, 8, 16, 31].map(mask_bit), [0, 1, 4, 16, 21, 2, 8, 31]);
    }
}
