//! The repair of frames before the look-ahead.
use super::frame_queue::ClipFrame;
use super::options::Options;
use crate::error::Error;
use crate::memory::reserve_one;
use crate::repair::{CompositeStandard, DotCrawlRepair, DropOutRepair};
use std::collections::VecDeque;

/// Repairs frames with the help of the frames after each, which it waits for.
#[derive(Debug)]
pub(super) struct InputRepair {
    drop_outs: Option<DropOutStage>,
    dot_crawl: Option<DotCrawlStage>,
}

impl InputRepair {
    /// The repair that the options need; none if it is off.
    pub fn new(options: &Options) -> Option<InputRepair> {
        let repair = InputRepair {
            drop_outs: options.repairs_drop_outs.then(DropOutStage::default),
            dot_crawl: options.dot_crawl.map(DotCrawlStage::new),
        };
        (repair.drop_outs.is_some() || repair.dot_crawl.is_some()).then_some(repair)
    }

    /// Takes the next frame. Returns the next one that is repaired.
    pub fn push(&mut self, next: ClipFrame) -> Result<Option<ClipFrame>, Error> {
        let next = match &mut self.drop_outs {
            Some(stage) => stage.push(next)?,
            None => Some(next),
        };
        match (next, &mut self.dot_crawl) {
            (Some(next), Some(stage)) => stage.push(next),
            (next, _) => Ok(next),
        }
    }

    /// The number of frames that wait for the next ones.
    pub fn waiting(&self) -> usize {
        let of_drop_outs = self.drop_outs.as_ref().is_some_and(|stage| stage.waiting.is_some());
        usize::from(of_drop_outs) + self.dot_crawl.as_ref().map_or(0, |stage| stage.waiting.len())
    }

    /// The next of the frames that wait at the end of the clip, repaired; none if there is none.
    pub fn take(&mut self) -> Result<Option<ClipFrame>, Error> {
        let last = match &mut self.drop_outs {
            Some(stage) => stage.take()?,
            None => None,
        };
        match &mut self.dot_crawl {
            Some(stage) => {
                if let Some(last) = last {
                    stage.wait(last)?;
                }
                stage.take()
            }
            None => Ok(last),
        }
    }
}

#[derive(Debug, Default)]
struct DropOutStage {
    repair: DropOutRepair,
    waiting: Option<ClipFrame>,
}

impl DropOutStage {
    fn push(&mut self, next: ClipFrame) -> Result<Option<ClipFrame>, Error> {
        let Some(mut clip) = self.waiting.replace(next) else { return Ok(None) };
        self.repair.repair(&mut clip.frame, self.waiting.as_ref().map(|next| &next.frame))?;
        Ok(Some(clip))
    }

    fn take(&mut self) -> Result<Option<ClipFrame>, Error> {
        let Some(mut clip) = self.waiting.take() else { return Ok(None) };
        self.repair.repair(&mut clip.frame, None)?;
        Ok(Some(clip))
    }
}

#[derive(Debug)]
struct DotCrawlStage {
    repair: DotCrawlRepair,
    /// The number of frames to the next one of the opposite phase.
    distance: usize,
    waiting: VecDeque<ClipFrame>,
}

impl DotCrawlStage {
    fn new(standard: CompositeStandard) -> DotCrawlStage {
        DotCrawlStage { repair: DotCrawlRepair::new(standard), distance: standard.distance(), waiting: VecDeque::new() }
    }

    fn wait(&mut self, next: ClipFrame) -> Result<(), Error> {
        reserve_one(&mut self.waiting)?;
        self.waiting.push_back(next);
        Ok(())
    }

    fn push(&mut self, next: ClipFrame) -> Result<Option<ClipFrame>, Error> {
        self.wait(next)?;
        if self.waiting.len() > 2 * self.distance { self.take() } else { Ok(None) }
    }

    fn take(&mut self) -> Result<Option<ClipFrame>, Error> {
        let Some(mut clip) = self.waiting.pop_front() else { return Ok(None) };
        let later = [1, 2].map(|k| self.waiting.get(k * self.distance - 1).map(|clip| &clip.frame));
        self.repair.repair(&mut clip.frame, later)?;
        Ok(Some(clip))
    }
}
