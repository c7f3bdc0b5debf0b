//! The network that joins the compensated pictures, the picture of the field, and the values of
//! bwdif (§15.8, §15.9).
use crate::deinterlace::fields::Component;
use crate::deinterlace::groups::{self, GROUP};
use crate::deinterlace::pixel_sources::PixelSources;
use crate::deinterlace::static_gate::{self, Evidence};
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, zeroed, zeroed_rows};
use crate::motion::{Compensated, REFERENCES, Reference};
use dndi_simd::{APRON, BwdifValues, FUSION_INPUTS, FieldLines, Fusion, Kernels, Network};
use std::ops::Range;

/// The network of the luma.
static LUMA: Network = Network::parse(include_bytes!("../networks/best_luma.txt"));
/// The network of the chroma.
static CHROMA: Network = Network::parse(include_bytes!("../networks/best_chroma.txt"));

/// Samples that one pass of the kernels completes. Their inputs fit the first-level cache.
const TILE: usize = 256;
/// Static measure below which bwdif's range limits the output.
const LIMITED: u16 = 24;
/// Distance from bwdif's range, in 8-bit code values, from which a value counts as detail that the
/// range does not allow for.
const TOLERANCE: u16 = 40;

/// Groups of a tile.
const GROUPS: usize = TILE / GROUP;
/// Difference of the references of the luma, in 8-bit code values, from which on they do not agree.
const AGREE: u32 = 4;
/// The same for the chroma.
const AGREE_CHROMA: u32 = 3;
/// Difference of the references and the picture of the field, in 8-bit code values, from which on
/// the references do not agree: an object may be in this field alone.
const AGREE_ALONE: u32 = 8;

/// Inputs that are values, of which the base is subtracted.
const VALUES: usize = 32;
/// The first of the inputs that the residuals of the references in the lines near by give.
const NEAR: usize = 38;
/// The first of those of a wider neighbourhood.
const WIDE: usize = 42;
/// Difference between the fields before and after, and the static measure.
const DIFFERENCE: usize = 46;
const STILL: usize = 47;
/// The differences between the two nearer references, and between the two others.
const MATCHES: usize = 48;
/// Cost of the motion search between the fields before and after.
const MOTION: usize = 55;

/// A plane of field t.
#[derive(Clone, Copy)]
pub(super) struct Plane<'a, S> {
    pub kernels: &'a Kernels,
    pub component: Component,
    pub depth: u8,
    pub references: [Reference<'a, S>; REFERENCES],
}

/// A missing line: the lines of the fields around it, and the compensated pictures.
#[derive(Clone, Copy)]
pub(super) struct Line<'a, S> {
    pub y: usize,
    pub decisions: FieldLines<'a, u8>,
    /// The evidence for static samples.
    pub evidence: Evidence<'a>,
    pub lines: FieldLines<'a, S>,
    pub compensated: &'a [Compensated<S>; REFERENCES],
    /// Residuals of each reference in lines y - 3, y - 1, y + 1 and y + 3, with aprons.
    pub residuals: [[&'a [u8]; 4]; REFERENCES],
    /// Inputs of the phase of each reference.
    pub phases: [&'a [u16]; REFERENCES],
}

/// Scratch buffers for a tile.
#[derive(Debug)]
pub(super) struct Scratch<S> {
    /// bwdif's value and the values that it is made of.
    bwdif: [Vec<S>; 6],
    range: Vec<u16>,
    /// Differences of the references.
    spread: Vec<S>,
    /// The value of the motion search, the picture of the field, that picture limited to bwdif's
    /// range, and the temporal mean.
    values: [Vec<S>; 4],
    /// The inputs of the network, one row of [`TILE`] samples each.
    inputs: Vec<u16>,
    /// Costs that are no inputs of this network.
    other_costs: [Vec<u16>; 2],
    /// The rounded temporal mean, relative to the base.
    relative_mean: Vec<u16>,
    correction: Vec<u16>,
}

impl<S: PlaneSample> Scratch<S> {
    /// Buffers for tiles.
    pub fn new() -> Result<Scratch<S>, OutOfMemory> {
        Ok(Scratch {
            bwdif: zeroed_rows(TILE)?,
            range: zeroed(TILE)?,
            spread: zeroed(TILE)?,
            values: zeroed_rows(TILE)?,
            inputs: zeroed(FUSION_INPUTS * TILE)?,
            other_costs: zeroed_rows(TILE)?,
            relative_mean: zeroed(TILE)?,
            correction: zeroed(TILE)?,
        })
    }
}

/// Completes the samples of a missing line from column `x` on; `out` holds those of the picture of
/// the field alone. Returns their sources.
pub(super) fn line<S: PlaneSample>(
    plane: &Plane<S>,
    line: &Line<S>,
    mut x: usize,
    mut out: &mut [S],
    scratch: &mut Scratch<S>,
) -> PixelSources {
    let mut sources = PixelSources::default();
    while !out.is_empty() {
        // Tiles have whole groups, also if the samples begin inside one.
        let (part, rest) = out.split_at_mut((TILE - x % TILE).min(out.len()));
        sources += tile(plane, line, x, part, scratch);
        (x, out) = (x + part.len(), rest);
    }
    sources
}

/// Completes samples of a tile from column `x` on; returns their sources.
fn tile<S: PlaneSample>(plane: &Plane<S>, line: &Line<S>, x: usize, out: &mut [S], scratch: &mut Scratch<S>) -> PixelSources {
    let width = out.len();
    let extra = (plane.depth - 8).min(4);
    {
        let mut rows = scratch.inputs.chunks_exact_mut(TILE).skip(DIFFERENCE);
        let mut next = || rows.next().map(|row| &mut row[..width]).unwrap_or_default();
        let (difference, still) = (next(), next());
        let [across, comb] = scratch.other_costs.each_mut().map(|row| &mut row[..width]);
        line.evidence.measure(plane.kernels, &mut [difference, across, still, comb], (x, x), extra);
    }
    let [_, picture, _, temporal] = scratch.values.each_mut().map(|row| &mut row[..width]);
    picture.copy_from_slice(out);
    let lines = line.lines.from(x);
    let [before, after] = [lines.before[2], lines.after[2]].map(|row| &row[APRON..APRON + width]);
    (S::kernels(plane.kernels).average)(temporal, before, after);
    out.copy_from_slice(temporal);
    let threshold = static_gate::threshold(plane.component) << extra;
    // Positions in the tile.
    let columns = x % TILE..x % TILE + width;
    let of_out = |run: Range<usize>| run.start - columns.start..run.end - columns.start;
    let still = &scratch.inputs[STILL * TILE..][..width];
    let moves: [bool; GROUPS] = std::array::from_fn(|group| {
        let group = (group * GROUP).max(columns.start)..((group + 1) * GROUP).min(columns.end);
        !group.is_empty() && still[of_out(group)].iter().any(|&measure| measure >= threshold)
    });
    let mut sources = PixelSources { temporal: static_gate::count(still, threshold) as u64, ..PixelSources::default() };
    let agrees = agreements(plane, line, (x, &columns), &moves, scratch);
    for run in groups::runs(columns.clone(), |group| moves[group] && !agrees[group]) {
        let run = groups::widened(run, columns.start);
        fuse(plane, line, x, of_out(run), out, scratch);
    }
    // Last, since a widened run takes in samples of groups that agree.
    for run in groups::runs(columns.clone(), |group| moves[group] && agrees[group]) {
        let run = of_out(run);
        let still = &scratch.inputs[STILL * TILE..][run.clone()];
        let references = [0, 1, 2, 3].map(|reference| &compensated(line, reference, x, [0, 0])[run.clone()]);
        let [_, alone, ..] = &scratch.values;
        (S::kernels(plane.kernels).agreed_mean)(&mut out[run.clone()], references, &alone[run], (still, threshold));
        sources.compensated += (still.len() - static_gate::count(still, threshold)) as u64;
    }
    sources.network = width as u64 - sources.temporal - sources.compensated;
    sources
}

/// The samples of a reference from column `x` on, `dx` columns and `dy` lines beside those of the
/// line.
fn compensated<'a, S: PlaneSample>(line: &Line<'a, S>, reference: usize, x: usize, [dx, dy]: [isize; 2]) -> &'a [S] {
    &line.compensated[reference].row(line.y as isize + dy)[(x + APRON).wrapping_add_signed(dx)..]
}

/// Whether the references agree, for each group of the tile of which the samples `columns` are
/// completed, the first of them in column `x`; if no group `moves`, it does not matter.
fn agreements<S: PlaneSample>(
    plane: &Plane<S>,
    line: &Line<S>,
    (x, columns): (usize, &Range<usize>),
    moves: &[bool; GROUPS],
    scratch: &mut Scratch<S>,
) -> [bool; GROUPS] {
    let mut agree = [false; GROUPS];
    if line.evidence.is_between_fields && moves.contains(&true) {
        let Scratch { spread, values: [_, alone, ..], .. } = scratch;
        let spread_of = S::kernels(plane.kernels).spread;
        let rows = [0, 1, 2, 3].map(|reference| compensated(line, reference, x - columns.start, [0, 0]));
        let width = TILE.min(rows[0].len() - APRON);
        let rows = rows.map(|row| &row[..width]);
        spread_of(&mut spread[..width], &rows);
        let spread = &mut spread[..width];
        let limit = match plane.component {
            Component::Luma => AGREE,
            Component::Chroma => AGREE_CHROMA,
        };
        for (agree, group) in agree.iter_mut().zip(spread.chunks(GROUP)) {
            *agree = groups::are_below(group, limit << (plane.depth - 8));
        }
        // The picture of the field is known where samples are completed.
        let [a, b, c, d] = rows.map(|row| &row[columns.clone()]);
        let spread = &mut spread[..columns.len()];
        spread_of(spread, &[a, b, c, d, &alone[..columns.len()]]);
        for (group, agree) in agree.iter_mut().enumerate() {
            let group = (group * GROUP).max(columns.start)..((group + 1) * GROUP).min(columns.end);
            if *agree && !group.is_empty() {
                let group = group.start - columns.start..group.end - columns.start;
                *agree = groups::are_below(&spread[group], AGREE_ALONE << (plane.depth - 8));
            }
        }
    }
    agree
}

/// Completes the samples `run` of the tile from column `x` on, except the static ones.
fn fuse<S: PlaneSample>(plane: &Plane<S>, line: &Line<S>, x: usize, run: Range<usize>, out: &mut [S], scratch: &mut Scratch<S>) {
    let (kernels, samples, depth) = (plane.kernels, S::kernels(plane.kernels), plane.depth);
    let (start, width) = (x + run.start, run.len());
    let (decisions, lines) = (line.decisions.from(start), line.lines.from(start));
    let extra = (depth - 8).min(4);
    let shift = depth - 8 - extra;
    let Scratch { bwdif, range, values, inputs, other_costs, relative_mean, correction, .. } = scratch;
    let [bwdif, temporal, spatial, mixed, around, outer] = bwdif.each_mut().map(|row| &mut row[..width]);
    let [motion, picture, limited, average] = values;
    let (motion, limited) = (&mut motion[..width], &mut limited[..width]);
    let (picture, average) = (&picture[run.clone()], &average[run.clone()]);
    let range = &mut range[..width];
    {
        let mut values = BwdifValues {
            base: &mut *bwdif,
            temporal: &mut *temporal,
            spatial: &mut *spatial,
            mixed: &mut *mixed,
            around: &mut *around,
            outer: &mut *outer,
        };
        (samples.bwdif)(&mut values, range, &lines, depth);
        if !line.evidence.is_between_fields {
            // Differences in time show nothing: the value is made of the field alone, without
            // limits.
            bwdif.copy_from_slice(spatial);
            range.fill(((1u32 << depth) - 1) as u16);
        }
        let row = |number: usize| number * TILE + run.start..number * TILE + run.end;
        let costs = &mut [&mut inputs[row(MOTION)], &mut other_costs[0][..width]];
        (samples.temporal_search)(motion, costs, &decisions, &lines, extra);
    }
    let (base, alone): (&[S], &[S]) = match plane.component {
        Component::Luma => (picture, picture),
        Component::Chroma => (bwdif, spatial),
    };
    (samples.around)(limited, alone, average, range, depth);
    let inside = |row: &'_ [S], dx: isize| -> Range<usize> {
        let first = APRON.wrapping_add_signed(dx);
        debug_assert!(first + width <= row.len());
        first..first + width
    };
    let compensated = |reference: usize, dx: isize, dy: isize| &compensated(line, reference, start, [dx, dy])[..width];
    let [c3, c, e, e3] = lines.own;
    let value = |number: usize| -> &[S] {
        match number {
            0..3 => &c[inside(c, number as isize - 1)],
            3..6 => &e[inside(e, number as isize - 4)],
            6 => &c3[inside(c3, 0)],
            7 => &e3[inside(e3, 0)],
            8..18 => {
                let (dx, dy) = [(0, -1), (-1, 0), (0, 0), (1, 0), (0, 1)][(number - 8) % 5];
                compensated((number - 8) / 5, dx, dy)
            }
            18..24 => compensated(2 + (number - 18) / 3, 0, (number as isize - 18) % 3 - 1),
            24 => &lines.before[2][inside(lines.before[2], 0)],
            25 => &lines.after[2][inside(lines.after[2], 0)],
            26 => around,
            27 => outer,
            28 => mixed,
            29 => bwdif,
            30 => motion,
            _ => limited,
        }
    };
    let values: [&[S]; VALUES] = std::array::from_fn(value);
    (samples.differences)(&mut inputs[run.start..][..(VALUES - 1) * TILE + width], TILE, &values, base, shift);
    let mean = &mut relative_mean[..width];
    (samples.differences)(mean, width, &[&*temporal], base, shift);
    let mut costs = inputs.chunks_exact_mut(TILE).map(|row| &mut row[run.clone()]).skip(NEAR);
    let mut near: [&mut [u16]; REFERENCES] = std::array::from_fn(|_| costs.next().unwrap_or_default());
    for (reference, near) in near.iter_mut().enumerate() {
        let wide = costs.next().unwrap_or_default();
        let residuals = line.residuals[reference].map(|row| &row[start..]);
        (kernels.residual_costs)(&mut [near, wide], residuals, extra);
    }
    let mut costs = costs.skip(MATCHES - WIDE - REFERENCES);
    for pair in [[0, 1], [2, 3]] {
        let [a, b] = pair.map(|reference| &line.compensated[reference].top_row(line.y as isize)[start..]);
        (kernels.match_cost)(costs.next().unwrap_or_default(), a, b, extra);
    }
    for (row, phases) in costs.zip(line.phases) {
        row.copy_from_slice(&phases[start..][..width]);
    }
    (kernels.fusion_choice)(&mut inputs[run.start..], TILE, mean, extra);
    let network = match plane.component {
        Component::Luma => &LUMA,
        Component::Chroma => &CHROMA,
    };
    let correction = &mut correction[..width];
    (kernels.network)(correction, &inputs[run.start..], TILE, network, depth);
    let threshold = static_gate::threshold(plane.component) << extra;
    let fusion = Fusion {
        base,
        correction,
        references: [0, 1, 2, 3].map(|reference| compensated(reference, 0, 0)),
        mean: average,
        range,
        still: &inputs[STILL * TILE..][run.clone()],
        thresholds: [threshold, LIMITED << extra],
        tolerance: TOLERANCE << (depth - 8),
    };
    (samples.fuse)(&mut out[run], &fusion, depth);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deinterlace::field_alone::SPATIAL;
    use dndi_simd::SimdLevel;

    /// Rows of inputs with the corrections that the training computed, after it had written the
    /// weights.
    const VECTORS: &str = include_str!("../networks/best_vectors.txt");

    #[test]
    fn corrections_are_those_of_the_training() {
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
            let kernels = Kernels::at(level).unwrap();
            for line in VECTORS.lines().filter(|line| !line.starts_with('#')) {
                let (name, numbers) = line.split_once(' ').unwrap();
                let numbers: Vec<i32> = numbers.split_whitespace().map(|number| number.parse().unwrap()).collect();
                let (inputs, correction) = numbers.split_at(numbers.len() - 1);
                let network = match name {
                    "spatial" => &SPATIAL,
                    "luma" => &LUMA,
                    _ => &CHROMA,
                };
                assert_eq!(network.inputs(), inputs.len(), "{name}");
                // As many samples as the widest vector has.
                let rows: Vec<u16> = inputs.iter().flat_map(|&input| [input as u16; 64]).collect();
                let mut out = [0; 64];
                (kernels.network)(&mut out, &rows, 64, network, 8);
                assert_eq!(out.map(|v| i32::from(v as i16)), [correction[0]; 64], "{level}: {line}");
            }
        }
    }
}
