//! Random clips with random options: exit code, output, reports and messages do not depend on the
//! instruction set, the number of threads, the sizes of reads and writes, or the engine.
//!
//! `DNDI_CASES=20000 cargo test --release --test command differential` runs more cases than the
//! default. `DNDI_SEED=123 DNDI_CASES=1` repeats the case of a failure.

use crate::program::{Folder, RunResult};
use crate::random_clip::{self, pick, seeds};
use crate::random_options;
use dndi::convert::Converter;
use dndi::y4m::{self, Reader};
use dndi::{Detector, Error, Format, Scan, SimdLevel, Stream};
use fastrand::Rng;
use std::fs::File;
use std::io::{Read, Write};
use std::ops::Range;
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::{available_parallelism, scope, sleep};
use std::time::{Duration, Instant};

/// Cases of a run without `DNDI_CASES`.
const CASES: u64 = 400;

/// No run of these small clips takes nearly as long.
const LIMIT: Duration = Duration::from_secs(60);

/// Reports, in files of their own.
const REPORTS: [&str; 3] = ["stats", "sums", "times"];

/// The circumstances of a run, on which its result must not depend.
#[derive(Debug)]
struct Run {
    level: SimdLevel,
    threads: usize,
    engine: &'static str,
    /// The size of writes to stdin and of reads from stdout, in bytes; none for files.
    pieces: Option<(usize, usize)>,
}

/// The result of a run.
#[derive(PartialEq)]
struct Outcome {
    code: Option<i32>,
    /// None if there is no output file, or nothing in it.
    output: Option<Vec<u8>>,
    reports: [Option<Vec<u8>>; 3],
    /// Messages and checksums, sorted because stdout and stderr have no common order.
    lines: Vec<String>,
}

impl Outcome {
    /// The first part that differs.
    fn difference(&self, other: &Outcome) -> Option<String> {
        if self.code != other.code || self.lines != other.lines {
            return Some(format!("{:?} {:?} and {:?} {:?}", self.code, self.lines, other.code, other.lines));
        }
        let parts = |outcome: &Outcome| [[outcome.output.clone()].as_slice(), &outcome.reports].concat();
        for (part, (a, b)) in ["output"].into_iter().chain(REPORTS).zip(parts(self).into_iter().zip(parts(other))) {
            if a != b {
                let length = |bytes: Option<Vec<u8>>| bytes.map(|bytes| bytes.len());
                return Some(format!("{part}, of {:?} and {:?} bytes", length(a), length(b)));
            }
        }
        None
    }
}

/// Waits for the end of a run; panics if it takes too long.
fn wait(child: &mut Child) -> ExitStatus {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if begin.elapsed() > LIMIT {
            child.kill().unwrap();
            panic!("no end within {LIMIT:?}");
        }
        sleep(Duration::from_millis(1));
    }
}

/// Writes `bytes` in pieces until the program closes its stdin.
fn feed(mut stdin: ChildStdin, bytes: &[u8], piece: usize) {
    for piece in bytes.chunks(piece) {
        if stdin.write_all(piece).is_err() {
            return;
        }
    }
}

/// All bytes of a pipe, read in pieces.
fn drain(mut stdout: ChildStdout, piece: usize) -> Vec<u8> {
    let (mut all, mut buffer) = (vec![], vec![0; piece]);
    loop {
        match stdout.read(&mut buffer).unwrap() {
            0 => return all,
            n => all.extend_from_slice(&buffer[..n]),
        }
    }
}

/// Runs the program on `input`, which `folder` holds as `in.y4m`.
fn outcome(folder: &Folder, input: &[u8], options: &[String], run: &Run) -> Outcome {
    for file in REPORTS.into_iter().chain(["out.y4m"]) {
        let _ = std::fs::remove_file(folder.path(file));
    }
    let mut command = folder.plain(&format!("--threads {} --engine {}", run.threads, run.engine));
    command.env("DNDI_LEVEL", run.level.name()).args(options).stderr(File::create(folder.path("errors")).unwrap());
    let (status, piped) = match run.pieces {
        None => {
            command.args(["in.y4m", "out.y4m"]).stdout(File::create(folder.path("printed")).unwrap());
            (wait(&mut command.spawn().unwrap()), None)
        }
        Some((writes, reads)) => {
            folder.write("printed", "");
            let mut child = command.args(["-", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
            let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
            scope(|scope| {
                scope.spawn(move || feed(stdin, input, writes));
                let output = scope.spawn(move || drain(stdout, reads));
                (wait(&mut child), Some(output.join().unwrap()))
            })
        }
    };
    let file = |name: &str| std::fs::read(folder.path(name)).ok();
    let printed = folder.read_text("errors") + &folder.read_text("printed");
    let name = |line: &str| line.replace("stdin", "in.y4m").replace("stdout", "out.y4m");
    let mut lines: Vec<_> = printed.lines().map(name).collect();
    lines.sort();
    Outcome {
        code: status.code(),
        output: piped.or_else(|| file("out.y4m")).filter(|bytes| !bytes.is_empty()),
        reports: REPORTS.map(file),
        lines,
    }
}

/// How many cases were of interest.
#[derive(Debug, Default)]
struct Counts {
    succeeded: AtomicU64,
    usage_errors: AtomicU64,
    truncated: AtomicU64,
    piped: AtomicU64,
    messages: AtomicU64,
}

/// Small pieces only for small inputs, because each takes a system call.
fn piece(random: &mut Rng, bytes: usize) -> usize {
    let piece = pick(random, &[1, 7, 997, 4096, 65536]);
    if bytes > 20_000 { piece.max(97) } else { piece }
}

fn random_case(folder: &Folder, seed: u64, counts: &Counts) {
    let random = &mut Rng::with_seed(seed);
    let clip = random_clip::clip(random);
    let mut input = clip.bytes();
    match random.u8(..100) {
        0..6 => input.truncate(random.usize(..input.len())),
        6..8 => input.extend(std::iter::repeat_with(|| random.u8(..)).take(20)),
        _ => {}
    }
    let mut options = random_options::options(random, clip.format());
    options.extend(["--md5", "--stats", "stats", "--framemd5", "sums"].map(str::to_owned));
    if random.bool() {
        options.extend(["--timecodes", "times"].map(str::to_owned));
    }
    folder.write("in.y4m", &input);

    let plain = Run { level: SimdLevel::Scalar, threads: 1, engine: "pipeline", pieces: None };
    let expected = outcome(folder, &input, &options, &plain);
    let case = || format!("DNDI_SEED={seed}, {}, in {}: {}", clip.tags, folder.path("in.y4m").display(), options.join(" "));
    let panicked = expected.lines.iter().any(|line| line.contains("panicked"));
    assert!(matches!(expected.code, Some(0 | 2 | 3)) && !panicked, "{:?} {:?}\n{}", expected.code, expected.lines, case());
    match expected.code {
        Some(0) => &counts.succeeded,
        Some(2) => &counts.usage_errors,
        _ => &counts.truncated,
    }
    .fetch_add(1, Relaxed);

    let levels: Vec<_> = SimdLevel::ALL.into_iter().filter(|level| level.is_supported()).collect();
    let is_piped = random.u8(..100) < 40;
    let pieces = is_piped.then(|| (piece(random, input.len()), piece(random, input.len())));
    counts.piped.fetch_add(is_piped.into(), Relaxed);
    let threads = pick(random, &[1, 2, 5, 17]);
    let other = Run { level: pick(random, &levels[1..]), threads, engine: "pipeline", pieces };
    // Only a file has the default rate of a survey.
    let fixed = is_piped && !options.iter().any(|option| option.starts_with("--rate"));
    let difference = if fixed {
        let options = [&options[..], &["--rate", "frame"].map(str::to_owned)].concat();
        outcome(folder, &input, &options, &plain).difference(&outcome(folder, &input, &options, &other))
    } else {
        expected.difference(&outcome(folder, &input, &options, &other))
    };
    assert_eq!(difference, None, "{other:?}\n{}", case());

    // The message engine is slow, and does not have all settings.
    if expected.code == Some(0) && clip.format().samples() < 4000 && random.u8(..100) < 70 {
        // Chroma denoising, which messages lack, is on by default only in the pipeline.
        let mut options = options.clone();
        let mut expected = expected;
        if !options.iter().any(|option| option.starts_with("--denoise-chroma")) {
            options.extend(["--denoise-chroma", "off"].map(str::to_owned));
            expected = outcome(folder, &input, &options, &plain);
        }
        let messages = Run { level: pick(random, &levels), threads: 2, engine: "messages", pieces: None };
        let outcome = outcome(folder, &input, &options, &messages);
        let is_refused = outcome.code == Some(2) && outcome.lines.iter().any(|line| line.contains("--engine messages"));
        if !is_refused {
            counts.messages.fetch_add(1, Relaxed);
            assert_eq!(expected.difference(&outcome), None, "{messages:?}\n{}", case());
        }
    }
}

#[test]
fn random_clips_and_options() {
    let Range { start: first, end } = seeds(CASES);
    let (next, counts) = (AtomicU64::new(first), Counts::default());
    scope(|scope| {
        for worker in 0..available_parallelism().map_or(1, usize::from) {
            let (next, counts) = (&next, &counts);
            scope.spawn(move || {
                let folder = Folder::new(&format!("differential_{worker}"));
                while let Some(seed) = Some(next.fetch_add(1, Relaxed)).filter(|&seed| seed < end) {
                    random_case(&folder, seed, counts);
                }
            });
        }
    });
    // The cases are not trivial.
    if end - first >= CASES {
        let least = |count: &AtomicU64, percent: u64| count.load(Relaxed) * 100 >= percent * (end - first);
        let enough = least(&counts.succeeded, 45) && least(&counts.piped, 30) && least(&counts.messages, 1);
        assert!(enough && least(&counts.truncated, 1), "{counts:?}");
    }
}

/// Other depths than those of y4m. The program, the reader and the builders have an error for them,
/// whatever the size and the sampling.
#[test]
fn other_depths_are_refused() {
    let folder = Folder::new("other_depths");
    let random = &mut Rng::with_seed(1);
    for depth in [11, 13, 15, 17, 32] {
        for chroma in ["420", "422", "444", "mono"] {
            let (width, height) = (random.usize(1..100), 2 * random.usize(2..50));
            let tag = if chroma == "mono" { format!("Cmono{depth}") } else { format!("C{chroma}p{depth}") };
            let format = Format::new(width, height, random_clip::sampling(Some(chroma))).with_depth(depth);
            let mut input = format!("YUV4MPEG2 W{width} H{height} F25:1 It {tag}\nFRAME\n").into_bytes();
            input.resize(input.len() + 2 * format.samples(), 1);
            folder.write("in.y4m", &input);

            let options = random_options::options(random, format);
            let arguments = format!("{} in.y4m out.y4m", options.join(" "));
            let result = RunResult::new(&arguments, folder.plain(&arguments).output().unwrap());
            // Options that exclude each other are found first.
            if result.code == Some(1) {
                result.fails(1, &format!("{tag} (bits a sample other than 8, 9, 10, 12, 14 and 16)"));
            } else {
                assert_eq!(result.code, Some(2), "{result:?}");
            }
            assert!(!folder.path("out.y4m").exists(), "{arguments}");

            let error = Reader::new(&input[..]).unwrap_err();
            assert!(matches!(&error, y4m::Error::NotSupported { token, .. } if *token == tag), "{error}");
            // The library has all depths up to 16 bits.
            let error = Some(Error::Depth(depth)).filter(|_| depth > 16);
            assert_eq!(Stream::builder(format, Scan::TopFirst).build().err(), error);
            assert_eq!(Detector::builder(format).build().err(), error);
            assert_eq!(Converter::builder(format).build().err(), error);
        }
    }
}
