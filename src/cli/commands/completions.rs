//! `dndi completions`: shell completions, generated from the options.

use crate::error::CliError;
use crate::options::clap_text::print_help_or_fail;
use crate::options::conversion_help::{self, SUBCOMMANDS};
use crate::options::help::Help;
use crate::terminal::print;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory, Parser, ValueEnum, ValueHint};
use clap_complete::aot::{Shell as Generator, generate};
use std::ffi::OsString;

/// Print completions of options and subcommands for a shell
#[derive(Debug, Parser)]
#[command(name = "dndi completions", bin_name = "dndi completions", after_help = INSTALL)]
struct CompletionsArgs {
    /// Shell that reads them
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

const INSTALL: &str = "\
Examples:
  dndi completions bash >~/.local/share/bash-completion/completions/dndi
  dndi completions zsh >~/.zfunc/_dndi     (a folder of $fpath)
  dndi completions fish >~/.config/fish/completions/dndi.fish
";

/// The argument of `dndi help` and `dndi man`.
const SUBCOMMAND: &str = "subcommand";

/// A shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// The options of `dndi completions`.
pub fn command() -> Command {
    CompletionsArgs::command()
}

/// Runs `dndi completions`; `arguments` are those after it. `program` has all subcommands.
pub fn run(arguments: impl Iterator<Item = OsString>, program: Command) -> Result<(), CliError> {
    let own = match CompletionsArgs::try_parse_from(std::iter::once("dndi completions".into()).chain(arguments)) {
        Ok(own) => own,
        Err(error) => {
            return print_help_or_fail(&error, &command(), &Help { name: "dndi completions", main: &[], after: "" });
        }
    };
    print(&text(own.shell, &program)?)
}

/// The completions of `program`.
fn text(shell: Shell, program: &Command) -> Result<String, CliError> {
    let names = program.get_subcommands().map(Command::get_name).collect::<Vec<_>>();
    match shell {
        Shell::Bash => generated(Generator::Bash, visible(program)),
        Shell::Fish => Ok(fish(&generated(Generator::Fish, visible(program))?, &names)),
        Shell::Zsh => {
            let whole = without_files(visible(program));
            let conversion = visible(&conversion_help::command());
            Ok(zsh(&generated(Generator::Zsh, whole)?, &generated(Generator::Zsh, conversion)?, &names))
        }
    }
}

/// The program without INPUT and OUTPUT.
fn without_files(program: Command) -> Command {
    let options = program.get_arguments().filter(|arg| !arg.is_positional()).cloned().collect::<Vec<_>>();
    let subcommands = program.get_subcommands().cloned().collect::<Vec<_>>();
    visible(&Command::new("dndi").args(options).subcommands(subcommands))
}

fn generated(generator: Generator, mut command: Command) -> Result<String, CliError> {
    let mut bytes = Vec::new();
    generate(generator, &mut command, "dndi", &mut bytes);
    String::from_utf8(bytes).map_err(CliError::runtime)
}

/// One script for zsh from that of the program without files, and that of the conversion: a file or
/// a subcommand is first.
fn zsh(whole: &str, conversion: &str, subcommands: &[&str]) -> String {
    let subcommands = subcommands.join("|");
    // The end of a script calls the function that it defines.
    let functions = |script: &str, name: &str| {
        let (functions, _) = script.split_once("\nif [ \"$funcstack[1]\"").unwrap_or((script, ""));
        functions.replacen("#compdef dndi\n", "", 1).replacen("_dndi() {", &format!("{name}() {{"), 1)
    };
    let (whole, conversion) = (functions(whole, "_dndi_subcommand"), functions(conversion, "_dndi_conversion"));
    format!(
        "#compdef dndi\n{whole}\n{conversion}
_dndi() {{
    case $words[2] in
        ({subcommands})
            if (( CURRENT > 2 )); then
                _dndi_subcommand \"$@\"
                return
            fi
            ;;
    esac
    (( CURRENT == 2 )) && [[ $PREFIX != -* ]] && _dndi_commands
    _dndi_conversion \"$@\"
}}

if [ \"$funcstack[1]\" = \"_dndi\" ]; then
    _dndi \"$@\"
else
    compdef _dndi dndi
fi
"
    )
}

/// The script for fish. The generator takes each file for a subcommand, after which it offers no
/// options.
fn fish(script: &str, subcommands: &[&str]) -> String {
    let generated = "-n \"__fish_dndi_needs_command\"";
    let condition = |line: &str| {
        let first = subcommands.iter().any(|name| line.contains(&format!("{generated} -a \"{name}\"")));
        let name = if first { "__fish_dndi_is_first" } else { "__fish_dndi_has_no_subcommand" };
        line.replace(generated, &format!("-n \"{name}\"")) + "\n"
    };
    format!(
        "function __fish_dndi_is_first
    test (count (commandline -opc)) -eq 1
end

function __fish_dndi_has_no_subcommand
    set -l words (commandline -opc)
    not contains -- \"$words[2]\" {}
end

{}",
        subcommands.join(" "),
        script.lines().map(condition).collect::<String>()
    )
}

/// The command without hidden options.
fn visible(command: &Command) -> Command {
    let args = command.get_arguments().filter(|arg| !arg.is_hide_set()).map(plain);
    let visible = Command::new(command.get_name().to_owned()).about(command.get_about().cloned().unwrap_or_default());
    // The options of --version need one.
    let visible = visible.version("").disable_help_flag(true).disable_version_flag(true).disable_help_subcommand(true);
    visible.args(args).subcommands(command.get_subcommands().map(self::visible))
}

/// The argument without its relations to others, which may be hidden. File names complete only
/// options that take one.
fn plain(arg: &Arg) -> Arg {
    let plain = Arg::new(arg.get_id().clone()).action(arg.get_action().clone()).short(arg.get_short());
    let plain = arg.get_help().cloned().into_iter().fold(plain, Arg::help);
    let plain = arg.get_long().map(str::to_owned).into_iter().fold(plain, Arg::long);
    if !arg.get_action().takes_values() {
        return plain;
    }
    let hint = match arg.get_value_hint() {
        ValueHint::Unknown if arg.get_possible_values().is_empty() => ValueHint::Other,
        hint => hint,
    };
    let plain = plain.value_hint(hint).require_equals(arg.is_require_equals_set());
    let plain = plain.value_names(arg.get_value_names().unwrap_or_default().iter().cloned());
    let plain = arg.get_num_args().into_iter().fold(plain, Arg::num_args);
    match arg.get_id() == SUBCOMMAND {
        true => plain.value_parser(PossibleValuesParser::new(SUBCOMMANDS)),
        false => plain.value_parser(arg.get_value_parser().clone()),
    }
}
