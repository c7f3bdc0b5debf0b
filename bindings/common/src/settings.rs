//! All settings of a conversion: the format of the clip, and options by name.
use crate::error::Error;
use crate::options::Options;
use dndi::convert::{Converter, ConverterBuilder, DeinterlaceMode, FieldOrderMode};
use dndi::{
    ChromaLocation, ChromaOutput, ColorMatrix, ColorParameters, ColorRange, ColorSpace, Format, Interlacing, Parameters, ProcAmp,
    Sampling, Scale, Scan, StreamBuilder,
};

/// Name and file of the presets.
const PRESETS: [(&str, &str); 4] = [
    ("default", ""),
    ("fast", include_str!("../../../profiles/fast.toml")),
    ("best", include_str!("../../../profiles/best.toml")),
    ("driver", include_str!("../../../profiles/driver.toml")),
];

/// The settings of a conversion or of an inspection.
///
/// The options are those of the command line, with the same names and values, as far as they
/// concern frames. `variable-rate` is the effect of `--timecodes` on the film rate, and
/// `first-output` is the first frame that is output. Five options describe the clip, as a y4m
/// header does: `interlacing`, `frame-rate`, `matrix`, `range` and `location` (of chroma).
#[derive(Clone, Debug)]
pub struct Settings {
    format: Format,
    own: Options,
    /// The options of `own` as they were given.
    given: Vec<(String, String)>,
}

impl Settings {
    /// The settings with default options for a clip of this format.
    pub fn new(format: Format) -> Settings {
        Settings { format, own: Options::default(), given: Vec::new() }
    }

    /// The format of the clip.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Sets an option by its name on the command line, without the dashes before it. Underscores
    /// count as dashes. The last value of an option counts; `set` (`NAME=VALUE`, a parameter of a
    /// stage) collects its values.
    ///
    /// # Errors
    /// If the name is unknown, or the option does not take the value. The settings do not change.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let mut own = self.own.clone();
        own.set(name, value)?;
        if let Some(preset) = &own.preset {
            preset_layer(preset)?;
        }
        self.own = own;
        self.given.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// The number of threads of a pool of its own; none for the pool of the process.
    pub fn threads(&self) -> Option<usize> {
        self.own.threads
    }

    /// The scan that the clip declares.
    pub fn interlacing(&self) -> Interlacing {
        self.own.interlacing.unwrap_or(Interlacing::Unknown)
    }

    /// The colour space of the outputs if it is converted, else none.
    pub fn output_space(&self) -> Option<ColorSpace> {
        let range = self.color_space().range;
        self.own.colorspace.map(|conversion| conversion.spaces(range).1)
    }

    /// The chroma location of outputs with subsampled chroma; none if neither the options nor the
    /// clip have it.
    pub fn output_location(&self) -> Option<ChromaLocation> {
        // The chroma of deinterlaced 4:2:2 is on the left, whatever the clip declares.
        let left = (self.own.chroma == Some(ChromaOutput::C422)).then_some(ChromaLocation::Left);
        self.own.chroma_location.or(left).or(self.own.location)
    }

    /// Width and height of the part of the picture that is scaled to the output.
    pub fn source_size(&self) -> (usize, usize) {
        self.own.crop.map_or((self.format.width, self.format.height), |crop| (crop.width, crop.height))
    }

    /// Whether the film rate is variable.
    pub fn is_variable(&self) -> bool {
        self.own.variable_rate.unwrap_or(false)
    }

    /// The field matching of an inspection.
    pub(crate) fn film(&self) -> dndi::FieldMatching {
        self.own.film.unwrap_or_default()
    }

    /// A converter with these settings.
    ///
    /// # Errors
    /// If options contradict each other, or the format is not supported.
    pub fn converter(&self) -> Result<Converter, Error> {
        Ok(self.builder()?.build()?)
    }

    /// The builder of the converter.
    ///
    /// # Errors
    /// If options contradict each other.
    pub fn builder(&self) -> Result<ConverterBuilder, Error> {
        let preset = self.own.preset.as_deref().map_or_else(|| Ok(Options::default()), preset_layer)?;
        let mut all = preset.clone();
        self.given.iter().try_for_each(|(name, value)| all.set(name, value))?;

        let builder = Converter::builder(self.format).interlacing(self.interlacing());
        let builder = match all.frame_rate {
            Some((frames, seconds)) => builder.frame_rate(frames, seconds),
            None => builder,
        };
        let builder = builder.field_order(all.field_order.unwrap_or_default()).deinterlace(all.deinterlace.unwrap_or_default());
        let builder = builder.field_matching(all.film.unwrap_or_default()).rate(all.rate);
        let builder = all.extended.repair(builder);
        let builder = builder.variable_rate(all.variable_rate.unwrap_or(false)).first_output(all.first_output.unwrap_or(0));

        let stages = self.stages(&[&preset, &self.own], &all)?;
        let stream = |stream| self.stream(&all, stages, stream);
        Ok(builder.stream(stream))
    }

    /// The colour space of the clip.
    fn color_space(&self) -> ColorSpace {
        let Format { width, height, .. } = self.format;
        ColorSpace {
            matrix: self.own.matrix.unwrap_or(ColorMatrix::usual(width, height)),
            range: self.own.range.unwrap_or(ColorRange::Limited),
        }
    }

    /// The parameters of the stages, from layers of options. Each overrides those before it; `all`
    /// has the options of all layers.
    fn stages(&self, layers: &[&Options], all: &Options) -> Result<Stages, Error> {
        let mut stages = Stages::default();
        let space = self.color_space();
        let depth = self.format.depth.max(all.depth.unwrap_or(self.format.depth));
        let (from, to) = all.colorspace.map_or((space, space), |conversion| conversion.spaces(space.range));
        for layer in layers {
            let parameters = &mut stages.parameters;
            if let Some(sharpen) = layer.sharpen {
                (stages.sharpen, stages.measured_noise) = (sharpen.mode, sharpen.measured_noise);
            }
            if let Some(mcdi) = layer.mcdi {
                parameters.compensation.mcdi_enable = mcdi;
            }
            let color = &mut parameters.color;
            let named = |name: &'static str| move |error: dndi::ParameterError| Error::option(name, error);
            let controls = |options: &Options| [options.brightness, options.contrast, options.saturation, options.hue];
            if controls(layer).iter().any(Option::is_some) {
                let [brightness, contrast, saturation, hue] = controls(all);
                let default = ProcAmp::default();
                let picture = ProcAmp::default().range(from.range).brightness(brightness.unwrap_or(default.brightness));
                let picture = picture.contrast(contrast.unwrap_or(default.contrast)).hue(hue.unwrap_or(default.hue));
                let picture = picture.saturation(saturation.unwrap_or(default.saturation));
                color.set_procamp(&picture).map_err(dndi::Error::from)?;
            }
            if let Some(strength) = layer.skin_tone {
                color.set_skin_tone(strength).map_err(named("skin-tone"))?;
            }
            if let Some(colors) = &layer.tcc_colors {
                color.set_color_saturation(&colors.0).map_err(named("tcc-colors"))?;
            }
            if layer.colorspace.is_some() {
                if all.enabled.contains(&"csc") {
                    return Err(Error::option("csc", "it takes the matrix of set, colorspace computes one; use one of them"));
                }
                color.set_conversion(from, to, depth);
            }
            if layer.auto_contrast.is_some() && from.range == ColorRange::Full {
                (color.ymin, color.ymax) = (0, 255);
            }
            enable(color, &layer.enabled);
            for (name, value) in &layer.parameters {
                stages.parameters.set(name, *value).map_err(dndi::Error::from)?;
                let canonical = Parameters::field(name).map_or(name.as_str(), |field| field.name);
                stages.measured_noise &= canonical != "ief.global_noise_estimation";
                stages.scaler |= canonical.replace('_', "").to_ascii_lowercase().starts_with("scaler.");
            }
        }
        if all.colorspace.is_some() && !stages.parameters.color.transform_enable {
            return Err(Error::option("colorspace", "color.transform_enable = 0 disables the conversion"));
        }
        stages.ranges = [from.range, to.range];
        Ok(stages)
    }

    /// Applies the options to the streams of the converter.
    fn stream(&self, all: &Options, stages: Stages, stream: StreamBuilder) -> StreamBuilder {
        let chroma = all.chroma.unwrap_or_default();
        let denoise = all.denoise.unwrap_or_default();
        let along_motion = all.denoise_motion.unwrap_or(false);
        let declared = all.location.unwrap_or(match self.format {
            Format { sampling: Sampling::C420, depth: 8, .. } => ChromaLocation::Center,
            _ => ChromaLocation::Left,
        });
        // The chroma of deinterlaced 4:2:2 is on the left, whatever the clip declares.
        let own = if chroma == ChromaOutput::C422 { ChromaLocation::Left } else { declared };
        let scale = self.scale(all, stages.scaler);
        let [range, output_range] = stages.ranges.map(dndi::FullRange::from);
        let stream = stream.denoise(denoise).denoise_motion(along_motion).chroma(chroma);
        // The default of the stream follows from the other two options, as on the command line.
        let stream = match all.denoise_chroma {
            Some(mode) => stream.denoise_chroma(mode),
            None => stream,
        };
        let stream = stream.parameters(stages.parameters).deinterlacer(all.deinterlacer.unwrap_or_default());
        let stream = stream.scale(scale).chroma_location(all.chroma_location.unwrap_or(own));
        let stream = stream.output_depth(all.depth).dither(all.dither.unwrap_or_default());
        let stream = stream.range(range).output_range(output_range);
        let stream = stream.sharpen(stages.sharpen).measured_noise(stages.measured_noise);
        let stream = stream.auto_contrast(all.auto_contrast).area_of_interest(all.aoi);
        all.extended.stages(self.own.matrix, self.color_space(), stream)
    }

    /// The scaling; none if no option needs it.
    fn scale(&self, all: &Options, scaler: bool) -> Option<Scale> {
        let size = all.crop.map_or((self.format.width, self.format.height), |crop| (crop.width, crop.height));
        let declared = match all.field_order.unwrap_or_default() {
            FieldOrderMode::TopFirst | FieldOrderMode::BottomFirst => true,
            FieldOrderMode::Progressive => false,
            _ => self.interlacing().scan().is_some_and(Scan::is_interlaced),
        };
        // Frames that stay interlaced need an even height.
        let lines = if all.deinterlace == Some(DeinterlaceMode::Off) && declared { 2 } else { 1 };
        let (width, height) = all.scale.map_or(size, |scale| scale.of((size.0.max(1), size.1.max(1)), lines));
        let needed = scaler || all.scale.is_some() || all.crop.is_some();
        needed.then_some(Scale::new(width, height).crop(all.crop).filter(all.extended.scale_filter()))
    }
}

/// The settings of the stages.
#[derive(Debug)]
struct Stages {
    parameters: Parameters,
    sharpen: Option<dndi::SharpenMode>,
    measured_noise: bool,
    /// Whether a parameter of the scaler is set, so that frames pass through it.
    scaler: bool,
    /// The ranges of the input and of the output.
    ranges: [ColorRange; 2],
}

impl Default for Stages {
    fn default() -> Stages {
        Stages {
            parameters: Parameters::default(),
            sharpen: None,
            measured_noise: false,
            scaler: false,
            ranges: [ColorRange::Limited; 2],
        }
    }
}

/// Enables the named stages of the colour pipe.
fn enable(color: &mut ColorParameters, stages: &[&str]) {
    for stage in stages {
        *match *stage {
            "std" => &mut color.std_enable,
            "ste" => &mut color.ste_enable,
            "ace" => &mut color.ace_enable,
            "tcc" => &mut color.tcc_enable,
            "procamp" => &mut color.procamp_enable,
            _ => &mut color.transform_enable,
        } = true;
    }
}

/// The options of a preset.
fn preset_layer(name: &str) -> Result<Options, Error> {
    let found = PRESETS.iter().find(|(preset, _)| *preset == name);
    let (_, text) = found.ok_or_else(|| {
        let names: Vec<_> = PRESETS.iter().map(|(name, _)| *name).collect();
        Error::option("preset", format_args!("no value '{name}'; there are: {}", names.join(", ")))
    })?;
    let mut options = Options::default();
    // The files of the presets have one option a line; a table holds parameters.
    let mut group = None;
    for line in text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
        if let Some(table) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            group = Some(table.trim_start_matches("parameters").trim_start_matches('.').to_owned());
        } else if let Some((name, value)) = line.split_once('=') {
            let (name, value) = (name.trim(), value.trim().trim_matches('"'));
            match group.as_deref() {
                None => options.set(name, value)?,
                Some("") => options.set("set", &format!("{name}={value}"))?,
                Some(group) => options.set("set", &format!("{group}.{name}={value}"))?,
            }
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    fn settings() -> Settings {
        Settings::new(Format::new(64, 48, Sampling::C420))
    }

    #[test]
    fn options_have_the_names_of_the_command_line() {
        let mut settings = settings();
        let options = [
            ("field-order", "tff"),
            ("--deinterlacer", "best"),
            ("denoise_chroma", "light"),
            ("scale", "2x"),
            ("colorspace", "bt601:bt709-full"),
            ("sharpen", "detail3"),
            ("rate", "frame"),
            ("set", "stad_th=100"),
            ("std", "on"),
        ];
        for (name, value) in options {
            settings.set(name, value).unwrap();
        }
        let mut converter = settings.converter().unwrap();
        converter.finish();
        let plan = converter.plan().unwrap().unwrap();
        assert_eq!((plan.output_format.width, plan.scan, plan.ratio), (128, Scan::TopFirst, (1, 1)));
    }

    #[test]
    fn errors_name_the_option_and_its_values() {
        let mut settings = settings();
        let mut error = |name, value| {
            let error = settings.set(name, value).unwrap_err();
            assert_eq!(error.kind(), Kind::Option);
            error.to_string()
        };
        assert!(error("deinterlacr", "best").starts_with("deinterlacr: there is no such option; there are: "));
        assert_eq!(error("rate", "half"), "rate: no output rate 'half'; there are: field, frame, film");
        assert!(error("preset", "none").ends_with("there are: default, fast, best, driver"));
        assert_eq!(error("set", "stad_th=x"), "set: stad_th takes a whole number, not 'x'");
        assert_eq!(error("film", "deblend"), "film: deblend reads ahead in a file: the command has it");
        assert_eq!(error("crop", "auto"), "crop: auto measures borders in a file: `dndi inspect` prints the rectangle");
        assert!(error("chroma-shift", "auto").starts_with("chroma-shift: auto measures the movement in a file"));
        assert!(error("dot-crawl", "auto").starts_with("dot-crawl: auto measures the crosstalk in a file"));
        assert!(error("colorspace", "bt601:rgb").starts_with("colorspace: frames are Y'CbCr"));
        assert!(error("stats", "x").starts_with("stats: the option is one of the command"));
        assert!(error("gamma", "1000").starts_with("gamma: "));
        assert_eq!(error("threads", "0"), "threads: write a number of 1 to 1024");
        let mut settings = self::settings();
        settings.set("rate", "film").unwrap();
        settings.set("film", "off").unwrap();
        assert_eq!(settings.converter().unwrap_err().to_string(), "the film rate needs field matching");
    }

    #[test]
    fn every_option_changes_the_converter() {
        let built = |options: &[(&str, &str)]| {
            let mut settings = Settings::new(Format::new(64, 48, Sampling::C420));
            options.iter().for_each(|(name, value)| settings.set(name, value).unwrap());
            format!("{:?}", settings.builder().unwrap())
        };
        for (name, value) in [
            ("repair", "on"),
            ("drop-outs", "on"),
            ("dot-crawl", "pal"),
            ("chroma-shift", "-3,1.5"),
            ("denoise-filter", "5x5"),
            ("hot-pixel", "on"),
            ("deflicker", "on"),
            ("white-balance", "auto"),
            ("ccm", "on"),
            ("gamma", "1.2"),
            ("gamut-expand", "on"),
            ("front-csc", "on"),
            ("gamut-compress", "on"),
            ("lace", "on"),
            ("convolve", "1,2,1"),
            ("erode", "3x3"),
            ("dilate", "3x3"),
            ("minmax", "3x3"),
            ("filter-planes", "all"),
            ("mirror", "h"),
            ("rotate", "180"),
            ("canvas", "128x96+2+2"),
            ("output-chroma", "444"),
            ("siting-in", "0,4"),
            ("siting-out", "4,4"),
        ] {
            assert_ne!(built(&[]), built(&[(name, value)]), "{name}");
        }
        assert_ne!(built(&[("scale", "2x")]), built(&[("scale", "2x"), ("scale-filter", "bilinear")]));
        assert_eq!(built(&[("rate", "auto")]), built(&[]));
        assert_ne!(built(&[("repair", "on"), ("drop-outs", "off")]), built(&[("repair", "on")]));
    }

    #[test]
    fn options_override_the_preset_in_any_order() {
        let stages = |options: &[(&str, &str)]| {
            let mut settings = settings();
            options.iter().for_each(|(name, value)| settings.set(name, value).unwrap());
            format!("{:?}", settings.builder().unwrap())
        };
        let [set, preset] = [("set", "stad_th=100"), ("preset", "driver")];
        assert_eq!(stages(&[set, preset]), stages(&[preset, set]));
        assert_ne!(stages(&[preset]), stages(&[preset, set]));
        assert!(stages(&[("preset", "fast")]).contains("mcdi_enable: false"));
        assert!(stages(&[("preset", "fast"), ("mcdi", "on")]).contains("mcdi_enable: true"));
        assert!(stages(&[("preset", "best")]).contains("denoise_motion: true"));
    }
}
