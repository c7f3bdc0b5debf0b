//! Errors of the message engine.
use crate::error::{EngineError, Error};
use crate::gen6::eu::run::program::Report;
use crate::gen6::state::StateError;
use std::fmt;

/// The reason why a [`Driver`](crate::gen6::eu::Driver) cannot be built or a call cannot be served.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DriverError {
    /// An error that a [`Stream`](crate::Stream) of the same settings returns, too.
    Stream(Error),
    /// A setting that no message of the hardware can express.
    Unsupported(
        /// The setting.
        &'static str,
    ),
    /// A picture size that the surfaces or the memory of the hardware cannot hold.
    Size {
        /// Luma samples in a line.
        width: usize,
        /// Luma lines.
        height: usize,
        /// The requirement that is violated.
        needs: &'static str,
    },
    /// Values that their state cannot hold.
    State(StateError),
    /// Messages in error, or threads that hung.
    Messages(Report),
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DriverError::Stream(error) => error.fmt(f),
            DriverError::Unsupported(what) => write!(f, "messages do not support {what}"),
            DriverError::Size { width, height, needs } => write!(f, "picture size {width}x{height}: {needs}"),
            DriverError::State(error) => error.fmt(f),
            DriverError::Messages(report) => match report.errors.first() {
                Some(record) => write!(f, "a message is in error: {record}"),
                None => write!(f, "{} threads hung", report.hung.len()),
            },
        }
    }
}

impl std::error::Error for DriverError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            DriverError::Stream(error) => Some(error),
            DriverError::State(error) => Some(error),
            DriverError::Messages(report) => report.errors.first().map(|record| record as _),
            DriverError::Unsupported(_) | DriverError::Size { .. } => None,
        }
    }
}

impl From<Error> for DriverError {
    fn from(error: Error) -> DriverError {
        DriverError::Stream(error)
    }
}

impl From<StateError> for DriverError {
    fn from(error: StateError) -> DriverError {
        DriverError::State(error)
    }
}

/// The error of a conversion: that of the stream, or [`Error::Engine`].
impl From<DriverError> for Error {
    fn from(error: DriverError) -> Error {
        match error {
            DriverError::Stream(error) => error,
            error => Error::Engine(EngineError::new(error)),
        }
    }
}

/// The error for a run with messages in error or threads that hung.
pub(super) fn completed(report: Report) -> Result<(), DriverError> {
    if report.is_clean() { Ok(()) } else { Err(DriverError::Messages(report)) }
}
