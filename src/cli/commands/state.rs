//! `dndi state`: converts hardware state between hex DWords and names with values, and explains its
//! bits.

mod checked;
mod explain;
mod layout;
mod number;
mod search;
mod tables;

use crate::error::CliError;
use crate::options::clap_text::print_help_or_fail;
use crate::options::help::Help;
use crate::options::is_standard;
use crate::options::state_file::{dwords, load};
use crate::terminal::print;
use clap::error::ErrorKind;
use clap::{ArgAction, Command, CommandFactory, Parser, Subcommand};
use dndi::gen6::state::Structure;
use layout::Layout;
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
        /// Name of the structure; dndi state --help and dndi state list have them
        #[arg(long, value_name = "NAME")]
        structure: String,

        /// Use the fields of the reference for a structure with checked values, too
        #[arg(long)]
        reference: bool,

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
    /// List the structures: name, size, family, title
    List {
        /// Only those of a family, such as message or "3D pipeline"; checked for those with checked
        /// values
        family: Option<String>,
    },
    /// Find structures and fields whose names contain a word
    Find {
        /// The word; case, blanks, dashes and underscores do not matter
        word: String,
    },
}

#[derive(Debug, clap::Args)]
struct Input {
    /// Name of the structure; dndi state --help and dndi state list have them [default: the one
    /// with checked values that has this number of DWords]
    #[arg(long, value_name = "NAME")]
    structure: Option<String>,

    /// Use the fields of the reference for a structure with checked values, too
    #[arg(long, requires = "structure")]
    reference: bool,

    /// Treat reserved bits that are set as an error, and values without a meaning
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
    format!(
        "Structures with checked values:\n{structures}\nAll others: dndi state list\n\nExit codes: 0 success, 1 runtime error, 2 usage error, 3 invalid state"
    )
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
            return Err(CliError::usage(
                "a command is missing: dndi state decode, encode, explain, list or find; see dndi state --help",
            ));
        }
        Err(error) => return print_help_or_fail(&error, &command(), &HELP),
    };
    match action {
        Action::Decode { input, json } => {
            let (layout, dwords) = input.read()?;
            layout.check(&dwords, input.strict).map_err(|error| input.wrong(error))?;
            print(&if json { layout.as_json(&dwords) } else { layout.as_lines(&dwords) })
        }
        Action::Encode { structure, reference, set, file } => {
            let layout = Layout::named(&structure, reference)?;
            print(&as_hex(&encode(&layout, file.as_deref(), &set)?))
        }
        Action::Explain { input } => {
            let (layout, dwords) = input.read()?;
            print(&layout.explain(&dwords))?;
            layout.check(&dwords, input.strict).map_err(|error| input.wrong(error))
        }
        Action::List { family } => print(&search::list(family.as_deref())?),
        Action::Find { word } => print(&search::find(&word)?),
    }
}

impl Input {
    /// Reads the DWords, and finds the structure by name or by their number.
    fn read(&self) -> Result<(Layout, Vec<u32>), CliError> {
        let named = self.structure.as_ref().map(|name| Layout::named(name, self.reference)).transpose()?;
        let wrong = |message| self.wrong(message);
        let dwords = dwords(&load(&self.file, wrong)?).map_err(wrong)?;
        let count = dwords.len();
        let mut fitting = named.map_or_else(|| Layout::of_size(count), |layout| vec![layout]);
        let names: Vec<_> = fitting.iter().map(Layout::name).collect();
        match (fitting.pop(), names.len()) {
            (Some(layout), 1) if layout.dwords() == count => Ok((layout, dwords)),
            (Some(layout), 1) => Err(self.wrong(format_args!("{count} DWords; {} has {}", layout.name(), layout.dwords()))),
            (None, _) => Err(self.wrong(format_args!("no structure has {count} DWords; see dndi state --help"))),
            _ => {
                let names = names.join(" or ");
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

fn as_hex(dwords: &[u32]) -> String {
    let mut text = String::new();
    for line in dwords.chunks(8) {
        let words: Vec<_> = line.iter().map(|dword| format!("{dword:08x}")).collect();
        let _ = writeln!(text, "{}", words.join(" "));
    }
    text
}

/// The DWords of a structure: its defaults, then the lines of `file`, then the assignments `set`.
fn encode(layout: &Layout, file: Option<&Path>, set: &[String]) -> Result<Vec<u32>, CliError> {
    let mut dwords = layout.defaults();
    if let Some(path) = file {
        let wrong = |message| CliError::corrupt(format_args!("{}: {message}", called(path)));
        let text = String::from_utf8(load(path, wrong)?).map_err(|_| wrong("not UTF-8 text".to_owned()))?;
        for (number, line) in text.lines().enumerate() {
            // A comment starts with #.
            let line = line.split('#').next().unwrap_or_default();
            if !line.trim().is_empty() {
                let at_line = |message| wrong(format!("line {}: {message}", number + 1));
                layout.assign(&mut dwords, line).map_err(at_line)?;
            }
        }
    }
    for assignment in set {
        let wrong = |message| CliError::usage(format_args!("--set {assignment}: {message}"));
        layout.assign(&mut dwords, assignment).map_err(wrong)?;
    }
    layout.check(&dwords, layout.is_checked()).map_err(CliError::usage)?;
    Ok(dwords)
}
