//! Pixel kernels of dndi. They know rows, not frames.
//!
//! Every operation has a file of its own with `scalar`, the specification written plainly, beside `vector`, the same over the
//! vector operations of `isa`; `search`, `mix`, `polyphase` and `skin` are parts that kernels share or are made of. [`Kernels`] is the table of
//! function pointers of one instruction set ([`SimdLevel`]); it is the only dispatch. Section numbers (§) are those of
//! `docs/specification`.
//!
//! A kernel asserts the lengths it needs and panics where the caller broke the contract; it never reads or writes outside the
//! slices it was given.

mod isa;
mod level;
#[macro_use]
mod table;

mod amplify_chroma;
mod amplify_chroma_bytes;
mod amplify_luma;
mod amplify_luma_bytes;
mod angle;
mod average;
mod blend;
mod chroma_angle;
mod chroma_blend;
mod combination_filter;
mod compensate;
mod contrast;
mod convert;
mod convert_chroma_bytes;
mod convert_luma_bytes;
mod denoise;
mod detail_filter;
mod downsample4;
mod expand_pairs;
mod field_metrics;
mod filter_bytes;
mod filter_to_bytes;
mod filter_words;
mod fmd;
mod interpolate;
mod max3;
mod median3;
mod motion_history;
mod motion_search;
mod narrow;
mod noise;
mod pack;
mod pack_420;
mod pack_422;
mod polyphase;
mod sharpness;
mod skin;
mod skin_enhance;
mod skin_factor;
mod stmm;
mod stmm_blend;
mod tears;
mod temporal_difference;
mod total_color;
mod transpose_bytes;
mod transpose_words;
mod unpack;
mod unpack_pairs;
mod upsample;

pub use angle::AngleThresholds;
pub use combination_filter::Combination;
pub use compensate::{Compensate, CompensateRows};
pub use contrast::DEEP;
pub use convert::Conversion;
pub use denoise::DenoiseThresholds;
pub use detail_filter::{Detail, ENHANCE_APRON};
pub use field_metrics::Tile;
pub use fmd::{FmdRows, FmdSums, FmdThresholds};
pub use level::{SimdLevel, SimdLevelError};
pub use motion_history::MotionHistoryThresholds;
pub use polyphase::{Alpha, Lines, Polyphase, Tap};
pub use sharpness::Sharpness;
pub use skin::SkinPlane;
pub use skin_enhance::{SkinCurve, SkinEnhance};
pub use skin_factor::{SkinFactor, SkinVy};
pub use stmm::Stmm;
pub use stmm_blend::StmmBlend;
pub use table::Kernels;
pub use total_color::{TotalColor, TotalColorFields};

/// Readable samples on both sides of a [`Row`].
pub const APRON: usize = 16;

/// A row of samples with its surroundings: sample x of the operation stands at `[APRON + x]`, and [`APRON`] more samples follow the
/// last one. Kernels that work on pairs need `2 * pairs + 2 * APRON` samples, also where the last pair sticks out of the picture.
pub type Row<'a> = &'a [u8];

/// Signed horizontal offsets of the nine angles N11, N18, N27, N45, 90, P45, P27, P18, P11 (§3.3). Rows of angles hold indices into it.
pub const OFFSETS: [i8; 9] = [-5, -3, -2, -1, 0, 1, 2, 3, 5];

/// Index of the vertical (90 degrees) in [`OFFSETS`].
pub const VERTICAL: u8 = 4;
