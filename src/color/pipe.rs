//! The stages of the colour pipe on lines of pixels (§6, §9.5).
use super::contrast::Curve;
use super::counts::Counts;
use super::extended::ColorGroups;
use super::wide::{WideLine, WideStages};
use super::{ColorParameters, Extended, GamutParameters, LocalContrast, convert, skin, total_color};
use crate::memory::{OutOfMemory, zeroed, zeroed_rows};
use dndi_simd::{CompressionMethod, Conversion, GamutCompression, Kernels, SkinEnhance, SkinFactor, TotalColor, color_bits};

/// The enabled stages of the colour pipe with their tables.
#[derive(Debug)]
pub(crate) struct Pipe {
    /// Bits per sample of pictures, n.
    pub(super) depth: u8,
    /// Bits per component, Q.
    pub(super) bits: u8,
    /// Stages on RGB, and the front-end conversion.
    pub(super) wide: Option<WideStages>,
    /// Skin tone detection (STD).
    pub(super) skin_factor: Option<SkinFactor>,
    /// Skin tone enhancement (STE).
    skin_enhance: Option<SkinEnhance>,
    /// Whether the skin tone factors replace the picture.
    shows_skin: bool,
    /// The skin tone factor above which a pixel counts as skin.
    skin_threshold: u16,
    /// Gamut compression.
    pub(super) compression: Option<GamutCompression>,
    /// The contrast curve (ACE).
    pub(super) curve: Option<Curve>,
    /// Local contrast.
    pub local_contrast: Option<LocalContrast>,
    /// Whether samples of 8 bits are rounded at the exit, and not truncated.
    pub(super) rounds: bool,
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
    /// Whether each pixel is outside the gamut, 1 or 0; empty without gamut compression.
    outside: Vec<u16>,
    /// Wide numbers; empty without stages on them.
    wide: WideLine,
}

/// A line of pixels before the stages on RGB.
pub(super) struct RgbLine<'a> {
    /// Luma and both chroma components.
    pub yuv: [&'a [u16]; 3],
    /// The same pixels as wide RGB, not clipped.
    pub rgb: [&'a [i32]; 3],
}

impl Line {
    /// A line of `width` pixels.
    pub fn new(width: usize) -> Result<Line, OutOfMemory> {
        Ok(Line {
            yuv: zeroed_rows(width)?,
            factor: zeroed(width)?,
            output: zeroed_rows(width)?,
            outside: Vec::new(),
            wide: WideLine::default(),
        })
    }

    /// A line of `width` pixels for the stages of a pipe.
    pub fn for_pipe(width: usize, pipe: &Pipe) -> Result<Line, OutOfMemory> {
        let mut line = Line::new(width)?;
        if pipe.wide.is_some() {
            line.wide = WideLine::new(width)?;
        }
        if pipe.compression.is_some() {
            line.outside = zeroed(width)?;
        }
        Ok(line)
    }

    /// Loads a line of RGB of captured frames.
    pub(super) fn load_rgb(&mut self, rgb: [&[u16]; 3]) {
        self.wide.load(rgb);
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
            wide: None,
            skin_factor: detects.then(|| skin::factor(p)),
            skin_enhance: (detects && p.ste_enable && !shows_skin).then(|| skin::enhance(p)),
            shows_skin,
            skin_threshold: p.skin_threshold.into(),
            compression: None,
            curve: p.ace_enable.then(|| Curve::new(p, bits)).transpose()?,
            local_contrast: None,
            rounds: false,
            total: p.tcc_enable.then(|| total_color::total(p)),
            amplify: p.procamp_enable.then_some((p.contrast, [p.brightness, p.cos_c_s, p.sin_c_s])),
            convert: p.transform_enable.then(|| convert::components(p, bits)),
        }))
    }

    /// The pipe with the stages of `extended`, too, for frames of this size.
    pub fn extended(
        groups: ColorGroups,
        extended: &Extended,
        depth: u8,
        size: (usize, usize),
    ) -> Result<Option<Pipe>, OutOfMemory> {
        let ColorGroups { color, correction, gamut, local_contrast } = groups;
        if !extended.is_on() {
            return Pipe::new(color, depth);
        }
        let bits = color_bits(depth);
        let mut pipe = Pipe::new(&ColorParameters { procamp_enable: true, ..color.clone() }, depth)?;
        if let Some(pipe) = &mut pipe {
            pipe.amplify = pipe.amplify.filter(|_| color.procamp_enable);
            pipe.rounds = depth == 8;
            pipe.wide = WideStages::new(extended, correction, gamut, bits)?;
            let compression = |vertices| {
                let new = GamutCompression::new(vertices, method(gamut), bits);
                new.map_err(|_| OutOfMemory::of::<GamutCompression>(1))
            };
            pipe.compression = extended.gamut_compression.as_ref().map(|table| compression(table.vertices())).transpose()?;
            if extended.local_contrast {
                let is_changed = pipe.wide.is_some() || pipe.compression.is_some() || pipe.curve.is_some() || pipe.shows_skin;
                let is_coarse = depth == 8 && !is_changed;
                pipe.local_contrast = Some(LocalContrast::new(local_contrast, size, bits, is_coarse)?);
            }
        }
        Ok(pipe)
    }

    /// Sets the gains of the white balance, if it is on.
    pub fn set_gains(&mut self, gains: [u16; 3]) {
        if let Some(wide) = &mut self.wide {
            wide.set_gains(gains);
        }
    }

    /// Whether luma and chroma of a pixel depend on each other.
    pub(super) fn is_joint(&self) -> bool {
        self.skin_factor.is_some() || self.convert.is_some() || self.wide.is_some() || self.compression.is_some()
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
    /// luma of the result is valid. `number` is that of the line in the picture, which has `pixels`
    /// of the line's pixels.
    pub fn line(&self, kernels: &Kernels, line: &mut Line, chroma: bool, [number, pixels]: [usize; 2], counts: &mut Counts) {
        let needs_chroma = chroma || self.convert.is_some();
        self.begin(kernels, line, needs_chroma);
        if let Some(tally) = &mut counts.luma {
            tally.count(number, &line.yuv[0][..pixels], |y| (y >> (self.bits - 8)) as u8);
            tally.count_skin(&line.factor[..pixels], self.skin_threshold);
        }
        if self.compression.is_some() {
            self.compress(kernels, line);
            // 16 bits hold the sum of 8192 flags.
            counts.outside += u64::from(line.outside[..pixels].iter().sum::<u16>());
        }
        self.luma(kernels, line, [number, pixels]);
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

    /// The stages up to skin tone enhancement.
    fn begin(&self, kernels: &Kernels, line: &mut Line, needs_chroma: bool) {
        if let Some(wide) = &self.wide {
            let all = needs_chroma || self.skin_factor.is_some() || self.compression.is_some();
            let Line { yuv, output, wide: numbers, .. } = line;
            wide.run(kernels, yuv.each_ref().map(Vec::as_slice), numbers, output, all);
            (0..if all { 3 } else { 1 }).for_each(|index| line.advance(index));
        }
        self.skin(kernels, line, needs_chroma || self.compression.is_some());
    }

    /// Gamut compression.
    fn compress(&self, kernels: &Kernels, line: &mut Line) {
        let Some(compression) = &self.compression else { return };
        let Line { yuv, output: [y, u, v], outside, .. } = line;
        (kernels.compress_gamut)(&mut [y, u, v], outside, yuv.each_ref().map(Vec::as_slice), compression);
        (0..3).for_each(|index| line.advance(index));
    }

    /// The contrast curve (ACE).
    fn curve(&self, kernels: &Kernels, line: &mut Line) {
        let Some(curve) = &self.curve else { return };
        let (output, y, factor) = (&mut line.output[0], &line.yuv[0], &line.factor);
        match curve {
            Curve::Values(values) => (kernels.contrast)(output, y, factor, values),
            Curve::Pieces(pieces) => (kernels.contrast_pieces)(output, y, factor, pieces, self.bits),
        }
        line.advance(0);
    }

    /// The stages before local contrast, for its measurement: the luma of the result is valid.
    pub(super) fn before_local_contrast(&self, kernels: &Kernels, line: &mut Line) {
        self.begin(kernels, line, false);
        self.compress(kernels, line);
        self.curve(kernels, line);
    }

    /// The luma and chroma of a line that was loaded as RGB.
    pub(super) fn to_yuv(&self, kernels: &Kernels, line: &mut Line) {
        if let Some(wide) = &self.wide {
            wide.to_yuv(kernels, &mut line.wide, &mut line.yuv);
        }
    }

    /// Converts a line to RGB before the white balance. None if no stage works on RGB.
    pub(super) fn to_rgb<'a>(&self, kernels: &Kernels, line: &'a mut Line) -> Option<RgbLine<'a>> {
        let wide = self.wide.as_ref()?;
        wide.to_rgb(kernels, line.yuv.each_ref().map(Vec::as_slice), &mut line.wide);
        Some(RgbLine { yuv: line.samples(), rgb: line.wide.components() })
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

    /// The contrast curve (ACE), local contrast and the luma of ProcAmp on line `number`, which has
    /// `pixels` of the line's pixels.
    pub(super) fn luma(&self, kernels: &Kernels, line: &mut Line, [number, pixels]: [usize; 2]) {
        self.curve(kernels, line);
        if let Some(local_contrast) = &self.local_contrast {
            let output = &mut line.output[0];
            local_contrast.line(kernels, number, &mut output[..pixels], &line.yuv[0], &line.factor);
            let last = output[pixels - 1];
            output[pixels..].fill(last);
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

/// How pixels outside the gamut move (§13.5).
fn method(p: &GamutParameters) -> CompressionMethod {
    if p.full_range {
        return CompressionMethod::Soft([[p.d_in, p.d_out], [p.d1_in, p.d1_out]]);
    }
    match (p.mode, p.chroma_only) {
        (0, _) => CompressionMethod::ToVertex(1024),
        (1, _) => CompressionMethod::ToVertex(p.scaling_factor.min(4096) >> 2),
        (2, false) => CompressionMethod::Luma,
        (2, true) => CompressionMethod::Chroma,
        _ => CompressionMethod::ScaledChroma(p.scaling_factor),
    }
}
