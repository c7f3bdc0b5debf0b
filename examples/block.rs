//! One block on its way through the message engine, from dispatch to the end of its thread.
//!
//! ```sh
//! cargo run --example block         # the events in order
//! cargo run --example block -- 7    # the same with a random order of seed 7
//! ```
//! `docs/design/messages.md` explains the output.
use dndi::Parameters;
use dndi::gen6::eu::media_format::{PLANAR_420_8, STMM_DN_STATISTICS, Y8_UNORM};
use dndi::gen6::eu::{
    Config, Descriptor, Event, Instruction, Machine, Program, Register, SharedFunction, assemble, data_port_control,
    data_port_opcode, sampler_control, sampler_opcode,
};
use dndi::gen6::state::{DeinterlaceControl, MediaSurfaceState, SurfaceState};

/// Size of the picture, and bytes from line to line.
const WIDTH: u32 = 32;
const HEIGHT: u32 = 8;
const PITCH: u32 = 64;

/// Addresses: the binding table at 0, surface states, the SAMPLER_STATE array, and surfaces of 4096
/// bytes each.
const STATES: u32 = 256;
const SAMPLERS: u32 = 1024;
const SURFACES: u32 = 4096;

/// The kernel writes the luma of the block in the second output. r1 has x and y of the block.
const KERNEL: &str = "
    mov (8) m1 r0                   // header of deinterlace
    mov (1) m2.2 r1.0               // U
    mov (1) m2.6 r1.1               // V
    send (8) r16 m1 DEINTERLACE     // r16 to r26 are in flight
    mov (8) m4 r0                   // header of the media block: x, y, and 16 bytes by 4 lines
    mov (1) m4.0 r1.0
    mov (1) m4.1 r1.1
    mov (1) m4.2 0x0003000f
    mov (8) m5 r20                  // the thread waits here for the first field of the current frame, completed
    mov (8) m6 r21
    send null m4 WRITE
    send null m15 r0 7:0x82000010   // end of the thread
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut machine = Machine::new(None)?;
    let seed = std::env::args().nth(1).map(|seed| seed.parse()).transpose()?;
    machine.config = Config { seed, ..Config::default() };
    machine.memory.allocate(u64::from(SURFACES) * 8, 4096);

    // Binding table entry n: a surface state, and the surface.
    let picture = |surface_format| MediaSurfaceState {
        surface_format,
        width: WIDTH,
        height: HEIGHT,
        surface_pitch: PITCH,
        interleave_chroma: u32::from(surface_format == PLANAR_420_8),
        y_offset_for_cb: HEIGHT,
        ..MediaSurfaceState::default()
    };
    for (entry, format) in (0..).zip([PLANAR_420_8, PLANAR_420_8, Y8_UNORM, STMM_DN_STATISTICS]) {
        machine.memory.set_dword(4 * entry, STATES + 32 * entry as u32);
        let state = MediaSurfaceState { surface_base_address: SURFACES * (1 + entry as u32), ..picture(format) };
        machine.memory.set_dwords(u64::from(STATES) + 32 * entry, &state.encode()?);
    }
    let output = SurfaceState {
        surface_format: 0x140, // R8_UNORM
        surface_base_address: SURFACES * 5,
        width: WIDTH / 4, // in DWords
        height: HEIGHT,
        surface_pitch: PITCH,
        ..SurfaceState::default()
    };
    machine.memory.set_dword(4 * 4, STATES + 32 * 4);
    machine.memory.set_dwords(u64::from(STATES) + 32 * 4, &output.encode()?);

    // A slope that moves to the right by two pixels a frame. Chroma and statistics are 0.
    for (frame, entry) in [(1, 1), (0, 2), (0, 3)] {
        for y in 0..HEIGHT {
            let line: Vec<u8> = (0..WIDTH).map(|x| (40 + 6 * x + 3 * y - 12 * frame) as u8).collect();
            machine.memory.write(u64::from(SURFACES * entry + PITCH * y), &line);
        }
    }
    let control = DeinterlaceControl { top_first: true, ..DeinterlaceControl::default() };
    machine.memory.set_dwords(SAMPLERS.into(), &Parameters::default().deinterlace_state(&control)?);

    let deinterlace = Descriptor::new(2, 11, true, sampler_control(sampler_opcode::DEINTERLACE, 0, 0));
    let write = Descriptor::new(3, 0, true, data_port_control(data_port_opcode::MEDIA_BLOCK_WRITE, 0, 4));
    let names = [("DEINTERLACE", SharedFunction::Sampler, deinterlace), ("WRITE", SharedFunction::RenderCache, write)];
    let kernel = assemble(KERNEL, &names)?;
    let lines: Vec<&str> =
        KERNEL.lines().map(|line| line.split("//").next().unwrap_or("").trim()).filter(|line| !line.is_empty()).collect();

    let program = Program { kernel: &kernel, binding_table: 0, samplers: SAMPLERS, constants: &[] };
    let payload = |_| Register::of([16, 4, 0, 0, 0, 0, 0, 0]);
    let report = machine.run_traced(&program, 1, payload, |event| match event {
        Event::Dispatched { payload, .. } => {
            println!("dispatched");
            (0..).zip(payload).for_each(|(n, register)| println!("    r{n:<3} {register:?}"));
        }
        Event::Executed { number, instruction, .. } => {
            let sends = matches!(instruction, Instruction::Send(..));
            println!("{} {}", if sends { "enqueued " } else { "executed " }, lines[number]);
        }
        Event::Delivered { function, descriptor, payload, .. } => {
            println!("delivered to function {function}, descriptor {:#010x}", descriptor.0);
            payload.iter().for_each(|register| println!("         {register:?}"));
        }
        Event::WrittenBack { register, value, .. } => println!("    r{register:<3} {value:?}"),
        Event::Ended { .. } => println!("ended"),
        other => println!("{other:?}"),
    });
    println!("{} thread ended, {} messages in error", report.ended, report.errors.len());

    println!("written:");
    for y in 0..HEIGHT {
        let mut line = [0; WIDTH as usize];
        machine.memory.read(u64::from(SURFACES * 5 + PITCH * y), &mut line);
        println!("    {:?}", &line[16..]);
    }
    let counters = &machine.counters.streams[0];
    println!("noise sum and count {:?}, film mode variances {:?}", counters.noise(), counters.variances());
    Ok(())
}
