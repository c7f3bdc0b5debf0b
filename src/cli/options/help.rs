//! The help of `-h`: the options that most users need, each on one line.

use clap::{Arg, Command};

/// The help of a command.
#[derive(Clone, Copy, Debug)]
pub struct Help {
    /// The command, such as `dndi inspect`.
    pub name: &'static str,
    /// The options that `-h` lists: the identifier of each, and its text. Empty for all options.
    pub main: &'static [(&'static str, &'static str)],
    /// The lines below the options.
    pub after: &'static str,
}

impl Help {
    /// The short help of `command`. An option has the list of its values, the default first.
    pub fn short(&self, command: &Command) -> String {
        let mut short = command.clone();
        if !self.main.is_empty() {
            short = short.after_help(self.after).next_line_help(false).mut_args(|arg| {
                match self.main.iter().position(|(id, _)| arg.get_id() == *id) {
                    Some(line) => on_one_line(arg, self.main[line].1).display_order(line),
                    None => arg.hide(true),
                }
            });
        }
        short.render_help().to_string()
    }
}

/// The argument with `text` and its values, without a heading.
fn on_one_line(arg: Arg, text: &str) -> Arg {
    let arg = arg.help_heading(None::<&str>);
    if !arg.get_action().takes_values() {
        return arg.help(text.to_owned());
    }
    let values = if arg.is_hide_possible_values_set() { vec![] } else { arg.get_possible_values() };
    let default = arg.get_default_values().first().and_then(|value| value.to_str());
    let mut names: Vec<_> = values.iter().map(|value| value.get_name()).collect();
    names.sort_by_key(|name| Some(*name) != default && *name != "default");
    let text = if names.is_empty() { text.to_owned() } else { format!("{text}: {}", names.join(", ")) };
    arg.help(text).hide_possible_values(true).hide_default_value(true)
}
