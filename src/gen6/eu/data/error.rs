//! Errors of messages and programs, and the record of a message in error (§7.2, volume 4 part 1,
//! table 1-1).
use super::descriptor::{Descriptor, SharedFunction};
use super::register::Register;
use crate::gen6::state::StateError;
use std::error::Error;
use std::fmt;

/// The reason why a message is in error. No error stops the simulation: it goes on with the next
/// message.
///
/// Unless a variant says otherwise, the message has no effect, and the registers of its response
/// stay in flight.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MessageError {
    /// No shared function has this identifier. If the message ends its thread, the thread hangs.
    SharedFunction {
        /// The identifier.
        identifier: u8,
    },
    /// An opcode that the shared function does not have, or whose message no document describes.
    Opcode {
        /// The function.
        function: SharedFunction,
        /// The function control: bits 18:0 of the descriptor.
        control: u32,
    },
    /// A message that is too long or too short.
    Length {
        /// Length of the message in registers.
        found: usize,
        /// Length required, in registers.
        needed: usize,
    },
    /// A value in the payload that is not allowed.
    Payload {
        /// The condition that is violated.
        reason: &'static str,
        /// The DWord that violates it.
        value: u32,
    },
    /// A surface that the message does not support.
    Surface {
        /// Binding table index of the surface.
        binding: u8,
        /// The property that is not supported.
        reason: &'static str,
    },
    /// A state that the message does not support.
    State(StateError),
    /// The response is longer than the response length of the descriptor. The first registers are
    /// written.
    ResponseTooShort {
        /// Response length of the descriptor, in registers.
        found: usize,
        /// Length of the response, in registers.
        needed: usize,
    },
    /// The response is shorter than the response length of the descriptor. The response is written,
    /// the other registers stay in flight.
    ResponseTooLong {
        /// Response length of the descriptor, in registers.
        found: usize,
        /// Length of the response, in registers.
        needed: usize,
    },
    /// A response length above 0 without a destination. The message has its effect, the response is
    /// dropped.
    NoDestination {
        /// Response length of the descriptor, in registers.
        found: usize,
    },
    /// The message that ends the thread has a destination. The message is not sent, and the thread
    /// hangs.
    EndWithDestination,
    /// The descriptor of a message that ends the thread comes from a register, where the
    /// end-of-thread bit is ignored. The message is sent without this bit.
    EndFromRegister,
    /// A shared function that cannot take the last message of a thread. The message is not sent,
    /// and the thread hangs.
    EndAt {
        /// The function.
        function: SharedFunction,
    },
    /// Registers of the destination are in flight for another message.
    Overlap {
        /// The first of these registers.
        register: usize,
    },
    /// The payload exceeds m15, or the destination exceeds r127. If the message ends its thread,
    /// the thread hangs.
    PastTheEnd {
        /// First register.
        first: usize,
        /// Number of registers.
        count: usize,
    },
}

impl MessageError {
    /// Whether the message had its effect in spite of the error.
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
            Opcode { function, control } => {
                write!(f, "the documents describe no message to the {function} with function control {control:#07x}")
            }
            Length { found, needed } => write!(f, "message length {found}, {needed} required"),
            Payload { reason, value } => write!(f, "{reason}: {value:#x}"),
            Surface { binding, reason } => write!(f, "surface {binding}: {reason}"),
            State(error) => error.fmt(f),
            ResponseTooShort { found, needed } => write!(f, "response length {found}, the response has {needed} registers"),
            ResponseTooLong { found, needed } => write!(f, "response length {found}, the response has only {needed} registers"),
            NoDestination { found } => write!(f, "response length {found} without a destination, must be 0"),
            EndWithDestination => f.write_str("the message that ends the thread has a destination"),
            EndFromRegister => f.write_str("the descriptor that ends the thread comes from a register"),
            EndAt { function } => write!(f, "the {function} cannot end a thread"),
            Overlap { register } => write!(f, "r{register} is in flight for another message"),
            PastTheEnd { first, count } => write!(f, "{count} registers from {first} on exceed the register file"),
        }
    }
}

impl Error for MessageError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        if let MessageError::State(error) = self { Some(error) } else { None }
    }
}

impl From<StateError> for MessageError {
    fn from(error: StateError) -> MessageError {
        MessageError::State(error)
    }
}

/// The record of a message in error, with the contents of the error registers of the hardware.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ErrorRecord {
    /// Number of the execution unit, from 0.
    pub eu: u32,
    /// Number of the thread in the order of dispatch, from 0.
    pub thread: u32,
    /// Identifier of the shared function.
    pub function: u8,
    /// The descriptor, with the lengths of message and response.
    pub descriptor: Descriptor,
    /// First register of the payload.
    pub first: Register,
    /// The error.
    pub error: MessageError,
}

impl fmt::Display for ErrorRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ErrorRecord { eu, thread, function, descriptor, error, .. } = self;
        write!(f, "EU {eu}, thread {thread}, function {function}, descriptor {:#010x}: {error}", descriptor.0)
    }
}

impl Error for ErrorRecord {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

/// The reason why a kernel cannot be built, or why its threads cannot be dispatched.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProgramError {
    /// An instruction that no thread can execute.
    Instruction {
        /// Number of the instruction, from 0.
        number: usize,
        /// The condition that is violated.
        reason: &'static str,
    },
    /// A line of text that is no instruction, or none that a thread can execute.
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// The condition that is violated, with the text that violates it.
        reason: String,
    },
    /// More constants than fit the registers from r2 on.
    Constants {
        /// Constants given.
        found: usize,
        /// Constants allowed, at most.
        max: usize,
    },
    /// More threads than numbers of 32 bits.
    Threads {
        /// Threads given.
        found: usize,
    },
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProgramError::Instruction { number, reason } => write!(f, "instruction {number}: {reason}"),
            ProgramError::Line { line, reason } => write!(f, "line {line}: {reason}"),
            ProgramError::Constants { found, max } => write!(f, "{found} constants; a thread has registers for {max}"),
            ProgramError::Threads { found } => write!(f, "{found} threads; their numbers have 32 bits"),
        }
    }
}

impl Error for ProgramError {}
