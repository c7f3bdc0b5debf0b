//! All errors of messages (volume 4 part 1, table 1-1).
use crate::support::{DATA, RESPONSE, bind, machine, plane, run, send};
use dndi::gen6::eu::{
    Descriptor, KernelBuilder, Machine, MessageError, Operand, Program, ProgramError, Register, Send, SharedFunction, Source,
    buffer_state, data_port_control, data_port_opcode, m, r, sampler_control, sampler_opcode,
};
use dndi::gen6::state::SurfaceState;

const READ: u32 = data_port_control(data_port_opcode::MEDIA_BLOCK_READ, 0, 0);

fn header() -> Register {
    // Eight bytes, four lines.
    Register::of([0, 0, 3 << 16 | 7, 0, 0, 0, 0, 0])
}

fn surface() -> Machine {
    let machine = machine();
    bind(&machine, 0, &plane(0x140, DATA, 4, 16, 64));
    machine
}

fn sent(function: u8, destination: Option<usize>, descriptor: Source) -> KernelBuilder {
    KernelBuilder::new().send_any(Send { destination, payload: 1, implied_move: Some(0), function, descriptor })
}

#[test]
fn no_such_function() {
    for identifier in [8, 10, 15] {
        let waits = sent(identifier, Some(RESPONSE), Source::Immediate(Descriptor::new(1, 2, true, 0)));
        let kernel = waits.clone().mov(8, r(1), r(RESPONSE + 1)).end(2).build().unwrap();
        let outcome = run(&machine(), &kernel, &[]);
        assert_eq!(*outcome.error(), MessageError::SharedFunction { identifier });
        // The thread waits for a response that never comes.
        assert_eq!(outcome.report.hung, [(0, 1)]);
        let outcome = run(&machine(), &waits.end(2).build().unwrap(), &[]);
        assert_eq!((outcome.report.ended, outcome.report.hung.len()), (1, 0));
    }
}

#[test]
fn unknown_opcodes() {
    use SharedFunction::*;
    let unknown = [
        // A message that SIMD16 lacks, a reserved bit, a message that SIMD32 lacks.
        (Sampler, 2 << 16 | 12 << 12),
        (Sampler, sampler_control(sampler_opcode::DEINTERLACE, 0, 0) | 1 << 18),
        (Sampler, sampler_control(0b0101, 0, 0)),
        (RenderCache, data_port_control(0b1111, 0, 0)),
        (RenderCache, data_port_control(data_port_opcode::OWORD_BLOCK_READ, 7, 0)),
        (RenderCache, data_port_control(data_port_opcode::OWORD_DUAL_BLOCK_READ, 1, 0)),
        (RenderCache, data_port_control(data_port_opcode::DWORD_SCATTERED_READ, 0, 0)),
        (SamplerCache, data_port_control(data_port_opcode::UNALIGNED_OWORD_BLOCK_READ, 0, 0)),
        (ConstantCache, data_port_control(data_port_opcode::MEDIA_BLOCK_READ, 0, 0)),
        // Spawning.
        (ThreadSpawner, 1),
    ];
    for (function, control) in unknown {
        let outcome = send(&machine(), function, Descriptor::new(1, 1, true, control), &[Register::default()]);
        assert_eq!(*outcome.error(), MessageError::Opcode { function, control });
        let record = &outcome.report.errors[0];
        assert_eq!((record.thread, record.function, record.descriptor.response()), (0, function.identifier(), 1));
    }
}

#[test]
fn lengths() {
    let empty = run(&machine(), &sent(0, None, Source::Immediate(Descriptor::new(0, 0, false, 0))).end(2).build().unwrap(), &[]);
    assert_eq!(*empty.error(), MessageError::Length { found: 0, needed: 1 });
    let long = send(&surface(), SharedFunction::RenderCache, Descriptor::new(2, 1, true, READ), &[header(); 2]);
    assert_eq!(*long.error(), MessageError::Length { found: 2, needed: 1 });
    let write = data_port_control(data_port_opcode::MEDIA_BLOCK_WRITE, 0, 0);
    let short = send(&surface(), SharedFunction::RenderCache, Descriptor::new(1, 0, true, write), &[header()]);
    assert_eq!(*short.error(), MessageError::Length { found: 1, needed: 2 });
    let sampler = sampler_control(sampler_opcode::DEINTERLACE, 0, 0);
    let sampled = send(&surface(), SharedFunction::Sampler, Descriptor::new(1, 10, true, sampler), &[header()]);
    assert_eq!(*sampled.error(), MessageError::Length { found: 1, needed: 2 });
}

#[test]
fn payloads() {
    let read = |payload: Register, header: bool| {
        send(&surface(), SharedFunction::RenderCache, Descriptor::new(1, 1, header, READ), &[payload])
    };
    assert!(matches!(read(header(), false).error(), MessageError::Payload { .. }));
    // Nine bytes of 17 lines.
    assert!(matches!(read(Register::of([0, 0, 16 << 16 | 8, 0, 0, 0, 0, 0]), true).error(), MessageError::Payload { .. }));
    let outcome = read(Register::of([0, 0, 63 << 16 | 31, 0, 0, 0, 0, 0x1234]), true);
    assert!(matches!(outcome.error(), MessageError::Payload { .. }));
    // The record shows the first register.
    assert_eq!(outcome.report.errors[0].first.dword(7), 0x1234);
    assert!(outcome.report.errors[0].to_string().contains("EU 0, thread 0, function 5"));
}

#[test]
fn responses() {
    let read = |count: usize| {
        let descriptor = Descriptor::new(1, count as u32, true, READ);
        let machine = surface();
        machine.memory.write(u64::from(DATA), &[7; 512]);
        // Sixteen bytes, four lines: two registers.
        send(&machine, SharedFunction::RenderCache, descriptor, &[Register::of([0, 0, 3 << 16 | 15, 0, 0, 0, 0, 0])])
    };
    let short = read(1);
    assert_eq!(*short.error(), MessageError::ResponseTooShort { found: 1, needed: 2 });
    assert_eq!((short.response.clone(), short.report.ended), (vec![Register([7; 32])], 1));
    let long = read(3);
    assert_eq!(*long.error(), MessageError::ResponseTooLong { found: 3, needed: 2 });
    // The response is written; the thread waits for the third register.
    assert_eq!((long.response.len(), long.report.hung.len()), (2, 1));
    assert_eq!(read(2).registers().len(), 2);
}

#[test]
fn ends_with_a_destination() {
    let end = Descriptor::new(1, 1, false, 0).ending();
    let outcome = run(&machine(), &sent(0, Some(RESPONSE), Source::Immediate(end)).build().unwrap(), &[]);
    assert_eq!(*outcome.error(), MessageError::EndWithDestination);
    assert_eq!(outcome.report.hung, [(0, 1)]);
}

#[test]
fn ends_from_a_register() {
    let end = Register::of([Descriptor::new(1, 0, false, 0).ending().0; 8]);
    let kernel = sent(0, None, Source::Register(2));
    let outcome = run(&machine(), &kernel.clone().end(3).build().unwrap(), &[end]);
    assert_eq!((outcome.error(), outcome.report.ended), (&MessageError::EndFromRegister, 1));
    // The thread does not end there.
    let outcome = run(&machine(), &kernel.build().unwrap(), &[end]);
    assert_eq!((outcome.error(), outcome.report.hung.clone()), (&MessageError::EndFromRegister, vec![(0, 1)]));
}

#[test]
fn functions_that_cannot_end_a_thread() {
    use SharedFunction::*;
    for (function, control) in [(Sampler, 0), (SamplerCache, 0), (ConstantCache, 0), (RenderCache, READ), (ExtendedMath, 0)] {
        let end = Descriptor::new(1, 0, true, control).ending();
        let outcome = run(&surface(), &sent(function.identifier(), None, Source::Immediate(end)).build().unwrap(), &[]);
        assert_eq!(*outcome.error(), MessageError::EndAt { function });
        assert_eq!(outcome.report.hung.len(), 1);
    }
    // Functions that can.
    for function in [Null, ThreadSpawner] {
        let end = Descriptor::new(1, 0, false, 0).ending();
        let outcome = run(&machine(), &sent(function.identifier(), None, Source::Immediate(end)).build().unwrap(), &[]);
        assert_eq!((outcome.report.ended, outcome.report.errors.len()), (1, 0));
    }
    let scattered = machine();
    bind(&scattered, 0, &SurfaceState { render_cache_read_write_mode: 1, ..buffer_state(DATA, 8) });
    let end = Descriptor::new(3, 0, true, data_port_control(data_port_opcode::DWORD_SCATTERED_WRITE, 2, 0)).ending();
    let kernel = KernelBuilder::new().mov(8, m(1), Operand::Value(0)).mov(8, m(2), r(2)).mov(8, m(3), Operand::Value(9));
    let offsets = Register::of([0, 1, 2, 3, 4, 5, 6, 7]);
    let outcome = run(&scattered, &kernel.send(None, 1, RenderCache, end).build().unwrap(), &[offsets]);
    assert_eq!((outcome.report.ended, outcome.report.errors.len()), (1, 0));
    assert_eq!(scattered.memory.dwords(DATA.into()), [9; 8]);
    let write = data_port_control(data_port_opcode::MEDIA_BLOCK_WRITE, 0, 0);
    let machine = surface();
    let end = Descriptor::new(2, 0, true, write).ending();
    let kernel = KernelBuilder::new().mov(8, m(1), r(2)).mov(8, m(2), Operand::Value(0x0101_0101));
    let outcome = run(&machine, &kernel.send(None, 1, RenderCache, end).build().unwrap(), &[header()]);
    assert_eq!((outcome.report.ended, outcome.report.errors.len()), (1, 0));
    assert_eq!(machine.memory.dword(u64::from(DATA)), 0x0101_0101);
}

#[test]
fn destinations_that_overlap() {
    let read =
        |kernel: KernelBuilder, to: usize| kernel.send(to, 1, SharedFunction::RenderCache, Descriptor::new(1, 1, true, READ));
    let start = || KernelBuilder::new().mov(8, m(1), r(2));
    let outcome = run(&surface(), &read(read(start(), 40), 40).mov(8, r(1), r(40)).end(2).build().unwrap(), &[header()]);
    assert_eq!(*outcome.error(), MessageError::Overlap { register: 40 });
    assert_eq!(outcome.report.ended, 1);
    // No overlap once the first response is written.
    let waits = read(read(start(), 40).mov(8, r(40), r(40)), 40);
    assert_eq!(run(&surface(), &waits.end(2).build().unwrap(), &[header()]).report.errors, []);
}

#[test]
fn past_the_end_of_a_file() {
    let send = |payload: usize, to: usize, descriptor: Descriptor| {
        let kernel = KernelBuilder::new().send(to, payload, SharedFunction::RenderCache, descriptor).end(1).build().unwrap();
        run(&surface(), &kernel, &[])
    };
    assert_eq!(*send(15, 40, Descriptor::new(2, 1, true, READ)).error(), MessageError::PastTheEnd { first: 15, count: 2 });
    assert_eq!(*send(1, 126, Descriptor::new(1, 4, true, READ)).error(), MessageError::PastTheEnd { first: 126, count: 4 });
}

#[test]
fn surfaces_and_states() {
    let read = |state| {
        let machine = surface();
        bind(&machine, 0, &state);
        send(&machine, SharedFunction::RenderCache, Descriptor::new(1, 1, true, READ), &[header()])
    };
    let good = plane(0x140, DATA, 4, 16, 64);
    let refused = [
        SurfaceState { surface_type: 2, ..good },
        SurfaceState { surface_type: 4, ..good },
        SurfaceState { surface_base_address: DATA + 4, ..good },
        SurfaceState { surface_format: 0, ..good },
        SurfaceState { depth: 2, ..good },
        SurfaceState { x_offset: 4, ..good },
        SurfaceState { tiled_surface: 1, ..good },
    ];
    for state in refused {
        assert!(matches!(read(state).error(), MessageError::Surface { binding: 0, .. }), "{state:?}");
    }
    assert_eq!(read(good).registers().len(), 1);
    // A reserved type of surface.
    let machine = surface();
    machine.memory.set_dword(1024, 5 << 29);
    let outcome = send(&machine, SharedFunction::RenderCache, Descriptor::new(1, 1, true, READ), &[header()]);
    assert!(matches!(outcome.error(), MessageError::State { .. }));
}

/// After an error the next message is served.
#[test]
fn the_simulation_goes_on() {
    let bad = Descriptor::new(1, 0, true, data_port_control(0b1111, 0, 0));
    let kernel = KernelBuilder::new().mov(8, m(1), r(2)).send(None, 1, SharedFunction::RenderCache, bad);
    let good = kernel.send(40, 1, SharedFunction::RenderCache, Descriptor::new(1, 1, true, READ)).mov(8, r(1), r(40));
    let outcome = run(&surface(), &good.end(2).build().unwrap(), &[header()]);
    assert_eq!((outcome.report.errors.len(), outcome.response.len(), outcome.report.ended), (1, 1, 1));
}

/// A last message that never reaches its function ends no thread.
#[test]
fn last_messages_that_are_dropped() {
    let hangs = |payload: usize, function: u8, length: u32| {
        let descriptor = Source::Immediate(Descriptor::new(length, 0, false, 0).ending());
        let send = Send { destination: None, payload, implied_move: Some(0), function, descriptor };
        let outcome = run(&machine(), &KernelBuilder::new().send_any(send).build().unwrap(), &[]);
        assert_eq!((outcome.report.ended, &outcome.report.hung[..]), (0, &[(0, 1)][..]));
        outcome.error().clone()
    };
    for identifier in [8, 10, 15] {
        assert_eq!(hangs(1, identifier, 1), MessageError::SharedFunction { identifier });
    }
    assert_eq!(hangs(15, 0, 4), MessageError::PastTheEnd { first: 15, count: 4 });
}

/// Without a destination the response length must be 0.
#[test]
fn registers_without_a_destination() {
    let ending = Source::Immediate(Descriptor::new(1, 3, false, 0).ending());
    let outcome = run(&machine(), &sent(0, None, ending).build().unwrap(), &[]);
    assert_eq!((outcome.error(), outcome.report.ended), (&MessageError::NoDestination { found: 3 }, 1));
    let kernel = KernelBuilder::new().mov(8, m(1), r(2));
    let kernel = kernel.send(None, 1, SharedFunction::RenderCache, Descriptor::new(1, 1, true, READ)).end(2).build().unwrap();
    let outcome = run(&surface(), &kernel, &[header()]);
    assert_eq!((outcome.error(), outcome.report.ended), (&MessageError::NoDestination { found: 1 }, 1));
    assert!(outcome.error().to_string().contains("without a destination"));
}

#[test]
fn more_constants_than_registers() {
    let kernel = KernelBuilder::new().end(1).build().unwrap();
    for (found, ended) in [(126, 1), (127, 0)] {
        let report = run(&machine(), &kernel, &vec![Register::default(); found]).report;
        let refused = (ended == 0).then_some(ProgramError::Constants { found, max: Program::MAX_CONSTANTS });
        assert_eq!((report.ended, report.refused), (ended, refused));
    }
}
