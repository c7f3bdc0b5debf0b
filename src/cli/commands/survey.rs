//! The survey of the input before a conversion. It needs an input that can be read twice: a file.
//! Frames that cannot be read, and windows that cannot be decoded, are not surveyed; the conversion
//! reports their errors.

use super::source::MediaInput;
use crate::io::clip_file::ClipFile;
use crate::io::interrupt;
use crate::media::decode::{self, Window};
use crate::media::tools::Tools;
use crate::options::is_standard;
use crate::options::layers::Options;
use dndi::convert::Survey;
use dndi::y4m::{Header, Reader};
use dndi::{Detector, Format, Frame, SimdLevel};
use std::ops::Range;

/// An input that may be surveyed.
pub struct Surveyed<'a> {
    pub options: &'a Options,
    pub header: &'a Header,
    pub level: SimdLevel,
    pub tools: &'a Tools,
    /// The media file that is decoded; none if the input is y4m.
    pub media: Option<&'a MediaInput>,
}

impl Surveyed<'_> {
    /// The survey of the frames `wanted`, as far as the input has them; none if it cannot be read
    /// twice.
    pub fn survey(&self, wanted: &Range<u64>) -> Option<Survey> {
        let format = self.header.format();
        let windows = |all: u64| {
            let end = wanted.end.min(all);
            let windows = Survey::windows(end.saturating_sub(wanted.start), format);
            windows.map(|window| window.start + wanted.start..window.end + wanted.start)
        };
        let mut survey = Survey::default();
        if let Some(input) = self.media {
            let path = &input.media.path;
            let frames = input.media.frames().filter(|_| path.is_file())?;
            for window in windows(frames) {
                self.add(&mut survey, format, self.decoded(input, &window).into_iter().flatten());
            }
        } else if !is_standard(&self.options.input) {
            let file = ClipFile::open(&self.options.input, self.header)?;
            for window in windows(file.frames().ok()?) {
                let mut reader = file.reader(window.start).ok()?;
                let mut frame = Frame::default();
                let frames = window.map_while(|_| {
                    reader.read(&mut frame).ok().flatten()?;
                    Some(std::mem::take(&mut frame))
                });
                self.add(&mut survey, format, frames);
            }
        } else {
            return None;
        }
        Some(survey).filter(|survey| survey.frame_count() > 0)
    }

    /// Adds a window with these frames. After an interrupt it does nothing.
    fn add(&self, survey: &mut Survey, format: Format, frames: impl Iterator<Item = Frame>) {
        let Ok(mut detector) = Detector::builder(format).simd_level(self.level).build() else { return };
        let declared = self.header.interlacing().scan();
        let mut decisions = Vec::new();
        for frame in frames.take_while(|_| !interrupt::is_requested()) {
            if frame.planes().first().is_none_or(|luma| detector.push(*luma, declared).is_err()) {
                break;
            }
            decisions.extend(std::iter::from_fn(|| detector.pull()));
        }
        detector.finish();
        decisions.extend(std::iter::from_fn(|| detector.pull()));
        survey.add_window(decisions);
    }

    /// The frames of a window of a media file.
    fn decoded(&self, input: &MediaInput, window: &Range<u64>) -> Option<impl Iterator<Item = Frame> + use<>> {
        let seconds = window.start as f64 / input.media.mean_rate()?;
        let window = Window { seconds, frames: window.end - window.start };
        let (process, stdout) = decode::window(self.tools, &input.media, &input.settings, &window)?;
        let mut reader = Reader::new(stdout).ok()?;
        Some(std::iter::from_fn(move || {
            // The process ends with the last frame that is read.
            let _running = &process;
            let mut frame = Frame::default();
            reader.read(&mut frame).ok().flatten()?;
            Some(frame)
        }))
    }
}
