//! `--dump-config`: all options and parameters as a profile.

use super::args::Args;
use super::layers::Options;
use super::profile::{PARAMETERS, STATES, is_allowed};
use super::set_option;
use super::values::Sharpen;
use crate::error::CliError;
use clap::{Arg, ArgAction, ArgMatches, CommandFactory, ValueEnum};
use dndi::{ColorMatrix, ColorRange, ColorSpace, Parameters, SharpenMode};
use std::fmt::Write;

/// Depths of the input with which conversions differ.
const DEPTHS: [u8; 2] = [8, 16];

/// The colour spaces that an input can have.
fn spaces() -> impl Iterator<Item = ColorSpace> {
    let matrices = [ColorMatrix::Bt601, ColorMatrix::Bt709, ColorMatrix::Bt2020];
    matrices.into_iter().flat_map(|matrix| [ColorRange::Limited, ColorRange::Full].map(|range| ColorSpace { matrix, range }))
}

/// The profile of `options`, which clap parsed as `matches`. Values that depend on the input are
/// written as comments.
pub fn dump(options: &Options, matches: &ArgMatches) -> Result<String, CliError> {
    let settings =
        spaces().flat_map(|space| DEPTHS.map(|depth| options.stage_settings(space, depth))).collect::<Result<Vec<_>, _>>()?;
    let first = &settings[0];
    first.parameters.check(false).map_err(|error| CliError::usage(options.parameter_error(&error)))?;
    let mut text = format!("# All options and parameters of dndi {}, for --profile.\n\n", env!("CARGO_PKG_VERSION"));
    for option in Args::command().get_arguments().filter(|option| is_allowed(option)) {
        let name = option.get_long().unwrap_or_default();
        match option.get_id().as_str() {
            // The parameters include the effect of these options.
            "preset" | "mcdi" => {}
            id if STATES.contains(&id) => {}
            "sharpen" => sharpen(&mut text, first.sharpen.filter(|_| first.measured_noise), name),
            "ief" => sharpen(&mut text, first.sharpen.filter(|_| !first.measured_noise), name),
            id => {
                for value in values(option, id, matches) {
                    let _ = writeln!(text, "{name} = {value}");
                }
            }
        }
    }
    let _ = write!(text, "\n[{PARAMETERS}]\n");
    let all = settings.iter().map(|settings| settings.parameters.values().collect::<Vec<_>>()).collect::<Vec<_>>();
    let mut group = "";
    for (index, field) in Parameters::fields().enumerate() {
        let (table, name) = field.name.split_once('.').unwrap_or(("", field.name));
        if table != group {
            let _ = write!(text, "\n[{PARAMETERS}.{table}]\n");
            group = table;
        }
        let value = all[0][index];
        let assigned = format!("{}={value}", field.name);
        // Setting these parameters enables the scaler, or disables the adaptation to noise.
        let commented_out =
            set_option::is_scaler(&assigned) && !first.scaler || set_option::is_noise(&assigned) && first.measured_noise;
        let _ = match all.iter().any(|values| values[index] != value) {
            true => writeln!(text, "# {name}: depends on the colour space and the depth of the input"),
            false => writeln!(text, "{}{name} = {value}", if commented_out { "# " } else { "" }),
        };
        if field.name == "scaler.avs_filter_type" {
            for (name, value) in first.parameters.coefficients.fixed() {
                let _ = writeln!(text, "{} = {value}", name.trim_start_matches("scaler."));
            }
        }
    }
    Ok(text)
}

/// Appends `--sharpen` or `--ief`, called `name`, with this mode, if there is one.
fn sharpen(text: &mut String, mode: Option<SharpenMode>, name: &str) {
    let value = Sharpen::value_variants().iter().find(|&&value| mode.is_some() && Option::from(value) == mode);
    if let Some(value) = value.and_then(Sharpen::to_possible_value) {
        let _ = writeln!(text, "{name} = {:?}", value.get_name());
    }
}

/// The values of an option as TOML.
fn values(option: &Arg, id: &str, matches: &ArgMatches) -> Vec<String> {
    if matches!(option.get_action(), ArgAction::SetTrue) {
        return if matches.get_flag(id) { vec!["true".to_owned()] } else { vec![] };
    }
    let raw = matches.get_raw(id).into_iter().flatten();
    raw.map(|value| {
        let value = value.to_string_lossy();
        let number = value.parse::<i64>().is_ok_and(|number| number.to_string() == value);
        let float = || value.parse::<f64>().is_ok_and(|number| number.is_finite() && format!("{number:?}") == value);
        if number || float() { value.into_owned() } else { quoted(&value) }
    })
    .collect()
}

/// The text as a basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if character.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted + "\""
}
