//! Blended fields, as a standards converter makes them of progressive pictures.

use crate::clip::Clip;
use crate::program::Folder;
use serde_json::Value;

const WIDTH: usize = 160;
const HEIGHT: usize = 128;

/// A picture of soft blobs that move along curves, so that no sample changes evenly.
fn picture(number: usize) -> Vec<f64> {
    let time = number as f64;
    let blobs: Vec<[f64; 3]> = (0..12)
        .map(|index| {
            let phase = f64::from(index) * 2.4;
            let x = 80.0 + 70.0 * (0.13 * time + phase).sin();
            [x, 64.0 + 55.0 * (0.11 * time + 1.7 * phase).cos(), if index % 2 == 0 { 90.0 } else { -70.0 }]
        })
        .collect();
    let sample = |x: usize, y: usize| {
        let light = |[bx, by, light]: [f64; 3]| light * (-((x as f64 - bx).powi(2) + (y as f64 - by).powi(2)) / 120.0).exp();
        (120.0 + blobs.iter().map(|&blob| light(blob)).sum::<f64>()).clamp(16.0, 235.0)
    };
    (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y))).map(|(x, y)| sample(x, y)).collect()
}

/// `pictures` pictures, of which `ratio` are shown in a field, in fields that mix two of them: by
/// the time of the field, or by the parts of its duration.
fn blended(pictures: usize, ratio: f64, by_area: bool, tags: &str) -> Clip {
    let all: Vec<Vec<f64>> = (0..pictures).map(picture).collect();
    let fields = ((pictures - 1) as f64 / ratio) as usize / 2 * 2;
    let line = |field: usize, y: usize| {
        let at = field as f64 * ratio;
        let (first, part) = (at as usize, at.fract());
        let weight = if by_area { ((part + ratio - 1.0) / ratio).max(0.0) } else { part };
        let mixed = |x: usize| (1.0 - weight) * all[first][y * WIDTH + x] + weight * all[first + 1][y * WIDTH + x];
        (0..WIDTH).map(mixed).map(|value| value.round() as u8).collect::<Vec<_>>()
    };
    let frame = |number: usize| (0..HEIGHT).flat_map(|y| line(2 * number + y % 2, y)).collect::<Vec<u8>>();
    let frames = (0..fields / 2).map(|number| (String::new(), frame(number))).collect();
    Clip { tags: format!("W{WIDTH} H{HEIGHT} {tags} It Cmono"), frames }
}

/// The names of the blends with the ratio of pictures to fields, the rate of the clip and that of
/// the pictures.
const BLENDS: [(&str, f64, &str, &str); 3] = [
    ("24 pictures in 50 fields", 480.0 / 1001.0, "F25:1", "F24000:1001"),
    ("25 pictures in 60 fields", 1001.0 / 2400.0, "F30000:1001", "F25:1"),
    ("30 pictures in 50 fields", 600.0 / 1001.0, "F25:1", "F30000:1001"),
];

/// The root of the mean squared difference to a picture.
fn distance(samples: &[u8], truth: &[f64]) -> f64 {
    let sum: f64 = samples.iter().zip(truth).map(|(&sample, truth)| (f64::from(sample) - truth).powi(2)).sum();
    (sum / truth.len() as f64).sqrt()
}

#[test]
fn pictures_are_restored_each_once() {
    let folder = Folder::new("deblend_pictures");
    for ((name, ratio, rate, restored), by_area) in BLENDS.into_iter().flat_map(|blend| [(blend, false), (blend, true)]) {
        let clip = blended(40, ratio, by_area, rate).bytes();
        folder.write("in.y4m", &clip);
        let report: Value = serde_json::from_slice(&folder.run("inspect --json in.y4m").succeeds().stdout).unwrap();
        assert_eq!((&report["measured"]["blend"], &report["measured"]["content"]), (&name.into(), &"interlaced".into()));
        assert!(report["segments"].as_array().unwrap().iter().all(|segment| segment["content"] != "film"), "{report}");
        // In a pipe, too, nothing is film.
        let piped: Value = serde_json::from_slice(&folder.pipe("inspect --json -", &clip).succeeds().stdout).unwrap();
        assert!(piped["segments"].as_array().unwrap().iter().all(|segment| segment["content"] != "film"), "{piped}");
        let text = folder.run("inspect in.y4m").succeeds().stdout;
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains(&format!("blended fields ({name}), top field first")) && text.contains("--film deblend"), "{text}");
        folder.run("-q -y --denoise off --film deblend in.y4m out.y4m").succeeds();
        let out = Clip::parse(&folder.read("out.y4m"));
        assert!(out.tags.contains(restored) && out.tags.contains("Ip"), "{}", out.tags);
        assert!((38..=40).contains(&out.frames.len()), "{name}: {}", out.frames.len());
        let mut worst: f64 = 0.0;
        for (number, samples) in out.samples().into_iter().enumerate().take(39) {
            let far = distance(samples, &picture(number));
            assert!(distance(samples, &picture(number + 1)) > 2.0 * far, "{name}, picture {number}: {far}");
            worst = worst.max(far);
        }
        // Of 30 pictures in 50 fields a parity has fewer fields than pictures.
        assert!(worst < if ratio > 0.5 { 5.0 } else { 1.5 }, "{name}: {worst}");
        // The same bytes for any number of threads.
        folder.run("-q -y --threads 1 --denoise off --film deblend in.y4m one.y4m").succeeds();
        assert!(folder.read("one.y4m") == folder.read("out.y4m"));
    }
}

/// In a pipe, too, blended fields of the rate in the header are found, but none of other rates.
#[test]
fn blended_fields_of_a_pipe_are_found() {
    let folder = Folder::new("deblend_pipe");
    let blended_outputs = |clip: &Clip| {
        folder.write("in.y4m", clip.bytes());
        let mut command = folder.plain("-q -y --denoise off --deinterlacer gen6 --stats st - out.y4m");
        let input = std::fs::File::open(folder.path("in.y4m")).unwrap();
        assert!(command.stdin(input).status().unwrap().success());
        let rows = String::from_utf8(folder.read("st")).unwrap();
        let rows = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
        let outputs: Vec<Value> = rows.flat_map(|row| row["outputs"].as_array().unwrap().clone()).collect();
        (outputs.iter().filter(|output| output["reason"] == "fields mix two pictures").count(), outputs.len())
    };
    for (name, ratio, rate, _) in BLENDS {
        let (found, all) = blended_outputs(&blended(40, ratio, true, rate));
        assert!(found == all && all > 60, "{name}: {found} of {all}");
        let (found, _) = blended_outputs(&blended(40, ratio, true, "F24:1"));
        assert_eq!(found, 0, "{name}");
    }
}

#[test]
fn without_blended_fields_deblend_is_auto() {
    let folder = Folder::new("deblend_none");
    let film = crate::fields::Clip::new(crate::fields::pattern(&[2, 3], 0, 40));
    folder.write("in.y4m", Clip::of_fields(&film, "W160 H96 F30000:1001 It Cmono".to_owned()).bytes());
    folder.run("-y --film deblend in.y4m out.y4m").warns("no blended fields were found; --film deblend acts like --film auto");
    folder.run("-q -y --film auto in.y4m auto.y4m").succeeds();
    assert!(folder.read("out.y4m") == folder.read("auto.y4m"));
}

#[test]
fn what_deblend_excludes() {
    let folder = Folder::new("deblend_excludes");
    folder.write("in.y4m", blended(30, BLENDS[0].1, false, "F25:1").bytes());
    for (option, message) in [
        ("--rate field", "film deblend excludes --rate"),
        ("--chunk 10", "film deblend excludes --chunk"),
        ("--timecodes t.txt", "film deblend excludes --timecodes"),
        ("--deinterlace off", "film deblend excludes --deinterlace"),
        ("--field-order progressive", "film deblend excludes --field-order"),
    ] {
        folder.run(&format!("--film deblend {option} in.y4m out.y4m")).fails(2, message);
    }
    folder.run("view --film deblend --frame 3 in.y4m out.png").fails(2, "film deblend has no fields to show");
    // Parts of the input, and stages behind the pictures.
    folder.run("-q -y --film deblend --skip 4 --frames 16 --scale 80x64 in.y4m out.y4m").succeeds();
    let out = Clip::parse(&folder.read("out.y4m"));
    assert!(out.tags.contains("W80 H64") && (14..=16).contains(&out.frames.len()), "{} {}", out.tags, out.frames.len());
}
