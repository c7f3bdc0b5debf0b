//! Kernels: the programs of threads (§7.1, volume 4 part 1, 1.6).
use super::descriptor::{Descriptor, SharedFunction};
use super::register::{BYTES, GRF, MRF, grf_bits, mrf_bits};

/// What the thread spawner is told by a thread that ends: opcode 0, and that no parent's resources are meant.
const DEREFERENCE_ROOT: u32 = 1 << 4;

/// How the bits of an operand are read.
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
    /// Float.
    F,
}

impl Type {
    /// Bytes of an element.
    pub const fn size(self) -> usize {
        match self {
            Type::Ub => 1,
            Type::Uw => 2,
            _ => 4,
        }
    }
}

/// Elements of the register files, or a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// Elements of consecutive GRF registers.
    Grf(Region),
    /// Elements of one MRF register; only to be written.
    Mrf(Region),
    /// The same value in each channel.
    Value(i64),
    /// The same float in each channel.
    Float(f32),
}

/// Where elements stand: the first of them, and how far apart they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Register.
    pub register: usize,
    /// Byte in it, of the first element.
    pub byte: usize,
    /// Elements from one to the next; 0 repeats the first.
    pub stride: usize,
    /// Type of the elements.
    pub kind: Type,
}

impl Region {
    /// Bytes from the first one of the file on of `size` elements: the first, and the end.
    pub(crate) fn span(&self, size: usize) -> (usize, usize) {
        let first = BYTES * self.register + self.byte;
        (first, first + (size - 1) * self.stride * self.kind.size() + self.kind.size())
    }
}

/// DWords of rn, the first of them DWord 0.
pub const fn r(register: usize) -> Operand {
    Operand::Grf(Region { register, byte: 0, stride: 1, kind: Type::Ud })
}

/// DWords of mn, the first of them DWord 0.
pub const fn m(register: usize) -> Operand {
    Operand::Mrf(Region { register, byte: 0, stride: 1, kind: Type::Ud })
}

impl Operand {
    /// Other elements of the same register: from element `first` of type `kind` on.
    pub const fn at(self, first: usize, kind: Type) -> Operand {
        self.place(first * kind.size(), 1, kind)
    }

    /// The same elements, `stride` apart.
    pub const fn every(self, stride: usize) -> Operand {
        match self {
            Operand::Grf(region) | Operand::Mrf(region) => self.place(region.byte, stride, region.kind),
            value => value,
        }
    }

    const fn place(self, byte: usize, stride: usize, kind: Type) -> Operand {
        match self {
            Operand::Grf(Region { register, .. }) => Operand::Grf(Region { register, byte, stride, kind }),
            Operand::Mrf(Region { register, .. }) => Operand::Mrf(Region { register, byte, stride, kind }),
            value => value,
        }
    }
}

/// What is computed of each channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The first source.
    Mov,
    /// The sum of both.
    Add,
    /// The product of both.
    Mul,
    /// The first shifted right by the second.
    Shr,
}

/// Where a `send` finds its descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// In the instruction.
    Immediate(Descriptor),
    /// In DWord 0 of a GRF register; its end-of-thread bit does not count.
    Register(usize),
}

/// A `send`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Send {
    /// First GRF register of the answer, if there is one.
    pub destination: Option<usize>,
    /// First MRF register of the payload.
    pub payload: usize,
    /// GRF register that is moved to it first.
    pub implied_move: Option<usize>,
    /// Identifier of the shared function, 4 bits.
    pub function: u8,
    /// What is asked for.
    pub descriptor: Source,
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instruction {
    /// Computes channels 0 to `size` - 1, those whose mask bit is set.
    Compute {
        /// What.
        operation: Operation,
        /// Channels, 1 to 16.
        size: usize,
        /// Execution mask.
        mask: u16,
        /// Where results go.
        to: Operand,
        /// What is computed with; `Mov` ignores the second.
        from: [Operand; 2],
    },
    /// Sends a message, with the execution mask.
    Send(Send, u16),
}

/// A kernel that cannot be built: a wrong instruction, numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelError {
    /// The instruction.
    pub instruction: usize,
    /// What is wrong with it.
    pub what: &'static str,
}

impl std::fmt::Display for KernelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "instruction {}: {}", self.instruction, self.what)
    }
}

impl std::error::Error for KernelError {}

/// A program: instructions that are executed one after the other, the last one a message that ends the thread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kernel {
    instructions: Vec<Instruction>,
    /// Registers that each of them must not find in flight.
    pub(crate) touched: Vec<(u128, u16)>,
}

impl Kernel {
    /// Its instructions.
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }
}

/// Builds a [`Kernel`], an instruction a call.
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
    /// No instruction yet, all channels enabled.
    pub fn new() -> KernelBuilder {
        KernelBuilder { instructions: vec![], mask: 0xffff }
    }

    /// The instructions that follow have only the channels of `mask` enabled.
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

    /// Any of them.
    pub fn compute(mut self, operation: Operation, size: usize, to: Operand, from: [Operand; 2]) -> KernelBuilder {
        self.instructions.push(Instruction::Compute { operation, size, mask: self.mask, to, from });
        self
    }

    /// `send`: a message from m`payload` on, answered from r`destination` on if there is an answer.
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

    /// Any `send`.
    pub fn send_any(mut self, send: Send) -> KernelBuilder {
        self.instructions.push(Instruction::Send(send, self.mask));
        self
    }

    /// Appends what `more` builds.
    pub fn with(self, more: impl FnOnce(KernelBuilder) -> KernelBuilder) -> KernelBuilder {
        more(self)
    }

    /// `send` to the thread spawner, with r0 as the payload, m`payload` its register: the end of the thread.
    pub fn end(self, payload: usize) -> KernelBuilder {
        let descriptor = Source::Immediate(Descriptor::new(1, 0, false, DEREFERENCE_ROOT).ending());
        let function = SharedFunction::ThreadSpawner.identifier();
        self.send_any(Send { destination: None, payload, implied_move: Some(0), function, descriptor })
    }

    /// The kernel.
    ///
    /// # Errors
    /// [`KernelError`] of the first instruction that no thread can execute.
    pub fn build(self) -> Result<Kernel, KernelError> {
        for (instruction, known) in self.instructions.iter().enumerate() {
            check(known).map_err(|what| KernelError { instruction, what })?;
        }
        let touched = self.instructions.iter().map(touched).collect();
        Ok(Kernel { instructions: self.instructions, touched })
    }
}

/// Whether a thread can execute an instruction.
fn check(instruction: &Instruction) -> Result<(), &'static str> {
    match *instruction {
        Instruction::Compute { size, to, from, .. } => {
            if !matches!(size, 1 | 2 | 4 | 8 | 16) {
                return Err("an execution size other than 1, 2, 4, 8, 16");
            }
            let inside = |region: Region, registers: usize| {
                let aligned = region.byte.is_multiple_of(region.kind.size());
                // No span of what lies far outside, which would not fit into an integer.
                let near = region.register < registers && region.byte < BYTES && region.stride <= 16;
                aligned && near && region.span(size).1 <= registers * BYTES
            };
            match to {
                Operand::Grf(region) if !inside(region, GRF) => Err("a destination outside r0…r127, or not aligned"),
                Operand::Grf(region) | Operand::Mrf(region) if region.stride == 0 => Err("a destination that repeats"),
                Operand::Mrf(region) if !inside(region, MRF) || region.span(size).1 > (region.register + 1) * BYTES => {
                    Err("a destination outside its MRF register, or not aligned")
                }
                Operand::Value(_) | Operand::Float(_) => Err("a value as destination"),
                _ => from.into_iter().try_for_each(|source| match source {
                    Operand::Mrf(_) => Err("the MRF is only written"),
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

/// GRF and MRF registers that an instruction reads or writes, but those whose contents only leave with a message.
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
