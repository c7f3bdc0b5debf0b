//! Media block writes through the colour pipe (§6, volume 4 part 1, 3.6.1, 3.9.6).
//!
//! The header has the format of the pixels in the message, the surface state that of the pixels in
//! memory: packed 4:2:2, four components of 8 or 16 bits (the first three in the order of the pipe,
//! then alpha), or NV12. Chroma that is written as 4:2:2 is the average of two pixels, chroma that
//! is written as NV12 is that of the upper left pixel of four.
use super::block::Block;
use super::color_format::{MessageFormat, SurfaceFormat};
use crate::color::{ColorParameters, Counts, Line, Pipe};
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::register::Register;
use crate::gen6::eu::data::surface::{Surface, Tiling};
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::eu::functions::decoded::Decoded;
use crate::gen6::state::COLOR_DWORDS;
use crate::luma::Tally;
use crate::parameters::Parameters;

/// Pixels in the widest line of a message.
const WIDTH: usize = 16;

/// Bits per sample for which the pipe has 12 bits per component, as message formats require (§9.5).
const DEPTH: u8 = 8;

/// Scratch buffers of a message, and the state that was decoded last.
#[derive(Debug)]
pub(super) struct Scratch {
    state: Decoded<[u32; COLOR_DWORDS], State>,
    line: Line,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch { state: Decoded::default(), line: Line::new(WIDTH).unwrap_or_else(|error| error.end()) }
    }
}

/// A COLOR_PROCESSING_STATE, decoded.
#[derive(Debug)]
struct State {
    parameters: ColorParameters,
    /// None if all stages are off.
    pipe: Option<Pipe>,
}

impl State {
    fn decode(dwords: &[u32; COLOR_DWORDS]) -> Result<State, MessageError> {
        let mut parameters = Parameters::default();
        parameters.set_color_state(dwords)?;
        let pipe = Pipe::new(&parameters.color, DEPTH).unwrap_or_else(|error| error.end());
        Ok(State { parameters: parameters.color, pipe })
    }
}

/// Writes a block. `data` are the registers after the header.
pub(super) fn write(
    context: FunctionContext,
    scratch: &mut Scratch,
    (binding, surface): (u8, &Surface),
    block: Block,
    header: &Register,
    data: &[Register],
) -> Result<(), MessageError> {
    let unsupported = |reason| MessageError::Surface { binding, reason };
    let target = SurfaceFormat::from_state(surface.format).ok_or(unsupported("a format that the colour pipe does not write"))?;
    if surface.layout.tiling == Tiling::Linear {
        return Err(unsupported("the colour pipe writes to tiled surfaces only"));
    }
    let format = MessageFormat::from_bits(header.bits(3, 3, 2));
    let payload = |reason| MessageError::Payload { reason, value: header.dword(3) };
    let pair = if format.pairs { 2 } else { 1 };
    let bytes = format.bytes() as i64;
    if block.x % (pair * bytes) != 0 || block.width as i64 % (pair * bytes) != 0 {
        return Err(payload("a block that splits pixels"));
    }
    let (left, count) = (block.x / bytes, block.width / format.bytes());
    target.check(format, left, block.y).map_err(payload)?;
    let address = u64::from(context.bases.general_state) + u64::from(header.dword(3) & !31);
    let Scratch { state, line } = scratch;
    let State { parameters, pipe } = state.get(context.memory.dwords(address), State::decode)?;
    let counted = parameters.full_image_histogram || header.bits(3, 1, 1) == 1;
    let width = (surface.width / target.bytes()) as i64;
    let inside = (0..count as i64).filter(|i| (0..width).contains(&(left + i))).count();
    // The pixels left of the surface are skipped.
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
        let mut counts = Counts { luma: Some(Tally::new(None)), outside: 0 };
        if let Some(pipe) = pipe {
            pipe.line(context.kernels, line, true, [y, inside], &mut counts);
        }
        if let Some(tally) = &mut counts.luma {
            if pipe.is_none() {
                tally.count(y, &line.yuv[0][..inside], |v| (v >> 4) as u8);
            }
            context.counters.color.add(tally, counted);
        }
        let x = (left + skip as i64) as usize;
        store(context, surface, target, (x, y), line, &alpha[..inside]);
    }
    Ok(())
}

/// Writes the pixels of a line, as many as `alpha` has, from pixel `x` of line `y` on.
fn store(context: FunctionContext, surface: &Surface, target: SurfaceFormat, (x, y): (usize, usize), line: &Line, alpha: &[u16]) {
    let [first, second, third] = line.yuv.each_ref().map(|component| &component[..]);
    let byte = |v: u16| (v >> 4) as u8;
    let count = alpha.len();
    // A last pixel without partner keeps its chroma.
    let average = |component: &[u16], i: usize| byte((component[i] + component[(i + 1).min(count - 1)]) >> 1);
    let put = |x: usize, y: usize, bytes: &[u8]| {
        surface.layout.write(context.memory, x + surface.origin.0, surface.frame_line(y), bytes);
    };
    match target {
        SurfaceFormat::Nv12 => {
            let luma: Vec<u8> = first[..count].iter().map(|&v| byte(v)).collect();
            put(x, y, &luma);
            if y % 2 == 0 {
                let chroma: Vec<u8> = (0..count).step_by(2).flat_map(|i| [byte(second[i]), byte(third[i])]).collect();
                put(x, surface.height + y / 2, &chroma);
            }
        }
        SurfaceFormat::Pairs([luma, cb, cr]) => {
            let pair = |i: usize| {
                let mut bytes = [0; 4];
                (bytes[luma], bytes[luma + 2]) = (byte(first[i]), byte(first[(i + 1).min(count - 1)]));
                (bytes[cb], bytes[cr]) = (average(second, i), average(third, i));
                bytes
            };
            let pairs: Vec<u8> = (0..count).step_by(2).flat_map(pair).collect();
            put(2 * x, y, &pairs);
        }
        SurfaceFormat::Bytes(positions) => {
            let pixel = |i: usize| {
                let mut bytes = [0; 4];
                let components = [byte(first[i]), byte(second[i]), byte(third[i]), (alpha[i] >> 8) as u8];
                positions.into_iter().zip(components).for_each(|(position, v)| bytes[position] = v);
                bytes
            };
            put(4 * x, y, &(0..count).flat_map(pixel).collect::<Vec<u8>>());
        }
        SurfaceFormat::Words => {
            let pixel = |i: usize| [first[i] << 4, second[i] << 4, third[i] << 4, alpha[i]].map(u16::to_le_bytes).concat();
            put(8 * x, y, &(0..count).flat_map(pixel).collect::<Vec<u8>>());
        }
    }
}
