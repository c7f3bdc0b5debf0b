//! Arguments of functions and properties of frames, for reading.

use super::{Api, Frame, Node, index};
use std::ffi::CStr;
use std::marker::PhantomData;
use vapoursynth4_sys as ffi;

/// Named values: the arguments of a function, or the properties of a frame.
#[derive(Clone, Copy)]
pub struct Map<'a> {
    pub(super) api: Api,
    pub(super) map: *const ffi::VSMap,
    pub(super) scope: PhantomData<&'a ()>,
}

impl<'a> Map<'a> {
    /// Number of values of a key.
    pub fn count(self, key: &CStr) -> usize {
        // SAFETY: the map is valid; the host returns -1 for a missing key.
        let count = unsafe { (self.api.0.mapNumElements)(self.map, key.as_ptr()) };
        usize::try_from(count).unwrap_or(0)
    }

    /// A whole number; none if the key is missing or has another type.
    pub fn int(self, key: &CStr) -> Option<i64> {
        let mut error = ffi::VSMapPropertyError::Success;
        // SAFETY: the map is valid.
        let value = unsafe { (self.api.0.mapGetInt)(self.map, key.as_ptr(), 0, &raw mut error) };
        (error == ffi::VSMapPropertyError::Success).then_some(value)
    }

    /// A real number; none if the key is missing or has another type.
    pub fn float(self, key: &CStr) -> Option<f64> {
        let mut error = ffi::VSMapPropertyError::Success;
        // SAFETY: the map is valid.
        let value = unsafe { (self.api.0.mapGetFloat)(self.map, key.as_ptr(), 0, &raw mut error) };
        (error == ffi::VSMapPropertyError::Success).then_some(value)
    }

    /// Value `position` of a text; none if the key is missing, has another type, or is not UTF-8.
    pub fn text(self, key: &CStr, position: usize) -> Option<&'a str> {
        let mut error = ffi::VSMapPropertyError::Success;
        // SAFETY: the map is valid.
        let data = unsafe { (self.api.0.mapGetData)(self.map, key.as_ptr(), index(position), &raw mut error) };
        if error != ffi::VSMapPropertyError::Success || data.is_null() {
            return None;
        }
        // SAFETY: the map is valid. Without a pointer for an error, a missing key ends the process.
        let size = unsafe { (self.api.0.mapGetDataSize)(self.map, key.as_ptr(), index(position), &raw mut error) };
        // SAFETY: the value has `size` bytes, which live as long as the unchanged map.
        let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), usize::try_from(size).unwrap_or(0)) };
        std::str::from_utf8(bytes).ok()
    }

    /// A clip; none if the key is missing or has another type.
    pub fn node(self, key: &CStr) -> Option<Node> {
        let mut error = ffi::VSMapPropertyError::Success;
        // SAFETY: the map is valid; the host returns a new reference.
        let node = unsafe { (self.api.0.mapGetNode)(self.map, key.as_ptr(), 0, &raw mut error) };
        (error == ffi::VSMapPropertyError::Success && !node.is_null()).then_some(Node { api: self.api, node })
    }

    /// Frame `position` of a list; none if it is missing.
    pub fn frame(self, key: &CStr, position: usize) -> Option<Frame> {
        let mut error = ffi::VSMapPropertyError::Success;
        // SAFETY: the map is valid; the host returns a new reference.
        let frame = unsafe { (self.api.0.mapGetFrame)(self.map, key.as_ptr(), index(position), &raw mut error) };
        (error == ffi::VSMapPropertyError::Success && !frame.is_null()).then_some(Frame { api: self.api, frame })
    }
}
