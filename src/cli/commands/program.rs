//! All commands in one: for `dndi help`, shell completions and the manual.

use super::{completions, help, inspect, join, man, state, view};
use crate::options::conversion_help;
use clap::Command;

/// The conversion with its subcommands.
pub fn program() -> Command {
    let commands = [
        inspect::command(),
        view::command(),
        join::command(),
        state::command(),
        help::command(),
        completions::command(),
        man::command(),
    ];
    let named = commands.into_iter().zip(conversion_help::SUBCOMMANDS).map(|(command, name)| {
        let mut command = command.name(name).display_name(format!("dndi-{name}"));
        // Before it belongs to the conversion, which defines --help itself and has the parser add
        // none.
        command.build();
        command
    });
    conversion_help::command().disable_help_subcommand(true).subcommands(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each subcommand has its own name.
    #[test]
    fn names() {
        let mut program = program();
        program.build();
        for command in program.get_subcommands() {
            let usage = command.clone().render_usage().to_string();
            assert!(usage.starts_with(&format!("Usage: dndi {}", command.get_name())), "{usage}");
        }
        program.debug_assert();
    }
}
