//! Formats of the host as formats of the library, and samples from one to the other.

use crate::host::{Core, Frame, FrameMut, Sample, VideoFormat, VideoInfo};
use dndi::{Format, Samples, SamplesMut, Sampling};

/// The sampling of each chroma subsampling: the binary logarithms of the host.
const SUBSAMPLINGS: [((u8, u8), Sampling); 4] =
    [((1, 1), Sampling::C420), ((1, 0), Sampling::C422), ((0, 0), Sampling::C444), ((2, 0), Sampling::C411)];

/// The format of the frames of a clip.
///
/// # Errors
/// If format or size vary, or the library does not have the format.
pub fn of_clip(info: &VideoInfo) -> Result<Format, String> {
    let (width, height) = info.size;
    let Some(format) = info.format.filter(|_| width > 0 && height > 0) else {
        return Err("clips of varying format or size are not supported".to_owned());
    };
    let VideoFormat { chroma, other_family, float, bits, subsampling } = format;
    if other_family || float {
        return Err("the format must be Gray or YUV with integer samples of 8 to 16 bits".to_owned());
    }
    let found = SUBSAMPLINGS.iter().find(|(known, _)| *known == subsampling);
    let sampling = match found {
        _ if !chroma => Sampling::Mono,
        Some((_, sampling)) => *sampling,
        None => return Err("the chroma sampling must be 4:2:0, 4:2:2, 4:4:4 or 4:1:1".to_owned()),
    };
    Ok(Format::new(width, height, sampling).with_depth(bits))
}

/// The host's form of a format.
///
/// # Errors
/// If the host has no frames of this size.
pub fn to_host(format: Format) -> Result<VideoFormat, String> {
    let found = SUBSAMPLINGS.iter().find(|(_, known)| *known == format.sampling);
    let subsampling = found.map_or((0, 0), |(subsampling, _)| *subsampling);
    let (width, height) = (format.width, format.height);
    let fits = |size: usize, log: u8| size.is_multiple_of(1 << log);
    if !fits(width, subsampling.0) || !fits(height, subsampling.1) {
        let sampling = format.sampling;
        return Err(format!("VapourSynth has no frames of {width}x{height} with {sampling} chroma"));
    }
    let chroma = format.sampling != Sampling::Mono;
    Ok(VideoFormat { chroma, other_family: false, float: false, bits: format.depth, subsampling })
}

/// Copies the samples of a frame of the host.
///
/// # Errors
/// If the frame has another format than `to`, or no samples in memory.
pub fn read(from: &Frame, to: &mut dndi::Frame) -> Result<(), String> {
    let format = to.format();
    for (plane, to) in to.planes_mut().iter_mut().enumerate() {
        let (width, height) = format.plane_size(plane);
        let rows = match &mut to.samples {
            SamplesMut::U8(to) => from.rows(plane).zip(to.chunks_mut(width.max(1))).filter_map(copy).count(),
            SamplesMut::U16(to) => from.rows(plane).zip(to.chunks_mut(width.max(1))).filter_map(copy).count(),
        };
        if rows != height {
            return Err("a frame does not have the format of the clip".to_owned());
        }
    }
    Ok(())
}

/// Copies the samples of `from` to a new frame of the host, which gets the properties of `source`.
pub fn write(from: &dndi::Frame, format: VideoFormat, source: Option<&Frame>, core: Core) -> FrameMut {
    let size = (from.format().width, from.format().height);
    let mut to = core.frame(format, size, source);
    for (plane, from) in from.planes().iter().enumerate() {
        let rows = match from.samples {
            Samples::U8(samples) => samples.chunks(from.stride).zip(to.rows_mut(plane)).filter_map(copy).count(),
            Samples::U16(samples) => samples.chunks(from.stride).zip(to.rows_mut(plane)).filter_map(copy).count(),
        };
        debug_assert_eq!(rows, from.samples.len() / from.stride);
    }
    to
}

/// Copies a row to one of the same length. None if the lengths differ.
fn copy<S: Sample>((from, to): (&[S], &mut [S])) -> Option<()> {
    (from.len() == to.len()).then(|| to.copy_from_slice(from))
}
