//! The options and the command that `dndi inspect` recommends.

use crate::options::layers::Options;
use crate::options::words;
use crate::report::summary::Kind;
use dndi::convert::{ClipPlan, OutputRate};
use dndi::{Content, FieldOrder};
use std::path::Path;

/// The options that a conversion with defaults amounts to for frames of these kinds. A clip with
/// several kinds needs the automatic modes.
pub fn fitting_options(options: &Options, plan: &ClipPlan, rate: Option<OutputRate>, kinds: &[Kind]) -> Vec<String> {
    let order = |order: FieldOrder| match order {
        FieldOrder::TopFirst => "--field-order tff",
        FieldOrder::BottomFirst => "--field-order bff",
    };
    let mut fitting = match kinds {
        [] => vec![plan.scan.field_order().map_or("--field-order progressive", order)],
        [kind] if kind.content == Content::Progressive => vec!["--field-order progressive"],
        [kind] if kind.content == Content::Interlaced => vec![order(kind.field_order), "--film off", "--rate field"],
        [kind] => vec![order(kind.field_order), "--film auto", "--rate field"],
        _ => vec!["--field-order auto", "--deinterlace auto", "--film auto"],
    };
    let rate = rate.or_else(|| plan.survey.map(|_| plan.rate));
    if let Some(rate) = rate.filter(|_| fitting != ["--field-order progressive"] || plan.rate != OutputRate::Frame) {
        fitting.retain(|option| !option.starts_with("--rate"));
        fitting.push(match rate {
            OutputRate::Field => "--rate field",
            OutputRate::Frame => "--rate frame",
            _ => "--rate film",
        });
    }
    let denoise = format!("--denoise {}", options.denoise.name());
    fitting.into_iter().map(str::to_owned).chain([denoise]).collect()
}

/// The command that converts the media file `input`. It has few options: the defaults detect the
/// rest. `rate` is the value of `--rate`, if it is not the default.
pub fn command(input: &Path, video_stream: usize, rate: Option<&str>, blended: bool) -> String {
    let mut words = vec!["dndi".to_owned()];
    if let Some(rate) = rate {
        words.extend(["--rate", rate].map(str::to_owned));
    }
    if blended {
        words.extend(["--film", "deblend"].map(str::to_owned));
    }
    if video_stream > 0 {
        words.extend(["--video-stream".to_owned(), video_stream.to_string()]);
    }
    let stem = input.file_stem().unwrap_or_default().to_string_lossy();
    let output = input.with_extension("mkv");
    let output = if output == input { input.with_file_name(format!("{stem}-progressive.mkv")) } else { output };
    // A name is no option.
    let name = |path: &Path| if path.to_string_lossy().starts_with('-') { Path::new(".").join(path) } else { path.to_owned() };
    words.extend([input, &output].map(|path| name(path).display().to_string()));
    words::join(&words)
}
