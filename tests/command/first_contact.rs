//! Help, completions, the manual, and the errors of a first try.

use crate::clip::Clip;
use crate::program::{Folder, RunResult};
use std::process::{Command, Output};

/// The subcommands, and those of `state`.
const SUBCOMMANDS: [&str; 9] =
    ["inspect", "view", "state", "help", "completions", "man", "state decode", "state encode", "state explain"];

/// Runs with these arguments only. [`Folder::run`] adds default options.
fn plain(folder: &Folder, arguments: &str) -> RunResult {
    RunResult::new(arguments, folder.plain(arguments).output().unwrap())
}

fn text(folder: &Folder, arguments: &str) -> String {
    String::from_utf8(plain(folder, arguments).succeeds().stdout).unwrap()
}

/// Whether a program can be run. If not, the test prints that it is skipped.
fn is_installed(program: &str, test: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: {test}, because {program} is not installed");
    }
    found
}

#[test]
fn without_arguments() {
    let folder = Folder::new("no_arguments");
    let result = plain(&folder, "");
    assert_eq!((result.code, result.stdout.len()), (Some(2), 0));
    for text in ["Usage: dndi [OPTIONS] <INPUT> <OUTPUT>\n", "\n  dndi tape.avi tape.mkv ", "dndi -h ", "dndi --help "] {
        assert!(result.stderr.contains(text), "{text}: {}", result.stderr);
    }
    assert!(result.stderr.lines().count() <= 6);
}

#[test]
fn a_missing_output() {
    let folder = Folder::new("missing_output");
    for (arguments, command) in [
        ("in.y4m", "<OUTPUT> is missing: dndi in.y4m in-progressive.y4m; see dndi -h"),
        ("--rate frame tapes/a.avi", "dndi tapes/a.avi a-progressive.mkv;"),
        ("a.mkv -y", "dndi a.mkv a-progressive.mkv;"),
        ("-", "dndi - out-progressive.y4m;"),
        ("it's.mpg", r"dndi 'it'\''s.mpg' 'it'\''s-progressive.mkv';"),
    ] {
        plain(&folder, arguments).fails(2, command);
    }
    // Other errors have their own message.
    plain(&folder, "in.y4m --bogus").fails(2, "'--bogus'");
    plain(&folder, "--rate frame").fails(2, "<INPUT> <OUTPUT>; see dndi --help");
    plain(&folder, "inspect").fails(2, "<INPUT>; see dndi inspect --help");
}

#[test]
fn misspelled_subcommands() {
    let folder = Folder::new("misspelled");
    for (arguments, found) in [
        ("inspct a.avi", "no subcommand and no file 'inspct'; a similar subcommand is inspect; see dndi help"),
        ("veiw --frame 3 a.avi b.png", "view"),
        ("Inspect a.avi --json", "inspect"),
        ("completion bash", "completions"),
        ("help inspct", "dndi has no subcommand 'inspct'; similar: inspect"),
        ("help state decod", "dndi state has no subcommand 'decod'; similar: decode"),
        ("help xyz", "there are inspect, view, join, state, help, completions, man"),
        ("help inspect more", "dndi inspect has no subcommand 'more'; it has none"),
        ("man veiw", "similar: view"),
        ("completions bsh", "'bash'; see dndi completions --help"),
    ] {
        plain(&folder, arguments).fails(2, found);
    }
    // A file of that name is a clip.
    folder.write("inspct", Clip::new("W16 H8 F25:1 It C422", 2).bytes());
    plain(&folder, "-q inspct out.y4m").succeeds();
    plain(&folder, "inspct -q -y out.y4m").succeeds();
}

/// `-h` fits a screen of 100 columns and 40 lines.
#[test]
fn short_help() {
    let folder = Folder::new("short_help");
    for (command, options) in [
        (
            "",
            "--field-order --deinterlacer --rate --film --denoise --denoise-chroma --denoise-motion --crop --scale --preset --encoder \
             --lossless --frames -y",
        ),
        ("inspect ", "--frames --json --plot -y"),
        ("view ", "--frame --field --show --overlay --histogram --warmup -y"),
    ] {
        let (short, long) = (text(&folder, &format!("{command}-h")), text(&folder, &format!("{command}--help")));
        assert!(short.lines().count() <= 40, "{short}");
        assert!(short.lines().all(|line| line.chars().count() <= 100), "{short}");
        assert!(short.contains(&format!("Usage: dndi {command}")) && short.contains("--help"), "{short}");
        for option in options.split(' ') {
            assert!(short.contains(&format!("{option} ")), "{option}: {short}");
        }
        for word in short.split([' ', ',', ';', '\n']).filter(|word| word.starts_with("--")) {
            assert!(long.contains(word.trim_end_matches(['.', ':'])), "{word}");
        }
        assert!(!short.contains("--scaler-state") && !short.contains("--set"), "{short}");
    }
    let short = text(&folder, "-h");
    assert_eq!(short, text(&folder, "help"));
    // All values are listed, the default first.
    for values in [": auto, header, tff, bff, progressive\n", ": balanced, gen6, best\n", ": default, fast, best, driver\n"] {
        assert!(short.contains(values), "{values}: {short}");
    }
}

/// `--help` ends with the hardware: its options after all others, and its parameters last.
#[test]
fn long_help_ends_with_the_hardware() {
    let folder = Folder::new("long_help");
    let long = text(&folder, "--help");
    let headings: Vec<_> = long.lines().filter(|line| line.ends_with(':') && !line.starts_with(' ')).collect();
    let hardware = "Parameters, stages and state of the hardware:";
    assert_eq!(headings.first(), Some(&"Arguments:"));
    assert_eq!(headings[headings.len() - 3..], [hardware, "Examples:", "Parameters of --set:"]);
    let (before, after) = long.split_once(hardware).unwrap();
    for option in ["--set", "--mcdi", "--ief", "--csc", "--engine", "--scaler-state", "--sampler-state", "--color-state"] {
        let line = format!("\n      {option} ");
        assert!(!before.contains(&line) && after.contains(line.trim_end()), "{option}");
    }
    for option in ["--field-order", "--saturation", "--encoder", "--threads"] {
        assert!(before.contains(&format!("\n      {option} ")), "{option}");
    }
}

#[test]
fn help_of_subcommands() {
    let folder = Folder::new("help_subcommand");
    for name in SUBCOMMANDS {
        let help = text(&folder, &format!("help {name}"));
        assert_eq!(help, text(&folder, &format!("{name} --help")), "{name}");
        assert!(help.contains(&format!("Usage: dndi {name}")), "{help}");
    }
}

/// Bash completes words of the command line with the generated script.
#[test]
fn completions_in_bash() {
    if !is_installed("bash", "completions in bash") {
        return;
    }
    let folder = Folder::new("completions");
    folder.write("dndi.bash", text(&folder, "completions bash"));
    folder.write("tape.avi", "");
    let script = "shopt -s extglob; compopt() { :; }; . ./dndi.bash; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1))\n\
                  _dndi dndi \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"; echo ${COMPREPLY[*]}";
    for (words, found) in [
        ("dndi --fie", "--field-order"),
        ("dndi in.y4m out.mkv --lossl", "--lossless"),
        ("dndi --field-order _", "auto header tff bff progressive"),
        ("dndi --profile tap", "tape.avi"),
        ("dndi --crop tap", "tap"), // no file
        ("dndi insp", "inspect"),
        ("dndi inspect --js", "--json"),
        ("dndi inspect --vers", "--version"),
        ("dndi view --overlay _", "motion angle history vectors tears skin"),
        ("dndi view --framem", ""), // not for view
        ("dndi state deco", "decode"),
        ("dndi state decode --stri", "--strict"),
        ("dndi completions z", "zsh"),
        ("dndi man insp", "inspect"),
    ] {
        let words: Vec<_> = words.split(' ').map(|word| if word == "_" { "" } else { word }).collect();
        let mut command = Command::new("bash");
        command.args(["--norc", "-c", script, "bash"]).args(&words).current_dir(folder.path("."));
        let Output { stdout, stderr, .. } = command.output().unwrap();
        let (stdout, stderr) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
        assert_eq!((stdout.trim(), stderr.as_str()), (found, ""), "{words:?}");
    }
}

/// Zsh and fish read the generated scripts. Fish completes with it.
#[test]
fn completions_in_zsh_and_fish() {
    let folder = Folder::new("completions_zsh");
    folder.write("_dndi", text(&folder, "completions zsh"));
    folder.write("dndi.fish", text(&folder, "completions fish"));
    folder.write("tape.avi", "");
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(folder.path(".")).output().unwrap();
        String::from_utf8(RunResult::new(program, output).succeeds().stdout).unwrap()
    };
    if is_installed("zsh", "completions in zsh") {
        run("zsh", &["-n", "_dndi"]);
    }
    if is_installed("fish", "completions in fish") {
        run("fish", &["-n", "dndi.fish"]);
        for (words, found) in [
            ("dndi --fie", "--field-order"),
            ("dndi tape.avi --lossl", "--lossless"),
            ("dndi insp", "inspect"),
            ("dndi tap", "tape.avi"),
            ("dndi inspect --js", "--json"),
            ("dndi state deco", "decode"),
        ] {
            let found_words = run("fish", &["--no-config", "-c", &format!("source dndi.fish; complete -C '{words}'")]);
            assert_eq!(found_words.split_whitespace().next(), Some(found), "{words}: {found_words}");
        }
    }
}

/// The manual has all options, and groff renders it without warnings.
#[test]
fn manual() {
    let folder = Folder::new("manual");
    let groff = is_installed("groff", "rendering of the manual");
    for name in [""].into_iter().chain(SUBCOMMANDS) {
        let page = text(&folder, &format!("man {name}"));
        assert!(page.is_ascii(), "{name}");
        let plain = page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "").replace("\\fI", "");
        let title = ["dndi"].into_iter().chain(name.split_whitespace()).collect::<Vec<_>>().join("-");
        assert!(plain.contains(&format!(".TH {title} 1 ")), "{name}: {plain}");
        let help = text(&folder, &format!("{name} --help"));
        for option in help.lines().filter_map(|line| line.trim_start().strip_prefix("--")) {
            let option = option.split([' ', '[', '=']).next().unwrap();
            assert!(plain.contains(&format!("--{option}")), "{name}: {option}");
        }
        for heading in ["Exit codes:", "Examples:", "Structures:"].into_iter().filter(|heading| help.contains(heading)) {
            let section = format!(".SH \"{}\"\n", heading.trim_end_matches(':').to_uppercase());
            assert!(plain.contains(&section) || plain.contains(&section.replace('"', "")), "{name}: {section}");
        }
        if groff {
            folder.write("page.1", &page);
            let output = Command::new("groff").args(["-man", "-Tutf8", "-ww"]).arg(folder.path("page.1")).output().unwrap();
            RunResult::new(name, output).succeeds();
        }
    }
    let page = text(&folder, "man");
    for field in dndi::Parameters::fields() {
        assert!(page.contains(&format!("\\fB{}\\fR", field.name.replace('-', "\\-"))), "{}", field.name);
    }
    for name in ["inspect", "view", "state", "help", "completions", "man"] {
        assert!(page.contains(&format!("dndi\\-{name}(1)")), "{name}");
    }
}
