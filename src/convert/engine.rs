//! The engine that processes frames: a stream of the pipeline, or a replacement with the same
//! results.
use crate::error::{Error, OptionConflict};
use crate::frame::Frame;
use crate::memory::{OutOfMemory, with_capacity};
use crate::parameters::Parameters;
use crate::pipeline::{Input, Maps, Output, Statistics, Stream};

/// Keeps implementations inside the crate: an engine reads the settings of the builder, which are
/// private.
pub(crate) mod sealed {
    pub trait Sealed {}
}

/// A running stream, as [`Converter`](super::Converter) drives it: the methods of [`Stream`] with
/// the same contracts. [`ConverterBuilder::engine`](super::ConverterBuilder::engine) chooses one of
/// its implementations, which are all in this crate: [`Stream`], and the driver of the message path
/// with feature `gen6`.
pub trait Engine: sealed::Sealed + Send {
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
    ///
    /// # Errors
    /// Those of [`Stream::maps`], or [`Error::Engine`] with an error of the implementation.
    fn maps(&self) -> Result<Option<Maps>, Error> {
        Ok(None)
    }
}

/// A stream in memory of its own. It is allocated as a slice of one, since that can fail; a
/// `Box<Stream>` without memory ends the process.
pub(super) struct BoxedStream(Box<[Stream; 1]>);

impl BoxedStream {
    pub fn new(stream: Stream) -> Result<BoxedStream, OutOfMemory> {
        let mut streams = with_capacity(1)?;
        streams.push(stream);
        let streams: Result<Box<[Stream; 1]>, _> = streams.into_boxed_slice().try_into();
        streams.map(BoxedStream).map_err(|_| OutOfMemory::of::<Stream>(1))
    }
}

impl sealed::Sealed for BoxedStream {}

impl Engine for BoxedStream {
    fn push(&mut self, input: Input<'_>) -> Result<(), Error> {
        let [stream] = &mut *self.0;
        stream.push(input)
    }

    fn flush(&mut self) -> Result<(), Error> {
        let [stream] = &mut *self.0;
        stream.flush()
    }

    fn pull(&mut self) -> Option<Output> {
        let [stream] = &mut *self.0;
        stream.pull()
    }

    fn recycle(&mut self, frame: Frame) {
        let [stream] = &mut *self.0;
        stream.recycle(frame);
    }

    fn set_parameters(&mut self, parameters: Parameters) -> Result<(), Error> {
        let [stream] = &mut *self.0;
        stream.set_parameters(parameters)
    }

    fn statistics(&self) -> Option<&Statistics> {
        let [stream] = &*self.0;
        stream.statistics()
    }

    fn maps(&self) -> Result<Option<Maps>, Error> {
        let [stream] = &*self.0;
        stream.maps()
    }
}

impl sealed::Sealed for Stream {}

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

    fn maps(&self) -> Result<Option<Maps>, Error> {
        Stream::maps(self)
    }
}
