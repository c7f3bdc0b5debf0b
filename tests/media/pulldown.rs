//! Film with soft pulldown: 24000/1001 pictures per second whose flags repeat fields, so that they
//! last two and three fields in turn.

use crate::program::Folder;
use crate::tools::{dndi, ffmpeg, folder, of_kind, probe, times};

/// Makes the elementary stream in.m2v of `seconds`, and muxes it with a tone.
fn make(folder: &Folder, seconds: f64) {
    let film = format!("-f lavfi -i testsrc2=s=176x128:r=24000/1001:d={seconds}");
    ffmpeg(folder, &format!("{film} -vf gblur=sigma=2 -c:v mpeg2video -bf 0 -q:v 3 -f mpeg2video plain.m2v"));
    let mut bytes = folder.read("plain.m2v");
    let mut picture = 0;
    for at in 0..bytes.len() - 16 {
        match bytes[at..at + 5] {
            // Sequence header: 30000/1001 frames per second.
            [0, 0, 1, 0xb3, _] => bytes[at + 7] = bytes[at + 7] & 0xf0 | 4,
            // Sequence extension: not progressive only.
            [0, 0, 1, 0xb5, byte] if byte >> 4 == 1 => bytes[at + 5] &= !8,
            // Picture coding extension: fields 2, 3, 2, 3, in progressive frames.
            [0, 0, 1, 0xb5, byte] if byte >> 4 == 8 => {
                let (top, repeat) = [(true, true), (false, false), (false, true), (true, false)][picture % 4];
                bytes[at + 7] = bytes[at + 7] & 0x7f | u8::from(top) << 7 | 0x40;
                bytes[at + 7] = bytes[at + 7] & 0xfd | u8::from(repeat) << 1;
                bytes[at + 8] |= 0x80;
                picture += 1;
            }
            _ => {}
        }
    }
    folder.write("in.m2v", bytes);
    let tone = format!("-f lavfi -i sine=r=48000:d={seconds}");
    ffmpeg(folder, &format!("-fflags +genpts -f mpegvideo -i in.m2v {tone} -c:v copy -c:a ac3 in.vob"));
}

#[test]
fn soft_pulldown_is_removed_and_in_sync() {
    let Some(folder) = folder("soft") else { return };
    make(&folder, 2.0);
    let (old, audio) = (times(&folder, "in.vob", "v:0"), times(&folder, "in.vob", "a:0"));
    for options in ["", "--rate film"] {
        dndi(&folder, &format!("-y -q in.vob out.mkv {options}")).succeeds();
        let (new, new_audio) = (times(&folder, "out.mkv", "v:0"), times(&folder, "out.mkv", "a:0"));
        assert_eq!(new.2, 48, "{options}: frames");
        let duration = new.1 - new.0;
        let want = 47.0 * 1001.0 / 24000.0;
        assert!((duration - want).abs() < 0.03, "{options}: {duration} s, {want} s");
        assert!((old.0 - audio.0 - (new.0 - new_audio.0)).abs() < 0.03, "{options}: {old:?} {audio:?} {new:?} {new_audio:?}");
    }
}

/// Hard telecine beside video: film has 24000/1001 frames per second, video 60000/1001.
#[test]
fn mixed_film_has_a_variable_rate() {
    let Some(folder) = folder("mixed") else { return };
    let film = "-f lavfi -i testsrc2=s=176x144:r=24000/1001:d=2";
    let tone = "-f lavfi -i sine=r=48000:d=2";
    ffmpeg(
        &folder,
        &format!("{film} {tone} -vf telecine=pattern=23 -c:v mpeg2video -flags +ildct+ilme -top 1 -q:v 2 -c:a ac3 in.mkv"),
    );
    dndi(&folder, "-y -q in.mkv out.mkv").succeeds();
    let default = times(&folder, "out.mkv", "v:0");
    dndi(&folder, "-y -q --rate film in.mkv out.mkv").succeeds();
    assert_eq!(times(&folder, "out.mkv", "v:0"), default);
    let (old, new) = (times(&folder, "in.mkv", "v:0"), times(&folder, "out.mkv", "v:0"));
    assert!(new.2.abs_diff(48) <= 1, "{new:?}");
    assert!((old.1 - old.0 - (new.1 - new.0)).abs() < 0.05, "{old:?} {new:?}");
    dndi(&folder, "-y -q --rate film in.mkv out.mp4").succeeds();
    let steps = step_times(&folder, "out.mp4");
    assert!(steps.iter().all(|step| (step - 1001.0 / 24000.0).abs() < 0.0001), "{steps:?}");
}

/// The durations of the frames in seconds.
fn step_times(folder: &Folder, file: &str) -> Vec<f64> {
    let text = ffmpeg(folder, &format!("-i {file} -map 0:v:0 -fps_mode passthrough -enc_time_base -1 -f framemd5 -"));
    let text = String::from_utf8(text).unwrap();
    let base: f64 = text.lines().find_map(|line| line.strip_prefix("#tb 0: 1/")).unwrap().parse().unwrap();
    let pts = |line: &str| line.split(',').nth(2)?.trim().parse::<f64>().ok();
    let times: Vec<f64> = text.lines().filter(|line| !line.starts_with('#')).filter_map(pts).collect();
    times.windows(2).map(|pair| (pair[1] - pair[0]) / base).collect()
}

/// The pictures of blended fields have their own constant rate.
#[test]
fn restored_pictures_have_their_rate() {
    let Some(folder) = folder("deblend") else { return };
    let source = "-f lavfi -i testsrc2=s=352x288:r=24000/1001:d=2";
    let filter = "framerate=fps=50:interp_start=0:interp_end=255:scene=100,tinterlace=interleave_top";
    ffmpeg(&folder, &format!("{source} -vf {filter} -c:v ffv1 in.mkv"));
    dndi(&folder, "-y -q --film deblend in.mkv out.mkv").succeeds();
    let report = probe(&folder, "out.mkv");
    assert_eq!(of_kind(&report, "video")[0]["avg_frame_rate"], "24000/1001");
}

/// A file that is longer than its survey, with film first and video later: ffmpeg decodes windows.
#[test]
fn windows_of_a_long_file_are_surveyed() {
    let Some(folder) = folder("survey") else { return };
    let film = "-f lavfi -i testsrc2=s=176x144:r=24000/1001:d=7";
    let video = "-f lavfi -i testsrc2=s=176x144:r=60000/1001:d=7";
    let filter = "[0]telecine=pattern=23[a];[1]tinterlace=interleave_top[b];[a][b]concat=n=2:v=1";
    let codec = "-c:v mpeg2video -flags +ildct+ilme -top 1 -q:v 2";
    ffmpeg(&folder, &format!("{film} {video} -filter_complex {filter} {codec} in.mkv"));
    let windows = "and interlaced in a survey of 320 frames in 8 parts of the clip";
    for (output, effect) in [("out.mkv", "each picture once, with its own duration"), ("out.y4m", "one frame per field")] {
        let stderr = dndi(&folder, &format!("-y -v --frames 400 in.mkv {output}")).stderr;
        assert!(stderr.contains("film 3:2 and ") && stderr.contains(&format!("{windows}: {effect}")), "{output}: {stderr}");
    }
    // The command that `inspect` prints writes a container with times.
    let found = folder.run("inspect --frames 400 in.mkv").succeeds().stdout;
    let found = String::from_utf8(found).unwrap();
    assert!(found.contains(&format!("{windows}: each picture once, with its own duration")), "{found}");
    assert!(found.contains("(at most 60000/1001 frames/s)"), "{found}");
}

/// A file with 30 frames per second whose header says 25.
#[test]
fn a_wrong_rate_does_not_drift() {
    let Some(folder) = folder("wrong-rate") else { return };
    let times_of_30 = "-vf settb=1/1000,setpts=N*1000/30 -enc_time_base 1:1000 -fps_mode passthrough";
    ffmpeg(&folder, &format!("-f lavfi -i testsrc2=s=64x48:r=25:d=2 {times_of_30} -c:v mpeg4 in.mkv"));
    dndi(&folder, "-q --rate frame in.mkv out.mkv").succeeds();
    let [(first, last, _), (out_first, out_last, count)] = ["in.mkv", "out.mkv"].map(|file| times(&folder, file, "v:0"));
    assert_eq!(count, 50);
    assert!(((out_last - out_first) - (last - first)).abs() < 0.04, "{first} {last} {out_first} {out_last}");
}

/// Five times as many frames in each second as the header says.
#[test]
fn a_burst_does_not_delay_its_end() {
    let Some(folder) = folder("burst") else { return };
    let burst = "-vf settb=1/1000,setpts=N*8 -enc_time_base 1:1000 -fps_mode passthrough";
    ffmpeg(&folder, &format!("-f lavfi -i testsrc2=s=64x48:r=25:d=2 {burst} -c:v mpeg4 in.mkv"));
    for output in ["out.mkv", "out.mp4"] {
        dndi(&folder, &format!("-q --rate frame in.mkv {output}")).succeeds();
        let [(first, last, _), (out_first, out_last, count)] = ["in.mkv", output].map(|file| times(&folder, file, "v:0"));
        assert_eq!(count, 50);
        assert!(((out_last - out_first) - (last - first)).abs() < 0.04, "{first} {last} {out_first} {out_last}");
    }
}
