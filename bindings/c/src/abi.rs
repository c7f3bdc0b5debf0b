//! The exported functions. This is the only file of the binding with unsafe code: it exports names,
//! and turns pointers of the caller into references.
//!
//! Each function first checks its pointers for null, and catches panics: a panic across the border
//! would be undefined behaviour.
#![allow(unsafe_code)]

use crate::handles::{self, Failure, Inspection, Layout, Output};
use crate::types::{
    DndiConverter, DndiFinding, DndiFrame, DndiFrameInfo, DndiInspector, DndiPlan, DndiPlane, DndiSettings, DndiStatus,
};
use dndi::{Format, Frame, PlaneRef, Samples};
use dndi_bindings::{Conversion, Error, Inspector, Progress, fill_plane};
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs the body of a function. An error or a panic becomes a status with a message.
fn guard(body: impl FnOnce() -> Result<DndiStatus, Failure>) -> DndiStatus {
    // After a panic the caller gets a status that permits to free handles only.
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(status)) => return status,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            Failure { status: DndiStatus::ErrorInternal, message: format!("internal error: {text}") }
        }
    };
    handles::store(&failure.message);
    failure.status
}

/// The handle that a pointer of the caller names.
///
/// # Safety
/// The pointer is null, or points to a `T` that no other call uses at the same time.
unsafe fn borrow<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Failure> {
    // SAFETY: the caller of this function guarantees it; a null pointer gives none.
    unsafe { pointer.as_mut() }.ok_or_else(|| Failure::argument(format!("{name} is a null pointer")))
}

/// The same for a handle that is only read.
///
/// # Safety
/// The pointer is null, or points to a `T` that no call changes at the same time.
unsafe fn read<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: the caller of this function guarantees it; a null pointer gives none.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::argument(format!("{name} is a null pointer")))
}

/// Writes a result of the caller, which may be uninitialized.
///
/// # Safety
/// The pointer is null, or points to memory for a `T`.
unsafe fn write<T>(to: *mut T, value: T, name: &str) -> Result<(), Failure> {
    if to.is_null() {
        return Err(Failure::argument(format!("{name} is a null pointer")));
    }
    // SAFETY: the caller of this function guarantees it.
    unsafe { to.write(value) };
    Ok(())
}

/// A text of the caller.
///
/// # Safety
/// The pointer is null, or points to bytes with a terminating zero.
unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    if pointer.is_null() {
        return Err(Failure::argument(format!("{name} is a null pointer")));
    }
    // SAFETY: the caller of this function guarantees it.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Failure::argument(format!("{name} is not UTF-8")))
}

/// Frees a handle.
///
/// # Safety
/// The pointer is null, or was made by [`own`] and not freed before.
unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // A destructor that panics leaks the rest.
        // SAFETY: the caller of this function guarantees it.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(unsafe { Box::from_raw(pointer) })));
    }
}

/// Moves a handle to the caller.
fn own<T>(handle: T) -> *mut T {
    Box::into_raw(Box::new(handle))
}

/// The planes of the caller.
///
/// # Safety
/// The pointer is null, or points to `count` planes.
unsafe fn planes<'a>(pointer: *const DndiPlane, count: usize, format: Format) -> Result<&'a [DndiPlane], Failure> {
    let needed = format.sampling.planes();
    if pointer.is_null() {
        return Err(Failure::argument("planes is a null pointer"));
    }
    if count < needed {
        return Err(Error::input(format_args!("{count} planes are given, {needed} are needed")).into());
    }
    // SAFETY: the caller of this function guarantees it; `needed` is at most `count`.
    Ok(unsafe { std::slice::from_raw_parts(pointer, needed) })
}

/// The samples of row `y` of a plane.
///
/// # Safety
/// The plane holds the rows that the layout describes.
unsafe fn row<'a>(plane: &DndiPlane, layout: Layout, y: usize) -> Samples<'a> {
    let samples = layout.row / layout.bytes_per_sample;
    // SAFETY: the row lies in the plane, and `handles::layout` checked that offsets fit.
    let start = unsafe { plane.data.cast::<u8>().add(y * layout.stride) };
    if layout.bytes_per_sample == 1 {
        // SAFETY: the caller of this function guarantees the bytes of the row.
        Samples::U8(unsafe { std::slice::from_raw_parts(start, samples) })
    } else {
        // SAFETY: as above; `handles::layout` checked that address and stride are even.
        Samples::U16(unsafe { std::slice::from_raw_parts(start.cast::<u16>(), samples) })
    }
}

/// Copies the planes of the caller into a frame.
///
/// # Safety
/// Each plane holds the rows of its size, `stride` bytes apart.
unsafe fn copy(frame: &mut Frame, planes: &[DndiPlane]) -> Result<(), Failure> {
    for (index, plane) in planes.iter().enumerate() {
        if plane.data.is_null() {
            return Err(Failure::argument(format!("plane {index} is a null pointer")));
        }
        let layout = handles::layout(frame.format(), index, plane.stride, plane.data.addr())?;
        // SAFETY: the caller of this function guarantees the rows.
        fill_plane(frame, index, |y, _| Ok(unsafe { row(plane, layout, y.min(layout.rows - 1)) }))?;
    }
    Ok(())
}

/// The version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn dndi_version() -> *const c_char {
    const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };
    VERSION.as_ptr()
}

/// The message of the last error of the calling thread, as UTF-8; empty before the first one. It is
/// valid until the next call of the thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn dndi_last_error() -> *const c_char {
    handles::with_message(CStr::as_ptr)
}

/// Makes settings for a clip of `width` x `height` luma samples, 1 to 8192 each. `sampling` is
/// "mono", "420", "411", "422" or "444", `depth` is 8 to 16 bits per sample.
///
/// # Safety
/// `sampling` is a string, `settings` points to a pointer that receives the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_settings_new(
    width: usize,
    height: usize,
    sampling: *const c_char,
    depth: u32,
    settings: *mut *mut DndiSettings,
) -> DndiStatus {
    guard(|| {
        // SAFETY: as required of the caller of this function.
        unsafe {
            write(settings, std::ptr::null_mut(), "settings")?;
            let made = handles::settings(width, height, text(sampling, "sampling")?, depth)?;
            write(settings, own(DndiSettings(made)), "settings")?;
        }
        Ok(DndiStatus::Ok)
    })
}

/// Sets an option. Names and values are those of the command line: `dndi_settings_set(settings,
/// "deinterlacer", "best")`. The README of this binding lists them.
///
/// # Safety
/// `settings` is a handle, `name` and `value` are strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_settings_set(settings: *mut DndiSettings, name: *const c_char, value: *const c_char) -> DndiStatus {
    guard(|| {
        // SAFETY: as required of the caller of this function.
        let (settings, name, value) = unsafe { (borrow(settings, "settings")?, text(name, "name")?, text(value, "value")?) };
        settings.0.set(name, value)?;
        Ok(DndiStatus::Ok)
    })
}

/// Frees settings. Converters and inspectors made with them are not affected. Null is ignored.
///
/// # Safety
/// `settings` is null or a handle, which is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_settings_free(settings: *mut DndiSettings) {
    // SAFETY: as required of the caller of this function.
    unsafe { free(settings) }
}

/// Starts a conversion. It copies the settings.
///
/// # Safety
/// `settings` is a handle, `converter` points to a pointer that receives the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_converter_new(settings: *const DndiSettings, converter: *mut *mut DndiConverter) -> DndiStatus {
    guard(|| {
        // SAFETY: as required of the caller of this function.
        unsafe {
            write(converter, std::ptr::null_mut(), "converter")?;
            let made = Conversion::new(&read(settings, "settings")?.0)?;
            write(converter, own(DndiConverter(made)), "converter")?;
        }
        Ok(DndiStatus::Ok)
    })
}

/// Copies the next frame of the clip: `count` planes, one for mono, else luma, Cb and Cr. `flags`
/// are `DNDI_FRAME_...` bits. The outputs of the frame carry `user_data`. Pull all outputs after
/// each push, so that few frames wait.
///
/// # Safety
/// `converter` is a handle. `planes` points to `count` planes, each of which holds its rows,
/// `stride` bytes apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_converter_push(
    converter: *mut DndiConverter,
    planes: *const DndiPlane,
    count: usize,
    flags: u32,
    user_data: u64,
) -> DndiStatus {
    guard(|| {
        // SAFETY: as required of the caller of this function.
        let converter = unsafe { &mut borrow(converter, "converter")?.0 };
        // SAFETY: as required of the caller of this function.
        let planes = unsafe { self::planes(planes, count, converter.format())? };
        let mut frame = converter.input()?;
        // SAFETY: as required of the caller of this function.
        unsafe { copy(&mut frame, planes)? };
        converter.push(frame, handles::flags(flags), handles::user_data(user_data))?;
        Ok(DndiStatus::Ok)
    })
}

/// Ends the clip: all remaining outputs can be pulled.
///
/// # Safety
/// `converter` is a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_converter_finish(converter: *mut DndiConverter) -> DndiStatus {
    guard(|| {
        // SAFETY: as required of the caller of this function.
        unsafe { borrow(converter, "converter")? }.0.finish();
        Ok(DndiStatus::Ok)
    })
}

/// Gets the properties of the outputs: `DNDI_STATUS_AGAIN` until the look-ahead of the first frame
/// was pushed or the clip was finished.
///
/// # Safety
/// `converter` is a handle, `plan` points to a struct that receives the properties.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_converter_plan(converter: *mut DndiConverter, plan: *mut DndiPlan) -> DndiStatus {
    guard(|| {
        // SAFETY: as required of the caller of this function.
        let converter = unsafe { borrow(converter, "converter")? };
        let Some(clip) = converter.0.plan()? else { return Ok(DndiStatus::Again) };
        // SAFETY: as above.
        unsafe { write(plan, handles::plan(&clip), "plan")? };
        Ok(DndiStatus::Ok)
    })
}

/// Pulls the next output: `DNDI_STATUS_AGAIN` if more frames are needed, `DNDI_STATUS_END` after
/// the last output. The caller frees the frame with `dndi_converter_recycle` or `dndi_frame_free`.
///
/// # Safety
/// `converter` is a handle, `frame` points to a pointer that receives the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_converter_pull(converter: *mut DndiConverter, frame: *mut *mut DndiFrame) -> DndiStatus {
    guard(|| {
        // SAFETY: as required of the caller of this function.
        let converter = unsafe {
            write(frame, std::ptr::null_mut(), "frame")?;
            borrow(converter, "converter")?
        };
        match converter.0.pull()? {
            Progress::Output(output) => {
                // SAFETY: as above.
                unsafe { write(frame, own(DndiFrame(Output(output))), "frame")? };
                Ok(DndiStatus::Ok)
            }
            Progress::NeedsInput => Ok(DndiStatus::Again),
            Progress::End => Ok(DndiStatus::End),
        }
    })
}

/// Frees a frame and keeps its memory for a later output of the converter. Null is ignored.
///
/// # Safety
/// `converter` is a handle; `frame` is null or a handle, which is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_converter_recycle(converter: *mut DndiConverter, frame: *mut DndiFrame) -> DndiStatus {
    guard(|| {
        // SAFETY: as required of the caller of this function.
        let converter = unsafe { borrow(converter, "converter")? };
        if !frame.is_null() {
            // SAFETY: the frame was made by `own`, and the caller does not use it any more.
            let frame = unsafe { Box::from_raw(frame) };
            converter.0.recycle(frame.0.into_frame());
        }
        Ok(DndiStatus::Ok)
    })
}

/// Frees a converter. Its frames remain valid. Null is ignored.
///
/// # Safety
/// `converter` is null or a handle, which is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_converter_free(converter: *mut DndiConverter) {
    // SAFETY: as required of the caller of this function.
    unsafe { free(converter) }
}

/// Gets the properties and the planes of a frame. The planes are valid until the frame is freed.
///
/// # Safety
/// `frame` is a handle, `info` points to a struct that receives the properties.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_frame_info(frame: *const DndiFrame, info: *mut DndiFrameInfo) -> DndiStatus {
    guard(|| {
        // SAFETY: as required of the caller of this function.
        unsafe { write(info, read(frame, "frame")?.0.info(), "info")? };
        Ok(DndiStatus::Ok)
    })
}

/// Frees a frame. Null is ignored.
///
/// # Safety
/// `frame` is null or a handle, which is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_frame_free(frame: *mut DndiFrame) {
    // SAFETY: as required of the caller of this function.
    unsafe { free(frame) }
}

/// Starts an inspection: it finds content, field order and pulldown pattern of a clip. Of the
/// options only `interlacing`, `film` and `threads` have an effect.
///
/// # Safety
/// `settings` is a handle, `inspector` points to a pointer that receives the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_inspector_new(settings: *const DndiSettings, inspector: *mut *mut DndiInspector) -> DndiStatus {
    guard(|| {
        // SAFETY: as required of the caller of this function.
        unsafe {
            write(inspector, std::ptr::null_mut(), "inspector")?;
            let settings = &read(settings, "settings")?.0;
            let made = Inspection { inspector: Inspector::new(settings)?, format: settings.format(), finished: false };
            write(inspector, own(DndiInspector(made)), "inspector")?;
        }
        Ok(DndiStatus::Ok)
    })
}

/// Analyses the luma of the next frame. `flags` are `DNDI_FRAME_...` bits.
///
/// # Safety
/// `inspector` is a handle, `luma` points to a plane that holds its rows, `stride` bytes apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_inspector_push(inspector: *mut DndiInspector, luma: *const DndiPlane, flags: u32) -> DndiStatus {
    guard(|| {
        // SAFETY: as required of the caller of this function.
        let (inspector, luma) = unsafe { (borrow(inspector, "inspector")?, read(luma, "luma")?) };
        if luma.data.is_null() {
            return Err(Failure::argument("luma is a null pointer"));
        }
        let Inspection { inspector, format, .. } = &mut inspector.0;
        let layout = handles::layout(*format, 0, luma.stride, luma.data.addr())?;
        // The last row ends with its last sample.
        let whole = Layout { row: layout.stride * (layout.rows - 1) + layout.row, rows: 1, ..layout };
        // SAFETY: as required of the caller of this function.
        let samples = unsafe { row(luma, whole, 0) };
        let plane = PlaneRef { samples, stride: layout.stride / layout.bytes_per_sample };
        inspector.push(plane, handles::flags(flags))?;
        Ok(DndiStatus::Ok)
    })
}

/// Ends the clip: all remaining decisions can be pulled.
///
/// # Safety
/// `inspector` is a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_inspector_finish(inspector: *mut DndiInspector) -> DndiStatus {
    guard(|| {
        // SAFETY: as required of the caller of this function.
        let Inspection { inspector, finished, .. } = unsafe { &mut borrow(inspector, "inspector")?.0 };
        inspector.finish();
        *finished = true;
        Ok(DndiStatus::Ok)
    })
}

/// Pulls the decision about the next frame: `DNDI_STATUS_AGAIN` if more frames are needed,
/// `DNDI_STATUS_END` after the last frame.
///
/// # Safety
/// `inspector` is a handle, `finding` points to a struct that receives the decision.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_inspector_pull(inspector: *mut DndiInspector, finding: *mut DndiFinding) -> DndiStatus {
    guard(|| {
        // SAFETY: as required of the caller of this function.
        let Inspection { inspector, finished, .. } = unsafe { &mut borrow(inspector, "inspector")?.0 };
        match inspector.pull() {
            Some(found) => {
                // SAFETY: as above.
                unsafe { write(finding, handles::finding(&found), "finding")? };
                Ok(DndiStatus::Ok)
            }
            None => Ok(if *finished { DndiStatus::End } else { DndiStatus::Again }),
        }
    })
}

/// Gets the most frequent kind among the frames whose decisions were pulled, and its frames in all:
/// `DNDI_STATUS_AGAIN` without a frame.
///
/// # Safety
/// `inspector` is a handle, `finding` points to a struct that receives the kind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_inspector_measured(inspector: *mut DndiInspector, finding: *mut DndiFinding) -> DndiStatus {
    guard(|| {
        // SAFETY: as required of the caller of this function.
        let inspection = unsafe { &mut borrow(inspector, "inspector")?.0 };
        let Some(found) = inspection.inspector.measured() else { return Ok(DndiStatus::Again) };
        // SAFETY: as above.
        unsafe { write(finding, handles::finding(&found), "finding")? };
        Ok(DndiStatus::Ok)
    })
}

/// Frees an inspector. Null is ignored.
///
/// # Safety
/// `inspector` is null or a handle, which is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dndi_inspector_free(inspector: *mut DndiInspector) {
    // SAFETY: as required of the caller of this function.
    unsafe { free(inspector) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status() {
        let texts: [fn(); 2] = [|| panic!("constant"), || panic!("{} {}", "formatted", 7)];
        for (panics, message) in texts.into_iter().zip(["internal error: constant", "internal error: formatted 7"]) {
            let status = guard(|| {
                panics();
                Ok(DndiStatus::Ok)
            });
            assert_eq!(status, DndiStatus::ErrorInternal);
            handles::with_message(|text| assert_eq!(text.to_str(), Ok(message)));
        }
    }
}
