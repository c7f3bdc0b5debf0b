//! `--matches`: field matches (§3.8) from a file.

use crate::error::CliError;
use dndi::{FieldMatch, FieldMatches, StepMatches};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The longest file, in bytes.
const MAX_FILE: u64 = 1 << 24;

/// The matches in the lines of the file.
#[derive(Debug)]
pub struct MatchesFile(Vec<StepMatches>);

impl MatchesFile {
    /// Reads the file `path`.
    pub fn read(path: &Path) -> Result<MatchesFile, CliError> {
        let name = path.display();
        let mut text = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut text));
        read.map_err(|error| CliError::runtime(format_args!("cannot read {name}: {error}")))?;
        if text.len() as u64 > MAX_FILE {
            return Err(CliError::usage(format_args!("{name}: the matches file has more than {MAX_FILE} bytes")));
        }
        let text = text.trim_ascii_end();
        if text.is_empty() {
            return Ok(MatchesFile(Vec::new()));
        }
        let lines = text.split(|&byte| byte == b'\n');
        let parse = |(number, line): (usize, &[u8])| {
            parse(line).ok_or_else(|| {
                let found = line[..line.len().min(24)].escape_ascii();
                CliError::usage(format_args!(
                    "{name}: line {number} (counted from 0) must be two numbers of 0…2, found \"{found}\""
                ))
            })
        };
        Ok(MatchesFile(lines.enumerate().map(parse).collect::<Result<_, _>>()?))
    }

    /// The matches of the step that reads frame `number`. If it is the last frame, the match of its
    /// second field is in the next line.
    pub fn step(&self, number: u64) -> FieldMatches {
        FieldMatches::from(self.line(number)).final_match(self.line(number + 1).second_of_previous)
    }

    /// Line `number`, counted from 0. Missing lines have no matches.
    fn line(&self, number: u64) -> StepMatches {
        usize::try_from(number).ok().and_then(|number| self.0.get(number).copied()).unwrap_or_default()
    }
}

/// Parses a line of two numbers: `second_of_previous first_of_current`.
fn parse(line: &[u8]) -> Option<StepMatches> {
    let number = |word: &str| word.parse().ok().filter(|_| word.len() == 1).and_then(FieldMatch::from_code);
    let mut matches = std::str::from_utf8(line).ok()?.split_whitespace().map(number);
    let step = StepMatches { second_of_previous: matches.next()??, first_of_current: matches.next()?? };
    matches.next().is_none().then_some(step)
}
