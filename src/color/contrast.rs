//! Automatic contrast enhancement (ACE, §6.3): the curve of the parameters as a table.
use super::ColorParameters;
use super::skin::last_not_above;
use crate::memory::{OutOfMemory, zeroed};
use dndi_simd::DEEP;

/// The output value of each 12-bit luma.
pub(crate) fn curve(p: &ColorParameters) -> Result<Box<[u16; DEEP]>, OutOfMemory> {
    let memory = zeroed(DEEP)?.into_boxed_slice();
    let mut curve = memory.try_into().unwrap_or_else(|_| Box::new([0; DEEP]));
    write(p, &mut curve);
    Ok(curve)
}

/// Writes the output value of each 12-bit luma, 0…12266: the values are not clipped to 12 bits.
pub(super) fn write(p: &ColorParameters, curve: &mut [u16; DEEP]) {
    let points = [p.ymin, p.y1, p.y2, p.y3, p.y4, p.y5, p.y6, p.y7, p.y8, p.y9, p.y10].map(i32::from);
    let values = [p.ymin, p.b1, p.b2, p.b3, p.b4, p.b5, p.b6, p.b7, p.b8, p.b9, p.b10].map(i32::from);
    let slopes = [p.s0, p.s1, p.s2, p.s3, p.s4, p.s5, p.s6, p.s7, p.s8, p.s9, p.s10].map(i32::from);
    let (ymin, ymax) = (i32::from(p.ymin), i32::from(p.ymax));
    for (y12, out) in curve.iter_mut().enumerate() {
        let (y, y8) = (y12 as i32, y12 as i32 >> 4);
        *out = match last_not_above(&points, y8) {
            Some(i) if ymin <= y8 && y8 < ymax => ((values[i] << 4) + (((y - (points[i] << 4)) * slopes[i]) >> 10)) as u16,
            _ => y12 as u16,
        };
    }
}
