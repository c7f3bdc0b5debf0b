//! The streams beside the video, and the options of media files.

use crate::tools::{dndi, ffmpeg, folder, of_kind, probe, sources, times};

const VIDEO: &str = "-vf interlace=scan=tff -c:v mpeg2video -flags +ildct+ilme -top 1 -q:v 3";

#[test]
fn audio_subtitles_and_attachments() {
    let Some(folder) = folder("streams") else { return };
    folder.write("text.srt", "1\n00:00:00,200 --> 00:00:00,700\nline\n\n");
    folder.write("font.ttf", "not a font");
    let inputs = format!("{} -f lavfi -i sine=f=880:r=48000:d=1 -i text.srt", sources("64x48", "50", 1.0));
    let maps = "-map 0:v -map 1:a -map 2:a -map 3:s -attach font.ttf -metadata:s:t mimetype=application/x-truetype-font";
    let codecs = "-c:a:0 ac3 -c:a:1 flac -c:s srt -metadata:s:a:1 language=fra -disposition:a:1 default -disposition:a:0 0";
    ffmpeg(&folder, &format!("{inputs} {maps} {VIDEO} {codecs} in.mkv"));
    dndi(&folder, "in.mkv out.mkv").succeeds();
    let report = probe(&folder, "out.mkv");
    let audio = of_kind(&report, "audio");
    assert_eq!(audio.iter().map(|stream| stream["codec_name"].as_str().unwrap()).collect::<Vec<_>>(), ["ac3", "flac"]);
    assert_eq!((&audio[1]["tags"]["language"], &audio[1]["disposition"]["default"]), (&"fra".into(), &1.into()));
    assert_eq!(audio[0]["disposition"]["default"], 0);
    assert_eq!((of_kind(&report, "subtitle").len(), of_kind(&report, "attachment").len()), (1, 1));
    let result = dndi(&folder, "in.mkv out.mp4");
    assert!(result.code == Some(0) && result.stderr.lines().count() == 2, "{result:?}");
    let report = probe(&folder, "out.mp4");
    assert_eq!((of_kind(&report, "audio").len(), of_kind(&report, "subtitle")[0]["codec_name"].as_str()), (2, Some("mov_text")));
}

#[test]
fn no_audio_and_other_containers() {
    let Some(folder) = folder("silent") else { return };
    ffmpeg(&folder, &format!("-f lavfi -i testsrc2=s=64x48:r=50:d=1 {VIDEO} in.mkv"));
    for (name, codec) in
        [("out.mkv", "h264"), ("out.avi", "mpeg4"), ("out.ts", "h264"), ("out.webm", "vp9"), ("out.mpg", "mpeg2video")]
    {
        dndi(&folder, &format!("-q in.mkv {name}")).succeeds();
        assert_eq!(of_kind(&probe(&folder, name), "video")[0]["codec_name"], codec, "{name}");
    }
    dndi(&folder, "-q --scale 320x240 in.mkv out.mxf").succeeds();
    assert_eq!(of_kind(&probe(&folder, "out.mxf"), "video")[0]["codec_name"], "dnxhd");
    // y4m on one side.
    dndi(&folder, "-q in.mkv out.y4m").succeeds();
    dndi(&folder, "-q out.y4m again.mp4").succeeds();
    assert_eq!(times(&folder, "again.mp4", "v:0").2, 50);
    dndi(&folder, "-q --output-format y4m in.mkv raw.mkv").succeeds();
    assert!(folder.read("raw.mkv") == folder.read("out.y4m"));
    let piped = dndi(&folder, "-q --output-format mkv in.mkv -").succeeds().stdout;
    assert!(piped.starts_with(&[0x1a, 0x45, 0xdf, 0xa3]));
}

#[test]
fn the_second_video_stream() {
    let Some(folder) = folder("second") else { return };
    let inputs = "-f lavfi -i testsrc2=s=64x48:r=25:d=0.8 -f lavfi -i testsrc2=s=96x64:r=25:d=0.8";
    ffmpeg(&folder, &format!("{inputs} -map 0 -map 1 -c:v mpeg4 in.mkv"));
    dndi(&folder, "-q --video-stream 1 in.mkv out.mkv").succeeds();
    assert_eq!(of_kind(&probe(&folder, "out.mkv"), "video")[0]["width"], 96);
    dndi(&folder, "-y --video-stream 2 in.mkv out.mkv").fails(2, "has 2 video streams, from 0");
}

#[test]
fn the_encoder_is_chosen() {
    let Some(folder) = folder("encoder") else { return };
    ffmpeg(&folder, &format!("{} {VIDEO} -c:a pcm_s16le in.mkv", sources("64x48", "50", 0.6)));
    let run = |option: &str| {
        let mut command = folder.plain("-y -q in.mkv out.mov --deinterlacer gen6");
        let output = command.args(["--encoder", option]).output().unwrap();
        assert!(output.status.success(), "{option}: {output:?}");
        let report = probe(&folder, "out.mov");
        let name = |kind| of_kind(&report, kind)[0]["codec_name"].as_str().unwrap().to_owned();
        (name("video"), name("audio"), of_kind(&report, "video")[0]["pix_fmt"].as_str().unwrap().to_owned())
    };
    assert_eq!(run("-c:v prores_ks -profile:v 3 -c:a aac"), ("prores".into(), "aac".into(), "yuv422p10le".into()));
    assert_eq!(run("-crf 30 -metadata 'comment=two words'"), ("h264".into(), "pcm_s16le".into(), "yuv420p".into()));
    let printed = String::from_utf8(dndi(&folder, "-y in.mkv new.mkv --print-command").succeeds().stdout).unwrap();
    assert_eq!(printed.lines().count(), 2, "{printed}");
    assert!(printed.lines().all(|line| line.starts_with("ffmpeg -nostdin ")) && printed.contains(" -crf 16 -pix_fmt yuv420p "));
    assert!(!folder.path("new.mkv").exists());
}

#[test]
fn inspect_and_view() {
    let Some(folder) = folder("inspect") else { return };
    ffmpeg(&folder, &format!("{} {VIDEO} -c:a ac3 in.mkv", sources("64x48", "50", 1.0)));
    let result = crate::program::RunResult::new("inspect", folder.plain("inspect in.mkv").output().unwrap()).succeeds();
    let text = String::from_utf8(result.stdout).unwrap();
    assert!(text.contains("64x48 420, 25 frames/s") && text.contains("flagged    interlaced, top field first"), "{text}");
    assert!(text.contains("\ncommand    dndi in.mkv in-progressive.mkv\n"), "{text}");
    let view = folder.plain("view --frame 3 in.mkv out.png").output().unwrap();
    assert!(view.status.success() && folder.read("out.png").starts_with(b"\x89PNG"), "{view:?}");
}
