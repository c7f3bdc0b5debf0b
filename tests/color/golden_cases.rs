//! The golden cases of the colour pipe: pictures, options and expected output.

use crate::model::Statistics;
use dndi::{Format, Frame, Parameters, Sampling};
use md5::{Digest, Md5};
use std::fs;
use std::path::{Path, PathBuf};

/// A clip, its parameters and the expected results.
pub struct Case {
    pub name: String,
    pub frames: Vec<Frame>,
    pub parameters: Parameters,
    /// MD5 of all output samples.
    pub md5: String,
    /// One for each frame.
    pub statistics: Vec<Statistics>,
}

/// All cases without scaling. The model has no other stages than the colour pipe.
pub fn load() -> Vec<Case> {
    let table = fs::read_to_string(folder().join("cases.tsv")).unwrap();
    table.lines().skip(1).filter(|line| !line.contains("--scale")).map(case).collect()
}

pub fn md5<'a>(frames: impl IntoIterator<Item = &'a Frame>) -> String {
    let mut md5 = Md5::new();
    frames.into_iter().for_each(|frame| md5.update(frame.data()));
    md5.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder() -> PathBuf {
    project().join("tests/golden/color")
}

fn case(line: &str) -> Case {
    let [name, input, options, md5] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
    let rows = fs::read_to_string(folder().join(format!("{name}.jsonl"))).unwrap();
    Case {
        name: name.to_owned(),
        frames: clip(&fs::read(folder().join(input)).unwrap()),
        parameters: parameters(options),
        md5: md5.to_owned(),
        statistics: rows.lines().map(statistics).collect(),
    }
}

fn statistics(row: &str) -> Statistics {
    let row: serde_json::Value = serde_json::from_str(row).unwrap();
    let number = |name: &str| row[name].as_u64().unwrap();
    Statistics {
        histogram: row["histogram"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect(),
        ymin: number("ymin") as i64,
        ymax: number("ymax") as i64,
        skin_pixels: number("skin_pixels"),
        skin_factor_sum: number("skin_factor_sum"),
    }
}

fn parameters(options: &str) -> Parameters {
    let mut parameters = Parameters::default();
    let mut words = options.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "--denoise" | "--deinterlace" | "--film" => assert_eq!(words.next(), Some("off")),
            "--set" => {
                let (name, value) = words.next().unwrap().split_once('=').unwrap();
                parameters.set(name, value.parse().unwrap()).unwrap();
            }
            "--color-state" => take_state(&mut parameters, &folder().join(words.next().unwrap())),
            "--csc" => parameters.color.transform_enable = true,
            "--std" | "--ste" | "--ace" | "--tcc" | "--procamp" => {
                parameters.set(&format!("color.{}_enable", &word[2..]), 1).unwrap();
            }
            other => panic!("{other}"),
        }
    }
    parameters
}

/// Reads a COLOR_PROCESSING_STATE by the table of the specification.
fn take_state(parameters: &mut Parameters, file: &Path) {
    let text = fs::read_to_string(file).unwrap();
    let state: Vec<u32> = text.split_whitespace().map(|word| u32::from_str_radix(word, 16).unwrap()).collect();
    let table = fs::read_to_string(project().join("docs/specification/parameters.md")).unwrap();
    let (_, table) = table.split_once("## Colour").unwrap();
    let mut rows = 0;
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].split('`').nth(1).unwrap();
        let (dword, bits) = cells[4].strip_prefix("DW").unwrap().split_once(' ').unwrap();
        let (high, low): (u32, u32) =
            bits.split_once(':').map(|(high, low)| (high.parse().unwrap(), low.parse().unwrap())).unwrap();
        let mut value = i64::from(state[dword.parse::<usize>().unwrap()] >> low) & ((2 << (high - low)) - 1);
        if cells[2].starts_with('-') && value >> (high - low) == 1 {
            value -= 2 << (high - low);
        }
        parameters.set(&format!("color.{name}"), value).unwrap();
        rows += 1;
    }
    assert_eq!(rows, 184);
}

/// Parses a y4m stream.
fn clip(bytes: &[u8]) -> Vec<Frame> {
    let line = |bytes: &[u8]| bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let (header, frames) = bytes.split_at(line(bytes));
    let (mut width, mut height, mut sampling) = (0, 0, Sampling::C420);
    for word in std::str::from_utf8(header).unwrap().split_whitespace() {
        match word.split_at(1) {
            ("W", value) => width = value.parse().unwrap(),
            ("H", value) => height = value.parse().unwrap(),
            ("C", "mono") => sampling = Sampling::Mono,
            ("C", "420jpeg") => sampling = Sampling::C420,
            ("C", "422") => sampling = Sampling::C422,
            ("C", "444") => sampling = Sampling::C444,
            ("C", other) => panic!("{other}"),
            _ => {}
        }
    }
    let format = Format::new(width, height, sampling);
    let frame = |frame: &[u8]| Frame::from_vec(format, frame.strip_prefix(b"FRAME\n").unwrap().to_vec());
    frames.chunks("FRAME\n".len() + format.samples()).map(frame).collect()
}
