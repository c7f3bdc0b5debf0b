//! Pixel kernels of [`dndi`](https://docs.rs/dndi), written once for all instruction sets.
//!
//! This crate is internal to `dndi`. It follows no semantic versioning: any release may change any
//! item. `dndi` pins the exact version.
//!
//! Kernels process rows and blocks of samples; they know nothing of frames. Each kernel has its own
//! file with three functions. `scalar` is the plain form of the specification. `vector` computes
//! the same values with the vector operations of `isa`. `check` checks the lengths of the slices.
//! `motion_search`, `least_cost`, `columns`, `stmm_blend`, `polyphase` and `skin` hold code that
//! kernels share. [`Kernels`] is the table of function pointers of one instruction set
//! ([`SimdLevel`]) and the only dispatch. Section numbers (§) refer to `docs/specification` in the
//! repository of `dndi`.
//!
//! A kernel never reads or writes outside the given slices. If a slice is shorter than the kernel
//! requires, or a parameter has a value that the kernel cannot compute with, the kernel panics
//! before it writes anything, at every level. Slices may be longer; the first output determines the
//! number of samples, unless the kernel says otherwise. If a sample is outside its documented
//! range, the result is unspecified.
//!
//! With the feature `huge-pages` the crate also has the allocator of the command, `HugePages`.

#[cfg(feature = "huge-pages")]
mod huge_pages;
mod isa;
mod level;
#[macro_use]
mod table;

mod agreed_mean;
mod amplify_chroma;
mod amplify_chroma_samples;
mod amplify_luma;
mod amplify_luma_samples;
mod angle;
mod around;
mod average;
mod average_up;
mod bayer_colors;
mod bayer_green;
mod bayer_levels;
mod blend;
mod block_sads;
mod bwdif;
mod catmull_rom;
mod cell_changes;
mod cell_sums;
mod chroma_across;
mod chroma_angle;
mod chroma_blend;
mod chroma_mix;
mod chroma_reduce;
mod color_depth;
mod columns;
mod combination_filter;
mod compensate;
mod compensated;
mod compress_gamut;
mod contract;
mod contrast;
mod contrast_pieces;
mod convert;
mod convert_chroma_samples;
mod convert_luma_samples;
mod convolve;
mod correct;
mod cubic;
mod deflicker;
mod denoise;
mod denoise5;
mod detail_filter;
mod differences;
mod dilate;
mod distance;
mod downsample4;
mod edge_search;
mod erode;
mod expand_pairs;
mod extent;
mod field_costs;
mod field_lines;
mod field_metrics;
mod filter;
mod filter_to_samples;
mod fmd;
mod fuse;
mod fusion_choice;
mod gamut_weight;
mod halve;
mod hot_pixel;
mod interpolate;
mod join_blocks;
mod lace;
mod least_cost;
mod limit;
mod match_cost;
mod max3;
mod median3;
mod mirror;
mod mixed_levels;
mod motion_history;
mod motion_search;
mod narrow;
mod narrow_wide;
mod network;
mod noise;
mod pack;
mod pack_420;
mod pack_422;
mod pack_bits;
mod polyphase;
mod quarter;
mod quarter_sads;
mod residual_costs;
mod sample;
mod sharpness;
mod shrink_blocks;
mod skin;
mod skin_enhance;
mod skin_factor;
mod smooth;
mod smooth3;
mod spread;
mod steady_detail;
mod still_lines;
mod stmm;
mod stmm_blend;
mod tears;
mod temporal_difference;
mod temporal_search;
mod top_byte;
mod total_color;
mod transpose;
mod unpack;
mod unpack_bits;
mod unpack_pairs;
mod upsample;
mod weighted_mean;
mod wide_blend;
mod wide_curve;
mod wide_mix;
mod widen;
mod window_tap;

pub use angle::AngleThresholds;
pub use bayer_levels::BayerLevel;
pub use bwdif::BwdifValues;
pub use catmull_rom::QuarterBlock;
pub use cell_changes::CELL;
pub use color_depth::color_bits;
pub use combination_filter::Combination;
pub use compensate::{Compensate, CompensateRows};
pub use compress_gamut::{CompressionMethod, GamutCompression, HUES};
pub use contrast::DEEP;
pub use contrast_pieces::CurvePiece;
pub use convert::Conversion;
pub use convolve::{Convolution, Weight};
pub use denoise::DenoiseThresholds;
pub use denoise5::Denoise5;
pub use detail_filter::{Detail, ENHANCE_APRON};
pub use edge_search::best_angle;
pub use field_lines::FieldLines;
pub use field_metrics::Tile;
pub use fmd::{FmdRows, FmdSums, FmdThresholds};
pub use fuse::Fusion;
pub use fusion_choice::FUSION_INPUTS;
pub use gamut_weight::GamutWeight;
#[cfg(feature = "huge-pages")]
pub use huge_pages::HugePages;
pub use lace::{Lace, LaceCurves};
pub use level::{SimdLevel, SimdLevelError};
pub use motion_history::MotionHistoryThresholds;
pub use network::Network;
pub use pack_bits::BIT_BLOCK;
pub use polyphase::{Alpha, Lines, Polyphase, Tap, unit_depth};
pub use quarter_sads::QuarterPosition;
pub use sample::Sample;
pub use sharpness::Sharpness;
pub use skin::SkinPlane;
pub use skin_enhance::{SkinCurve, SkinEnhance};
pub use skin_factor::{SkinFactor, SkinVy};
pub use stmm::Stmm;
pub use stmm_blend::StmmBlend;
pub use table::{Kernels, SampleKernels};
pub use temporal_search::best_motion;
pub use total_color::TotalColor;
pub use wide_curve::WIDE;
pub use wide_mix::WideMix;
pub use window_tap::WindowTap;

/// Readable samples on both sides of a [`Row`].
pub const APRON: usize = 16;

/// A row of samples with its surroundings: sample x is at `[APRON + x]`, and [`APRON`] more samples
/// follow the last one. Kernels that process pairs need `2 * pairs + 2 * APRON` samples, even if
/// the last pair extends past the picture.
pub type Row<'a, S = u8> = &'a [S];

/// Signed horizontal offsets of the nine angles N11, N18, N27, N45, 90, P45, P27, P18, P11 (§3.3).
/// Rows of angles hold indices into this table.
pub const OFFSETS: [i8; 9] = [-5, -3, -2, -1, 0, 1, 2, 3, 5];

/// Index of the vertical (90 degrees) in [`OFFSETS`].
pub const VERTICAL: u8 = 4;

/// The offset of an angle; that of the vertical beyond the table.
fn offset(angle: u8) -> isize {
    OFFSETS.get(usize::from(angle)).map_or(0, |&offset| offset.into())
}
