//! §14: the deinterlacer `balanced`. Every output of a clip, from the denoised frames.

pub mod cuts;
pub mod fields;
pub mod inputs;
mod network;
pub mod still;

use super::best::spatial;
use super::picture::{Plane, avg};
use super::{Chroma, Mask, Options, Sampling};
use fields::{Fields, View};
pub use network::Network;
use still::Still;

/// The denoised planes of a frame. 4:1:1 chroma is already 4:2:2 (§1.6).
pub type Planes = Vec<Plane>;

/// A completed plane with the sampling of the field.
struct Completion<'a> {
    fields: Fields<'a>,
    /// The field.
    t: i32,
    /// For each field, whether a scene cut lies before it.
    cuts: &'a [bool],
    /// Samples and lines of the luma for one of this plane.
    scale: (i32, i32),
    network: &'a Network,
    /// That of the luma of S(t).
    spatial: &'a Network,
    is_luma: bool,
}

/// The planes of the outputs, in order of time. `sampling` is that of `frames`.
pub fn outputs(frames: &[Planes], sampling: Sampling, first: i32, options: &Options) -> Vec<Vec<Plane>> {
    let networks = [network::luma(), network::chroma()];
    let spatial = &spatial::network();
    let planes = |index: usize| frames.iter().map(|frame| &frame[index]).collect::<Vec<&Plane>>();
    let cuts = cuts::cuts(&Fields::new(planes(0), first));
    (0..2 * frames.len() as i32)
        .map(|t| {
            let completed = (0..frames[0].len()).map(|index| {
                let scale = scale(index, sampling);
                let is_luma = index == 0;
                let network = &networks[usize::from(!is_luma)];
                let fields = Fields::new(planes(index), first);
                let completion = Completion { fields, t, cuts: &cuts, scale, network, spatial, is_luma };
                let plane = completion.plane(options);
                if is_luma { plane } else { converted(plane, sampling, options.chroma, frames[0][0].height) }
            });
            completed.collect()
        })
        .collect()
}

/// The fields that follow a scene cut, from the luma of all frames.
pub fn scene_cuts(luma: &[Plane], first: i32) -> Vec<usize> {
    let cuts = cuts::cuts(&Fields::new(luma.iter().collect(), first));
    (0..cuts.len()).filter(|&t| cuts[t]).collect()
}

impl Completion<'_> {
    /// The lines of the field with the completed ones.
    fn plane(&self, options: &Options) -> Plane {
        let missing = 1 - self.fields.parity(self.t);
        let Plane { width, height, depth, .. } = *self.fields.frame(self.t);
        let view = View::new(&self.fields, self.t, self.cuts);
        let still = Still::new(&view, self.is_luma);
        Plane::from_fn(width, height, true, depth, |x, y| {
            if y & 1 != missing {
                return self.fields.at(self.t, x, y);
            }
            match woven(&self.fields, self.t, self.scale, (x, y), options) {
                Some(t) => self.fields.at(t, x, y),
                None => self.completed(&view, &still, x, y),
            }
        })
    }

    /// §14.1, §14.4: a completed sample.
    fn completed(&self, view: &View, still: &Still, x: i32, y: i32) -> i32 {
        let spatial = || spatial::sample(&self.fields, self.t, (x, y), self.is_luma, self.spatial);
        if view.is_alone() {
            return spatial();
        }
        if still.is_static(x, y) {
            return inputs::d(view, x, y);
        }
        if !view.is_between() {
            return spatial();
        }
        let depth = self.fields.frame(0).depth;
        let x_and_b = inputs::inputs(view, still, x, y);
        let value = x_and_b.b + self.network.correction(&x_and_b.inputs, depth);
        value.clamp(0, (1 << depth) - 1)
    }
}

/// Samples and lines of the luma for one of plane `index`.
pub fn scale(index: usize, sampling: Sampling) -> (i32, i32) {
    match (index, sampling) {
        (0, _) | (_, Sampling::C444) => (1, 1),
        (_, Sampling::C420) => (2, 2),
        _ => (2, 1),
    }
}

/// §14.6: the field that output t is woven from, except for its comb mask.
fn source(fields: &Fields, t: i32, options: &Options) -> Option<i32> {
    let source = match code(t as usize, options) {
        1 => t - 1,
        2 => t + 1,
        _ => return None,
    };
    fields.has(source).then_some(source)
}

fn mask(t: i32, options: &Options) -> Option<&Mask> {
    options.masks.get(t as usize).and_then(Option::as_ref)
}

/// §14.6: the field that a missing sample of a plane of this scale is woven from.
pub fn woven(fields: &Fields, t: i32, scale: (i32, i32), (x, y): (i32, i32), options: &Options) -> Option<i32> {
    let combs = mask(t, options).is_some_and(|mask| mask.marks_block(x * scale.0, y * scale.1));
    source(fields, t, options).filter(|_| !combs)
}

/// Whether all missing samples of output t are woven.
pub fn is_woven(fields: &Fields, t: i32, options: &Options) -> bool {
    let marks = mask(t, options).is_some_and(|mask| mask.tiles.contains(&true));
    source(fields, t, options).is_some() && !marks
}

/// §3.8: the cadence code of output t.
fn code(t: usize, options: &Options) -> u8 {
    // Output 2N - 1 is prev2 of step N, output 2N is cur1.
    let (prev2, cur1) = options.cadence.get(t.div_ceil(2)).copied().unwrap_or((0, 0));
    if t % 2 == 1 { prev2 } else { cur1 }
}

impl Mask {
    /// Whether a luma sample belongs to a marked tile: that of its block of four lines.
    fn marks_block(&self, x: i32, y: i32) -> bool {
        let (column, block) = (x as usize / self.tile_width, y as usize / 4 * 4);
        let rows = self.tiles.len() / self.columns;
        let row = |y: usize| (y / self.tile_height).min(rows - 1);
        column < self.columns && (block..block + 4).any(|y| self.tiles[row(y) * self.columns + column])
    }
}

/// §14.6: completed chroma in the sampling of the output; `height` is that of the luma.
pub fn converted(plane: Plane, sampling: Sampling, chroma: Chroma, height: i32) -> Plane {
    let Plane { width, depth, .. } = plane;
    let c = |x: i32, r: i32| plane.at_line(x, r);
    match (sampling, chroma) {
        (Sampling::C422 | Sampling::C411, Chroma::C420) => {
            Plane::from_fn(width, height / 2, true, depth, |x, r| avg(c(x, 2 * r), c(x, 2 * r + 1)))
        }
        (Sampling::C422 | Sampling::C411, Chroma::C420Drop) => Plane::from_fn(width, height / 2, true, depth, |x, r| c(x, 2 * r)),
        (Sampling::C420, Chroma::C422) => Plane::from_fn(width, height, true, depth, |x, y| {
            let r = y >> 1;
            let other = if y & 1 == 0 { r - 1 } else { r + 1 };
            (c(x, r) + avg(c(x, r), c(x, other)) + 1) >> 1
        }),
        _ => plane,
    }
}
