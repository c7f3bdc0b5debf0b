//! The library compared with the reference model, which is written pixel by pixel from the
//! specification and shares no code with the library.
//!
//! `DNDI_CASES=20000 cargo test --release --test reference random` runs more random cases than the
//! default. `DNDI_SEED=123 DNDI_CASES=1` repeats the case of a failure.
mod balanced_cases;
mod best_cases;
mod cases;
mod content;
mod deep_cases;
mod denoise_motion_cases;
mod golden_cases;
mod library;
mod model;
mod neighbourhood_cases;

use cases::Kind;
use model::{Clip, Options, Scan};
use std::path::Path;

/// The model compared with golden values of another model.
#[test]
fn the_model_matches_the_golden_cases() {
    let cases = golden_cases::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/dndi")));
    for case in &cases {
        let (outputs, statistics) = model::run(&case.clip, &case.options);
        assert_eq!(golden_cases::frames_md5(&outputs, 8), case.md5, "frames of {}", case.name);
        assert_eq!(Some(&statistics), case.statistics.as_ref(), "statistics of {}", case.name);
    }
    assert_eq!(cases.len(), 98);
}

/// The model and the library compared with golden values of the model in Python.
#[test]
fn the_golden_cases_of_balanced_match_the_model() {
    let cases = golden_cases::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/balanced")));
    for case in &cases {
        let (outputs, _) = model::run(&case.clip, &case.options);
        library::compare(&case.name, &case.clip, &case.options);
        assert_eq!(golden_cases::frames_md5(&outputs, case.clip.depth), case.md5, "frames of {}", case.name);
    }
    assert_eq!(cases.len(), 39);
}

/// As above, for the deinterlacer `best`. The model reads pixel by pixel, so that only the program
/// runs the cases with larger pictures.
#[test]
fn the_golden_cases_of_best_match_the_model() {
    let mut compared = 0;
    for case in golden_cases::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/best"))) {
        if case.clip.width * case.clip.height <= 4000 {
            let (outputs, _) = model::run(&case.clip, &case.options);
            library::compare(&case.name, &case.clip, &case.options);
            assert_eq!(golden_cases::frames_md5(&outputs, case.clip.depth), case.md5, "frames of {}", case.name);
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared} cases");
}

/// As above, for denoising along motion.
#[test]
fn the_golden_cases_of_denoising_along_motion_match_the_model() {
    let cases = golden_cases::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/denoise_motion")));
    assert_eq!(cases.len(), 63);
    for golden_cases::Case { name, clip, options, along_motion, md5, .. } in cases {
        let (depth, modes) = (clip.depth, along_motion.expect("modes"));
        let case = cases::Case { name: name.clone(), clip, options };
        let outputs = denoise_motion_cases::compare(&denoise_motion_cases::MotionCase { case, modes });
        assert_eq!(golden_cases::frames_md5(&outputs, depth), md5, "frames of {name}");
    }
}

/// The library on the clips of the golden cases. Unlike checksums, a comparison with the model
/// shows the position of a difference.
#[test]
fn the_library_matches_the_model_on_the_golden_clips() {
    for case in golden_cases::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/dndi"))) {
        library::compare(&case.name, &case.clip, &case.options);
    }
}

#[test]
fn random_clips_are_deinterlaced_like_the_model() {
    random_cases(|seed| cases::random(seed, Kind::Deinterlaced), 1500);
}

#[test]
fn random_clips_are_denoised_like_the_model() {
    random_cases(|seed| cases::random(seed, Kind::NotDeinterlaced), 800);
}

#[test]
fn random_clips_lose_hot_pixels_and_noise_like_the_model() {
    seeds(150).for_each(neighbourhood_cases::compare);
}

#[test]
fn random_clips_of_9_to_16_bits_are_deinterlaced_like_the_model() {
    random_cases(|seed| deep_cases::random(seed, Kind::Deinterlaced), 600);
}

#[test]
fn random_clips_of_9_to_16_bits_are_denoised_like_the_model() {
    random_cases(|seed| deep_cases::random(seed, Kind::NotDeinterlaced), 400);
}

#[test]
fn random_clips_are_completed_by_balanced_like_the_model() {
    random_cases_with(balanced_cases::random, 150, library::compare_with_threads);
}

/// Shots of two fields and more, with cuts inside frames and between them, and no other cut.
#[test]
fn balanced_finds_the_cuts_of_shots() {
    for seed in 1..=60 {
        let (cases::Case { name, clip, options }, cuts) = balanced_cases::shots(seed);
        assert_eq!(model::scene_cuts(&clip, &options), cuts, "{name}");
        library::compare_with_threads(&name, &clip, &options);
    }
}

/// The kernel of the networks, with networks of any size whose sums fit 32 bits.
#[test]
fn random_networks_are_computed_like_the_model() {
    for seed in 1..=200 {
        let random = &mut content::Random::new(seed);
        let (inputs, first, second) = (random.within(1..=56), random.within(1..=16), random.within(1..=8));
        let mut text = format!("{inputs} {first} {second} # random\n");
        let mut numbers = |count: i32, most: i32| {
            (0..count).for_each(|_| text += &format!(" {}", random.within(-most..=most)));
            text += " # a row\n";
        };
        numbers(inputs * first, 9000);
        numbers(first, 1 << 20);
        numbers(first * second, 32767);
        numbers(second, 1 << 24);
        numbers(second, 2000);
        numbers(1, 1 << 20);
        numbers(inputs, 3000);
        for depth in [8, 9, 10, 11, 12, 13, 14, 16] {
            library::compare_network(&text, &mut content::Random::new(seed), depth);
        }
    }
}

#[test]
fn balanced_keeps_special_clips_like_the_model() {
    for cases::Case { name, clip, options } in balanced_cases::special() {
        library::compare_with_threads(&name, &clip, &options);
    }
}

#[test]
fn random_clips_are_completed_by_best_like_the_model() {
    random_cases_with(best_cases::random, 80, library::compare_with_threads);
}

#[test]
fn best_keeps_special_clips_like_the_model() {
    for cases::Case { name, clip, options } in best_cases::special() {
        library::compare_with_threads(&name, &clip, &options);
    }
}

#[test]
fn random_clips_are_denoised_along_motion_like_the_model() {
    for seed in seeds(120) {
        denoise_motion_cases::compare(&denoise_motion_cases::random(seed, Kind::NotDeinterlaced));
    }
}

#[test]
fn random_clips_are_denoised_along_motion_before_deinterlacing_like_the_model() {
    for seed in seeds(50) {
        denoise_motion_cases::compare(&denoise_motion_cases::random(seed, Kind::Deinterlaced));
    }
}

#[test]
fn special_clips_are_denoised_along_motion_like_the_model() {
    denoise_motion_cases::special().iter().for_each(|case| drop(denoise_motion_cases::compare(case)));
}

#[test]
fn random_stripes_have_the_angles_of_the_model() {
    random_cases(cases::stripes, 600);
}

/// Tests each search vector, and requires that compensation changes the outputs.
#[test]
fn motion_by_each_search_vector_is_compensated_like_the_model() {
    let horizontal = [-6, -5, -4, -3, -2, 2, 3, 4, 5, 6].map(|mx| (mx, 0));
    let slanted = [(-1, -2), (0, -2), (1, -2), (-1, 2), (0, 2), (1, 2)];
    for vector in horizontal.into_iter().chain(slanted) {
        for scan in [Scan::TopFirst, Scan::BottomFirst] {
            let cases::Case { name, clip, mut options } = cases::moving(vector, scan);
            library::compare(&name, &clip, &options);
            library::compare(&name, &deep_cases::deepened(&clip, 10), &options);
            let compensated = model::run(&clip, &options);
            options.params.mcdi_enable = 0;
            // With vertical motion of one line per field both fields show the same lines, so that
            // compensation and vertical interpolation are equal.
            assert!(vector.0 == 0 || compensated != model::run(&clip, &options), "{name}: compensation has no effect");
        }
    }
}

/// Cases of consecutive seeds.
fn random_cases(case: impl Fn(u64) -> cases::Case, count: u64) {
    random_cases_with(case, count, library::compare);
}

/// The same with another comparison.
fn random_cases_with(case: impl Fn(u64) -> cases::Case, count: u64, compare: fn(&str, &Clip, &Options)) {
    for seed in seeds(count) {
        let cases::Case { name, clip, options } = case(seed);
        compare(&name, &clip, &options);
    }
}

/// Consecutive seeds: `count` from 1 on, unless the environment has other values.
fn seeds(count: u64) -> std::ops::Range<u64> {
    let setting = |name: &str, default: u64| match std::env::var(name) {
        Ok(value) => value.parse().unwrap_or_else(|_| panic!("{name}={value} is not a number")),
        Err(_) => default,
    };
    let first = setting("DNDI_SEED", 1);
    first..first + setting("DNDI_CASES", count)
}
