//! §15: the deinterlacer `best`. Every output of a clip, from the denoised frames.

pub mod compensation;
mod fusion;
mod networks;
pub mod pyramid;
pub mod searches;
pub mod spatial;
mod split;
pub mod vectors;

use std::ops::Range;

use super::balanced::cuts::cuts;
use super::balanced::fields::{Fields, View};
use super::balanced::still::Still;
use super::balanced::{Planes, converted, is_woven, scale, woven};
use super::picture::Plane;
use super::{Options, Sampling};
use compensation::Compensated;
use fusion::Fusion;
use networks::Networks;
use pyramid::Pyramid;
use searches::Searches;
use vectors::Costs;

/// The displacements in time of the references, in the order of §15.8.
const REFERENCES: [i32; 4] = [-1, 1, -2, 2];

/// The costs of §15.4.
const COSTS: Costs = Costs { distance: 3, moving: 12, rounds: 2, enough: 160 };

/// §15.1: the columns of the group of a sample, on a line of `width` samples.
fn group(x: i32, width: i32) -> Range<i32> {
    let first = x >> 6 << 6;
    first..width.min(first + 64)
}

/// A plane of the clip.
struct Component<'a> {
    fields: Fields<'a>,
    /// Samples and lines of the luma for one of this plane.
    scale: (i32, i32),
    is_luma: bool,
    /// For each field R of §15.1: S, and O of fields that are done.
    pictures: Vec<Plane>,
}

/// The planes of the outputs, in order of time. `sampling` is that of `frames`.
pub fn outputs(frames: &[Planes], sampling: Sampling, first: i32, options: &Options) -> Vec<Vec<Plane>> {
    let networks = Networks::new();
    let fields = |index: usize| Fields::new(frames.iter().map(|frame| &frame[index]).collect(), first);
    let cuts = cuts(&fields(0));
    let component = |index: usize| {
        let (fields, is_luma) = (fields(index), index == 0);
        let pictures = (0..fields.count()).map(|t| spatial::picture(&fields, t, is_luma, &networks.spatial)).collect();
        Component { fields, scale: scale(index, sampling), is_luma, pictures }
    };
    let mut components: Vec<Component> = (0..frames[0].len()).map(component).collect();

    let mut previous = Searches::default();
    for t in 0..2 * frames.len() as i32 {
        let luma = &components[0];
        let in_scene = |k: i32| luma.fields.in_scene(t, t + k, &cuts);
        let is_completed = !is_woven(&luma.fields, t, options);
        let is_fused = is_completed && REFERENCES.into_iter().filter(|&k| in_scene(k)).count() > 1;
        if !in_scene(-1) {
            previous = Searches::default();
        }
        let mut searches = Searches::default();
        if is_fused {
            let pyramid = |k: i32| Pyramid::new(&luma.pictures[(t + k) as usize]);
            searches = Searches::of(in_scene, pyramid, &previous, COSTS);
        }
        for component in &mut components {
            let compensated = is_fused.then(|| component.compensated(t, &searches, &cuts));
            let output = component.output(t, compensated, &cuts, &networks, options);
            component.pictures[t as usize] = output;
        }
        previous = searches;
    }

    let height = frames[0][0].height;
    let output = |t: usize| {
        let planes = components.iter().map(|component| {
            let plane = component.pictures[t].clone();
            if component.is_luma { plane } else { converted(plane, sampling, options.chroma, height) }
        });
        planes.collect()
    };
    (0..2 * frames.len()).map(output).collect()
}

impl Component<'_> {
    /// §15.7: C(k) for each reference.
    fn compensated(&self, t: i32, searches: &Searches, cuts: &[bool]) -> [Compensated; 4] {
        REFERENCES.map(|k| {
            let others = if k.abs() == 1 { vec![k, -k] } else { vec![k, -k, -1, 1] };
            let used = others.into_iter().find(|other| self.fields.in_scene(t, t + other, cuts)).expect("a neighbour");
            Compensated::new(&self.pictures[(t + used) as usize], searches.blocks(used), self.scale)
        })
    }

    /// O(t). `compensated` is none if field t is woven as a whole or not fused.
    fn output(
        &self,
        t: i32,
        compensated: Option<[Compensated; 4]>,
        cuts: &[bool],
        networks: &Networks,
        options: &Options,
    ) -> Plane {
        let spatial = &self.pictures[t as usize];
        let missing = 1 - self.fields.parity(t);
        let network = if self.is_luma { &networks.luma } else { &networks.chroma };
        let view = View::new(&self.fields, t, cuts);
        let fusion = compensated.map(|compensated| {
            let residuals = compensated.each_ref().map(|compensated| fusion::residuals(&self.fields, t, compensated));
            let still = Still::new(&view, self.is_luma);
            Fusion { view, still, spatial, compensated, residuals, is_luma: self.is_luma, network }
        });
        let woven = |x: i32, y: i32| woven(&self.fields, t, self.scale, (x, y), options);
        Plane::from_fn(spatial.width, spatial.height, true, spatial.depth, |x, y| {
            if y & 1 != missing {
                return self.fields.at(t, x, y);
            }
            match (woven(x, y), &fusion) {
                (Some(source), _) => self.fields.at(source, x, y),
                (None, Some(fusion)) => fusion.output(x, y, |x| woven(x, y).is_none()),
                (None, None) => spatial.at(x, y),
            }
        })
    }
}
