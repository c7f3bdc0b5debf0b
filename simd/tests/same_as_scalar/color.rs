//! Kernels of the colour pipe.
use super::{Inputs, check};
use dndi_simd::*;

/// 12-bit samples: either with the patterns of [`Inputs::row`], or random in all their bits.
fn deep(inputs: &mut Inputs, len: usize) -> Vec<u16> {
    let low = if inputs.rng.next().is_multiple_of(2) { 15 } else { 0 };
    inputs.row(len).into_iter().map(|v| (v as u16) << 4 | (inputs.rng.next() & low) as u16).collect()
}

/// Luma or chroma, most of it near a value.
fn near(inputs: &mut Inputs, len: usize, value: usize) -> Vec<u16> {
    if inputs.rng.next().is_multiple_of(4) { deep(inputs, len) } else { inputs.halfwords(len, value - 200..value + 200) }
}

fn signed(inputs: &mut Inputs, least: i32, most: i32) -> i16 {
    match inputs.rng.within(0..6) {
        0 => least as i16,
        1 => most as i16,
        _ => (least + inputs.rng.within(0..(most - least + 1) as usize) as i32) as i16,
    }
}

fn plane(inputs: &mut Inputs) -> SkinPlane {
    let usual = inputs.rng.next().is_multiple_of(2);
    let [u_mid, v_mid] = if usual { [440, 616] } else { [4 * signed(inputs, 0, 255), 4 * signed(inputs, 0, 255)] };
    let [cos, sin] = if usual { [79, 101] } else { [signed(inputs, -128, 127), signed(inputs, -128, 127)] };
    let [sat_max, hue_max] = [4 * signed(inputs, 0, 63), 4 * signed(inputs, 0, 63)];
    SkinPlane { mid: [u_mid, v_mid], cos, sin, sat_max, hue_max }
}

fn factors(inputs: &mut Inputs, len: usize) -> Vec<u16> {
    let most = [1, 2, 32][inputs.rng.within(0..3)];
    inputs.halfwords(len, 0..most)
}

#[test]
fn unpack() {
    check("unpack", |k, n, inputs, out| {
        let src = inputs.row(n);
        out.take(n, 77u16, |dst| (k.unpack)(dst, &src));
    });
}

#[test]
fn unpack_pairs() {
    check("unpack_pairs", |k, n, inputs, out| {
        let src = inputs.row(n);
        out.take(2 * n, 77u16, |dst| (k.unpack_pairs)(dst, &src));
    });
}

#[test]
fn skin_factor() {
    check("skin_factor", |k, n, inputs, out| {
        let plane = plane(inputs);
        let vy = SkinVy {
            lines: std::array::from_fn(|_| std::array::from_fn(|_| signed(inputs, -1280, 1279))),
            inverse: std::array::from_fn(|_| inputs.rng.next() as u16),
        };
        let p = SkinFactor {
            plane,
            hs_margin: inputs.byte(0..8),
            diamond: [4 * signed(inputs, -64, 63), 4 * signed(inputs, -64, 63)],
            diamond_alpha: inputs.byte(0..256),
            diamond_th: 4 * signed(inputs, 0, 63),
            diamond_margin: inputs.byte(0..8),
            luma: std::array::from_fn(|_| inputs.byte(0..32).max(inputs.byte(0..32))),
            vy: (n % 2 == 0).then_some(vy),
        };
        let yuv = [deep(inputs, n), near(inputs, n, 1760), near(inputs, n, 2464)];
        let yuv = yuv.each_ref().map(Vec::as_slice);
        out.take(n, 77u16, |dst| (k.skin_factor)(dst, yuv, &p));
    });
}

#[test]
fn skin_enhance() {
    check("skin_enhance", |k, n, inputs, out| {
        let plane = plane(inputs);
        let curve = |inputs: &mut Inputs, limit: i16| {
            let mut points = std::array::from_fn(|_| 4 * signed(inputs, -64, 63));
            points[0] = -limit;
            SkinCurve {
                points,
                values: std::array::from_fn(|_| signed(inputs, -512, 511)),
                slopes: std::array::from_fn(|_| signed(inputs, 0, 2047) as u16),
            }
        };
        let curves = |inputs: &mut Inputs| [curve(inputs, plane.sat_max), curve(inputs, plane.hue_max)];
        let (bright, dark) = (curves(inputs), curves(inputs));
        let darkness = Box::new(std::array::from_fn(|_| signed(inputs, 0, 256) as u16));
        let p = SkinEnhance { plane, bright, dark: (n % 2 == 0).then_some((dark, darkness)) };
        let yuv = [deep(inputs, n), near(inputs, n, 1760), near(inputs, n, 2464)];
        let yuv = yuv.each_ref().map(Vec::as_slice);
        // Factors like those of the detection: 0 outside the rectangle.
        let wide = SkinFactor {
            plane,
            hs_margin: 0,
            diamond: [0, 0],
            diamond_alpha: inputs.byte(0..2),
            diamond_th: 252,
            diamond_margin: inputs.byte(0..8),
            luma: [31; 256],
            vy: None,
        };
        let mut factor = vec![0; n];
        (k.skin_factor)(&mut factor, yuv, &wide);
        let mut v = vec![77; n];
        out.take(n, 77u16, |u| (k.skin_enhance)(&mut [u, &mut v], yuv, &factor, &p));
        out.take(n, 77u16, |u| u.copy_from_slice(&v));
    });
}

#[test]
fn contrast() {
    check("contrast", |k, n, inputs, out| {
        let most = [4096, 12267][n % 2];
        let curve: Vec<u16> = inputs.halfwords(DEEP, 0..most);
        let (y, factor) = (deep(inputs, n), factors(inputs, n));
        out.take(n, 77u16, |dst| (k.contrast)(dst, &y, &factor, curve.as_slice().try_into().unwrap()));
    });
}

#[test]
fn total_color() {
    check("total_color", |k, n, inputs, out| {
        let mut six = |most| std::array::from_fn(|_| signed(inputs, 0, most) as u16 as i32);
        let (mut base_color, sat_factor, slope, bias) = (six(1023), six(255), six(65535), six(1023));
        if n % 2 == 0 {
            base_color.sort();
        }
        let p = TotalColor::new(TotalColorFields {
            base_color,
            sat_factor,
            slope: slope.map(|slope: i32| if n % 3 == 0 { slope } else { slope % 1500 }),
            bias: bias.map(|bias: i32| if n % 3 == 0 { bias } else { 0 }),
            uv_max_color: signed(inputs, 0, 511) as i32,
            inv_uv_max_color: inputs.rng.within(0..65536) as i32,
            uv_threshold: signed(inputs, 0, 127) as i32,
            uv_threshold_bits: inputs.rng.within(0..8) as i32,
            ste_threshold: inputs.rng.within(0..32) as i32,
            ste_slope_bits: inputs.rng.within(0..8) as i32,
        })
        .unwrap();
        let (uv, factor) = ([deep(inputs, n), near(inputs, n, 2048)], factors(inputs, n));
        let uv = uv.each_ref().map(Vec::as_slice);
        let mut v = vec![77; n];
        out.take(n, 77u16, |u| (k.total_color)(&mut [u, &mut v], uv, &factor, &p));
        out.take(n, 77u16, |u| u.copy_from_slice(&v));
    });
}

#[test]
fn amplify_luma() {
    check("amplify_luma", |k, n, inputs, out| {
        let (y, contrast, brightness) = (deep(inputs, n), signed(inputs, 0, 2047) as u16, signed(inputs, -2048, 2047));
        out.take(n, 77u16, |dst| (k.amplify_luma)(dst, &y, contrast, brightness));
    });
}

#[test]
fn amplify_chroma() {
    check("amplify_chroma", |k, n, inputs, out| {
        let (cos, sin) = (signed(inputs, -32768, 32767), signed(inputs, -32768, 32767));
        let uv = [deep(inputs, n), near(inputs, n, 2048)];
        let uv = uv.each_ref().map(Vec::as_slice);
        let mut v = vec![77; n];
        out.take(n, 77u16, |u| (k.amplify_chroma)(&mut [u, &mut v], uv, cos, sin));
        out.take(n, 77u16, |u| u.copy_from_slice(&v));
    });
}

#[test]
fn amplify_luma_bytes() {
    check("amplify_luma_bytes", |k, n, inputs, out| {
        let (y, contrast, brightness) = (inputs.row(n), signed(inputs, 0, 2047) as u16, signed(inputs, -2048, 2047));
        out.take(n, 77u8, |dst| (k.amplify_luma_bytes)(dst, &y, contrast, brightness));
    });
}

#[test]
fn amplify_chroma_bytes() {
    check("amplify_chroma_bytes", |k, n, inputs, out| {
        let (cos, sin) = (signed(inputs, -32768, 32767), signed(inputs, -32768, 32767));
        let uv = [inputs.row(n), inputs.row(n)];
        let uv = uv.each_ref().map(Vec::as_slice);
        let mut v = vec![77; n];
        out.take(n, 77u8, |u| (k.amplify_chroma_bytes)(&mut [u, &mut v], uv, cos, sin));
        out.take(n, 77u8, |u| u.copy_from_slice(&v));
    });
}

fn conversion(inputs: &mut Inputs) -> Conversion {
    Conversion {
        coefficients: std::array::from_fn(|_| signed(inputs, -4096, 4095)),
        offset_in: std::array::from_fn(|_| 4 * signed(inputs, -512, 511)),
        offset_out: 4 * signed(inputs, -512, 511),
    }
}

#[test]
fn convert_luma_bytes() {
    check("convert_luma_bytes", |k, n, inputs, out| {
        let (p, y, uv) = (conversion(inputs), inputs.row(n), [inputs.row(n.div_ceil(2)), inputs.row(n.div_ceil(2))]);
        out.take(n, 77u8, |dst| (k.convert_luma_bytes)(dst, &y, uv.each_ref().map(Vec::as_slice), &p));
    });
}

#[test]
fn convert_chroma_bytes() {
    check("convert_chroma_bytes", |k, n, inputs, out| {
        let pairs = n.div_ceil(2);
        let (p, y, uv) = ([conversion(inputs), conversion(inputs)], inputs.row(n), [inputs.row(pairs), inputs.row(pairs)]);
        let mut v = vec![77; pairs];
        out.take(pairs, 77u8, |u| {
            (k.convert_chroma_bytes)(&mut [u, &mut v], &y, uv.each_ref().map(Vec::as_slice), p.each_ref());
        });
        out.take(pairs, 77u8, |u| u.copy_from_slice(&v));
    });
}

#[test]
fn convert() {
    check("convert", |k, n, inputs, out| {
        let p = conversion(inputs);
        let components = [deep(inputs, n), deep(inputs, n), near(inputs, n, 2048)];
        let components = components.each_ref().map(Vec::as_slice);
        out.take(n, 77u16, |dst| (k.convert)(dst, components, &p));
    });
}

#[test]
fn pack() {
    check("pack", |k, n, inputs, out| {
        let src = deep(inputs, n);
        out.take(n, 77u8, |dst| (k.pack)(dst, &src));
    });
}

#[test]
fn pack_422() {
    check("pack_422", |k, n, inputs, out| {
        let src = deep(inputs, 2 * n);
        out.take(n, 77u8, |dst| (k.pack_422)(dst, &src));
    });
}

#[test]
fn pack_420() {
    check("pack_420", |k, n, inputs, out| {
        let src = deep(inputs, 2 * n);
        out.take(n, 77u8, |dst| (k.pack_420)(dst, &src));
    });
}
