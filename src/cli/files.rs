//! Which files the command line names, and that none of them is lost.

use crate::args::{Args, Rgb};
use crate::failure::Failure;
use crate::output::rgb::Names;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// What `-` is.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// stdin as a file of its own.
pub fn stdin() -> io::Result<File> {
    owned(io::stdin())
}

/// stdout as a file of its own, without Rust's buffer.
pub fn stdout() -> io::Result<File> {
    owned(io::stdout())
}

#[cfg(unix)]
fn owned(stream: impl std::os::fd::AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
fn owned(stream: impl std::os::windows::io::AsHandle) -> io::Result<File> {
    stream.as_handle().try_clone_to_owned().map(File::from)
}

/// The files that serve something else than pictures.
#[derive(Debug)]
pub struct Taken {
    read: Vec<Identity>,
    /// They may not exist before the first picture does.
    reports: Vec<PathBuf>,
}

impl Taken {
    /// That `path`, which is about to be written, is none of them.
    pub fn spare(&self, path: &Path) -> Result<(), Failure> {
        let is_taken = |identity| {
            self.read.contains(&identity) || self.reports.iter().any(|report| output_identity(report).as_ref() == Some(&identity))
        };
        if output_identity(path).is_some_and(is_taken) { Err(serves_twice(&path.to_string_lossy())) } else { Ok(()) }
    }
}

/// Checks that no file is read and written, or written twice, and that none is overwritten that should not be. Of several pictures it is
/// the first that is looked at.
pub fn check(args: &Args) -> Result<Taken, Failure> {
    let picture = args.color.rgb == Some(Rgb::Png) && !is_standard(&args.output);
    let picture = if picture { Names::parse(&args.output)?.of(0) } else { None };
    let outputs = [picture.as_ref().or(Some(&args.output)), args.stats.as_ref(), args.framemd5.as_ref(), args.timecodes.as_ref()];
    let outputs: Vec<&Path> = outputs.into_iter().flatten().map(PathBuf::as_path).collect();
    if outputs.iter().filter(|path| is_standard(path)).count() > 1 {
        return Err(Failure::usage("only one of OUTPUT, --stats, --framemd5 and --timecodes can be -, stdout"));
    }
    let mut known: Vec<_> = input_identity(&args.input).into_iter().collect();
    let read = [&args.cadence, &args.profile, &args.scaler_state, &args.sampler_state, &args.color.color_state];
    known.extend(read.into_iter().flatten().filter_map(|path| identity_of(path, fs::metadata(path))));
    let reports = [&args.stats, &args.framemd5].into_iter().flatten().cloned().collect();
    let taken = Taken { read: known.clone(), reports };
    for path in outputs {
        let identity = output_identity(path);
        if identity.as_ref().is_some_and(|identity| known.contains(identity)) {
            let name = if is_standard(path) { "stdout".into() } else { path.to_string_lossy() };
            return Err(serves_twice(&name));
        }
        known.extend(identity);
        can_be_created(path)?;
        if !args.overwrite && !is_standard(path) && path.is_file() {
            return Err(exists(path));
        }
    }
    Ok(taken)
}

/// That `path` has a folder and is none, before others are created.
fn can_be_created(path: &Path) -> Result<(), Failure> {
    let cannot = |error: io::Error| Err(Failure::runtime(format_args!("cannot create {}: {error}", path.display())));
    if is_standard(path) {
        return Ok(());
    }
    if path.is_dir() {
        return cannot(io::ErrorKind::IsADirectory.into());
    }
    match fs::metadata(folder_of(path)) {
        Ok(folder) if folder.is_dir() => Ok(()),
        Ok(_) => cannot(io::ErrorKind::NotADirectory.into()),
        Err(error) => cannot(error),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn serves_twice(name: &str) -> Failure {
    Failure::usage(format_args!("{name} cannot serve twice: each input, output and report needs its own file"))
}

/// That `path` is not overwritten.
pub fn exists(path: &Path) -> Failure {
    Failure::usage(format_args!("{} exists; -y overwrites it", path.display()))
}

/// What two names of one file have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity {
    /// Device and inode.
    #[cfg(unix)]
    Inode(u64, u64),
    /// The path that both lead to.
    Path(PathBuf),
}

/// None for what does not exist, and for devices and pipes: they may serve several times.
fn input_identity(path: &Path) -> Option<Identity> {
    identity_of(path, if is_standard(path) { stdin().and_then(|file| file.metadata()) } else { fs::metadata(path) })
}

/// The same; a file that does not exist yet has the path that it will have.
fn output_identity(path: &Path) -> Option<Identity> {
    if is_standard(path) {
        return identity_of(path, stdout().and_then(|file| file.metadata()));
    }
    let metadata = fs::metadata(path);
    if metadata.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Some(Identity::Path(folder_of(path).canonicalize().ok()?.join(path.file_name()?)));
    }
    identity_of(path, metadata)
}

fn identity_of(path: &Path, metadata: io::Result<Metadata>) -> Option<Identity> {
    let metadata = metadata.ok().filter(Metadata::is_file)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let _ = path;
        Some(Identity::Inode(metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        path.canonicalize().ok().map(Identity::Path)
    }
}
