//! What the frames of y4m files are, one line for each run of frames that are alike: `cargo run --example detect -- clip.y4m`.
use dndi::y4m::{Interlacing, Reader};
use dndi::{Decision, Detector, FieldMatching, Frame, Scan};
use std::error::Error;
use std::fs::File;

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        println!("{path}");
        let mut reader = Reader::new(File::open(&path)?)?;
        let flags = match reader.header().interlacing() {
            Interlacing::Progressive => Some(Scan::Progressive),
            Interlacing::BottomFirst => Some(Scan::BottomFirst),
            Interlacing::TopFirst => Some(Scan::TopFirst),
            Interlacing::Mixed | Interlacing::Unknown => None,
        };
        let mut detector = Detector::new(reader.header().format(), FieldMatching::Pattern)?;
        let (mut frame, mut decisions) = (Frame::default(), vec![]);
        while reader.read(&mut frame)?.is_some() {
            detector.push(frame.planes()[0], flags)?;
            decisions.extend(std::iter::from_fn(|| detector.pull()));
        }
        detector.finish();
        decisions.extend(std::iter::from_fn(|| detector.pull()));
        for run in decisions.chunk_by(|a, b| what(a) == what(b)) {
            let (first, last) = (&run[0], &run[run.len() - 1]);
            let confidence = run.iter().map(|decision| decision.confidence).min().unwrap_or(0);
            println!("  {}…{}: {}, {}, confidence {confidence}", first.frame, last.frame, what(first), first.reason);
        }
    }
    Ok(())
}

fn what(decision: &Decision) -> String {
    let cadence = decision.pulldown.map_or(String::new(), |pulldown| format!(" {pulldown}"));
    format!("{:?}{cadence}, {:?}", decision.content, decision.scan())
}
