//! Memory whose allocation can fail.
//!
//! All buffers that grow with the picture or with the input are made here, so that a lack of memory
//! is an error. The collections of the standard library end the process if an allocation fails;
//! they hold only small values of a fixed size.
use std::collections::VecDeque;
use std::{fmt, io};

/// The memory for a buffer is not available.
///
/// All buffers that grow with the picture report this error: those of streams, detectors,
/// converters, [`Frame::try_new`](crate::Frame::try_new) and
/// [`Frame::try_clone`](crate::Frame::try_clone). A [`Reader`](crate::y4m::Reader) reports
/// [`io::ErrorKind::OutOfMemory`].
///
/// The process ends if another allocation fails, as with the collections of the standard library:
/// [`Frame::new`](crate::Frame::new) and `clone` of a frame, boxes and queues of at most a few
/// kilobytes, the search for blended fields (up to 3 MB), the text of stream headers and
/// parameters, the threads and queues of rayon, and in the model of the hardware (feature `gen6`)
/// all but its memory and the planes of its driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    bytes: usize,
}

impl OutOfMemory {
    /// The size of the buffer in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Ends the process, as the collections of the standard library do.
    #[cfg(feature = "gen6")]
    pub(crate) fn end(self) -> ! {
        use std::alloc::{Layout, handle_alloc_error};
        handle_alloc_error(Layout::array::<u8>(self.bytes).unwrap_or(Layout::new::<u8>()))
    }

    /// The failure to allocate `count` values of type `T`.
    pub(crate) fn of<T>(count: usize) -> OutOfMemory {
        OutOfMemory { bytes: count.saturating_mul(size_of::<T>()) }
    }
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "out of memory: cannot allocate {} bytes", self.bytes)
    }
}

impl std::error::Error for OutOfMemory {}

impl From<OutOfMemory> for io::Error {
    /// Without the size: an error with a message would be an allocation.
    fn from(_: OutOfMemory) -> io::Error {
        io::ErrorKind::OutOfMemory.into()
    }
}

/// An empty vector with memory for `count` values.
pub(crate) fn with_capacity<T>(count: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| OutOfMemory::of::<T>(count))?;
    Ok(values)
}

/// Makes sure that `count` values fit into a vector.
pub(crate) fn reserve<T>(values: &mut Vec<T>, count: usize) -> Result<(), OutOfMemory> {
    values.try_reserve(count.saturating_sub(values.len())).map_err(|_| OutOfMemory::of::<T>(count))
}

/// Makes sure that one more value fits into a queue.
pub(crate) fn reserve_one<T>(queue: &mut VecDeque<T>) -> Result<(), OutOfMemory> {
    queue.try_reserve(1).map_err(|_| OutOfMemory::of::<T>(queue.len() + 1))
}

/// A vector of `count` times `value`.
pub(crate) fn filled<T: Clone>(count: usize, value: T) -> Result<Vec<T>, OutOfMemory> {
    let mut values = with_capacity(count)?;
    values.resize(count, value);
    Ok(values)
}

/// A vector of `count` zeros.
pub(crate) fn zeroed<T: Clone + Default>(count: usize) -> Result<Vec<T>, OutOfMemory> {
    filled(count, T::default())
}

/// `N` vectors of `count` zeros each.
pub(crate) fn zeroed_rows<T: Clone + Default, const N: usize>(count: usize) -> Result<[Vec<T>; N], OutOfMemory> {
    let mut rows = [const { Vec::new() }; N];
    for row in &mut rows {
        *row = zeroed(count)?;
    }
    Ok(rows)
}

/// A copy of a slice.
pub(crate) fn copied<T: Clone>(values: &[T]) -> Result<Vec<T>, OutOfMemory> {
    let mut copy = with_capacity(values.len())?;
    copy.extend_from_slice(values);
    Ok(copy)
}

/// The values of an iterator of known length.
pub(crate) fn collected<T>(values: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, OutOfMemory> {
    let mut vector = with_capacity(values.len())?;
    vector.extend(values);
    Ok(vector)
}
