//! Runs ffmpeg and ffprobe.

use crate::program::{Folder, RunResult};
use serde_json::Value;
use std::process::{Command, Stdio};

/// Options that make runs fast; the results depend on no detection.
pub const FAST: &str = "--deinterlacer gen6 --denoise off";

/// The folder of a test; none without ffmpeg.
pub fn folder(name: &str) -> Option<Folder> {
    let runs = |program: &str| Command::new(program).arg("-version").output().is_ok();
    if runs("ffmpeg") && runs("ffprobe") {
        return Some(Folder::new(&format!("media-{name}")));
    }
    eprintln!("skipped: ffmpeg or ffprobe is not installed");
    None
}

/// Runs ffmpeg with these arguments, which spaces separate, and returns its stdout.
#[track_caller]
pub fn ffmpeg(folder: &Folder, arguments: &str) -> Vec<u8> {
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-nostdin", "-y"]).args(arguments.split_whitespace());
    let output = command.current_dir(folder.path(".")).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "ffmpeg {arguments}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// An interlaced test picture and a tone, as inputs 0 and 1 of ffmpeg, of some seconds.
pub fn sources(size: &str, rate: &str, seconds: f64) -> String {
    let audio = format!("-f lavfi -i sine=r=48000:d={seconds}");
    format!("-f lavfi -i testsrc2=s={size}:r={rate}:d={seconds} {audio}")
}

/// Runs dndi.
#[track_caller]
pub fn dndi(folder: &Folder, arguments: &str) -> RunResult {
    RunResult::new(arguments, folder.plain(&format!("{arguments} {FAST}")).output().unwrap())
}

/// The streams, chapters and tags of a file.
pub fn probe(folder: &Folder, file: &str) -> Value {
    let mut command = Command::new("ffprobe");
    command.args(["-v", "error", "-of", "json", "-show_format", "-show_streams", "-show_chapters", file]);
    let output = command.current_dir(folder.path(".")).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The streams of a kind.
pub fn of_kind<'a>(report: &'a Value, kind: &str) -> Vec<&'a Value> {
    report["streams"].as_array().unwrap().iter().filter(|stream| stream["codec_type"] == kind).collect()
}

/// The times in seconds of the frames of the first video stream, or of the packets of the first
/// audio stream: the first one, the last one and their number.
pub fn times(folder: &Folder, file: &str, stream: &str) -> (f64, f64, usize) {
    let mut command = Command::new("ffprobe");
    command.args(["-v", "error", "-of", "csv=p=0", "-show_entries", "packet=pts_time", "-select_streams", stream, file]);
    let output = command.current_dir(folder.path(".")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut times: Vec<f64> = text.lines().filter_map(|line| line.trim_end_matches(',').parse().ok()).collect();
    times.sort_by(f64::total_cmp);
    (times[0], times[times.len() - 1], times.len())
}

/// The MD5 of the samples of all frames of the video.
pub fn md5(folder: &Folder, file: &str) -> String {
    let printed = ffmpeg(folder, &format!("-i {file} -map 0:v:0 -fps_mode passthrough -c:v rawvideo -f md5 -"));
    String::from_utf8(printed).unwrap()
}

/// The MD5 of the frames that dndi makes of the file if ffmpeg decodes it to y4m.
pub fn md5_of_pipe(folder: &Folder, file: &str, options: &str) -> String {
    ffmpeg(folder, &format!("-i {file} -map 0:v:0 -fps_mode passthrough -strict -1 -f yuv4mpegpipe piped.y4m"));
    let result = dndi(folder, &format!("-y -q --md5 {options} piped.y4m piped-out.y4m")).succeeds();
    String::from_utf8(result.stdout).unwrap()
}
