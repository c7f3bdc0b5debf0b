//! The error of a name that no value has.
use std::fmt;

/// An unknown name of a value, from the `FromStr` of an enum. The message lists the known names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// The kind of value that was expected.
    kind: &'static str,
    /// The unknown name.
    name: String,
    /// The known names.
    names: &'static [&'static str],
}

impl NameError {
    /// The element of `values` whose name, at the same index of `names`, is `name`; case does not
    /// matter. `kind` names the type in the message.
    pub(crate) fn find<T: Copy>(
        kind: &'static str,
        name: &str,
        names: &'static [&'static str],
        values: &[T],
    ) -> Result<T, NameError> {
        let found = names.iter().zip(values).find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, &value)| value).ok_or_else(|| NameError { kind, name: name.to_owned(), names })
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} '{}'; there are: {}", self.kind, self.name, self.names.join(", "))
    }
}

impl std::error::Error for NameError {}
