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

/// Audio is converted to a codec and a rate that the container can hold.
#[test]
fn audio_of_other_containers() {
    let Some(folder) = folder("audio") else { return };
    let codecs = "-c:a:0 aac -ar:a:0 44100 -c:a:1 libopus -c:a:2 flac -c:a:3 pcm_s16be -ar:a:3 44100 -c:a:4 mp2";
    let maps = "-map 0:v -map 1:a -map 1:a -map 1:a -map 1:a -map 1:a";
    ffmpeg(&folder, &format!("{} {maps} {VIDEO} {codecs} in.mkv", sources("320x240", "50", 0.6)));
    for (name, want) in [
        ("out.mpg", "ac3 ac3 ac3 pcm_dvd mp2"),
        ("out.vob", "ac3 ac3 ac3 pcm_dvd mp2"),
        ("out.ts", "aac opus ac3 ac3 mp2"),
        ("out.avi", "aac mp3 flac pcm_s24le mp2"),
        ("out.flv", "aac"),
        ("out.3gp", "aac aac aac aac aac"),
        ("out.ogv", "vorbis opus flac vorbis vorbis"),
        ("out.mxf", "pcm_s24le pcm_s24le pcm_s24le pcm_s24le pcm_s24le"),
        ("out.webm", "opus opus opus opus opus"),
    ] {
        dndi(&folder, &format!("--rate frame in.mkv {name}"));
        let report = probe(&folder, name);
        let mut found: Vec<_> = of_kind(&report, "audio").iter().map(|stream| stream["codec_name"].as_str().unwrap()).collect();
        // ffprobe lists the streams of a program stream in the order of their numbers.
        let mut want: Vec<_> = want.split(' ').collect();
        found.sort_unstable();
        want.sort_unstable();
        assert_eq!(found, want, "{name}");
    }
    let rates: Vec<_> = of_kind(&probe(&folder, "out.mxf"), "audio").iter().map(|stream| stream["sample_rate"].clone()).collect();
    assert_eq!(rates, ["48000"; 5]);
    // libopus has no order of channels for the layout of a DVD.
    ffmpeg(&folder, &format!("{} {VIDEO} -c:a ac3 -ac 6 six.mkv", sources("64x48", "50", 0.6)));
    dndi(&folder, "six.mkv six.webm").warns("stream 1 (audio, ac3) is converted with libopus: webm cannot hold it as it is");
    assert_eq!(of_kind(&probe(&folder, "six.webm"), "audio")[0]["channels"], 6);
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
    // A profile may choose it, too; the command line overrides that.
    folder.write("p.toml", "\nencoder = \"-c:v libx265 -crf 20\"\n");
    let commands = |arguments: &str| {
        let output = folder.plain(&format!("{arguments} --profile p.toml in.mkv new.mkv --print-command")).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(commands("").contains(" -c:v libx265 -crf 20 "), "{}", commands(""));
    assert!(!commands("--encoder=-crf").contains("libx265") && commands("--encoder=-crf").contains("libx264"));
    let dumped = String::from_utf8(dndi(&folder, "--profile p.toml --dump-config").succeeds().stdout).unwrap();
    assert!(dumped.contains("\nencoder = \"-c:v libx265 -crf 20\"\n"), "{dumped}");
    dndi(&folder, "--profile p.toml in.mkv new.y4m").fails(2, "p.toml: line 2: encoder applies to outputs such as .mkv");
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
    // A name is no option.
    std::fs::copy(folder.path("in.mkv"), folder.path("-in.mkv")).unwrap();
    let text = String::from_utf8(folder.run("inspect -- -in.mkv").succeeds().stdout).unwrap();
    assert!(text.contains("\ncommand    dndi ./-in.mkv ./-in-progressive.mkv\n"), "{text}");
    let view = folder.plain("view --frame 3 in.mkv out.png").output().unwrap();
    assert!(view.status.success() && folder.read("out.png").starts_with(b"\x89PNG"), "{view:?}");
}

/// The time code of a QuickTime file is a stream of its own there, and metadata in Matroska.
#[test]
fn time_codes_are_kept() {
    let Some(folder) = folder("timecode") else { return };
    ffmpeg(&folder, &format!("-f lavfi -i testsrc2=s=64x48:r=50:d=0.6 {VIDEO} -timecode 10:20:30:05 in.mov"));
    assert_eq!(of_kind(&probe(&folder, "in.mov"), "data")[0]["codec_tag_string"], "tmcd");
    dndi(&folder, "in.mov out.mov").succeeds();
    dndi(&folder, "in.mov out.mkv").succeeds();
    let report = probe(&folder, "out.mov");
    assert_eq!(of_kind(&report, "data")[0]["codec_tag_string"], "tmcd");
    assert_eq!(of_kind(&report, "data")[0]["tags"]["timecode"], "10:20:30:05");
    let report = probe(&folder, "out.mkv");
    let tags = of_kind(&report, "video")[0]["tags"].as_object().unwrap();
    let tag = tags.iter().find(|(name, _)| name.eq_ignore_ascii_case("timecode"));
    assert_eq!(tag.and_then(|(_, value)| value.as_str()), Some("10:20:30:05"), "{tags:?}");
}

/// Captions of MPEG-2 are user data of each picture. ffmpeg cannot write them, so the test does.
#[test]
fn closed_captions_are_reported() {
    const SLICE: &[u8] = &[0, 0, 1, 1];
    const CAPTIONS: &[u8] = b"\0\0\x01\xb2GA94\x03\x41\xff\xfc\x94\x2c\xff";
    let Some(folder) = folder("captions") else { return };
    ffmpeg(&folder, &format!("-f lavfi -i testsrc2=s=64x48:r=50:d=0.6 {VIDEO} plain.m2v"));
    let plain = folder.read("plain.m2v");
    let slices = |at: &usize| plain[*at..].starts_with(SLICE);
    let mut captioned = Vec::new();
    let mut from = 0;
    for at in (0..plain.len()).filter(slices) {
        captioned.extend_from_slice(&plain[from..at]);
        captioned.extend_from_slice(CAPTIONS);
        from = at;
    }
    captioned.extend_from_slice(&plain[from..]);
    folder.write("captioned.m2v", captioned);
    dndi(&folder, "plain.m2v plain.mkv").succeeds();
    dndi(&folder, "captioned.m2v captioned.mkv").warns("captioned.m2v: the closed captions inside of the video are not copied");
    assert_eq!(crate::tools::md5(&folder, "captioned.mkv"), crate::tools::md5(&folder, "plain.mkv"));
}

/// Ends a child process if a test fails.
struct Ended(std::process::Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_url() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let Some(folder) = folder("url") else { return };
    ffmpeg(&folder, &format!("{} {VIDEO} -c:a ac3 in.mkv", sources("64x48", "50", 0.6)));
    let mut server = Command::new("python3");
    server.args(["-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]).current_dir(folder.path("."));
    let Ok(server) = server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn() else {
        eprintln!("skipped: python3 is not installed");
        return;
    };
    let mut server = Ended(server);
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.split(' ').skip_while(|word| *word != "port").nth(1).unwrap_or_else(|| panic!("a port in {line:?}"));
    dndi(&folder, &format!("http://127.0.0.1:{port}/in.mkv url.mkv")).succeeds();
    dndi(&folder, "in.mkv file.mkv").succeeds();
    assert_eq!(crate::tools::md5(&folder, "url.mkv"), crate::tools::md5(&folder, "file.mkv"));
    assert_eq!(of_kind(&probe(&folder, "url.mkv"), "audio").len(), 1);
    dndi(&folder, &format!("http://127.0.0.1:{port}/none.mkv none.mkv")).fails(3, "404");
}

/// A cover stays beside the encoded video, in its own codec.
#[test]
fn a_cover() {
    let Some(folder) = folder("cover") else { return };
    ffmpeg(&folder, "-f lavfi -i color=red:s=32x32 -frames:v 1 cover.jpg");
    let maps = "-map 0:v -map 1:a -map 2:v -c:v:0 mpeg4 -c:v:1 copy -disposition:v:1 attached_pic";
    ffmpeg(&folder, &format!("{} -i cover.jpg {maps} -c:a aac in.mp4", sources("64x48", "50", 0.5)));
    dndi(&folder, "-q in.mp4 out.mp4").succeeds();
    let report = probe(&folder, "out.mp4");
    let described = |stream: &serde_json::Value| (stream["codec_name"].clone(), stream["disposition"]["attached_pic"].clone());
    let found: Vec<_> = of_kind(&report, "video").iter().map(|stream| described(stream)).collect();
    assert_eq!(found, [("h264".into(), 0.into()), ("mjpeg".into(), 1.into())]);
    for name in ["out.mov", "out.mkv"] {
        let result = dndi(&folder, &format!("in.mp4 {name}"));
        let is_reported = result.stderr.contains("stream 2 (picture, mjpeg) is not copied: ffmpeg does not write it to");
        assert!(result.code == Some(0) && is_reported, "{result:?}");
    }
}

/// libx264 takes even sizes alone, FFV1 takes any.
#[test]
fn odd_sizes() {
    let Some(folder) = folder("odd") else { return };
    ffmpeg(&folder, "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -vf scale=353:287 -pix_fmt yuv420p -c:v ffv1 in.mkv");
    dndi(&folder, "-q --lossless in.mkv lossless.mkv").succeeds();
    dndi(&folder, "-q --crop 0,0,352,286 in.mkv out.mkv").succeeds();
    dndi(&folder, "-q in.mkv out.avi").succeeds();
    let result = dndi(&folder, "-q in.mkv out.mp4");
    assert!(result.code == Some(1) && result.stderr.contains("--crop, --scale or --lossless avoid this"), "{result:?}");
}
