//! The core and the nodes of the host's graph of filters.

use super::{Api, Frame, FrameMut, VideoFormat, VideoInfo, index};
use std::ffi::{CStr, c_int};
use std::marker::PhantomData;
use std::ptr::null;
use vapoursynth4_sys as ffi;

/// The core of the host in which a function or a filter runs.
#[derive(Clone, Copy)]
pub struct Core<'a> {
    pub(super) api: Api,
    pub(super) core: *mut ffi::VSCore,
    pub(super) scope: PhantomData<&'a ()>,
}

impl Core<'_> {
    /// Number of threads and size of the caches in bytes.
    pub fn limits(self) -> (usize, usize) {
        let mut info = ffi::VSCoreInfo {
            version_string: null(),
            core: 0,
            api: 0,
            num_threads: 0,
            max_framebuffer_size: 0,
            used_framebuffer_size: 0,
        };
        // SAFETY: the core is valid, and the host fills the struct.
        unsafe { (self.api.0.getCoreInfo)(self.core, &raw mut info) };
        let number = |number: i64| usize::try_from(number).unwrap_or(0);
        (number(info.num_threads.into()).max(1), number(info.max_framebuffer_size))
    }

    /// A new frame with unspecified samples. `source` is the frame whose properties it gets.
    pub fn frame(self, format: VideoFormat, size: (usize, usize), source: Option<&Frame>) -> FrameMut {
        let int = |number: usize| c_int::try_from(number).unwrap_or(c_int::MAX);
        let (format, source) = (format.to_host(), source.map_or(null(), |frame| frame.frame));
        // SAFETY: all pointers are valid or null; the host ends the process if memory is missing.
        let frame = unsafe { (self.api.0.newVideoFrame)(&raw const format, int(size.0), int(size.1), source, self.core) };
        FrameMut { frame: Frame { api: self.api, frame } }
    }

    /// Whether the host has the frame property `_Range` (API 4.2), which replaces `_ColorRange`.
    pub fn has_range(self) -> bool {
        // SAFETY: the function has no arguments.
        let version = unsafe { (self.api.0.getAPIVersion)() };
        version >= ffi::vs_make_version(4, 2)
    }
}

/// A reference to the output of a filter.
pub struct Node {
    pub(super) api: Api,
    pub(super) node: *mut ffi::VSNode,
}

// SAFETY: the host permits the use of nodes in all threads.
unsafe impl Send for Node {}
// SAFETY: as above; the functions of nodes take locks of the host.
unsafe impl Sync for Node {}

impl Drop for Node {
    fn drop(&mut self) {
        // SAFETY: the node is valid, and this reference is freed once.
        unsafe { (self.api.0.freeNode)(self.node) }
    }
}

impl Clone for Node {
    fn clone(&self) -> Node {
        // SAFETY: the node is valid.
        Node { api: self.api, node: unsafe { (self.api.0.addNodeRef)(self.node) } }
    }
}

impl Node {
    /// The properties of the clip.
    pub fn info(&self) -> VideoInfo {
        // SAFETY: the node is one of video, whose info lives as long as the node.
        let info = unsafe { &*(self.api.0.getVideoInfo)(self.node) };
        let number = |number: c_int| usize::try_from(number).unwrap_or(0);
        VideoInfo {
            format: (info.format.color_family != ffi::VSColorFamily::Undefined).then(|| VideoFormat::new(&info.format)),
            size: (number(info.width), number(info.height)),
            rate: Some((info.fps_num, info.fps_den)).filter(|(num, den)| *num > 0 && *den > 0),
            frames: number(info.num_frames),
        }
    }

    /// Frame `n`. The call waits for the frame, so only functions that create filters use it.
    ///
    /// # Errors
    /// The message of the filter that failed.
    pub fn wait_for(&self, n: usize) -> Result<Frame, String> {
        let mut message = [0_u8; 1024];
        let length = c_int::try_from(message.len()).unwrap_or(0);
        // SAFETY: the node is valid, and the buffer has the stated length.
        let frame = unsafe { (self.api.0.getFrame)(index(n), self.node, message.as_mut_ptr().cast(), length) };
        if !frame.is_null() {
            return Ok(Frame { api: self.api, frame });
        }
        let message = CStr::from_bytes_until_nul(&message).unwrap_or_default();
        Err(message.to_string_lossy().into_owned())
    }

    /// Makes the host keep the last `frames` frames of this node, however often they are used.
    pub fn keep(&self, frames: usize) {
        // SAFETY: the node is valid.
        unsafe {
            (self.api.0.setCacheMode)(self.node, ffi::VSCacheMode::ForceEnable);
            (self.api.0.setCacheOptions)(self.node, 1, index(frames), 0);
        }
    }
}
