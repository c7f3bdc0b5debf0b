//! The deinterlacer `balanced` (§14): the value of bwdif, corrected by a small network that reads
//! the fields t - 2 … t + 2.
use super::field_alone;
use super::fields::{Component, Fields};
use super::static_gate::{self, Evidence};
use super::steady::SteadyCells;
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
    /// Samples of a line of the plane.
    pub width: usize,
    /// Cells of the luma that are steady around the field.
    pub steady: &'a SteadyCells,
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
    /// A line that is made of its field alone.
    alone: Vec<S>,
    spatial: field_alone::Scratch<S>,
}

impl<S: PlaneSample> Scratch<S> {
    /// Buffers for lines of up to `width` samples; empty unless they are `needed`.
    pub fn new(needed: bool, width: usize) -> Result<Scratch<S>, OutOfMemory> {
        let tile = if needed { TILE } else { 0 };
        Ok(Scratch {
            bwdif: zeroed_rows(tile)?,
            found: zeroed_rows(tile)?,
            inputs: zeroed(INPUTS * tile)?,
            correction: zeroed(tile)?,
            alone: zeroed(if needed { width } else { 0 })?,
            spatial: field_alone::Scratch::new(needed)?,
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
    let lines = input.fields.lines(y, start, width);
    let evidence = Evidence::new(&input.fields, input.component, input.steady, y, (start, width));
    let (Some((decisions, lines)), Some(evidence)) = (lines, evidence) else {
        alone(input, y, scratch);
        out.copy_from_slice(&scratch.alone[columns]);
        return 0;
    };
    let is_spatial = !input.fields.is_between_fields;
    if is_spatial {
        alone(input, y, scratch);
    }
    let mut still = 0;
    for (tile, out) in out.chunks_mut(TILE).enumerate() {
        let x = tile * TILE;
        let count = measure(input, &evidence, (x, columns.start + x), &lines.from(x), out, scratch);
        still += count;
        if is_spatial {
            let run = columns.start + x..columns.start + x + out.len();
            complete_alone(input, run, out, scratch);
        } else if count < out.len() {
            complete(input, &decisions.from(x), &lines.from(x), out, scratch);
        }
    }
    still
}

/// Makes missing line `y` of the field alone (§15.2), in the scratch buffer.
fn alone<S: PlaneSample>(input: &Input<S>, y: usize, scratch: &mut Scratch<S>) {
    let (field, line) = (input.fields.own.samples, &mut scratch.alone[..input.width]);
    match input.component {
        Component::Luma => field_alone::luma_line(input.kernels, field, y, input.depth, line, &mut scratch.spatial),
        Component::Chroma => field_alone::chroma_line(input.kernels, field, y, input.depth, line),
    }
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
    let evidence = Evidence::new(&input.fields, input.component, input.steady, y, (0, width));
    let Some(evidence) = evidence else { return Ok(None) };
    let mut costs: [Vec<u16>; 4] = zeroed_rows(width)?;
    evidence.measure(input.kernels, &mut costs.each_mut().map(Vec::as_mut_slice), (0, 0), 0);
    let (still, threshold) = (&costs[2], static_gate::threshold(input.component));
    let small = |(x, y): (isize, isize)| (x as i8, y as i8);
    Ok(Some(Trace {
        motion_measure: collected(still.iter().map(|&still| if still < threshold { 0 } else { (still + 128).min(255) as u8 }))?,
        angle: collected((0..width).map(|x| best_angle(&decisions, x) as i8))?,
        motion: collected((0..width).map(|x| (still[x] >= threshold).then(|| small(best_motion(&decisions, x)))))?,
    }))
}

/// Measures the samples of a tile, and writes their temporal mean. `x` and `column` are its first
/// column in the lines and in the picture. Returns the number of static samples.
fn measure<S: PlaneSample>(
    input: &Input<S>,
    evidence: &Evidence,
    at: (usize, usize),
    lines: &FieldLines<S>,
    out: &mut [S],
    scratch: &mut Scratch<S>,
) -> usize {
    let width = out.len();
    let shift = (input.depth - 8).min(4);
    let mut rows = scratch.inputs.chunks_exact_mut(TILE).skip(VALUES).map(|row| &mut row[..width]);
    let mut costs: [&mut [u16]; 4] = std::array::from_fn(|_| rows.next().unwrap_or_default());
    evidence.measure(input.kernels, &mut costs, at, shift);
    let count = static_gate::count(costs[2], static_gate::threshold(input.component) << shift);
    let [before, after] = [lines.before[2], lines.after[2]].map(|row| &row[APRON..APRON + width]);
    (S::kernels(input.kernels).average)(out, before, after);
    count
}

/// Completes the samples of a tile that are not static from its field alone.
fn complete_alone<S: PlaneSample>(input: &Input<S>, run: Range<usize>, out: &mut [S], scratch: &mut Scratch<S>) {
    let threshold = static_gate::threshold(input.component) << (input.depth - 8).min(4);
    let Scratch { inputs, correction, alone, .. } = scratch;
    let correction = &mut correction[..out.len()];
    correction.fill(0);
    let still = &inputs[(VALUES + 2) * TILE..][..out.len()];
    (S::kernels(input.kernels).correct)(out, &alone[run], correction, (still, threshold), input.depth);
}

/// Completes the samples of a tile that are not static, after they were measured.
fn complete<S: PlaneSample>(
    input: &Input<S>,
    decisions: &FieldLines<u8>,
    lines: &FieldLines<S>,
    out: &mut [S],
    scratch: &mut Scratch<S>,
) {
    let threshold = static_gate::threshold(input.component) << (input.depth - 8).min(4);
    let still = (VALUES + 2) * TILE..(VALUES + 2) * TILE + out.len();
    let mut start = 0;
    while let Some(run) = static_gate::next_run(&scratch.inputs[still.clone()], threshold, start) {
        start = run.end;
        network(input, decisions, lines, run, threshold, out, scratch);
    }
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
    let Scratch { bwdif, found, inputs, correction, .. } = scratch;
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
