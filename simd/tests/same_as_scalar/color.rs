//! Kernels of the colour pipe.
use super::{Inputs, check};
use dndi_simd::*;

/// Bits of a component: 12 in half of the calls.
fn bits(inputs: &mut Inputs) -> u8 {
    [12, 12, 12, 14, 16, 13 + inputs.byte(0..4)][inputs.rng.within(0..6)]
}

/// Bits of a sample in a word.
fn depth(inputs: &mut Inputs) -> u8 {
    [9, 10, 12, 14, 16, 9 + inputs.byte(0..8)][inputs.rng.within(0..6)]
}

/// Samples or components of `bits` bits: with the patterns of [`Inputs::row`] in the high bits and
/// random or equal bits below, or at both ends of the range.
fn deep(inputs: &mut Inputs, len: usize, bits: u8) -> Vec<u16> {
    let most = u16::MAX >> (16 - bits);
    let low = [0, u64::from(most >> 8), 0][inputs.rng.within(0..3)];
    let ends = inputs.rng.next().is_multiple_of(8);
    let value = |inputs: &mut Inputs, v: u8| {
        let v = (v as u16) << (bits - 8) | (inputs.rng.next() & low) as u16;
        if ends { (v >> (bits - 1)) * most } else { v }
    };
    inputs.row(len).into_iter().map(|v| value(inputs, v)).collect()
}

/// Samples like those of [`deep`], of which some calls have words above the range of the depth.
fn words(inputs: &mut Inputs, len: usize, depth: u8) -> Vec<u16> {
    if inputs.rng.next().is_multiple_of(5) { inputs.halfwords(len, 0..1 << 16) } else { deep(inputs, len, depth) }
}

/// Luma or chroma, most of it near a value, which is in units of 12 bits.
fn near(inputs: &mut Inputs, len: usize, value: usize, bits: u8) -> Vec<u16> {
    let range = (value - 200) << (bits - 12)..(value + 200) << (bits - 12);
    if inputs.rng.next().is_multiple_of(4) { deep(inputs, len, bits) } else { inputs.halfwords(len, range) }
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
        out.take(n, 77u16, |dst| (k.bytes.unpack)(dst, &src, 8));
        let depth = depth(inputs);
        let src = words(inputs, n, depth);
        out.take(n, 77u16, |dst| (k.words.unpack)(dst, &src, depth));
    });
}

#[test]
fn unpack_pairs() {
    check("unpack_pairs", |k, n, inputs, out| {
        let src = inputs.row(n);
        out.take(2 * n, 77u16, |dst| (k.bytes.unpack_pairs)(dst, &src, 8));
        let depth = depth(inputs);
        let src = words(inputs, n, depth);
        out.take(2 * n, 77u16, |dst| (k.words.unpack_pairs)(dst, &src, depth));
    });
}

#[test]
fn skin_factor() {
    check("skin_factor", |k, n, inputs, out| {
        let (plane, bits) = (plane(inputs), bits(inputs));
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
        let yuv = [deep(inputs, n, bits), near(inputs, n, 1760, bits), near(inputs, n, 2464, bits)];
        let yuv = yuv.each_ref().map(Vec::as_slice);
        out.take(n, 77u16, |dst| (k.skin_factor)(dst, yuv, &p, bits));
    });
}

#[test]
fn skin_enhance() {
    check("skin_enhance", |k, n, inputs, out| {
        let (plane, bits) = (plane(inputs), bits(inputs));
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
        let yuv = [deep(inputs, n, bits), near(inputs, n, 1760, bits), near(inputs, n, 2464, bits)];
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
        (k.skin_factor)(&mut factor, yuv, &wide, bits);
        let mut v = vec![77; n];
        out.take(n, 77u16, |u| (k.skin_enhance)(&mut [u, &mut v], yuv, &factor, &p, bits));
        out.take(n, 77u16, |u| u.copy_from_slice(&v));
    });
}

#[test]
fn contrast() {
    check("contrast", |k, n, inputs, out| {
        let most = [4096, 12267][n % 2];
        let curve: Vec<u16> = inputs.halfwords(DEEP, 0..most);
        let (y, factor) = (deep(inputs, n, 12), factors(inputs, n));
        out.take(n, 77u16, |dst| (k.contrast)(dst, &y, &factor, curve.as_slice().try_into().unwrap()));
    });
}

#[test]
fn contrast_pieces() {
    check("contrast_pieces", |k, n, inputs, out| {
        let bits = bits(inputs);
        let mut piece = || CurvePiece {
            start: signed(inputs, -32768, 32767) as u16,
            value: signed(inputs, -32768, 32767) as u16,
            slope: signed(inputs, 0, 2047) as u16,
        };
        let curve = std::array::from_fn(|_| piece());
        let (y, factor) = (deep(inputs, n, bits), factors(inputs, n));
        out.take(n, 77u16, |dst| (k.contrast_pieces)(dst, &y, &factor, &curve, bits));
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
        let p = TotalColor {
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
        };
        let bits = bits(inputs);
        let (uv, factor) = ([deep(inputs, n, bits), near(inputs, n, 2048, bits)], factors(inputs, n));
        let uv = uv.each_ref().map(Vec::as_slice);
        let mut v = vec![77; n];
        out.take(n, 77u16, |u| (k.total_color)(&mut [u, &mut v], uv, &factor, &p, bits));
        out.take(n, 77u16, |u| u.copy_from_slice(&v));
    });
}

#[test]
fn amplify_luma() {
    check("amplify_luma", |k, n, inputs, out| {
        let bits = bits(inputs);
        let (y, contrast, brightness) = (deep(inputs, n, bits), signed(inputs, 0, 2047) as u16, signed(inputs, -2048, 2047));
        out.take(n, 77u16, |dst| (k.amplify_luma)(dst, &y, contrast, brightness, bits));
    });
}

#[test]
fn amplify_chroma() {
    check("amplify_chroma", |k, n, inputs, out| {
        let (cos, sin) = (signed(inputs, -32768, 32767), signed(inputs, -32768, 32767));
        let bits = bits(inputs);
        let uv = [deep(inputs, n, bits), near(inputs, n, 2048, bits)];
        let uv = uv.each_ref().map(Vec::as_slice);
        let mut v = vec![77; n];
        out.take(n, 77u16, |u| (k.amplify_chroma)(&mut [u, &mut v], uv, cos, sin, bits));
        out.take(n, 77u16, |u| u.copy_from_slice(&v));
    });
}

#[test]
fn amplify_luma_samples() {
    check("amplify_luma_samples", |k, n, inputs, out| {
        let (y, contrast, brightness) = (inputs.row(n), signed(inputs, 0, 2047) as u16, signed(inputs, -2048, 2047));
        out.take(n, 77u8, |dst| (k.bytes.amplify_luma_samples)(dst, &y, contrast, brightness, 8));
        let depth = depth(inputs);
        let y = words(inputs, n, depth);
        out.take(n, 77u16, |dst| (k.words.amplify_luma_samples)(dst, &y, contrast, brightness, depth));
    });
}

#[test]
fn amplify_chroma_samples() {
    check("amplify_chroma_samples", |k, n, inputs, out| {
        let (cos, sin) = (signed(inputs, -32768, 32767), signed(inputs, -32768, 32767));
        let uv = [inputs.row(n), inputs.row(n)];
        let uv = uv.each_ref().map(Vec::as_slice);
        let mut v = vec![77; n];
        out.take(n, 77u8, |u| (k.bytes.amplify_chroma_samples)(&mut [u, &mut v], uv, cos, sin, 8));
        out.take(n, 77u8, |u| u.copy_from_slice(&v));
        let depth = depth(inputs);
        let uv = [words(inputs, n, depth), words(inputs, n, depth)];
        let uv = uv.each_ref().map(Vec::as_slice);
        let mut v = vec![77; n];
        out.take(n, 77u16, |u| (k.words.amplify_chroma_samples)(&mut [u, &mut v], uv, cos, sin, depth));
        out.take(n, 77u16, |u| u.copy_from_slice(&v));
    });
}

fn conversion(inputs: &mut Inputs, bits: u8) -> Conversion {
    let offset = |inputs: &mut Inputs| signed(inputs, -512, 511) << (bits - 10);
    Conversion {
        coefficients: std::array::from_fn(|_| signed(inputs, -4096, 4095)),
        offset_in: std::array::from_fn(|_| offset(inputs)),
        offset_out: offset(inputs),
    }
}

#[test]
fn convert_luma_samples() {
    check("convert_luma_samples", |k, n, inputs, out| {
        let pairs = n.div_ceil(2);
        let (p, y, uv) = (conversion(inputs, 12), inputs.row(n), [inputs.row(pairs), inputs.row(pairs)]);
        out.take(n, 77u8, |dst| (k.bytes.convert_luma_samples)(dst, &y, uv.each_ref().map(Vec::as_slice), &p, 8));
        let depth = depth(inputs);
        let (p, y) = (conversion(inputs, color_bits(depth)), words(inputs, n, depth));
        let uv = [words(inputs, pairs, depth), words(inputs, pairs, depth)];
        out.take(n, 77u16, |dst| (k.words.convert_luma_samples)(dst, &y, uv.each_ref().map(Vec::as_slice), &p, depth));
    });
}

#[test]
fn convert_chroma_samples() {
    check("convert_chroma_samples", |k, n, inputs, out| {
        let pairs = n.div_ceil(2);
        let (p, y, uv) =
            ([conversion(inputs, 12), conversion(inputs, 12)], inputs.row(n), [inputs.row(pairs), inputs.row(pairs)]);
        let mut v = vec![77; pairs];
        out.take(pairs, 77u8, |u| {
            (k.bytes.convert_chroma_samples)(&mut [u, &mut v], &y, uv.each_ref().map(Vec::as_slice), p.each_ref(), 8);
        });
        out.take(pairs, 77u8, |u| u.copy_from_slice(&v));
        let depth = depth(inputs);
        let p = [conversion(inputs, color_bits(depth)), conversion(inputs, color_bits(depth))];
        let (y, uv) = (words(inputs, n, depth), [words(inputs, pairs, depth), words(inputs, pairs, depth)]);
        let mut v = vec![77; pairs];
        out.take(pairs, 77u16, |u| {
            (k.words.convert_chroma_samples)(&mut [u, &mut v], &y, uv.each_ref().map(Vec::as_slice), p.each_ref(), depth);
        });
        out.take(pairs, 77u16, |u| u.copy_from_slice(&v));
    });
}

#[test]
fn convert() {
    check("convert", |k, n, inputs, out| {
        let bits = bits(inputs);
        let p = conversion(inputs, bits);
        let components = [deep(inputs, n, bits), deep(inputs, n, bits), near(inputs, n, 2048, bits)];
        let components = components.each_ref().map(Vec::as_slice);
        out.take(n, 77u16, |dst| (k.convert)(dst, components, &p, bits));
    });
}

/// Compares a repacker at all depths; `pixels` for each sample.
fn check_pack(name: &str, pixels: usize, pack: impl Fn(&Kernels) -> (fn(&mut [u8], &[u16], u8), fn(&mut [u16], &[u16], u8))) {
    check(name, |k, n, inputs, out| {
        let (bytes, words) = pack(k);
        let src = deep(inputs, pixels * n, 12);
        out.take(n, 77u8, |dst| bytes(dst, &src, 8));
        let depth = depth(inputs);
        let src = deep(inputs, pixels * n, color_bits(depth));
        out.take(n, 77u16, |dst| words(dst, &src, depth));
    });
}

#[test]
fn pack() {
    check_pack("pack", 1, |k| (k.bytes.pack, k.words.pack));
}

#[test]
fn pack_422() {
    check_pack("pack_422", 2, |k| (k.bytes.pack_422, k.words.pack_422));
}

#[test]
fn pack_420() {
    check_pack("pack_420", 2, |k| (k.bytes.pack_420, k.words.pack_420));
}
