//! `--dump-config`: all options and parameters as a profile.

use super::{FILES, PARAMETERS, is_allowed};
use crate::args::Args;
use crate::choices::Enhance;
use crate::failure::Failure;
use crate::parameters;
use clap::{Arg, ArgAction, ArgMatches, CommandFactory, ValueEnum};
use dndi::{ColorSpace, SharpenMode, ColorMatrix, Parameters, ColorRange};
use std::fmt::Write;

/// The colours that an input can be in.
fn spaces() -> impl Iterator<Item = ColorSpace> {
    let matrices = [ColorMatrix::Bt601, ColorMatrix::Bt709, ColorMatrix::Bt2020];
    matrices.into_iter().flat_map(|matrix| [ColorRange::Limited, ColorRange::Full].map(|range| ColorSpace { matrix, range }))
}

/// The profile that says what `args`, parsed to `matches`, do. What they leave to the input is left to it.
pub fn dump(args: &Args, matches: &ArgMatches) -> Result<String, Failure> {
    let settings = spaces().map(|space| args.settings(space)).collect::<Result<Vec<_>, _>>()?;
    let first = &settings[0];
    first.parameters.check(false).map_err(|error| Failure::usage(args.parameters_wrong(&error)))?;
    let mut text = format!("# All options and parameters of dndi {}, for --profile.\n\n", env!("CARGO_PKG_VERSION"));
    for option in Args::command().get_arguments().filter(|option| is_allowed(option)) {
        let name = option.get_long().unwrap_or_default();
        match option.get_id().as_str() {
            // What they say stands in the parameters.
            "preset" | "mcdi" => {}
            id if FILES.contains(&id) => {}
            "sharpen" => sharpen(&mut text, first.enhance.filter(|_| first.measured_noise), name),
            "ief" => sharpen(&mut text, first.enhance.filter(|_| !first.measured_noise), name),
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
        // Naming these makes something run, or lets it go by the value.
        let unsaid = parameters::is_scaler(&assigned) && !first.scaler || parameters::is_noise(&assigned) && first.measured_noise;
        let _ = match all.iter().any(|values| values[index] != value) {
            true => writeln!(text, "# {name}: by the input's colours"),
            false => writeln!(text, "{}{name} = {value}", if unsaid { "# " } else { "" }),
        };
        if field.name == "scaler.avs_filter_type" {
            for (name, value) in first.parameters.coefficients.fixed() {
                let _ = writeln!(text, "{} = {value}", name.trim_start_matches("scaler."));
            }
        }
    }
    Ok(text)
}

fn sharpen(text: &mut String, enhance: Option<SharpenMode>, name: &str) {
    let mode = Enhance::value_variants().iter().find(|&&mode| enhance.is_some() && Option::from(mode) == enhance);
    if let Some(value) = mode.and_then(Enhance::to_possible_value) {
        let _ = writeln!(text, "{name} = {:?}", value.get_name());
    }
}

/// What was said of an option, as TOML.
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

/// A basic string of TOML.
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
