//! Threads: dispatch, suspension, the order of messages and writebacks (§7.1).
use crate::support::{DATA, bind, machine, orders, plane};
use dndi::gen6::eu::{
    Descriptor, Event, KernelBuilder, Operand, Program, Register, SharedFunction, Type, data_port_control, data_port_opcode, m, r,
};

#[test]
fn r0_is_the_header_and_r1_the_payload() {
    let machine = machine();
    let kernel = KernelBuilder::new().end(1).build().unwrap();
    let constants = [Register::of([5; 8])];
    let program = Program { kernel: &kernel, binding_table: 64, samplers: 128, constants: &constants };
    let mut seen = vec![];
    machine.run_traced(
        &program,
        3,
        |n| Register::of([n as u32; 8]),
        |event| {
            if let Event::Dispatched { thread, payload } = event {
                seen.push((thread, payload));
            }
        },
    );
    assert_eq!(seen.len(), 3);
    for (thread, payload) in seen {
        assert_eq!((payload[0].dword(3), payload[0].dword(4)), (128, 64));
        assert_eq!((payload[0].bits(6, 27, 24), payload[0].bits(6, 23, 0)), (7, thread));
        assert_eq!((payload[1], payload[2]), (Register::of([thread; 8]), constants[0]));
    }
}

/// Each thread repeatedly writes its block, reads it into the same registers, and adds to it. Any
/// order gives the same memory.
#[test]
fn orders_change_nothing() {
    let write =
        Descriptor::new(2, 1, true, data_port_control(data_port_opcode::MEDIA_BLOCK_WRITE, 0, 0) | dndi::gen6::eu::WRITE_COMMIT);
    let read = Descriptor::new(1, 1, true, data_port_control(data_port_opcode::MEDIA_BLOCK_READ, 0, 0));
    let mut kernel = KernelBuilder::new().mov(8, r(10), r(1));
    for turn in 0..4 {
        kernel = kernel.mov(8, m(1), r(0)).mov(1, m(1), r(1)).mov(1, m(1).at(1, Type::Ud), r(1).at(1, Type::Ud));
        kernel = kernel.mov(1, m(1).at(2, Type::Ud), Operand::Value(3 << 16 | 7)).mov(8, m(2), r(10));
        kernel = kernel.send(20, 1, SharedFunction::RenderCache, write).mov(8, r(20), r(20));
        // The header is sent again unchanged. r10 is overwritten after the transmission of m2.
        kernel = kernel.send(10, 1, SharedFunction::RenderCache, read).add(8, r(10), r(10), Operand::Value(turn + 1));
    }
    let kernel = kernel.end(5).build().unwrap();
    let program = Program { kernel: &kernel, binding_table: 0, samplers: 0, constants: &[] };
    let mut first = None;
    for config in orders() {
        let mut machine = machine();
        machine.config = config;
        bind(&machine, 0, &plane(0x140, DATA, 16, 64, 64));
        let report =
            machine.run(&program, 128, |n| Register::of([8 * (n as u32 % 8), 4 * (n as u32 / 8), 3, 4, 5, 6, 7, n as u32]));
        assert_eq!((report.ended, &report.errors[..]), (128, &[][..]));
        let mut memory = vec![0; 4096];
        machine.memory.read(u64::from(DATA), &mut memory);
        assert_eq!(*first.get_or_insert_with(|| memory.clone()), memory, "{config:?}");
    }
    assert!(first.unwrap().iter().any(|&byte| byte != 0));
}

/// Messages of a thread to one function arrive in order. Different seeds give different orders.
#[test]
fn deliveries_keep_their_order() {
    let mut kernel = KernelBuilder::new();
    for n in 0..10 {
        let function = if n % 2 == 0 { SharedFunction::Null } else { SharedFunction::ThreadSpawner };
        kernel = kernel.send(None, 1 + n % 3, function, Descriptor::new(1, 0, false, 16 + ((n as u32) << 5)));
    }
    let kernel = kernel.end(5).build().unwrap();
    let program = Program { kernel: &kernel, binding_table: 0, samplers: 0, constants: &[] };
    let mut different = std::collections::HashSet::new();
    for config in orders() {
        let mut machine = machine();
        machine.config = config;
        let mut arrived = vec![];
        machine.run_traced(
            &program,
            3,
            |_| Register::default(),
            |event| {
                if let Event::Delivered { thread, function, descriptor, .. } = event {
                    arrived.push((thread, function, descriptor.control() >> 5));
                }
            },
        );
        for (thread, function) in (0..3).flat_map(|thread| [(thread, 0), (thread, 7)]) {
            let order: Vec<u32> = arrived.iter().filter(|a| (a.0, a.1) == (thread, function)).map(|a| a.2).collect();
            let sent = order.iter().filter(|&&n| n > 0 || function == 0).copied().collect::<Vec<_>>();
            assert!(sent.is_sorted(), "{order:?}");
        }
        assert_eq!(arrived.len(), 33);
        different.insert(arrived);
    }
    assert!(different.len() > 10);
}

/// A write to a register waits for the transmission of its message, which has the value from before
/// the write.
#[test]
fn mrf_in_flight() {
    for config in orders() {
        let mut machine = machine();
        machine.config = config;
        let mut kernel = KernelBuilder::new();
        for n in 0..6 {
            kernel = kernel.mov(8, m(3), Operand::Value(n)).send(None, 3, SharedFunction::Null, Descriptor::new(1, 0, false, 0));
        }
        let kernel = kernel.end(5).build().unwrap();
        let program = Program { kernel: &kernel, binding_table: 0, samplers: 0, constants: &[] };
        let mut arrived = vec![];
        machine.run_traced(
            &program,
            1,
            |_| Register::default(),
            |event| {
                if let Event::Delivered { function: 0, payload, .. } = event {
                    arrived.push(payload[0].dword(5));
                }
            },
        );
        assert_eq!(arrived, [0, 1, 2, 3, 4, 5]);
    }
}

/// A thread that hangs does not block others.
#[test]
fn hung_threads_are_removed() {
    // Function 8 does not exist. The descriptor in r1 has a response in threads of odd number only,
    // which wait for it.
    let kernel = KernelBuilder::new()
        .send_any(dndi::gen6::eu::Send {
            destination: Some(30),
            payload: 1,
            implied_move: Some(1),
            function: 8,
            descriptor: dndi::gen6::eu::Source::Register(1),
        })
        .mov(8, r(40), r(30))
        .end(2)
        .build()
        .unwrap();
    let program = Program { kernel: &kernel, binding_table: 0, samplers: 0, constants: &[] };
    for config in orders() {
        let mut machine = machine();
        machine.config = config;
        let report = machine.run(&program, 21, |n| Register::of([Descriptor::new(1, n as u32 % 2, false, 0).0; 8]));
        assert_eq!((report.ended, report.hung.len(), report.errors.len()), (11, 10, 21));
        assert!(report.hung.iter().all(|(thread, instruction)| thread % 2 == 1 && *instruction == 1));
        assert!(report.errors.is_sorted_by_key(|record| record.thread));
    }
}
