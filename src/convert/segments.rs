//! Segments of a clip: runs of frames of one scan, each processed by one stream.
use super::engine::Engine;
use crate::error::Error;
use crate::field_match::FieldMatch;
use crate::format::Scan;
use crate::pipeline::{Input, Output};

/// A stream with its position in the clip.
pub(super) struct SegmentStream {
    pub engine: Box<dyn Engine>,
    /// The frame of the clip that is the first one of the stream.
    pub first: u64,
    /// Whether both fields of the first frame are woven with each other. The first step of a stream
    /// deinterlaces the first field instead (§1.4).
    starts_woven: bool,
    /// The first output, held until the second one replaces its picture.
    held: Option<Output>,
}

impl SegmentStream {
    /// A stream whose first frame is frame `first` of the clip. `final_match` is the match of the
    /// second field of that frame.
    pub fn new(engine: Box<dyn Engine>, first: u64, scan: Scan, final_match: FieldMatch) -> SegmentStream {
        let starts_woven = scan.is_interlaced() && final_match == FieldMatch::Previous;
        SegmentStream { engine, first, starts_woven, held: None }
    }

    /// Takes a frame.
    pub fn push(&mut self, input: Input) -> Result<(), Error> {
        self.engine.push(input)
    }

    /// Ends the stream.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.engine.flush()
    }

    /// Passes all finished outputs, in order of time, to `take`.
    pub fn drain(&mut self, mut take: impl FnMut(&mut SegmentStream, Output) -> Result<(), Error>) -> Result<(), Error> {
        while let Some(output) = self.engine.pull() {
            match (output.field_time, self.held.take()) {
                (0, _) if self.starts_woven => self.held = Some(output),
                (1, Some(mut held)) => {
                    // Both fields of the frame show the same picture.
                    held.frame = output.frame.try_clone()?;
                    held.luma.clone_from(&output.luma);
                    take(self, held)?;
                    take(self, output)?;
                }
                _ => take(self, output)?,
            }
        }
        Ok(())
    }
}
