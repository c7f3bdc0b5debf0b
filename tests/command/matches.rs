//! `--matches FILE`: the effect of each line.

use crate::clip::{Clip, Random};
use crate::program::Folder;
use dndi::{FieldMatch, FieldMatches, Frame, Input, Scan, StepMatches, Stream};

const CODES: [FieldMatch; 3] = [FieldMatch::Deinterlace, FieldMatch::Previous, FieldMatch::Next];
const FRAMES: usize = 5;

fn clip() -> Clip {
    Clip::new("W36 H24 F25:1 It C422", FRAMES)
}

/// The outputs of the library with these matches. Missing lines count as `0 0`.
fn library(clip: &Clip, codes: &[[usize; 2]]) -> Vec<Vec<u8>> {
    let mut stream = Stream::builder(clip.format(), Scan::TopFirst).build().unwrap();
    let at = |number: usize| codes.get(number).copied().unwrap_or_default().map(|code| CODES[code]);
    let mut frames = Vec::new();
    for (number, samples) in clip.samples().into_iter().enumerate() {
        let [second_of_previous, first_of_current] = at(number);
        let step = StepMatches { second_of_previous, first_of_current };
        let matches = FieldMatches::from(step).final_match(at(number + 1)[0]);
        stream.push(Input::new(&Frame::from_vec(clip.format(), samples.to_vec()).planes()).matches(&matches)).unwrap();
        frames.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame.data().to_vec()));
    }
    stream.flush().unwrap();
    frames.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame.data().to_vec()));
    frames
}

fn file(codes: &[[usize; 2]]) -> String {
    codes.iter().map(|[prev2, cur1]| format!("{prev2} {cur1}\n")).collect()
}

/// The output frames with these codes in a file.
#[track_caller]
fn run(folder: &Folder, options: &str, codes: &str) -> Clip {
    folder.write("codes", codes);
    folder.run(&format!("-y {options} --matches codes in.y4m out.y4m")).succeeds();
    Clip::parse(&folder.read("out.y4m"))
}

#[test]
fn lines_are_steps() {
    let folder = Folder::new("matches");
    folder.write("in.y4m", clip().bytes());
    let plain = library(&clip(), &[]);
    // One nonzero code at a time, in each line and column.
    for number in 0..FRAMES + 2 {
        for (column, code) in [(0, 1), (0, 2), (1, 1), (1, 2)] {
            let mut codes = vec![[0, 0]; number + 1];
            codes[number][column] = code;
            let out = run(&folder, "", &file(&codes));
            let expected = library(&clip(), &codes);
            assert!(out.samples() == expected, "{code} in column {column} of line {number}");
            // Line 0 has an effect only if cur1 is 2, line FRAMES only if prev2 is 1, later lines
            // have none.
            let inert =
                (number == 0 && (column, code) != (1, 2)) || number > FRAMES || (number == FRAMES && (column, code) != (0, 1));
            assert_eq!(expected == plain, inert, "{code} in column {column} of line {number}");
        }
    }
    let mut random = Random::new(2);
    for _ in 0..10 {
        let lines = random.below(FRAMES + 4);
        let codes: Vec<_> = (0..lines).map(|_| [random.below(3), random.below(3)]).collect();
        assert!(run(&folder, "--film off", &file(&codes)).samples() == library(&clip(), &codes), "{codes:?}");
    }
}

#[test]
fn fewer_frames_than_lines() {
    let folder = Folder::new("matches_end");
    folder.write("in.y4m", clip().bytes());
    let codes = [[0, 0], [1, 2], [1, 1], [1, 2], [2, 0], [1, 0]];
    for frames in 1..=FRAMES {
        let out = run(&folder, &format!("--frames {frames}"), &file(&codes));
        assert!(out.samples() == library(&clip().part(0..frames), &codes), "{frames} frames");
    }
}

/// Lines count from the first frame of the input.
#[test]
fn lines_of_skipped_frames() {
    let folder = Folder::new("matches_skip");
    folder.write("in.y4m", clip().bytes());
    let codes = [[2, 1], [1, 2], [2, 1], [1, 1], [2, 2], [1, 0]];
    for skip in 0..FRAMES {
        let out = run(&folder, &format!("--skip {skip}"), &file(&codes));
        assert!(out.samples() == library(&clip().part(skip..FRAMES), &codes[skip..]), "from {skip}");
        let warm = run(&folder, &format!("--skip {skip} --warmup {skip}"), &file(&codes));
        assert!(warm.samples() == library(&clip(), &codes)[2 * skip..], "from {skip}, warm");
    }
}

#[test]
fn white_space_is_ignored() {
    let folder = Folder::new("matches_white_space");
    folder.write("in.y4m", clip().bytes());
    let expected = library(&clip(), &[[0, 0], [1, 2], [2, 1]]);
    for codes in ["0 0\n1 2\n2 1", "0 0\r\n1 2\r\n2 1\r\n", " 0\t0 \n1   2\n\t2 1\n0 0\n", "0 0\n1 2\n2 1\n\n\n"] {
        assert!(run(&folder, "", codes).samples() == expected, "{codes:?}");
    }
    assert!(run(&folder, "", "").samples() == library(&clip(), &[]));
}

#[test]
fn invalid_codes() {
    let folder = Folder::new("matches_invalid");
    folder.write("in.y4m", clip().bytes());
    let cases: [(&[u8], &str); 13] = [
        (b"0 3\n", "line 0"),
        (b"0 0\n-1 0\n", "line 1"),
        (b"0 0\n0 0\n0\n", "line 2"),
        (b"0 0\n\n0 0\n", "line 1"),
        (b"0 0 0\n", "line 0"),
        (b"00\n", "line 0"),
        (b"0,0\n", "0,0"),
        (b"0 01\n", "line 0"),
        (b"0 0\n0 1.0\n", "1.0"),
        (b"0 0\n0 0\n0 0\n0 0\n0 0\n0 0\n0 0\n0 0\n9 9\n", "line 8"),
        (b"a b", "a b"),
        (b"\xff\xfe0\0", "\\xff\\xfe0\\x00"),
        (b"\x1b[31m 0\n", "\\x1b"),
    ];
    for (codes, text) in cases {
        folder.write("codes", codes);
        folder.run("--matches codes in.y4m out.y4m").fails(2, text);
        assert_eq!(folder.files(), ["codes", "in.y4m"]);
    }
    folder.write("codes", "0 0\n".repeat(1 << 22) + "0 0\n");
    folder.run("--matches codes in.y4m out.y4m").fails(2, "more than 16777216 bytes");
    #[cfg(unix)]
    folder.run("--matches /dev/zero in.y4m out.y4m").fails(2, "/dev/zero");
}

/// The option's earlier name.
#[test]
fn cadence_is_an_alias() {
    let folder = Folder::new("cadence_alias");
    folder.write("in.y4m", Clip::new("W16 H8 F25:1 It C422", 3).bytes());
    folder.write("matches", "0 0\n0 0\n0 0\n");
    folder.run("--matches matches in.y4m new.y4m").succeeds();
    folder.run("--cadence matches in.y4m old.y4m").succeeds();
    assert!(folder.read("new.y4m") == folder.read("old.y4m"));
}
