//! Streams in which each frame has its own interlacing flags (`Im`).

use crate::clip::Clip;
use crate::program::Folder;

const MIXED: &str = "W18 H12 F25:1 Im C422";
const FRAMES: usize = 6;

struct Runner(Folder);

impl Runner {
    #[track_caller]
    fn run(&self, clip: &Clip, options: &str) -> Clip {
        self.0.write("in.y4m", clip.bytes());
        self.0.run(&format!("-y -q {options} in.y4m out.y4m")).succeeds();
        Clip::parse(&self.0.read("out.y4m"))
    }

    fn interlaced(&self, clip: &Clip, tag: &str, options: &str) -> Clip {
        self.run(&clip.tagged(&MIXED.replace("Im", tag)), options)
    }
}

#[test]
fn equal_flags_match_the_header_tag() {
    let runner = Runner(Folder::new("mixed_one"));
    let clip = Clip::new(MIXED, FRAMES);
    for (flags, tag) in [("Itii", "It"), ("IT??", "It"), ("Ibii", "Ib"), ("IBi?", "Ib"), ("Xnone", "It")] {
        for options in ["", "--rate frame", "--chroma 420", "--deinterlace on"] {
            let mixed = runner.run(&clip.clone().flagged(&[flags; FRAMES]), options);
            let plain = runner.interlaced(&clip, tag, options);
            assert_eq!(mixed.tags, plain.tags);
            assert!(mixed.samples() == plain.samples(), "{flags} {options}");
        }
    }
    assert_ne!(
        runner.interlaced(&clip, "It", "").samples(),
        runner.interlaced(&clip, "Ib", "").samples(),
        "the field orders give different output"
    );
    // A frame without flags has the order of the previous frame, at the start of the clip that of
    // the first frame with flags.
    let flags = ["Xnone", "Itii", "Xnone", "Itii", "Xnone", "Xnone"];
    assert!(runner.run(&clip.clone().flagged(&flags), "").samples() == runner.interlaced(&clip, "It", "").samples());
}

/// A change of field order restarts the stream.
#[test]
fn the_order_changes() {
    let runner = Runner(Folder::new("mixed_change"));
    let clip = Clip::new(MIXED, FRAMES);
    let flags = ["Itii", "Xnone", "Ibii", "Ibii", "Xnone", "Itii"];
    let flagged = clip.clone().flagged(&flags);
    let mut expected = runner.interlaced(&clip.part(0..2), "It", "").frames;
    expected.extend(runner.interlaced(&clip.part(2..5), "Ib", "").frames);
    expected.extend(runner.interlaced(&clip.part(5..6), "It", "").frames);
    let expected: Vec<_> = expected.iter().map(|(_, samples)| samples.as_slice()).collect();
    let out = runner.run(&flagged, "--stats stats");
    assert_eq!(out.frames.len(), 2 * FRAMES);
    assert!(out.samples() == expected);
    let parameters: Vec<_> = out.frames.iter().map(|(parameters, _)| parameters.as_str()).collect();
    assert_eq!(parameters, ["", "", " Xnone", " Xnone", "", "", "", "", " Xnone", " Xnone", "", ""]);
    for (number, row) in runner.0.read_text("stats").lines().enumerate() {
        assert!(row.starts_with(&format!("{{\"step\":{number},")), "{row}");
    }
    let even: Vec<_> = expected.iter().copied().step_by(2).collect();
    assert!(runner.run(&flagged, "--rate frame").samples() == even);
    for skip in 0..FRAMES {
        let out = runner.run(&flagged, &format!("--skip {skip} --warmup {skip}"));
        assert!(out.samples() == expected[2 * skip..], "from {skip}");
    }
    // After skipped frames the order is that of the last flag before the first requested frame.
    let out = runner.run(&flagged, "--skip 4 --frames 1");
    assert!(out.samples() == runner.interlaced(&clip.part(4..5), "Ib", "").samples());
    // Also if the last of the skipped frames have no flag.
    let late = clip.clone().flagged(&["Ibii", "Xnone", "Xnone", "Xnone", "Xnone", "Xnone"]);
    assert!(runner.run(&late, "--skip 3").samples() == runner.interlaced(&clip.part(3..FRAMES), "Ib", "").samples());
    // The option overrides the flags.
    for (option, tag) in [("tff", "It"), ("bff", "Ib")] {
        let out = runner.run(&flagged, &format!("--field-order {option}"));
        assert!(out.samples() == runner.interlaced(&clip, tag, "").samples(), "{option}");
    }
}

/// The output contains a progressive frame twice, unchanged.
#[test]
fn progressive_frames_are_woven() {
    let runner = Runner(Folder::new("mixed_woven"));
    let clip = Clip::new(MIXED, FRAMES);
    for flag in ["I1pp", "I2??", "I3p?", "Itpp", "Itp?"] {
        let flagged = clip.clone().flagged(&["Itii", flag, "Itii", flag, flag, flag]);
        for options in ["--denoise off", "--denoise off --field-order tff", "--denoise off --field-order bff"] {
            let out = runner.run(&flagged, options);
            let tag = if options.ends_with("bff") { "Ib" } else { "It" };
            let plain = runner.interlaced(&clip, tag, "--denoise off");
            for number in 0..FRAMES {
                for field in [2 * number, 2 * number + 1] {
                    let expected = if [1, 3, 4, 5].contains(&number) { clip.samples()[number] } else { plain.samples()[field] };
                    assert!(out.samples()[field] == expected, "{flag} {options}: field {field}");
                }
            }
        }
        let flagged = clip.clone().flagged(&[flag; FRAMES]);
        let out = runner.run(&flagged, "--denoise off");
        assert!((0..2 * FRAMES).all(|field| out.samples()[field] == clip.samples()[field / 2]), "{flag}");
        // The first field of a stream is always deinterlaced by gen6 (§1.4).
        let options = "--denoise off --deinterlacer gen6";
        let out = runner.run(&flagged, options);
        assert!(out.samples()[0] == runner.interlaced(&clip, "It", options).samples()[0]);
        assert!((1..2 * FRAMES).all(|field| out.samples()[field] == clip.samples()[field / 2]), "{flag}");
    }
}

/// A progressive frame before a change of field order or the end is woven, too.
#[test]
fn progressive_frames_at_ends() {
    let runner = Runner(Folder::new("mixed_ends"));
    let clip = Clip::new(MIXED, 4);
    let out = runner.run(&clip.clone().flagged(&["Itii", "Itpp", "Ibii", "Ibpp"]), "--denoise off");
    for field in [2, 3, 6, 7] {
        assert!(out.samples()[field] == clip.samples()[field / 2], "field {field}");
    }
}

#[test]
fn a_match_file_overrides_the_flags() {
    let runner = Runner(Folder::new("mixed_matches"));
    let clip = Clip::new(MIXED, FRAMES);
    let flagged = clip.clone().flagged(&["Itii", "Itpp", "I1pp", "Itii", "Itpp", "Itpp"]);
    for codes in ["", "0 0\n1 2\n0 1\n2 0\n0 0\n1 1\n1 0\n"] {
        runner.0.write("codes", codes);
        let out = runner.run(&flagged, "--matches codes");
        assert!(out.samples() == runner.interlaced(&clip, "It", "--matches codes").samples(), "{codes:?}");
    }
    // Before a change of field order prev2 applies as at the end of a stream.
    let flagged = clip.clone().flagged(&["Itii", "Itii", "Ibii", "Ibii", "Ibii", "Ibii"]);
    runner.0.write("codes", "0 0\n2 1\n1 1\n1 0\n");
    let out = runner.run(&flagged, "--denoise off --matches codes");
    assert!(out.samples()[3] == clip.samples()[1]);
}

#[test]
fn without_deinterlacing_the_output_is_mixed() {
    let runner = Runner(Folder::new("mixed_off"));
    let clip = Clip::new(MIXED, FRAMES).flagged(&["Itii", "I1pp", "Ibii Xa", "Itpp", "Ib??", "Xb"]);
    assert!(runner.run(&clip, "--deinterlace off --denoise off") == clip);
    assert!(runner.run(&clip, "--field-order progressive --denoise off") == clip);
    let fields = runner.run(&clip, "--deinterlace off --denoise on");
    assert_eq!(fields.tags, clip.tags);
    assert!(fields.frames.iter().zip(&clip.frames).all(|(a, b)| a.0 == b.0));
    assert!(fields.samples() == runner.interlaced(&clip, "It", "--deinterlace off --denoise on").samples());
    let progressive = runner.run(&clip, "--field-order progressive --denoise on");
    assert_eq!(progressive.tags, clip.tags);
    assert!(progressive.samples() == runner.interlaced(&clip, "Ip", "--denoise on").samples());
    assert_ne!(progressive.samples(), fields.samples(), "fields and frames give different output");
}

/// In other streams the flags of the frames are ignored.
#[test]
fn flags_apply_only_in_mixed_streams() {
    let runner = Runner(Folder::new("mixed_not"));
    let clip = Clip::new(MIXED, FRAMES);
    for tag in ["It", "Ib", "Ip", "I?"] {
        let mut flagged = clip.clone().flagged(&["Ibii", "Itpp", "I1pp", "Itii", "Ibpp", "Ibii"]);
        flagged.tags = MIXED.replace("Im", tag);
        assert!(runner.run(&flagged, "").samples() == runner.interlaced(&clip, tag, "").samples(), "{tag}");
    }
}
