//! Containers of the output, by the extension of its name: muxer, default encoder, and the streams
//! that they can hold.

use std::path::Path;

/// The kind of a container: its rules for streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Matroska,
    Webm,
    Mp4,
    QuickTime,
    Avi,
    Mxf,
    /// MPEG transport streams.
    Transport,
    /// MPEG program streams, and others without streams of text.
    Other,
}

/// A container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Container {
    pub extension: &'static str,
    /// Name of ffmpeg's muxer.
    pub muxer: &'static str,
    pub family: Family,
    /// Options of the default encoder.
    encoder: &'static str,
}

const H264: &str = "-c:v libx264 -crf 16";
const MPEG2: &str = "-c:v mpeg2video -q:v 2";
const MPEG4: &str = "-c:v mpeg4 -q:v 2";
const VP9: &str = "-c:v libvpx-vp9 -crf 20 -b:v 0 -row-mt 1";

const CONTAINERS: [Container; 27] = [
    new("mkv", "matroska", Family::Matroska, H264),
    new("mk3d", "matroska", Family::Matroska, H264),
    new("webm", "webm", Family::Webm, VP9),
    new("mp4", "mp4", Family::Mp4, H264),
    new("m4v", "mp4", Family::Mp4, H264),
    new("mov", "mov", Family::QuickTime, H264),
    new("qt", "mov", Family::QuickTime, H264),
    new("3gp", "3gp", Family::Mp4, H264),
    new("avi", "avi", Family::Avi, MPEG4),
    new("mxf", "mxf", Family::Mxf, ""),
    new("ts", "mpegts", Family::Transport, H264),
    new("mts", "mpegts", Family::Transport, H264),
    new("m2ts", "mpegts", Family::Transport, H264),
    new("m2t", "mpegts", Family::Transport, H264),
    new("mpg", "mpeg", Family::Other, MPEG2),
    new("mpeg", "mpeg", Family::Other, MPEG2),
    new("vob", "vob", Family::Other, MPEG2),
    new("m2v", "mpeg2video", Family::Other, MPEG2),
    new("dv", "dv", Family::Other, "-c:v dvvideo"),
    new("flv", "flv", Family::Other, H264),
    new("f4v", "f4v", Family::Mp4, H264),
    new("asf", "asf", Family::Other, MPEG4),
    new("wmv", "asf", Family::Other, "-c:v wmv2 -q:v 2"),
    new("ogv", "ogv", Family::Other, "-c:v libtheora -q:v 9"),
    new("ogg", "ogg", Family::Other, "-c:v libtheora -q:v 9"),
    new("nut", "nut", Family::Other, "-c:v ffv1"),
    new("gxf", "gxf", Family::Other, MPEG2),
];

/// Extensions of media files that are no containers of the list: pictures, raw streams, sound, and
/// containers that ffmpeg does not write or that hold other video.
const OTHERS: [&str; 34] = [
    "264", "265", "3g2", "apng", "av1", "avif", "bmp", "divx", "dpx", "exr", "gif", "h264", "h265", "heic", "hevc", "ivf", "j2k",
    "jp2", "jpeg", "jpg", "m1v", "mjpeg", "mjpg", "mp3", "mpv", "obu", "png", "rm", "rmvb", "tif", "tiff", "wav", "webp", "wtv",
];

const fn new(extension: &'static str, muxer: &'static str, family: Family, encoder: &'static str) -> Container {
    Container { extension, muxer, family, encoder }
}

impl Container {
    /// The container with this extension, in any case.
    pub fn of_extension(extension: &str) -> Option<Container> {
        CONTAINERS.into_iter().find(|container| container.extension.eq_ignore_ascii_case(extension))
    }

    /// The container of a file of this name; none if its extension is no container's.
    pub fn of_name(path: &Path) -> Option<Container> {
        Container::of_extension(path.extension()?.to_str()?)
    }

    /// Whether frames can have any times. Else the frame rate is constant.
    pub fn has_times(self) -> bool {
        !matches!(self.family, Family::Avi | Family::Mxf | Family::Other) || self.muxer == "nut"
    }

    /// The options of the default encoder, for frames of `depth` bits per sample.
    pub fn encoder(self, depth: u8) -> &'static str {
        match self.family {
            Family::Mxf if depth > 8 => "-c:v dnxhd -profile:v dnxhr_hqx -pix_fmt yuv422p10le",
            Family::Mxf => "-c:v dnxhd -profile:v dnxhr_hq -pix_fmt yuv422p",
            _ => self.encoder,
        }
    }

    /// Whether the container can hold FFV1.
    pub fn holds_ffv1(self) -> bool {
        matches!(self.family, Family::Matroska | Family::QuickTime | Family::Avi) || self.muxer == "nut"
    }
}

/// Whether the extension of a name is that of a media file which dndi does not write.
pub fn is_other_media(path: &Path) -> bool {
    path.extension().is_some_and(|extension| OTHERS.iter().any(|other| extension.eq_ignore_ascii_case(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_outputs() {
        let muxer = |name: &str| Container::of_name(Path::new(name)).map(|container| container.muxer);
        assert_eq!([muxer("a/b.MKV"), muxer("x.y4m.mp4"), muxer("t.m2ts")], [Some("matroska"), Some("mp4"), Some("mpegts")]);
        assert_eq!([muxer("a.y4m"), muxer("-"), muxer("mkv"), muxer(".mkv"), muxer("/dev/null")], [None; 5]);
    }
}
