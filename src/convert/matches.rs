//! Field matches (§3.8) of frames without matches of the detector.
use crate::field_match::{FieldMatch, FieldMatches, StepMatches};
use crate::format::FrameFlags;

/// The source of the matches of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepMatcher {
    /// Every field is deinterlaced.
    None,
    /// The caller passes the matches with each frame.
    Caller,
    /// Frames flagged as progressive are woven.
    Flags {
        /// Whether the previous frame was flagged as progressive.
        progressive: bool,
    },
}

impl StepMatcher {
    /// The matches of the step that processes a frame with these `flags`; `given` are the matches
    /// of the caller. The calls follow the order of the frames.
    pub fn step(&mut self, flags: FrameFlags, given: FieldMatches) -> FieldMatches {
        let woven = |progressive, by| if progressive { by } else { FieldMatch::Deinterlace };
        match self {
            StepMatcher::None => FieldMatches::default(),
            StepMatcher::Caller => given,
            StepMatcher::Flags { progressive } => {
                let second_of_previous = woven(*progressive, FieldMatch::Previous);
                *progressive = flags.progressive;
                let step = StepMatches { second_of_previous, first_of_current: woven(*progressive, FieldMatch::Next) };
                FieldMatches { final_match: woven(*progressive, FieldMatch::Previous), ..step.into() }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flagged_frames_are_woven_with_themselves() {
        let mut matcher = StepMatcher::Flags { progressive: false };
        let mut step = |progressive| matcher.step(FrameFlags { progressive, field_order: None }, FieldMatches::default());
        let codes = |matches: &FieldMatches| (matches.step.second_of_previous.code(), matches.step.first_of_current.code());
        let steps = [true, true, false].map(&mut step);
        assert_eq!(steps.each_ref().map(codes), [(0, 2), (1, 2), (1, 0)]);
        assert_eq!(steps.map(|matches| matches.final_match.code()), [1, 1, 0]);
    }
}
