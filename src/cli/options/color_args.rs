//! Options of the colour pipe.

use super::colorspace_arg::{Colors, Conversion};
use super::extended_args::ExtendedArgs;
use super::size;
use clap::ValueEnum;
use dndi::y4m::Header;
use dndi::{ColorMatrix, ColorParameters, ColorRange, ColorSpace, FullRange, ProcAmp, Rect};

/// Options of the colour pipe.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Colour")]
pub struct ColorArgs {
    /// Add to luma, -100…100 code values of 8 bits
    #[arg(long, value_name = "STEPS", allow_negative_numbers = true)]
    pub brightness: Option<f64>,

    /// Multiply luma and chroma by 0…10
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub contrast: Option<f64>,

    /// Multiply chroma by 0…10; 0 is grey
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub saturation: Option<f64>,

    /// Rotate hue by -180…180 degrees; 60 turns red into magenta
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub hue: Option<f64>,

    /// Skin tone enhancement, 0…1
    #[arg(long, value_name = "STRENGTH", allow_negative_numbers = true)]
    pub skin_tone: Option<f64>,

    /// Saturation of six colours, 0…1.99 each: red=1.2,green=0.9; also blue, cyan, magenta, yellow
    #[arg(long, value_name = "COLOR=FACTOR,...")]
    pub tcc_colors: Option<Colors>,

    /// Automatic contrast: weight of the adaptive curve in percent, 0…100 [default without a value:
    /// 50]
    #[arg(
        long,
        value_name = "PERCENT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "50",
        value_parser = clap::value_parser!(u8).range(0..=100)
    )]
    pub auto_contrast: Option<u8>,

    /// Area of interest of --auto-contrast and of the histogram in --stats, in luma samples of the
    /// output
    #[arg(long, value_name = "X,Y,W,H", value_parser = size::crop)]
    pub aoi: Option<Rect>,

    /// Convert between bt601, bt709 and bt2020, optionally with -limited or -full; TO can be rgb
    /// with --rgb
    ///
    /// If FROM has no range, the range of the header (XCOLORRANGE) is used, or limited. If TO has
    /// no range, it has that of FROM. The output header has tags for matrix and range. Primaries
    /// and transfer functions are not converted.
    #[arg(long, value_name = "FROM:TO")]
    pub colorspace: Option<Conversion>,

    /// Write RGB instead of y4m
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub rgb: Option<Rgb>,

    #[command(flatten)]
    pub extended: ExtendedArgs,
}

/// `--rgb`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rgb {
    /// One PNG per frame, numbered from 0: OUTPUT contains %d, as in out-%05d.png; with - all
    /// pictures are written to stdout. More than 8 bits per sample make PNGs of 16 bits
    Png,
    /// Planes, for each frame G, then B, then R (in ffmpeg gbrp; gbrp10le and so on for more than 8
    /// bits per sample)
    Raw,
}

impl ColorArgs {
    /// Checks for options that exclude each other. An error is the option, and a message that
    /// begins with the option's name without dashes. `csc` is whether `--csc` is given.
    pub fn check(&self, csc: bool) -> Result<(), (&'static str, &'static str)> {
        match (&self.colorspace, self.rgb) {
            (Some(_), _) if csc => {
                Err(("csc", "csc takes the matrix of --set or --color-state, --colorspace computes one; use one of them"))
            }
            (Some(Conversion { to: None, .. }), None) => {
                Err(("colorspace", "colorspace to rgb: y4m cannot hold RGB; add --rgb png or --rgb raw"))
            }
            (Some(Conversion { to: Some(_), .. }), Some(_)) => Err((
                "rgb",
                "rgb and --colorspace: there is only one matrix; with --rgb use FROM:rgb, such as --colorspace bt709:rgb",
            )),
            _ => Ok(()),
        }
    }

    /// Checks the options that take real numbers, such as `--brightness`.
    pub fn check_controls(&self) -> Result<(), String> {
        self.set_controls(
            self,
            &mut ColorParameters::default(),
            ColorSpace { matrix: ColorMatrix::Bt601, range: ColorRange::Limited },
        )
    }

    /// Sets the parameters of the options that take real numbers.
    ///
    /// `own` is the current layer of options; `self` includes the layers before it. Parameters are
    /// set only if `own` has the option, or an option that the parameters depend on. `input` is the
    /// colour space of the samples; `--colorspace` overrides it. An error begins with the option's
    /// name without dashes.
    pub fn set_controls(&self, own: &ColorArgs, color: &mut ColorParameters, input: ColorSpace) -> Result<(), String> {
        let changed = own.procamp_controls(ColorRange::Limited).is_some() || own.colorspace.is_some();
        let space = self.spaces(input).map_or(input, |(from, _)| from);
        if let Some(controls) = self.procamp_controls(space.range).filter(|_| changed) {
            color.set_procamp(&controls).map_err(|error| error.to_string())?;
        }
        if let Some(strength) = own.skin_tone {
            color.set_skin_tone(strength).map_err(|error| format!("skin-tone: {error}"))?;
        }
        if let Some(Colors(colors)) = &own.tcc_colors {
            color.set_color_saturation(colors).map_err(|error| format!("tcc-colors: {error}"))?;
        }
        Ok(())
    }

    /// The ProcAmp controls for samples of this range; none if no control is given.
    fn procamp_controls(&self, range: ColorRange) -> Option<ProcAmp> {
        let given = [self.brightness, self.contrast, self.saturation, self.hue];
        let mut controls = ProcAmp::default().range(range);
        let values = [&mut controls.brightness, &mut controls.contrast, &mut controls.saturation, &mut controls.hue];
        values.into_iter().zip(given).for_each(|(value, given)| *value = given.unwrap_or(*value));
        given.iter().any(Option::is_some).then_some(controls)
    }

    /// Sets the parameters that depend on the colour space of the samples and on their depth in the
    /// stages: the conversion matrix, and the end points of an automatic contrast curve. They are
    /// set only if the current layer `own` has an option that changes them. `csc` is whether `own`
    /// and `self` have `--csc`.
    pub fn set_conversion(&self, own: &ColorArgs, csc: [bool; 2], color: &mut ColorParameters, input: ColorSpace, depth: u8) {
        if own.colorspace.is_none() && own.rgb.is_none() && own.auto_contrast.is_none() && !csc[0] {
            return;
        }
        let spaces = self.spaces(input);
        let space = spaces.map_or(input, |(from, _)| from);
        match (spaces, self.rgb) {
            (Some((from, to)), None) => color.set_conversion(from, to, depth),
            (_, Some(_)) if !csc[1] => color.set_conversion_to_rgb(space, depth),
            _ => {}
        }
        if self.auto_contrast.is_some() && space.range == ColorRange::Full {
            (color.ymin, color.ymax) = (0, 255);
        }
    }

    /// The header `output` with tags of the output's colour space; `header` is that of the input.
    pub fn tag(&self, output: Header, header: &Header) -> Header {
        match self.spaces(header.color_space()) {
            Some((_, to)) => output.with_color_space(to),
            None => output,
        }
    }

    /// The full-range planes of the input and of the output; `input` is the colour space of the
    /// header.
    pub fn full_ranges(&self, input: ColorSpace) -> [FullRange; 2] {
        let (from, to) = self.spaces(input).unwrap_or((input, input));
        [from.range.into(), if self.rgb.is_some() { FullRange::Rgb } else { to.range.into() }]
    }

    /// The colour spaces FROM and TO of `--colorspace`. If TO is RGB, both are FROM.
    fn spaces(&self, input: ColorSpace) -> Option<(ColorSpace, ColorSpace)> {
        let Conversion { from, to } = self.colorspace?;
        let from = from.or(input.range);
        Some((from, to.map_or(from, |to| to.or(from.range))))
    }
}
