//! Which line of a profile says what, so that messages can tell.

use crate::parameters;
use clap::ArgMatches;
use clap::parser::ValueSource;
use std::fmt::Display;

/// Where a profile says what the command line does not say again.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// File and line by the option's name.
    options: Vec<(String, String)>,
    /// The same by the parameter's canonical name.
    parameters: Vec<(String, String)>,
    /// Parameters that the command line sets.
    own: Vec<String>,
}

impl Places {
    /// An option stands at `place`.
    pub fn option(&mut self, name: &str, place: String) {
        self.options.push((name.to_owned(), place));
    }

    /// A parameter stands at `place`.
    pub fn parameter(&mut self, name: &str, place: String) {
        self.parameters.push((parameters::canonical(name), place));
    }

    /// What the command line says outweighs the profile: its `matches`, and its assignments to parameters.
    pub fn outweigh(&mut self, matches: &ArgMatches, set: &[String]) {
        let is_said = |name: &str| matches.value_source(&name.replace('-', "_")) == Some(ValueSource::CommandLine);
        self.options.retain(|(name, _)| !is_said(name));
        self.own = set.iter().map(|assignment| parameters::canonical(assignment)).collect();
        self.parameters.retain(|(name, _)| !self.own.contains(name));
    }

    /// What is wrong with the option `name`, which `what` begins with, and where it stands, if in a profile.
    pub fn of_option(&self, name: &str, what: impl Display) -> String {
        match self.options.iter().find(|(known, _)| known == name) {
            Some((_, place)) => format!("{place}: {what}"),
            None => format!("--{what}"),
        }
    }

    /// What is wrong with the parameters that `what` names, and where the last of them stands, if in a profile; none if nobody set one.
    pub fn of_parameters(&self, what: impl Display) -> Option<String> {
        let text = what.to_string();
        let named = |name: &String| text.split(|c: char| !c.is_alphanumeric() && !"_.".contains(c)).any(|word| word == name);
        match self.parameters.iter().rfind(|(name, _)| named(name)) {
            _ if self.own.iter().any(named) => Some(format!("--set: {what}")),
            Some((_, place)) => Some(format!("{place}: {what}")),
            None => None,
        }
    }
}
