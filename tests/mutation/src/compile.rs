//! Builds the copy of the project with all chosen mutants. Mutants that do not compile are dropped.
use crate::plan::Plan;
use crate::render::{Place, Rendered, render};
use serde_json::Value;
use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A test program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Such as `lib dndi` or `test detect`.
    pub name: String,
    pub path: PathBuf,
    /// The folder that it runs in, that of its package.
    pub folder: PathBuf,
}

/// Parts of the project that no test program needs.
const NOT_COPIED: [&str; 4] = [".git", "target", "fuzz", "mutation"];

/// Folders of the files that are rewritten.
const SOURCES: [&str; 2] = ["src", "simd/src"];

/// Tests of the source text.
const OF_SOURCES: [&str; 3] = ["layers", "docs_links", "public_api"];

/// Writes the project with all mutants to `scratch/tree` and builds `tests`, or all tests if there
/// are none. Returns the test programs and the places whose mutants do not compile.
pub fn build(
    root: &Path,
    scratch: &Path,
    plan: &Plan,
    tests: &[String],
) -> Result<(Vec<Program>, BTreeSet<Place>), Box<dyn Error>> {
    let tree = scratch.join("tree");
    copy(root, Path::new(""), &tree)?;
    let runtime = include_str!("runtime.rs").replace("COUNT", &(plan.chosen.len() + 1).to_string());
    write(&tree.join("simd/src/mutant.rs"), &runtime)?;
    let mut dropped = BTreeSet::new();
    loop {
        let rendered: Vec<Rendered> = (0..plan.files.len()).map(|index| render(plan, index, &dropped)).collect();
        for (file, new) in plan.files.iter().zip(&rendered) {
            write(&tree.join(&file.path), &new.text)?;
        }
        let (messages, success) = cargo(&tree, scratch, tests)?;
        if success {
            return Ok((programs(&messages, &tree), dropped));
        }
        let before = dropped.len();
        for message in messages.iter().filter(|message| message["message"]["level"] == "error") {
            let found = places(plan, &rendered, &message["message"]);
            if found.is_empty() && message["message"]["spans"].as_array().is_some_and(|spans| !spans.is_empty()) {
                eprintln!("{}", message["message"]["rendered"].as_str().unwrap_or_default());
            }
            dropped.extend(found);
        }
        if dropped.len() == before {
            return Err("the copy does not compile".into());
        }
        println!("{} places do not compile with their mutants", dropped.len());
    }
}

fn cargo(tree: &Path, scratch: &Path, tests: &[String]) -> Result<(Vec<Value>, bool), Box<dyn Error>> {
    let mut command = Command::new("cargo");
    command.args(["test", "--no-run", "--no-fail-fast", "--message-format=json", "--workspace"]);
    for test in tests {
        match test.as_str() {
            "unit" => command.args(["--lib", "--bins"]),
            name => command.args(["--test", name]),
        };
    }
    if tests.is_empty() {
        command.args(["--lib", "--bins", "--tests"]);
    }
    let output = command
        .current_dir(tree)
        .env("CARGO_TARGET_DIR", scratch.join("target"))
        // Without debugging information the build is much faster.
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        // Mutants may contain constant overflows and other errors of lints.
        .env("RUSTFLAGS", "--cap-lints allow")
        .stderr(Stdio::inherit())
        .output()?;
    let lines = output.stdout.split(|&byte| byte == b'\n');
    Ok((lines.filter_map(|line| serde_json::from_slice(line).ok()).collect(), output.status.success()))
}

fn programs(messages: &[Value], tree: &Path) -> Vec<Program> {
    let tests = messages.iter().filter(|message| message["profile"]["test"] == true);
    let found = tests.filter_map(|message| {
        let target = &message["target"];
        let (kind, name) = (target["kind"][0].as_str()?, target["name"].as_str()?);
        let path = PathBuf::from(message["executable"].as_str()?);
        let folder = Path::new(message["manifest_path"].as_str()?).parent().unwrap_or(tree).to_owned();
        (!OF_SOURCES.contains(&name)).then(|| Program { name: format!("{kind} {name}"), path, folder })
    });
    found.collect()
}

/// The places that an error of the compiler concerns: the smallest one around its position, else
/// those within it.
fn places(plan: &Plan, rendered: &[Rendered], error: &Value) -> BTreeSet<Place> {
    let mut found = BTreeSet::new();
    let mut spans: Vec<&Value> = error["spans"].as_array().map(|spans| spans.iter().collect()).unwrap_or_default();
    spans.retain(|span| span["is_primary"] == true);
    while let Some(span) = spans.pop() {
        spans.extend(span["expansion"]["span"].is_object().then_some(&span["expansion"]["span"]));
        let file = span["file_name"].as_str().unwrap_or_default();
        let Some(index) = plan.files.iter().position(|known| file.ends_with(&known.path)) else { continue };
        let at = |key: &str| span[key].as_u64().unwrap_or(0) as usize;
        let range = at("byte_start")..at("byte_end");
        let contains = |outer: &Range<usize>, inner: &Range<usize>| outer.start <= inner.start && inner.end <= outer.end;
        let places = &rendered[index].places;
        let around = places.iter().filter(|(place, _)| contains(place, &range)).min_by_key(|(place, _)| place.len());
        match around {
            Some((_, place)) => found.extend([place.clone()]),
            None => found.extend(places.iter().filter(|(place, _)| contains(&range, place)).map(|(_, place)| place.clone())),
        }
    }
    found
}

/// Copies the folder `part` of the project, except sources that are rewritten.
fn copy(root: &Path, part: &Path, tree: &Path) -> std::io::Result<()> {
    fs::create_dir_all(tree.join(part))?;
    for entry in fs::read_dir(root.join(part))? {
        let entry = entry?;
        let part = part.join(entry.file_name());
        if NOT_COPIED.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy(root, &part, tree)?;
        } else if !SOURCES.iter().any(|folder| part.starts_with(folder)) {
            let (source, target) = (entry.path(), tree.join(&part));
            // An unchanged file keeps its time, so that cargo does not compile it again.
            if !target.exists() || fs::read(&source)? != fs::read(&target)? {
                fs::copy(&source, &target)?;
            }
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, text)
}
