//! §14.2 and §14.3: the value of bwdif and the inputs of the network, one function for each. `v` is
//! the view of the fields around the output; (x, y) is a missing sample.

use super::fields::View;
use super::still::Still;

/// The horizontal displacements of both searches, in order.
const ORDER: [i32; 9] = [0, -1, 1, -2, 2, -3, 3, -4, 4];

/// B and the inputs of the network.
pub struct Inputs {
    pub b: i32,
    pub inputs: Vec<i32>,
}

pub fn c(v: &View, x: i32, y: i32) -> i32 {
    v.at(0, x, y - 1)
}

pub fn e(v: &View, x: i32, y: i32) -> i32 {
    v.at(0, x, y + 1)
}

fn c3(v: &View, x: i32, y: i32) -> i32 {
    v.at(0, x, y - 3)
}

fn e3(v: &View, x: i32, y: i32) -> i32 {
    v.at(0, x, y + 3)
}

/// Pk of line y; k = 0 is P.
pub fn p(v: &View, x: i32, y: i32, k: i32) -> i32 {
    v.at(-1, x, y + k)
}

/// Nk of line y; k = 0 is N.
pub fn n(v: &View, x: i32, y: i32, k: i32) -> i32 {
    v.at(1, x, y + k)
}

/// |Qc - c| + |Qe - e|.
fn q(v: &View, x: i32, y: i32) -> i32 {
    (v.at(-2, x, y - 1) - c(v, x, y)).abs() + (v.at(-2, x, y + 1) - e(v, x, y)).abs()
}

/// |Rc - c| + |Re - e|.
fn r(v: &View, x: i32, y: i32) -> i32 {
    (v.at(2, x, y - 1) - c(v, x, y)).abs() + (v.at(2, x, y + 1) - e(v, x, y)).abs()
}

pub fn d(v: &View, x: i32, y: i32) -> i32 {
    (p(v, x, y, 0) + n(v, x, y, 0)) >> 1
}

pub fn t0(v: &View, x: i32, y: i32) -> i32 {
    (p(v, x, y, 0) - n(v, x, y, 0)).abs()
}

/// D.
fn change(v: &View, x: i32, y: i32) -> i32 {
    let (t1, t2) = (q(v, x, y) >> 1, r(v, x, y) >> 1);
    (t0(v, x, y) >> 1).max(t1).max(t2)
}

pub fn s(v: &View, x: i32, y: i32) -> i32 {
    (5077 * (c(v, x, y) + e(v, x, y)) - 981 * (c3(v, x, y) + e3(v, x, y))) >> 13
}

pub fn w(v: &View, x: i32, y: i32) -> i32 {
    let pair = |k: i32| p(v, x, y, k) + n(v, x, y, k);
    let temporal = (5570 * pair(0) - 3801 * (pair(-2) + pair(2)) + 1016 * (pair(-4) + pair(4))) >> 2;
    (temporal + 4309 * (c(v, x, y) + e(v, x, y)) - 213 * (c3(v, x, y) + e3(v, x, y))) >> 13
}

/// D2.
fn tolerance(v: &View, x: i32, y: i32) -> i32 {
    let b = ((p(v, x, y, -2) + n(v, x, y, -2)) >> 1) - c(v, x, y);
    let g = ((p(v, x, y, 2) + n(v, x, y, 2)) >> 1) - e(v, x, y);
    let (dc, de) = (d(v, x, y) - c(v, x, y), d(v, x, y) - e(v, x, y));
    let hi = de.max(dc).max(b.min(g));
    let lo = de.min(dc).min(b.max(g));
    change(v, x, y).max(lo).max(-hi)
}

/// B.
pub fn bwdif(v: &View, x: i32, y: i32) -> i32 {
    let d = d(v, x, y);
    if change(v, x, y) == 0 {
        return d;
    }
    let value = if (c(v, x, y) - e(v, x, y)).abs() > t0(v, x, y) { w(v, x, y) } else { s(v, x, y) };
    let d2 = tolerance(v, x, y);
    clip(v, value.min(d + d2).max(d - d2))
}

/// A value clipped to the depth.
pub fn clip(v: &View, value: i32) -> i32 {
    value.clamp(0, (1 << v.depth()) - 1)
}

/// Σk f around x.
pub fn sum(k: i32, x: i32, f: impl Fn(i32) -> i32) -> i32 {
    (x - k..=x + k).map(f).sum()
}

/// A fifth part, rounded.
pub fn fifth(z: i32) -> i32 {
    (z * 13107 + 32768) >> 16
}

/// Input 10.
pub fn neighbouring_lines(v: &View, x: i32, y: i32) -> i32 {
    (p(v, x, y, -2) + n(v, x, y, -2) + p(v, x, y, 2) + n(v, x, y, 2) + 2) >> 2
}

/// Input 11.
pub fn distant_fields(v: &View, x: i32, y: i32) -> i32 {
    (v.at(-2, x, y - 1) + v.at(-2, x, y + 1) + v.at(2, x, y - 1) + v.at(2, x, y + 1) + 2) >> 2
}

/// Input 12.
pub fn mean(v: &View, x: i32, y: i32) -> i32 {
    (p(v, x, y, 0) + n(v, x, y, 0) + 1) >> 1
}

fn edge_cost(v: &View, x: i32, y: i32, j: i32) -> i32 {
    2 * j.abs() + sum(2, x, |x| (v.at(0, x + j, y - 1) - v.at(0, x - j, y + 1)).abs())
}

/// The best j of the edge search.
fn edge(v: &View, x: i32, y: i32) -> i32 {
    let v8 = v.reduced();
    // Of equal ones, `min_by_key` returns the first.
    ORDER.into_iter().min_by_key(|&j| edge_cost(&v8, x, y, j)).expect("a displacement")
}

/// Input 15.
fn edge_value(v: &View, x: i32, y: i32) -> i32 {
    let j = edge(v, x, y);
    (v.at(0, x + j, y - 1) + v.at(0, x - j, y + 1) + 1) >> 1
}

pub fn motion_cost(view: &View, x: i32, y: i32, (j, v): (i32, i32)) -> i32 {
    let delta = |x: i32, k: i32| (p(view, x + j, y, v + k) - n(view, x - j, y, k - v)).abs();
    3 * (j.abs() + v.abs()) + sum(3, x, |x| delta(x, -2) + 2 * delta(x, 0) + delta(x, 2))
}

/// The best (j, v) of the motion search.
pub fn motion(v: &View, x: i32, y: i32) -> (i32, i32) {
    let v8 = v.reduced();
    let candidates = ORDER.into_iter().map(|j| (j, 0)).chain([(0, -2), (0, 2)]);
    candidates.min_by_key(|&vector| motion_cost(&v8, x, y, vector)).expect("a vector")
}

/// Input 16.
pub fn motion_value(view: &View, x: i32, y: i32, (j, v): (i32, i32)) -> i32 {
    (p(view, x + j, y, v) + n(view, x - j, y, -v) + 1) >> 1
}

/// Input 19 of the fields of `v`, which is reduced.
pub fn static_measure(v: &View, x: i32, y: i32) -> i32 {
    let difference = |x: i32, k: i32| (p(v, x, y, k) - n(v, x, y, k)).abs();
    let a = |x: i32| difference(x, -2) + 2 * difference(x, 0) + difference(x, 2);
    (sum(2, x, a) >> 3).max(fifth(sum(2, x, |x| q(v, x, y)))).max(fifth(sum(2, x, |x| r(v, x, y))))
}

/// Input 20 of the fields of `v`, which is reduced.
pub fn comb_measure(v: &View, x: i32, y: i32) -> i32 {
    fifth(sum(2, x, |x| (p(v, x, y, 0) + n(v, x, y, 0) - c(v, x, y) - e(v, x, y)).abs() >> 1))
}

/// Inputs 0 to 16 before B is subtracted.
fn values(v: &View, x: i32, y: i32) -> [i32; 17] {
    [
        c(v, x - 1, y),
        c(v, x, y),
        c(v, x + 1, y),
        e(v, x - 1, y),
        e(v, x, y),
        e(v, x + 1, y),
        c3(v, x, y),
        e3(v, x, y),
        p(v, x, y, 0),
        n(v, x, y, 0),
        neighbouring_lines(v, x, y),
        distant_fields(v, x, y),
        mean(v, x, y),
        clip(v, s(v, x, y)),
        clip(v, w(v, x, y)),
        edge_value(v, x, y),
        motion_value(v, x, y, motion(v, x, y)),
    ]
}

/// Inputs 17 to 24 of 8 bits. `v8` is reduced.
fn costs(v8: &View, still: &Still, x: i32, y: i32) -> [i32; 8] {
    [
        still.difference(x, y),
        (c(v8, x, y) - e(v8, x, y)).abs(),
        still.measure(x, y),
        still.combs(x, y),
        edge_cost(v8, x, y, edge(v8, x, y)) >> 1,
        edge_cost(v8, x, y, 0) >> 1,
        motion_cost(v8, x, y, motion(v8, x, y)) >> 4,
        motion_cost(v8, x, y, (0, 0)) >> 4,
    ]
}

/// Input 25.
pub fn range(v: &View, x: i32, y: i32) -> i32 {
    if change(v, x, y) == 0 { 0 } else { tolerance(v, x, y) }
}

/// §14.5: the inputs at the depth of the view.
pub fn inputs(v: &View, still: &Still, x: i32, y: i32) -> Inputs {
    let extra = v.depth() - 8;
    let e = extra.min(4);
    let b = bwdif(v, x, y);
    let values = values(v, x, y).map(|value| (value >> (extra - e)) - (b >> (extra - e)));
    let costs = costs(&v.reduced(), still, x, y).map(|cost| cost << e);
    let range = range(v, x, y) >> (extra - e);
    Inputs { b, inputs: values.into_iter().chain(costs).chain([range]).collect() }
}
