//! The wide part of the colour pipe (§13.1, §13.4): stages on RGB, and the front-end conversion, on
//! numbers of 16 bits.
use super::extended::Extended;
use super::extended_parameters::{ColorCorrectionParameters, GamutParameters};
use super::tables::Curves;
use crate::format::{ColorMatrix, ColorRange, ColorSpace};
use crate::memory::{OutOfMemory, zeroed, zeroed_rows};
use dndi_simd::{GamutWeight, Kernels, WideMix};

/// The limits of a result that is not limited.
const FREE: [i32; 2] = [i32::MIN, i32::MAX];

/// The limits of 16 bits.
const WHOLE: [i32; 2] = [0, 65535];

/// Magnitude of RGB that is not limited: that of the most saturated colours of all matrices is
/// below.
const UNLIMITED: i32 = 1 << 18;

/// A gain of 1 of the white balance.
pub(super) const UNITY: u16 = 4096;

/// The stages on wide numbers that are on.
#[derive(Debug)]
pub(super) struct WideStages {
    /// Bits per component, Q.
    bits: u8,
    /// Whether lines are loaded as RGB.
    captured: bool,
    /// From YUV to RGB and back, if a stage on RGB is on.
    rgb: Option<[[WideMix; 3]; 2]>,
    gains: Option<[u16; 3]>,
    correction: Option<[WideMix; 3]>,
    gamma: Option<Curves>,
    expansion: Option<Expansion>,
    front: Option<[WideMix; 3]>,
}

/// Gamut expansion.
#[derive(Debug)]
struct Expansion {
    /// To linear light and back.
    curves: [Curves; 2],
    matrix: [WideMix; 3],
    weight: Weight,
}

/// The weight of expanded colours.
#[derive(Debug)]
enum Weight {
    /// That of all pixels, 0…1024.
    Global(i32),
    BySaturation(GamutWeight),
}

/// Lines of wide numbers.
#[derive(Debug, Default)]
pub(super) struct WideLine {
    /// The input of the next stage.
    now: [Vec<i32>; 3],
    /// Its output, which is then swapped with the input.
    next: [Vec<i32>; 3],
    /// The input of gamut expansion.
    kept: [Vec<i32>; 3],
    weight: Vec<i32>,
}

impl WideLine {
    /// Lines of `width` pixels.
    pub fn new(width: usize) -> Result<WideLine, OutOfMemory> {
        Ok(WideLine { now: zeroed_rows(width)?, next: zeroed_rows(width)?, kept: zeroed_rows(width)?, weight: zeroed(width)? })
    }

    /// Loads a line of RGB of 16 bits; surplus pixels repeat the last one.
    pub fn load(&mut self, rgb: [&[u16]; 3]) {
        for (wide, component) in self.now.iter_mut().zip(rgb) {
            wide.iter_mut().zip(component).for_each(|(wide, &v)| *wide = v.into());
            let last = component.last().copied().unwrap_or_default();
            wide.iter_mut().skip(component.len()).for_each(|wide| *wide = last.into());
        }
    }

    /// R, G and B.
    pub fn components(&self) -> [&[i32]; 3] {
        self.now.each_ref().map(Vec::as_slice)
    }

    fn mix(&mut self, kernels: &Kernels, rows: &[WideMix]) {
        for (row, next) in rows.iter().zip(&mut self.next) {
            (kernels.wide_mix)(next, self.now.each_ref().map(Vec::as_slice), row);
        }
        rows.iter().zip(self.now.iter_mut().zip(&mut self.next)).for_each(|(_, (now, next))| std::mem::swap(now, next));
    }

    fn curve(&mut self, kernels: &Kernels, curves: &Curves) {
        for component in 0..3 {
            (kernels.wide_curve)(&mut self.next[component], &self.now[component], curves.of(component));
        }
        std::mem::swap(&mut self.now, &mut self.next);
    }
}

impl WideStages {
    /// The stages of these settings for components of `bits` bits; none if all are off.
    pub fn new(
        settings: &Extended,
        color: &ColorCorrectionParameters,
        gamut: &GamutParameters,
        bits: u8,
    ) -> Result<Option<WideStages>, OutOfMemory> {
        if !settings.has_rgb() && !settings.front_conversion {
            return Ok(None);
        }
        let expansion = |table: &super::GamutTable| -> Result<Expansion, OutOfMemory> {
            let weight = GamutWeight { gains: [gamut.cm_s, gamut.r_s], thresholds: [gamut.cm_i, gamut.r_i] };
            let global = i32::from(gamut.cm_w) + (i32::from(gamut.cm_w) >> 9);
            Ok(Expansion {
                curves: table.curves()?,
                matrix: expansion_matrix(gamut),
                weight: if gamut.global_mode { Weight::Global(global) } else { Weight::BySaturation(weight) },
            })
        };
        Ok(Some(WideStages {
            bits,
            captured: settings.captured,
            rgb: settings.has_rgb().then(|| conversions(settings.space)),
            gains: settings.white_balance.map(|_| [UNITY; 3]),
            correction: settings.correction.then(|| correction(color)),
            gamma: settings.gamma.as_ref().map(|table| table.curves()).transpose()?,
            expansion: settings.gamut_expansion.as_ref().map(expansion).transpose()?,
            front: settings.front_conversion.then(|| front(color)),
        }))
    }

    /// Sets the gains of the white balance, if it is on.
    pub fn set_gains(&mut self, gains: [u16; 3]) {
        self.gains = self.gains.map(|_| gains);
    }

    /// Converts a line to RGB, unless it was loaded as RGB.
    pub fn to_rgb(&self, kernels: &Kernels, yuv: [&[u16]; 3], line: &mut WideLine) {
        if self.captured {
            return;
        }
        for (wide, component) in line.now.iter_mut().zip(yuv) {
            (kernels.widen)(wide, component, self.bits);
        }
        if let Some([to, _]) = &self.rgb {
            line.mix(kernels, to);
        }
    }

    /// Writes the luma and chroma of a line of RGB, which stays loaded, to `out`.
    pub fn to_yuv(&self, kernels: &Kernels, line: &mut WideLine, out: &mut [Vec<u16>; 3]) {
        let Some([_, from]) = &self.rgb else { return };
        for (row, out) in from.iter().zip(out) {
            (kernels.wide_mix)(&mut line.next[0], line.now.each_ref().map(Vec::as_slice), row);
            (kernels.narrow_wide)(out, &line.next[0], self.bits);
        }
    }

    /// Runs the stages on a line and writes it to `out`; without `chroma` luma alone.
    pub fn run(&self, kernels: &Kernels, yuv: [&[u16]; 3], line: &mut WideLine, out: &mut [Vec<u16>; 3], chroma: bool) {
        self.to_rgb(kernels, yuv, line);
        let mut reach = UNLIMITED;
        if let Some(gains) = self.gains {
            line.mix(kernels, &gain_rows(gains));
            let most = gains.into_iter().max().unwrap_or(UNITY).max(UNITY);
            reach = UNLIMITED / i32::from(UNITY) * i32::from(most);
        }
        if let Some(correction) = self.correction {
            line.mix(kernels, &correction.map(|row| WideMix { reach, ..row }));
            reach = WHOLE[1];
        }
        if let Some(gamma) = &self.gamma {
            line.curve(kernels, gamma);
            reach = WHOLE[1];
        }
        if let Some(expansion) = &self.expansion {
            expansion.run(kernels, line);
            reach = WHOLE[1];
        }
        let needed = if chroma || self.front.is_some() { 3 } else { 1 };
        if let Some([_, from]) = self.rgb {
            line.mix(kernels, &from.map(|row| WideMix { reach, ..row })[..needed]);
        }
        let needed = if chroma { 3 } else { 1 };
        if let Some(front) = &self.front {
            line.mix(kernels, &front[..needed]);
        }
        for (out, wide) in out.iter_mut().zip(&line.now).take(needed) {
            (kernels.narrow_wide)(out, wide, self.bits);
        }
    }
}

impl Expansion {
    fn run(&self, kernels: &Kernels, line: &mut WideLine) {
        line.kept.iter_mut().zip(&line.now).for_each(|(kept, now)| kept.copy_from_slice(now));
        match &self.weight {
            Weight::Global(weight) => line.weight.fill(*weight),
            Weight::BySaturation(p) => {
                (kernels.gamut_weight)(&mut line.weight, line.kept.each_ref().map(Vec::as_slice), p);
            }
        }
        let [inverse, forward] = &self.curves;
        line.curve(kernels, inverse);
        line.mix(kernels, &self.matrix);
        line.curve(kernels, forward);
        for (component, next) in line.next.iter_mut().enumerate() {
            (kernels.wide_blend)(next, &line.now[component], &line.kept[component], &line.weight);
        }
        std::mem::swap(&mut line.now, &mut line.next);
    }
}

/// Multiplication of each component by its gain in 1/4096.
fn gain_rows(gains: [u16; 3]) -> [WideMix; 3] {
    std::array::from_fn(|j| {
        let mut coefficients = [0; 3];
        coefficients[j] = i32::from(gains[j]) << 4;
        WideMix { coefficients, offset_in: [0; 3], offset_out: 0, limits: FREE, reach: UNLIMITED }
    })
}

/// The matrices from YUV to RGB and back, in 1/65536 (§13.1).
fn conversions(ColorSpace { matrix, range }: ColorSpace) -> [[WideMix; 3]; 2] {
    let (to, from): ([[i32; 3]; 3], [[i32; 3]; 3]) = match (matrix, range) {
        (ColorMatrix::Bt601, ColorRange::Limited) => (
            [[76607, 0, 105006], [76607, -25775, -53487], [76607, 132718, 0]],
            [[16763, 32911, 6391], [-9676, -18996, 28672], [28672, -24009, -4663]],
        ),
        (ColorMatrix::Bt601, ColorRange::Full) => (
            [[65792, 0, 92240], [65792, -22641, -46984], [65792, 116583, 0]],
            [[19519, 38320, 7442], [-11015, -21625, 32640], [32640, -27332, -5308]],
        ),
        (ColorMatrix::Bt709, ColorRange::Limited) => (
            [[76607, 0, 117948], [76607, -14030, -35061], [76607, 138979, 0]],
            [[11919, 40098, 4048], [-6570, -22102, 28672], [28672, -26043, -2629]],
        ),
        (ColorMatrix::Bt709, ColorRange::Full) => (
            [[65792, 0, 103609], [65792, -12324, -30799], [65792, 122084, 0]],
            [[13879, 46689, 4713], [-7479, -25161, 32640], [32640, -29647, -2993]],
        ),
        (ColorMatrix::Bt2020, ColorRange::Limited) => (
            [[76607, 0, 110443], [76607, -12325, -42793], [76607, 140911, 0]],
            [[14728, 38012, 3325], [-8007, -20665, 28672], [28672, -26366, -2306]],
        ),
        (ColorMatrix::Bt2020, ColorRange::Full) => (
            [[65792, 0, 97017], [65792, -10826, -37590], [65792, 123781, 0]],
            [[17149, 44261, 3871], [-9115, -23525, 32640], [32640, -30015, -2625]],
        ),
    };
    let black = if range == ColorRange::Limited { 4096 } else { 0 };
    let zeros = [black, 32768, 32768];
    let to = to.map(|coefficients| WideMix {
        coefficients,
        offset_in: zeros.map(|zero| -zero),
        offset_out: 0,
        limits: FREE,
        reach: WHOLE[1],
    });
    let from = std::array::from_fn(|j| WideMix {
        coefficients: from[j],
        offset_in: [0; 3],
        offset_out: zeros[j],
        limits: WHOLE,
        reach: UNLIMITED,
    });
    [to, from]
}

/// A matrix on limited numbers.
fn matrix(c: [i32; 9], offset_in: [i32; 3], offset_out: [i32; 3]) -> [WideMix; 3] {
    std::array::from_fn(|j| WideMix {
        coefficients: [c[3 * j], c[3 * j + 1], c[3 * j + 2]],
        offset_in,
        offset_out: offset_out[j],
        limits: WHOLE,
        reach: WHOLE[1],
    })
}

fn correction(p: &ColorCorrectionParameters) -> [WideMix; 3] {
    let c = [p.ccm_c0, p.ccm_c1, p.ccm_c2, p.ccm_c3, p.ccm_c4, p.ccm_c5, p.ccm_c6, p.ccm_c7, p.ccm_c8];
    let offset_in = [p.ccm_offset_in_r, p.ccm_offset_in_g, p.ccm_offset_in_b];
    matrix(c, offset_in, [p.ccm_offset_out_r, p.ccm_offset_out_g, p.ccm_offset_out_b])
}

fn front(p: &ColorCorrectionParameters) -> [WideMix; 3] {
    let c = [p.fecsc_c0, p.fecsc_c1, p.fecsc_c2, p.fecsc_c3, p.fecsc_c4, p.fecsc_c5, p.fecsc_c6, p.fecsc_c7, p.fecsc_c8];
    // Offsets have 15 bits.
    let doubled = |offsets: [i16; 3]| offsets.map(|v| 2 * i32::from(v));
    let offset_in = doubled([p.fecsc_offset_in_1, p.fecsc_offset_in_2, p.fecsc_offset_in_3]);
    matrix(c, offset_in, doubled([p.fecsc_offset_out_1, p.fecsc_offset_out_2, p.fecsc_offset_out_3]))
}

fn expansion_matrix(p: &GamutParameters) -> [WideMix; 3] {
    let c = [p.c0, p.c1, p.c2, p.c3, p.c4, p.c5, p.c6, p.c7, p.c8];
    matrix(c, [p.offset_in_r, p.offset_in_g, p.offset_in_b], [p.offset_out_r, p.offset_out_g, p.offset_out_b])
}
