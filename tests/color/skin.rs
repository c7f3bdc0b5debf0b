//! Skin tone detection: the factor, as the output control shows it, against real arithmetic and
//! without jumps; and its effect on other stages.

use crate::content::Random;
use crate::{Job, swatches};
use approx::assert_abs_diff_eq;
use dndi::{ColorParameters, Format, Frame, Sampling};

/// The factor of each pixel, from a stream that outputs the decisions of the detector.
fn factors(parameters: &ColorParameters, pixels: &[[u8; 3]]) -> Vec<i32> {
    let decisions = parameters.clone().std_enable(true).output_control(true).ace_enable(false);
    let factor = |[y, u, v]: [u8; 3]| {
        assert_eq!((y % 8, u, v), (0, 128, 128));
        i32::from(y / 8)
    };
    swatches(&decisions, pixels).into_iter().map(factor).collect()
}

/// Plausible settings of the detector: any rotation, narrow and wide areas, and luma ramps that
/// meet the maximum.
fn settings(seed: u64) -> ColorParameters {
    let random = &mut Random::new(seed);
    let rotation = f64::from(random.within(0..=359)).to_radians();
    let mut p = ColorParameters::default()
        .u_mid(random.within(80..=160) as u8)
        .v_mid(random.within(80..=160) as u8)
        .cos((127.0 * rotation.cos()).round() as i8)
        .sin((127.0 * rotation.sin()).round() as i8)
        .sat_max(random.within(5..=63) as u8)
        .hue_max(random.within(5..=63) as u8)
        .hs_margin(random.within(0..=7) as u8)
        .diamond_du(random.within(-10..=10) as i8)
        .diamond_dv(random.within(-10..=10) as i8)
        .diamond_alpha(random.within(0..=255) as u8)
        .diamond_th(random.within(10..=63) as u8)
        .diamond_margin(random.within(0..=7) as u8)
        .vy_std_enable(random.once_in(2));
    (p.y_slope_1, p.y_slope_2) = (random.within(3..=31) as u8, random.within(3..=31) as u8);
    let ramp = |slope: u8| (31 * 8_u8).div_ceil(slope);
    p.y_point_1 = random.within(0..=40) as u8;
    p.y_point_2 = p.y_point_1 + ramp(p.y_slope_1);
    p.y_point_4 = random.within(210..=255) as u8;
    p.y_point_3 = p.y_point_4 - ramp(p.y_slope_2);
    p
}

/// Saturation and hue in quarters of an 8-bit step.
fn rotated(p: &ColorParameters, [_, u, v]: [u8; 3]) -> (f64, f64) {
    let [u, v] = [f64::from(u) - f64::from(p.u_mid), f64::from(v) - f64::from(p.v_mid)];
    let [cos, sin] = [p.cos, p.sin].map(|v| f64::from(v) / 128.0);
    (-4.0 * (u * cos - v * sin), -4.0 * (u * sin + v * cos))
}

/// A membership function: its value and the tolerance of the integers. The slope multiplies the
/// truncation errors before it.
type Membership = (f64, f64);

fn rectangle(p: &ColorParameters, (sat, hue): (f64, f64)) -> Membership {
    let slope = 8.0 / f64::from(1 << p.hs_margin);
    let inside = (4.0 * f64::from(p.sat_max) - sat.abs()).min(4.0 * f64::from(p.hue_max) - hue.abs());
    ((slope * inside).clamp(0.0, 31.0), 0.5 * slope + 1.0)
}

fn rhombus(p: &ColorParameters, (sat, hue): (f64, f64)) -> Membership {
    let (slope, alpha) = (8.0 / f64::from(1 << p.diamond_margin), f64::from(p.diamond_alpha) / 64.0);
    let dist = (sat - 4.0 * f64::from(p.diamond_du)).abs() + alpha * (hue - 4.0 * f64::from(p.diamond_dv)).abs();
    ((slope * (4.0 * f64::from(p.diamond_th) - dist)).clamp(0.0, 31.0), slope * (0.5 + 0.5 * alpha + 1.0) + 1.0)
}

fn luma(p: &ColorParameters, y: i32) -> Membership {
    let [first, last, slope_1, slope_2] = [p.y_point_1, p.y_point_4, p.y_slope_1, p.y_slope_2].map(i32::from);
    let rising = f64::from((y - first) * slope_1) / 8.0;
    let falling = f64::from((last - y) * slope_2) / 8.0;
    (rising.min(falling).clamp(0.0, 31.0), 1.0)
}

fn between_curves(p: &ColorParameters, y: i32, v: i32) -> Membership {
    if !p.vy_std_enable {
        return (31.0, 0.0);
    }
    let curve = |points: [(u8, u8, i16); 4]| {
        let points = points.map(|(point, bias, slope)| (i32::from(point), i32::from(bias), i32::from(slope)));
        let &(point, bias, slope) = points.iter().rfind(|(point, ..)| *point <= y)?;
        Some(f64::from(bias) + f64::from(slope * (y - point)) / 256.0)
    };
    let lower = [(p.p0l, p.b0l, p.s0l), (p.p1l, p.b1l, p.s1l), (p.p2l, p.b2l, p.s2l), (p.p3l, p.b3l, p.s3l)];
    let upper = [(p.p0u, p.b0u, p.s0u), (p.p1u, p.b1u, p.s1u), (p.p2u, p.b2u, p.s2u), (p.p3u, p.b3u, p.s3u)];
    let (Some(lower), Some(upper)) = (curve(lower), curve(upper)) else { return (0.0, 0.0) };
    let slopes = [p.inv_margin_vyl, p.inv_margin_vyu].map(|slope| f64::from(slope) / 2048.0);
    let above = (slopes[0] * (f64::from(v) - lower)).clamp(0.0, 31.0);
    let below = (slopes[1] * (upper - f64::from(v))).clamp(0.0, 31.0);
    (above.min(below), slopes[0].max(slopes[1]) + 1.0)
}

/// Pixels near the centre of the skin colours, and some anywhere.
fn pixels(p: &ColorParameters, seed: u64) -> Vec<[u8; 3]> {
    let random = &mut Random::new(seed);
    let pixel = |_| {
        let spread = random.pick(&[10, 40, 120]);
        let mut around = |centre: u8| (i32::from(centre) + random.within(-spread..=spread)).clamp(0, 255) as u8;
        let chroma = [around(p.u_mid), around(p.v_mid)];
        [random.within(0..=255) as u8, chroma[0], chroma[1]]
    };
    (0..3000).map(pixel).collect()
}

#[test]
fn the_factor_is_the_least_membership() {
    let mut seen = [0; 32];
    for seed in 0..40 {
        let p = settings(seed);
        let pixels = pixels(&p, seed);
        for (&pixel, factor) in pixels.iter().zip(factors(&p, &pixels)) {
            let position = rotated(&p, pixel);
            let [y, _, v] = pixel.map(i32::from);
            let memberships = [rectangle(&p, position), rhombus(&p, position), luma(&p, y), between_curves(&p, y, v)];
            let least = memberships.iter().map(|m| m.0).fold(31.0, f64::min);
            let tolerance = memberships.iter().map(|m| m.1).fold(0.0, f64::max);
            assert!(
                (f64::from(factor) - least).abs() <= tolerance,
                "{pixel:?}: {factor} instead of {least} within {tolerance}; {p:?}"
            );
            seen[factor as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

/// From one pixel to the next in U, V or Y the factor changes by no more than the slopes of the
/// memberships allow.
#[test]
fn the_factor_does_not_jump() {
    let mut changes = 0;
    for seed in 0..40 {
        let mut p = settings(seed);
        // Curves without steps, unlike the default ones: each segment starts at the end of the one
        // before it.
        (p.b1l, p.b2l, p.b3l) = (129, 129, 129);
        (p.s0u, p.s1u, p.s2u, p.s3u) = (0, 0, 0, 0);
        (p.b0u, p.b1u, p.b2u, p.b3u) = (180, 180, 180, 180);
        // Luma must exclude skin at the first point of the curves.
        (p.p0l, p.p0u) = (p.y_point_1, p.y_point_1);
        (p.b0l, p.s0l) = (129, 0);
        let [cos, sin] = [p.cos, p.sin].map(|v| f64::from(v).abs() / 32.0);
        let (rect, diamond) = (8.0 / f64::from(1 << p.hs_margin), 8.0 / f64::from(1 << p.diamond_margin));
        let alpha = f64::from(p.diamond_alpha) / 64.0;
        let curves = if p.vy_std_enable { f64::from(p.inv_margin_vyl.max(p.inv_margin_vyu)) / 2048.0 } else { 0.0 };
        // Change of a membership for a step of saturation and hue. Each is truncated, and so is the
        // distance of the rhombus.
        let of_rotated = |sat: f64, hue: f64| {
            let (sat, hue) = (sat + 1.0, hue + 1.0);
            (rect * sat.max(hue)).max(diamond * (sat + alpha * hue + 1.0))
        };
        let of_u = of_rotated(cos, sin) + 1.0;
        let of_v = of_rotated(sin, cos).max(curves) + 1.0;
        let of_y = f64::from(p.y_slope_1.max(p.y_slope_2)) / 8.0 + 1.0;
        let pixels = pixels(&p, seed);
        let beside = |component: usize| -> Vec<[u8; 3]> {
            let next = |mut pixel: [u8; 3]| {
                pixel[component] = pixel[component].saturating_add(1);
                pixel
            };
            pixels.iter().copied().map(next).collect()
        };
        let here = factors(&p, &pixels);
        for (component, most) in [(0, of_y), (1, of_u), (2, of_v)] {
            for ((pixel, here), there) in pixels.iter().zip(&here).zip(factors(&p, &beside(component))) {
                let jump = f64::from((here - there).abs());
                assert!(jump <= most, "{pixel:?}, component {component}: {here} beside {there}, at most {most}; {p:?}");
                changes += usize::from(jump > 0.0);
            }
        }
    }
    assert!(changes > 3000, "{changes}");
}

/// The centre of the default skin area counts as skin. Grey and the colours of a test card do not.
#[test]
fn skin_is_skin() {
    let pixels = [[150, 110, 154], [90, 108, 156], [150, 128, 128], [81, 90, 240], [41, 240, 110], [145, 54, 34], [20, 110, 154]];
    let found = factors(&ColorParameters::default(), &pixels);
    assert!(found[..2].iter().all(|&factor| factor > 26), "{found:?}");
    assert_eq!(found[2..], [0; 5]);
    let frame = Frame::from_vec(Format::new(7, 1, Sampling::C444), [0, 1, 2].map(|k| pixels.map(|p| p[k])).concat());
    let (_, statistics) = Job::of(&ColorParameters::default().std_enable(true)).library(&frame);
    assert_eq!((statistics.skin_pixels, statistics.skin_factor_sum), (2, found.iter().sum::<i32>() as u64));
}

/// Curves change saturation and hue. The way back rotates them by the transposed matrix, with
/// numbers truncated to 1/128.
#[test]
fn enhanced_skin_goes_through_the_curves() {
    let curve = |value: f64, points: [(f64, f64); 4]| {
        let at = (1..4).find(|&i| value < points[i].0).unwrap_or(3) - 1;
        let ((x0, y0), (x1, y1)) = (points[at], points[at + 1]);
        (y0 + (value - x0) * (y1 - y0) / (x1 - x0)).clamp(-points[3].0, points[3].0)
    };
    let p = ColorParameters::default().std_enable(true).ste_enable(true);
    let pixels = pixels(&p, 7);
    let mut moved = 0;
    for ((&pixel, got), factor) in pixels.iter().zip(swatches(&p, &pixels)).zip(factors(&p, &pixels)) {
        assert_eq!(got[0], pixel[0]);
        if factor == 0 {
            assert_eq!(got, pixel);
            continue;
        }
        let (sat, hue) = rotated(&p, pixel);
        let sat_new = curve(sat, [(-124.0, -124.0), (-44.0, 0.0), (124.0, 124.0), (124.0, 124.0)]);
        let hue_new = curve(hue, [(-56.0, -56.0), (0.0, 0.0), (8.0, 0.0), (56.0, 56.0)]);
        let [cos, sin] = [79.0 / 128.0, 101.0 / 128.0];
        let back = [-(sat_new * cos + hue_new * sin), -(hue_new * cos - sat_new * sin)];
        let part = f64::from(factor) / 32.0;
        for ((got, before), (back, centre)) in got[1..].iter().zip(&pixel[1..]).zip(back.into_iter().zip([110.0, 154.0])) {
            let before = f64::from(*before);
            let want = before + part * (back / 4.0 + centre - before);
            // Saturation and hue are off by half a quarter, up to 1.55 times as much after the
            // curve, which truncates another quarter.
            let quarters = (0.5 * 1.55 + 1.0) * (79.0 + 101.0) / 128.0 + 0.5 + 1.0;
            assert_abs_diff_eq!(f64::from(*got) + 0.5, want, epsilon = 0.5 + quarters / 4.0);
        }
        moved += usize::from(got != pixel);
    }
    assert!(moved > 500, "{moved}");
}

/// On skin the change of contrast is reduced by the factor, in 1/32.
#[test]
fn contrast_spares_skin() {
    let plain = ColorParameters::default().ace_enable(true).s4(0).s5(2047).s6(300).b5(30).b6(220);
    let spared = plain.clone().std_enable(true);
    let pixels = pixels(&plain, 3);
    let factors = factors(&plain, &pixels);
    let (without, with) = (swatches(&plain, &pixels), swatches(&spared, &pixels));
    for i in 0..pixels.len() {
        let [before, without, with] = [pixels[i], without[i], with[i]].map(|pixel| f64::from(pixel[0]));
        let part = f64::from(32 - factors[i]) / 32.0;
        assert_abs_diff_eq!(with, before + part * (without - before), epsilon = 1.0 + 1.0 / 16.0);
    }
}
