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
