//! Profiles of any text: their options are parsed, layered and applied as those of a command line,
//! and the dump of the result is a profile with the same result.
//!
//! The target compiles the modules of the command line themselves, because a library that only this
//! target uses would be another public interface.
#![no_main]
#![allow(dead_code, unused_imports, reason = "the modules have functions for other subcommands")]

#[path = "../../src/cli"]
mod cli {
    pub mod error;
    pub mod options;
    pub mod terminal;
}

use clap::{ArgMatches, CommandFactory};
use cli::{error, options, terminal};
use dndi::{ColorMatrix, ColorRange, ColorSpace, Parameters, SharpenMode};
use libfuzzer_sys::fuzz_target;
use options::args::Args;
use options::layers::Options;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A folder of this process.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("dndi-fuzz-profile-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
});

/// The options of a profile; none if the profile is in error.
fn load(profile: &Path) -> Option<(Options, ArgMatches)> {
    let mut argument = std::ffi::OsString::from("--profile=");
    argument.push(profile);
    let arguments = vec![argument, "in.y4m".into(), "out.y4m".into()];
    match options::parse::layered(Args::command(), arguments, &options::conversion_help::HELP) {
        Ok(parsed) => Some(parsed.expect("neither help nor version")),
        Err(error) => {
            assert!(error.code() == 2 && !error.to_string().is_empty(), "{error}");
            None
        }
    }
}

/// The parameters and the sharpening filter for an input; none if the options exclude each other.
fn settings(options: &Options, input: ColorSpace) -> Option<(Parameters, Option<SharpenMode>)> {
    options.stage_settings(input, 8).ok().map(|settings| (settings.parameters, settings.sharpen))
}

fuzz_target!(|data: &[u8]| {
    // State files are read from any path that the profile names.
    if data.windows(5).any(|bytes| bytes == b"state") || data.contains(&b'\\') {
        return;
    }
    let path = FOLDER.join("profile.toml");
    std::fs::write(&path, data).expect("a file");
    let Some((options, matches)) = load(&path) else { return };
    let inputs = [ColorMatrix::Bt601, ColorMatrix::Bt2020].map(|matrix| ColorSpace { matrix, range: ColorRange::Limited });
    let first = inputs.map(|input| settings(&options, input));
    // A dump holds all parameters and takes long to read, so only some profiles are dumped: those
    // that begin with a comment.
    if !data.starts_with(b"#") {
        return;
    }
    let Ok(dump) = options::profile_dump::dump(&options, &matches) else { return };
    let path = FOLDER.join("dump.toml");
    std::fs::write(&path, &dump).expect("a file");
    let (again, matches) = load(&path).unwrap_or_else(|| panic!("a dump is a profile:\n{dump}"));
    for (input, first) in inputs.into_iter().zip(first).filter(|(_, first)| first.is_some()) {
        assert_eq!(settings(&again, input), first);
    }
    assert_eq!(options::profile_dump::dump(&again, &matches).expect("a dump"), dump);
});
