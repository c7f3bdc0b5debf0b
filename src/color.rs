//! Colour pipe (§6): skin tone detection and enhancement, contrast curve, saturation of six
//! colours, amplifier, colour matrix; 12 bits per component.
pub(crate) mod contrast;
mod controls;
mod convert;
mod frame;
mod parameters;
mod skin;
mod space;
mod total_color;

use crate::luma::Tally;
pub use controls::{ColorSaturation, ProcAmp};
use dndi_simd::{Conversion, DEEP, Kernels, SkinEnhance, SkinFactor, TotalColor};
pub(crate) use frame::{Band, Scratch};
pub use parameters::ColorParameters;

/// Chroma zero in 12 bits.
const GRAY: u16 = 2048;

/// The enabled stages, with their kernel inputs.
#[derive(Debug)]
pub(crate) struct Pipe {
    skin_factor: Option<SkinFactor>,
    skin_enhance: Option<SkinEnhance>,
    /// Whether the skin factors replace the picture.
    shows_skin: bool,
    /// Pixels with a larger skin factor count as skin in the statistics.
    skin_threshold: u16,
    curve: Option<Box<[u16; DEEP]>>,
    total: Option<TotalColor>,
    /// Contrast (1/128); brightness (1/16), cosine and sine (1/256), as the fields of the state.
    amplify: Option<(u16, [i16; 3])>,
    convert: Option<[Conversion; 3]>,
}

/// The pixels of a line between the stages of the pipe, 12 bits per component.
#[derive(Debug)]
pub(crate) struct Line {
    /// Luma and both chroma components of each pixel.
    pub yuv: [Vec<u16>; 3],
    /// Skin factor of each pixel, 0…31 (§6.1).
    factor: Vec<u16>,
    /// Output of a stage, swapped with `yuv` afterwards.
    output: [Vec<u16>; 3],
}

impl Line {
    /// A line of `width` pixels.
    pub fn new(width: usize) -> Line {
        let plane = || vec![0; width];
        Line { yuv: [plane(), plane(), plane()], factor: plane(), output: [plane(), plane(), plane()] }
    }

    fn samples(&self) -> [&[u16]; 3] {
        self.yuv.each_ref().map(Vec::as_slice)
    }

    /// Replaces component `index` by the output of the stage.
    fn accept(&mut self, index: usize) {
        std::mem::swap(&mut self.yuv[index], &mut self.output[index]);
    }
}

impl Pipe {
    /// The pipe for these parameters; none if all stages are off.
    pub fn new(p: &ColorParameters) -> Option<Pipe> {
        let detects = p.std_enable;
        let shows_skin = detects && p.output_control;
        let pipe = Pipe {
            skin_factor: detects.then(|| skin::factor(p)),
            skin_enhance: (detects && p.ste_enable && !shows_skin).then(|| skin::enhance(p)),
            shows_skin,
            skin_threshold: p.skin_threshold.into(),
            curve: p.ace_enable.then(|| contrast::curve(p)),
            total: p.tcc_enable.then(|| total_color::fields_of(p)),
            amplify: p.procamp_enable.then_some((p.contrast, [p.brightness, p.cos_c_s, p.sin_c_s])),
            convert: p.transform_enable.then(|| convert::components(p)),
        };
        let any = detects || pipe.curve.is_some() || pipe.total.is_some() || pipe.amplify.is_some() || pipe.convert.is_some();
        any.then_some(pipe)
    }

    /// Replaces the contrast curve, if that stage is on.
    pub fn set_curve(&mut self, p: &ColorParameters) {
        if let Some(curve) = &mut self.curve {
            contrast::write(p, curve);
        }
    }

    /// Runs all stages on a line with 4:4:4 chroma. Without `chroma` only the luma of the result is
    /// valid. `tally` is the statistics with the number of the line in the picture and the number
    /// of pixels of it that count.
    pub fn line(&self, kernels: &Kernels, line: &mut Line, chroma: bool, tally: Option<(&mut Tally, usize, usize)>) {
        let needs_chroma = chroma || self.convert.is_some();
        self.skin(kernels, line, needs_chroma);
        if let Some((tally, number, pixels)) = tally {
            tally.count(number, &line.yuv[0][..pixels], |y| (y >> 4) as u8);
            tally.count_skin(&line.factor[..pixels], self.skin_threshold);
        }
        self.luma(kernels, line);
        if needs_chroma {
            self.chroma(kernels, line);
        }
        if let Some(convert) = &self.convert {
            let components = if chroma { 3 } else { 1 };
            for (conversion, output) in convert.iter().zip(&mut line.output).take(components) {
                (kernels.convert)(output, line.yuv.each_ref().map(Vec::as_slice), conversion);
            }
            (0..components).for_each(|index| line.accept(index));
        }
    }

    /// Skin tone detection and enhancement (STD, STE).
    fn skin(&self, kernels: &Kernels, line: &mut Line, needs_chroma: bool) {
        let Some(detection) = &self.skin_factor else { return };
        let mut factor = std::mem::take(&mut line.factor);
        (kernels.skin_factor)(&mut factor, line.samples(), detection);
        line.factor = factor;
        if self.shows_skin {
            let [y, u, v] = &mut line.yuv;
            y.iter_mut().zip(&line.factor).for_each(|(y, factor)| *y = factor << 7);
            u.fill(GRAY);
            v.fill(GRAY);
        } else if let (Some(enhance), true) = (&self.skin_enhance, needs_chroma) {
            let [_, u, v] = &mut line.output;
            (kernels.skin_enhance)(&mut [u, v], line.yuv.each_ref().map(Vec::as_slice), &line.factor, enhance);
            line.accept(1);
            line.accept(2);
        }
    }

    /// Contrast curve (ACE) and the luma of the amplifier (ProcAmp).
    fn luma(&self, kernels: &Kernels, line: &mut Line) {
        if let Some(curve) = &self.curve {
            (kernels.contrast)(&mut line.output[0], &line.yuv[0], &line.factor, curve);
            line.accept(0);
        }
        if let Some((contrast, [brightness, ..])) = self.amplify {
            (kernels.amplify_luma)(&mut line.output[0], &line.yuv[0], contrast, brightness);
            line.accept(0);
        }
    }

    /// Saturation of six colours (TCC) and the chroma of the amplifier (ProcAmp).
    fn chroma(&self, kernels: &Kernels, line: &mut Line) {
        if let Some(total) = &self.total {
            let [_, u, v] = &mut line.output;
            (kernels.total_color)(&mut [u, v], [&line.yuv[1], &line.yuv[2]], &line.factor, total);
            line.accept(1);
            line.accept(2);
        }
        if let Some((_, [_, cos, sin])) = self.amplify {
            let [_, u, v] = &mut line.output;
            (kernels.amplify_chroma)(&mut [u, v], [&line.yuv[1], &line.yuv[2]], cos, sin);
            line.accept(1);
            line.accept(2);
        }
    }
}
