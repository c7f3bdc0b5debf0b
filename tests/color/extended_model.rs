//! Sections 13.1 and 13.4 to 13.7 of the specification, pixel by pixel. Like `model` it shares only
//! parameters and frames with the library.

use crate::capture_model::demosaic;
use crate::model::{Pipe, Pixel, avg, sharing};
use dndi::{BayerPattern, ColorMatrix, ColorRange, ColorSpace, Format, Frame, Parameters, Samples, Sampling, WhiteBalance};

/// The stages that are on, with the contents of their files.
#[derive(Clone, Debug)]
pub struct Stages {
    pub space: ColorSpace,
    pub white_balance: Option<WhiteBalance>,
    pub ccm: bool,
    pub gamma: Option<Vec<u32>>,
    pub expand: Option<Vec<u32>>,
    pub front: bool,
    pub compress: Option<Vec<u32>>,
    pub lace: bool,
    /// The pattern of raw frames.
    pub bayer: Option<BayerPattern>,
}

/// Statistics of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub out_of_gamut: Option<u64>,
    pub grey: Option<(u64, [u64; 3], [u16; 3])>,
}

/// The state from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct State {
    gains: Option<[i64; 3]>,
    histograms: Option<Vec<Vec<i64>>>,
}

/// The exact coefficients of a colour space: rows R, G, B, then rows Y, U, V, and black.
fn matrices(space: ColorSpace) -> ([[i64; 3]; 3], [[i64; 3]; 3], i64) {
    let (kr, kb) = match space.matrix {
        ColorMatrix::Bt601 => (0.299, 0.114),
        ColorMatrix::Bt709 => (0.2126, 0.0722),
        _ => (0.2627, 0.0593),
    };
    let kg: f64 = 1.0 - kr - kb;
    // 8-bit code values times 256 are the steps of luma and chroma, 255 times 257 those of RGB.
    let (luma, chroma, black) = match space.range {
        ColorRange::Limited => (219.0 * 256.0, 224.0 * 256.0, 4096),
        ColorRange::Full => (255.0 * 256.0, 255.0 * 256.0, 0),
    };
    let (cb, cr) = (2.0 * (1.0 - kb), 2.0 * (1.0 - kr));
    let near = |v: f64| (v * 65536.0).round() as i64;
    let (y, c) = (near(65535.0 / luma), 65535.0 / chroma);
    let to = [[y, 0, near(cr * c)], [y, near(-cb * kb / kg * c), near(-cr * kr / kg * c)], [y, near(cb * c), 0]];
    let row = |sum: i64, r: f64, b: f64| [near(r), sum - near(r) - near(b), near(b)];
    let (l, h) = (luma / 65535.0, chroma / 65535.0);
    let from = [row(near(l), kr * l, kb * l), row(0, -kr / cb * h, h / 2.0), row(0, h / 2.0, -kb / cr * h)];
    (to, from, black)
}

fn product(c: [i64; 3], v: Pixel) -> i64 {
    (c[0] * v[0] + c[1] * v[1] + c[2] * v[2] + 32768) >> 16
}

fn clip16(v: i64) -> i64 {
    v.clamp(0, 65535)
}

/// A matrix of parameters called `prefix` with offsets in and out.
fn matrix(p: &Parameters, prefix: &str, offsets: [[&str; 3]; 2], unit: i64, v: Pixel) -> Pixel {
    let get = |name: String| i64::from(p.get(&name).unwrap());
    [0, 1, 2].map(|j| {
        let c = [0, 1, 2].map(|k| get(format!("{prefix}c{}", 3 * j + k)));
        let moved = [0, 1, 2].map(|k| v[k] + unit * get(format!("{prefix}offset_{}", offsets[0][k])));
        clip16(product(c, moved) + unit * get(format!("{prefix}offset_{}", offsets[1][j])))
    })
}

const RGB: [[&str; 3]; 2] = [["in_r", "in_g", "in_b"], ["out_r", "out_g", "out_b"]];

/// The piecewise linear function of points and values.
fn pwl(points: &[(i64, i64)], v: i64) -> i64 {
    let v = clip16(v);
    let i = (0..points.len()).rev().find(|&i| points[i].0 <= v).unwrap_or(0);
    let j = (i + 1).min(points.len() - 1);
    let ((p, t), (q, u)) = (points[i], points[j]);
    if q > p { clip16(t + ((u - t) * (v - p)).div_euclid(q - p)) } else { t }
}

fn half(words: &[u32], n: usize) -> i64 {
    i64::from(words[n / 2] >> (16 * (n % 2)) & 0xffff)
}

/// The gamma curve of component 0…2: R, G, B.
fn gamma(words: &[u32], component: usize) -> Vec<(i64, i64)> {
    let mut points = vec![(0, 0); 1024];
    for e in 0..1024 {
        let point = 512 * (e / 512) + 256 * (e & 1) + (e % 512) / 2;
        points[point] = (half(words, 4 * e), half(words, 4 * e + 1 + component));
    }
    points
}

/// A curve of gamut expansion, inverse (0) or forward (1).
fn expansion(words: &[u32], forward: usize, component: usize) -> Vec<(i64, i64)> {
    let at = [3, 0, 1][component];
    (0..256).map(|k| (half(words, 8 * k + 4 * forward + 2), half(words, 8 * k + 4 * forward + at))).collect()
}

/// The curves of the files.
pub struct Curves {
    gamma: [Vec<(i64, i64)>; 3],
    expansion: [[Vec<(i64, i64)>; 3]; 2],
}

fn expand(p: &Parameters, curves: &Curves, rgb: Pixel) -> Pixel {
    let g = &p.gamut;
    let v = rgb.map(clip16);
    let linear = [0, 1, 2].map(|k| pwl(&curves.expansion[0][k], v[k]));
    let moved = matrix(p, "gamut.", RGB, 1, linear);
    let e = [0, 1, 2].map(|k| pwl(&curves.expansion[1][k], moved[k]));
    let w = if g.global_mode {
        i64::from(g.cm_w) + i64::from(g.cm_w >> 9)
    } else {
        let [r, green, b] = v;
        let (most, least) = (r.max(green).max(b), r.min(green).min(b));
        let sat = if most == 0 { 0 } else { ((most - least) << 8) / most };
        let red = if most == 0 || most != r { 0 } else { ((r - green.max(b)) << 8) / most };
        let cm = (((i64::from(g.cm_s) * sat) >> 8) - i64::from(g.cm_i)).clamp(0, 256);
        let rd = (((i64::from(g.r_s) * red) >> 8) - i64::from(g.r_i)).clamp(0, 256);
        4 * cm.max(rd)
    };
    [0, 1, 2].map(|k| (e[k] * w + v[k] * (1024 - w) + 512) >> 10)
}

/// The angle of chroma, 0…1023 (§6.4), by its place in the circle.
fn theta(u: i64, v: i64) -> i64 {
    let (most, least) = (u.abs().max(v.abs()), u.abs().min(v.abs()));
    let x = if most == 0 { 0 } else { (least << 10) / most };
    let a = ((11531960 * x - ((3076044 * x) >> 10) * x - (53404 << 10) + (1 << 25)) >> 26).clamp(0, 128);
    let a = if v.abs() > u.abs() { 256 - a } else { a };
    match (u < 0, v < 0) {
        (false, false) => a,
        (true, false) => 512 - a,
        (true, true) => 512 + a,
        (false, true) => (1024 - a) % 1024,
    }
}

/// Gamut compression; also whether the pixel is outside.
fn compress(p: &Parameters, table: &[u32], q: u8, [y, u, v]: Pixel) -> (Pixel, bool) {
    let g = &p.gamut;
    let k = q - 12;
    let zero = 2048 << k;
    let (u, v) = (u - zero, v - zero);
    let c = (0..).step_by(1 << 6).take_while(|c| c * c <= u * u + v * v).last().unwrap_or(0);
    let c = (c..).take_while(|c| c * c <= u * u + v * v).last().unwrap_or(0);
    let h = theta(((u + zero) >> (q - 10)) - 512, ((v + zero) >> (q - 10)) - 512) >> 1;
    let word = i64::from(table[h as usize]);
    let (lv, cv) = (((word >> 16 & 0xfff).clamp(257, 3759)) << k, (word & 0xfff).max(1) << k);
    let (l0, l1) = (256 << k, 3760 << k);
    let d = if y >= lv { l1 - lv } else { lv - l0 };
    let load = c * d + (y - lv).abs() * cv;
    let outside = load > cv * d;
    let moved = |t: i64| [lv + (((y - lv) * t + 512) >> 10), (u * t + 512) >> 10, (v * t + 512) >> 10];
    let with_chroma = |y: i64, wanted: i64| {
        let f = if c > 0 { ((wanted << 12) / c).min(4096) } else { 4096 };
        [y, (u * f + 2048) >> 12, (v * f + 2048) >> 12]
    };
    let limited = y.clamp(l0, l1);
    let most = if limited <= lv { cv * (limited - l0) / (lv - l0) } else { cv * (l1 - limited) / (l1 - lv) };
    let scale = i64::from(g.scaling_factor);
    let new = if g.full_range {
        let (din, dout) = if y >= lv { (g.d_in, g.d_out) } else { (g.d1_in, g.d1_out) };
        let (edge, o) = (1024 - i64::from(din), 1024 + i64::from(dout));
        let r = (load << 10) / (cv * d);
        if r > edge {
            let new = if r >= o { 1024 } else { edge + ((r - edge) * (1024 - edge)) / (o - edge).max(1) };
            moved((new << 10) / r.max(1))
        } else {
            [y, u, v]
        }
    } else if !outside {
        [y, u, v]
    } else {
        let t = ((cv * d) << 10) / load;
        match (g.mode, g.chroma_only) {
            (0, _) => moved(t.min(1024)),
            (1, _) => moved(t.min(scale.min(4096) >> 2)),
            (2, true) => with_chroma(limited, c.min(most)),
            (2, false) => {
                let kept = c.min(cv);
                let (low, high) = (l0 + ((lv - l0) * kept + cv - 1) / cv, l1 - ((l1 - lv) * kept + cv - 1) / cv);
                with_chroma(if c >= cv { lv } else { low.max(high.min(y)) }, kept)
            }
            _ => with_chroma(limited, ((c * scale) >> 12).min(most)),
        }
    };
    let whole = (1 << q) - 1;
    ([new[0], new[1] + zero, new[2] + zero].map(|v| v.clamp(0, whole)), outside)
}

/// Local contrast of luma. Returns the histograms of the frame's regions.
fn lace(p: &Parameters, q: u8, width: i64, luma: &mut [i64], previous: Option<&Vec<Vec<i64>>>) -> Vec<Vec<i64>> {
    let l = &p.local_contrast;
    let height = luma.len() as i64 / width;
    let region = i64::from(l.region);
    let (nx, ny) = ((width + region - 1) / region, (height + region - 1) / region);
    let bins = 128i64 << l.histogram_size;
    let sh = q - bins.ilog2() as u8;
    let mut own = vec![vec![0; bins as usize]; (nx * ny) as usize];
    for (at, &y) in luma.iter().enumerate() {
        let (x, row) = (at as i64 % width, at as i64 / width);
        own[(row / region * nx + x / region) as usize][(y >> sh) as usize] += 1;
    }
    let before = previous.unwrap_or(&own);
    let (low, high) = (i64::from(l.min_luma >> (16 - q)), i64::from(l.max_luma >> (16 - q)));
    let maps: Vec<Vec<i64>> = (0..own.len())
        .map(|r| {
            let hist = |k: usize| match l.single_histogram_set {
                0 => own[r][k],
                1 => before[r][k],
                _ => own[r][k] + before[r][k],
            };
            let n: i64 = (0..bins as usize).map(hist).sum();
            let limit = ((n * i64::from(l.limit)) >> (4 + bins.ilog2())).max(1);
            let extra: i64 = (0..bins as usize).map(|k| (hist(k) - limit).max(0)).sum();
            let share = |k: usize| hist(k).min(limit) + extra / bins + i64::from((k as i64) < extra % bins);
            (0..bins as usize)
                .map(|k| {
                    let c: i64 = (0..=k).map(share).sum();
                    low + ((high - low) * (2 * c - share(k))).div_euclid(2 * n)
                })
                .collect()
        })
        .collect();
    let half = 1i64 << (sh - 1);
    let between = |v: i64, count: i64| {
        let position = ((2 * v + 1) << 7) / region - 128;
        ((position >> 8).clamp(0, count - 1), ((position >> 8) + 1).clamp(0, count - 1), position & 255)
    };
    for (at, y) in luma.iter_mut().enumerate() {
        if !(low..=high).contains(y) {
            continue;
        }
        let ((left, right, g), (above, below, gy)) = (between(at as i64 % width, nx), between(at as i64 / width, ny));
        let t = *y - half;
        let (k, f) = (t >> sh, t & (2 * half - 1));
        let value = |row: i64, column: i64| {
            let map = &maps[(row * nx + column) as usize];
            let at = |k: i64| map[k.clamp(0, bins - 1) as usize];
            (at(k) * (2 * half - f) + at(k + 1) * f + half) >> sh
        };
        let line = |row: i64| value(row, left) * (256 - g) + value(row, right) * g;
        let m = (line(above) * (256 - gy) + line(below) * gy + 32768) >> 16;
        *y = (*y + (((m - *y) * i64::from(l.strength)) >> 8)).clamp(0, (1 << q) - 1);
    }
    own
}

/// A frame behind the stages, without those of chapter 6.
pub fn run(frame: &Frame, p: &Parameters, stages: &Stages, state: &mut State) -> (Frame, Row) {
    let format = frame.format();
    let (n, q) = (format.depth, format.depth.max(12));
    let pipe = Pipe::of_depth(n);
    let (width, height) = (format.width as i64, format.height as i64);
    let mut pixels: Vec<Pixel> = (0..width * height).map(|at| pipe.unpack(frame, at % width, at / width)).collect();
    let (to, from, black) = matrices(stages.space);
    let to_yuv = |rgb: Pixel| [0, 1, 2].map(|j| clip16(product(from[j], rgb) + [black, 32768, 32768][j]));
    let round = if q == 16 { 0 } else { 1 << (15 - q) };
    let narrow = |wide: Pixel| wide.map(|v| ((v + round) >> (16 - q)).min((1 << q) - 1));
    let captured = stages.bayer.map(|pattern| demosaic(frame, p, pattern));
    if let Some(captured) = &captured {
        pixels = captured.iter().map(|&rgb| narrow(to_yuv(rgb))).collect();
    }
    let to_rgb = |at: usize, pixel: Pixel| {
        if let Some(captured) = &captured {
            return captured[at];
        }
        let [y, u, v] = pixel.map(|v| v << (16 - q));
        to.map(|row| product(row, [y - black, u - 32768, v - 32768]))
    };
    let mut row = Row::default();
    let w = &p.white_balance;
    let mut gains = [w.red, w.green, w.blue].map(i64::from);
    if stages.white_balance == Some(WhiteBalance::Auto) {
        let (mut points, mut sums) = (0, [0i64; 3]);
        for (at, &pixel) in pixels.iter().enumerate() {
            let [y, u, v] = pixel.map(|v| v >> (q - 8));
            let chroma = (u - 128).abs() + (v - 128).abs();
            if i64::from(w.y_bright) < y && y <= i64::from(w.y_outlier) && chroma * 256 <= i64::from(w.uv_threshold) * y {
                points += 1;
                sums.iter_mut().zip(to_rgb(at, pixel)).for_each(|(sum, v)| *sum += clip16(v));
            }
        }
        let now = state.gains.unwrap_or([4096; 3]);
        let target = if points * 1024 >= width * height && sums.iter().all(|&sum| sum > 0) {
            [((sums[1] << 12) / sums[0]).clamp(2048, 8192), 4096, ((sums[1] << 12) / sums[2]).clamp(2048, 8192)]
        } else {
            now
        };
        gains = match state.gains {
            None => target,
            Some(old) => [0, 1, 2].map(|k| old[k] + (((target[k] - old[k]) * i64::from(w.speed)) >> 4)),
        };
        state.gains = Some(gains);
        row.grey = Some((points as u64, sums.map(|sum| sum as u64), gains.map(|gain| gain as u16)));
    }
    let has_rgb = stages.white_balance.is_some() || stages.ccm || stages.gamma.is_some() || stages.expand.is_some();
    let has_rgb = has_rgb || stages.bayer.is_some();
    let none = || [vec![], vec![], vec![]];
    let of = |make: &dyn Fn(usize) -> Vec<(i64, i64)>| [make(0), make(1), make(2)];
    let curves = Curves {
        gamma: stages.gamma.as_ref().map_or_else(none, |words| of(&|k| gamma(words, k))),
        expansion: [0, 1].map(|forward| stages.expand.as_ref().map_or_else(none, |words| of(&|k| expansion(words, forward, k)))),
    };
    let mut outside = 0;
    for (at, pixel) in pixels.iter_mut().enumerate() {
        let mut wide = pixel.map(|v| v << (16 - q));
        if has_rgb {
            let mut rgb = to_rgb(at, *pixel);
            if stages.white_balance.is_some() {
                rgb = [0, 1, 2].map(|k| (rgb[k] * gains[k] + 2048) >> 12);
            }
            if stages.ccm {
                rgb = matrix(p, "color.ccm_", RGB, 1, rgb);
            }
            if stages.gamma.is_some() {
                rgb = [0, 1, 2].map(|k| pwl(&curves.gamma[k], rgb[k]));
            }
            if stages.expand.is_some() {
                rgb = expand(p, &curves, rgb);
            }
            wide = to_yuv(rgb);
        }
        if stages.front {
            wide = matrix(p, "color.fecsc_", [["in_1", "in_2", "in_3"], ["out_1", "out_2", "out_3"]], 2, wide);
        }
        *pixel = narrow(wide);
        if let Some(table) = &stages.compress {
            let (new, is_outside) = compress(p, table, q, *pixel);
            *pixel = new;
            outside += u64::from(is_outside);
        }
    }
    row.out_of_gamut = stages.compress.as_ref().map(|_| outside);
    if stages.lace {
        let mut luma: Vec<i64> = pixels.iter().map(|pixel| pixel[0]).collect();
        state.histograms = Some(lace(p, q, width, &mut luma, state.histograms.as_ref()));
        pixels.iter_mut().zip(luma).for_each(|(pixel, y)| pixel[0] = y);
    }
    let made = Frame::new(match captured {
        Some(_) => Format::new(format.width, format.height, Sampling::C444).with_depth(n),
        None => format,
    });
    (repack(&made, &pixels, q), row)
}

/// Samples of the pixels. All depths round.
fn repack(frame: &Frame, pixels: &[Pixel], q: u8) -> Frame {
    let format = frame.format();
    let n = format.depth;
    let exit = |v: i64| if q == n { v } else { ((v + (1 << (q - n - 1))) >> (q - n)).min((1 << n) - 1) };
    let (across, down) = sharing(format.sampling);
    let mut samples = vec![];
    for plane in 0..format.sampling.planes() {
        let (width, height) = format.plane_size(plane);
        for (y, x) in (0..height as i64).flat_map(|y| (0..width as i64).map(move |x| (y, x))) {
            let (across, down) = if plane == 0 { (1, 1) } else { (across, down) };
            let pixel = |i: i64| {
                let column = (x * across + i).min(format.width as i64 - 1);
                pixels[(y * down * format.width as i64 + column) as usize]
            };
            let at = |i: i64| pixel(i)[plane];
            samples.push(exit(match (plane, format.sampling) {
                (1 | 2, Sampling::C422) => avg(at(0), at(1)),
                (1 | 2, Sampling::C411) => avg(avg(at(0), at(1)), avg(at(2), at(3))),
                _ => at(0),
            }));
        }
    }
    match frame.samples() {
        Samples::U8(_) => Frame::from_vec(format, samples.into_iter().map(|v| v as u8).collect()),
        Samples::U16(_) => Frame::from_vec_u16(format, samples.into_iter().map(|v| v as u16).collect()),
    }
}
