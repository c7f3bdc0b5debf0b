//! The messages of 4×2, 8 and 16 pixels: textures of all types, sampled, loaded or queried (§10,
//! volume 4 part 1, 2.1 to 2.7 and 2.12).
//!
//! | file | contents |
//! | --- | --- |
//! | `message` | opcodes, parameters, channel masks, response |
//! | `surface` | SURFACE_STATE, its errors |
//! | `layout` | position of levels, slices and samples in memory |
//! | `format`, `formats`, `field` | channels of texels and their values; the table of all formats |
//! | `compressed`, `srgb` | blocks of 4 × 4 texels; linear values of `_SRGB` formats |
//! | `state` | SAMPLER_STATE, its errors |
//! | `address`, `cube` | texels of a coordinate, address modes, faces of a cube |
//! | `lod` | level of detail |
//! | `texel` | a texel with address mode, chroma key and comparison |
//! | `filter` | nearest, linear, anisotropic, monochrome |
//! | `load`, `query` | `ld`, `resinfo`, `sampleinfo` |
//!
//! Integers of a limited number of bits hold coordinates and weights. Texels are `f64`. Each
//! operation on them is rounded by itself, in the order of §10, so that every processor gives the
//! same bits. Results are rounded to 32-bit floats once.
mod address;
mod compressed;
mod cube;
mod field;
mod filter;
mod format;
mod formats;
mod layout;
mod load;
mod lod;
pub(in crate::gen6::eu) mod message;
mod query;
pub(super) mod serve;
mod srgb;
mod state;
mod surface;
mod texel;
