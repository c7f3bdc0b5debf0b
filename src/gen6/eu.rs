//! Message engine: a functional model of the path of a media kernel on the hardware (§7).
//!
//! Threads with register files build messages, `send` routes them to shared functions, and
//! responses are written back to the register file. The model is a facade: the shared functions
//! call the same stages as the pipeline, block by block, so that a frame through messages has the
//! same samples and statistics.
//!
//! `docs/design/messages.md` follows one block from dispatch to its end, `examples/block.rs` prints
//! the events. A kernel is built by calls of [`KernelBuilder`] or from text by [`assemble`]:
//!
//! ```
//! use dndi::gen6::eu::{Descriptor, Machine, Program, Register, SharedFunction};
//! use dndi::gen6::eu::{assemble, data_port_control, data_port_opcode};
//! use dndi::gen6::state::SurfaceState;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut machine = Machine::new(None)?;
//! machine.memory.allocate(8192, 4096);
//! // The binding table is at address 0. Its first entry is the surface state at 32: 8 lines of 64 bytes.
//! let surface = SurfaceState {
//!     surface_format: 0x140,
//!     surface_base_address: 4096,
//!     width: 16,
//!     height: 8,
//!     surface_pitch: 64,
//!     ..Default::default()
//! };
//! machine.memory.set_dword(0, 32);
//! machine.memory.set_dwords(32, &surface.encode()?);
//!
//! // Each thread writes 32 bytes at byte r1.0 of line r1.1.
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
//! assert_eq!((report.ended, report.is_clean()), (16, true));
//! assert_eq!(machine.memory.dword(4096 + 511), 0x2a2a2a2a);
//! # Ok(())
//! # }
//! ```
//!
//! [`Driver`] is the software around the hardware: a stream of frames through messages.
mod data;
mod driver;
mod functions;
mod run;

pub use data::assembler::assemble;
pub use data::counters::{ColorCounters, Counters, StreamCounters};
pub use data::descriptor::{Descriptor, SharedFunction};
pub use data::error::{ErrorRecord, MessageError, ProgramError};
pub use data::kernel::{Instruction, Kernel, KernelBuilder, Operand, Operation, Region, Send, Source, Type, m, r};
pub use data::memory::Memory;
pub use data::picture::format as media_format;
pub use data::register::{GRF, MRF, Register};
pub use data::surface::{Layout, Tiling, buffer_state};
pub use driver::engine::Driver;
pub use driver::error::DriverError;
pub use functions::context::{Bases, ChromaKey, MonoFilter};
pub use functions::data_port::message_type::{WRITE_COMMIT, control as data_port_control, opcode as data_port_opcode};
pub use functions::sampler::message_type::{control as sampler_control, opcode as sampler_opcode};
pub use functions::sampler::texture::message::{control as texture_control, opcode as texture_opcode, simd as texture_simd};
pub use run::event::Event;
pub use run::machine::Machine;
pub use run::program::{Config, Program, Report};
