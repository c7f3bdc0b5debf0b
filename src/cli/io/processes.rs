//! Child processes and temporary files, which must not survive the program.

use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Interval at which the end of a child is checked. While a thread waits, another one can end the
/// child.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The children that run, and the files that are not complete.
static RUNNING: Mutex<Running> = Mutex::new(Running { children: Vec::new(), files: Vec::new() });

struct Running {
    children: Vec<Arc<Mutex<Child>>>,
    files: Vec<PathBuf>,
}

/// A child process. It is killed when the value is dropped.
#[derive(Debug)]
pub struct ChildProcess(Arc<Mutex<Child>>);

impl ChildProcess {
    /// Takes care of `child`.
    pub fn new(child: Child) -> ChildProcess {
        let child = Arc::new(Mutex::new(child));
        with_running(|running| running.children.push(Arc::clone(&child)));
        ChildProcess(child)
    }

    /// Waits for the end of the child.
    pub fn wait(&self) -> std::io::Result<ExitStatus> {
        loop {
            let status = self.0.lock().unwrap_or_else(PoisonError::into_inner).try_wait()?;
            match status {
                Some(status) => return Ok(status),
                None => std::thread::sleep(POLL_INTERVAL),
            }
        }
    }

    /// Ends the child.
    pub fn kill(&self) {
        kill(&self.0);
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.kill();
        with_running(|running| running.children.retain(|child| !Arc::ptr_eq(child, &self.0)));
    }
}

/// A file that is removed when the value is dropped, unless it was renamed.
#[derive(Debug)]
pub struct TemporaryFile(PathBuf);

impl TemporaryFile {
    /// Takes care of the file `path`.
    pub fn new(path: PathBuf) -> TemporaryFile {
        with_running(|running| running.files.push(path.clone()));
        TemporaryFile(path)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Gives the complete file its final name, and replaces a file of this name.
    pub fn rename(self, to: &Path) -> std::io::Result<()> {
        std::fs::rename(&self.0, to)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
        with_running(|running| running.files.retain(|file| *file != self.0));
    }
}

/// Kills all children and removes all temporary files, before the program ends.
pub fn end_all() {
    with_running(|running| {
        running.children.iter().for_each(|child| kill(child));
        running.files.iter().for_each(|file| drop(std::fs::remove_file(file)));
    });
}

fn kill(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    if matches!(child.try_wait(), Ok(None)) {
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn with_running(change: impl FnOnce(&mut Running)) {
    change(&mut RUNNING.lock().unwrap_or_else(PoisonError::into_inner));
}
