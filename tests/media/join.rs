//! `dndi join` with an output that ffmpeg encodes.

use crate::program::RunResult;
use crate::tools::{dndi, ffmpeg, folder, md5, of_kind, probe, sources, times};

#[track_caller]
fn join(folder: &crate::program::Folder, arguments: &str) -> RunResult {
    RunResult::new(arguments, folder.plain(&format!("join {arguments}")).output().unwrap())
}

#[test]
fn parts_become_a_media_file() {
    let Some(folder) = folder("join") else { return };
    let video = "-vf interlace=scan=tff -c:v mpeg2video -flags +ildct+ilme -top 1 -q:v 3 -colorspace bt470bg -color_range tv";
    ffmpeg(&folder, &format!("{} {video} -c:a ac3 -metadata title=Tape plain.mkv", sources("64x48", "50", 1.2)));
    // The picture begins after the sound.
    ffmpeg(&folder, "-itsoffset 0.43 -i plain.mkv -i plain.mkv -map 0:v -map 1:a -c copy in.mkv");
    for index in 0..3 {
        dndi(&folder, &format!("-q --rate field --chunk 10:5 --only {index} in.mkv {index}.y4m")).succeeds();
    }
    let parts = "2.y4m 0.y4m 1.y4m";
    dndi(&folder, "-q --rate field --chunk 10:5 --lossless in.mkv one.mkv").succeeds();
    let result = join(&folder, &format!("out.mkv {parts} --source in.mkv --lossless")).succeeds();
    assert_eq!(result.stderr, "");
    assert_eq!(md5(&folder, "out.mkv"), md5(&folder, "one.mkv"));
    for stream in ["v:0", "a:0"] {
        let [(first, last, count), (want_first, want_last, want)] =
            ["out.mkv", "one.mkv"].map(|file| times(&folder, file, stream));
        assert_eq!(count, want, "{stream}");
        assert!(
            (first - want_first).abs() < 0.002 && (last - want_last).abs() < 0.002,
            "{stream}: {first} {want_first}, {last} {want_last}"
        );
    }
    let report = probe(&folder, "out.mkv");
    assert_eq!(
        (of_kind(&report, "audio")[0]["codec_name"].as_str(), report["format"]["tags"]["title"].as_str()),
        (Some("ac3"), Some("Tape"))
    );
    let stream = of_kind(&report, "video")[0];
    assert_eq!((&stream["color_space"], &stream["field_order"]), (&"bt470bg".into(), &"progressive".into()));
    // Other parts than those of the whole source.
    for index in 0..2 {
        dndi(&folder, &format!("-q -y --rate field --chunk 10:5 --frames 12 --only {index} in.mkv {index}.y4m")).succeeds();
    }
    join(&folder, "short.mp4 0.y4m 1.y4m --source in.mkv").warns("the parts last 0.48 s and the video of in.mkv 1.2");
    join(&folder, "silent.mov 0.y4m 1.y4m").succeeds();
    let report = probe(&folder, "silent.mov");
    assert_eq!((of_kind(&report, "audio").len(), of_kind(&report, "video")[0]["nb_frames"].as_str()), (0, Some("24")));
    // Nothing else is in the folder.
    join(&folder, "silent.mov 0.y4m 1.y4m").fails(2, "silent.mov exists; -y overwrites it");
    join(&folder, "-y in.mkv 0.y4m 1.y4m --source in.mkv").fails(2, "used twice");
    join(&folder, "out.y4m 0.y4m 1.y4m --source in.mkv").fails(2, "--source applies to outputs such as .mkv");
    join(&folder, "none.mp4 0.y4m 1.y4m --lossless").fails(2, "mp4 cannot hold FFV1");
    join(&folder, "none.mkv 0.y4m 1.y4m --source none.avi").fails(3, "none.avi");
    join(&folder, "none.mkv 0.y4m 1.y4m --encoder=-c:v=nothing").fails(1, "ffmpeg cannot encode the output");
    assert!(!folder.files().iter().any(|name| name.contains("none") || name.ends_with(".part")));
}
