//! §14.4: the samples that are static, and inputs 17, 19 and 20 of §14.3.

use super::fields::View;
use super::inputs::{c, comb_measure, e, n, p, static_measure, t0};

/// Columns and lines of a cell.
const CELL: i32 = 32;

/// The evidence for static samples of a plane. All numbers are of 8 bits.
pub struct Still<'a> {
    /// The fields around, reduced.
    view: View<'a>,
    /// Those of inputs 17 to 20.
    evidence: View<'a>,
    is_luma: bool,
    /// Z and k of the cells of luma between fields of its scene.
    cells: Option<Cells>,
}

impl Still<'_> {
    pub fn new<'a>(view: &View<'a>, is_luma: bool) -> Still<'a> {
        let view = view.reduced();
        let cells = (is_luma && view.is_between()).then(|| Cells::new(&view));
        Still { evidence: view.evidence(), view, is_luma, cells }
    }

    /// Input 17.
    pub fn difference(&self, x: i32, y: i32) -> i32 {
        t0(&self.evidence, x, y)
    }

    /// Input 19.
    pub fn measure(&self, x: i32, y: i32) -> i32 {
        let measure = static_measure(&self.evidence, x, y);
        if self.view.is_between() || self.view.has_third() { measure } else { measure.max(self.limit()) }
    }

    /// Input 20.
    pub fn combs(&self, x: i32, y: i32) -> i32 {
        comb_measure(&self.evidence, x, y)
    }

    pub fn is_static(&self, x: i32, y: i32) -> bool {
        self.measure(x, y) < self.limit() || self.view.is_between() && self.is_still_between(x, y)
    }

    /// A sample with a measure below this is static.
    fn limit(&self) -> i32 {
        if self.is_luma { 3 } else { 1 }
    }

    /// The rules that need both t - 1 and t + 1.
    fn is_still_between(&self, x: i32, y: i32) -> bool {
        self.local_change(x, y) <= i32::from(self.is_luma)
            || self.is_luma && (self.is_steady(x, y) || self.is_on_still_line(x, y))
    }

    fn local_change(&self, x: i32, y: i32) -> i32 {
        let v = &self.view;
        let kappa = |line: i32| {
            let change = |x: i32, k: i32| (v.at(k, x, line) - v.at(0, x, line)).abs();
            (x - 1..=x + 1).map(|x| t0(v, x, y).max(change(x, -2)).max(change(x, 2))).max().expect("three columns")
        };
        kappa(y - 1).min(kappa(y + 1))
    }

    /// The rule of steady cells.
    fn is_steady(&self, x: i32, y: i32) -> bool {
        let (z, k) = self.cells.as_ref().expect("cells of luma").around(x / CELL, y / CELL);
        let (measure, combs) = (self.measure(x, y), self.combs(x, y));
        z <= 128 * k && combs >= measure || z <= 192 * k && combs >= 2 * measure
    }

    /// The rule of still lines.
    fn is_on_still_line(&self, x: i32, y: i32) -> bool {
        let v = &self.view;
        let columns = || x - 2..=x + 2;
        let beside =
            |x: i32| [c(v, x, y), e(v, x, y), v.at(-2, x, y - 1), v.at(-2, x, y + 1), v.at(2, x, y - 1), v.at(2, x, y + 1)];
        let on = |x: i32| [p(v, x, y, 0), n(v, x, y, 0)];
        let is_constant = |x: i32| {
            let values = [on(x)[0], on(x)[1], v.third(x, y)];
            maximum(&values) - minimum(&values) <= 4
        };
        v.has_third()
            && columns().all(is_constant)
            && (columns().all(|x| minimum(&on(x)) - maximum(&beside(x)) >= 8)
                || columns().all(|x| minimum(&beside(x)) - maximum(&on(x)) >= 8))
    }
}

fn minimum(values: &[i32]) -> i32 {
    *values.iter().min().expect("values")
}

fn maximum(values: &[i32]) -> i32 {
    *values.iter().max().expect("values")
}

/// The changes of the cells of the luma.
struct Cells {
    columns: i32,
    rows: i32,
    changes: Vec<i32>,
}

impl Cells {
    /// `v` is reduced.
    fn new(v: &View) -> Cells {
        let (width, height) = v.size();
        let (columns, rows) = ((width + CELL - 1) / CELL, (height + CELL - 1) / CELL);
        let change = |cell: i32| {
            let samples = |has_line: bool| {
                let (left, top) = (cell % columns * CELL, cell / columns * CELL);
                let lines = (top..height.min(top + CELL)).filter(move |&y| v.has_line(y) == has_line);
                lines.flat_map(move |y| (left..width.min(left + CELL)).map(move |x| (x, y)))
            };
            let e = |a: i32, b: i32| {
                // The lines of fields t - 1 and t + 1 are not those of t.
                let samples = || samples(a % 2 == 0);
                let sum: i32 = samples().map(|(x, y)| (v.at(a, x, y) - v.at(b, x, y)).abs()).sum();
                (16 * sum).checked_div(samples().count() as i32).unwrap_or(0)
            };
            e(-1, 1).max(e(-2, 0)).max(e(0, 2))
        };
        Cells { columns, rows, changes: (0..rows * columns).map(change).collect() }
    }

    /// Z and k of a cell.
    fn around(&self, column: i32, row: i32) -> (i32, i32) {
        let (mut z, mut k) = (0, 0);
        for row in (row - 1).max(0)..self.rows.min(row + 2) {
            for column in (column - 1).max(0)..self.columns.min(column + 2) {
                z += self.changes[(row * self.columns + column) as usize];
                k += 1;
            }
        }
        (z, k)
    }
}
