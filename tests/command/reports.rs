//! `--stats`, `--md5` and `--framemd5`.

use crate::clip::Clip;
use crate::program::Folder;
use dndi::{Deinterlacer, DenoiseMode, Frame, Scan, Stream};
use md5::{Digest, Md5};

fn sum(samples: &[u8]) -> String {
    Md5::digest(samples).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn clip() -> Clip {
    Clip::new("W22 H18 F30000:1001 Ib A8:6 C420jpeg", 4)
}

#[test]
fn md5_is_that_of_the_frames_written() {
    let folder = Folder::new("md5");
    folder.write("in.y4m", clip().flagged(&["Xa", "Xb"]).bytes());
    for options in ["", "--rate frame", "--deinterlace off", "--skip 2 --warmup 1", "--frames 0"] {
        let result = folder.run(&format!("-y -q --md5 {options} in.y4m out.y4m")).succeeds();
        let expected = format!("MD5={}\n", sum(&Clip::parse(&folder.read("out.y4m")).samples().concat()));
        assert_eq!(String::from_utf8(result.stdout).unwrap(), expected, "{options}");
        // If stdout is in use, the program prints the checksum on stderr.
        let result = folder.run(&format!("--md5 {options} in.y4m -"));
        assert_eq!((result.code, result.stderr), (Some(0), expected.clone()), "{options}");
        assert!(result.stdout == folder.read("out.y4m"));
        for report in ["--stats", "--framemd5"] {
            let result = folder.run(&format!("-y --md5 {options} {report} - in.y4m out.y4m"));
            assert_eq!((result.code, result.stderr), (Some(0), expected.clone()), "{options} {report}");
        }
    }
}

/// The same lines as the muxer of ffmpeg.
#[test]
fn framemd5() {
    let folder = Folder::new("framemd5");
    folder.write("in.y4m", clip().bytes());
    for (options, time_base, each) in
        [("", "1001/60000", 2), ("--rate frame", "1001/30000", 1), ("--deinterlace off", "1001/30000", 1)]
    {
        folder.run(&format!("-y {options} --framemd5 sums in.y4m out.y4m")).succeeds();
        let mut expected = format!(
            "#format: frame checksums\n#version: 2\n#hash: MD5\n#software: dndi {}\n#tb 0: {time_base}\n#media_type 0: video\n\
             #codec_id 0: rawvideo\n#dimensions 0: 22x18\n#sar 0: 8/6\n#stream#, dts,        pts, duration,     size, hash\n",
            env!("CARGO_PKG_VERSION")
        );
        let out = Clip::parse(&folder.read("out.y4m"));
        assert_eq!(out.frames.len(), 4 * each);
        for (number, samples) in out.samples().into_iter().enumerate() {
            let sum = sum(samples);
            expected += &format!("0, {number:>10}, {number:>10},        1,      594, {sum}\n");
        }
        assert_eq!(folder.read_text("sums"), expected, "{options}");
        let result = folder.run(&format!("{options} --framemd5 - in.y4m /dev/null")).succeeds();
        assert_eq!(String::from_utf8(result.stdout).unwrap(), expected, "{options}");
    }
    // A rate of 50/2 without an aspect ratio; no rate and an unknown aspect ratio.
    for (tags, lines) in [("F50:2", ["#tb 0: 1/25", "#sar 0: 0/1"]), ("F0:0 A0:0", ["#tb 0: 1/25", "#sar 0: 0/1"])] {
        folder.write("in.y4m", Clip::new(&format!("W4 H4 Ip {tags}"), 1).bytes());
        folder.run("-y --framemd5 sums in.y4m out.y4m").succeeds();
        let sums = folder.read_text("sums");
        assert!(lines.iter().all(|line| sums.lines().any(|found| found == *line)), "{sums}");
    }
}

/// Rows without the fields that describe the origin of the outputs.
fn without_origin(rows: &str) -> String {
    // Removes the denoising parameters of the chroma, of steps and outputs.
    let mut parts = rows.split(",\"denoise_chroma\":");
    let first = parts.next().unwrap().to_owned();
    let rows = parts.fold(first, |text, part| text + part.split_once('}').unwrap().1);
    let mut parts = rows.split(",\"field\":");
    let first = parts.next().unwrap().to_owned();
    let after = |denoise: &str| denoise.strip_prefix("null").unwrap_or_else(|| denoise.split_once('}').unwrap().1).to_owned();
    let rows = parts.fold(first, |text, part| {
        let rest = after(part.split_once("\"denoise\":").unwrap().1);
        text + &rest[rest.find('}').unwrap()..]
    });
    // Removes the denoising parameters of the step.
    let mut parts = rows.split(",\"denoise\":");
    let first = parts.next().unwrap().to_owned();
    let rows = parts.fold(first, |text, part| text + &after(part));
    // Removes the times of its frames.
    let mut parts = rows.split(",\"time\":");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| text + &part[part.find('}').unwrap()..])
}

/// The luma statistics of an output in a row.
fn luma(number: usize, frame: &Frame) -> String {
    let luma = frame.plane(0);
    let histogram: Vec<String> = (0..=255).map(|v| luma.iter().filter(|&&sample| sample == v).count().to_string()).collect();
    format!(
        "\"frame\":{number},\"ymin\":{},\"ymax\":{},\"skin_pixels\":0,\"skin_factor_sum\":0,\"histogram\":[{}]",
        luma.iter().min().unwrap(),
        luma.iter().max().unwrap(),
        histogram.join(",")
    )
}

/// Names, order and values of the fields.
#[test]
fn statistics() {
    let folder = Folder::new("stats");
    let clip = clip();
    folder.write("in.y4m", clip.bytes());
    // If a step has one output, its fields are also at the top level of the row. The output from
    // the end of the stream does not count, even if it is added to the row.
    for (options, deinterlace, denoise, count) in [
        ("", true, true, 4),
        ("--deinterlace off", false, true, 4),
        ("--denoise off", true, false, 4),
        ("--frames 1", true, true, 1),
        ("--frames 2", true, true, 2),
    ] {
        let builder = Stream::builder(clip.format(), Scan::BottomFirst);
        let builder = builder.deinterlacer(Deinterlacer::Gen6).deinterlace(deinterlace);
        let builder = builder.denoise(if denoise { DenoiseMode::Auto } else { DenoiseMode::Off });
        let mut stream = builder.build().unwrap();
        let mut rows: Vec<(String, usize, Vec<String>)> = vec![];
        let mut frames = 0;
        for (number, samples) in clip.samples().into_iter().enumerate().take(count) {
            stream.push(&Frame::from_vec(clip.format(), samples.to_vec()).planes()).unwrap();
            let s = stream.statistics().unwrap();
            let row = format!(
                "\"step\":{number},\"gne_sum\":{},\"gne_count\":{},\"gne\":{},\"v\":[{}],\"motion_blocks\":{},\"history_sum\":{},\"stmm_sum\":{}",
                s.gne_sum,
                s.gne_count,
                s.gne,
                s.fmd_variances.map(|v| v.to_string()).join(","),
                s.motion_blocks,
                s.history_sum,
                s.stmm_sum
            );
            let mut outputs = vec![];
            while let Some(output) = stream.pull() {
                outputs.push(luma(frames, &output.frame));
                frames += 1;
            }
            rows.push((row, outputs.len(), outputs));
        }
        // The output from the end of the stream is added to the last row.
        stream.flush().unwrap();
        while let Some(output) = stream.pull() {
            rows[count - 1].2.push(luma(frames, &output.frame));
        }
        let whole = |(row, own, outputs): &(String, usize, Vec<String>)| {
            let only = if *own == 1 { format!(",{}", outputs[0]) } else { String::new() };
            let outputs: Vec<String> = outputs.iter().map(|output| format!("{{{output}}}")).collect();
            format!("{{{row}{only},\"outputs\":[{}]}}\n", outputs.join(","))
        };
        let expected: String = rows.iter().map(whole).collect();
        let options = format!("--deinterlacer gen6 {options}");
        let result = folder.run(&format!("-y {options} --stats - in.y4m out.y4m")).succeeds();
        assert_eq!(without_origin(&String::from_utf8(result.stdout).unwrap()), expected, "{options}");
        folder.run(&format!("-y {options} --stats stats in.y4m out.y4m")).succeeds();
        assert_eq!(without_origin(&folder.read_text("stats")), expected, "{options}");
        assert!(expected.lines().all(|row| serde_json::from_str::<serde_json::Value>(row).is_ok()));
    }
}

/// A report that cannot be written to its end holds complete rows, and the error states their
/// number.
#[test]
#[cfg(target_os = "linux")]
fn reports_that_exceed_the_largest_file() {
    let folder = Folder::new("reports_limit");
    folder.write("in.y4m", Clip::new("W22 H18 F25:1 It C420", 60).bytes());
    for (report, blocks) in [("--stats", 40), ("--framemd5", 3), ("--timecodes", 1)] {
        // The limit is in blocks of 512 bytes. The signal would end the program without a message.
        let program = crate::program::words();
        let script = format!("ulimit -f {blocks}; trap '' XFSZ; exec {program} -y -q {report} rows in.y4m - >/dev/null");
        let output = std::process::Command::new("sh").args(["-c", &script]).current_dir(folder.path(".")).output().unwrap();
        let rows = folder.read_text("rows");
        assert!(rows.ends_with('\n') && rows.len() <= 1024 * blocks, "{report}");
        let count = rows.lines().filter(|line| !line.starts_with('#')).count();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(
            count > 0 && message.contains(&format!("cannot write rows after {count} rows: ")),
            "{report}: {count}, {message}"
        );
        assert_eq!(output.status.code(), Some(1), "{report}");
    }
}

/// A clip with one block that is flat enough for an estimate of the noise.
#[test]
fn one_estimate_of_the_noise_counts() {
    let folder = Folder::new("reports_one_block");
    let samples: Vec<u8> = (0..16 * 4).map(|i| 100 + (i % 16 * 7 + i / 16 * 13) % 3).collect();
    folder.write("in.y4m", Clip { tags: "W16 H4 F25:1 Ip Cmono".to_owned(), frames: vec![(String::new(), samples); 2] }.bytes());
    let result = folder.run("inspect --json in.y4m").succeeds();
    let findings: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!(findings["noise"], serde_json::json!({ "least": 6, "median": 6, "most": 6 }));
    let rows = String::from_utf8(folder.run("-y -q --stats - in.y4m out.y4m").succeeds().stdout).unwrap();
    assert!(rows.lines().all(|row| row.contains("\"gne_count\":1,")), "{rows}");
}
