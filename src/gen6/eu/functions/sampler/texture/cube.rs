//! Faces of a cube: coordinates on them, and the texels beyond their edges (§10.8).

/// For each face, in the order of the slices: the axis that it is on, and the axes of s and t with
/// their signs.
const FACES: [(usize, [(usize, i64); 2]); 6] = [
    (0, [(2, -1), (1, -1)]),
    (0, [(2, 1), (1, -1)]),
    (1, [(0, 1), (2, 1)]),
    (1, [(0, 1), (2, -1)]),
    (2, [(0, 1), (1, -1)]),
    (2, [(0, -1), (1, -1)]),
];

/// The bits of the faces in the state, in the order of the slices.
const ENABLES: [u32; 6] = [0x10, 0x20, 4, 8, 1, 2];

/// The face that a vector meets.
pub(super) fn face(vector: [f64; 3]) -> usize {
    let [x, y, z] = vector.map(f64::abs);
    let axis = if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    };
    2 * axis + usize::from(vector[axis] < 0.0)
}

/// s and t of a vector on a face, -1 to 1 if the face is the one that it meets.
pub(super) fn on_face(face: usize, vector: [f64; 3]) -> [f64; 2] {
    FACES[face].1.map(|(axis, sign)| sign as f64 * vector[axis])
}

/// Whether a face is enabled.
pub(super) fn is_enabled(faces: u32, face: usize) -> bool {
    faces & ENABLES[face] != 0
}

/// The face and texel next to the edge beyond which (x, y) lies. One of them is -1 or `size`, the
/// other one is inside.
pub(super) fn neighbor(face: usize, [x, y]: [i64; 2], size: i64) -> (usize, [i64; 2]) {
    let (major, axes) = FACES[face];
    // The point in half texels, with the center of the cube at 0.
    let mut point = [0; 3];
    point[major] = if face % 2 == 1 { -size } else { size };
    for ((axis, sign), at) in axes.into_iter().zip([x, y]) {
        point[axis] = sign * (2 * at + 1 - size);
    }
    let out = if (0..size).contains(&x) { axes[1].0 } else { axes[0].0 };
    let beyond = point[out].abs();
    point[major] = point[major].signum() * (2 * size - beyond);
    point[out] = point[out].signum() * size;
    let face = 2 * out + usize::from(point[out] < 0);
    let inside = FACES[face].1.map(|(axis, sign)| ((sign * point[axis] + size - 1) / 2).clamp(0, size - 1));
    (face, inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beyond each edge lies a texel of another face, and beyond that edge the first one.
    #[test]
    fn edges_lead_back() {
        for (size, face, at) in
            [1, 2, 5].into_iter().flat_map(|size| (0..6).flat_map(move |f| (0..size).map(move |at| (size, f, at))))
        {
            for (inside, beyond) in
                [([0, at], [-1, at]), ([size - 1, at], [size, at]), ([at, 0], [at, -1]), ([at, size - 1], [at, size])]
            {
                let (other, texel) = neighbor(face, beyond, size);
                assert!(other / 2 != face / 2 && texel.iter().all(|v| (0..size).contains(v)));
                let back = [[-1, texel[1]], [size, texel[1]], [texel[0], -1], [texel[0], size]];
                assert!(back.into_iter().any(|beyond| neighbor(other, beyond, size) == (face, inside)), "{face} {beyond:?}");
            }
        }
    }
}
