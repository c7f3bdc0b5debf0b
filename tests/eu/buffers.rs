//! Messages that access buffers (volume 4 part 1, 3.9.3, 3.9.4, 3.9.5, 3.9.7).
use crate::support::{DATA, Noise, Outcome, bind, machine, send_masked};
use dndi::gen6::eu::{
    Descriptor, Machine, Register, SharedFunction, WRITE_COMMIT, buffer_state, data_port_control, data_port_opcode::*,
};
use dndi::gen6::state::SurfaceState;

/// Elements of 16 bytes in the buffer.
const ELEMENTS: u32 = 20;
const CACHES: [SharedFunction; 3] = [SharedFunction::SamplerCache, SharedFunction::ConstantCache, SharedFunction::RenderCache];

fn buffer() -> (Machine, Vec<u32>) {
    let (machine, noise) = (machine(), &mut Noise(9));
    bind(&machine, 2, &SurfaceState { render_cache_read_write_mode: 1, ..buffer_state(DATA, ELEMENTS) });
    // The DWords after the buffer must not be read or written.
    let data: Vec<u32> = (0..2 * 4 * ELEMENTS).map(|_| noise.next()).collect();
    machine.memory.set_dwords(DATA.into(), &data);
    (machine, data)
}

fn header(offset: u32) -> Register {
    Register::of([0, 0, offset, 0, 0, 0, 0, 0])
}

struct Access {
    function: SharedFunction,
    opcode: u32,
    specific: u32,
    mask: u16,
}

fn send_access(machine: &Machine, access: &Access, payload: &[Register], response: usize, binding: u32) -> Outcome {
    let control = data_port_control(access.opcode, access.specific, binding);
    let descriptor = Descriptor::new(payload.len() as u32, response as u32, true, control);
    send_masked(machine, access.function, descriptor, payload, access.mask)
}

/// The DWords of a response. DWords that are not written are all ones.
fn dwords(outcome: &Outcome) -> Vec<u32> {
    outcome.registers().iter().flat_map(|register| (0..8).map(|n| register.dword(n))).collect()
}

fn at(data: &[u32], dword: u64) -> u32 {
    if dword < 4 * u64::from(ELEMENTS) { data[dword as usize] } else { 0 }
}

#[test]
fn oword_blocks() {
    let (machine, data) = buffer();
    // (bits 10:8, first DWord of the response, DWords, registers)
    for (specific, first, count, registers) in [(0, 0, 4, 1), (1, 4, 4, 1), (2, 0, 8, 1), (3, 0, 16, 2), (4, 0, 32, 4)] {
        for (offset, mask) in [(0, 0xffff), (3, 0x0ff0), (15, 0x8001), (19, 0xffff), (20, 0xffff), (0x0fff_ffff, 0xffff)] {
            for function in CACHES {
                let access = Access { function, opcode: OWORD_BLOCK_READ, specific, mask };
                let got = dwords(&send_access(&machine, &access, &[header(offset)], registers, 2));
                let mut want = vec![u32::MAX; 8 * registers];
                for n in 0..count {
                    let position = first + n;
                    let bits = if position / 8 % 2 == 0 { mask & 0xff } else { mask >> 8 };
                    if bits >> (position % 8 / 4 * 4) & 15 != 0 {
                        want[position] = at(&data, 4 * u64::from(offset) + n as u64);
                    }
                }
                assert_eq!(got, want, "{specific} at {offset}, mask {mask:x}");
            }
        }
    }
}

#[test]
fn oword_block_writes() {
    for (specific, first, count, registers) in [(0, 0, 4, 1), (1, 4, 4, 1), (2, 0, 8, 1), (3, 0, 16, 2), (4, 0, 32, 4)] {
        for (offset, mask) in [(0, 0xffff), (7, 0x1248), (18, 0xf0f0), (20, 0xffff)] {
            let (machine, mut want) = buffer();
            let noise = &mut Noise(u64::from(offset));
            let payload: Vec<Register> = [header(offset)].into_iter().chain((0..registers).map(|_| noise.register())).collect();
            let access = Access { function: SharedFunction::RenderCache, opcode: OWORD_BLOCK_WRITE, specific, mask };
            send_access(&machine, &access, &payload, 0, 2).registers();
            for n in 0..count {
                let position = first + n;
                let bits = if position / 8 % 2 == 0 { mask & 0xff } else { mask >> 8 };
                let dword = 4 * offset as usize + n;
                if bits >> (position % 8) & 1 == 1 && dword < 4 * ELEMENTS as usize {
                    want[dword] = payload[1 + position / 8].dword(position % 8);
                }
            }
            assert_eq!(machine.memory.dwords::<160>(DATA.into())[..], want, "{specific} at {offset}, mask {mask:x}");
        }
    }
}

#[test]
fn unaligned_oword_blocks() {
    let (machine, data) = buffer();
    for (specific, first, count, registers) in [(0, 0, 4, 1), (1, 4, 4, 1), (2, 0, 8, 1), (3, 0, 16, 2), (4, 0, 32, 4)] {
        for offset in [0, 4, 100, 316, 320, 0xffff_fffc] {
            for function in [SharedFunction::ConstantCache, SharedFunction::RenderCache] {
                // The execution mask is ignored.
                let access = Access { function, opcode: UNALIGNED_OWORD_BLOCK_READ, specific, mask: 0 };
                let got = dwords(&send_access(&machine, &access, &[header(offset)], registers, 2));
                let mut want = vec![u32::MAX; 8 * registers];
                (0..count).for_each(|n| want[first + n] = at(&data, u64::from(offset) / 4 + n as u64));
                assert_eq!(got, want, "{specific} at {offset}");
            }
        }
    }
    let access = Access { function: SharedFunction::RenderCache, opcode: UNALIGNED_OWORD_BLOCK_READ, specific: 2, mask: 0xffff };
    send_access(&machine, &access, &[header(2)], 1, 2).error();
}

#[test]
fn oword_dual_blocks() {
    for (specific, registers) in [(0, 1), (2, 4)] {
        for (global, offsets, mask) in [(0, [0, 5], 0xff), (2, [17, 1], 0x21), (1, [0xffff_ffff, 18], 0xf0), (0, [3, 8], 0)] {
            let (machine, mut data) = buffer();
            let addresses = Register::of([offsets[0], 0, 0, 0, offsets[1], 0, 0, 0]);
            let address = |n: usize| 4 * (u64::from(global) + u64::from(offsets[n % 8 / 4]) + n as u64 / 8) + n as u64 % 4;
            for function in CACHES {
                let access = Access { function, opcode: OWORD_DUAL_BLOCK_READ, specific, mask };
                let got = dwords(&send_access(&machine, &access, &[header(global), addresses], registers, 2));
                let enabled = |n: usize| mask >> (n % 8 / 4 * 4) & 15 != 0;
                let want: Vec<u32> =
                    (0..8 * registers).map(|n| if enabled(n) { at(&data, address(n)) } else { u32::MAX }).collect();
                assert_eq!(got, want);
            }
            let noise = &mut Noise(5);
            let payload: Vec<Register> =
                [header(global), addresses].into_iter().chain((0..registers).map(|_| noise.register())).collect();
            let access = Access { function: SharedFunction::RenderCache, opcode: OWORD_DUAL_BLOCK_WRITE, specific, mask };
            send_access(&machine, &access, &payload, 0, 2).registers();
            for n in (0..8 * registers).filter(|n| mask >> (n % 8) & 1 == 1 && address(*n) < 4 * u64::from(ELEMENTS)) {
                data[address(n) as usize] = payload[2 + n / 8].dword(n % 8);
            }
            assert_eq!(machine.memory.dwords::<160>(DATA.into())[..], data);
        }
    }
}

#[test]
fn scattered_dwords() {
    for (specific, registers) in [(2, 1), (3, 2)] {
        for mask in [0xffff, 0x5a5a, 0x0100] {
            let (machine, mut data) = buffer();
            let noise = &mut Noise(mask.into());
            // Some offsets are beyond the end. All are different because of the multiplier.
            let offsets: Vec<u32> = (0..16).map(|n| if n % 5 == 4 { 80 + n } else { n * 7 % 78 }).collect();
            let addresses = [0, 8].map(|n| Register::of(std::array::from_fn(|i| offsets[n + i])));
            let payload = [&[header(1)], &addresses[..registers]].concat();
            for function in CACHES {
                let access = Access { function, opcode: DWORD_SCATTERED_READ, specific, mask };
                let got = dwords(&send_access(&machine, &access, &payload, registers, 2));
                let read = |n: usize| if mask >> n & 1 == 1 { at(&data, 1 + u64::from(offsets[n])) } else { u32::MAX };
                assert_eq!(got, (0..8 * registers).map(read).collect::<Vec<_>>());
            }
            let payload: Vec<Register> = payload.into_iter().chain((0..registers).map(|_| noise.register())).collect();
            let access = Access { function: SharedFunction::RenderCache, opcode: DWORD_SCATTERED_WRITE, specific, mask };
            send_access(&machine, &access, &payload, 0, 2).registers();
            for n in (0..8 * registers).filter(|n| mask >> n & 1 == 1 && offsets[*n] + 1 < 80) {
                data[offsets[n] as usize + 1] = payload[1 + registers + n / 8].dword(n % 8);
            }
            assert_eq!(machine.memory.dwords::<160>(DATA.into())[..], data);
        }
    }
}

#[test]
fn stateless_buffers_and_commits() {
    let (mut machine, data) = buffer();
    machine.bases.general_state = DATA / 2;
    // M0.5 31:10 adds to the base.
    let header = Register::of([0, 0, 3, 0, 0, (DATA / 2) | 0x3ff, 0, 0]);
    let access = |function, opcode| Access { function, opcode, specific: 2, mask: 0xffff };
    let got = dwords(&send_access(&machine, &access(SharedFunction::RenderCache, OWORD_BLOCK_READ), &[header], 1, 255));
    assert_eq!(got, data[12..20]);
    for function in [SharedFunction::SamplerCache, SharedFunction::ConstantCache] {
        send_access(&machine, &access(function, OWORD_BLOCK_READ), &[header], 1, 255).error();
    }
    let write = Access { opcode: OWORD_BLOCK_WRITE | WRITE_COMMIT >> 13, ..access(SharedFunction::RenderCache, 0) };
    let outcome = send_access(&machine, &write, &[header, Register::of([7; 8])], 1, 255);
    // The commit writes no byte of the register.
    assert_eq!(outcome.registers(), [Register([0xff; 32])]);
    assert_eq!(machine.memory.dword(u64::from(DATA) + 48), 7);
}

#[test]
fn surfaces_that_are_refused() {
    let (machine, _) = buffer();
    let access = Access { function: SharedFunction::RenderCache, opcode: OWORD_BLOCK_READ, specific: 2, mask: 0xffff };
    let good = SurfaceState { render_cache_read_write_mode: 1, ..buffer_state(DATA, ELEMENTS) };
    let refused = [
        SurfaceState { surface_type: 1, depth: 1, ..good },
        SurfaceState { surface_base_address: DATA + 4, ..good },
        SurfaceState { tiled_surface: 1, ..good },
        SurfaceState { render_cache_read_write_mode: 0, ..good },
    ];
    for state in refused {
        bind(&machine, 2, &state);
        send_access(&machine, &access, &[header(0)], 1, 2).error();
    }
    bind(&machine, 2, &SurfaceState { surface_type: 7, ..good });
    assert_eq!(dwords(&send_access(&machine, &access, &[header(0)], 1, 2)), [0; 8]);
}

/// Three fields of the state hold the number of elements.
#[test]
fn buffers_of_any_length() {
    let machine = machine();
    machine.memory.set_dwords(DATA.into(), &[7; 1 << 14]);
    let access = Access { function: SharedFunction::RenderCache, opcode: OWORD_BLOCK_READ, specific: 2, mask: 0xffff };
    for elements in [127, 128, 129, 130, 255, 256, 257, 1000, 3000] {
        bind(&machine, 2, &SurfaceState { render_cache_read_write_mode: 1, ..buffer_state(DATA, elements) });
        // The last element, and the one after it.
        assert_eq!(
            dwords(&send_access(&machine, &access, &[header(elements - 1)], 1, 2)),
            [7, 7, 7, 7, 0, 0, 0, 0],
            "{elements}"
        );
    }
}
