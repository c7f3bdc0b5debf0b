//! Filters, and the host's calls for their frames.

use super::{Api, Core, Frame, Node, VideoInfo, describe, index, text};
use std::ffi::{CStr, c_int, c_void};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{null, null_mut};
use vapoursynth4_sys as ffi;

/// A request for a frame of a filter. It can wait for frames of other nodes.
pub struct Request<'a> {
    /// The core.
    pub core: Core<'a>,
    context: *mut ffi::VSFrameContext,
}

impl Request<'_> {
    /// Orders frame `n` of a node.
    pub fn order(&mut self, node: &Node, n: usize) {
        // SAFETY: node and context are valid while the host waits for this call.
        unsafe { (self.core.api.0.requestFrameFilter)(index(n), node.node, self.context) }
    }

    /// Takes a frame that was ordered and is ready.
    pub fn take(&mut self, node: &Node, n: usize) -> Option<Frame> {
        // SAFETY: as above.
        let frame = unsafe { (self.core.api.0.getFrameFilter)(index(n), node.node, self.context) };
        (!frame.is_null()).then_some(Frame { api: self.core.api, frame })
    }

    /// Frees the host's reference to a frame that was ordered.
    pub fn release(&mut self, node: &Node, n: usize) {
        // SAFETY: as above.
        unsafe { (self.core.api.0.releaseFrameEarly)(node.node, index(n), self.context) }
    }
}

/// A filter, which makes frames from frames of other nodes. All threads of the host use it at once.
pub trait Filter: Send + Sync + 'static {
    /// The state of a request between its calls.
    type State: Default + Send;

    /// Starts the request for frame `n`: orders the frames that it needs.
    ///
    /// # Errors
    /// The reason why the frame cannot be made.
    fn start(&self, n: usize, request: &mut Request) -> Result<(), String>;

    /// Continues the request when all ordered frames are ready. Returns the frame, or none after it
    /// ordered further frames.
    ///
    /// # Errors
    /// The reason why the frame cannot be made.
    fn ready(&self, n: usize, state: &mut Self::State, request: &mut Request) -> Result<Option<Frame>, String>;
}

/// Adds a filter to the graph. All calls of the filter can run in parallel.
///
/// # Errors
/// If the host refuses the filter.
pub fn add_filter<F: Filter>(core: Core, name: &CStr, info: VideoInfo, filter: F, source: &Node) -> Result<Node, String> {
    let info = info.to_host();
    let dependency = ffi::VSFilterDependency { source: source.node, request_pattern: ffi::VSRequestPattern::General };
    let filter = Box::into_raw(Box::new(filter));
    // SAFETY: all pointers are valid during the call. The host passes `filter` to the two functions
    // and calls `free` once.
    let node = unsafe {
        (core.api.0.createVideoFilter2)(
            name.as_ptr(),
            &raw const info,
            get_frame::<F>,
            Some(free::<F>),
            ffi::VSFilterMode::Parallel,
            &raw const dependency,
            1,
            filter.cast(),
            core.core,
        )
    };
    if node.is_null() { Err("the host refuses the filter".to_owned()) } else { Ok(Node { api: core.api, node }) }
}

/// The host's call for a frame.
///
/// # Safety
/// The host calls it with the instance of [`add_filter`], of type `F`.
unsafe extern "system-unwind" fn get_frame<F: Filter>(
    n: c_int,
    reason: ffi::VSActivationReason,
    instance: *mut c_void,
    state: *mut *mut c_void,
    context: *mut ffi::VSFrameContext,
    core: *mut ffi::VSCore,
    api: *const ffi::VSAPI,
) -> *const ffi::VSFrame {
    // SAFETY: the pointer is the host's.
    let api = unsafe { Api::new(api) };
    // SAFETY: the instance is of type `F` and lives until `free`; calls in parallel only share it.
    let filter = unsafe { &*instance.cast_const().cast::<F>() };
    // SAFETY: the host has a pointer for the state of each request, which is null at first.
    let state = unsafe { &mut *state };
    let n = usize::try_from(n).unwrap_or(0);
    let mut request = Request { core: Core { api, core, scope: PhantomData }, context };
    let result = catch_unwind(AssertUnwindSafe(|| match reason {
        ffi::VSActivationReason::Initial => {
            *state = Box::into_raw(Box::new(F::State::default())).cast();
            filter.start(n, &mut request).map(|()| None)
        }
        ffi::VSActivationReason::AllFramesReady if !state.is_null() => {
            // SAFETY: the pointer is that of `Box::into_raw` above, and no other call has it.
            filter.ready(n, unsafe { &mut *(*state).cast::<F::State>() }, &mut request)
        }
        // A frame before this one failed. The host has its message.
        _ => Err(String::new()),
    }));
    let (frame, error) = match result {
        Ok(Ok(Some(frame))) => (into_host(frame), None),
        Ok(Ok(None)) => return null(),
        Ok(Err(error)) => (null(), Some(error)),
        Err(panic) => (null(), Some(describe(&*panic))),
    };
    if !state.is_null() {
        // SAFETY: as above; this is the last call of the request.
        drop(unsafe { Box::from_raw(state.cast::<F::State>()) });
        *state = null_mut();
    }
    if let Some(error) = error.filter(|_| reason != ffi::VSActivationReason::Error) {
        // SAFETY: the context is valid, and the host copies the text.
        unsafe { (api.0.setFilterError)(text(error).as_ptr(), context) };
    }
    frame
}

/// The host's call at the end of a filter.
///
/// # Safety
/// The host calls it once with the instance of [`add_filter`], of type `F`.
unsafe extern "system-unwind" fn free<F: Filter>(instance: *mut c_void, _: *mut ffi::VSCore, _: *const ffi::VSAPI) {
    // SAFETY: the instance is that of `Box::into_raw`, and no call uses it any more.
    let filter = unsafe { Box::from_raw(instance.cast::<F>()) };
    drop(catch_unwind(AssertUnwindSafe(|| drop(filter))));
}

/// The reference that the host takes over.
fn into_host(frame: Frame) -> *const ffi::VSFrame {
    std::mem::ManuallyDrop::new(frame).frame
}
