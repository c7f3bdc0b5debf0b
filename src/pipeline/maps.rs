//! Maps of a step for inspection: motion, angles, vectors, combing.
use super::context::StepContext;
use super::step::State;
use crate::deinterlace;
use crate::deinterlace::trace::{Trace, trace};
use crate::field_match::FieldMatch;
use crate::fmd;
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, collected, copied};
use dndi_simd::OFFSETS;

/// Maps of a step for inspection, from [`Stream::maps`](crate::Stream::maps). Values are stored
/// line after line without gaps.
///
/// A deinterlacing step completes two fields: the 2nd field of the previous frame and the 1st field
/// of its own frame. Each line is missing in one of the two outputs; its values refer to that
/// output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Maps {
    /// Number of the step, which is that of its input frame, from 0.
    pub step: u64,
    /// Width and height of the picture.
    pub size: (usize, usize),
    /// Stored motion measure (§3.2) of each pair of pixels of each line: 0 still … 255 moving. All
    /// 255 on the first step; empty with deinterlacing off.
    pub stmm: Vec<u8>,
    /// Angle (§3.3) of each pair of each line, as an offset o of -5…5 pixels: the interpolation
    /// averages the pixel o to the right in the line above and the pixel o to the left in the line
    /// below; 0 is the vertical. Empty on the first step and with deinterlacing off.
    pub angle: Vec<i8>,
    /// Motion vector (Mx, My) of each pair of each line in pixels and lines (§3.5), from the frame
    /// of the completed field to the other frame; none if motion compensation changed neither pixel
    /// of the pair. Empty on the first step, with deinterlacing off and with motion compensation
    /// off.
    pub vectors: Vec<Option<(i8, i8)>>,
    /// Motion history (§2.1) of each 4×4 block: below 128 moving, from there on the higher the
    /// longer the block has been still. 0 on the first step; empty with denoising off.
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
}
