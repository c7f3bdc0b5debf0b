//! The builder of a conversion.
use super::converter::{Converter, MakeEngine};
use super::engine::Engine;
use super::lookahead::Lookahead;
use super::needs::DetectionNeeds;
use super::options::{DeinterlaceMode, FieldOrderMode, MatchSource, Options, OutputRate};
use crate::detect::FieldMatching;
use crate::error::Error;
use crate::format::{Format, Interlacing, Scan};
use crate::pipeline::{Stream, StreamBuilder};
use std::fmt;

impl Converter {
    /// A builder for the frames of a clip of this format.
    pub fn builder(format: Format) -> ConverterBuilder {
        let options = Options {
            format,
            interlacing: Interlacing::Unknown,
            frame_rate: None,
            field_order: FieldOrderMode::default(),
            deinterlace: DeinterlaceMode::default(),
            field_matching: FieldMatching::default(),
            match_source: MatchSource::default(),
            rate: None,
            variable_rate: false,
            first_output: 0,
            stream: Stream::builder(format, Scan::Progressive),
        };
        ConverterBuilder { options, make_engine: Box::new(|builder| Ok(Box::new(builder.build()?))) }
    }
}

/// Settings of a [`Converter`], from [`Converter::builder`].
#[must_use]
pub struct ConverterBuilder {
    options: Options,
    make_engine: MakeEngine,
}

impl ConverterBuilder {
    /// Sets the frame rate of the input, frames in so many seconds. Default: unknown. The film rate of undetermined clips depends on
    /// it, nothing else.
    pub fn frame_rate(mut self, frames: u32, seconds: u32) -> ConverterBuilder {
        self.options.frame_rate = Some((frames, seconds)).filter(|_| frames > 0 && seconds > 0);
        self
    }

    /// Sets the scan that the header of the clip declares. Default: none. With [`FieldOrderMode::Auto`] it is a hint for undetermined
    /// frames.
    pub fn interlacing(mut self, interlacing: Interlacing) -> ConverterBuilder {
        self.options.interlacing = interlacing;
        self
    }

    /// Sets the source of the field order. Default: [`FieldOrderMode::Auto`].
    pub fn field_order(mut self, mode: FieldOrderMode) -> ConverterBuilder {
        self.options.field_order = mode;
        self
    }

    /// Sets the frames that are deinterlaced. Default: [`DeinterlaceMode::Auto`].
    pub fn deinterlace(mut self, mode: DeinterlaceMode) -> ConverterBuilder {
        self.options.deinterlace = mode;
        self
    }

    /// Sets the field matching. Default: [`FieldMatching::Pattern`].
    pub fn field_matching(mut self, mode: FieldMatching) -> ConverterBuilder {
        self.options.field_matching = mode;
        self
    }

    /// Sets the source of field matches. Default: [`MatchSource::Detector`].
    pub fn match_source(mut self, source: MatchSource) -> ConverterBuilder {
        self.options.match_source = source;
        self
    }

    /// Sets the output rate. Default: [`OutputRate::Field`], or [`OutputRate::Frame`] if the clip begins with progressive frames.
    pub fn rate(mut self, rate: Option<OutputRate>) -> ConverterBuilder {
        self.options.rate = rate;
        self
    }

    /// Sets whether the film rate may vary: each picture is then output once, with its own duration, and no picture of other material
    /// is dropped. Default: no.
    pub fn variable_rate(mut self, on: bool) -> ConverterBuilder {
        self.options.variable_rate = on;
        self
    }

    /// Sets the first frame that is output. Frames before it are processed, so that motion and noise are known. Default: 0.
    pub fn first_output(mut self, frame: u64) -> ConverterBuilder {
        self.options.first_output = frame;
        self
    }

    /// Changes the settings of the streams that process the frames: denoising, scaling, colours, parameters. The converter itself sets
    /// the scan and whether fields are completed.
    pub fn stream(mut self, change: impl FnOnce(StreamBuilder) -> StreamBuilder) -> ConverterBuilder {
        self.options.stream = change(self.options.stream);
        self
    }

    /// Replaces the engine. Default: [`Stream`]. `make` is called for each segment of one scan.
    pub fn engine(mut self, make: impl Fn(StreamBuilder) -> Result<Box<dyn Engine>, Error> + Send + 'static) -> ConverterBuilder {
        self.make_engine = Box::new(make);
        self
    }

    /// Checks the format and allocates the look-ahead.
    ///
    /// # Errors
    /// [`Error::Depth`], [`Error::Size`], [`Error::SimdLevel`]. Errors of other options follow from [`Converter::plan`], which knows the
    /// beginning of the clip.
    pub fn build(self) -> Result<Converter, Error> {
        let ConverterBuilder { options, make_engine } = self;
        let detection = DetectionNeeds::new(&options);
        options.format.check(Scan::Progressive)?;
        let level = options.stream.settings.simd_level;
        let lookahead = Lookahead::new(options.format, options.interlacing, detection, level)?;
        Ok(Converter::new(options, make_engine, detection, lookahead))
    }
}

impl fmt::Debug for ConverterBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConverterBuilder").field("options", &self.options).finish_non_exhaustive()
    }
}
