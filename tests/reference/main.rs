//! The library against the reference model, which is written pixel by pixel from the specification and shares nothing with it.
//!
//! `DNDI_CASES=20000 cargo test --release --test reference random` looks at more random cases than the default;
//! `DNDI_SEED=123 DNDI_CASES=1` repeats the one that a failure names.
mod cases;
mod content;
mod golden_cases;
mod library;
mod model;

use cases::Kind;
use model::Scan;
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
        library::compare(&case.name, &case.clip, &case.options);
    }
}

#[test]
fn random_clips_are_deinterlaced_as_the_model_does() {
    random_cases(|seed| cases::random(seed, Kind::Deinterlaced), 1500);
}

#[test]
fn random_clips_are_denoised_as_the_model_does() {
    random_cases(|seed| cases::random(seed, Kind::Passed), 800);
}

#[test]
fn random_stripes_get_the_angles_of_the_model() {
    random_cases(cases::stripes, 600);
}

/// Each vector of the search, and that compensation was used at all.
#[test]
fn pictures_that_move_by_a_search_vector_are_compensated_as_the_model_does() {
    let level = [-6, -5, -4, -3, -2, 2, 3, 4, 5, 6].map(|mx| (mx, 0));
    let slanted = [(-1, -2), (0, -2), (1, -2), (-1, 2), (0, 2), (1, 2)];
    for vector in level.into_iter().chain(slanted) {
        for scan in [Scan::TopFirst, Scan::BottomFirst] {
            let cases::Case { name, clip, mut options } = cases::moving(vector, scan);
            library::compare(&name, &clip, &options);
            let compensated = model::run(&clip, &options);
            options.params.mcdi_enable = 0;
            // Moving down or up by a line a field, both fields show the same lines, whose average is the vertical one.
            assert!(vector.0 == 0 || compensated != model::run(&clip, &options), "{name}: nothing to see");
        }
    }
}

/// Cases of consecutive seeds.
fn random_cases(case: impl Fn(u64) -> cases::Case, count: u64) {
    let setting = |name: &str, default: u64| match std::env::var(name) {
        Ok(value) => value.parse().unwrap_or_else(|_| panic!("{name}={value} is not a number")),
        Err(_) => default,
    };
    let first = setting("DNDI_SEED", 1);
    for seed in first..first + setting("DNDI_CASES", count) {
        let cases::Case { name, clip, options } = case(seed);
        library::compare(&name, &clip, &options);
    }
}
