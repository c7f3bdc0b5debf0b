//! The protocol of push, pull and flush, which the stream and the message engine share.
use super::output::{Input, Output};
use crate::error::Error;
use crate::field_match::{CombMask, FieldMatch, StepMatches};
use crate::format::Format;
use crate::frame::{BytePlane, UserData, check_planes};
use std::collections::VecDeque;

/// Frames that wait to be pulled, and the position in the stream.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    format: Format,
    waiting: VecDeque<Output>,
    /// Frames taken since the last reset.
    steps: u64,
    ended: bool,
    /// Match of the last field, should the stream end now.
    final_match: FieldMatch,
    /// The caller's data of the previous frame and of the last one.
    user_data: [Option<UserData>; 2],
}

/// A step whose input was checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'a> {
    /// Number of the frame, from 0.
    pub number: u64,
    pub planes: [BytePlane<'a>; 3],
    /// The matches of its outputs. The first step has none (§1.4).
    pub matches: StepMatches,
    /// Comb masks of its outputs that are not empty.
    pub comb_masks: [Option<&'a CombMask>; 2],
}

impl Session {
    pub fn new(format: Format) -> Session {
        Session {
            format,
            waiting: VecDeque::with_capacity(2),
            steps: 0,
            ended: false,
            final_match: FieldMatch::Deinterlace,
            user_data: [None, None],
        }
    }

    /// Checks the state and the planes, and counts the frame. Nothing is changed if there is an error.
    pub fn begin_step<'a>(&mut self, input: Input<'a>) -> Result<Step<'a>, Error> {
        self.check_ready()?;
        let planes = check_planes(input.planes, &self.format)?;
        let number = self.steps;
        self.steps += 1;
        self.user_data.swap(0, 1);
        self.user_data[1] = input.user_data;
        self.final_match = input.matches.map_or(FieldMatch::Deinterlace, |matches| matches.final_match);
        let matches = input.matches.filter(|_| number > 0);
        Ok(Step {
            number,
            planes,
            matches: matches.map_or_else(StepMatches::default, |matches| matches.step),
            comb_masks: matches.map_or([None; 2], |matches| matches.masks()),
        })
    }

    /// Checks the state and ends the stream. Returns whether the last field is woven.
    pub fn begin_flush(&mut self) -> Result<bool, Error> {
        self.check_ready()?;
        self.ended = true;
        Ok(self.final_match == FieldMatch::Previous)
    }

    /// [`Error::OutputWaiting`] until all frames are pulled, [`Error::Ended`] after a flush.
    pub fn check_ready(&self) -> Result<(), Error> {
        if !self.waiting.is_empty() {
            return Err(Error::OutputWaiting);
        }
        if self.ended { Err(Error::Ended) } else { Ok(()) }
    }

    /// Frames taken since the last reset.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The caller's data of the frame that `field_time` lies in, which is the last one or the one before.
    pub fn user_data(&self, field_time: u64) -> Option<UserData> {
        self.user_data[usize::from(field_time / 2 + 1 == self.steps)].clone()
    }

    /// Adds a frame that may be pulled.
    pub fn emit(&mut self, output: Output) {
        self.waiting.push_back(output);
    }

    /// The next frame that may be pulled.
    pub fn front(&self) -> Option<&Output> {
        self.waiting.front()
    }

    pub fn pull(&mut self) -> Option<Output> {
        self.waiting.pop_front()
    }

    /// Begins anew. All frames were pulled before.
    pub fn reset(&mut self) {
        (self.steps, self.ended, self.final_match, self.user_data) = (0, false, FieldMatch::Deinterlace, [None, None]);
    }
}
