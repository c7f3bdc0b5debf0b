//! How far a run is, on stderr: a bar for people, lines of JSON for programs.

use crate::choices;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The least time from one line of JSON to the next.
const INTERVAL: Duration = Duration::from_millis(500);

/// The bar that is on the screen; other lines go above it.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// A run that is watched.
#[derive(Debug)]
pub struct Progress {
    kind: Kind,
    begin: Instant,
    /// Frames that will be read, as far as is known.
    total: Option<u64>,
    /// When the last line was written.
    told: Option<Duration>,
    /// Frames read and written.
    frames: (u64, u64),
}

#[derive(Debug)]
enum Kind {
    Silent,
    Bar(ProgressBar),
    Json,
}

/// A line of JSON.
#[derive(Debug, PartialEq, serde::Serialize)]
struct Line {
    frames_in: u64,
    frames_out: u64,
    /// Frames that will be read.
    total: Option<u64>,
    seconds: f64,
    /// Frames read a second.
    fps: f64,
    /// Seconds that are left.
    eta: Option<f64>,
    done: bool,
}

/// Whether someone looks at stderr.
pub fn is_seen() -> bool {
    io::stderr().is_terminal()
}

impl Progress {
    /// Begins to watch a run that reads `total` frames, if that is known. A bar is only for terminals, and not for the `quiet`.
    pub fn new(how: choices::Progress, quiet: bool, total: Option<u64>) -> Progress {
        let kind = match how {
            choices::Progress::Json => Kind::Json,
            choices::Progress::Auto if !quiet && is_seen() => Kind::Bar(bar(total)),
            _ => Kind::Silent,
        };
        Progress { kind, begin: Instant::now(), total, told: None, frames: (0, 0) }
    }

    /// So many frames were read and written so far.
    pub fn at(&mut self, taken: u64, written: u64) {
        self.frames = (taken, written);
        match &self.kind {
            Kind::Silent => {}
            Kind::Bar(bar) => bar.set_position(taken),
            Kind::Json => {
                if let Some(line) = self.line(self.begin.elapsed(), false) {
                    print(&line);
                }
            }
        }
    }

    /// The run is over. Returns the seconds that it took.
    pub fn end(&mut self, written: u64) -> f64 {
        self.frames.1 = written;
        let elapsed = self.begin.elapsed();
        match &self.kind {
            Kind::Silent => {}
            Kind::Bar(bar) => {
                bar.finish_and_clear();
                *BAR.lock().unwrap_or_else(PoisonError::into_inner) = None;
            }
            Kind::Json => {
                if let Some(line) = self.line(elapsed, true) {
                    print(&line);
                }
            }
        }
        elapsed.as_secs_f64().max(1e-9)
    }

    /// What there is to say at this time, if it is time to say something.
    fn line(&mut self, elapsed: Duration, done: bool) -> Option<Line> {
        if !done && self.told.is_some_and(|told| elapsed < told + INTERVAL) {
            return None;
        }
        self.told = Some(elapsed);
        let (frames_in, frames_out) = self.frames;
        let seconds = elapsed.as_secs_f64();
        let fps = frames_in as f64 / seconds.max(1e-9);
        let left = self.total.filter(|_| fps > 0.0).map(|total| total.saturating_sub(frames_in) as f64 / fps);
        let eta = if done { Some(0.0) } else { left };
        let [seconds, fps] = [seconds, fps].map(rounded);
        Some(Line { frames_in, frames_out, total: self.total, seconds, fps, eta: eta.map(rounded), done })
    }
}

impl Drop for Progress {
    /// A run that fails leaves no bar behind.
    fn drop(&mut self) {
        if let Kind::Bar(bar) = &self.kind {
            bar.finish_and_clear();
            *BAR.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// When stderr is closed there is nobody to tell.
fn print(line: &Line) {
    if let Ok(line) = serde_json::to_string(line) {
        let _ = io::stderr().write_all((line + "\n").as_bytes());
    }
}

fn bar(total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(10));
    let template = match total {
        Some(_) => "{bar:30} {pos}/{len} frames, {per_sec}, {eta} left",
        None => "{spinner} {pos} frames, {per_sec}, {elapsed}",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
    bar
}

/// Writes lines on stderr while no bar stands in their way.
pub fn aside(write: impl FnOnce()) {
    let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Frames of `size` bytes that the file `path` has at most, if it is a file.
pub fn frames_in(path: &Path, size: usize) -> Option<u64> {
    let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    Some(metadata.len() / (size + b"FRAME\n".len()) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(total: Option<u64>) -> Progress {
        Progress { kind: Kind::Json, begin: Instant::now(), total, told: None, frames: (0, 0) }
    }

    #[test]
    fn lines_are_few() {
        let mut progress = progress(Some(100));
        let mut lines = |milliseconds| {
            progress.frames = (milliseconds / 10, milliseconds / 5);
            progress.line(Duration::from_millis(milliseconds), false)
        };
        let told: Vec<_> = (0..1000).step_by(10).filter_map(|time| lines(time).map(|_| time)).collect();
        assert_eq!(told, [0, 500]);
        let want =
            Line { frames_in: 101, frames_out: 202, total: Some(100), seconds: 1.01, fps: 100.0, eta: Some(0.0), done: false };
        assert_eq!(lines(1010), Some(want));
        assert_eq!(progress.line(Duration::from_millis(1011), true).map(|line| line.done), Some(true));
    }

    #[test]
    fn what_is_left() {
        let mut known = progress(Some(100));
        assert_eq!(known.line(Duration::ZERO, false).unwrap().eta, None);
        known.frames = (25, 50);
        assert_eq!(known.line(Duration::from_secs(5), false).map(|line| (line.fps, line.eta)), Some((5.0, Some(15.0))));
        let mut unknown = progress(None);
        unknown.frames = (25, 50);
        assert_eq!(unknown.line(Duration::from_secs(5), false).map(|line| (line.total, line.eta)), Some((None, None)));
    }
}
