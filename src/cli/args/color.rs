//! Options of the colour pipe.

use crate::color::{Colors, Conversion};
use crate::geometry;
use clap::ValueEnum;
use dndi::y4m::Header;
use dndi::{ColorParameters, ColorSpace, Rect, ColorMatrix, ProcAmp, ColorRange};
use std::path::PathBuf;

/// What is said about colours.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Colour")]
pub struct Color {
    /// Brighter or darker, -100…100, in steps of 8-bit luma
    #[arg(long, value_name = "STEPS", allow_negative_numbers = true)]
    pub brightness: Option<f64>,

    /// Luma and chroma times 0…10
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub contrast: Option<f64>,

    /// Chroma times 0…10; 0 leaves no colour
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub saturation: Option<f64>,

    /// Turns the colours, -180…180; 60 makes magenta of red
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub hue: Option<f64>,

    /// How much skin is enhanced, 0…1
    #[arg(long, value_name = "STRENGTH", allow_negative_numbers = true)]
    pub skin_tone: Option<f64>,

    /// Saturation of six colours, 0…1.99 each: red=1.2,green=0.9; also blue, cyan, magenta, yellow
    #[arg(long, value_name = "COLOR=FACTOR,...")]
    pub tcc_colors: Option<Colors>,

    /// Contrast that follows the pictures, by 0…100 %
    #[arg(
        long,
        value_name = "PERCENT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "50",
        value_parser = clap::value_parser!(u8).range(0..=100)
    )]
    pub auto_contrast: Option<u8>,

    /// Where auto-contrast and the histogram of --stats look, in luma samples of the output
    #[arg(long, value_name = "X,Y,W,H", value_parser = geometry::crop)]
    pub aoi: Option<Rect>,

    /// Conversion of bt601, bt709 or bt2020 to another of them, each perhaps with -limited or -full; TO can be rgb with --rgb
    ///
    /// A range that is not said stays: FROM's is what the input says (XCOLORRANGE), else limited, TO's is FROM's. The output is
    /// tagged. Matrix and range are converted, primaries and transfer functions stay.
    #[arg(long, value_name = "FROM:TO")]
    pub colorspace: Option<Conversion>,

    /// RGB instead of y4m
    #[arg(long, value_name = "KIND", value_enum)]
    pub rgb: Option<Rgb>,

    /// Skin tone detection
    #[arg(long)]
    pub std: bool,

    /// Skin tone enhancement; needs --std
    #[arg(long)]
    pub ste: bool,

    /// Automatic contrast enhancement, by the curve that color.y1 and its kin describe
    #[arg(long)]
    pub ace: bool,

    /// Total colour control
    #[arg(long)]
    pub tcc: bool,

    /// Amplifier
    #[arg(long)]
    pub procamp: bool,

    /// Colour space conversion, by color.c0 to color.c8 and the offsets
    #[arg(long)]
    pub csc: bool,

    /// State of the colour pipe, COLOR_PROCESSING_STATE: 64 hex DWords; no stdin
    #[arg(long, value_name = "FILE")]
    pub color_state: Option<PathBuf>,
}

/// `--rgb`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rgb {
    /// A PNG for each frame, counted from 0: OUTPUT has a %d, as in out-%05d.png; - for one after the other on stdout
    Png,
    /// Planes of 8 bits, G then B then R of each frame, which ffmpeg calls gbrp
    Raw,
}

impl Color {
    /// Options that exclude each other: what is wrong with which, that comes first in it without its dashes.
    pub fn check(&self) -> Result<(), (&'static str, &'static str)> {
        match (&self.colorspace, self.rgb) {
            (Some(_), _) if self.csc => {
                Err(("csc", "csc takes the matrix that --set and --color-state say, --colorspace makes one: say one of them"))
            }
            (Some(Conversion { to: None, .. }), None) => {
                Err(("colorspace", "colorspace to rgb: y4m cannot tell RGB; say --rgb png or raw, too"))
            }
            (Some(Conversion { to: Some(_), .. }), Some(_)) => {
                Err(("rgb", "rgb and --colorspace: there is one matrix; with --rgb say FROM:rgb, such as --colorspace bt709:rgb"))
            }
            _ => Ok(()),
        }
    }

    /// What is wrong with the knobs.
    pub fn check_knobs(&self) -> Result<(), String> {
        self.turn(self, &mut ColorParameters::default(), ColorSpace { matrix: ColorMatrix::Bt601, range: ColorRange::Limited })
    }

    /// Turns the knobs that `said` speaks of, or whose meaning it changes, for samples as `input` or the command line tells. What is wrong
    /// with one begins with its option, without dashes.
    pub fn turn(&self, said: &Color, color: &mut ColorParameters, input: ColorSpace) -> Result<(), String> {
        let turned = said.amplifier(ColorRange::Limited).is_some() || said.colorspace.is_some();
        let space = self.spaces(input).map_or(input, |(from, _)| from);
        if let Some(knobs) = self.amplifier(space.range).filter(|_| turned) {
            color.set_procamp(&knobs).map_err(|error| error.to_string())?;
        }
        if let Some(strength) = said.skin_tone {
            color.set_skin_tone(strength).map_err(|error| format!("skin-tone: {error}"))?;
        }
        if let Some(Colors(colors)) = &said.tcc_colors {
            color.set_color_saturation(colors).map_err(|error| format!("tcc-colors: {error}"))?;
        }
        Ok(())
    }

    /// The amplifier's knobs, if one of them was touched.
    fn amplifier(&self, range: ColorRange) -> Option<ProcAmp> {
        let usual = ProcAmp::default();
        [self.brightness, self.contrast, self.saturation, self.hue].iter().any(Option::is_some).then_some(ProcAmp {
            brightness: self.brightness.unwrap_or(usual.brightness),
            contrast: self.contrast.unwrap_or(usual.contrast),
            saturation: self.saturation.unwrap_or(usual.saturation),
            hue: self.hue.unwrap_or(usual.hue),
            range,
        })
    }

    /// If `said` speaks of it, what depends on how the samples are, as `input` or the command line tells: the matrix that was asked for, and
    /// the ends of a contrast curve that is made here.
    pub fn follow(&self, said: &Color, color: &mut ColorParameters, input: ColorSpace) {
        if said.colorspace.is_none() && said.rgb.is_none() && said.auto_contrast.is_none() && !said.csc {
            return;
        }
        let spaces = self.spaces(input);
        let space = spaces.map_or(input, |(from, _)| from);
        match (spaces, self.rgb) {
            (Some((from, to)), None) => color.set_conversion(from, to),
            (_, Some(_)) if !self.csc => color.set_conversion_to_rgb(space),
            _ => {}
        }
        if self.auto_contrast.is_some() && space.range == ColorRange::Full {
            (color.ymin, color.ymax) = (0, 255);
        }
    }

    /// The header of what leaves, where `header` came.
    pub fn tag(&self, output: Header, header: &Header) -> Header {
        match self.spaces(header.color_space()) {
            Some((_, to)) => output.with_color_space(to),
            None => output,
        }
    }

    /// What `--colorspace` converts; RGB is made of the first.
    fn spaces(&self, input: ColorSpace) -> Option<(ColorSpace, ColorSpace)> {
        let Conversion { from, to } = self.colorspace?;
        let from = from.or(input.range);
        Some((from, to.map_or(from, |to| to.or(from.range))))
    }

    /// The flags that enable parts as they are.
    pub fn enable(&self, color: &mut ColorParameters) {
        let flags = [
            (self.std, &mut color.std_enable),
            (self.ste, &mut color.ste_enable),
            (self.ace, &mut color.ace_enable),
            (self.tcc, &mut color.tcc_enable),
            (self.procamp, &mut color.procamp_enable),
            (self.csc, &mut color.transform_enable),
        ];
        flags.into_iter().filter(|(flag, _)| *flag).for_each(|(_, enable)| *enable = 1);
    }
}
