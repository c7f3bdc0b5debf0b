//! The behaviour of the handles, in safe code.
use crate::types::{
    DNDI_FRAME_BOTTOM_FIRST, DNDI_FRAME_PROGRESSIVE, DNDI_FRAME_TOP_FIRST, DndiContent, DndiFinding, DndiFrameInfo,
    DndiOutputPlane, DndiPlan, DndiPulldown, DndiSampling, DndiScan, DndiStatus,
};
use dndi::convert::{ClipPlan, Converted};
use dndi::{Content, FieldOrder, Format, Frame, FrameFlags, Pulldown, Samples, Sampling, Scan, UserData};
use dndi_bindings::{Error, Finding, Inspector, Kind, Settings};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_void};

/// An error as a status and a message.
#[derive(Debug)]
pub struct Failure {
    pub status: DndiStatus,
    pub message: String,
}

impl Failure {
    /// An argument that no call can take.
    pub fn argument(message: impl Into<String>) -> Failure {
        Failure { status: DndiStatus::ErrorArgument, message: message.into() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match error.kind() {
            Kind::Option => DndiStatus::ErrorOption,
            Kind::Input => DndiStatus::ErrorInput,
            Kind::Ended => DndiStatus::ErrorEnded,
            Kind::Memory => DndiStatus::ErrorMemory,
        };
        Failure { status, message: error.to_string() }
    }
}

thread_local! {
    /// The message of the last error of this thread. A thread has one, and not a handle, because
    /// calls that make a handle fail, too.
    static MESSAGE: RefCell<CString> = RefCell::default();
}

/// Stores the message of an error for this thread.
pub fn store(message: &str) {
    let text: String = message.chars().filter(|&char| char != '\0').collect();
    MESSAGE.with(|last| *last.borrow_mut() = CString::new(text).unwrap_or_default());
}

/// Calls a function with the message of the last error of this thread.
pub fn with_message<T>(call: impl FnOnce(&CStr) -> T) -> T {
    MESSAGE.with(|last| call(&last.borrow()))
}

/// The settings for a clip.
pub fn settings(width: usize, height: usize, sampling: &str, depth: u32) -> Result<Settings, Failure> {
    let sampling: Sampling = sampling.parse().map_err(|error| Failure::from(Error::option("sampling", error)))?;
    let depth = u8::try_from(depth).unwrap_or(u8::MAX);
    let settings = Settings::new(Format::new(width, height, sampling).with_depth(depth));
    // Refuses wrong sizes and depths at once, not with the first frame.
    Inspector::new(&settings)?;
    Ok(settings)
}

/// The flags of a frame.
pub fn flags(bits: u32) -> FrameFlags {
    let order = match bits & (DNDI_FRAME_TOP_FIRST | DNDI_FRAME_BOTTOM_FIRST) {
        DNDI_FRAME_TOP_FIRST => Some(FieldOrder::TopFirst),
        DNDI_FRAME_BOTTOM_FIRST => Some(FieldOrder::BottomFirst),
        _ => None,
    };
    FrameFlags::default().progressive(bits & DNDI_FRAME_PROGRESSIVE != 0).field_order(order)
}

/// The user data of a frame.
pub fn user_data(value: u64) -> UserData {
    UserData::new(value)
}

/// The layout of a plane in the memory of the caller.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Bytes of a row that are read.
    pub row: usize,
    /// Bytes from one row to the next.
    pub stride: usize,
    pub rows: usize,
    pub bytes_per_sample: usize,
}

/// Checks the stride and the address of plane `index`.
pub fn layout(format: Format, index: usize, stride: usize, address: usize) -> Result<Layout, Failure> {
    let (width, rows) = format.plane_size(index);
    let bytes_per_sample = format.bytes_per_sample();
    let row = width * bytes_per_sample;
    let wrong = |why: String| Err(Failure::from(Error::input(format_args!("plane {index}: {why}"))));
    if stride < row {
        return wrong(format!("a stride of {stride} bytes does not hold rows of {row} bytes"));
    }
    if stride.checked_mul(rows).is_none_or(|bytes| bytes > isize::MAX as usize) {
        return wrong(format!("a stride of {stride} bytes exceeds the address space"));
    }
    if bytes_per_sample == 2 && (!stride.is_multiple_of(2) || !address.is_multiple_of(2)) {
        return wrong("words need an even address and an even stride".to_owned());
    }
    Ok(Layout { row, stride, rows, bytes_per_sample })
}

/// An output with its data.
#[derive(Debug)]
pub struct Output(pub Box<Converted>);

impl Output {
    /// The properties of the output. The pointers are valid as long as the output exists.
    pub fn info(&self) -> DndiFrameInfo {
        let Converted { frame, number, field, time, duration, decision, user_data, .. } = self.0.as_ref();
        let format = frame.format();
        let none = DndiOutputPlane { data: std::ptr::null(), stride: 0, width: 0, height: 0 };
        let mut planes = [none; 3];
        for (index, (to, from)) in planes.iter_mut().zip(&frame.planes()).enumerate() {
            let (width, height) = format.plane_size(index);
            let data: *const c_void = match from.samples {
                Samples::U8(samples) => samples.as_ptr().cast(),
                Samples::U16(samples) => samples.as_ptr().cast(),
            };
            *to = DndiOutputPlane { data, stride: from.stride * format.bytes_per_sample(), width, height };
        }
        DndiFrameInfo {
            width: format.width,
            height: format.height,
            sampling: sampling(format.sampling),
            depth: format.depth.into(),
            plane_count: format.sampling.planes() as u32,
            planes,
            number: *number,
            field: *field,
            time: *time,
            duration: *duration,
            content: decision.as_ref().map_or(DndiContent::Unknown, |decision| content(decision.content)),
            scan: decision.as_ref().map_or(DndiScan::Progressive, |decision| scan(decision.scan())),
            user_data: user_data.as_ref().and_then(UserData::get).copied().unwrap_or(0),
        }
    }

    /// The frame alone.
    pub fn into_frame(self) -> Frame {
        self.0.frame
    }
}

/// A running inspection.
#[derive(Debug)]
pub struct Inspection {
    pub inspector: Inspector,
    pub format: Format,
    pub finished: bool,
}

/// The plan of a conversion.
pub fn plan(plan: &ClipPlan) -> DndiPlan {
    let format = plan.output_format;
    DndiPlan {
        width: format.width,
        height: format.height,
        sampling: sampling(format.sampling),
        depth: format.depth.into(),
        progressive: plan.progressive.into(),
        scan: scan(plan.scan),
        rate_out: plan.ratio.0,
        rate_in: plan.ratio.1,
    }
}

/// A finding of an inspection.
pub fn finding(finding: &Finding) -> DndiFinding {
    DndiFinding {
        content: content(finding.content),
        scan: if finding.content == Content::Progressive { DndiScan::Progressive } else { scan(finding.field_order.into()) },
        pulldown: match finding.pulldown {
            None => DndiPulldown::None,
            Some(Pulldown::P22) => DndiPulldown::P22,
            Some(Pulldown::P32) => DndiPulldown::P32,
            Some(Pulldown::P2332) => DndiPulldown::P2332,
            Some(_) => DndiPulldown::P2224,
        },
        confidence: finding.confidence().into(),
        first: finding.first,
        frames: finding.frames,
    }
}

fn sampling(sampling: Sampling) -> DndiSampling {
    match sampling {
        Sampling::Mono => DndiSampling::Mono,
        Sampling::C420 => DndiSampling::C420,
        Sampling::C411 => DndiSampling::C411,
        Sampling::C422 => DndiSampling::C422,
        _ => DndiSampling::C444,
    }
}

fn scan(scan: Scan) -> DndiScan {
    match scan {
        Scan::TopFirst => DndiScan::TopFirst,
        Scan::BottomFirst => DndiScan::BottomFirst,
        _ => DndiScan::Progressive,
    }
}

fn content(content: Content) -> DndiContent {
    match content {
        Content::Progressive => DndiContent::Progressive,
        Content::Interlaced => DndiContent::Interlaced,
        _ => DndiContent::Film,
    }
}
