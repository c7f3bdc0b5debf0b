//! Static samples, which are the temporal mean (§14.4, §15.9). Networks run for the others only.
use super::fields::{Component, Fields};
use super::steady::SteadyCells;
use crate::frame::PlaneSample;
use dndi_simd::{FieldLines, Kernels, Row};
use std::ops::Range;

/// Static measure, in 8-bit code values, below which the temporal mean is the output of the luma.
const STATIC: u16 = 3;
/// The same for the chroma.
const STATIC_CHROMA: u16 = 1;
/// Local change, in 8-bit code values, below which a sample of the luma is static.
const HELD: u8 = 2;
/// The same for the chroma.
const HELD_CHROMA: u8 = 1;
/// Samples that are completed together or are static as a whole.
const BLOCK: usize = 64;

/// The threshold of the static measure, in 8-bit code values.
pub(super) fn threshold(component: Component) -> u16 {
    match component {
        Component::Luma => STATIC,
        Component::Chroma => STATIC_CHROMA,
    }
}

/// The evidence for static samples of a missing line.
#[derive(Clone, Copy)]
pub(super) struct Evidence<'a> {
    /// The lines of which the costs are computed.
    pub lines: FieldLines<'a, u8>,
    pub component: Component,
    /// Whether samples may be static.
    pub is_sufficient: bool,
    /// Whether neither t - 1 nor t + 1 is missing.
    pub is_between_fields: bool,
    /// The line in field t - 3 or t + 3, if it exists.
    pub third: Option<Row<'a, u8>>,
    /// The steady cells, and the number of the line.
    pub steady: (&'a SteadyCells, usize),
}

impl<'a> Evidence<'a> {
    /// Of missing line `y`, `width` samples from `start` on; none if there is neither field t - 1
    /// nor t + 1.
    pub fn new<S: PlaneSample>(
        fields: &Fields<'a, S>,
        component: Component,
        steady: &'a SteadyCells,
        y: usize,
        (start, width): (isize, usize),
    ) -> Option<Evidence<'a>> {
        let is_between_fields = fields.is_between_fields;
        Some(Evidence {
            lines: fields.evidence(y, start, width)?,
            component,
            is_sufficient: is_between_fields || fields.third.is_some(),
            is_between_fields,
            third: fields.third_row(y, start, width),
            steady: (steady, y),
        })
    }

    /// Writes the costs of samples from column `x` of the lines on, which is column `column` of the
    /// picture, shifted left. The static measure of static samples alone is below the threshold.
    pub fn measure(&self, kernels: &Kernels, costs: &mut [&mut [u16]; 4], (x, column): (usize, usize), shift: u8) {
        let Evidence { component, is_between_fields, steady: (steady, y), .. } = *self;
        let lines = self.lines.from(x);
        (kernels.field_costs)(costs, &lines, shift, local_limit(component, is_between_fields));
        let [_, _, still, comb] = costs;
        let threshold = threshold(component) << shift;
        if !self.is_sufficient {
            still.iter_mut().for_each(|still| *still = threshold.max(*still));
        }
        if !is_between_fields || component == Component::Chroma || count(still, threshold) == still.len() {
            return;
        }
        for (run, factor) in steady.runs(y, column..column + still.len()) {
            let run = run.start - column..run.end - column;
            (kernels.steady_detail)(&mut still[run.clone()], &comb[run], factor);
        }
        if let Some(third) = self.third {
            (kernels.still_lines)(still, &lines, &third[x..]);
        }
    }
}

/// The limit of the local change, in 8-bit code values; 0 if one of the fields t - 1 and t + 1
/// replaces the other one, so that they do not show whether a sample is static.
pub(super) fn local_limit(component: Component, is_between_fields: bool) -> u8 {
    match component {
        _ if !is_between_fields => 0,
        Component::Luma => HELD,
        Component::Chroma => HELD_CHROMA,
    }
}

/// Number of static samples.
pub(super) fn count(measures: &[u16], threshold: u16) -> usize {
    measures.iter().filter(|&&measure| measure < threshold).count()
}

/// The next samples from block `start` on, at least a block if there are so many, with one that is
/// not static: they are completed together. The next search starts at their end.
pub(super) fn next_run(measures: &[u16], threshold: u16, start: usize) -> Option<Range<usize>> {
    let width = measures.len();
    let moves = |block: &usize| measures[*block..(block + BLOCK).min(width)].iter().any(|&measure| measure >= threshold);
    let first = (start..width).step_by(BLOCK).find(moves)?;
    let end = (first..width).step_by(BLOCK).find(|block| !moves(block)).unwrap_or(width);
    // A short rest would not fill the vectors.
    Some(first.min(end.saturating_sub(BLOCK))..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_cover_each_block_that_moves() {
        let mut measures = [0; 300];
        assert_eq!(next_run(&measures, 3, 0), None);
        (measures[70], measures[150], measures[299]) = (3, 9, 3);
        assert_eq!((count(&measures, 3), count(&measures, 4)), (297, 299));
        assert_eq!(next_run(&measures, 3, 0), Some(64..192));
        // The rest of 44 samples is completed with those before it.
        assert_eq!(next_run(&measures, 3, 192), Some(236..300));
        assert_eq!(next_run(&measures, 3, 300), None);
        assert_eq!(next_run(&[5; 10], 3, 0), Some(0..10));
    }
}
