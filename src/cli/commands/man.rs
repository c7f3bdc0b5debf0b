//! `dndi man`: the manual, generated from the options.

use super::help::named;
use crate::error::CliError;
use crate::options::clap_text::print_help_or_fail;
use crate::options::help::Help;
use crate::terminal::print;
use clap::{Command, CommandFactory, Parser};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use dndi::Parameters;
use std::ffi::OsString;
use std::fmt::Write;

/// Print a page of the manual, in the format of man
#[derive(Debug, Parser)]
#[command(name = "dndi man", bin_name = "dndi man", after_help = INSTALL)]
struct ManArgs {
    /// Subcommand that the page is about, such as inspect or state decode [default: all of dndi]
    #[arg(value_name = "SUBCOMMAND")]
    subcommand: Vec<String>,
}

const INSTALL: &str = "\
Examples:
  dndi man | man -l -
  dndi man inspect >~/.local/share/man/man1/dndi-inspect.1
";

/// The options of `dndi man`.
pub fn command() -> Command {
    ManArgs::command()
}

/// Runs `dndi man`; `arguments` are those after it. `program` has all subcommands.
pub fn run(arguments: impl Iterator<Item = OsString>, program: Command) -> Result<(), CliError> {
    let own = match ManArgs::try_parse_from(std::iter::once("dndi man".into()).chain(arguments)) {
        Ok(own) => own,
        Err(error) => {
            return print_help_or_fail(&error, &command(), &Help { name: "dndi man", main: &[], after: "" });
        }
    };
    print(&page(named(program, &own.subcommand)?, own.subcommand.is_empty()).map_err(CliError::runtime)?)
}

/// The page of a command; with the list of parameters if it is the conversion.
fn page(command: Command, conversion: bool) -> std::io::Result<String> {
    let mut notes = Roff::new();
    let after = command.get_after_long_help().or_else(|| command.get_after_help()).map(ToString::to_string);
    sections(&mut notes, &after.unwrap_or_default());
    if conversion {
        parameters(&mut notes);
    }
    let (has_options, has_subcommands) = (command.get_arguments().next().is_some(), command.has_subcommands());
    let source = format!("dndi {}", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command).source(source).manual("dndi");
    let mut bytes = Vec::new();
    man.render_title(&mut bytes)?;
    man.render_name_section(&mut bytes)?;
    man.render_synopsis_section(&mut bytes)?;
    man.render_description_section(&mut bytes)?;
    if has_options {
        man.render_options_section(&mut bytes)?;
    }
    if has_subcommands {
        man.render_subcommands_section(&mut bytes)?;
    }
    notes.to_writer(&mut bytes)?;
    Ok(ascii(&String::from_utf8_lossy(&bytes)))
}

/// The lines below the options of a help as sections. A heading ends with a colon; the lines that
/// belong to it follow it, or are indented.
fn sections(page: &mut Roff, text: &str) {
    let mut lists = false;
    for line in text.lines() {
        let heading = line.split_once(':').filter(|(heading, _)| is_heading(heading));
        let indented = line.starts_with(' ');
        if lists && !indented && !line.is_empty() {
            page.control("fi", []);
            lists = false;
        }
        match heading {
            Some((heading, rest)) => {
                page.control("SH", [heading.to_uppercase().as_str()]);
                if !rest.trim().is_empty() {
                    page.text([roman(rest.trim())]);
                }
            }
            None if line.is_empty() => {
                page.control("PP", []);
            }
            None => {
                if indented && !lists {
                    page.control("nf", []);
                    lists = true;
                }
                page.text([roman(line)]);
            }
        }
    }
    if lists {
        page.control("fi", []);
    }
}

/// Whether the words before a colon are a heading.
fn is_heading(words: &str) -> bool {
    let plain = words.chars().all(|c| c.is_ascii_alphabetic() || c == ' ');
    plain && words.starts_with(|c: char| c.is_ascii_uppercase()) && words.split(' ').count() <= 3
}

/// The section about the parameters of the stages.
fn parameters(page: &mut Roff) {
    page.control("SH", ["PARAMETERS OF --SET"]);
    for field in Parameters::fields() {
        page.control("TP", []);
        page.text([bold(field.name), roman(format!(" {}…{} [default: {}]", field.min, field.max, field.default))]);
        page.text([roman(field.about)]);
    }
    page.control("TP", []);
    page.text([bold("scaler.table_{0x,0y,1x,1y}.B.K"), roman(" -128…127")]);
    page.text([roman("one coefficient: row B, tap K")]);
}

/// The text with escapes in place of other characters than ASCII, for any locale.
fn ascii(text: &str) -> String {
    let mut ascii = String::new();
    for character in text.chars() {
        if character.is_ascii() {
            ascii.push(character);
        } else {
            let _ = write!(ascii, "\\[u{:04X}]", u32::from(character));
        }
    }
    ascii
}
