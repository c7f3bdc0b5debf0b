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
        // The colour pipe has too many for a line.
        Err(ParameterError::Unknown { name }) if is_color(&name) => {
            wrong(format!("no parameter '{name}'; dndi --help lists those of the colour pipe"))
        }
        Err(error) => wrong(error.to_string()),
    }
}

fn is_color(name: &str) -> bool {
    plain(name).starts_with("color.")
}

/// Whether `assignment` is about the scaler.
pub fn is_scaler(assignment: &str) -> bool {
    plain(assignment).starts_with("scaler.")
}

/// Whether `assignment` sets the noise level that the enhancement goes by.
pub fn is_noise(assignment: &str) -> bool {
    canonical(assignment) == "ief.global_noise_estimation"
}

/// The canonical name of the parameter that `assignment` is about, or else what is written.
pub fn canonical(assignment: &str) -> String {
    let name = plain(assignment);
    let mut fields = Parameters::fields();
    let known = fields.find(|field| field.aliases.iter().chain([&field.name]).any(|known| plain(known) == name));
    known.map_or_else(|| assignment.split('=').next().unwrap_or_default().trim().to_owned(), |field| field.name.to_owned())
}

/// The name that is assigned to, without what does not matter.
fn plain(assignment: &str) -> String {
    let (name, _) = assignment.split_once('=').unwrap_or((assignment, ""));
    name.trim().replace('_', "").to_ascii_lowercase()
}

/// All parameters with range, default and meaning, a line each.
pub fn table() -> String {
    let mut table = format!("  {:<39} {:>9} {:>8}\n", "NAME", "RANGE", "DEFAULT");
    for field in Parameters::fields() {
        let range = format!("{}…{}", field.min, field.max);
        let _ = writeln!(table, "  {:<39} {range:>9} {:>8}  {}", field.name, field.default, field.about);
    }
    table + "  scaler.table_{0x,0y,1x,1y}.B.K            -128…127           one coefficient: row B, tap K\n"
}
