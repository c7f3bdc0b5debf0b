//! Strength of skin tone enhancement, as curves of the colour pipe (§6.2).
use super::ColorParameters;
use super::picture_controls::{nearest, within};
use crate::parameters::field::ParameterError;

impl ColorParameters {
    /// Sets the strength of skin tone enhancement (§6.2): 0 none, 1 that of the default parameters,
    /// values between in proportion.
    ///
    /// The curves of saturation and hue, of bright and dark skin alike, are the default ones scaled
    /// to `sat_max` and `hue_max`. They are continuous and never fall. A strength above 0 enables
    /// detection and enhancement; 0 disables enhancement.
    ///
    /// # Errors
    /// [`ParameterError::Real`] if the strength is outside 0…1; the parameters are then unchanged.
    pub fn set_skin_tone(&mut self, strength: f64) -> Result<(), ParameterError> {
        let strength = within("skin tone", strength, 0.0..=1.0)?;
        let default = ColorParameters::default();
        let points = [default.satp1, default.satp2, default.satp3];
        let saturation =
            Curve::new(self.sat_max, default.sat_max, points, [default.satb1, default.satb2, default.satb3], strength);
        let points = [default.huep1, default.huep2, default.huep3];
        let hue = Curve::new(self.hue_max, default.hue_max, points, [default.hueb1, default.hueb2, default.hueb3], strength);
        [self.satp1, self.satp2, self.satp3] = saturation.points;
        [self.satb1, self.satb2, self.satb3] = saturation.values;
        [self.sats0, self.sats1, self.sats2, self.sats3] = saturation.slopes;
        [self.huep1, self.huep2, self.huep3] = hue.points;
        [self.hueb1, self.hueb2, self.hueb3] = hue.values;
        [self.hues0, self.hues1, self.hues2, self.hues3] = hue.slopes;
        [self.satp1_dark, self.satp2_dark, self.satp3_dark] = saturation.points;
        [self.satb1_dark, self.satb2_dark, self.satb3_dark] = saturation.values;
        [self.sats0_dark, self.sats1_dark, self.sats2_dark, self.sats3_dark] = saturation.slopes;
        [self.huep1_dark, self.huep2_dark, self.huep3_dark] = hue.points;
        [self.hueb1_dark, self.hueb2_dark, self.hueb3_dark] = hue.values;
        [self.hues0_dark, self.hues1_dark, self.hues2_dark, self.hues3_dark] = hue.slopes;
        self.ste_enable = strength > 0.0;
        if strength > 0.0 {
            self.std_enable = true;
        }
        Ok(())
    }
}

/// A piecewise linear function of §6.2. Its first point is `-max`, whose value is `-max`, too.
struct Curve {
    /// Points 1 to 3 in code values of 8-bit chroma.
    points: [i8; 3],
    /// Values at these points in 1/4 of a code value.
    values: [i16; 3],
    /// Slopes in 1/256; the first one is that from `-max` on.
    slopes: [u16; 4],
}

impl Curve {
    /// The mixture of the identity (strength 0) and the curve through `points` and `values`
    /// (strength 1). These belong to a maximum of `default_max` and are scaled to `max`.
    fn new(max: u8, default_max: u8, points: [i8; 3], values: [i16; 3], strength: f64) -> Curve {
        let max = i32::from(max);
        let scaled = |value: i32| f64::from(value) * f64::from(max) / f64::from(default_max);
        let points = points.map(|point| nearest(scaled(point.into())));
        let own = points.map(|point| f64::from(4 * point));
        let values = [0, 1, 2].map(|k| nearest(own[k] + strength * (scaled(values[k].into()) - own[k])));
        let ends = |k: usize| if k == 0 { (-4 * max, -4 * max) } else { (4 * points[k - 1], values[k - 1]) };
        let slope = |k: usize| match (ends(k), ends(k + 1)) {
            ((x0, y0), (x1, y1)) if x0 < x1 => nearest(256.0 * f64::from(y1 - y0) / f64::from(x1 - x0)),
            // No value is taken from a piece without length.
            _ => 256,
        };
        Curve {
            points: points.map(|v| v as i8),
            values: values.map(|v| v as i16),
            slopes: [slope(0), slope(1), slope(2), 256].map(|v| v as u16),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::field::Stage;

    fn defaults() -> ColorParameters {
        ColorParameters::default()
    }

    fn curves(color: &ColorParameters) -> [Curve; 4] {
        let c = color;
        [
            Curve {
                points: [c.satp1, c.satp2, c.satp3],
                values: [c.satb1, c.satb2, c.satb3],
                slopes: [c.sats0, c.sats1, c.sats2, c.sats3],
            },
            Curve {
                points: [c.huep1, c.huep2, c.huep3],
                values: [c.hueb1, c.hueb2, c.hueb3],
                slopes: [c.hues0, c.hues1, c.hues2, c.hues3],
            },
            Curve {
                points: [c.satp1_dark, c.satp2_dark, c.satp3_dark],
                values: [c.satb1_dark, c.satb2_dark, c.satb3_dark],
                slopes: [c.sats0_dark, c.sats1_dark, c.sats2_dark, c.sats3_dark],
            },
            Curve {
                points: [c.huep1_dark, c.huep2_dark, c.huep3_dark],
                values: [c.hueb1_dark, c.hueb2_dark, c.hueb3_dark],
                slopes: [c.hues0_dark, c.hues1_dark, c.hues2_dark, c.hues3_dark],
            },
        ]
    }

    impl Curve {
        /// The value at `x` by §6.2.
        fn at(&self, max: i32, x: i32) -> i32 {
            let points = self.points.map(i32::from);
            let points = [-max, points[0], points[1], points[2]].map(|point| 4 * point);
            let values = self.values.map(i32::from);
            let values = [-4 * max, values[0], values[1], values[2]];
            let i = (0..4).rfind(|&i| points[i] <= x).unwrap();
            (values[i] + (((x - points[i]) * i32::from(self.slopes[i])) >> 8)).clamp(-4 * max, 4 * max)
        }
    }

    #[test]
    fn strength_1_is_the_default_and_strength_0_the_identity() {
        let mut color = defaults();
        color.set_skin_tone(1.0).unwrap();
        assert_eq!(color, ColorParameters { std_enable: true, ste_enable: true, ..defaults() });
        color.set_skin_tone(0.0).unwrap();
        assert_eq!((color.std_enable, color.ste_enable), (true, false));
        for (curve, max) in curves(&color).iter().zip([31, 14, 31, 14]) {
            assert!((-4 * max..=4 * max).all(|x| curve.at(max, x) == x));
        }
        let before = color.clone();
        for wrong in [-0.01, 1.01, f64::NAN] {
            assert!(color.set_skin_tone(wrong).unwrap_err().to_string().contains("is outside 0…1"));
        }
        assert_eq!(color, before);
    }

    #[test]
    fn skin_curves_never_fall_nor_jump() {
        for step in 0..=50 {
            for (sat_max, hue_max) in [(31, 14), (63, 63), (12, 3), (11, 2), (5, 1), (0, 0)] {
                let mut color = ColorParameters { sat_max, hue_max, ..defaults() };
                color.set_skin_tone(f64::from(step) / 50.0).unwrap();
                assert_eq!(color.check_ranges(), Ok(()));
                for (curve, max) in curves(&color).iter().zip([sat_max, hue_max, sat_max, hue_max].map(i32::from)) {
                    let steepest = i32::from(*curve.slopes.iter().max().unwrap()) / 256 + 2;
                    for x in -4 * max..4 * max {
                        let rise = curve.at(max, x + 1) - curve.at(max, x);
                        assert!((0..=steepest).contains(&rise), "{step} {max} {x}: {rise}");
                    }
                }
            }
        }
    }
}
