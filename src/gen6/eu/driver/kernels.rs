//! The driver's kernels for denoising and deinterlacing (§7.4).
use super::blocks::{Block, HALF_X, HALF_Y, MessageRegisters, QUARTER_X, QUARTER_Y, X, Y, four_lines, line};
use crate::deinterlace::chroma::{Store, Woven};
use crate::gen6::eu::data::descriptor::{Descriptor, SharedFunction};
use crate::gen6::eu::data::kernel::{Kernel, KernelBuilder, Operand, Type, m, r};
use crate::gen6::eu::functions::sampler::message_type::{control, opcode};

/// Entries of the binding table.
pub(super) mod bindings {
    /// Surfaces that `deinterlace` reads: current, previous, denoised previous frame, statistics.
    pub const CURRENT: u32 = 0;
    pub const PREVIOUS: u32 = 1;
    pub const CLEAN: u32 = 2;
    pub const STATISTICS: u32 = 3;
    /// Surfaces that the threads write: statistics and the denoised frame.
    pub const STATISTICS_OUT: u32 = 4;
    pub const CLEAN_OUT: u32 = 5;
    /// Luma of each output, followed by Cb and Cr.
    pub const OUTPUTS: [u32; 2] = [6, 9];
    /// Cb of the current and the previous frame, followed by Cr.
    pub const SOURCES: [u32; 2] = [12, 14];
    pub const COUNT: u32 = 16;
}

/// The variant of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub chroma: Chroma,
    /// Whether luma is denoised, and the denoised frame written.
    pub denoise: bool,
    /// Whether the current frame is 4:2:2, whose chroma is part of the response.
    pub packed: bool,
    /// Whether the top field is the earlier one.
    pub top_first: bool,
    /// Whether there is no previous frame.
    pub first: bool,
    /// The source of the 4:2:0 chroma of each output that is woven from rows of the source frames.
    pub woven: [Option<Woven>; 2],
}

/// The chroma of an output, made from the chroma of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chroma {
    None,
    /// 4:2:2, or 4:2:0 converted from it.
    Halved(Store),
    /// 4:4:4.
    Full,
}

/// First register of the response of `deinterlace`.
const RESPONSE: usize = 16;
/// First register of a second response.
const SECOND: usize = 48;
/// First registers of an output that is composed of two, of chroma that is read, and of sums.
const LUMA: usize = 80;
const COLORS: usize = 82;
const SUMS: usize = 90;

impl Chroma {
    /// Registers of an output in the response: luma and chroma.
    fn output(self) -> usize {
        if self == Chroma::Full { 6 } else { 4 }
    }
}

/// Sends `deinterlace` for the block of the thread, with element `sampler` of the SAMPLER_STATE
/// array.
fn deinterlace(kernel: KernelBuilder, to: usize, sampler: u32, response: usize) -> KernelBuilder {
    let descriptor = Descriptor::new(2, response as u32, true, control(opcode::DEINTERLACE, 2 * sampler, bindings::CURRENT));
    let kernel = kernel.mov(8, m(1), r(0)).mov(1, m(2).at(2, Type::Ud), X).mov(1, m(2).at(6, Type::Ud), Y);
    kernel.send(to, 1, SharedFunction::Sampler, descriptor)
}

/// The kernel of a step. It writes both outputs (only the second one on the first step), the
/// denoised frame, motion measures and denoise histories.
pub(super) fn step(shape: Shape) -> Kernel {
    let Shape { chroma, denoise, packed, top_first, first, woven } = shape;
    let output = chroma.output();
    let (statistics, clean) = (RESPONSE + 2 * output, RESPONSE + 2 * output + 2);
    let response = 2 * output + 2 + if denoise { 1 + usize::from(packed) } else { 0 };
    let registers = &mut MessageRegisters::default();
    let mut kernel = deinterlace(KernelBuilder::new(), RESPONSE, 0, response);
    for role in if first { 1..2 } else { 0..2 } {
        let (lines, entry) = (RESPONSE + role * output, bindings::OUTPUTS[role]);
        kernel = write_luma(kernel, registers, entry, lines);
        kernel = match woven[role] {
            // The second field of the previous frame lacks the bottom lines if the bottom field is
            // the earlier one.
            Some(woven) => write_woven(kernel, registers, entry, role, woven, (role == 1) == top_first),
            None => write_chroma(kernel, registers, entry, lines + 2, chroma),
        };
    }
    let block = |x, y, width, height| Block { binding: bindings::STATISTICS_OUT, x, y, width, height };
    kernel = block(HALF_X, Y, 8, 4).write(kernel, registers.next(), |kernel, to| kernel.mov(8, m(to), r(statistics)));
    if denoise {
        // The histories are right of the motion measures, from half the pitch on; r2 has this
        // offset.
        let (x, history) = (r(2).at(1, Type::Ud), r(statistics + 1));
        kernel = kernel.add(1, x, QUARTER_X, r(2));
        kernel = block(x, QUARTER_Y, 4, 1).write(kernel, registers.next(), |kernel, to| kernel.mov(1, m(to), history));
        // The first field is part of the second output, the second field has registers of its own.
        let lines = RESPONSE + output;
        let clean_line =
            |y: usize| if y.is_multiple_of(2) == top_first { line(lines, y) } else { r(clean).at(16 * (y / 2), Type::Ub) };
        let block = Block { binding: bindings::CLEAN_OUT, x: X, y: Y, width: 16, height: 4 };
        kernel = block.write(kernel, registers.next(), |kernel, to| {
            (0..4).fold(kernel, |kernel, y| kernel.mov(16, m(to + y / 2).at(16 * (y % 2), Type::Ub), clean_line(y)))
        });
    }
    kernel.end(registers.next()).build().expect("registers within the files")
}

/// The kernel of the end of the stream. The second field of the last frame is the second output of
/// a first step with inverted field order. To weave it, a first step with the real field order
/// gives the lines of the first field.
pub(super) fn last(shape: Shape, weave: bool) -> Kernel {
    let Shape { chroma, top_first, woven, .. } = shape;
    let output = chroma.output();
    let registers = &mut MessageRegisters::default();
    let mut kernel = deinterlace(KernelBuilder::new(), RESPONSE, 0, 2 * output + 2);
    let mut lines = RESPONSE + output;
    if weave {
        kernel = deinterlace(kernel, SECOND, 1, 2 * output + 2);
        // The lines of the second field from the first response, those of the first field from the
        // second one.
        let from = |y: usize| if y.is_multiple_of(2) != top_first { RESPONSE } else { SECOND } + output;
        for (y, register) in (0..output / 2).flat_map(|part| (0..4).map(move |y| (y, 2 * part))) {
            kernel = kernel.mov(16, line(LUMA + register, y), line(from(y) + register, y));
        }
        lines = LUMA;
    }
    let entry = bindings::OUTPUTS[0];
    kernel = write_luma(kernel, registers, entry, lines);
    kernel = match woven[0] {
        Some(woven) => write_woven(kernel, registers, entry, 1, woven, top_first),
        None => write_chroma(kernel, registers, entry, lines + 2, chroma),
    };
    kernel.end(registers.next()).build().expect("registers within the files")
}

/// The kernel of a frame that is only denoised: it writes luma and histories. With `measure` it
/// only estimates the noise and writes nothing.
pub(super) fn denoise(packed: bool, measure: bool) -> Kernel {
    let registers = &mut MessageRegisters::default();
    let mut kernel = deinterlace(KernelBuilder::new(), RESPONSE, 0, if packed { 9 } else { 5 });
    if !measure {
        let block = Block { binding: bindings::CLEAN_OUT, x: X, y: Y, width: 16, height: 4 };
        kernel = block.write(kernel, registers.next(), |kernel, to| four_lines(kernel, to, RESPONSE));
        let below = r(2).at(2, Type::Ud);
        kernel = kernel.add(1, below, Y, Operand::Value(4));
        let block = Block { y: below, ..block };
        kernel = block.write(kernel, registers.next(), |kernel, to| four_lines(kernel, to, RESPONSE + 2));
        let x = r(2).at(1, Type::Ud);
        kernel = kernel.add(1, x, QUARTER_X, r(2));
        let block = Block { binding: bindings::STATISTICS_OUT, x, y: QUARTER_Y, width: 4, height: 2 };
        kernel = block.write(kernel, registers.next(), |kernel, to| kernel.mov(2, m(to), r(RESPONSE + 4)));
    }
    kernel.end(registers.next()).build().expect("registers within the files")
}

fn write_luma(kernel: KernelBuilder, registers: &mut MessageRegisters, entry: u32, lines: usize) -> KernelBuilder {
    let block = Block { binding: entry, x: X, y: Y, width: 16, height: 4 };
    block.write(kernel, registers.next(), |kernel, to| four_lines(kernel, to, lines))
}

/// Writes both chroma planes of an output from its chroma registers.
fn write_chroma(
    kernel: KernelBuilder,
    registers: &mut MessageRegisters,
    entry: u32,
    lines: usize,
    chroma: Chroma,
) -> KernelBuilder {
    [0, 1].into_iter().fold(kernel, |kernel, plane| {
        let binding = entry + 1 + plane as u32;
        // Cr and Cb alternate, Cr first.
        let byte = 1 - plane;
        let samples = |register: usize, line: usize| r(register).at(16 * line + byte, Type::Ub).every(2);
        match chroma {
            Chroma::None => kernel,
            Chroma::Full => {
                let block = Block { binding, x: X, y: Y, width: 16, height: 4 };
                block.write(kernel, registers.next(), |kernel, to| four_lines(kernel, to, lines + 2 * plane))
            }
            Chroma::Halved(Store::Native) => {
                let block = Block { binding, x: HALF_X, y: Y, width: 8, height: 4 };
                block.write(kernel, registers.next(), |kernel, to| {
                    let kernel = kernel.mov(16, m(to).at(0, Type::Ub), samples(lines, 0));
                    kernel.mov(16, m(to).at(16, Type::Ub), samples(lines + 1, 0))
                })
            }
            Chroma::Halved(store) => {
                let block = Block { binding, x: HALF_X, y: HALF_Y, width: 8, height: 2 };
                block.write(kernel, registers.next(), |kernel, to| {
                    [0, 1].into_iter().fold(kernel, |kernel, row| {
                        let (first, second) = (samples(lines + row, 0), samples(lines + row, 1));
                        let out = m(to).at(8 * row, Type::Ub);
                        if store == Store::Dropped {
                            return kernel.mov(8, out, first);
                        }
                        let sums = r(SUMS).at(0, Type::Uw);
                        kernel.add(8, sums, first, second).shr(8, out, sums, Operand::Value(1))
                    })
                })
            }
        }
    })
}

/// Writes the 4:2:0 chroma of a woven output: unchanged rows of the source frames. `odd` is whether
/// the rows of odd number are the missing ones.
fn write_woven(
    kernel: KernelBuilder,
    registers: &mut MessageRegisters,
    entry: u32,
    role: usize,
    woven: Woven,
    odd: bool,
) -> KernelBuilder {
    // The frame of the field that is completed: the previous frame for output 0, the current one
    // for output 1.
    let (own, other) = (bindings::SOURCES[1 - role], bindings::SOURCES[role]);
    let other = if woven == Woven::Other { other } else { own };
    let block = |binding| Block { binding, x: HALF_X, y: HALF_Y, width: 8, height: 2 };
    [0, 1].into_iter().fold(kernel, |kernel, plane| {
        let rows = |row: usize| if (row == 1) == odd { COLORS + 1 } else { COLORS };
        let kernel = block(own + plane).read(kernel, registers.next(), COLORS);
        let kernel = block(other + plane).read(kernel, registers.next(), COLORS + 1);
        block(entry + 1 + plane).write(kernel, registers.next(), |kernel, to| {
            [0, 1]
                .into_iter()
                .fold(kernel, |kernel, row| kernel.mov(8, m(to).at(8 * row, Type::Ub), r(rows(row)).at(8 * row, Type::Ub)))
        })
    })
}
