//! The profile line of each option and parameter that a profile sets, for error messages.

use super::set_option;
use clap::ArgMatches;
use clap::parser::ValueSource;
use std::fmt::Display;

/// The options and parameters of a profile that the command line does not override.
#[derive(Clone, Debug, Default)]
pub struct OptionOrigins {
    /// Names of options, and the file and line of each.
    options: Vec<(String, String)>,
    /// Canonical names of parameters, and the file and line of each.
    parameters: Vec<(String, String)>,
    /// Canonical names of the parameters that the command line sets.
    own: Vec<String>,
}

impl OptionOrigins {
    /// Adds an option. `line` names the file and its line.
    pub fn add_option(&mut self, name: &str, line: String) {
        self.options.push((name.to_owned(), line));
    }

    /// Adds a parameter. `line` names the file and its line.
    pub fn add_parameter(&mut self, name: &str, line: String) {
        self.parameters.push((set_option::canonical(name), line));
    }

    /// Removes the options and parameters that the command line overrides. `matches` are its
    /// options, and `set` the assignments of its `--set`.
    pub fn override_by(&mut self, matches: &ArgMatches, set: &[String]) {
        let is_given = |name: &str| matches.value_source(&name.replace('-', "_")) == Some(ValueSource::CommandLine);
        self.options.retain(|(name, _)| !is_given(name));
        self.own = set.iter().map(|assignment| set_option::canonical(assignment)).collect();
        self.parameters.retain(|(name, _)| !self.own.contains(name));
    }

    /// An error of the option `name`, with its line if it comes from a profile, else with dashes.
    /// `error` begins with the name.
    pub fn of_option(&self, name: &str, error: impl Display) -> String {
        match self.options.iter().find(|(known, _)| known == name) {
            Some((_, line)) => format!("{line}: {error}"),
            None => format!("--{error}"),
        }
    }

    /// An error of the parameters `names`, with `--set` if the command line sets one of them, else
    /// with the last profile line that sets one. None if neither sets one of them.
    pub fn of_parameters(&self, names: &[&str], error: impl Display) -> Option<String> {
        let named = |name: &String| names.contains(&name.as_str());
        match self.parameters.iter().rfind(|(name, _)| named(name)) {
            _ if self.own.iter().any(named) => Some(format!("--set: {error}")),
            Some((_, line)) => Some(format!("{line}: {error}")),
            None => None,
        }
    }
}
