//! `dndi state`: hex DWords to names and values and back, and what each bit means.

use super::explain::explain;
use super::{dwords, load};
use crate::failure::Failure;
use crate::files;
use crate::parse;
use clap::error::ErrorKind;
use clap::{ArgAction, Parser, Subcommand};
use dndi::gen6::state::{Field, Structure};
use std::ffi::OsString;
use std::fmt::{Display, Write};
use std::path::{Path, PathBuf};

/// Hardware state: hex DWords to names and values, and back
#[derive(Debug, Parser)]
#[command(name = "dndi state", bin_name = "dndi state", disable_help_subcommand = true, after_help = after_help())]
struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Names and values of hex DWords, NAME=VALUE a line
    Decode {
        #[command(flatten)]
        input: Input,

        /// JSON instead of lines
        #[arg(long)]
        json: bool,
    },
    /// Hex DWords of names and values; what is not said has its default
    Encode {
        /// The structure
        #[arg(long, value_name = "NAME")]
        structure: String,

        /// A value; can be repeated, and outweighs those of the file
        #[arg(long, value_name = "NAME=VALUE", action = ArgAction::Append, allow_hyphen_values = true)]
        set: Vec<String>,

        /// Lines NAME=VALUE, as decode prints them, and remarks behind #; - for stdin [default: none]
        file: Option<PathBuf>,
    },
    /// Each bit of hex DWords: its field, value, range, default and meaning
    Explain {
        #[command(flatten)]
        input: Input,
    },
}

#[derive(Debug, clap::Args)]
struct Input {
    /// The structure [default: that of as many DWords]
    #[arg(long, value_name = "NAME")]
    structure: Option<String>,

    /// Reserved bits that are set are an error
    #[arg(long)]
    strict: bool,

    /// Hex DWords apart by blanks, newlines or commas; - for stdin
    #[arg(default_value = "-")]
    file: PathBuf,
}

fn after_help() -> String {
    let line =
        |structure: &Structure| format!("  {:<26} {:>3} DWords  {}\n", structure.name, structure.dwords, structure.section);
    let structures: String = Structure::all().map(line).collect();
    format!("Structures:\n{structures}\nExit codes: 0 fine, 1 runtime error, 2 wrong command line, 3 a state that cannot be")
}

/// Does what `words`, the command line after `state`, say.
pub fn run(words: impl Iterator<Item = OsString>) -> Result<(), Failure> {
    let named = std::iter::once("dndi state".into()).chain(words);
    let action = match Args::try_parse_from(named) {
        Ok(args) => args.action,
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            return Err(Failure::usage("which one: dndi state decode, encode or explain? see dndi state --help"));
        }
        Err(error) => return parse::told(&error, "dndi state --help"),
    };
    match action {
        Action::Decode { input, json } => {
            let (structure, dwords) = input.read()?;
            structure.check(&dwords, input.strict).map_err(|error| input.wrong(error))?;
            parse::print(&if json { as_json(structure, &dwords) } else { as_lines(structure, &dwords) })
        }
        Action::Encode { structure, set, file } => {
            let structure = Structure::named(&structure).map_err(Failure::usage)?;
            parse::print(&as_hex(&encode(structure, file.as_deref(), &set)?))
        }
        Action::Explain { input } => {
            let (structure, dwords) = input.read()?;
            parse::print(&explain(structure, &dwords))?;
            structure.check(&dwords, input.strict).map_err(|error| input.wrong(error))
        }
    }
}

impl Input {
    /// The structure and as many DWords as it has.
    fn read(&self) -> Result<(&'static Structure, Vec<u32>), Failure> {
        let named = self.structure.as_ref().map(|name| Structure::named(name).map_err(Failure::usage)).transpose()?;
        let wrong = |what| self.wrong(what);
        let dwords = dwords(&load(&self.file, wrong)?).map_err(wrong)?;
        let fitting = Structure::all().filter(|structure| structure.dwords == dwords.len());
        let fitting: Vec<_> = named.map_or_else(|| fitting.collect(), |structure| vec![structure]);
        match fitting[..] {
            [structure] if structure.dwords == dwords.len() => Ok((structure, dwords)),
            [structure] => Err(self.wrong(structure.check(&dwords, false).expect_err("the count"))),
            [] => Err(self.wrong(format_args!("no structure has {} DWords; see dndi state --help", dwords.len()))),
            _ => {
                let names: Vec<_> = fitting.iter().map(|structure| structure.name).collect();
                let (count, names) = (dwords.len(), names.join(" or "));
                Err(Failure::usage(format_args!("{count} DWords may be {names}: --structure says which")))
            }
        }
    }

    /// That what was read is wrong.
    fn wrong(&self, what: impl Display) -> Failure {
        Failure::corrupt(format_args!("{}: {what}", called(&self.file)))
    }
}

/// A file as messages call it.
fn called(path: &Path) -> std::path::Display<'_> {
    let path = if files::is_standard(path) { Path::new("stdin") } else { path };
    path.display()
}

fn as_lines(structure: &Structure, dwords: &[u32]) -> String {
    let lines = structure.named_fields().map(|field| format!("{}={}\n", field.name, number(field, field.value(dwords))));
    lines.collect()
}

fn as_json(structure: &Structure, dwords: &[u32]) -> String {
    // A map of serde_json would sort the names.
    let fields = structure.named_fields().map(|field| format!("{:?}:{}", field.name, number(field, field.value(dwords))));
    let fields: Vec<_> = fields.collect();
    let reserved = structure.fields.iter().filter(|field| field.is_reserved() && field.bits(dwords) != 0);
    let reserved: Vec<_> =
        reserved.map(|field| format!("{{\"dword\":{},\"bits\":{}}}", field.dword, dwords[field.dword] & field.mask())).collect();
    let (name, fields, reserved) = (structure.name, fields.join(","), reserved.join(","));
    format!("{{\"structure\":{name:?},\"fields\":{{{fields}}},\"reserved\":[{reserved}]}}\n")
}

fn as_hex(dwords: &[u32]) -> String {
    let mut text = String::new();
    for line in dwords.chunks(8) {
        let words: Vec<_> = line.iter().map(|dword| format!("{dword:08x}")).collect();
        let _ = writeln!(text, "{}", words.join(" "));
    }
    text
}

/// A value as it is written: what is finer than the field's parameter stands behind a point.
pub fn number(field: &Field, value: i64) -> String {
    (value as f64 / f64::from(1 << field.finer)).to_string()
}

/// The DWords of the defaults, the lines in `file`, and `set`.
fn encode(structure: &Structure, file: Option<&Path>, set: &[String]) -> Result<Vec<u32>, Failure> {
    let mut dwords = structure.defaults();
    if let Some(path) = file {
        let wrong = |what| Failure::corrupt(format_args!("{}: {what}", called(path)));
        let text = String::from_utf8(load(path, wrong)?).map_err(|_| wrong("not a text in UTF-8".to_owned()))?;
        for (number, line) in text.lines().enumerate() {
            // What follows a # is a remark.
            let line = line.split('#').next().unwrap_or_default();
            if !line.trim().is_empty() {
                let told = |what| wrong(format!("line {}: {what}", number + 1));
                assign(structure, &mut dwords, line).map_err(told)?;
            }
        }
    }
    for assignment in set {
        let wrong = |what| Failure::usage(format_args!("--set {assignment}: {what}"));
        assign(structure, &mut dwords, assignment).map_err(wrong)?;
    }
    structure.check(&dwords, true).map_err(Failure::usage)?;
    Ok(dwords)
}

/// Puts `NAME=VALUE` into `dwords`; or says what is wrong. The value is a number, or what the field calls it.
fn assign(structure: &Structure, dwords: &mut [u32], assignment: &str) -> Result<(), String> {
    let Some((name, text)) = assignment.split_once('=') else {
        return Err("write NAME=VALUE".to_owned());
    };
    let (name, text) = (name.trim(), text.trim());
    let field = structure.field(name).map_err(|error| error.to_string())?;
    let called = field.values.iter().find(|(_, known)| known.eq_ignore_ascii_case(text)).map(|(value, _)| *value);
    let value = called.or_else(|| match field.finer {
        0 => text.parse().ok(),
        finer => {
            let scaled = text.parse::<f64>().ok()? * f64::from(1 << finer);
            // As many digits as the field has, and no more.
            (scaled.fract() == 0.0 && scaled.abs() < 1e9).then_some(scaled as i64)
        }
    });
    let [min, max] = [field.min, field.max].map(|limit| number(field, limit));
    let step = if field.finer == 0 { "a whole number".to_owned() } else { format!("a multiple of 1/{}", 1 << field.finer) };
    let value = value.ok_or_else(|| format!("{} takes {step} of {min}…{max}", field.name))?;
    field.set(dwords, value).map_err(|error| error.to_string())
}
