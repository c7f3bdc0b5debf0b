//! Coordinates of a pixel, and the texels of an axis (§10.4).
use super::cube;
use super::lod::Gradients;
use super::message::{Detail, Request};
use super::state::{AddressMode, Sampler};
use super::surface::{Kind, Surface};

/// Numbers of the parameters U and V, and of the array index of a cube.
const V: usize = 1;
const R: usize = 2;
const ARRAY: usize = 3;
/// Steps of a texel.
pub(super) const STEPS: i64 = 256;

/// The position of a pixel on a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Coordinates of the axes that the surface has; 0 for the others.
    pub coordinates: [f64; 3],
    /// The slice; for a cube that of its first face.
    pub slice: u32,
    /// The face of a cube, else 0.
    pub face: usize,
}

/// Number of axes of a map.
pub(super) fn axes(kind: Kind) -> usize {
    match kind {
        Kind::Line => 1,
        Kind::Plane | Kind::Cube => 2,
        Kind::Volume => 3,
        Kind::Buffer => 0,
    }
}

/// The place of a pixel.
pub(super) fn place(request: &Request, pixel: usize, surface: &Surface, detail: Option<Detail>) -> Place {
    let parameter = |number| request.float(pixel, number);
    let layer = |number| (parameter(number) + 0.5).floor().clamp(0.0, f64::from(surface.layers - 1)) as u32;
    let vector = [0, V, R].map(parameter);
    let (coordinates, slice, face) = match surface.kind {
        Kind::Line => ([vector[0], 0.0, 0.0], surface.first_layer + layer(V), 0),
        Kind::Plane => ([vector[0], vector[1], 0.0], surface.first_layer + layer(R), 0),
        Kind::Volume | Kind::Buffer => (vector, 0, 0),
        Kind::Cube => {
            // With gradients the message has the coordinates on a face, and its number.
            let (face, [s, t]) = match detail {
                Some(Detail::Gradients(_)) => ((vector[R] + 0.5).floor().clamp(0.0, 5.0) as usize, [vector[0], vector[1]]),
                _ => {
                    let face = cube::face(vector);
                    (face, cube::on_face(face, vector))
                }
            };
            ([(s + 1.0) / 2.0, (t + 1.0) / 2.0, 0.0], surface.first_layer + 6 * layer(ARRAY), face)
        }
    };
    Place { coordinates, slice, face }
}

/// The gradients of a pixel: those of the message, or those of its quad.
pub(super) fn gradients(
    request: &Request,
    pixel: usize,
    surface: &Surface,
    sampler: &Sampler,
    detail: Option<Detail>,
) -> Gradients {
    let axes = axes(surface.kind);
    let size = surface.level_size(surface.first_level).map(|size| size as f64);
    // In texels of the first level.
    let scaled = |v: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|axis| match axis < axes {
            true => v[axis] * if sampler.is_normalized { size[axis] } else { 1.0 },
            false => 0.0,
        })
    };
    let is_cube = surface.kind == Kind::Cube;
    if let Some(Detail::Gradients(first)) = detail {
        let along = |step: usize| {
            scaled([0, 2, 4].map(|number| {
                let value = request.float(pixel, first + number + step);
                if is_cube { value / 2.0 } else { value }
            }))
        };
        return Gradients { across: along(0), down: along(1) };
    }
    let quad = pixel / 4 * 4;
    let vector = |pixel: usize| [0, V, R].map(|number| request.float(pixel, number));
    let face = cube::face(vector(quad));
    let position = |pixel: usize| match is_cube {
        true => {
            let [s, t] = cube::on_face(face, vector(pixel));
            [s / 2.0, t / 2.0, 0.0]
        }
        false => vector(pixel),
    };
    let [corner, right, below] = [quad, quad + 1, quad + 2].map(position);
    let difference = |other: [f64; 3]| scaled(std::array::from_fn(|axis| other[axis] - corner[axis]));
    Gradients { across: difference(right), down: difference(below) }
}

/// A coordinate in texels of an axis of `size` texels.
pub(super) fn position(coordinate: f64, size: i64, mode: AddressMode, is_normalized: bool) -> f64 {
    let coordinate = if mode == AddressMode::MirrorOnce { coordinate.abs() } else { coordinate };
    if is_normalized { coordinate * size as f64 } else { coordinate }
}

/// A position in 1/256 of a texel.
pub(super) fn fixed(position: f64, rounds: bool) -> i64 {
    (STEPS as f64 * position + if rounds { 0.5 } else { 0.0 }).floor() as i64
}

/// The texel that is read at an index; none outside a border. Modes of cubes are not for single
/// axes.
pub(super) fn texel(index: i64, size: i64, mode: AddressMode) -> Option<i64> {
    match mode {
        AddressMode::Wrap => Some(index.rem_euclid(size)),
        AddressMode::Mirror => {
            let within = index.rem_euclid(2 * size);
            Some(if within < size { within } else { 2 * size - 1 - within })
        }
        AddressMode::Clamp | AddressMode::Cube => Some(index.clamp(0, size - 1)),
        AddressMode::Border => (0..size).contains(&index).then_some(index),
        AddressMode::MirrorOnce => Some(if index < 0 { -1 - index } else { index }.clamp(0, size - 1)),
    }
}
