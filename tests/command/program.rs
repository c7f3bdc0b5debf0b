//! Runs the program and checks its exit code and its stderr.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The words of the command that runs the program, separated by spaces: the binary of this build,
/// or those of the environment variable `DNDI`, such as an emulator with its options and a binary.
pub fn words() -> String {
    std::env::var("DNDI").unwrap_or_else(|_| env!("CARGO_BIN_EXE_dndi").to_owned())
}

/// The program without arguments.
pub fn program() -> Command {
    let words = words();
    let mut words = words.split(' ');
    let mut command = Command::new(words.next().unwrap());
    command.args(words);
    command
}

/// The strongest level of the program, as `--version` prints it.
pub fn strongest_level() -> String {
    let output = program().arg("--version").env_remove("DNDI_LEVEL").output().unwrap();
    let version = String::from_utf8(output.stdout).unwrap();
    let (_, level) = version.trim_end().rsplit_once("(level ").unwrap_or_else(|| panic!("a level in {version:?}"));
    level.trim_end_matches(')').to_owned()
}

/// Working directory of one test. `new` empties it; the program runs in it.
pub struct Folder(PathBuf);

impl Folder {
    /// `name` must be unique among all tests.
    pub fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command").join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    pub fn write(&self, file: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(file), bytes).unwrap();
    }

    pub fn read(&self, file: &str) -> Vec<u8> {
        fs::read(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    pub fn read_text(&self, file: &str) -> String {
        String::from_utf8(self.read(file)).unwrap()
    }

    /// Names of all files, sorted.
    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(&self.0).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program with these arguments, which spaces separate. Unless `arguments` override it, the
    /// field order follows the header and telecine detection is off.
    pub fn command(&self, arguments: &str) -> Command {
        let subcommands = ["state", "inspect", "view", "join", "help", "completions", "man"];
        let subcommand = subcommands.contains(&arguments.split(' ').next().unwrap_or_default());
        let flags = if subcommand { "" } else { "--field-order header --film off" };
        let mut command = self.plain(&format!("{flags} {arguments}"));
        command.stdin(Stdio::null());
        command
    }

    /// The program with these arguments and no others.
    pub fn plain(&self, arguments: &str) -> Command {
        let mut command = program();
        command.args(arguments.split_whitespace()).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &str) -> RunResult {
        RunResult::new(arguments, self.command(arguments).output().unwrap())
    }

    /// Runs with `input` on stdin.
    pub fn pipe(&self, arguments: &str, input: &[u8]) -> RunResult {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let output = std::thread::scope(|scope| {
            scope.spawn(move || stdin.write_all(input)); // fails if the program does not read to the end
            child.wait_with_output().unwrap()
        });
        RunResult::new(arguments, output)
    }
}

/// Exit code and output of a run.
#[derive(Debug)]
pub struct RunResult {
    arguments: String,
    /// None if a signal killed it.
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl RunResult {
    pub fn new(arguments: &str, output: Output) -> RunResult {
        let stderr = String::from_utf8(output.stderr).unwrap();
        RunResult { arguments: arguments.to_owned(), code: output.status.code(), stdout: output.stdout, stderr }
    }

    /// Asserts exit code 0 and an empty stderr.
    #[track_caller]
    pub fn succeeds(self) -> RunResult {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "dndi {}", self.arguments);
        self
    }

    /// Asserts exit code 0 and one warning that contains `text`.
    #[track_caller]
    pub fn warns(self, text: &str) -> RunResult {
        assert!(self.stderr.starts_with("dndi: warning: "), "dndi {}: {}", self.arguments, self.stderr);
        self.one_line(0, text)
    }

    /// Asserts this exit code and one line on stderr that contains `text`.
    #[track_caller]
    pub fn fails(self, code: i32, text: &str) -> RunResult {
        assert!(!self.stderr.contains("warning"), "dndi {}: {}", self.arguments, self.stderr);
        self.one_line(code, text)
    }

    #[track_caller]
    fn one_line(self, code: i32, text: &str) -> RunResult {
        let RunResult { arguments, stderr, .. } = &self;
        assert_eq!(self.code, Some(code), "dndi {arguments}: {stderr}");
        assert!(stderr.starts_with("dndi: ") && stderr.ends_with('\n'), "dndi {arguments}: {stderr:?}");
        assert_eq!(stderr.lines().count(), 1, "dndi {arguments}: {stderr}");
        assert!(stderr.contains(text), "dndi {arguments}: {stderr}, expected {text}");
        self
    }
}
