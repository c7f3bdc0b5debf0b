//! The driver as the engine of a conversion.
use super::engine::Driver;
use crate::convert::Engine;
use crate::convert::engine::sealed::Sealed;
use crate::error::Error;
use crate::pipeline::{Input, Output, Statistics};

impl Sealed for Driver {}

impl Engine for Driver {
    fn push(&mut self, input: Input<'_>) -> Result<(), Error> {
        Ok(Driver::push(self, input)?)
    }

    fn flush(&mut self) -> Result<(), Error> {
        Ok(Driver::flush(self)?)
    }

    fn pull(&mut self) -> Option<Output> {
        Driver::pull(self)
    }

    fn statistics(&self) -> Option<&Statistics> {
        Driver::statistics(self)
    }
}
