//! `--rgb`: raw planes and PNGs.

use crate::clip::Clip;
use crate::color::{builder, library};
use crate::program::Folder;
use dndi::{ColorMatrix, ColorParameters, ColorRange, ColorSpace, Sampling, Scale};
use md5::{Digest, Md5};

/// G, B, R of each frame, from the library. `matrix` and `range` are those of the source.
fn expected(clip: &Clip, matrix: ColorMatrix, range: ColorRange) -> Vec<Vec<u8>> {
    let mut color = ColorParameters::default();
    color.set_conversion_to_rgb(ColorSpace { matrix, range }, 8);
    let format = clip.format();
    let scale = Scale::new(format.width, format.height).sampling(Sampling::C444);
    let scale = Some(scale).filter(|_| format.sampling != Sampling::C444);
    library(clip, &builder(clip, &color).scale(scale)).iter().map(|frame| green_blue_red(frame, &format)).collect()
}

fn green_blue_red(frame: &[u8], format: &dndi::Format) -> Vec<u8> {
    let plane = |index: usize| frame.chunks(format.width * format.height).nth(index).unwrap();
    if format.sampling == Sampling::Mono { [plane(0); 3].concat() } else { [plane(1), plane(2), plane(0)].concat() }
}

#[test]
fn raw_planes_use_the_colour_space_of_the_input() {
    let folder = Folder::new("rgb_raw");
    for (tags, options, matrix, range) in [
        ("W22 H18 Ip C444", "", ColorMatrix::Bt601, ColorRange::Limited),
        ("W22 H18 Ip C420mpeg2", "", ColorMatrix::Bt601, ColorRange::Limited),
        ("W22 H18 Ip C422", "", ColorMatrix::Bt601, ColorRange::Limited),
        ("W21 H17 Ip C411", "", ColorMatrix::Bt601, ColorRange::Limited),
        ("W22 H18 Ip Cmono", "", ColorMatrix::Bt601, ColorRange::Limited),
        ("W1025 H4 Ip C444", "", ColorMatrix::Bt709, ColorRange::Limited),
        ("W4 H577 Ip C444", "", ColorMatrix::Bt709, ColorRange::Limited),
        ("W22 H18 Ip C444 XCOLORRANGE=FULL", "", ColorMatrix::Bt601, ColorRange::Full),
        ("W22 H18 Ip C422 XCOLORMATRIX=BT2020 XCOLORRANGE=LIMITED", "", ColorMatrix::Bt2020, ColorRange::Limited),
        ("W22 H18 Ip C444 XCOLORMATRIX=BT2020", "--colorspace bt709-full:rgb", ColorMatrix::Bt709, ColorRange::Full),
    ] {
        let clip = Clip::new(tags, 2);
        folder.write("in.y4m", clip.bytes());
        folder.run(&format!("-y --denoise off --rgb raw {options} in.y4m out.rgb")).succeeds();
        assert!(folder.read("out.rgb") == expected(&clip, matrix, range).concat(), "{tags} {options}");
        let piped = folder.pipe(&format!("--denoise off --rgb raw {options} - -"), &clip.bytes()).succeeds();
        assert!(piped.stdout == folder.read("out.rgb"));
    }
}

/// Colour bars of 75 % with their standard values, at every sampling.
#[test]
fn bars() {
    let folder = Folder::new("rgb_bars");
    let bars = [
        ([180, 128, 128], [191, 191, 191]),
        ([162, 44, 142], [191, 191, 0]),
        ([131, 156, 44], [0, 191, 191]),
        ([112, 72, 58], [0, 191, 0]),
        ([84, 184, 198], [191, 0, 191]),
        ([65, 100, 212], [191, 0, 0]),
        ([35, 212, 114], [0, 0, 191]),
        ([16, 128, 128], [0, 0, 0]),
    ];
    for sampling in ["444", "422", "420jpeg", "420mpeg2", "411"] {
        for (yuv, rgb) in bars {
            let mut clip = Clip::new(&format!("W12 H8 Ip C{sampling}"), 1);
            let chroma = clip.format().plane_size(1);
            let samples = [12 * 8, chroma.0 * chroma.1, chroma.0 * chroma.1];
            clip.frames[0].1 = yuv.into_iter().zip(samples).flat_map(|(value, count)| vec![value; count]).collect();
            folder.write("in.y4m", clip.bytes());
            folder.run("-y --denoise off --rgb raw in.y4m out.rgb").succeeds();
            let out = folder.read("out.rgb");
            for (plane, want) in out.chunks(12 * 8).zip([rgb[1], rgb[2], rgb[0]]) {
                assert!(plane.iter().all(|&value| i32::abs(i32::from(value) - want) <= 1), "{sampling} {yuv:?}: {plane:?}");
            }
        }
    }
}

/// Interlaced frames that are not deinterlaced: the fields do not share chroma.
#[test]
fn fields_are_converted_separately() {
    let folder = Folder::new("rgb_fields");
    let mut clip = Clip::new("W8 H8 It C420mpeg2", 1);
    // The top field is red, the bottom field blue.
    let (red, blue) = ([81, 90, 240], [41, 240, 110]);
    let rows = |index: usize, width: usize, height: usize| {
        (0..height).flat_map(move |y| vec![if y % 2 == 0 { red[index] } else { blue[index] }; width])
    };
    clip.frames[0].1 = rows(0, 8, 8).chain(rows(1, 4, 4)).chain(rows(2, 4, 4)).collect();
    folder.write("in.y4m", clip.bytes());
    folder.run("--deinterlace off --denoise off --rgb raw in.y4m out.rgb").succeeds();
    let out = folder.read("out.rgb");
    for (y, [g, b, r]) in (0..8).map(|y| (y, [0, 1, 2].map(|plane| out[64 * plane + 8 * y]))) {
        assert!(g < 3 && if y % 2 == 0 { r > 250 && b < 3 } else { r < 3 && b > 250 }, "{y}: {r} {g} {b}");
    }
}

fn pixels(png: &[u8]) -> Vec<u8> {
    let image = image::load_from_memory_with_format(png, image::ImageFormat::Png).unwrap();
    let rgb = image.as_rgb8().expect("8 bits of R, G and B");
    [1, 2, 0].into_iter().flat_map(|channel| rgb.pixels().map(move |pixel| pixel.0[channel])).collect()
}

#[test]
fn pictures() {
    let folder = Folder::new("rgb_png");
    for tags in ["W22 H18 Ip C420mpeg2", "W5 H3 Ip C444", "W22 H18 Ip Cmono"] {
        let clip = Clip::new(tags, 3);
        let want = expected(&clip, ColorMatrix::Bt601, ColorRange::Limited);
        folder.write("in.y4m", clip.bytes());
        folder.run("-y --denoise off --rgb png in.y4m out-%03d.png --framemd5 sums").succeeds();
        assert_eq!(folder.files(), ["in.y4m", "out-000.png", "out-001.png", "out-002.png", "sums"]);
        for (number, want) in want.iter().enumerate() {
            assert!(pixels(&folder.read(&format!("out-00{number}.png"))) == *want, "{tags}: {number}");
        }
        // The sums are those of G, B, R.
        let sums = folder.read_text("sums");
        let sums: Vec<_> =
            sums.lines().filter(|line| !line.starts_with('#')).map(|line| line.rsplit_once(", ").unwrap().1).collect();
        let hex = |bytes: &[u8]| Md5::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(sums, want.iter().map(|frame| hex(frame)).collect::<Vec<_>>());
        // On stdout the files follow each other.
        let stream = folder.run("--denoise off --rgb png in.y4m -").succeeds().stdout;
        let files: Vec<u8> = (0..3).flat_map(|number| folder.read(&format!("out-00{number}.png"))).collect();
        assert!(stream == files);
        let result = folder.run("-y --denoise off --rgb raw --md5 in.y4m raw").succeeds().stdout;
        assert_eq!(result, format!("MD5={}\n", hex(&want.concat())).into_bytes());
        std::fs::remove_file(folder.path("raw")).unwrap();
    }
}

#[test]
fn names_of_pictures() {
    let folder = Folder::new("rgb_names");
    let clip = Clip::new("W6 H4 Ip C444", 2);
    folder.write("in.y4m", clip.bytes());
    let pictures = || folder.files().into_iter().filter(|name| name.ends_with("png")).collect::<Vec<_>>();
    for (pattern, message) in [("%s.png", "%05d"), ("%d%d.png", "once"), ("a%", "a percent sign is %%")] {
        folder.run(&format!("--rgb png in.y4m {pattern}")).fails(2, message);
    }
    assert_eq!(folder.files(), ["in.y4m"]);
    // A name without a pattern holds a single frame. If more follow, the first one is kept.
    folder.run("--rgb png --frames 1 in.y4m one.png").succeeds();
    folder.run("-y --rgb png in.y4m one.png").fails(2, "one.png is one picture, but there are more frames; use one-%05d.png");
    assert_eq!(pictures(), ["one.png"]);
    pixels(&folder.read("one.png"));
    folder.run("--rgb png in.y4m one.png").fails(2, "one.png exists; -y overwrites it");
    // Without `-y` no file is overwritten, including those of later frames.
    folder.run("--rgb png --skip 1 in.y4m %d.png").succeeds();
    std::fs::rename(folder.path("0.png"), folder.path("1.png")).unwrap();
    folder.run("--rgb png in.y4m %d.png").fails(2, "1.png exists; -y overwrites it");
    assert_eq!(pictures(), ["0.png", "1.png", "one.png"]);
    folder.run("-y --rgb png in.y4m %d.png").succeeds();
    // The input is never overwritten.
    folder.write("1.y4m", clip.bytes());
    folder.run("-y --rgb png 1.y4m %d.y4m").fails(2, "1.y4m is used twice");
    assert!(folder.read("1.y4m") == clip.bytes());
    folder.run("-y --rgb png in.y4m missing/%d.png").fails(1, "cannot create missing/0.png");
}

#[test]
fn deinterlaced_pictures() {
    let folder = Folder::new("rgb_deinterlaced");
    folder.write("in.y4m", Clip::new("W22 H18 F25:1 It C420mpeg2", 2).bytes());
    folder.run("--rgb png --scale 2x --chroma 422 --sharpen combo --stats stats in.y4m %d.png").succeeds();
    assert_eq!(folder.files(), ["0.png", "1.png", "2.png", "3.png", "in.y4m", "stats"]);
    assert_eq!(pixels(&folder.read("3.png")).len(), 3 * 44 * 36);
}

/// A run that fails keeps the complete frames and writes no partial one.
#[test]
fn an_input_that_ends_early() {
    let folder = Folder::new("rgb_truncated");
    let bytes = Clip::new("W22 H18 Ip C444", 2).bytes();
    folder.write("in.y4m", &bytes[..bytes.len() - 9]);
    folder.run("--rgb png in.y4m %d.png").fails(3, "ends inside frame 1");
    assert_eq!(folder.files(), ["0.png", "in.y4m"]);
    folder.run("--rgb raw in.y4m out.rgb").fails(3, "ends inside frame 1");
    assert_eq!(folder.read("out.rgb").len(), 3 * 22 * 18);
    #[cfg(target_os = "linux")]
    for kind in ["raw", "png"] {
        folder.run(&format!("--rgb {kind} in.y4m /dev/full")).fails(1, "cannot write /dev/full after 0 frames");
    }
}

/// With `--csc` the caller sets the matrix.
#[test]
fn custom_matrix() {
    let folder = Folder::new("rgb_custom");
    let clip = Clip::new("W22 H18 Ip C444", 1);
    folder.write("in.y4m", clip.bytes());
    folder.run("--denoise off --rgb raw --csc in.y4m out.rgb").succeeds();
    assert!(folder.read("out.rgb") == green_blue_red(clip.samples()[0], &clip.format()));
}
