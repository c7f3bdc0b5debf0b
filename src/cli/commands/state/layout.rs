//! The structure that the user chose: one of the library, or one of the reference.

use super::explain::explain;
use super::{checked, tables};
use crate::error::CliError;
use dndi::gen6::reference::{ReferenceField, ReferenceStructure};
use dndi::gen6::state::Structure;

/// A structure.
pub enum Layout {
    /// One with checked values.
    Checked(&'static Structure),
    /// One of the tables of the reference, with its fields.
    Table(ReferenceStructure, Vec<ReferenceField>),
}

impl Layout {
    /// The structure called `name`: one of the library, unless `reference` is set or it has none of
    /// this name.
    pub fn named(name: &str, reference: bool) -> Result<Layout, CliError> {
        let table = || ReferenceStructure::named(name).map(|structure| Layout::Table(structure, structure.fields()));
        if reference {
            return table().map_err(|error| CliError::usage(format_args!("{error} in the reference; see dndi state list")));
        }
        let unknown = match Structure::named(name) {
            Ok(structure) => return Ok(Layout::Checked(structure)),
            Err(error) => error,
        };
        table().map_err(|_| CliError::usage(format_args!("{unknown}, and those of dndi state list")))
    }

    /// The structures with checked values that have `count` DWords.
    pub fn of_size(count: usize) -> Vec<Layout> {
        Structure::all().filter(|structure| structure.dwords == count).map(Layout::Checked).collect()
    }

    /// Whether `encode` checks its result: values that exclude each other.
    pub fn is_checked(&self) -> bool {
        matches!(self, Layout::Checked(_))
    }

    pub fn name(&self) -> &'static str {
        match self {
            Layout::Checked(structure) => structure.name,
            Layout::Table(structure, _) => structure.name(),
        }
    }

    pub fn dwords(&self) -> usize {
        match self {
            Layout::Checked(structure) => structure.dwords,
            Layout::Table(structure, _) => structure.dwords(),
        }
    }

    /// Checks that `dwords` is a state of the structure.
    pub fn check(&self, dwords: &[u32], strict: bool) -> Result<(), String> {
        match self {
            Layout::Checked(structure) => structure.check(dwords, strict).map_err(|error| error.to_string()),
            Layout::Table(structure, _) => structure.check(dwords, strict).map_err(|error| error.to_string()),
        }
    }

    /// A line `NAME=VALUE` for each field.
    pub fn as_lines(&self, dwords: &[u32]) -> String {
        match self {
            Layout::Checked(structure) => checked::as_lines(structure, dwords),
            Layout::Table(_, fields) => tables::as_lines(fields, dwords),
        }
    }

    /// All values as JSON.
    pub fn as_json(&self, dwords: &[u32]) -> String {
        match self {
            Layout::Checked(structure) => checked::as_json(structure, dwords),
            Layout::Table(structure, fields) => tables::as_json(structure, fields, dwords),
        }
    }

    /// A table of all bits.
    pub fn explain(&self, dwords: &[u32]) -> String {
        match self {
            Layout::Checked(structure) => explain(structure, dwords),
            Layout::Table(structure, fields) => tables::explain(structure, fields, dwords),
        }
    }

    /// The DWords with all fields at their defaults.
    pub fn defaults(&self) -> Vec<u32> {
        match self {
            Layout::Checked(structure) => structure.defaults(),
            Layout::Table(structure, _) => structure.defaults(),
        }
    }

    /// Sets the field of `NAME=VALUE` in `dwords`.
    pub fn assign(&self, dwords: &mut [u32], assignment: &str) -> Result<(), String> {
        // Names in the reference may hold =, values never do.
        let Some((name, text)) = assignment.rsplit_once('=') else {
            return Err(format!("write NAME=VALUE, not \"{}\"", assignment.trim()));
        };
        let (name, text) = (name.trim(), text.trim());
        match self {
            Layout::Checked(structure) => checked::assign(structure, dwords, name, text),
            Layout::Table(structure, fields) => tables::assign(structure, fields, dwords, name, text),
        }
    }
}
