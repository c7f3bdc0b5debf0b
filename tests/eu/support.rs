//! A machine with a few surfaces, and single messages to it.
use dndi::gen6::eu::{
    Config, Descriptor, Event, Kernel, KernelBuilder, Machine, Program, Register, Report, SharedFunction, m, r,
};
use dndi::gen6::state::{MediaSurfaceState, SurfaceState};

/// First register of a response.
pub const RESPONSE: usize = 32;
/// Address of the SAMPLER_STATE array.
pub const SAMPLERS: u32 = 4096;
/// First address for surfaces.
pub const DATA: u32 = 1 << 16;
/// Surface states follow the binding table, 32 bytes each.
const STATES: u32 = 1024;

/// A machine with memory, and a binding table at address 0.
pub fn machine() -> Machine {
    let mut machine = Machine::new(None).unwrap();
    machine.memory.allocate(1 << 20, 4).unwrap();
    for entry in 0..255 {
        machine.memory.set_dword(4 * entry, STATES + 32 * (entry as u32 % 64));
    }
    machine
}

/// Binds a surface of the data port.
pub fn bind(machine: &Machine, entry: u32, state: &SurfaceState) {
    machine.memory.set_dwords(u64::from(STATES + 32 * entry), &state.encode().unwrap());
}

/// Binds a surface of the sampler.
pub fn bind_media(machine: &Machine, entry: u32, state: &MediaSurfaceState) {
    machine.memory.set_dwords(u64::from(STATES + 32 * entry), &state.encode().unwrap());
}

/// A plane of bytes at `base`, `width` DWords wide.
pub fn plane(format: u32, base: u32, width: u32, height: u32, pitch: u32) -> SurfaceState {
    SurfaceState {
        surface_format: format,
        surface_base_address: base,
        width,
        height,
        surface_pitch: pitch,
        ..SurfaceState::default()
    }
}

/// The registers that were written back, by number, and the report.
pub struct Outcome {
    pub response: Vec<Register>,
    pub report: Report,
}

impl Outcome {
    /// The only error.
    pub fn error(&self) -> &dndi::gen6::eu::MessageError {
        assert_eq!(self.report.errors.len(), 1, "{:?}", self.report);
        &self.report.errors[0].error
    }

    /// All registers of the response to a message without error.
    pub fn registers(&self) -> &[Register] {
        assert_eq!((&self.report.errors[..], self.report.ended), (&[][..], 1));
        &self.response
    }
}

/// Sends one message, r0 as its header if it has one, with all channels enabled.
pub fn send(machine: &Machine, function: SharedFunction, descriptor: Descriptor, payload: &[Register]) -> Outcome {
    send_masked(machine, function, descriptor, payload, 0xffff)
}

/// The same with an execution mask. Registers of the response are all ones at first.
pub fn send_masked(
    machine: &Machine,
    function: SharedFunction,
    descriptor: Descriptor,
    payload: &[Register],
    mask: u16,
) -> Outcome {
    let count = descriptor.response();
    let mut kernel = KernelBuilder::new();
    for (n, _) in payload.iter().enumerate() {
        kernel = kernel.mov(8, m(1 + n), r(2 + n));
    }
    for n in 0..count {
        kernel = kernel.mov(8, r(RESPONSE + n), dndi::gen6::eu::Operand::Value(0xffff_ffff));
    }
    let destination = if count > 0 { Some(RESPONSE) } else { None };
    kernel = kernel.masked(mask).send(destination, 1, function, descriptor).masked(0xffff);
    for n in 0..count {
        kernel = kernel.mov(8, r(100), r(RESPONSE + n));
    }
    let kernel = kernel.end(15).build().unwrap();
    run(machine, &kernel, payload)
}

/// Runs a kernel in one thread, constants from r2 on.
pub fn run(machine: &Machine, kernel: &Kernel, constants: &[Register]) -> Outcome {
    let program = Program { kernel, binding_table: 0, samplers: SAMPLERS, constants };
    let mut registers = std::collections::BTreeMap::new();
    let report = machine.run_traced(
        &program,
        1,
        |_| Register::default(),
        |event| {
            if let Event::WrittenBack { register, value, .. } = event {
                registers.insert(register, value);
            }
        },
    );
    Outcome { response: registers.into_values().collect(), report }
}

/// Configurations with different orders of execution.
pub fn orders() -> impl Iterator<Item = Config> {
    let seeds = [None].into_iter().chain((0..40).map(Some));
    seeds.map(|seed| Config { seed, eus: 1 + seed.unwrap_or(2) as u32 % 4, threads: 1 + seed.unwrap_or(4) as u32 % 5 })
}

/// Pseudo-random numbers.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 ^ (self.0 >> 20) as u32
    }

    pub fn below(&mut self, n: u32) -> u32 {
        self.next() % n
    }

    pub fn register(&mut self) -> Register {
        Register::of(std::array::from_fn(|_| self.next()))
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }
}
