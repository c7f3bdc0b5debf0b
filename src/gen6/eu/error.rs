//! What can be wrong with a message, and the record that tells of it (§7.2, volume 4 part 1, table 1-1).
use super::descriptor::{Descriptor, SharedFunction};
use super::register::Register;
use std::fmt;

/// Why a message is in error. None of them stops the simulation: it goes on with the next message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageError {
    /// No shared function has this identifier. The message is dropped, its destination stays in flight; a thread whose last message it
    /// is hangs.
    SharedFunction {
        /// The identifier.
        identifier: u8,
    },
    /// A shared function of the hardware that is no part of the model. As if it did not exist.
    NotModelled {
        /// The function.
        function: SharedFunction,
    },
    /// The function does not know what it is asked for. Its destination stays in flight, as with all that follow but where it is said.
    Opcode {
        /// Who was asked.
        function: SharedFunction,
        /// Bits 18:0 of the descriptor.
        control: u32,
    },
    /// A payload that is too long or too short.
    Length {
        /// Registers of the message.
        found: usize,
        /// What it needs.
        needed: usize,
    },
    /// A payload that makes no sense.
    Payload {
        /// What is wrong with it.
        what: &'static str,
        /// The value that was found.
        value: u32,
    },
    /// A surface that the message cannot work on.
    Surface {
        /// Its entry in the binding table.
        binding: u8,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A state that the message cannot work with.
    State {
        /// What is wrong with it.
        what: String,
    },
    /// Fewer registers are asked for than the answer has. The first ones are written.
    ResponseTooShort {
        /// Registers asked for.
        found: usize,
        /// Registers of the answer.
        needed: usize,
    },
    /// More registers are asked for than the answer has. The answer is written, the others stay in flight.
    ResponseTooLong {
        /// Registers asked for.
        found: usize,
        /// Registers of the answer.
        needed: usize,
    },
    /// Registers are asked for, but there is no destination. The message is served, its answer is dropped.
    NoDestination {
        /// Registers asked for; must be 0.
        found: usize,
    },
    /// The last message of a thread has a destination. It is not issued, and the thread hangs.
    EndWithDestination,
    /// The descriptor of a last message comes from a register, where its end-of-thread bit does not count. It is sent without it.
    EndFromRegister,
    /// The function cannot take a thread's last message. It is not issued, and the thread hangs.
    EndAt {
        /// Who was asked.
        function: SharedFunction,
    },
    /// Registers of the destination still wait for the answer to another message. The message is dropped.
    Overlap {
        /// The first of them.
        register: usize,
    },
    /// The payload runs past m15, or the destination past r127. The message is dropped; a thread whose last message it is hangs.
    PastTheEnd {
        /// First register.
        first: usize,
        /// Registers.
        count: usize,
    },
}

impl MessageError {
    /// Whether the message was worked on all the same.
    pub fn is_served(&self) -> bool {
        matches!(
            self,
            MessageError::ResponseTooShort { .. }
                | MessageError::ResponseTooLong { .. }
                | MessageError::NoDestination { .. }
                | MessageError::EndFromRegister
        )
    }
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use MessageError::*;
        match self {
            SharedFunction { identifier } => write!(f, "there is no shared function {identifier}"),
            NotModelled { function } => write!(f, "the shared function {function:?} is not modelled"),
            Opcode { function, control } => write!(f, "{function:?} does not know the opcode in {control:#07x}"),
            Length { found, needed } => write!(f, "a message of {found} registers, {needed} are needed"),
            Payload { what, value } => write!(f, "{what}: {value:#x}"),
            Surface { binding, what } => write!(f, "surface {binding}: {what}"),
            State { what } => f.write_str(what),
            ResponseTooShort { found, needed } => write!(f, "{found} registers asked for, the answer has {needed}: cut off"),
            ResponseTooLong { found, needed } => write!(f, "{found} registers asked for, the answer has only {needed}"),
            NoDestination { found } => write!(f, "{found} registers asked for without a destination, must be 0"),
            EndWithDestination => f.write_str("the last message of a thread has a destination"),
            EndFromRegister => f.write_str("the descriptor that ends the thread comes from a register"),
            EndAt { function } => write!(f, "{function:?} takes no last messages"),
            Overlap { register } => write!(f, "r{register} still waits for the answer to another message"),
            PastTheEnd { first, count } => write!(f, "{count} registers from {first} on run past the end of the file"),
        }
    }
}

impl std::error::Error for MessageError {}

/// What is latched of a message in error, as the hardware's registers show it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorRecord {
    /// Execution unit.
    pub eu: u32,
    /// The thread, numbered in the order of dispatch.
    pub thread: u32,
    /// Identifier of the shared function.
    pub function: u8,
    /// The descriptor, with the lengths of message and response.
    pub descriptor: Descriptor,
    /// First register of the payload.
    pub first: Register,
    /// What is wrong.
    pub error: MessageError,
}

impl fmt::Display for ErrorRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ErrorRecord { eu, thread, function, descriptor, error, .. } = self;
        write!(f, "EU {eu}, thread {thread}, function {function}, descriptor {:#010x}: {error}", descriptor.0)
    }
}
