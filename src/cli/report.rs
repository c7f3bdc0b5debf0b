//! Reports about the run: statistics of the steps (§8.3) and checksums of the frames.

mod denoise;
mod rows;
mod timecodes;

use crate::args::Args;
use crate::failure::{Failure, say};
use crate::files;
use crate::output::{Sink, rgb};
use crate::plan::Plan;
use dndi::y4m::Header;
use dndi::{Frame, LumaStatistics, Statistics, FilterTables};
use md5::{Digest, Md5};
pub use rows::Origin;
use rows::Rows;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use timecodes::Timecodes;

/// The reports that were asked for.
#[derive(Debug)]
pub struct Reports {
    statistics: Option<Rows>,
    frame_sums: Option<Sink>,
    timecodes: Option<Timecodes>,
    sum: Option<Md5>,
    stdout_is_taken: bool,
    /// Whether the planes are R, G and B.
    rgb: bool,
    /// Frames so far.
    frames: u64,
}

impl Reports {
    /// Opens the files.
    pub fn open(args: &Args, plan: &Plan) -> Result<Reports, Failure> {
        let rate = plan.input_rate;
        let open = |path, unit| Sink::open(path, args.overwrite, unit);
        let taken = [Some(&args.output), args.stats.as_ref(), args.framemd5.as_ref(), args.timecodes.as_ref()];
        Ok(Reports {
            statistics: args.stats.as_ref().map(|path| Ok(Rows::new(open(path, "rows")?, rate))).transpose()?,
            frame_sums: args.framemd5.as_ref().map(|path| open(path, "rows")).transpose()?,
            timecodes: args
                .timecodes
                .as_ref()
                .map(|path| Ok(Timecodes::new(open(path, "rows")?, rate, args.skip)))
                .transpose()?,
            sum: args.md5.then(Md5::new),
            stdout_is_taken: taken.into_iter().flatten().any(|path| files::is_standard(path)),
            rgb: args.color.rgb.is_some(),
            frames: 0,
        })
    }

    /// Begins the reports about a stream with this header.
    pub fn begin(&mut self, header: &Header) -> Result<(), Failure> {
        self.statistics.as_ref().map_or(Ok(()), Rows::begin)?;
        self.timecodes.as_mut().map_or(Ok(()), Timecodes::begin)?;
        if let Some(sums) = &mut self.frame_sums {
            sums.begin()?;
            sums.write_lines(&frame_sums_header(header), 0)?;
        }
        Ok(())
    }

    /// Begins the report on the step that took frame `number` of the input.
    pub fn step(&mut self, number: u64, statistics: &Statistics) -> Result<(), Failure> {
        self.statistics.as_mut().map_or(Ok(()), |rows| rows.step(number, statistics))
    }

    /// Prints the scaler's tables.
    pub fn tables(&self, tables: &FilterTables) -> Result<(), Failure> {
        let mut text = String::new();
        for (name, table) in tables.named() {
            text += &format!("{name}\n");
            for (beta, row) in table.iter().enumerate() {
                let row: Vec<String> = row.iter().map(|k| format!("{k:>4}")).collect();
                text += &format!("{beta:>4}:{}\n", row.concat());
            }
        }
        self.print(&text, "the tables")
    }

    /// Adds to the report on the last step a frame that will be written, number `number` of those that are made of the whole input.
    pub fn made(&mut self, number: u64, origin: Origin, luma: Option<&LumaStatistics>) {
        if let (Some(rows), Some(luma)) = (&mut self.statistics, luma) {
            rows.made(number, origin, luma);
        }
    }

    /// Reports when a frame that will be written is shown, in half fields.
    pub fn time(&mut self, time: u64) {
        if let Some(timecodes) = &mut self.timecodes {
            timecodes.made(time);
        }
    }

    /// All frames that the last step makes are there; one that follows is the end's.
    pub fn step_made(&mut self) {
        if let Some(rows) = &mut self.statistics {
            rows.step_made();
        }
    }

    /// Reports on a frame that was written, the next of those that were to be.
    pub fn written(&mut self, frame: &Frame) -> Result<(), Failure> {
        self.statistics.as_mut().map_or(Ok(()), Rows::written)?;
        self.timecodes.as_mut().map_or(Ok(()), Timecodes::written)?;
        let parts = if self.rgb { rgb::planes(frame).to_vec() } else { vec![frame.data()] };
        if let Some(sum) = &mut self.sum {
            parts.iter().for_each(|part| sum.update(part));
        }
        if let Some(sums) = &mut self.frame_sums {
            let mut sum = Md5::new();
            parts.iter().for_each(|part| sum.update(part));
            let (number, size, sum) = (self.frames, parts.iter().map(|part| part.len()).sum::<usize>(), hex(&sum.finalize()));
            sums.write_lines(&format!("0, {number:>10}, {number:>10}, {:>8}, {size:>8}, {sum}\n", 1), 1)?;
        }
        self.frames += 1;
        Ok(())
    }

    /// Ends the rows of statistics, whether or not all frames were written.
    pub fn end(&mut self) -> Result<(), Failure> {
        self.statistics.as_mut().map_or(Ok(()), Rows::end)
    }

    /// Prints the checksum of all frames.
    pub fn sum(&mut self) -> Result<(), Failure> {
        let Some(sum) = self.sum.take() else { return Ok(()) };
        self.print(&format!("MD5={}\n", hex(&sum.finalize())), "the MD5")
    }

    /// On stdout, or on stderr if that is taken.
    fn print(&self, text: &str, what: &str) -> Result<(), Failure> {
        if self.stdout_is_taken {
            let _ = io::stderr().write_all(text.as_bytes());
            return Ok(());
        }
        let mut stdout = io::stdout();
        let printed = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
        printed.map_err(|error| Failure::runtime(format_args!("cannot print {what} to stdout: {error}")))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// As ffmpeg's muxer framemd5 writes it, version 2.
fn frame_sums_header(header: &Header) -> String {
    let (num, den) = header.rate().unwrap_or((25, 1));
    let common = greatest_common_divisor(num, den);
    let (num, den, (width, height)) = (num / common, den / common, aspect(header));
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "#format: frame checksums\n#version: 2\n#hash: MD5\n#software: dndi {version}\n#tb 0: {den}/{num}\n#media_type 0: video\n\
         #codec_id 0: rawvideo\n#dimensions 0: {}x{}\n#sar 0: {width}/{height}\n\
         #stream#, dts,        pts, duration,     size, hash\n",
        header.width(),
        header.height()
    )
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Width and height of a sample; 0, 1 if not known.
pub fn aspect(header: &Header) -> (u32, u32) {
    let mut line = Vec::new();
    let _ = header.write(&mut line);
    let line = String::from_utf8_lossy(&line);
    let aspect = line.split_ascii_whitespace().find_map(|token| token.strip_prefix('A')?.split_once(':'));
    let numbers = aspect.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    numbers.filter(|&numbers| numbers != (0, 0)).unwrap_or((0, 1))
}

/// Counts the warnings.
static WARNINGS: AtomicUsize = AtomicUsize::new(0);

/// Warns, unless that is not wanted.
pub fn warn(args: &Args, message: &str) {
    WARNINGS.fetch_add(1, Ordering::Relaxed);
    if !args.quiet {
        say(format_args!("warning: {message}"));
    }
}

/// Warnings so far, said or not.
pub fn warnings() -> usize {
    WARNINGS.load(Ordering::Relaxed)
}
