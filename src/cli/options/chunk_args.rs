//! Options of chunks: `--chunk`, `--only`, `--jobs`.

use super::MAX_THREADS;
use dndi::convert::Chunks;
use std::fmt;
use std::str::FromStr;

/// The options of chunks.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ChunkArgs {
    /// Convert the clip in chunks of C frames, in parallel. Each chunk starts afresh after a
    /// warm-up of W frames [default: 50], so frames near its start can differ slightly from those
    /// of one run. They depend on C and W, but not on the number of jobs
    #[arg(long, value_name = "C[:W]", help_heading = "Chunks")]
    pub chunk: Option<ChunkSize>,

    /// Make chunk K alone, counted from 0, as a part for `dndi join`
    #[arg(long, value_name = "K", requires = "chunk", help_heading = "Chunks")]
    pub only: Option<u64>,

    /// Number of chunks that are made at the same time; they share the threads of --threads
    /// [default: one per thread, as far as the memory allows]
    #[arg(long, value_name = "N", requires = "chunk", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_THREADS)), help_heading = "Chunks")]
    pub jobs: Option<u16>,
}

/// `--chunk`: frames of a chunk and of its warm-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkSize {
    pub frames: u64,
    pub warmup: u64,
}

impl FromStr for ChunkSize {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<ChunkSize, &'static str> {
        const SYNTAX: &str = "write C or C:W, frames of a chunk and of its warm-up";
        let number = |digits: &str| match digits.bytes().all(|byte| byte.is_ascii_digit()) {
            true => digits.parse().map_err(|_| SYNTAX),
            false => Err(SYNTAX),
        };
        let (frames, warmup) = match text.split_once(':') {
            Some((frames, warmup)) => (number(frames)?, number(warmup)?),
            None => (number(text)?, Chunks::WARMUP),
        };
        if frames == 0 { Err("a chunk has at least one frame") } else { Ok(ChunkSize { frames, warmup }) }
    }
}

impl fmt::Display for ChunkSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.frames, self.warmup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_parsed() {
        let size = |text: &str| text.parse::<ChunkSize>().map(|size| (size.frames, size.warmup));
        assert_eq!(size("250"), Ok((250, Chunks::WARMUP)));
        assert_eq!([size("250:0"), size("1:9")], [Ok((250, 0)), Ok((1, 9))]);
        for text in ["", ":", "5:", ":5", "0", "-1", "+1", "1:2:3", "x", "99999999999999999999"] {
            assert!(size(text).is_err(), "{text}");
        }
        assert_eq!("7:3".parse::<ChunkSize>().unwrap().to_string(), "7:3");
    }
}
