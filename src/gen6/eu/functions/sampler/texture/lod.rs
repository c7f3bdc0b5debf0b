//! The level of detail, in 1/64 of a level (§10.5).
use super::state::{Filter, MipFilter, Sampler};
use super::surface::Surface;

/// Units of a level.
const LEVEL: i64 = 64;

/// 2^(k/32), k = 1 to 31, correctly rounded: the bit patterns of 64-bit floats.
const ROOTS: [u64; 31] = [
    0x3ff0_59b0_d315_8574,
    0x3ff0_b558_6cf9_890f,
    0x3ff1_1301_d012_5b51,
    0x3ff1_72b8_3c7d_517b,
    0x3ff1_d487_3168_b9aa,
    0x3ff2_387a_6e75_6238,
    0x3ff2_9e9d_f51f_dee1,
    0x3ff3_06fe_0a31_b715,
    0x3ff3_71a7_373a_a9cb,
    0x3ff3_dea6_4c12_3422,
    0x3ff4_4e08_6061_892d,
    0x3ff4_bfda_d536_2a27,
    0x3ff5_342b_569d_4f82,
    0x3ff5_ab07_dd48_5429,
    0x3ff6_247e_b03a_5585,
    0x3ff6_a09e_667f_3bcd,
    0x3ff7_1f75_e8ec_5f74,
    0x3ff7_a114_73eb_0187,
    0x3ff8_2589_994c_ce13,
    0x3ff8_ace5_422a_a0db,
    0x3ff9_3737_b0cd_c5e5,
    0x3ff9_c491_82a3_f090,
    0x3ffa_5503_b23e_255d,
    0x3ffa_e89f_995a_d3ad,
    0x3ffb_7f76_f2fb_5e47,
    0x3ffc_199b_dd85_529c,
    0x3ffc_b720_dcef_9069,
    0x3ffd_5818_dcfb_a487,
    0x3ffd_fc97_337b_9b5f,
    0x3ffe_a4af_a2a4_90da,
    0x3fff_5076_5b6e_4540,
];

/// The gradients of the coordinates in texels of the first level: to the right and down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Gradients {
    pub across: [f64; 3],
    pub down: [f64; 3],
}

/// The line of subpixels of the anisotropic filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// The ratio of the axes, in 1/16.
    pub ratio: i64,
    /// The direction in U and V, of length 1, or 0 without gradients.
    pub direction: [f64; 2],
}

/// A level of detail before bias and limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Base {
    pub lod: i64,
    /// The anisotropic filter's line, if the sampler has that filter.
    pub line: Option<Line>,
}

/// The levels to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Levels {
    /// Before and after the limits.
    pub unclamped: i64,
    pub clamped: i64,
    /// The first level to read.
    pub level: u32,
    /// The weight of the next level in 1/64.
    pub weight: i64,
    /// Whether the magnification filter is used.
    pub is_magnified: bool,
}

/// floor(64 · log2(sqrt(square))), -1024 to 1023.
fn logarithm(square: f64) -> i64 {
    if square.is_nan() || square <= 0.0 {
        return -1024;
    }
    if square.is_infinite() {
        return 1023;
    }
    let bits = square.to_bits();
    // Denormal numbers are below the limit anyway.
    let exponent = (bits >> 52) as i64 - 1023;
    let mantissa = bits & ((1 << 52) - 1) | 1023 << 52;
    let above = ROOTS.iter().filter(|root| **root <= mantissa).count() as i64;
    (32 * exponent + above).clamp(-1024, 1023)
}

/// The level of detail of a pixel. `is_anisotropic`: the sampler has that filter, and the message
/// and the surface do not replace it by the linear one.
pub(super) fn of_gradients(gradients: Gradients, sampler: &Sampler, is_anisotropic: bool) -> Base {
    let square = |v: [f64; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    let (xx, yy) = (square(gradients.across), square(gradients.down));
    if !is_anisotropic {
        return Base { lod: logarithm(xx.max(yy)), line: None };
    }
    let top = i64::from(sampler.max_ratio);
    let limit = (top * top) as f64;
    let (major, minor) = (xx.max(yy), xx.min(yy));
    let along = if xx >= yy { gradients.across } else { gradients.down };
    let (ratio, lod) = if minor * limit <= major {
        (16 * top, logarithm(major / limit))
    } else {
        (((16.0 * (major / minor).sqrt()).floor() as i64).clamp(16, 16 * top), logarithm(minor))
    };
    let length = major.sqrt();
    let direction = if major == 0.0 { [0.0; 2] } else { [along[0] / length, along[1] / length] };
    Base { lod, line: Some(Line { ratio, direction }) }
}

/// The levels of a level of detail: `base` without the bias of the state, `bias` of the message.
pub(super) fn levels(base: i64, bias: i64, sampler: &Sampler, surface: &Surface) -> Levels {
    let Sampler { min_lod, max_lod, .. } = *sampler;
    let count = LEVEL * i64::from(surface.last_level);
    let unclamped = (base + sampler.bias + bias).clamp(-2048, 2047);
    let (most, least) = (max_lod.min(count), min_lod.min(count));
    let lod = if sampler.preclamps { unclamped.min(max_lod).max(min_lod) } else { unclamped };
    let is_magnified = lod - sampler.base <= 0;
    let whole = |lod: i64| lod.div_euclid(LEVEL) * LEVEL;
    let within = lod.min(most).max(least);
    let clamped = match sampler.mip {
        _ if is_magnified => whole(least),
        MipFilter::None => whole(least),
        MipFilter::Nearest => whole(within + LEVEL / 2),
        MipFilter::Linear => within,
    };
    let level = (clamped / LEVEL) as u32 + surface.first_level;
    Levels { unclamped, clamped, level, weight: clamped % LEVEL, is_magnified }
}

/// The filter within a level.
pub(super) fn filter(sampler: &Sampler, is_magnified: bool) -> Filter {
    if is_magnified { sampler.mag } else { sampler.min }
}
