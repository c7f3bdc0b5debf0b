//! Chapter 5 of the specification with §9.4, pixel by pixel; every read clamps its own coordinates.
//! The model shares only the public parameter and format types with the library.

use dndi::{ChromaLocation, Format, Parameters, Rect, Sampling, Scale, SharpenMode, SharpenParameters};

/// A plane with samples of n bits, or of P = max(10, n).
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    pub width: usize,
    pub height: usize,
    pub data: Vec<i64>,
}

impl Grid {
    pub fn at(&self, x: i64, y: i64) -> i64 {
        let (x, y) = (x.clamp(0, self.width as i64 - 1) as usize, y.clamp(0, self.height as i64 - 1) as usize);
        self.data[y * self.width + x]
    }

    pub fn make(width: usize, height: usize, value: impl Fn(i64, i64) -> i64) -> Grid {
        let data = (0..height as i64).flat_map(|y| (0..width as i64).map(move |x| (x, y))).map(|(x, y)| value(x, y)).collect();
        Grid { width, height, data }
    }

    fn map(&self, value: impl Fn(i64) -> i64) -> Grid {
        Grid { data: self.data.iter().map(|&v| value(v)).collect(), ..*self }
    }
}

/// The settings for a progressive picture.
pub struct Job<'a> {
    pub format: Format,
    pub scale: Option<Scale>,
    pub location: ChromaLocation,
    pub sharpen: Option<SharpenMode>,
    pub noise: i64,
    pub parameters: &'a Parameters,
    /// Of the change of each sample by sharpening, in 1/32; none for the whole change.
    pub shares: Option<&'a Grid>,
}

/// The bits P on which the unit works.
fn unit(job: &Job) -> u8 {
    job.format.depth.max(10)
}

/// Processes `planes` of samples of the format's depth.
pub fn run(job: &Job, planes: &[Grid]) -> Vec<Grid> {
    let n = job.format.depth;
    let narrowed = |v: i64| match unit(job) - n {
        0 => v,
        s => ((v + (1 << (s - 1))) >> s).min((1 << n) - 1),
    };
    before_the_exit(job, planes).iter().map(|plane| plane.map(narrowed)).collect()
}

/// The planes of P bits.
pub fn before_the_exit(job: &Job, planes: &[Grid]) -> Vec<Grid> {
    let deep: Vec<Grid> = planes.iter().map(|plane| plane.map(|v| v << (unit(job) - job.format.depth))).collect();
    let mut out = match &job.scale {
        Some(scale) => scaled(job, scale, &deep),
        None => deep,
    };
    if let Some(kind) = job.sharpen {
        out[0] = sharpened(&out[0], kind, job);
    }
    out
}

fn sinc(x: f64) -> f64 {
    let x = x * std::f64::consts::PI;
    if x == 0.0 { 1.0 } else { x.sin() / x }
}

/// K[beta] of §5.3 before rounding, beta 0…16.
pub fn ideal(source: usize, target: usize, lobes: f64, beta: usize) -> [f64; 8] {
    let r = f64::min(1.0, target as f64 / source as f64);
    let mut row = [0.0; 8];
    for (k, weight) in row.iter_mut().enumerate() {
        let t = k as f64 - 3.0 - beta as f64 / 32.0;
        *weight = if t.abs() < lobes { sinc(r * t) * sinc(t / lobes) } else { 0.0 };
    }
    let sum: f64 = row.iter().sum();
    row.map(|k| k * 64.0 / sum)
}

/// K[beta] for any of the 32 phases.
fn coefficients(source: usize, target: usize, lobes: f64, beta: usize) -> [i64; 8] {
    if beta > 16 {
        let mut row = coefficients(source, target, lobes, 32 - beta);
        row.reverse();
        return row;
    }
    let mut row = ideal(source, target, lobes, beta).map(|k| k.round() as i64);
    let mut largest = 0;
    for k in 1..8 {
        if row[k] > row[largest] {
            largest = k;
        }
    }
    row[largest] += 64 - row.iter().sum::<i64>();
    row.map(|k| k.clamp(-128, 127))
}

/// The source position of the output sample at luma position `luma / 2`, in luma samples, as a
/// fraction. `s` is twice the offset of chroma.
struct Position {
    num: i128,
    den: i128,
}

fn position(luma: i128, s: i128, step: i128, source: usize, target: usize, first: usize) -> Position {
    // (luma/2 + 1/2) * source/target - 1/2 + first, less s/2, divided by step.
    let (source, target, first) = (source as i128, target as i128, first as i128);
    let num = (luma + 1) * source - target + 2 * first * target - s * target;
    Position { num, den: 2 * target * step }
}

impl Position {
    fn phase(&self) -> (i64, usize) {
        let q = (32 * self.num).div_euclid(self.den);
        (q.div_euclid(32) as i64, q.rem_euclid(32) as usize)
    }

    fn nearest(&self) -> i64 {
        (2 * self.num + self.den).div_euclid(2 * self.den) as i64
    }
}

fn alpha(w: [i64; 8], p: &Parameters) -> i64 {
    let s = &p.scaler;
    let dist = |a: usize, b: usize| (w[a] - w[b]).abs();
    let m4 = dist(3, 4).max(dist(2, 3)).min(dist(3, 4).max(dist(4, 5)));
    let (d1, d2, d3) = (w[2] - w[3], w[3] - w[4], w[4] - w[5]);
    let d4 = (((d1 - d2).abs() + (d3 - d2).abs()) >> 1).min(m4);
    let mut m8 = 0;
    for k in 0..7 {
        m8 = m8.max(dist(k, k + 1));
    }
    let a4 = ((d4 - s.max_deriv_4 as i64) << (8 - s.transition_4)).clamp(0, 255);
    let a8 = (255 - ((m8 - s.max_deriv_8 as i64) << (8 - s.transition_8))).clamp(0, 255);
    a4.max(a8)
}

fn blended(t: [i64; 8], k: [i64; 8], beta: i64, alpha: i64, unit: u8) -> i64 {
    let mut sum = 32;
    for i in 0..8 {
        sum += t[i] * k[i];
    }
    let sharp = (sum >> 6).clamp(0, (1 << unit) - 1);
    let smooth = (t[3] * (32 - beta) + t[4] * beta + 16) >> 5;
    let a = alpha + (alpha >> 7);
    (sharp * a + smooth * (256 - a) + 128) >> 8
}

fn scaled(job: &Job, scale: &Scale, planes: &[Grid]) -> Vec<Grid> {
    let sampling = job.format.sampling;
    let crop = scale.crop.unwrap_or(Rect { x: 0, y: 0, width: job.format.width, height: job.format.height });
    let (p, e) = (job.parameters, unit(job) - 8);
    let (chroma_x, chroma_y) = match sampling {
        Sampling::C420 => (2, 2),
        Sampling::C422 => (2, 1),
        Sampling::C411 => (4, 1),
        _ => (1, 1),
    };
    let (s_x, s_y) = match job.location {
        ChromaLocation::Left => (0, chroma_y - 1),
        ChromaLocation::Center => (chroma_x - 1, chroma_y - 1),
        ChromaLocation::TopLeft => (0, 0),
        other => unreachable!("{other:?} is not specified"),
    };
    let full = sampling == Sampling::C444;
    let all = full && p.scaler.adaptive_filter_for_all_channels;
    let mixed = full && p.scaler.rgb_adaptive;
    let near = p.scaler.avs_filter_type == 1;
    // Scales all planes in one direction: horizontally if `across`.
    let direction = |planes: &[Grid], across: bool| -> Vec<Grid> {
        let (source, target, first) =
            if across { (crop.width, scale.width, crop.x) } else { (crop.height, scale.height, crop.y) };
        let bypass = if across { p.scaler.bypass_x_adaptive } else { p.scaler.bypass_y_adaptive };
        let at = |plane: &Grid, along: i64, other: i64| if across { plane.at(along, other) } else { plane.at(other, along) };
        let level = |along: i64, other: i64| match planes {
            [g, b, r] if mixed => ((at(r, along, other) + 2 * at(g, along, other) + at(b, along, other)) >> 2) >> e,
            _ => at(&planes[0], along, other) >> e,
        };
        let one = |(index, plane): (usize, &Grid)| {
            let (step, s) = match (index, across) {
                (0, _) => (1, 0),
                (_, true) => (chroma_x, s_x),
                (_, false) => (chroma_y, s_y),
            };
            let size = target.div_ceil(step as usize);
            let (width, height) = if across { (size, plane.height) } else { (plane.width, size) };
            Grid::make(width, height, |x, y| {
                let (along, other) = if across { (x, y) } else { (y, x) };
                let position = position((2 * step * along + s) as i128, s as i128, step as i128, source, target, first);
                if near {
                    return at(plane, position.nearest(), other);
                }
                let (i, beta) = position.phase();
                let offsets: [i64; 8] = std::array::from_fn(|k| i - 3 + k as i64);
                let alpha = match (index, bypass) {
                    (0, true) => p.scaler.default_sharpness as i64,
                    (0, false) => alpha(offsets.map(|along| level(along, other)), p),
                    (_, false) if all => alpha(offsets.map(|along| level(along, other)), p),
                    _ => 255,
                };
                let k = coefficients(source, target, if index == 0 { 4.0 } else { 2.0 }, beta);
                blended(offsets.map(|along| at(plane, along, other)), k, beta as i64, alpha, unit(job))
            })
        };
        planes.iter().enumerate().map(one).collect()
    };
    direction(&direction(planes, true), false)
}

fn sharpened(plane: &Grid, kind: SharpenMode, job: &Job) -> Grid {
    let (p, unit) = (&job.parameters.sharpen, unit(job));
    Grid::make(plane.width, plane.height, |x, y| {
        let at = |i: i64, j: i64| plane.at(x + i, y + j);
        let share = job.shares.map_or(32, |shares| shares.at(x, y));
        match kind {
            SharpenMode::Combination => combination(at, p, job.noise, unit, share),
            SharpenMode::Detail3 => detail(at, p, 1, unit, false, share),
            SharpenMode::Detail5 => detail(at, p, 2, unit, false, share),
            SharpenMode::Smooth3 => detail(at, p, 1, unit, true, share),
            other => unreachable!("{other:?} is not specified"),
        }
    })
}

/// All values of the square with this radius.
fn square(at: impl Fn(i64, i64) -> i64, radius: i64) -> Vec<i64> {
    let mut values = vec![];
    for j in -radius..=radius {
        for i in -radius..=radius {
            values.push(at(i, j));
        }
    }
    values
}

fn detail(at: impl Fn(i64, i64) -> i64, p: &SharpenParameters, distance: i64, unit: u8, smooths: bool, share: i64) -> i64 {
    let mut sobel = (0, 0);
    for i in -1..=1_i64 {
        let weight = 2 - i.abs();
        sobel.0 += weight * (at(i, -1) - at(i, 1));
        sobel.1 += weight * (at(-1, i) - at(1, i));
    }
    let em = ((sobel.0.abs() + sobel.1.abs() + (4 << (unit - 10))) >> (unit - 7)).clamp(0, 15);
    let [strong, rest] = match smooths {
        true => [p.non_edge_weight, p.strong_edge_weight],
        false => [p.strong_edge_weight, p.non_edge_weight],
    };
    let la = if em > p.strong_edge_threshold as i64 {
        strong
    } else if em > p.weak_edge_threshold as i64 {
        p.regular_weight
    } else {
        rest
    };
    let x = at(0, 0);
    let around = square(|i, j| at(distance * i, distance * j), 1).iter().sum::<i64>() - x;
    let sigma = (8 * x - around).clamp(-(1 << (unit - 3)), (1 << (unit - 3)) - 1);
    let near = square(&at, 1);
    let diff3 = (near.iter().max().unwrap() >> (unit - 8)) - (near.iter().min().unwrap() >> (unit - 8));
    let delta = (sigma * p.gain_factor as i64 * la as i64 + 64) as f64 / (128 * (8 + diff3).min(255)) as f64;
    let added = |delta: i64| x + (delta * share).div_euclid(32);
    match smooths {
        true => added(-delta.floor() as i64).clamp(*near.iter().min().unwrap(), *near.iter().max().unwrap()),
        false => added(delta.floor() as i64).clamp(0, (1 << unit) - 1),
    }
}

fn combination(at: impl Fn(i64, i64) -> i64, p: &SharpenParameters, g: i64, unit: u8, share: i64) -> i64 {
    let (x, e) = (at(0, 0), unit - 8);
    let y = |i: i64, j: i64| at(i, j) >> e;
    let most = |values: &[i64]| *values.iter().max().unwrap();
    let least = |values: &[i64]| *values.iter().min().unwrap();
    let diff = |radius| most(&square(y, radius)) - least(&square(y, radius));
    let (diff5, diff3) = (diff(2), diff(1));
    let (m5, m3) = ((diff5 - g).max(0), (diff3 - g).max(0));
    let mut diff = m5.max(m3 + m3 / 2).clamp(1, 255);
    if diff > p.pwl1_point_3 as i64 {
        diff = m5.min(m3 + m3 / 2).clamp(1, 255);
    }
    let points =
        [0, p.pwl1_point_1, p.pwl1_point_2, p.pwl1_point_3, p.pwl1_point_4, p.pwl1_point_5, p.pwl1_point_6].map(i64::from);
    let mut i = 0;
    for (candidate, &point) in points.iter().enumerate() {
        if point <= diff {
            i = candidate;
        }
    }
    let pwl = |bias: [u8; 7], slope: [i8; 7]| ((((diff - points[i]) * slope[i] as i64) >> 4) + bias[i] as i64).clamp(0, 255);
    let smooth_strength = pwl(
        [
            p.pwl1_r3_bias_0,
            p.pwl1_r3_bias_1,
            p.pwl1_r3_bias_2,
            p.pwl1_r3_bias_3,
            p.pwl1_r3_bias_4,
            p.pwl1_r3_bias_5,
            p.pwl1_r3_bias_6,
        ],
        [
            p.pwl1_r3_slope_0,
            p.pwl1_r3_slope_1,
            p.pwl1_r3_slope_2,
            p.pwl1_r3_slope_3,
            p.pwl1_r3_slope_4,
            p.pwl1_r3_slope_5,
            p.pwl1_r3_slope_6,
        ],
    );
    let sharp_strength = pwl(
        [
            p.pwl1_r5_bias_0,
            p.pwl1_r5_bias_1,
            p.pwl1_r5_bias_2,
            p.pwl1_r5_bias_3,
            p.pwl1_r5_bias_4,
            p.pwl1_r5_bias_5,
            p.pwl1_r5_bias_6,
        ],
        [
            p.pwl1_r5_slope_0,
            p.pwl1_r5_slope_1,
            p.pwl1_r5_slope_2,
            p.pwl1_r5_slope_3,
            p.pwl1_r5_slope_4,
            p.pwl1_r5_slope_5,
            p.pwl1_r5_slope_6,
        ],
    );
    let mut norms = vec![];
    for j in -2..2 {
        for i in -2..2 {
            let (a, b, c, d) = (y(i, j), y(i + 1, j), y(i, j + 1), y(i + 1, j + 1));
            norms.push((a - b + c - d).abs() + (a + b - c - d).abs());
        }
    }
    let tot = (norms.iter().sum::<i64>() - ((23 * diff5) >> 1)).max(0);
    let mr = (5 * (tot / 8) / (diff5 + 1)).min(15);
    let dm = 3 * diff5 / 8 + 1;
    let mn = ((2 * most(&norms) - dm) / 4).max(0);
    let st = ((mn / dm).min(15) - (8 - diff3 / 2).max(0)).max(0);
    let cut = (mr - p.mr_threshold as i64).max(0) * p.mr_boost as i64
        + (st - p.steepness_threshold as i64).max(0) * p.steepness_boost as i64;
    let sharp_strength = (sharp_strength * (16 - cut.min(15))) >> 4;

    // The outer ring has coefficients in the 5×5 filter, the inner ring in the 3×3 filter.
    let (mut sharp, mut good) = (0, [(0, 0); 2]);
    for j in -2i64..=2 {
        for i in -2i64..=2 {
            let d = at(i, j) - x;
            sharp += d * match (i.abs().max(j.abs()), i.abs() + j.abs()) {
                (2, 2) => p.r5c_coefficient as i64,
                (2, 4) => p.r5x_coefficient as i64,
                (2, 3) => p.r5cx_coefficient as i64,
                _ => 0,
            };
            if i.abs().max(j.abs()) == 1 && d.abs() >> e < g {
                let kind = &mut good[(i.abs() + j.abs() - 1) as usize];
                *kind = (kind.0 + d, kind.1 + 1);
            }
        }
    }
    let nz = [0, 64, 32, 21, 16];
    let [axes, corners] = good.map(|(sum, count)| sum * nz[count]);
    let smooth = (p.r3c_coefficient as i64 * axes + p.r3x_coefficient as i64 * corners) >> 4;
    let delta = (smooth_strength * smooth - sharp_strength * sharp + 4096) >> 13;
    let out = x + (delta * share).div_euclid(32);

    let (five, three) = (square(&at, 2), square(&at, 1));
    let limit = |beyond: i64| ((p.clip_limiter as i64) << (unit - 10)) + ((beyond * p.limiter_boost as i64) >> 4);
    let limited = if out > most(&five) {
        let top = most(&five);
        (top + (((out - top) * p.maximum_limiter as i64) >> 4)).min(top + limit(top - most(&three)))
    } else if out < least(&five) {
        let bottom = least(&five);
        (bottom - (((bottom - out) * p.minimum_limiter as i64) >> 4)).max(bottom - limit(least(&three) - bottom))
    } else {
        out
    };
    limited.clamp(0, (1 << unit) - 1)
}
