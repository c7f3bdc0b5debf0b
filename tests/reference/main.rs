//! The library against the reference model, which is written pixel by pixel from the specification and shares nothing with it.
mod golden_cases;
mod library;
mod model;

use std::path::Path;

/// The model itself against values that another model made.
#[test]
fn the_model_matches_the_golden_cases() {
    let cases = golden_cases::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/dndi")));
    for case in &cases {
        let (outputs, statistics) = model::run(&case.clip, &case.options);
        assert_eq!(golden_cases::frames_md5(&outputs), case.md5, "frames of {}", case.name);
        assert_eq!(statistics, case.statistics, "statistics of {}", case.name);
    }
    assert_eq!(cases.len(), 98);
}

/// The library on the clips of the golden cases, frame by frame, so that a difference shows its place.
#[test]
fn the_library_matches_the_model_on_the_golden_clips() {
    for case in golden_cases::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/dndi"))) {
        library::compare(&case.name, &case.clip, &case.options, None);
    }
}
