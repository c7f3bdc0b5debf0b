//! Opcodes, parameters and responses of texture messages (§10.1).
use crate::gen6::eu::data::descriptor::SharedFunction;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::data::register::Register;
use crate::gen6::eu::functions::sampler::pixels::{self, CHANNELS};

/// Message types of textures, bits 15:12 of the descriptor.
pub mod opcode {
    /// `sample`: level of detail from the quad.
    pub const SAMPLE: u32 = 0;
    /// `sample_b`: the same with a bias.
    pub const SAMPLE_B: u32 = 1;
    /// `sample_l`: level of detail in the message.
    pub const SAMPLE_L: u32 = 2;
    /// `sample_c`: `sample` with a comparison.
    pub const SAMPLE_C: u32 = 3;
    /// `sample_d`: gradients in the message.
    pub const SAMPLE_D: u32 = 4;
    /// `sample_b_c`: bias and comparison.
    pub const SAMPLE_B_C: u32 = 5;
    /// `sample_l_c`: level of detail in the message, and a comparison.
    pub const SAMPLE_L_C: u32 = 6;
    /// `ld`: the texel at integer coordinates.
    pub const LD: u32 = 7;
    /// `load4`: the four texels of the linear filter.
    pub const LOAD4: u32 = 8;
    /// `LOD`: the level of detail.
    pub const LOD: u32 = 9;
    /// `resinfo`: the size of a surface.
    pub const RESINFO: u32 = 10;
    /// `sampleinfo`: the samples of a surface.
    pub const SAMPLEINFO: u32 = 11;
    /// `sample+killpix`: `sample`, and a mask of the pixels that the chroma key kills.
    pub const SAMPLE_KILLPIX: u32 = 12;
}

/// SIMD modes of texture messages, bits 17:16 of the descriptor.
pub mod simd {
    /// Two samples of four channels.
    pub const SIMD4X2: u32 = 0;
    /// Eight pixels: two quads.
    pub const SIMD8: u32 = 1;
    /// Sixteen pixels: four quads.
    pub const SIMD16: u32 = 2;
}

/// Function control (bits 18:0 of the descriptor) of a texture message. `mode` is one of [`simd`],
/// `opcode` one of [`opcode`], `sampler` the index of the SAMPLER_STATE, `binding` the binding
/// table index.
pub const fn control(mode: u32, opcode: u32, sampler: u32, binding: u32) -> u32 {
    mode << 16 | opcode << 12 | sampler << 8 | binding
}

/// Registers of a message, at most.
const MAX_LENGTH: usize = 11;
/// Dispatched pixels that no message of eight pixels kills.
const ALL_ACTIVE: u32 = u32::MAX;

/// The level of detail of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// From the differences within a quad.
    Quad,
    /// From the differences within a quad, plus the parameter of this number.
    Bias(usize),
    /// The parameter of this number.
    Given(usize),
    /// From the gradients in the parameters from this number on.
    Gradients(usize),
}

/// The task of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Filtered texels. `reference` is the number of the parameter that texels are compared with.
    Sample { detail: Detail, reference: Option<usize> },
    /// The texel at integer coordinates.
    Load,
    /// The four texels of the linear filter.
    Gather,
    /// The level of detail.
    Lod,
    /// The size of the surface.
    Size,
    /// The samples of the surface.
    Samples,
}

/// The number of pixels, and the places of their parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Simd {
    FourByTwo,
    Eight,
    Sixteen,
}

impl Simd {
    fn pixels(self) -> usize {
        match self {
            Simd::FourByTwo => 2,
            Simd::Eight => 8,
            Simd::Sixteen => 16,
        }
    }
}

/// A message with a valid opcode, length and channel mask.
#[derive(Debug)]
pub(super) struct Request<'a> {
    pub message: &'a Message<'a>,
    pub task: Task,
    simd: Simd,
    kills: bool,
    masked: [bool; CHANNELS],
    /// The registers after the header.
    registers: &'a [Register],
}

impl<'a> Request<'a> {
    /// The request of a message that is not SIMD32/64.
    pub fn decode(message: &'a Message<'a>) -> Result<Request<'a>, MessageError> {
        let descriptor = message.descriptor;
        let unknown = MessageError::Opcode { function: SharedFunction::Sampler, control: descriptor.control() };
        let simd = match descriptor.bits(17, 16) {
            simd::SIMD4X2 => Simd::FourByTwo,
            simd::SIMD8 => Simd::Eight,
            simd::SIMD16 => Simd::Sixteen,
            _ => return Err(unknown),
        };
        let sample = |detail, reference| Task::Sample { detail, reference };
        let opcode = descriptor.bits(15, 12);
        // The task, the number of its parameters, and the modes besides SIMD8.
        let (task, parameters, small, wide): (Task, usize, bool, bool) = match opcode {
            opcode::SAMPLE => (sample(Detail::Quad, None), 4, false, true),
            opcode::SAMPLE_B => (sample(Detail::Bias(4), None), 5, false, true),
            opcode::SAMPLE_L => (sample(Detail::Given(4), None), 5, true, true),
            opcode::SAMPLE_C => (sample(Detail::Quad, Some(4)), 5, false, true),
            opcode::SAMPLE_D => (sample(Detail::Gradients(4), None), 10, true, true),
            opcode::SAMPLE_B_C => (sample(Detail::Bias(5), Some(4)), 6, false, true),
            opcode::SAMPLE_L_C => (sample(Detail::Given(5), Some(4)), 6, true, true),
            opcode::LD => (Task::Load, 5, true, true),
            opcode::LOAD4 => (Task::Gather, 4, true, true),
            opcode::LOD => (Task::Lod, 4, false, true),
            opcode::RESINFO => (Task::Size, 1, true, true),
            opcode::SAMPLEINFO => (Task::Samples, 0, true, true),
            opcode::SAMPLE_KILLPIX => (sample(Detail::Quad, None), 3, false, false),
            _ => return Err(unknown),
        };
        if simd == Simd::FourByTwo && !small || simd == Simd::Sixteen && !wide {
            return Err(unknown);
        }
        let header = usize::from(descriptor.has_header());
        let registers = message.payload.get(header..).unwrap_or_default();
        let (step, most) = match simd {
            Simd::FourByTwo => (1, parameters.div_ceil(4)),
            Simd::Eight => (1, parameters),
            Simd::Sixteen => (2, 2 * parameters),
        };
        let least = if matches!(task, Task::Size | Task::Samples) { 0 } else { step };
        let most = most.min((MAX_LENGTH - header) / step * step);
        let found = registers.len();
        if found < least || found > most || !found.is_multiple_of(step) {
            let needed = found.next_multiple_of(step).clamp(least, most) + header;
            return Err(MessageError::Length { found: message.payload.len(), needed });
        }
        let masked = pixels::masked(message)?;
        Ok(Request { message, task, simd, kills: opcode == opcode::SAMPLE_KILLPIX, masked, registers })
    }

    /// Number of pixels.
    pub fn pixels(&self) -> usize {
        self.simd.pixels()
    }

    /// Whether a pixel is valid.
    pub fn is_valid(&self, pixel: usize) -> bool {
        let mask = self.message.mask;
        if self.simd == Simd::FourByTwo { mask >> (4 * pixel) & 15 != 0 } else { mask >> pixel & 1 == 1 }
    }

    /// The bits of a parameter; 0 if it is not sent.
    pub fn bits(&self, pixel: usize, number: usize) -> u32 {
        let (register, dword) = match self.simd {
            Simd::FourByTwo => (number / 4, 4 * pixel + number % 4),
            Simd::Eight => (number, pixel),
            Simd::Sixteen => (2 * number + pixel / 8, pixel % 8),
        };
        self.registers.get(register).map_or(0, |register| register.dword(dword))
    }

    /// A parameter as a float within ±65536. NaN counts as 0.
    pub fn float(&self, pixel: usize, number: usize) -> f64 {
        within(f32::from_bits(self.bits(pixel, number)), 65536.0)
    }

    /// A parameter as a level of detail in 1/64.
    pub fn detail(&self, pixel: usize, number: usize) -> i64 {
        let value = within(f32::from_bits(self.bits(pixel, number)), 16.0);
        ((64.0 * value).floor() as i64).min(1023)
    }

    /// The header's offsets of U, V and R in texels, -8 to 7.
    pub fn offsets(&self) -> [i64; 3] {
        let header = self.message.payload.first().filter(|_| self.message.descriptor.has_header());
        let dword = header.map_or(0, |header| header.dword(2));
        [8, 4, 0].map(|low| i64::from((dword << (28 - low)) as i32 >> 28))
    }

    /// The response: the channels of each valid pixel, and the pixels that are killed.
    pub fn response(&self, channels: &[[u32; CHANNELS]], killed: u32) -> Vec<Writeback> {
        let mut response = vec![];
        if self.simd == Simd::FourByTwo {
            let mut writeback = Writeback { value: Register::default(), written: 0 };
            for (place, channel) in (0..2).flat_map(|pixel| (0..CHANNELS).map(move |channel| (pixel, channel))) {
                if self.is_valid(place) && !self.masked[channel] {
                    put(&mut writeback, 4 * place + channel, channels[place][channel]);
                }
            }
            return vec![writeback];
        }
        for (channel, masked) in self.masked.into_iter().enumerate() {
            // Messages of 16 pixels have no registers of masked channels.
            if masked && self.simd == Simd::Sixteen {
                continue;
            }
            for (group, pixels) in channels.chunks(8).enumerate() {
                let mut writeback = Writeback { value: Register::default(), written: 0 };
                for (dword, values) in pixels.iter().enumerate() {
                    if self.is_valid(8 * group + dword) && !masked {
                        put(&mut writeback, dword, values[channel]);
                    }
                }
                response.push(writeback);
            }
        }
        if self.kills {
            let mut writeback = Writeback { value: Register::default(), written: 0 };
            put(&mut writeback, 0, ALL_ACTIVE & !killed);
            response.push(writeback);
        }
        response
    }
}

/// Writes a DWord of a response.
fn put(writeback: &mut Writeback, dword: usize, value: u32) {
    writeback.value.set_dword(dword, value);
    writeback.written |= 15 << (4 * dword);
}

/// A value within ±`limit`; 0 for NaN.
fn within(value: f32, limit: f64) -> f64 {
    let value = f64::from(value);
    if value.is_nan() { 0.0 } else { value.clamp(-limit, limit) }
}

/// The bits of a result: rounded to a 32-bit float, with one NaN.
pub(super) fn result(value: f64) -> u32 {
    let value = value as f32;
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}
