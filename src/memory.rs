//! Memory whose allocation can fail.
//!
//! All buffers that grow with the picture or with the input are made here, so that a lack of memory
//! is an error of the caller's. The standard library ends the process if an allocation of its
//! collections fails; only small ones of a fixed size are left to it.
use std::{fmt, io};

/// An allocation failed. [`Error::OutOfMemory`](crate::Error::OutOfMemory) has the same field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfMemory {
    /// The size of the allocation.
    pub bytes: usize,
}

impl OutOfMemory {
    /// The failure to allocate `count` values of type `T`.
    fn of<T>(count: usize) -> OutOfMemory {
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
