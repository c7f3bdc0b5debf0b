//! Errors: missing programs, files that are no media, failing encoders, interrupts.

use crate::tools::{dndi, ffmpeg, folder, of_kind, probe, sources};

#[test]
fn without_ffmpeg() {
    let Some(folder) = folder("missing") else { return };
    folder.write("in.avi", "RIFF....AVI ");
    let run = |arguments: &str| {
        let mut command = folder.plain(arguments);
        crate::program::RunResult::new(arguments, command.env("PATH", folder.path(".")).output().unwrap())
    };
    run("in.avi out.y4m").fails(1, "install the package ffmpeg");
    run("in.avi out.y4m").fails(1, "ffmpeg -i in.avi -map 0:v:0 -strict -1 -f yuv4mpegpipe - | dndi - OUTPUT");
    folder.write("in.y4m", "YUV4MPEG2 W4 H4 F25:1 Ip\nFRAME\n012345678901234567890123");
    run("in.y4m out.mkv").fails(1, "out.mkv is not y4m, ffmpeg encodes it, but ffmpeg is not installed");
    run("in.y4m out.mkv --ffmpeg none/ffmpeg").fails(1, "none/ffmpeg is not installed");
    run("in.avi out.y4m --input-format y4m").fails(3, "not a y4m stream");
    assert_eq!(folder.files(), ["in.avi", "in.y4m"]);
}

#[test]
fn invalid_files_and_options() {
    let Some(folder) = folder("invalid") else { return };
    folder.write("in.avi", "RIFF....AVI ");
    dndi(&folder, "in.avi out.mkv").fails(3, "in.avi: not a y4m stream, and ffprobe cannot read it");
    ffmpeg(&folder, "-f lavfi -i sine=d=0.2 tone.wav");
    dndi(&folder, "tone.wav out.mkv").fails(3, "tone.wav: the file has no video stream");
    ffmpeg(&folder, "-f lavfi -i testsrc2=s=64x48:d=0.4 -c:v mpeg4 in.mkv");
    dndi(&folder, "in.mkv out.y4m --lossless").fails(2, "--lossless applies to outputs such as .mkv");
    dndi(&folder, "in.mkv out.mp4 --lossless").fails(2, "mp4 cannot hold FFV1");
    let mut both = folder.plain("in.mkv out.mkv --lossless --encoder");
    let result = crate::program::RunResult::new("", both.arg("-c:v libx264").output().unwrap());
    result.fails(2, "--lossless encodes with FFV1, --encoder with libx264");
    for name in ["out.gif", "out.PNG", "out.h264", "out.hevc"] {
        dndi(&folder, &format!("in.mkv {name}")).fails(2, "writes y4m and containers such as .mkv");
    }
    dndi(&folder, "in.mkv out.mkv --rgb png").fails(2, "--rgb writes PNGs");
    dndi(&folder, "in.mkv out --output-format xyz").fails(2, "--output-format xyz");
    dndi(&folder, "in.mkv out.mkv --encoder -preset=x'").fails(2, "a quote is not closed");
    dndi(&folder, "in.mkv in.mkv").fails(2, "used twice");
    folder.write("old.mkv", "old");
    dndi(&folder, "in.mkv old.mkv").fails(2, "old.mkv exists; -y overwrites it");
    // A failed encoder keeps the old file, and its message is shown.
    let mut command = folder.plain("-y in.mkv old.mkv --encoder");
    let result = crate::program::RunResult::new("", command.arg("-c:v nothing").output().unwrap());
    result.fails(1, "ffmpeg cannot encode the output: Unknown encoder 'nothing'");
    assert_eq!(folder.read("old.mkv"), b"old");
    dndi(&folder, "-y in.mkv old.mkv --frames 0").fails(1, "there are no frames");
    assert_eq!(folder.files(), ["in.avi", "in.mkv", "old.mkv", "tone.wav"]);
}

/// Versions of ffmpeg end with status 0 although the output is not complete.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let Some(folder) = folder("full") else { return };
    ffmpeg(&folder, "-f lavfi -i testsrc2=s=64x48:d=0.4 -c:v mpeg4 in.mkv");
    for format in ["mkv", "ts"] {
        dndi(&folder, &format!("-q -y --output-format {format} in.mkv /dev/full")).fails(1, "No space left on device");
    }
}

/// ffmpeg reads the y4m output of a source with all tags.
#[test]
fn ffmpeg_reads_the_output() {
    let Some(folder) = folder("tagged") else { return };
    let tags = "-colorspace smpte170m -color_primaries bt470bg -color_trc bt709 -color_range tv";
    for format in ["yuv420p", "yuv422p10"] {
        let options = format!("-pix_fmt {format} -c:v ffv1 -field_order tt {tags} -y in.mkv");
        ffmpeg(&folder, &format!("-f lavfi -i testsrc2=s=720x576:r=25:d=0.2 -vf setsar=64/45,setfield=tff {options}"));
        dndi(&folder, "-y -q in.mkv out.y4m").succeeds();
        ffmpeg(&folder, "-i out.y4m -f null -");
    }
}

/// A signal ends both programs and removes the temporary file.
#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_leaves_nothing() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let Some(folder) = folder("interrupt") else { return };
    ffmpeg(&folder, &format!("{} -c:v mpeg4 -c:a ac3 in.mkv", sources("640x480", "25", 60.0)));
    let child = folder.plain("in.mkv out.mkv --denoise strong").stderr(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    while !folder.files().iter().any(|name| name.ends_with(".part")) {
        assert!(begin.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    crate::program::RunResult::new("", output).fails(1, "interrupted after");
    assert_eq!(folder.files(), ["in.mkv"]);
    let running = |entry: std::fs::DirEntry| {
        let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let folder = std::fs::read_link(entry.path().join("cwd")).unwrap_or_default();
        command.starts_with(b"ffmpeg") && folder.ends_with("media-interrupt")
    };
    assert!(!std::fs::read_dir("/proc").unwrap().any(|entry| running(entry.unwrap())));
}

/// Fields are not rotated into columns. ffmpeg 7 ignores the option that makes the clip.
#[test]
fn interlaced_video_is_not_rotated() {
    let Some(folder) = folder("rotated") else { return };
    let fields = "-vf tinterlace=interleave_top,setfield=tff -c:v libx264 -flags +ildct+ilme -x264opts tff=1";
    ffmpeg(&folder, &format!("-f lavfi -i testsrc2=s=128x96:r=50:d=1 {fields} -metadata:s:v rotate=90 in.mp4"));
    if !probe(&folder, "in.mp4").to_string().contains("rotation") {
        eprintln!("this ffmpeg writes no rotation");
        return;
    }
    dndi(&folder, "-y in.mp4 out.mkv").warns("degrees is not applied, since the video has fields");
    let report = probe(&folder, "out.mkv");
    let video = of_kind(&report, "video")[0];
    assert_eq!([&video["width"], &video["height"]], [128, 96]);
    assert_eq!(video["avg_frame_rate"], "50/1");
}

/// The temporary name is longer than that of the output.
#[test]
fn long_names() {
    let Some(folder) = folder("long-name") else { return };
    ffmpeg(&folder, "-f lavfi -i testsrc2=s=64x48:d=0.4 -c:v mpeg4 in.mkv");
    let name = format!("{}.mkv", "x".repeat(251));
    dndi(&folder, &format!("-q in.mkv {name}")).succeeds();
    assert_eq!(folder.files(), ["in.mkv", &name]);
    dndi(&folder, "-q in.mkv none/out.mkv").fails(1, "cannot create none/out.mkv: No such file");
}

/// ffmpeg takes a Matroska stream without a language for English.
#[test]
fn no_language_is_added() {
    let Some(folder) = folder("language") else { return };
    ffmpeg(&folder, "-f lavfi -i testsrc2=s=64x48:d=0.4 -c:v mpeg4 in.avi");
    dndi(&folder, "-q in.avi out.mkv").succeeds();
    assert_eq!(of_kind(&probe(&folder, "out.mkv"), "video")[0]["tags"]["language"], serde_json::Value::Null);
}
