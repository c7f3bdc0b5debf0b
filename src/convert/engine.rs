//! The engine that makes frames: a stream of the pipeline, or a replacement with the same results.
use crate::error::Error;
use crate::frame::Frame;
use crate::pipeline::{Input, Maps, Output, Statistics, Stream};

/// A running stream, as [`Converter`](super::Converter) drives it. See [`Stream`] for the contract of each method.
pub trait Engine: Send {
    /// Takes a frame; all outputs of the previous one were pulled.
    ///
    /// # Errors
    /// Those of [`Stream::push`], or [`Error::Engine`].
    fn push(&mut self, input: Input<'_>) -> Result<(), Error>;

    /// Ends the stream.
    ///
    /// # Errors
    /// Those of [`Stream::flush`], or [`Error::Engine`].
    fn flush(&mut self) -> Result<(), Error>;

    /// The next output that is ready.
    fn pull(&mut self) -> Option<Output>;

    /// Returns a frame for later use.
    fn recycle(&mut self, frame: Frame) {
        drop(frame);
    }

    /// Statistics of the last step, if they are made.
    fn statistics(&self) -> Option<&Statistics>;

    /// Maps of the last step, if the engine can make them.
    fn maps(&self) -> Option<Maps> {
        None
    }
}

impl Engine for Stream {
    fn push(&mut self, input: Input<'_>) -> Result<(), Error> {
        Stream::push(self, input)
    }

    fn flush(&mut self) -> Result<(), Error> {
        Stream::flush(self)
    }

    fn pull(&mut self) -> Option<Output> {
        Stream::pull(self)
    }

    fn recycle(&mut self, frame: Frame) {
        Stream::recycle(self, frame);
    }

    fn statistics(&self) -> Option<&Statistics> {
        Stream::statistics(self)
    }

    fn maps(&self) -> Option<Maps> {
        Stream::maps(self)
    }
}
