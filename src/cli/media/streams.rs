//! The streams beside the video: which are copied, which must be converted, and which the container
//! cannot hold.

use super::container::{Container, Family};
use super::probe::{Media, Stream};

/// A stream of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Its index in the input.
    pub index: u32,
    /// `a`, `s`, `t` or `v`, for ffmpeg's options.
    pub kind: char,
    /// The encoder: `copy` if the stream is not converted.
    pub encoder: &'static str,
    /// Options of the encoder, by their names without a stream.
    options: &'static [(&'static str, &'static str)],
}

/// The streams of an output, and warnings about the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Streams {
    pub copied: Vec<Copied>,
    pub warnings: Vec<String>,
}

impl Streams {
    /// The streams of `media` that the container holds.
    pub fn new(media: &Media, container: Container) -> Streams {
        let mut streams = Streams::default();
        for stream in &media.others {
            let (kind, encoder) = match stream.codec_type.as_str() {
                "audio" if container.muxer == "flv" && streams.copied.iter().any(|copied| copied.kind == 'a') => {
                    streams.warnings.push(format!("stream {} (audio) is not copied: flv holds one audio stream", stream.index));
                    continue;
                }
                "audio" => ('a', audio(container, stream)),
                "subtitle" => ('s', subtitle(container.family, &stream.codec_name)),
                "attachment" => ('t', (container.family == Family::Matroska).then_some("copy")),
                "video" => ('v', (container.family == Family::Mp4).then_some("copy")),
                // The metadata of the video have the time code as well, and muxers write it from
                // there. The menus of a DVD have no meaning without the disc.
                _ if ["", "none", "dvd_nav_packet"].contains(&stream.codec_name.as_str()) => continue,
                _ => {
                    let (index, kind, codec) = (stream.index, &stream.codec_type, &stream.codec_name);
                    streams.warnings.push(format!("stream {index} ({kind}, {codec}) is not copied"));
                    continue;
                }
            };
            let describe = || {
                let codec = if stream.codec_name.is_empty() { "unknown codec" } else { &stream.codec_name };
                let kind = if stream.is_picture() { "picture" } else { &stream.codec_type };
                format!("stream {} ({kind}, {codec})", stream.index)
            };
            match encoder {
                Some(encoder) => {
                    if encoder != "copy" {
                        let why = format!("{} cannot hold it as it is", container.extension);
                        streams.warnings.push(format!("{} is converted with {encoder}: {why}", describe()));
                    }
                    let options = if kind == 'a' { limits(container, encoder) } else { &[] };
                    streams.copied.push(Copied { index: stream.index, kind, encoder, options });
                }
                // Other containers hold pictures as well, but ffmpeg does not write them.
                None if stream.is_picture() => {
                    streams.warnings.push(format!(
                        "{} is not copied: ffmpeg does not write it to {}",
                        describe(),
                        container.extension
                    ));
                }
                None => streams.warnings.push(format!("{} is not copied: {} cannot hold it", describe(), container.extension)),
            }
        }
        streams
    }

    /// The options that select the streams of ffmpeg's input number `input`, and copy those that
    /// are no pictures.
    pub fn arguments(&self, input: usize) -> Vec<String> {
        let maps = self.copied.iter().flat_map(|stream| ["-map".to_owned(), format!("{input}:{}", stream.index)]);
        maps.chain(['a', 's', 't'].into_iter().flat_map(|kind| self.of_kind(kind, 0))).collect()
    }

    /// The options that copy pictures. They follow those of the video, which apply to all streams
    /// of video.
    pub fn picture_arguments(&self) -> Vec<String> {
        let mut arguments = self.of_kind('v', 1);
        let count = self.copied.iter().filter(|stream| stream.kind == 'v').count();
        arguments.extend((1..=count).flat_map(|number| [format!("-disposition:v:{number}"), "attached_pic".to_owned()]));
        arguments
    }

    /// The options of the streams of a kind, the first of which has this number.
    fn of_kind(&self, kind: char, first: usize) -> Vec<String> {
        let mut arguments = vec![];
        for (number, stream) in (first..).zip(self.copied.iter().filter(|stream| stream.kind == kind)) {
            arguments.extend([format!("-c:{kind}:{number}"), stream.encoder.to_owned()]);
            let options = stream.options.iter();
            arguments.extend(options.flat_map(|(name, value)| [format!("-{name}:{kind}:{number}"), (*value).to_owned()]));
        }
        arguments
    }
}

/// The encoder of an audio stream; none if the container cannot hold audio. The codecs that each
/// container holds are those that the muxers of ffmpeg 5.1 accept.
fn audio(container: Container, stream: &Stream) -> Option<&'static str> {
    let codec = stream.codec_name.as_str();
    let rate = stream.sample_rate.as_deref().unwrap_or("48000");
    let pcm = codec.starts_with("pcm_");
    let disc = ["pcm_dvd", "pcm_bluray"].contains(&codec);
    let copy_or = |held: &[&str], encoder| if held.contains(&codec) { "copy" } else { encoder };
    if codec.is_empty() || codec == "none" {
        return None;
    }
    match container.muxer {
        "mpeg2video" => return None,
        "3gp" => return Some(copy_or(&["aac", "amr_nb", "amr_wb"], "aac")),
        "mpeg" | "vob" => return Some(copy_or(&["mp1", "mp2", "mp3", "ac3", "dts", "pcm_s16be", "pcm_dvd"], "ac3")),
        "flv" if codec == "mp3" && !["44100", "22050", "11025"].contains(&rate) => return Some("aac"),
        "flv" => return Some(copy_or(&["aac", "mp3"], "aac")),
        "ogv" | "ogg" => return Some(copy_or(&["opus", "vorbis", "flac", "speex"], "libvorbis")),
        "gxf" | "dv" => {
            let fits = rate == "48000" && stream.channels == if container.muxer == "gxf" { 1 } else { 2 };
            return Some(if fits { copy_or(&["pcm_s16le"], "pcm_s16le") } else { "pcm_s16le" });
        }
        "avi" | "asf" | "nut" if codec == "alac" => return Some("flac"),
        "avi" | "asf" if codec == "opus" => return Some("libmp3lame"),
        "avi" | "asf" if pcm && codec.ends_with("be") => return Some("pcm_s24le"),
        _ => {}
    }
    Some(match container.family {
        Family::Matroska if disc => "flac",
        Family::Matroska => "copy",
        Family::Webm if ["opus", "vorbis"].contains(&codec) => "copy",
        Family::Webm => "libopus",
        Family::Mp4 if ["aac", "ac3", "eac3", "mp3", "mp2", "alac", "flac", "opus", "dts"].contains(&codec) => "copy",
        Family::Mp4 => "aac",
        Family::QuickTime if ["aac", "ac3", "eac3", "mp3", "mp2", "alac"].contains(&codec) || pcm && !disc => "copy",
        Family::QuickTime | Family::Mxf | Family::Avi if disc => "pcm_s24le",
        Family::QuickTime => "pcm_s16le",
        Family::Mxf if rate == "48000" && ["pcm_s16le", "pcm_s24le"].contains(&codec) => "copy",
        Family::Mxf => "pcm_s24le",
        // Others would become private data, which no player knows.
        Family::Transport => copy_or(&["aac", "aac_latm", "ac3", "dts", "eac3", "mp2", "mp3", "opus", "s302m", "truehd"], "ac3"),
        _ => "copy",
    })
}

/// Options for audio that is converted: the rate and the channels of the container, and the layouts
/// of channels that the encoder has.
fn limits(container: Container, encoder: &str) -> &'static [(&'static str, &'static str)] {
    match (container.muxer, encoder) {
        (_, "copy") => &[],
        ("gxf", _) => &[("ar", "48000"), ("ac", "1")],
        ("dv", _) => &[("ar", "48000"), ("ac", "2")],
        ("mxf", _) => &[("ar", "48000")],
        (_, "libopus") => &[("filter", "aformat=channel_layouts=7.1|6.1|5.1|5.0|quad|3.0|stereo|mono")],
        _ => &[],
    }
}

/// The encoder of a subtitle stream; none if the container cannot hold it.
fn subtitle(family: Family, codec: &str) -> Option<&'static str> {
    let text = ["subrip", "srt", "ass", "ssa", "webvtt", "mov_text", "text"].contains(&codec);
    match family {
        Family::Matroska if codec == "mov_text" => Some("srt"),
        Family::Matroska if text || ["dvd_subtitle", "hdmv_pgs_subtitle", "dvb_subtitle"].contains(&codec) => Some("copy"),
        Family::Webm => text.then_some(if codec == "webvtt" { "copy" } else { "webvtt" }),
        Family::Mp4 if codec == "dvd_subtitle" => Some("copy"),
        Family::Mp4 | Family::QuickTime => text.then_some(if codec == "mov_text" { "copy" } else { "mov_text" }),
        Family::Transport => ["dvb_subtitle", "dvb_teletext"].contains(&codec).then_some("copy"),
        _ => None,
    }
}

/// The language and the title of a stream, as options of ffmpeg for the converted video.
pub fn metadata(video: &Stream) -> Vec<String> {
    let tags = ["language", "title", "timecode"].into_iter().filter_map(|name| Some((name, video.tags.get(name)?)));
    let tags = tags.filter(|(_, value)| *value != "und");
    tags.flat_map(|(name, value)| ["-metadata:s:v:0".to_owned(), format!("{name}={value}")]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::probe::Media;

    fn media(streams: &[(&str, &str)]) -> Media {
        let stream = |(index, (kind, codec)): (usize, &(&str, &str))| Stream {
            index: index as u32 + 1,
            codec_type: (*kind).to_owned(),
            codec_name: (*codec).to_owned(),
            ..Stream::default()
        };
        let mut media = Media::default();
        media.path = "a".into();
        media.others = streams.iter().enumerate().map(stream).collect();
        media
    }

    #[test]
    fn audio_that_a_container_cannot_hold_is_converted() {
        let stream =
            |codec: &str| Stream { codec_name: codec.to_owned(), sample_rate: Some("44100".to_owned()), ..Stream::default() };
        let encoder = |extension, codec| audio(Container::of_extension(extension).unwrap(), &stream(codec));
        let cases = [
            ("mpg", "aac", "ac3"),
            ("vob", "flac", "ac3"),
            ("3gp", "flac", "aac"),
            ("flv", "opus", "aac"),
            ("ogv", "aac", "libvorbis"),
            ("avi", "opus", "libmp3lame"),
            ("avi", "pcm_s24be", "pcm_s24le"),
            ("nut", "alac", "flac"),
            ("gxf", "aac", "pcm_s16le"),
            ("mxf", "pcm_s16le", "pcm_s24le"),
            ("ts", "flac", "ac3"),
            ("ts", "aac", "copy"),
            ("flv", "mp3", "copy"),
            ("avi", "aac", "copy"),
            ("vob", "pcm_dvd", "copy"),
            ("mov", "pcm_s16be", "copy"),
        ];
        for (extension, codec, want) in cases {
            assert_eq!(encoder(extension, codec), Some(want), "{codec} in {extension}");
        }
        assert_eq!([encoder("m2v", "aac"), encoder("mkv", "")], [None; 2]);
        let fast = Stream { sample_rate: Some("48000".to_owned()), ..stream("mp3") };
        assert_eq!(audio(Container::of_extension("flv").unwrap(), &fast), Some("aac"));
    }

    #[test]
    fn audio_gets_the_rate_and_the_channels_of_the_container() {
        let media = media(&[("audio", "aac"), ("audio", "pcm_s24le")]);
        let arguments =
            |extension: &str| Streams::new(&media, Container::of_extension(extension).unwrap()).arguments(1).join(" ");
        let mxf = "-map 1:1 -map 1:2 -c:a:0 pcm_s24le -ar:a:0 48000 -c:a:1 copy";
        assert_eq!(arguments("mxf"), mxf);
        let layouts = "aformat=channel_layouts=7.1|6.1|5.1|5.0|quad|3.0|stereo|mono";
        assert!(arguments("webm").contains(&format!("-c:a:1 libopus -filter:a:1 {layouts}")));
        assert_eq!(arguments("flv"), "-map 1:1 -c:a:0 copy");
        let warnings = Streams::new(&media, Container::of_extension("flv").unwrap()).warnings;
        assert_eq!(warnings, ["stream 2 (audio) is not copied: flv holds one audio stream"]);
    }

    #[test]
    fn streams_are_copied_or_converted() {
        let media = media(&[
            ("audio", "ac3"),
            ("audio", "pcm_s16le"),
            ("subtitle", "subrip"),
            ("subtitle", "dvb_teletext"),
            ("data", ""),
            ("data", "dvd_nav_packet"),
            ("data", "klv"),
        ]);
        let streams = |extension: &str| Streams::new(&media, Container::of_extension(extension).unwrap());
        let encoders = |extension| streams(extension).copied.iter().map(|stream| stream.encoder).collect::<Vec<_>>();
        assert_eq!(encoders("mkv"), ["copy", "copy", "copy"]);
        assert_eq!(encoders("mp4"), ["copy", "aac", "mov_text"]);
        assert_eq!(encoders("mxf"), ["pcm_s24le", "copy"]);
        let warnings =
            ["stream 4 (subtitle, dvb_teletext) is not copied: mkv cannot hold it", "stream 7 (data, klv) is not copied"];
        assert_eq!(streams("mkv").warnings, warnings);
        assert_eq!([encoders("mpg"), encoders("m2v")], [vec!["copy", "ac3"], vec![]]);
        let arguments = streams("mp4").arguments(1).join(" ");
        assert_eq!(arguments, "-map 1:1 -map 1:2 -map 1:3 -c:a:0 copy -c:a:1 aac -c:s:0 mov_text");
    }
}
