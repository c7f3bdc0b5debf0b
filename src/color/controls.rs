//! Picture controls in common units, converted to parameters of the colour pipe. Only this file and
//! `space.rs` convert real numbers to fields; they round to nearest.
use super::ColorParameters;
use crate::format::ColorRange;
use crate::parameters::field::ParameterError;
use std::ops::RangeInclusive;

/// `value`, if it is within `range`; NaN is not.
fn within(name: &'static str, value: f64, range: RangeInclusive<f64>) -> Result<f64, ParameterError> {
    let (min, max) = range.into_inner();
    if (min..=max).contains(&value) { Ok(value) } else { Err(ParameterError::Real { name, value, min, max }) }
}

/// Brightness, contrast, saturation and hue of the whole picture (§6.5). With the default the
/// picture does not change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProcAmp {
    /// Offset of the luma in 8-bit code values: -100 to 100, in steps of 1/16.
    pub brightness: f64,
    /// Factor of the luma above black, and of the chroma: 0 to 10, in steps of 1/128.
    pub contrast: f64,
    /// Further factor of the chroma: 0 to 10. Contrast times saturation is rounded to 1/256.
    pub saturation: f64,
    /// Rotation of the colours in degrees: -180 to 180. 60 turns red into magenta and blue into
    /// cyan.
    pub hue: f64,
    /// The range of the samples, which defines black: luma 16 in the limited range, 0 in the full
    /// range.
    pub range: ColorRange,
}

impl Default for ProcAmp {
    fn default() -> ProcAmp {
        ProcAmp { brightness: 0.0, contrast: 1.0, saturation: 1.0, hue: 0.0, range: ColorRange::Limited }
    }
}

/// Saturation factors of six colours (§6.4): 0 to 255/128 (1.99), in steps of 1/128. Colours
/// between two of them have a factor between. Factors above 1 have less effect on saturated colours
/// (`uv_max_color`) and none on near-greys (`uv_threshold`). With the default the picture does not
/// change.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct ColorSaturation {
    pub red: f64,
    pub yellow: f64,
    pub green: f64,
    pub cyan: f64,
    pub blue: f64,
    pub magenta: f64,
}

impl Default for ColorSaturation {
    fn default() -> ColorSaturation {
        ColorSaturation { red: 1.0, yellow: 1.0, green: 1.0, cyan: 1.0, blue: 1.0, magenta: 1.0 }
    }
}

/// The largest value of `sat_factor_1` to `sat_factor_6`, which are U1.7.
const MAX_SATURATION: f64 = 255.0 / 128.0;

impl ColorParameters {
    /// Sets and enables the amplifier (§6.5): `brightness`, `contrast`, `cos_c_s`, `sin_c_s` and
    /// `procamp_enable`, rounded to nearest. In the full range, with a contrast of about 9 or more,
    /// black becomes darker than 0 and `brightness` is limited, because the field ends at 2047/16
    /// code values.
    ///
    /// # Errors
    /// [`ParameterError::Real`] for the first control outside its range; the parameters are then
    /// unchanged.
    pub fn set_procamp(&mut self, controls: &ProcAmp) -> Result<(), ParameterError> {
        let brightness = within("brightness", controls.brightness, -100.0..=100.0)?;
        let contrast = within("contrast", controls.contrast, 0.0..=10.0)?;
        let saturation = within("saturation", controls.saturation, 0.0..=10.0)?;
        let (sin, cos) = within("hue", controls.hue, -180.0..=180.0)?.to_radians().sin_cos();
        // The pivot of the stage is 16. For black at 0 the brightness compensates for it, as far as
        // its field allows.
        let black = if controls.range == ColorRange::Full { 256.0 * (contrast - 1.0) } else { 0.0 };
        self.brightness = nearest(16.0 * brightness + black).min(2047) as i16;
        self.contrast = nearest(128.0 * contrast) as u16;
        self.cos_c_s = nearest(256.0 * contrast * saturation * cos) as i16;
        self.sin_c_s = nearest(256.0 * contrast * saturation * sin) as i16;
        self.procamp_enable = true;
        Ok(())
    }

    /// Sets and enables the saturation of six colours (§6.4): `sat_factor_1` to `sat_factor_6` and
    /// `tcc_enable`, rounded to nearest. The factors belong to these colours at the default base
    /// colours. Base colours and the other parameters of the stage do not change.
    ///
    /// # Errors
    /// [`ParameterError::Real`] for the first colour outside 0…1.99; the parameters are then
    /// unchanged.
    pub fn set_color_saturation(&mut self, colors: &ColorSaturation) -> Result<(), ParameterError> {
        let &ColorSaturation { red, yellow, green, cyan, blue, magenta } = colors;
        let factor = |name, value| within(name, value, 0.0..=MAX_SATURATION).map(|value| nearest(128.0 * value) as u8);
        let factors = [
            factor("magenta", magenta)?,
            factor("red", red)?,
            factor("yellow", yellow)?,
            factor("green", green)?,
            factor("cyan", cyan)?,
            factor("blue", blue)?,
        ];
        [self.sat_factor_1, self.sat_factor_2, self.sat_factor_3, self.sat_factor_4, self.sat_factor_5, self.sat_factor_6] =
            factors;
        self.tcc_enable = true;
        Ok(())
    }

    /// Sets the strength of the skin tone enhancement (§6.2): 0 is the identity, 1 the default
    /// parameters, and values between them interpolate.
    ///
    /// The curves of saturation and hue for bright and for dark skin are the default curves, scaled
    /// to `sat_max` and `hue_max`; they are continuous and monotonic. A strength above 0 enables
    /// detection and enhancement, 0 disables the enhancement.
    ///
    /// # Errors
    /// [`ParameterError::Real`] if the strength is outside 0…1; the parameters are then unchanged.
    pub fn set_skin_tone(&mut self, strength: f64) -> Result<(), ParameterError> {
        let strength = within("skin tone", strength, 0.0..=1.0)?;
        let usual = ColorParameters::default();
        let points = [usual.satp1, usual.satp2, usual.satp3];
        let saturation = Curve::new(self.sat_max, usual.sat_max, points, [usual.satb1, usual.satb2, usual.satb3], strength);
        let points = [usual.huep1, usual.huep2, usual.huep3];
        let hue = Curve::new(self.hue_max, usual.hue_max, points, [usual.hueb1, usual.hueb2, usual.hueb3], strength);
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

fn nearest(value: f64) -> i32 {
    value.round() as i32
}

/// A piecewise linear function of §6.2. Its point 0 is (`-max`, `-max`).
struct Curve {
    /// Points 1 to 3 in 8-bit chroma.
    points: [i8; 3],
    /// Values at these points, in 1/4.
    values: [i16; 3],
    /// Slopes from points 0 to 3, in 1/256.
    slopes: [u16; 4],
}

impl Curve {
    /// The interpolation between the identity (strength 0) and the curve through `points` and
    /// `values` (strength 1). These are for a maximum of `usual` and are scaled to `max`.
    fn new(max: u8, usual: u8, points: [i8; 3], values: [i16; 3], strength: f64) -> Curve {
        let max = i32::from(max);
        let scaled = |value: i32| f64::from(value) * f64::from(max) / f64::from(usual);
        let points = points.map(|point| nearest(scaled(point.into())));
        let own = points.map(|point| f64::from(4 * point));
        let values = [0, 1, 2].map(|k| nearest(own[k] + strength * (scaled(values[k].into()) - own[k])));
        let ends = |k: usize| if k == 0 { (-4 * max, -4 * max) } else { (4 * points[k - 1], values[k - 1]) };
        let slope = |k: usize| match (ends(k), ends(k + 1)) {
            ((x0, y0), (x1, y1)) if x0 < x1 => nearest(256.0 * f64::from(y1 - y0) / f64::from(x1 - x0)),
            // A piece of length 0 has no values.
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

    fn usual() -> ColorParameters {
        ColorParameters::default()
    }

    #[test]
    fn amplifier_fields_and_ranges() {
        let with = |brightness, contrast, saturation, hue| {
            let mut color = usual();
            color.set_procamp(&ProcAmp { brightness, contrast, saturation, hue, ..ProcAmp::default() }).unwrap();
            assert_eq!((color.check_ranges(), color.procamp_enable), (Ok(()), true));
            (color.brightness, color.contrast, color.cos_c_s, color.sin_c_s)
        };
        assert_eq!(with(0.0, 1.0, 1.0, 0.0), (0, 128, 256, 0));
        assert_eq!(with(100.0, 10.0, 10.0, 0.0), (1600, 1280, 25600, 0));
        assert_eq!(with(-100.0, 0.0, 10.0, 90.0), (-1600, 0, 0, 0));
        assert_eq!(with(-0.04, 1.004, 0.0, 45.0), (-1, 129, 0, 0));
        assert_eq!(with(0.0, 10.0, 10.0, 180.0), (0, 1280, -25600, 0));
        assert_eq!(with(0.0, 1.0, 1.0, 90.0), (0, 128, 0, 256));
        assert_eq!(with(0.0, 0.5, 2.0, -90.0), (0, 64, 0, -256));
        assert_eq!(with(0.0, 1.0, 1.0, 60.0), (0, 128, 128, 222));
        for (brightness, contrast, saturation, hue, message) in [
            (100.01, 1.0, 1.0, 0.0, "brightness = 100.01 is outside -100…100"),
            (0.0, -0.01, 1.0, 0.0, "contrast = -0.01 is outside 0…10"),
            (0.0, 1.0, 10.5, 0.0, "saturation = 10.5 is outside 0…10"),
            (0.0, 1.0, 1.0, -181.0, "hue = -181 is outside -180…180"),
            (f64::NAN, 1.0, 1.0, 0.0, "brightness = NaN is outside -100…100"),
            (0.0, f64::INFINITY, 1.0, 0.0, "contrast = inf is outside 0…10"),
        ] {
            let mut color = usual();
            let error = color.set_procamp(&ProcAmp { brightness, contrast, saturation, hue, ..ProcAmp::default() }).unwrap_err();
            assert_eq!((error.to_string().as_str(), color), (message, usual()));
        }
    }

    #[test]
    fn the_pivot_of_contrast_is_black() {
        let black = |range: ColorRange, contrast, brightness| {
            let mut color = usual();
            color.set_procamp(&ProcAmp { brightness, contrast, range, ..ProcAmp::default() }).unwrap();
            assert_eq!(color.check_ranges(), Ok(()));
            let y12 = if range == ColorRange::Full { 0 } else { 256 };
            (((y12 - 256) * i32::from(color.contrast)) >> 7) + i32::from(color.brightness) + 256
        };
        for contrast in [0.0, 0.5, 1.0, 2.0, 8.5] {
            assert_eq!(
                [black(ColorRange::Limited, contrast, 0.0), black(ColorRange::Full, contrast, 0.0)],
                [256, 0],
                "{contrast}"
            );
        }
        assert_eq!(black(ColorRange::Full, 0.5, 10.0), 160);
        assert_eq!(black(ColorRange::Full, 10.0, 0.0), -257);
    }

    /// The angle of each colour of BT.601 bars, in 1/1024 of a turn, is that of the base colour of
    /// its factor.
    #[test]
    fn colours_are_those_of_test_bars() {
        let colors = [
            ("red", [1.0, 0.0, 0.0]),
            ("yellow", [1.0, 1.0, 0.0]),
            ("green", [0.0, 1.0, 0.0]),
            ("cyan", [0.0, 1.0, 1.0]),
            ("blue", [0.0, 0.0, 1.0]),
            ("magenta", [1.0, 0.0, 1.0]),
        ];
        for (name, [r, g, b]) in colors {
            let luma = 0.299 * r + 0.587 * g + 0.114 * b;
            let (u, v): (f64, f64) = ((b - luma) / 1.772, (r - luma) / 1.402);
            let theta = (v.atan2(u).to_degrees() * 1024.0 / 360.0).rem_euclid(1024.0);
            let mut controls = ColorSaturation::default();
            let control = match name {
                "red" => &mut controls.red,
                "yellow" => &mut controls.yellow,
                "green" => &mut controls.green,
                "cyan" => &mut controls.cyan,
                "blue" => &mut controls.blue,
                _ => &mut controls.magenta,
            };
            *control = 0.5;
            let mut color = usual();
            color.set_color_saturation(&controls).unwrap();
            let c = &color;
            let factors = [c.sat_factor_1, c.sat_factor_2, c.sat_factor_3, c.sat_factor_4, c.sat_factor_5, c.sat_factor_6];
            let bases = [c.base_color_1, c.base_color_2, c.base_color_3, c.base_color_4, c.base_color_5, c.base_color_6];
            let changed: Vec<_> = (0..6).filter(|&i| factors[i] != 128).collect();
            let [index] = changed[..] else { panic!("{name}: {factors:?}") };
            assert_eq!(factors[index], 64);
            assert!((f64::from(bases[index]) - theta).abs() < 5.0, "{name}: {} {theta}", bases[index]);
            assert!(c.tcc_enable);
        }
    }

    #[test]
    fn saturation_fields_and_ranges() {
        let with = |red| {
            let mut color = usual();
            color.set_color_saturation(&ColorSaturation { red, ..Default::default() }).map(|()| {
                assert_eq!(color.check_ranges(), Ok(()));
                color.sat_factor_2
            })
        };
        assert_eq!([0.0, 1.0, 1.2, 1.99, 255.0 / 128.0].map(with), [0, 128, 154, 255, 255].map(Ok));
        assert_eq!(with(2.0).unwrap_err().to_string(), "red = 2 is outside 0…1.99");
        assert!(with(-0.1).is_err() && with(f64::NAN).is_err());
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
        /// §6.2
        fn value(&self, max: i32, x: i32) -> i32 {
            let points = self.points.map(i32::from);
            let points = [-max, points[0], points[1], points[2]].map(|point| 4 * point);
            let values = self.values.map(i32::from);
            let values = [-4 * max, values[0], values[1], values[2]];
            let i = (0..4).rfind(|&i| points[i] <= x).unwrap();
            (values[i] + (((x - points[i]) * i32::from(self.slopes[i])) >> 8)).clamp(-4 * max, 4 * max)
        }
    }

    #[test]
    fn skin_tone_ends_are_the_identity_and_the_defaults() {
        let mut color = usual();
        color.set_skin_tone(1.0).unwrap();
        assert_eq!(color, ColorParameters { std_enable: true, ste_enable: true, ..usual() });
        color.set_skin_tone(0.0).unwrap();
        assert_eq!((color.std_enable, color.ste_enable), (true, false));
        for (curve, max) in curves(&color).iter().zip([31, 14, 31, 14]) {
            assert!((-4 * max..=4 * max).all(|x| curve.value(max, x) == x));
        }
        let before = color.clone();
        for wrong in [-0.01, 1.01, f64::NAN] {
            assert!(color.set_skin_tone(wrong).unwrap_err().to_string().contains("is outside 0…1"));
        }
        assert_eq!(color, before);
    }

    #[test]
    fn skin_curves_are_continuous_and_monotonic() {
        for step in 0..=50 {
            for (sat_max, hue_max) in [(31, 14), (63, 63), (12, 3), (11, 2), (5, 1), (0, 0)] {
                let mut color = ColorParameters { sat_max, hue_max, ..usual() };
                color.set_skin_tone(f64::from(step) / 50.0).unwrap();
                assert_eq!(color.check_ranges(), Ok(()));
                for (curve, max) in curves(&color).iter().zip([sat_max, hue_max, sat_max, hue_max].map(i32::from)) {
                    let steepest = i32::from(*curve.slopes.iter().max().unwrap()) / 256 + 2;
                    for x in -4 * max..4 * max {
                        let rise = curve.value(max, x + 1) - curve.value(max, x);
                        assert!((0..=steepest).contains(&rise), "{step} {max} {x}: {rise}");
                    }
                }
            }
        }
    }
}
