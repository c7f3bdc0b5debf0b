//! The builder of a conversion.
use super::chunks::Chunk;
use super::converter::{Converter, MakeEngine};
use super::engine::{BoxedStream, Engine};
use super::frame_queue::{DetectedStart, FrameQueue};
use super::needs::{DetectionNeeds, NoFieldMatching};
use super::options::{DeinterlaceMode, FieldOrderMode, MAX_FRAME, MatchSource, Options, OutputRate};
use super::survey::Survey;
use crate::detect::FieldMatching;
use crate::error::Error;
use crate::format::{Format, Interlacing, Scan};
use crate::pipeline::{Stream, StreamBuilder};
use crate::repair::{ChromaShift, CompositeStandard};
use dndi_simd::SimdLevel;
use std::fmt;

impl Converter {
    /// A builder for a clip whose frames have this format. All other options have defaults; with
    /// them the conversion is that of `dndi INPUT OUTPUT` for a clip without declared scan.
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
            chroma_shift: ChromaShift::default(),
            repairs_drop_outs: false,
            dot_crawl: None,
            stream: Stream::builder(format, Scan::Progressive),
        };
        let make_engine: MakeEngine = Box::new(|builder| Ok(Box::new(BoxedStream::new(builder.build()?)?)));
        ConverterBuilder { options, make_engine, survey: None, seeks_blends: false, chunk: None }
    }
}

/// Settings of a [`Converter`], from [`Converter::builder`].
#[must_use]
pub struct ConverterBuilder {
    options: Options,
    make_engine: MakeEngine,
    /// The survey of the whole clip.
    survey: Option<Survey>,
    seeks_blends: bool,
    /// The chunk, and the start of the clip.
    chunk: Option<(Chunk, Option<DetectedStart>)>,
}

impl ConverterBuilder {
    /// Sets the frame rate of the input: `frames` frames in `seconds` seconds, such as (30000,
    /// 1001). Zero in either means unknown, the default. The rate affects the film rate of a clip
    /// whose first frames are undetermined ([`OutputRate::Film`]), and which
    /// [blends](ConverterBuilder::seek_blends) are looked for.
    pub fn frame_rate(mut self, frames: u32, seconds: u32) -> ConverterBuilder {
        self.options.frame_rate = Some((frames, seconds)).filter(|_| frames > 0 && seconds > 0);
        self
    }

    /// Sets the scan that the header of the clip declares. Default: [`Interlacing::Unknown`]. With
    /// [`FieldOrderMode::Auto`] the detector uses it only for undetermined frames.
    pub fn interlacing(mut self, interlacing: Interlacing) -> ConverterBuilder {
        self.options.interlacing = interlacing;
        self
    }

    /// Sets the source of the field order. Default: [`FieldOrderMode::Auto`].
    pub fn field_order(mut self, mode: FieldOrderMode) -> ConverterBuilder {
        self.options.field_order = mode;
        self
    }

    /// Sets which frames are deinterlaced. Default: [`DeinterlaceMode::Auto`].
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

    /// Sets the output rate. None is the default: that of the [survey](ConverterBuilder::survey);
    /// without one [`OutputRate::Field`] if the clip is deinterlaced, [`OutputRate::Frame`] if it
    /// starts with progressive frames or is not deinterlaced.
    pub fn rate(mut self, rate: impl Into<Option<OutputRate>>) -> ConverterBuilder {
        self.options.rate = rate.into();
        self
    }

    /// Sets the survey of the whole clip, from which the default rate follows. The default is none:
    /// the first frames decide. [`uses_survey`](ConverterBuilder::uses_survey) returns whether one
    /// has an effect. The chunks of a clip get it with the start of the clip.
    pub fn survey(mut self, survey: impl Into<Option<Survey>>) -> ConverterBuilder {
        self.survey = survey.into();
        self
    }

    /// Whether a [survey](ConverterBuilder::survey) has an effect: the detector selects the frames
    /// that are deinterlaced, and the rate is the default.
    pub fn uses_survey(&self) -> bool {
        let selects = DetectionNeeds::new(&self.options).is_some_and(|needs| needs.content);
        selects && self.options.rate.is_none()
    }

    /// Sets whether the film rate is variable. Default: no. With a variable rate each picture is
    /// output once with its own duration, so no picture of material other than film is dropped. It
    /// has an effect with [`OutputRate::Film`] alone.
    pub fn variable_rate(mut self, on: bool) -> ConverterBuilder {
        self.options.variable_rate = on;
        self
    }

    /// Sets the first frame that is output, at most frame 2^56. Default: 0. Frames before it are
    /// processed, so that the motion history and the noise level are those of the whole clip.
    pub fn first_output(mut self, frame: u64) -> ConverterBuilder {
        self.options.first_output = frame.min(MAX_FRAME);
        self
    }

    /// Sets whether drop-outs of the input are [repaired](crate::DropOutRepair) before detection
    /// and all stages. Default: no. The converter then holds one frame more.
    pub fn repair_drop_outs(mut self, on: bool) -> ConverterBuilder {
        self.options.repairs_drop_outs = on;
        self
    }

    /// Sets the standard of composite video whose dot crawl and rainbows are
    /// [removed](crate::DotCrawlRepair) from the input, after drop-outs and before detection and
    /// all stages; none keeps them, the default. The converter then holds two frames more for NTSC,
    /// four for PAL.
    pub fn repair_dot_crawl(mut self, standard: Option<CompositeStandard>) -> ConverterBuilder {
        self.options.dot_crawl = standard;
        self
    }

    /// Moves chroma over luma, behind detection and before all stages: in the fields of frames that
    /// are processed as interlaced, and in the lines of others. Default: not.
    pub fn chroma_shift(mut self, shift: ChromaShift) -> ConverterBuilder {
        self.options.chroma_shift = shift;
        self
    }

    /// Changes the settings of the streams that process the frames: denoising, scaling, colours,
    /// parameters. `change` gets the current settings and returns the new ones. The converter
    /// itself sets the scan and whether frames are deinterlaced.
    pub fn stream(mut self, change: impl FnOnce(StreamBuilder) -> StreamBuilder) -> ConverterBuilder {
        self.options.stream = change(self.options.stream);
        self
    }

    /// Replaces the engine that processes the frames. Default: [`Stream`]. `make` is called once
    /// for each segment of the clip, which is a run of frames of one scan.
    pub fn engine(mut self, make: impl Fn(StreamBuilder) -> Result<Box<dyn Engine>, Error> + Send + 'static) -> ConverterBuilder {
        self.make_engine = Box::new(make);
        self
    }

    /// Converts only this chunk of the clip. The first frame to push is
    /// [`chunk.begin`](Chunk::begin). `start` is the start of the clip, from
    /// [`Converter::detected_start`] of a converter with the same options that got the first frames
    /// of the clip, from frame `begin` of the first chunk on; none if that has none. The plan
    /// follows from it, so that all chunks have the same format and rate.
    ///
    /// Numbers and times are those of the clip; with a variable rate numbers count from the first
    /// output of the chunk. Frames of the warm-up and after the chunk have no reports. Push frames
    /// beyond the end of the chunk until [`Converter::is_complete`] or the end of the clip. The
    /// call replaces [`first_output`](ConverterBuilder::first_output), and the converter ignores
    /// [`Converter::skip`].
    ///
    /// [`Chunks`](super::Chunks) has an example.
    pub fn chunk(mut self, chunk: Chunk, start: impl Into<Option<DetectedStart>>) -> ConverterBuilder {
        let chunk = chunk.in_order();
        self.options.first_output = chunk.start;
        self.chunk = Some((chunk, start.into()));
        self
    }

    /// Sets whether the detector looks for [blended](crate::Decision::blend) fields around all
    /// frames. With the [frame rate](ConverterBuilder::frame_rate) those that do not fit it are
    /// ruled out. Default: only if the [survey](ConverterBuilder::survey) found some.
    pub fn seek_blends(mut self, on: bool) -> ConverterBuilder {
        self.seeks_blends = on;
        self
    }

    /// The format of the input, and the instruction set of the streams.
    pub(super) fn format_and_level(&self) -> (Format, Option<SimdLevel>) {
        (self.options.format, self.options.stream.settings.simd_level)
    }

    /// The reason why the conversion does no field matching; none if it does.
    pub fn no_field_matching(&self) -> Option<NoFieldMatching> {
        NoFieldMatching::of(&self.options)
    }

    /// Checks the options and allocates the look-ahead. [`Converter::plan`] makes the checks that
    /// need the start of the clip.
    ///
    /// # Errors
    /// [`Error::Depth`] unless samples have 8 to 16 bits, [`Error::Size`] if the size is outside
    /// 1×1 to 8192×8192, [`Error::Options`] if the rate contradicts other options,
    /// [`Error::Parameter`] if a parameter is outside its range, [`Error::SimdLevel`] if the
    /// processor lacks the instruction set of the stream settings or of the environment variable
    /// `DNDI_LEVEL`, [`Error::OutOfMemory`].
    pub fn build(self) -> Result<Converter, Error> {
        let survey = self.survey.filter(|_| self.uses_survey());
        let ConverterBuilder { options, make_engine, chunk, seeks_blends, .. } = self;
        let detection = DetectionNeeds::new(&options);
        options.format.check(Scan::Progressive)?;
        options.check_rate()?;
        options.stream.settings.parameters.check(false)?;
        let level = options.stream.settings.simd_level;
        let blends = (seeks_blends, options.frame_rate);
        let queue = FrameQueue::new(options.format, options.interlacing, detection, level, blends)?;
        let queue = match chunk {
            Some((_, start)) => queue.with_start(start),
            None => queue.with_survey(survey),
        };
        Ok(Converter::new(options, make_engine, detection, queue, chunk.map(|(chunk, _)| chunk)))
    }
}

impl fmt::Debug for ConverterBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConverterBuilder").field("options", &self.options).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::OptionConflict;
    use crate::format::Sampling;

    #[test]
    fn options_that_exclude_each_other_are_refused_before_the_first_frame() {
        let builder = || Converter::builder(Format::new(32, 16, Sampling::C420));
        let film = builder().rate(OutputRate::Film).field_matching(FieldMatching::Off).build();
        assert_eq!(film.err(), Some(Error::Options(OptionConflict::FilmRateWithoutFieldMatching)));
        let field = builder().rate(OutputRate::Field).deinterlace(DeinterlaceMode::Off).build();
        assert_eq!(field.err(), Some(Error::Options(OptionConflict::FieldRateWithoutDeinterlacing)));
        let mut parameters = crate::Parameters::default();
        parameters.color.brightness = 2048;
        assert!(matches!(builder().stream(|stream| stream.parameters(parameters)).build(), Err(Error::Parameter(_))));
    }
}
