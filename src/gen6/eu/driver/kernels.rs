//! The driver's kernels: what each thread does with its block (§7.4).
use super::blocks::{Block, HALF_X, HALF_Y, QUARTER_X, QUARTER_Y, Turns, X, Y, four_lines, line};
use super::slots;
use crate::deinterlace::chroma::{Store, Woven};
use crate::gen6::eu::descriptor::{Descriptor, SharedFunction};
use crate::gen6::eu::kernel::{Kernel, KernelBuilder, Operand, Type, m, r};
use crate::gen6::eu::sampler::{self, opcode};

/// What a frame's kernel is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub chroma: Chroma,
    /// Luma is denoised, and the clean frame is kept.
    pub denoise: bool,
    /// The current frame's chroma is 4:2:2: it is answered, too.
    pub packed: bool,
    pub top_first: bool,
    /// There is no previous frame.
    pub first: bool,
    /// Outputs whose 4:2:0 chroma is woven from rows of the source frames.
    pub woven: [Option<Woven>; 2],
}

/// How the chroma of an output is made of what the message answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chroma {
    None,
    /// 4:2:2, or 4:2:0 made of it.
    Halved(Store),
    Full,
}

/// First register of an answer of `deinterlace`.
const ANSWER: usize = 16;
/// The same of a second answer.
const SECOND: usize = 48;
/// Room for a picture that is composed, and for sums.
const LUMA: usize = 80;
const COLORS: usize = 82;
const SUMS: usize = 90;

impl Chroma {
    /// Registers of an output: luma and chroma.
    fn output(self) -> usize {
        if self == Chroma::Full { 6 } else { 4 }
    }
}

/// Sends `deinterlace` for the thread's block, with the element `sampler` of the state array.
fn deinterlace(kernel: KernelBuilder, to: usize, sampler: u32, response: usize) -> KernelBuilder {
    let control = sampler::control(opcode::DEINTERLACE, 2 * sampler, slots::CURRENT);
    let descriptor = Descriptor::new(2, response as u32, true, control);
    let kernel = kernel.mov(8, m(1), r(0)).mov(1, m(2).at(2, Type::Ud), X).mov(1, m(2).at(6, Type::Ud), Y);
    kernel.send(to, 1, SharedFunction::Sampler, descriptor)
}

/// The kernel of a step: both outputs, or the second alone on the first step, the clean frame, motion measures and histories.
pub(super) fn step(shape: Shape) -> Kernel {
    let Shape { chroma, denoise, packed, top_first, first, woven } = shape;
    let output = chroma.output();
    let (statistics, clean) = (ANSWER + 2 * output, ANSWER + 2 * output + 2);
    let response = 2 * output + 2 + if denoise { 1 + usize::from(packed) } else { 0 };
    let turns = &mut Turns::default();
    let mut kernel = deinterlace(KernelBuilder::new(), ANSWER, 0, response);
    for role in if first { 1..2 } else { 0..2 } {
        let (lines, slot) = (ANSWER + role * output, slots::OUTPUTS[role]);
        kernel = write_luma(kernel, turns, slot, lines);
        kernel = match woven[role] {
            // In prev2 the bottom lines are missing if the top field comes second.
            Some(woven) => write_woven(kernel, turns, slot, role, woven, (role == 1) == top_first),
            None => write_chroma(kernel, turns, slot, lines + 2, chroma),
        };
    }
    let block = |x, y, width, height| Block { binding: slots::STATISTICS_OUT, x, y, width, height };
    kernel = block(HALF_X, Y, 8, 4).write(kernel, turns.next(), |kernel, to| kernel.mov(8, m(to), r(statistics)));
    if denoise {
        // The histories stand right of the motion measures, from the middle of the pitch on.
        let (x, history) = (r(2).at(1, Type::Ud), r(statistics + 1));
        kernel = kernel.add(1, x, QUARTER_X, r(2));
        kernel = block(x, QUARTER_Y, 4, 1).write(kernel, turns.next(), |kernel, to| kernel.mov(1, m(to), history));
        // The 1st field is in the second output, the 2nd has registers of its own.
        let lines = ANSWER + output;
        let clean_line =
            |y: usize| if y.is_multiple_of(2) == top_first { line(lines, y) } else { r(clean).at(16 * (y / 2), Type::Ub) };
        let block = Block { binding: slots::CLEAN_OUT, x: X, y: Y, width: 16, height: 4 };
        kernel = block.write(kernel, turns.next(), |kernel, to| {
            (0..4).fold(kernel, |kernel, y| kernel.mov(16, m(to + y / 2).at(16 * (y % 2), Type::Ub), clean_line(y)))
        });
    }
    kernel.end(turns.next()).build().expect("the driver's kernel")
}

/// The kernel of the end of the stream: the 2nd field of the last frame becomes the second output of a first step with the order of the
/// fields inverted. To weave it, a step with the right order gives the 1st field.
pub(super) fn last(shape: Shape, weave: bool) -> Kernel {
    let Shape { chroma, top_first, woven, .. } = shape;
    let output = chroma.output();
    let turns = &mut Turns::default();
    let mut kernel = deinterlace(KernelBuilder::new(), ANSWER, 0, 2 * output + 2);
    let mut lines = ANSWER + output;
    if weave {
        kernel = deinterlace(kernel, SECOND, 1, 2 * output + 2);
        // Lines of the 2nd field, then of the 1st; top_first is that of the frame.
        let from = |y: usize| if y.is_multiple_of(2) != top_first { ANSWER } else { SECOND } + output;
        for (y, register) in (0..output / 2).flat_map(|part| (0..4).map(move |y| (y, 2 * part))) {
            kernel = kernel.mov(16, line(LUMA + register, y), line(from(y) + register, y));
        }
        lines = LUMA;
    }
    let slot = slots::OUTPUTS[0];
    kernel = write_luma(kernel, turns, slot, lines);
    kernel = match woven[0] {
        Some(woven) => write_woven(kernel, turns, slot, 1, woven, top_first),
        None => write_chroma(kernel, turns, slot, lines + 2, chroma),
    };
    kernel.end(turns.next()).build().expect("the driver's kernel")
}

/// The kernel of a frame that is only denoised: its luma and histories. With `measure` only its noise is estimated.
pub(super) fn denoise(packed: bool, measure: bool) -> Kernel {
    let turns = &mut Turns::default();
    let mut kernel = deinterlace(KernelBuilder::new(), ANSWER, 0, if packed { 9 } else { 5 });
    if !measure {
        let block = Block { binding: slots::CLEAN_OUT, x: X, y: Y, width: 16, height: 4 };
        kernel = block.write(kernel, turns.next(), |kernel, to| four_lines(kernel, to, ANSWER));
        let below = r(2).at(2, Type::Ud);
        kernel = kernel.add(1, below, Y, Operand::Value(4));
        let block = Block { y: below, ..block };
        kernel = block.write(kernel, turns.next(), |kernel, to| four_lines(kernel, to, ANSWER + 2));
        let x = r(2).at(1, Type::Ud);
        kernel = kernel.add(1, x, QUARTER_X, r(2));
        let block = Block { binding: slots::STATISTICS_OUT, x, y: QUARTER_Y, width: 4, height: 2 };
        kernel = block.write(kernel, turns.next(), |kernel, to| kernel.mov(2, m(to), r(ANSWER + 4)));
    }
    kernel.end(turns.next()).build().expect("the driver's kernel")
}

fn write_luma(kernel: KernelBuilder, turns: &mut Turns, slot: u32, lines: usize) -> KernelBuilder {
    let block = Block { binding: slot, x: X, y: Y, width: 16, height: 4 };
    block.write(kernel, turns.next(), |kernel, to| four_lines(kernel, to, lines))
}

/// Writes both chroma planes of an output, given its chroma registers.
fn write_chroma(kernel: KernelBuilder, turns: &mut Turns, slot: u32, lines: usize, chroma: Chroma) -> KernelBuilder {
    [0, 1].into_iter().fold(kernel, |kernel, plane| {
        let binding = slot + 1 + plane as u32;
        // Cr and Cb in turn, Cr first.
        let byte = 1 - plane;
        let samples = |register: usize, line: usize| r(register).at(16 * line + byte, Type::Ub).every(2);
        match chroma {
            Chroma::None => kernel,
            Chroma::Full => {
                let block = Block { binding, x: X, y: Y, width: 16, height: 4 };
                block.write(kernel, turns.next(), |kernel, to| four_lines(kernel, to, lines + 2 * plane))
            }
            Chroma::Halved(Store::Native) => {
                let block = Block { binding, x: HALF_X, y: Y, width: 8, height: 4 };
                block.write(kernel, turns.next(), |kernel, to| {
                    let kernel = kernel.mov(16, m(to).at(0, Type::Ub), samples(lines, 0));
                    kernel.mov(16, m(to).at(16, Type::Ub), samples(lines + 1, 0))
                })
            }
            Chroma::Halved(store) => {
                let block = Block { binding, x: HALF_X, y: HALF_Y, width: 8, height: 2 };
                block.write(kernel, turns.next(), |kernel, to| {
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

/// Writes the 4:2:0 chroma of a woven output: rows of the source frames as they are. Rows of odd number are those that are missing if
/// `odd`.
fn write_woven(kernel: KernelBuilder, turns: &mut Turns, slot: u32, role: usize, woven: Woven, odd: bool) -> KernelBuilder {
    // K of prev2 is the previous frame, that of cur1 the current one.
    let (own, other) = (slots::SOURCES[1 - role], slots::SOURCES[role]);
    let other = if woven == Woven::Other { other } else { own };
    let block = |binding| Block { binding, x: HALF_X, y: HALF_Y, width: 8, height: 2 };
    [0, 1].into_iter().fold(kernel, |kernel, plane| {
        let rows = |row: usize| if (row == 1) == odd { COLORS + 1 } else { COLORS };
        let kernel = block(own + plane).read(kernel, turns.next(), COLORS);
        let kernel = block(other + plane).read(kernel, turns.next(), COLORS + 1);
        block(slot + 1 + plane).write(kernel, turns.next(), |kernel, to| {
            [0, 1]
                .into_iter()
                .fold(kernel, |kernel, row| kernel.mov(8, m(to).at(8 * row, Type::Ub), r(rows(row)).at(8 * row, Type::Ub)))
        })
    })
}
