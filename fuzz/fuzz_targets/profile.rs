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

use clap::CommandFactory;
use cli::{error, options, terminal};
use dndi::{ColorMatrix, ColorRange, ColorSpace};
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

/// The options of a profile, and their dump.
fn load(profile: &Path) -> Option<(Options, String)> {
    let mut argument = std::ffi::OsString::from("--profile=");
    argument.push(profile);
    let arguments = vec![argument, "in.y4m".into(), "out.y4m".into()];
    let (options, matches) = match options::parse::layered(Args::command(), arguments, "dndi --help") {
        Ok(parsed) => parsed.expect("neither help nor version"),
        Err(error) => {
            assert!(error.code() == 2 && !error.to_string().is_empty(), "{error}");
            return None;
        }
    };
    let dump = options::profile_dump::dump(&options, &matches).ok()?;
    Some((options, dump))
}

fuzz_target!(|data: &[u8]| {
    // State files are read from any path that the profile names.
    if data.windows(6).any(|bytes| bytes == b"-state" || bytes == b"_state") || data.contains(&b'\\') {
        return;
    }
    let path = FOLDER.join("profile.toml");
    std::fs::write(&path, data).expect("a file");
    let Some((options, dump)) = load(&path) else { return };
    let again = FOLDER.join("dump.toml");
    std::fs::write(&again, &dump).expect("a file");
    let (dumped, text) = load(&again).unwrap_or_else(|| panic!("a dump is a profile:\n{dump}"));
    assert_eq!(text, dump, "the dump of a dump");
    for matrix in [ColorMatrix::Bt601, ColorMatrix::Bt709, ColorMatrix::Bt2020] {
        for range in [ColorRange::Limited, ColorRange::Full] {
            let [first, second] = [&options, &dumped].map(|options| options.stage_settings(ColorSpace { matrix, range }).ok());
            let parameters =
                |settings: &Option<options::layers::StageSettings>| settings.as_ref().map(|s| (s.parameters.clone(), s.sharpen));
            if first.is_some() {
                assert_eq!(parameters(&first), parameters(&second));
            }
        }
    }
});
