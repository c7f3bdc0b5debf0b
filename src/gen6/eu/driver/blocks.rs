//! Parts of the driver's kernels: media blocks, and lines of the response of `deinterlace`.
use crate::gen6::eu::data::descriptor::{Descriptor, SharedFunction};
use crate::gen6::eu::data::kernel::{KernelBuilder, Operand, Type, m, r};
use crate::gen6::eu::functions::data_port::message_type::{control, opcode};

/// DWords of the payload register r1: x and y of the block in luma samples, their halves and
/// quarters.
pub(super) const X: Operand = r(1).at(0, Type::Ud);
pub(super) const Y: Operand = r(1).at(1, Type::Ud);
pub(super) const HALF_X: Operand = r(1).at(2, Type::Ud);
pub(super) const HALF_Y: Operand = r(1).at(3, Type::Ud);
pub(super) const QUARTER_X: Operand = r(1).at(4, Type::Ud);
pub(super) const QUARTER_Y: Operand = r(1).at(5, Type::Ud);

/// A media block: the surface, the first byte and line, bytes and lines.
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

    /// Builds the header in m`first`.
    fn header(self, kernel: KernelBuilder, first: usize) -> KernelBuilder {
        let kernel = kernel.mov(8, m(first), r(0)).mov(1, m(first), self.x).mov(1, m(first).at(1, Type::Ud), self.y);
        kernel.mov(1, m(first).at(2, Type::Ud), Operand::Value((self.height - 1) << 16 | (self.width - 1)))
    }

    /// Writes the block. `fill` moves its bytes to the registers from m`first + 1` on.
    pub fn write(
        self,
        kernel: KernelBuilder,
        first: usize,
        fill: impl FnOnce(KernelBuilder, usize) -> KernelBuilder,
    ) -> KernelBuilder {
        let descriptor = Descriptor::new(1 + self.registers(), 0, true, control(opcode::MEDIA_BLOCK_WRITE, 0, self.binding));
        let kernel = fill(self.header(kernel, first), first + 1);
        kernel.send(None, first, SharedFunction::RenderCache, descriptor)
    }

    /// Reads the block through the sampler cache to the registers from r`to` on.
    pub fn read(self, kernel: KernelBuilder, first: usize, to: usize) -> KernelBuilder {
        let descriptor = Descriptor::new(1, self.registers(), true, control(opcode::MEDIA_BLOCK_READ, 0, self.binding));
        self.header(kernel, first).send(to, first, SharedFunction::SamplerCache, descriptor)
    }
}

/// MRF registers that messages use in turn, so that one is built while others are in flight.
#[derive(Default)]
pub(super) struct MessageRegisters(usize);

impl MessageRegisters {
    /// The first of three registers of the next message.
    pub fn next(&mut self) -> usize {
        self.0 += 1;
        1 + 3 * ((self.0 - 1) % 5)
    }
}

/// The 16 bytes of line `y`, 0 to 3, of the registers from r`lines` on, which have two lines each.
pub(super) fn line(lines: usize, y: usize) -> Operand {
    r(lines + y / 2).at(16 * (y % 2), Type::Ub)
}

/// Moves four lines of 16 bytes from the registers from r`from` on to those from m`to` on.
pub(super) fn four_lines(kernel: KernelBuilder, to: usize, from: usize) -> KernelBuilder {
    kernel.mov(8, m(to), r(from)).mov(8, m(to + 1), r(from + 1))
}
