//! `--set NAME=VALUE` and the table of the parameters (§8.1).

use super::similar::similar;
use crate::error::CliError;
use dndi::{ParameterError, Parameters};
use std::fmt::Write;

/// Sets the parameter that `assignment`, `NAME=VALUE`, names.
pub fn set(parameters: &mut Parameters, assignment: &str) -> Result<(), CliError> {
    let wrong = |error: String| Err(CliError::usage(format_args!("--set {assignment}: {error}")));
    let Some((name, value)) = assignment.split_once('=') else {
        return wrong("write NAME=VALUE, such as stad_th=128".to_owned());
    };
    // Text that is no i64 is replaced by a value outside every range, so that the error has the
    // range.
    let value = value.trim().parse().unwrap_or(i64::MAX);
    match parameters.set(name.trim(), value) {
        Ok(()) => Ok(()),
        Err(ParameterError::Range { name, min, max, .. }) if value == i64::MAX => {
            wrong(format!("{name} takes a whole number of {min}…{max}"))
        }
        Err(error) => wrong(message(&error)),
    }
}

/// The message of an error. For an unknown name it has the similar names, with their ranges.
pub fn message(error: &ParameterError) -> String {
    let ParameterError::Unknown { name, known } = error else { return error.to_string() };
    let similar = similar(name, Parameters::fields().map(|field| field.name));
    let ranges = similar.into_iter().filter_map(Parameters::field);
    let ranges: Vec<_> = ranges.map(|field| format!("{}={}…{}", field.name, field.min, field.max)).collect();
    match known.first().and_then(|field| field.group()) {
        _ if !ranges.is_empty() => format!("no parameter '{name}'; similar: {}; dndi --help lists all", ranges.join(", ")),
        // The colour pipe has too many parameters to list them in one line.
        Some("color") => format!("no parameter '{name}'; dndi --help lists those of the colour pipe"),
        _ => error.to_string(),
    }
}

/// Whether `assignment` sets a parameter of the scaler.
pub fn is_scaler(assignment: &str) -> bool {
    plain(assignment).starts_with("scaler.")
}

/// Whether `assignment` sets the noise level of the sharpening filter.
pub fn is_noise(assignment: &str) -> bool {
    canonical(assignment) == "ief.global_noise_estimation"
}

/// The canonical name of the parameter that `assignment` sets, or the name as written if there is
/// none.
pub fn canonical(assignment: &str) -> String {
    let name = assignment.split('=').next().unwrap_or_default().trim();
    Parameters::field(name).map_or_else(|| name.to_owned(), |field| field.name.to_owned())
}

/// The name of the parameter in lower case without underscores, for comparison.
fn plain(assignment: &str) -> String {
    let (name, _) = assignment.split_once('=').unwrap_or((assignment, ""));
    name.trim().replace('_', "").to_ascii_lowercase()
}

/// A table for the help text: each parameter with range, default and meaning on one line.
pub fn table() -> String {
    let mut table = format!("  {:<39} {:>9} {:>8}\n", "NAME", "RANGE", "DEFAULT");
    for field in Parameters::fields() {
        let range = format!("{}…{}", field.min, field.max);
        let _ = writeln!(table, "  {:<39} {range:>9} {:>8}  {}", field.name, field.default, field.about);
    }
    table + "  scaler.table_{0x,0y,1x,1y}.B.K            -128…127           one coefficient: row B, tap K\n"
}
