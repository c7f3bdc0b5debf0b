//! The findings of `dndi inspect` as text and as JSON.

use super::advice;
use super::measure::{Probe, Sample};
use crate::commands::plan;
use crate::error::CliError;
use crate::io::input;
use crate::options::layers::Options;
use crate::report::borders;
use crate::report::repeats::{Repeat, Run, runs, time};
use crate::report::reports;
use crate::report::summary::ClipSummary;
use crate::report::summary_json::{Found, KindJson, Noise, SegmentJson};
use dndi::convert::{ClipPlan, OutputRate};
use dndi::y4m::Header;
use dndi::{ColorMatrix, ColorRange, CompositeCrosstalk, Content, Interlacing, Scan};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// Maximum number of segments in the text, so that it fits a screen. `--json` lists all.
const LISTED: usize = 20;

/// Maximum number of runs of repeats in a line of the text.
const LISTED_RUNS: usize = 4;

/// The findings of an analysis. The names of the fields are the keys of the JSON object.
#[derive(Debug, Serialize)]
pub struct Findings {
    file: String,
    width: usize,
    height: usize,
    /// Chroma sampling: `420`, `411`, `422`, `444` or `mono`.
    sampling: String,
    /// Bits per sample.
    depth: u8,
    /// Frames per second, as a fraction.
    rate: Option<[u32; 2]>,
    /// Sample aspect ratio: width and height.
    sample_aspect: Option<[u32; 2]>,
    matrix: &'static str,
    range: &'static str,
    /// Number of frames read.
    frames: u64,
    /// Their duration in seconds.
    seconds: Option<f64>,
    /// The scan in the header: tff, bff, progressive, mixed.
    flagged: Option<&'static str>,
    /// The most frequent kind; none if nothing was detected.
    measured: Option<KindJson>,
    /// Whether the scan and field order in the header equal those of the most frequent kind.
    flags_are_right: Option<bool>,
    segments: Vec<SegmentJson>,
    /// The number of drop-outs in all planes.
    drop_outs: usize,
    /// The `--chroma-shift` that puts chroma over luma; none if it is there.
    chroma_shift: Option<String>,
    /// The crosstalk of composite video; none if there is none.
    composite: Option<Crosstalk>,
    /// Standard deviation of the jitter of lines in samples; none if there is none.
    line_jitter: Option<f64>,
    /// The black borders of all frames, and the lowest lines with noise of switching heads.
    borders: Option<borders::Found>,
    /// Frames and fields that equal those before them.
    repeats: Vec<Run>,
    /// Changes of the field order from one interlaced segment to the next.
    order_changes: Vec<OrderChange>,
    noise: Option<Noise>,
    /// Standard deviation of the noise as automatic denoising measures it, in code values.
    noise_level: Option<Levels>,
    /// Share of moving blocks, 0…1.
    motion: Option<f64>,
    /// Share of combing pixels among the pixels that change over time, 0…1.
    combing: Option<f64>,
    /// The options that a conversion with defaults amounts to for this clip.
    options: Vec<String>,
    /// Output frames per second with these options, as a fraction.
    output_rate: Option<[u32; 2]>,
    /// The material and the rate that the survey of a file found.
    #[serde(skip_serializing_if = "Option::is_none")]
    survey: Option<String>,
    /// Whether each output has its own duration, so that `output_rate` is the greatest rate.
    #[serde(skip)]
    varies: bool,
    /// Options that write each film frame once.
    #[serde(skip)]
    film: Option<&'static str>,
    /// Whether a survey found blended fields.
    #[serde(skip)]
    blended: bool,
    /// The command that converts a media file; none for y4m.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
}

/// The part of a frame that repeats, except for fields of film, which repeat by design.
fn repeats(sample: &Sample) -> Option<Repeat> {
    let is_film = sample.kind.is_some_and(|kind| kind.pulldown.is_some());
    sample.repeats.filter(|&part| part == Repeat::Frame || !is_film)
}

/// A change of the field order.
#[derive(Debug, Serialize)]
struct OrderChange {
    /// Number of the first frame of the new order.
    frame: u64,
    /// Its time in seconds.
    time: Option<f64>,
    /// tff or bff.
    field_order: String,
}

/// The changes of the field order; segments without one are between.
fn order_changes(segments: &[SegmentJson], rate: Option<(u32, u32)>) -> Vec<OrderChange> {
    let ordered = segments.iter().filter_map(|segment| Some((segment.first, segment.kind.field_order.as_deref()?)));
    let next = ordered.clone().skip(1);
    let changes = ordered.zip(next).filter(|((_, old), (_, new))| old != new);
    changes.map(|(_, (frame, order))| OrderChange { frame, time: time(frame, rate), field_order: order.to_owned() }).collect()
}

/// Crosstalk of composite video.
#[derive(Debug, Serialize)]
struct Crosstalk {
    /// ntsc or pal.
    standard: String,
    dot_crawl: bool,
    rainbows: bool,
}

impl From<CompositeCrosstalk> for Crosstalk {
    fn from(found: CompositeCrosstalk) -> Crosstalk {
        let CompositeCrosstalk { standard, dot_crawl, rainbows, .. } = found;
        Crosstalk { standard: standard.to_string(), dot_crawl, rainbows }
    }
}

/// Standard deviations of the noise, in code values.
#[derive(Debug, Serialize)]
struct Levels {
    least: f64,
    median: f64,
    most: f64,
}

impl Levels {
    fn of(samples: &[Sample]) -> Option<Levels> {
        let mut levels: Vec<_> = samples.iter().filter_map(|sample| sample.level).collect();
        levels.sort_unstable();
        // The library measures in 1/64. The value is rounded to hundredths.
        let value = |level: &u16| (f64::from(*level) * 100.0 / 64.0).round() / 100.0;
        Some(Levels { least: value(levels.first()?), median: value(&levels[levels.len() / 2]), most: value(levels.last()?) })
    }
}

impl Findings {
    /// The findings about a clip. `rate_option` is the `--rate` with which `plan` was made, and
    /// `output_rate` the frame rate of the output.
    pub fn new(
        options: &Options,
        header: &Header,
        plan: &ClipPlan,
        (rate_option, output_rate): (Option<OutputRate>, Option<(u32, u32)>),
        summary: &ClipSummary,
        (samples, probe): (&[Sample], &Probe),
    ) -> Findings {
        let rate = header.rate();
        let aspect = reports::aspect(header);
        let space = header.color_space();
        let kinds = summary.kinds();
        let declared = header.interlacing().scan();
        let Found { measured, segments, noise } = Found::from(summary);
        let motions: Vec<f64> = samples.iter().filter_map(|sample| sample.motion).collect();
        let combing = samples.iter().fold([0; 2], |sum, sample| [0, 1].map(|i| sum[i] + sample.combing[i]));
        let share = |part: f64| (part * 10_000.0).round() / 10_000.0;
        Findings {
            file: input::name(&options.input),
            width: header.width(),
            height: header.height(),
            sampling: header.sampling().to_string(),
            depth: header.format().depth,
            rate: rate.map(<[u32; 2]>::from),
            sample_aspect: Some(aspect).filter(|aspect| aspect.0 > 0).map(<[u32; 2]>::from),
            matrix: match space.matrix {
                ColorMatrix::Bt601 => "bt601",
                ColorMatrix::Bt709 => "bt709",
                _ => "bt2020",
            },
            range: if space.range == ColorRange::Full { "full" } else { "limited" },
            frames: samples.len() as u64,
            seconds: rate.map(|(num, den)| share(samples.len() as f64 * f64::from(den) / f64::from(num))),
            flagged: match header.interlacing() {
                Interlacing::Progressive => Some("progressive"),
                Interlacing::TopFirst => Some("tff"),
                Interlacing::BottomFirst => Some("bff"),
                Interlacing::Mixed => Some("mixed"),
                _ => None,
            },
            flags_are_right: kinds.first().zip(declared).filter(|_| header.interlacing() != Interlacing::Mixed).map(
                |((kind, _), declared)| match declared {
                    Scan::Progressive => kind.content == Content::Progressive,
                    declared => kind.content != Content::Progressive && Some(kind.field_order) == declared.field_order(),
                },
            ),
            measured,
            drop_outs: probe.drop_out_count,
            chroma_shift: {
                let has_fields = kinds.iter().any(|(kind, _)| kind.content != Content::Progressive);
                let shift = probe.chroma.shift(header.format(), header.chroma_location(), has_fields);
                shift.map(|shift| shift.to_string())
            },
            composite: probe.dot_crawl.found().map(Crosstalk::from),
            line_jitter: probe.line_jitter.found(),
            borders: {
                let lines = probe.head_switching.lines();
                probe.borders.found(header.format().depth, header.sampling(), space.range, lines)
            },
            repeats: runs(samples.iter().map(repeats), rate),
            order_changes: order_changes(&segments, rate),
            segments,
            noise_level: noise.as_ref().and_then(|_| Levels::of(samples)),
            noise,
            motion: (!motions.is_empty()).then(|| share(motions.iter().sum::<f64>() / motions.len() as f64)),
            combing: (combing[1] > 0).then(|| share(combing[0] as f64 / combing[1] as f64)),
            options: advice::fitting_options(
                options,
                plan,
                rate_option,
                &kinds.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(),
            ),
            output_rate: output_rate.map(<[u32; 2]>::from),
            survey: plan::surveyed(plan),
            varies: plan.rate == OutputRate::Film && plan.film_ratio == (2, 1),
            film: kinds.first().and_then(|(kind, _)| kind.pulldown).and_then(|pulldown| match rate {
                // The default is the film rate, or it is if the output has times.
                _ if plan.rate == OutputRate::Film => None,
                Some(_) if plan.survey.is_some_and(|survey| survey.rate(true) == Some(OutputRate::Film)) => {
                    Some("--timecodes FILE")
                }
                _ if pulldown.ratio() == plan.film_ratio => Some("--rate film"),
                // The constant film rate is that of the start of the clip, which has another
                // pattern.
                Some(_) => Some("--rate film --timecodes FILE"),
                None => None,
            }),
            blended: plan.survey.is_some_and(|survey| survey.blend().is_some()),
            command: None,
        }
    }

    /// The findings as a line of JSON.
    pub fn as_json(&self) -> Result<String, CliError> {
        serde_json::to_string(self).map(|json| json + "\n").map_err(CliError::runtime)
    }

    /// The findings as text of several lines.
    pub fn as_text(&self) -> String {
        let per_second = |rate: Option<[u32; 2]>| match rate {
            Some([num, 1]) => format!("{num} frames/s"),
            Some([num, den]) => format!("{num}/{den} frames/s"),
            None => "rate unknown".to_owned(),
        };
        let depth = if self.depth == 8 { String::new() } else { format!(" {}-bit", self.depth) };
        let Findings { file, width, height, sampling, .. } = self;
        let mut text = format!("{file}: {width}x{height} {sampling}{depth}, {}", per_second(self.rate));
        if let Some([width, height]) = self.sample_aspect {
            let _ = write!(text, ", samples {width}:{height}");
        }
        let _ = writeln!(text, ", {} {}", self.matrix, self.range);
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:<10} {value}");
        };
        let seconds = self.seconds.map_or(String::new(), |seconds| format!(", {seconds:.2} s"));
        line("read", format!("{} frame{}{seconds}", self.frames, if self.frames == 1 { "" } else { "s" }));
        let flagged = match self.flagged {
            Some("tff") => "interlaced, top field first",
            Some("bff") => "interlaced, bottom field first",
            Some("mixed") => "mixed: each frame has flags",
            Some(flagged) => flagged,
            None => "nothing",
        };
        let wrong = if self.flags_are_right == Some(false) { ", which is wrong" } else { "" };
        line("flagged", format!("{flagged}{wrong}"));
        match &self.measured {
            Some(kind) if self.segments.len() == 1 => line("measured", kind_text(kind)),
            Some(kind) => line("measured", format!("mostly {}", kind_text(kind))),
            None => line("measured", "nothing: frames of this size have no fields, or there are none".to_owned()),
        }
        if self.segments.len() > 1 {
            for part in self.segments.iter().take(LISTED) {
                line("", format!("frames {}…{}: {}", part.first, part.first + part.frames - 1, kind_text(&part.kind)));
            }
            let more = self.segments.len().saturating_sub(LISTED);
            if more > 0 {
                line("", format!("and {more} segments more, which --json lists"));
            }
        }
        if let Some(borders::Found { left, right, top, bottom, head_switching, crop, .. }) = &self.borders {
            if [left, right, top, bottom] != [&0; 4] {
                line(
                    "borders",
                    format!("black: left {left}, right {right}, top {top}, bottom {bottom}; --crop {crop} removes them"),
                );
            }
            if *head_switching > 0 {
                line("heads", format!("switching noise in the lowest {head_switching} lines; --crop {crop} removes it"));
            }
        }
        if let Some(jitter) = self.line_jitter {
            line("jitter", format!("line jitter, about {jitter} samples"));
        }
        if self.drop_outs > 0 {
            // Clean clips have up to one for two frames.
            let few = if self.drop_outs as u64 <= self.frames { ", which may be details of the picture" } else { "" };
            line("drop-outs", format!("{} found in {} frames{few}; --drop-outs repairs them", self.drop_outs, self.frames));
        }
        if let Some(shift) = &self.chroma_shift {
            line("chroma", format!("lies beside luma; --chroma-shift {shift} moves it back"));
        }
        if let Some(Crosstalk { standard, dot_crawl, rainbows }) = &self.composite {
            let faults = [(*dot_crawl, "dot crawl"), (*rainbows, "rainbows")].into_iter().filter(|(has, _)| *has);
            let faults = faults.map(|(_, name)| name).collect::<Vec<_>>().join(" and ");
            let name = standard.to_uppercase();
            line("composite", format!("{faults} of {name}; --dot-crawl {standard} removes them where the picture is still"));
        }
        for (name, value) in self.repeats_text() {
            line(name, value);
        }
        for OrderChange { frame, time, field_order } in self.order_changes.iter().take(LISTED) {
            let order = if field_order == "tff" { "top" } else { "bottom" };
            line("order", format!("changes at {}: the {order} field is first", at(*frame, *time)));
        }
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        match &self.noise {
            Some(Noise { least, median, most }) => {
                line("noise", format!("{median} ({least}…{most})"));
                if let Some(Levels { least, median, most }) = self.noise_level {
                    line("", format!("standard deviation {median:.1} ({least:.1}…{most:.1}), as --denoise auto measures it"));
                }
            }
            None => line("noise", "unknown: no block is flat enough".to_owned()),
        }
        if let Some(motion) = self.motion {
            line("motion", format!("{} of the picture", percent(motion)));
        }
        if let Some(combing) = self.combing {
            line("combing", format!("{} of the changing pixels", percent(combing)));
        }
        if let Some(survey) = &self.survey {
            line("rate", survey.clone());
        }
        let most = if self.varies { "at most " } else { "" };
        line("options", format!("{} ({most}{})", self.options.join(" "), per_second(self.output_rate)));
        if let Some(film) = self.film {
            line("", format!("with {film} one frame per film frame"));
        }
        if self.blended {
            line("", "with --film deblend one frame for each of the pictures that were blended".to_owned());
        }
        if let Some(command) = &self.command {
            line("command", command.clone());
        }
        text
    }
}

impl Findings {
    /// Adds the command that converts the media file `input`.
    pub fn recommend(&mut self, input: &Path, video_stream: usize) {
        let frame_rate = self.survey.is_none() && self.options.iter().any(|option| option == "--rate frame");
        let rate = if self.film == Some("--rate film") { Some("film") } else { frame_rate.then_some("frame") };
        self.command = Some(advice::command(input, video_stream, rate, self.blended));
    }
}

/// A frame with its time as text.
fn at(frame: u64, time: Option<f64>) -> String {
    time.map_or_else(|| format!("frame {frame}"), |time| format!("frame {frame} ({time:.2} s)"))
}

impl Findings {
    /// Names and texts of the lines about repeats: whole frames, then fields.
    fn repeats_text(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![];
        for (part, name) in [(Repeat::Frame, "frame"), (Repeat::Top, "top field"), (Repeat::Bottom, "bottom field")] {
            let runs: Vec<&Run> = self.repeats.iter().filter(|run| run.repeats == part).collect();
            if runs.is_empty() {
                continue;
            }
            let all: u64 = runs.iter().map(|run| run.frames).sum();
            let shown = runs.iter().take(LISTED_RUNS).map(|run| {
                let of = if run.frames == 1 { String::new() } else { format!("{} from ", run.frames) };
                of + &at(run.first, run.time)
            });
            let more = runs.len().saturating_sub(LISTED_RUNS);
            let more = if more > 0 { format!(" and {more} runs more") } else { String::new() };
            let plural = if all == 1 { "" } else { "s" };
            let text = format!("{all} {name}{plural}: {}{more}", shown.collect::<Vec<_>>().join(", "));
            lines.push((if lines.is_empty() { "repeated" } else { "" }, text));
        }
        lines
    }
}

fn kind_text(kind: &KindJson) -> String {
    let cadence = kind.cadence.as_ref().map_or(String::new(), |cadence| format!(" {cadence}"));
    let order =
        kind.field_order.as_deref().map_or("", |order| if order == "tff" { ", top field first" } else { ", bottom field first" });
    let content = kind.blend.as_ref().map_or(kind.content.to_owned(), |blend| format!("blended fields ({blend})"));
    format!("{content}{cadence}{order} (confidence {})", kind.confidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text about a clip of these segments, of two frames each.
    fn text(segments: u64) -> String {
        let kind =
            KindJson { content: "interlaced", field_order: Some("bff".to_owned()), cadence: None, blend: None, confidence: 50 };
        let segment = |number: u64| SegmentJson { first: 2 * number, frames: 2, kind: kind.clone() };
        let findings = Findings {
            file: "tape.y4m".to_owned(),
            width: 4,
            height: 2,
            sampling: "420".to_owned(),
            depth: 8,
            rate: None,
            sample_aspect: None,
            matrix: "bt601",
            range: "full",
            frames: 2 * segments,
            seconds: None,
            flagged: None,
            measured: Some(kind.clone()),
            flags_are_right: None,
            segments: (0..segments).map(segment).collect(),
            drop_outs: 0,
            chroma_shift: None,
            composite: None,
            line_jitter: None,
            borders: None,
            repeats: vec![],
            order_changes: vec![],
            noise: None,
            noise_level: None,
            motion: None,
            combing: None,
            options: vec![],
            output_rate: None,
            survey: None,
            varies: false,
            film: None,
            blended: false,
            command: None,
        };
        findings.as_text()
    }

    #[test]
    fn twenty_segments_are_listed() {
        let lines = |segments: u64| text(segments).lines().filter(|line| line.contains(" frames ")).count();
        assert_eq!([1, 2, 20, 21, 99].map(lines), [0, 2, 20, 20, 20]);
        assert!(text(20).contains("frames 38…39: interlaced, bottom field first (confidence 50)\n"), "{}", text(20));
        assert!(!text(20).contains("segments more") && text(23).contains("and 3 segments more"));
    }
}
