//! The program applies each option, or rejects it before it writes a file, or warns that the
//! option has no effect.

use crate::clip::Clip;
use crate::fields::{self, pattern};
use crate::program::{Folder, RunResult};
use serde_json::Value;

const TAGS: &str = "W160 H96 F30000:1001 I? Cmono";

struct Runner(Folder);

impl Runner {
    fn new(name: &str) -> Runner {
        Runner(Folder::new(name))
    }

    /// Writes a clip with this interlacing tag.
    fn write(&self, clip: &fields::Clip, tag: &str) -> Clip {
        let clip = Clip::of_fields(clip, TAGS.replace("I?", tag));
        self.0.write("in.y4m", clip.bytes());
        clip
    }

    fn result_of(&self, arguments: &str) -> RunResult {
        RunResult::new(arguments, self.0.plain(arguments).output().unwrap())
    }

    #[track_caller]
    fn run(&self, options: &str) -> Clip {
        self.result_of(&format!("-y -q --denoise off {options} in.y4m out.y4m")).succeeds();
        Clip::parse(&self.0.read("out.y4m"))
    }
}

#[test]
fn impossible_film_and_field_rates() {
    let runner = Runner::new("ineffective_rates");
    runner.0.write("codes", "");
    // Rejected for every clip: the program does not open the input.
    runner.0.write("out.y4m", "existing");
    for (arguments, message) in [
        ("--rate film --film off", "--film auto or reconstruct"),
        ("--rate film --matches codes", "omit it"),
        ("--rate film --deinterlace off", "use --deinterlace auto"),
        ("--rate film --field-order progressive", "use auto, tff or bff"),
        ("--rate film --preset driver", "--film off"),
        ("--rate field --deinterlace off", "use --deinterlace auto, or --rate frame"),
    ] {
        for output in ["out.y4m", "new.y4m"] {
            runner.result_of(&format!("{arguments} missing.y4m {output}")).fails(2, message);
        }
    }
    // Rejected because of the header.
    for (tag, arguments, message) in [
        (
            "Ip",
            "--field-order header",
            "in.y4m: --rate film needs field matching: the header declares progressive frames; use --field-order",
        ),
        ("I?", "--field-order header", "the header has no field order; use --field-order auto, tff or bff"),
        ("Im", "--field-order header", "the flags of the frames alone decide; use --field-order auto, tff or bff"),
        ("Ip", "--deinterlace flagged", "the header declares progressive frames; use --deinterlace auto or on"),
        ("Ip", "--deinterlace flagged --field-order tff", "the header declares progressive frames; use --deinterlace auto or on"),
        ("I?", "--deinterlace flagged --field-order bff", "the header declares nothing interlaced; use --deinterlace auto or on"),
        ("Im", "--deinterlace flagged", "the flags of the frames alone decide; use --deinterlace auto or on"),
        ("Im", "--deinterlace flagged --field-order bff", "the flags of the frames alone decide; use --deinterlace auto or on"),
        ("Ip", "--film reconstruct --field-order header", "the header declares progressive frames"),
    ] {
        runner.write(&fields::Clip::new(pattern(&[2, 3], 0, 8)), tag);
        runner.result_of(&format!("--rate film {arguments} in.y4m new.y4m")).fails(2, message);
    }
    runner.0.write("in.y4m", Clip::new("W16 H9 F25:1 C422", 3).bytes());
    runner.result_of("--rate film in.y4m new.y4m").fails(2, "frames of this size have no fields");
    assert_eq!(runner.0.files(), ["codes", "in.y4m", "out.y4m"]);
    assert_eq!(runner.0.read("out.y4m"), b"existing");
}

/// All other combinations of options detect the film.
#[test]
fn options_that_detect_film() {
    let runner = Runner::new("ineffective_film");
    for (tag, arguments) in [
        ("It", "--field-order header"),
        ("It", "--deinterlace flagged"),
        ("It", "--deinterlace flagged --field-order tff"),
        ("Ip", "--deinterlace on"),
        ("Im", "--deinterlace on"),
        ("Im", "--field-order tff"),
        ("I?", "--field-order tff --film reconstruct"),
    ] {
        runner.write(&fields::Clip::new(pattern(&[2, 3], 0, 20)), tag);
        let out = runner.run(&format!("--rate film {arguments}"));
        assert_eq!(out.frames.len(), 20, "{tag} {arguments}");
        assert!(out.tags.contains("F24000:1001 "), "{tag} {arguments}: {}", out.tags);
    }
}

/// At the field rate the program outputs a frame without fields twice.
#[test]
fn progressive_frames_at_the_field_rate() {
    let runner = Runner::new("ineffective_twice");
    let clip = Clip::new("W16 H9 F25:1 Ip C411", 5).flagged(&["Xa Ipp", "", "Ipp"]);
    runner.0.write("in.y4m", clip.bytes());
    for arguments in
        ["--field-order header", "--field-order progressive", "", "--deinterlace flagged", "--preset driver --denoise off"]
    {
        let out = runner.run(&format!("{arguments} --rate field --stats stats --timecodes times --framemd5 sums"));
        assert_eq!(out.tags, "W16 H9 F50:1 Ip C411", "{arguments}");
        let twice: Vec<_> = clip.samples().into_iter().flat_map(|frame| [frame, frame]).collect();
        assert!(out.samples() == twice, "{arguments}");
        let parameters: Vec<_> = out.frames.iter().map(|frame| frame.0.as_str()).collect();
        assert_eq!(parameters[..4], [" Xa", " Xa", " ", " "], "{arguments}");
        let rows = runner.0.read_text("stats");
        let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        for (number, row) in rows.iter().enumerate() {
            let values =
                |name: &str| row["outputs"].as_array().unwrap().iter().map(|output| output[name].clone()).collect::<Vec<_>>();
            assert_eq!(values("frame"), [2 * number, 2 * number + 1], "{arguments}");
            assert_eq!(values("time"), [number as f64 / 25.0, (2 * number + 1) as f64 / 50.0], "{arguments}");
        }
        let times: Vec<f64> = runner.0.read_text("times").lines().skip(1).map(|line| line.parse().unwrap()).collect();
        assert_eq!(times, (0..10).map(|number| 20.0 * number as f64).collect::<Vec<_>>(), "{arguments}");
        assert_eq!(runner.0.read_text("sums").lines().filter(|line| line.starts_with('0')).count(), 10, "{arguments}");
    }
    // A height of 2 is too low for fields of 4:2:0.
    let low = Clip::new("W16 H2 F25:1 Ip C420jpeg", 3);
    runner.0.write("in.y4m", low.bytes());
    assert_eq!(
        runner.run("--rate field").samples(),
        low.samples().into_iter().flat_map(|frame| [frame, frame]).collect::<Vec<_>>()
    );
    runner.0.write("in.y4m", clip.bytes());
    // Without `--rate field` frames are not repeated.
    assert!(runner.run("--field-order header") == clip && runner.run("--field-order header --rate frame") == clip);
    assert_eq!(runner.run("--field-order header --rate field --skip 2 --frames 1").samples(), [clip.samples()[2]; 2]);
}

/// `--field-order` applies only to frames that are flagged as interlaced.
#[test]
fn flagged_frames_with_a_given_field_order() {
    let runner = Runner::new("ineffective_flagged");
    let clip = runner.write(&fields::Clip::new((0..20).collect()), "Ip");
    assert!(runner.run("--deinterlace flagged --field-order tff") == clip);
    assert_ne!(runner.run("--deinterlace on --field-order tff").samples(), clip.samples());
    runner.write(&fields::Clip::new((0..20).collect()), "It");
    let bottom = runner.run("--deinterlace flagged --field-order bff");
    assert!(bottom.frames == runner.run("--field-order bff").frames && bottom.frames.len() == 20);
    // In mixed streams the flags of each frame decide, not its content.
    let film = runner.write(&fields::Clip::new(pattern(&[2, 3], 0, 8)), "Im");
    for arguments in ["--field-order tff", "--field-order auto", "--field-order header"] {
        let out = |flag: &str| {
            runner.0.write("in.y4m", film.clone().flagged(&[flag; 10]).bytes());
            runner.run(&format!("--deinterlace flagged --stats stats {arguments}"));
            let rows = runner.0.read_text("stats");
            let codes = rows.lines().flat_map(|row| {
                let row: Value = serde_json::from_str(row).unwrap();
                row["outputs"].as_array().unwrap().iter().map(|output| output["code"].as_u64().unwrap()).collect::<Vec<_>>()
            });
            codes.collect::<Vec<_>>()
        };
        assert_eq!(out("Itii"), [0; 20], "{arguments}");
        assert_eq!(out("Itpp")[1..], [2, 1].repeat(10)[1..], "{arguments}");
    }
}

#[test]
fn options_without_effect_warn() {
    let runner = Runner::new("ineffective_warnings");
    runner.0.write("codes", "");
    for (tag, arguments, message) in [
        (
            "Ip",
            "--field-order header --film reconstruct",
            "--film reconstruct has no effect: the header declares progressive frames",
        ),
        ("It", "--film reconstruct --deinterlace off", "--film reconstruct has no effect: --deinterlace off"),
        ("It", "--film reconstruct --matches codes", "--film reconstruct has no effect: --matches"),
        ("Im", "--film reconstruct --deinterlace flagged", "the flags of the frames alone decide"),
        ("It", "--mcdi off --field-order header", "--mcdi has no effect: only --deinterlacer gen6"),
        ("It", "--deflicker on --field-order header", "--deflicker has no effect: it reads the motion measure"),
        ("It", "--set stmm_c2=2 --field-order header", "parameters of the gen6 deinterlacer have no effect"),
        ("It", "--matches codes --deinterlace off", "--matches has no effect if nothing is deinterlaced"),
        ("Ip", "--matches codes --field-order header", "--matches has no effect if nothing is deinterlaced"),
        ("I?", "--deinterlace flagged", "use --field-order tff or --field-order bff, and --deinterlace on"),
        ("I?", "--deinterlace flagged --field-order tff", "nothing is deinterlaced"),
        ("I?", "--field-order header", "use --field-order tff or --field-order bff\n"),
    ] {
        runner.write(&fields::Clip::new(pattern(&[2], 0, 4)), tag);
        runner.result_of(&format!("-y {arguments} in.y4m out.y4m")).warns(message);
    }
    runner.write(&fields::Clip::new(pattern(&[2], 0, 4)), "I?");
    for arguments in
        ["--field-order progressive", "--deinterlace off", "--field-order tff", "--deinterlace flagged --field-order progressive"]
    {
        runner.result_of(&format!("-y {arguments} in.y4m out.y4m")).succeeds();
    }
}

/// The program checks first that it can create its output files.
#[test]
fn output_files_that_cannot_be_created() {
    let runner = Runner::new("uncreatable_files");
    runner.write(&fields::Clip::new(pattern(&[2], 0, 4)), "Ip");
    std::fs::create_dir(runner.0.path("folder.svg")).unwrap();
    for arguments in [
        "in.y4m folder.svg",
        "in.y4m nowhere/out.y4m",
        "in.y4m in.y4m/out.y4m",
        "in.y4m out.y4m --stats folder.svg",
        "in.y4m out.y4m --framemd5 nowhere/sums",
        "in.y4m out.y4m --timecodes in.y4m/times",
        "view in.y4m nowhere/out.png",
        "inspect in.y4m --plot folder.svg",
        "inspect in.y4m --plot nowhere/plot.png",
    ] {
        let result = runner.result_of(arguments).fails(1, "cannot create ");
        assert!(result.stdout.is_empty(), "{arguments}");
        assert_eq!(runner.0.files(), ["folder.svg", "in.y4m"], "{arguments}");
    }
}

/// A subcommand after options is rejected.
#[test]
fn late_subcommands() {
    let runner = Runner::new("late_subcommands");
    runner.write(&fields::Clip::new(pattern(&[2], 0, 4)), "Ip");
    for (arguments, name) in [
        ("-q view in.y4m out.png", "view"),
        ("-q view --frame 2 in.y4m out.png", "view"),
        ("--preset fast inspect in.y4m", "inspect"),
        ("-y state decode", "state"),
        ("-- view out.y4m", "view"),
    ] {
        runner.result_of(arguments).fails(
            2,
            &format!("{name} is a subcommand only as the first argument: dndi {name} [OPTIONS]; a file of that name is ./{name}"),
        );
    }
    assert_eq!(runner.0.files(), ["in.y4m"]);
    // In other positions the names are ordinary arguments.
    runner.result_of("-q in.y4m view").succeeds();
    runner.result_of("--preset view in.y4m out").fails(2, "invalid value 'view'");
    // An existing file of that name is used as the input.
    runner.result_of("-q view out.y4m").succeeds();
    runner.result_of("-q view out.y4m more").fails(2, "only as the first argument");
}
