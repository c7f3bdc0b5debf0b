//! Lines of a profile that options and parameters come from, for error messages.

use super::set_option;
use clap::ArgMatches;
use clap::parser::ValueSource;
use std::fmt::Display;

/// The options and parameters of a profile that the command line does not override.
#[derive(Clone, Debug, Default)]
pub struct OptionOrigins {
    /// File and line by the option's name.
    options: Vec<(String, String)>,
    /// The same by the parameter's canonical name.
    parameters: Vec<(String, String)>,
    /// Parameters that the command line sets.
    own: Vec<String>,
}

impl OptionOrigins {
    /// Adds an option, which stands at `line`.
    pub fn add_option(&mut self, name: &str, line: String) {
        self.options.push((name.to_owned(), line));
    }

    /// Adds a parameter, which stands at `line`.
    pub fn add_parameter(&mut self, name: &str, line: String) {
        self.parameters.push((set_option::canonical(name), line));
    }

    /// Drops what the command line overrides: the options of `matches`, and the parameters of its `--set`.
    pub fn override_by(&mut self, matches: &ArgMatches, set: &[String]) {
        let is_given = |name: &str| matches.value_source(&name.replace('-', "_")) == Some(ValueSource::CommandLine);
        self.options.retain(|(name, _)| !is_given(name));
        self.own = set.iter().map(|assignment| set_option::canonical(assignment)).collect();
        self.parameters.retain(|(name, _)| !self.own.contains(name));
    }

    /// The error of option `name`, which `error` begins with, with its line if it comes from a profile.
    pub fn of_option(&self, name: &str, error: impl Display) -> String {
        match self.options.iter().find(|(known, _)| known == name) {
            Some((_, line)) => format!("{line}: {error}"),
            None => format!("--{error}"),
        }
    }

    /// The error of the parameters `names`, with `--set` or the line of the profile that the last of them comes from; none if neither
    /// sets one of them.
    pub fn of_parameters(&self, names: &[&str], error: impl Display) -> Option<String> {
        let named = |name: &String| names.contains(&name.as_str());
        match self.parameters.iter().rfind(|(name, _)| named(name)) {
            _ if self.own.iter().any(named) => Some(format!("--set: {error}")),
            Some((_, line)) => Some(format!("{line}: {error}")),
            None => None,
        }
    }
}
