//! Messages of any bits to surfaces and samplers of any bits. The input has the states of four
//! surfaces and four samplers, then function, descriptor and payload of each message.
#![no_main]
use dndi::gen6::eu::{Descriptor, KernelBuilder, Machine, Memory, Program, Register, Send, Source, m, r};
use libfuzzer_sys::fuzz_target;
use std::sync::Once;

const SURFACES: u64 = 4096;
const SAMPLERS: u32 = 8192;

/// Runs parallel work on the thread that calls it.
fn on_this_thread() {
    static ONCE: Once = Once::new();
    let pool = || rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    ONCE.call_once(|| pool().build_global().expect("the first pool"));
}

fuzz_target!(|data: &[u8]| {
    on_this_thread();
    let mut dwords = data.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes));
    let mut machine = Machine::new(None).expect("a level");
    machine.memory.allocate(1 << 20, 4).expect("a megabyte");
    machine.urb = Memory::new(1 << 16);
    machine.data_cache_port = true;
    for entry in 0..256 {
        machine.memory.set_dword(4 * entry, (SURFACES + 32 * (entry % 4)) as u32);
    }
    for dword in 0..32 {
        machine.memory.set_dword(SURFACES + 4 * dword, dwords.next().unwrap_or(0));
        machine.memory.set_dword(u64::from(SAMPLERS) + 4 * dword, dwords.next().unwrap_or(0));
    }
    while let (Some(function), Some(descriptor)) = (dwords.next(), dwords.next()) {
        let descriptor = Descriptor(descriptor & 0x7fff_ffff);
        let registers = 1..=descriptor.length().min(15);
        let payload: Vec<Register> =
            registers.map(|_| Register::of(std::array::from_fn(|_| dwords.next().unwrap_or(0)))).collect();
        let mut kernel = KernelBuilder::new();
        for n in 0..payload.len() {
            kernel = kernel.mov(8, m(n), r(2 + n));
        }
        let send = Send {
            destination: Some(32),
            payload: 0,
            implied_move: None,
            function: function as u8 & 15,
            descriptor: Source::Immediate(descriptor),
        };
        let Ok(kernel) = kernel.send_any(send).end(15).build() else { continue };
        let program = Program { kernel: &kernel, binding_table: 0, samplers: SAMPLERS, constants: &payload };
        let report = machine.run(&program, 1, |_| Register::default());
        assert_eq!(report.ended + report.hung.len(), 1);
    }
});
