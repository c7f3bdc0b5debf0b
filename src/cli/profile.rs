//! Presets and profiles: options and parameters as TOML. What they say is turned into words of a command line, so that it means the same.

pub mod dump;
mod places;

use crate::args::Args;
use crate::failure::Failure;
use crate::files;
use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, ValueEnum};
use dndi::Parameters;
pub use places::Places;
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
const PARAMETERS: &str = "parameters";

/// Options that tell of one run, not of how it is done.
const NOT_IN_PROFILES: [&str; 21] = [
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
    "cadence",
    "print_tables",
    "quiet",
    "verbose",
    "help",
    "version",
    "layers",
    "field",
];

/// Options that name a file, which is looked for beside the profile.
const FILES: [&str; 3] = ["scaler_state", "sampler_state", "color_state"];

/// `--preset`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// Less work for nearly the same picture
    Fast,
    /// What is done where nothing is said
    Default,
    /// The best picture, whatever it takes
    Best,
    /// What the open drivers of the hardware program, and what the hardware does
    Driver,
}

impl Preset {
    /// The words of a command line that say the same.
    pub fn words(self) -> Result<Vec<OsString>, Failure> {
        let (name, text) = match self {
            Preset::Fast => ("fast", include_str!("../../profiles/fast.toml")),
            Preset::Default => return Ok(vec![]),
            Preset::Best => ("best", include_str!("../../profiles/best.toml")),
            Preset::Driver => ("driver", include_str!("../../profiles/driver.toml")),
        };
        words(name, Path::new(""), text).map(|(words, _)| words)
    }
}

/// The words that say what the profile `path` does, and where in it each stands.
pub fn read(path: &Path) -> Result<(Vec<OsString>, Places), Failure> {
    if files::is_standard(path) {
        return Err(Failure::usage("a profile is read from a file, - is none: stdin is left to the video"));
    }
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes));
    read.map_err(|error| Failure::runtime(format_args!("cannot read {name}: {error}")))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(Failure::usage(format_args!("{name}: a profile of more than {MAX_FILE} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| Failure::usage(format_args!("{name}: not a text in UTF-8")))?;
    words(&name, path.parent().unwrap_or(Path::new("")), &text)
}

/// Whether an option can stand in a profile.
fn is_allowed(option: &Arg) -> bool {
    option.get_long().is_some() && !NOT_IN_PROFILES.contains(&option.get_id().as_str())
}

/// The words that say what `text` does; files that it names are looked for in `folder`.
fn words(name: &str, folder: &Path, text: &str) -> Result<(Vec<OsString>, Places), Failure> {
    let place = |at: Option<usize>| {
        let line = at.map_or(1, |at| text.as_bytes()[..at.min(text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1);
        format!("{name}: line {line}")
    };
    let wrong = |at: Option<usize>, what: &dyn Display| Failure::usage(format_args!("{}: {what}", place(at)));
    let table = DeTable::parse(text).map_err(|error| wrong(error.span().map(|span| span.start), &error.message()))?;
    let command = Args::command();
    let (mut words, mut places) = (Vec::new(), Places::default());
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
                places.parameter(name, place(Some(at)));
                Ok(())
            })?;
            continue;
        }
        let option = command.get_arguments().find(|option| option.get_long() == Some(key));
        let Some(option) = option.filter(|option| is_allowed(option)) else {
            let what = match option {
                Some(_) => format!("{key} is for the command line alone"),
                None => format!("no option {key}; see dndi --help, or --dump-config for all"),
            };
            return Err(wrong(at, &what));
        };
        let Some(word) = word(option, value.get_ref(), folder).map_err(|what| wrong(at, &what))? else { continue };
        // Each by itself, so that what is wrong has its line.
        let alone = ["dndi".into(), word.clone(), "-".into(), "-".into()];
        let matches = command.clone().try_get_matches_from(alone);
        let said = matches.and_then(|matches| Args::from_arg_matches(&matches));
        let said = said.map_err(|error| wrong(at, &crate::parse::what_is_wrong(&error)))?;
        said.color.check_knobs().map_err(|what| wrong(at, &what))?;
        words.push(word);
        places.option(key, place(at));
    }
    Ok((words, places))
}

/// What a table says, line by line.
fn in_order<'a, 'i>(table: &'a DeTable<'i>) -> Vec<(&'a Spanned<std::borrow::Cow<'i, str>>, &'a Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// Hands each value of a table, and of those inside it, to `set`: where it stands, its name with the groups before it, and itself.
fn assignments(
    table: &DeTable,
    group: &str,
    set: &mut impl FnMut(usize, &str, &DeValue) -> Result<(), Failure>,
) -> Result<(), Failure> {
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

/// The word that says what an option's value does, if one must; or what is wrong.
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
        _ => return Err(format!("{name} takes a text or a number")),
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

    /// Whatever a profile says, it is understood or refused in a line with its number.
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
