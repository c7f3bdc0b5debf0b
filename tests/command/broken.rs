//! Broken input: exit code 3, one line on stderr, and all complete frames before the error are
//! written.

use crate::clip::{Clip, Random};
use crate::program::{Folder, words};
use md5::{Digest, Md5};

fn clip() -> Clip {
    Clip::new("W16 H8 F25:1 It C422", 4)
}

#[test]
fn invalid_headers() {
    let folder = Folder::new("invalid_headers");
    let long = format!("YUV4MPEG2 W4 H4 X{}\n", "x".repeat(1 << 17));
    let cases: [(&str, &str); 14] = [
        ("", "empty"),
        ("RIFF....AVI ", "not a y4m stream"),
        ("YUV4MPEG", "ends inside"),
        ("YUV4MPEG2 W4 H4", "ends inside"),
        ("YUV4MPEG3 W4 H4\n", "not a y4m stream"),
        ("YUV4MPEG2\n", "no W"),
        ("YUV4MPEG2 W4\n", "no H"),
        ("YUV4MPEG2 W0 H4\n", "W0"),
        ("YUV4MPEG2 W4 H8193\n", "H8193"),
        ("YUV4MPEG2 W99999999999999999999 H4\n", "W99999999999999999999"),
        ("YUV4MPEG2 W4 H4 F25:0\n", "F25:0"),
        ("YUV4MPEG2 W4 H4 Ix\n", "Ix"),
        ("YUV4MPEG2 W4 H4 C421\n", "C421"),
        (&long, "longer"),
    ];
    for (bytes, text) in cases {
        folder.write("in.y4m", bytes);
        folder.run("in.y4m out.y4m").fails(3, text);
        let piped = folder.pipe("- out.y4m", bytes.as_bytes()).fails(3, text);
        assert!(piped.stderr.starts_with("dndi: stdin: "), "{}", piped.stderr);
        assert_eq!(folder.files(), ["in.y4m"], "{text}");
    }
    folder.write("in.y4m", "YUV4MPEG2 W4 H4 It F4294967295:1\n");
    folder.run("in.y4m out.y4m").fails(2, "4294967295:1 cannot be doubled; use --rate frame");
    folder.run("in.y4m out.y4m --rate frame").warns("no frames");
    for bytes in ["YUV4MPEG2 W4 H4 C420p11\n", "YUV4MPEG2 W4 H4 C411p10\n", "YUV4MPEG2 W4 H4 C444alpha\n"] {
        folder.write("in.y4m", bytes);
        folder.run("in.y4m other.y4m").fails(1, "not supported yet");
    }
    assert_eq!(folder.files(), ["in.y4m", "out.y4m"]);
}

/// The input is truncated at several offsets, or garbage follows a frame.
#[test]
fn complete_frames_are_kept() {
    let folder = Folder::new("kept");
    let bytes = clip().bytes();
    let frame = (bytes.len() - clip().part(0..0).bytes().len()) / 4;
    let check = |arguments: &str, bytes: &[u8], whole: usize, code: i32, text: &str| {
        folder.write("whole.y4m", clip().part(0..whole).bytes());
        folder.run(&format!("-y -q {arguments} --stats whole.stats whole.y4m whole")).succeeds();
        folder.write("in.y4m", bytes);
        let result = folder.run(&format!("-y {arguments} --md5 --stats stats --framemd5 sums in.y4m out")).fails(code, text);
        assert!(folder.read("out") == folder.read("whole"), "{arguments}: {whole} frames");
        assert!(folder.read("stats") == folder.read("whole.stats"), "{arguments}: {whole} frames");
        let out = Clip::parse(&folder.read("out"));
        assert_eq!(folder.read_text("sums").lines().count(), 10 + out.frames.len());
        let sum: String = Md5::digest(out.samples().concat()).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(String::from_utf8(result.stdout).unwrap(), format!("MD5={sum}\n"));
    };
    for arguments in ["", "--rate frame", "--deinterlace off", "--skip 1"] {
        for whole in 0..4 {
            for cut in [1, 3, 6, 7, frame / 2, frame - 1] {
                let text = format!("inside frame {whole}");
                check(arguments, &bytes[..bytes.len() - (4 - whole) * frame + cut], whole, 3, &text);
            }
        }
        for whole in 0..=4 {
            let at = bytes.len() - (4 - whole) * frame;
            for garbage in ["x", "FRAM\n", "FRAMES\n", "\n", "\0\0\0\0\0\0\0\0", "YUV4MPEG2 W16 H8\n"] {
                let broken = [&bytes[..at], garbage.as_bytes(), &bytes[at..]].concat();
                check(arguments, &broken, whole, 3, &format!("frame {whole} should begin with FRAME"));
            }
            let broken = [&bytes[..at], b"FRAME ", &vec![b'x'; 1 << 17], b"\n", &bytes[at..]].concat();
            check(arguments, &broken, whole, 3, &format!("frame {whole} is longer"));
        }
    }
}

/// Errors after the requested frames have no effect. Errors before them end the run.
#[test]
fn only_requested_frames_are_read() {
    let folder = Folder::new("requested");
    folder.write("in.y4m", [clip().part(0..2).bytes(), b"garbage".to_vec()].concat());
    folder.run("in.y4m out.y4m --frames 2").succeeds();
    assert_eq!(Clip::parse(&folder.read("out.y4m")).frames.len(), 4);
    folder.run("-y in.y4m out.y4m --frames 0").succeeds();
    folder.run("-y in.y4m out.y4m --skip 1 --frames 1").succeeds();
    folder.run("-y in.y4m out.y4m --skip 3").fails(3, "frame 2");
    assert_eq!(Clip::parse(&folder.read("out.y4m")).frames.len(), 0);
}

/// The program allocates a frame as its samples arrive, not from the size in the header.
#[test]
#[cfg(target_os = "linux")]
fn huge_sizes_in_the_header_allocate_nothing() {
    let folder = Folder::new("huge_size");
    let header = "YUV4MPEG2 W8192 H8192 F25:1 It C444\n";
    let run = |bytes: &str| {
        folder.write("in.y4m", bytes);
        let mut shell = std::process::Command::new("sh");
        let script = format!("ulimit -v 150000; MALLOC_ARENA_MAX=1 exec {} -y --threads 1 in.y4m out.y4m", words());
        shell.args(["-c", &script]).current_dir(folder.path("."));
        crate::program::RunResult::new(bytes, shell.output().unwrap())
    };
    run(header).warns("no frames");
    run(&format!("{header}FRAME\n")).fails(3, "0 of 201326592 bytes");
    run(&format!("{header}FRAME\nabc")).fails(3, "3 of 201326592 bytes");
    run(&"W8192 H8192".repeat(20000)).fails(3, "not a y4m stream");
}

/// A flipped bit anywhere: no panic, at most one line on stderr.
#[test]
fn flipped_bits() {
    let folder = Folder::new("flipped_bits");
    let bytes = clip().bytes();
    let mut random = Random::new(1);
    for _ in 0..60 {
        let mut broken = bytes.clone();
        let at = random.below(bytes.len());
        broken[at] ^= 1 << random.below(8);
        folder.write("in.y4m", &broken);
        let result = folder.run("-y -q --denoise off --deinterlace off in.y4m out.y4m");
        assert!(matches!(result.code, Some(0..=3)), "byte {at}: {result:?}");
        if result.code == Some(0) {
            assert_eq!(result.stderr, "");
        } else {
            assert_eq!(result.stderr.lines().count(), 1, "byte {at}: {result:?}");
        }
    }
}
