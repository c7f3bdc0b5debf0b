//! Checks of the files that the command line names. They prevent that a file is overwritten without
//! `-y`, or is read and written by the same run.

use super::names::Names;
use crate::error::CliError;
use crate::options::args::Args;
use crate::options::color_args::Rgb;
use crate::options::is_standard;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// stdin as a [`File`].
pub fn stdin() -> io::Result<File> {
    owned(io::stdin())
}

/// stdout as a [`File`], without the buffer of the standard library.
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

/// Checks that stdout is open if the output, a report or a checksum is written to it.
///
/// If the program starts without stdout (`>&-`), the standard library opens the null device in its
/// place, for reading and writing. The file that `>/dev/null` opens cannot be read.
pub fn check_stdout(args: &Args) -> Result<(), CliError> {
    let mut outputs = args.side_files().filter(|file| file.written).map(|file| file.path).chain([args.output.as_path()]);
    if (args.md5 || args.hardware.print_tables || outputs.any(is_standard)) && is_stdout_replaced() {
        return Err(CliError::runtime("stdout is closed; to discard the output, write it to /dev/null"));
    }
    Ok(())
}

/// Whether stdout is the null device, open for reading and writing.
fn is_stdout_replaced() -> bool {
    #[cfg(unix)]
    {
        use std::io::Read;
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let device = |metadata: Metadata| metadata.file_type().is_char_device().then(|| metadata.rdev());
        let null = fs::metadata("/dev/null").ok().and_then(device);
        let own = |stdout: &File| stdout.metadata().ok().and_then(device);
        stdout().is_ok_and(|mut stdout| null.is_some() && own(&stdout) == null && stdout.read(&mut [0]).is_ok())
    }
    #[cfg(not(unix))]
    false
}

/// The files of a run. None of them may serve twice.
#[derive(Debug, Default)]
pub struct ReservedFiles {
    /// Files that the program reads.
    read: Vec<Identity>,
    /// Side files that the program writes. They are identified by path, since a file that does not
    /// exist yet has no inode.
    written: Vec<PathBuf>,
    /// Files that the program has opened for writing.
    opened: Vec<Identity>,
}

impl ReservedFiles {
    /// The files of a run that reads these and writes no side files.
    pub fn reading<'a>(files: impl Iterator<Item = &'a Path>) -> ReservedFiles {
        let read = files.filter_map(|path| identity_of(path, fs::metadata(path))).collect();
        ReservedFiles { read, ..ReservedFiles::default() }
    }

    /// Checks that the picture `path` is none of these files. Nothing is opened.
    pub fn ensure_free(&self, path: &Path) -> Result<(), CliError> {
        let is_reserved = |identity| {
            self.read.contains(&identity) || self.written.iter().any(|file| output_identity(file).as_ref() == Some(&identity))
        };
        if output_identity(path).is_some_and(is_reserved) { Err(used_twice(path)) } else { Ok(()) }
    }

    /// Checks that `file`, which was opened as `path`, is none of these files. Paths that differ
    /// can lead to one file: through a link that was made after the check of the paths, or in a
    /// file system that ignores case.
    pub fn ensure_distinct(&self, path: &Path, file: &File) -> Result<(), CliError> {
        match opened_identity(path, file) {
            Some(identity) if self.read.contains(&identity) || self.opened.contains(&identity) => Err(used_twice(path)),
            _ => Ok(()),
        }
    }

    /// Adds a file that was opened for writing as `path`.
    pub fn add_opened(&mut self, path: &Path, file: &File) {
        self.opened.extend(opened_identity(path, file));
    }
}

/// Checks that no file is both read and written, or written twice, and that no file is overwritten
/// without `-y`. If the output is a series of pictures, only the first one is checked here.
/// [`ReservedFiles::ensure_free`] checks the others.
pub fn check(args: &Args) -> Result<ReservedFiles, CliError> {
    let picture = args.color.rgb == Some(Rgb::Png) && !is_standard(&args.output);
    let picture = if picture { Names::parse(&args.output)?.of(0) } else { None };
    let output = picture.as_deref().unwrap_or(&args.output);
    let (written, read): (Vec<_>, Vec<_>) = args.side_files().partition(|file| file.written);
    let outputs: Vec<&Path> = std::iter::once(output).chain(written.iter().map(|file| file.path)).collect();
    if outputs.iter().filter(|path| is_standard(path)).count() > 1 {
        let names: Vec<_> =
            written.iter().filter(|file| is_standard(file.path)).map(|file| format!("--{}", file.option)).collect();
        let names = if is_standard(output) { [vec!["OUTPUT".to_owned()], names].concat() } else { names };
        return Err(CliError::usage(format_args!("{} cannot all be -: there is one stdout", names.join(" and "))));
    }
    let mut known: Vec<_> = input_identity(&args.input).into_iter().collect();
    known.extend(read.iter().filter_map(|file| identity_of(file.path, fs::metadata(file.path))));
    let side_files = written.iter().map(|file| file.path.to_owned()).collect();
    let reserved = ReservedFiles { read: known.clone(), written: side_files, opened: vec![] };
    for path in outputs {
        let identity = output_identity(path);
        if identity.as_ref().is_some_and(|identity| known.contains(identity)) {
            return Err(used_twice(path));
        }
        known.extend(identity);
        can_be_created(path)?;
        if !args.overwrite && !is_standard(path) && path.is_file() {
            return Err(exists(path));
        }
    }
    Ok(reserved)
}

/// Checks that the folder of `path` exists and that `path` is not a folder. This is done before any
/// file is created.
fn can_be_created(path: &Path) -> Result<(), CliError> {
    let cannot = |error: io::Error| Err(CliError::runtime(format_args!("cannot create {}: {error}", path.display())));
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

/// Number of symbolic links that are followed, as on Linux.
const MAX_LINKS: usize = 40;

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn used_twice(path: &Path) -> CliError {
    let name = if is_standard(path) { "stdout".into() } else { path.to_string_lossy() };
    CliError::usage(format_args!("{name} is used twice: each input, output and report needs a file of its own"))
}

/// The error that `path` exists and is not overwritten.
pub fn exists(path: &Path) -> CliError {
    CliError::usage(format_args!("{} exists; -y overwrites it", path.display()))
}

/// Identity of a file: equal for two names of the same file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity {
    /// Device and inode.
    #[cfg(unix)]
    Inode(u64, u64),
    /// The canonical path.
    Path(PathBuf),
}

/// The identity of an input. None if it does not exist, and for devices and pipes, which can be
/// used several times.
fn input_identity(path: &Path) -> Option<Identity> {
    identity_of(path, if is_standard(path) { stdin().and_then(|file| file.metadata()) } else { fs::metadata(path) })
}

/// The identity of an output. A file that does not exist yet is identified by its future path.
/// Symbolic links to it count as the file.
fn output_identity(path: &Path) -> Option<Identity> {
    if is_standard(path) {
        return identity_of(path, stdout().and_then(|file| file.metadata()));
    }
    let metadata = fs::metadata(path);
    if metadata.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return future_path(path).map(Identity::Path);
    }
    identity_of(path, metadata)
}

/// The identity of a file that was opened as `path`.
fn opened_identity(path: &Path, file: &File) -> Option<Identity> {
    identity_of(path, file.metadata())
}

/// The path of the file that will be created as `path`.
fn future_path(path: &Path) -> Option<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Some(folder_of(&path).canonicalize().ok()?.join(path.file_name()?)),
        }
    }
    None
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
