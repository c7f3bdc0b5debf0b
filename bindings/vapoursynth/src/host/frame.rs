//! Frames: their samples, and their properties for writing.

use super::{Api, Map, index};
use std::ffi::{CStr, c_int};
use std::marker::PhantomData;
use std::ptr::null;
use vapoursynth4_sys as ffi;

/// A sample type of planes.
pub trait Sample: Copy + 'static {}

impl Sample for u8 {}
impl Sample for u16 {}

/// A reference to a frame, for reading.
pub struct Frame {
    pub(super) api: Api,
    pub(super) frame: *const ffi::VSFrame,
}

// SAFETY: the host permits the use of frames in all threads.
unsafe impl Send for Frame {}
// SAFETY: as above; the samples and properties are only read.
unsafe impl Sync for Frame {}

impl Drop for Frame {
    fn drop(&mut self) {
        // SAFETY: the frame is valid, and this reference is freed once.
        unsafe { (self.api.0.freeFrame)(self.frame) }
    }
}

impl Frame {
    /// The rows of a plane without their padding; none if the samples are of another type.
    pub fn rows<S: Sample>(&self, plane: usize) -> impl Iterator<Item = &[S]> {
        let (start, layout) = self.layout::<S>(plane, |plane| {
            // SAFETY: the frame is valid; the host returns null for a plane that does not exist.
            unsafe { (self.api.0.getReadPtr)(self.frame, plane) }
        });
        (0..layout.rows).map(move |row| {
            // SAFETY: `layout` has the size of the plane, whose rows are `stride` bytes apart and
            // aligned to 32 bytes. The frame, and so its samples, live as long as the borrow.
            unsafe { std::slice::from_raw_parts(start.add(row * layout.stride).cast::<S>(), layout.width) }
        })
    }

    /// The first byte of a plane and its layout; no rows if the samples are of another type or the
    /// plane does not exist.
    fn layout<S: Sample>(&self, plane: usize, start: impl Fn(c_int) -> *const u8) -> (*const u8, Layout) {
        let none = (null(), Layout { rows: 0, width: 0, stride: 0 });
        let number = |number: c_int| usize::try_from(number).unwrap_or(0);
        // SAFETY: the frame is one of video, whose format lives as long as the frame.
        let format = unsafe { &*(self.api.0.getVideoFrameFormat)(self.frame) };
        if plane >= number(format.num_planes) || number(format.bytes_per_sample) != size_of::<S>() {
            return none;
        }
        let plane = index(plane);
        // SAFETY: the frame is valid and has the plane.
        let (rows, width, stride) = unsafe {
            (
                (self.api.0.getFrameHeight)(self.frame, plane),
                (self.api.0.getFrameWidth)(self.frame, plane),
                (self.api.0.getStride)(self.frame, plane),
            )
        };
        let start = start(plane);
        let stride = usize::try_from(stride).unwrap_or(0);
        if start.is_null() || stride < number(width) * size_of::<S>() {
            return none;
        }
        (start, Layout { rows: number(rows), width: number(width), stride })
    }

    /// The frame properties.
    pub fn properties(&self) -> Map<'_> {
        // SAFETY: the frame is valid, and its properties live as long as it.
        Map { api: self.api, map: unsafe { (self.api.0.getFramePropertiesRO)(self.frame) }, scope: PhantomData }
    }
}

/// The layout of a plane: rows, samples in a row, bytes from one row to the next.
#[derive(Clone, Copy)]
struct Layout {
    rows: usize,
    width: usize,
    stride: usize,
}

/// A frame to which nobody else has a reference, for writing.
pub struct FrameMut {
    pub(super) frame: Frame,
}

impl FrameMut {
    /// The rows of a plane without their padding; none if the samples are of another type.
    pub fn rows_mut<S: Sample>(&mut self, plane: usize) -> impl Iterator<Item = &mut [S]> {
        let frame = &self.frame;
        let (start, layout) = frame.layout::<S>(plane, |plane| {
            // SAFETY: the frame is valid, and there is no other reference to it.
            unsafe { (frame.api.0.getWritePtr)(frame.frame.cast_mut(), plane) }
        });
        (0..layout.rows).map(move |row| {
            // SAFETY: as in `Frame::rows`. Rows do not overlap, since a stride is at least a row,
            // and the borrow is exclusive.
            unsafe { std::slice::from_raw_parts_mut(start.add(row * layout.stride).cast::<S>().cast_mut(), layout.width) }
        })
    }

    /// Removes a property.
    pub fn remove(&mut self, key: &CStr) {
        // SAFETY: the map of properties is valid, and the frame has no other reference.
        unsafe { (self.frame.api.0.mapDeleteKey)(self.map(), key.as_ptr()) };
    }

    /// Sets a property to a whole number.
    pub fn set_int(&mut self, key: &CStr, value: i64) {
        // SAFETY: as above.
        unsafe { (self.frame.api.0.mapSetInt)(self.map(), key.as_ptr(), value, ffi::VSMapAppendMode::Replace) };
    }

    /// Sets a property to a real number.
    pub fn set_float(&mut self, key: &CStr, value: f64) {
        // SAFETY: as above.
        unsafe { (self.frame.api.0.mapSetFloat)(self.map(), key.as_ptr(), value, ffi::VSMapAppendMode::Replace) };
    }

    /// Adds a frame to the list of a property.
    pub fn append_frame(&mut self, key: &CStr, frame: &Frame) {
        // SAFETY: as above; the map takes a reference of its own.
        unsafe { (self.frame.api.0.mapSetFrame)(self.map(), key.as_ptr(), frame.frame, ffi::VSMapAppendMode::Append) };
    }

    /// The finished frame.
    pub fn finish(self) -> Frame {
        self.frame
    }

    fn map(&self) -> *mut ffi::VSMap {
        // SAFETY: the frame is valid, and there is no other reference to it.
        unsafe { (self.frame.api.0.getFramePropertiesRW)(self.frame.frame.cast_mut()) }
    }
}
