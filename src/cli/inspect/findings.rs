//! What was found, as text and as JSON.

use super::Sample;
use crate::args::Args;
use crate::choices::Rate;
use crate::failure::Failure;
use crate::plan::Plan;
use crate::survey::{Found, Kind, Noise, Part, Survey, What};
use crate::{ahead, input, report};
use clap::ValueEnum;
use dndi::y4m::{Header, Interlacing};
use dndi::{Content, ColorMatrix, ColorRange, Scan};
use serde::Serialize;
use std::fmt::Write;

/// The most stretches that a text lists.
const LISTED: usize = 20;

/// What was found.
#[derive(Debug, Serialize)]
pub struct Findings {
    file: String,
    width: usize,
    height: usize,
    /// C420 and so on.
    sampling: String,
    /// Frames a second, as a fraction.
    rate: Option<[u32; 2]>,
    /// Width and height of a sample.
    sample_aspect: Option<[u32; 2]>,
    matrix: &'static str,
    range: &'static str,
    /// Frames read.
    frames: u64,
    seconds: Option<f64>,
    /// What the header says: tff, bff, progressive, mixed.
    flagged: Option<&'static str>,
    /// What most frames are; none where no frame was asked.
    measured: Option<What>,
    /// Whether the flags say the same of the scan and of the field order.
    flags_are_right: Option<bool>,
    stretches: Vec<Part>,
    noise: Option<Noise>,
    /// Standard deviation of the noise that automatic denoising goes by, in code values.
    noise_level: Option<Levels>,
    /// Share of the blocks that move.
    motion: Option<f64>,
    /// Share of the pixels that change with time that comb.
    combing: Option<f64>,
    /// Options that say what a conversion with nothing but defaults does.
    options: Vec<String>,
    /// Frames a second that it makes, as a fraction.
    output_rate: Option<[u32; 2]>,
    /// Options by which each picture of the film leaves once.
    #[serde(skip)]
    film: Option<&'static str>,
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
        // In hundredths.
        let value = |level: &u16| (f64::from(*level) * 100.0 / 64.0).round() / 100.0;
        Some(Levels { least: value(levels.first()?), median: value(&levels[levels.len() / 2]), most: value(levels.last()?) })
    }
}

impl Findings {
    pub fn new(args: &Args, header: &Header, plan: &Plan, survey: &Survey, samples: &[Sample]) -> Findings {
        let rate = header.rate();
        let aspect = report::aspect(header);
        let space = header.color_space();
        let kinds = survey.kinds();
        let told = ahead::told_by(header.interlacing());
        let Found { measured, stretches, noise } = Found::from(survey);
        let motions: Vec<f64> = samples.iter().filter_map(|sample| sample.motion).collect();
        let combing = samples.iter().fold([0; 2], |sum, sample| [0, 1].map(|i| sum[i] + sample.combing[i]));
        let share = |part: f64| (part * 10_000.0).round() / 10_000.0;
        Findings {
            file: input::name(&args.input),
            width: header.width(),
            height: header.height(),
            sampling: format!("{:?}", header.sampling()),
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
                Interlacing::Unknown => None,
            },
            flags_are_right: kinds.first().zip(told).filter(|_| header.interlacing() != Interlacing::Mixed).map(
                |((kind, _), told)| match told {
                    Scan::Progressive => kind.content == Content::Progressive,
                    told => kind.content != Content::Progressive && kind.top_first == (told == Scan::TopFirst),
                },
            ),
            measured,
            stretches,
            noise_level: noise.as_ref().and_then(|_| Levels::of(samples)),
            noise,
            motion: (!motions.is_empty()).then(|| share(motions.iter().sum::<f64>() / motions.len() as f64)),
            combing: (combing[1] > 0).then(|| share(combing[0] as f64 / combing[1] as f64)),
            options: options(args, plan, &kinds.iter().map(|(kind, _)| *kind).collect::<Vec<_>>()),
            output_rate: plan.output.rate().map(<[u32; 2]>::from),
            film: kinds.first().and_then(|(kind, _)| kind.pulldown).and_then(|pulldown| match rate {
                _ if pulldown.ratio() == plan.film => Some("--rate film"),
                // The rate is that of the beginning, which is another one.
                Some(_) => Some("--rate film --timecodes FILE"),
                None => None,
            }),
        }
    }

    pub fn as_json(&self) -> Result<String, Failure> {
        serde_json::to_string(self).map(|json| json + "\n").map_err(Failure::runtime)
    }

    pub fn as_text(&self) -> String {
        let per_second = |rate: Option<[u32; 2]>| match rate {
            Some([num, 1]) => format!("{num} frames/s"),
            Some([num, den]) => format!("{num}/{den} frames/s"),
            None => "rate unknown".to_owned(),
        };
        let mut text = format!("{}: {}x{} {}, {}", self.file, self.width, self.height, self.sampling, per_second(self.rate));
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
            Some("mixed") => "mixed: each frame tells",
            Some(flagged) => flagged,
            None => "nothing",
        };
        let wrong = if self.flags_are_right == Some(false) { ", which is wrong" } else { "" };
        line("flagged", format!("{flagged}{wrong}"));
        match &self.measured {
            Some(what) if self.stretches.len() == 1 => line("measured", in_words(what)),
            Some(what) => line("measured", format!("mostly {}", in_words(what))),
            None => line("measured", "nothing: frames of this size have no fields, or there are none".to_owned()),
        }
        if self.stretches.len() > 1 {
            for part in self.stretches.iter().take(LISTED) {
                line("", format!("frames {}…{}: {}", part.first, part.first + part.frames - 1, in_words(&part.what)));
            }
            let more = self.stretches.len().saturating_sub(LISTED);
            if more > 0 {
                line("", format!("and {more} stretches more, which --json lists"));
            }
        }
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        match &self.noise {
            Some(Noise { least, median, most }) => {
                line("noise", format!("{median} ({least}…{most})"));
                if let Some(Levels { least, median, most }) = self.noise_level {
                    line("", format!("standard deviation {median:.1} ({least:.1}…{most:.1}), by which --denoise auto goes"));
                }
            }
            None => line("noise", "not known: no place is flat enough".to_owned()),
        }
        if let Some(motion) = self.motion {
            line("motion", format!("{} of the picture", percent(motion)));
        }
        if let Some(combing) = self.combing {
            line("combing", format!("{} of what changes", percent(combing)));
        }
        line("options", format!("{} ({})", self.options.join(" "), per_second(self.output_rate)));
        if let Some(film) = self.film {
            line("", format!("with {film} a frame for each picture of the film"));
        }
        text
    }
}

fn in_words(what: &What) -> String {
    let cadence = what.cadence.as_ref().map_or(String::new(), |cadence| format!(" {cadence}"));
    let order = what.field_order.map_or("", |order| if order == "tff" { ", top field first" } else { ", bottom field first" });
    format!("{}{cadence}{order} (confidence {})", what.content, what.confidence)
}

/// Options that say what a conversion of frames of these kinds does by itself. Where there are several it decides for each.
fn options(args: &Args, plan: &Plan, kinds: &[Kind]) -> Vec<String> {
    let order = |top_first: bool| if top_first { "--field-order tff" } else { "--field-order bff" };
    let mut options = match kinds {
        [] if plan.scan == Scan::Progressive => vec!["--field-order progressive"],
        [] => vec![order(plan.scan == Scan::TopFirst)],
        [kind] if kind.content == Content::Progressive => vec!["--field-order progressive"],
        [kind] if kind.content == Content::Interlaced => vec![order(kind.top_first), "--film off", "--rate field"],
        [kind] => vec![order(kind.top_first), "--film auto", "--rate field"],
        _ => vec!["--field-order auto", "--deinterlace auto", "--film auto"],
    };
    if args.rate == Some(Rate::Frame) {
        options.retain(|option| !option.starts_with("--rate"));
        options.push("--rate frame");
    }
    let denoise = args.denoise.to_possible_value().map_or(String::new(), |value| format!("--denoise {}", value.get_name()));
    options.into_iter().map(str::to_owned).chain([denoise]).collect()
}
