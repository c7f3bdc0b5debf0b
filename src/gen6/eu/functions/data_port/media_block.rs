//! Media block read and write: rectangles of a surface (volume 4 part 1, 3.9.6).
use super::block::Block;
use super::color_format::SurfaceFormat;
use super::{color, commit, line_stride};
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::data::register::{BYTES, Register};
use crate::gen6::eu::data::surface::{Boundary, Surface, SurfaceKind};
use crate::gen6::eu::functions::context::FunctionContext;

/// The pixels of a surface format, which are repeated left and right of the surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pixel {
    /// Pixels of this many bytes.
    Bytes(usize),
    /// Two pixels in a DWord. The first luma has this byte, the second one is two bytes further.
    Pair(usize),
}

impl Pixel {
    /// The pixels of a surface format; none if the documents do not define its media blocks.
    fn of(format: u32) -> Option<Pixel> {
        match format {
            // The formats are ordered by the size of an element.
            0x0c0..=0x0ff => Some(Pixel::Bytes(4)),
            0x100..=0x13f => Some(Pixel::Bytes(2)),
            0x140..=0x17f => Some(Pixel::Bytes(1)),
            0x182 | 0x18f => Some(Pixel::Pair(0)),
            0x183 | 0x190 => Some(Pixel::Pair(1)),
            _ => None,
        }
    }

    /// The number of bytes that x and width must be multiples of.
    fn step(self) -> usize {
        if let Pixel::Bytes(bytes) = self { bytes } else { 4 }
    }

    /// The byte of a line of `width` bytes that is read as byte `x`, which may lie outside.
    fn clamp(self, x: i64, width: usize) -> usize {
        let inside = (0..width as i64).contains(&x);
        let (step, left) = (self.step() as i64, x < 0);
        let first = if left { 0 } else { width as i64 - step };
        match self {
            _ if inside => x as usize,
            Pixel::Bytes(_) => (first + x.rem_euclid(step)) as usize,
            // Both luma samples are the outer one of the pair at the edge.
            Pixel::Pair(luma) => {
                let byte = x.rem_euclid(4);
                let is_luma = byte % 2 == luma as i64;
                let within = if is_luma { luma as i64 + if left { 0 } else { 2 } } else { byte };
                (first + within) as usize
            }
        }
    }
}

/// Decodes a message: its surface, with the vertical stride of the descriptor, and its rectangle.
/// `colors` is whether it is a write through the colour pipe; reads ignore that bit of the header.
fn decode(context: FunctionContext, message: &Message, colors: bool) -> Result<(Surface, Pixel, Block), MessageError> {
    let (descriptor, binding) = (message.descriptor, message.descriptor.binding());
    let (header, _) = message.header()?;
    let unsupported = |reason| MessageError::Surface { binding, reason };
    if binding == 255 {
        return Err(unsupported("media blocks are never stateless"));
    }
    let mut surface = Surface::from_state(&context.surface(message, binding)?).map_err(unsupported)?;
    if surface.kind == SurfaceKind::Buffer {
        return Err(unsupported("a buffer has no media blocks"));
    }
    let pixel = match surface.kind {
        SurfaceKind::Null => Pixel::Bytes(1),
        // The colour pipe checks the pixels of these formats.
        _ if colors && SurfaceFormat::from_state(surface.format).is_some() => Pixel::Bytes(1),
        _ => Pixel::of(surface.format).ok_or(unsupported("a format without media blocks"))?,
    };
    if surface.layout.base % 32 != 0 {
        return Err(unsupported("a base that is no multiple of 32 bytes"));
    }
    line_stride::replace(&mut surface, descriptor).map_err(unsupported)?;
    let (width, height) = (header.bits(2, 4, 0) as usize + 1, header.bits(2, 21, 16) as usize + 1);
    let most = match width {
        1..=4 => 64,
        5..=8 => 32,
        9..=16 => 16,
        _ => 8,
    };
    let payload = |reason, value| MessageError::Payload { reason, value };
    if height > most {
        return Err(payload("a block that is too high for its width", header.dword(2)));
    }
    let (x, y) = (header.dword(0) as i32, header.dword(1) as i32);
    if !(x as usize).is_multiple_of(pixel.step()) || width % pixel.step() != 0 {
        return Err(payload("a block that splits pixels", header.dword(0)));
    }
    Ok((surface, pixel, Block { x: x.into(), y: y.into(), width, height }))
}

/// The line of the frame that is read as line `y` of the surface, which may lie outside.
fn clamped_line(surface: &Surface, y: i64) -> usize {
    let last = surface.height as i64 - 1;
    if (0..=last).contains(&y) {
        return surface.frame_line(y as usize);
    }
    let nearest = y.clamp(0, last);
    match (surface.boundary, surface.field) {
        (Boundary::Progressive, Some(_)) => {
            let frame = if y < 0 { 0 } else { 2 * last as usize + 1 };
            frame + surface.origin.1
        }
        (Boundary::Interlaced, None) => {
            let parity = y & 1;
            let nearest = if nearest & 1 == parity {
                nearest
            } else if y < 0 {
                nearest + 1
            } else {
                nearest - 1
            };
            surface.frame_line(nearest.clamp(0, last) as usize)
        }
        _ => surface.frame_line(nearest as usize),
    }
}

/// Media block read.
pub(super) fn read(context: FunctionContext, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    let (surface, pixel, block) = decode(context, message, false)?;
    message.check_length(0)?;
    let mut response = vec![Register::default(); block.registers()];
    if surface.kind == SurfaceKind::Null {
        return Ok(response.into_iter().map(Into::into).collect());
    }
    let mut line = [0; BYTES];
    // The part of the surface that contains the clamped columns.
    let columns: Vec<usize> = (0..block.width as i64).map(|i| pixel.clamp(block.x + i, surface.width)).collect();
    let (first, last) = (columns.iter().copied().min().unwrap_or(0), columns.iter().copied().max().unwrap_or(0));
    for row in 0..block.height {
        let y = clamped_line(&surface, block.y + row as i64);
        let line = &mut line[..(last - first + 1).min(BYTES)];
        surface.layout.read(context.memory, first + surface.origin.0, y, line);
        let (register, byte) = block.position(row);
        for (out, &column) in response[register].0[byte..].iter_mut().zip(&columns) {
            *out = line[column - first];
        }
    }
    Ok(response.into_iter().map(Into::into).collect())
}

/// Media block write, through the colour pipe if the header says so.
pub(super) fn write(
    context: FunctionContext,
    scratch: &mut color::Scratch,
    message: &Message,
) -> Result<Vec<Writeback>, MessageError> {
    let (header, data) = message.header()?;
    let colors = header.bits(3, 0, 0) == 1;
    let (surface, _, block) = decode(context, message, colors)?;
    if block.x % 4 != 0 || block.width % 4 != 0 {
        return Err(MessageError::Payload { reason: "a write of a block that splits DWords", value: header.dword(0) });
    }
    message.check_length(block.registers())?;
    if colors && surface.kind != SurfaceKind::Null {
        color::write(context, scratch, (message.descriptor.binding(), &surface), block, header, data)?;
        return Ok(commit::response(message));
    }
    let inside = |first: i64, count: usize, size: usize| {
        let end = (first + count as i64).min(size as i64);
        let start = first.max(0);
        (start < end).then_some((start as usize, (start - first) as usize, (end - start) as usize))
    };
    let Some((x, skip, count)) = inside(block.x, block.width, surface.width) else { return Ok(commit::response(message)) };
    if let Some((y, above, lines)) = inside(block.y, block.height, surface.height) {
        for line in 0..lines {
            let (register, byte) = block.position(above + line);
            let bytes = &data[register].0[byte + skip..][..count];
            surface.layout.write(context.memory, x + surface.origin.0, surface.frame_line(y + line), bytes);
        }
    }
    Ok(commit::response(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the documents, one letter a byte.
    #[test]
    fn pixels_left_and_right_of_a_surface() {
        let read = |pixel: Pixel, first: i64| -> String {
            let line = if pixel == Pixel::Pair(1) { "UyVYuzvZ" } else { "ABCDEFGH" };
            (first..first + 4).map(|x| line.as_bytes()[pixel.clamp(x, 8)] as char).collect()
        };
        assert_eq!([read(Pixel::Bytes(1), -4), read(Pixel::Bytes(1), 8)], ["AAAA", "HHHH"]);
        assert_eq!([read(Pixel::Bytes(2), -4), read(Pixel::Bytes(2), 8)], ["ABAB", "GHGH"]);
        assert_eq!([read(Pixel::Bytes(4), -4), read(Pixel::Bytes(4), 12)], ["ABCD", "EFGH"]);
        assert_eq!([read(Pixel::Pair(0), -4), read(Pixel::Pair(0), 8)], ["ABAD", "GFGH"]);
        assert_eq!([read(Pixel::Pair(1), -8), read(Pixel::Pair(1), 8)], ["UyVy", "uZvZ"]);
        assert_eq!(read(Pixel::Bytes(1), 3), "DEFG");
    }

    #[test]
    fn lines_above_and_below_a_surface() {
        let frame = Surface {
            kind: SurfaceKind::Plane,
            format: 0x140,
            layout: Default::default(),
            origin: (0, 0),
            width: 4,
            height: 4,
            field: None,
            boundary: Boundary::Interlaced,
        };
        let rows = |surface: &Surface| (-3..7).map(|y| clamped_line(surface, y)).collect::<Vec<_>>();
        // The table of the VLV document, also in §1.2.
        assert_eq!(rows(&frame), [1, 0, 1, 0, 1, 2, 3, 2, 3, 2]);
        assert_eq!(rows(&Surface { boundary: Boundary::Normal, ..frame }), [0, 0, 0, 0, 1, 2, 3, 3, 3, 3]);
        let field = Surface { field: Some(1), height: 2, ..frame };
        assert_eq!(rows(&field), [1, 1, 1, 1, 3, 3, 3, 3, 3, 3]);
        let progressive = Surface { boundary: Boundary::Progressive, ..field };
        assert_eq!(rows(&progressive), [0, 0, 0, 1, 3, 3, 3, 3, 3, 3]);
        assert_eq!(rows(&Surface { origin: (0, 2), ..progressive }), [2, 2, 2, 3, 5, 5, 5, 5, 5, 5]);
    }
}
