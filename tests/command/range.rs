//! `--skip`, `--warmup` and `--frames`, compared with runs over the whole clip.

use crate::clip::Clip;
use crate::program::Folder;

const FRAMES: usize = 7;

struct Runner(Folder);

impl Runner {
    fn new(name: &str, clip: &Clip) -> Runner {
        let folder = Folder::new(name);
        folder.write("in.y4m", clip.bytes());
        Runner(folder)
    }

    /// Output frames, and the rows of statistics without their fields about the output frames.
    #[track_caller]
    fn run(&self, options: &str) -> (Clip, Vec<String>) {
        self.0.run(&format!("-y -q {options} --stats stats in.y4m out.y4m")).succeeds();
        let step = |row: &str| row.split(",\"frame\"").next().unwrap().split(",\"outputs\"").next().unwrap().to_owned();
        (Clip::parse(&self.0.read("out.y4m")), self.0.read_text("stats").lines().map(step).collect())
    }

    /// Numbers of the output frames in each row of statistics.
    #[track_caller]
    fn numbers(&self, options: &str) -> Vec<Vec<u64>> {
        self.0.run(&format!("-y -q {options} --stats stats in.y4m out.y4m")).succeeds();
        let number = |output: &serde_json::Value| output["frame"].as_u64().unwrap();
        let row = |row: &str| {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            row["outputs"].as_array().unwrap().iter().map(number).collect()
        };
        self.0.read_text("stats").lines().map(row).collect()
    }
}

/// A run that is warmed up from the first frame equals the end of a run over the whole clip.
#[test]
fn warmed_up_from_the_first_frame() {
    let runner = Runner::new("warm", &Clip::new("W24 H16 F25:1 It C422", FRAMES));
    for options in ["", "--rate frame", "--deinterlace off", "--denoise off", "--chroma 420"] {
        let (whole, rows) = runner.run(options);
        let each = whole.frames.len() / FRAMES;
        for skip in 0..=FRAMES {
            let (clip, some) = runner.run(&format!("{options} --skip {skip} --warmup {skip}"));
            assert_eq!(clip.tags, whole.tags);
            assert!(clip.frames == whole.frames[each * skip..], "{options} from {skip}");
            assert_eq!(some, rows[skip..], "{options} from {skip}");
        }
        for frames in 0..FRAMES {
            let (clip, some) = runner.run(&format!("{options} --frames {frames}"));
            // The last field cannot use the frame after it.
            let (short, _) = Runner::new("warm_short", &Clip::new("W24 H16 F25:1 It C422", FRAMES).part(0..frames)).run(options);
            assert!(clip == short, "{options} {frames} frames");
            assert_eq!(clip.frames.len(), each * frames);
            assert_eq!(some, rows[..frames]);
        }
    }
}

/// Rows list the written frames, with their numbers in the whole output. The last row includes
/// the frame from the end of the stream.
#[test]
fn frames_are_counted_from_the_first_input_frame() {
    let runner = Runner::new("counted", &Clip::new("W24 H16 F25:1 It C422", 4));
    assert_eq!(runner.numbers("--deinterlace off --skip 2"), [[2], [3]]);
    let gen6 = |options: &str| runner.numbers(&format!("--deinterlacer gen6 {options}"));
    assert_eq!(gen6(""), [vec![0], vec![1, 2], vec![3, 4], vec![5, 6, 7]]);
    assert_eq!(gen6("--rate frame"), [[0], [1], [2], [3]]);
    assert_eq!(gen6("--skip 2 --warmup 1"), [vec![4], vec![5, 6, 7]]);
    assert_eq!(gen6("--skip 1 --frames 2"), [vec![2], vec![3, 4, 5]]);
    // The other deinterlacers complete a frame when they have read the next one.
    assert_eq!(runner.numbers(""), [vec![], vec![0, 1], vec![2, 3], vec![4, 5, 6, 7]]);
    assert_eq!(runner.numbers("--rate frame"), [vec![], vec![0], vec![1], vec![2, 3]]);
    assert_eq!(runner.numbers("--skip 2 --warmup 1"), [vec![], vec![4, 5, 6, 7]]);
    assert_eq!(runner.numbers("--skip 1 --frames 2"), [vec![], vec![2, 3, 4, 5]]);
}

/// A run without warm-up equals a run over the rest of the clip. It counts its steps from the first
/// frame of the input.
#[test]
fn without_warmup() {
    let clip = Clip::new("W24 H16 F25:1 Ib C420jpeg", FRAMES);
    let runner = Runner::new("no_warmup", &clip);
    for skip in 0..FRAMES {
        let (rest, rest_rows) = Runner::new("no_warmup_rest", &clip.part(skip..FRAMES)).run("");
        let (some, rows) = runner.run(&format!("--skip {skip}"));
        assert!(some == rest, "from {skip}");
        for (number, (row, rest)) in rows.iter().zip(&rest_rows).enumerate() {
            let renumbered = rest.replacen(&format!("\"step\":{number},"), &format!("\"step\":{},", number + skip), 1);
            assert_eq!(*row, renumbered);
        }
        assert_eq!(rows.len(), FRAMES - skip);
    }
}

/// A run with a short warm-up equals a run that begins with the warm-up, without its first outputs.
#[test]
fn partly_warmed_up() {
    let clip = Clip::new("W24 H16 F25:1 It C422", FRAMES);
    let runner = Runner::new("partly", &clip);
    for (skip, warmup, frames) in [(3, 1, 2), (3, 2, 4), (5, 4, 1), (6, 1, 9)] {
        let begin = skip - warmup;
        let end = FRAMES.min(skip + frames);
        let (rest, rows) = Runner::new("partly_rest", &clip.part(begin..end)).run("");
        let (some, some_rows) = runner.run(&format!("--skip {skip} --warmup {warmup} --frames {frames}"));
        assert!(some.frames == rest.frames[2 * warmup..], "{skip} {warmup} {frames}");
        assert_eq!(some_rows.len(), end - skip);
        for (row, number) in some_rows.iter().zip(skip..) {
            assert!(row.starts_with(&format!("{{\"step\":{number},")), "{row}");
            assert_eq!(
                row.split_once(','),
                rows[number - begin].split_once(',').map(|(_, rest)| (&row[..row.find(',').unwrap()], rest))
            );
        }
    }
    // The warm-up changes the output, so the comparison is meaningful.
    assert_ne!(runner.run("--skip 3").0, runner.run("--skip 3 --warmup 3").0);
}

/// Without stages the output is the requested part of the input.
#[test]
fn without_stages() {
    let clip = Clip::new("W24 H16 F25:1 It C422", FRAMES);
    let runner = Runner::new("without_stages", &clip);
    for skip in 0..=FRAMES {
        for warmup in [0, skip / 2, skip] {
            for frames in [0, 1, 3, FRAMES] {
                let options = format!("--denoise off --deinterlace off --skip {skip} --warmup {warmup} --frames {frames}");
                let (some, rows) = runner.run(&options);
                let end = FRAMES.min(skip + frames);
                assert!(some == clip.part(skip..end), "{options}");
                assert_eq!(rows.len(), end - skip, "{options}");
            }
        }
    }
}

#[test]
fn beyond_the_end() {
    let clip = Clip::new("W24 H16 F25:1 It C422", FRAMES);
    let folder = Folder::new("beyond");
    folder.write("in.y4m", clip.bytes());
    for options in ["--skip 7", "--skip 100 --warmup 100", "--skip 18446744073709551615 --frames 18446744073709551615"] {
        folder.run(&format!("-y {options} --stats stats in.y4m out.y4m")).warns("the input has 7 frames");
        assert_eq!(Clip::parse(&folder.read("out.y4m")).frames.len(), 0);
        assert!(folder.read("stats").is_empty());
    }
    folder.run("-y --frames 18446744073709551615 in.y4m out.y4m").succeeds();
    assert_eq!(Clip::parse(&folder.read("out.y4m")).frames.len(), 2 * FRAMES);
}

/// `--skip` seeks in a file: a hundred gigabytes, all of them holes, take no time.
#[test]
#[cfg(target_os = "linux")]
fn skipped_frames_of_a_file_are_not_read() {
    use std::io::{Seek, SeekFrom, Write};
    use std::time::{Duration, Instant};
    const SKIPPED: usize = 500;
    let folder = Folder::new("skipped_by_seeking");
    let mut file = std::fs::File::create(folder.path("in.y4m")).unwrap();
    file.write_all(b"YUV4MPEG2 W8192 H8192 F25:1 Ip C444\n").unwrap();
    for _ in 0..SKIPPED {
        file.write_all(b"FRAME\n").unwrap();
        file.seek(SeekFrom::Current(3 * 8192 * 8192)).unwrap();
    }
    let end = file.stream_position().unwrap();
    file.set_len(end).unwrap();
    let begin = Instant::now();
    let run = |arguments: &str| folder.run(&format!("-y {arguments} --skip {SKIPPED} --frames 0 in.y4m out.y4m"));
    run("").succeeds();
    let mut piped = folder.command(&format!("-y --skip {SKIPPED} --frames 0 - out.y4m"));
    piped.stdin(std::fs::File::open(folder.path("in.y4m")).unwrap());
    assert!(piped.status().unwrap().success());
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    // The end of the file is found inside the last frame.
    file.set_len(end - 1).unwrap();
    run("").fails(3, "the input ends inside frame 499: 201326591 of 201326592 bytes");
    std::fs::remove_file(folder.path("in.y4m")).unwrap();
}
