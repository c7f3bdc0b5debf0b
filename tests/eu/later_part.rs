//! Unified return buffer, data cache port and gateway (§11.7 to §11.9), and messages of many
//! threads in any order.
use crate::support::{DATA, Noise, bind, machine, orders, run, send, send_masked};
use SharedFunction::{DataCache, ExtendedMath, Gateway, RenderCache, Urb};
use dndi::gen6::eu::{
    Descriptor, KernelBuilder, Machine, Memory, Operand, Program, Register, SharedFunction, Type, buffer_state,
    data_port_control, data_port_opcode::*, m, r,
};
use dndi::gen6::state::SurfaceState;

/// A machine with the data cache port, a buffer of `bytes` bytes at `DATA`, and random memory.
fn furnished(bytes: u32) -> (Machine, Vec<u8>) {
    let (mut machine, noise) = (machine(), &mut Noise(8));
    machine.data_cache_port = true;
    let data = noise.bytes(4096);
    machine.memory.write(DATA.into(), &data);
    bind(&machine, 0, &buffer_state(DATA, bytes / 4));
    bind(&machine, 1, &SurfaceState { surface_format: 0x1ff, surface_pitch: 1, ..buffer_state(DATA, bytes) });
    (machine, data)
}

fn bytes(machine: &Machine) -> Vec<u8> {
    let mut bytes = vec![0; 4096];
    machine.memory.read(DATA.into(), &mut bytes);
    bytes
}

/// Numbers of 1, 2 and 4 bytes at any offsets of a buffer of 64 bytes.
#[test]
fn scattered_bytes() {
    let noise = &mut Noise(3);
    for (code, wide, header) in (0..3).flat_map(|code| [(code, 0, true), (code, 1, true), (code, 1, false)]) {
        let (machine, mut data) = furnished(64);
        let (size, slots, registers) = (1 << code, 8 + 8 * wide, 1 + wide);
        let global = if header { 5 } else { 0 };
        let first = Register::of([9, 9, 5, 9, 9, 9, 9, 0]);
        let offsets: Vec<u32> = (0..slots).map(|_| noise.below(66)).collect();
        let register = |values: &[u32]| Register::of(values.try_into().unwrap());
        let payload: Vec<Register> = offsets.chunks(8).map(register).collect();
        let payload = if header { [vec![first], payload].concat() } else { payload };
        let mask = noise.next() as u16;
        let control = 4 << 14 | code << 10 | (wide as u32) << 8;
        let descriptor = Descriptor::new(payload.len() as u32, registers as u32, header, control);
        let outcome = send_masked(&machine, DataCache, descriptor, &payload, mask);
        let at = |slot: usize| Some((offsets[slot] + global) as usize).filter(|at| at + size <= 64);
        for slot in 0..slots {
            let mut expected = u32::MAX.to_le_bytes();
            if mask >> slot & 1 == 1 {
                let found = at(slot).map_or(vec![0; size], |at| data[at..at + size].to_vec());
                expected[..size].copy_from_slice(&found);
            }
            assert_eq!(outcome.registers()[slot / 8].dword(slot % 8), u32::from_le_bytes(expected), "{size} {slot}");
        }
        let values: Vec<u32> = (0..slots).map(|_| noise.next()).collect();
        let payload = [payload, values.chunks(8).map(register).collect()].concat();
        let control = 12 << 14 | code << 10 | (wide as u32) << 8;
        let descriptor = Descriptor::new(payload.len() as u32, 0, header, control);
        send_masked(&machine, DataCache, descriptor, &payload, mask).registers();
        for slot in (0..slots).filter(|slot| mask >> slot & 1 == 1) {
            if let Some(at) = at(slot) {
                data[at..at + size].copy_from_slice(&values[slot].to_le_bytes()[..size]);
            }
        }
        assert!(bytes(&machine) == data, "{size}");
    }
}

#[test]
fn untyped_pairs() {
    let (machine, data) = furnished(60);
    let dword = |at: usize| if at + 4 <= 60 { u32::from_le_bytes(data[at..at + 4].try_into().unwrap()) } else { 0 };
    // DWord 4 is the address of the second slot; the channels G and A are masked.
    let addresses = Register::of([8, 1, 1, 1, 52, 1, 1, 1]);
    let read = |channels: u32, mask: u16, pixels: u32| {
        let header = Register::of([0, 0, 400, 0, 0, 0, 0, pixels]);
        let descriptor = Descriptor::new(2, 1, true, 5 << 14 | channels << 8 | 1);
        let outcome = send_masked(&machine, DataCache, descriptor, &[header, addresses], mask);
        std::array::from_fn::<u32, 8, _>(|n| outcome.registers()[0].dword(n))
    };
    let none = u32::MAX;
    assert_eq!(read(0b1010, 0xff, 0xff), [dword(8), none, dword(16), none, dword(52), none, 0, none]);
    assert_eq!(read(0, 0x10, 0xffff), [none, none, none, none, dword(52), dword(56), 0, 0]);
    assert_eq!(read(0, 0xff, 0x02), [dword(8), dword(12), dword(16), dword(20), none, none, none, none]);
}

/// Of two slots with the same address the second one sees the result of the first.
#[test]
fn untyped_atomic_operations_in_order() {
    let (machine, _) = furnished(64);
    machine.memory.set_dword(u64::from(DATA) + 8, 100);
    let addresses = Register::of([8, 8, 8, 64, 0, 0, 0, 0]);
    let returned = |operation: u32, sources: &[Register]| {
        let payload = [&[addresses], sources].concat();
        let control = 6 << 14 | 1 << 13 | 1 << 12 | operation << 8 | 1;
        let outcome =
            send_masked(&machine, DataCache, Descriptor::new(payload.len() as u32, 1, false, control), &payload, 0b1111);
        std::array::from_fn::<u32, 4, _>(|n| outcome.registers()[0].dword(n))
    };
    assert_eq!(returned(7, &[Register::of([1, 2, 3, 4, 5, 6, 7, 8])]), [100, 101, 103, 0]);
    assert_eq!(returned(15, &[]), [105, 104, 103, 0]);
    // 103 becomes 7, then 9.
    let sources = [Register::of([103, 7, 5, 0, 0, 0, 0, 0]), Register::of([7, 9, 1, 0, 0, 0, 0, 0])];
    assert_eq!(returned(14, &sources), [103, 7, 9, 0]);
    assert_eq!(machine.memory.dword(u64::from(DATA) + 8), 9);
}

#[test]
fn scratch_blocks() {
    let (mut machine, data) = furnished(64);
    machine.bases.general_state = DATA - 1024;
    let header = Register::of([0, 0, 0, 0, 0, 1024 + 77, 0, 0]);
    let values: Vec<Register> = (0..4).map(|n| Register::of([n + 1; 8])).collect();
    let control = 1 << 18 | 1 << 17 | 1 << 16 | 3 << 12 | 2;
    send_masked(&machine, DataCache, Descriptor::new(5, 0, true, control), &[vec![header], values].concat(), 0x8001).registers();
    let mut expected = data;
    // DWord 0 of the first and third register, DWord 7 of the others.
    for (at, value) in [(64, 1), (64 + 32 + 28, 2), (128, 3), (128 + 32 + 28, 4)] {
        expected[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
    }
    assert!(bytes(&machine) == expected);
    let read = Descriptor::new(1, 2, true, 1 << 18 | 1 << 12 | 2);
    let outcome = send_masked(&machine, DataCache, read, &[header], 0x8001);
    let dword = |at: usize| u32::from_le_bytes(expected[at..at + 4].try_into().unwrap());
    let half: Vec<u32> = (0..4).map(|n| dword(64 + 4 * n)).chain([u32::MAX; 4]).collect();
    assert!((0..8).all(|n| outcome.registers()[0].dword(n) == half[n]));
    assert_eq!([3, 4].map(|n| outcome.registers()[1].dword(n)), [u32::MAX, dword(64 + 32 + 16)]);
}

#[test]
fn return_buffer() {
    let mut machine = machine();
    machine.urb = Memory::new(256);
    let header = |slots: [u32; 2], high: u32| Register::of([1, 2, 77, slots[0], slots[1], 0xff00 | high << 16, 0, 0]);
    let data = Register::of([10, 11, 12, 13, 14, 15, 16, 17]);
    let write = |control: u32, header: Register, mask: u16| {
        send_masked(&machine, Urb, Descriptor::new(2, 0, true, control), &[header, data], mask).registers();
    };
    let dwords = |at: u64| machine.urb.dwords::<4>(at);
    // The upper half to unit 3 of 16 bytes of handle 1.
    write(1 | 3 << 3, header([0; 2], 1), 0xff);
    assert_eq!(dwords(64 + 48), [14, 15, 16, 17]);
    // Both handles, each with its own offset: 1 + 1 and 1 + 2 units of 16 bytes.
    write(1 | 1 << 3 | 1 << 14 | 1 << 16, header([1, 2], 0), 0xf7);
    assert_eq!([dwords(64 + 32), dwords(128 + 48)], [[10, 11, 12, 0], [14, 15, 16, 17]]);
    // Beyond the end.
    write(0, Register::of([4, 0, 0, 0, 0, 0xff00, 0, 0]), 0xff);
    let atomic = |opcode: u32, response| {
        send_masked(&machine, Urb, Descriptor::new(1, response, true, opcode | 5 << 3), &[header([0; 2], 0)], 0)
    };
    atomic(4, 0).registers();
    let old: [Register; 2] = std::array::from_fn(|_| atomic(5, 1).registers()[0]);
    assert_eq!(old.map(|register| register.dword(0)), [77, 78]);
    assert_eq!((old[0].dword(1), machine.urb.dword(64 + 20)), (u32::MAX, 79));
}

#[test]
fn gateway() {
    let machine = machine();
    let opened = Register::of([0, 0, 0, 0, 0, 120 << 21 | 3 << 8, 0, 0]);
    for opcode in [0, 1] {
        let outcome = send_masked(&machine, Gateway, Descriptor::new(1, 1, false, opcode | 1 << 14), &[opened], 0);
        let dwords = [0, 1].map(|n| outcome.registers()[0].dword(n));
        assert_eq!(dwords, [3 << 16, u32::MAX]);
        assert_eq!(send(&machine, Gateway, Descriptor::new(1, 0, false, opcode), &[opened]).registers(), []);
    }
    // The last message closes the gateway; its payload is ignored.
    let end = Descriptor::new(1, 0, false, 0).ending();
    let kernel = KernelBuilder::new().mov(8, m(1), Operand::Value(-1)).send(None, 1, Gateway, end).build().unwrap();
    assert!(run(&machine, &kernel, &[]).report.is_clean());
}

/// Each of 60 threads computes a root and adds to common DWords. Any order gives the same memory;
/// only the old values that the atomic operations return are in another order.
#[test]
fn orders_change_only_returned_values() {
    let add = Descriptor::new(3, 1, true, data_port_control(DWORD_ATOMIC, 0, 0));
    let scattered = Descriptor::new(3, 0, true, data_port_control(DWORD_SCATTERED_WRITE, 2, 0));
    let bytes = Descriptor::new(3, 0, true, 12 << 14);
    let urb = Descriptor::new(2, 0, true, 0);
    // r1: the number n, 256 + n, 512 + n, a float, 2048 + 2n, n as a handle. r2, r3: zeros, offsets
    // 0.
    let kernel = KernelBuilder::new()
        .mov(8, m(1), r(1).at(3, Type::Ud).every(0))
        .send(20, 1, ExtendedMath, Descriptor::new(1, 1, false, 5))
        .mov(8, m(2), r(2))
        .mov(8, m(3), r(2))
        .mov(8, m(4), r(1).at(0, Type::Ud).every(0))
        .send(21, 2, RenderCache, add)
        .mov(8, m(5), r(2))
        .mov(8, m(6), r(1).at(1, Type::Ud).every(0))
        .mov(8, m(7), r(20))
        .send(None, 5, RenderCache, scattered)
        .mov(8, m(8), r(2))
        .mov(8, m(9), r(1).at(4, Type::Ud).every(0))
        .mov(8, m(10), r(20))
        .send(None, 8, DataCache, bytes)
        .mov(8, m(11), r(3))
        .mov(1, m(11), r(1).at(5, Type::Ud))
        .mov(8, m(12), r(20))
        .send(None, 11, Urb, urb)
        .mov(8, m(13), r(2))
        .mov(8, m(14), r(1).at(2, Type::Ud).every(0))
        .mov(8, m(15), r(21))
        .send(None, 13, RenderCache, scattered)
        .end(1)
        .build()
        .unwrap();
    let constants = [Register::default(), Register::of([0, 0, 0, 0, 0, 0xff00, 0, 0])];
    let program = Program { kernel: &kernel, binding_table: 0, samplers: 0, constants: &constants };
    let mut first = None;
    let mut different = std::collections::BTreeSet::new();
    for config in orders() {
        let (mut machine, _) = furnished(4096);
        machine.memory.write(DATA.into(), &[0; 4096]);
        bind(&machine, 0, &SurfaceState { render_cache_read_write_mode: 1, ..buffer_state(DATA, 256) });
        machine.urb = Memory::new(4096);
        machine.config = config;
        let payload = |n: usize| {
            let (n, float) = (n as u32, (n as f32 + 1.5).to_bits());
            Register::of([n + 1, 256 + n, 512 + n, float, 512 + 2 * n, n, 0, 0])
        };
        let report = machine.run(&program, 60, payload);
        assert_eq!((report.ended, &report.errors[..]), (60, &[][..]));
        let mut memory: Vec<u32> = (0..1024).map(|n| machine.memory.dword(u64::from(DATA) + 4 * n)).collect();
        let returned: Vec<u32> = memory.splice(512..572, [0; 60]).collect();
        memory.extend((0..1024).map(|n| machine.urb.dword(4 * n)));
        // Eight slots of each thread add to DWord 0.
        assert_eq!(memory[0], 8 * (1..=60).sum::<u32>());
        assert_eq!(*first.get_or_insert_with(|| memory.clone()), memory, "{config:?}");
        different.insert(returned);
    }
    assert!(different.len() > 1);
}
