//! Caps and buffers of the output.

use crate::clip::Clip;
use crate::layouts;
use dndi::convert::{ClipPlan, OutputRate};
use dndi::{ChromaLocation, ColorMatrix, ColorRange, ColorSpace, Sampling};
use dndi_bindings::Settings;
use gst::prelude::*;
use gst::{Caps, Fraction};
use gst_video::{VideoChromaSite, VideoColorMatrix, VideoColorRange, VideoColorimetry, VideoFormat, VideoInfo};

/// Width and height of frames that the library takes.
const SIZES: std::ops::RangeInclusive<i32> = 1..=8192;

/// The caps of both pads.
pub fn template() -> Caps {
    gst_video::VideoCapsBuilder::new().format_list(layouts::FORMATS).width_range(SIZES).height_range(SIZES).build()
}

/// The template with the formats first that downstream takes as they are.
pub fn preferred(downstream: &Caps) -> Caps {
    let taken = |format: &VideoFormat| {
        let caps = gst_video::VideoCapsBuilder::new().format(*format).build();
        layouts::samples(*format).is_some() && caps.can_intersect(downstream)
    };
    let (first, rest): (Vec<_>, Vec<_>) = layouts::FORMATS.into_iter().partition(taken);
    let formats = |formats: Vec<VideoFormat>| {
        gst_video::VideoCapsBuilder::new().format_list(formats).width_range(SIZES).height_range(SIZES).build()
    };
    match (first.is_empty(), rest.is_empty()) {
        (false, false) => {
            let mut caps = formats(first);
            caps.merge(formats(rest));
            caps
        }
        _ => template(),
    }
}

/// The negotiated output.
#[derive(Debug)]
pub struct Output {
    /// The caps.
    pub caps: Caps,
    /// The same as values.
    pub info: VideoInfo,
    /// Whether frames stay interlaced.
    pub interlaced: bool,
    /// The pool of the buffers, active.
    pool: Option<gst::BufferPool>,
}

impl Output {
    /// The caps of the outputs in each format that has their samples, the preferred one first.
    ///
    /// # Errors
    /// If the host has no format for the samples.
    pub fn caps(clip: &Clip, settings: &Settings, plan: &ClipPlan) -> Result<Vec<Caps>, String> {
        let format = plan.output_format;
        let formats = layouts::to_host(format.sampling, format.depth, clip.info.format());
        if formats.is_empty() {
            let (sampling, depth) = (format.sampling, format.depth);
            return Err(format!("GStreamer has no format for {sampling} of {depth} bits"));
        }
        formats.into_iter().map(|format| of_format(clip, settings, plan, format)).collect()
    }

    /// The output with these caps, with buffers from the pool that downstream proposes, or from one
    /// of its own.
    ///
    /// # Errors
    /// If there is no memory for a pool.
    pub fn new(caps: Caps, pad: &gst::Pad) -> Result<Output, gst::glib::BoolError> {
        let info = VideoInfo::from_caps(&caps)?;
        let mut query = gst::query::Allocation::new(Some(&caps), true);
        let answered = pad.peer_query(&mut query);
        let with_meta = answered && query.find_allocation_meta::<gst_video::VideoMeta>().is_some();
        let proposed = answered.then(|| query.allocation_pools().next()).flatten();
        let size = u32::try_from(info.size()).unwrap_or(u32::MAX);
        let configured = |pool: gst::BufferPool, size: u32, min: u32, max: u32| {
            let mut config = pool.config();
            config.set_params(Some(&caps), size, min, max);
            if with_meta {
                config.add_option(gst_video::BUFFER_POOL_OPTION_VIDEO_META);
            }
            (pool.set_config(config).is_ok() && pool.set_active(true).is_ok()).then_some(pool)
        };
        let pool = proposed.and_then(|(pool, given, min, max)| configured(pool?, size.max(given), min, max));
        let pool = pool.or_else(|| configured(gst_video::VideoBufferPool::new().upcast(), size, 0, 0));
        Ok(Output { interlaced: info.is_interlaced(), pool, caps, info })
    }

    /// A buffer for an output.
    ///
    /// # Errors
    /// If the pool is flushing or there is no memory.
    pub fn buffer(&self) -> Result<gst::Buffer, gst::FlowError> {
        match &self.pool {
            Some(pool) => pool.acquire_buffer(None),
            None => gst::Buffer::with_size(self.info.size()).map_err(|_| gst::FlowError::Error),
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // The pool frees its buffers when the last one returns. It cannot refuse.
        let _ = self.pool.as_ref().map(|pool| pool.set_active(false));
    }
}

/// The caps of the outputs in a format of the host. Fields of the input's caps that the conversion
/// does not concern stay.
fn of_format(clip: &Clip, settings: &Settings, plan: &ClipPlan, format: VideoFormat) -> Result<Caps, String> {
    let size = |size: usize| i32::try_from(size).map_err(|error| error.to_string());
    let (width, height) = (plan.output_format.width, plan.output_format.height);
    let mut caps = clip.caps.clone();
    let structure = caps.make_mut().structure_mut(0).ok_or("the caps are empty")?;
    structure.set("format", format.to_str());
    structure.set("width", size(width)?);
    structure.set("height", size(height)?);
    structure.set("framerate", rate(clip, settings, plan));
    structure.set("pixel-aspect-ratio", aspect(clip.info.par(), settings.source_size(), (width, height)));
    if plan.progressive {
        structure.set("interlace-mode", "progressive");
        structure.remove_field("field-order");
    }
    if let Some(space) = settings.output_space() {
        structure.set("colorimetry", colorimetry(&clip.info.colorimetry(), space).to_string());
    }
    let subsampled = [Sampling::C420, Sampling::C422, Sampling::C411].contains(&plan.output_format.sampling);
    match settings.output_location() {
        _ if !subsampled => structure.remove_field("chroma-site"),
        Some(ChromaLocation::Left) => structure.set("chroma-site", site(VideoChromaSite::H_COSITED)),
        Some(ChromaLocation::Center) => structure.set("chroma-site", site(VideoChromaSite::NONE)),
        Some(ChromaLocation::TopLeft) => structure.set("chroma-site", site(VideoChromaSite::COSITED)),
        _ => {}
    }
    Ok(caps)
}

fn site(site: VideoChromaSite) -> String {
    site.to_str().to_string()
}

/// The frame rate of the outputs; 0/1 if it is variable.
fn rate(clip: &Clip, settings: &Settings, plan: &ClipPlan) -> Fraction {
    let variable = plan.rate == OutputRate::Film && settings.is_variable();
    let product = |a: u64, b: u32| a.checked_mul(u64::from(b));
    let rate = clip.rate().filter(|_| !variable).and_then(|(num, den)| {
        let (num, den) = (product(num, plan.ratio.0)?, product(den, plan.ratio.1)?);
        fraction(num, den)
    });
    rate.unwrap_or(Fraction::new(0, 1))
}

/// The sample aspect ratio with which a scaled rectangle keeps its shape.
fn aspect(input: Fraction, from: (usize, usize), to: (usize, usize)) -> Fraction {
    let number = |number: i32| u64::try_from(number).ok();
    let product = |a: u64, b: usize, c: usize| a.checked_mul(b as u64)?.checked_mul(c as u64);
    let scaled = || {
        let num = product(number(input.numer())?, from.0, to.1)?;
        let den = product(number(input.denom())?, from.1, to.0)?;
        fraction(num, den)
    };
    if from == to { input } else { scaled().unwrap_or(input) }
}

/// A fraction in lowest terms; none if it does not fit the host's type.
fn fraction(num: u64, den: u64) -> Option<Fraction> {
    let divisor = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a.max(1)
    };
    let common = divisor(num, den);
    let (num, den) = (i32::try_from(num / common).ok()?, i32::try_from(den / common).ok()?);
    (num > 0 && den > 0).then(|| Fraction::new(num, den))
}

/// The colorimetry with another matrix and range: primaries and transfer are not converted.
fn colorimetry(input: &VideoColorimetry, space: ColorSpace) -> VideoColorimetry {
    let matrix = match space.matrix {
        ColorMatrix::Bt601 => VideoColorMatrix::Bt601,
        ColorMatrix::Bt2020 => VideoColorMatrix::Bt2020,
        _ => VideoColorMatrix::Bt709,
    };
    let range = match space.range {
        ColorRange::Full => VideoColorRange::Range0_255,
        ColorRange::Limited => VideoColorRange::Range16_235,
    };
    VideoColorimetry::new(range, matrix, input.transfer(), input.primaries())
}
