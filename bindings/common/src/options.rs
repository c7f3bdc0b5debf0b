//! One layer of options, as given by name and value: those of a preset, or those of the caller.
use crate::error::Error;
use crate::extended::{Extended, NAMES as EXTENDED};
use crate::values::{self, Colors, Conversion, Size};
use dndi::convert::{DeinterlaceMode, FieldOrderMode, OutputRate};
use dndi::{
    ChromaLocation, ChromaOutput, ColorMatrix, ColorRange, Deinterlacer, DenoiseMode, Dither, FieldMatching, Interlacing,
    Parameters, Rect, SharpenMode,
};
use std::fmt::Display;
use std::str::FromStr;

/// The sharpening filter.
#[derive(Clone, Copy, Debug)]
pub struct Sharpen {
    /// The filter; none if it is off.
    pub mode: Option<SharpenMode>,
    /// Whether it adapts to the measured noise.
    pub measured_noise: bool,
}

/// A layer of options; none is an option that the layer does not have.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub interlacing: Option<Interlacing>,
    pub frame_rate: Option<(u32, u32)>,
    pub matrix: Option<ColorMatrix>,
    pub range: Option<ColorRange>,
    pub location: Option<ChromaLocation>,
    pub field_order: Option<FieldOrderMode>,
    pub deinterlace: Option<DeinterlaceMode>,
    pub deinterlacer: Option<Deinterlacer>,
    pub denoise: Option<DenoiseMode>,
    pub denoise_chroma: Option<DenoiseMode>,
    pub denoise_motion: Option<bool>,
    pub mcdi: Option<bool>,
    pub film: Option<FieldMatching>,
    pub parameters: Vec<(String, i64)>,
    pub chroma: Option<ChromaOutput>,
    pub depth: Option<u8>,
    pub dither: Option<Dither>,
    pub rate: Option<OutputRate>,
    pub variable_rate: Option<bool>,
    pub scale: Option<Size>,
    pub crop: Option<Rect>,
    pub chroma_location: Option<ChromaLocation>,
    pub sharpen: Option<Sharpen>,
    pub brightness: Option<f64>,
    pub contrast: Option<f64>,
    pub saturation: Option<f64>,
    pub hue: Option<f64>,
    pub skin_tone: Option<f64>,
    pub tcc_colors: Option<Colors>,
    pub auto_contrast: Option<u8>,
    pub aoi: Option<Rect>,
    pub colorspace: Option<Conversion>,
    /// Stages of the colour pipe to enable: `std`, `ste`, `ace`, `tcc`, `procamp`, `csc`.
    pub enabled: Vec<&'static str>,
    /// Repair, filters, geometry and the stages beyond Gen6.
    pub extended: Extended,
    pub first_output: Option<u64>,
    pub threads: Option<usize>,
    pub preset: Option<String>,
}

/// The stages of the colour pipe that an option enables.
const STAGES: [&str; 6] = ["std", "ste", "ace", "tcc", "procamp", "csc"];

/// All names, for the message about an unknown one.
const NAMES: &str = "interlacing, frame-rate, matrix, range, location, field-order, deinterlace, deinterlacer, denoise, \
    denoise-chroma, denoise-motion, mcdi, film, set, chroma, depth, output-depth, dither, rate, variable-rate, scale, crop, \
    chroma-location, sharpen, ief, brightness, contrast, saturation, hue, skin-tone, tcc-colors, auto-contrast, aoi, \
    colorspace, std, ste, ace, tcc, procamp, csc, first-output, threads, preset";

/// Options of the command about files, reports and the hardware, which the caller of a binding has
/// by itself or does not need.
const COMMAND: &[&str] = &[
    "chunk",
    "color-state",
    "dump-config",
    "encoder",
    "encoder-stats",
    "engine",
    "ffmpeg",
    "framemd5",
    "frames",
    "gamma-state",
    "gamut-table",
    "input-format",
    "jobs",
    "lossless",
    "matches",
    "md5",
    "only",
    "output-format",
    "print-command",
    "print-tables",
    "profile",
    "progress",
    "quiet",
    "rgb",
    "sampler-state",
    "scaler-state",
    "skip",
    "state",
    "stats",
    "timecodes",
    "vebox-state",
    "verbose",
    "vertex-table",
    "video-stream",
    "warmup",
];

/// The greatest number of threads, as on the command line.
const MAX_THREADS: usize = 1024;

/// Parses a name, a number or another value.
fn parse<T: FromStr<Err: Display>>(value: &str) -> Result<Option<T>, String> {
    value.trim().parse().map(Some).map_err(|error: T::Err| error.to_string())
}

/// A finite number.
fn number(value: &str) -> Result<Option<f64>, String> {
    let number = value.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.map(Some).ok_or_else(|| format!("'{value}' is no number"))
}

impl Options {
    /// Sets the option `name`. Names are those of the command line without the leading dashes;
    /// underscores count as dashes.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let plain = name.trim().trim_start_matches("--").replace('_', "-").to_ascii_lowercase();
        self.assign(&plain, value.trim()).map_err(|error| Error::option(&plain, error))
    }

    fn assign(&mut self, name: &str, value: &str) -> Result<(), String> {
        let switch = || values::switch(value).map(Some);
        let rect = || values::crop(value).map(Some).map_err(|error| error.to_string());
        match name {
            "interlacing" => self.interlacing = parse(value)?,
            "frame-rate" => self.frame_rate = Some(values::fraction(value)?),
            "matrix" => self.matrix = parse(value)?,
            "range" => self.range = parse(value)?,
            "location" => self.location = parse(value)?,
            "field-order" => self.field_order = parse(value)?,
            "deinterlace" => self.deinterlace = parse(value)?,
            "deinterlacer" => self.deinterlacer = parse(value)?,
            "denoise" => self.denoise = parse(value)?,
            "denoise-chroma" => self.denoise_chroma = parse(value)?,
            "denoise-motion" => self.denoise_motion = switch()?,
            "mcdi" => self.mcdi = switch()?,
            "film" if value.eq_ignore_ascii_case("deblend") => {
                return Err("deblend reads ahead in a file: the command has it".to_owned());
            }
            "film" => self.film = parse(value)?,
            "set" => self.parameters.push(parameter(value)?),
            "chroma" => self.chroma = parse(value)?,
            "depth" | "output-depth" => self.depth = parse(value)?,
            "dither" => self.dither = parse(value)?,
            // Without a file to survey the start of the clip decides.
            "rate" if value.eq_ignore_ascii_case("auto") => self.rate = None,
            "rate" => self.rate = parse(value)?,
            "variable-rate" => self.variable_rate = switch()?,
            "scale" => self.scale = parse(value)?,
            "crop" if value.eq_ignore_ascii_case("auto") => {
                return Err("auto measures borders in a file: `dndi inspect` prints the rectangle".to_owned());
            }
            "crop" => self.crop = rect()?,
            "chroma-location" => self.chroma_location = parse(value)?,
            "sharpen" | "ief" => {
                let mode = if value.eq_ignore_ascii_case("off") { None } else { parse(value)? };
                self.sharpen = Some(Sharpen { mode, measured_noise: name == "sharpen" });
            }
            "brightness" => self.brightness = number(value)?,
            "contrast" => self.contrast = number(value)?,
            "saturation" => self.saturation = number(value)?,
            "hue" => self.hue = number(value)?,
            "skin-tone" => self.skin_tone = number(value)?,
            "tcc-colors" => self.tcc_colors = parse(value)?,
            "auto-contrast" => {
                let percent = parse(value)?.filter(|percent| *percent <= 100);
                self.auto_contrast = Some(percent.ok_or("write a percentage of 0 to 100")?);
            }
            "aoi" => self.aoi = rect()?,
            "colorspace" => self.colorspace = Some(Conversion::parse(value)?),
            "first-output" => self.first_output = parse(value)?,
            "threads" => {
                let count = parse(value)?.filter(|count| (1..=MAX_THREADS).contains(count));
                self.threads = Some(count.ok_or_else(|| format!("write a number of 1 to {MAX_THREADS}"))?);
            }
            "preset" => self.preset = Some(value.to_owned()),
            _ => match STAGES.into_iter().find(|stage| *stage == name) {
                Some(stage) => {
                    self.enabled.retain(|enabled| *enabled != stage);
                    self.enabled.extend(switch()?.filter(|on| *on).map(|_| stage));
                }
                None if self.extended.assign(name, value)? => {}
                None if COMMAND.contains(&name) => {
                    return Err("the option is one of the command, which reads and writes files".to_owned());
                }
                None => return Err(format!("there is no such option; there are: {NAMES}, {EXTENDED}")),
            },
        }
        Ok(())
    }
}

/// `NAME=VALUE`, a parameter of a stage. Its name and range are checked at once.
fn parameter(assignment: &str) -> Result<(String, i64), String> {
    let (name, value) = assignment.split_once('=').ok_or("write NAME=VALUE, such as stad_th=128")?;
    let (name, value) = (name.trim(), value.trim());
    let value = value.parse().map_err(|_| format!("{name} takes a whole number, not '{value}'"))?;
    Parameters::default().set(name, value).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), value))
}
