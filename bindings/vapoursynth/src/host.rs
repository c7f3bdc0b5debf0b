//! VapourSynth's C interface (API 4) behind safe types. This module alone has `unsafe`: the
//! interface consists of pointers to functions that take pointers.
//!
//! Two properties of the interface hold for each pointer here. VapourSynth calls the plugin with
//! valid pointers, and keeps the API table and a core until all its filters are freed. References
//! to nodes and frames are counted; each type here owns one reference and frees it once.
#![allow(unsafe_code)]

mod filter;
mod frame;
mod graph;
mod info;
mod map;
mod plugin;

pub use filter::{Filter, Request, add_filter};
pub use frame::{Frame, FrameMut, Sample};
pub use graph::{Core, Node};
pub use info::{VideoFormat, VideoInfo};
pub use map::Map;
pub use plugin::{Function, Plugin};

use std::any::Any;
use std::ffi::{CString, c_int};
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
