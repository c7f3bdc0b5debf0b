//! Media files: the program with the real ffmpeg and ffprobe. Each test makes its clips with
//! ffmpeg. Where the programs are missing, the tests print a message and pass.

mod cases;
mod errors;
mod join;
#[allow(dead_code, reason = "the tests of the command line use the rest")]
#[path = "../command/program.rs"]
mod program;
mod pulldown;
mod streams;
mod tools;
