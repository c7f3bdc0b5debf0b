//! The engine that processes frames: a stream of the pipeline, or a replacement with the same
//! results.
use crate::error::Error;
use crate::frame::Frame;
use crate::memory::{OutOfMemory, with_capacity};
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

    fn statistics(&self) -> Option<&Statistics> {
        let [stream] = &*self.0;
        stream.statistics()
    }

    fn maps(&self) -> Result<Option<Maps>, Error> {
        let [stream] = &*self.0;
        stream.maps()
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

    fn maps(&self) -> Result<Option<Maps>, Error> {
        Stream::maps(self)
    }
}
