//! Runs tests: each one once to see which mutants it reaches, then those that reach a mutant.
use crate::compile::Program;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A test function.
#[derive(Clone, Debug)]
pub struct Test {
    /// Index of its program.
    pub program: usize,
    pub name: String,
    pub time: Duration,
}

/// The result of a mutant.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A test failed.
    Killed(String),
    /// Tests ran much longer than without the mutant.
    TimedOut(String),
    Survived,
    /// No test reaches it.
    Unreached,
}

/// Address space of a test in KiB: endless loops may allocate.
const MEMORY: &str = "8000000";

/// Tests of one run of a program take about this time together.
const BATCH: Duration = Duration::from_secs(2);

enum End {
    Success,
    Failure,
    Timeout,
}

/// Runs every test alone, without a mutant. Returns for each mutant the tests that reach it,
/// fastest first. Tests that fail are reported and not used.
pub fn trace(programs: &[Program], scratch: &Path, count: usize) -> Result<Vec<Vec<Test>>, Box<dyn Error>> {
    let folder = scratch.join("trace");
    let mut reached = vec![vec![]; count + 1];
    for (program, Program { name, path, folder: home }) in programs.iter().enumerate() {
        let list = Command::new(path).args(["--list", "--format", "terse"]).current_dir(home).output()?;
        let list = String::from_utf8_lossy(&list.stdout).into_owned();
        let tests: Vec<&str> = list.lines().filter_map(|line| line.strip_suffix(": test")).collect();
        let start = Instant::now();
        for test in &tests {
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder)?;
            let start = Instant::now();
            let mut command = command(&programs[program], &[test]);
            command.env("DNDI_MUTANT_TRACE", &folder);
            if !matches!(run(command, Duration::from_secs(600))?, End::Success) {
                println!("{name}: {test} fails without a mutant and is not used");
                continue;
            }
            let test = Test { program, name: (*test).to_owned(), time: start.elapsed() };
            let mut seen = BTreeMap::new();
            for entry in fs::read_dir(&folder)? {
                for number in fs::read_to_string(entry?.path())?.lines() {
                    seen.insert(number.parse::<usize>()?, ());
                }
            }
            for mutant in seen.into_keys() {
                reached[mutant].push(test.clone());
            }
        }
        println!("{name}: {} tests, {:.0} s", tests.len(), start.elapsed().as_secs_f64());
    }
    reached.iter_mut().for_each(|tests| tests.sort_by_key(|test| test.time));
    Ok(reached)
}

/// Runs the tests that reach a mutant until one fails: the fastest ones, of the time `budget`
/// together, and at least one.
pub fn check(programs: &[Program], mutant: u32, tests: &[Test], budget: Duration) -> Result<Outcome, Box<dyn Error>> {
    let mut time = Duration::ZERO;
    let fits = |test: &&Test| {
        let is_first = time == Duration::ZERO;
        time += test.time;
        is_first || time <= budget
    };
    let mut rest: Vec<Test> = tests.iter().take_while(fits).cloned().collect();
    while let Some(first) = rest.first() {
        // The fastest test and others of its program, as many as fit the time.
        let (program, mut time) = (first.program, Duration::ZERO);
        let mut batch = vec![];
        rest.retain(|test| {
            let fits = test.program == program && (batch.is_empty() || time + test.time <= BATCH);
            if fits {
                time += test.time;
                batch.push(test.name.clone());
            }
            !fits
        });
        let names: Vec<&str> = batch.iter().map(String::as_str).collect();
        let mut command = command(&programs[program], &names);
        command.env("DNDI_MUTANT", mutant.to_string());
        let what = || format!("{}: {}", programs[program].name, batch.first().map_or("", String::as_str));
        match run(command, 5 * time + Duration::from_secs(10))? {
            End::Success => {}
            End::Failure => return Ok(Outcome::Killed(what())),
            End::Timeout => return Ok(Outcome::TimedOut(what())),
        }
    }
    Ok(if tests.is_empty() { Outcome::Unreached } else { Outcome::Survived })
}

fn command(program: &Program, tests: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).arg(&program.path);
    command.args(tests).args(["--exact", "--test-threads", "1"]);
    command.current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder);
    command
}

/// Runs a command until its end or for `limit`. Then all processes that it started are killed.
fn run(mut command: Command, limit: Duration) -> Result<End, Box<dyn Error>> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    let mut child = command.spawn()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(if status.success() { End::Success } else { End::Failure });
        }
        if start.elapsed() > limit {
            Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).stderr(Stdio::null()).status()?;
            child.wait()?;
            return Ok(End::Timeout);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
