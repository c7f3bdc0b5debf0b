//! Video formats of the host: those whose samples are whole bytes or words, planar or interleaved.

use dndi::{Format, Sampling};
use gst_video::{VideoFormat, VideoFormatInfo, VideoInfo};

/// The formats of the pads. Of two formats with the same samples the first one is preferred.
pub const FORMATS: [VideoFormat; 36] = [
    VideoFormat::I420,
    VideoFormat::Yv12,
    VideoFormat::Nv12,
    VideoFormat::Nv21,
    VideoFormat::Y42b,
    VideoFormat::Nv16,
    VideoFormat::Nv61,
    VideoFormat::Yuy2,
    VideoFormat::Uyvy,
    VideoFormat::Yvyu,
    VideoFormat::Y444,
    VideoFormat::Nv24,
    VideoFormat::Y41b,
    VideoFormat::Gray8,
    VideoFormat::I42010le,
    VideoFormat::I42010be,
    VideoFormat::P01010le,
    VideoFormat::P01010be,
    VideoFormat::I42210le,
    VideoFormat::I42210be,
    VideoFormat::Y210,
    VideoFormat::Y44410le,
    VideoFormat::Y44410be,
    VideoFormat::I42012le,
    VideoFormat::I42012be,
    VideoFormat::P012Le,
    VideoFormat::I42212le,
    VideoFormat::I42212be,
    VideoFormat::Y212Le,
    VideoFormat::Y44412le,
    VideoFormat::Y44412be,
    VideoFormat::P016Le,
    VideoFormat::Y44416le,
    VideoFormat::Y44416be,
    VideoFormat::Gray16Le,
    VideoFormat::Gray16Be,
];

/// Sampling and bits per sample of a format; none if the library does not have it.
pub fn samples(format: VideoFormat) -> Option<(Sampling, u8)> {
    if !FORMATS.contains(&format) {
        return None;
    }
    let info = VideoFormatInfo::from_format(format);
    let depth = u8::try_from(*info.depth().first()?).ok()?;
    let sampling = match (info.w_sub().get(1), info.h_sub().get(1)) {
        _ if info.is_gray() => Sampling::Mono,
        (Some(1), Some(1)) => Sampling::C420,
        (Some(1), Some(0)) => Sampling::C422,
        (Some(0), Some(0)) => Sampling::C444,
        (Some(2), Some(0)) => Sampling::C411,
        _ => return None,
    };
    Some((sampling, depth))
}

/// The format of the library for frames of the host.
pub fn of_host(info: &VideoInfo) -> Option<Format> {
    let (sampling, depth) = samples(info.format())?;
    let size = |size: u32| usize::try_from(size).ok().filter(|size| *size > 0);
    Some(Format::new(size(info.width())?, size(info.height())?, sampling).with_depth(depth))
}

/// The formats of the host for samples of the library, the preferred one first: that of the input,
/// then in the order of [`FORMATS`].
pub fn to_host(sampling: Sampling, depth: u8, input: VideoFormat) -> Vec<VideoFormat> {
    let mut formats: Vec<_> = FORMATS.into_iter().filter(|format| samples(*format) == Some((sampling, depth))).collect();
    formats.sort_by_key(|format| *format != input);
    formats
}

/// The samples of a component in the memory of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The plane that has them.
    pub plane: u32,
    /// Bytes before the first sample of a row.
    pub offset: usize,
    /// Bytes from one sample to the next.
    pub step: usize,
    /// Bytes from one row to the next.
    pub stride: usize,
    /// Samples in a row.
    pub width: usize,
    /// Unused low bits of a word.
    pub shift: u32,
    /// Whether the low byte of a word is the first one.
    pub little: bool,
}

impl Layout {
    /// The layout of a component of a format; the stride is that of the frame's `plane`.
    pub fn new(info: &VideoInfo, component: u8, stride: impl Fn(usize) -> Option<i32>) -> Option<Layout> {
        let format = info.format_info();
        let plane = info.comp_plane(component);
        let offset = usize::try_from(info.comp_poffset(component)).ok()?;
        let shift = *format.shift().get(usize::from(component))?;
        let words = format.depth().first().is_some_and(|depth| *depth > 8);
        let (offset, shift, little) = match info.format() {
            // GStreamer 1.22 has all components of these at byte 0, and Y210 as big-endian words
            // with the value in the low bits.
            VideoFormat::Y210 => (*[0, 2, 6].get(usize::from(component))?, 6, true),
            VideoFormat::Y212Le => (*[0, 2, 6].get(usize::from(component))?, 4, true),
            // It has the second chroma sample of P010 and its kind at byte 1 in place of 2.
            _ if words => (offset.next_multiple_of(2), shift, format.is_le()),
            _ => (offset, shift, format.is_le()),
        };
        Some(Layout {
            plane,
            offset,
            step: usize::try_from(info.comp_pstride(component)).ok().filter(|step| *step > 0)?,
            stride: usize::try_from(stride(usize::try_from(plane).ok()?)?).ok().filter(|stride| *stride > 0)?,
            width: usize::try_from(info.comp_width(component)).ok()?,
            shift,
            little,
        })
    }

    /// Bytes of a row from its first sample on, for samples of `size` bytes.
    pub fn row_bytes(&self, size: usize) -> usize {
        (self.width.saturating_sub(1)) * self.step + size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_the_samples_of_the_library() {
        gst::init().unwrap();
        for format in FORMATS {
            let (sampling, depth) = samples(format).unwrap_or_else(|| panic!("{format}"));
            assert!([8, 10, 12, 16].contains(&depth), "{format}");
            assert_eq!(to_host(sampling, depth, format)[0], format);
        }
        assert_eq!(samples(VideoFormat::I42010le), Some((Sampling::C420, 10)));
        assert_eq!(samples(VideoFormat::Y41b), Some((Sampling::C411, 8)));
        assert_eq!(samples(VideoFormat::P016Le), Some((Sampling::C420, 16)));
        assert_eq!(samples(VideoFormat::V210), None);
        assert_eq!(to_host(Sampling::C420, 8, VideoFormat::Gray8)[0], VideoFormat::I420);
        assert_eq!(to_host(Sampling::C411, 16, VideoFormat::Gray8), []);
    }
}
