//! Sharpening filter of the luma (§5.4): a detail filter, or the combination mode, which sharpens
//! and smooths by the content of the 5×5 neighbourhood.
use crate::format::{NameError, Rect};
use crate::memory::{OutOfMemory, zeroed};
use crate::parameters::field::parameters;
use dndi_simd::{Combination, Detail, ENHANCE_APRON, Kernels};
use std::fmt;
use std::str::FromStr;

parameters! { "ief.",
    /// Parameters of the sharpening filter.
    SharpenParameters {
        /// noise level GN1, in code values
        global_noise_estimation: u8 ["global_noise_estimate", "gn1"] = 22 in 0..=255;
        /// edge strength above which an edge is strong
        strong_edge_threshold: u8 ["strong_edge_th"] = 8 in 0..=15;
        /// edge strength above which an edge is weak
        weak_edge_threshold: u8 ["weak_edge_th"] = 1 in 0..=15;
        /// weight of the detail filter at strong edges
        strong_edge_weight: u8 ["strong_weight"] = 7 in 0..=7;
        /// weight of the detail filter at weak edges
        regular_weight: u8 = 2 in 0..=7;
        /// weight of the detail filter away from edges
        non_edge_weight: u8 = 1 in 0..=7;
        /// gain of the detail filter
        gain_factor: u8 ["gain"] = 40 in 0..=63;
        /// smoothing coefficient of the neighbours on the axes
        r3c_coefficient: u8 ["r3c"] = 15 in 0..=31;
        /// smoothing coefficient of the diagonal neighbours
        r3x_coefficient: u8 ["r3x"] = 6 in 0..=31;
        /// sharpening coefficient of the samples 2 away on the axes
        r5c_coefficient: u8 ["r5c"] = 3 in 0..=31;
        /// sharpening coefficient of the samples a knight's move away
        r5cx_coefficient: u8 ["r5cx"] = 8 in 0..=31;
        /// sharpening coefficient of the samples 2 away on the diagonals
        r5x_coefficient: u8 ["r5x"] = 9 in 0..=31;
        /// steepness above which steepness_boost reduces the sharpening
        steepness_threshold: u8 ["steepness_th"] = 0 in 0..=15;
        /// reduction of the sharpening at steep edges: 0 off, 1 on
        steepness_boost: bool = 0 in 0..=1;
        /// texture measure MR above which mr_boost reduces the sharpening
        mr_threshold: u8 ["mr_th"] = 5 in 0..=15;
        /// reduction of the sharpening in texture: 0 off, 1 on
        mr_boost: bool = 0 in 0..=1;
        /// contrast at point 4 of both strength curves, in code values
        pwl1_point_4: u8 ["pwl_point_4"] = 26 in 0..=255;
        /// contrast at point 3 of both strength curves, in code values
        pwl1_point_3: u8 ["pwl_point_3"] = 16 in 0..=255;
        /// contrast at point 2 of both strength curves, in code values
        pwl1_point_2: u8 ["pwl_point_2"] = 12 in 0..=255;
        /// contrast at point 1 of both strength curves, in code values
        pwl1_point_1: u8 ["pwl_point_1"] = 4 in 0..=255;
        /// smoothing strength at point 1
        pwl1_r3_bias_1: u8 ["bias3_1"] = 98 in 0..=255;
        /// smoothing strength at point 0
        pwl1_r3_bias_0: u8 ["bias3_0"] = 127 in 0..=255;
        /// contrast at point 6 of both strength curves, in code values
        pwl1_point_6: u8 ["pwl_point_6"] = 160 in 0..=255;
        /// contrast at point 5 of both strength curves, in code values
        pwl1_point_5: u8 ["pwl_point_5"] = 40 in 0..=255;
        /// smoothing strength at point 5
        pwl1_r3_bias_5: u8 ["bias3_5"] = 0 in 0..=255;
        /// smoothing strength at point 4
        pwl1_r3_bias_4: u8 ["bias3_4"] = 44 in 0..=255;
        /// smoothing strength at point 3
        pwl1_r3_bias_3: u8 ["bias3_3"] = 64 in 0..=255;
        /// smoothing strength at point 2
        pwl1_r3_bias_2: u8 ["bias3_2"] = 88 in 0..=255;
        /// sharpening strength at point 2
        pwl1_r5_bias_2: u8 ["bias5_2"] = 32 in 0..=255;
        /// sharpening strength at point 1
        pwl1_r5_bias_1: u8 ["bias5_1"] = 32 in 0..=255;
        /// sharpening strength at point 0
        pwl1_r5_bias_0: u8 ["bias5_0"] = 3 in 0..=255;
        /// smoothing strength at point 6
        pwl1_r3_bias_6: u8 ["bias3_6"] = 0 in 0..=255;
        /// sharpening strength at point 6
        pwl1_r5_bias_6: u8 ["bias5_6"] = 88 in 0..=255;
        /// sharpening strength at point 5
        pwl1_r5_bias_5: u8 ["bias5_5"] = 108 in 0..=255;
        /// sharpening strength at point 4
        pwl1_r5_bias_4: u8 ["bias5_4"] = 100 in 0..=255;
        /// sharpening strength at point 3
        pwl1_r5_bias_3: u8 ["bias5_3"] = 58 in 0..=255;
        /// slope of the smoothing strength from point 3 on, in 1/16
        pwl1_r3_slope_3: i8 ["slope3_3"] = -32 in -128..=127;
        /// slope of the smoothing strength from point 2 on, in 1/16
        pwl1_r3_slope_2: i8 ["slope3_2"] = -96 in -128..=127;
        /// slope of the smoothing strength from point 1 on, in 1/16
        pwl1_r3_slope_1: i8 ["slope3_1"] = -20 in -128..=127;
        /// slope of the smoothing strength from point 0 on, in 1/16
        pwl1_r3_slope_0: i8 ["slope3_0"] = -116 in -128..=127;
        /// slope of the sharpening strength from point 0 on, in 1/16
        pwl1_r5_slope_0: i8 ["slope5_0"] = 116 in -128..=127;
        /// slope of the smoothing strength from point 6 on, in 1/16
        pwl1_r3_slope_6: i8 ["slope3_6"] = 0 in -128..=127;
        /// slope of the smoothing strength from point 5 on, in 1/16
        pwl1_r3_slope_5: i8 ["slope3_5"] = 0 in -128..=127;
        /// slope of the smoothing strength from point 4 on, in 1/16
        pwl1_r3_slope_4: i8 ["slope3_4"] = -50 in -128..=127;
        /// slope of the sharpening strength from point 4 on, in 1/16
        pwl1_r5_slope_4: i8 ["slope5_4"] = 9 in -128..=127;
        /// slope of the sharpening strength from point 3 on, in 1/16
        pwl1_r5_slope_3: i8 ["slope5_3"] = 67 in -128..=127;
        /// slope of the sharpening strength from point 2 on, in 1/16
        pwl1_r5_slope_2: i8 ["slope5_2"] = 104 in -128..=127;
        /// slope of the sharpening strength from point 1 on, in 1/16
        pwl1_r5_slope_1: i8 ["slope5_1"] = 0 in -128..=127;
        /// remaining share of an overshoot, in 1/16
        maximum_limiter: u8 ["max_limiter"] = 11 in 0..=15;
        /// remaining share of an undershoot, in 1/16
        minimum_limiter: u8 ["min_limiter"] = 10 in 0..=15;
        /// additional overshoot by the contrast of the neighbourhood, in 1/16
        limiter_boost: u8 = 0 in 0..=15;
        /// slope of the sharpening strength from point 6 on, in 1/16
        pwl1_r5_slope_6: i8 ["slope5_6"] = -15 in -128..=127;
        /// slope of the sharpening strength from point 5 on, in 1/16
        pwl1_r5_slope_5: i8 ["slope5_5"] = -3 in -128..=127;
        /// largest remaining overshoot or undershoot, in 10-bit code values
        clip_limiter: u16 = 130 in 0..=1023;
        /// strength by skin tone, with skin tone detection: 0 off, 1 on
        skin_tuned: bool = 0 in 0..=1;
        /// change of skin with skin_tuned: 0 up to twice as much, 1 down to none
        skin_detail_factor: bool = 0 in 0..=1;
    }
}

/// The filters that sharpen the luma (§5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SharpenMode {
    /// Detail filter on the 3×3 neighbourhood.
    Detail3,
    /// Detail filter on the 5×5 neighbourhood.
    Detail5,
    /// Smooths the 3×3 neighbourhood where it is flat (§13.11).
    Smooth3,
    /// Combination mode on the 5×5 neighbourhood: sharpens, smooths noise, and limits overshoot.
    Combination,
}

impl SharpenMode {
    const NAMES: &'static [&'static str] = &["detail3", "detail5", "smooth3", "combo"];
}

/// `detail3`, `detail5`, `smooth3` or `combo`; case does not matter.
impl FromStr for SharpenMode {
    type Err = NameError;

    fn from_str(name: &str) -> Result<SharpenMode, NameError> {
        let values = [SharpenMode::Detail3, SharpenMode::Detail5, SharpenMode::Smooth3, SharpenMode::Combination];
        NameError::find("sharpen mode", name, SharpenMode::NAMES, &values)
    }
}

/// `detail3`, `detail5`, `smooth3` or `combo`.
impl fmt::Display for SharpenMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SharpenMode::NAMES[*self as usize])
    }
}

/// A filter with the parameters of one step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Filter {
    Detail(Detail),
    Combination(Combination),
}

impl Filter {
    /// The filter of `mode` for samples of `depth` bits, 10…16, and the global noise estimate
    /// `noise` in 8-bit units.
    pub fn new(mode: SharpenMode, p: &SharpenParameters, depth: u8, noise: u8) -> Filter {
        match mode {
            SharpenMode::Detail3 | SharpenMode::Detail5 | SharpenMode::Smooth3 => Filter::Detail(Detail {
                depth,
                wide: mode == SharpenMode::Detail5,
                smooth: mode == SharpenMode::Smooth3,
                strong_edge_threshold: p.strong_edge_threshold,
                weak_edge_threshold: p.weak_edge_threshold,
                weights: match mode {
                    SharpenMode::Smooth3 => [p.non_edge_weight, p.regular_weight, p.strong_edge_weight],
                    _ => [p.strong_edge_weight, p.regular_weight, p.non_edge_weight],
                },
                gain_factor: p.gain_factor,
            }),
            SharpenMode::Combination => Filter::Combination(p.combination(depth, noise)),
        }
    }
}

impl SharpenParameters {
    fn combination(&self, depth: u8, noise: u8) -> Combination {
        let p = self;
        Combination {
            depth,
            noise,
            r3: [p.r3c_coefficient, p.r3x_coefficient],
            r5: [p.r5c_coefficient, p.r5x_coefficient, p.r5cx_coefficient],
            mr: [p.mr_threshold, p.mr_boost.into()],
            steepness: [p.steepness_threshold, p.steepness_boost.into()],
            points: [0, p.pwl1_point_1, p.pwl1_point_2, p.pwl1_point_3, p.pwl1_point_4, p.pwl1_point_5, p.pwl1_point_6],
            bias3: [
                p.pwl1_r3_bias_0,
                p.pwl1_r3_bias_1,
                p.pwl1_r3_bias_2,
                p.pwl1_r3_bias_3,
                p.pwl1_r3_bias_4,
                p.pwl1_r3_bias_5,
                p.pwl1_r3_bias_6,
            ],
            slope3: [
                p.pwl1_r3_slope_0,
                p.pwl1_r3_slope_1,
                p.pwl1_r3_slope_2,
                p.pwl1_r3_slope_3,
                p.pwl1_r3_slope_4,
                p.pwl1_r3_slope_5,
                p.pwl1_r3_slope_6,
            ],
            bias5: [
                p.pwl1_r5_bias_0,
                p.pwl1_r5_bias_1,
                p.pwl1_r5_bias_2,
                p.pwl1_r5_bias_3,
                p.pwl1_r5_bias_4,
                p.pwl1_r5_bias_5,
                p.pwl1_r5_bias_6,
            ],
            slope5: [
                p.pwl1_r5_slope_0,
                p.pwl1_r5_slope_1,
                p.pwl1_r5_slope_2,
                p.pwl1_r5_slope_3,
                p.pwl1_r5_slope_4,
                p.pwl1_r5_slope_5,
                p.pwl1_r5_slope_6,
            ],
            limiters: [p.maximum_limiter, p.minimum_limiter],
            limiter_boost: p.limiter_boost,
            clip_limiter: p.clip_limiter,
        }
    }
}

/// A plane of samples of P = max(10, n) bits, where n is the depth of the picture (§9.4). Copies of
/// the first and the last sample continue each line on both sides.
#[derive(Debug, Default)]
pub(crate) struct DeepPlane {
    data: Vec<u16>,
    width: usize,
    height: usize,
}

impl DeepPlane {
    /// A black plane of `width` × `height` samples.
    pub fn new(width: usize, height: usize) -> Result<DeepPlane, OutOfMemory> {
        Ok(DeepPlane { data: zeroed((width + 2 * ENHANCE_APRON) * height)?, width, height })
    }

    /// The plane cut into bands of `lines` lines, which [`put`] writes line by line.
    pub fn bands_mut(&mut self, lines: usize) -> impl rayon::iter::IndexedParallelIterator<Item = &mut [u16]> {
        use rayon::prelude::*;
        self.data.par_chunks_mut((self.width + 2 * ENHANCE_APRON) * lines)
    }

    /// All lines as one band, which [`put`] writes line by line.
    #[cfg(feature = "gen6")]
    pub fn lines_mut(&mut self) -> &mut [u16] {
        &mut self.data
    }

    /// The samples of line `y`.
    pub fn line(&self, y: usize) -> &[u16] {
        &self.data[y * (self.width + 2 * ENHANCE_APRON) + ENHANCE_APRON..][..self.width]
    }

    /// `width` samples from `x` on, with the apron, of lines y-2…y+2; with `fields` of the five
    /// nearest lines of the parity of y.
    fn around(&self, y: usize, fields: bool, x: usize, width: usize) -> [&[u16]; 5] {
        let (step, parity) = if fields { (2, y % 2) } else { (1, 0) };
        let last = (self.height - 1 - parity) / step;
        let stride = self.width + 2 * ENHANCE_APRON;
        [-2, -1, 0, 1, 2].map(|offset: isize| {
            let line = (y / step).saturating_add_signed(offset).min(last) * step + parity;
            &self.data[line * stride + x..][..width + 2 * ENHANCE_APRON]
        })
    }
}

/// Writes line `line` of a band of a [`DeepPlane`].
pub(crate) fn put(band: &mut [u16], line: usize, samples: impl ExactSizeIterator<Item = u16>) {
    let (apron, width) = (ENHANCE_APRON, samples.len());
    let padded = &mut band[line * (width + 2 * apron)..][..width + 2 * apron];
    for (out, sample) in padded[apron..].iter_mut().zip(samples) {
        *out = sample;
    }
    let (first, last) = (padded[apron], padded[apron + width - 1]);
    padded[..apron].fill(first);
    padded[apron + width..].fill(last);
}

/// Input of the filter.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub kernels: &'a Kernels,
    pub filter: &'a Filter,
    pub plane: &'a DeepPlane,
    /// Whether the lines of each parity are filtered separately, as fields.
    pub fields: bool,
    /// For each sample of a line of the rectangle the share of the change that it takes, in 1/32,
    /// 0…63 (§13.11); none if each takes the whole change.
    pub shares: Option<&'a [u16]>,
}

/// Makes of a skin tone factor, 0…31, the share of the change, in 1/32 (§13.11).
pub(crate) fn share(p: &SharpenParameters) -> impl Fn(u16) -> u16 {
    let reduces = p.skin_detail_factor;
    move |factor| if reduces { 32 - factor } else { 32 + factor }
}

/// Filters a rectangle and passes each line, in P bits, to `emit(line, samples)`. `line` is a
/// scratch buffer for one line.
pub(crate) fn tile(input: &Input, rect: Rect, line: &mut [u16], mut emit: impl FnMut(usize, &[u16])) {
    let line = &mut line[..rect.width];
    for y in rect.y..rect.y + rect.height {
        let rows = input.plane.around(y, input.fields, rect.x, rect.width);
        match input.filter {
            Filter::Detail(p) => (input.kernels.detail_filter)(line, rows, input.shares, p),
            Filter::Combination(p) => (input.kernels.combination_filter)(line, rows, input.shares, p),
        }
        emit(y, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_to_their_modes() {
        let modes = [SharpenMode::Detail3, SharpenMode::Detail5, SharpenMode::Smooth3, SharpenMode::Combination];
        for (mode, name) in modes.into_iter().zip(["detail3", "detail5", "smooth3", "combo"]) {
            assert_eq!((mode.to_string().as_str(), name.to_uppercase().parse()), (name, Ok(mode)));
        }
        let error = "unsharp".parse::<SharpenMode>().unwrap_err().to_string();
        assert_eq!(error, "no sharpen mode 'unsharp'; there are: detail3, detail5, smooth3, combo");
    }
}
