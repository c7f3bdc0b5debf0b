//! Random descriptors, payloads, states and kernels: errors, never a panic, and the same outcome in
//! any order.
use crate::support::{DATA, Noise, SAMPLERS, bind, bind_media, machine, plane};
use dndi::gen6::eu::{
    Config, Descriptor, Instruction, KernelBuilder, Machine, Memory, Operand, Operation, Program, Region, Register, Report, Send,
    SharedFunction, Source, Type, assemble, buffer_state, media_format,
};
use dndi::gen6::state::{MediaSurfaceState, SurfaceState};
use dndi::{FilterTables, Parameters};

/// A machine with a surface of each kind, with valid states and states of random bits.
fn furnished(noise: &mut Noise) -> Machine {
    let mut machine = machine();
    machine.urb = Memory::new(1 << 12);
    machine.data_cache_port = true;
    let data: Vec<u32> = (0..1 << 14).map(|_| noise.next()).collect();
    machine.memory.set_dwords(DATA.into(), &data);
    let media = |surface_format, width, height| MediaSurfaceState {
        surface_format,
        surface_base_address: DATA,
        width,
        height,
        surface_pitch: 128,
        interleave_chroma: 1,
        y_offset_for_cb: height,
        ..MediaSurfaceState::default()
    };
    for (entry, state) in [
        (0, media(media_format::PLANAR_420_8, 40, 24)),
        (1, media(media_format::PLANAR_420_8, 40, 24)),
        (2, media(media_format::Y8_UNORM, 40, 24)),
        (3, media(media_format::STMM_DN_STATISTICS, 64, 24)),
        (4, media(media_format::YCRCB_SWAPY, 33, 7)),
        (5, media(media_format::R8_UNORM, 1, 1)),
    ] {
        bind_media(&machine, entry, &state);
    }
    bind(&machine, 6, &plane(0x140, DATA, 10, 24, 128));
    bind(&machine, 7, &plane(0x182, DATA, 10, 24, 128));
    bind(&machine, 8, &SurfaceState { render_cache_read_write_mode: 1, ..buffer_state(DATA, 100) });
    bind(&machine, 9, &plane(0x0c7, DATA, 10, 24, 128));
    bind(&machine, 10, &SurfaceState { surface_format: 0x1ff, surface_pitch: 4, ..buffer_state(DATA, 100) });
    for entry in 11..16 {
        let dwords: Vec<u32> = (0..6).map(|_| noise.next() & noise.next()).collect();
        machine.memory.set_dwords(1024 + 32 * entry, &dwords);
    }
    let mut parameters = Parameters::default();
    parameters.deinterlace.stmm_c2 = 1 + noise.below(8) as u8;
    let state = parameters.deinterlace_state(&Default::default()).unwrap();
    machine.memory.set_dwords(SAMPLERS.into(), &state);
    let mut sampler = parameters.sampler_state(None).unwrap();
    sampler[1] = 8192;
    machine.memory.set_dwords(u64::from(SAMPLERS) + 64, &sampler);
    machine.memory.set_dwords(8192, &parameters.scaler_state(&FilterTables::new((2, 2), (3, 3))).unwrap());
    machine.memory.set_dwords(u64::from(SAMPLERS) + 16 * 8, &[1 << 17 | 1 << 14, 2 << 6, 0, 1 << 25]);
    for element in 9..16 {
        let dwords: Vec<u32> = (0..4).map(|_| noise.next()).collect();
        machine.memory.set_dwords(u64::from(SAMPLERS) + 16 * element, &dwords);
    }
    machine
}

/// A descriptor that is often nearly valid.
fn descriptor(noise: &mut Noise) -> (u8, Descriptor) {
    let any = noise.below(16) as u8;
    let function = [0, 1, 2, 2, 2, 3, 4, 5, 5, 5, 5, 6, 7, 9, 10, 10, any][noise.below(17) as usize];
    if noise.below(8) == 0 {
        return (function, Descriptor(noise.next() & 0x7fff_ffff));
    }
    let (control, length, usual) = match function {
        1 => return (1, Descriptor::new([1, 2, 2, 4][noise.below(4) as usize], noise.below(5), false, noise.below(32))),
        3 => return (3, Descriptor::new(1, noise.below(2), false, noise.below(3) | noise.below(2) << 14)),
        6 => {
            let control = noise.below(6) | noise.below(140) << 3 | noise.below(2) << 14 | (noise.below(4) / 3) << 16;
            return (6, Descriptor::new(1 + noise.below(3), noise.below(3), true, control));
        }
        10 => {
            let kinds = [4, 5, 6, 7, 12, 13, noise.below(16)];
            let specific = noise.below(64) & [63, 0x3f, 0x21][noise.below(3) as usize];
            let scratch = if noise.below(5) == 0 { 1 << 18 | noise.below(1 << 12) } else { 0 };
            (kinds[noise.below(7) as usize] << 14 | specific << 8 | scratch, 1 + noise.below(4), 8 + 2 * noise.below(2))
        }
        2 => {
            let kinds = [(0b1000, 0), (0b0011, 4), (0b1011, 4), (0b0000, 8), (0b1010, 8), (noise.below(16), noise.below(16))];
            let (opcode, sampler) = kinds[noise.below(6) as usize];
            (3 << 16 | opcode << 12 | sampler << 8, 2, noise.below(10))
        }
        4 | 5 | 9 => {
            let opcode = [0, 2, 4, 5, 6, 8, 9, 10, 11, 1, 3, 7, 12, 13, 14, noise.below(16)][noise.below(16) as usize];
            let length = match opcode {
                7 => 3,
                12 => 6,
                14 => 5,
                _ => [1, 1, 1, 1, 2, 3][noise.below(6) as usize],
            };
            let (specific, usual) = match opcode {
                4 | 10 => (0, 6),
                1 | 14 => (0, 9),
                12 => (4, 9),
                13 => (0, 10),
                _ => (2, 8),
            };
            let specific = [specific, specific, 3, noise.below(32)][noise.below(4) as usize];
            (opcode << 13 | specific << 8 | (noise.below(4) / 3) << 17, length, usual)
        }
        _ => (noise.below(1 << 18), 1, noise.below(10)),
    };
    let binding = if noise.below(3) == 0 { noise.below(16) * noise.below(17) } else { usual };
    let length = if noise.below(8) == 0 { 1 + noise.below(5) } else { length };
    let descriptor = Descriptor::new(length, noise.below(17), noise.below(8) > 0, control | binding);
    (function, descriptor)
}

/// A register: a header, integer addresses, float addresses, or random bits.
fn payload(noise: &mut Noise) -> Register {
    let mut register = noise.register();
    match noise.below(4) {
        0 => {
            register.set_dword(0, noise.below(60).wrapping_sub(10) & !3);
            register.set_dword(1, noise.below(40).wrapping_sub(8));
            register.set_dword(2, noise.below(9) << 16 | (noise.below(32) | 3));
            register.set_dword(3, noise.next());
        }
        1 => {
            register.set_dword(2, 16 * noise.below(4));
            register.set_dword(6, 4 * noise.below(7));
        }
        2 => {
            for dword in 0..8 {
                // Positions all over a surface, distances of a few texels.
                let range = [0.05, 0.001, 1.2, 1.0, 1.0, 0.05, 1.2, 1.0][dword];
                register.set_dword(dword, (noise.below(2000) as f32 / 2000.0 * range).to_bits());
            }
        }
        _ => {}
    }
    register
}

fn region(noise: &mut Noise, registers: u32) -> Region {
    let kind = [Type::Ub, Type::Uw, Type::Ud, Type::D, Type::F][noise.below(5) as usize];
    let (register, byte) = (noise.below(registers + 1) as usize, noise.below(32) as usize / kind.size() * kind.size());
    Region { register, byte, stride: noise.below(4) as usize, kind }
}

fn instruction(noise: &mut Noise, kernel: KernelBuilder) -> KernelBuilder {
    let kernel = if noise.below(6) == 0 { kernel.masked(noise.next() as u16) } else { kernel };
    if noise.below(3) == 0 {
        let (function, descriptor) = descriptor(noise);
        let descriptor = match noise.below(30) {
            0 => Source::Register(noise.below(20) as usize),
            1 => Source::Immediate(descriptor.ending()),
            _ => Source::Immediate(descriptor),
        };
        let destination = if noise.below(4) > 0 { Some(noise.below(128) as usize) } else { None };
        let implied_move = if noise.below(3) == 0 { Some(noise.below(20) as usize) } else { None };
        return kernel.send_any(Send { destination, payload: noise.below(16) as usize, implied_move, function, descriptor });
    }
    let to = if noise.below(3) == 0 { Operand::Grf(region(noise, 128)) } else { Operand::Mrf(region(noise, 15)) };
    let mut from = || match noise.below(5) {
        0 => Operand::Value(noise.next().into()),
        1 => Operand::Float(f32::from_bits(noise.next())),
        _ => Operand::Grf(region(noise, 24)),
    };
    let sources = [from(), from()];
    let operation = [Operation::Mov, Operation::Mov, Operation::Add, Operation::Mul, Operation::Shr][noise.below(5) as usize];
    kernel.compute(operation, 1 << noise.below(5), to, sources)
}

fn run(seed: u64, config: Config) -> (Report, usize) {
    let noise = &mut Noise(seed);
    let mut machine = furnished(noise);
    machine.config = config;
    let constants: Vec<Register> = (0..16).map(|_| payload(noise)).collect();
    let mut kernel = KernelBuilder::new();
    let mut refused = 0;
    for _ in 0..40 {
        let longer = instruction(noise, kernel.clone());
        match longer.clone().build() {
            Ok(_) => kernel = longer,
            Err(_) => refused += 1,
        }
    }
    let kernel = kernel.end(15).build().unwrap();
    let program = Program { kernel: &kernel, binding_table: 0, samplers: SAMPLERS, constants: &constants };
    let report = machine.run(&program, 3, |n| Register::of([n as u32; 8]));
    assert_eq!(report.ended + report.hung.len(), 3);
    (report, refused)
}

#[test]
fn random_kernels() {
    let (mut errors, mut ended, mut refused) = (0, 0, 0);
    for seed in 0..300 {
        let order = (seed % 3 > 0).then_some(seed);
        let (report, wrong) = run(seed, Config { seed: order, eus: 1 + seed as u32 % 3, threads: 1 + seed as u32 % 4 });
        errors += report.errors.len();
        ended += report.ended;
        refused += wrong;
    }
    // Errors, ends, hung threads and refused instructions all occur.
    assert!(errors > 300 && ended > 20 && ended < 880 && refused > 100, "{errors} {ended} {refused}");
}

/// Many single messages.
#[test]
fn random_messages() {
    let noise = &mut Noise(4711);
    let machine = furnished(noise);
    let mut served = std::collections::HashMap::<(u8, bool), u32>::new();
    for _ in 0..6000 {
        let (function, descriptor) = descriptor(noise);
        let registers: Vec<Register> = (0..descriptor.length()).map(|_| payload(noise)).collect();
        let mut kernel = KernelBuilder::new().masked(noise.next() as u16 | 1);
        for n in 0..descriptor.length() {
            kernel = kernel.masked(0xffff).mov(8, dndi::gen6::eu::m(n), dndi::gen6::eu::r(2 + n));
        }
        let send =
            Send { destination: Some(32), payload: 0, implied_move: None, function, descriptor: Source::Immediate(descriptor) };
        let kernel = kernel.masked(noise.next() as u16).send_any(send).end(15).build().unwrap();
        let program = Program { kernel: &kernel, binding_table: 0, samplers: SAMPLERS, constants: &registers };
        let report = machine.run(&program, 1, |_| Register::default());
        assert_eq!(report.ended, 1);
        let good = report.errors.iter().all(|record| record.error.is_served());
        *served.entry((function, good)).or_default() += 1;
        report.errors.iter().for_each(|record| assert!(!record.to_string().is_empty()));
    }
    for function in [0, 1, 2, 3, 4, 5, 6, 7, 9, 10] {
        let count = |good| served.get(&(function, good)).copied().unwrap_or(0);
        assert!(count(true) > 10 && (function == 0 || count(false) > 10), "function {function}: {served:?}");
    }
    assert!(SharedFunction::from_identifier(2) == Some(SharedFunction::Sampler));
}

#[test]
fn random_text() {
    let words = [
        "mov",
        "send",
        "add",
        "mul",
        "shr",
        "(8)",
        "(16)",
        "(",
        "r1",
        "m2",
        "r12.1<2>:ub",
        "m0.31:ub",
        "r127.7",
        "null",
        "0x01110001",
        "-5",
        "5:0x02094000",
        "2:r9",
        "<desc>",
        "//",
        ";",
        "...",
        "\n",
        "\n",
        ",",
        "r",
        "<",
        ":",
        "é",
        "r99999999999999999999",
    ];
    let (noise, mut good) = (&mut Noise(31), 0);
    for _ in 0..4000 {
        let text: Vec<&str> = (0..noise.below(24)).map(|_| words[noise.below(words.len() as u32) as usize]).collect();
        good += usize::from(assemble(&text.join(" "), &[("desc", SharedFunction::Null, Descriptor(0))]).is_ok());
    }
    assert!(good > 0);
    let kernel = assemble("mov r1 r2", &[]).unwrap();
    assert!(matches!(kernel.instructions(), [Instruction::Compute { .. }]));
}
