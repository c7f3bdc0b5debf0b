//! `--chunk`, `--only`, `--jobs` and `dndi join`.

use crate::clip::Clip;
use crate::fields::{self, noisy, pattern};
use crate::program::{Folder, RunResult};
use std::fs;

const TAGS: &str = "W160 H96 F30000:1001 It Cmono";

/// Film and then video, 70 frames.
fn film_and_video() -> Clip {
    let fields = [pattern(&[3, 2], 0, 32), (40..100).collect()].concat();
    Clip::of_fields(&fields::Clip::new(fields).painted(noisy), TAGS.to_owned())
}

fn run(folder: &Folder, arguments: &str) -> RunResult {
    RunResult::new(arguments, folder.plain(arguments).output().unwrap())
}

/// The reports that a run writes.
const REPORTS: &str = "-q -y --stats stats --framemd5 frames --timecodes times";

/// Output and reports, after removing them.
fn take(folder: &Folder, output: &str) -> Vec<Vec<u8>> {
    let take = |name: &str| {
        let bytes = folder.read(name);
        fs::remove_file(folder.path(name)).unwrap();
        bytes
    };
    [output, "stats", "frames", "times"].map(take).into()
}

/// The numbers of the input frames of the rows of `--stats`.
fn steps(stats: &[u8]) -> Vec<u64> {
    let rows = std::str::from_utf8(stats).unwrap().lines();
    rows.map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap()["step"].as_u64().unwrap()).collect()
}

#[test]
fn jobs_threads_and_pipes_give_the_same_output() {
    let folder = Folder::new("chunks_jobs");
    let clip = film_and_video();
    folder.write("in.y4m", clip.bytes());
    // Frames whose lines have different lengths.
    let flags: Vec<&str> = (0..clip.frames.len()).map(|frame| if frame % 3 == 0 { "Itii" } else { "Itii Xlong" }).collect();
    folder.write("mixed.y4m", clip.tagged(&TAGS.replace("It", "Im")).flagged(&flags).bytes());
    for (input, options) in [
        ("in.y4m", "--chunk 13:6 --rate field"),
        ("in.y4m", "--chunk 7:0 --rate film --skip 3 --warmup 2 --frames 50"),
        ("mixed.y4m", "--chunk 20:8 --rate frame --field-order header"),
    ] {
        let first = format!("{REPORTS} {options} --jobs 1 --threads 1 {input} out.y4m");
        run(&folder, &first).succeeds();
        let expected = take(&folder, "out.y4m");
        for jobs in ["--jobs 2 --threads 2", "--jobs 4 --threads 3", ""] {
            run(&folder, &format!("{REPORTS} {options} {jobs} {input} out.y4m")).succeeds();
            assert!(take(&folder, "out.y4m") == expected, "{options} {jobs}");
        }
        let piped = format!("--field-order auto --film auto {REPORTS} {options} --jobs 3 - out.y4m");
        folder.pipe(&piped, &folder.read(input)).succeeds();
        assert!(take(&folder, "out.y4m") == expected, "{options} from a pipe");
    }
}

#[test]
fn one_chunk_is_the_clip() {
    let folder = Folder::new("chunks_one");
    folder.write("in.y4m", film_and_video().bytes());
    for options in ["", "--rate frame", "--rate film", "--skip 9 --warmup 4 --frames 40", "--deinterlacer best"] {
        run(&folder, &format!("{REPORTS} {options} in.y4m out.y4m")).succeeds();
        let expected = take(&folder, "out.y4m");
        for chunk in ["--chunk 70", "--chunk 1000:0"] {
            run(&folder, &format!("{REPORTS} {options} {chunk} in.y4m out.y4m")).succeeds();
            assert!(take(&folder, "out.y4m") == expected, "{options} {chunk}");
        }
    }
}

#[test]
fn parts_join_to_the_output() {
    let folder = Folder::new("chunks_parts");
    let clip = film_and_video();
    let deep = Clip::new("W64 H48 F25:1 Ib C422p10", 17);
    for (clip, options, count) in [
        (&clip, "--chunk 17:9 --rate field", 5),
        (&clip, "--chunk 17:9 --rate frame", 5),
        (&clip, "--chunk 13:9 --rate film", 6),
        (&deep, "--chunk 5:2 --denoise-motion on --denoise medium", 4),
        (&deep, "--chunk 1:0 --rate film", 17),
    ] {
        folder.write("in.y4m", clip.bytes());
        run(&folder, &format!("{REPORTS} {options} in.y4m out.y4m")).succeeds();
        let [out, stats, _, times] = take(&folder, "out.y4m").try_into().unwrap();
        assert_eq!(steps(&stats), (0..clip.frames.len() as u64).collect::<Vec<_>>(), "{options}");
        let (mut all_stats, mut all_times, mut parts) = (vec![], b"# timestamp format v2\n".to_vec(), vec![]);
        // With times the rate of film would vary; parts of it count their outputs.
        for index in 0..count {
            run(&folder, &format!("{REPORTS} {options} --only {index} in.y4m {index}.y4m")).succeeds();
            let part = folder.read(&format!("{index}.y4m"));
            let [_, stats, _, times] = take(&folder, &format!("{index}.y4m")).try_into().unwrap();
            folder.write(&format!("{index}.y4m"), part);
            all_stats.extend(stats);
            all_times.extend_from_slice(times.strip_prefix(b"# timestamp format v2\n").unwrap());
            parts.insert(0, format!("{index}.y4m"));
        }
        assert!(all_times == times, "{options}");
        assert!(options.contains("film") || all_stats == stats, "{options}");
        run(&folder, &format!("join -y joined.y4m {}", parts.join(" "))).succeeds();
        assert!(folder.read("joined.y4m") == out, "{options}");
        // A pipe makes the same frames.
        folder
            .pipe(&format!("-y -q --field-order auto --film auto {options} --timecodes times --only 1 - 1p.y4m"), &clip.bytes())
            .succeeds();
        assert_eq!(Clip::parse(&folder.read("1p.y4m")).frames, Clip::parse(&folder.read("1.y4m")).frames, "{options}");
    }
}

#[test]
fn wrong_parts() {
    let folder = Folder::new("chunks_wrong");
    let clip = Clip::new("W32 H16 F25:1 It Cmono", 25);
    folder.write("in.y4m", clip.bytes());
    folder.write("other.y4m", Clip::new("W32 H16 F25:1 It Cmono", 30).bytes());
    for index in 0..3 {
        run(&folder, &format!("-q --chunk 10:5 --only {index} in.y4m {index}.y4m")).succeeds();
    }
    run(&folder, "-q --chunk 10:5 --only 1 other.y4m foreign.y4m").succeeds();
    run(&folder, "-q --chunk 10:5 --denoise off --only 1 in.y4m settings.y4m").succeeds();
    run(&folder, "-q --chunk 10:6 --only 1 in.y4m warmup.y4m").succeeds();
    let part = folder.read("1.y4m");
    let cut = part.len() - (32 * 16 + 6);
    folder.write("cut.y4m", &part[..cut]);
    folder.write("half.y4m", &part[..cut + 9]);
    for (parts, code, text) in [
        ("0.y4m 1.y4m", 2, "chunk 2 of 3 is missing"),
        ("2.y4m 0.y4m", 2, "chunk 1 is missing"),
        ("1.y4m 2.y4m", 2, "chunk 0 is missing"),
        ("0.y4m 1.y4m 2.y4m 1.y4m", 2, "are both chunk 1"),
        ("0.y4m foreign.y4m 2.y4m", 2, "different outputs"),
        ("0.y4m settings.y4m 2.y4m", 2, "different outputs"),
        ("0.y4m warmup.y4m 2.y4m", 2, "different outputs"),
        ("0.y4m cut.y4m 2.y4m", 3, "has 19 frames of 20"),
        ("0.y4m half.y4m 2.y4m", 3, "ends inside frame 19"),
        ("0.y4m in.y4m 2.y4m", 2, "is no part"),
        ("0.y4m missing.y4m 2.y4m", 1, "cannot open missing.y4m"),
    ] {
        run(&folder, &format!("join out.y4m {parts}")).fails(code, text);
        assert!(!folder.path("out.y4m").exists(), "{parts}");
    }
    run(&folder, "join 0.y4m 0.y4m 1.y4m 2.y4m").fails(2, "0.y4m exists");
    run(&folder, "join -y 0.y4m 0.y4m 1.y4m 2.y4m").fails(2, "used twice");
    run(&folder, "join out.y4m 0.y4m 1.y4m 2.y4m --lossless").fails(2, "--lossless applies to outputs such as .mkv");
    run(&folder, "join out.y4m 2.y4m 0.y4m 1.y4m").succeeds();
    // From a pipe the last part states the number of parts.
    for index in 0..3 {
        folder.pipe(&format!("-q --chunk 10:5 --only {index} - p{index}.y4m"), &clip.bytes()).succeeds();
    }
    run(&folder, "join joined.y4m p0.y4m p1.y4m").fails(2, "chunk 2 is missing");
    run(&folder, "join joined.y4m p0.y4m p1.y4m p2.y4m").succeeds();
}

#[test]
fn usage() {
    let folder = Folder::new("chunks_usage");
    let clip = Clip::new("W32 H16 F25:1 It Cmono", 25);
    folder.write("in.y4m", clip.bytes());
    let bytes = clip.bytes();
    folder.write("cut.y4m", &bytes[..bytes.len() - 100]);
    for (arguments, code, text) in [
        ("--chunk 0 in.y4m out.y4m", 2, "at least one frame"),
        ("--chunk 5: in.y4m out.y4m", 2, "write C or C:W"),
        ("--only 1 in.y4m out.y4m", 2, "--chunk"),
        ("--jobs 2 in.y4m out.y4m", 2, "--chunk"),
        ("--chunk 10 --only 3 in.y4m out.y4m", 2, "the clip has chunks 0 to 2"),
        ("--chunk 10 --only 3 --frames 5 in.y4m out.y4m", 2, "the clip has only chunk 0"),
        ("--chunk 10 --only 0 in.y4m out.mkv", 2, "--only writes a part as y4m"),
        ("--chunk 10 --only 0 --rgb raw in.y4m out.rgb", 2, "--only writes a part as y4m"),
        ("--chunk 10 --only 2 cut.y4m part.y4m", 3, "ends inside frame 24"),
        ("--chunk 10 --jobs 2 cut.y4m out.y4m", 3, "ends inside frame 24"),
    ] {
        run(&folder, &format!("-q -y {arguments}")).fails(code, text);
    }
    // No empty part stays behind.
    assert!(!folder.path("part.y4m").exists());
    // The frames before the end are written.
    assert_eq!(Clip::parse(&folder.read("out.y4m")).frames.len(), 48);
    folder.pipe("-q --chunk 10 --only 3 - late.y4m", &bytes).fails(2, "the clip has chunks 0 to 2");
    folder.write("empty.y4m", "YUV4MPEG2 W32 H16 F25:1 It Cmono\n");
    run(&folder, "--chunk 10 empty.y4m none.y4m").warns("no frames");
}
