//! The messages `sample_unorm` and `sample_unorm+killpix`: 8 × 4 texels, nearest or linear, with a
//! chroma key (§7.3, volume 4 part 1, 2.12.2.4).
//!
//! Addresses are those of `sample_8x8`. Linear weights have 8 bits, truncated. Samples have 16
//! bits: 8 bits and the 8 fractional bits of the weights. If a texel matches the key, it becomes
//! black with alpha 0 (`REPLACE_BLACK`), or the pixels that it contributes to are killed.
use super::message_type::{PayloadLayout, state_address};
use super::pixels::{self, CHANNELS, YCRCB_BLACK};
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::data::register::Register;
use crate::gen6::eu::data::surface::{Surface, SurfaceKind};
use crate::gen6::eu::functions::context::{ChromaKey, FunctionContext};
use crate::gen6::state::StateError;

const WIDTH: usize = 8;
const HEIGHT: usize = 4;

/// The treatment of addresses outside a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AddressMode {
    Wrap,
    Clamp,
}

/// The fields of the SAMPLER_STATE of most messages that these messages use (volume 4 part 1,
/// 2.11.3.1).
#[derive(Clone, Copy, Debug)]
struct State {
    disabled: bool,
    linear: bool,
    /// Horizontally and vertically.
    address: [AddressMode; 2],
    /// The key, and whether it makes texels black instead of killing pixels.
    key: Option<(ChromaKey, bool)>,
}

impl State {
    fn decode(context: FunctionContext, dwords: [u32; 4]) -> Result<State, MessageError> {
        let bits = |dword: usize, high: u32, low: u32| dwords[dword] >> low & u32::MAX >> (31 - (high - low));
        let unsupported = |fields, message: &str| StateError::Conflict { fields, message: message.to_owned() };
        let (mag, min) = (bits(0, 19, 17), bits(0, 16, 14));
        if mag > 1 || mag != min {
            let fields = &["mag_mode_filter", "min_mode_filter"];
            return Err(unsupported(fields, "sample_unorm filters nearest or linear, both ways alike").into());
        }
        if bits(0, 21, 20) != 0 {
            return Err(unsupported(&["mip_mode_filter"], "sample_unorm has no mip maps").into());
        }
        let mode = |bits: u32| match bits {
            0 => Ok(AddressMode::Wrap),
            2 => Ok(AddressMode::Clamp),
            _ => {
                let fields = &["tcx_address_control_mode", "tcy_address_control_mode"];
                Err(unsupported(fields, "sample_unorm has the address control modes wrap and clamp only"))
            }
        };
        let key = (context.chroma_keys[bits(3, 24, 23) as usize], bits(3, 22, 22) == 1);
        Ok(State {
            disabled: bits(0, 31, 31) == 1,
            linear: mag == 1,
            address: [mode(bits(1, 8, 6))?, mode(bits(1, 5, 3))?],
            key: (bits(3, 25, 25) == 1).then_some(key),
        })
    }
}

/// The position of the channels of a texel.
#[derive(Clone, Copy, Debug)]
enum Texel {
    /// Texels of this many bytes; for each channel its byte, or the constant 0 or 255.
    Bytes(usize, [Result<usize, u8>; CHANNELS]),
    /// Pairs of pixels: the bytes of the first luma, of Cb and of Cr.
    Pair([usize; 3]),
}

impl Texel {
    /// The texels of a surface format; none if it cannot be filtered.
    fn from_format(format: u32) -> Option<Texel> {
        Some(match format {
            0x0c7 => Texel::Bytes(4, [Ok(0), Ok(1), Ok(2), Ok(3)]),
            0x0c0 => Texel::Bytes(4, [Ok(2), Ok(1), Ok(0), Ok(3)]),
            0x106 => Texel::Bytes(2, [Ok(0), Ok(1), Err(0), Err(255)]),
            0x140 => Texel::Bytes(1, [Ok(0), Err(0), Err(0), Err(255)]),
            0x144 => Texel::Bytes(1, [Err(0), Err(0), Err(0), Ok(0)]),
            0x145 => Texel::Bytes(1, [Ok(0); CHANNELS]),
            0x146 => Texel::Bytes(1, [Ok(0), Ok(0), Ok(0), Err(255)]),
            0x182 => Texel::Pair([0, 1, 3]),
            0x183 => Texel::Pair([1, 2, 0]),
            0x18f => Texel::Pair([0, 3, 1]),
            0x190 => Texel::Pair([1, 0, 2]),
            _ => return None,
        })
    }

    /// Bytes of a texel.
    fn size(self) -> usize {
        match self {
            Texel::Bytes(size, _) => size,
            Texel::Pair(_) => 2,
        }
    }
}

/// The surface of a message.
struct Source<'a> {
    context: FunctionContext<'a>,
    surface: Surface,
    texel: Texel,
    width: i64,
    address: [AddressMode; 2],
}

impl Source<'_> {
    /// The texel at a position that may lie outside: red, green, blue, alpha.
    fn texel(&self, x: i64, y: i64) -> [u8; CHANNELS] {
        if self.surface.kind == SurfaceKind::Null {
            return [0; CHANNELS];
        }
        let inside = |v: i64, size: i64, address| match address {
            AddressMode::Wrap => v.rem_euclid(size),
            AddressMode::Clamp => v.clamp(0, size - 1),
        };
        let (x, y) = (inside(x, self.width, self.address[0]), inside(y, self.surface.height as i64, self.address[1]));
        let line = self.surface.frame_line(y as usize);
        let read = |byte: i64, bytes: &mut [u8]| {
            self.surface.layout.read(self.context.memory, byte as usize + self.surface.origin.0, line, bytes);
        };
        let mut bytes = [0; 4];
        match self.texel {
            Texel::Bytes(size, channels) => {
                read(x * size as i64, &mut bytes[..size]);
                channels.map(|channel| channel.map_or_else(|fixed| fixed, |byte| bytes[byte]))
            }
            Texel::Pair([luma, cb, cr]) => {
                read(x / 2 * 4, &mut bytes);
                let [mut u, mut v] = [bytes[cb], bytes[cr]];
                let y = bytes[luma + 2 * (x % 2) as usize];
                // The chroma of the second pixel is the average of its own pair and the next one.
                if x % 2 == 1 && x + 1 < self.width {
                    read((x / 2 + 1) * 4, &mut bytes);
                    let average = |a: u8, b: u8| ((u16::from(a) + u16::from(b)) / 2) as u8;
                    (u, v) = (average(u, bytes[cb]), average(v, bytes[cr]));
                }
                [v, y, u, 255]
            }
        }
    }
}

/// Processes a message; `killpix` adds the mask of the pixels that are not killed.
pub(super) fn serve(
    context: FunctionContext,
    message: &Message,
    layout: PayloadLayout,
    killpix: bool,
) -> Result<Vec<Writeback>, MessageError> {
    message.check_length(1)?;
    let masked = pixels::masked(message)?;
    let state = State::decode(context, context.memory.dwords(state_address(context, message, 1)?))?;
    let binding = message.descriptor.binding();
    let unsupported = |reason| MessageError::Surface { binding, reason };
    let state_of_surface = context.surface(message, binding)?;
    let mut surface = Surface::from_state(&state_of_surface).map_err(unsupported)?;
    let texel = match surface.kind {
        SurfaceKind::Null => Texel::Bytes(1, [Err(0); CHANNELS]),
        SurfaceKind::Buffer => return Err(unsupported("not a plane")),
        SurfaceKind::Plane => {
            Texel::from_format(surface.format).ok_or(unsupported("a format that sample_unorm does not filter"))?
        }
    };
    let width = i64::from(state_of_surface.width);
    // Only the data port counts four bytes a pixel for all formats (volume 4 part 1, X Offset).
    surface.origin.0 = texel.size() * state_of_surface.x_offset as usize;
    surface.height = state_of_surface.height as usize;
    let payload = message.last()?;
    let delta = payload.float(layout.delta_u());
    let position = |start: f32, delta: f32, n: usize, size: i64| (start as f64 + delta as f64 * n as f64) * size as f64;
    let values = [payload.float(2), delta, payload.float(6), payload.float(5)];
    let steps = [delta as f64 * width as f64, payload.float(5) as f64 * surface.height as f64];
    if !values.iter().all(|v| v.is_finite() && v.abs() < 1e6) || !steps.iter().all(|step| step.abs() <= 3.0) {
        return Err(MessageError::Payload {
            reason: "an address outside ±1000000, or a distance above 3 texels",
            value: payload.dword(2),
        });
    }
    let source = Source { context, surface, texel, width, address: state.address };
    let mut channels = [[[0u16; WIDTH]; HEIGHT]; CHANNELS];
    let mut active = u32::MAX;
    for (x, y) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))) {
        if state.disabled {
            continue;
        }
        let u = position(values[0], values[1], x, width);
        let v = position(values[2], values[3], y, source.surface.height as i64);
        // The upper left texel, and the weight of its neighbour in 1/256.
        let split = |p: f64| (p.floor() as i64, ((p - p.floor()) * 256.0) as u32);
        let ((i, right), (j, below)) =
            if state.linear { (split(u - 0.5), split(v - 0.5)) } else { ((u.floor() as i64, 0), (v.floor() as i64, 0)) };
        let mut sums = [0u32; CHANNELS];
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let weight = if dx == 1 { right } else { 256 - right } * if dy == 1 { below } else { 256 - below };
            if weight == 0 {
                continue;
            }
            let mut texel = source.texel(i + dx, j + dy);
            if let Some((_, black)) = state.key.filter(|(key, _)| pixels::matches(*key, texel)) {
                if black {
                    texel = if matches!(source.texel, Texel::Pair(_)) { YCRCB_BLACK } else { [0; CHANNELS] };
                } else {
                    active &= !(1 << bit(x, y));
                }
            }
            sums.iter_mut().zip(texel).for_each(|(sum, v)| *sum += weight * u32::from(v));
        }
        for (channel, sum) in channels.iter_mut().zip(sums) {
            channel[y][x] = (sum >> 8) as u16;
        }
    }
    let mut response: Vec<Writeback> = vec![];
    for (channel, _) in channels.iter().zip(masked).filter(|(_, masked)| !masked) {
        response.extend(pixels::registers(channel).map(Writeback::from));
    }
    if killpix {
        // Only DWord 0 is written.
        response.push(Writeback { value: Register::of([active, 0, 0, 0, 0, 0, 0, 0]), written: 0xf });
    }
    Ok(response)
}

/// The bit of a pixel in the mask: quads of 2 × 2, four of them in a square.
fn bit(x: usize, y: usize) -> usize {
    x % 2 + 2 * (y % 2) + 4 * (x / 2 % 2) + 8 * (y / 2) + 16 * (x / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_the_mask() {
        let line = |y: usize| (0..8).map(|x| bit(x, y)).collect::<Vec<_>>();
        assert_eq!(line(0), [0, 1, 4, 5, 16, 17, 20, 21]);
        assert_eq!(line(1), [2, 3, 6, 7, 18, 19, 22, 23]);
        assert_eq!(line(3), [10, 11, 14, 15, 26, 27, 30, 31]);
    }
}
