//! §15.8 and §15.9: the inputs of the fusion network and the output of a missing sample.

use super::compensation::Compensated;
use super::vectors::Vector;
use super::{REFERENCES, group};
use crate::model::Network;
use crate::model::balanced::fields::{Fields, View};
use crate::model::balanced::inputs;
use crate::model::balanced::still::Still;
use crate::model::picture::Plane;

/// A plane of a field with neighbours in its scene.
pub struct Fusion<'a> {
    /// The fields around it.
    pub view: View<'a>,
    pub still: Still<'a>,
    /// S(t).
    pub spatial: &'a Plane,
    /// In the order of [`REFERENCES`].
    pub compensated: [Compensated; 4],
    /// ρ on the lines of field t, 0 on others.
    pub residuals: [Plane; 4],
    pub is_luma: bool,
    pub network: &'a Network,
}

/// The costs of C(k) at a missing sample, in the order of [`REFERENCES`].
struct Costs {
    r: [i32; 4],
    l: [i32; 4],
    phases: [i32; 4],
    q: [i32; 4],
}

impl Costs {
    /// The one of two places with the lower q, the first of equal ones.
    fn better(&self, a: usize, z: usize) -> usize {
        if self.q[z] < self.q[a] { z } else { a }
    }

    /// The place of b.
    fn best(&self) -> usize {
        [1, 2, 3].into_iter().fold(0, |best, place| self.better(best, place))
    }
}

/// ρ of C(k) for field t.
pub fn residuals(fields: &Fields, t: i32, compensated: &Compensated) -> Plane {
    let &Plane { width, height, depth, .. } = fields.frame(t);
    let reduced = |sample: i32| sample >> (depth - 8);
    Plane::from_fn(width, height, true, 8, |x, y| {
        let is_known = y & 1 == fields.parity(t);
        if is_known { (reduced(compensated.at(x, y)) - reduced(fields.at(t, x, y))).abs() } else { 0 }
    })
}

impl Fusion<'_> {
    /// O(t) at a missing sample that is completed, as the samples of its line at other columns are
    /// for which `is_completed` holds.
    pub fn output(&self, x: i32, y: i32, is_completed: impl Fn(i32) -> bool) -> i32 {
        let n = self.view.depth();
        if self.still.is_static(x, y) {
            return inputs::d(&self.view, x, y);
        }
        if self.agree(x, y, is_completed) {
            return self.agreed(x, y);
        }
        let base = self.base(x, y);
        let v1 = base + self.network.correction(&self.inputs(x, y), n);
        let (least, greatest) = self.extremes(x, y);
        let v2 = v1.clamp(least.min(base), greatest.max(base));
        let (lo2, hi2) = self.limits(x, y);
        let v3 = v2.clamp(lo2, hi2);
        if self.still.measure(x, y) < 24 && (v2 - v3).abs() < 40 << (n - 8) { v3 } else { v2 }
    }

    /// Whether the references agree in the group of a missing sample.
    fn agree(&self, x: i32, y: i32, is_completed: impl Fn(i32) -> bool) -> bool {
        let levels = |count: i32| count << (self.view.depth() - 8);
        let limit = levels(if self.is_luma { 4 } else { 3 });
        let agrees = |x: i32| {
            let (least, greatest) = self.extremes(x, y);
            let spatial = self.spatial.at(x, y);
            greatest - least < limit && (!is_completed(x) || greatest.max(spatial) - least.min(spatial) < levels(8))
        };
        self.view.is_between() && group(x, self.spatial.width).all(agrees)
    }

    /// The output of a sample whose references agree.
    fn agreed(&self, x: i32, y: i32) -> i32 {
        let [before, after, far_before, far_after] = self.references(x, y);
        let (least, greatest) = self.extremes(x, y);
        let spatial = self.spatial.at(x, y).clamp(least, greatest);
        (2 * before + 2 * after + far_before + far_after + 2 * spatial + 4) >> 3
    }

    /// The compensated references at a sample.
    fn references(&self, x: i32, y: i32) -> [i32; 4] {
        self.compensated.each_ref().map(|c| c.at(x, y))
    }

    /// The least and the greatest of the compensated references at a sample.
    fn extremes(&self, x: i32, y: i32) -> (i32, i32) {
        let [a, b, c, d] = self.references(x, y);
        (a.min(b).min(c).min(d), a.max(b).max(c).max(d))
    }

    /// Z.
    fn base(&self, x: i32, y: i32) -> i32 {
        if self.is_luma { self.spatial.at(x, y) } else { self.w(x, y) }
    }

    /// W.
    fn w(&self, x: i32, y: i32) -> i32 {
        let v = &self.view;
        if v.is_between() { inputs::bwdif(v, x, y) } else { inputs::clip(v, inputs::s(v, x, y)) }
    }

    /// lo2 and hi2.
    fn limits(&self, x: i32, y: i32) -> (i32, i32) {
        if !self.view.is_between() {
            return (0, (1 << self.view.depth()) - 1);
        }
        let (d, d2) = (inputs::d(&self.view, x, y), inputs::range(&self.view, x, y));
        (0.max(d - d2), ((1 << self.view.depth()) - 1).min(d + d2))
    }

    /// All 56 inputs of the network.
    fn inputs(&self, x: i32, y: i32) -> Vec<i32> {
        let e = (self.view.depth() - 8).min(4);
        let (costs, motion) = (self.costs(x, y), inputs::motion(&self.view, x, y));
        let values = self.values(x, y, &costs, motion);
        let costs = self.cost_inputs(x, y, &costs, motion);
        values.into_iter().chain(costs.into_iter().map(|cost| cost << e)).collect()
    }

    /// Inputs 0 to 37. `motion` is the best vector of the motion search of §14.3.
    fn values(&self, x: i32, y: i32, costs: &Costs, motion: Vector) -> [i32; 38] {
        let u = self.view.depth() - 8 - (self.view.depth() - 8).min(4);
        let base = self.base(x, y);
        let relative = |value: i32| (value >> u) - (base >> u);
        let f = |k: i32, dx: i32, dy: i32| relative(self.view.at(k, x + dx, y + dy));
        let c = |place: usize, dx: i32, dy: i32| relative(self.compensated[place].at(x + dx, y + dy));
        let v = &self.view;
        let (lo2, hi2) = self.limits(x, y);
        let best = costs.best();
        let mean = (c(0, 0, 0) + c(1, 0, 0) + 1) >> 1;
        [
            f(0, -1, -1),
            f(0, 0, -1),
            f(0, 1, -1),
            f(0, -1, 1),
            f(0, 0, 1),
            f(0, 1, 1),
            f(0, 0, -3),
            f(0, 0, 3),
            c(0, 0, -1),
            c(0, -1, 0),
            c(0, 0, 0),
            c(0, 1, 0),
            c(0, 0, 1),
            c(1, 0, -1),
            c(1, -1, 0),
            c(1, 0, 0),
            c(1, 1, 0),
            c(1, 0, 1),
            c(2, 0, -1),
            c(2, 0, 0),
            c(2, 0, 1),
            c(3, 0, -1),
            c(3, 0, 0),
            c(3, 0, 1),
            f(-1, 0, 0),
            f(1, 0, 0),
            relative(inputs::neighbouring_lines(v, x, y)),
            relative(inputs::distant_fields(v, x, y)),
            relative(inputs::clip(v, inputs::w(v, x, y))),
            relative(self.w(x, y)),
            relative(inputs::motion_value(v, x, y, motion)),
            relative(self.spatial.at(x, y).clamp(lo2, hi2)),
            c(best, 0, 0),
            c(best, 0, 0) + ((f(0, 0, -1) - c(best, 0, -1) + f(0, 0, 1) - c(best, 0, 1)) >> 1),
            c(costs.better(0, 1), 0, 0),
            c(costs.better(2, 3), 0, 0),
            median(c(0, 0, 0), c(1, 0, 0), 0),
            median(c(best, 0, 0), mean, relative(inputs::mean(v, x, y))),
        ]
    }

    /// Inputs 38 to 55 of 8 bits.
    fn cost_inputs(&self, x: i32, y: i32, costs: &Costs, motion: Vector) -> Vec<i32> {
        let v8 = &self.view.reduced();
        let differences =
            [self.still.difference(x, y), self.still.measure(x, y), self.difference(0, 1, x, y), self.difference(2, 3, x, y)];
        let last = [costs.q[costs.best()].min(255), inputs::motion_cost(v8, x, y, motion) >> 4];
        [&costs.r[..], &costs.l, &differences, &costs.phases, &last].concat()
    }

    /// r, l, φ and q of each reference.
    fn costs(&self, x: i32, y: i32) -> Costs {
        let places = [0, 1, 2, 3];
        let (r, l) = (places.map(|place| self.r(place, x, y)), places.map(|place| self.l(place, x, y)));
        let phases = places.map(|place| self.phase(place, x, y));
        let far = |place: usize| if REFERENCES[place].abs() == 2 { 2 } else { 0 };
        let q = places.map(|place| 2 * r[place] + l[place] + ((32 - phases[place]) >> 4) + far(place));
        Costs { r, l, phases, q }
    }

    /// [C(k)]8.
    fn c8(&self, place: usize, x: i32, y: i32) -> i32 {
        self.compensated[place].at(x, y) >> (self.view.depth() - 8)
    }

    fn r(&self, place: usize, x: i32, y: i32) -> i32 {
        let at = |x: i32| self.residual(place, x, y - 1) + self.residual(place, x, y + 1);
        inputs::fifth(inputs::sum(2, x, at))
    }

    fn l(&self, place: usize, x: i32, y: i32) -> i32 {
        let at = |x: i32| [-3, -1, 1, 3].map(|k| self.residual(place, x, y + k)).iter().sum::<i32>();
        (inputs::sum(5, x, at) * 5958 + 32768) >> 16
    }

    /// ρ, clamped to the lines of field t.
    fn residual(&self, place: usize, x: i32, y: i32) -> i32 {
        self.residuals[place].at(x, y)
    }

    /// Inputs 48 and 49.
    fn difference(&self, a: usize, b: usize, x: i32, y: i32) -> i32 {
        let sum = inputs::sum(2, x, |x| (self.c8(a, x, y) - self.c8(b, x, y)).abs());
        (sum * 21845 + 32768) >> 16
    }

    /// φ.
    fn phase(&self, place: usize, x: i32, y: i32) -> i32 {
        let i = self.compensated[place].vector(x, y).1 & 7;
        let j = i.min(8 - i);
        if REFERENCES[place].abs() == 1 { 8 * (4 - j) } else { 8 * j }
    }
}

fn median(a: i32, b: i32, c: i32) -> i32 {
    a.min(b).max(a.max(b).min(c))
}
