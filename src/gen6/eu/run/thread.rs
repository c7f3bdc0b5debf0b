//! A thread: its registers, and the arithmetic of its instructions (§7.1).
use crate::gen6::eu::data::kernel::{Kernel, Operand, Operation, Region, Type};
use crate::gen6::eu::data::register::{BYTES, Register, RegisterFiles};

/// Channels of the widest instruction.
const CHANNELS: usize = 16;

/// A thread that was dispatched.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    /// Number in the order of dispatch, from 0.
    pub number: u32,
    pub files: RegisterFiles,
    /// Number of the next instruction, from 0.
    pub next: usize,
}

impl Thread {
    pub fn new(number: u32, payload: &[Register]) -> Thread {
        let mut files = RegisterFiles::default();
        files.grf[..payload.len()].copy_from_slice(payload);
        Thread { number, files, next: 0 }
    }

    /// Whether the thread must wait: its next instruction uses a GRF register in flight, or writes
    /// an MRF register in flight.
    pub fn must_wait(&self, kernel: &Kernel) -> bool {
        let (grf, mrf) = kernel.touched.get(self.next).copied().unwrap_or_default();
        grf & self.files.grf_in_flight != 0 || mrf & self.files.mrf_in_flight != 0
    }

    /// Executes an instruction other than `send`.
    pub fn compute(&mut self, operation: Operation, size: usize, mask: u16, to: Operand, from: [Operand; 2]) {
        let (Operand::Grf(region) | Operand::Mrf(region)) = to else { return };
        let count = if operation == Operation::Mov { 1 } else { 2 };
        let floats = from[..count].iter().any(|source| is_float(*source)) || region.kind == Type::F;
        if floats {
            let sources: [[f32; CHANNELS]; 2] = from.map(|source| read_floats(&self.files.grf, source, size));
            let file = if let Operand::Grf(_) = to { &mut self.files.grf[..] } else { &mut self.files.mrf[..] };
            for channel in channels(size, mask) {
                let [a, b] = [sources[0][channel], sources[1][channel]];
                let value = match operation {
                    Operation::Mov => a,
                    Operation::Add => a + b,
                    Operation::Mul => a * b,
                    Operation::Shr => (a as i64 >> (b as i64 & 31)) as f32,
                };
                let bits = match region.kind {
                    Type::F => value.to_bits(),
                    Type::D => value as i32 as u32,
                    Type::Ud => value as u32,
                    Type::Uw => value as u16 as u32,
                    Type::Ub => value as u8 as u32,
                };
                write(file, region, channel, bits);
            }
            return;
        }
        let mut sources = [[0i64; CHANNELS]; 2];
        for (values, source) in sources[..count].iter_mut().zip(from) {
            read_integers(&self.files.grf, source, &mut values[..size]);
        }
        let file = if let Operand::Grf(_) = to { &mut self.files.grf[..] } else { &mut self.files.mrf[..] };
        for channel in channels(size, mask) {
            let [a, b] = [sources[0][channel], sources[1][channel]];
            let value = match operation {
                Operation::Mov => a,
                Operation::Add => a.wrapping_add(b),
                Operation::Mul => a.wrapping_mul(b),
                Operation::Shr => a >> (b & 31),
            };
            write(file, region, channel, value as u32);
        }
    }
}

fn channels(size: usize, mask: u16) -> impl Iterator<Item = usize> {
    (0..size).filter(move |channel| mask >> channel & 1 == 1)
}

fn is_float(operand: Operand) -> bool {
    matches!(operand, Operand::Float(_) | Operand::Grf(Region { kind: Type::F, .. }))
}

/// Bits of element `channel` of a region.
fn element(file: &[Register], region: Region, channel: usize) -> u32 {
    let size = region.kind.size();
    let at = BYTES * region.register + region.byte + channel * region.stride * size;
    let bytes = &file[at / BYTES].0[at % BYTES..][..size];
    match *bytes {
        [a] => a.into(),
        [a, b] => u16::from_le_bytes([a, b]).into(),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        _ => 0,
    }
}

fn write(file: &mut [Register], region: Region, channel: usize, bits: u32) {
    let size = region.kind.size();
    let at = BYTES * region.register + region.byte + channel * region.stride * size;
    file[at / BYTES].0[at % BYTES..][..size].copy_from_slice(&bits.to_le_bytes()[..size]);
}

fn read_integers(file: &[Register], operand: Operand, values: &mut [i64]) {
    match operand {
        Operand::Grf(region) => {
            for (channel, value) in values.iter_mut().enumerate() {
                let bits = element(file, region, channel);
                *value = if region.kind == Type::D { (bits as i32).into() } else { bits.into() };
            }
        }
        Operand::Value(v) => values.fill(v),
        Operand::Float(_) | Operand::Mrf(_) => {}
    }
}

fn read_floats(file: &[Register], operand: Operand, size: usize) -> [f32; CHANNELS] {
    let mut values = [0.0; CHANNELS];
    match operand {
        Operand::Float(value) => values.fill(value),
        Operand::Grf(region) if region.kind == Type::F => {
            values[..size]
                .iter_mut()
                .enumerate()
                .for_each(|(channel, value)| *value = f32::from_bits(element(file, region, channel)));
        }
        other => {
            let mut integers = [0; CHANNELS];
            read_integers(file, other, &mut integers[..size]);
            values.iter_mut().zip(integers).for_each(|(value, integer)| *value = integer as f32);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gen6::eu::data::descriptor::Descriptor;
    use crate::gen6::eu::data::kernel::{KernelBuilder, Send, Source, m, r};

    fn thread() -> Thread {
        let payload: Vec<Register> = (0..4).map(|n| Register(std::array::from_fn(|byte| (32 * n + byte) as u8))).collect();
        Thread::new(0, &payload)
    }

    #[test]
    fn elements_cross_registers() {
        let mut thread = thread();
        let every_other = r(1).at(0, Type::Ub).every(2);
        thread.compute(Operation::Mov, 16, 0xffff, m(2).at(8, Type::Ub), [every_other, Operand::Value(0)]);
        assert!(thread.files.mrf[2].0[8..24].iter().copied().eq((32..64).step_by(2)));
        // Sources are read before anything is written.
        thread.compute(Operation::Mov, 8, 0xffff, r(0).at(1, Type::Ud), [r(0), Operand::Value(0)]);
        assert!(thread.files.grf[0].0[4..].iter().copied().eq(0..28) && thread.files.grf[1].0[..4] == [28, 29, 30, 31]);
    }

    #[test]
    fn channels_and_types() {
        let mut thread = thread();
        thread.compute(Operation::Add, 8, 0b101, r(10), [r(0).at(0, Type::Ub), Operand::Value(-1)]);
        assert_eq!([0, 1, 2].map(|n| thread.files.grf[10].dword(n)), [u32::MAX, 0, 1]);
        thread.compute(Operation::Mul, 1, 1, r(11).at(0, Type::F), [r(0).at(3, Type::Ub), Operand::Float(0.5)]);
        assert_eq!(thread.files.grf[11].float(0), 1.5);
        thread.compute(Operation::Mov, 1, 1, r(11).at(1, Type::D), [Operand::Float(-2.75), Operand::Value(0)]);
        assert_eq!(thread.files.grf[11].dword(1) as i32, -2);
        thread.compute(Operation::Shr, 2, 3, r(12).at(0, Type::Ub), [r(0).at(4, Type::Uw), Operand::Value(1)]);
        assert_eq!(thread.files.grf[12].0[..2], [0x84, 0x85]);
    }

    #[test]
    fn threads_wait_for_registers_in_flight() {
        let mut thread = thread();
        (thread.files.grf_in_flight, thread.files.mrf_in_flight) = (1 << 5, 1 << 3);
        let waits =
            |build: &dyn Fn(KernelBuilder) -> KernelBuilder| thread.must_wait(&build(KernelBuilder::new()).build().unwrap());
        let mov = |to, from| waits(&|builder| builder.mov(8, to, from));
        assert!(mov(r(5), r(1)) && mov(r(1), r(5)) && mov(m(3), r(1)) && mov(r(1), r(4).at(1, Type::Ud)));
        assert!(!mov(m(4), r(4)) && waits(&|builder| builder.add(8, r(1), r(2), r(5))));
        let send = |implied_move| {
            let descriptor = Source::Immediate(Descriptor::default());
            waits(&|builder| builder.send_any(Send { destination: Some(5), payload: 3, implied_move, function: 0, descriptor }))
        };
        assert!(send(Some(0)) && !send(None));
    }
}
