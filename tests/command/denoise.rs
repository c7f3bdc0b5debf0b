//! `--denoise`, `--denoise-chroma`, and their fields in the statistics.

use crate::program::Folder;
use dndi::y4m::{Header, Writer};
use dndi::{DenoiseMode, Frame, Parameters, Scan, Stream, StreamBuilder};
use serde_json::Value;

const HEADER: &str = "YUV4MPEG2 W96 H64 F25:1 Ip C420jpeg";

/// A gradient with noise of a standard deviation of about 7 on all planes.
fn clip() -> Vec<Frame> {
    let format = Header::parse(HEADER.as_bytes()).unwrap().format();
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 58) as usize % 13 + (state >> 50) as usize % 13
    };
    (0..4).map(|_| Frame::from_vec(format, (0..format.samples()).map(|i| (i % 96 + 80 + random()) as u8).collect())).collect()
}

fn bytes(clip: &[Frame]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), &Header::parse(HEADER.as_bytes()).unwrap()).unwrap();
    clip.iter().for_each(|frame| writer.write(&Default::default(), frame).unwrap());
    writer.into_inner()
}

fn library(clip: &[Frame], change: impl Fn(StreamBuilder) -> StreamBuilder) -> Vec<u8> {
    let mut stream = change(Stream::builder(clip[0].format(), Scan::Progressive)).build().unwrap();
    let mut frames = vec![];
    for frame in clip {
        stream.push(&frame.planes()).unwrap();
        frames.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame));
    }
    bytes(&frames)
}

#[test]
fn each_mode_equals_that_of_the_library() {
    let (folder, clip) = (Folder::new("denoise"), clip());
    folder.write("in.y4m", bytes(&clip));
    let run = |options: &str| {
        folder.run(&format!("-y {options} in.y4m out.y4m")).succeeds();
        folder.read("out.y4m")
    };
    let modes =
        [DenoiseMode::Off, DenoiseMode::On, DenoiseMode::Auto, DenoiseMode::Light, DenoiseMode::Medium, DenoiseMode::Strong];
    for (mode, name) in modes.into_iter().zip(["off", "on", "auto", "light", "medium", "strong"]) {
        assert!(run(&format!("--denoise {name}")) == library(&clip, |b| b.denoise(mode)), "{name}");
        assert!(run(&format!("--denoise-chroma {name}")) == library(&clip, |b| b.denoise_chroma(mode)), "chroma {name}");
    }
    let auto = run("");
    assert!(auto == run("--denoise auto --denoise-chroma auto"));
    assert!(auto == library(&clip, |builder| builder), "the same default in the library");
    assert!(run("--denoise on") == run("--denoise on --denoise-chroma off"), "the specification has no chroma filter");
    assert!(run("--denoise light") == run("--denoise light --denoise-chroma auto"));
    assert!(run("--denoise on --denoise off") == run("--denoise off"), "the last option applies");
    let mut parameters = Parameters::default();
    (parameters.denoise.good_neighbor_th, parameters.chroma_denoise.good_neighbor_th) = (20, 30);
    let set = "--set good_neighbor_th=20 --set chroma.good_neighbor_th=30 --denoise-chroma light";
    assert!(run(set) == library(&clip, |b| b.parameters(parameters.clone()).denoise_chroma(DenoiseMode::Light)));
    folder.run("-y --denoise loud in.y4m out.y4m").fails(2, "loud");
}

#[test]
fn statistics_report_the_parameters_and_the_noise() {
    let folder = Folder::new("denoise_statistics");
    folder.write("in.y4m", bytes(&clip()));
    let rows = |options: &str| -> Vec<Value> {
        folder.run(&format!("-y {options} --stats stats in.y4m out.y4m")).succeeds();
        folder.read_text("stats").lines().map(|row| serde_json::from_str(row).unwrap()).collect()
    };
    for (number, row) in rows("--denoise-chroma light").iter().enumerate() {
        let denoise = &row["denoise"];
        let noise = denoise["noise"].as_f64().unwrap();
        assert!((4.0..10.0).contains(&noise), "{row}");
        assert!(denoise["good_neighbor_th"].as_i64().unwrap() > 12, "{row}");
        assert_eq!(denoise["cut"], number == 0, "{row}");
        assert_eq!(denoise["motion"].is_null(), number < 2, "{row}");
        assert_eq!(row["denoise_chroma"]["noise"], 3.0);
        assert_eq!(row["outputs"][0]["denoise"], *denoise);
        assert_eq!(row["outputs"][0]["denoise_chroma"], row["denoise_chroma"]);
    }
    for row in rows("--denoise on --set stad_th=77") {
        assert_eq!((&row["denoise"]["stad_th"], &row["denoise"]["noise"]), (&Value::from(77), &Value::Null));
        assert!(row.get("denoise_chroma").is_none());
    }
    assert!(rows("--denoise off").iter().all(|row| row["denoise"].is_null()));
}
