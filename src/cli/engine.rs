//! What makes the frames: the pipeline, or the model of the hardware's messages. Both make the same.

use crate::choices;
use dndi::gen6::eu::Driver;
use dndi::{StreamBuilder, StepMatches, FieldMatch, Decision, Error, Frame, Maps, Output, PlaneRef, Statistics, Stream};

/// A stream at work.
#[derive(Debug)]
pub enum Engine {
    /// Bands of lines.
    Pipeline(Box<Stream>),
    /// A thread a block.
    Messages(Box<Driver>),
}

impl Engine {
    /// The one that was asked for.
    pub fn new(engine: choices::Engine, settings: StreamBuilder) -> Result<Engine, Error> {
        Ok(match engine {
            choices::Engine::Pipeline => Engine::Pipeline(Box::new(settings.build()?)),
            choices::Engine::Messages => Engine::Messages(Box::new(Driver::new(settings, None)?)),
        })
    }

    /// Takes a frame.
    pub fn push_with(&mut self, planes: &[PlaneRef; 3], cadence: StepMatches) -> Result<(), Error> {
        match self {
            Engine::Pipeline(stream) => stream.push_with(planes, cadence),
            Engine::Messages(driver) => driver.push_with(planes, cadence),
        }
    }

    /// Takes a frame with what was decided about it.
    pub fn push_decided(&mut self, planes: &[PlaneRef; 3], decision: &Decision) -> Result<(), Error> {
        match self {
            Engine::Pipeline(stream) => stream.push_decided(planes, decision),
            Engine::Messages(driver) => driver.push_decided(planes, decision),
        }
    }

    /// Ends the stream.
    pub fn flush_with(&mut self, prev2: FieldMatch) -> Result<(), Error> {
        match self {
            Engine::Pipeline(stream) => stream.flush_with(prev2),
            Engine::Messages(driver) => driver.flush_with(prev2),
        }
    }

    /// The next frame that is ready.
    pub fn pull(&mut self) -> Option<Output> {
        match self {
            Engine::Pipeline(stream) => stream.pull(),
            Engine::Messages(driver) => driver.pull(),
        }
    }

    /// Gives a frame back.
    pub fn recycle(&mut self, frame: Frame) {
        if let Engine::Pipeline(stream) = self {
            stream.recycle(frame);
        }
    }

    /// Statistics of the last step.
    pub fn statistics(&self) -> Option<&Statistics> {
        match self {
            Engine::Pipeline(stream) => stream.statistics(),
            Engine::Messages(driver) => driver.statistics(),
        }
    }

    /// What the last step found, place by place, as far as this engine tells.
    pub fn maps(&self) -> Option<Maps> {
        match self {
            Engine::Pipeline(stream) => stream.maps(),
            Engine::Messages(_) => None,
        }
    }
}
