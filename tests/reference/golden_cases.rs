//! Golden cases: a folder with `cases.tsv`, clips (y4m), files of cadence codes and the expected
//! statistics (§8.3).

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use md5::{Digest, Md5};
use serde_json::Value;

use dndi::DenoiseMode;

use super::model::{Chroma, Clip, Deinterlacer, Options, Output, Params, Sampling, Scan, Statistics};

/// A clip, its options and the expected outputs.
pub struct Case {
    pub name: String,
    pub clip: Clip,
    pub options: Options,
    /// The modes of luma and chroma; none without denoising along motion.
    pub along_motion: Option<[DenoiseMode; 2]>,
    /// MD5 of all frame payloads, concatenated.
    pub md5: String,
    /// None in groups without them.
    pub statistics: Option<Vec<Statistics>>,
}

/// The cases of a folder, in the order of its `cases.tsv`, except those with a change of depth
/// (§9.6), which the model does not have. Panics with the name of the file or
/// value if anything is unexpected.
pub fn load(folder: &Path) -> Vec<Case> {
    let table = fs::read_to_string(folder.join("cases.tsv")).expect("cases.tsv");
    let lines = table.lines().skip(1).filter(|line| !line.contains("--depth"));
    lines.map(|line| case(folder, line)).collect()
}

/// The MD5 of outputs as in `cases.tsv`.
pub fn frames_md5(outputs: &[Output], depth: u32) -> String {
    let mut md5 = Md5::new();
    for plane in outputs.iter().flat_map(|output| &output.planes) {
        let bytes =
            |sample: u16| if depth > 8 { sample.to_le_bytes().to_vec() } else { vec![u8::try_from(sample).expect("8 bits")] };
        md5.update(plane.iter().flat_map(|&sample| bytes(sample)).collect::<Vec<u8>>());
    }
    md5.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn case(folder: &Path, line: &str) -> Case {
    let columns: Vec<&str> = line.split('\t').collect();
    let &[name, input, options, md5] = columns.as_slice() else { panic!("a line of cases.tsv: {line}") };
    let bytes = fs::read(folder.join(input)).unwrap_or_else(|error| panic!("{input}: {error}"));
    let (clip, scan) = y4m(&bytes);
    let rows = match fs::read_to_string(folder.join(format!("{name}.jsonl"))) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        rows => Some(rows.unwrap_or_else(|error| panic!("{name}.jsonl: {error}"))),
    };
    Case {
        name: name.to_owned(),
        clip,
        options: self::options(folder, options, scan),
        along_motion: along_motion(options),
        md5: md5.to_owned(),
        statistics: rows.map(|rows| rows.lines().map(statistics).collect()),
    }
}

/// Options from the command line arguments in `cases.tsv`.
fn options(folder: &Path, text: &str, scan: Scan) -> Options {
    let mut options = Options {
        scan,
        denoise: true,
        chroma_denoise: None,
        deinterlace: true,
        deinterlacer: Deinterlacer::Gen6,
        chroma: Chroma::Same,
        params: Params::default(),
        cadence: vec![],
        deflicker: None,
        masks: vec![],
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    for pair in words.chunks(2) {
        match *pair {
            ["--field-order", "header"] | ["--film", "off"] => {}
            ["--denoise" | "--denoise-chroma", _] if text.contains("--denoise-motion on") => {}
            ["--denoise-motion", "on"] => options.denoise = false,
            ["--denoise", value] => options.denoise = is_on(value),
            ["--deinterlace", value] => options.deinterlace = is_on(value),
            ["--mcdi", value] => options.params.mcdi_enable = i32::from(is_on(value)),
            ["--chroma", "same"] => options.chroma = Chroma::Same,
            ["--chroma", "422"] => options.chroma = Chroma::C422,
            ["--chroma", "420"] => options.chroma = Chroma::C420,
            ["--chroma", "420drop"] => options.chroma = Chroma::C420Drop,
            ["--deinterlacer", "balanced"] => options.deinterlacer = Deinterlacer::Balanced,
            ["--deinterlacer", "best"] => options.deinterlacer = Deinterlacer::Best,
            ["--cadence", file] => options.cadence = cadence(&folder.join(file)),
            ["--set", assignment] => {
                let (name, value) = assignment.split_once('=').expect("--set NAME=VALUE");
                let value = value.parse().unwrap_or_else(|error| panic!("--set {assignment}: {error}"));
                assert!(options.params.set(name, value), "--set {assignment}");
            }
            _ => panic!("option {pair:?}"),
        }
    }
    options
}

/// The modes of luma and chroma, with denoising along motion.
fn along_motion(text: &str) -> Option<[DenoiseMode; 2]> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let value = |name: &str| words.chunks(2).find(|pair| pair[0] == name).map(|pair| pair[1]);
    let mode = |name: &str| value(name)?.parse().ok();
    (value("--denoise-motion") == Some("on")).then(|| ["--denoise", "--denoise-chroma"].map(|name| mode(name).expect("a mode")))
}

fn is_on(value: &str) -> bool {
    match value {
        "on" => true,
        "off" => false,
        _ => panic!("on or off, not {value}"),
    }
}

/// Two cadence codes per line, prev2 and cur1.
fn cadence(file: &Path) -> Vec<(u8, u8)> {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut codes = Vec::new();
    for line in text.lines() {
        let (prev2, cur1) = line.split_once(' ').expect("two codes");
        codes.push((prev2.parse().expect("a code"), cur1.parse().expect("a code")));
    }
    codes
}

fn y4m(bytes: &[u8]) -> (Clip, Scan) {
    let (header, mut rest) = line_of(bytes);
    let mut words = header.split(' ');
    assert_eq!(words.next(), Some("YUV4MPEG2"));
    let mut clip = Clip { width: 0, height: 0, sampling: Sampling::C420, depth: 8, frames: vec![] };
    let mut scan = Scan::Progressive;
    for word in words {
        match word.split_at(1) {
            ("W", width) => clip.width = width.parse().expect("a width"),
            ("H", height) => clip.height = height.parse().expect("a height"),
            ("C", format) => (clip.sampling, clip.depth) = sampling_and_depth(format),
            ("I", "p") => scan = Scan::Progressive,
            ("I", "t") => scan = Scan::TopFirst,
            ("I", "b") => scan = Scan::BottomFirst,
            ("F" | "A", _) => {}
            _ => panic!("y4m header: {word}"),
        }
    }
    let (chroma_width, chroma_height) = clip.sampling.chroma_size(clip.width, clip.height);
    let sizes = [clip.width * clip.height, chroma_width * chroma_height, chroma_width * chroma_height];
    while !rest.is_empty() {
        let (marker, mut payload) = line_of(rest);
        assert_eq!(marker, "FRAME");
        let frame = sizes.map(|size| {
            let (plane, after) = payload.split_at(if clip.depth > 8 { 2 * size } else { size });
            payload = after;
            if clip.depth > 8 {
                return plane.chunks(2).map(|word| u16::from_le_bytes([word[0], word[1]])).collect();
            }
            plane.iter().map(|&byte| byte.into()).collect()
        });
        clip.frames.push(frame);
        rest = payload;
    }
    (clip, scan)
}

/// A text line and the bytes after it.
fn line_of(bytes: &[u8]) -> (&str, &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n').expect("a line of y4m");
    (std::str::from_utf8(&bytes[..end]).expect("text"), &bytes[end + 1..])
}

fn sampling_and_depth(format: &str) -> (Sampling, u32) {
    let deep = format.strip_prefix("mono").map(|depth| ("mono", depth)).or(format.split_once('p'));
    let (format, depth) = deep.filter(|(_, depth)| depth.parse::<u32>().is_ok()).unwrap_or((format, "8"));
    let sampling = match format {
        "mono" => Sampling::Mono,
        "420" | "420jpeg" => Sampling::C420,
        "411" => Sampling::C411,
        "422" => Sampling::C422,
        "444" => Sampling::C444,
        _ => panic!("y4m format {format}"),
    };
    (sampling, depth.parse().expect("a depth"))
}

/// A row of statistics from a JSON object. Other fields than those of §8.3 are ignored.
fn statistics(line: &str) -> Statistics {
    let row: Value = serde_json::from_str(line).expect("a JSON object");
    let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("a number in {line}"));
    let v: Vec<u64> = row["v"].as_array().expect("v").iter().map(number).collect();
    Statistics {
        step: number(&row["step"]),
        gne_sum: number(&row["gne_sum"]),
        gne_count: number(&row["gne_count"]),
        gne: number(&row["gne"]),
        v: v.try_into().expect("eleven variances"),
        motion_blocks: number(&row["motion_blocks"]),
        history_sum: number(&row["history_sum"]),
        stmm_sum: number(&row["stmm_sum"]),
    }
}
