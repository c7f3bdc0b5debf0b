//! Faults of tapes: drop-outs, chroma beside luma, black borders.

use crate::clip::Clip;
use crate::fields;
use crate::program::Folder;
use serde_json::Value;

const RATE: &str = "F25:1";

/// A moving picture in mono, with a bright drop-out in the even frames from frame 2 on.
fn drop_outs() -> [Clip; 2] {
    let clean = Clip::of_fields(&fields::Clip::new((0..60).collect()), format!("W160 H96 {RATE} It Cmono"));
    let mut damaged = clean.clone();
    for (number, (_, samples)) in damaged.frames.iter_mut().enumerate().skip(2).step_by(2) {
        let line = 20 + number;
        samples[line * 160 + 30..][..80].fill(254);
    }
    [clean, damaged]
}

#[test]
fn drop_outs_are_repaired_before_all_stages() {
    let folder = Folder::new("repair_drop_outs");
    let [clean, damaged] = drop_outs();
    folder.write("clean.y4m", clean.bytes());
    folder.write("in.y4m", damaged.bytes());
    let error = |options: &str, truth: &Clip| {
        folder.run(&format!("-q -y --denoise off {options} in.y4m out.y4m")).succeeds();
        let out = Clip::parse(&folder.read("out.y4m"));
        assert_eq!(out.frames.len(), truth.frames.len());
        let distances =
            out.samples().concat().into_iter().zip(truth.samples().concat()).map(|(a, b)| u64::from(a.abs_diff(b)).pow(2));
        distances.sum::<u64>()
    };
    let as_it_is = "--deinterlace off --rate frame";
    let [without, with] = ["", "--drop-outs"].map(|repair| error(&format!("{as_it_is} {repair}"), &clean));
    assert!(with * 10 < without, "{with} {without}");
    // The deinterlacer gets repaired fields.
    folder.run("-q -y --denoise off --rate field clean.y4m truth.y4m").succeeds();
    let truth = Clip::parse(&folder.read("truth.y4m"));
    let [without, with] = ["", "--drop-outs"].map(|repair| error(&format!("--rate field {repair}"), &truth));
    assert!(with * 10 < without, "{with} {without}");
    let report = folder.run("inspect --json in.y4m").succeeds().stdout;
    assert_eq!(serde_json::from_slice::<Value>(&report).unwrap()["drop_outs"], 14);
    // Each chunk has the frames around its own.
    folder.run(&format!("-q -y --denoise off {as_it_is} --drop-outs in.y4m whole.y4m")).succeeds();
    folder.run(&format!("-q -y --denoise off {as_it_is} --drop-outs --chunk 7:3 --jobs 2 in.y4m chunks.y4m")).succeeds();
    assert!(folder.read("whole.y4m") == folder.read("chunks.y4m"));
}

/// Blocks of random grey and colour, with chroma `right` samples and `down` lines beside its luma.
fn blocks(right: usize, down: usize) -> Clip {
    let mut samples = Vec::new();
    for (plane, width, height) in [(0, 320, 240), (1, 160, 120), (2, 160, 120)] {
        let unit = 320 / width;
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let (x, y) = if plane == 0 { (x, y) } else { ((x + width - right) % width, (y + height - down) % height) };
            let cell = x * unit / 20 + 31 * (y * unit / 28);
            let random = (cell + 1).wrapping_mul(0x9e37_79b9) >> 11;
            samples.push((40 + (random >> (4 * plane)) % 160) as u8);
        }
    }
    let frames = (0..30).map(|_| (String::new(), samples.clone())).collect();
    Clip { tags: format!("W320 H240 {RATE} Ip C420jpeg"), frames }
}

#[test]
fn chroma_moves_back_over_its_luma() {
    let folder = Folder::new("repair_chroma_shift");
    folder.write("in.y4m", blocks(3, 1).bytes());
    let convert = |option: &str| {
        folder.run(&format!("-q -y --denoise off {option} in.y4m out.y4m")).succeeds();
        Clip::parse(&folder.read("out.y4m"))
    };
    let [automatic, given] = ["--chroma-shift auto", "--chroma-shift -6,-2"].map(convert);
    assert!(automatic == given);
    assert!(automatic == convert("--repair"));
    assert!(given != convert("--repair --chroma-shift 0,0"));
    let truth = blocks(0, 0);
    for plane in 0..2 {
        let at = |y: usize| 320 * 240 + plane * 160 * 120 + y * 160;
        for y in 4..116 {
            let range = at(y) + 8..at(y) + 152;
            assert!(given.frames[7].1[range.clone()] == truth.frames[7].1[range], "line {y} of plane {plane}");
        }
    }
    assert!(given.frames[7].1[..320 * 240] == truth.frames[7].1[..320 * 240]);
    let report = folder.run("inspect --json in.y4m").succeeds().stdout;
    assert_eq!(serde_json::from_slice::<Value>(&report).unwrap()["chroma_shift"], "-6,-2");
    let text = String::from_utf8(folder.run("inspect in.y4m").succeeds().stdout).unwrap();
    assert!(text.contains("--chroma-shift -6,-2 moves it back"), "{text}");
    folder
        .pipe("-q --chroma-shift auto - out2.y4m", &folder.read("in.y4m"))
        .fails(2, "use --chroma-shift X,Y, which dndi inspect finds");
    folder.run("-q -y --chroma-shift 9,0 in.y4m out.y4m").fails(2, "-8 to 8 luma samples");
    // Chroma that is in its place stays as it is.
    folder.write("in.y4m", truth.bytes());
    assert!(convert("--chroma-shift auto").samples() == truth.samples());
    let report = folder.run("inspect --json in.y4m").succeeds().stdout;
    assert_eq!(serde_json::from_slice::<Value>(&report).unwrap()["chroma_shift"], Value::Null);
}

#[test]
fn borders_are_cut_off() {
    let folder = Folder::new("repair_crop");
    let mut clip = Clip::of_fields(&fields::Clip::new((0..60).collect()), format!("W160 H96 {RATE} It Cmono"));
    let run = |option: &str| {
        folder.run(&format!("-q -y {option} in.y4m out.y4m")).succeeds();
        folder.read("out.y4m")
    };
    folder.write("in.y4m", clip.bytes());
    assert!(run("--crop auto") == run(""), "without borders");
    for (_, frame) in &mut clip.frames {
        frame[..11 * 160].fill(16);
        frame[92 * 160..].fill(17);
        frame.chunks_mut(160).for_each(|line| line[..6].fill(18));
    }
    folder.write("in.y4m", clip.bytes());
    assert!(run("--crop auto") == run("--crop 6,12,154,80"));
    folder.pipe("-q --crop auto - out2.y4m", &clip.bytes()).fails(2, "use --crop X,Y,W,H, which dndi inspect finds");
}

/// Blocks of grey and colour that stand still, with crosstalk of PAL.
fn composite() -> Clip {
    let mut clip = blocks(0, 0);
    for (number, (_, samples)) in clip.frames.iter_mut().enumerate() {
        for (i, sample) in samples.iter_mut().enumerate() {
            let (x, y, along) = if i < 320 * 240 { (i % 320, i / 320, 0.28) } else { (i % 160, i / 160 % 120, 0.02) };
            let phase = number as f64 / 4.0 + y as f64 / 4.0 + x as f64 * along + 0.07;
            *sample = (f64::from(*sample) + 9.0 * (std::f64::consts::TAU * phase).sin()).round() as u8;
        }
    }
    clip
}

#[test]
fn dot_crawl_and_rainbows_are_removed() {
    let folder = Folder::new("repair_dot_crawl");
    folder.write("in.y4m", composite().bytes());
    let convert = |options: &str| {
        folder.run(&format!("-q -y --denoise off --deinterlace off {options} in.y4m out.y4m")).succeeds();
        Clip::parse(&folder.read("out.y4m"))
    };
    let [off, pal] = ["", "--dot-crawl pal"].map(convert);
    let farthest = |clip: &Clip| {
        let pairs = clip.samples().concat().into_iter().zip(blocks(0, 0).samples().concat());
        pairs.map(|(a, b)| a.abs_diff(b)).max().unwrap()
    };
    assert_eq!([&off, &pal].map(farthest), [9, 0]);
    assert!(pal == convert("--dot-crawl auto"));
    assert!(pal == convert("--repair"));
    assert!(off == convert("--repair --dot-crawl off"));
    assert!(off == convert("--dot-crawl ntsc"), "no frames of equal phases");
    assert!(pal == convert("--dot-crawl pal --chunk 9:12 --jobs 2"));
    let report = folder.run("inspect --json in.y4m").succeeds().stdout;
    let found = &serde_json::from_slice::<Value>(&report).unwrap()["composite"];
    assert_eq!(*found, serde_json::json!({ "standard": "pal", "dot_crawl": true, "rainbows": true }));
    let text = String::from_utf8(folder.run("inspect in.y4m").succeeds().stdout).unwrap();
    assert!(text.contains("dot crawl and rainbows of PAL; --dot-crawl pal removes them"), "{text}");
    let bytes = folder.read("in.y4m");
    folder.pipe("-q --dot-crawl auto - out2.y4m", &bytes).fails(2, "use --dot-crawl ntsc or pal, which dndi inspect finds");
    folder.pipe("-q -y --denoise off --deinterlace off --repair - out.y4m", &bytes).succeeds();
    assert!(off == Clip::parse(&folder.read("out.y4m")), "nothing is measured in a pipe");
    folder.run("-q -y --dot-crawl secam in.y4m out.y4m").fails(2, "secam");
    // Without crosstalk nothing happens.
    folder.write("in.y4m", blocks(0, 0).bytes());
    assert!(convert("--dot-crawl auto").samples() == blocks(0, 0).samples());
    let report = folder.run("inspect --json in.y4m").succeeds().stdout;
    assert_eq!(serde_json::from_slice::<Value>(&report).unwrap()["composite"], Value::Null);
}

/// Numbers below `limit`, by place.
fn random(seed: usize, limit: u32) -> u32 {
    let word = (seed as u32 + 1).wrapping_mul(0x9e37_79b9);
    ((word ^ (word >> 15)).wrapping_mul(0x85eb_ca6b) >> 8) % limit
}

#[test]
fn switching_noise_is_cut_off() {
    let folder = Folder::new("repair_heads");
    let wave = |i: usize| 120.0 + 60.0 * ((i % 160) as f64 / 9.0 + (i / 160) as f64 / 20.0).sin();
    let samples: Vec<u8> = (0..160 * 96).map(|i| wave(i) as u8).collect();
    let frames = (0..30).map(|_| (String::new(), samples.clone())).collect();
    let clean = Clip { tags: format!("W160 H96 {RATE} Ip Cmono"), frames };
    let mut torn = clean.clone();
    for (number, (_, samples)) in torn.frames.iter_mut().enumerate() {
        for (i, sample) in samples.iter_mut().enumerate().skip(86 * 160).take(8 * 160) {
            *sample = 60 + random(number * 160 * 96 + i, 120) as u8;
        }
        samples[94 * 160..].fill(16);
    }
    let found = |clip: &Clip| {
        folder.write("in.y4m", clip.bytes());
        let report = folder.run("inspect --json in.y4m").succeeds().stdout;
        serde_json::from_slice::<Value>(&report).unwrap()["borders"].clone()
    };
    assert_eq!(found(&clean), Value::Null);
    let report = serde_json::json!({
        "left": 0, "right": 0, "top": 0, "bottom": 2, "head_switching": 10, "crop": "0,0,160,86"
    });
    assert_eq!(found(&torn), report);
    let text = String::from_utf8(folder.run("inspect in.y4m").succeeds().stdout).unwrap();
    assert!(text.contains("switching noise in the lowest 10 lines; --crop 0,0,160,86 removes it"), "{text}");
    let run = |option: &str| {
        folder.run(&format!("-q -y {option} in.y4m out.y4m")).succeeds();
        folder.read("out.y4m")
    };
    assert!(run("--crop auto") == run("--crop 0,0,160,86"));
}

#[test]
fn jitter_of_lines_is_reported() {
    let folder = Folder::new("repair_jitter");
    let clip = |amount: u32| {
        let frame = |number: usize| {
            let sample = |i: usize| {
                let (x, y) = (i % 320, i / 320);
                let moved = random(number * 240 + y, 1000) as f64 / 1000.0 - 0.5;
                let at = x as f64 - f64::from(amount) * moved;
                (120.0 + 60.0 * (at / 9.0).sin() + 30.0 * (at / 31.0).cos()) as u8
            };
            (String::new(), (0..320 * 240).map(sample).collect())
        };
        Clip { tags: format!("W320 H240 {RATE} Ip Cmono"), frames: (0..14).map(frame).collect() }
    };
    let report = |clip: Clip| {
        folder.write("in.y4m", clip.bytes());
        let report = folder.run("inspect --json in.y4m").succeeds().stdout;
        serde_json::from_slice::<Value>(&report).unwrap()["line_jitter"].clone()
    };
    assert_eq!(report(clip(0)), Value::Null);
    // The standard deviation of a uniform distribution over 5 samples is 1.44.
    let found = report(clip(5)).as_f64().expect("jitter");
    assert!((1.2..1.7).contains(&found), "{found}");
    let text = String::from_utf8(folder.run("inspect in.y4m").succeeds().stdout).unwrap();
    assert!(text.contains(&format!("line jitter, about {found} samples")), "{text}");
}
