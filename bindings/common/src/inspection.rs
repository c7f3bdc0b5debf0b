//! The inspection of a clip: content, field order and pulldown pattern, as `dndi inspect` finds
//! them.
use crate::error::Error;
use crate::settings::Settings;
use dndi::{Content, Decision, Detector, FieldOrder, FrameFlags, Interlacing, PlaneRef, Pulldown};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Frames of one kind: successive ones, or all of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of material.
    pub content: Content,
    /// The pulldown pattern, if one was found. 2:2 whose fields are in phase is the same as
    /// progressive, and has none.
    pub pulldown: Option<Pulldown>,
    /// The field order; without a meaning for progressive frames.
    pub field_order: FieldOrder,
    /// Number of the first frame, from 0.
    pub first: u64,
    /// Number of frames.
    pub frames: u64,
    /// Sum of the confidences of the frames.
    confidences: u64,
}

impl Finding {
    /// The mean confidence of the frames in percent, 0 to 100.
    pub fn confidence(&self) -> u8 {
        self.confidences.checked_div(self.frames).unwrap_or(0).min(100) as u8
    }

    fn kind(&self) -> (Content, Option<Pulldown>, FieldOrder) {
        (self.content, self.pulldown, self.field_order)
    }

    fn add(&mut self, other: &Finding) {
        self.frames += other.frames;
        self.confidences += other.confidences;
    }
}

impl From<&Decision> for Finding {
    fn from(decision: &Decision) -> Finding {
        let &Decision { content, pulldown, field_order, frame, confidence, .. } = decision;
        let pulldown = pulldown.filter(|&pulldown| content == Content::Film || pulldown != Pulldown::P22);
        Finding { content, pulldown, field_order, first: frame, frames: 1, confidences: confidence.into() }
    }
}

/// A running inspection.
#[derive(Debug)]
pub struct Inspector {
    detector: Detector,
    pool: Option<ThreadPool>,
    interlacing: Interlacing,
    segments: Vec<Finding>,
}

impl Inspector {
    /// Starts an inspection. Of the options only `interlacing`, `film` and `threads` have an
    /// effect.
    ///
    /// # Errors
    /// If the format is not supported, or threads cannot be started.
    pub fn new(settings: &Settings) -> Result<Inspector, Error> {
        let pool = settings.threads().map(|threads| ThreadPoolBuilder::new().num_threads(threads).build());
        Ok(Inspector {
            detector: Detector::builder(settings.format()).field_matching(settings.film()).build()?,
            pool: pool.transpose().map_err(|error| Error::option("threads", error))?,
            interlacing: settings.interlacing(),
            segments: Vec::new(),
        })
    }

    /// Takes the luma of the next frame.
    ///
    /// # Errors
    /// If the plane does not fit, the clip was finished, or there is no memory.
    pub fn push(&mut self, luma: PlaneRef, flags: FrameFlags) -> Result<(), Error> {
        let scan = self.interlacing.frame_scan(flags);
        let detector = &mut self.detector;
        match &self.pool {
            Some(pool) => pool.install(|| detector.push(luma, scan))?,
            None => detector.push(luma, scan)?,
        }
        Ok(())
    }

    /// Ends the clip.
    pub fn finish(&mut self) {
        self.detector.finish();
    }

    /// The decision about the next frame; none until enough later frames are known, and after the
    /// last frame.
    pub fn pull(&mut self) -> Option<Finding> {
        let finding = Finding::from(&self.detector.pull()?);
        match self.segments.last_mut().filter(|last| last.kind() == finding.kind()) {
            Some(last) => last.add(&finding),
            None => self.segments.push(finding),
        }
        Some(finding)
    }

    /// The runs of frames of one kind among the decisions that were pulled.
    pub fn segments(&self) -> &[Finding] {
        &self.segments
    }

    /// The most frequent kind among the decisions that were pulled, with the frames and the mean
    /// confidence of all frames of this kind; none without a frame.
    pub fn measured(&self) -> Option<Finding> {
        let mut kinds: Vec<Finding> = Vec::new();
        for segment in &self.segments {
            match kinds.iter_mut().find(|kind| kind.kind() == segment.kind()) {
                Some(kind) => kind.add(segment),
                None => kinds.push(*segment),
            }
        }
        // Of equally frequent kinds the first counts.
        kinds.into_iter().rev().max_by_key(|kind| kind.frames)
    }
}
