//! The survey of the input before a conversion. It needs an input that can be read twice: a file.
//! Frames that cannot be read, and windows that cannot be decoded, are not surveyed; the conversion
//! reports their errors.

use super::source::MediaInput;
use crate::io::clip_file::ClipFile;
use crate::io::interrupt;
use crate::media::decode::{self, Window};
use crate::media::tools::Tools;
use crate::options::automatic::Automatic;
use crate::options::is_standard;
use crate::options::layers::Options;
use crate::options::values::DotCrawl;
use crate::report::borders::Borders;
use crate::report::head_switching::HeadSwitching;
use dndi::convert::Survey;
use dndi::y4m::{Header, Reader};
use dndi::{ChromaShiftMeter, Detector, DotCrawlMeter, Frame, SimdLevel};
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

/// The measurements of the windows of the input.
#[derive(Debug, Default)]
pub struct Measured {
    pub survey: Survey,
    /// Measured for `--chroma-shift auto` alone.
    pub chroma: ChromaShiftMeter,
    /// Measured for `--dot-crawl auto` alone.
    pub dot_crawl: DotCrawlMeter,
    /// Measured for `--crop auto` alone.
    pub borders: Borders,
    pub head_switching: HeadSwitching,
}

/// Every fourth frame of a window is measured for `auto` values: the others are much the same.
const MEASURED_FRAMES: u64 = 4;

impl Surveyed<'_> {
    /// Measures the frames `wanted`, as far as the input has them; none if it cannot be read
    /// twice.
    pub fn measure(&self, wanted: &Range<u64>) -> Option<Measured> {
        let format = self.header.format();
        let windows = |all: u64| {
            let end = wanted.end.min(all);
            let windows = Survey::windows(end.saturating_sub(wanted.start), format);
            windows.map(|window| window.start + wanted.start..window.end + wanted.start)
        };
        let mut measured = Measured::default();
        if let Some(input) = self.media {
            let path = &input.media.path;
            let frames = input.media.frames().filter(|_| path.is_file())?;
            for window in windows(frames) {
                if let Some(read) = self.decoded(input, &window) {
                    self.add(&mut measured, read);
                }
            }
        } else if !is_standard(&self.options.input) {
            let file = ClipFile::open(&self.options.input, self.header)?;
            for mut window in windows(file.frames().ok()?) {
                let mut reader = file.reader(window.start).ok()?;
                self.add(&mut measured, |frame| {
                    window.next()?;
                    reader.read(frame).ok().flatten().map(drop)
                });
            }
        } else {
            return None;
        }
        Some(measured).filter(|measured| measured.survey.frame_count() > 0)
    }

    /// Adds the window whose frames `read` reads, each while the one before is measured. After an
    /// interrupt it does nothing.
    fn add(&self, measured: &mut Measured, mut read: impl FnMut(&mut Frame) -> Option<()> + Send) {
        let (rate, per) = self.header.rate().unwrap_or_default();
        let builder = Detector::builder(self.header.format()).simd_level(self.level);
        let builder = builder.seek_blends(true).frame_rate(rate, per);
        let Ok(mut detector) = builder.build() else { return };
        let declared = self.header.interlacing().scan();
        let measures_borders = self.options.crop == Some(Automatic::Auto);
        let mut decisions = Vec::new();
        let mut read = |frame: &mut Frame| !interrupt::is_requested() && read(frame).is_some();
        let [mut before, mut frame, mut next] = std::array::from_fn(|_| Frame::default());
        let (mut is_read, mut number) = (read(&mut frame), 0_u64);
        while is_read {
            let measure = || {
                let luma = frame.planes().first().copied();
                if luma.is_none_or(|luma| detector.push(luma, declared).is_err()) {
                    return false;
                }
                decisions.extend(std::iter::from_fn(|| detector.pull()));
                if self.options.dot_crawl() == DotCrawl::Auto && measured.dot_crawl.add(&frame).is_err() {
                    return false;
                }
                let counts = number.is_multiple_of(MEASURED_FRAMES);
                if counts && self.options.chroma_shift() == Some(Automatic::Auto) {
                    measured.chroma.add(&frame);
                }
                if counts && measures_borders {
                    measured.borders.add(&frame);
                    if number > 0 {
                        measured.head_switching.add(&before, &frame);
                    }
                }
                true
            };
            let (is_measured, is_next) = rayon::join(measure, || read(&mut next));
            // Only the borders need the frame before. Two frames fit the caches better than three.
            if measures_borders {
                std::mem::swap(&mut before, &mut frame);
            }
            std::mem::swap(&mut frame, &mut next);
            (is_read, number) = (is_measured && is_next, number + 1);
        }
        measured.dot_crawl.end_run();
        detector.finish();
        decisions.extend(std::iter::from_fn(|| detector.pull()));
        measured.survey.add_window(decisions);
    }

    /// Reads the frames of a window of a media file, one a call.
    fn decoded(&self, input: &MediaInput, window: &Range<u64>) -> Option<impl FnMut(&mut Frame) -> Option<()> + Send + use<>> {
        let seconds = window.start as f64 / input.media.mean_rate()?;
        let window = Window { seconds, frames: window.end - window.start };
        let (process, stdout) = decode::window(self.tools, &input.media, &input.settings, &window)?;
        let mut reader = Reader::new(stdout).ok()?;
        Some(move |frame: &mut Frame| {
            // The process ends with the last frame that is read.
            let _running = &process;
            reader.read(frame).ok().flatten().map(drop)
        })
    }
}
