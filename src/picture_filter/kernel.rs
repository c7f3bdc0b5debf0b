//! Kernels of a convolution (§13.9).
use crate::parameters::field::{ParameterError, parameters};
use std::fmt;
use std::str::FromStr;

parameters! { "convolve.",
    /// Parameters of the convolution.
    ConvolveParameters {
        /// further division of the sum, as a power of two
        scale_down: u8 = 0 in 0..=10;
        /// bits of the coefficients: 0 8 bits (S3.4), 1 16 bits (S3.12)
        coefficient_16: bool = 1 in 0..=1;
    }
}

/// A matrix of 1×1 to 31×31 coefficients in 1/4096 (S3.12). The centre of an axis of n coefficients
/// is number n/2, counted from 0 and rounded down. It is not mirrored: the first coefficient weighs
/// the sample on the upper left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvolutionKernel {
    width: usize,
    height: usize,
    coefficients: Vec<i16>,
}

impl ConvolutionKernel {
    /// The greatest number of coefficients in a row and in a column.
    pub const MAX_SIZE: usize = 31;

    /// A kernel with the rows of `coefficients`, each of `width`, in 1/4096.
    ///
    /// # Errors
    /// [`ParameterError::Conflict`] if there are not 1 to 31 whole rows of 1 to 31 coefficients.
    pub fn new(width: usize, coefficients: Vec<i16>) -> Result<ConvolutionKernel, ParameterError> {
        let height = coefficients.len().checked_div(width).unwrap_or(0);
        let sizes = 1..=ConvolutionKernel::MAX_SIZE;
        if !sizes.contains(&width) || !sizes.contains(&height) || width * height != coefficients.len() {
            let message =
                format!("a kernel has 1 to 31 rows of 1 to 31 coefficients, not {} in rows of {width}", coefficients.len());
            return Err(ParameterError::Conflict { fields: &[], message });
        }
        Ok(ConvolutionKernel { width, height, coefficients })
    }

    /// Coefficients in a row, and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The coefficients, row by row, in 1/4096.
    pub fn coefficients(&self) -> &[i16] {
        &self.coefficients
    }
}

/// Rows separated by semicolons, of real coefficients separated by commas: `1,2,1;2,4,2;1,2,1`.
/// Coefficients are rounded to the nearest 1/4096, halves away from zero.
impl FromStr for ConvolutionKernel {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<ConvolutionKernel, ParameterError> {
        let wrong = |message: String| ParameterError::Conflict { fields: &[], message };
        let coefficient = |text: &str| {
            let text = text.trim();
            let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
            let value = text.parse::<f64>().ok().filter(|_| plain).map(|value| (value * 4096.0).round());
            let value = value.filter(|value| (f64::from(i16::MIN)..=f64::from(i16::MAX)).contains(value));
            value
                .map(|value| value as i16)
                .ok_or_else(|| wrong(format!("a coefficient is a number of -8 to 7.9997, not \"{text}\"")))
        };
        let rows: Vec<_> = text.split(';').map(|row| row.split(',').collect::<Vec<_>>()).collect();
        let width = rows[0].len();
        if rows.iter().any(|row| row.len() != width) {
            return Err(wrong("all rows of a kernel have the same number of coefficients".to_owned()));
        }
        ConvolutionKernel::new(width, rows.concat().into_iter().map(coefficient).collect::<Result<_, _>>()?)
    }
}

/// The form that is parsed.
impl fmt::Display for ConvolutionKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, &coefficient) in self.coefficients.iter().enumerate() {
            let separator = if index == 0 {
                ""
            } else if index % self.width == 0 {
                ";"
            } else {
                ","
            };
            write!(f, "{separator}{}", f64::from(coefficient) / 4096.0)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_parsed_and_written() {
        let kernel: ConvolutionKernel = "1,-2.5,0.0001;0.00013, -8,7.9997".parse().unwrap();
        assert_eq!((kernel.size(), kernel.coefficients()), ((3, 2), &[4096, -10240, 0, 1, -32768, 32767][..]));
        assert_eq!(kernel.to_string().parse(), Ok(kernel));
        // Halves of 1/4096 are rounded away from zero.
        let halves: ConvolutionKernel = "0.0001220703125,-0.0001220703125".parse().unwrap();
        assert_eq!(halves.coefficients(), [1, -1]);
        for wrong in ["", "1;1,2", "1,,2", "8", "-8.0002", "nan", "inf", "1e3", "a"] {
            assert!(wrong.parse::<ConvolutionKernel>().is_err(), "{wrong}");
        }
        assert!(vec!["1"; 32].join(",").parse::<ConvolutionKernel>().is_err());
        assert!(vec!["1"; 31].join(";").parse::<ConvolutionKernel>().is_ok());
        for (width, count) in [(0, 0), (0, 4), (3, 4), (32, 32), (usize::MAX, 1), (1, 32)] {
            assert!(ConvolutionKernel::new(width, vec![1; count]).is_err(), "{width} {count}");
        }
    }
}
