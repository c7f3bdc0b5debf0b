//! What is asked for is done, or refused before anything is written, or a warning tells that it comes to nothing.

use crate::clip::Clip;
use crate::fields::{self, pattern};
use crate::program::{Done, Folder};
use serde_json::Value;

const TAGS: &str = "W160 H96 F30000:1001 I? Cmono";

struct Runs(Folder);

impl Runs {
    fn new(name: &str) -> Runs {
        Runs(Folder::new(name))
    }

    /// Writes a clip with this interlacing tag.
    fn write(&self, clip: &fields::Clip, tag: &str) -> Clip {
        let clip = Clip::of_fields(clip, TAGS.replace("I?", tag));
        self.0.write("in.y4m", clip.bytes());
        clip
    }

    fn done(&self, words: &str) -> Done {
        Done::new(words, self.0.plain(words).output().unwrap())
    }

    #[track_caller]
    fn run(&self, options: &str) -> Clip {
        self.done(&format!("-y -q --denoise off {options} in.y4m out.y4m")).fine();
        Clip::parse(&self.0.read("out.y4m"))
    }
}

#[test]
fn rates_that_cannot_be_had() {
    let runs = Runs::new("wishes_rates");
    runs.0.write("codes", "");
    // Whatever the clip: not even looked at.
    runs.0.write("out.y4m", "precious");
    for (words, told) in [
        ("--rate film --film off", "--film auto or reconstruct"),
        ("--rate film --matches codes", "omit it"),
        ("--rate film --deinterlace off", "use --deinterlace auto"),
        ("--rate film --field-order progressive", "use auto, tff or bff"),
        ("--rate film --preset driver", "--film off"),
        ("--rate field --deinterlace off", "use --deinterlace auto, or --rate frame"),
    ] {
        for output in ["out.y4m", "new.y4m"] {
            runs.done(&format!("{words} missing.y4m {output}")).fails(2, told);
        }
    }
    // By what the header says.
    for (tag, words, told) in [
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
        runs.write(&fields::Clip::new(pattern(&[2, 3], 0, 8)), tag);
        runs.done(&format!("--rate film {words} in.y4m new.y4m")).fails(2, told);
    }
    runs.0.write("in.y4m", Clip::new("W16 H9 F25:1 C422", 3).bytes());
    runs.done("--rate film in.y4m new.y4m").fails(2, "frames of this size have no fields");
    assert_eq!(runs.0.files(), ["codes", "in.y4m", "out.y4m"]);
    assert_eq!(runs.0.read("out.y4m"), b"precious");
}

/// Everything else finds it.
#[test]
fn film_where_it_is_looked_for() {
    let runs = Runs::new("wishes_film");
    for (tag, words) in [
        ("It", "--field-order header"),
        ("It", "--deinterlace flagged"),
        ("It", "--deinterlace flagged --field-order tff"),
        ("Ip", "--deinterlace on"),
        ("Im", "--deinterlace on"),
        ("Im", "--field-order tff"),
        ("I?", "--field-order tff --film reconstruct"),
    ] {
        runs.write(&fields::Clip::new(pattern(&[2, 3], 0, 20)), tag);
        let out = runs.run(&format!("--rate film {words}"));
        assert_eq!(out.frames.len(), 20, "{tag} {words}");
        assert!(out.tags.contains("F24000:1001 "), "{tag} {words}: {}", out.tags);
    }
}

/// A frame without fields leaves twice at the rate of fields.
#[test]
fn frames_without_fields_at_the_rate_of_fields() {
    let runs = Runs::new("wishes_twice");
    let clip = Clip::new("W16 H9 F25:1 Ip C411", 5).flagged(&["Xa Ipp", "", "Ipp"]);
    runs.0.write("in.y4m", clip.bytes());
    for words in
        ["--field-order header", "--field-order progressive", "", "--deinterlace flagged", "--preset driver --denoise off"]
    {
        let out = runs.run(&format!("{words} --rate field --stats stats --timecodes times --framemd5 sums"));
        assert_eq!(out.tags, "W16 H9 F50:1 Ip C411", "{words}");
        let twice: Vec<_> = clip.samples().into_iter().flat_map(|frame| [frame, frame]).collect();
        assert!(out.samples() == twice, "{words}");
        let parameters: Vec<_> = out.frames.iter().map(|frame| frame.0.as_str()).collect();
        assert_eq!(parameters[..4], [" Xa", " Xa", " ", " "], "{words}");
        let rows = runs.0.read_text("stats");
        let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        for (number, row) in rows.iter().enumerate() {
            let told =
                |name: &str| row["outputs"].as_array().unwrap().iter().map(|output| output[name].clone()).collect::<Vec<_>>();
            assert_eq!(told("frame"), [2 * number, 2 * number + 1], "{words}");
            assert_eq!(told("time"), [number as f64 / 25.0, (2 * number + 1) as f64 / 50.0], "{words}");
        }
        let times: Vec<f64> = runs.0.read_text("times").lines().skip(1).map(|line| line.parse().unwrap()).collect();
        assert_eq!(times, (0..10).map(|number| 20.0 * number as f64).collect::<Vec<_>>(), "{words}");
        assert_eq!(runs.0.read_text("sums").lines().filter(|line| line.starts_with('0')).count(), 10, "{words}");
    }
    // Too few lines for fields of 4:2:0.
    let low = Clip::new("W16 H2 F25:1 Ip C420jpeg", 3);
    runs.0.write("in.y4m", low.bytes());
    assert_eq!(
        runs.run("--rate field").samples(),
        low.samples().into_iter().flat_map(|frame| [frame, frame]).collect::<Vec<_>>()
    );
    runs.0.write("in.y4m", clip.bytes());
    // Nothing of the kind where it was not asked for.
    assert!(runs.run("--field-order header") == clip && runs.run("--field-order header --rate frame") == clip);
    assert_eq!(runs.run("--field-order header --rate field --skip 2 --frames 1").samples(), [clip.samples()[2]; 2]);
}

/// An order that is given is that of what is flagged as interlaced, and of nothing else.
#[test]
fn flagged_frames_in_a_given_order() {
    let runs = Runs::new("wishes_flagged");
    let clip = runs.write(&fields::Clip::new((0..20).collect()), "Ip");
    assert!(runs.run("--deinterlace flagged --field-order tff") == clip);
    assert_ne!(runs.run("--deinterlace on --field-order tff").samples(), clip.samples());
    runs.write(&fields::Clip::new((0..20).collect()), "It");
    let bottom = runs.run("--deinterlace flagged --field-order bff");
    assert!(bottom.frames == runs.run("--field-order bff").frames && bottom.frames.len() == 20);
    // Of mixed streams the frames that are flagged so, whatever they look like.
    let film = runs.write(&fields::Clip::new(pattern(&[2, 3], 0, 8)), "Im");
    for words in ["--field-order tff", "--field-order auto", "--field-order header"] {
        let out = |flag: &str| {
            runs.0.write("in.y4m", film.clone().flagged(&[flag; 10]).bytes());
            runs.run(&format!("--deinterlace flagged --stats stats {words}"));
            let rows = runs.0.read_text("stats");
            let codes = rows.lines().flat_map(|row| {
                let row: Value = serde_json::from_str(row).unwrap();
                row["outputs"].as_array().unwrap().iter().map(|output| output["code"].as_u64().unwrap()).collect::<Vec<_>>()
            });
            codes.collect::<Vec<_>>()
        };
        assert_eq!(out("Itii"), [0; 20], "{words}");
        assert_eq!(out("Itpp")[1..], [2, 1].repeat(10)[1..], "{words}");
    }
}

#[test]
fn wishes_that_come_to_nothing() {
    let runs = Runs::new("wishes_vain");
    runs.0.write("codes", "");
    for (tag, words, told) in [
        (
            "Ip",
            "--field-order header --film reconstruct",
            "--film reconstruct has no effect: the header declares progressive frames",
        ),
        ("It", "--film reconstruct --deinterlace off", "--film reconstruct has no effect: --deinterlace off"),
        ("It", "--film reconstruct --matches codes", "--film reconstruct has no effect: --matches"),
        ("Im", "--film reconstruct --deinterlace flagged", "the flags of the frames alone decide"),
        ("It", "--matches codes --deinterlace off", "--matches has no effect if nothing is deinterlaced"),
        ("Ip", "--matches codes --field-order header", "--matches has no effect if nothing is deinterlaced"),
        ("I?", "--deinterlace flagged", "use --field-order tff or --field-order bff, and --deinterlace on"),
        ("I?", "--deinterlace flagged --field-order tff", "nothing is deinterlaced"),
        ("I?", "--field-order header", "use --field-order tff or --field-order bff\n"),
    ] {
        runs.write(&fields::Clip::new(pattern(&[2], 0, 4)), tag);
        runs.done(&format!("-y {words} in.y4m out.y4m")).warns(told);
    }
    runs.write(&fields::Clip::new(pattern(&[2], 0, 4)), "I?");
    for words in
        ["--field-order progressive", "--deinterlace off", "--field-order tff", "--deinterlace flagged --field-order progressive"]
    {
        runs.done(&format!("-y {words} in.y4m out.y4m")).fine();
    }
}

/// What cannot be created is known before anything else is.
#[test]
fn places_that_cannot_be_written() {
    let runs = Runs::new("wishes_places");
    runs.write(&fields::Clip::new(pattern(&[2], 0, 4)), "Ip");
    std::fs::create_dir(runs.0.path("folder.svg")).unwrap();
    for words in [
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
        let done = runs.done(words).fails(1, "cannot create ");
        assert!(done.stdout.is_empty(), "{words}");
        assert_eq!(runs.0.files(), ["folder.svg", "in.y4m"], "{words}");
    }
}

/// Options before a subcommand.
#[test]
fn late_subcommands() {
    let runs = Runs::new("wishes_late");
    runs.write(&fields::Clip::new(pattern(&[2], 0, 4)), "Ip");
    for (words, name) in [
        ("-q view in.y4m out.png", "view"),
        ("-q view --frame 2 in.y4m out.png", "view"),
        ("--preset fast inspect in.y4m", "inspect"),
        ("-y state decode", "state"),
        ("-- view out.y4m", "view"),
    ] {
        runs.done(words).fails(
            2,
            &format!("{name} is a subcommand only as the first argument: dndi {name} [OPTIONS]; a file of that name is ./{name}"),
        );
    }
    assert_eq!(runs.0.files(), ["in.y4m"]);
    // Elsewhere they are words like others.
    runs.done("-q in.y4m view").fine();
    runs.done("--preset view in.y4m out").fails(2, "invalid value 'view'");
    // A clip that is there can be meant.
    runs.done("-q view out.y4m").fine();
    runs.done("-q view out.y4m more").fails(2, "only as the first argument");
}
