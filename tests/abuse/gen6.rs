//! The hardware model: memory, surfaces, registers, kernels, machines and state structures.
use crate::{LONG, SIZES, VALUES, WORDS, pairs};
use dndi::gen6::eu::*;
use dndi::gen6::reference::{ReferenceField, ReferenceStructure, ReferenceValue};
use dndi::gen6::state::*;
use dndi::{CompensationParameters, FilterTables, Parameters, Scan, Stream};

#[test]
fn memory_at_any_address() {
    for size in [0, 1, 64] {
        let memory = Memory::new(size);
        for address in LONG {
            for length in [0, 1, 3, 4, 9, 80] {
                let mut bytes = vec![9; length];
                memory.write(address, &bytes);
                memory.read(address, &mut bytes);
                let inside = |i: usize| address.checked_add(i as u64).is_some_and(|at| at < memory.size());
                assert!(bytes.iter().enumerate().all(|(i, &byte)| byte == if inside(i) { 9 } else { 0 }), "{address} {length}");
            }
            memory.set_dword(address, 7);
            memory.set_dwords(address, &[7; 5]);
            let expected = if address < memory.size() { 7 } else { 0 };
            assert_eq!((memory.dword(address), memory.dwords::<4>(address)[0]), (expected, expected));
        }
    }
}

#[test]
fn allocations_beyond_the_addresses_are_refused() {
    for (bytes, align) in LONG.into_iter().flat_map(|bytes| WORDS.map(|align| (bytes, align))) {
        let mut memory = Memory::new(0);
        if bytes <= 1 << 16 {
            assert_eq!(memory.allocate(bytes, align), Some(0));
        } else if bytes > 1 << 32 {
            assert_eq!(memory.allocate(bytes, align), None);
        }
        let used = memory.size();
        assert_eq!(memory.allocate(u64::MAX, align), None);
        assert_eq!(memory.size(), used);
        assert!(memory.allocate(1, align.min(1 << 16)).is_some());
    }
}

#[test]
fn layouts_of_any_pitch() {
    let memory = Memory::new(4096);
    for tiling in WORDS.into_iter().flat_map(|tiled| WORDS.map(|walk| Tiling::from_state(tiled, walk))) {
        for pitch in SIZES {
            let layout = Layout { base: u32::MAX, pitch, tiling };
            for (x, y) in pairs(&SIZES) {
                let address = layout.address(x, y);
                assert!(address >= u64::from(u32::MAX));
                let mut bytes = [9; 40];
                layout.write(&memory, x, y, &bytes);
                layout.read(&memory, x, y, &mut bytes);
                assert_eq!(bytes, [0; 40]);
            }
        }
    }
}

#[test]
fn bits_of_any_range() {
    let register = Register::of([u32::MAX; 8]);
    let descriptor = Descriptor(u32::MAX);
    for (high, low) in pairs(&WORDS) {
        let count = high.min(31).checked_sub(low).map_or(0, |above| above + 1);
        assert_eq!(descriptor.bits(high, low).count_ones(), count, "{high}:{low}");
        for index in SIZES {
            assert_eq!(register.bits(index, high, low).count_ones(), if index < 8 { count } else { 0 });
        }
    }
    for index in SIZES {
        let mut register = register;
        register.set_dword(index, 1);
        assert_eq!(register.dword(index), u32::from(index < 8));
        assert_eq!(register.float(index).to_bits(), u32::from(index < 8));
    }
    for (length, response) in pairs(&WORDS) {
        let descriptor = Descriptor::new(length, response, true, u32::MAX);
        assert_eq!((descriptor.length(), descriptor.response()), (length as usize & 15, response as usize & 31));
        let _ = (data_port_control(length, response, length), sampler_control(length, response, length));
        let _ = texture_control(length, response, length, response);
    }
    assert_eq!((0..=u8::MAX).filter_map(SharedFunction::from_identifier).count(), 10);
    for (base, elements) in pairs(&WORDS) {
        assert!(buffer_state(base, elements).encode().is_ok(), "{base} {elements}");
    }
}

#[test]
fn operands_outside_the_registers_are_errors() {
    let operands = |number: usize| {
        let types = [Type::Ub, Type::Uw, Type::Ud, Type::D, Type::F];
        let registers = [r(number), m(number)];
        let at = registers.into_iter().flat_map(move |operand| types.map(|kind| operand.at(number, kind)));
        let every = registers.into_iter().map(move |operand| operand.every(number));
        registers.into_iter().chain(at).chain(every).collect::<Vec<_>>()
    };
    for number in SIZES.into_iter().filter(|&number| number >= 128) {
        for operand in operands(number) {
            for size in SIZES {
                assert!(KernelBuilder::new().mov(size, operand, r(1)).build().is_err());
                assert!(KernelBuilder::new().mov(size, r(1), operand).build().is_err());
                assert!(KernelBuilder::new().add(size, r(1), r(1), operand).build().is_err());
                assert!(KernelBuilder::new().mul(size, r(1), operand, operand).build().is_err());
                assert!(KernelBuilder::new().shr(size, operand, operand, operand).build().is_err());
                assert!(KernelBuilder::new().compute(Operation::Mov, size, r(1), [r(1), operand]).build().is_err());
            }
        }
        for size in SIZES.into_iter().filter(|size| ![1, 2, 4, 8, 16].contains(size)) {
            assert!(KernelBuilder::new().mov(size, r(1), r(2)).build().is_err());
        }
        assert!(KernelBuilder::new().end(number).build().is_err());
        let descriptor = Descriptor(u32::MAX);
        assert!(KernelBuilder::new().send(number, 1, SharedFunction::Null, descriptor).build().is_err());
        assert!(KernelBuilder::new().send(1, number, SharedFunction::Null, descriptor).build().is_err());
        let send =
            Send { destination: None, payload: 1, implied_move: None, function: 0, descriptor: Source::Immediate(descriptor) };
        for wrong in [
            Send { implied_move: Some(number), ..send },
            Send { descriptor: Source::Register(number), ..send },
            Send { function: u8::MAX, ..send },
        ] {
            assert!(KernelBuilder::new().masked(u16::MAX).send_any(wrong).build().is_err());
        }
        let region = Region { register: number, byte: number, stride: number, kind: Type::F };
        assert!(KernelBuilder::new().mov(16, Operand::Grf(region), Operand::Value(i64::MIN)).build().is_err());
        for text in [
            format!("mov r{number} r1"),
            format!("mov ({number}) r1 r1"),
            format!("mov r1.{number}<{number}>:f r2"),
            format!("send r1 m{number} {number}"),
        ] {
            assert!(assemble(&text, &[]).is_err(), "{text}");
        }
    }
}

#[test]
fn arithmetic_of_any_values() {
    let mut machine = Machine::new(None).unwrap();
    machine.config.eus = 1;
    for (a, b) in pairs(&VALUES) {
        for kind in [Type::Ub, Type::Uw, Type::Ud, Type::D, Type::F] {
            let mut kernel = KernelBuilder::new();
            for operation in [Operation::Mov, Operation::Add, Operation::Mul, Operation::Shr] {
                kernel = kernel.compute(operation, 8, r(9).at(0, kind), [Operand::Value(a), Operand::Value(b)]);
                kernel = kernel.compute(operation, 8, r(9).at(0, kind), [Operand::Float(a as f32), Operand::Float(f32::NAN)]);
            }
            let kernel = kernel.end(15).build().unwrap();
            let program = Program { kernel: &kernel, binding_table: 0, samplers: 0, constants: &[] };
            assert!(machine.run(&program, 1, |_| Register::default()).is_clean());
        }
    }
}

#[test]
fn machines_of_any_number_of_threads() {
    let kernel = KernelBuilder::new().end(15).build().unwrap();
    let program = Program { kernel: &kernel, binding_table: u32::MAX, samplers: u32::MAX, constants: &[] };
    let mut machine = Machine::new(None).unwrap();
    for (eus, threads) in pairs(&WORDS) {
        for seed in [None, Some(0), Some(u64::MAX)] {
            machine.config = Config { eus, threads, seed };
            let report = machine.run(&program, 3, |_| Register::default());
            assert_eq!((report.ended, report.is_clean()), (3, true), "{eus} {threads}");
            assert_eq!(machine.run_traced(&program, 3, |_| Register::default(), |_| {}).ended, 3);
        }
    }
    for threads in SIZES.into_iter().filter(|&threads| threads > u32::MAX as usize) {
        let refused = Some(ProgramError::Threads { found: threads });
        assert_eq!(machine.run(&program, threads, |_| Register::default()).refused, refused);
        assert_eq!(machine.run_traced(&program, threads, |_| Register::default(), |_| {}).refused, refused);
    }
    let constants = vec![Register::default(); Program::MAX_CONSTANTS + 1];
    let report = machine.run(&Program { constants: &constants, ..program }, 1, |_| Register::default());
    assert!(matches!(report.refused, Some(ProgramError::Constants { .. })));
}

/// All messages with descriptors, bases and payloads of ones.
#[test]
fn messages_of_absurd_numbers() {
    let mut machine = Machine::new(None).unwrap();
    machine.memory = Memory::new(1 << 16);
    machine.urb = Memory::new(1 << 8);
    machine.data_cache_port = true;
    machine.chroma_keys = [ChromaKey { low: 0, high: u32::MAX }; 4];
    for fill in [0, 0x3f80_0000, u32::MAX] {
        machine.memory.set_dwords(0, &vec![fill; 1 << 14]);
        machine.palettes = [[fill; 256]; 2];
        machine.mono_filter = MonoFilter { width: fill, height: fill };
        for base in WORDS {
            machine.bases = Bases { general_state: base, surface_state: base, dynamic_state: base };
            for (function, control) in
                (0..16).flat_map(|function| (0..64).map(move |n| (function, (n << 13) | ((n % 7) << 8) | ((n * 4) & 0xff))))
            {
                let descriptor = Source::Immediate(Descriptor::new(2 + control % 5, 9, true, control));
                let send = Send { destination: Some(40), payload: 1, implied_move: Some(1), function, descriptor };
                let Ok(kernel) = KernelBuilder::new().mov(8, m(2), Operand::Value(fill.into())).send_any(send).end(15).build()
                else {
                    panic!("a kernel");
                };
                let program = Program { kernel: &kernel, binding_table: base, samplers: base, constants: &[] };
                let report = machine.run(&program, 1, |_| Register::of([fill; 8]));
                assert!(report.ended + report.hung.len() == 1);
                report.errors.iter().for_each(|error| assert!(!error.to_string().is_empty()));
            }
        }
    }
    machine.counters.clear();
}

/// A `deinterlace` message of a machine whose motion compensation has values outside their ranges.
#[test]
fn compensation_outside_its_range_is_an_error_of_the_message() {
    let mut machine = Machine::new(None).unwrap();
    machine.memory = Memory::new(1 << 12);
    let state = Parameters::default().deinterlace_state(&DeinterlaceControl { di_enable: true, ..Default::default() }).unwrap();
    machine.memory.set_dwords(0, &state);
    let control = sampler_control(sampler_opcode::DEINTERLACE, 0, 0);
    let kernel =
        KernelBuilder::new().send(40, 1, SharedFunction::Sampler, Descriptor::new(2, 11, true, control)).end(15).build().unwrap();
    let program = Program { kernel: &kernel, binding_table: 0, samplers: 0, constants: &[] };
    let error = |machine: &Machine| machine.run(&program, 1, |_| Register::default()).errors.remove(0).error;
    // The surfaces are missing.
    assert!(!matches!(error(&machine), MessageError::State(StateError::Parameter(_))));
    for change in [
        |p: &mut CompensationParameters| p.cat_slope = 0,
        |p: &mut CompensationParameters| p.smooth_mv_th = u8::MAX,
        |p: &mut CompensationParameters| p.sad_thb = u8::MAX,
    ] {
        machine.compensation = CompensationParameters::default();
        change(&mut machine.compensation);
        assert!(matches!(error(&machine), MessageError::State(StateError::Parameter(_))), "{:?}", error(&machine));
    }
}

#[test]
fn fields_of_any_place_and_value() {
    for structure in Structure::all() {
        for field in structure.named_fields() {
            let mut dwords = structure.defaults();
            for value in VALUES {
                let before = dwords.clone();
                match field.set(&mut dwords, value) {
                    Ok(()) => assert!(field.allows(value) && field.get(&dwords) == Ok(value)),
                    Err(_) => assert!(!field.allows(value) && dwords == before),
                }
            }
            assert_eq!(field.bits(&[]), 0);
            let _ = (field.value(&[]), field.get(&[]));
            let missing = field.set(&mut [], field.default);
            assert!(matches!(missing, Err(StateError::Count { count: 0, .. })), "{}", field.name);
        }
        for dwords in [vec![], vec![u32::MAX; structure.dwords], vec![0; structure.dwords + 1]] {
            let _ = (structure.check(&dwords, true), structure.check(&dwords, false));
        }
    }
    let known = Structure::all().next().and_then(|structure| structure.named_fields().next()).unwrap();
    for (high, low) in pairs(&WORDS) {
        for format in
            WORDS.into_iter().flat_map(|n| [Format::Unsigned(n, n), Format::Signed(n, n), Format::Aligned(n), Format::Reserved])
        {
            for bias in VALUES {
                let mut field = *known;
                (field.high, field.low, field.format, field.bias) = (high, low, format, bias);
                (field.min, field.max, field.extra_fraction_bits) = (i64::MIN, i64::MAX, high);
                assert!((1..=32).contains(&field.width()) && field.step() > 0);
                for dword in [0, 1, usize::MAX] {
                    field.dword = dword;
                    let _ = (field.mask(), field.bits(&[u32::MAX]), field.value(&[u32::MAX]), field.get(&[u32::MAX]));
                    let _ = field.set(&mut [0], i64::MIN);
                }
            }
        }
    }
}

#[test]
fn capture_states_of_any_dwords() {
    for word in WORDS {
        let mut parameters = Parameters::default();
        parameters.set_vebox_capture_state(&[word; 7]);
        assert_eq!(parameters.check(false), Ok(()));
    }
}

#[test]
fn structures_of_any_dwords() {
    for word in WORDS {
        let mut parameters = Parameters::default();
        let before = parameters.clone();
        let results = [
            parameters.clone().set_color_state(&[word; COLOR_DWORDS]),
            parameters.clone().set_scaler_state(&[word; SCALER_DWORDS]),
            parameters.clone().set_deinterlace_state(&[word; DEINTERLACE_DWORDS]).map(drop),
            parameters.clone().set_sampler_state(&[word; SAMPLER_DWORDS]).map(drop),
            parameters.clone().set_vebox_dndi_state(&[word; VEBOX_DNDI_DWORDS]).map(drop),
            parameters.clone().set_vebox_iecp_state(&[word; VEBOX_IECP_DWORDS]),
        ];
        results.into_iter().filter_map(Result::err).for_each(|error| assert!(!error.to_string().is_empty()));
        let mut state = [word; VEBOX_DNDI_DWORDS];
        parameters.update_vebox_dndi_state(&VeboxControl::default(), &mut state).unwrap();
        let mut state = [word; VEBOX_IECP_DWORDS];
        parameters.update_vebox_iecp_state(&mut state).unwrap();
        let control = SampleControl::decode(&[word; SAMPLER_DWORDS]);
        assert!(control.chroma_key.is_none_or(|key| key < 4));
        for control in [SampleControl { scaler_state: word, ..control }, SampleControl { chroma_key: Some(word), ..control }] {
            let wrong = control.scaler_state % 32 != 0 || control.chroma_key.is_some_and(|key| key > 3);
            assert_eq!(control.encode(&mut [0; SAMPLER_DWORDS]).is_err(), wrong, "{control:?}");
        }
        let _ = (SurfaceState::decode(&[word; 6]), MediaSurfaceState::decode(&[word; 6]));
        let entry = BindingTableState { surface_state_pointer: word };
        assert_eq!(entry.encode().is_ok(), word % 32 == 0);
        assert!(BindingTableState::decode(&[word]).is_ok());
        let surface = SurfaceState { width: word, height: word, depth: word, surface_pitch: word, ..SurfaceState::default() };
        assert_eq!(surface.encode().is_ok(), (1..=2048).contains(&word));
        let surface =
            MediaSurfaceState { width: word, height: word, surface_pitch: word, x_offset_for_cb: word, ..Default::default() };
        assert_eq!(surface.encode().is_ok(), (1..=8191).contains(&word));
        // Values that no field holds.
        parameters.color.contrast = u16::MAX;
        parameters.denoise.history_delta = u8::MAX;
        parameters.scaler.transition_4 = u8::MAX;
        assert!(parameters.color_state().is_err() && parameters.vebox_iecp_state().is_err());
        assert!(parameters.deinterlace_state(&DeinterlaceControl::default()).is_err());
        assert!(parameters.vebox_dndi_state(&VeboxControl::default()).is_err());
        assert!(parameters.scaler_state(&FilterTables::new((0, usize::MAX), (usize::MAX, 0))).is_err());
        assert_ne!(parameters, before);
    }
}

#[test]
fn errors_of_any_numbers_are_printed() {
    for (value, step) in pairs(&VALUES) {
        for extra_fraction_bits in WORDS {
            let error = StateError::Range { name: "x", value, min: step, max: value, step, extra_fraction_bits };
            assert!(!error.to_string().is_empty());
        }
    }
    for found in SIZES {
        assert!(!ProgramError::Threads { found }.to_string().is_empty());
    }
}

#[test]
fn drivers_of_formats_outside_the_range_are_errors() {
    for (width, height) in pairs(&SIZES) {
        let format = dndi::Format::new(width, height, dndi::Sampling::C420);
        let builder = Stream::builder(format, Scan::TopFirst);
        if builder.check().is_err() {
            assert!(Driver::check(&builder).is_err() && Driver::new(builder, Some(u64::MAX)).is_err());
        }
    }
}

/// Fields of the reference in DWords of any number, with values of any size.
#[test]
fn structures_of_the_reference() {
    let numbers = VALUES.iter().map(|&value| value.into()).chain([i128::MIN, i128::MAX]).map(ReferenceValue::Number);
    let values: Vec<_> = numbers.chain([vec![], vec![u32::MAX; 3], vec![u32::MAX; 40]].map(ReferenceValue::Bits)).collect();
    for structure in ReferenceStructure::all() {
        let fields: Vec<ReferenceField> = structure.fields();
        assert!(fields.iter().all(|field| field.bit + field.width as usize <= structure.bits()));
        for dwords in [vec![], vec![u32::MAX; structure.dwords()], vec![0; structure.dwords() + 1]] {
            let count = dwords.len();
            assert_eq!(structure.check(&dwords, false).is_ok(), count == structure.dwords());
            let _ = (structure.check(&dwords, true), structure.reserved_bits(&dwords));
            for field in fields.iter().take(40) {
                let _ = (field.bits(&dwords), field.named_value(&dwords));
                for value in values.iter().chain([&field.value(&dwords)]) {
                    let mut copy = dwords.clone();
                    match field.set(&mut copy, value) {
                        Ok(()) => assert_eq!(copy.len(), count),
                        Err(_) => assert_eq!(copy, dwords),
                    }
                }
            }
        }
        assert!(structure.set(&mut [], "reserved", "0").is_err());
    }
    assert!(ReferenceStructure::named("").is_err());
}
