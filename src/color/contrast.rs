//! Automatic contrast enhancement (ACE, §6.3, §9.5): the curve of the parameters as a table.
use super::ColorParameters;
use super::skin::last_not_above;
use crate::memory::{OutOfMemory, zeroed};
use dndi_simd::{CurvePiece, DEEP};

/// The contrast curve in the form of a kernel.
#[derive(Debug)]
pub(crate) enum Curve {
    /// The output value of each 12-bit luma, 0…12266: the values are not clipped to 12 bits.
    Values(Box<[u16; DEEP]>),
    /// The piece of each 8-bit luma, for components of more than 12 bits.
    Pieces(Box<[CurvePiece; 256]>),
}

impl Curve {
    /// The curve of the parameters, for components of `bits` bits.
    pub fn new(p: &ColorParameters, bits: u8) -> Result<Curve, OutOfMemory> {
        let mut curve = if bits == 12 {
            let memory = zeroed(DEEP)?.into_boxed_slice();
            Curve::Values(memory.try_into().unwrap_or_else(|_| Box::new([0; DEEP])))
        } else {
            let memory = zeroed(256)?.into_boxed_slice();
            Curve::Pieces(memory.try_into().unwrap_or_else(|_| Box::new([CurvePiece::default(); 256])))
        };
        curve.set(p, bits);
        Ok(curve)
    }

    /// Replaces the curve.
    pub fn set(&mut self, p: &ColorParameters, bits: u8) {
        match self {
            Curve::Values(values) => {
                for (y8, (values, piece)) in values.as_chunks_mut::<16>().0.iter_mut().zip(pieces(p, 12)).enumerate() {
                    let [start, value, slope] = [piece.start, piece.value, piece.slope].map(i32::from);
                    for (low, out) in values.iter_mut().enumerate() {
                        let y = (16 * y8 + low) as i32;
                        *out = (value + (((y - start) * slope) >> 10)) as u16;
                    }
                }
            }
            Curve::Pieces(curve) => curve.iter_mut().zip(pieces(p, bits)).for_each(|(out, piece)| *out = piece),
        }
    }
}

/// The piece of the curve at each 8-bit luma, for components of `bits` bits. Outside ymin…ymax it
/// is the identity.
fn pieces(p: &ColorParameters, bits: u8) -> impl Iterator<Item = CurvePiece> {
    let points = [p.ymin, p.y1, p.y2, p.y3, p.y4, p.y5, p.y6, p.y7, p.y8, p.y9, p.y10].map(i32::from);
    let values = [p.ymin, p.b1, p.b2, p.b3, p.b4, p.b5, p.b6, p.b7, p.b8, p.b9, p.b10];
    let slopes = [p.s0, p.s1, p.s2, p.s3, p.s4, p.s5, p.s6, p.s7, p.s8, p.s9, p.s10];
    let range = i32::from(p.ymin)..i32::from(p.ymax);
    let scaled = move |v: i32| (v << (bits - 8)) as u16;
    (0..256).map(move |y8| match last_not_above(&points, y8) {
        Some(i) if range.contains(&y8) => {
            CurvePiece { start: scaled(points[i]), value: scaled(values[i].into()), slope: slopes[i] }
        }
        _ => CurvePiece { start: scaled(y8), value: scaled(y8), slope: 1024 },
    })
}
