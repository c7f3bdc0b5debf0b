//! The caps of the input as the properties of a clip.

use crate::layouts;
use crate::metas;
use crate::options::Options;
use dndi::{ChromaLocation, ColorMatrix, ColorRange, ColorSpace, Format, FrameFlags, Interlacing};
use dndi_bindings::{Error, Settings};
use gst::prelude::MulDiv;
use gst::{BufferRef, Caps, ClockTime};
use gst_video::{VideoChromaSite, VideoColorMatrix, VideoColorRange, VideoFieldOrder, VideoInfo, VideoInterlaceMode};

/// The frame rate that latencies assume for a variable rate.
const ASSUMED_RATE: (u64, u64) = (25, 1);

/// The input between two changes of caps.
#[derive(Clone, Debug)]
pub struct Clip {
    /// The caps.
    pub caps: Caps,
    /// The same as values.
    pub info: VideoInfo,
    /// The format of the library.
    pub format: Format,
    /// Matrix and range.
    pub space: ColorSpace,
}

impl Clip {
    /// The clip with these caps.
    ///
    /// # Errors
    /// If the library does not have the format.
    pub fn new(caps: &gst::CapsRef) -> Result<Clip, String> {
        let info = VideoInfo::from_caps(caps).map_err(|error| error.to_string())?;
        let format = layouts::of_host(&info).ok_or_else(|| format!("the format {} is not supported", info.name()))?;
        let known = [VideoInterlaceMode::Progressive, VideoInterlaceMode::Interleaved, VideoInterlaceMode::Mixed];
        if !known.contains(&info.interlace_mode()) {
            return Err("interlace-mode must be progressive, interleaved or mixed: both fields in one frame".to_owned());
        }
        let matrix = match info.colorimetry().matrix() {
            VideoColorMatrix::Bt709 => ColorMatrix::Bt709,
            VideoColorMatrix::Bt601 => ColorMatrix::Bt601,
            VideoColorMatrix::Bt2020 => ColorMatrix::Bt2020,
            _ => ColorMatrix::usual(format.width, format.height),
        };
        let full = info.colorimetry().range() == VideoColorRange::Range0_255;
        let range = if full { ColorRange::Full } else { ColorRange::Limited };
        Ok(Clip { caps: caps.to_owned(), info, format, space: ColorSpace { matrix, range } })
    }

    /// The settings of a conversion. `first` is the first frame: where the caps have no field
    /// order, its flag declares top field first. A frame without the flag declares nothing, since
    /// not all sources set it.
    ///
    /// # Errors
    /// If an option does not take its value.
    pub fn settings(&self, options: &Options, first: Option<&BufferRef>) -> Result<Settings, Error> {
        let mut settings = Settings::new(self.format);
        let ColorSpace { matrix, range } = self.space;
        settings.set("interlacing", &self.interlacing(first).to_string())?;
        settings.set("matrix", &matrix.to_string())?;
        settings.set("range", &range.to_string())?;
        if let Some(location) = self.location() {
            settings.set("location", &location.to_string())?;
        }
        if let Some((frames, seconds)) = self.rate() {
            settings.set("frame-rate", &format!("{frames}:{seconds}"))?;
        }
        options.add_to(&mut settings, &format!("{matrix}-{range}"))?;
        Ok(settings)
    }

    fn interlacing(&self, first: Option<&BufferRef>) -> Interlacing {
        match (self.info.interlace_mode(), self.info.field_order()) {
            (VideoInterlaceMode::Progressive, _) => Interlacing::Progressive,
            (VideoInterlaceMode::Mixed, _) => Interlacing::Mixed,
            (_, VideoFieldOrder::TopFieldFirst) => Interlacing::TopFirst,
            (_, VideoFieldOrder::BottomFieldFirst) => Interlacing::BottomFirst,
            _ if first.is_some_and(metas::is_top_first) => Interlacing::TopFirst,
            _ => Interlacing::Unknown,
        }
    }

    /// The flags of a frame, in a clip in which each frame has its own.
    pub fn flags(&self, buffer: &BufferRef) -> FrameFlags {
        match self.info.interlace_mode() {
            VideoInterlaceMode::Mixed => metas::frame_flags(buffer),
            _ => FrameFlags::default(),
        }
    }

    /// The chroma location; none if the caps do not have it.
    pub fn location(&self) -> Option<ChromaLocation> {
        match self.info.chroma_site() {
            site if site == VideoChromaSite::H_COSITED => Some(ChromaLocation::Left),
            site if site == VideoChromaSite::NONE => Some(ChromaLocation::Center),
            site if site == VideoChromaSite::COSITED => Some(ChromaLocation::TopLeft),
            _ => None,
        }
    }

    /// Frames in seconds; none if the rate is variable.
    pub fn rate(&self) -> Option<(u64, u64)> {
        let rate = self.info.fps();
        let positive = |number: i32| u64::try_from(number).ok().filter(|number| *number > 0);
        positive(rate.numer()).zip(positive(rate.denom()))
    }

    /// The duration of a frame; none if the rate is variable.
    pub fn duration(&self) -> Option<ClockTime> {
        self.rate().and_then(|rate| duration(1, rate))
    }

    /// The duration of `frames` frames. Frames of a variable rate have an assumed one.
    pub fn latency(&self, frames: u64) -> ClockTime {
        duration(frames, self.rate().unwrap_or(ASSUMED_RATE)).unwrap_or(ClockTime::ZERO)
    }
}

fn duration(frames: u64, (num, den): (u64, u64)) -> Option<ClockTime> {
    ClockTime::SECOND.checked_mul(frames)?.mul_div_ceil(den, num)
}
