//! `--engine`

use crate::clip::Clip;
use crate::program::Folder;

/// Frames, statistics and checksums do not depend on the engine.
#[test]
fn both_engines_give_the_same_output() {
    let folder = Folder::new("engine");
    for (number, tags) in ["W33 H18 It C420jpeg", "W20 H12 Ib C411", "W17 H9 Ip C444", "W24 H16 Im C422"].into_iter().enumerate()
    {
        folder.write("in.y4m", Clip::new(tags, 4).bytes());
        let options = ["", "--matches codes --rate frame", "--scale 40x24 --ief combo", "--threads 2 --contrast 1.3"][number];
        folder.write("codes", "0 0\n1 2\n2 1\n0 1\n1 0\n");
        for engine in ["pipeline", "messages"] {
            // The messages have no chroma denoising, which is on by default in the pipeline.
            let files = format!("--denoise-chroma off --stats {engine}.jsonl --framemd5 {engine}.md5 in.y4m {engine}.y4m");
            folder.run(&format!("-q -y --engine {engine} --deinterlacer gen6 {options} {files}")).succeeds();
        }
        for file in ["jsonl", "md5", "y4m"] {
            let [pipeline, messages] = ["pipeline", "messages"].map(|engine| folder.read(&format!("{engine}.{file}")));
            assert!(pipeline == messages, "{tags} {options}: {file}");
        }
    }
}

#[test]
fn settings_that_messages_do_not_support() {
    let folder = Folder::new("engine_refused");
    folder.write("in.y4m", Clip::new("W40 H24 Ip C420jpeg", 1).bytes());
    let refused = |options: &str| folder.run(&format!("--engine messages {options} in.y4m out.y4m"));
    refused("--crop 4,4,20,10 --ief detail5").fails(2, "--engine messages: messages do not support");
    refused("--scale 2x24").fails(2, "a sixteenth");
    // The program checks the limits of the surface state before it writes a header.
    folder.write("tall.y4m", Clip::new("W16 H8192 Ip C444", 1).bytes());
    let options = "--scale 20x16 --set scaler.adaptive_filter_for_all_channels=1";
    folder.run(&format!("--engine messages {options} tall.y4m out.y4m")).fails(2, "--engine messages");
    folder.run("--engine steam in.y4m out.y4m").fails(2, "steam");
    assert!(!folder.path("out.y4m").exists());
}
