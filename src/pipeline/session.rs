//! The protocol of push, pull and flush, which the stream and the message engine share.
use super::output::{Input, Output};
use crate::error::Error;
use crate::field_match::{CombMask, FieldMatch, StepMatches};
use crate::format::Format;
use crate::frame::{PlaneRef, UserData, check_planes};
use std::collections::VecDeque;

/// Outputs that wait to be pulled, and the position in the stream.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    format: Format,
    waiting: VecDeque<Output>,
    /// Frames pushed since the last reset.
    steps: u64,
    ended: bool,
    /// Field match of the last field, if the stream ends now.
    final_match: FieldMatch,
    /// Whether the field match of the first field counts.
    matches_first: bool,
    /// The caller's data of the last frame, and of those before it whose outputs may come later.
    user_data: [Option<UserData>; 3],
}

/// A step with checked input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'a> {
    /// Number of the frame, from 0.
    pub number: u64,
    /// One plane for mono, else three; the others are empty.
    pub planes: [PlaneRef<'a>; 3],
    /// The field matches of its outputs; usually none on the first step (§1.4).
    pub matches: StepMatches,
    /// The comb masks of its outputs, unless empty.
    pub comb_masks: [Option<&'a CombMask>; 2],
    /// Those of its outputs that are needed.
    pub wanted: [bool; 2],
}

impl Session {
    /// A session before its first frame. With `matches_first` the first step has the field match of
    /// its first field.
    pub fn new(format: Format, matches_first: bool) -> Session {
        Session {
            format,
            waiting: VecDeque::with_capacity(2),
            steps: 0,
            ended: false,
            final_match: FieldMatch::Deinterlace,
            matches_first,
            user_data: [None, None, None],
        }
    }

    /// Checks the state and the planes, and counts the frame. After an error the session is
    /// unchanged.
    pub fn begin_step<'a>(&mut self, input: Input<'a>) -> Result<Step<'a>, Error> {
        self.check_ready()?;
        let planes = check_planes(input.planes, &self.format)?;
        let number = self.steps;
        self.steps += 1;
        self.user_data.rotate_right(1);
        self.user_data[0] = input.user_data;
        self.final_match = input.matches.map_or(FieldMatch::Deinterlace, |matches| matches.final_match);
        let matches = input.matches.filter(|_| number > 0 || self.matches_first);
        Ok(Step {
            number,
            planes,
            matches: matches.map_or_else(StepMatches::default, |matches| matches.step),
            comb_masks: matches.map_or([None; 2], |matches| matches.masks()),
            wanted: input.wanted,
        })
    }

    /// Checks the state and ends the stream. Returns whether the last field is woven.
    pub fn begin_flush(&mut self) -> Result<bool, Error> {
        self.check_ready()?;
        self.ended = true;
        Ok(self.final_match == FieldMatch::Previous)
    }

    /// Checks that a frame may be pushed: [`Error::OutputWaiting`] until all outputs are pulled,
    /// [`Error::Ended`] after a flush.
    pub fn check_ready(&self) -> Result<(), Error> {
        if !self.waiting.is_empty() {
            return Err(Error::OutputWaiting);
        }
        if self.ended { Err(Error::Ended) } else { Ok(()) }
    }

    /// Frames pushed since the last reset.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The caller's data of the frame at `field_time`, which is one of the last three.
    pub fn user_data(&self, field_time: u64) -> Option<UserData> {
        let age = (self.steps - 1).saturating_sub(field_time / 2);
        self.user_data.get(age as usize)?.clone()
    }

    /// Adds an output to be pulled.
    pub fn emit(&mut self, output: Output) {
        self.waiting.push_back(output);
    }

    /// The next output to be pulled.
    pub fn front(&self) -> Option<&Output> {
        self.waiting.front()
    }

    /// Removes and returns the next output.
    pub fn pull(&mut self) -> Option<Output> {
        self.waiting.pop_front()
    }

    /// Returns to the state before the first frame. All outputs must have been pulled.
    pub fn reset(&mut self) {
        (self.steps, self.ended, self.final_match, self.user_data) = (0, false, FieldMatch::Deinterlace, [None, None, None]);
    }
}
