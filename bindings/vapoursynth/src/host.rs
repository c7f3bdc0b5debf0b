//! VapourSynth's C interface (API 4) behind safe types. This is the only file with `unsafe`: the
//! interface consists of pointers to functions that take pointers.
//!
//! Two properties of the interface hold for each pointer here. VapourSynth calls the plugin with
//! valid pointers, and keeps the API table and a core until all its filters are freed. References
//! to nodes and frames are counted; each type here owns one reference and frees it once.
#![allow(unsafe_code)]

use crate::options::{Arguments, declaration};
use std::any::Any;
use std::ffi::{CStr, CString, c_int, c_void};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{null, null_mut};
use vapoursynth4_sys as ffi;

/// The table of the host's functions.
#[derive(Clone, Copy)]
struct Api(&'static ffi::VSAPI);

impl Api {
    /// # Safety
    /// `api` is the pointer that the host passed to the plugin.
    unsafe fn new(api: *const ffi::VSAPI) -> Api {
        // SAFETY: the host's table is not null and lives as long as the host's library.
        Api(unsafe { &*api })
    }
}

/// A video format of integer or float samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VideoFormat {
    /// Whether there are chroma planes.
    pub chroma: bool,
    /// Whether the samples are RGB or undefined.
    pub other_family: bool,
    /// Whether the samples are floating point numbers.
    pub float: bool,
    /// Significant bits per sample.
    pub bits: u8,
    /// Binary logarithm of the horizontal and the vertical subsampling of chroma.
    pub subsampling: (u8, u8),
}

impl VideoFormat {
    fn new(format: &ffi::VSVideoFormat) -> VideoFormat {
        let small = |number: c_int| u8::try_from(number).unwrap_or(u8::MAX);
        VideoFormat {
            chroma: format.color_family == ffi::VSColorFamily::YUV,
            other_family: ![ffi::VSColorFamily::YUV, ffi::VSColorFamily::Gray].contains(&format.color_family),
            float: format.sample_type != ffi::VSSampleType::Integer,
            bits: small(format.bits_per_sample),
            subsampling: (small(format.sub_sampling_w), small(format.sub_sampling_h)),
        }
    }

    fn to_host(self) -> ffi::VSVideoFormat {
        ffi::VSVideoFormat {
            color_family: if self.chroma { ffi::VSColorFamily::YUV } else { ffi::VSColorFamily::Gray },
            sample_type: ffi::VSSampleType::Integer,
            bits_per_sample: self.bits.into(),
            bytes_per_sample: if self.bits > 8 { 2 } else { 1 },
            sub_sampling_w: self.subsampling.0.into(),
            sub_sampling_h: self.subsampling.1.into(),
            num_planes: if self.chroma { 3 } else { 1 },
        }
    }
}

/// The properties of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VideoInfo {
    /// The format; none if it varies.
    pub format: Option<VideoFormat>,
    /// Width and height in luma samples; 0 if they vary.
    pub size: (usize, usize),
    /// Frames and seconds of the frame rate; none if it varies.
    pub rate: Option<(i64, i64)>,
    /// Number of frames.
    pub frames: usize,
}

impl VideoInfo {
    fn to_host(self) -> ffi::VSVideoInfo {
        let int = |number: usize| c_int::try_from(number).unwrap_or(c_int::MAX);
        let (fps_num, fps_den) = self.rate.unwrap_or((0, 0));
        let grey = VideoFormat { chroma: false, other_family: false, float: false, bits: 8, subsampling: (0, 0) };
        ffi::VSVideoInfo {
            format: self.format.unwrap_or(grey).to_host(),
            fps_num,
            fps_den,
            width: int(self.size.0),
            height: int(self.size.1),
            num_frames: int(self.frames),
        }
    }
}

/// The core of the host in which a function or a filter runs.
#[derive(Clone, Copy)]
pub struct Core<'a> {
    api: Api,
    core: *mut ffi::VSCore,
    scope: PhantomData<&'a ()>,
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
    api: Api,
    node: *mut ffi::VSNode,
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

/// A sample type of planes.
pub trait Sample: Copy + 'static {}

impl Sample for u8 {}
impl Sample for u16 {}

/// A reference to a frame, for reading.
pub struct Frame {
    api: Api,
    frame: *const ffi::VSFrame,
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
    frame: Frame,
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

/// Named values: the arguments of a function, or the properties of a frame.
#[derive(Clone, Copy)]
pub struct Map<'a> {
    api: Api,
    map: *const ffi::VSMap,
    scope: PhantomData<&'a ()>,
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

/// A function of the plugin, which creates filters from arguments.
pub trait Function: 'static {
    /// The name for scripts.
    const NAME: &'static CStr;
    /// The arguments besides the clip.
    const ARGUMENTS: &'static [Arguments];

    /// Creates the filters, and returns the last one.
    ///
    /// # Errors
    /// The message for the script.
    fn call(arguments: Map, core: Core) -> Result<Node, String>;
}

/// The host's call of a function of the plugin.
///
/// # Safety
/// The host calls it after [`Plugin::add`].
unsafe extern "system-unwind" fn call<F: Function>(
    arguments: *const ffi::VSMap,
    result: *mut ffi::VSMap,
    _: *mut c_void,
    core: *mut ffi::VSCore,
    api: *const ffi::VSAPI,
) {
    // SAFETY: the pointer is the host's.
    let api = unsafe { Api::new(api) };
    let arguments = Map { api, map: arguments, scope: PhantomData };
    let core = Core { api, core, scope: PhantomData };
    let called = catch_unwind(AssertUnwindSafe(|| F::call(arguments, core)));
    match called.unwrap_or_else(|panic| Err(describe(&*panic))) {
        Ok(node) => {
            let node = std::mem::ManuallyDrop::new(node).node;
            // SAFETY: map and node are valid; the map takes over the reference.
            unsafe { (api.0.mapConsumeNode)(result, c"clip".as_ptr(), node, ffi::VSMapAppendMode::Replace) };
        }
        Err(error) => {
            let error = text(format!("dndi.{}: {error}", F::NAME.to_string_lossy()));
            // SAFETY: the map is valid, and the host copies the text.
            unsafe { (api.0.mapSetError)(result, error.as_ptr()) }
        }
    }
}

/// The plugin while the host loads it.
pub struct Plugin {
    plugin: *mut ffi::VSPlugin,
    api: &'static ffi::VSPLUGINAPI,
}

impl Plugin {
    /// Names the plugin.
    ///
    /// # Safety
    /// The pointers are those of the host's call of [`VapourSynthPluginInit2`].
    unsafe fn new(
        plugin: *mut ffi::VSPlugin,
        api: *const ffi::VSPLUGINAPI,
        [identifier, namespace, name]: [&CStr; 3],
        version: (u16, u16),
    ) -> Plugin {
        // SAFETY: the table lives at least as long as this call.
        let api = unsafe { &*api };
        // SAFETY: the plugin is valid, and the host copies the texts. Version 4.0 has all functions
        // that this file uses.
        unsafe {
            (api.configPlugin)(
                identifier.as_ptr(),
                namespace.as_ptr(),
                name.as_ptr(),
                ffi::vs_make_version(version.0, version.1),
                ffi::vs_make_version(4, 0),
                0,
                plugin,
            )
        };
        Plugin { plugin, api }
    }

    /// Adds a function.
    pub fn add<F: Function>(&self) {
        let arguments = declaration(F::ARGUMENTS);
        // SAFETY: the plugin is valid, and the host copies the texts.
        unsafe {
            (self.api.registerFunction)(
                F::NAME.as_ptr(),
                arguments.as_ptr(),
                c"clip:vnode;".as_ptr(),
                call::<F>,
                null_mut(),
                self.plugin,
            )
        };
    }
}

/// The host calls this function when it loads the plugin.
///
/// # Safety
/// The pointers are those of the host.
#[unsafe(no_mangle)]
pub unsafe extern "system-unwind" fn VapourSynthPluginInit2(plugin: *mut ffi::VSPlugin, api: *const ffi::VSPLUGINAPI) {
    let names = [c"io.github.dndi", c"dndi", c"Deinterlace, undo telecine, denoise and scale with dndi"];
    // SAFETY: the pointers are those of this call.
    let plugin = unsafe { Plugin::new(plugin, api, names, (0, 1)) };
    crate::functions::add_all(&plugin);
}

/// A number as the host has it. Numbers of frames never exceed its type.
fn index(number: usize) -> c_int {
    c_int::try_from(number).unwrap_or(c_int::MAX)
}

/// A text of the host, which ends at the first zero.
fn text(text: String) -> CString {
    let bytes: Vec<u8> = text.into_bytes().into_iter().take_while(|byte| *byte != 0).collect();
    CString::new(bytes).unwrap_or_default()
}

/// The message of a panic, which is a defect of the plugin.
fn describe(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let message = message.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("internal error: {}", message.unwrap_or_default())
}
