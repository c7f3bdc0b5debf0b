//! The types of the interface.
use crate::handles;
use std::ffi::c_void;

/// The result of a function. Negative values are errors, whose message `dndi_last_error` returns.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DndiStatus {
    /// The call succeeded.
    Ok = 0,
    /// There is no result yet: push another frame, or finish.
    Again = 1,
    /// The clip was finished, and all its results were pulled.
    End = 2,
    /// A null pointer, or text that is not UTF-8.
    ErrorArgument = -1,
    /// An unknown option, a value that the option does not take, or contradicting options.
    ErrorOption = -2,
    /// Planes, sizes, depths or options that do not fit the clip.
    ErrorInput = -3,
    /// A frame after `dndi_converter_finish` or `dndi_inspector_finish`.
    ErrorEnded = -4,
    /// A lack of memory.
    ErrorMemory = -5,
    /// A defect of the library. The handle must only be freed.
    ErrorInternal = -6,
}

/// Chroma sampling.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DndiSampling {
    /// Luma only.
    Mono = 0,
    /// 4:2:0
    C420 = 1,
    /// 4:1:1
    C411 = 2,
    /// 4:2:2
    C422 = 3,
    /// 4:4:4
    C444 = 4,
}

/// How lines were scanned.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DndiScan {
    /// All lines at the same time.
    Progressive = 0,
    /// Two fields, the top field (even lines from 0) first.
    TopFirst = 1,
    /// Two fields, the bottom field first.
    BottomFirst = 2,
}

/// The kind of material.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DndiContent {
    /// Nothing is known: the content was not analysed.
    Unknown = 0,
    /// Both fields were sampled at one time.
    Progressive = 1,
    /// The fields were sampled at different times.
    Interlaced = 2,
    /// Telecined film.
    Film = 3,
}

/// A pulldown pattern.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DndiPulldown {
    /// No pattern.
    None = 0,
    /// 2:2
    P22 = 1,
    /// 3:2
    P32 = 2,
    /// 2:3:3:2
    P2332 = 3,
    /// 2:2:2:4
    P2224 = 4,
}

/// Flags of an input frame, which count if the option `interlacing` is `mixed`: the frame is
/// progressive.
pub const DNDI_FRAME_PROGRESSIVE: u32 = 1;
/// The frame has the top field first.
pub const DNDI_FRAME_TOP_FIRST: u32 = 2;
/// The frame has the bottom field first.
pub const DNDI_FRAME_BOTTOM_FIRST: u32 = 4;

/// A plane of an input frame. Samples of 8 bits are bytes; those of 9 to 16 bits are 16-bit words
/// of the byte order of the machine, aligned to 2 bytes, with the value in the low bits.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DndiPlane {
    /// The first sample of the first row.
    pub data: *const c_void,
    /// Bytes from one row to the next: at least the bytes of a row, and even for words.
    pub stride: usize,
}

/// A plane of an output frame. Its memory belongs to the frame.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DndiOutputPlane {
    /// The first sample of the first row, in the form of `DndiPlane`.
    pub data: *const c_void,
    /// Bytes from one row to the next. The rows follow each other without gaps.
    pub stride: usize,
    /// Samples in a row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
}

/// The properties of an output frame. `time` and `duration` count quarters of the duration of an
/// input frame: a frame lasts 4, a field 2, and a picture of 3:2 film 5.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DndiFrameInfo {
    /// Luma samples in a row.
    pub width: usize,
    /// Luma rows.
    pub height: usize,
    /// Chroma sampling.
    pub sampling: DndiSampling,
    /// Bits per sample, 8 to 16.
    pub depth: u32,
    /// Number of planes: 1 for mono, else 3.
    pub plane_count: u32,
    /// Luma, Cb and Cr; those that the frame lacks are null.
    pub planes: [DndiOutputPlane; 3],
    /// The number of the output, from 0. At the field rate it counts the fields of the clip.
    pub number: u64,
    /// The field of the input that it shows: 2N and 2N + 1 belong to frame N, the earlier first.
    pub field: u64,
    /// Presentation time from the first frame of the clip.
    pub time: u64,
    /// Duration.
    pub duration: u64,
    /// The kind of the input frame, if the conversion follows the detector.
    pub content: DndiContent,
    /// The scan of the input frame, if the kind is known.
    pub scan: DndiScan,
    /// The value that the caller passed with the input frame.
    pub user_data: u64,
}

/// The properties of all outputs, known after the look-ahead of the first frame.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DndiPlan {
    /// Luma samples in a row.
    pub width: usize,
    /// Luma rows.
    pub height: usize,
    /// Chroma sampling.
    pub sampling: DndiSampling,
    /// Bits per sample, 8 to 16.
    pub depth: u32,
    /// Whether all output frames are progressive: 1 or 0.
    pub progressive: u32,
    /// The scan of the first input frames.
    pub scan: DndiScan,
    /// The ratio of the output rate to the input rate: output frames, and the input frames in the
    /// same time. 2 and 1 at the field rate, 4 and 5 for 3:2 film.
    pub rate_out: u32,
    /// The second number of the ratio.
    pub rate_in: u32,
}

/// Frames of one kind: one frame, a run of frames, or all of a clip.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DndiFinding {
    /// The kind of material.
    pub content: DndiContent,
    /// The scan: progressive, or the field order.
    pub scan: DndiScan,
    /// The pulldown pattern.
    pub pulldown: DndiPulldown,
    /// The mean confidence in percent, 0 to 100. 0 is a guess, 40 is significant.
    pub confidence: u32,
    /// Number of the first frame, from 0.
    pub first: u64,
    /// Number of frames.
    pub frames: u64,
}

/// Format and options of a clip.
#[derive(Debug)]
pub struct DndiSettings(pub(crate) dndi_bindings::Settings);

/// A running conversion.
#[derive(Debug)]
pub struct DndiConverter(pub(crate) dndi_bindings::Conversion);

/// An output frame.
#[derive(Debug)]
pub struct DndiFrame(pub(crate) handles::Output);

/// A running inspection of a clip.
#[derive(Debug)]
pub struct DndiInspector(pub(crate) handles::Inspection);
