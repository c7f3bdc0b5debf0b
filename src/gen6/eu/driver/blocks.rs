//! Parts of the driver's kernels: a block that is written, and lines of what `deinterlace` answered.
use crate::gen6::eu::data_port::{self, opcode};
use crate::gen6::eu::descriptor::{Descriptor, SharedFunction};
use crate::gen6::eu::kernel::{KernelBuilder, Operand, Type, m, r};

/// Payload register r1: x and y of the block, in luma samples; then halves and quarters of them.
pub(super) const X: Operand = r(1).at(0, Type::Ud);
pub(super) const Y: Operand = r(1).at(1, Type::Ud);
pub(super) const HALF_X: Operand = r(1).at(2, Type::Ud);
pub(super) const HALF_Y: Operand = r(1).at(3, Type::Ud);
pub(super) const QUARTER_X: Operand = r(1).at(4, Type::Ud);
pub(super) const QUARTER_Y: Operand = r(1).at(5, Type::Ud);

/// Bytes and lines of a media block, where it begins, and the surface.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub binding: u32,
    pub x: Operand,
    pub y: Operand,
    pub width: i64,
    pub height: i64,
}

impl Block {
    fn registers(&self) -> u32 {
        ((self.width as u32).next_power_of_two() * self.height as u32).div_ceil(32)
    }

    /// Its header in m`first`.
    fn header(self, kernel: KernelBuilder, first: usize) -> KernelBuilder {
        let kernel = kernel.mov(8, m(first), r(0)).mov(1, m(first), self.x).mov(1, m(first).at(1, Type::Ud), self.y);
        kernel.mov(1, m(first).at(2, Type::Ud), Operand::Value((self.height - 1) << 16 | (self.width - 1)))
    }

    /// Writes it; `fill` moves its bytes to the registers from m`first + 1` on.
    pub fn write(
        self,
        kernel: KernelBuilder,
        first: usize,
        fill: impl FnOnce(KernelBuilder, usize) -> KernelBuilder,
    ) -> KernelBuilder {
        let control = data_port::control(opcode::MEDIA_BLOCK_WRITE, 0, self.binding);
        let descriptor = Descriptor::new(1 + self.registers(), 0, true, control);
        let kernel = fill(self.header(kernel, first), first + 1);
        kernel.send(None, first, SharedFunction::RenderCache, descriptor)
    }

    /// Reads it through the sampler cache to r`to` and what follows.
    pub fn read(self, kernel: KernelBuilder, first: usize, to: usize) -> KernelBuilder {
        let control = data_port::control(opcode::MEDIA_BLOCK_READ, 0, self.binding);
        let descriptor = Descriptor::new(1, self.registers(), true, control);
        self.header(kernel, first).send(to, first, SharedFunction::SamplerCache, descriptor)
    }
}

/// MRF registers that messages take in turn, so that each is built while others wait.
#[derive(Default)]
pub(super) struct Turns(usize);

impl Turns {
    /// The first of three registers.
    pub fn next(&mut self) -> usize {
        self.0 += 1;
        1 + 3 * ((self.0 - 1) % 5)
    }
}

/// Where 16 bytes of a line of four stand: `lines` two registers, two lines each.
pub(super) fn line(lines: usize, y: usize) -> Operand {
    r(lines + y / 2).at(16 * (y % 2), Type::Ub)
}

/// Moves four lines of 16 bytes from r`from` to m`to`, and the registers that follow.
pub(super) fn four_lines(kernel: KernelBuilder, to: usize, from: usize) -> KernelBuilder {
    kernel.mov(8, m(to), r(from)).mov(8, m(to + 1), r(from + 1))
}
