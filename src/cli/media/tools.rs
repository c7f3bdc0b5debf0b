//! The programs ffmpeg and ffprobe.

use crate::error::CliError;
use crate::options::media_args::SourceArgs;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The programs to run.
#[derive(Clone, Debug)]
pub struct Tools {
    pub ffmpeg: PathBuf,
    pub ffprobe: PathBuf,
    /// The option that chooses between constant and other rates: version 5.1 introduced
    /// `-fps_mode`, and later versions drop `-vsync`.
    pub sync: &'static str,
}

impl Tools {
    /// The programs that the options name, or those of PATH. Nothing is run.
    pub fn new(args: &SourceArgs) -> Tools {
        let sync = "-fps_mode";
        let Some(ffmpeg) = &args.ffmpeg else { return Tools { ffmpeg: "ffmpeg".into(), ffprobe: "ffprobe".into(), sync } };
        let name = |name: &str| format!("{name}{}", std::env::consts::EXE_SUFFIX);
        let folder = if ffmpeg.is_dir() { Some(ffmpeg.as_path()) } else { ffmpeg.parent() };
        let ffprobe = folder.map(|folder| folder.join(name("ffprobe"))).filter(|path| path.is_file());
        let ffmpeg = if ffmpeg.is_dir() { ffmpeg.join(name("ffmpeg")) } else { ffmpeg.clone() };
        Tools { ffmpeg, ffprobe: ffprobe.unwrap_or("ffprobe".into()), sync }
    }

    /// Runs ffmpeg to find its version, before a file is created. `need` begins the error if it
    /// cannot be started.
    pub fn check(&mut self, need: impl Display, pipe: impl Display) -> Result<(), CliError> {
        let run = Command::new(&self.ffmpeg).args(["-nostdin", "-version"]).stdin(Stdio::null()).output();
        let output = run.map_err(|error| cannot_start(&self.ffmpeg, &error, need, pipe))?;
        if is_old(&String::from_utf8_lossy(&output.stdout)) {
            self.sync = "-vsync";
        }
        Ok(())
    }
}

/// Whether the text of `ffmpeg -version` is that of a version before 5.1. Builds between versions
/// have no such number, and are new.
fn is_old(text: &str) -> bool {
    let Some(version) = text.strip_prefix("ffmpeg version ") else { return false };
    let mut numbers =
        version.trim_start_matches('n').split(|c: char| !c.is_ascii_digit()).map(|number| number.parse::<u32>().ok());
    matches!((numbers.next().flatten(), numbers.next().flatten()), (Some(5), Some(0)) | (Some(2..=4), _))
}

/// The error that a program cannot be started. `need` is the reason for which it is needed, and
/// `pipe` is a command that does without.
pub fn cannot_start(program: &Path, error: &std::io::Error, need: impl Display, pipe: impl Display) -> CliError {
    let why = match error.kind() {
        std::io::ErrorKind::NotFound => "is not installed".to_owned(),
        _ => format!("cannot be started: {error}"),
    };
    let install = "install the package ffmpeg, which has both programs, or use --ffmpeg PATH";
    CliError::runtime(format_args!("{need}, but {} {why}; {install}; or use a pipe: {pipe}", program.display()))
}

#[cfg(test)]
mod tests {
    use super::is_old;

    #[test]
    fn versions() {
        let old = |version: &str| is_old(&format!("ffmpeg version {version} Copyright (c)"));
        assert_eq!(["4.4.2-0ubuntu0.22.04.1", "5.0.3", "n4.2.7", "3.4"].map(old), [true; 4]);
        assert_eq!(["5.1.9-0+deb12u1", "6.0", "7.1.1", "N-118193-g5f38c82", "2024-01-01-git-x", "10.0"].map(old), [false; 6]);
    }
}
