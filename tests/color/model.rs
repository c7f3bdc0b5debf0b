//! Chapter 6 and section 9.5 of the specification, pixel by pixel, one function for each stage, in
//! the terms of the specification. The model shares only the public parameter and frame types with
//! the library.

use dndi::{ColorParameters, Frame, Rect, Samples, Sampling};

/// Statistics of a frame's luma and skin (§6.3).
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    pub histogram: Vec<u64>,
    pub ymin: i64,
    pub ymax: i64,
    pub skin_pixels: u64,
    pub skin_factor_sum: u64,
}

/// Y, U and V of Q bits. The last stage may make R, G and B of them.
pub type Pixel = [i64; 3];

/// The pipe of a depth: Q bits a component, constants in 12-bit units shifted left by k.
#[derive(Clone, Copy)]
pub struct Pipe {
    q: u8,
    k: u8,
}

impl Pipe {
    pub fn of_depth(n: u8) -> Pipe {
        Pipe { q: n.max(12), k: n.max(12) - 12 }
    }

    /// The 8 most significant bits of a component.
    fn eight(self, v: i64) -> i64 {
        v >> (self.q - 8)
    }

    fn ten(self, v: i64) -> i64 {
        v >> (self.q - 10)
    }

    fn zero(self) -> i64 {
        2048 << self.k
    }

    fn clip(self, pixel: Pixel) -> Pixel {
        pixel.map(|v| v.clamp(0, (1 << self.q) - 1))
    }

    pub fn unpack(self, frame: &Frame, x: i64, y: i64) -> Pixel {
        let (across, down) = sharing(frame.format().sampling);
        let sample =
            |plane: usize, x: i64, y: i64| sample(frame, plane, x as usize, y as usize) << (self.q - frame.format().depth);
        let chroma = |plane: usize| match frame.format().sampling {
            Sampling::Mono => self.zero(),
            _ => sample(plane, x / across, y / down),
        };
        [sample(0, x, y), chroma(1), chroma(2)]
    }

    /// A sample of `n` bits as it leaves the pipe.
    fn exit(self, v: i64, n: u8) -> i64 {
        match (n, self.q - n) {
            (8, _) => v >> 4,
            (_, 0) => v,
            (_, shift) => ((v + (1 << (shift - 1))) >> shift).min((1 << n) - 1),
        }
    }

    fn repack(self, frame: &Frame, pixels: &[Pixel]) -> Frame {
        let format = frame.format();
        let (width, height) = (format.width as i64, format.height as i64);
        let mut samples: Vec<i64> = pixels.iter().map(|pixel| self.exit(pixel[0], format.depth)).collect();
        if format.sampling == Sampling::Mono {
            return frame_of(format, &samples);
        }
        let (across, down) = sharing(format.sampling);
        for component in [1, 2] {
            for y in 0..(height + down - 1) / down {
                for x in 0..(width + across - 1) / across {
                    // Pixels beyond the end of the line repeat the last one.
                    let at = |i: i64| pixels[(y * down * width + (x * across + i).min(width - 1)) as usize][component];
                    let value = match format.sampling {
                        Sampling::C422 => avg(at(0), at(1)),
                        Sampling::C411 => avg(avg(at(0), at(1)), avg(at(2), at(3))),
                        _ => at(0),
                    };
                    samples.push(self.exit(value, format.depth));
                }
            }
        }
        frame_of(format, &samples)
    }

    /// Uc and Vc in quarters of an 8-bit step.
    fn centred(self, [_, u, v]: Pixel, p: &ColorParameters) -> (i64, i64) {
        (self.ten(u) - 4 * i64::from(p.u_mid), self.ten(v) - 4 * i64::from(p.v_mid))
    }

    /// The skin tone factor (§6.1).
    pub fn std(self, pixel: Pixel, p: &ColorParameters) -> i64 {
        let (sat, hue) = saturation_and_hue(self.centred(pixel, p), p);
        let (y8, v8) = (self.eight(pixel[0]), self.eight(pixel[2]));
        let mut factor = rectangle(sat, hue, p).min(rhombus(sat, hue, p)).min(y_membership(y8, p));
        if p.vy_std_enable {
            factor = factor.min(vy(y8, v8, p));
        }
        factor
    }

    /// Skin tone enhancement, or the output of the detector instead (§6.2).
    fn ste(self, pixel: Pixel, factor: i64, p: &ColorParameters) -> Pixel {
        if p.std_enable && p.output_control {
            return [factor << (self.q - 5), self.zero(), self.zero()];
        }
        if !p.ste_enable || factor == 0 {
            return pixel;
        }
        let (uc, vc) = self.centred(pixel, p);
        let (sat, hue) = saturation_and_hue((uc, vc), p);
        let (sat_max, hue_max) = (4 * i64::from(p.sat_max), 4 * i64::from(p.hue_max));
        let bright = (
            pwl(sat, sat_max, [p.satp1, p.satp2, p.satp3], [p.satb1, p.satb2, p.satb3], [p.sats0, p.sats1, p.sats2, p.sats3]),
            pwl(hue, hue_max, [p.huep1, p.huep2, p.huep3], [p.hueb1, p.hueb2, p.hueb3], [p.hues0, p.hues1, p.hues2, p.hues3]),
        );
        let (sat, hue) = if p.skin_types_enable {
            let points = [p.satp1_dark, p.satp2_dark, p.satp3_dark];
            let biases = [p.satb1_dark, p.satb2_dark, p.satb3_dark];
            let sat_dark = pwl(sat, sat_max, points, biases, [p.sats0_dark, p.sats1_dark, p.sats2_dark, p.sats3_dark]);
            let points = [p.huep1_dark, p.huep2_dark, p.huep3_dark];
            let biases = [p.hueb1_dark, p.hueb2_dark, p.hueb3_dark];
            let hue_dark = pwl(hue, hue_max, points, biases, [p.hues0_dark, p.hues1_dark, p.hues2_dark, p.hues3_dark]);
            let [threshold, margin] = [p.skin_types_thresh, p.skin_types_margin].map(i64::from);
            let inverse = i64::from(p.inv_skin_types_margin);
            let dark = (((threshold + margin - self.eight(pixel[0])) * inverse) >> 8).clamp(0, 256);
            let blend = |of_dark: i64, of_bright: i64| (dark * of_dark + (256 - dark) * of_bright) >> 8;
            (blend(sat_dark, bright.0), blend(hue_dark, bright.1))
        } else {
            bright
        };
        let (cos, sin) = (i64::from(p.cos), i64::from(p.sin));
        let (u_new, v_new) = (-((sat * cos + hue * sin + 64) >> 7), -((hue * cos - sat * sin + 64) >> 7));
        let moved = |difference: i64| ((difference * factor) >> 5) << (self.q - 10);
        self.clip([pixel[0], pixel[1] + moved(u_new - uc), pixel[2] + moved(v_new - vc)])
    }

    /// Automatic contrast enhancement (§6.3).
    fn ace(self, [y, u, v]: Pixel, factor: i64, p: &ColorParameters) -> Pixel {
        if !p.ace_enable {
            return [y, u, v];
        }
        let points = [p.ymin, p.y1, p.y2, p.y3, p.y4, p.y5, p.y6, p.y7, p.y8, p.y9, p.y10].map(i64::from);
        let values = [p.ymin, p.b1, p.b2, p.b3, p.b4, p.b5, p.b6, p.b7, p.b8, p.b9, p.b10].map(i64::from);
        let slopes = [p.s0, p.s1, p.s2, p.s3, p.s4, p.s5, p.s6, p.s7, p.s8, p.s9, p.s10].map(i64::from);
        let y8 = self.eight(y);
        let enhanced = match last_point(&points, y8) {
            Some(i) if points[0] <= y8 && y8 < p.ymax.into() => {
                (values[i] << (self.q - 8)) + (((y - (points[i] << (self.q - 8))) * slopes[i]) >> 10)
            }
            _ => y,
        };
        // The factor is 0 if the detector is off.
        self.clip([y + (((enhanced - y) * (32 - factor)) >> 5), u, v])
    }

    /// Total colour control (§6.4).
    fn tcc(self, [y, u, v]: Pixel, factor: i64, p: &ColorParameters) -> Pixel {
        if !p.tcc_enable {
            return [y, u, v];
        }
        let (u10, v10) = (self.ten(u) - 512, self.ten(v) - 512);
        let mx = u10.abs().max(v10.abs());
        let base =
            [p.base_color_1, p.base_color_2, p.base_color_3, p.base_color_4, p.base_color_5, p.base_color_6].map(i64::from);
        let sat_factor =
            [p.sat_factor_1, p.sat_factor_2, p.sat_factor_3, p.sat_factor_4, p.sat_factor_5, p.sat_factor_6].map(i64::from);
        let slope = [
            p.color_transit_slope_12,
            p.color_transit_slope_23,
            p.color_transit_slope_34,
            p.color_transit_slope_45,
            p.color_transit_slope_56,
            p.color_transit_slope_61,
        ];
        let bias = [p.color_bias_1, p.color_bias_2, p.color_bias_3, p.color_bias_4, p.color_bias_5, p.color_bias_6];

        let theta = angle(u10, v10);
        let i = (0..5).find(|&i| base[i] <= theta && theta < base[i + 1]).unwrap_or(5);
        let d = (theta - base[i]) & 1023;
        let al = (((d * i64::from(slope[i])) >> 8) - i64::from(bias[i])).clamp(0, 256);
        let mut sf = ((256 - al) * 2 * sat_factor[i] + al * 2 * sat_factor[(i + 1) % 6]) >> 8;
        if sf > 256 {
            let most = i64::from(p.uv_max_color);
            sf = if mx <= most { 256 + (((sf - 256) * (most - mx) * i64::from(p.inv_uv_max_color)) >> 16) } else { 256 };
        }
        if sf > 256 {
            let (threshold, bits) = (i64::from(p.uv_threshold), p.uv_threshold_bits);
            sf = if mx <= threshold {
                256
            } else if mx < threshold + (1 << bits) {
                256 + (((sf - 256) * (mx - threshold)) >> bits)
            } else {
                sf
            };
        }
        let ste = (((factor - i64::from(p.ste_threshold)) * 8) << p.ste_slope_bits).clamp(0, 255);
        let sf = (256 * ste + (256 - ste) * sf) >> 8;
        let stretched = |chroma: i64| self.zero() + (((chroma - self.zero()) * sf) >> 8);
        self.clip([y, stretched(u), stretched(v)])
    }

    /// ProcAmp (§6.5).
    fn procamp(self, [y, u, v]: Pixel, p: &ColorParameters) -> Pixel {
        if !p.procamp_enable {
            return [y, u, v];
        }
        let (contrast, black, zero) = (i64::from(p.contrast), 256 << self.k, self.zero());
        let [brightness, cos, sin] = [p.brightness, p.cos_c_s, p.sin_c_s].map(i64::from);
        self.clip([
            (((y - black) * contrast) >> 7) + (brightness << self.k) + black,
            (((u - zero) * cos + (v - zero) * sin) >> 8) + zero,
            (((v - zero) * cos - (u - zero) * sin) >> 8) + zero,
        ])
    }

    /// Colour space conversion (§6.6).
    fn csc(self, pixel: Pixel, p: &ColorParameters) -> Pixel {
        if !p.transform_enable {
            return pixel;
        }
        let rows = [[p.c0, p.c1, p.c2], [p.c3, p.c4, p.c5], [p.c6, p.c7, p.c8]];
        let offset_in = [p.offset_in_1, p.offset_in_2, p.offset_in_3];
        let offset_out = [p.offset_out_1, p.offset_out_2, p.offset_out_3];
        self.clip([0, 1, 2].map(|j| {
            let sum: i64 = (0..3).map(|k| i64::from(rows[j][k]) * (pixel[k] + (i64::from(offset_in[k]) << (self.q - 10)))).sum();
            ((sum + 512) >> 10) + (i64::from(offset_out[j]) << (self.q - 10))
        }))
    }
}

/// Runs the pipe on a frame; returns the output frame and its statistics.
pub fn run(frame: &Frame, p: &ColorParameters, area: Option<Rect>) -> (Frame, Statistics) {
    let pipe = Pipe::of_depth(frame.format().depth);
    let size = (frame.format().width as i64, frame.format().height as i64);
    let area = area.filter(|_| !p.full_image_histogram);
    let mut statistics = Statistics { histogram: vec![0; 256], ymin: 255, ymax: 0, skin_pixels: 0, skin_factor_sum: 0 };
    let mut made = vec![];
    for y in 0..size.1 {
        for x in 0..size.0 {
            let pixel = pipe.unpack(frame, x, y);
            let factor = if p.std_enable { pipe.std(pixel, p) } else { 0 };
            let skin = pipe.ste(pixel, factor, p);
            let y8 = pipe.eight(skin[0]);
            statistics.ymin = statistics.ymin.min(y8);
            statistics.ymax = statistics.ymax.max(y8);
            statistics.skin_pixels += u64::from(factor > p.skin_threshold.into());
            statistics.skin_factor_sum += factor as u64;
            if area.is_none_or(|area| is_within(area, x, y)) {
                statistics.histogram[y8 as usize] += 1;
            }
            let toned = pipe.tcc(pipe.ace(skin, factor, p), factor, p);
            made.push(pipe.csc(pipe.procamp(toned, p), p));
        }
    }
    (pipe.repack(frame, &made), statistics)
}

fn is_within(Rect { x, y, width, height }: Rect, at_x: i64, at_y: i64) -> bool {
    (x..x + width).contains(&(at_x as usize)) && (y..y + height).contains(&(at_y as usize))
}

/// Number of pixels of a line, and number of lines, that share a chroma sample.
pub fn sharing(sampling: Sampling) -> (i64, i64) {
    match sampling {
        Sampling::C420 => (2, 2),
        Sampling::C422 => (2, 1),
        Sampling::C411 => (4, 1),
        _ => (1, 1),
    }
}

/// A sample of a plane, of any depth.
pub fn sample(frame: &Frame, plane: usize, x: usize, y: usize) -> i64 {
    let plane = &frame.planes()[plane];
    match plane.samples {
        Samples::U8(samples) => samples[y * plane.stride + x].into(),
        Samples::U16(samples) => samples[y * plane.stride + x].into(),
    }
}

/// A frame of any depth with these samples.
pub fn frame_of(format: dndi::Format, samples: &[i64]) -> Frame {
    match format.depth {
        8 => Frame::from_vec(format, samples.iter().map(|&v| u8::try_from(v).unwrap()).collect()),
        _ => Frame::from_vec_u16(format, samples.iter().map(|&v| u16::try_from(v).unwrap()).collect()),
    }
}

pub fn avg(a: i64, b: i64) -> i64 {
    (a + b) >> 1
}

/// The largest index of a point that is not above the value. The points may be in any order.
fn last_point(points: &[i64], value: i64) -> Option<usize> {
    points.iter().rposition(|&point| point <= value)
}

fn saturation_and_hue((uc, vc): (i64, i64), p: &ColorParameters) -> (i64, i64) {
    let (cos, sin) = (i64::from(p.cos), i64::from(p.sin));
    (-((uc * cos - vc * sin + 64) >> 7), -((uc * sin + vc * cos + 64) >> 7))
}

fn rectangle(sat: i64, hue: i64, p: &ColorParameters) -> i64 {
    let (ds, dh) = (4 * i64::from(p.sat_max) - sat.abs(), 4 * i64::from(p.hue_max) - hue.abs());
    if ds < 0 || dh < 0 {
        return 0;
    }
    let f = |d: i64| ((d << 5) >> (p.hs_margin + 2)).min(31);
    f(ds).min(f(dh))
}

fn rhombus(sat: i64, hue: i64, p: &ColorParameters) -> i64 {
    let [du, dv] = [p.diamond_du, p.diamond_dv].map(i64::from);
    let [th, alpha] = [p.diamond_th, p.diamond_alpha].map(i64::from);
    let dist = (sat - 4 * du).abs() + ((alpha * (hue - 4 * dv).abs()) >> 6);
    if dist >= 4 * th { 0 } else { (((4 * th - dist) << 5) >> (p.diamond_margin + 2)).min(31) }
}

fn y_membership(y: i64, p: &ColorParameters) -> i64 {
    let [p1, p2, p3, p4] = [p.y_point_1, p.y_point_2, p.y_point_3, p.y_point_4].map(i64::from);
    let factor = if p1 <= y && y < p2 {
        ((y - p1) * i64::from(p.y_slope_1)) >> 3
    } else if p2 <= y && y < p3 {
        31
    } else if p3 <= y && y < p4 {
        ((p4 - y) * i64::from(p.y_slope_2)) >> 3
    } else {
        0
    };
    factor.clamp(0, 31)
}

fn vy(y: i64, v: i64, p: &ColorParameters) -> i64 {
    let line = |points: [u8; 4], biases: [u8; 4], slopes: [i16; 4]| {
        let points = points.map(i64::from);
        // Below the first point there is no skin, even if a later point is lower.
        let i = last_point(&points, y).filter(|_| y >= points[0])?;
        Some(i64::from(biases[i]) + ((i64::from(slopes[i]) * (y - points[i])) >> 8))
    };
    let lower = line([p.p0l, p.p1l, p.p2l, p.p3l], [p.b0l, p.b1l, p.b2l, p.b3l], [p.s0l, p.s1l, p.s2l, p.s3l]);
    let upper = line([p.p0u, p.p1u, p.p2u, p.p3u], [p.b0u, p.b1u, p.b2u, p.b3u], [p.s0u, p.s1u, p.s2u, p.s3u]);
    let lower = lower.map_or(0, |line| ((v - line) * i64::from(p.inv_margin_vyl)) >> 11);
    let upper = upper.map_or(0, |line| ((line - v) * i64::from(p.inv_margin_vyu)) >> 11);
    lower.clamp(0, 31).min(upper.clamp(0, 31))
}

/// Sat' or Hue' of a value inside the rectangle.
fn pwl(value: i64, max: i64, points: [i8; 3], biases: [i16; 3], slopes: [u16; 4]) -> i64 {
    let [p1, p2, p3] = points.map(|point| 4 * i64::from(point));
    let [b1, b2, b3] = biases.map(i64::from);
    let (points, values) = ([-max, p1, p2, p3], [-max, b1, b2, b3]);
    let i = last_point(&points, value).expect("the rectangle holds the value");
    (values[i] + (((value - points[i]) * i64::from(slopes[i])) >> 8)).clamp(-max, max)
}

/// The angle theta of U and V around zero, 1024 for a full circle.
pub fn angle(u: i64, v: i64) -> i64 {
    let (mx, mn) = (u.abs().max(v.abs()), u.abs().min(v.abs()));
    let x = if mx == 0 { 0 } else { (mn << 10) / mx };
    let a = ((11531960 * x - ((3076044 * x) >> 10) * x - (53404 << 10) + (1 << 25)) >> 26).clamp(0, 128);
    let a = if v.abs() > u.abs() { 256 - a } else { a };
    match (u >= 0, v >= 0) {
        (true, true) => a,
        (false, true) => 512 - a,
        (false, false) => 512 + a,
        (true, false) => (1024 - a) & 1023,
    }
}
