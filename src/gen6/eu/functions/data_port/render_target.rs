//! Render target write: colours of pixels, converted to the format of a surface (§11.6, volume 4
//! part 1, 3.9.9). Blending, depth, stencil, alpha test and logic operations are off: they need
//! states of the pipeline that the documents here do not describe.
mod format;
mod payload;
mod place;
pub(super) mod serve;
