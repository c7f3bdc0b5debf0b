//! Presets and profiles: options and parameters as TOML. Their entries become words of a command line, so that they mean the same.

use super::args::Args;
use super::clap_text::without_usage;
use super::is_standard;
use super::origins::OptionOrigins;
use super::values::Preset;
use crate::error::CliError;
use clap::{Arg, ArgAction, CommandFactory, FromArgMatches};
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
const NOT_IN_PROFILES: [&str; 19] = [
    "input",
    "output",
    "profile",
    "dump_config",
    "set",
    "overwrite",
    "skip",
    "warmup",
    "frames",
    "stats",
    "md5",
    "framemd5",
    "timecodes",
    "matches",
    "print_tables",
    "quiet",
    "verbose",
    "help",
    "version",
];

/// Options that name a file, relative to the folder of the profile.
pub(super) const FILES: [&str; 3] = ["scaler_state", "sampler_state", "color_state"];

/// The words of a preset.
pub fn preset(preset: Preset) -> Result<Vec<OsString>, CliError> {
    let (name, text) = match preset {
        Preset::Fast => ("fast", include_str!("../../../profiles/fast.toml")),
        Preset::Default => return Ok(vec![]),
        Preset::Best => ("best", include_str!("../../../profiles/best.toml")),
        Preset::Driver => ("driver", include_str!("../../../profiles/driver.toml")),
    };
    words(name, Path::new(""), text).map(|(words, _)| words)
}

/// The words of the profile `path`, and the line of each.
pub fn read(path: &Path) -> Result<(Vec<OsString>, OptionOrigins), CliError> {
    if is_standard(path) {
        return Err(CliError::usage("a profile is read from a file, not from stdin"));
    }
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes));
    read.map_err(|error| CliError::runtime(format_args!("cannot read {name}: {error}")))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(CliError::usage(format_args!("{name}: a profile of more than {MAX_FILE} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| CliError::usage(format_args!("{name}: not UTF-8 text")))?;
    words(&name, path.parent().unwrap_or(Path::new("")), &text)
}

/// Whether a profile can hold an option.
pub(super) fn is_allowed(option: &Arg) -> bool {
    option.get_long().is_some() && !NOT_IN_PROFILES.contains(&option.get_id().as_str())
}

/// The words of the profile `text`; files that it names are relative to `folder`.
fn words(name: &str, folder: &Path, text: &str) -> Result<(Vec<OsString>, OptionOrigins), CliError> {
    let line_of = |at: Option<usize>| {
        let line = at.map_or(1, |at| text.as_bytes()[..at.min(text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1);
        format!("{name}: line {line}")
    };
    let wrong = |at: Option<usize>, what: &dyn Display| CliError::usage(format_args!("{}: {what}", line_of(at)));
    let table = DeTable::parse(text).map_err(|error| wrong(error.span().map(|span| span.start), &error.message()))?;
    let command = Args::command();
    let (mut words, mut origins) = (Vec::new(), OptionOrigins::default());
    for (key, value) in in_order(table.get_ref()) {
        let at = Some(key.span().start);
        let key = key.get_ref().as_ref();
        if key == PARAMETERS {
            let DeValue::Table(parameters) = value.get_ref() else {
                return Err(wrong(at, &format_args!("{PARAMETERS} is a table: [{PARAMETERS}]")));
            };
            assignments(parameters, "", &mut |at, name, value| {
                // No value is as large: a name that exists answers with its range.
                let number = integer(value).ok_or_else(|| wrong(Some(at), &format_args!("{name} takes a whole number")))?;
                Parameters::default().set(name, number).map_err(|error| wrong(Some(at), &error))?;
                words.push(format!("--set={name}={number}").into());
                origins.add_parameter(name, line_of(Some(at)));
                Ok(())
            })?;
            continue;
        }
        let option = command.get_arguments().find(|option| option.get_long() == Some(key));
        let Some(option) = option.filter(|option| is_allowed(option)) else {
            let what = match option {
                Some(_) => format!("{key} is only for the command line"),
                None => format!("no option {key}; see dndi --help, or --dump-config for all"),
            };
            return Err(wrong(at, &what));
        };
        let Some(word) = word(option, value.get_ref(), folder).map_err(|what| wrong(at, &what))? else { continue };
        // Each is parsed by itself, so that its error has its line.
        let alone = ["dndi".into(), word.clone(), "-".into(), "-".into()];
        let matches = command.clone().try_get_matches_from(alone);
        let parsed = matches.and_then(|matches| Args::from_arg_matches(&matches));
        let parsed = parsed.map_err(|error| wrong(at, &without_usage(&error)))?;
        parsed.color.check_controls().map_err(|what| wrong(at, &what))?;
        words.push(word);
        origins.add_option(key, line_of(at));
    }
    Ok((words, origins))
}

/// The entries of a table in the order of their lines.
fn in_order<'a, 'i>(table: &'a DeTable<'i>) -> Vec<(&'a Spanned<std::borrow::Cow<'i, str>>, &'a Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// Hands each value of a table, and of nested ones, to `set`: its position, its name with its groups, and itself.
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

/// A whole number, or a flag as one.
fn integer(value: &DeValue) -> Option<i64> {
    match value {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
        DeValue::Boolean(flag) => Some((*flag).into()),
        _ => None,
    }
}

/// The word for an option's value, if it needs one; or the error.
fn word(option: &Arg, value: &DeValue, folder: &Path) -> Result<Option<OsString>, String> {
    let name = option.get_long().unwrap_or_default();
    let flag = matches!(option.get_action(), ArgAction::SetTrue);
    let switch = option.get_possible_values().iter().any(|value| value.matches("on", false));
    let text = match value {
        DeValue::Boolean(on) if flag => return Ok(on.then(|| format!("--{name}").into())),
        _ if flag => return Err(format!("{name} is true or false")),
        DeValue::Boolean(on) if switch => if *on { "on" } else { "off" }.to_owned(),
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(_) => integer(value).ok_or("too large a number")?.to_string(),
        DeValue::Float(number) => number.as_str().to_owned(),
        _ => return Err(format!("{name} takes a string or a number")),
    };
    let mut word = OsString::from(format!("--{name}="));
    if FILES.contains(&option.get_id().as_str()) {
        word.push(folder.join(text))
    } else {
        word.push(text)
    }
    Ok(Some(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any damaged profile is accepted or refused with the number of the line.
    #[test]
    fn damaged_profiles() {
        let good = "preset = \"fast\"\nfilm = \"auto\" # so\nthreads = 2\nstd = true\nscale = \"2x\"\nhue = -1.5\n\
                    [parameters]\nstad_th = 0x10\n[parameters.ief]\ngain_factor = 3\n[parameters.scaler]\ntable_0x.1.2 = 3\n";
        assert_eq!(words("good", Path::new(""), good).unwrap().0.len(), 9);
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
            let told = words("p", Path::new(""), &String::from_utf8(text).unwrap());
            refused += u32::from(told.is_err());
        }
        assert!((100..300).contains(&refused), "{refused}");
    }
}
