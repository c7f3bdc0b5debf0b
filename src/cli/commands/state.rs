//! `dndi state`: converts hardware state between hex DWords and names with values, and explains its
//! bits.

mod explain;
mod number;

use crate::error::CliError;
use crate::options::clap_text::print_help_or_fail;
use crate::options::help::Help;
use crate::options::is_standard;
use crate::options::state_file::{dwords, load};
use crate::terminal::print;
use clap::error::ErrorKind;
use clap::{ArgAction, Command, CommandFactory, Parser, Subcommand};
use dndi::gen6::state::Structure;
use explain::explain;
use number::number;
use std::ffi::OsString;
use std::fmt::{Display, Write};
use std::path::{Path, PathBuf};

/// Convert hardware state between hex DWords and names with values, and explain its bits
#[derive(Debug, Parser)]
#[command(name = "dndi state", bin_name = "dndi state", disable_help_subcommand = true, after_help = after_help())]
struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Convert hex DWords to names and values, one NAME=VALUE per line
    Decode {
        #[command(flatten)]
        input: Input,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Convert names and values to hex DWords; fields that are not given have their default
    Encode {
        /// Name of the structure; dndi state --help lists them
        #[arg(long, value_name = "NAME")]
        structure: String,

        /// Set a field; can be repeated, and overrides the file
        #[arg(long, value_name = "NAME=VALUE", action = ArgAction::Append, allow_hyphen_values = true)]
        set: Vec<String>,

        /// File of lines NAME=VALUE in the format of decode, with comments after #; - for stdin
        /// [default: none]
        file: Option<PathBuf>,
    },
    /// Explain each bit of hex DWords: field, value, range, default, meaning
    Explain {
        #[command(flatten)]
        input: Input,
    },
}

#[derive(Debug, clap::Args)]
struct Input {
    /// Name of the structure; dndi state --help lists them [default: the one with this number of
    /// DWords]
    #[arg(long, value_name = "NAME")]
    structure: Option<String>,

    /// Treat reserved bits that are set as an error
    #[arg(long)]
    strict: bool,

    /// File of hex DWords, separated by blanks, newlines or commas; - for stdin
    #[arg(default_value = "-")]
    file: PathBuf,
}

fn after_help() -> String {
    let line =
        |structure: &Structure| format!("  {:<26} {:>3} DWords  {}\n", structure.name, structure.dwords, structure.section);
    let structures: String = Structure::all().map(line).collect();
    format!("Structures:\n{structures}\nExit codes: 0 success, 1 runtime error, 2 usage error, 3 invalid state")
}

/// The help of `dndi state`. `-h` has all options.
const HELP: Help = Help { name: "dndi state", main: &[], after: "" };

/// The options of `dndi state`.
pub fn command() -> Command {
    Args::command()
}

/// Runs `dndi state`; `arguments` are those after it.
pub fn run(arguments: impl Iterator<Item = OsString>) -> Result<(), CliError> {
    let named = std::iter::once("dndi state".into()).chain(arguments);
    let action = match Args::try_parse_from(named) {
        Ok(args) => args.action,
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            return Err(CliError::usage("a command is missing: dndi state decode, encode or explain; see dndi state --help"));
        }
        Err(error) => return print_help_or_fail(&error, &command(), &HELP),
    };
    match action {
        Action::Decode { input, json } => {
            let (structure, dwords) = input.read()?;
            structure.check(&dwords, input.strict).map_err(|error| input.wrong(error))?;
            print(&if json { as_json(structure, &dwords) } else { as_lines(structure, &dwords) })
        }
        Action::Encode { structure, set, file } => {
            let structure = Structure::named(&structure).map_err(CliError::usage)?;
            print(&as_hex(&encode(structure, file.as_deref(), &set)?))
        }
        Action::Explain { input } => {
            let (structure, dwords) = input.read()?;
            print(&explain(structure, &dwords))?;
            structure.check(&dwords, input.strict).map_err(|error| input.wrong(error))
        }
    }
}

impl Input {
    /// Reads the DWords, and finds the structure by name or by their number.
    fn read(&self) -> Result<(&'static Structure, Vec<u32>), CliError> {
        let named = self.structure.as_ref().map(|name| Structure::named(name).map_err(CliError::usage)).transpose()?;
        let wrong = |message| self.wrong(message);
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
                Err(CliError::usage(format_args!("{count} DWords may be {names}; choose one with --structure")))
            }
        }
    }

    /// The error that the state in the file is invalid.
    fn wrong(&self, message: impl Display) -> CliError {
        CliError::corrupt(format_args!("{}: {message}", called(&self.file)))
    }
}

/// The name of a file in messages.
fn called(path: &Path) -> std::path::Display<'_> {
    let path = if is_standard(path) { Path::new("stdin") } else { path };
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

/// The DWords of a structure: its defaults, then the lines of `file`, then the assignments `set`.
fn encode(structure: &Structure, file: Option<&Path>, set: &[String]) -> Result<Vec<u32>, CliError> {
    let mut dwords = structure.defaults();
    if let Some(path) = file {
        let wrong = |message| CliError::corrupt(format_args!("{}: {message}", called(path)));
        let text = String::from_utf8(load(path, wrong)?).map_err(|_| wrong("not UTF-8 text".to_owned()))?;
        for (number, line) in text.lines().enumerate() {
            // A comment starts with #.
            let line = line.split('#').next().unwrap_or_default();
            if !line.trim().is_empty() {
                let at_line = |message| wrong(format!("line {}: {message}", number + 1));
                assign(structure, &mut dwords, line).map_err(at_line)?;
            }
        }
    }
    for assignment in set {
        let wrong = |message| CliError::usage(format_args!("--set {assignment}: {message}"));
        assign(structure, &mut dwords, assignment).map_err(wrong)?;
    }
    structure.check(&dwords, true).map_err(CliError::usage)?;
    Ok(dwords)
}

/// Sets the field of `NAME=VALUE` in `dwords`. The value is a number, or one of the field's named
/// values.
fn assign(structure: &Structure, dwords: &mut [u32], assignment: &str) -> Result<(), String> {
    let Some((name, text)) = assignment.split_once('=') else {
        return Err(format!("write NAME=VALUE, not \"{}\"", assignment.trim()));
    };
    let (name, text) = (name.trim(), text.trim());
    let field = structure.field(name).map_err(|error| error.to_string())?;
    let called = field.values.iter().find(|(_, known)| known.eq_ignore_ascii_case(text)).map(|(value, _)| *value);
    let value = called.or_else(|| match field.extra_fraction_bits {
        0 => text.parse().ok(),
        finer => {
            let scaled = text.parse::<f64>().ok()? * f64::from(1 << finer);
            // A value that is finer than the field is an error.
            (scaled.fract() == 0.0 && scaled.abs() < 1e9).then_some(scaled as i64)
        }
    });
    let [min, max] = [field.min, field.max].map(|limit| number(field, limit));
    let step = if field.extra_fraction_bits == 0 {
        "a whole number".to_owned()
    } else {
        format!("a multiple of 1/{}", 1 << field.extra_fraction_bits)
    };
    let value = value.ok_or_else(|| format!("{} takes {step} of {min}…{max}", field.name))?;
    field.set(dwords, value).map_err(|error| error.to_string())
}
