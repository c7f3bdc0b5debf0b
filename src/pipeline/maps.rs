//! Maps of a step for inspection: motion, angles, vectors, combing.
use super::context::StepContext;
use super::neighbours::Neighbours;
use super::step::State;
use super::window::Window;
use crate::deinterlace;
use crate::deinterlace::trace::{Trace, trace};
use crate::field_match::FieldMatch;
use crate::fmd;
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, collected, copied, with_capacity};
use crate::plane::PaddedPlane;
use dndi_simd::OFFSETS;

/// Maps of a step for inspection, from [`Stream::maps`](crate::Stream::maps). Values are stored
/// line after line without gaps. With [`Deinterlacer::Best`](crate::Deinterlacer::Best) motion
/// measure and angles are those of [`Deinterlacer::Balanced`](crate::Deinterlacer::Balanced).
///
/// A deinterlacing step completes two fields: with
/// [`Deinterlacer::Gen6`](crate::Deinterlacer::Gen6) the 2nd field of the previous frame and the
/// 1st field of its own frame, otherwise both fields of the previous frame, and at the end of the
/// stream those of the last one. Each line is missing in one of the two outputs; its values refer
/// to that output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Maps {
    /// Number of the step, which is that of its input frame, from 0; at the end of the stream the
    /// number of input frames if the maps are those of the last outputs.
    pub step: u64,
    /// Width and height of the picture.
    pub size: (usize, usize),
    /// Stored motion measure (§3.2) of each pair of pixels of each line: 0 still … 255 moving, and
    /// all 255 on the first step. With a network 0 if both pixels of the pair are static (§14.4),
    /// else 128 plus the greater static measure, at most 255. Empty with deinterlacing off.
    pub stmm: Vec<u8>,
    /// Angle (§3.3) of each pair of each line, as an offset o of -5…5 pixels: the interpolation
    /// averages the pixel o to the right in the line above and the pixel o to the left in the line
    /// below; 0 is the vertical. With a network that of the edge search (§14.3) at the left pixel.
    /// Empty on the first step and with deinterlacing off.
    pub angle: Vec<i8>,
    /// Motion vector (Mx, My) of each pair of each line in pixels and lines (§3.5), from the frame
    /// of the completed field to the other frame; none if motion compensation changed neither pixel
    /// of the pair. With a network none if the left pixel is static, else its best motion (§14.3)
    /// as the point in field t - 1; with [`Deinterlacer::Best`](crate::Deinterlacer::Best) the
    /// vector of its 16×16 block (§15.5) to that field, none if it was not searched. Empty on the
    /// first step, with deinterlacing off and with motion compensation off.
    pub vectors: Vec<Option<(i8, i8)>>,
    /// Motion history (§2.1) of each 4×4 block: below 128 moving, from there on the higher the
    /// longer the block has been still. 0 on the first step; empty with denoising off and with
    /// denoising along motion.
    pub history: Vec<u8>,
    /// Combing (tears, §4.1) of each pixel of the even lines that a neighbour confirms: bit 0
    /// between the fields of the frame, bit 1 between its even lines and the odd lines of the
    /// previous frame, bit 2 between its odd lines and the even lines of the previous frame. Empty
    /// with deinterlacing off.
    pub tears: Vec<u8>,
}

impl Maps {
    /// Pairs of pixels in a line.
    pub fn pairs(&self) -> usize {
        self.size.0.div_ceil(2)
    }

    /// 4×4 blocks in a row.
    pub fn blocks(&self) -> usize {
        self.size.0.div_ceil(4)
    }
}

impl<S: PlaneSample> State<S> {
    /// The maps of step `number`, the last complete one. After the step its frame is `previous` and
    /// the frame before it `current`: the step ended by swapping them.
    pub fn maps(&self, context: StepContext, number: u64) -> Result<Maps, OutOfMemory> {
        if let Some(window) = &self.window {
            return self.window_maps(context, window, number);
        }
        let (current, previous) = (&self.previous, &self.current);
        let [measure, stored] = &self.measure;
        let history = copied(self.luma.last_history())?;
        let mut maps = Maps { step: number, size: context.size(), history, ..Maps::default() };
        if !context.settings.deinterlace {
            return Ok(maps);
        }
        let combing = fmd::Input {
            kernels: context.kernels,
            parameters: &context.settings.parameters.fmd,
            size: context.size(),
            current: current.luma.fields().bytes,
            previous: (number > 0).then(|| previous.luma.fields().bytes),
        };
        maps.tears = fmd::tears(&combing)?;
        maps.stmm = copied(measure.values())?;
        if number > 0 {
            let matches = [FieldMatch::Deinterlace; 2];
            let parameters = self.deinterlace_parameters(context);
            let input = context.deinterlacing(&parameters, [current, previous], self.luma.original(), stored, matches, [None; 2]);
            let Trace { angles, vectors } = trace(&deinterlace::Input { counts: true, ..input }, context.size())?;
            maps.angle = collected(angles.iter().map(|&angle| OFFSETS[angle as usize]))?;
            maps.vectors = if input.compensation.is_some() { vectors } else { vec![] };
        }
        Ok(maps)
    }

    /// The maps of a deinterlacer with look-ahead: those of the frame that was completed last. None
    /// of its fields before the second step.
    fn window_maps(&self, context: StepContext, window: &Window<S>, number: u64) -> Result<Maps, OutOfMemory> {
        let (frame, older, newer) = match window.ended {
            true => (&self.previous, &window.older, None),
            false => (&window.older, &self.current, Some(&self.previous)),
        };
        let step = number + u64::from(window.ended);
        let mut maps = Maps { step, size: context.size(), ..Maps::default() };
        if step == 0 {
            return Ok(maps);
        }
        maps.history = copied(if window.ended { self.luma.last_history() } else { self.luma.history() })?;
        let older = Some(older).filter(|_| step > 1);
        let [mut of_frame, mut of_older] = [PaddedPlane::default(), PaddedPlane::default()];
        maps.tears = fmd::tears(&fmd::Input {
            kernels: context.kernels,
            parameters: &context.settings.parameters.fmd,
            size: context.size(),
            current: frame.luma.top_fields(context.kernels, &mut of_frame)?,
            previous: older.map(|older| older.luma.top_fields(context.kernels, &mut of_older)).transpose()?,
        })?;
        let (pairs, height) = (context.pairs(), context.size().1);
        let (mut stmm, mut angle, mut vectors) =
            (with_capacity(pairs * height)?, with_capacity(pairs * height)?, with_capacity(pairs * height)?);
        context.trace(Neighbours { older, frame, newer }, |trace| {
            match trace {
                Some(trace) => {
                    stmm.extend(trace.motion_measure.chunks(2).map(|pair| pair.iter().max().copied().unwrap_or(0)));
                    angle.extend(trace.angle.iter().step_by(2));
                    vectors.extend(trace.motion.iter().step_by(2));
                }
                None => {
                    stmm.extend(std::iter::repeat_n(255, pairs));
                    angle.extend(std::iter::repeat_n(0, pairs));
                    vectors.extend(std::iter::repeat_n(None, pairs));
                }
            }
            Ok(())
        })?;
        if let Some(best) = &window.best {
            for (y, line) in vectors.chunks_mut(pairs.max(1)).enumerate() {
                // The lines of a field are missing in the output of the other one.
                let second = y % 2 == context.first_line();
                for (pair, vector) in line.iter_mut().enumerate().filter(|(_, vector)| vector.is_some()) {
                    *vector = best.motion(second, (2 * pair, y));
                }
            }
        }
        (maps.stmm, maps.angle, maps.vectors) = (stmm, angle, vectors);
        Ok(maps)
    }
}
