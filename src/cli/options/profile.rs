//! Presets and profiles: options and parameters as TOML.
//!
//! Each entry is converted to an argument of a command line, so that it is parsed in the same way.

use super::args::Args;
use super::clap_text::without_usage;
use super::is_standard;
use super::origins::OptionOrigins;
use super::set_option;
use super::similar::similar;
use super::values::Preset;
use crate::error::CliError;
use clap::{Arg, ArgAction, Command, CommandFactory, FromArgMatches};
use dndi::Parameters;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The longest profile, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// The table of the stages' parameters.
pub(super) const PARAMETERS: &str = "parameters";

/// Options of a single run, which a profile cannot hold.
const NOT_IN_PROFILES: [&str; 29] = [
    "input",
    "output",
    "profile",
    "dump_config",
    "set",
    "overwrite",
    "skip",
    "warmup",
    "frames",
    "chunk",
    "only",
    "jobs",
    "stats",
    "encoder_stats",
    "md5",
    "framemd5",
    "timecodes",
    "matches",
    "vebox_state",
    "print_tables",
    "input_format",
    "video_stream",
    "ffmpeg",
    "output_format",
    "print_command",
    "quiet",
    "verbose",
    "help",
    "version",
];

/// Options that name a file. In a profile the name is relative to the folder of the profile.
const FILES: [&str; 6] = ["scaler_state", "sampler_state", "color_state", "gamma_state", "gamut_table", "vertex_table"];

/// Those of them that set parameters.
pub(super) const STATES: [&str; 3] = ["scaler_state", "sampler_state", "color_state"];

/// The arguments of a preset.
pub fn preset(preset: Preset) -> Result<Vec<OsString>, CliError> {
    let (name, text) = match preset {
        Preset::Fast => ("fast", include_str!("../../../profiles/fast.toml")),
        Preset::Default => return Ok(vec![]),
        Preset::Best => ("best", include_str!("../../../profiles/best.toml")),
        Preset::Driver => ("driver", include_str!("../../../profiles/driver.toml")),
    };
    arguments(name, Path::new(""), text).map(|(arguments, _)| arguments)
}

/// The arguments of the profile `path`, and the line of each.
pub fn read(path: &Path) -> Result<(Vec<OsString>, OptionOrigins), CliError> {
    if is_standard(path) {
        return Err(CliError::usage("--profile -: a profile cannot be read from stdin"));
    }
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes));
    read.map_err(|error| CliError::runtime(format_args!("cannot read {name}: {error}")))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(CliError::usage(format_args!("{name}: the profile has more than {MAX_FILE} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| CliError::usage(format_args!("{name}: not UTF-8 text")))?;
    arguments(&name, path.parent().unwrap_or(Path::new("")), &text)
}

/// Whether a profile can hold an option.
pub(super) fn is_allowed(option: &Arg) -> bool {
    option.get_long().is_some() && !NOT_IN_PROFILES.contains(&option.get_id().as_str())
}

/// The arguments of the profile `text`, and the line of each. `name` is its file. Files that it
/// names are relative to `folder`.
fn arguments(name: &str, folder: &Path, text: &str) -> Result<(Vec<OsString>, OptionOrigins), CliError> {
    let line_of = |at: Option<usize>| {
        let line = at.map_or(1, |at| text.as_bytes()[..at.min(text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1);
        format!("{name}: line {line}")
    };
    let wrong = |at: Option<usize>, message: &dyn Display| CliError::usage(format_args!("{}: {message}", line_of(at)));
    let table = DeTable::parse(text).map_err(|error| wrong(error.span().map(|span| span.start), &error.message()))?;
    let command = Args::command();
    // Built once, because each parse would build it again.
    let mut parser = command.clone();
    parser.build();
    let (mut arguments, mut origins) = (Vec::new(), OptionOrigins::default());
    for (key, value) in in_order(table.get_ref()) {
        let at = Some(key.span().start);
        let key = key.get_ref().as_ref();
        if key == PARAMETERS {
            let DeValue::Table(parameters) = value.get_ref() else {
                return Err(wrong(at, &format_args!("{PARAMETERS} is a table, write [{PARAMETERS}]")));
            };
            assignments(parameters, "", &mut |at, name, value| {
                // A value that does not fit i64 is outside the range of every parameter.
                let number = integer(value).ok_or_else(|| wrong(Some(at), &format_args!("{name} takes a whole number")))?;
                Parameters::default().set(name, number).map_err(|error| wrong(Some(at), &set_option::message(&error)))?;
                arguments.push(format!("--set={name}={number}").into());
                origins.add_parameter(name, line_of(Some(at)));
                Ok(())
            })?;
            continue;
        }
        let option = command.get_arguments().find(|option| option.get_long() == Some(key));
        let Some(option) = option.filter(|option| is_allowed(option)) else {
            let message = match option {
                Some(_) => format!("{key} is only for the command line"),
                None => unknown(key, &command),
            };
            return Err(wrong(at, &message));
        };
        let argument = argument(option, value.get_ref(), folder).map_err(|message| wrong(at, &message))?;
        let Some(argument) = argument else { continue };
        // Each argument is parsed separately, so that its error has its line.
        let alone = ["dndi".into(), argument.clone(), "-".into(), "-".into()];
        let matches = parser.try_get_matches_from_mut(alone);
        let parsed = matches.and_then(|matches| Args::from_arg_matches(&matches));
        let parsed = parsed.map_err(|error| wrong(at, &without_usage(&error)))?;
        parsed.color.check_controls().map_err(|message| wrong(at, &message))?;
        arguments.push(argument);
        origins.add_option(key, line_of(at));
    }
    Ok((arguments, origins))
}

/// The message that no option is called `key`, with the similar ones.
fn unknown(key: &str, command: &Command) -> String {
    if Parameters::field(key).is_some() {
        return format!("{key} is a parameter, write it below [{PARAMETERS}]");
    }
    let options = command.get_arguments().filter(|option| is_allowed(option)).filter_map(Arg::get_long);
    let similar = similar(key, options.chain([PARAMETERS]));
    let similar = if similar.is_empty() { String::new() } else { format!("similar: {}; ", similar.join(", ")) };
    format!("no option {key}; {similar}dndi --dump-config prints all options")
}

/// The entries of a table in the order of their lines.
fn in_order<'a, 'i>(table: &'a DeTable<'i>) -> Vec<(&'a Spanned<std::borrow::Cow<'i, str>>, &'a Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// Calls `set` for each value of a table and of its nested tables. Its arguments are the position
/// in the text, the name with its groups, such as `ief.gain_factor`, and the value.
fn assignments(
    table: &DeTable,
    group: &str,
    set: &mut impl FnMut(usize, &str, &DeValue) -> Result<(), CliError>,
) -> Result<(), CliError> {
    for (key, value) in in_order(table) {
        let name = format!("{group}{}", key.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) => assignments(inner, &format!("{name}."), set)?,
            value => set(key.span().start, &name, value)?,
        }
    }
    Ok(())
}

/// A whole number; false is 0 and true is 1. None for other values, and for numbers outside i64.
fn integer(value: &DeValue) -> Option<i64> {
    match value {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
        DeValue::Boolean(flag) => Some((*flag).into()),
        _ => None,
    }
}

/// The argument that sets an option to a value; none if a flag is false. An error begins with the
/// option's name.
fn argument(option: &Arg, value: &DeValue, folder: &Path) -> Result<Option<OsString>, String> {
    let name = option.get_long().unwrap_or_default();
    let flag = matches!(option.get_action(), ArgAction::SetTrue);
    let switch = option.get_possible_values().iter().any(|value| value.matches("on", false));
    let text = match value {
        DeValue::Boolean(on) if flag => return Ok(on.then(|| format!("--{name}").into())),
        _ if flag => return Err(format!("{name} is true or false")),
        DeValue::Boolean(on) if switch => if *on { "on" } else { "off" }.to_owned(),
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(_) => integer(value).ok_or_else(|| format!("{name}: the number is too large"))?.to_string(),
        DeValue::Float(number) => number.as_str().to_owned(),
        _ => return Err(format!("{name} takes a string or a number")),
    };
    let mut argument = OsString::from(format!("--{name}="));
    if FILES.contains(&option.get_id().as_str()) {
        argument.push(folder.join(text))
    } else {
        argument.push(text)
    }
    Ok(Some(argument))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A damaged profile is parsed or is an error, but never a panic.
    #[test]
    fn damaged_profiles() {
        let good = "preset = \"fast\"\nfilm = \"auto\" # so\nthreads = 2\nstd = true\nscale = \"2x\"\nhue = -1.5\n\
                    [parameters]\nstad_th = 0x10\n[parameters.ief]\ngain_factor = 3\n[parameters.scaler]\ntable_0x.1.2 = 3\n";
        assert_eq!(arguments("good", Path::new(""), good).unwrap().0.len(), 9);
        let mut state = 1_u32;
        let mut below = |end: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % end
        };
        let mut refused = 0;
        for _ in 0..300 {
            let mut text = good.as_bytes().to_vec();
            for _ in 0..=below(3) {
                let at = below(text.len());
                match below(4) {
                    0 => text[at] = b"\"'=[].\n#{}0-x\x01"[below(14)],
                    1 => drop(text.remove(at)),
                    2 => text.truncate(at + 1),
                    _ => text.insert(at, text[below(text.len())]),
                }
            }
            let parsed = arguments("p", Path::new(""), &String::from_utf8(text).unwrap());
            refused += u32::from(parsed.is_err());
        }
        assert!((100..300).contains(&refused), "{refused}");
    }
}
