//! The deinterlacer `balanced` (§14): the value of bwdif, corrected by a small network that reads
//! the fields t - 2 … t + 2.
use super::fields::{Component, Fields};
use super::static_gate;
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, collected, zeroed, zeroed_rows};
use dndi_simd::{APRON, BwdifValues, FieldLines, Kernels, Network, Row, best_angle, best_motion};
use std::ops::Range;

/// The network of the luma.
static LUMA: Network = Network::parse(include_bytes!("networks/balanced_luma.txt"));
/// The network of the chroma.
static CHROMA: Network = Network::parse(include_bytes!("networks/balanced_chroma.txt"));

/// Samples that one pass of the kernels completes. Their inputs fit the first-level cache.
const TILE: usize = 512;

/// Inputs of the networks that are values: differences to bwdif's value.
const VALUES: usize = 17;
/// Inputs of the networks: values, then costs.
const INPUTS: usize = 26;

/// A plane of field t.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a, S = u8> {
    pub kernels: &'a Kernels,
    pub fields: Fields<'a, S>,
    pub component: Component,
    /// Bits per sample.
    pub depth: u8,
}

/// Scratch buffers for a tile.
#[derive(Debug)]
pub(crate) struct Scratch<S = u8> {
    /// bwdif's value and the values that it is made of.
    bwdif: [Vec<S>; 6],
    /// The values of the edge search and of the temporal search.
    found: [Vec<S>; 2],
    /// The inputs of the network, one row of [`TILE`] samples each.
    inputs: Vec<u16>,
    correction: Vec<u16>,
}

impl<S: PlaneSample> Scratch<S> {
    /// Buffers for tiles; empty unless they are `needed`.
    pub fn new(needed: bool) -> Result<Scratch<S>, OutOfMemory> {
        let tile = if needed { TILE } else { 0 };
        Ok(Scratch {
            bwdif: zeroed_rows(tile)?,
            found: zeroed_rows(tile)?,
            inputs: zeroed(INPUTS * tile)?,
            correction: zeroed(tile)?,
        })
    }
}

/// Completes the samples `columns` of missing line `y` in `out`, which holds these columns. Returns
/// the number of static samples.
pub(crate) fn line<S: PlaneSample>(
    input: &Input<S>,
    y: usize,
    columns: Range<usize>,
    out: &mut [S],
    scratch: &mut Scratch<S>,
) -> usize {
    let (start, width) = (columns.start as isize, columns.len());
    let own = input.fields.own;
    let Some((decisions, rows)) = input.fields.lines(y, start, width) else {
        let alone = Fields { beside: Some([own; 2]), outer: [own; 2], ..input.fields };
        let Some((decisions, rows)) = alone.lines(y, start, width) else { return 0 };
        for (tile, out) in out.chunks_mut(TILE).enumerate() {
            let mut costs = scratch.inputs.chunks_exact_mut(TILE);
            let costs = &mut [costs.next().unwrap_or_default(), costs.next().unwrap_or_default()];
            let (decisions, rows) = (decisions.from(tile * TILE), rows.from(tile * TILE));
            (S::kernels(input.kernels).edge_search)(out, costs, &decisions, &rows, 0);
        }
        return 0;
    };
    let mut still = 0;
    for (tile, out) in out.chunks_mut(TILE).enumerate() {
        still += complete(input, &decisions.from(tile * TILE), &rows.from(tile * TILE), out, scratch);
    }
    still
}

/// The measures of a missing line, for inspection.
pub(crate) struct Trace {
    /// Measure of the motion of each sample: 0 where it is static, else 128 plus the static
    /// measure, at most 255.
    pub motion_measure: Vec<u8>,
    /// Offset in the line above of the best angle of each sample, -4…4.
    pub angle: Vec<i8>,
    /// The motion that was found for each sample that is not static: samples and lines to the point
    /// in field t - 1.
    pub motion: Vec<Option<(i8, i8)>>,
}

/// Recomputes the measures of missing line `y`; none if there is no field before or after.
pub(crate) fn trace<S: PlaneSample>(input: &Input<S>, y: usize, width: usize) -> Result<Option<Trace>, OutOfMemory> {
    let Some((decisions, _)) = input.fields.lines(y, 0, width) else { return Ok(None) };
    let mut costs: [Vec<u16>; 4] = zeroed_rows(width)?;
    let limit = static_gate::local_limit(input.component, input.fields.is_between_fields);
    (input.kernels.field_costs)(&mut costs.each_mut().map(Vec::as_mut_slice), &decisions, 0, limit);
    let (still, threshold) = (&costs[2], static_gate::threshold(input.component));
    let small = |(x, y): (isize, isize)| (x as i8, y as i8);
    Ok(Some(Trace {
        motion_measure: collected(still.iter().map(|&still| if still < threshold { 0 } else { (still + 128).min(255) as u8 }))?,
        angle: collected((0..width).map(|x| best_angle(&decisions, x) as i8))?,
        motion: collected((0..width).map(|x| (still[x] >= threshold).then(|| small(best_motion(&decisions, x)))))?,
    }))
}

/// Completes a tile of a missing line; returns the number of static samples.
fn complete<S: PlaneSample>(
    input: &Input<S>,
    decisions: &FieldLines<u8>,
    lines: &FieldLines<S>,
    out: &mut [S],
    scratch: &mut Scratch<S>,
) -> usize {
    let width = out.len();
    let shift = (input.depth - 8).min(4);
    {
        let mut rows = scratch.inputs.chunks_exact_mut(TILE).skip(VALUES).map(|row| &mut row[..width]);
        let mut costs: [&mut [u16]; 4] = std::array::from_fn(|_| rows.next().unwrap_or_default());
        let limit = static_gate::local_limit(input.component, input.fields.is_between_fields);
        (input.kernels.field_costs)(&mut costs, decisions, shift, limit);
    }
    let threshold = static_gate::threshold(input.component) << shift;
    let [before, after] = [lines.before[2], lines.after[2]].map(|row| &row[APRON..APRON + width]);
    (S::kernels(input.kernels).average)(out, before, after);
    let still = (VALUES + 2) * TILE..(VALUES + 2) * TILE + width;
    let count = static_gate::count(&scratch.inputs[still.clone()], threshold);
    let mut start = 0;
    while let Some(run) = static_gate::next_run(&scratch.inputs[still.clone()], threshold, start) {
        start = run.end;
        network(input, decisions, lines, run, threshold, out, scratch);
    }
    count
}

/// Completes the samples `run` of a tile, except the static ones, whose costs are in the inputs.
fn network<S: PlaneSample>(
    input: &Input<S>,
    decisions: &FieldLines<u8>,
    lines: &FieldLines<S>,
    run: Range<usize>,
    threshold: u16,
    out: &mut [S],
    scratch: &mut Scratch<S>,
) {
    let (kernels, samples) = (input.kernels, S::kernels(input.kernels));
    let (decisions, lines) = (decisions.from(run.start), lines.from(run.start));
    let width = run.len();
    let extra = (input.depth - 8).min(4);
    let Scratch { bwdif, found, inputs, correction } = scratch;
    let [base, temporal, spatial, mixed, around, outer] = bwdif.each_mut().map(|row| &mut row[..width]);
    let (rows, costs) = inputs.split_at_mut(VALUES * TILE);
    let mut costs = costs.chunks_exact_mut(TILE).skip(4).map(|row| &mut row[run.clone()]);
    let mut next = || costs.next().unwrap_or_default();
    let [edge, motion] = found.each_mut().map(|row| &mut row[..width]);
    (samples.edge_search)(edge, &mut [next(), next()], &decisions, &lines, extra);
    (samples.temporal_search)(motion, &mut [next(), next()], &decisions, &lines, extra);
    let mut values = BwdifValues { base, temporal, spatial, mixed, around, outer };
    let range = next();
    (samples.bwdif)(&mut values, range, &lines, input.depth);
    if input.depth > 12 {
        range.iter_mut().for_each(|range| *range >>= input.depth - 12);
    }
    let at = |row, dx| samples_at(row, dx, width);
    let [c3, c, e, e3] = lines.own;
    let BwdifValues { base, temporal, spatial, mixed, around, outer } = values;
    let values: [&[S]; VALUES] = [
        at(c, 0),
        at(c, 1),
        at(c, 2),
        at(e, 0),
        at(e, 1),
        at(e, 2),
        at(c3, 1),
        at(e3, 1),
        at(lines.before[2], 1),
        at(lines.after[2], 1),
        around,
        outer,
        temporal,
        spatial,
        mixed,
        edge,
        motion,
    ];
    let rows = &mut rows[run.start..][..(VALUES - 1) * TILE + width];
    (samples.differences)(rows, TILE, &values, base, input.depth - 8 - extra);
    let weights = match input.component {
        Component::Luma => &LUMA,
        Component::Chroma => &CHROMA,
    };
    let correction = &mut correction[..width];
    (kernels.network)(correction, &inputs[run.start..], TILE, weights, input.depth);
    let still = &inputs[(VALUES + 2) * TILE..][run.clone()];
    (samples.correct)(&mut out[run], base, correction, (still, threshold), input.depth);
}

/// `width` samples of a row, from sample `dx` - 1 on.
fn samples_at<S>(row: Row<'_, S>, dx: usize, width: usize) -> &[S] {
    &row[APRON - 1 + dx..][..width]
}

#[cfg(test)]
mod tests {
    use super::*;
    use dndi_simd::SimdLevel;

    /// Rows of inputs with the corrections that the training computed, after it had written the
    /// weights.
    const VECTORS: &str = include_str!("networks/balanced_vectors.txt");

    #[test]
    fn corrections_are_those_of_the_training() {
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
            let kernels = Kernels::at(level).unwrap();
            for line in VECTORS.lines().filter(|line| !line.starts_with('#')) {
                let (name, numbers) = line.split_once(' ').unwrap();
                let numbers: Vec<i32> = numbers.split_whitespace().map(|number| number.parse().unwrap()).collect();
                let (inputs, correction) = (&numbers[..INPUTS], numbers[INPUTS]);
                let network = if name == "luma" { &LUMA } else { &CHROMA };
                // As many samples as the widest vector has.
                let rows: Vec<u16> = inputs.iter().flat_map(|&input| [input as u16; 64]).collect();
                let mut out = [0; 64];
                (kernels.network)(&mut out, &rows, 64, network, 8);
                assert_eq!(out.map(|v| i32::from(v as i16)), [correction; 64], "{level}: {line}");
            }
        }
    }
}
