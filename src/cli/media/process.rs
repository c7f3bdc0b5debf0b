//! A running ffmpeg, and the messages that it prints.

use crate::error::CliError;
use crate::io::processes::ChildProcess;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Number of messages that an error repeats.
const MESSAGES: usize = 3;

/// Parts of messages about a file that is not complete. ffmpeg 5 ends with status 0 after them, for
/// example if the disk is full.
const INCOMPLETE: [&str; 4] = ["Error writing trailer", "Error closing file", "av_interleaved_write_frame()", "No space left"];

/// A running program. It is killed when the value is dropped.
#[derive(Debug)]
pub struct Process {
    child: ChildProcess,
    /// The last messages.
    messages: Arc<Mutex<VecDeque<String>>>,
    reader: Option<JoinHandle<()>>,
}

/// The pipes of a program: its stdin and stdout, as far as `Command` connects them.
pub type Pipes = (Option<ChildStdin>, Option<ChildStdout>);

impl Process {
    /// Starts `command`. Each line on its stderr is given to `take`; a line that `take` refuses is
    /// a message.
    pub fn start(command: &mut Command, take: impl FnMut(&str) -> bool + Send + 'static) -> std::io::Result<(Process, Pipes)> {
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let stderr = child.stderr.take();
        let messages = Arc::new(Mutex::new(VecDeque::new()));
        let child = ChildProcess::new(child);
        let thread = std::thread::Builder::new().name("messages".to_owned());
        let kept = Arc::clone(&messages);
        let reader = thread.spawn(move || {
            if let Some(stderr) = stderr {
                read(stderr, &kept, take);
            }
        })?;
        Ok((Process { child, messages, reader: Some(reader) }, pipes))
    }

    /// Waits for the end. The program must end by itself.
    ///
    /// # Errors
    /// If the program failed: its last messages.
    pub fn wait(&mut self) -> Result<(), String> {
        let status = self.child.wait().map_err(|error| error.to_string())?;
        self.reader.take().map(JoinHandle::join);
        if status.success() {
            return Ok(());
        }
        let messages = self.messages();
        Err(if messages.is_empty() { format!("ffmpeg ended with {status}") } else { messages })
    }

    /// Waits for the end of a program that writes a file.
    ///
    /// # Errors
    /// If the program failed or its file is not complete: its last messages.
    pub fn wait_for_file(&mut self) -> Result<(), String> {
        self.wait()?;
        let messages = self.messages();
        if INCOMPLETE.iter().any(|part| messages.contains(part)) { Err(messages) } else { Ok(()) }
    }

    /// The last messages, separated by semicolons.
    pub fn messages(&self) -> String {
        let messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        messages.iter().cloned().collect::<Vec<_>>().join("; ")
    }
}

/// Reads the lines of stderr.
fn read(stderr: ChildStderr, messages: &Mutex<VecDeque<String>>, mut take: impl FnMut(&str) -> bool) {
    let (mut stderr, mut line) = (BufReader::new(stderr), Vec::new());
    while stderr.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        let text = String::from_utf8_lossy(&line);
        if !take(text.trim_end())
            && let Some(text) = message(text.trim_end())
        {
            let mut messages = messages.lock().unwrap_or_else(PoisonError::into_inner);
            if messages.back() != Some(&text) {
                messages.push_back(text);
            }
            if messages.len() > MESSAGES {
                messages.pop_front();
            }
        }
        line.clear();
    }
}

/// The message of a line, without its level and the address of its source. None for lines that are
/// no errors: ffmpeg is run with the option that prints levels.
fn message(line: &str) -> Option<String> {
    let (source, text) = ["[error] ", "[fatal] ", "[panic] "].iter().find_map(|level| line.split_once(level))?;
    let source = source.trim_start_matches('[').split(" @ ").next().unwrap_or_default().trim();
    let text = text.trim();
    (!text.is_empty()).then(|| if source.is_empty() { text.to_owned() } else { format!("{source}: {text}") })
}

/// The error that ffmpeg failed.
pub fn failed(doing: &str, messages: &str) -> CliError {
    CliError::runtime(format_args!("ffmpeg cannot {doing}: {messages}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_short() {
        assert_eq!(
            message("[mpeg2video @ 0x55] [error] ac-tex damaged at 3 4").as_deref(),
            Some("mpeg2video: ac-tex damaged at 3 4")
        );
        assert_eq!(message("[error] Conversion failed!").as_deref(), Some("Conversion failed!"));
        assert_eq!(message("[info] Input #0"), None);
        assert_eq!(message("Input #0"), None);
    }
}
