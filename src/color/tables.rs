//! Tables of the colour pipe beyond Gen6: gamma curves, curves of gamut expansion, and the most
//! saturated colours of each hue (§13.4, §13.5).
use crate::format::ColorMatrix;
use crate::memory::{OutOfMemory, with_capacity, zeroed};
use crate::parameters::field::ParameterError;
use dndi_simd::{HUES, WIDE};
use std::sync::Arc;

/// The number of points of a gamma curve.
const GAMMA_POINTS: usize = 1024;

/// The number of points of a curve of gamut expansion.
const GAMUT_POINTS: usize = 256;

/// Points of a piecewise linear function for each component, in 16-bit code values: pixel value,
/// then the values of R, G and B. Points need not ascend.
type Points<const N: usize> = [[u16; 4]; N];

/// Gamma curves of R, G and B: piecewise linear functions of 1024 points (§13.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GammaTable(Arc<Points<GAMMA_POINTS>>);

impl GammaTable {
    /// The curve `65535 * (v / 65535)^(1 / gamma)` for each component, rounded to the nearest
    /// value.
    ///
    /// # Errors
    /// [`ParameterError::Real`] if `gamma` is outside 0.1…10.
    pub fn power(gamma: f64) -> Result<GammaTable, ParameterError> {
        let (min, max) = (0.1, 10.0);
        if !(min..=max).contains(&gamma) {
            return Err(ParameterError::Real { name: "gamma", value: gamma, min, max });
        }
        let point = |i: usize| {
            let at = (i * 65535 / (GAMMA_POINTS - 1)) as u16;
            let value = (65535.0 * (f64::from(at) / 65535.0).powf(1.0 / gamma) + 0.5).floor() as u16;
            [at, value, value, value]
        };
        Ok(GammaTable(Arc::new(std::array::from_fn(point))))
    }

    /// The curves of a VEBOX_FORWARD_GAMMA_CORRECTION_STATE of Gen11. Its entries of 64 bits hold
    /// the points in another order.
    pub fn from_state(state: &[u32; 2 * GAMMA_POINTS]) -> GammaTable {
        let mut points = [[0; 4]; GAMMA_POINTS];
        for (e, words) in state.as_chunks::<2>().0.iter().enumerate() {
            let at = 512 * (e / 512) + 256 * (e & 1) + e % 512 / 2;
            points[at] = [words[0] as u16, (words[0] >> 16) as u16, words[1] as u16, (words[1] >> 16) as u16];
        }
        GammaTable(Arc::new(points))
    }

    /// The value of each number of 16 bits.
    pub(super) fn curves(&self) -> Result<Curves, OutOfMemory> {
        Curves::new(&self.0[..])
    }
}

/// Curves of gamut expansion: to linear light and back (§13.4). The default is the identity of the
/// documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamutTable {
    /// Points of the inverse and of the forward curves.
    points: Arc<[Points<GAMUT_POINTS>; 2]>,
}

impl Default for GamutTable {
    fn default() -> GamutTable {
        let points: Points<GAMUT_POINTS> = std::array::from_fn(|k| {
            let v = if k == GAMUT_POINTS - 1 { 65535 } else { 256 * k as u16 };
            [v; 4]
        });
        GamutTable { points: Arc::new([points; 2]) }
    }
}

impl GamutTable {
    /// The curves of a Gamut_Expansion_Gamma_Correction state of Gen11: for each of 256 points
    /// inverse G, B, pixel value, R, then forward G, B, pixel value, R, 16 bits each.
    pub fn from_state(state: &[u32; 4 * GAMUT_POINTS]) -> GamutTable {
        let mut points = [[[0; 4]; GAMUT_POINTS]; 2];
        for (k, words) in state.as_chunks::<4>().0.iter().enumerate() {
            for (curve, halves) in points.iter_mut().zip([[words[0], words[1]], [words[2], words[3]]]) {
                let [g, b] = [halves[0] as u16, (halves[0] >> 16) as u16];
                let [pixel, r] = [halves[1] as u16, (halves[1] >> 16) as u16];
                curve[k] = [pixel, r, g, b];
            }
        }
        GamutTable { points: Arc::new(points) }
    }

    /// The value of each number of 16 bits on the inverse curves and on the forward ones.
    pub(super) fn curves(&self) -> Result<[Curves; 2], OutOfMemory> {
        let [inverse, forward] = &*self.points;
        Ok([Curves::new(&inverse[..])?, Curves::new(&forward[..])?])
    }
}

/// The values of a piecewise linear function for each component.
#[derive(Debug)]
pub(super) struct Curves {
    /// One table for all components if these are equal, else one for each.
    tables: Vec<Vec<u16>>,
}

impl Curves {
    fn new(points: &[[u16; 4]]) -> Result<Curves, OutOfMemory> {
        let is_shared = points.iter().all(|[_, r, g, b]| r == g && g == b);
        let mut tables = with_capacity(3)?;
        for component in 1..=if is_shared { 1 } else { 3 } {
            let mut table = zeroed(WIDE)?;
            fill(&mut table, points, component);
            tables.push(table);
        }
        Ok(Curves { tables })
    }

    /// The values of a component.
    pub fn of(&self, component: usize) -> &[u16; WIDE] {
        let table = self.tables.get(component).unwrap_or(&self.tables[0]);
        table.first_chunk().unwrap_or(&[0; WIDE])
    }
}

/// Writes the piecewise linear function of `points` at each v (§13.4).
fn fill(table: &mut [u16], points: &[[u16; 4]], component: usize) {
    // The last point of each value; that of a v is the last one of all values up to it.
    for (i, point) in points.iter().enumerate() {
        table[usize::from(point[0])] = i as u16;
    }
    let mut i = 0;
    for (v, out) in table.iter_mut().enumerate() {
        i = i.max(usize::from(*out));
        let (point, next) = (points[i], points[(i + 1).min(points.len() - 1)]);
        let [from, to, value, last] = [point[0], next[0], point[component], next[component]].map(i64::from);
        *out = if to <= from {
            value as u16
        } else {
            (value + ((last - value) * (v as i64 - from)).div_euclid(to - from)).clamp(0, 65535) as u16
        };
    }
}

/// The most saturated colour of each of 512 hues, which gamut compression keeps inside (§13.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VertexTable(Arc<[[u16; 2]; HUES]>);

impl VertexTable {
    /// The colours of the RGB cube.
    pub fn of(matrix: ColorMatrix) -> VertexTable {
        let text = match matrix {
            ColorMatrix::Bt601 => include_str!("vertex/bt601.txt"),
            ColorMatrix::Bt709 => include_str!("vertex/bt709.txt"),
            ColorMatrix::Bt2020 => include_str!("vertex/bt2020.txt"),
        };
        let mut words = text.split_ascii_whitespace().map(|word| u32::from_str_radix(word, 16).unwrap_or_default());
        VertexTable::from_state(&std::array::from_fn(|_| words.next().unwrap_or_default()))
    }

    /// The colours of a VEBOX_VERTEX_TABLE of Gen11: luma in bits 27 to 16, chroma in bits 11 to 0,
    /// in 12-bit code values.
    pub fn from_state(state: &[u32; HUES]) -> VertexTable {
        VertexTable(Arc::new(state.map(|word| [(word >> 16 & 0xfff) as u16, (word & 0xfff) as u16])))
    }

    /// Luma and chroma of each hue, in 12 bits.
    pub(super) fn vertices(&self) -> &[[u16; 2]; HUES] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_the_matrices_are_whole() {
        for matrix in [ColorMatrix::Bt601, ColorMatrix::Bt709, ColorMatrix::Bt2020] {
            let table = VertexTable::of(matrix);
            assert!(table.vertices().iter().all(|[y, c]| (257..3760).contains(y) && (1400..2200).contains(c)), "{matrix}");
        }
    }

    #[test]
    fn a_gamma_of_1_is_the_identity() {
        let curves = GammaTable::power(1.0).unwrap().curves().unwrap();
        assert!(curves.of(2).iter().enumerate().all(|(v, &out)| usize::from(out) == v));
        for wrong in [0.0, 0.09, 10.1, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(GammaTable::power(wrong), Err(ParameterError::Real { name: "gamma", .. })));
        }
    }

    #[test]
    fn points_need_not_ascend() {
        let points = [[0, 9, 1, 1], [100, 19, 0, 0], [50, 300, 0, 0], [40, 7, 0, 0]];
        let curves = Curves::new(&points).unwrap();
        let at = |v| curves.of(0)[v];
        assert_eq!([at(0), at(39), at(40), at(45), at(60), at(200)], [9, 12, 7, 7, 7, 7]);
    }
}
