//! Clips whose first frames do not determine the scan.

use crate::clip::Clip;
use crate::detect::{Runner, pictures};
use crate::fields::{self, moving, pattern};

/// Black before the first picture.
fn after_black(x: usize, y: usize, picture: usize) -> u8 {
    if picture == 0 { 16 } else { moving(x, y, picture) }
}

/// If the first frames are undetermined, `--rate film` selects the output rate: at about 30 frames
/// per second, 24 frames per second.
#[test]
fn film_after_black() {
    let runner = Runner::new("detect_film_late");
    for black in [9, 10, 16] {
        let fields = [vec![0; 2 * black], pattern(&[2, 3], 1, 40)].concat();
        for tag in ["It", "Ip", "Ib", "I?"] {
            let clip = fields::Clip::new(fields.clone()).painted(after_black);
            let clip = runner.write(&if tag == "Ib" { clip.bottom_first() } else { clip }, tag);
            runner.result_of("-q --rate film");
            let out = Clip::parse(&runner.0.read("out.y4m"));
            assert!(out.tags.contains("F24000:1001 "), "{tag} {black}: {}", out.tags);
            let begin = out.frames.len() - 40;
            assert!((5 * begin).abs_diff(4 * black) <= 4, "{tag} {black}: {begin}");
            assert!(out.samples()[begin..] == pictures(1..41), "{tag} {black}");
            assert!(out.samples()[..begin].iter().all(|frame| frame.iter().all(|&sample| sample == 16)), "{tag} {black}");
            let mut command = runner.0.plain("-q --denoise off --rate film - -");
            let piped = command.stdin(std::fs::File::open(runner.0.path("in.y4m")).unwrap()).output().unwrap();
            assert!(piped.stdout == runner.0.read("out.y4m"), "{tag} {black}");
            // With timestamps the rate is variable.
            runner.result_of("-q --rate film --timecodes times");
            let out = Clip::parse(&runner.0.read("out.y4m"));
            assert!(out.samples()[out.frames.len() - 40..] == pictures(1..41), "{tag} {black}");
            for (rate, film) in [("F30:1", "F24:1 "), ("F25:1", "F25:1 "), ("F24:1", "F24:1 "), ("F60:1", "F60:1 ")] {
                runner.0.write("in.y4m", clip.tagged(&clip.tags.replace("F30000:1001", rate)).bytes());
                runner.result_of("-q --rate film --frames 12");
                let out = Clip::parse(&runner.0.read("out.y4m"));
                assert!(out.tags.contains(film), "{tag} {black} {rate}: {}", out.tags);
            }
        }
    }
    // The same for 4:1:1 that is flagged as progressive.
    let fields = [vec![0; 32], pattern(&[2, 3], 1, 40)].concat();
    let mut clip = runner.write(&fields::Clip::new(fields).painted(after_black), "Ip");
    clip.tags = clip.tags.replace("Cmono", "C411");
    clip.frames.iter_mut().for_each(|frame| frame.1.resize(160 * 96 * 3 / 2, 128));
    runner.0.write("in.y4m", clip.bytes());
    runner.result_of("-q --rate film");
    let out = Clip::parse(&runner.0.read("out.y4m"));
    assert!(out.tags.contains("C422") && out.frames.len() == 53, "{}", out.tags);
    let luma = out.samples()[13..].iter().map(|frame| frame[..160 * 96].to_vec()).collect::<Vec<_>>();
    assert!(luma == pictures(1..41));
}

/// If undetermined frames fixed the output rate and interlaced frames follow, the warning
/// recommends `--rate field`.
#[test]
fn rate_fixed_by_undetermined_frames() {
    let runner = Runner::new("detect_unsure");
    let advice =
        "the first frames are undetermined, so the output has one frame per input frame: use --rate field for one per field";
    let video = [vec![0; 40], Vec::from_iter(1..61)].concat();
    let film = [vec![0; 40], pattern(&[2, 3], 1, 24)].concat();
    for (fields, what) in [(&video, "interlaced, top field first"), (&film, "film (3:2), top field first")] {
        runner.write(&fields::Clip::new(fields.clone()).painted(after_black), "Ip");
        let flagged = format!("is flagged as progressive, but is {what}; {advice}, or --field-order header to trust the flags\n");
        runner.piped("").warns(&flagged);
        assert!(Clip::parse(&runner.0.read("out.y4m")).tags.contains("F30000:1001"));
        // Not if `--rate` is given.
        for rate in ["field", "frame", "film"] {
            runner.result_of(&format!("--rate {rate}")).warns("; --field-order header trusts the flags\n");
        }
        runner.write(&fields::Clip::new(fields.clone()).painted(after_black), "I?");
        let stderr = runner.piped("").stderr;
        assert!(
            stderr.contains(
                "frames pass through until interlacing is detected. If you know the clip is interlaced, use --field-order"
            ),
            "{stderr}"
        );
        assert!(stderr.lines().count() == 2 && stderr.ends_with(&format!(" is {what}, but {advice}\n")), "{stderr}");
    }
    // Nor if the first frames determine the scan.
    runner.write(&fields::Clip::new([pattern(&[2], 0, 20), Vec::from_iter(100..140)].concat()), "Ip");
    let stderr = runner.piped("").stderr;
    assert!(stderr.contains("; --field-order header trusts the flags\n") && !stderr.contains("undetermined"), "{stderr}");
}
