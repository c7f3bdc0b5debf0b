//! Clips of the usual formats: frames, streams, tags and times of the result.

use crate::program::Folder;
use crate::tools::{dndi, ffmpeg, folder, md5, md5_of_pipe, of_kind, probe, sources, times};

/// Checks that `out`, made from `file`, has the same start and end relative to the audio, and the
/// same tags. `frame` is the duration of an input frame in seconds.
#[track_caller]
fn in_sync(folder: &Folder, file: &str, out: &str, frame: f64) {
    let (old, new) = (probe(folder, file), probe(folder, out));
    let (old_video, new_video) = (of_kind(&old, "video")[0], of_kind(&new, "video")[0]);
    let ((start, end, _), (new_start, new_end, _)) = (times(folder, file, "v:0"), times(folder, out, "v:0"));
    if !of_kind(&old, "audio").is_empty() {
        let (audio, new_audio) = (times(folder, file, "a:0"), times(folder, out, "a:0"));
        let (offset, new_offset) = (start - audio.0, new_start - new_audio.0);
        assert!((offset - new_offset).abs() < frame, "{file}: offset {offset}, {new_offset}");
        let name = |stream: &serde_json::Value| stream["codec_name"].clone();
        let codecs = |report| of_kind(report, "audio").into_iter().map(name).collect::<Vec<_>>();
        assert_eq!(codecs(&old), codecs(&new), "{file}");
    }
    let (duration, new_duration) = (end - start, new_end - new_start);
    assert!((duration - new_duration).abs() < frame, "{file}: {duration} s, {new_duration} s");
    for tag in ["sample_aspect_ratio", "color_space", "color_transfer", "color_primaries"] {
        assert_eq!(old_video[tag], new_video[tag], "{file}: {tag}");
    }
    assert_eq!(new_video["field_order"], "progressive", "{file}");
}

/// Converts `file` without loss, and compares the frames with those of a pipe.
#[track_caller]
fn check(folder: &Folder, file: &str, frame: f64) {
    dndi(folder, &format!("-y -q --lossless {file} out.mkv")).succeeds();
    in_sync(folder, file, "out.mkv", frame);
    assert_eq!(md5(folder, "out.mkv"), md5_of_pipe(folder, file, ""), "{file}");
    let left = folder.files().into_iter().filter(|name| name.contains(".part")).collect::<Vec<_>>();
    assert!(left.is_empty(), "{left:?}");
}

const MPEG2: &str = "-c:v mpeg2video -flags +ildct+ilme -q:v 3";

#[test]
fn mpeg2_with_chapters() {
    let Some(folder) = folder("mpeg2") else { return };
    folder.write("chapters", ";FFMETADATA1\ntitle=Tape\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=1000\ntitle=Two\n");
    for (order, top) in [("tff", 1), ("bff", 0)] {
        let tags = "-colorspace bt470bg -color_primaries bt470bg -color_trc gamma28 -metadata:s:v language=deu";
        let inputs = sources("176x144", "50", 1.0);
        let filter = format!("-vf interlace=scan={order},setsar=16/15");
        ffmpeg(
            &folder,
            &format!("{inputs} -i chapters -map 0:v -map 1:a -map_metadata 2 {filter} {MPEG2} -top {top} {tags} -c:a ac3 in.mkv"),
        );
        check(&folder, "in.mkv", 0.04);
        let report = probe(&folder, "out.mkv");
        assert_eq!(report["chapters"].as_array().unwrap().len(), 2);
        assert_eq!(report["format"]["tags"]["title"], "Tape");
        assert_eq!(of_kind(&report, "video")[0]["tags"]["language"], "deu");
        assert_eq!(of_kind(&report, "video")[0]["r_frame_rate"], "50/1");
    }
}

#[test]
fn transport_stream_with_a_late_video() {
    let Some(folder) = folder("offset") else { return };
    let inputs = "-itsoffset 0.53 -f lavfi -i testsrc2=s=176x144:r=50:d=1 -f lavfi -i sine=r=48000:d=1.6";
    ffmpeg(&folder, &format!("{inputs} -vf interlace=scan=tff {MPEG2} -top 1 -c:a ac3 -output_ts_offset 3 in.ts"));
    check(&folder, "in.ts", 0.04);
    dndi(&folder, "-y in.ts out.mp4").succeeds();
    in_sync(&folder, "in.ts", "out.mp4", 0.04);
    // Part of the clip, with the audio of the same part.
    dndi(&folder, "-y in.ts --skip 5 --frames 10 part.mkv").succeeds();
    let (video, audio) = (times(&folder, "part.mkv", "v:0"), times(&folder, "part.mkv", "a:0"));
    assert_eq!(video.2, 20);
    assert!((audio.1 - audio.0 - 0.4).abs() < 0.1 && (audio.0 - video.0).abs() < 0.06, "{video:?} {audio:?}");
}

#[test]
fn dv() {
    let Some(folder) = folder("dv") else { return };
    for (size, rate, format, aspect, frame) in
        [("720x576", "50", "yuv420p", "16/15", 0.04), ("720x480", "60000/1001", "yuv411p", "8/9", 0.0334)]
    {
        let filter = format!("-vf interlace=scan=bff,setsar={aspect}");
        ffmpeg(&folder, &format!("{} {filter} -c:v dvvideo -pix_fmt {format} -c:a pcm_s16le in.avi", sources(size, rate, 0.4)));
        check(&folder, "in.avi", frame);
    }
    // Players need 4:2:0.
    dndi(&folder, "-y in.avi out.mp4").warns("stream 1 (audio, pcm_s16le) is converted with aac");
    assert_eq!(of_kind(&probe(&folder, "out.mp4"), "video")[0]["pix_fmt"], "yuv420p");
    dndi(&folder, "-y in.avi --chroma 422 out.mov").succeeds();
    let report = probe(&folder, "out.mov");
    assert_eq!(
        (&of_kind(&report, "video")[0]["pix_fmt"], &of_kind(&report, "audio")[0]["codec_name"]),
        (&"yuv422p".into(), &"pcm_s16le".into())
    );
}

#[test]
fn ten_bits_and_h264() {
    let Some(folder) = folder("modern") else { return };
    let inputs = sources("176x144", "50", 1.0);
    let tags = "-colorspace bt709 -color_primaries bt709 -color_trc bt709";
    ffmpeg(
        &folder,
        &format!(
            "{inputs} -vf interlace=scan=tff -c:v prores_ks -flags +ildct -top 1 -pix_fmt yuv422p10le {tags} -c:a pcm_s24le in.mov"
        ),
    );
    check(&folder, "in.mov", 0.04);
    assert_eq!(of_kind(&probe(&folder, "out.mkv"), "video")[0]["pix_fmt"], "yuv422p10le");
    ffmpeg(
        &folder,
        &format!(
            "{inputs} -vf interlace=scan=tff -c:v libx264 -flags +ildct+ilme -x264opts tff=1 -preset veryfast -c:a aac in.mp4"
        ),
    );
    check(&folder, "in.mp4", 0.04);
}

/// Frames 15 to 24 of 40 are missing. The frame after the gap has its own time.
#[test]
fn a_gap() {
    let Some(folder) = folder("gap") else { return };
    let select = "select='lt(n,15)+gte(n,25)'";
    let inputs = sources("176x144", "50", 1.6);
    ffmpeg(&folder, &format!("{inputs} -vf interlace=scan=tff,{select} -fps_mode passthrough {MPEG2} -top 1 -c:a ac3 in.mkv"));
    check(&folder, "in.mkv", 0.04);
    assert_eq!(times(&folder, "out.mkv", "v:0").2, 60);
    // A constant rate fills the gap.
    dndi(&folder, "-y in.mkv out.avi").succeeds();
    assert_eq!(times(&folder, "out.avi", "v:0").2, 80);
    dndi(&folder, "-y in.mkv out.y4m").succeeds();
    assert_eq!(times(&folder, "out.y4m", "v:0").2, 80);
}

/// The file ends in the middle of a packet: the frames before are converted.
#[test]
fn a_corrupt_tail() {
    let Some(folder) = folder("tail") else { return };
    ffmpeg(&folder, &format!("{} -vf interlace=scan=tff {MPEG2} -top 1 -c:a mp2 whole.ts", sources("176x144", "50", 1.6)));
    let mut bytes = folder.read("whole.ts");
    let (keep, end) = (bytes.len() * 3 / 4, bytes.len());
    bytes[keep..end].iter_mut().enumerate().for_each(|(i, byte)| *byte ^= (i * 31 % 251) as u8);
    folder.write("in.ts", bytes);
    let result = dndi(&folder, "-y in.ts out.mkv");
    assert!(matches!(result.code, Some(0 | 3)), "{result:?}");
    assert!(result.stderr.lines().all(|line| line.starts_with("dndi: ")), "{result:?}");
    let (video, audio) = (times(&folder, "out.mkv", "v:0"), times(&folder, "out.mkv", "a:0"));
    assert!(video.2 >= 40 && (video.0 - audio.0).abs() < 0.08, "{video:?} {audio:?}");
}
