//! Skin tone detection and enhancement (§6.1, §6.2): the input of the kernels.
use super::ColorParameters;
use dndi_simd::{SkinCurve, SkinEnhance, SkinFactor, SkinPlane, SkinVy};

/// Index of the last of `points` that is not above `value`. Points need not ascend.
pub(super) fn last_not_above(points: &[i32], value: i32) -> Option<usize> {
    points.iter().rposition(|&point| point <= value)
}

/// The rotation and the size of the rectangle of skin colours.
fn plane(p: &ColorParameters) -> SkinPlane {
    let quarters = |v: u8| 4 * i16::from(v);
    SkinPlane {
        mid: [quarters(p.u_mid), quarters(p.v_mid)],
        cos: p.cos.into(),
        sin: p.sin.into(),
        sat_max: quarters(p.sat_max),
        hue_max: quarters(p.hue_max),
    }
}

/// The input of skin tone detection.
pub(super) fn factor(p: &ColorParameters) -> SkinFactor {
    SkinFactor {
        plane: plane(p),
        hs_margin: p.hs_margin,
        diamond: [p.diamond_du, p.diamond_dv].map(|v| 4 * i16::from(v)),
        diamond_alpha: p.diamond_alpha,
        diamond_th: 4 * i16::from(p.diamond_th),
        diamond_margin: p.diamond_margin,
        luma: std::array::from_fn(|y8| membership(p, y8 as i32) as u8),
        vy: p.vy_std_enable.then(|| classifier(p)),
    }
}

/// Membership 0…31 of an 8-bit luma in the range of skin.
fn membership(p: &ColorParameters, y: i32) -> i32 {
    let [y_point_1, y_point_2, y_point_3, y_point_4] = [p.y_point_1, p.y_point_2, p.y_point_3, p.y_point_4].map(i32::from);
    let (y_slope_1, y_slope_2) = (i32::from(p.y_slope_1), i32::from(p.y_slope_2));
    let factor = if y_point_1 <= y && y < y_point_2 {
        ((y - y_point_1) * y_slope_1) >> 3
    } else if y_point_2 <= y && y < y_point_3 {
        31
    } else if y_point_3 <= y && y < y_point_4 {
        ((y_point_4 - y) * y_slope_2) >> 3
    } else {
        0
    };
    factor.clamp(0, 31)
}

/// The curves of V by luma between which skin lies.
fn classifier(p: &ColorParameters) -> SkinVy {
    let lower = ([p.p0l, p.p1l, p.p2l, p.p3l], [p.b0l, p.b1l, p.b2l, p.b3l], [p.s0l, p.s1l, p.s2l, p.s3l]);
    let upper = ([p.p0u, p.p1u, p.p2u, p.p3u], [p.b0u, p.b1u, p.b2u, p.b3u], [p.s0u, p.s1u, p.s2u, p.s3u]);
    let line = |(points, values, slopes): ([u8; 4], [u8; 4], [i16; 4]), outside: i16| {
        let (points, values, slopes) = (points.map(i32::from), values.map(i32::from), slopes.map(i32::from));
        std::array::from_fn(|y8| {
            let y = y8 as i32;
            match last_not_above(&points, y) {
                Some(i) if y >= points[0] => (values[i] + ((slopes[i] * (y - points[i])) >> 8)) as i16,
                _ => outside,
            }
        })
    };
    // Outside its luma range the lower curve is above and the upper one below all of V: no pixel
    // lies between them.
    SkinVy { lines: [line(lower, 4096), line(upper, -4096)], inverse: [p.inv_margin_vyl, p.inv_margin_vyu] }
}

/// The input of skin tone enhancement.
pub(super) fn enhance(p: &ColorParameters) -> SkinEnhance {
    let curve = |max: u8, points: [i8; 3], values: [i16; 3], slopes: [u16; 4]| SkinCurve {
        points: [-4 * i16::from(max), 4 * i16::from(points[0]), 4 * i16::from(points[1]), 4 * i16::from(points[2])],
        values: [-4 * i16::from(max), values[0], values[1], values[2]],
        slopes,
    };
    let bright = [
        curve(p.sat_max, [p.satp1, p.satp2, p.satp3], [p.satb1, p.satb2, p.satb3], [p.sats0, p.sats1, p.sats2, p.sats3]),
        curve(p.hue_max, [p.huep1, p.huep2, p.huep3], [p.hueb1, p.hueb2, p.hueb3], [p.hues0, p.hues1, p.hues2, p.hues3]),
    ];
    let dark = || {
        [
            curve(
                p.sat_max,
                [p.satp1_dark, p.satp2_dark, p.satp3_dark],
                [p.satb1_dark, p.satb2_dark, p.satb3_dark],
                [p.sats0_dark, p.sats1_dark, p.sats2_dark, p.sats3_dark],
            ),
            curve(
                p.hue_max,
                [p.huep1_dark, p.huep2_dark, p.huep3_dark],
                [p.hueb1_dark, p.hueb2_dark, p.hueb3_dark],
                [p.hues0_dark, p.hues1_dark, p.hues2_dark, p.hues3_dark],
            ),
        ]
    };
    let darkness = |y8: usize| {
        let below = i32::from(p.skin_types_thresh) + i32::from(p.skin_types_margin) - y8 as i32;
        ((below * i32::from(p.inv_skin_types_margin)) >> 8).clamp(0, 256) as u16
    };
    SkinEnhance { plane: plane(p), bright, dark: p.skin_types_enable.then(|| (dark(), Box::new(std::array::from_fn(darkness)))) }
}
