//! Message substrate: a functional model of the path that a media kernel takes on the hardware (§7).
//!
//! Threads with register files build messages, `send` routes them to shared functions, writebacks land in the register file. It is a
//! facade: the shared functions call the same stages as the frame pipeline, block by block, so that a frame driven through messages
//! has the same bytes and statistics.
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
pub use driver::Driver;
pub use error::{ErrorRecord, MessageError};
pub use kernel::{Instruction, Kernel, KernelBuilder, KernelError, Operand, Operation, Region, Send, Source, Type, m, r};
pub use machine::{Bases, ChromaKey, Config, Machine, Program, Report};
pub use memory::Memory;
pub use picture::format as media_format;
pub use register::{GRF, MRF, Register, RegisterFiles};
pub use sampler::{control as sampler_control, opcode as sampler_opcode};
pub use schedule::Event;
pub use statistics::{ColorRegisters, Registers, StreamRegisters};
pub use surface::{Boundary, Kind, Layout, Surface, Tiling, buffer_state};
