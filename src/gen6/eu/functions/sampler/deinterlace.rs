//! The message `deinterlace`: denoises and deinterlaces a block (§7.3, volume 4 part 1,
//! 2.12.2.5.2).
//!
//! It reads these surfaces, from the binding table index of its descriptor on:
//!
//! | entry | surface |
//! | --- | --- |
//! | 0 | current frame |
//! | 1 | previous frame before denoising: for chroma, and for luma with denoising off |
//! | 2 | denoised luma of the previous frame; only with denoising on |
//! | 3 | motion measures and denoise histories of the previous step |
//!
//! On the first frame of a stream it reads entry 0 only. All inputs are in these surfaces and in
//! the state.
mod block;
mod response;
pub(super) mod scratch;
pub(super) mod serve;
mod stages;
mod sums;
mod surfaces;
mod window;
