//! The colour pipe against a reference that was written pixel by pixel from the specification.
mod golden_cases;
mod model;

/// The model itself against values that another model made.
#[test]
fn the_model_matches_the_golden_cases() {
    let cases = golden_cases::load();
    for case in &cases {
        let run = |frame| model::run(frame, &case.parameters.color, None);
        let (frames, statistics): (Vec<_>, Vec<_>) = case.frames.iter().map(run).unzip();
        if golden_cases::md5(&frames) != case.md5 { println!("frame of {}", case.name); }
        if statistics != case.statistics { println!("statistics of {}", case.name); }
    }
    assert_eq!(cases.len(), 58);
}
