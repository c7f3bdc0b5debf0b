//! Messages of any bits to surfaces and samplers of any bits. The input has the states of four
//! surfaces and four samplers, then function, descriptor and payload of each message. Bit 31 of the
//! function makes a texture message whose length, states and payload are usually valid.
#![no_main]
use dndi::gen6::eu::{
    ChromaKey, Descriptor, KernelBuilder, Machine, Memory, MonoFilter, Program, Register, Send, Source, m, r, texture_control,
    texture_opcode, texture_simd,
};
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

/// Formats of all codings; the last one is not read.
const FORMATS: [u32; 24] = [
    0x0c7, 0x0c8, 0x140, 0x144, 0x000, 0x0d8, 0x0d3, 0x0ed, 0x107, 0x10a, 0x110, 0x14e, 0x181, 0x182, 0x190, 0x186, 0x188, 0x189,
    0x19a, 0x18e, 0x0e2, 0x143, 0x040, 0x192,
];
const MONO8: u32 = 0x18e;

/// A surface of a texture message, from any bits.
fn surface(bits: [u32; 6]) -> [u32; 6] {
    let format = FORMATS[bits[0] as usize % FORMATS.len()];
    let kind = [1, 1, 2, 3, 3, 0, 4, 1][(bits[0] >> 5 & 7) as usize];
    let (width, depth) = (bits[2] & 127, bits[3] & 7);
    let height = match kind {
        0 => 0,
        3 => width,
        _ => bits[2] >> 7 & 127,
    };
    let levels = if matches!(format, 0x182 | 0x190 | MONO8) { 0 } else { bits[2] >> 14 & 3 };
    let tiles = if kind == 4 { 0 } else { [0, 0, 2, 3][(bits[3] >> 8 & 3) as usize] };
    [
        kind << 29 | format << 18 | bits[0] & 0x600 | 63,
        1 << 14,
        height << 19 | width << 6 | levels << 2,
        depth << 21 | 511 << 3 | tiles,
        bits[4] & 0xe0_0000,
        bits[5] & 1 << 24,
    ]
}

/// A SAMPLER_STATE of a texture message, from any bits.
fn sampler(bits: [u32; 4], surface: [u32; 6]) -> [u32; 4] {
    let (kind, format) = (surface[0] >> 29, surface[0] >> 18 & 511);
    let filter = |bits: u32| match format {
        MONO8 => 6,
        _ => [0, 1, 1, if kind == 2 { 1 } else { 2 }][(bits & 3) as usize],
    };
    let mode = match (kind, format) {
        (_, MONO8) => 4,
        (3, _) => [2, 3][(bits[1] >> 6 & 1) as usize],
        _ => [0, 1, 2, 2, 4, 5, 4, 0][(bits[1] >> 6 & 7) as usize],
    };
    let mip = if format == MONO8 { 0 } else { [0, 1, 3, 3][(bits[0] >> 20 & 3) as usize] };
    [
        bits[0] & 0x17c0_3fff | mip << 20 | filter(bits[0] >> 17) << 17 | filter(bits[0] >> 14) << 14,
        if format == MONO8 { 0 } else { bits[1] & 0xfc00_0000 } | bits[1] & 0x3f_f000 | mode << 6 | mode << 3 | mode,
        bits[2] & 0x3fe0,
        bits[3] & 0x3fe_0000,
    ]
}

/// Function control and length of a texture message, from any bits.
fn texture(bits: u32, binding: u32) -> Descriptor {
    use texture_opcode::{LOD, RESINFO, SAMPLE_D, SAMPLE_KILLPIX, SAMPLEINFO};
    use texture_simd::{SIMD4X2, SIMD8, SIMD16};
    let opcode = (bits >> 12 & 15) % 13;
    let header = bits >> 19 & 1;
    let mode = match bits >> 16 & 3 {
        0 if matches!(opcode, 2 | 4 | 6..=8 | RESINFO | SAMPLEINFO) => SIMD4X2,
        1 if opcode != SAMPLE_KILLPIX => SIMD16,
        _ => SIMD8,
    };
    let most = match opcode {
        SAMPLEINFO => 0,
        RESINFO => 1,
        SAMPLE_KILLPIX => 3,
        LOD | 0 | 8 => 4,
        SAMPLE_D => 10,
        _ => 5,
    };
    let count = most - (bits >> 25 & 15) % most.max(1) / 2;
    let length = match mode {
        SIMD4X2 => count.div_ceil(4),
        SIMD8 => count,
        _ => 2 * count.min(5),
    };
    let response = [1, if opcode == SAMPLE_KILLPIX { 5 } else { 4 }, 8][mode as usize];
    Descriptor::new(length + header, response, header == 1, texture_control(mode, opcode, binding, binding))
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
    // No state uses the last DWords of the eight of a surface.
    let spare = |dword: u64| machine.memory.dword(SURFACES + 4 * dword);
    let mono_filter = MonoFilter { width: spare(6) & 7, height: spare(6) >> 3 & 7 };
    let chroma_keys = [6, 14, 22, 30].map(|dword| ChromaKey { low: spare(dword), high: spare(dword + 1) });
    (machine.mono_filter, machine.chroma_keys) = (mono_filter, chroma_keys);
    (0..).zip(machine.palettes.iter_mut().flatten()).for_each(|(n, entry)| *entry = 0x01_0203_u32.wrapping_mul(n));
    while let (Some(function), Some(descriptor)) = (dwords.next(), dwords.next()) {
        let is_texture = function >> 31 == 1;
        let binding = descriptor & 3;
        let descriptor = if is_texture { texture(descriptor, binding) } else { Descriptor(descriptor & 0x7fff_ffff) };
        let registers = 1..=descriptor.length().min(15);
        let mut payload: Vec<Register> =
            registers.map(|_| Register::of(std::array::from_fn(|_| dwords.next().unwrap_or(0)))).collect();
        if is_texture && function >> 30 & 1 == 1 {
            let (at, sampler_at) = (SURFACES + 32 * u64::from(binding), u64::from(SAMPLERS) + 16 * u64::from(binding));
            let surface = surface(machine.memory.dwords(at));
            machine.memory.set_dwords(sampler_at, &sampler(machine.memory.dwords(sampler_at), surface));
            machine.memory.set_dwords(at, &surface);
        }
        if is_texture && function >> 29 & 1 == 1 {
            // Coordinates within some repetitions of the map.
            for register in payload.iter_mut().skip(usize::from(descriptor.has_header())) {
                *register = Register::of(std::array::from_fn(|n| (register.dword(n) as i32 as f32 / 1e9).to_bits()));
            }
        }
        let mut kernel = KernelBuilder::new();
        for n in 0..payload.len() {
            kernel = kernel.mov(8, m(n), r(2 + n));
        }
        let send = Send {
            destination: Some(32),
            payload: 0,
            implied_move: None,
            function: if is_texture { 2 } else { function as u8 & 15 },
            descriptor: Source::Immediate(descriptor),
        };
        let Ok(kernel) = kernel.send_any(send).end(15).build() else { continue };
        let program = Program { kernel: &kernel, binding_table: 0, samplers: SAMPLERS, constants: &payload };
        let report = machine.run(&program, 1, |_| Register::default());
        assert_eq!(report.ended + report.hung.len(), 1);
    }
});
