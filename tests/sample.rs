//! The sample clip processed by the command line: stored checksums of every frame. `DNDI_UPDATE=1
//! cargo test --test sample` rewrites them; the difference then shows which frames changed.
use std::path::Path;
use std::process::Command;

const CASES: [(&str, &[&str]); 7] = [
    ("default", &[]),
    ("denoise-on", &["--denoise", "on"]),
    ("deinterlace", &["--denoise", "off", "--mcdi", "off"]),
    ("denoise", &["--deinterlace", "off", "--denoise", "on"]),
    ("field-order-wrong", &["--field-order", "bff"]),
    ("frame-rate-422", &["--rate", "frame", "--chroma", "422"]),
    ("part", &["--skip", "4", "--warmup", "3", "--frames", "5", "--chroma", "420drop"]),
];

#[test]
fn the_sample_has_the_stored_checksums() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, options) in CASES {
        let stored = root.join("tests/golden/sample").join(name).with_extension("framemd5");
        let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("framemd5");
        let run = Command::new(env!("CARGO_BIN_EXE_dndi"))
            .args(options)
            .arg("-y")
            .arg("--framemd5")
            .args([made.as_os_str(), root.join("samples/interlaced.y4m").as_os_str(), "-".as_ref()])
            .output()
            .unwrap();
        assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
        let made = std::fs::read_to_string(made).unwrap();
        let frames: String = made.lines().filter(|line| !line.starts_with("#software")).flat_map(|line| [line, "\n"]).collect();
        if std::env::var_os("DNDI_UPDATE").is_some() {
            std::fs::create_dir_all(stored.parent().unwrap()).unwrap();
            std::fs::write(&stored, &frames).unwrap();
        }
        let want = std::fs::read_to_string(&stored).unwrap_or_default();
        for (number, (want, got)) in want.lines().zip(frames.lines()).enumerate() {
            assert_eq!(got, want, "{name}: line {} of {}", number + 1, stored.display());
        }
        assert_eq!(frames.lines().count(), want.lines().count(), "{name}: number of lines");
    }
}
