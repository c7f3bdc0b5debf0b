//! The events of an execution unit.
use crate::gen6::eu::data::descriptor::Descriptor;
use crate::gen6::eu::data::error::ErrorRecord;
use crate::gen6::eu::data::kernel::Instruction;
use crate::gen6::eu::data::register::Register;

/// An event on an execution unit. Threads are numbered in the order of dispatch, from 0.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A thread starts.
    Dispatched {
        /// The thread.
        thread: u32,
        /// r0 and the registers after it.
        payload: Vec<Register>,
    },
    /// A thread executed an instruction.
    Executed {
        /// The thread.
        thread: u32,
        /// Number of the instruction, from 0.
        number: usize,
        /// The instruction.
        instruction: Instruction,
    },
    /// A message reached its shared function.
    Delivered {
        /// The thread that sent it.
        thread: u32,
        /// Identifier of the shared function.
        function: u8,
        /// The descriptor.
        descriptor: Descriptor,
        /// The registers of the message.
        payload: Vec<Register>,
    },
    /// A register of a response was written.
    WrittenBack {
        /// The thread.
        thread: u32,
        /// Number of the GRF register.
        register: usize,
        /// Its new value.
        value: Register,
    },
    /// A thread reached its end.
    Ended {
        /// The thread.
        thread: u32,
    },
    /// A thread waits for a response that never comes.
    Hung {
        /// The thread.
        thread: u32,
    },
    /// A message is in error.
    Failed(ErrorRecord),
}
