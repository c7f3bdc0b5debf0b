//! Drawings and reports: stored checksums and texts. They show only that a drawing or a report
//! changed; the other tests of `inspect` and `view` show whether it is right. `DNDI_UPDATE=1 cargo
//! test --test command stored` rewrites them.

use crate::clip::Clip;
use crate::fields::{self, pattern};
use crate::program::Folder;
use md5::{Digest, Md5};
use std::fmt::Write;
use std::path::Path;

/// Arguments of `dndi view` for the sample clip, and of one with a telecine of three parts.
const VIEWS: [&str; 16] = [
    "--frame 5 --overlay motion sample.y4m",
    "--frame 5 --field 2 --overlay motion --show before --set stmm_min=8 --set stmm_max=40 sample.y4m",
    "--frame 6 --overlay angle --show both sample.y4m",
    "--frame 6 --field 2 --overlay history sample.y4m",
    "--frame 5 --overlay history --denoise on sample.y4m",
    "--frame 6 --overlay vectors sample.y4m",
    "--frame 6 --overlay vectors --crop 22,30,150,91 --scale 333x240 sample.y4m",
    "--frame 6 --overlay vectors --show before sample.y4m",
    "--frame 6 --overlay tears --field-order bff sample.y4m",
    "--frame 6 --overlay tears --film reconstruct --show both sample.y4m",
    "--frame 3 --overlay skin sample.y4m",
    "--frame 3 --overlay skin --engine messages sample.y4m",
    "--frame 7 --histogram --show both sample.y4m",
    "--frame 7 --histogram --scale 97x61 sample.y4m",
    "--frame 4 --warmup 2 --show both --crop 10,10,64,50 --colorspace bt601:bt709-full sample.y4m",
    "--frame 20 --overlay tears --show both parts.y4m",
];

/// Arguments of `dndi inspect`.
const PLOTS: [&str; 6] = [
    "--plot out.svg sample.y4m",
    "--plot out.png sample.y4m",
    "--plot out.svg parts.y4m",
    "--plot out.png parts.y4m",
    "--plot out.png unrated.y4m",
    "--plot out.svg long.y4m",
];

/// Arguments of runs whose standard output is stored, and the name of the text.
const TEXTS: [(&str, &str); 11] = [
    ("sample.txt", "inspect sample.y4m"),
    ("sample.json", "inspect --json sample.y4m"),
    ("parts.txt", "inspect parts.y4m"),
    ("parts.json", "inspect --json parts.y4m"),
    ("unrated.txt", "inspect unrated.y4m"),
    ("sample-steps.jsonl", "--field-order auto --film auto --stats - sample.y4m out.y4m"),
    ("parts-steps.jsonl", "--field-order auto --film auto --skip 26 --frames 8 --stats - parts.y4m out.y4m"),
    ("parts-rate.txt", "--field-order auto --film auto --rate film --timecodes - parts.y4m out.y4m"),
    ("config.toml", "--dump-config"),
    ("deinterlace-state.txt", "state explain SAMPLER_STATE_DEINTERLACE"),
    ("color-state.txt", "state explain COLOR_PROCESSING_STATE"),
];

/// A folder with the sample clip, one of video, film and progressive frames, one without a frame
/// rate, and a long one.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/interlaced.y4m"), folder.path("sample.y4m")).unwrap();
    let fields = (0..60).chain(pattern(&[3, 2], 60, 24)).chain(pattern(&[2], 84, 30)).collect();
    let tags = "W160 H96 F30000:1001 It A10:11 Cmono".to_owned();
    folder.write("parts.y4m", Clip::of_fields(&fields::Clip::new(fields), tags).bytes());
    let fields = fields::Clip::new((0..40).collect()).bottom_first();
    folder.write("unrated.y4m", Clip::of_fields(&fields, "W160 H96 It Cmono".to_owned()).bytes());
    // A point of the curves for each three frames.
    folder.write("long.y4m", Clip::new("W16 H8 F25:1 It C444", 4002).bytes());
    folder
}

/// Compares a text with the stored one.
#[track_caller]
fn compare(name: &str, made: &str) {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/reports").join(name);
    if std::env::var_os("DNDI_UPDATE").is_some() {
        std::fs::create_dir_all(stored.parent().unwrap()).unwrap();
        std::fs::write(&stored, made).unwrap();
    }
    let want = std::fs::read_to_string(&stored).unwrap_or_default();
    for (number, (want, made)) in want.lines().zip(made.lines()).enumerate() {
        assert_eq!(made, want, "line {} of {}", number + 1, stored.display());
    }
    assert_eq!(made.lines().count(), want.lines().count(), "number of lines of {}", stored.display());
}

/// The checksum of a text, or of the pixels of a PNG.
fn checksum(bytes: &[u8]) -> String {
    let pixels = image::load_from_memory_with_format(bytes, image::ImageFormat::Png).map(|image| image.into_rgb8().into_raw());
    Md5::digest(pixels.as_deref().unwrap_or(bytes)).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

#[test]
fn views_have_the_stored_checksums() {
    let folder = folder("stored_views");
    let sum = |arguments: &&str| {
        let picture = folder.run(&format!("view -q {arguments} -")).succeeds().stdout;
        format!("{}  {arguments}\n", checksum(&picture))
    };
    compare("views.txt", &VIEWS.iter().map(sum).collect::<String>());
}

#[test]
fn plots_have_the_stored_checksums() {
    let folder = folder("stored_plots");
    let sum = |arguments: &&str| {
        folder.run(&format!("inspect -y -q {arguments}")).succeeds();
        let file = arguments.split(' ').nth(1).unwrap();
        format!("{}  {arguments}\n", checksum(&folder.read(file)))
    };
    compare("plots.txt", &PLOTS.iter().map(sum).collect::<String>());
}

#[test]
fn reports_have_the_stored_texts() {
    let folder = folder("stored_texts");
    for structure in ["SAMPLER_STATE_DEINTERLACE", "COLOR_PROCESSING_STATE"] {
        folder.write(structure, folder.run(&format!("state encode --structure {structure}")).succeeds().stdout);
    }
    for (name, arguments) in TEXTS {
        let quiet = if arguments.starts_with("state") || arguments == "--dump-config" { "" } else { "-q -y" };
        let output = folder.plain(&format!("{arguments} {quiet}")).output().unwrap();
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
        compare(name, &String::from_utf8(output.stdout).unwrap());
    }
}
