//! Saturation by colour (total colour control, TCC, §6.4): the input of the kernel.
use super::ColorParameters;
use dndi_simd::TotalColor;

/// The fields of the parameters.
pub(super) fn total(p: &ColorParameters) -> TotalColor {
    TotalColor {
        base_color: [p.base_color_1, p.base_color_2, p.base_color_3, p.base_color_4, p.base_color_5, p.base_color_6]
            .map(i32::from),
        sat_factor: [p.sat_factor_1, p.sat_factor_2, p.sat_factor_3, p.sat_factor_4, p.sat_factor_5, p.sat_factor_6]
            .map(i32::from),
        slope: [
            p.color_transit_slope_12,
            p.color_transit_slope_23,
            p.color_transit_slope_34,
            p.color_transit_slope_45,
            p.color_transit_slope_56,
            p.color_transit_slope_61,
        ]
        .map(i32::from),
        bias: [p.color_bias_1, p.color_bias_2, p.color_bias_3, p.color_bias_4, p.color_bias_5, p.color_bias_6].map(i32::from),
        uv_max_color: p.uv_max_color.into(),
        inv_uv_max_color: p.inv_uv_max_color.into(),
        uv_threshold: p.uv_threshold.into(),
        uv_threshold_bits: p.uv_threshold_bits.into(),
        ste_threshold: p.ste_threshold.into(),
        ste_slope_bits: p.ste_slope_bits.into(),
    }
}
