//! Message substrate: a functional model of the path that a media kernel takes on the hardware (§7).
//!
//! Threads with register files build messages, `send` routes them to shared functions, writebacks land in the register file. It is a
//! facade: the shared functions call the same stages as the frame pipeline, block by block, so that a frame driven through messages
//! has the same bytes and statistics.
//!
//! `docs/design/messages.md` walks through one block, `examples/block.rs` prints what happens to it. A kernel is built instruction by instruction
//! ([`KernelBuilder`]) or from text ([`assemble`]):
//!
//! ```
//! use dndi::eu::{Descriptor, Machine, Program, Register, SharedFunction, assemble, data_port_control, data_port_opcode};
//! use dndi::state::SurfaceState;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut machine = Machine::new(None)?;
//! machine.memory.allocate(8192, 4096);
//! // The binding table begins at 0; its first entry is the surface state at 32: 64 bytes in each of 8 lines.
//! let surface = SurfaceState { surface_format: 0x140, surface_base_address: 4096, width: 16, height: 8, surface_pitch: 64, ..Default::default() };
//! machine.memory.set_dword(0, 32);
//! machine.memory.set_dwords(32, &surface.encode()?);
//!
//! // Each thread writes 32 bytes at (r1.0, r1.1).
//! let write = Descriptor::new(2, 0, true, data_port_control(data_port_opcode::MEDIA_BLOCK_WRITE, 0, 0));
//! let kernel = assemble(
//!     "mov (8) m1 r1
//!      mov (8) m2 0x2a2a2a2a
//!      send null m1 WRITE
//!      send null m3 r0 7:0x82000010",
//!     &[("WRITE", SharedFunction::RenderCache, write)],
//! )?;
//! let program = Program { kernel: &kernel, binding_table: 0, samplers: 0, constants: &[] };
//! let report = machine.run(&program, 16, |n| Register::of([32 * (n as u32 % 2), n as u32 / 2, 31, 0, 0, 0, 0, 0]));
//! assert_eq!((report.ended, report.errors.len()), (16, 0));
//! assert_eq!(machine.memory.dword(4096 + 511), 0x2a2a2a2a);
//! # Ok(())
//! # }
//! ```
//!
//! [`Driver`] is the software around it: a stream of frames through messages.
mod assembler;
mod data_port;
mod descriptor;
mod driver;
mod error;
mod kernel;
mod machine;
mod memory;
mod message;
mod picture;
mod register;
mod room;
mod sampler;
mod schedule;
mod statistics;
mod surface;
mod thread;

pub use assembler::{AssemblerError, assemble};
pub use data_port::{WRITE_COMMIT, control as data_port_control, opcode as data_port_opcode};
pub use descriptor::{Descriptor, SharedFunction};
pub use driver::{Driver, DriverError};
pub use error::{ErrorRecord, MessageError};
pub use kernel::{Instruction, Kernel, KernelBuilder, KernelError, Operand, Operation, Region, Send, Source, Type, m, r};
pub use machine::{Bases, ChromaKey, Config, DispatchError, Machine, Program, Report};
pub use memory::Memory;
pub use picture::format as media_format;
pub use register::{GRF, MRF, Register, RegisterFiles};
pub use sampler::{control as sampler_control, opcode as sampler_opcode};
pub use schedule::Event;
pub use statistics::{ColorRegisters, Registers, StreamRegisters};
pub use surface::{Boundary, Kind, Layout, Surface, Tiling, buffer_state};
