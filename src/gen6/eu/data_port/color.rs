//! Media block writes through the colour pipe (§6, volume 4 part 1, 3.6.1, 3.9.6).
//!
//! The message brings pixels as its header says, with 8 or 16 bits; the format of the surface says how they leave: packed 4:2:2, four
//! components of 8 or 16 bits (the first three in the order of the pipe, then alpha), or NV12. Chroma of 4:2:2 that leaves is the average
//! of two pixels, that of NV12 the upper left of four.
use super::media_block::Block;
use crate::color::{ColorParameters, Line, Pipe};
use crate::gen6::eu::error::MessageError;
use crate::gen6::eu::machine::Machine;
use crate::gen6::eu::register::{BYTES, Register};
use crate::gen6::eu::surface::{Surface, Tiling};
use crate::gen6::state::COLOR_DWORDS;
use crate::luma::Tally;
use crate::parameters::Parameters;
use dndi_simd::Kernels;

/// Pixels in the widest line of a message.
const WIDTH: usize = 16;

/// Alpha of a pixel that brings none.
const OPAQUE: u16 = 0xffff;

/// Room for a message, and the state that was decoded last.
#[derive(Debug)]
pub(crate) struct Room {
    kernels: &'static Kernels,
    state: Option<([u32; COLOR_DWORDS], ColorParameters, Option<Pipe>)>,
    line: Line,
}

impl Room {
    pub fn new(kernels: &'static Kernels) -> Room {
        Room { kernels, state: None, line: Line::new(WIDTH) }
    }
}

/// How pixels come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Format {
    /// Two pixels share their chroma.
    pairs: bool,
    /// 16 bits a component.
    deep: bool,
}

impl Format {
    /// Bits 3:2 of the header's DWord 3.
    fn of(bits: u32) -> Format {
        Format { pairs: bits.is_multiple_of(2), deep: bits >= 2 }
    }

    /// Bytes of a pixel.
    fn bytes(self) -> usize {
        let components = if self.pairs { 2 } else { 4 };
        components * if self.deep { 2 } else { 1 }
    }

    /// Luma, Cb and Cr in 12 bits and alpha in 16, of pixel `x` of a row that begins at byte `row` of the data.
    fn pixel(self, data: &[Register], row: usize, x: usize) -> [u16; 4] {
        let byte = |at: usize| data[at / BYTES].0[at % BYTES];
        // Component n of a pixel or of a pair.
        let start = row + if self.pairs { x / 2 * 2 } else { x } * self.bytes();
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

/// How pixels leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// Bytes of the first luma, Cb and Cr of a pair.
    Pairs([usize; 3]),
    /// Bytes of the components and alpha.
    Bytes([usize; 4]),
    /// Words, in their order.
    Words,
    Nv12,
}

impl Target {
    fn of(format: u32) -> Option<Target> {
        Some(match format {
            0x182 => Target::Pairs([0, 1, 3]),
            0x183 => Target::Pairs([1, 2, 0]),
            0x18f => Target::Pairs([0, 3, 1]),
            0x190 => Target::Pairs([1, 0, 2]),
            0x0c7 => Target::Bytes([0, 1, 2, 3]),
            0x0c0 => Target::Bytes([2, 1, 0, 3]),
            0x080 => Target::Words,
            0x10a => Target::Nv12,
            _ => return None,
        })
    }

    /// Bytes of a pixel in a line.
    fn bytes(self) -> usize {
        match self {
            Target::Nv12 => 1,
            Target::Pairs(_) => 2,
            Target::Bytes(_) => 4,
            Target::Words => 8,
        }
    }

    /// Whether blocks of this format may be written through the colour pipe.
    fn check(self, format: Format, x: i64, y: i64) -> Result<(), &'static str> {
        match self {
            Target::Nv12 if format == (Format { pairs: false, deep: true }) => Err("NV12 of 16-bit 4:4:4"),
            Target::Nv12 if x % 4 != 0 || y % 2 != 0 => Err("a block of NV12 off its grid"),
            Target::Pairs(_) if x % 2 != 0 => Err("a block of pairs that begins within one"),
            _ => Ok(()),
        }
    }
}

/// Whether media blocks of a surface are written by the colour pipe alone.
pub(super) fn knows(format: u32) -> bool {
    Target::of(format).is_some()
}

/// Writes a block.
pub(super) fn write(
    machine: &Machine,
    room: &mut Room,
    (binding, surface): (u8, &Surface),
    block: Block,
    header: &Register,
    data: &[Register],
) -> Result<(), MessageError> {
    let wrong = |what| MessageError::Surface { binding, what };
    let target = Target::of(surface.format).ok_or(wrong("a format that the colour pipe does not write"))?;
    if surface.layout.tiling == Tiling::Linear {
        return Err(wrong("the colour pipe writes to tiles only"));
    }
    let format = Format::of(header.bits(3, 3, 2));
    let payload = |what| MessageError::Payload { what, value: header.dword(3) };
    let pair = if format.pairs { 2 } else { 1 };
    let bytes = format.bytes() as i64;
    if block.x % (pair * bytes) != 0 || block.width as i64 % (pair * bytes) != 0 {
        return Err(payload("a block that cuts pixels"));
    }
    let (left, count) = (block.x / bytes, block.width / format.bytes());
    target.check(format, left, block.y).map_err(payload)?;
    room.decode(machine, header)?;
    let Room { kernels, state: Some((_, parameters, pipe)), line } = room else { return Ok(()) };
    let counted = parameters.full_image_histogram || header.bits(3, 1, 1) == 1;
    let width = (surface.width / target.bytes()) as i64;
    let inside = (0..count as i64).filter(|i| (0..width).contains(&(left + i))).count();
    // All that lies outside lies on one side.
    let skip = (-left).clamp(0, count as i64) as usize;
    for row in (0..block.height).filter(|&row| (0..surface.height as i64).contains(&(block.y + row as i64)) && inside > 0) {
        let y = (block.y + row as i64) as usize;
        let start = row * block.pitch();
        let mut alpha = [0; WIDTH];
        for (i, alpha) in alpha.iter_mut().enumerate() {
            let [luma, cb, cr, own] = format.pixel(data, start, (skip + i).min(skip + inside - 1));
            [line.yuv[0][i], line.yuv[1][i], line.yuv[2][i]] = [luma, cb, cr];
            *alpha = if parameters.alpha_from_state_select { parameters.color_pipe_alpha } else { own };
        }
        let mut tally = Tally::new(None);
        match pipe {
            Some(pipe) => pipe.line(kernels, line, true, Some((&mut tally, y, inside))),
            None => tally.count(y, &line.yuv[0][..inside], |v| (v >> 4) as u8),
        }
        machine.registers.color.add(&tally, counted);
        let x = (left + skip as i64) as usize;
        store(machine, surface, target, (x, y), line, &alpha[..inside]);
    }
    Ok(())
}

impl Room {
    fn decode(&mut self, machine: &Machine, header: &Register) -> Result<(), MessageError> {
        let address = u64::from(machine.bases.general_state) + u64::from(header.dword(3) & !31);
        let dwords = machine.memory.dwords(address);
        if self.state.as_ref().is_none_or(|(known, ..)| *known != dwords) {
            let mut parameters = Parameters::default();
            parameters.set_color_state(&dwords).map_err(|error| MessageError::State { what: error.to_string() })?;
            let pipe = Pipe::new(&parameters.color);
            self.state = Some((dwords, parameters.color, pipe));
        }
        Ok(())
    }
}

/// Writes the pixels of a line; `alpha` has one for each.
fn store(machine: &Machine, surface: &Surface, target: Target, (x, y): (usize, usize), line: &Line, alpha: &[u16]) {
    let [first, second, third] = line.yuv.each_ref().map(|component| &component[..]);
    let byte = |v: u16| (v >> 4) as u8;
    let count = alpha.len();
    // A lone last pixel keeps its own chroma.
    let average = |component: &[u16], i: usize| byte((component[i] + component[(i + 1).min(count - 1)]) >> 1);
    let put = |x: usize, y: usize, bytes: &[u8]| {
        surface.layout.write(&machine.memory, x + surface.origin.0, surface.frame_line(y), bytes);
    };
    match target {
        Target::Nv12 => {
            let luma: Vec<u8> = first[..count].iter().map(|&v| byte(v)).collect();
            put(x, y, &luma);
            if y % 2 == 0 {
                let chroma: Vec<u8> = (0..count).step_by(2).flat_map(|i| [byte(second[i]), byte(third[i])]).collect();
                put(x, surface.height + y / 2, &chroma);
            }
        }
        Target::Pairs([luma, cb, cr]) => {
            let pair = |i: usize| {
                let mut bytes = [0; 4];
                (bytes[luma], bytes[luma + 2]) = (byte(first[i]), byte(first[(i + 1).min(count - 1)]));
                (bytes[cb], bytes[cr]) = (average(second, i), average(third, i));
                bytes
            };
            let pairs: Vec<u8> = (0..count).step_by(2).flat_map(pair).collect();
            put(2 * x, y, &pairs);
        }
        Target::Bytes(places) => {
            let pixel = |i: usize| {
                let mut bytes = [0; 4];
                let components = [byte(first[i]), byte(second[i]), byte(third[i]), (alpha[i] >> 8) as u8];
                places.into_iter().zip(components).for_each(|(place, v)| bytes[place] = v);
                bytes
            };
            put(4 * x, y, &(0..count).flat_map(pixel).collect::<Vec<u8>>());
        }
        Target::Words => {
            let pixel = |i: usize| [first[i] << 4, second[i] << 4, third[i] << 4, alpha[i]].map(u16::to_le_bytes).concat();
            put(8 * x, y, &(0..count).flat_map(pixel).collect::<Vec<u8>>());
        }
    }
}
