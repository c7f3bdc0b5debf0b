//! The picture of a field alone (§15.2).
use super::groups::{self, GROUP};
use crate::frame::PlaneSample;
use crate::memory::{OutOfMemory, zeroed};
use crate::plane::PlaneView;
use dndi_simd::{APRON, Kernels, Network};

/// The network of the luma.
pub(super) static SPATIAL: Network = Network::parse(include_bytes!("networks/best_spatial.txt"));
/// Samples that one pass of the kernels completes.
const TILE: usize = 512;
/// Inputs of the network: for each of the four lines around the missing one the columns from the
/// first number to the second.
const COLUMNS: [(isize, isize); 4] = [(-2, 2), (-4, 4), (-4, 4), (-2, 2)];
/// The lines, relative to the missing one.
const LINES: [isize; 4] = [-3, -1, 1, 3];
const INPUTS: usize = 28;
/// Difference of the lines above and below a group, in 8-bit code values, from which on it is not
/// flat.
const FLAT: u32 = 6;

/// Scratch buffers for a tile.
#[derive(Debug)]
pub(super) struct Scratch<S> {
    mean: Vec<S>,
    difference: Vec<S>,
    inputs: Vec<u16>,
    correction: Vec<u16>,
}

impl<S: PlaneSample> Scratch<S> {
    /// Buffers for tiles; empty unless they are `needed`.
    pub fn new(needed: bool) -> Result<Scratch<S>, OutOfMemory> {
        let tile = if needed { TILE } else { 0 };
        Ok(Scratch { mean: zeroed(tile)?, difference: zeroed(tile)?, inputs: zeroed(INPUTS * tile)?, correction: zeroed(tile)? })
    }
}

/// Completes missing line `y` of the luma from the lines of its field.
pub(super) fn luma_line<S: PlaneSample>(
    kernels: &Kernels,
    field: PlaneView<S>,
    y: usize,
    depth: u8,
    out: &mut [S],
    scratch: &mut Scratch<S>,
) {
    let samples = S::kernels(kernels);
    let shift = depth - 8 - (depth - 8).min(4);
    let lines = LINES.map(|dy| field.row(y as isize + dy, 0, out.len()));
    let Scratch { mean, difference, inputs, correction } = scratch;
    for (tile, out) in out.chunks_mut(TILE).enumerate() {
        let width = out.len();
        let at = |line: usize, dx: isize| &lines[line][(tile * TILE + APRON).wrapping_add_signed(dx)..][..width];
        let (mean, difference) = (&mut mean[..width], &mut difference[..width]);
        (samples.average_up)(mean, at(1, 0), at(2, 0));
        (samples.spread)(difference, &[at(1, 0), at(2, 0)]);
        let mut is_flat = [false; TILE / GROUP];
        for (is_flat, group) in is_flat.iter_mut().zip(difference.chunks(GROUP)) {
            *is_flat = groups::are_below(group, FLAT << (depth - 8));
        }
        for run in groups::runs(0..width, |group| !is_flat[group]) {
            let run = groups::widened(run, 0);
            let mut values: [&[S]; INPUTS] = [&[]; INPUTS];
            let columns = (0..).zip(COLUMNS).flat_map(|(line, (first, last))| (first..=last).map(move |dx| (line, dx)));
            values.iter_mut().zip(columns).for_each(|(value, (line, dx))| *value = &at(line, dx)[run.clone()]);
            let (mean, correction) = (&mean[run.clone()], &mut correction[..run.len()]);
            (samples.differences)(&mut inputs[..(INPUTS - 1) * TILE + run.len()], TILE, &values, mean, shift);
            (kernels.network)(correction, inputs, TILE, &SPATIAL, depth);
            (samples.correct)(&mut out[run], mean, correction, (&[0; TILE], 0), depth);
        }
        // Last, since a widened run takes in samples of flat groups.
        for run in groups::runs(0..width, |group| is_flat[group]) {
            out[run.clone()].copy_from_slice(&mean[run]);
        }
    }
}

/// Completes missing line `y` of a chroma plane from the lines of its field.
pub(super) fn chroma_line<S: PlaneSample>(kernels: &Kernels, field: PlaneView<S>, y: usize, depth: u8, out: &mut [S]) {
    let lines = LINES.map(|dy| field.line(y as isize + dy, 0, out.len()));
    (S::kernels(kernels).cubic)(out, lines, depth);
}
