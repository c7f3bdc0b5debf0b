//! Opens the input, and reads the frames that are needed to plan the conversion.

use super::deblend::{self, Deblending};
use super::matches_file::MatchesFile;
use super::option_errors;
use super::plan::{self, Plan, StreamSettings, why_no_rate};
use super::source::MediaInput;
use super::survey::Surveyed;
use crate::error::CliError;
use crate::io::input::{Event, Input};
use crate::io::interrupt;
use crate::io::source::Source;
use crate::media::clock::Clock;
use crate::media::container::Container;
use crate::media::decode::Timing;
use crate::media::tools::Tools;
use crate::options::MAX_THREADS;
use crate::options::automatic::Automatic;
use crate::options::layers::Options;
use crate::options::values::{DotCrawl, Film};
use crate::report::progress;
use crate::terminal::{message, warn};
use dndi::convert::{ClipFrame, Converter, Deblender};
use dndi::y4m::{FrameHeader, Header};
use dndi::{ColorMatrix, ColorRange, ColorSpace, FieldOrder, Frame, SimdLevel, UserData};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Checks the options without reading the input. Its colour space and depth are not known yet; any
/// serve for the check.
pub fn check(options: &Options) -> Result<(), CliError> {
    SimdLevel::from_env().map_err(CliError::usage)?;
    options.stage_settings(ColorSpace { matrix: ColorMatrix::Bt601, range: ColorRange::Limited }, 8)?;
    deblend::check(options)?;
    why_no_rate(options, None).map_or(Ok(()), |why| Err(CliError::usage(why)))
}

/// The reason why no more frames follow.
#[derive(Debug)]
pub enum End {
    /// The end of the input, or of `--frames`.
    Reached,
    /// Reading failed.
    Failed(CliError),
    /// An interrupt.
    Interrupted,
}

/// The next frame of the input.
#[derive(Debug)]
pub enum Next {
    Frame(ClipFrame),
    /// A skipped frame.
    Skipped,
    /// None, but frames may follow.
    Nothing,
}

/// Passes frames of the input to the converter.
#[derive(Debug)]
pub struct Feed {
    input: Input,
    matches: Option<MatchesFile>,
    /// Restores the pictures of blended fields; none if the converter gets the frames.
    deblender: Option<Deblender>,
    /// Number of the next frame.
    next: u64,
    /// The field order in the flags of the last skipped frame that has one.
    skipped_order: Option<FieldOrder>,
    /// The reason why no more frames follow; none if frames may follow.
    end: Option<End>,
    /// The times of the frames.
    clock: Arc<Mutex<Clock>>,
    quiet: bool,
}

impl Feed {
    /// Returns a frame, whose memory is used for a later one.
    pub fn recycle(&mut self, frame: Frame) {
        match &mut self.deblender {
            Some(deblender) => deblender.recycle(frame),
            None => self.input.recycle(frame),
        }
    }

    /// Passes the next frame to the converter, or stores the reason for the end.
    pub fn advance(&mut self, converter: &mut Converter) -> Result<(), CliError> {
        while let Some(frame) = converter.spare_input() {
            self.recycle(frame);
        }
        if self.deblender.is_some() {
            return self.advance_pictures(converter);
        }
        match self.next() {
            Next::Frame(frame) => converter.push(frame).map_err(CliError::runtime)?,
            Next::Skipped => converter.skip(1, self.skipped_order),
            Next::Nothing => {}
        }
        if matches!(self.end, Some(End::Reached | End::Failed(_))) {
            converter.finish();
        }
        Ok(())
    }

    /// Passes the pictures that the next frame completes to the converter.
    fn advance_pictures(&mut self, converter: &mut Converter) -> Result<(), CliError> {
        let next = self.next();
        let Some(deblender) = &mut self.deblender else { return Ok(()) };
        if let Next::Frame(frame) = next {
            deblender.push(frame).map_err(CliError::runtime)?;
        }
        let ends = matches!(self.end, Some(End::Reached | End::Failed(_)));
        if ends {
            deblender.finish().map_err(CliError::runtime)?;
        }
        while let Some(picture) = deblender.pull().map_err(CliError::runtime)? {
            converter.push(picture).map_err(CliError::runtime)?;
        }
        while let Some(frame) = deblender.spare_input() {
            self.input.recycle(frame);
        }
        if ends {
            converter.finish();
        }
        Ok(())
    }

    /// The next frame, or the reason for the end is stored.
    pub fn next(&mut self) -> Next {
        match self.input.next() {
            Event::Frame(header, info, frame) => {
                self.push_time(info.time);
                let flags = header.flags();
                let clip = ClipFrame::new(frame).flags(flags).user_data(UserData::new(header));
                let clip = match &self.matches {
                    Some(matches) => clip.matches(matches.step(self.next)),
                    None => clip,
                };
                self.next += 1;
                return Next::Frame(clip);
            }
            Event::Skipped(header, info) => {
                self.push_time(info.time);
                self.next += 1;
                self.skipped_order = header.flags().field_order.or(self.skipped_order);
                return Next::Skipped;
            }
            Event::Warning(warning) => warn(self.quiet, warning),
            Event::Header(_) | Event::End => self.end = Some(End::Reached),
            Event::Failed(error) => self.end = Some(End::Failed(error)),
            Event::Interrupted => self.end = Some(End::Interrupted),
        }
        Next::Nothing
    }

    /// Counts the time of a frame. Pictures of blended fields have a constant rate, from the time
    /// of the first frame on.
    fn push_time(&self, time: Option<i64>) {
        if self.deblender.is_none() || self.next == 0 {
            self.clock().push(time);
        }
    }

    /// The times of the frames that were read.
    pub fn clock(&self) -> MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same for another thread.
    pub fn shared_clock(&self) -> Arc<Mutex<Clock>> {
        self.clock.clone()
    }

    /// The field matches of the frames, if a file has them.
    pub fn take_matches(&mut self) -> Option<MatchesFile> {
        self.matches.take()
    }

    /// Whether the frames are the pictures of blended fields, at their own rate.
    pub fn restores_pictures(&self) -> bool {
        self.deblender.is_some()
    }

    /// Whether no more frames follow.
    pub fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Whether the program was interrupted. Then waiting frames must not be processed: without the
    /// frames after them, decisions about them could differ.
    pub fn is_interrupted(&self) -> bool {
        matches!(self.end, Some(End::Interrupted))
    }

    /// The reason why no more frames follow. It is returned only once.
    pub fn take_end(&mut self) -> Option<End> {
        self.end.take()
    }
}

/// The header of the input frame from which an output was made.
pub fn frame_header(data: Option<&UserData>) -> FrameHeader {
    data.and_then(UserData::get::<FrameHeader>).cloned().unwrap_or_default()
}

/// An opened input with its converter.
#[derive(Debug)]
pub struct Opened {
    /// The options, or those of the conversion of the pictures of blended fields.
    pub options: Options,
    pub level: SimdLevel,
    pub pool: ThreadPool,
    pub header: Header,
    pub settings: StreamSettings,
    pub converter: Converter,
    pub feed: Feed,
    /// Number of frames to read, if it is known.
    pub total: Option<u64>,
    pub tools: Tools,
    /// The media file that is decoded; none if the input is y4m.
    pub media: Option<MediaInput>,
}

/// Opens the input, and reads the frames that the plan needs. `container` is that of the output, if
/// it is a media file; `timing` holds if the input is one. `inspects` is whether the input is only
/// inspected: blended fields are looked for around all frames, and a media file has the plan of a
/// conversion to a container with times.
pub fn open(options: &Options, container: Option<Container>, timing: Timing, inspects: bool) -> Result<Opened, CliError> {
    let matches = options.matches.as_deref().map(MatchesFile::read).transpose()?;
    let level = SimdLevel::from_env().map_err(CliError::usage)?;
    let pool = ThreadPoolBuilder::new().num_threads(threads(options)).build();
    let pool = pool.map_err(|error| CliError::runtime(format_args!("cannot start threads: {error}")))?;
    interrupt::install()?;

    let begin = options.skip - options.warmup;
    let end = options.frames.map_or(u64::MAX, |frames| options.skip.saturating_add(frames));
    let mut tools = Tools::new(&options.source);
    let mut media = MediaInput::probe(options, &tools, timing, container)?;
    if media.is_some() || container.is_some() {
        let (name, output) = (options.input.display(), options.output.display());
        match media {
            Some(_) => tools.check(
                format_args!("{name} is not a y4m stream, ffmpeg decodes it"),
                format_args!("ffmpeg -i {name} -map 0:v:0 -strict -1 -f yuv4mpegpipe - | dndi - {output}"),
            )?,
            None => tools.check(
                format_args!("{output} is not y4m, ffmpeg encodes it"),
                format_args!("dndi {name} - | ffmpeg -i - {output}"),
            )?,
        }
    }
    let source = match &mut media {
        Some(input) => {
            std::mem::take(&mut input.warnings).iter().for_each(|warning| warn(options.quiet, warning));
            input.start(&tools)?
        }
        None => Source::Y4m(options.input.clone()),
    };
    let input = Input::open(source, begin..end)?;
    let header = match input.next() {
        Event::Header(header) => header,
        Event::Failed(error) => return Err(error),
        _ => return Err(CliError::runtime("interrupted after 0 frames")),
    };
    let total = match &media {
        Some(input) => input.media.frames(),
        None => progress::frames_in(&options.input, header.format()),
    };
    let total = total.map(|total| total.saturating_sub(begin));
    let total = total.into_iter().chain(options.frames.map(|_| end - begin)).min();
    let measures = options.film == Film::Deblend
        || options.crop == Some(Automatic::Auto)
        || options.chroma_shift() == Some(Automatic::Auto)
        || options.dot_crawl() == DotCrawl::Auto;
    let measured = (measures || plan::uses_survey(options, &header)).then(|| {
        let surveyed = Surveyed { options, header: &header, level, tools: &tools, media: media.as_ref() };
        pool.install(|| surveyed.measure(&(begin..end)))
    });
    let measured = measured.flatten();
    let settings = StreamSettings::new(options, &header, level, measured.as_ref())?;
    let deblending = deblend::start(options, &header, &settings, measured.as_ref())?;
    let (mut options, mut header, mut total, mut deblender) = (options.clone(), header, total, None);
    let mut settings = settings;
    if let Some(Deblending { deblender: started, header: restored, options: restoring, ratio: (pictures, frames) }) = deblending {
        (options, header, deblender) = (restoring, restored, Some(started));
        total = total.map(|total| total.saturating_mul(pictures.into()) / u64::from(frames));
        settings = StreamSettings::new(&options, &header, level, measured.as_ref())?;
    }
    let survey = measured.map(|measured| measured.survey).filter(|_| deblender.is_none());
    let has_times = container.map_or(inspects && media.is_some(), Container::has_times);
    let builder = plan::converter(&options, &header, &settings, has_times);
    // A pipe has no survey. Only blends of its rate are looked for: film under text that rolls may
    // be taken for others.
    let is_pipe = survey.is_none() && options.chunks.chunk.is_none() && header.rate().is_some();
    let seeks_blends = inspects || is_pipe && options.film == Film::Auto && deblender.is_none();
    let builder = builder.survey(survey).seek_blends(seeks_blends);
    let mut converter = builder.build().map_err(|error| option_errors::explain(&options, &header, &error))?;
    let clock = Arc::new(Mutex::new(Clock::new(header.rate().unwrap_or((25, 1)))));
    let mut feed = Feed { input, matches, deblender, next: 0, skipped_order: None, end: None, clock, quiet: options.quiet };
    let read = pool.install(|| {
        // Chunks are of a clip with this first frame.
        let needs_first = options.chunks.chunk.is_some();
        while !feed.has_ended() && (!converter.knows_start() || needs_first && feed.next <= begin) {
            feed.advance(&mut converter)?;
        }
        Ok(())
    });
    read?;
    Ok(Opened { options, level, pool, header, settings, converter, feed, total, tools, media })
}

/// The number of threads: that of `--threads`, else that of rayon's variable `RAYON_NUM_THREADS` up
/// to the limit of the option, else one per processor.
pub fn threads(options: &Options) -> usize {
    if let Some(threads) = options.threads {
        return threads.into();
    }
    let variable = std::env::var("RAYON_NUM_THREADS").ok().and_then(|number| number.parse().ok());
    let threads = variable.filter(|&number| number > 0);
    threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).min(MAX_THREADS.into())
}

impl Opened {
    /// The plan of the conversion.
    pub fn plan(&mut self) -> Result<Plan, CliError> {
        let options = &self.options;
        let clip = self.converter.plan().map_err(|error| option_errors::explain(options, &self.header, &error))?;
        let clip = clip.ok_or_else(|| CliError::runtime("interrupted after 0 frames"))?;
        Plan::new(options, &self.header, clip, self.settings.clone())
    }
}

/// Opens the input and plans the conversion. Prints warnings, and with `-v` the settings.
pub fn open_and_plan(options: &Options, container: Option<Container>, timing: Timing) -> Result<(Opened, Plan), CliError> {
    let mut opened = open(options, container, timing, false)?;
    let plan = opened.plan()?;
    let options = &opened.options;
    plan.warnings(options, &opened.header).iter().for_each(|warning| warn(options.quiet, warning));
    if options.verbose {
        plan.describe(options, &opened.header, opened.pool.current_num_threads()).iter().for_each(message);
    }
    Ok((opened, plan))
}
