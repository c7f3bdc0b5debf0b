//! Invalid command lines: exit code 2, one line with a hint, and no file created.

use crate::clip::Clip;
use crate::program::Folder;

#[test]
fn invalid_command_lines() {
    let folder = Folder::new("usage");
    folder.write("in.y4m", Clip::new("W16 H8 F25:1 It C422", 3).bytes());
    let cases = [
        ("", "<INPUT>"),
        ("in.y4m", "<OUTPUT>"),
        ("in.y4m out.y4m more", "more"),
        ("in.y4m out.y4m --unknown", "--unknown"),
        ("in.y4m out.y4m --field-order", "auto, header, tff, bff, progressive"),
        ("in.y4m out.y4m --field-order top", "auto, header, tff, bff, progressive"),
        ("in.y4m out.y4m --deinterlace yes", "auto, on, off, flagged"),
        ("in.y4m out.y4m --denoise yes", "--denoise"),
        ("in.y4m out.y4m --mcdi 1", "--mcdi"),
        ("in.y4m out.y4m --film on", "off, auto, deblend, reconstruct"),
        ("in.y4m out.y4m --chroma 411", "same, 422, 420, 420drop"),
        ("in.y4m out.y4m --rate 50", "field, frame, film"),
        ("in.y4m out.y4m --rate film --film off", "--film auto"),
        ("in.y4m out.y4m --film auto --rate film --matches in.y4m", "--matches gives the matches"),
        ("in.y4m out.y4m --frames x", "--frames"),
        ("in.y4m out.y4m --frames -1", "-1"),
        ("in.y4m out.y4m --skip 99999999999999999999", "--skip"),
        ("in.y4m out.y4m --skip 2 --warmup 3", "--warmup 3"),
        ("in.y4m out.y4m --warmup 1", "--skip 0"),
        ("in.y4m out.y4m --threads 0", "1..=1024"),
        ("in.y4m out.y4m --threads 1025", "1..=1024"),
        ("in.y4m out.y4m --chroma 422 --deinterlace off", "--chroma same"),
        ("in.y4m out.y4m --deinterlace on --field-order progressive", "--field-order progressive"),
        ("in.y4m out.y4m --set stad_th", "NAME=VALUE"),
        ("in.y4m out.y4m --set stad_th=", "a whole number of 0…255"),
        ("in.y4m out.y4m --set stad_th=1.5", "0…255"),
        ("in.y4m out.y4m --set stad_th=99999999999999999999", "a whole number of 0…255"),
        ("in.y4m out.y4m --set =1", "stad_th=0…255"),
        ("in.y4m out.y4m --set stad=1", "stad_th=0…255"),
        ("in.y4m out.y4m --set top_first=1", "di_partial=0…1"),
        ("in.y4m out.y4m --set dn_enable=x", "mcdi_enable=0…1"),
        ("in.y4m out.y4m --set stmm_mim=1", "no parameter 'stmm_mim'; similar: stmm_min=0…255, "),
        ("in.y4m out.y4m --set gain_factr=1", "similar: ief.gain_factor=0…63; dndi --help lists all"),
        ("in.y4m out.y4m --set color.bogus=1", "no parameter 'color.bogus'; dndi --help lists those of the colour pipe"),
        ("in.y4m out.y4m --set color.hue_max=64", "color.hue_max = 64 is outside 0…63"),
        ("in.y4m out.y4m --set temporal_diff_th=23", "temporal_diff_th"),
        ("in.y4m out.y4m --set stmm_shift=6", "stmm_shift"),
        ("in.y4m - --stats -", "stdout"),
        ("in.y4m out.y4m --stats - --framemd5 -", "stdout"),
        ("in.y4m - --timecodes -", "stdout"),
    ];
    for (arguments, text) in cases {
        let result = folder.run(arguments).fails(2, text);
        assert!(!result.stderr.contains("Usage"), "{}", result.stderr);
        assert_eq!(folder.files(), ["in.y4m"], "{arguments}");
    }
    // The condition on stmm_max - stmm_min applies only to the deinterlacer.
    folder.run("in.y4m out.y4m --set stmm_shift=6 --deinterlace off").succeeds();
}

/// Arguments that are not UTF-8 text. Only paths may be such. The message is one printable line.
#[test]
#[cfg(target_os = "linux")]
fn arguments_that_are_not_text() {
    use crate::program::RunResult;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("not_text");
    let run = |arguments: &[&[u8]]| {
        let mut command = folder.command("");
        RunResult::new(
            &format!("{arguments:?}"),
            command.args(arguments.iter().map(|argument| OsStr::from_bytes(argument))).output().unwrap(),
        )
    };
    let name = b"a\nb\x1b\xff";
    run(&[name, b"out"]).fails(1, "a\\nb\\u{1b}\u{fffd}");
    run(&[b"in", b"out", b"--set", name]).fails(2, "");
    run(&[b"in", b"out", b"--set", b"a\n\nb=1"]).fails(2, "a\\n\\nb");
    run(&[b"in", b"out", b"--rate", b"a\n\nb"]).fails(2, "field, frame");
    run(&[b"in", b"out", name]).fails(2, "");
    std::fs::write(folder.path("in"), Clip::new("W16 H8 F25:1 It C422", 1).bytes()).unwrap();
    run(&[b"in", name]).succeeds();
    run(&[b"in", name]).fails(2, "exists");
}

#[test]
fn impossible_field_orders() {
    let folder = Folder::new("orders");
    let cases = [
        ("W16 H7 F25:1 It C422", "", "--field-order progressive"),
        ("W16 H7 F25:1 Ib C422", "--deinterlace off", "--field-order progressive"),
        ("W16 H7 F25:1 Im C422", "", "--field-order progressive"),
        ("W16 H7 F25:1 Ip C422", "--field-order tff", "--field-order progressive"),
        ("W16 H2 F25:1 It C420", "", "--field-order progressive"),
        ("W16 H8 F25:1 Ip C422", "--deinterlace on", "tff or bff"),
        ("W16 H8 F25:1 I? C422", "--deinterlace on", "tff or bff"),
        ("W16 H8 F25:1 C422", "--deinterlace on", "tff or bff"),
    ];
    for (tags, options, text) in cases {
        folder.write("in.y4m", Clip::new(tags, 2).bytes());
        folder.run(&format!("{options} in.y4m out.y4m")).fails(2, text);
        assert_eq!(folder.files(), ["in.y4m"], "{tags} {options}");
        folder.run(&format!("{options} --field-order progressive --deinterlace auto in.y4m out.y4m")).succeeds();
        std::fs::remove_file(folder.path("out.y4m")).unwrap();
    }
}

/// Later options override earlier ones, so that a script can put its defaults before the options of
/// the user. All `--set` options apply.
#[test]
fn options_may_be_repeated() {
    let folder = Folder::new("repeated");
    folder.write("in.y4m", Clip::new("W16 H8 F25:1 It C422", 3).bytes());
    folder.run("--rate frame --frames 1 -q -q --rate field in.y4m out.y4m --frames 2").succeeds();
    assert_eq!(Clip::parse(&folder.read("out.y4m")).frames.len(), 4);
    folder.run("-y --set stad_th=300 --set stad_th=1 in.y4m out.y4m").fails(2, "stad_th = 300");
}

#[test]
fn help_and_version() {
    let folder = Folder::new("help");
    let long = String::from_utf8(folder.run("--help").succeeds().stdout).unwrap();
    let options = "--field-order --deinterlace --denoise --mcdi --film --chroma --set --matches --stats --rate --timecodes --frames --skip --warmup \
                   --threads --md5 --framemd5 --scale --crop --chroma-location --sharpen --ief --scaler-state --sampler-state --print-tables \
                   --brightness --contrast --saturation --hue --skin-tone --tcc-colors --auto-contrast --aoi --colorspace --rgb \
                   --std --ste --ace --tcc --procamp --csc --color-state -y -q -v --version --help";
    for option in options.split(' ') {
        assert!(long.contains(option), "{option}");
    }
    for text in ["Usage: dndi [OPTIONS] <INPUT> <OUTPUT>", "[default: auto]", "[default: same]", "Exit codes", "DNDI_LEVEL"] {
        assert!(long.contains(text), "{text}");
    }
    // A shell without quotes takes a name with ? for a pattern.
    assert!(!long.contains("-map 1:a?"));
    for field in dndi::Parameters::fields() {
        assert!(long.contains(&format!("\n  {} ", field.name)), "{}", field.name);
    }
    let version = String::from_utf8(folder.run("--version").succeeds().stdout).unwrap();
    assert_eq!(version, format!("dndi {} (level {})\n", env!("CARGO_PKG_VERSION"), dndi::SimdLevel::from_env().unwrap()));
}

#[test]
fn names_of_values_are_nouns() {
    let folder = Folder::new("value_names");
    for command in ["", "inspect ", "view ", "state decode ", "state encode ", "state explain "] {
        let help = String::from_utf8(folder.run(&format!("{command}--help")).succeeds().stdout).unwrap();
        for name in ["WHAT", "WHEN", "WHERE", "WHICH", "HOW"] {
            assert!(!help.contains(&format!("<{name}>")), "{command}: {name}");
        }
    }
}

#[test]
fn levels() {
    let folder = Folder::new("levels");
    folder.write("in.y4m", Clip::new("W16 H8 F25:1 It C422", 3).bytes());
    let run = |arguments: &str, level: &str| {
        crate::program::RunResult::new(arguments, folder.command(arguments).env("DNDI_LEVEL", level).output().unwrap())
    };
    for level in ["scalar", "portable", "PORTABLE"] {
        run("-y in.y4m out.y4m", level).succeeds();
        let version = run("--version", level).succeeds().stdout;
        assert!(String::from_utf8(version).unwrap().ends_with(&format!("(level {})\n", level.to_lowercase())));
    }
    std::fs::remove_file(folder.path("out.y4m")).unwrap();
    for level in ["", "mmx", "scalar ", "a\nb"] {
        run("in.y4m out.y4m", level).fails(2, "this processor has scalar, portable");
        assert!(run("--version", level).fails(2, "this processor has scalar, portable").stdout.is_empty());
        assert_eq!(folder.files(), ["in.y4m"]);
    }
}
