//! Codes of the steps (§3.8): from a file, or from the frames of a mixed stream.

use crate::failure::Failure;
use dndi::y4m::FrameHeader;
use dndi::{StepMatches, FieldMatch};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The longest cadence file, in bytes.
const MAX_FILE: u64 = 1 << 24;

/// Where the codes come from.
#[derive(Debug)]
pub enum Codes {
    /// Every field is deinterlaced.
    None,
    /// Those of a file, by the number of the frame.
    File(Vec<StepMatches>),
    /// Frames flagged as progressive are woven.
    Flags {
        /// Whether the last frame was.
        progressive: bool,
    },
}

impl Codes {
    /// The codes in the file `path`.
    pub fn read(path: &Path) -> Result<Codes, Failure> {
        let name = path.display();
        let mut text = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut text));
        read.map_err(|error| Failure::runtime(format_args!("cannot read {name}: {error}")))?;
        if text.len() as u64 > MAX_FILE {
            return Err(Failure::usage(format_args!("{name}: a cadence file of more than {MAX_FILE} bytes")));
        }
        let text = text.trim_ascii_end();
        if text.is_empty() {
            return Ok(Codes::File(Vec::new()));
        }
        let lines = text.split(|&byte| byte == b'\n');
        let parse = |(number, line): (usize, &[u8])| {
            parse(line).ok_or_else(|| {
                let found = line[..line.len().min(24)].escape_ascii();
                Failure::usage(format_args!("{name}: line {number}, from 0, should be two codes of 0…2, found \"{found}\""))
            })
        };
        Ok(Codes::File(lines.enumerate().map(parse).collect::<Result<_, _>>()?))
    }

    /// The codes of the step that takes frame `number`, whose header is `header`. Steps come one after the other.
    pub fn step(&mut self, number: u64, header: &FrameHeader) -> StepMatches {
        match self {
            Codes::None => StepMatches::default(),
            Codes::File(lines) => line(lines, number),
            Codes::Flags { progressive } => {
                let prev2 = if *progressive { FieldMatch::Previous } else { FieldMatch::Deinterlace };
                *progressive = header.progressive();
                StepMatches { prev2, cur1: if *progressive { FieldMatch::Next } else { FieldMatch::Deinterlace } }
            }
        }
    }

    /// The code of the last field of a stream that frame `number` would follow.
    pub fn end(&self, number: u64) -> FieldMatch {
        match self {
            Codes::File(lines) => line(lines, number).prev2,
            Codes::Flags { progressive: true } => FieldMatch::Previous,
            _ => FieldMatch::Deinterlace,
        }
    }
}

fn line(lines: &[StepMatches], number: u64) -> StepMatches {
    usize::try_from(number).ok().and_then(|number| lines.get(number).copied()).unwrap_or_default()
}

/// `prev2 cur1`
fn parse(line: &[u8]) -> Option<StepMatches> {
    let mut codes = std::str::from_utf8(line).ok()?.split_whitespace().map(|code| match code {
        "0" => Some(FieldMatch::Deinterlace),
        "1" => Some(FieldMatch::Previous),
        "2" => Some(FieldMatch::Next),
        _ => None,
    });
    let cadence = StepMatches { prev2: codes.next()??, cur1: codes.next()?? };
    codes.next().is_none().then_some(cadence)
}
