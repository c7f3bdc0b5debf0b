//! All errors of extended math, of the further messages of the data ports, of the unified return
//! buffer, the gateway and the data cache port (§11).
use crate::support::{DATA, bind, machine, plane, run, send};
use SharedFunction::{DataCache, ExtendedMath, Gateway, RenderCache, SamplerCache, Urb};
use dndi::gen6::eu::{
    Descriptor, KernelBuilder, Machine, MessageError, Operand, Register, SharedFunction, buffer_state, data_port_control,
    data_port_opcode::*, m,
};
use dndi::gen6::state::SurfaceState;

/// A machine with the data cache port, and this surface at entry 0.
fn with(state: SurfaceState) -> Machine {
    let mut machine = machine();
    machine.data_cache_port = true;
    bind(&machine, 0, &state);
    machine
}

/// The error of a message of `length` registers, all of them `register`.
fn error(
    machine: &Machine,
    function: SharedFunction,
    length: u32,
    header: bool,
    control: u32,
    register: Register,
) -> MessageError {
    let descriptor = Descriptor::new(length, 0, header, control);
    send(machine, function, descriptor, &vec![register; length as usize]).error().clone()
}

fn zeros() -> Register {
    Register::default()
}

/// A buffer of 16 bytes an element.
fn buffer() -> SurfaceState {
    buffer_state(DATA, 8)
}

/// A buffer of bytes without a format.
fn raw() -> SurfaceState {
    SurfaceState { surface_format: 0x1ff, surface_pitch: 1, ..buffer_state(DATA, 64) }
}

#[test]
fn opcodes() {
    let machine = with(raw());
    let math = [0, 8, 14, 15, 1 | 1 << 4, 1 | 1 << 5, 1 | 1 << 16, 9 | 1 << 18].map(|control| (ExtendedMath, control));
    let gateway = (2..8).map(|control| (Gateway, control));
    let urb = [6, 7].map(|control| (Urb, control));
    // Typed surfaces, an operation of 8 bytes.
    let cache = [0, 1, 2, 3, 8, 9, 10, 11, 14, 15].map(|code| (DataCache, code << 14));
    let of_eight_bytes = (DataCache, 6 << 14 | 1 << 12);
    let targets = [6, 7].map(|code| (RenderCache, data_port_control(RENDER_TARGET_WRITE, code, 0)));
    let all = math.into_iter().chain(gateway).chain(urb).chain(cache).chain([of_eight_bytes]);
    for (function, control) in all {
        let header = function != ExtendedMath && function != Gateway;
        let found = error(&machine, function, 1, header, control, zeros());
        assert_eq!(found, MessageError::Opcode { function, control });
        assert!(found.to_string().contains("the documents describe no message"), "{found}");
    }
    for (function, control) in targets {
        assert_eq!(error(&machine, function, 6, true, control, zeros()), MessageError::Opcode { function, control });
    }
    let with_header = error(&machine, ExtendedMath, 1, true, 1, zeros());
    assert_eq!(with_header, MessageError::Opcode { function: ExtendedMath, control: 1 });
    // The sampler cache has no writes, the constant cache no filter data.
    let unknown = data_port_control(AVC_LOOP_FILTER_READ, 0, 0);
    let found = error(&machine, SharedFunction::ConstantCache, 1, true, unknown, zeros());
    assert!(matches!(found, MessageError::Opcode { .. }));
}

#[test]
fn lengths() {
    let machine = with(raw());
    bind(&machine, 1, &buffer());
    bind(&machine, 2, &plane(0x0c7, DATA, 8, 4, 32));
    let port = |opcode, specific, binding| data_port_control(opcode, specific, binding);
    let cases = [
        (ExtendedMath, 3, false, 1, 2),
        (ExtendedMath, 3, false, 9, 4),
        (ExtendedMath, 1, false, 12, 2),
        (SamplerCache, 2, true, port(AVC_LOOP_FILTER_READ, 0, 1), 1),
        (RenderCache, 4, true, port(DWORD_ATOMIC, 0, 1), 3),
        (RenderCache, 3, true, port(DWORD_ATOMIC, 0x17, 1), 4),
        (RenderCache, 2, true, port(RENDER_TARGET_UNORM_READ, 0, 2), 1),
        (RenderCache, 4, true, port(RENDER_TARGET_UNORM_WRITE, 0, 2), 5),
        (RenderCache, 2, true, port(STREAMED_VERTEX_WRITE, 0, 1), 1),
        (RenderCache, 9, true, port(RENDER_TARGET_WRITE, 0, 2), 10),
        (RenderCache, 7, true, port(RENDER_TARGET_WRITE, 4, 2), 6),
        (Urb, 1, true, 0, 2),
        (Urb, 3, true, 1, 2),
        (Urb, 2, true, 2, 1),
        (Urb, 2, true, 4, 1),
        (Gateway, 2, false, 0, 1),
        (DataCache, 3, true, 4 << 14, 2),
        (DataCache, 4, true, 12 << 14 | 1 << 8, 5),
        (DataCache, 4, true, 5 << 14 | 2 << 12, 3),
        (DataCache, 3, true, 5 << 14, 2),
        (DataCache, 3, false, 13 << 14 | 2 << 12 | 8 << 8, 4),
        (DataCache, 2, false, 6 << 14 | 14 << 8 | 1 << 12, 3),
        (DataCache, 2, true, 7 << 14, 1),
        (DataCache, 2, true, 1 << 18, 1),
        (DataCache, 2, true, 1 << 18 | 1 << 17 | 1 << 12, 3),
    ];
    for (function, length, header, control, needed) in cases {
        let found = error(&machine, function, length, header, control, zeros());
        assert_eq!(found, MessageError::Length { found: length as usize, needed: needed as usize }, "{function} {control:#x}");
    }
}

#[test]
fn payloads() {
    let machine = with(raw());
    bind(&machine, 1, &buffer());
    bind(&machine, 2, &plane(0x0c7, DATA, 8, 4, 32));
    let port = |opcode, specific, binding| data_port_control(opcode, specific, binding);
    let dword = |n: usize, value: u32| Register::of(std::array::from_fn(|dword| if dword == n { value } else { 0 }));
    let cases = [
        // Without a header.
        (SamplerCache, 1, false, port(AVC_LOOP_FILTER_READ, 0, 1), zeros()),
        (RenderCache, 3, false, port(DWORD_ATOMIC, 0, 1), zeros()),
        (RenderCache, 1, false, port(RENDER_TARGET_UNORM_READ, 0, 2), zeros()),
        (RenderCache, 5, false, port(RENDER_TARGET_UNORM_WRITE, 0, 2), zeros()),
        (RenderCache, 1, false, port(STREAMED_VERTEX_WRITE, 0, 1), zeros()),
        (RenderCache, 6, false, port(RENDER_TARGET_WRITE, 4, 2), zeros()),
        (Urb, 1, false, 2, zeros()),
        (Urb, 2, false, 0, zeros()),
        (Urb, 1, false, 5, zeros()),
        (DataCache, 1, false, 7 << 14, zeros()),
        (DataCache, 1, false, 1 << 18, zeros()),
        // With one.
        (Gateway, 1, true, 0, zeros()),
        // Offsets and positions.
        (SamplerCache, 1, true, port(AVC_LOOP_FILTER_READ, 0, 1), dword(2, 8)),
        (RenderCache, 1, true, port(RENDER_TARGET_UNORM_READ, 0, 2), dword(0, 4)),
        (RenderCache, 1, true, port(RENDER_TARGET_UNORM_READ, 0, 2), dword(1, 2)),
        (Urb, 1, true, 2 | 1024 << 3, zeros()),
        (Urb, 1, true, 2 | 1 << 16, dword(3, 1024)),
        (Urb, 1, true, 2 | 1 << 14 | 1 << 16, dword(4, 1024)),
        (Urb, 1, true, 3 | 1 << 16, dword(3, 2048)),
        (DataCache, 1, false, 5 << 14 | 2 << 12, dword(0, 2)),
        (DataCache, 2, false, 13 << 14 | 2 << 12 | 14 << 8, dword(7, 1)),
        (DataCache, 2, false, 6 << 14 | 7 << 8 | 1 << 12, dword(3, 3)),
        (DataCache, 1, false, 5 << 14, dword(4, 2)),
        // The number of sources.
        (RenderCache, 3, true, port(DWORD_ATOMIC, 7, 1), zeros()),
        (RenderCache, 4, true, port(DWORD_ATOMIC, 0x10, 1), zeros()),
        // Reserved sizes and modes, masks of channels.
        (DataCache, 1, false, 4 << 14 | 3 << 10, zeros()),
        (DataCache, 1, false, 5 << 14 | 3 << 12, zeros()),
        (DataCache, 1, false, 5 << 14 | 2 << 12 | 15 << 8, zeros()),
        (DataCache, 5, false, 13 << 14, zeros()),
        (DataCache, 5, false, 13 << 14 | 3 << 12, zeros()),
        (DataCache, 4, false, 13 << 14 | 2 << 12 | 1 << 8, zeros()),
        (DataCache, 1, true, 1 << 18 | 2 << 12, zeros()),
        // Registers beyond r127.
        (Gateway, 1, false, 0, dword(5, 127 << 21 | 1 << 8)),
        (Gateway, 1, false, 0, dword(5, 128 << 21)),
        // Parts that a type of render target write cannot have.
        (RenderCache, 4, true, port(RENDER_TARGET_WRITE, 1, 2), dword(0, 1 << 11)),
        (RenderCache, 4, true, port(RENDER_TARGET_WRITE, 1, 2), dword(0, 1 << 13)),
        (RenderCache, 11, true, port(RENDER_TARGET_WRITE, 2, 2), dword(0, 1 << 11)),
    ];
    for (function, length, header, control, register) in cases {
        let found = error(&machine, function, length, header, control, register);
        assert!(matches!(found, MessageError::Payload { .. }), "{function} {control:#x}: {found}");
    }
}

#[test]
fn surfaces() {
    let flat = |format| plane(format, DATA, 8, 4, 32);
    let tiled = SurfaceState { tiled_surface: 1, ..buffer() };
    let odd = |state: SurfaceState| SurfaceState { surface_base_address: DATA + 2, ..state };
    let port = |opcode, specific, binding| data_port_control(opcode, specific, binding);
    let (filter, atomic) = (port(AVC_LOOP_FILTER_READ, 0, 0), port(DWORD_ATOMIC, 0, 0));
    let (read, vertices) = (port(RENDER_TARGET_UNORM_READ, 0, 0), port(STREAMED_VERTEX_WRITE, 0, 0));
    let target = port(RENDER_TARGET_WRITE, 4, 0);
    let (bytes, untyped) = (4 << 14, 5 << 14 | 2 << 12);
    let pixels = flat(0x0c7);
    let cases = [
        (SamplerCache, 1, filter, flat(0)),
        (SamplerCache, 1, filter, tiled),
        (SamplerCache, 1, filter, odd(buffer())),
        (SamplerCache, 1, filter | 255, buffer()),
        (RenderCache, 3, atomic, flat(0)),
        (RenderCache, 3, atomic, odd(buffer())),
        (RenderCache, 1, read, buffer()),
        (RenderCache, 1, read | 255, pixels),
        (RenderCache, 1, read, flat(0x0d8)),
        (RenderCache, 1, read, SurfaceState { depth: 2, ..pixels }),
        (RenderCache, 1, read, SurfaceState { mip_count: 1, ..pixels }),
        (RenderCache, 1, read, SurfaceState { surface_type: 7, ..pixels }),
        (RenderCache, 1, read, odd(pixels)),
        (RenderCache, 1, read | 6 << 8, SurfaceState { height: 3, ..pixels }),
        (RenderCache, 1, vertices, flat(0)),
        (RenderCache, 1, vertices | 255, buffer()),
        (RenderCache, 1, vertices, SurfaceState { surface_format: 0x0c7, ..buffer() }),
        (RenderCache, 1, vertices, SurfaceState { surface_pitch: 18, ..buffer() }),
        (RenderCache, 1, vertices, odd(buffer())),
        (RenderCache, 6, target | 255, pixels),
        // YCRCB, sRGB.
        (RenderCache, 6, target, flat(0x182)),
        (RenderCache, 6, target, flat(0x0c8)),
        (RenderCache, 6, target, SurfaceState { vertical_line_stride: 1, ..pixels }),
        (RenderCache, 6, target, SurfaceState { number_of_multisamples: 2, ..pixels }),
        (RenderCache, 6, target, SurfaceState { render_target_rotation: 1, ..pixels }),
        (RenderCache, 6, target, SurfaceState { tiled_surface: 1, ..pixels }),
        (RenderCache, 6, target, SurfaceState { x_offset: 4, ..pixels }),
        (RenderCache, 6, target, SurfaceState { surface_format: 0x0c7, ..tiled }),
        (RenderCache, 3, port(RENDER_TARGET_WRITE, 1, 0), pixels),
        (DataCache, 2, bytes, flat(0)),
        (DataCache, 2, bytes, odd(buffer())),
        (DataCache, 2, bytes | 254, buffer()),
        (DataCache, 2, bytes | 255, buffer()),
        (DataCache, 2, untyped, buffer()),
        (DataCache, 2, untyped, flat(0x1ff)),
        (DataCache, 2, untyped | 254, raw()),
        (DataCache, 3, 6 << 14 | 7 << 8 | 1 << 12, buffer()),
        (DataCache, 3, 13 << 14 | 2 << 12 | 14 << 8, buffer()),
    ];
    for (function, length, control, state) in cases {
        let found = error(&with(state), function, length, true, control, zeros());
        assert!(matches!(found, MessageError::Surface { .. }), "{function} {control:#x} {state:?}: {found}");
    }
    // A reserved type of surface.
    let machine = with(buffer());
    machine.memory.set_dword(1024, 5 << 29);
    let (length, header) = (1, true);
    let found = error(&machine, SamplerCache, length, header, filter, zeros());
    assert!(matches!(found, MessageError::Surface { reason: "a surface state with reserved values", .. }), "{found}");
}

#[test]
fn last_messages() {
    let machine = with(plane(0x0c7, DATA, 8, 4, 32));
    let ends = |function: SharedFunction, length: u32, header: bool, control: u32| {
        let mut kernel = KernelBuilder::new();
        for n in 0..length as usize {
            kernel = kernel.mov(8, m(1 + n), Operand::Value(0));
        }
        let end = Descriptor::new(length, 0, header, control).ending();
        let report = run(&machine, &kernel.send(None, 1, function, end).build().unwrap(), &[]).report;
        let refused = report.errors.first().map(|record| &record.error) == Some(&MessageError::EndAt { function });
        assert_eq!((report.hung.len(), report.ended), if refused { (1, 0) } else { (0, 1) });
        !refused
    };
    let port = |opcode, specific| data_port_control(opcode, specific, 0);
    assert!(ends(RenderCache, 5, true, port(RENDER_TARGET_UNORM_WRITE, 0)));
    assert!(ends(RenderCache, 6, true, port(RENDER_TARGET_WRITE, 4)));
    assert!(ends(Urb, 2, true, 0) && ends(Urb, 2, true, 1));
    assert!(ends(Gateway, 1, false, 0) && ends(Gateway, 1, false, 1));
    let reads = [RENDER_TARGET_UNORM_READ, AVC_LOOP_FILTER_READ, DWORD_ATOMIC, STREAMED_VERTEX_WRITE];
    assert!(reads.iter().all(|&opcode| !ends(RenderCache, 1, true, port(opcode, 0))));
    assert!((2..6).all(|opcode| !ends(Urb, 1, true, opcode)));
    assert!(!ends(ExtendedMath, 1, false, 1) && !ends(DataCache, 1, true, 7 << 14));
}
