//! Prints the content of y4m files, one line for each segment.
//!
//! ```sh
//! cargo run --example detect -- clip.y4m
//! ```
use dndi::y4m::Reader;
use dndi::{Decision, Detector, Frame};
use std::error::Error;
use std::fs::File;

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        println!("{path}");
        let mut reader = Reader::new(File::open(&path)?)?;
        let flags = reader.header().interlacing().scan();
        let mut detector = Detector::builder(reader.header().format()).build()?;
        let (mut frame, mut decisions) = (Frame::default(), vec![]);
        while reader.read(&mut frame)?.is_some() {
            detector.push(frame.planes()[0], flags)?;
            decisions.extend(std::iter::from_fn(|| detector.pull()));
        }
        detector.finish();
        decisions.extend(std::iter::from_fn(|| detector.pull()));
        for segment in decisions.chunk_by(|a, b| content(a) == content(b)) {
            let (first, last) = (&segment[0], &segment[segment.len() - 1]);
            let confidence = segment.iter().map(|decision| decision.confidence).min().unwrap_or(0);
            let (from, to, reason) = (first.frame, last.frame, first.reason);
            println!("  {from}…{to}: {}, {reason}, confidence at least {confidence} %", content(first));
        }
    }
    Ok(())
}

/// Content, pulldown pattern and scan.
fn content(decision: &Decision) -> String {
    let pulldown = decision.pulldown.map_or(String::new(), |pulldown| format!(" {pulldown}"));
    format!("{}{pulldown}, {}", decision.content, decision.scan())
}
