//! More than 8 bits per sample: `--depth`, `--dither`, and each report and output of words.

use crate::clip::{Clip, Random};
use crate::program::Folder;
use md5::{Digest, Md5};

const DEPTHS: [u8; 6] = [8, 9, 10, 12, 14, 16];

/// Options that process nothing.
const COPY: &str = "-y --denoise off --deinterlace off";

/// The tag of a sampling and a depth.
fn chroma(sampling: &str, depth: u8) -> String {
    match depth {
        8 => format!("C{sampling}"),
        _ if sampling == "mono" => format!("Cmono{depth}"),
        _ => format!("C{sampling}p{depth} XYSCSS={sampling}P{depth}"),
    }
}

/// The samples of a frame of `depth` bits.
fn samples(bytes: &[u8], depth: u8) -> Vec<u32> {
    match depth {
        8 => bytes.iter().map(|&byte| byte.into()).collect(),
        _ => bytes.as_chunks().0.iter().map(|&word| u16::from_le_bytes(word).into()).collect(),
    }
}

/// §9.6 for a sample in column `x` of line `y`. `full` is whether the plane has full range.
fn changed(v: u32, (from, to): (u8, u8), full: bool, dither: &str, (x, y): (usize, usize)) -> u32 {
    if to >= from {
        let s = to - from;
        return if full && s > 0 { v << s | v >> (from - s) } else { v << s };
    }
    let s = from - to;
    let b: usize = (0..3).map(|i| (2 * ((x ^ y) >> i & 1) + (y >> i & 1)) << (4 - 2 * i)).sum();
    let t = if dither == "none" { 1 << (s - 1) } else { (2 * b as u32 + 1) << s >> 7 };
    let v = if full { v - (v >> to) } else { v };
    ((v + t) >> s).min((1 << to) - 1)
}

#[test]
fn the_depth_of_the_output() {
    let folder = Folder::new("depth_output");
    for (from, to) in DEPTHS.into_iter().flat_map(|from| DEPTHS.map(|to| (from, to))) {
        for (sampling, range) in [("422", ""), ("mono", " XCOLORRANGE=FULL"), ("444", " XCOLORRANGE=FULL")] {
            let (width, height) = (22, 18);
            let clip = Clip::new(&format!("W{width} H{height} Ip {}{range}", chroma(sampling, from)), 2);
            folder.write("in.y4m", clip.bytes());
            for (scan, dither) in [("progressive", "ordered"), ("progressive", "none"), ("tff", "ordered")] {
                // Without an effect of `--dither none` there is a warning.
                let dithering = if dither == "none" && to < from { "--dither none" } else { "" };
                let options = format!("{COPY} --field-order {scan} {dithering} --depth {to} --md5");
                let md5 = folder.run(&format!("{options} in.y4m out.y4m")).succeeds().stdout;
                let out = Clip::parse(&folder.read("out.y4m"));
                // The old tag remains.
                let old = if from > 8 && to == 8 && sampling != "mono" { format!(" XYSCSS={sampling}") } else { String::new() };
                assert_eq!(out.tags, format!("W{width} H{height} Ip {}{old}{range}", chroma(sampling, to)));
                let chroma_width = if sampling == "422" { width / 2 } else { width };
                for (before, after) in clip.samples().iter().zip(out.samples()) {
                    let want = samples(before, from).into_iter().enumerate().map(|(at, v)| {
                        let at_chroma = at.checked_sub(width * height).map(|at| at % (chroma_width * height));
                        let (x, y) = at_chroma.map_or((at % width, at / width), |at| (at % chroma_width, at / chroma_width));
                        let y = if scan == "tff" { y / 2 } else { y };
                        changed(v, (from, to), !range.is_empty() && at_chroma.is_none(), dither, (x, y))
                    });
                    assert!(samples(after, to) == want.collect::<Vec<_>>(), "{from} to {to} bits, {sampling}, {scan}, {dither}");
                }
                let sum: String = Md5::digest(out.samples().concat()).iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(md5, format!("MD5={sum}\n").into_bytes());
            }
        }
    }
}

#[test]
fn chroma_tags_follow_the_depth() {
    let folder = Folder::new("depth_tags");
    for (tag, options, want) in [
        ("C420jpeg XYSCSS=420JPEG", "--depth 10", "C420p10 XYSCSS=420P10"),
        ("C420paldv", "--depth 16", "C420p16 XYSCSS=420P16"),
        ("C420p10 XYSCSS=420P10", "--depth 8", "C420mpeg2 XYSCSS=420MPEG2"),
        ("C420p10", "--depth 8 --chroma-location center", "C420jpeg"),
        ("C420p10", "", "C420p10"),
        ("XYSCSS=420P12", "", "XYSCSS=420P12"),
    ] {
        folder.write("in.y4m", Clip::new(&format!("W6 H4 Ip {tag}"), 1).bytes());
        folder.run(&format!("{COPY} {options} in.y4m out.y4m")).succeeds();
        assert_eq!(Clip::parse(&folder.read("out.y4m")).tags, format!("W6 H4 Ip {want}"));
    }
    // Deinterlaced 4:1:1 becomes 4:2:2, which has tags of more than 8 bits.
    folder.write("in.y4m", Clip::new("W8 H4 It C411", 2).bytes());
    folder.run("-y --depth 12 in.y4m out.y4m").succeeds();
    assert_eq!(Clip::parse(&folder.read("out.y4m")).tags, "W8 H4 Ip C422p12 XYSCSS=422P12");
    folder.run("-y --depth 12 --chroma 420 in.y4m out.y4m").succeeds();
    assert_eq!(Clip::parse(&folder.read("out.y4m")).tags, "W8 H4 Ip C420p12 XYSCSS=420P12");
    // RGB has no tags.
    folder.run("-y --depth 12 --deinterlace off --rgb raw in.y4m out.rgb").succeeds();
    assert_eq!(folder.read("out.rgb").len(), 2 * 2 * 3 * 8 * 4);
}

#[test]
fn errors_and_warnings() {
    let folder = Folder::new("depth_errors");
    folder.write("411.y4m", Clip::new("W8 H4 It C411", 2).bytes());
    folder.write("p10.y4m", Clip::new("W8 H4 It C422p10", 2).bytes());
    folder.write("p8.y4m", Clip::new("W8 H4 It C422", 2).bytes());
    let held = "--depth 10: y4m cannot hold 4:1:1 of more than 8 bits; deinterlaced it becomes 4:2:2";
    folder.run("--deinterlace off --depth 10 411.y4m out.y4m").fails(2, held);
    folder.run("--depth 11 p8.y4m out.y4m").fails(2, "invalid value '11' for '--depth <8|9|10|12|14|16>'");
    folder.run("--dither noise p8.y4m out.y4m").fails(2, "[possible values: ordered, none]");
    let refused = "--engine messages: messages do not support more than 8 bits per sample";
    folder.run("--engine messages p10.y4m out.y4m").fails(2, refused);
    folder.run("--engine messages --depth 8 p10.y4m out.y4m").fails(2, refused);
    folder.run("--engine messages --depth 10 p8.y4m out.y4m").fails(2, refused);
    folder.pipe("- out.y4m", b"").fails(3, "if ffmpeg makes it, more than 8 bits a sample need its option -strict -1");
    folder.pipe("- out.y4m", b"YUV4MPEG2 W2 H2 C422p11\n").fails(1, "C422p11 (bits a sample other than 8, 9, 10, 12, 14 and 16)");
    assert_eq!(folder.files(), ["411.y4m", "p10.y4m", "p8.y4m"]);
    let none = "--dither has no effect: the output has as many bits per sample as the input, or more";
    for arguments in ["--dither none p8.y4m", "--dither none --depth 10 p10.y4m", "--dither none --depth 12 p10.y4m"] {
        folder.run(&format!("-y {arguments} out.y4m")).warns(none);
    }
    folder.run("-y --dither none --depth 9 p10.y4m out.y4m").succeeds();
}

#[test]
fn truncated_words_are_counted_in_bytes() {
    let folder = Folder::new("depth_truncated");
    let clip = Clip::new("W6 H4 Ip C422p10", 3);
    let bytes = clip.bytes();
    // The last frame lacks a byte: half a word.
    let result = folder.pipe(&format!("{COPY} - out.y4m"), &bytes[..bytes.len() - 1]);
    result.fails(3, "the input ends inside frame 2: 95 of 96 bytes");
    assert_eq!(Clip::parse(&folder.read("out.y4m")), clip.part(0..2));
}

/// The matrix that maps Y, U and V to R, G and B unchanged, so that the planes show the layout.
#[test]
fn rgb_of_words() {
    let folder = Folder::new("depth_rgb");
    for depth in DEPTHS {
        let clip = Clip::new(&format!("W9 H5 Ip {}", chroma("444", depth)), 2);
        folder.write("in.y4m", clip.bytes());
        folder.run(&format!("{COPY} --csc --rgb raw --framemd5 sums in.y4m out.rgb")).succeeds();
        let plane = 9 * 5 * clip.format().bytes_per_sample();
        let planar = |frame: &[u8]| [&frame[plane..], &frame[..plane]].concat();
        let want: Vec<_> = clip.samples().into_iter().map(planar).collect();
        assert!(folder.read("out.rgb") == want.concat(), "{depth} bits");
        let sums: String = want
            .iter()
            .enumerate()
            .map(|(number, frame)| {
                let sum: String = Md5::digest(frame).iter().map(|byte| format!("{byte:02x}")).collect();
                format!("0, {number:>10}, {number:>10}, {:>8}, {:>8}, {sum}\n", 1, frame.len())
            })
            .collect();
        assert!(folder.read_text("sums").ends_with(&sums), "{depth} bits");
        folder.run(&format!("{COPY} --csc --rgb png in.y4m out-%d.png")).succeeds();
        for (number, frame) in clip.samples().into_iter().enumerate() {
            let image = image::load_from_memory(&folder.read(&format!("out-{number}.png"))).unwrap();
            assert_eq!(image.as_rgb16().is_some(), depth > 8, "{depth} bits");
            let pixels: Vec<u32> = match depth {
                8 => image.into_rgb8().into_raw().into_iter().map(u32::from).collect(),
                _ => image.into_rgb16().into_raw().into_iter().map(u32::from).collect(),
            };
            let scaled: Vec<u32> = samples(frame, depth)
                .into_iter()
                .map(|v| if depth > 8 { changed(v, (depth, 16), true, "", (0, 0)) } else { v })
                .collect();
            let want: Vec<_> = (0..45).flat_map(|at| [0, 1, 2].map(|plane| scaled[45 * plane + at])).collect();
            assert!(pixels == want, "{depth} bits, picture {number}");
        }
    }
}

/// The 8 most significant bits of a clip: a clip of 8 bits with the same decisions.
fn top_bytes(clip: &Clip, tags: &str) -> Clip {
    let shift = clip.format().depth - 8;
    let mut top = clip.tagged(tags);
    for (_, frame) in &mut top.frames {
        *frame = samples(frame, clip.format().depth).into_iter().map(|v| (v >> shift) as u8).collect();
    }
    top
}

#[test]
fn views_show_the_most_significant_bits() {
    let folder = Folder::new("depth_view");
    let clip = Clip::new("W40 H24 Ip C420p12 XYSCSS=420P12", 3);
    folder.write("deep.y4m", clip.bytes());
    folder.write("flat.y4m", top_bytes(&clip, "W40 H24 Ip C420mpeg2").bytes());
    for options in ["--show before --histogram", "--show after --denoise off", "--overlay skin --show before"] {
        let picture = |clip: &str| folder.run(&format!("view --frame 1 {options} {clip} -")).succeeds().stdout;
        let (deep, flat) = (picture("deep.y4m"), picture("flat.y4m"));
        assert!(deep == flat && deep.starts_with(b"\x89PNG"), "{options}");
    }
    // Maps exist at each depth, and the picture after processing is lowered as well.
    for options in ["--overlay motion", "--overlay vectors", "--show both --depth 10", "--overlay history"] {
        folder.run(&format!("view -y --field-order tff --frame 2 {options} deep.y4m out.png")).succeeds();
    }
}

#[test]
fn clips_are_inspected_by_their_most_significant_bits() {
    let folder = Folder::new("depth_inspect");
    let clip = Clip::new("W64 H48 F25:1 It C422p10 XYSCSS=422P10", 16);
    folder.write("deep.y4m", clip.bytes());
    folder.write("flat.y4m", top_bytes(&clip, "W64 H48 F25:1 It C422").bytes());
    let inspect = |clip: &str| -> serde_json::Value {
        serde_json::from_slice(&folder.run(&format!("inspect --json {clip}")).succeeds().stdout).unwrap()
    };
    let (deep, flat) = (inspect("deep.y4m"), inspect("flat.y4m"));
    assert_eq!((&deep["depth"], &flat["depth"]), (&10.into(), &8.into()));
    for key in ["sampling", "frames", "measured", "segments", "flags_are_right", "options"] {
        assert_eq!(deep[key], flat[key], "{key}");
    }
    let text = String::from_utf8(folder.run("inspect deep.y4m").succeeds().stdout).unwrap();
    assert!(text.starts_with("deep.y4m: 64x48 422 10-bit, 25 frames/s"), "{text}");
    folder.run("inspect -y --plot plot.svg deep.y4m").succeeds();
}

/// Noise is in steps of 8 bits at each depth.
#[test]
fn noise_is_that_of_8_bits() {
    let folder = Folder::new("depth_noise");
    let mut clip = Clip::new("W64 H48 F25:1 Ip Cmono10", 16);
    let mut random = Random::new(7);
    for (_, frame) in &mut clip.frames {
        *frame = (0..64 * 48).flat_map(|_| (400 + random.below(24) as u16).to_le_bytes()).collect();
    }
    folder.write("deep.y4m", clip.bytes());
    folder.write("flat.y4m", top_bytes(&clip, "W64 H48 F25:1 Ip Cmono").bytes());
    let inspect = |clip: &str| -> serde_json::Value {
        serde_json::from_slice(&folder.run(&format!("inspect --json {clip}")).succeeds().stdout).unwrap()
    };
    let (deep, flat) = (inspect("deep.y4m"), inspect("flat.y4m"));
    let median = |json: &serde_json::Value| ["noise", "noise_level"].map(|key| json[key]["median"].as_f64().unwrap());
    for (deep, flat) in median(&deep).into_iter().zip(median(&flat)) {
        assert!(flat > 1.0 && (deep - flat).abs() < 0.2 * flat + 0.5, "{deep} {flat}");
    }
    assert!(flat["noise"]["median"].is_u64());
    let gne = |clip: &str| {
        folder.run(&format!("{COPY} --stats rows {clip} out.y4m")).succeeds();
        serde_json::from_str::<serde_json::Value>(folder.read_text("rows").lines().next().unwrap()).unwrap()["gne"]
            .as_f64()
            .unwrap()
    };
    let (deep, flat) = (gne("deep.y4m"), gne("flat.y4m"));
    assert!((deep / 4.0 - flat).abs() < 0.2 * flat + 1.0, "{deep} {flat}");
}

#[test]
fn statistics_and_profiles() {
    let folder = Folder::new("depth_stats");
    let clip = Clip::new("W32 H24 F25:1 Ip Cmono14", 3);
    folder.write("deep.y4m", clip.bytes());
    folder.write("flat.y4m", top_bytes(&clip, "W32 H24 F25:1 Ip Cmono").bytes());
    let rows = |clip: &str| -> Vec<serde_json::Value> {
        folder.run(&format!("{COPY} --stats rows {clip} out.y4m")).succeeds();
        folder.read_text("rows").lines().map(|row| serde_json::from_str(row).unwrap()).collect()
    };
    let (deep, flat) = (rows("deep.y4m"), rows("flat.y4m"));
    assert_eq!((deep.len(), flat.len()), (3, 3));
    for (deep, flat) in deep.iter().zip(&flat) {
        for key in ["ymin", "ymax", "histogram"] {
            assert!(!deep[key].is_null() && deep[key] == flat[key], "{key}: {} {}", deep[key], flat[key]);
        }
    }
    folder.write("p.toml", "depth = 10\ndither = \"none\"\n");
    let dump = String::from_utf8(folder.plain("--profile p.toml --dump-config").output().unwrap().stdout).unwrap();
    assert!(dump.contains("\ndepth = 10\ndither = \"none\"\n"), "{dump}");
    folder.run("-y -v --profile p.toml deep.y4m out.y4m").code.filter(|&code| code == 0).unwrap();
    assert!(folder.read_text("p.toml").len() > 1 && folder.read("out.y4m").starts_with(b"YUV4MPEG2 W32 H24 F25:1 Ip Cmono10\n"));
    folder.write("p.toml", "depth = 13\n");
    folder.run("--profile p.toml deep.y4m other.y4m").fails(2, "p.toml: line 1");
    let described = folder.run("-y -v --depth 10 deep.y4m out.y4m").stderr;
    assert!(described.starts_with("dndi: 32x24 mono 14-bit 25:1, progressive -> 32x24 mono 10-bit 25:1\n"), "{described}");
}
