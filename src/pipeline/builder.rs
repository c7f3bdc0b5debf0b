//! What a stream is asked to do, checked before anything is allocated.
use super::Stream;
use super::picture::ChromaPath;
use crate::deinterlace::chroma::Store;
use crate::denoise::strength::Denoise;
use crate::enhance::Enhancement;
use crate::error::Error;
use crate::frame::{Format, MAX_SIZE, Sampling};
use crate::parameters::{ParameterError, Parameters};
use crate::scale::{ChromaLocation, Crop, Scale};
use dndi_simd::{Kernels, Level};

/// How the lines of a frame were scanned (§1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scan {
    /// All lines at one time.
    Progressive,
    /// Two fields, that of the even lines first.
    TopFirst,
    /// Two fields, that of the odd lines first.
    BottomFirst,
}

/// Chroma sampling of deinterlaced frames (§1.6). 4:4:4 and mono always keep theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChromaOutput {
    /// The input's, but 4:1:1 leaves as 4:2:2. The only choice without deinterlacing, where 4:1:1 stays, too.
    #[default]
    Same,
    /// 4:2:2, the deinterlacer's own.
    C422,
    /// 4:2:0, each row the average of two lines.
    C420,
    /// 4:2:0 as the hardware writes it: every second line is dropped.
    C420Drop,
}

/// Settings of a [`Stream`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder {
    pub(crate) format: Format,
    pub(crate) scan: Scan,
    pub(crate) denoise: Denoise,
    pub(crate) denoise_chroma: Denoise,
    pub(crate) deinterlace: bool,
    pub(crate) chroma: ChromaOutput,
    pub(crate) parameters: Parameters,
    pub(crate) statistics: bool,
    pub(crate) level: Option<Level>,
    pub(crate) scale: Option<Scale>,
    pub(crate) location: ChromaLocation,
    pub(crate) enhance: Option<Enhancement>,
    pub(crate) measured_noise: bool,
    pub(crate) luma_statistics: bool,
    pub(crate) area: Option<Crop>,
    pub(crate) auto_contrast: Option<u8>,
}

impl Builder {
    /// For pictures of `format`: denoised, and deinterlaced when `scan` is interlaced, with default parameters.
    pub fn new(format: Format, scan: Scan) -> Builder {
        let deinterlace = scan != Scan::Progressive;
        let (chroma, parameters) = (ChromaOutput::Same, Parameters::default());
        let location = if format.sampling == Sampling::C420 { ChromaLocation::Center } else { ChromaLocation::Left };
        Builder {
            format,
            scan,
            denoise: Denoise::Auto,
            denoise_chroma: Denoise::Off,
            deinterlace,
            chroma,
            parameters,
            statistics: true,
            level: None,
            scale: None,
            location,
            enhance: None,
            measured_noise: false,
            luma_statistics: false,
            area: None,
            auto_contrast: None,
        }
    }

    /// How the luma is denoised: as strongly as its noise demands, unless said otherwise. `true` and `false` are [`Denoise::On`], the
    /// filter with the parameters as they are, and [`Denoise::Off`].
    pub fn denoise(self, how: impl Into<Denoise>) -> Builder {
        Builder { denoise: how.into(), ..self }
    }

    /// How the chroma is denoised: not at all, unless said otherwise. It is the luma's filter with parameters of its own,
    /// [`Parameters::chroma`]. 4:1:1 that is deinterlaced is filtered as 4:2:2.
    pub fn denoise_chroma(self, how: impl Into<Denoise>) -> Builder {
        Builder { denoise_chroma: how.into(), ..self }
    }

    /// Whether fields are completed to frames.
    pub fn deinterlace(self, on: bool) -> Builder {
        Builder { deinterlace: on, ..self }
    }

    /// Chroma sampling of the output.
    pub fn chroma(self, chroma: ChromaOutput) -> Builder {
        Builder { chroma, ..self }
    }

    /// Parameters of all stages.
    pub fn parameters(self, parameters: Parameters) -> Builder {
        Builder { parameters, ..self }
    }

    /// Whether each step's [`Statistics`](super::Statistics) are made, as they are unless switched off. Those that no picture depends on
    /// then cost no time.
    pub fn statistics(self, on: bool) -> Builder {
        Builder { statistics: on, ..self }
    }

    /// The instruction set to use, instead of the best one (or the one that the environment variable `DNDI_LEVEL` names).
    pub fn level(self, level: Level) -> Builder {
        Builder { level: Some(level), ..self }
    }

    /// What is made of the frames by scaling; interlaced frames that are not deinterlaced are scaled field by field. What that needs
    /// besides frames does not grow with the height, but for a few bytes a line.
    pub fn scale(self, scale: Option<Scale>) -> Builder {
        Builder { scale, ..self }
    }

    /// Where the chroma samples of input and output lie, which matters to scaling; centred with 4:2:0, else on the left, if not said.
    pub fn chroma_location(self, location: ChromaLocation) -> Builder {
        Builder { location, ..self }
    }

    /// How the luma is enhanced, last of all; interlaced frames that are not deinterlaced field by field. The stream then holds the luma of
    /// a whole frame in 10 bits.
    pub fn enhance(self, enhance: Option<Enhancement>) -> Builder {
        Builder { enhance, ..self }
    }

    /// Whether enhancement goes by the noise estimate of the step before (§2.6) instead of the parameter
    /// `ief.global_noise_estimation`, which then serves the first step alone.
    pub fn measured_noise(self, on: bool) -> Builder {
        Builder { measured_noise: on, ..self }
    }

    /// Whether each output carries [`LumaStatistics`](crate::LumaStatistics).
    pub fn luma_statistics(self, on: bool) -> Builder {
        Builder { luma_statistics: on, ..self }
    }

    /// The part of the output whose luma the histogram of [`LumaStatistics`](crate::LumaStatistics) counts, in luma samples; all of it
    /// where none is said or `color.full_image_histogram` is 1.
    pub fn area_of_interest(self, area: Option<Crop>) -> Builder {
        Builder { area, ..self }
    }

    /// Whether each frame's contrast curve (§6.3) is made from its histogram and those before it, and how much of it counts against the
    /// identity, 0…100 %. Its ends stay `color.ymin` and `color.ymax`; what `color.ace_enable` and the other fields of the curve say
    /// does not matter then.
    pub fn auto_contrast(self, strength: Option<u8>) -> Builder {
        Builder { auto_contrast: strength, ..self }
    }

    /// Checks everything and allocates all that the stream needs.
    ///
    /// # Errors
    /// Those of [`check`](Builder::check), and [`Error::Level`] where the level, or the one that `DNDI_LEVEL` names, does not exist or
    /// the processor lacks it.
    pub fn build(self) -> Result<Stream, Error> {
        self.check()?;
        let kernels = Kernels::at(self.level.map_or_else(Level::from_env, Ok)?)?;
        Ok(Stream::new(self, kernels))
    }

    /// Checks everything without allocating.
    ///
    /// # Errors
    /// [`Error::Depth`], [`Error::Size`], [`Error::NotInterlaced`], [`Error::Chroma`], [`Error::OutputSize`], [`Error::Crop`],
    /// [`Error::Area`] or [`Error::Parameter`], the first that applies.
    pub fn check(&self) -> Result<(), Error> {
        let Format { width, height, sampling, depth } = self.format;
        let size = |needs| Err(Error::Size { width, height, needs });
        if depth != 8 {
            return Err(Error::Depth(depth));
        }
        if !(1..=MAX_SIZE).contains(&width) || !(1..=MAX_SIZE).contains(&height) {
            return size("must be within 1x1 and 8192x8192");
        }
        if self.scan != Scan::Progressive {
            if height % 2 != 0 {
                return size("an interlaced picture needs an even height");
            }
            if sampling == Sampling::C420 && height < 4 {
                return size("an interlaced 4:2:0 picture needs at least 4 lines");
            }
        } else if self.deinterlace {
            return Err(Error::NotInterlaced);
        }
        let same = self.chroma == ChromaOutput::Same;
        if !self.deinterlace && !same {
            return Err(Error::Chroma { input: sampling, why: "without deinterlacing it stays the same" });
        }
        if let Some(scale) = &self.scale {
            self.check_scale(scale)?;
        }
        let Format { width, height, .. } = self.output_format();
        if let Some(area) = self.area.filter(|area| !area.is_within((width, height))) {
            return Err(Error::Area { area, size: (width, height) });
        }
        if self.auto_contrast.is_some_and(|strength| strength > 100) {
            return Err(Error::Parameter(ParameterError::Conflict(
                "the strength of the contrast is within 0 and 100".to_owned(),
            )));
        }
        if self.auto_contrast.is_some() && self.parameters.color.ymin >= self.parameters.color.ymax {
            let why = "color.ymin must be below color.ymax for a contrast curve between them";
            return Err(Error::Parameter(ParameterError::Conflict(why.to_owned())));
        }
        Ok(self.parameters.check(self.deinterlace)?)
    }

    fn check_scale(&self, &Scale { width, height, crop, addresses, .. }: &Scale) -> Result<(), Error> {
        let size = |needs| Err(Error::OutputSize { width, height, needs });
        let whole = (self.format.width, self.format.height);
        if let Some(crop) = crop.filter(|crop| !crop.is_within(whole)) {
            return Err(Error::Crop { crop, size: whole });
        }
        if !(1..=MAX_SIZE).contains(&width) || !(1..=MAX_SIZE).contains(&height) {
            return size("must be within 1x1 and 8192x8192");
        }
        if self.scan != Scan::Progressive && !self.deinterlace {
            if height % 2 != 0 {
                return size("an interlaced picture needs an even height");
            }
            if self.output_format().sampling == Sampling::C420 && height < 4 {
                return size("an interlaced 4:2:0 picture needs at least 4 lines");
            }
        }
        let finite = |a: crate::Addresses| [a.start, a.delta, a.second].iter().all(|v| v.is_finite());
        if !addresses.is_none_or(finite) {
            return Err(Error::Parameter(ParameterError::Conflict("addresses must be finite numbers".to_owned())));
        }
        Ok(())
    }

    /// Format of the frames that leave.
    pub fn output_format(&self) -> Format {
        let format = self.frame_format();
        match self.scale {
            Some(scale) => scale.format(format),
            None => format,
        }
    }

    /// Whether no frame depends on another one before it is scaled.
    pub(crate) fn is_stateless(&self) -> bool {
        !(self.denoises() || self.denoises_chroma() || self.deinterlace || self.wants_noise())
    }

    /// Whether the noise of all blocks is asked for.
    pub(crate) fn wants_noise(&self) -> bool {
        self.statistics || (self.measured_noise && self.enhance.is_some())
    }

    /// Whether there is chroma, and it is denoised.
    pub(crate) fn denoises_chroma(&self) -> bool {
        self.denoise_chroma != Denoise::Off && self.format.sampling != Sampling::Mono
    }

    /// Whether the luma is denoised.
    pub(crate) fn denoises(&self) -> bool {
        self.denoise != Denoise::Off
    }

    /// The part of a frame that the histogram counts, if not all of it.
    pub(crate) fn histogram_area(&self) -> Option<Crop> {
        self.area.filter(|_| self.parameters.color.full_image_histogram == 0)
    }

    /// Format of the frames before scaling.
    pub(crate) fn frame_format(&self) -> Format {
        let Format { width, height, sampling, .. } = self.format;
        if !self.deinterlace {
            return self.format;
        }
        let sampling = match (sampling, self.chroma) {
            (Sampling::Mono | Sampling::C444, _) => sampling,
            (_, ChromaOutput::C422) | (Sampling::C411 | Sampling::C422, ChromaOutput::Same) => Sampling::C422,
            _ => Sampling::C420,
        };
        Format::new(width, height, sampling)
    }

    /// Sampling of the chroma surfaces and what becomes of the native chroma.
    pub(super) fn chroma_path(&self) -> ChromaPath {
        let sampling = if self.format.sampling == Sampling::C411 { Sampling::C422 } else { self.format.sampling };
        let store = match (self.frame_format().sampling, self.chroma) {
            (Sampling::C420, ChromaOutput::C420Drop) => Store::Dropped,
            (Sampling::C420, _) => Store::Averaged,
            _ => Store::Native,
        };
        ChromaPath { sampling, store }
    }
}
