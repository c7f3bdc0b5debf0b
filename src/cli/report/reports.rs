//! Reports about the output: statistics (§8.3), timestamps and checksums of the frames.

use super::repeats::Repeat;
use super::stats_rows::{OutputRow, StatsRows};
use super::timecodes::Timecodes;
use crate::error::CliError;
use crate::io::files::ReservedFiles;
use crate::io::output::Sink;
use crate::io::rgb;
use crate::options::args::Args;
use crate::options::is_standard;
use dndi::convert::Converted;
use dndi::y4m::{Header, little_endian};
use dndi::{FilterTables, Frame, Statistics};
use md5::{Digest, Md5};
use std::io::{self, Write};

/// The reports that the options enable.
#[derive(Debug)]
pub struct Reports {
    statistics: Option<StatsRows>,
    /// The file of `--encoder-stats`.
    encoder: Option<Sink>,
    /// The file of `--framemd5`.
    frame_md5: Option<Sink>,
    timecodes: Option<Timecodes>,
    /// The checksum of `--md5` over the frames so far.
    md5: Option<Md5>,
    /// Whether a file is written to stdout.
    stdout_in_use: bool,
    /// Whether the planes are R, G and B.
    rgb: bool,
    /// Number of output frames so far.
    frames: u64,
    /// Buffer for words on a big-endian processor.
    swapped: Vec<u8>,
}

impl Reports {
    /// Opens the files of the reports and adds them to `reserved`. `rate` is the frame rate of the
    /// input as a fraction.
    pub fn open(args: &Args, rate: Option<(u32, u32)>, reserved: &mut ReservedFiles) -> Result<Reports, CliError> {
        let mut open = |path, unit| Sink::open(path, args.overwrite, unit, reserved);
        let written = args.side_files().filter(|file| file.written).map(|file| file.path);
        Ok(Reports {
            statistics: args.stats.as_ref().map(|path| Ok(StatsRows::new(open(path, "rows")?, rate))).transpose()?,
            encoder: args.encoder_stats.as_ref().map(|path| open(path, "frames")).transpose()?,
            frame_md5: args.framemd5.as_ref().map(|path| open(path, "rows")).transpose()?,
            timecodes: args
                .timecodes
                .as_ref()
                .map(|path| Ok(Timecodes::new(open(path, "rows")?, rate, args.skip)))
                .transpose()?,
            md5: args.md5.then(Md5::new),
            stdout_in_use: written.chain([args.output.as_path()]).any(is_standard),
            rgb: args.color.rgb.is_some(),
            frames: 0,
            swapped: vec![],
        })
    }

    /// Continues the times of an earlier part of the clip: the first output has no time 0.
    pub fn resume(&mut self) {
        if let Some(timecodes) = &mut self.timecodes {
            timecodes.resume();
        }
    }

    /// Writes the beginnings of the files for an output stream with this header.
    pub fn begin(&mut self, header: &Header) -> Result<(), CliError> {
        self.statistics.as_ref().map_or(Ok(()), StatsRows::begin)?;
        self.timecodes.as_mut().map_or(Ok(()), Timecodes::begin)?;
        self.encoder.as_ref().map_or(Ok(()), Sink::begin)?;
        if let Some(sink) = &mut self.frame_md5 {
            sink.begin()?;
            sink.write_lines(&frame_md5_header(header), 0)?;
        }
        Ok(())
    }

    /// Starts the row of the step that read input frame `number`, of which a part `repeats` that of
    /// the frame before.
    pub fn step(&mut self, number: u64, statistics: &Statistics, repeats: Option<Repeat>) -> Result<(), CliError> {
        if let Some(sink) = &mut self.encoder {
            let bytes: Vec<u8> = statistics.encoder.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
            sink.write_record(&bytes)?;
        }
        self.statistics.as_mut().map_or(Ok(()), |rows| rows.step(number, statistics, repeats))
    }

    /// Prints the coefficient tables of the scaler.
    pub fn tables(&self, tables: &FilterTables) -> Result<(), CliError> {
        let mut text = String::new();
        for (name, table) in tables.named() {
            text += &format!("{name}\n");
            for (beta, row) in table.iter().enumerate() {
                let row: Vec<String> = row.iter().map(|k| format!("{k:>4}")).collect();
                text += &format!("{beta:>4}:{}\n", row.concat());
            }
        }
        self.print(&text, "the tables of --print-tables")
    }

    /// Adds an output of the last step. It will be written later.
    pub fn add_output(&mut self, output: &Converted) {
        if let (Some(rows), Some(luma)) = (&mut self.statistics, &output.luma) {
            rows.add_output(output.number, OutputRow::new(output), luma);
        }
        if let Some(timecodes) = &mut self.timecodes {
            timecodes.add(output.time);
        }
    }

    /// Marks the last step as complete. An output added after it comes from the end of the stream.
    pub fn end_step(&mut self) {
        if let Some(rows) = &mut self.statistics {
            rows.end_step();
        }
    }

    /// Reports that the next output was written, and adds it to the checksums.
    pub fn written(&mut self, frame: &Frame) -> Result<(), CliError> {
        self.statistics.as_mut().map_or(Ok(()), StatsRows::written)?;
        self.timecodes.as_mut().map_or(Ok(()), Timecodes::written)?;
        let whole = [frame.samples()];
        let planes = rgb::planes(frame);
        let (mut frame_md5, mut size) = (self.frame_md5.as_ref().map(|_| Md5::new()), 0);
        if self.md5.is_some() || frame_md5.is_some() {
            for part in if self.rgb { &planes[..] } else { &whole } {
                let bytes = little_endian(*part, &mut self.swapped).map_err(CliError::runtime)?;
                [&mut self.md5, &mut frame_md5].into_iter().flatten().for_each(|md5| md5.update(bytes));
                size += bytes.len();
            }
        }
        if let (Some(sink), Some(md5)) = (&mut self.frame_md5, frame_md5) {
            let (number, md5) = (self.frames, hex(&md5.finalize()));
            sink.write_lines(&format!("0, {number:>10}, {number:>10}, {:>8}, {size:>8}, {md5}\n", 1), 1)?;
        }
        self.frames += 1;
        Ok(())
    }

    /// Ends the rows of statistics, whether or not all frames were written.
    pub fn end(&mut self) -> Result<(), CliError> {
        self.statistics.as_mut().map_or(Ok(()), StatsRows::end)
    }

    /// Prints the MD5 of all frames, once.
    pub fn print_md5(&mut self) -> Result<(), CliError> {
        let Some(md5) = self.md5.take() else { return Ok(()) };
        self.print(&format!("MD5={}\n", hex(&md5.finalize())), "the MD5 of --md5")
    }

    /// Prints on stdout, or on stderr if stdout is in use. Errors call the text `name`.
    fn print(&self, text: &str, name: &str) -> Result<(), CliError> {
        if self.stdout_in_use {
            let _ = io::stderr().write_all(text.as_bytes());
            return Ok(());
        }
        let mut stdout = io::stdout();
        let printed = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
        printed.map_err(|error| CliError::runtime(format_args!("cannot print {name} to stdout: {error}")))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The header lines of ffmpeg's muxer framemd5, version 2. A clip without a rate has 25 frames per
/// second, ffmpeg's default for y4m.
fn frame_md5_header(header: &Header) -> String {
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

/// Sample aspect ratio, width and height; (0, 1) if it is unknown.
pub fn aspect(header: &Header) -> (u32, u32) {
    header.aspect().unwrap_or((0, 1))
}
