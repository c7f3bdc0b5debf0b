//! The repair of frames before the look-ahead.
use super::frame_queue::ClipFrame;
use crate::error::Error;
use crate::repair::DropOutRepair;

/// Repairs frames with the help of the frame after each, which it waits for.
#[derive(Debug, Default)]
pub(super) struct InputRepair {
    drop_outs: DropOutRepair,
    waiting: Option<ClipFrame>,
}

impl InputRepair {
    /// Takes the next frame. Returns the one before, repaired.
    pub fn push(&mut self, next: ClipFrame) -> Result<Option<ClipFrame>, Error> {
        let Some(mut clip) = self.waiting.replace(next) else { return Ok(None) };
        self.drop_outs.repair(&mut clip.frame, self.waiting.as_ref().map(|next| &next.frame))?;
        Ok(Some(clip))
    }

    /// The number of frames that wait for the next one.
    pub fn waiting(&self) -> usize {
        self.waiting.is_some().into()
    }

    /// The last frame, repaired; none if there is none.
    pub fn take_last(&mut self) -> Option<Result<ClipFrame, Error>> {
        let mut clip = self.waiting.take()?;
        Some(self.drop_outs.repair(&mut clip.frame, None).map(|_| clip).map_err(Error::from))
    }
}
