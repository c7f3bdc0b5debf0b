//! The default rate: that of a survey of a file, and that of the first frames of a pipe.

use crate::clip::Clip;
use crate::detect::{Runner, pictures};
use crate::fields::{self, pattern};

/// Film, then nothing for a second, then the second part.
fn parts(parts: [Vec<usize>; 2]) -> fields::Clip {
    let [first, second] = parts;
    let still = vec![*first.last().unwrap_or(&0); 60];
    fields::Clip::new([first, still, second].concat())
}

fn rate(runner: &Runner) -> String {
    let out = Clip::parse(&runner.0.read("out.y4m"));
    out.tags.split(' ').find(|tag| tag.starts_with('F')).unwrap_or_default().to_owned()
}

#[test]
fn film_in_a_file_has_its_own_rate() {
    let runner = Runner::new("survey_film");
    for film in [&[2, 3][..], &[2, 3, 3, 2]] {
        runner.write(&fields::Clip::new(pattern(film, 0, 40)), "It");
        runner.result_of("").succeeds();
        assert_eq!(rate(&runner), "F24000:1001", "{film:?}");
        let out = Clip::parse(&runner.0.read("out.y4m"));
        assert!(out.samples() == pictures(0..40), "{film:?}");
        runner.result_of("--rate field").succeeds();
        assert_eq!(rate(&runner), "F60000:1001", "{film:?}");
    }
}

/// The same clip in a pipe has one frame per field, and the warning names the option.
#[test]
fn film_in_a_pipe_is_repeated_with_a_warning() {
    let runner = Runner::new("survey_pipe");
    runner.write(&fields::Clip::new(pattern(&[2, 3], 0, 40)), "It");
    let warning = runner.piped("").stderr;
    assert!(warning.contains("they are film 3:2") && warning.contains("--rate film outputs each once"), "{warning}");
    let out = Clip::parse(&runner.0.read("out.y4m"));
    assert!(out.tags.contains("F60000:1001 "), "{}", out.tags);
    assert!(out.samples() == pictures(pattern(&[2, 3], 0, 40)));
    runner.piped("--rate film").succeeds();
    assert!(Clip::parse(&runner.0.read("out.y4m")).samples() == pictures(0..40));
}

/// The progressive beginning of a file does not halve the motion of its end.
#[test]
fn later_fields_of_a_file_keep_their_motion() {
    let runner = Runner::new("survey_later");
    let clip = parts([pattern(&[2], 0, 40), Vec::from_iter(100..180)]);
    let shown: Vec<_> = clip.fields[..140].to_vec();
    runner.write(&clip, "I?");
    runner.result_of("").succeeds();
    assert_eq!(rate(&runner), "F60000:1001");
    let out = Clip::parse(&runner.0.read("out.y4m"));
    assert_eq!(out.frames.len(), 220);
    // The progressive frames are repeated exactly.
    assert!(out.samples()[..130] == pictures(shown)[..130]);
    // In a pipe the first frames decide. The loss is reported once it is certain.
    let warnings = runner.piped("").stderr;
    assert_eq!(rate(&runner), "F30000:1001");
    let lost = "on are interlaced, but the rate follows from other frames";
    assert_eq!(warnings.matches(lost).count(), 1, "{warnings}");
    assert!(warnings.contains("motion is lost; use --rate field"), "{warnings}");
}

/// Film behind a progressive beginning: in a pipe, whose rate is that of the first frames, pictures
/// are repeated, which is reported once.
#[test]
fn later_film_of_a_pipe_is_reported() {
    let runner = Runner::new("survey_later_film");
    let clip = parts([pattern(&[2], 0, 40), pattern(&[2, 3], 100, 40)]);
    runner.write(&clip, "I?");
    let warnings = runner.piped("").stderr;
    assert_eq!(rate(&runner), "F30000:1001");
    let repeated = "on are film 3:2, but the first frames alone define the rate";
    assert_eq!(warnings.matches(repeated).count(), 1, "{warnings}");
    assert!(warnings.contains("pictures are repeated; --rate film with --timecodes"), "{warnings}");
    assert_eq!(runner.outputs().len(), clip.fields.len() / 2);
    runner.piped("--rate film --timecodes times").succeeds();
    // 69 frames of the beginning and of the still part, and the 40 pictures of the film.
    assert_eq!(runner.outputs().len(), 69 + 40);
    for quiet in [runner.piped("--rate frame").stderr, runner.result_of("").stderr] {
        assert!(!quiet.contains("are repeated"), "{quiet}");
    }
}

/// Film and video together: one frame per field, or each picture once if the output has times.
#[test]
fn film_and_video_lose_nothing() {
    let runner = Runner::new("survey_mixed");
    let clip = parts([pattern(&[2, 3], 0, 32), Vec::from_iter(100..180)]);
    runner.write(&clip, "It");
    runner.result_of("").succeeds();
    assert_eq!((rate(&runner), runner.outputs().len()), ("F60000:1001".to_owned(), 220));
    runner.result_of("--timecodes times").succeeds();
    let times: Vec<f64> = runner.0.read_text("times").lines().skip(1).map(|line| line.parse().unwrap()).collect();
    let out = Clip::parse(&runner.0.read("out.y4m"));
    assert_eq!(times.len(), out.frames.len());
    // The film has 24 pictures a second, the video one per field.
    assert!(out.samples()[..30] == pictures(0..30));
    let field = 1001.0 / 60.0;
    assert!(times[..30].windows(2).all(|pair| (pair[1] - pair[0] - 2.5 * field).abs() < 0.01), "{times:?}");
    assert!(times[times.len() - 60..].windows(2).all(|pair| (pair[1] - pair[0] - field).abs() < 0.01), "{times:?}");
}

/// The decision does not depend on threads, on the instruction set, or on chunks, and `inspect` and
/// `-v` have it in the same words.
#[test]
fn the_survey_is_the_same_everywhere() {
    let runner = Runner::new("survey_same");
    let clip = parts([pattern(&[2, 3], 0, 32), Vec::from_iter(100..180)]);
    runner.write(&clip, "It");
    let words = "film 3:2 and interlaced in a survey of 110 frames: one frame per field";
    let first = runner.run("");
    for options in ["--threads 1", "--threads 3"] {
        assert!(runner.run(options) == first, "{options}");
    }
    let mut command = runner.0.plain("-y --denoise off in.y4m out.y4m");
    assert!(command.env("DNDI_LEVEL", "scalar").output().unwrap().status.success());
    assert!(Clip::parse(&runner.0.read("out.y4m")) == first);
    let chunked = runner.run("--chunk 50");
    assert_eq!((&chunked.tags, chunked.frames.len()), (&first.tags, first.frames.len()));
    let verbose = runner.result_of("-v").stderr;
    assert!(verbose.contains(words), "{verbose}");
    let inspected = runner.0.plain("inspect in.y4m").output().unwrap();
    let text = String::from_utf8(inspected.stdout).unwrap();
    assert!(text.contains(&format!("rate       {words}\n")), "{text}");
    assert!(text.contains("with --timecodes FILE one frame per film frame"), "{text}");
}

/// A clip of which only a part is read is surveyed in that part.
#[test]
fn the_survey_has_the_frames_that_are_read() {
    let runner = Runner::new("survey_part");
    runner.write(&parts([pattern(&[2, 3], 0, 32), Vec::from_iter(100..180)]), "It");
    for (options, wanted) in
        [("--frames 40", "F24000:1001"), ("--skip 70", "F60000:1001"), ("--skip 30 --frames 60", "F60000:1001")]
    {
        runner.result_of(options).succeeds();
        assert_eq!(rate(&runner), wanted, "{options}");
    }
}

/// Animation of which each drawing has two or four frames shows no pattern at its beginning. The
/// survey of the whole clip overrules wrong flags there, also in chunks.
#[test]
fn animation_that_is_flagged_as_interlaced_is_not_deinterlaced() {
    let runner = Runner::new("survey_animation");
    for fields in [4, 8] {
        let clip = runner.write(&fields::Clip::new(pattern(&[fields], 0, 240 / fields)), "It");
        for options in ["-q", "-q --chunk 40"] {
            let out = runner.run(options);
            assert_eq!(rate(&runner), "F30000:1001", "{fields} {options}");
            assert!(out.samples() == clip.samples(), "{fields} {options}");
        }
    }
}
