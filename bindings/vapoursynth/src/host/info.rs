//! Formats and properties of clips.

use std::ffi::c_int;
use vapoursynth4_sys as ffi;

/// A video format of integer or float samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VideoFormat {
    /// Whether there are chroma planes.
    pub chroma: bool,
    /// Whether the samples are RGB or undefined.
    pub other_family: bool,
    /// Whether the samples are floating point numbers.
    pub float: bool,
    /// Significant bits per sample.
    pub bits: u8,
    /// Binary logarithm of the horizontal and the vertical subsampling of chroma.
    pub subsampling: (u8, u8),
}

impl VideoFormat {
    pub(super) fn new(format: &ffi::VSVideoFormat) -> VideoFormat {
        let small = |number: c_int| u8::try_from(number).unwrap_or(u8::MAX);
        VideoFormat {
            chroma: format.color_family == ffi::VSColorFamily::YUV,
            other_family: ![ffi::VSColorFamily::YUV, ffi::VSColorFamily::Gray].contains(&format.color_family),
            float: format.sample_type != ffi::VSSampleType::Integer,
            bits: small(format.bits_per_sample),
            subsampling: (small(format.sub_sampling_w), small(format.sub_sampling_h)),
        }
    }

    pub(super) fn to_host(self) -> ffi::VSVideoFormat {
        ffi::VSVideoFormat {
            color_family: if self.chroma { ffi::VSColorFamily::YUV } else { ffi::VSColorFamily::Gray },
            sample_type: ffi::VSSampleType::Integer,
            bits_per_sample: self.bits.into(),
            bytes_per_sample: if self.bits > 8 { 2 } else { 1 },
            sub_sampling_w: self.subsampling.0.into(),
            sub_sampling_h: self.subsampling.1.into(),
            num_planes: if self.chroma { 3 } else { 1 },
        }
    }
}

/// The properties of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VideoInfo {
    /// The format; none if it varies.
    pub format: Option<VideoFormat>,
    /// Width and height in luma samples; 0 if they vary.
    pub size: (usize, usize),
    /// Frames and seconds of the frame rate; none if it varies.
    pub rate: Option<(i64, i64)>,
    /// Number of frames.
    pub frames: usize,
}

impl VideoInfo {
    pub(super) fn to_host(self) -> ffi::VSVideoInfo {
        let int = |number: usize| c_int::try_from(number).unwrap_or(c_int::MAX);
        let (fps_num, fps_den) = self.rate.unwrap_or((0, 0));
        let grey = VideoFormat { chroma: false, other_family: false, float: false, bits: 8, subsampling: (0, 0) };
        ffi::VSVideoInfo {
            format: self.format.unwrap_or(grey).to_host(),
            fps_num,
            fps_den,
            width: int(self.size.0),
            height: int(self.size.1),
            num_frames: int(self.frames),
        }
    }
}
