//! Filters within a level and between two levels (§10.6).
use super::address::{self, Place, STEPS};
use super::lod::{self, Levels, Line};
use super::state::Filter;
use super::texel::{CHANNELS, Texels, element};

/// Weight of an inner subpixel of the anisotropic filter.
const SUBPIXEL: i64 = 32;

/// The filtered outputs at a place. `line` is that of the anisotropic filter, which is linear
/// without it; `offsets` are those of the header.
pub(super) fn sample(
    texels: &mut Texels,
    place: Place,
    levels: Levels,
    line: Option<Line>,
    offsets: [i64; 3],
) -> [f64; CHANNELS] {
    let filter = lod::filter(texels.sampler, levels.is_magnified);
    if filter == Filter::Mono {
        return [monochrome(texels, place, offsets); CHANNELS];
    }
    let mut within = |level: u32| {
        let grid = Grid { level, place, offsets, is_magnified: levels.is_magnified };
        match (filter, line) {
            (Filter::Nearest, _) => grid.nearest(texels),
            (Filter::Anisotropic, Some(line)) => anisotropic(texels, &grid, line),
            _ => grid.linear(texels, [0.0; 2]),
        }
    };
    let first = within(levels.level);
    if levels.weight == 0 {
        return first;
    }
    let second = within(levels.level + 1);
    let (a, b) = ((64 - levels.weight) as f64, levels.weight as f64);
    std::array::from_fn(|channel| (first[channel] * a + second[channel] * b) / 64.0)
}

/// The texels of a level around a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub level: u32,
    pub place: Place,
    pub offsets: [i64; 3],
    pub is_magnified: bool,
}

impl Grid {
    /// The position of each axis in 1/256 texel, `shift` texels further in U and V.
    fn fixed(&self, texels: &Texels, shift: [f64; 2]) -> [i64; 3] {
        let (sampler, size) = (texels.sampler, texels.surface.level_size(self.level));
        let axes = address::axes(texels.surface.kind);
        std::array::from_fn(|axis| {
            if axis >= axes {
                return 0;
            }
            let mode = sampler.modes[axis];
            let mut position = address::position(self.place.coordinates[axis], size[axis], mode, sampler.is_normalized);
            if let Some(shift) = shift.get(axis).filter(|shift| **shift != 0.0) {
                position += shift;
            }
            address::fixed(position, sampler.rounds[axis][usize::from(!self.is_magnified)])
        })
    }

    fn nearest(&self, texels: &mut Texels) -> [f64; CHANNELS] {
        let fixed = self.fixed(texels, [0.0; 2]);
        texels.at(self.level, self.place, std::array::from_fn(|axis| fixed[axis].div_euclid(STEPS) + self.offsets[axis]))
    }

    /// The lower index of each axis, and the weight of the higher one in 1/256.
    fn footprint(&self, texels: &Texels, shift: [f64; 2]) -> ([i64; 3], [i64; 3]) {
        let fixed = self.fixed(texels, shift).map(|fixed| fixed - STEPS / 2);
        let index = std::array::from_fn(|axis| fixed[axis].div_euclid(STEPS) + self.offsets[axis]);
        (index, fixed.map(|fixed| fixed.rem_euclid(STEPS)))
    }

    fn linear(&self, texels: &mut Texels, shift: [f64; 2]) -> [f64; CHANNELS] {
        let axes = address::axes(texels.surface.kind);
        let (index, weights) = self.footprint(texels, shift);
        let weights = &weights[..axes];
        if weights.iter().all(|weight| *weight == 0) {
            return texels.at(self.level, self.place, index);
        }
        let mut sums = [0.0; CHANNELS];
        for corner in 0..1 << axes {
            let is_higher = |axis: usize| corner >> axis & 1 == 1;
            let part = |axis: usize| if is_higher(axis) { weights[axis] } else { STEPS - weights[axis] };
            let weight: i64 = (0..axes).map(part).product();
            if weight == 0 {
                continue;
            }
            let texel = texels.at(self.level, self.place, std::array::from_fn(|axis| index[axis] + i64::from(is_higher(axis))));
            sums.iter_mut().zip(texel).for_each(|(sum, value)| *sum += weight as f64 * value);
        }
        let whole = STEPS.pow(axes as u32) as f64;
        sums.map(|sum| sum / whole)
    }

    /// The texels of the linear filter: upper left, upper right, lower left, lower right.
    pub fn corners(&self, texels: &mut Texels) -> [[f64; CHANNELS]; 4] {
        let (index, _) = self.footprint(texels, [0.0; 2]);
        [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[x, y]| texels.at(self.level, self.place, [index[0] + x, index[1] + y, 0]))
    }
}

/// Linear subpixels along a line.
fn anisotropic(texels: &mut Texels, grid: &Grid, line: Line) -> [f64; CHANNELS] {
    let Line { ratio, direction } = line;
    // The smallest even number that is not below the ratio.
    let ways = (ratio + 31) / 32 * 2;
    let spacing = (ratio as f64 / 16.0 - 1.0).min(1.0);
    let mut sums = [0.0; CHANNELS];
    for k in 0..ways {
        let along = (2 * k + 1 - ways) as f64 / 2.0 * spacing;
        let value = grid.linear(texels, direction.map(|part| along * part));
        let weight = if k == 0 || k == ways - 1 { ratio - 16 * (ways - 2) } else { SUBPIXEL };
        sums.iter_mut().zip(value).for_each(|(sum, value)| *sum += weight as f64 * value);
    }
    sums.map(|sum| sum / (2 * ratio) as f64)
}

/// The part of ones among the texels of a window, weighted at its edges.
fn monochrome(texels: &Texels, place: Place, offsets: [i64; 3]) -> f64 {
    let (sampler, surface) = (texels.sampler, texels.surface);
    let [width, height, _] = surface.level_size(0);
    let window = sampler.mono.map(i64::from);
    let grid = Grid { level: 0, place, offsets, is_magnified: true };
    let fixed = grid.fixed(texels, [0.0; 2]);
    let start: [i64; 2] = std::array::from_fn(|axis| fixed[axis] - STEPS / 2 * window[axis]);
    let corner: [i64; 2] = std::array::from_fn(|axis| start[axis].div_euclid(STEPS) + offsets[axis]);
    let [right, below] = start.map(|start| start.rem_euclid(STEPS));
    let is_one = |x: i64, y: i64| {
        let is_inside = (0..width).contains(&x) && (0..height).contains(&y);
        is_inside && element(texels.memory, surface, 0, place.slice, [x as u32, y as u32]) == 1
    };
    let ones = |right: i64, below: i64| {
        let rows = (0..window[1]).flat_map(|y| (0..window[0]).map(move |x| (x, y)));
        rows.filter(|(x, y)| is_one(corner[0] + right + x, corner[1] + below + y)).count() as i64
    };
    let sum = (STEPS - right) * (STEPS - below) * ones(0, 0)
        + right * (STEPS - below) * ones(1, 0)
        + (STEPS - right) * below * ones(0, 1)
        + right * below * ones(1, 1);
    sum as f64 / (STEPS * STEPS * window[0] * window[1]) as f64
}
