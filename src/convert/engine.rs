//! The engine that processes frames: a stream of the pipeline, or a replacement with the same
//! results.
use crate::error::{Error, OptionConflict};
use crate::frame::Frame;
use crate::parameters::Parameters;
use crate::pipeline::{Input, Maps, Output, Statistics, Stream};

/// A running stream, as [`Converter`](super::Converter) drives it: the methods of [`Stream`] with
/// the same contracts. [`ConverterBuilder::engine`](super::ConverterBuilder::engine) installs
/// another implementation.
pub trait Engine: Send {
    /// Processes a frame. The converter pulls all outputs of the previous frame before.
    ///
    /// # Errors
    /// Those of [`Stream::push`], or [`Error::Engine`] with an error of the implementation.
    fn push(&mut self, input: Input<'_>) -> Result<(), Error>;

    /// Ends the stream: the remaining outputs can be pulled.
    ///
    /// # Errors
    /// Those of [`Stream::flush`], or [`Error::Engine`] with an error of the implementation.
    fn flush(&mut self) -> Result<(), Error>;

    /// The next finished output, in order of time; none if there is no other one.
    fn pull(&mut self) -> Option<Output>;

    /// Gives a frame back for reuse. The default drops it.
    fn recycle(&mut self, frame: Frame) {
        drop(frame);
    }

    /// Changes the parameters from the next frame on. The converter pulls all outputs before.
    ///
    /// # Errors
    /// Those of [`Stream::set_parameters`]. The default is an implementation that cannot change
    /// parameters: [`OptionConflict::EngineParameters`].
    fn set_parameters(&mut self, _parameters: Parameters) -> Result<(), Error> {
        Err(Error::Options(OptionConflict::EngineParameters))
    }

    /// The statistics of the last step; none if
    /// [`StreamBuilder::statistics`](crate::StreamBuilder::statistics) is off.
    fn statistics(&self) -> Option<&Statistics>;

    /// The maps of the last step; none if the implementation has none, as by default.
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

    fn set_parameters(&mut self, parameters: Parameters) -> Result<(), Error> {
        Stream::set_parameters(self, parameters)
    }

    fn statistics(&self) -> Option<&Statistics> {
        Stream::statistics(self)
    }

    fn maps(&self) -> Option<Maps> {
        Stream::maps(self)
    }
}
