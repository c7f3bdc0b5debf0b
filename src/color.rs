//! Colour pipe (§6): skin tones, contrast, saturation of colours, amplification, conversion of the colour space; 12 bits a component.
pub(crate) mod contrast;
mod total_color;
mod convert;
mod frame;
mod controls;
mod parameters;
mod skin;
mod space;

use crate::luma::Tally;
use dndi_simd::{Conversion, DEEP, Kernels, SkinEnhance, SkinFactor, TotalColor};
pub(crate) use frame::{Band, Scratch};
pub use controls::{ColorSaturation, ProcAmp};
pub use parameters::ColorParameters;

/// Zero of the chroma.
const GRAY: u16 = 2048;

/// The stages that are on, ready to run.
#[derive(Debug)]
pub(crate) struct Pipe {
    skin_factor: Option<SkinFactor>,
    skin_enhance: Option<SkinEnhance>,
    /// The skin factors replace the picture.
    shows_skin: bool,
    /// The factor above which a pixel counts as skin.
    skin_threshold: u16,
    curve: Option<Box<[u16; DEEP]>>,
    total: Option<TotalColor>,
    /// Contrast, brightness, cosine, sine.
    amplify: Option<(u16, [i16; 3])>,
    convert: Option<[Conversion; 3]>,
}

/// A line of pixels on its way through the pipe, 12 bits a component.
#[derive(Debug)]
pub(crate) struct Line {
    /// Luma and both chroma components of each pixel.
    pub yuv: [Vec<u16>; 3],
    /// How much like skin each pixel is.
    factor: Vec<u16>,
    /// What a stage makes, before it takes its input's place.
    made: [Vec<u16>; 3],
}

impl Line {
    /// Of `width` pixels.
    pub fn new(width: usize) -> Line {
        let plane = || vec![0; width];
        Line { yuv: [plane(), plane(), plane()], factor: plane(), made: [plane(), plane(), plane()] }
    }

    fn samples(&self) -> [&[u16]; 3] {
        self.yuv.each_ref().map(Vec::as_slice)
    }

    /// Component `index` is what was made of it.
    fn take(&mut self, index: usize) {
        std::mem::swap(&mut self.yuv[index], &mut self.made[index]);
    }
}

impl Pipe {
    /// None where all stages are off.
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

    /// Another curve for the contrast, if that is on.
    pub fn set_curve(&mut self, p: &ColorParameters) {
        if let Some(curve) = &mut self.curve {
            contrast::write(p, curve);
        }
    }

    /// All stages on a line of pixels with chroma of their own. Of the result only the luma counts unless `chroma`. The tally is
    /// told the number of the line in the picture and how many of its pixels there are.
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
            let leaving = if chroma { 3 } else { 1 };
            for (conversion, made) in convert.iter().zip(&mut line.made).take(leaving) {
                (kernels.convert)(made, line.yuv.each_ref().map(Vec::as_slice), conversion);
            }
            (0..leaving).for_each(|index| line.take(index));
        }
    }

    /// STD and STE.
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
            let [_, u, v] = &mut line.made;
            (kernels.skin_enhance)(&mut [u, v], line.yuv.each_ref().map(Vec::as_slice), &line.factor, enhance);
            line.take(1);
            line.take(2);
        }
    }

    /// ACE and the luma of ProcAmp.
    fn luma(&self, kernels: &Kernels, line: &mut Line) {
        if let Some(curve) = &self.curve {
            (kernels.contrast)(&mut line.made[0], &line.yuv[0], &line.factor, curve);
            line.take(0);
        }
        if let Some((contrast, [brightness, ..])) = self.amplify {
            (kernels.amplify_luma)(&mut line.made[0], &line.yuv[0], contrast, brightness);
            line.take(0);
        }
    }

    /// TCC and the chroma of ProcAmp.
    fn chroma(&self, kernels: &Kernels, line: &mut Line) {
        if let Some(total) = &self.total {
            let [_, u, v] = &mut line.made;
            (kernels.total_color)(&mut [u, v], [&line.yuv[1], &line.yuv[2]], &line.factor, total);
            line.take(1);
            line.take(2);
        }
        if let Some((_, [_, cos, sin])) = self.amplify {
            let [_, u, v] = &mut line.made;
            (kernels.amplify_chroma)(&mut [u, v], [&line.yuv[1], &line.yuv[2]], cos, sin);
            line.take(1);
            line.take(2);
        }
    }
}
