//! What a step found, place by place, for looking at.
use super::context::StepContext;
use super::step::State;
use crate::deinterlace;
use crate::deinterlace::trace::{Trace, trace};
use crate::field_match::FieldMatch;
use crate::fmd;
use dndi_simd::OFFSETS;

/// What a step found, place by place, as [`Stream::maps`](crate::Stream::maps) tells. Planes stand line after line without gaps.
///
/// A step makes two outputs: the 2nd field of the previous frame and the 1st field of its own, completed. Each line is missing in
/// one of them, and what is said of it is about that one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Maps {
    /// Number of the step, that of the frame it took, from 0.
    pub step: u64,
    /// Width and height of the picture.
    pub size: (usize, usize),
    /// Motion measure that was stored (§3.2) of each pair of pixels of each line: 0 still, 255 moving; all 255 on the first step. Empty with
    /// deinterlacing off.
    pub stmm: Vec<u8>,
    /// Angle (§3.3) of each pair of each line, -5…5: it leads from so many pixels to the right in the line above to as many to the left in
    /// the line below, and 0 is the vertical. Empty on the first step and with deinterlacing off.
    pub angle: Vec<i8>,
    /// Of each pair of each line the vector (Mx, My) in pixels and lines (§3.5), from the frame of the field that is completed to the other one, that one of its pixels was compensated along, if one was.
    /// Empty on the first step, with deinterlacing off and without motion compensation.
    pub vectors: Vec<Option<(i8, i8)>>,
    /// Motion history (§2.1) of each 4×4 block: below 128 moving, else still for longer and longer. 0 on the first step, empty with denoise
    /// off.
    pub history: Vec<u8>,
    /// Tears (§4.1) of each pixel of the even lines, those that a neighbour confirms: bit 0 between the fields of the frame, bit 1
    /// between its even lines and the odd ones of the frame before, bit 2 between its odd lines and the even ones of the frame before.
    /// Empty with deinterlacing off.
    pub tears: Vec<u8>,
}

impl Maps {
    /// Pairs in a line.
    pub fn pairs(&self) -> usize {
        self.size.0.div_ceil(2)
    }

    /// 4×4 blocks in a row.
    pub fn blocks(&self) -> usize {
        self.size.0.div_ceil(4)
    }
}

impl State {
    /// The maps of step `number`, the last one. Its frames stand where the next step looks for them, those before where that writes.
    pub fn maps(&self, context: StepContext, number: u64) -> Maps {
        let (current, previous) = (&self.previous, &self.current);
        let [measure, stored] = &self.measure;
        let mut maps = Maps { step: number, size: context.size(), history: self.luma.last_history().to_vec(), ..Maps::default() };
        if !context.settings.deinterlace {
            return maps;
        }
        let combing = fmd::Input {
            kernels: context.kernels,
            parameters: &context.settings.parameters.fmd,
            size: context.size(),
            current: current.luma.fields(),
            previous: (number > 0).then(|| previous.luma.fields()),
        };
        maps.tears = fmd::tears(&combing);
        maps.stmm = measure.values().to_vec();
        if number > 0 {
            let codes = [FieldMatch::Deinterlace; 2];
            let parameters = self.deinterlace_parameters(context);
            let input = context.deinterlacing(&parameters, [current, previous], self.luma.original(), stored, codes, [None; 2]);
            let Trace { angles, vectors } = trace(&deinterlace::Input { counts: true, ..input }, context.size());
            maps.angle = angles.into_iter().map(|angle| OFFSETS[angle as usize]).collect();
            maps.vectors = if input.compensation.is_some() { vectors } else { vec![] };
        }
        maps
    }
}
