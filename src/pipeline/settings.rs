//! Settings of a stream and their checks, without allocation.
use crate::adapt::denoise::DenoiseMode;
use crate::capture::BayerPattern;
use crate::color::{ColorGroups, ColorParameters, Extended};
use crate::deinterlace::Deinterlacer;
use crate::deinterlace::chroma::Store;
use crate::denoise::DenoiseFilter;
use crate::depth::{Dither, FullRange};
use crate::enhance::SharpenMode;
use crate::error::{Error, OptionConflict};
use crate::format::{ChromaLocation, DEPTHS, Format, Geometry, MAX_SIZE, NameError, Rect, Sampling, Scan, SizeRequirement};
use crate::parameters::Parameters;
use crate::parameters::field::ParameterError;
use crate::picture_filter::PictureFilters;
use crate::scale::{Addresses, Scale};
use dndi_simd::SimdLevel;
use std::fmt;
use std::str::FromStr;

/// Chroma sampling of deinterlaced frames (§1.6). 4:4:4 and mono are never converted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChromaOutput {
    /// That of the input, except that 4:1:1 becomes 4:2:2. Without deinterlacing this is the only
    /// choice, and 4:1:1 is output as 4:1:1.
    #[default]
    Same,
    /// 4:2:2, the native result of the deinterlacer.
    C422,
    /// 4:2:0; each row is the average of two lines.
    C420,
    /// 4:2:0 as the hardware writes it; every second line is dropped.
    C420Drop,
}

impl ChromaOutput {
    const NAMES: &'static [&'static str] = &["same", "422", "420", "420drop"];
}

/// `same`, `422`, `420` or `420drop`; case does not matter.
impl FromStr for ChromaOutput {
    type Err = NameError;

    fn from_str(name: &str) -> Result<ChromaOutput, NameError> {
        let values = [ChromaOutput::Same, ChromaOutput::C422, ChromaOutput::C420, ChromaOutput::C420Drop];
        NameError::find("chroma output", name, ChromaOutput::NAMES, &values)
    }
}

/// `same`, `422`, `420` or `420drop`.
impl fmt::Display for ChromaOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ChromaOutput::NAMES[*self as usize])
    }
}

/// Settings of a stream. [`StreamBuilder`](super::StreamBuilder) documents them.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub format: Format,
    pub scan: Scan,
    pub denoise: DenoiseMode,
    /// None for the default, which depends on the luma's mode.
    pub denoise_chroma: Option<DenoiseMode>,
    /// Whether denoising follows motion, in place of the spatial-temporal filter.
    pub denoise_motion: bool,
    pub denoise_filter: DenoiseFilter,
    pub hot_pixels: bool,
    /// The pattern of raw Bayer frames.
    pub bayer: Option<BayerPattern>,
    pub deinterlace: bool,
    pub deinterlacer: Deinterlacer,
    pub deflicker: bool,
    pub chroma: ChromaOutput,
    pub parameters: Parameters,
    pub statistics: bool,
    pub encoder_statistics: bool,
    pub simd_level: Option<SimdLevel>,
    pub scale: Option<Scale>,
    pub chroma_location: ChromaLocation,
    pub sharpen: Option<SharpenMode>,
    pub measured_noise: bool,
    pub luma_statistics: bool,
    pub area_of_interest: Option<Rect>,
    pub auto_contrast: Option<u8>,
    /// Stages of the colour pipe beyond Gen6.
    pub extended: Extended,
    pub filters: PictureFilters,
    pub geometry: Geometry,
    /// Bits per sample of the output; none for those of the input.
    pub output_depth: Option<u8>,
    pub dither: Dither,
    pub range: FullRange,
    /// The full-range planes of the output; none for those of the input.
    pub output_range: Option<FullRange>,
}

impl Settings {
    /// The default settings for pictures of `format`.
    pub fn new(format: Format, scan: Scan) -> Settings {
        let centred = format.sampling == Sampling::C420;
        Settings {
            format,
            scan,
            denoise: DenoiseMode::Auto,
            denoise_chroma: None,
            denoise_motion: false,
            denoise_filter: DenoiseFilter::default(),
            hot_pixels: false,
            bayer: None,
            deinterlace: scan.is_interlaced(),
            deinterlacer: Deinterlacer::default(),
            deflicker: false,
            chroma: ChromaOutput::Same,
            parameters: Parameters::default(),
            statistics: true,
            encoder_statistics: false,
            simd_level: None,
            scale: None,
            chroma_location: if centred { ChromaLocation::Center } else { ChromaLocation::Left },
            sharpen: None,
            measured_noise: false,
            luma_statistics: false,
            area_of_interest: None,
            auto_contrast: None,
            extended: Extended::default(),
            filters: PictureFilters::default(),
            geometry: Geometry::default(),
            output_depth: None,
            dither: Dither::Ordered,
            range: FullRange::None,
            output_range: None,
        }
    }

    /// Checks all settings; [`StreamBuilder::check`](super::StreamBuilder::check) lists the errors.
    pub fn check(&self) -> Result<(), Error> {
        self.format.check(self.scan)?;
        let depth = self.output_format().depth;
        if !DEPTHS.contains(&depth) {
            return Err(Error::Depth(depth));
        }
        if self.scan == Scan::Progressive && self.deinterlace {
            return Err(Error::NotInterlaced);
        }
        if !self.deinterlace && self.chroma != ChromaOutput::Same {
            return Err(Error::Chroma { input: self.format.sampling });
        }
        if let Some(scale) = &self.scale {
            self.check_scale(scale)?;
        }
        self.check_bayer()?;
        self.geometry.check(self.finished_format(), self.is_scaled_by_fields())?;
        self.check_canvas()?;
        let Format { width, height, .. } = self.finished_format();
        if let Some(area) = self.area_of_interest.filter(|area| !area.is_within((width, height))) {
            return Err(Error::Area { area, size: (width, height) });
        }
        if self.auto_contrast.is_some_and(|strength| strength > 100) {
            let value = self.auto_contrast.map_or(0, i64::from);
            return Err(ParameterError::Range { name: "auto_contrast", value, min: 0, max: 100 }.into());
        }
        if self.auto_contrast.is_some() && self.parameters.color.ymin >= self.parameters.color.ymax {
            let fields = &["color.ymin", "color.ymax"];
            return Err(conflict(fields, "color.ymin must be below color.ymax for a contrast curve between them"));
        }
        Ok(self.parameters.check(self.deinterlace)?)
    }

    /// Whether frames are deinterlaced by an algorithm that reads the next frame.
    pub fn looks_ahead(&self) -> bool {
        self.deinterlace && self.deinterlacer != Deinterlacer::Gen6
    }

    /// Whether frames are deinterlaced by the specified algorithm of the hardware (§3).
    pub fn is_gen6(&self) -> bool {
        self.deinterlace && self.deinterlacer == Deinterlacer::Gen6
    }

    /// Whether deinterlaced frames are deflickered, by the motion measure of the hardware's
    /// deinterlacer.
    pub fn deflickers(&self) -> bool {
        self.deflicker && self.is_gen6()
    }

    /// Whether frames are deinterlaced by [`Deinterlacer::Balanced`], which extracts the 8 most
    /// significant bits of words near each band, for its decisions.
    pub fn extracts_top(&self) -> bool {
        self.deinterlace && self.deinterlacer == Deinterlacer::Balanced && self.working_depth() > 8
    }

    /// Whether frames keep the 8 most significant bits of words of the luma, for decisions.
    pub fn keeps_luma_top(&self) -> bool {
        self.deinterlace && self.working_depth() > 8 && (self.statistics || !self.extracts_top())
    }

    /// Whether frames keep the 8 most significant bits of words of the chroma, for decisions.
    pub fn keeps_chroma_top(&self) -> bool {
        self.looks_ahead() && self.working_depth() > 8 && !self.extracts_top()
    }

    /// Whether frames are scaled and sharpened field by field: if they are interlaced and not
    /// deinterlaced.
    pub fn is_scaled_by_fields(&self) -> bool {
        self.scan.is_interlaced() && !self.deinterlace
    }

    /// Checks that raw Bayer frames reach the colour pipe as they came.
    fn check_bayer(&self) -> Result<(), Error> {
        let Format { width, height, sampling, .. } = self.format;
        let mixes = self.denoise != DenoiseMode::Off || self.deinterlace || self.scale.is_some() || self.sharpen.is_some();
        let fits = sampling == Sampling::Mono && width >= 2 && height >= 2 && !mixes;
        if self.bayer.is_some() && !fits { Err(Error::Options(OptionConflict::Bayer)) } else { Ok(()) }
    }

    /// Checks the size of the canvas.
    fn check_canvas(&self) -> Result<(), Error> {
        let format = self.output_format();
        let Format { width, height, .. } = format;
        let needs = match self.geometry.canvas {
            None => None,
            Some(_) if ![width, height].iter().all(|size| (1..=MAX_SIZE).contains(size)) => Some(SizeRequirement::Limits),
            Some(_) if self.is_scaled_by_fields() => format.fields_need(),
            Some(_) => None,
        };
        needs.map_or(Ok(()), |needs| Err(Error::OutputSize { width, height, needs }))
    }

    /// Checks the settings of the scaler.
    fn check_scale(&self, &Scale { width, height, crop, addresses, .. }: &Scale) -> Result<(), Error> {
        let size = |needs| Err(Error::OutputSize { width, height, needs });
        let whole = (self.format.width, self.format.height);
        if let Some(crop) = crop.filter(|crop| !crop.is_within(whole)) {
            return Err(Error::Crop { crop, size: whole });
        }
        if !(1..=MAX_SIZE).contains(&width) || !(1..=MAX_SIZE).contains(&height) {
            return size(SizeRequirement::Limits);
        }
        if self.is_scaled_by_fields()
            && let Some(needs) = self.finished_format().fields_need()
        {
            return size(needs);
        }
        let numbers = addresses.map_or([0.0; 3], |Addresses { start, delta, second }| [start, delta, second]);
        let names = ["addresses.start", "addresses.delta", "addresses.second"];
        if let Some((name, value)) = names.into_iter().zip(numbers).find(|(_, value)| !value.is_finite()) {
            let (min, max) = (f64::from(f32::MIN), f64::from(f32::MAX));
            return Err(ParameterError::Real { name, value: value.into(), min, max }.into());
        }
        Ok(())
    }

    /// Format of the output frames.
    pub fn output_format(&self) -> Format {
        self.shaped_format().with_depth(self.output_depth.unwrap_or(self.format.depth))
    }

    /// Format of the frames after the geometry of the output, which are lowered to its depth.
    pub fn shaped_format(&self) -> Format {
        self.geometry.format(self.finished_format())
    }

    /// Whether the geometry of frames changes.
    pub fn is_shaped(&self) -> bool {
        self.geometry.changes(self.finished_format())
    }

    /// Format of the frames after the scaler or the capture, in which colours are changed.
    pub fn finished_format(&self) -> Format {
        let format = self.frame_format();
        match (self.scale, self.bayer) {
            (Some(scale), _) => scale.format(format),
            (None, Some(_)) => Format { sampling: Sampling::C444, ..format },
            (None, None) => format,
        }
    }

    /// Whether the frames before and after the scaler or the capture have lists of their own.
    pub fn changes_format(&self) -> bool {
        self.scale.is_some() || self.bayer.is_some()
    }

    /// Bits per sample in the stages: those of the input or of the output, if these are more
    /// (§9.1).
    pub fn working_depth(&self) -> u8 {
        self.format.depth.max(self.output_depth.unwrap_or(0))
    }

    /// Whether frames are lowered to the depth of the output.
    pub fn is_lowered(&self) -> bool {
        self.output_format().depth < self.working_depth()
    }

    /// The full-range planes of the output.
    pub fn output_range(&self) -> FullRange {
        self.output_range.unwrap_or(self.range)
    }

    /// Whether no stage before the scaler reads or measures frames, so that the stream keeps no
    /// frames between steps.
    pub fn is_stateless(&self) -> bool {
        let denoises = self.denoises() || self.denoises_chroma() || self.denoises_along_motion();
        !(denoises || self.deinterlace || self.needs_noise())
    }

    /// Whether the noise estimate of all blocks is needed.
    pub fn needs_noise(&self) -> bool {
        let widens = self.denoise_filter == DenoiseFilter::Neighbours5 && (self.denoises() || self.denoises_chroma());
        self.statistics || widens || (self.measured_noise && self.sharpen.is_some())
    }

    /// Denoising of the chroma: off without chroma. By default its noise is measured, except where
    /// the luma has no denoising or the fixed parameters of the specification, which has none for
    /// chroma.
    pub fn chroma_mode(&self) -> DenoiseMode {
        match (self.denoise_chroma, self.denoise) {
            _ if self.format.sampling == Sampling::Mono => DenoiseMode::Off,
            (Some(mode), _) => mode,
            (None, DenoiseMode::Off) => DenoiseMode::Off,
            (None, DenoiseMode::On) if !self.denoise_motion => DenoiseMode::Off,
            (None, _) => DenoiseMode::Auto,
        }
    }

    /// Whether chroma exists and its denoising is not off, with either filter.
    fn has_chroma_denoise(&self) -> bool {
        self.chroma_mode() != DenoiseMode::Off
    }

    /// Whether the spatial-temporal filter denoises chroma.
    pub fn denoises_chroma(&self) -> bool {
        self.has_chroma_denoise() && !self.denoise_motion
    }

    /// Whether the spatial-temporal filter denoises the luma.
    pub fn denoises(&self) -> bool {
        self.denoise != DenoiseMode::Off && !self.denoise_motion
    }

    /// Whether luma or chroma are denoised along motion.
    pub fn denoises_along_motion(&self) -> bool {
        self.denoise_motion && (self.denoise != DenoiseMode::Off || self.has_chroma_denoise())
    }

    /// The parameters of the colour pipe with those of `color` in place of its own.
    pub fn color_groups<'a>(&'a self, color: &'a ColorParameters) -> ColorGroups<'a> {
        let Parameters { color_correction, gamut, local_contrast, .. } = &self.parameters;
        ColorGroups { color, correction: color_correction, gamut, local_contrast }
    }

    /// The part of a frame that the histogram counts; none for all of it.
    pub fn histogram_area(&self) -> Option<Rect> {
        self.area_of_interest.filter(|_| !self.parameters.color.full_image_histogram)
    }

    /// Format of the frames before scaling, of the working depth.
    pub fn frame_format(&self) -> Format {
        let format = self.format.with_depth(self.working_depth());
        let sampling = format.sampling;
        if !self.deinterlace {
            return format;
        }
        let sampling = match (sampling, self.chroma) {
            (Sampling::Mono | Sampling::C444, _) => sampling,
            (_, ChromaOutput::C422) | (Sampling::C411 | Sampling::C422, ChromaOutput::Same) => Sampling::C422,
            _ => Sampling::C420,
        };
        Format { sampling, ..format }
    }

    /// The chroma sampling of the deinterlacer and the conversion of its result.
    pub fn chroma_path(&self) -> ChromaPath {
        let sampling = if self.format.sampling == Sampling::C411 { Sampling::C422 } else { self.format.sampling };
        let store = match (self.frame_format().sampling, self.chroma) {
            (Sampling::C420, ChromaOutput::C420Drop) => Store::Dropped,
            (Sampling::C420, _) => Store::Averaged,
            _ => Store::Native,
        };
        ChromaPath { sampling, store }
    }

    /// Size of the chroma planes that the stages work on; 0×0 for mono.
    pub fn held_chroma_size(&self) -> (usize, usize) {
        let Format { width, height, sampling, .. } = self.format;
        if self.deinterlace { self.chroma_path().sampling } else { sampling }.chroma_size(width, height)
    }
}

/// The error for settings that exclude each other.
fn conflict(fields: &'static [&'static str], message: &str) -> Error {
    ParameterError::Conflict { fields, message: message.to_owned() }.into()
}

/// Sampling of the chroma planes that the deinterlacer works on, and the conversion of its native
/// chroma for the output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChromaPath {
    pub sampling: Sampling,
    pub store: Store,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_to_their_outputs() {
        let values = [
            (ChromaOutput::Same, "same"),
            (ChromaOutput::C422, "422"),
            (ChromaOutput::C420, "420"),
            (ChromaOutput::C420Drop, "420drop"),
        ];
        for (chroma, name) in values {
            assert_eq!((chroma.to_string().as_str(), name.to_uppercase().parse()), (name, Ok(chroma)));
        }
        let error = "444".parse::<ChromaOutput>().unwrap_err().to_string();
        assert_eq!(error, "no chroma output '444'; there are: same, 422, 420, 420drop");
    }

    #[test]
    fn one_filter_denoises() {
        let settings = |luma, chroma: DenoiseMode, denoise_motion, sampling| Settings {
            denoise: luma,
            denoise_chroma: Some(chroma),
            denoise_motion,
            statistics: false,
            ..Settings::new(Format::new(32, 16, sampling), Scan::Progressive)
        };
        let (off, auto) = (DenoiseMode::Off, DenoiseMode::Auto);
        let cases = [
            (settings(auto, auto, false, Sampling::C420), [true, true, false]),
            (settings(auto, off, false, Sampling::C420), [true, false, false]),
            (settings(auto, off, true, Sampling::C420), [false, false, true]),
            (settings(off, auto, true, Sampling::C420), [false, false, true]),
            (settings(off, auto, true, Sampling::Mono), [false, false, false]),
            (settings(off, off, true, Sampling::C420), [false, false, false]),
        ];
        for (settings, expected) in cases {
            let found = [settings.denoises(), settings.denoises_chroma(), settings.denoises_along_motion()];
            assert_eq!(found, expected, "{settings:?}");
            assert_eq!(settings.is_stateless(), expected == [false; 3]);
        }
    }

    #[test]
    fn chroma_noise_is_measured_unless_the_luma_has_no_denoising() {
        use DenoiseMode::{Auto, Light, Medium, Off, On, Strong};
        let mode = |denoise, denoise_chroma, denoise_motion, sampling| {
            let settings = Settings::new(Format::new(32, 16, sampling), Scan::Progressive);
            Settings { denoise, denoise_chroma, denoise_motion, ..settings }.chroma_mode()
        };
        for (luma, chroma) in [(Auto, Auto), (Light, Auto), (Medium, Auto), (Strong, Auto), (On, Off), (Off, Off)] {
            assert_eq!(mode(luma, None, false, Sampling::C420), chroma, "{luma}");
            // Along motion the mode `On` measures, too.
            assert_eq!(mode(luma, None, true, Sampling::C422), if luma == On { Auto } else { chroma }, "{luma}");
            assert_eq!(mode(luma, Some(Light), false, Sampling::C444), Light, "{luma}");
            assert_eq!(mode(luma, Some(Light), false, Sampling::Mono), Off, "{luma}");
        }
    }
}
