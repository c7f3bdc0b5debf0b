//! Reports about the run: statistics of the steps (§8.3) and checksums of the frames.

mod denoise;

use crate::args::Args;
use crate::failure::{Failure, say};
use crate::files;
use crate::output::{Sink, rgb};
use crate::plan::Plan;
use denoise::Denoise;
use dndi::y4m::Header;
use dndi::{Code, Content, Decision, Frame, LumaStatistics, Statistics, Tables};
use md5::{Digest, Md5};
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The reports that were asked for.
#[derive(Debug)]
pub struct Reports {
    statistics: Option<Sink>,
    frame_sums: Option<Sink>,
    timecodes: Option<Timecodes>,
    sum: Option<Md5>,
    stdout_is_taken: bool,
    /// Whether the planes are R, G and B.
    rgb: bool,
    /// Frames so far.
    frames: u64,
    /// The row of the last step, which the frames that it makes and, at the end, the last one join.
    row: Option<Row>,
    /// Frames of the input a second.
    rate: Option<(u32, u32)>,
}

impl Reports {
    /// Opens the files.
    pub fn open(args: &Args, plan: &Plan) -> Result<Reports, Failure> {
        let rate = plan.input_rate;
        let open = |path, unit| Sink::open(path, args.overwrite, unit);
        let taken = [Some(&args.output), args.stats.as_ref(), args.framemd5.as_ref(), args.timecodes.as_ref()];
        Ok(Reports {
            statistics: args.stats.as_ref().map(|path| open(path, "rows")).transpose()?,
            frame_sums: args.framemd5.as_ref().map(|path| open(path, "rows")).transpose()?,
            timecodes: args.timecodes.as_ref().map(|path| Timecodes::new(open(path, "rows")?, rate)).transpose()?,
            sum: args.md5.then(Md5::new),
            stdout_is_taken: taken.into_iter().flatten().any(|path| files::is_standard(path)),
            rgb: args.color.rgb.is_some(),
            frames: 0,
            row: None,
            rate,
        })
    }

    /// Begins the reports about a stream with this header.
    pub fn begin(&mut self, header: &Header) -> Result<(), Failure> {
        self.statistics.as_ref().map_or(Ok(()), Sink::begin)?;
        if let Some(timecodes) = &mut self.timecodes {
            timecodes.sink.begin()?;
            timecodes.sink.write_lines("# timestamp format v2\n", 0)?;
        }
        if let Some(sums) = &mut self.frame_sums {
            sums.begin()?;
            sums.write_lines(&frame_sums_header(header), 0)?;
        }
        Ok(())
    }

    /// Begins the report on the step that took frame `number` of the input.
    pub fn step(&mut self, number: u64, statistics: &Statistics) -> Result<(), Failure> {
        self.end_step()?;
        self.row = self.statistics.is_some().then(|| Row::new(number, statistics));
        Ok(())
    }

    /// Writes the report on the last step, if that was not done yet.
    pub fn end_step(&mut self) -> Result<(), Failure> {
        let (Some(rows), Some(row)) = (&mut self.statistics, self.row.take()) else { return Ok(()) };
        let row = serde_json::to_string(&row).map_err(Failure::runtime)?;
        rows.write_lines(&(row + "\n"), 1)
    }

    /// Prints the scaler's tables.
    pub fn tables(&self, tables: &Tables) -> Result<(), Failure> {
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
        if let (Some(row), Some(luma)) = (&mut self.row, luma) {
            let time = self.rate.map(|(num, den)| (origin.field * den as u64) as f64 / (2 * num as u64) as f64);
            row.outputs.push(Made { luma: Luma::new(number, luma), origin, time });
        }
    }

    /// Reports when a frame that will be written is shown, in half fields.
    pub fn time(&mut self, time: u64) -> Result<(), Failure> {
        self.timecodes.as_mut().map_or(Ok(()), |timecodes| timecodes.write(time))
    }

    /// All frames that the last step makes are there; one that follows is the end's.
    pub fn step_made(&mut self) {
        if let Some(row) = &mut self.row {
            row.made();
        }
    }

    /// Reports on a frame that was written.
    pub fn written(&mut self, frame: &Frame) -> Result<(), Failure> {
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

    /// Ends the report on the last step and prints the checksum of all frames.
    pub fn end(&mut self) -> Result<(), Failure> {
        self.end_step()?;
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

/// When frames are shown, as Matroska's tools read it (timestamp format v2): milliseconds from the first one on, a line each.
#[derive(Debug)]
struct Timecodes {
    sink: Sink,
    rate: (u32, u32),
    first: Option<u64>,
}

impl Timecodes {
    fn new(sink: Sink, rate: Option<(u32, u32)>) -> Result<Timecodes, Failure> {
        Ok(Timecodes { sink, rate: rate.unwrap_or((25, 1)), first: None })
    }

    fn write(&mut self, time: u64) -> Result<(), Failure> {
        let since = time - *self.first.get_or_insert(time);
        let (num, den) = (self.rate.0 as u128, self.rate.1 as u128);
        // A frame is four half fields.
        let nanoseconds = (since as u128 * den * 1_000_000_000 + 2 * num) / (4 * num);
        self.sink.write_lines(&format!("{}.{:06}\n", nanoseconds / 1_000_000, nanoseconds % 1_000_000), 1)
    }
}

/// A row of the statistics.
#[derive(Debug, serde::Serialize)]
struct Row {
    step: u64,
    gne_sum: u64,
    gne_count: u64,
    gne: u64,
    v: [u64; 11],
    motion_blocks: u64,
    history_sum: u64,
    stmm_sum: u64,
    /// What the step denoised luma and chroma with; none where that is off.
    denoise: Option<Denoise>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denoise_chroma: Option<Denoise>,
    /// That of the step's only frame.
    #[serde(flatten)]
    only: Option<Luma>,
    /// Its frames, and the one that the end of the stream makes.
    outputs: Vec<Made>,
}

impl Row {
    /// `step` counts the input's frames, the stream only those since its last reset.
    fn new(step: u64, statistics: &Statistics) -> Row {
        let &Statistics { gne_sum, gne_count, gne, v, motion_blocks, history_sum, stmm_sum, .. } = statistics;
        let [denoise, denoise_chroma] =
            [&statistics.denoise, &statistics.denoise_chroma].map(|strength| strength.as_ref().map(Denoise::new));
        let (only, outputs) = (None, vec![]);
        Row { step, gne_sum, gne_count, gne, v, motion_blocks, history_sum, stmm_sum, denoise, denoise_chroma, only, outputs }
    }

    /// The step makes no more frames.
    fn made(&mut self) {
        if let [only] = self.outputs.as_slice() {
            self.only = Some(only.luma.clone());
        }
    }
}

/// A frame that was written.
#[derive(Clone, Debug, serde::Serialize)]
struct Made {
    #[serde(flatten)]
    luma: Luma,
    #[serde(flatten)]
    origin: Origin,
    /// When it is shown, in seconds from the beginning of the input.
    time: Option<f64>,
}

/// Where a frame that was written comes from.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Origin {
    /// The field of the input that it shows.
    field: u64,
    /// Its code (§3.8).
    code: u8,
    content: Option<&'static str>,
    cadence: Option<String>,
    confidence: Option<u8>,
    reason: String,
    #[serde(flatten)]
    making: Option<Shares>,
    /// What the luma of the field was denoised with; none where that is off.
    denoise: Option<Denoise>,
    #[serde(skip_serializing_if = "Option::is_none")]
    denoise_chroma: Option<Denoise>,
}

/// Shares of the pixels of missing lines, and the mean of their motion measure.
#[derive(Clone, Debug, serde::Serialize)]
struct Shares {
    stmm: Option<f64>,
    woven: f64,
    temporal: f64,
    compensated: f64,
    spatial: f64,
}

impl Origin {
    /// Of what was made of field `field` of the input, whose frame was decided about or not.
    pub fn new(field: u64, made: &dndi::Output, decision: Option<&Decision>) -> Origin {
        let share = |part: u64, whole: u64| ((part * 10_000).checked_div(whole).unwrap_or(0)) as f64 / 10_000.0;
        let making = made.making.map(|making| {
            let pixels = making.woven + making.temporal + making.compensated + making.spatial;
            Shares {
                stmm: (making.pairs > 0).then(|| (making.stmm_sum * 100 / making.pairs.max(1)) as f64 / 100.0),
                woven: share(making.woven, pixels),
                temporal: share(making.temporal, pixels),
                compensated: share(making.compensated, pixels),
                spatial: share(making.spatial, pixels),
            }
        });
        let code = match made.code {
            Code::Deinterlace => 0,
            Code::Previous => 1,
            Code::Next => 2,
        };
        let content = decision.map(|decision| match (decision.content, decision.top_first) {
            (Content::Progressive, _) => "progressive",
            (Content::Film, true) => "film, top field first",
            (Content::Film, false) => "film, bottom field first",
            (_, true) => "interlaced, top field first",
            (_, false) => "interlaced, bottom field first",
        });
        Origin {
            field,
            code,
            content,
            cadence: decision.and_then(|decision| decision.pulldown).map(|pulldown| pulldown.to_string()),
            confidence: decision.map(|decision| decision.confidence),
            reason: decision.map_or("not asked".to_owned(), |decision| decision.reason.to_string()),
            making,
            denoise: made.denoise.as_ref().map(Denoise::new),
            denoise_chroma: made.denoise_chroma.as_ref().map(Denoise::new),
        }
    }
}

/// What a frame that was written looks like.
#[derive(Clone, Debug, serde::Serialize)]
struct Luma {
    frame: u64,
    ymin: u8,
    ymax: u8,
    skin_pixels: u64,
    skin_factor_sum: u64,
    histogram: Vec<u32>,
}

impl Luma {
    fn new(frame: u64, luma: &LumaStatistics) -> Luma {
        let &LumaStatistics { ymin, ymax, skin_pixels, skin_factor_sum, ref histogram, .. } = luma;
        Luma { frame, ymin, ymax, skin_pixels, skin_factor_sum, histogram: histogram.to_vec() }
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
