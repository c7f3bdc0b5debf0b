//! The error of the bindings.
use std::fmt;

/// The kind of an error, for hosts whose callers distinguish errors by a code or a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An unknown option, or a value that the option does not take.
    Option,
    /// Planes, sizes or depths that do not fit, or options that contradict the clip.
    Input,
    /// A frame after the end of the clip.
    Ended,
    /// A lack of memory.
    Memory,
}

/// An error with its message.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    kind: Kind,
    message: String,
}

impl Error {
    /// An error of an option.
    pub fn option(name: &str, message: impl fmt::Display) -> Error {
        Error { kind: Kind::Option, message: format!("{name}: {message}") }
    }

    /// An error of an input.
    pub fn input(message: impl fmt::Display) -> Error {
        Error { kind: Kind::Input, message: message.to_string() }
    }

    /// The kind of the error.
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<dndi::Error> for Error {
    fn from(error: dndi::Error) -> Error {
        let kind = match error {
            dndi::Error::OutOfMemory(_) => Kind::Memory,
            dndi::Error::Ended => Kind::Ended,
            dndi::Error::Parameter(_) | dndi::Error::Options(_) | dndi::Error::SimdLevel(_) => Kind::Option,
            _ => Kind::Input,
        };
        Error { kind, message: error.to_string() }
    }
}

impl From<dndi::OutOfMemory> for Error {
    fn from(error: dndi::OutOfMemory) -> Error {
        dndi::Error::from(error).into()
    }
}
