//! Frames that wait in a temporary file, because there may be too many for the memory.

use crate::error::CliError;
use dndi::y4m::little_endian;
use dndi::{Format, Frame, SamplesMut};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of the next file of this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A temporary file of frames. It has no name on Unix; elsewhere it is removed at the end.
#[derive(Debug)]
pub struct Spool {
    file: File,
    path: Option<PathBuf>,
    end: u64,
    bytes: Vec<u8>,
}

/// A frame in the file.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    at: u64,
    format: Format,
}

impl Spool {
    /// Creates the file in `folder`.
    pub fn create(folder: &Path) -> Result<Spool, CliError> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".dndi-{}-{number}.tmp", std::process::id()));
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        let file = options
            .open(&path)
            .map_err(|error| CliError::runtime(format_args!("cannot create the temporary file {}: {error}", path.display())))?;
        let path = if cfg!(unix) && std::fs::remove_file(&path).is_ok() { None } else { Some(path) };
        Ok(Spool { file, path, end: 0, bytes: vec![] })
    }

    /// Appends a frame.
    pub fn store(&mut self, frame: &Frame) -> Result<Stored, CliError> {
        let stored = Stored { at: self.end, format: frame.format() };
        let bytes = little_endian(frame.samples(), &mut self.bytes).map_err(CliError::runtime)?;
        self.end += bytes.len() as u64;
        let written = self.file.seek(SeekFrom::Start(stored.at)).and_then(|_| self.file.write_all(bytes));
        written.map_err(failed)?;
        Ok(stored)
    }

    /// Reads a frame.
    pub fn load(&mut self, Stored { at, format }: Stored) -> Result<Frame, CliError> {
        let mut frame = Frame::try_new(format).map_err(CliError::runtime)?;
        self.file.seek(SeekFrom::Start(at)).map_err(failed)?;
        match frame.samples_mut() {
            SamplesMut::U8(samples) => self.file.read_exact(samples).map_err(failed)?,
            SamplesMut::U16(samples) => {
                self.bytes.resize(2 * samples.len(), 0);
                self.file.read_exact(&mut self.bytes).map_err(failed)?;
                for (sample, bytes) in samples.iter_mut().zip(self.bytes.chunks_exact(2)) {
                    *sample = u16::from_le_bytes([bytes[0], bytes[1]]);
                }
            }
        }
        Ok(frame)
    }
}

fn failed(error: io::Error) -> CliError {
    CliError::runtime(format_args!("the temporary file of frames: {error}"))
}

impl Drop for Spool {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            let _ = std::fs::remove_file(path);
        }
    }
}
