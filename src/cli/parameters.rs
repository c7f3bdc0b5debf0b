//! `--set NAME=VALUE` and the table of what can be set (§8.1).

use crate::failure::Failure;
use dndi::{ParameterError, Parameters};
use std::fmt::Write;

/// Sets the parameter that `assignment`, `NAME=VALUE`, names.
pub fn set(parameters: &mut Parameters, assignment: &str) -> Result<(), Failure> {
    let wrong = |what: String| Err(Failure::usage(format_args!("--set {assignment}: {what}")));
    let Some((name, value)) = assignment.split_once('=') else {
        return wrong("write NAME=VALUE, such as stad_th=128".to_owned());
    };
    // No value is as large: a name that exists answers with its range.
    let value = value.trim().parse().unwrap_or(i64::MAX);
    match parameters.set(name.trim(), value) {
        Ok(()) => Ok(()),
        Err(ParameterError::Range { name, min, max, .. }) if value == i64::MAX => {
            wrong(format!("{name} takes a whole number of {min}…{max}"))
        }
        Err(error) => wrong(error.to_string()),
    }
}

/// All parameters with range, default and meaning, a line each.
pub fn table() -> String {
    let mut table = format!("  {:<24} {:>9} {:>8}\n", "NAME", "RANGE", "DEFAULT");
    for field in Parameters::fields() {
        let range = format!("{}…{}", field.min, field.max);
        let _ = writeln!(table, "  {:<24} {range:>9} {:>8}  {}", field.name, field.default, field.about);
    }
    table
}
