//! The stages of the colour pipe on lines of pixels (§6, §9.5).
use super::contrast::Curve;
use super::{ColorParameters, convert, skin, total_color};
use crate::luma::Tally;
use crate::memory::{OutOfMemory, zeroed, zeroed_rows};
use dndi_simd::{Conversion, Kernels, SkinEnhance, SkinFactor, TotalColor, color_bits};

/// The enabled stages of the colour pipe with their tables.
#[derive(Debug)]
pub(crate) struct Pipe {
    /// Bits per sample of pictures, n.
    pub(super) depth: u8,
    /// Bits per component, Q.
    bits: u8,
    /// Skin tone detection (STD).
    pub(super) skin_factor: Option<SkinFactor>,
    /// Skin tone enhancement (STE).
    skin_enhance: Option<SkinEnhance>,
    /// Whether the skin tone factors replace the picture.
    shows_skin: bool,
    /// The skin tone factor above which a pixel counts as skin.
    skin_threshold: u16,
    /// The contrast curve (ACE).
    pub(super) curve: Option<Curve>,
    /// Saturation by colour (TCC).
    pub(super) total: Option<TotalColor>,
    /// ProcAmp: contrast; brightness, cosine and sine.
    pub(super) amplify: Option<(u16, [i16; 3])>,
    /// Conversion of the colour space (CSC), by output component.
    pub(super) convert: Option<[Conversion; 3]>,
}

/// A line of pixels in the pipe, 12 to 16 bits per component.
#[derive(Debug)]
pub(crate) struct Line {
    /// Luma and both chroma components of each pixel.
    pub yuv: [Vec<u16>; 3],
    /// The skin tone factor of each pixel, 0…31.
    factor: Vec<u16>,
    /// Output of a stage, which is then swapped with its input.
    output: [Vec<u16>; 3],
}

impl Line {
    /// A line of `width` pixels.
    pub fn new(width: usize) -> Result<Line, OutOfMemory> {
        Ok(Line { yuv: zeroed_rows(width)?, factor: zeroed(width)?, output: zeroed_rows(width)? })
    }

    /// The input of the next stage.
    fn samples(&self) -> [&[u16]; 3] {
        self.yuv.each_ref().map(Vec::as_slice)
    }

    /// Makes the output of a stage for component `index` the input of the next stage.
    fn advance(&mut self, index: usize) {
        std::mem::swap(&mut self.yuv[index], &mut self.output[index]);
    }
}

impl Pipe {
    /// The pipe with these parameters for samples of `depth` bits; none if all stages are off.
    pub fn new(p: &ColorParameters, depth: u8) -> Result<Option<Pipe>, OutOfMemory> {
        if !Pipe::is_on(p) {
            return Ok(None);
        }
        let (detects, bits) = (p.std_enable, color_bits(depth));
        let shows_skin = detects && p.output_control;
        Ok(Some(Pipe {
            depth,
            bits,
            skin_factor: detects.then(|| skin::factor(p)),
            skin_enhance: (detects && p.ste_enable && !shows_skin).then(|| skin::enhance(p)),
            shows_skin,
            skin_threshold: p.skin_threshold.into(),
            curve: p.ace_enable.then(|| Curve::new(p, bits)).transpose()?,
            total: p.tcc_enable.then(|| total_color::total(p)).transpose()?,
            amplify: p.procamp_enable.then_some((p.contrast, [p.brightness, p.cos_c_s, p.sin_c_s])),
            convert: p.transform_enable.then(|| convert::components(p, bits)),
        }))
    }

    /// Whether any stage is on.
    pub fn is_on(p: &ColorParameters) -> bool {
        p.std_enable || p.ace_enable || p.tcc_enable || p.procamp_enable || p.transform_enable
    }

    /// Replaces the contrast curve, if the contrast stage is on.
    pub fn set_curve(&mut self, p: &ColorParameters) {
        if let Some(curve) = &mut self.curve {
            curve.set(p, self.bits);
        }
    }

    /// Zero of the chroma.
    pub(super) fn gray(&self) -> u16 {
        1 << (self.bits - 1)
    }

    /// Runs all stages on a line of pixels, each with its own chroma. Without `chroma` only the
    /// luma of the result is valid. The tally comes with the number of the line in the picture and
    /// the number of its pixels.
    pub fn line(&self, kernels: &Kernels, line: &mut Line, chroma: bool, tally: Option<(&mut Tally, usize, usize)>) {
        let needs_chroma = chroma || self.convert.is_some();
        self.skin(kernels, line, needs_chroma);
        if let Some((tally, number, pixels)) = tally {
            tally.count(number, &line.yuv[0][..pixels], |y| (y >> (self.bits - 8)) as u8);
            tally.count_skin(&line.factor[..pixels], self.skin_threshold);
        }
        self.luma(kernels, line);
        if needs_chroma {
            self.chroma(kernels, line);
        }
        if let Some(convert) = &self.convert {
            let components = if chroma { 3 } else { 1 };
            for (conversion, output) in convert.iter().zip(&mut line.output).take(components) {
                (kernels.convert)(output, line.yuv.each_ref().map(Vec::as_slice), conversion, self.bits);
            }
            (0..components).for_each(|index| line.advance(index));
        }
    }

    /// Skin tone detection and enhancement (STD, STE).
    fn skin(&self, kernels: &Kernels, line: &mut Line, needs_chroma: bool) {
        let Some(detection) = &self.skin_factor else { return };
        let mut factor = std::mem::take(&mut line.factor);
        (kernels.skin_factor)(&mut factor, line.samples(), detection, self.bits);
        line.factor = factor;
        if self.shows_skin {
            let [y, u, v] = &mut line.yuv;
            y.iter_mut().zip(&line.factor).for_each(|(y, factor)| *y = factor << (self.bits - 5));
            u.fill(self.gray());
            v.fill(self.gray());
        } else if let (Some(enhance), true) = (&self.skin_enhance, needs_chroma) {
            let [_, u, v] = &mut line.output;
            (kernels.skin_enhance)(&mut [u, v], line.yuv.each_ref().map(Vec::as_slice), &line.factor, enhance, self.bits);
            line.advance(1);
            line.advance(2);
        }
    }

    /// The contrast curve (ACE) and the luma of ProcAmp.
    pub(super) fn luma(&self, kernels: &Kernels, line: &mut Line) {
        if let Some(curve) = &self.curve {
            let (output, y, factor) = (&mut line.output[0], &line.yuv[0], &line.factor);
            match curve {
                Curve::Values(values) => (kernels.contrast)(output, y, factor, values),
                Curve::Pieces(pieces) => (kernels.contrast_pieces)(output, y, factor, pieces, self.bits),
            }
            line.advance(0);
        }
        if let Some((contrast, [brightness, ..])) = self.amplify {
            (kernels.amplify_luma)(&mut line.output[0], &line.yuv[0], contrast, brightness, self.bits);
            line.advance(0);
        }
    }

    /// Saturation by colour (TCC) and the chroma of ProcAmp.
    pub(super) fn chroma(&self, kernels: &Kernels, line: &mut Line) {
        if let Some(total) = &self.total {
            let [_, u, v] = &mut line.output;
            (kernels.total_color)(&mut [u, v], [&line.yuv[1], &line.yuv[2]], &line.factor, total, self.bits);
            line.advance(1);
            line.advance(2);
        }
        if let Some((_, [_, cos, sin])) = self.amplify {
            let [_, u, v] = &mut line.output;
            (kernels.amplify_chroma)(&mut [u, v], [&line.yuv[1], &line.yuv[2]], cos, sin, self.bits);
            line.advance(1);
            line.advance(2);
        }
    }
}
