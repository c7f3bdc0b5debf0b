//! Tests the tests: changes the code in one place at a time and runs the tests that reach the
//! place.
//!
//! All mutants of a run are compiled into one copy of the project. An environment variable chooses
//! the active one. `CONTRIBUTING.md` describes the use, `docs/results/mutation.md` the results.
mod compile;
mod constants;
mod operators;
mod plan;
mod render;
mod sites;
mod source;
mod tests;

use plan::{Area, Change, Plan};
use render::Place;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tests::Outcome;

const USAGE: &str =
    "usage: dndi-mutation SCRATCH [--seed N] [--only FILE] [--tests LIST] [--budget SECONDS] [--list] AREA[=COUNT]...

SCRATCH  folder for the copy, its build and results.tsv. Without --only, mutants that are in
         results.tsv are not run again
AREA     beginning of the paths of source files, such as src/detect or simd/src/blend.rs
COUNT    mutants of the area that are chosen at random; default: all
--seed   seed of the choice, default 1
--only   run the mutants that FILE names, one a line, as in results.tsv, instead of a sample
--tests  the test targets to be run, separated by commas; `unit` are all unit tests. Default: all
--budget of the tests that reach a mutant, run only the fastest ones, of this time together
--list   print the chosen mutants and build nothing";

fn main() -> Result<(), Box<dyn Error>> {
    let (mut areas, mut scratch, mut seed, mut only, mut list) = (vec![], None, 1, None, false);
    let (mut tests, mut budget): (Vec<String>, _) = (vec![], Duration::MAX);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seed" => seed = arguments.next().ok_or(USAGE)?.parse()?,
            "--only" => only = Some(fs::read_to_string(arguments.next().ok_or(USAGE)?)?),
            "--tests" => tests = arguments.next().ok_or(USAGE)?.split(',').map(str::to_owned).collect(),
            "--budget" => budget = Duration::from_secs(arguments.next().ok_or(USAGE)?.parse()?),
            "--list" => list = true,
            option if option.starts_with('-') => return Err(USAGE.into()),
            folder if scratch.is_none() => scratch = Some(PathBuf::from(folder)),
            area => {
                let (prefix, count) = area.split_once('=').unwrap_or((area, ""));
                let count = if count.is_empty() { usize::MAX } else { count.parse()? };
                areas.push(Area { prefix: prefix.to_owned(), count });
            }
        }
    }
    let scratch = scratch.filter(|_| !areas.is_empty()).ok_or(USAGE)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let only = only.map(|names| names.lines().map(str::to_owned).collect::<BTreeSet<String>>());
    let (plan, counts) = Plan::new(source::read(&root)?, &areas, seed, only.as_ref());
    for (area, count) in areas.iter().zip(&counts) {
        println!("{}: {count} mutants", area.prefix);
    }
    println!("chosen: {}", plan.chosen.len());
    if list {
        plan.chosen.iter().for_each(|mutant| println!("{}", mutant.name));
        return Ok(());
    }
    fs::create_dir_all(&scratch)?;
    let (programs, dropped) = compile::build(&root, &scratch.canonicalize()?, &plan, &tests)?;
    let reached = tests::trace(&programs, &scratch.canonicalize()?, plan.chosen.len())?;
    let results = scratch.join("results.tsv");
    let known = fs::read_to_string(&results).unwrap_or_default();
    let known: BTreeSet<&str> = known.lines().filter(|_| only.is_none()).filter_map(|line| line.split('\t').nth(1)).collect();
    let mut file = fs::OpenOptions::new().create(true).append(true).open(&results)?;
    for (number, mutant) in plan.chosen.iter().enumerate().filter(|(_, mutant)| !known.contains(mutant.name.as_str())) {
        let outcome = match mutant.change {
            Change::Site { file, site, .. } if dropped.contains(&place(&plan, file, site)) => ("invalid", String::new()),
            _ => match tests::check(&programs, mutant.id, &reached[mutant.id as usize], budget)? {
                Outcome::Killed(test) => ("killed", test),
                Outcome::TimedOut(test) => ("timeout", test),
                Outcome::Survived => ("SURVIVED", format!("{} tests", reached[mutant.id as usize].len())),
                Outcome::Unreached => ("UNREACHED", String::new()),
            },
        };
        let line = format!("{}\t{}\t{}", outcome.0, mutant.name, outcome.1);
        println!("{}/{} {line}", number + 1, plan.chosen.len());
        writeln!(file, "{line}")?;
    }
    summary(&results)
}

fn place(plan: &Plan, file: usize, site: usize) -> Place {
    let range = &plan.sites[file][site].range;
    Place { file, start: range.start, end: range.end }
}

/// Prints the number of mutants by area and outcome.
fn summary(results: &Path) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(results)?;
    // The last result of a mutant counts.
    let fields = text.lines().filter_map(|line| line.split_once('\t'));
    let outcomes: BTreeMap<&str, &str> =
        fields.map(|(outcome, rest)| (rest.split('\t').next().unwrap_or_default(), outcome)).collect();
    let mut counts = BTreeMap::new();
    for (name, outcome) in outcomes {
        let area: Vec<&str> = name.split('/').take(2).collect();
        *counts.entry((area.join("/"), outcome)).or_insert(0) += 1;
    }
    for ((area, outcome), count) in counts {
        println!("{area}\t{outcome}\t{count}");
    }
    Ok(())
}
