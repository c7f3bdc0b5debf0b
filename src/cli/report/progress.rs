//! Progress report on stderr: a bar for terminals, or lines of JSON for programs.

use super::summary_json::Summary;
use crate::options::values;
use crate::terminal::{is_interactive, set_bar};
use dndi::Format;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Minimum time from one line of JSON to the next: `--help` promises at most two lines per second.
const INTERVAL: Duration = Duration::from_millis(500);

/// The progress report of a run.
#[derive(Debug)]
pub struct Progress {
    kind: Kind,
    begin: Instant,
    /// Number of frames to read, if it is known.
    total: Option<u64>,
    /// Time of the last line of JSON, counted from `begin`.
    last_line: Option<Duration>,
    /// Frames read, and frames written.
    frames: (u64, u64),
}

/// The form of the report.
#[derive(Debug)]
enum Kind {
    Silent,
    Bar(ProgressBar),
    Json,
}

/// Duration and speed, for the bar, the lines of JSON and the summary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    pub seconds: f64,
    /// Input frames per second, the mean of the whole run.
    pub fps: f64,
}

impl Speed {
    fn of(frames: u64, elapsed: Duration) -> Speed {
        let seconds = elapsed.as_secs_f64();
        Speed { seconds, fps: frames as f64 / seconds.max(1e-9) }
    }

    /// The time in seconds that `frames` more frames will take; none before the first frame.
    fn left(self, frames: u64) -> Option<f64> {
        Some(frames as f64 / self.fps).filter(|_| self.fps > 0.0)
    }
}

/// A line of JSON. The names of the fields are the keys.
#[derive(Debug, PartialEq, serde::Serialize)]
struct Line {
    frames_in: u64,
    frames_out: u64,
    /// Number of frames to read, if it is known.
    total: Option<u64>,
    /// Seconds since the start.
    seconds: f64,
    /// Input frames per second.
    fps: f64,
    /// Estimated remaining time in seconds.
    eta: Option<f64>,
    done: bool,
    /// Summary of the clip, at the end of a conversion.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<Summary>,
}

impl Progress {
    /// Starts the report of a run that reads `total` frames, if that is known. The bar is shown on
    /// terminals only, and not if `quiet`.
    pub fn new(option: values::Progress, quiet: bool, total: Option<u64>) -> Progress {
        let kind = match option {
            values::Progress::Json => Kind::Json,
            values::Progress::Auto if !quiet && is_interactive() => Kind::Bar(bar(total)),
            _ => Kind::Silent,
        };
        Progress { kind, begin: Instant::now(), total, last_line: None, frames: (0, 0) }
    }

    /// Updates the report: `read` frames were read and `written` frames were written so far.
    pub fn at(&mut self, read: u64, written: u64) {
        self.frames = (read, written);
        match &self.kind {
            Kind::Silent => {}
            Kind::Bar(bar) => bar.set_position(read),
            Kind::Json => {
                if let Some(line) = self.line(self.begin.elapsed()) {
                    print(&line);
                }
            }
        }
    }

    /// Ends the report. `frames` are the frames read and written. The last line of JSON includes
    /// `found`, the summary of the clip.
    pub fn end(&mut self, frames: [u64; 2], found: Option<Summary>) -> Speed {
        self.frames = frames.into();
        let elapsed = self.begin.elapsed();
        match &self.kind {
            Kind::Silent => {}
            Kind::Bar(bar) => {
                bar.finish_and_clear();
                set_bar(None);
            }
            Kind::Json => print(&Line { eta: Some(0.0), done: true, found, ..self.now(elapsed) }),
        }
        Speed::of(frames[0], elapsed)
    }

    /// The line of JSON at the time `elapsed`, if the interval since the last line has passed.
    fn line(&mut self, elapsed: Duration) -> Option<Line> {
        if self.last_line.is_some_and(|last| elapsed < last + INTERVAL) {
            return None;
        }
        self.last_line = Some(elapsed);
        Some(self.now(elapsed))
    }

    /// The line of JSON at the time `elapsed`.
    fn now(&self, elapsed: Duration) -> Line {
        let (frames_in, frames_out) = self.frames;
        let speed = Speed::of(frames_in, elapsed);
        let eta = self.total.and_then(|total| speed.left(total.saturating_sub(frames_in))).map(rounded);
        let [seconds, fps] = [speed.seconds, speed.fps].map(rounded);
        Line { frames_in, frames_out, total: self.total, seconds, fps, eta, done: false, found: None }
    }
}

impl Drop for Progress {
    /// Removes the bar, also after an error.
    fn drop(&mut self) {
        if let Kind::Bar(bar) = &self.kind {
            bar.finish_and_clear();
            set_bar(None);
        }
    }
}

/// The value, rounded to thousandths.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Prints a line of JSON. If stderr is closed, the line is lost.
fn print(line: &Line) {
    if let Ok(line) = serde_json::to_string(line) {
        let _ = io::stderr().write_all((line + "\n").as_bytes());
    }
}

/// Shows the bar.
fn bar(total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(10));
    bar.set_style(style(total.is_some()));
    set_bar(Some(bar.clone()));
    bar
}

/// The appearance of the bar. It shows the mean speed of the run, as the lines of JSON do; the
/// speed that indicatif computes is that of the last seconds.
fn style(total: bool) -> ProgressStyle {
    let template = match total {
        true => "{bar:30} {pos}/{len} frames, {speed}, {left} left",
        false => "{spinner} {pos} frames, {speed}, {elapsed}",
    };
    let of = |state: &ProgressState| Speed::of(state.pos(), state.elapsed());
    let speed = move |state: &ProgressState, text: &mut dyn fmt::Write| {
        let _ = write!(text, "{:.1}/s", of(state).fps);
    };
    let left = move |state: &ProgressState, text: &mut dyn fmt::Write| {
        let seconds = of(state).left(state.len().unwrap_or(0).saturating_sub(state.pos()));
        let _ = match seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
            Some(time) => write!(text, "{:#}", HumanDuration(time)),
            None => write!(text, "?"),
        };
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("speed", speed).with_key("left", left).progress_chars("=> ")
}

/// The largest number of frames of `format` that the file `path` can have, if it is a regular file.
pub fn frames_in(path: &Path, format: Format) -> Option<u64> {
    let size = format.samples() * format.bytes_per_sample();
    let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    Some(metadata.len() / (size + b"FRAME\n".len()) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::sync::{Arc, Mutex};

    fn progress(total: Option<u64>) -> Progress {
        Progress { kind: Kind::Json, begin: Instant::now(), total, last_line: None, frames: (0, 0) }
    }

    #[test]
    fn lines_are_few() {
        let mut progress = progress(Some(100));
        let mut lines = |milliseconds| {
            progress.frames = (milliseconds / 10, milliseconds / 5);
            progress.line(Duration::from_millis(milliseconds))
        };
        let times: Vec<_> = (0..1000).step_by(10).filter_map(|time| lines(time).map(|_| time)).collect();
        assert_eq!(times, [0, 500]);
        let (total, eta) = (Some(100), Some(0.0));
        let want = Line { frames_in: 101, frames_out: 202, total, seconds: 1.01, fps: 100.0, eta, done: false, found: None };
        assert_eq!(lines(1010), Some(want));
    }

    #[test]
    fn remaining_time() {
        let mut known = progress(Some(100));
        assert_eq!(known.now(Duration::ZERO).eta, None);
        known.frames = (25, 50);
        let line = known.now(Duration::from_secs(5));
        assert_eq!((line.fps, line.eta), (5.0, Some(15.0)));
        let mut unknown = progress(None);
        unknown.frames = (25, 50);
        let line = unknown.now(Duration::from_secs(5));
        assert_eq!((line.total, line.eta), (None, None));
    }

    /// A terminal that keeps the text that was drawn.
    #[derive(Clone, Debug, Default)]
    struct Screen(Arc<Mutex<String>>);

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            100
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            self.0.lock().unwrap().clear();
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The bar shows the mean speed of the whole run, as the lines of JSON do.
    #[test]
    fn the_speed_of_the_bar() {
        let drawn = |total: Option<u64>, frames: u64| {
            let screen = Screen::default();
            let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::term_like(Box::new(screen.clone())));
            let bar = bar.with_style(style(total.is_some())).with_elapsed(Duration::from_secs(1000));
            bar.set_position(frames);
            bar.tick();
            screen.0.lock().unwrap().trim().to_owned()
        };
        let text = drawn(Some(4000), 2500);
        assert!(text.ends_with("2500/4000 frames, 2.5/s, 10m left"), "{text}");
        let text = drawn(Some(4000), 0);
        assert!(text.ends_with("0/4000 frames, 0.0/s, ? left"), "{text}");
        let text = drawn(None, 2500);
        assert!(text.ends_with("2500 frames, 2.5/s, 17m"), "{text}");
    }
}
