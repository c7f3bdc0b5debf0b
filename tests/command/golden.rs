//! The golden cases, run by the program at every SIMD level and with both engines. With
//! `DNDI_GOLDEN_STEP=3` only every third case runs.

use crate::clip::Clip;
use crate::program::{Folder, RunResult, strongest_level};
use md5::{Digest, Md5};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn scalar() {
    run("dndi", 98, "scalar", "pipeline");
    run("scaler", 44, "scalar", "pipeline");
    run("color", 59, "scalar", "pipeline");
    run("depth", 61, "scalar", "pipeline");
    run("balanced", 39, "scalar", "pipeline");
    run("best", 62, "scalar", "pipeline");
    run("denoise_motion", 66, "scalar", "pipeline");
    run("vebox", 34, "scalar", "pipeline");
    run("geometry", 25, "scalar", "pipeline");
}

#[test]
fn strongest() {
    let strongest = strongest_level();
    run("dndi", 98, &strongest, "pipeline");
    run("scaler", 44, &strongest, "pipeline");
    run("color", 59, &strongest, "pipeline");
    run("depth", 61, &strongest, "pipeline");
    run("balanced", 39, &strongest, "pipeline");
    run("best", 62, &strongest, "pipeline");
    run("denoise_motion", 66, &strongest, "pipeline");
    run("vebox", 34, &strongest, "pipeline");
    run("geometry", 25, &strongest, "pipeline");
}

#[test]
fn portable() {
    run("dndi", 98, "portable", "pipeline");
    run("scaler", 44, "portable", "pipeline");
    run("color", 59, "portable", "pipeline");
    run("depth", 61, "portable", "pipeline");
    run("balanced", 39, "portable", "pipeline");
    run("best", 62, "portable", "pipeline");
    run("denoise_motion", 66, "portable", "pipeline");
    run("vebox", 34, "portable", "pipeline");
    run("geometry", 25, "portable", "pipeline");
}

#[test]
fn messages() {
    let strongest = strongest_level();
    run("dndi", 98, &strongest, "messages");
    run("scaler", 44, &strongest, "messages");
    run("color", 59, &strongest, "messages");
}

/// The message engine has an error for more than 8 bits per sample.
#[test]
fn messages_of_words() {
    let folder = Folder::new("golden_depth_messages");
    for (name, input, options, _) in cases("depth") {
        let mut command = folder.command(&options);
        command.args(["-y", "--engine", "messages", &input]).arg(folder.path("out.y4m")).current_dir(path("depth"));
        RunResult::new(&name, command.output().unwrap()).fails(2, "messages do not support more than 8 bits per sample");
    }
    assert!(folder.files().is_empty());
}

fn path(group: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(group)
}

/// Name, input, options and MD5 of each case of a group.
fn cases(group: &str) -> Vec<(String, String, String, String)> {
    let table = fs::read_to_string(path(group).join("cases.tsv")).unwrap();
    let cases = table.lines().skip(1).map(|line| {
        let [name, input, options, md5] = line.split('\t').map(str::to_owned).collect::<Vec<_>>().try_into().unwrap();
        (name, input, options, md5)
    });
    cases.collect()
}

/// Checks frames and statistics of all cases of a group. The groups `balanced`, `best`,
/// `denoise_motion` and `geometry` have no statistics.
fn run(group: &str, count: usize, level: &str, engine: &str) {
    let path = path(group);
    let has_statistics = !["balanced", "best", "denoise_motion", "geometry"].contains(&group);
    let folder = Folder::new(&format!("golden_{group}_{level}_{engine}_{:?}", std::thread::current().id()));
    let step = std::env::var("DNDI_GOLDEN_STEP").map_or(1, |step| step.parse().unwrap());
    let mut ran = 0;
    for (name, input, options, md5) in cases(group).into_iter().step_by(step) {
        let (out, stats) = (folder.path("out.y4m"), folder.path("stats.jsonl"));
        let mut command = folder.command(&options);
        if has_statistics {
            command.args(["--deinterlacer", "gen6"]);
        }
        if group == "denoise_motion" {
            // Cases in which nothing is denoised warn.
            command.arg("-q");
        }
        command
            .args(["-y", "--engine", engine, "--stats"])
            .args([&stats, Path::new(&input), &out])
            .current_dir(&path)
            .env("DNDI_LEVEL", level);
        RunResult::new(&name, command.output().unwrap()).succeeds();
        let frames = Clip::parse(&fs::read(out).unwrap());
        let sum: String = Md5::digest(frames.samples().concat()).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(sum, md5, "frames of {name} at level {level}, {engine}");
        ran += 1;
        if !has_statistics {
            continue;
        }
        let rows = |path: &Path| -> Vec<serde_json::Value> {
            fs::read_to_string(path).unwrap().lines().map(|row| serde_json::from_str(row).unwrap()).collect()
        };
        let (expected, rows) = (rows(&path.join(format!("{name}.jsonl"))), rows(&stats));
        assert_eq!(rows.len(), expected.len(), "rows of {name}");
        for (row, expected) in rows.iter().zip(&expected) {
            for (field, value) in expected.as_object().unwrap() {
                assert_eq!(&row[field], value, "{field} of {name} at level {level}, {engine}");
            }
        }
    }
    assert_eq!(ran, count.div_ceil(step));
}
