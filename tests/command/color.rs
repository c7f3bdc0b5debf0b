//! Controls, flags and states of the colour pipe, `--colorspace`, `--auto-contrast`, `--aoi`.

use crate::clip::Clip;
use crate::program::Folder;
use dndi::{ChromaLocation, ColorParameters, ColorSaturation, ColorSpace, Frame, Parameters, Rect, Stream, StreamBuilder};
use dndi::{ColorMatrix, ColorRange, ProcAmp, Scan};

const TAGS: &str = "W22 H18 F25:1 Ip A16:15 C444";

/// The output frames of the library.
pub fn library(clip: &Clip, builder: &StreamBuilder) -> Vec<Vec<u8>> {
    let mut stream = builder.clone().build().unwrap();
    let mut frames = vec![];
    for samples in clip.samples() {
        stream.push(&Frame::from_vec(clip.format(), samples.to_vec()).planes()).unwrap();
        frames.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame.data().to_vec()));
    }
    stream.flush().unwrap();
    frames.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame.data().to_vec()));
    frames
}

/// A builder without denoising and with these colour parameters.
pub fn builder(clip: &Clip, color: &ColorParameters) -> StreamBuilder {
    let mut parameters = Parameters::default();
    parameters.color = color.clone();
    Stream::builder(clip.format(), Scan::Progressive).denoise(false).chroma_location(ChromaLocation::Left).parameters(parameters)
}

fn color_parameters(change: impl FnOnce(&mut ColorParameters)) -> ColorParameters {
    let mut color = ColorParameters::default();
    change(&mut color);
    color
}

/// Runs with `options` and compares with the library at these parameters. Returns the tags.
#[track_caller]
fn same(folder: &Folder, clip: &Clip, options: &str, color: &ColorParameters) -> String {
    folder.write("in.y4m", clip.bytes());
    folder.run(&format!("-y --denoise off {options} in.y4m out.y4m")).succeeds();
    let out = Clip::parse(&folder.read("out.y4m"));
    assert!(out.samples() == library(clip, &builder(clip, color)), "{options}");
    out.tags
}

fn hex(state: &[u32]) -> String {
    state.iter().map(|dword| format!("{dword:x}\n")).collect()
}

#[test]
fn controls() {
    let folder = Folder::new("color_controls");
    let clip = Clip::new(TAGS, 2);
    let neutral = ProcAmp::default;
    let amplified = |controls: ProcAmp| color_parameters(|color| color.set_procamp(&controls).unwrap());
    for (options, color) in [
        ("--brightness -20", amplified(neutral().brightness(-20.0))),
        ("--contrast=1.5 --hue -30.5", amplified(neutral().contrast(1.5).hue(-30.5))),
        ("--saturation 0", amplified(neutral().saturation(0.0))),
        ("--brightness 100 --brightness 5.5", amplified(neutral().brightness(5.5))),
        ("--skin-tone 0.7", color_parameters(|color| color.set_skin_tone(0.7).unwrap())),
        (
            "--tcc-colors blue=0.25,red=1.9",
            color_parameters(|color| {
                color.set_color_saturation(&ColorSaturation::default().blue(0.25).red(1.9)).unwrap();
            }),
        ),
    ] {
        assert_eq!(same(&folder, &clip, options, &color), TAGS);
        let changed = library(&clip, &builder(&clip, &color)) != clip.samples();
        assert!(changed || options.contains("skin"), "{options}");
    }
}

#[test]
fn flags_enable_blocks_with_their_default_parameters() {
    let folder = Folder::new("color_flags");
    let clip = Clip::new(TAGS, 1);
    for (options, color) in [
        ("--std --ste", color_parameters(|color| (color.std_enable, color.ste_enable) = (true, true))),
        ("--std --set color.output_control=1", color_parameters(|color| (color.std_enable, color.output_control) = (true, true))),
        ("--ace --set color.b5=130", color_parameters(|color| (color.ace_enable, color.b5) = (true, 130))),
        ("--tcc", color_parameters(|color| color.tcc_enable = true)),
        ("--procamp --set color.contrast=90", color_parameters(|color| (color.procamp_enable, color.contrast) = (true, 90))),
        ("--csc --set color.c1=300", color_parameters(|color| (color.transform_enable, color.c1) = (true, 300))),
        // Without a flag no block is enabled. `--set` overrides the flags.
        ("--set color.contrast=90", ColorParameters::default()),
        ("--tcc --set color.tcc_enable=0", ColorParameters::default()),
    ] {
        same(&folder, &clip, options, &color);
    }
}

/// The program applies states, then controls, then flags, then `--set`.
#[test]
fn order_of_options() {
    let folder = Folder::new("color_order");
    let clip = Clip::new(TAGS, 1);
    let mut parameters = Parameters::default();
    parameters.color = color_parameters(|color| {
        (color.procamp_enable, color.contrast, color.brightness, color.tcc_enable) = (true, 200, 77, true)
    });
    folder.write("state", hex(&parameters.color_state().unwrap()));
    let state = &parameters.color;
    same(&folder, &clip, "--color-state state", state);
    // One control of the amplifier replaces all of its parameters.
    let tcc = ColorParameters::default().tcc_enable(true);
    let amplified = tcc.clone().procamp_enable(true).contrast(64).cos_c_s(128);
    same(&folder, &clip, "--contrast 0.5 --color-state state", &amplified);
    same(&folder, &clip, "--set color.contrast=99 --contrast 0.5 --color-state state", &amplified.contrast(99));
    let off = state.clone().tcc_enable(false);
    same(&folder, &clip, "--set color.tcc_enable=0 --color-state state", &off);
    parameters.color = off;
    folder.write("state", hex(&parameters.color_state().unwrap()));
    parameters.color.tcc_enable = true;
    same(&folder, &clip, "--tcc --color-state state", &parameters.color);
}

#[test]
fn conversions_and_tags() {
    let folder = Folder::new("color_space");
    let space = |matrix, range| ColorSpace { matrix, range };
    let (sd, hd) = (space(ColorMatrix::Bt601, ColorRange::Limited), space(ColorMatrix::Bt709, ColorRange::Limited));
    let full = |space: ColorSpace| ColorSpace { range: ColorRange::Full, ..space };
    for (before, option, from, to, after) in [
        ("", "bt601:bt709", sd, hd, " XCOLORRANGE=LIMITED XCOLORMATRIX=BT709"),
        ("", "bt601-full:bt709", full(sd), full(hd), " XCOLORRANGE=FULL XCOLORMATRIX=BT709"),
        ("", "BT709:bt601-full", hd, full(sd), " XCOLORRANGE=FULL XCOLORMATRIX=BT601"),
        (" XCOLORRANGE=FULL Xa", "bt601:bt709", full(sd), full(hd), " XCOLORRANGE=FULL Xa XCOLORMATRIX=BT709"),
        (
            " XCOLORMATRIX=bt2020nc XCOLORRANGE=full",
            "bt601:bt2020-limited",
            full(sd),
            space(ColorMatrix::Bt2020, ColorRange::Limited),
            " XCOLORMATRIX=BT2020 XCOLORRANGE=LIMITED",
        ),
    ] {
        for sampling in ["444", "420mpeg2", "mono"] {
            let tags = format!("W22 H18 F25:1 Ip A16:15 C{sampling}");
            let clip = Clip::new(&format!("{tags}{before}"), 1);
            let color = color_parameters(|color| color.set_conversion(from, to, 8));
            let written = same(&folder, &clip, &format!("--colorspace {option}"), &color);
            assert_eq!(written, format!("{tags}{after}"), "{option}");
        }
    }
    // Other stages do not change the tags.
    let clip = Clip::new("W22 H18 F25:1 It C420mpeg2 XCOLORRANGE=FULL Xq XCOLORMATRIX=smpte170m", 2);
    folder.write("in.y4m", clip.bytes());
    folder.run("-y --scale 44x36 --chroma 422 --sharpen combo --tcc in.y4m out.y4m").succeeds();
    let tags = "W44 H36 F50:1 Ip C422 XCOLORRANGE=FULL Xq XCOLORMATRIX=smpte170m";
    assert_eq!(Clip::parse(&folder.read("out.y4m")).tags, tags);
}

#[test]
fn auto_contrast() {
    let folder = Folder::new("color_auto_contrast");
    let clip = Clip::new(TAGS, 3);
    folder.write("in.y4m", clip.bytes());
    let area = Rect { x: 2, y: 3, width: 10, height: 7 };
    for (options, strength, area) in [
        ("--auto-contrast", 50, None),
        ("--auto-contrast=100", 100, None),
        ("--auto-contrast=0", 0, None),
        ("--auto-contrast=80 --aoi 2,3,10,7", 80, Some(area)),
    ] {
        folder.run(&format!("-y --denoise off {options} in.y4m out.y4m")).succeeds();
        let builder = builder(&clip, &ColorParameters::default()).auto_contrast(Some(strength)).area_of_interest(area);
        assert!(Clip::parse(&folder.read("out.y4m")).samples() == library(&clip, &builder), "{options}");
    }
    // In full range the limits of the luma are 0 and 255.
    let clip = clip.tagged(&format!("{TAGS} XCOLORRANGE=FULL"));
    let full = color_parameters(|color| (color.ymin, color.ymax) = (0, 255));
    let want = library(&clip, &builder(&clip, &full).auto_contrast(Some(50)));
    assert!(want != library(&clip, &builder(&clip, &ColorParameters::default()).auto_contrast(Some(50))));
    folder.write("full.y4m", clip.bytes());
    folder.run("-y --denoise off --auto-contrast full.y4m out.y4m").succeeds();
    assert!(Clip::parse(&folder.read("out.y4m")).samples() == want);
    // `--colorspace` can set the range, too.
    let space = ColorSpace { matrix: ColorMatrix::Bt601, range: ColorRange::Full };
    let mut full = full;
    full.set_conversion(space, space, 8);
    let want = library(&clip, &builder(&clip, &full).auto_contrast(Some(50)));
    folder.run("-y --denoise off --auto-contrast --colorspace bt601-full:bt601 in.y4m out.y4m").succeeds();
    assert!(Clip::parse(&folder.read("out.y4m")).samples() == want);
    let count = |options: &str| {
        folder.run(&format!("-y --stats stats {options} in.y4m out.y4m")).succeeds();
        let row: serde_json::Value = serde_json::from_str(folder.read_text("stats").lines().next().unwrap()).unwrap();
        row["histogram"].as_array().unwrap().iter().map(|bin| bin.as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(count("--aoi 2,3,10,7"), 70);
    assert_eq!(count("--aoi 30,20,14,16 --scale 2x"), 14 * 16);
    assert_eq!(count("--aoi 2,3,10,7 --set color.full_image_histogram=1"), 22 * 18);
}

#[test]
fn invalid_options() {
    let folder = Folder::new("color_invalid");
    folder.write("in.y4m", Clip::new(TAGS, 1).bytes());
    folder.write("short", "1 2 3");
    for (options, message) in [
        ("--brightness 101", "--brightness = 101 is outside -100…100"),
        ("--contrast -1", "--contrast = -1 is outside 0…10"),
        ("--saturation 10.5", "--saturation = 10.5 is outside 0…10"),
        ("--hue -180.5", "--hue = -180.5 is outside -180…180"),
        ("--hue nan", "--hue = NaN is outside"),
        ("--hue x", "--hue <DEGREES>"),
        ("--skin-tone 2", "--skin-tone: skin tone = 2 is outside 0…1"),
        ("--tcc-colors red=2", "--tcc-colors: red = 2 is outside 0…1.99"),
        ("--tcc-colors orange=1", "red, yellow, green, cyan, blue, magenta"),
        ("--colorspace bt709", "write FROM:TO"),
        ("--colorspace bt709:bt470", "write FROM:TO"),
        ("--colorspace bt709-wide:bt601", "a range is limited or full"),
        ("--colorspace bt709:rgb", "--rgb png or --rgb raw"),
        ("--colorspace bt709:bt601 --csc", "use one of them"),
        ("--colorspace bt709:bt601 --rgb raw", "--colorspace bt709:rgb"),
        ("--rgb raw --set color.csc_enable=0", "disables the conversion of --rgb"),
        ("--rgb jpeg", "png, raw"),
        ("--auto-contrast=101", "101"),
        ("--auto-contrast=", "--auto-contrast"),
        ("--auto-contrast 30", "unexpected argument"),
        ("--auto-contrast --set color.ymin=235", "color.ymin"),
        ("--aoi 1,2,3", "x,y,w,h"),
        ("--aoi 20,0,3,3", "--aoi: the rectangle 3x3 at 20,0 does not lie in a picture of 22x18"),
        ("--aoi 0,0,0,3", "--aoi: the rectangle 0x3"),
        ("--color-state short", "3 DWords, 64 are needed"),
        ("--color-state -", "need a file"),
        ("--std=1", "--std"),
        ("--set color.contrast=2048", "0…2047"),
    ] {
        folder.run(&format!("{options} in.y4m out.y4m")).fails(2, message);
        assert_eq!(folder.files(), ["in.y4m", "short"], "{options}");
    }
    folder.run("--color-state missing in.y4m out.y4m").fails(1, "cannot read missing");
    folder.write("state", "0 ".repeat(64));
    folder.run("-y --color-state state in.y4m state").fails(2, "is used twice");
}

#[test]
fn options_without_effect_warn() {
    let folder = Folder::new("color_without_effect");
    folder.write("in.y4m", Clip::new(TAGS, 1).bytes());
    folder.run("-y --ste in.y4m out.y4m").warns("--ste has no effect without --std");
    folder.run("-y --aoi 0,0,2,2 in.y4m out.y4m").warns("--aoi has no effect without --stats or --auto-contrast");
    folder.run("-y -q --ste in.y4m out.y4m").succeeds();
    folder.run("-y --ste --set color.std_enable=1 in.y4m out.y4m").succeeds();
}

#[test]
fn details_state_whether_colours_change() {
    let folder = Folder::new("color_details");
    folder.write("in.y4m", Clip::new("W22 H18 F25:1 It C422", 2).bytes());
    for (options, changes) in [("", false), ("--auto-contrast", true), ("--saturation 1.5", true), ("--scale 2x", false)] {
        let stderr = folder.run(&format!("-v -y {options} in.y4m out.y4m")).stderr;
        assert_eq!(stderr.contains(", colour on; level "), changes, "{options}: {stderr}");
    }
}
