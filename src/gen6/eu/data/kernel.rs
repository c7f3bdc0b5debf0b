//! Kernels: the instructions of threads (§7.1, volume 4 part 1, 1.6).
use super::descriptor::{Descriptor, SharedFunction};
use super::error::ProgramError;
use super::register::{BYTES, GRF, MRF, grf_bits, mrf_bits};

/// Function control of the message to the thread spawner that ends a thread: opcode 0, root thread.
const DEREFERENCE_ROOT: u32 = 1 << 4;

/// The type of the elements of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Unsigned byte.
    Ub,
    /// Unsigned word.
    Uw,
    /// Unsigned DWord.
    Ud,
    /// Signed DWord.
    D,
    /// 32-bit float.
    F,
}

impl Type {
    /// Bytes in an element.
    pub const fn size(self) -> usize {
        match self {
            Type::Ub => 1,
            Type::Uw => 2,
            _ => 4,
        }
    }
}

/// An operand: elements of a register file, or a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// Elements of consecutive GRF registers.
    Grf(Region),
    /// Elements of one MRF register; only as a destination.
    Mrf(Region),
    /// The same integer in each channel.
    Value(i64),
    /// The same float in each channel.
    Float(f32),
}

/// Elements of registers: the position of the first one, and their distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Number of the register.
    pub register: usize,
    /// Byte of the register that the first element starts with.
    pub byte: usize,
    /// Distance of the elements, in elements; 0 repeats the first one.
    pub stride: usize,
    /// Type of the elements.
    pub kind: Type,
}

impl Region {
    /// First byte and end of `size` elements, as bytes of the register file.
    pub(crate) fn span(&self, size: usize) -> (usize, usize) {
        let first = BYTES * self.register + self.byte;
        (first, first + (size - 1) * self.stride * self.kind.size() + self.kind.size())
    }
}

/// The DWords of rn from DWord 0 on.
pub const fn r(register: usize) -> Operand {
    Operand::Grf(Region { register, byte: 0, stride: 1, kind: Type::Ud })
}

/// The DWords of mn from DWord 0 on.
pub const fn m(register: usize) -> Operand {
    Operand::Mrf(Region { register, byte: 0, stride: 1, kind: Type::Ud })
}

impl Operand {
    /// The elements of type `kind` of the same register, from element `first` on.
    pub const fn at(self, first: usize, kind: Type) -> Operand {
        self.region(first.saturating_mul(kind.size()), 1, kind)
    }

    /// Elements with the same start, `stride` elements apart.
    pub const fn every(self, stride: usize) -> Operand {
        match self {
            Operand::Grf(region) | Operand::Mrf(region) => self.region(region.byte, stride, region.kind),
            value => value,
        }
    }

    const fn region(self, byte: usize, stride: usize, kind: Type) -> Operand {
        match self {
            Operand::Grf(Region { register, .. }) => Operand::Grf(Region { register, byte, stride, kind }),
            Operand::Mrf(Region { register, .. }) => Operand::Mrf(Region { register, byte, stride, kind }),
            value => value,
        }
    }
}

/// The operation of an instruction, channel by channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Copies the first source.
    Mov,
    /// Adds both sources.
    Add,
    /// Multiplies both sources.
    Mul,
    /// Shifts the first source right by the second one, modulo 32.
    Shr,
}

/// The position of the descriptor of a `send`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// In the instruction.
    Immediate(Descriptor),
    /// In DWord 0 of a GRF register; the end-of-thread bit is ignored there.
    Register(usize),
}

/// The operands of a `send`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Send {
    /// First GRF register of the response, if there is one.
    pub destination: Option<usize>,
    /// First MRF register of the payload.
    pub payload: usize,
    /// GRF register that is moved to the first payload register before the message is sent.
    pub implied_move: Option<usize>,
    /// Identifier of the shared function, 4 bits.
    pub function: u8,
    /// The descriptor.
    pub descriptor: Source,
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instruction {
    /// Computes channels 0 to `size - 1` whose mask bit is set.
    Compute {
        /// The operation.
        operation: Operation,
        /// Number of channels: 1, 2, 4, 8 or 16.
        size: usize,
        /// Execution mask.
        mask: u16,
        /// The destination.
        to: Operand,
        /// The sources; `Mov` ignores the second one.
        from: [Operand; 2],
    },
    /// Sends a message with an execution mask.
    Send(Send, u16),
}

/// A program: instructions in the order of execution. The last one should be a message that ends
/// the thread, else the thread hangs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kernel {
    instructions: Vec<Instruction>,
    /// GRF and MRF registers that must not be in flight when each instruction is executed.
    pub(crate) touched: Vec<(u128, u16)>,
}

impl Kernel {
    /// The instructions.
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }
}

/// Builds a [`Kernel`], one instruction a call.
#[derive(Clone, Debug)]
#[must_use]
pub struct KernelBuilder {
    instructions: Vec<Instruction>,
    mask: u16,
}

impl Default for KernelBuilder {
    fn default() -> KernelBuilder {
        KernelBuilder::new()
    }
}

impl KernelBuilder {
    /// A builder without instructions, all channels enabled.
    pub fn new() -> KernelBuilder {
        KernelBuilder { instructions: vec![], mask: 0xffff }
    }

    /// Sets the execution mask of the instructions that follow.
    pub fn masked(mut self, mask: u16) -> KernelBuilder {
        self.mask = mask;
        self
    }

    /// `mov (size) to from`
    pub fn mov(self, size: usize, to: Operand, from: Operand) -> KernelBuilder {
        self.compute(Operation::Mov, size, to, [from, Operand::Value(0)])
    }

    /// `add (size) to a b`
    pub fn add(self, size: usize, to: Operand, a: Operand, b: Operand) -> KernelBuilder {
        self.compute(Operation::Add, size, to, [a, b])
    }

    /// `mul (size) to a b`
    pub fn mul(self, size: usize, to: Operand, a: Operand, b: Operand) -> KernelBuilder {
        self.compute(Operation::Mul, size, to, [a, b])
    }

    /// `shr (size) to a b`
    pub fn shr(self, size: usize, to: Operand, a: Operand, b: Operand) -> KernelBuilder {
        self.compute(Operation::Shr, size, to, [a, b])
    }

    /// `operation (size) to from[0] from[1]`
    pub fn compute(mut self, operation: Operation, size: usize, to: Operand, from: [Operand; 2]) -> KernelBuilder {
        self.instructions.push(Instruction::Compute { operation, size, mask: self.mask, to, from });
        self
    }

    /// `send`: a message from m`payload` on, with its response from r`destination` on if there is
    /// one.
    pub fn send(
        self,
        destination: impl Into<Option<usize>>,
        payload: usize,
        function: SharedFunction,
        descriptor: Descriptor,
    ) -> KernelBuilder {
        let (destination, function) = (destination.into(), function.identifier());
        self.send_any(Send { destination, payload, implied_move: None, function, descriptor: Source::Immediate(descriptor) })
    }

    /// `send` with any operands.
    pub fn send_any(mut self, send: Send) -> KernelBuilder {
        self.instructions.push(Instruction::Send(send, self.mask));
        self
    }

    /// Ends the thread: `send` to the thread spawner with r0 as the payload, in m`payload`.
    pub fn end(self, payload: usize) -> KernelBuilder {
        let descriptor = Source::Immediate(Descriptor::new(1, 0, false, DEREFERENCE_ROOT).ending());
        let function = SharedFunction::ThreadSpawner.identifier();
        self.send_any(Send { destination: None, payload, implied_move: Some(0), function, descriptor })
    }

    /// The kernel.
    ///
    /// # Errors
    /// [`ProgramError::Instruction`] for the first instruction that no thread can execute.
    pub fn build(self) -> Result<Kernel, ProgramError> {
        for (number, instruction) in self.instructions.iter().enumerate() {
            check(instruction).map_err(|reason| ProgramError::Instruction { number, reason })?;
        }
        let touched = self.instructions.iter().map(touched).collect();
        Ok(Kernel { instructions: self.instructions, touched })
    }
}

/// Checks that a thread can execute an instruction.
fn check(instruction: &Instruction) -> Result<(), &'static str> {
    match *instruction {
        Instruction::Compute { size, to, from, .. } => {
            if !matches!(size, 1 | 2 | 4 | 8 | 16) {
                return Err("an execution size other than 1, 2, 4, 8, 16");
            }
            let inside = |region: Region, registers: usize| {
                let aligned = region.byte.is_multiple_of(region.kind.size());
                // Checked before the span, which could overflow for registers far outside.
                let near = region.register < registers && region.byte < BYTES && region.stride <= 16;
                aligned && near && region.span(size).1 <= registers * BYTES
            };
            match to {
                Operand::Grf(region) if !inside(region, GRF) => Err("a destination outside r0…r127, or not aligned"),
                Operand::Grf(region) | Operand::Mrf(region) if region.stride == 0 => Err("a destination with stride 0"),
                Operand::Mrf(region) if !inside(region, MRF) || region.span(size).1 > (region.register + 1) * BYTES => {
                    Err("a destination outside its MRF register, or not aligned")
                }
                Operand::Value(_) | Operand::Float(_) => Err("a value as destination"),
                _ => from.into_iter().try_for_each(|source| match source {
                    Operand::Mrf(_) => Err("an MRF register as source"),
                    Operand::Grf(region) if !inside(region, GRF) => Err("a source outside r0…r127, or not aligned"),
                    _ => Ok(()),
                }),
            }
        }
        Instruction::Send(Send { destination, payload, implied_move, function, descriptor }, _) => {
            let grf =
                [destination, implied_move, if let Source::Register(register) = descriptor { Some(register) } else { None }];
            match () {
                () if grf.into_iter().flatten().any(|register| register >= GRF) => Err("a register outside r0…r127"),
                () if payload >= MRF => Err("a payload outside m0…m15"),
                () if function > 15 => Err("an identifier of more than 4 bits"),
                () => Ok(()),
            }
        }
    }
}

/// GRF and MRF registers that an instruction reads or writes, except the payload of a message.
fn touched(instruction: &Instruction) -> (u128, u16) {
    let bits = |region: Region, size: usize| {
        let (first, end) = region.span(size);
        grf_bits(first / BYTES, (end - 1) / BYTES - first / BYTES + 1)
    };
    let grf = |operand: Operand, size: usize| if let Operand::Grf(region) = operand { bits(region, size) } else { 0 };
    match *instruction {
        Instruction::Compute { operation, size, to, from, .. } => {
            let second = if operation == Operation::Mov { 0 } else { grf(from[1], size) };
            let mrf = if let Operand::Mrf(region) = to { mrf_bits(region.register, 1) } else { 0 };
            (grf(to, size) | grf(from[0], size) | second, mrf)
        }
        Instruction::Send(Send { payload, implied_move, descriptor, .. }, _) => {
            let source = if let Source::Register(register) = descriptor { grf_bits(register, 1) } else { 0 };
            let moved = implied_move.map_or(0, |register| grf_bits(register, 1));
            (source | moved, if implied_move.is_some() { mrf_bits(payload, 1) } else { 0 })
        }
    }
}
