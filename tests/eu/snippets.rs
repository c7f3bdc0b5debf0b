//! The programs of the documents, from their text (volume 4 part 1, 1.6.2, 1.6.3, 3.3).
use crate::support::{DATA, bind, machine, orders, run};
use dndi::gen6::eu::{
    Descriptor, Event, MessageError, Program, Register, SharedFunction, WRITE_COMMIT, assemble, buffer_state, data_port_control,
    data_port_opcode,
};
use dndi::gen6::state::SurfaceState;

const END: &str = "send null m15 r0 7:0x82000010";

/// Two messages that are built out of order, the second one in registers of the first: each arrives
/// as it was built.
#[test]
fn two_messages_over_the_same_registers() {
    let text = format!(
        "...\n mul (8)\tm4\tr20\tr19\n mov (8) m6 r21\n add (8) m5 r29 r28\n send (8) r30 m3 r0 <desc>\n...\n// --- message 2 ---\n\
         mov (8) m6 r22\n send (8) r40 m3 r0 <desc>\n {END}"
    );
    let kernel = assemble(&text, &[("desc", SharedFunction::Null, Descriptor::new(4, 0, true, 0))]).unwrap();
    let constants: Vec<Register> = (2..30).map(|n| Register::of([n; 8])).collect();
    let program = Program { kernel: &kernel, binding_table: 0, samplers: 0, constants: &constants };
    for config in orders() {
        let mut machine = machine();
        machine.config = config;
        let mut arrived = vec![];
        let report = machine.run_traced(
            &program,
            1,
            |_| Register::default(),
            |event| {
                if let Event::Delivered { function: 0, payload, .. } = event {
                    arrived.push(payload.iter().skip(1).map(|register| register.dword(7)).collect::<Vec<_>>());
                }
            },
        );
        assert_eq!((report.ended, arrived), (1, vec![vec![380, 57, 21], vec![380, 57, 22]]));
    }
}

/// The same with a message that writes. The instructions after it must not change it.
#[test]
fn a_message_that_writes() {
    let control = data_port_control(data_port_opcode::OWORD_DUAL_BLOCK_WRITE, 0, 0) | WRITE_COMMIT;
    let write = Descriptor::new(3, 1, true, control);
    let text =
        format!("mul (8) m4 r20 r19\n mov (8) m5 r21\n send (8) r30 m3 r0 <desc>\n mov (8) m5 r22\n mov (8) r30 r30\n {END}");
    let kernel = assemble(&text, &[("desc", SharedFunction::RenderCache, write)]).unwrap();
    for config in orders() {
        let mut machine = machine();
        machine.config = config;
        bind(&machine, 0, &SurfaceState { render_cache_read_write_mode: 1, ..buffer_state(DATA, 16) });
        // The product of r19 and r20 is the offsets 2 and 6, r21 is the data; r22 must not be
        // written.
        let mut constants = vec![Register::default(); 21];
        constants[17] = Register::of([1, 0, 0, 0, 2, 0, 0, 0]);
        constants[18] = Register::of([2, 0, 0, 0, 3, 0, 0, 0]);
        constants[19] = Register::of([1, 2, 3, 4, 5, 6, 7, 8]);
        constants[20] = Register::of([99; 8]);
        let outcome = run(&machine, &kernel, &constants);
        assert_eq!(outcome.report.errors, []);
        assert_eq!(machine.memory.dwords(u64::from(DATA + 32)), [1, 2, 3, 4]);
        assert_eq!(machine.memory.dwords(u64::from(DATA + 96)), [5, 6, 7, 8]);
    }
}

/// Write, wait for the commit, read the same address.
#[test]
fn write_commit() {
    let text = format!(
        "send r12 m1 DPWRITE\t; issue write to render cache\n mov m1 r3 ; assemble read message\n\
         mov r12 r12 ; block on write commit\n send r13 m1 DPREAD ; read same location as write\n mov r14 r13\n {END}"
    );
    let write = Descriptor::new(2, 1, true, data_port_control(data_port_opcode::OWORD_BLOCK_WRITE, 2, 0) | WRITE_COMMIT);
    let read = Descriptor::new(1, 1, true, data_port_control(data_port_opcode::OWORD_BLOCK_READ, 2, 0));
    let names = [("DPWRITE", SharedFunction::RenderCache, write), ("DPREAD", SharedFunction::RenderCache, read)];
    let kernel = assemble(&format!("mov m1 r2\n mov m2 r4\n {text}"), &names).unwrap();
    let offset = Register::of([0, 0, 5, 0, 0, 0, 0, 0]);
    let data = Register::of([10, 11, 12, 13, 14, 15, 16, 17]);
    for config in orders() {
        let mut machine = machine();
        machine.config = config;
        bind(&machine, 0, &SurfaceState { render_cache_read_write_mode: 1, ..buffer_state(DATA, 16) });
        let outcome = run(&machine, &kernel, &[offset, offset, data]);
        assert_eq!(outcome.report.errors, []);
        // The commit does not change r12.
        assert_eq!(outcome.response, [Register::default(), data]);
        assert_eq!(machine.memory.dwords(u64::from(DATA + 80)), [10, 11, 12, 13]);
    }
}

/// A descriptor of the older layout has extended math in bits 27:24, and is in error here.
#[test]
fn an_older_descriptor() {
    let kernel = assemble(&format!("send (16) r5 m3 r0 0x01110001\n {END}"), &[]).unwrap();
    let outcome = run(&machine(), &kernel, &[]);
    assert_eq!(*outcome.error(), MessageError::Length { found: 0, needed: 1 });
    assert_eq!(outcome.report.errors[0].function, SharedFunction::ExtendedMath.identifier());
    let waits = assemble(&format!("send (16) r5 m3 r0 0x01110001\n mov r6 r5\n {END}"), &[]).unwrap();
    let program = Program { kernel: &waits, binding_table: 0, samplers: 0, constants: &[] };
    assert_eq!(machine().run(&program, 7, |_| Register::default()).hung.len(), 7);
}
