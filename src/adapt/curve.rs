//! Piecewise linear functions of integers, and the units of their arguments and values.

/// A standard deviation of noise, in 1/64 of an 8-bit code value.
pub type Sigma6 = u16;
/// A standard deviation of one code value.
pub const SIGMA_ONE: Sigma6 = 64;

/// A share, in 1/1024.
pub type Share10 = u16;
/// The share of 1.
pub const WHOLE: Share10 = 1024;

/// Points (argument, value) with ascending arguments.
pub type Curve<const N: usize> = [(u16, u16); N];

/// The value of a curve at `x`, rounded to the nearest; beyond an end the value of that end.
pub fn interpolate(curve: &[(u16, u16)], x: u16) -> u16 {
    let after = curve.partition_point(|point| point.0 <= x);
    let (Some(&(x0, y0)), Some(&(x1, y1))) = (curve[..after].last(), curve.get(after)) else {
        return if after == 0 { curve[0].1 } else { curve[after - 1].1 };
    };
    let (left, right) = ((x1 - x) as u32, (x - x0) as u32);
    ((y0 as u32 * left + y1 as u32 * right + (left + right) / 2) / (left + right)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_between_points_are_interpolated() {
        let curve = [(10, 100), (20, 120), (24, 0)];
        let values: Vec<u16> = [0, 10, 11, 15, 20, 21, 23, 24, 9999].map(|x| interpolate(&curve, x)).into();
        assert_eq!(values, [100, 100, 102, 110, 120, 90, 30, 0, 0]);
    }
}
