//! `dndi view`.

use crate::clip::Clip;
use crate::fields::{self, moving};
use crate::program::{Folder, RunResult};
use image::{Rgb, RgbImage};

const CLIP: &str = "W32 H24 F25:1 It C420mpeg2";

#[track_caller]
fn picture(bytes: &[u8]) -> RgbImage {
    let image = image::load_from_memory_with_format(bytes, image::ImageFormat::Png).unwrap();
    image.as_rgb8().expect("8 bits of R, G and B").clone()
}

fn folder(name: &str, tags: &str, frames: usize) -> Folder {
    let folder = Folder::new(name);
    folder.write("in.y4m", Clip::new(tags, frames).bytes());
    folder
}

#[track_caller]
fn view(folder: &Folder, options: &str) -> RgbImage {
    picture(&folder.run(&format!("view {options} in.y4m -")).succeeds().stdout)
}

/// `dndi view` shows each field of each frame as `--rgb png` writes it.
#[test]
fn pictures_match_the_written_frames() {
    for (name, tags) in [
        ("view_420", CLIP),
        ("view_bff", "W32 H24 F25:1 Ib C422 XCOLORRANGE=FULL"),
        ("view_411", "W32 H24 F25:1 It C411"),
        ("view_mono", "W32 H24 F25:1 It Cmono"),
    ] {
        let folder = folder(name, tags, 5);
        for options in
            ["--field-order header --film off", "", "--field-order header --scale 40x30 --crop 4,4,20,16 --saturation 1.5"]
        {
            let result = folder.plain(&format!("-y -q {options} --rgb png in.y4m out-%d.png")).output().unwrap();
            assert!(result.status.success(), "{tags} {options}");
            for (frame, field) in (0..5).flat_map(|frame| [(frame, 1), (frame, 2)]) {
                let arguments = format!("view -y -q --frame {frame} --field {field} {options} in.y4m view.png");
                let result = RunResult::new(&arguments, folder.plain(&arguments).output().unwrap());
                assert_eq!((result.code, result.stderr.as_str()), (Some(0), ""), "{arguments}");
                let written = picture(&folder.read(&format!("out-{}.png", 2 * frame + field - 1)));
                let seen = picture(&folder.read("view.png"));
                // `--rgb` converts the 12 bits of the colour pipe, `dndi view` the 8 bits and the
                // chroma sampling of the output.
                assert_eq!(seen.dimensions(), written.dimensions());
                let differences = seen.as_raw().iter().zip(written.as_raw()).map(|(a, b)| u64::from(a.abs_diff(*b)));
                let (most, sum) = (differences.clone().max().unwrap(), differences.sum::<u64>());
                if options.contains("--scale") {
                    assert!(sum < 4 * written.as_raw().len() as u64, "{tags} {arguments}: {sum}");
                } else {
                    assert!(most <= 6, "{tags} {arguments}: {most}");
                }
            }
        }
    }
}

#[test]
fn before_and_after() {
    let folder = folder("view_both", CLIP, 4);
    let options = "--frame 2 --field-order header --deinterlacer gen6";
    let [before, after, both] = ["before", "after", "both"].map(|show| view(&folder, &format!("{options} --show {show}")));
    assert!(view(&folder, options) == after && before != after);
    assert_eq!(both.dimensions(), (2 * 32 + 4, 24));
    let part = |image: &RgbImage, x: u32| image::imageops::crop_imm(image, x, 0, 32, 24).to_image();
    assert!(part(&both, 0) == before && part(&both, 36) == after);
    // `--show before` is the unprocessed frame.
    folder.run("--deinterlace off --denoise off --rgb png --skip 2 --frames 1 in.y4m in.png").succeeds();
    assert!(picture(&folder.read("in.png")) == before);
    // The same in a file, which is overwritten only with `-y`.
    folder.run(&format!("view {options} in.y4m out.png")).succeeds();
    assert!(picture(&folder.read("out.png")) == after);
    folder.run(&format!("view {options} in.y4m out.png")).fails(2, "out.png exists; -y overwrites it");
    folder.write("as.png", folder.read("in.y4m"));
    folder.run("view -y --frame 0 as.png as.png").fails(2, "is used twice");
    // The picture depends on the warm-up, until it includes enough frames.
    assert!(view(&folder, &format!("{options} --warmup 2")) == after);
    assert!(view(&folder, &format!("{options} --warmup 9")) == after);
    assert!(view(&folder, &format!("{options} --warmup 0")) != after);
    // A clip with the name of a subcommand can be given as a path.
    std::fs::copy(folder.path("in.y4m"), folder.path("view")).unwrap();
    folder.run("./view ./inspect").succeeds();
    assert_eq!(Clip::parse(&folder.read("inspect")).frames.len(), 8);
}

/// A bright square that jumps in front of a static background.
fn square(x: usize, y: usize, picture: usize) -> u8 {
    let left = 16 + 8 * picture;
    if (left..left + 24).contains(&x) && (24..64).contains(&y) { 230 } else { moving(x, y, 0) / 4 + 16 }
}

fn write(folder: &Folder, clip: &fields::Clip) {
    folder.write("in.y4m", Clip::of_fields(clip, "W160 H96 F25:1 It Cmono".to_owned()).bytes());
}

/// The difference of two colour components.
fn difference(pixel: &Rgb<u8>, color: usize, other: usize) -> i32 {
    i32::from(pixel.0[color]) - i32::from(pixel.0[other])
}

fn is_grey(pixel: &Rgb<u8>) -> bool {
    pixel.0[0] == pixel.0[1] && pixel.0[1] == pixel.0[2]
}

/// Bounds of the pixels that are not grey: left, top, right, bottom.
fn colored(image: &RgbImage) -> Option<[u32; 4]> {
    let pixels: Vec<_> = image.enumerate_pixels().filter(|(.., pixel)| !is_grey(pixel)).map(|(x, y, _)| (x, y)).collect();
    let (xs, ys) = (pixels.iter().map(|(x, _)| *x), pixels.iter().map(|(_, y)| *y));
    Some([xs.clone().min()?, ys.clone().min()?, xs.max()?, ys.max()?])
}

#[test]
fn overlays_mark_moving_areas() {
    let folder = Folder::new("view_overlays");
    write(&folder, &fields::Clip::new((0..12).collect()).painted(square));
    // The second one also reads fields 9 and 10, in which the square lies 16 pixels further right.
    for (deinterlacer, more) in [("gen6", 0), ("balanced", 16), ("best", 16)] {
        let options = format!("--frame 4 --field-order header --film off --deinterlacer {deinterlacer}");
        marks_moving_areas(&folder, &options, more);
    }
}

/// Frames that are not deinterlaced have a motion history, too, with any deinterlacer.
#[test]
fn overlays_of_frames_that_are_not_deinterlaced() {
    let folder = Folder::new("view_progressive");
    write(&folder, &fields::Clip::new((0..12).collect()).painted(square));
    for options in ["--field-order progressive", "--field-order tff --deinterlace off"] {
        let [gen6, balanced, best] = ["gen6", "balanced", "best"].map(|deinterlacer| {
            let options = format!("{options} --deinterlacer {deinterlacer} --frame 4 --overlay history");
            view(&folder, &options)
        });
        assert!(gen6 == balanced && gen6 == best && colored(&gen6).is_some(), "{options}");
    }
}

fn marks_moving_areas(folder: &Folder, options: &str, more: u32) {
    for kind in ["motion", "tears"] {
        let image = view(folder, &format!("{options} --overlay {kind}"));
        // In fields 6 to 8 the square lies between x = 64 and x = 104.
        let [left, top, right, bottom] = colored(&image).expect(kind);
        assert!((40..=72).contains(&left) && (90..=116 + more).contains(&right), "{kind}: {left} {right}");
        assert!((20..=28).contains(&top) && (60..=68).contains(&bottom), "{kind}: {top} {bottom}");
        assert!(image.pixels().any(|pixel| difference(pixel, 0, 1) > 60), "{kind} has no red");
    }
    // Static blocks are green, moving ones are red.
    let image = view(folder, &format!("{options} --overlay history"));
    let [moving, still] = [(84, 40), (20, 80)].map(|(x, y)| image.get_pixel(x, y));
    assert!(difference(moving, 0, 1) > 60 && difference(still, 1, 0) > 0, "{moving:?} {still:?}");
    // Elsewhere the overlay shows the grey picture.
    let plain = view(folder, options);
    let motion = view(folder, &format!("{options} --overlay motion"));
    assert_eq!(plain.get_pixel(20, 80), motion.get_pixel(20, 80));
    // With `--show both` the overlay is on the second picture.
    let both = view(folder, &format!("{options} --show both --overlay motion"));
    let right = image::imageops::crop_imm(&both, 164, 0, 160, 96).to_image();
    assert!(right == motion && colored(&image::imageops::crop_imm(&both, 0, 0, 160, 96).to_image()).is_none());
    // The overlay follows crop and scale.
    let part = view(folder, &format!("{options} --overlay motion --crop 16,8,128,80 --scale 2x"));
    let [left, top, right, bottom] = colored(&part).unwrap();
    assert!((48..=112).contains(&left) && (148..=201 + 2 * more).contains(&right), "{left} {right}");
    assert!((24..=40).contains(&top) && (104..=121).contains(&bottom), "{top} {bottom}");
}

#[test]
fn angles_and_vectors() {
    let folder = Folder::new("view_vectors");
    // A slowly moving texture is motion-compensated.
    fn slow(x: usize, y: usize, picture: usize) -> u8 {
        moving(x + 4000 - 3 * picture, y + picture, 0)
    }
    write(&folder, &fields::Clip::new((0..12).collect()).painted(slow));
    let options = "--frame 4 --field-order header --film off";
    let purple =
        |image: &RgbImage| image.pixels().filter(|pixel| difference(pixel, 0, 1) > 40 && difference(pixel, 2, 1) > 40).count();
    let vectors = view(&folder, &format!("{options} --overlay vectors"));
    assert!(purple(&vectors) > 100, "{}", purple(&vectors));
    assert!(vectors.pixels().any(|pixel| pixel.0 == [255; 3]) && vectors.pixels().any(|pixel| pixel.0 == [0, 255, 0]));
    folder.run(&format!("view {options} --deinterlacer gen6 --mcdi off --overlay vectors in.y4m -")).fails(2, "--mcdi off");
    // Edges that slope in opposite directions have different angles.
    fn falling(x: usize, y: usize, picture: usize) -> u8 {
        if (x + 4 * picture) % 64 > 2 * y % 64 { 200 } else { 40 }
    }
    fn rising(x: usize, y: usize, picture: usize) -> u8 {
        falling(159 - x, y, picture)
    }
    let mostly_red = |paint| {
        write(&folder, &fields::Clip::new((0..12).collect()).painted(paint));
        let image = view(&folder, &format!("{options} --overlay angle"));
        let count = |wanted: fn(&Rgb<u8>) -> bool| image.pixels().filter(|pixel| wanted(pixel)).count();
        let [red, blue] = [count(|pixel| difference(pixel, 0, 2) > 20), count(|pixel| difference(pixel, 2, 0) > 20)];
        assert!(red + blue > 100, "{red} {blue}");
        red > blue
    };
    assert!(mostly_red(falling) != mostly_red(rising));
}

#[test]
fn skin_and_histogram() {
    let folder = Folder::new("view_skin");
    // Grey on the left, skin on the right.
    let mut clip = Clip::new("W32 H16 F25:1 Ip C444", 1);
    let plane = |left: u8, right: u8| (0..32 * 16).map(move |i| if i % 32 < 16 { left } else { right });
    clip.frames[0].1 = plane(60, 140).chain(plane(128, 108)).chain(plane(128, 152)).collect();
    folder.write("in.y4m", clip.bytes());
    let image = view(&folder, "--overlay skin");
    assert!(image.enumerate_pixels().all(|(x, _, pixel)| is_grey(pixel) == (x < 16)), "{:?}", image.get_pixel(20, 8));
    let plain = view(&folder, "--denoise off");
    let image = view(&folder, "--denoise off --histogram");
    assert_eq!(image.dimensions(), (32, 16 + 4 + 100));
    assert!(image::imageops::crop_imm(&image, 0, 0, 32, 16).to_image() == plain);
    // Two values, equally frequent.
    let high: Vec<_> = (0..32).filter(|&x| image.get_pixel(x, 20).0 == [220; 3]).collect();
    assert_eq!(high, [60 / 8, 140 / 8]);
    assert_eq!((0..32).filter(|&x| image.get_pixel(x, 119).0 == [220; 3]).count(), 2);
}

#[test]
fn help_states_that_all_frames_before_are_processed() {
    let folder = folder("view_help", CLIP, 1);
    for option in ["-h", "--help"] {
        let help = String::from_utf8(folder.run(&format!("view {option}")).succeeds().stdout).unwrap();
        let options = help.split("\n\n").find(|part| part.contains("--warmup <K>")).unwrap();
        assert!(options.contains("[default: all]") && !options.contains("[default: 0]"), "{options}");
    }
}

#[test]
fn invalid_arguments_and_inputs() {
    let folder = folder("view_invalid", CLIP, 3);
    folder.write("progressive.y4m", Clip::new("W32 H24 F25:1 Ip C420mpeg2", 3).bytes());
    folder.write("none.y4m", "YUV4MPEG2 W4 H4 It\n");
    let bytes = Clip::new(CLIP, 3).bytes();
    folder.write("cut.y4m", &bytes[..bytes.len() - 9]);
    let before = folder.files();
    for (arguments, code, message) in [
        ("", 2, "<INPUT>"),
        ("in.y4m", 2, "<OUTPUT>"),
        ("in.y4m out.png --frame 3", 2, "in.y4m has 3 frames, from 0: there is no --frame 3"),
        ("none.y4m out.png", 2, "has 0 frames"),
        ("in.y4m out.png --frame x", 2, "--frame"),
        ("in.y4m out.jpg", 2, "out.jpg: the name of the picture must end with .png"),
        ("in.y4m out", 2, "out: the name of the picture must end with .png"),
        ("in.y4m out.png --frame 18446744073709551615", 2, "in.y4m has 3 frames"),
        ("in.y4m out.png --field 3", 2, "--field"),
        ("in.y4m out.png --show all", 2, "before, after, both"),
        ("in.y4m out.png --overlay heat", 2, "motion, angle, history, vectors, tears, skin"),
        ("in.y4m out.png --frame 0 --overlay angle --field-order header --deinterlacer gen6", 2, "in the first frame"),
        (
            "in.y4m out.png --frame 2 --field 2 --overlay motion --field-order header --deinterlacer gen6",
            2,
            "nor of the last field",
        ),
        (
            "in.y4m out.png --frame 2 --field 2 --overlay history --field-order header --deinterlacer gen6",
            2,
            "the last field has none",
        ),
        ("in.y4m out.png --frame 1 --overlay history --denoise off", 2, "--denoise off"),
        ("progressive.y4m out.png --frame 1 --overlay motion --field-order header", 2, "not deinterlaced"),
        ("progressive.y4m out.png --frame 1 --field 2 --field-order header", 2, "it has no --field 2"),
        ("in.y4m out.png --stats x", 2, "--stats does not apply to dndi view"),
        ("in.y4m out.png --rgb png", 2, "--rgb does not apply to dndi view"),
        ("in.y4m out.png --skip 1", 2, "--skip does not apply to dndi view"),
        ("in.y4m out.png --set stad_th=256", 2, "stad_th = 256"),
        ("in.y4m out.png --bogus", 2, "see dndi view --help"),
        ("missing.y4m out.png", 1, "cannot open missing.y4m"),
        ("cut.y4m out.png --frame 2", 3, "ends inside frame 2"),
        ("in.y4m missing/out.png", 1, "cannot create missing/out.png"),
    ] {
        folder.run(&format!("view {arguments}")).fails(code, message);
        assert_eq!(folder.files(), before, "{arguments}");
    }
    // Complete frames before the truncation can be viewed.
    folder.run("view cut.y4m out.png --frame 1 --field-order header --film off").succeeds();
    let help = String::from_utf8(folder.run("view --help").succeeds().stdout).unwrap();
    assert!(help.contains("--overlay") && help.contains("--set") && !help.contains("--framemd5"), "{help}");
}
