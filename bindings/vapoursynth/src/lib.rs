//! The VapourSynth plugin: `core.dndi.Deinterlace`, `Detelecine`, `Denoise` and `Scale`.
#![deny(unsafe_code)]

mod chunks;
mod filter;
mod format;
mod functions;
mod host;
mod options;
mod properties;
