//! A converter that copies planes of the caller.
use crate::error::Error;
use crate::settings::Settings;
use dndi::convert::{Chunks, ClipFrame, ClipPlan, Converted, Converter, DetectedStart};
use dndi::{Format, Frame, FrameFlags, PlaneMut, Samples, SamplesMut, UserData};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;

/// The result of a pull.
#[derive(Debug)]
pub enum Progress {
    /// The next output.
    Output(Box<Converted>),
    /// More frames are needed.
    NeedsInput,
    /// All outputs of the finished clip were pulled.
    End,
}

/// A running conversion.
#[derive(Debug)]
pub struct Conversion {
    converter: Converter,
    format: Format,
    pool: Option<ThreadPool>,
}

impl Conversion {
    /// Starts a conversion with these settings.
    ///
    /// # Errors
    /// If options contradict each other, the format is not supported, or threads cannot be started.
    pub fn new(settings: &Settings) -> Result<Conversion, Error> {
        Conversion::with(settings.converter()?, settings)
    }

    /// The same without statistics of the outputs. With a `start`, which another conversion of the
    /// clip has [detected](Conversion::detected_start), rate and format of the outputs are those of
    /// that conversion.
    ///
    /// # Errors
    /// Those of [`new`](Conversion::new).
    pub fn for_outputs(settings: &Settings, start: Option<DetectedStart>) -> Result<Conversion, Error> {
        let builder = settings.builder()?.stream(|stream| stream.statistics(false));
        let builder = match start {
            // One chunk without an end.
            Some(start) => builder.chunk(Chunks::new(u64::MAX, 0).chunk(0), start),
            None => builder,
        };
        Conversion::with(builder.build()?, settings)
    }

    fn with(converter: Converter, settings: &Settings) -> Result<Conversion, Error> {
        let pool = settings.threads().map(|threads| ThreadPoolBuilder::new().num_threads(threads).build());
        let pool = pool.transpose().map_err(|error| Error::option("threads", error))?;
        Ok(Conversion { converter, format: settings.format(), pool })
    }

    /// The format of the input frames.
    pub fn format(&self) -> Format {
        self.format
    }

    /// An input frame to fill and to push. Its samples are unspecified.
    ///
    /// # Errors
    /// If there is no memory for a frame.
    pub fn input(&mut self) -> Result<Frame, Error> {
        match self.converter.spare_input() {
            Some(frame) if frame.format() == self.format => Ok(frame),
            _ => Ok(Frame::try_new(self.format)?),
        }
    }

    /// Pushes a frame. Its samples must not exceed the greatest value of their depth.
    ///
    /// # Errors
    /// If the clip was finished, or there is no memory.
    pub fn push(&mut self, frame: Frame, flags: FrameFlags, data: UserData) -> Result<(), Error> {
        let frame = ClipFrame::new(frame).flags(flags).user_data(data);
        Ok(within(&self.pool, &mut self.converter, |converter| converter.push(frame))?)
    }

    /// Ends the clip.
    pub fn finish(&mut self) {
        within(&self.pool, &mut self.converter, Converter::finish);
    }

    /// The next output.
    ///
    /// # Errors
    /// If the options do not fit the clip, or there is no memory.
    pub fn pull(&mut self) -> Result<Progress, Error> {
        let output = within(&self.pool, &mut self.converter, Converter::pull)?;
        Ok(match output {
            Some(output) => Progress::Output(Box::new(output)),
            None if self.converter.is_finished() => Progress::End,
            None => Progress::NeedsInput,
        })
    }

    /// The properties of the outputs; none until the look-ahead of the first frame was pushed.
    ///
    /// # Errors
    /// If the options do not fit the clip.
    pub fn plan(&mut self) -> Result<Option<Arc<ClipPlan>>, Error> {
        Ok(within(
            &self.pool,
            &mut self.converter,
            |converter| {
                if converter.knows_start() { converter.plan() } else { Ok(None) }
            },
        )?)
    }

    /// The start of the clip; none before it is known, and without detection.
    pub fn detected_start(&mut self) -> Option<DetectedStart> {
        self.converter.detected_start()
    }

    /// Gives the frame of an output back, whose memory a later output uses.
    pub fn recycle(&mut self, frame: Frame) {
        self.converter.recycle(frame);
    }
}

/// Calls a function in the pool, or in that of the process.
fn within<T: Send>(pool: &Option<ThreadPool>, converter: &mut Converter, call: impl FnOnce(&mut Converter) -> T + Send) -> T {
    match pool {
        Some(pool) => pool.install(|| call(converter)),
        None => call(converter),
    }
}

/// Copies a row of samples; those above the greatest value of `depth` bits become this value.
///
/// # Errors
/// If the samples are of another type.
pub(crate) fn copy_row(to: SamplesMut, from: Samples, depth: u8) -> Result<(), Error> {
    match (to, from) {
        (SamplesMut::U8(to), Samples::U8(from)) if from.len() == to.len() => to.copy_from_slice(from),
        (SamplesMut::U16(to), Samples::U16(from)) if from.len() == to.len() => {
            let most = u16::MAX >> (16 - u32::from(depth.clamp(1, 16)));
            to.iter_mut().zip(from).for_each(|(to, from)| *to = (*from).min(most));
        }
        _ => return Err(Error::input("the samples do not fit the depth of the clip")),
    }
    Ok(())
}

/// Fills plane `index` of a frame row by row: `row` returns the samples of a row, given its number
/// and its length.
///
/// # Errors
/// That of `row`, or if a row has another length or type.
pub fn fill_plane<'a>(
    frame: &mut Frame,
    index: usize,
    mut row: impl FnMut(usize, usize) -> Result<Samples<'a>, Error>,
) -> Result<(), Error> {
    let format = frame.format();
    let width = format.plane_size(index).0;
    let mut planes = frame.planes_mut();
    let Some(PlaneMut { samples, .. }) = planes.get_mut(index) else { return Ok(()) };
    match samples {
        SamplesMut::U8(samples) => samples
            .chunks_exact_mut(width.max(1))
            .enumerate()
            .try_for_each(|(y, to)| copy_row(SamplesMut::U8(to), row(y, width)?, format.depth)),
        SamplesMut::U16(samples) => samples
            .chunks_exact_mut(width.max(1))
            .enumerate()
            .try_for_each(|(y, to)| copy_row(SamplesMut::U16(to), row(y, width)?, format.depth)),
    }
}
