//! The effect of each option on the output frames, compared with the library.

use crate::clip::Clip;
use crate::program::Folder;
use dndi::{ChromaOutput, Deinterlacer, Frame, Parameters, Scan, Stream, StreamBuilder};

const INTERLACED: &str = "W22 H18 F25:1 It A1:1 C422";

/// The output frames of the library.
fn library(clip: &Clip, builder: StreamBuilder) -> Vec<Vec<u8>> {
    let mut stream = builder.build().unwrap();
    let mut frames = Vec::new();
    for samples in clip.samples() {
        stream.push(&Frame::from_vec(clip.format(), samples.to_vec()).planes()).unwrap();
        frames.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame.data().to_vec()));
    }
    stream.flush().unwrap();
    frames.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame.data().to_vec()));
    frames
}

fn builder(clip: &Clip, scan: Scan) -> StreamBuilder {
    Stream::builder(clip.format(), scan)
}

/// Runs with `options` and compares tags and frames.
#[track_caller]
fn expect(folder: &Folder, clip: &Clip, options: &str, tags: &str, frames: &[Vec<u8>]) {
    folder.write("in.y4m", clip.bytes());
    folder.run(&format!("-y -q {options} in.y4m out.y4m")).succeeds();
    let out = Clip::parse(&folder.read("out.y4m"));
    assert_eq!(out.tags, tags, "{options}");
    assert_eq!(out.frames.len(), frames.len(), "{options}");
    for (number, (frame, expected)) in out.samples().into_iter().zip(frames).enumerate() {
        assert!(frame == expected, "{options}: frame {number} differs");
    }
}

#[test]
fn field_order() {
    let folder = Folder::new("field_order");
    let double = "W22 H18 F50:1 Ip A1:1 C422";
    let same = "W22 H18 F25:1 A1:1 C422";
    for (scan, tag, option) in
        [(Scan::TopFirst, "It", "tff"), (Scan::BottomFirst, "Ib", "bff"), (Scan::Progressive, "Ip", "progressive")]
    {
        let tags = INTERLACED.replace("It", tag);
        let clip = Clip::new(&tags, 4);
        let frames = library(&clip, builder(&clip, scan));
        let written = if scan == Scan::Progressive { &tags } else { double };
        expect(&folder, &clip, "", written, &frames);
        expect(
            &folder,
            &clip,
            "--field-order header --deinterlace auto --denoise auto --deinterlacer balanced --film off",
            written,
            &frames,
        );
        // The option overrides the header.
        for other in ["It", "Ib", "Ip", "I?", "Im"] {
            let tags = INTERLACED.replace("It", other);
            let written = if scan == Scan::Progressive { &tags } else { double };
            expect(&folder, &clip.tagged(&tags), &format!("--field-order {option}"), written, &frames);
        }
    }
    // A stream of unknown field order is denoised as progressive.
    let clip = Clip::new(same, 3);
    expect(&folder, &clip, "", same, &library(&clip, builder(&clip, Scan::Progressive)));
    let clip = clip.tagged(&INTERLACED.replace("It", "I?"));
    expect(&folder, &clip, "", &clip.tags, &library(&clip, builder(&clip, Scan::Progressive)));
}

#[test]
fn stages_on_and_off() {
    let folder = Folder::new("stages");
    let clip = Clip::new(INTERLACED, 4);
    let full = builder(&clip, Scan::TopFirst).deinterlacer(Deinterlacer::Gen6);
    let double = "W22 H18 F50:1 Ip A1:1 C422";
    let without_mcdi = || {
        let mut parameters = Parameters::default();
        parameters.set("mcdi_enable", 0).unwrap();
        library(&clip, full.clone().parameters(parameters))
    };
    assert_ne!(without_mcdi(), library(&clip, full.clone()), "MCDI changes the output");
    expect(&folder, &clip, "--deinterlacer gen6 --denoise off", double, &library(&clip, full.clone().denoise(false)));
    expect(&folder, &clip, "--deinterlacer gen6 --mcdi off", double, &without_mcdi());
    expect(&folder, &clip, "--deinterlacer gen6 --set mcdi_enable=0", double, &without_mcdi());
    expect(&folder, &clip, "--deinterlacer gen6 --set mcdi_enable=1 --mcdi off", double, &library(&clip, full.clone()));
    expect(&folder, &clip, "--deinterlacer gen6 --deinterlace on", double, &library(&clip, full.clone()));
    // The luma of an interlaced stream is denoised field by field, also without
    // deinterlacing.
    let fields = library(&clip, full.clone().denoise(true).deinterlace(false));
    assert_ne!(
        fields,
        library(&clip, builder(&clip, Scan::Progressive).denoise(true)),
        "fields and frames give different output"
    );
    expect(&folder, &clip, "--deinterlacer gen6 --deinterlace off --denoise on", INTERLACED, &fields);
    let samples: Vec<_> = clip.samples().into_iter().map(<[u8]>::to_vec).collect();
    expect(&folder, &clip, "--deinterlacer gen6 --deinterlace off --denoise off", INTERLACED, &samples);
}

#[test]
fn chroma() {
    let folder = Folder::new("chroma");
    let cases = [("420jpeg", ["420jpeg", "422", "420jpeg", "420jpeg"])];
    let cases = cases.into_iter().chain([("411", ["422", "422", "420mpeg2", "420mpeg2"])]);
    let cases = cases.chain([("422", ["422", "422", "420mpeg2", "420mpeg2"]), ("444", ["444"; 4]), ("mono", ["mono"; 4])]);
    for (input, outputs) in cases {
        let clip = Clip::new(&format!("W21 H12 F30000:1001 Ib C{input}"), 3);
        let choices = [ChromaOutput::Same, ChromaOutput::C422, ChromaOutput::C420, ChromaOutput::C420Drop];
        for ((name, output), choice) in ["same", "422", "420", "420drop"].into_iter().zip(outputs).zip(choices) {
            let tags = format!("W21 H12 F60000:1001 Ip C{output}");
            let frames = library(&clip, builder(&clip, Scan::BottomFirst).chroma(choice));
            expect(&folder, &clip, &format!("--chroma {name}"), &tags, &frames);
        }
        let frames = library(&clip, builder(&clip, Scan::BottomFirst).deinterlace(false));
        expect(&folder, &clip, "--deinterlace off --chroma same", &clip.tags, &frames);
    }
}

#[test]
fn set_reaches_every_parameter() {
    let folder = Folder::new("set");
    let clip = Clip::new("W20 H8 F25:1 It Cmono", 2);
    folder.write("in.y4m", clip.bytes());
    for field in Parameters::fields() {
        let run = |value: i32| folder.run(&format!("-y --set {}={value} in.y4m out.y4m", field.name));
        for (inside, outside) in [(field.min, field.min - 1), (field.max, field.max + 1)] {
            // Parameters that depend on each other may be rejected, but not for their range.
            let result = run(inside);
            assert!(
                result.code == Some(0)
                    || (result.code == Some(2) && !result.stderr.contains(&format!("{} = {inside} is", field.name))),
                "{result:?}"
            );
            run(outside).fails(2, &format!("{} = {outside} is outside {}…{}", field.name, field.min, field.max));
        }
    }
    let mut parameters = Parameters::default();
    for (name, value) in [("stad_th", 10), ("stmm_max", 182), ("stmm_shift", 6)] {
        parameters.set(name, value).unwrap();
    }
    let clip = Clip::new(INTERLACED, 4);
    let frames = library(&clip, builder(&clip, Scan::TopFirst).deinterlacer(Deinterlacer::Gen6).parameters(parameters));
    assert_ne!(
        frames,
        library(&clip, builder(&clip, Scan::TopFirst).deinterlacer(Deinterlacer::Gen6)),
        "the parameters change the output"
    );
    // The program checks conditions across parameters after the last `--set`. Names ignore case and
    // underscores. The last value of a name applies.
    let options = "--deinterlacer gen6 --set stad_th=9 --set stmm_max=182 --set StmmShift=6 --set STAD_TH=10";
    expect(&folder, &clip, options, "W22 H18 F50:1 Ip A1:1 C422", &frames);
    folder.write("wrong.y4m", clip.bytes());
    folder.run("--set stmm_min=7 wrong.y4m o.y4m").fails(2, "dndi: --set: stmm_max - stmm_min = ");
}

#[test]
fn rate() {
    let folder = Folder::new("rate");
    let clip = Clip::new("W18 H12 F25:1 It C420jpeg", 5);
    let frames = library(&clip, builder(&clip, Scan::TopFirst));
    let even: Vec<_> = frames.iter().step_by(2).cloned().collect();
    expect(&folder, &clip, "--rate field", "W18 H12 F50:1 Ip C420jpeg", &frames);
    expect(&folder, &clip, "--rate frame", "W18 H12 F25:1 Ip C420jpeg", &even);
    let off = library(&clip, builder(&clip, Scan::TopFirst).deinterlace(false));
    expect(&folder, &clip, "--deinterlace off --rate frame", &clip.tags, &off);
    // An unknown rate is unchanged. If the numerator cannot be doubled, the denominator is halved.
    let unknown = clip.tagged("W18 H12 It C420jpeg");
    expect(&folder, &unknown, "", "W18 H12 Ip C420jpeg", &frames);
    expect(&folder, &clip.tagged("W18 H12 F4294967295:2 It C420"), "", "W18 H12 F4294967295:1 Ip C420", &frames);
}

#[test]
fn output_is_independent_of_threads_and_level() {
    let folder = Folder::new("threads");
    let clip = Clip::new("W150 H134 F25:1 Ib C420jpeg", 4);
    folder.write("in.y4m", clip.bytes());
    let run = |options: &str, level: &str| {
        let arguments = format!("-y -v --stats stats {options} in.y4m out.y4m");
        let result = folder.command(&arguments).env("DNDI_LEVEL", level).output().unwrap();
        assert_eq!(result.status.code(), Some(0));
        let stderr = String::from_utf8(result.stderr).unwrap();
        (stderr, folder.read("out.y4m"), folder.read_text("stats"))
    };
    let (stderr, frames, statistics) = run("--threads 1", "scalar");
    assert!(stderr.contains("level scalar, threads 1\n"), "{stderr}");
    for (options, level) in [("--threads 2", "scalar"), ("--threads 9", "scalar"), ("--threads 2", "portable"), ("", "Portable")]
    {
        let (stderr, other, rows) = run(options, level);
        assert!(stderr.contains(&format!("level {}, ", level.to_lowercase())), "{stderr}");
        if let Some(threads) = options.strip_prefix("--threads ") {
            assert!(stderr.contains(&format!("threads {threads}\n")), "{stderr}");
        }
        assert!(other == frames && rows == statistics, "{options} {level}");
    }
}

/// Without any stage the output is a byte copy of the input, including unknown tags and
/// parameters.
#[test]
fn without_stages_the_output_is_a_copy() {
    let folder = Folder::new("copy");
    let check = |bytes: &[u8]| {
        folder.write("in.y4m", bytes);
        for options in
            ["--deinterlace off --denoise off", "--deinterlace off --denoise off --field-order progressive --threads 1"]
        {
            folder.run(&format!("-y {options} in.y4m out.y4m")).succeeds();
            assert!(folder.read("out.y4m") == bytes, "{options}");
        }
    };
    for name in ["411_bff", "420_full_range", "420jpeg_tff", "420mpeg2_bff", "420paldv_tff", "422_tff", "444_bff", "mono_tff"] {
        check(&std::fs::read(format!("{}/tests/y4m/{name}.y4m", env!("CARGO_MANIFEST_DIR"))).unwrap());
    }
    for tags in ["W1 H1 C420", "W7 H5 XYSCSS=411 Xunknown=1 F25:1", "F0:0 W3 H3 I? Cmono A0:0", "W9 H2 Ip C444", "H6 W10 Ip C411"]
    {
        check(&Clip::new(tags, 3).flagged(&["", "Xone I1pp", " Xtwo  "]).bytes());
    }
}

/// Both output frames of an input frame have its parameters, except the interlacing flags.
#[test]
fn frame_parameters() {
    let folder = Folder::new("frame_parameters");
    let clip = Clip::new("W16 H8 F25:1 It C422", 3).flagged(&["Xa Itii", "Ibpp", "Xb=1 Xc"]);
    folder.write("in.y4m", clip.bytes());
    let parameters = |options: &str| -> Vec<String> {
        folder.run(&format!("-y {options} in.y4m out.y4m")).succeeds();
        Clip::parse(&folder.read("out.y4m")).frames.into_iter().map(|frame| frame.0).collect()
    };
    assert_eq!(parameters(""), [" Xa", " Xa", "", "", " Xb=1 Xc", " Xb=1 Xc"]);
    assert_eq!(parameters("--rate frame"), [" Xa", "", " Xb=1 Xc"]);
    assert_eq!(parameters("--deinterlace off"), [" Xa Itii", " Ibpp", " Xb=1 Xc"]);
    assert_eq!(parameters("--skip 1 --warmup 1"), ["", "", " Xb=1 Xc", " Xb=1 Xc"]);
}

#[test]
fn odd_sizes() {
    let folder = Folder::new("odd_sizes");
    for sampling in ["420jpeg", "411", "422", "444", "mono"] {
        for (width, height) in [(1, 2), (1, 4), (2, 4), (3, 6), (5, 10), (17, 4), (33, 34)] {
            if (sampling, height) == ("420jpeg", 2) {
                continue;
            }
            let clip = Clip::new(&format!("W{width} H{height} F25:1 Ib C{sampling}"), 3);
            let written = if sampling == "411" { "422" } else { sampling };
            let frames = library(&clip, builder(&clip, Scan::BottomFirst));
            expect(&folder, &clip, "", &format!("W{width} H{height} F50:1 Ip C{written}"), &frames);
        }
        for (width, height) in [(1, 1), (1, 2), (2, 1), (5, 3), (19, 7)] {
            let clip = Clip::new(&format!("W{width} H{height} F25:1 Ip C{sampling}"), 3);
            expect(&folder, &clip, "", &clip.tags, &library(&clip, builder(&clip, Scan::Progressive)));
        }
    }
}

#[test]
fn verbose_and_quiet() {
    let folder = Folder::new("verbose");
    folder.write("in.y4m", Clip::new(INTERLACED, 4).bytes());
    folder.write("none.y4m", "YUV4MPEG2 W4 H4 It\n");
    let stderr = folder.run("-v --chroma 420 --skip 1 in.y4m out.y4m").stderr;
    let lines: Vec<_> = stderr.lines().collect();
    assert_eq!(lines.len(), 4, "{stderr}");
    assert_eq!(lines[0], "dndi: 22x18 422 25:1, top field first -> 22x18 420 50:1");
    assert!(lines[1].starts_with("dndi: denoise auto, deinterlace on with balanced; level "), "{stderr}");
    assert!(lines[2].starts_with("dndi: 3 frames in, 6 out, ") && lines[2].ends_with(" frames/s in"), "{stderr}");
    assert_eq!(lines[3], "dndi: interlaced, top field first, as declared", "{stderr}");
    folder.run("none.y4m none").warns("no frames");
    folder.run("-q none.y4m quiet").succeeds();
    assert_eq!(folder.read_text("quiet"), "YUV4MPEG2 W4 H4 Ip\n");
    assert_eq!(folder.read_text("none"), "YUV4MPEG2 W4 H4 Ip\n");
    folder.write("unknown.y4m", Clip::new("W4 H4", 1).bytes());
    folder.run("unknown.y4m unknown").warns("field order");
    folder.run("-y -q unknown.y4m unknown").succeeds();
    folder.run("-y unknown.y4m unknown --deinterlace off").succeeds();
}

/// The variable of the thread pool has the limit of `--threads`, and is used without the option.
#[test]
fn the_number_of_threads_is_limited() {
    let folder = Folder::new("thread_limit");
    folder.write("in.y4m", Clip::new("W16 H8 F25:1 It C422", 2).bytes());
    for (variable, option, threads) in [("100000", "", 1024), ("3", "", 3), ("100000", "--threads 2", 2)] {
        let mut command = folder.command(&format!("-v -y {option} in.y4m out.y4m"));
        let output = command.env("RAYON_NUM_THREADS", variable).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{variable}: {stderr}");
        assert!(stderr.contains(&format!("threads {threads}\n")), "{variable}: {stderr}");
    }
}
