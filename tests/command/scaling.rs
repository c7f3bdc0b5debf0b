//! `--scale`, `--crop`, `--chroma-location`, `--ief`, `--sharpen`, state files, `--print-tables`.

use crate::clip::Clip;
use crate::program::Folder;
use dndi::{ChromaLocation, Frame, Parameters, Rect, Scale, Scan, SharpenMode, Stream, StreamBuilder};

const PROGRESSIVE: &str = "W22 H18 F25:1 Ip A16:15 C420mpeg2";

/// Runs the program and the library and compares their output.
#[track_caller]
fn same(folder: &Folder, clip: &Clip, options: &str, tags: &str, builder: &StreamBuilder) {
    folder.write("in.y4m", clip.bytes());
    folder.run(&format!("-y --denoise off {options} in.y4m out.y4m")).succeeds();
    let out = Clip::parse(&folder.read("out.y4m"));
    assert_eq!(out.tags, tags, "{options}");
    let mut stream = builder.clone().build().unwrap();
    let mut want: Vec<Vec<u8>> = vec![];
    let mut pull = |stream: &mut Stream| {
        while let Some(output) = stream.pull() {
            want.push(output.frame.data().to_vec());
        }
    };
    for samples in clip.samples() {
        stream.push(&Frame::from_vec(clip.format(), samples.to_vec()).planes()).unwrap();
        pull(&mut stream);
    }
    stream.flush().unwrap();
    pull(&mut stream);
    assert!(out.samples() == want, "{options}");
}

fn builder(clip: &Clip, scan: Scan) -> StreamBuilder {
    Stream::builder(clip.format(), scan).denoise(false).chroma_location(ChromaLocation::Left)
}

#[test]
fn sizes_and_tags() {
    let folder = Folder::new("scale");
    let clip = Clip::new(PROGRESSIVE, 2);
    let plain = builder(&clip, Scan::Progressive);
    let to = |width, height| plain.clone().scale(Some(Scale::new(width, height)));
    for (options, tags, width, height) in [
        ("--scale 44x18", "W44 H18 F25:1 Ip A8:15 C420mpeg2", 44, 18),
        ("--scale 2x", "W44 H36 F25:1 Ip A16:15 C420mpeg2", 44, 36),
        ("--scale :9", "W11 H9 F25:1 Ip A16:15 C420mpeg2", 11, 9),
        ("--scale 33:", "W33 H27 F25:1 Ip A16:15 C420mpeg2", 33, 27),
        ("--scale 22x18", PROGRESSIVE, 22, 18),
    ] {
        same(&folder, &clip, options, tags, &to(width, height));
    }
    let crop = Rect { x: 3, y: 4, width: 11, height: 9 };
    let cut = Scale::new(22, 9).crop(crop);
    same(&folder, &clip, "--crop 3,4,11,9", "W11 H9 F25:1 Ip A16:15 C420mpeg2", &plain.clone().scale(Some(Scale::cut(crop))));
    let options = "--crop 3,4,11,9 --scale 22x9";
    same(&folder, &clip, options, "W22 H9 F25:1 Ip A8:15 C420mpeg2", &plain.clone().scale(Some(cut)));
    for (name, location, tag) in [
        ("left", ChromaLocation::Left, "420mpeg2"),
        ("center", ChromaLocation::Center, "420jpeg"),
        ("topleft", ChromaLocation::TopLeft, "420paldv"),
    ] {
        let options = format!("--scale 30x18 --chroma-location {name}");
        let tags = format!("W30 H18 F25:1 Ip A176:225 C{tag}");
        same(&folder, &clip, &options, &tags, &to(30, 18).chroma_location(location));
    }
    // Interlaced clips: after the deinterlacer, or field by field.
    let clip = Clip::new("W22 H18 F25:1 It A0:0 C420mpeg2", 3);
    let scale = Some(Scale::new(44, 30));
    let settings = builder(&clip, Scan::TopFirst).scale(scale);
    same(&folder, &clip, "--scale 44x30", "W44 H30 F50:1 Ip A0:0 C420mpeg2", &settings);
    let tags = "W44 H30 F25:1 It A0:0 C420mpeg2";
    let settings = settings.deinterlace(false);
    same(&folder, &clip, "--scale 44x30 --deinterlace off", tags, &settings);
    // Fields need an even height.
    let to = |width, height| settings.clone().scale(Some(Scale::new(width, height)));
    same(&folder, &clip, "--scale 1.25x --deinterlace off", "W28 H22 F25:1 It A0:0 C420mpeg2", &to(28, 22));
    same(&folder, &clip, "--scale 33: --deinterlace off", "W33 H28 F25:1 It A0:0 C420mpeg2", &to(33, 28));
}

/// Without deinterlacing, frames that are flagged as progressive are scaled field by field, too.
/// The program warns once.
#[test]
fn mixed_streams() {
    let folder = Folder::new("scale_mixed");
    let plain = Clip::new("W22 H18 F25:1 It C420", 4);
    let clip = plain.tagged("W22 H18 F25:1 Im C420").flagged(&["Itii", "I1pp", "Itpp", "Itii"]);
    folder.write("in.y4m", clip.bytes());
    folder.write("plain.y4m", plain.bytes());
    let message = "frame 1 is flagged as progressive";
    for options in ["--scale 30x20", "--ief combo", "--crop 0,0,8,8 --sharpen detail3"] {
        let options = format!("-y --deinterlace off {options}");
        folder.run(&format!("{options} in.y4m out.y4m")).warns(message);
        folder.run(&format!("{options} -q in.y4m out.y4m")).succeeds();
        folder.run(&format!("{options} plain.y4m plain_out.y4m")).succeeds();
        let [out, plain] = ["out.y4m", "plain_out.y4m"].map(|name| Clip::parse(&folder.read(name)));
        assert!(out.samples() == plain.samples(), "{options}");
    }
    for options in ["--deinterlace off", "--scale 2x", "--deinterlace off --field-order progressive --scale 2x"] {
        folder.run(&format!("-y {options} in.y4m out.y4m")).succeeds();
    }
}

#[test]
fn invalid_options() {
    let folder = Folder::new("scale_invalid");
    folder.write("in.y4m", Clip::new(PROGRESSIVE, 1).bytes());
    folder.write("fields.y4m", Clip::new("W22 H18 F25:1 It C420", 1).bytes());
    folder.write("short", "1 2 3");
    folder.write("word", "xyz");
    for (options, message) in [
        ("--scale 1", "write WxH"),
        ("--scale 0x4", "write WxH"),
        ("--scale 9000x4", "--scale: output size 9000x4"),
        ("--scale 1000x", "--scale: output size 22000x18000"),
        ("--crop 1,2,3", "x,y,w,h"),
        ("--crop 20,0,3,3", "--crop: the rectangle 3x3 at 20,0"),
        ("--crop 0,0,0,0", "--crop: the rectangle 0x0 at 0,0"),
        ("--set scaler.table_0x.17.0=1", "B = 0…16"),
        ("--set scaler.table_1x.0.0=1", "K = 2…5"),
        ("--set scaler.table_0x.0.0=128", "-128…127"),
        ("--set scaler.nothing=1", "scaler.transition_4=0…7"),
        ("--scaler-state -", "need a file"),
        ("--sampler-state -", "need a file"),
        ("--scaler-state short", "3 DWords, 138 are needed"),
        ("--sampler-state word", "DWord 0 (counted from 0) must be up to 8 hex digits, found \"xyz\""),
    ] {
        folder.run(&format!("{options} in.y4m out.y4m")).fails(2, message);
    }
    folder.run("--scaler-state missing in.y4m out.y4m").fails(1, "cannot read missing");
    for (option, message) in [
        ("--scale 22x17", "--scale: output size 22x17"),
        ("--scale :17", "--scale: output size 21x17"),
        ("--crop 0,0,22,17", "--crop: output size 22x17"),
        ("--crop 0,0,22,2", "--crop: output size 22x2"),
    ] {
        let result = folder.run(&format!("--deinterlace off {option} fields.y4m out.y4m")).fails(2, message);
        assert!(result.stderr.contains("an interlaced") && result.stderr.contains("--deinterlace auto"), "{}", result.stderr);
        folder.run(&format!("-y {option} fields.y4m /dev/null")).succeeds();
    }
    let result = folder.run("--deinterlace off --scale 9000x4 fields.y4m out.y4m").fails(2, "--scale: output size 9000x4");
    assert!(!result.stderr.contains("deinterlace"), "{}", result.stderr);
    assert_eq!(folder.files(), ["fields.y4m", "in.y4m", "short", "word"]);
}

#[test]
fn enhancement() {
    let folder = Folder::new("enhance");
    let clip = Clip::new(PROGRESSIVE, 4);
    let with = |mode| builder(&clip, Scan::Progressive).sharpen(Some(mode));
    for (name, mode) in
        [("detail3", SharpenMode::Detail3), ("detail5", SharpenMode::Detail5), ("combo", SharpenMode::Combination)]
    {
        same(&folder, &clip, &format!("--ief {name}"), PROGRESSIVE, &with(mode));
        same(&folder, &clip, &format!("--sharpen {name}"), PROGRESSIVE, &with(mode).measured_noise(true));
    }
    // The last of the two options applies. If the noise is set, it is not measured.
    let combo = with(SharpenMode::Combination);
    let mut parameters = Parameters::default();
    parameters.sharpen.global_noise_estimation = 3;
    let quiet = combo.clone().parameters(parameters);
    same(&folder, &clip, "--sharpen combo --set IEF.gn1=3", PROGRESSIVE, &quiet);
    same(&folder, &clip, "--ief combo --set ief.global_noise_estimate=3", PROGRESSIVE, &quiet);
    same(&folder, &clip, "--ief combo --sharpen off", PROGRESSIVE, &builder(&clip, Scan::Progressive));
    same(&folder, &clip, "--sharpen off --ief combo", PROGRESSIVE, &combo);
    // A state sets the sharpening mode; an option overrides it.
    let hex = |state: &[u32]| state.iter().map(|dword| format!("{dword:#x}, ")).collect::<String>();
    folder.write("state", hex(&Parameters::default().sampler_state(Some(SharpenMode::Combination)).unwrap()));
    same(&folder, &clip, "--sampler-state state", PROGRESSIVE, &combo);
    same(&folder, &clip, "--sampler-state state --sharpen combo", PROGRESSIVE, &combo);
    same(&folder, &clip, "--sampler-state state --ief detail3", PROGRESSIVE, &with(SharpenMode::Detail3));
    same(&folder, &clip, "--sampler-state state --set ief.gn1=3", PROGRESSIVE, &quiet);
}

#[test]
fn tables_are_printed() {
    let folder = Folder::new("tables");
    folder.write("in.y4m", Clip::new(PROGRESSIVE, 1).bytes());
    let result = folder.run("--print-tables --scale 33x40 --set scaler.table_1y.16.5=-77 in.y4m out.y4m").succeeds();
    let text = String::from_utf8(result.stdout).unwrap();
    assert_eq!(text.lines().count(), 4 * 18);
    assert_eq!(text.lines().next(), Some("table_0x"));
    assert_eq!(text.lines().nth(1), Some("   0:   0   0   0  64   0   0   0   0"));
    assert!(text.lines().last().unwrap().starts_with("  16:   0   0") && text.contains(" -77   0   0"), "{text}");
    // If stdout is in use, the program prints the tables on stderr.
    let result = folder.run("--print-tables --scale 33x40 --set scaler.table_1y.16.5=-77 in.y4m -");
    assert_eq!((result.code, result.stderr.as_str()), (Some(0), text.as_str()));
}
