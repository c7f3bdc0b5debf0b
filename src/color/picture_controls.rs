//! Picture controls as parameters of the colour pipe (§6.4, §6.5): real numbers rounded to the
//! nearest value of a field.
use super::ColorParameters;
use crate::format::ColorRange;
use crate::parameters::field::ParameterError;
use std::ops::RangeInclusive;

/// Checks that the control `name` is within its range.
pub(super) fn within(name: &'static str, value: f64, range: RangeInclusive<f64>) -> Result<f64, ParameterError> {
    let (min, max) = range.into_inner();
    if (min..=max).contains(&value) { Ok(value) } else { Err(ParameterError::Real { name, value, min, max }) }
}

/// Brightness, contrast, saturation and hue of the whole picture (§6.5). The default is the
/// identity.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProcAmp {
    /// Offset of the luma in 8-bit code values: -100 to 100, rounded to 1/16.
    pub brightness: f64,
    /// Factor of luma (about black) and chroma (about zero): 0 to 10, rounded to 1/128.
    pub contrast: f64,
    /// Factor of the chroma alone: 0 to 10.
    pub saturation: f64,
    /// Rotation of the colours in degrees, -180 to 180; 60 turns red to magenta and blue to cyan.
    pub hue: f64,
    /// Range of the luma: black is 16 in the limited range, 0 in the full range.
    pub range: ColorRange,
}

impl Default for ProcAmp {
    fn default() -> ProcAmp {
        ProcAmp { brightness: 0.0, contrast: 1.0, saturation: 1.0, hue: 0.0, range: ColorRange::Limited }
    }
}

impl ProcAmp {
    /// Sets the offset of the luma in 8-bit code values.
    #[must_use]
    pub fn brightness(self, brightness: f64) -> ProcAmp {
        ProcAmp { brightness, ..self }
    }

    /// Sets the factor of luma and chroma.
    #[must_use]
    pub fn contrast(self, contrast: f64) -> ProcAmp {
        ProcAmp { contrast, ..self }
    }

    /// Sets the factor of the chroma alone.
    #[must_use]
    pub fn saturation(self, saturation: f64) -> ProcAmp {
        ProcAmp { saturation, ..self }
    }

    /// Sets the rotation of the colours in degrees.
    #[must_use]
    pub fn hue(self, hue: f64) -> ProcAmp {
        ProcAmp { hue, ..self }
    }

    /// Sets the range of the luma.
    #[must_use]
    pub fn range(self, range: ColorRange) -> ProcAmp {
        ProcAmp { range, ..self }
    }
}

/// Saturation of six colours, 0 to 1.99 each, rounded to 1/128 (§6.4). The saturation of a colour
/// between two of them is interpolated. The default, 1 for each, is the identity.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
#[non_exhaustive]
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

impl ColorSaturation {
    /// Sets the saturation of red.
    #[must_use]
    pub fn red(self, red: f64) -> ColorSaturation {
        ColorSaturation { red, ..self }
    }

    /// Sets the saturation of yellow.
    #[must_use]
    pub fn yellow(self, yellow: f64) -> ColorSaturation {
        ColorSaturation { yellow, ..self }
    }

    /// Sets the saturation of green.
    #[must_use]
    pub fn green(self, green: f64) -> ColorSaturation {
        ColorSaturation { green, ..self }
    }

    /// Sets the saturation of cyan.
    #[must_use]
    pub fn cyan(self, cyan: f64) -> ColorSaturation {
        ColorSaturation { cyan, ..self }
    }

    /// Sets the saturation of blue.
    #[must_use]
    pub fn blue(self, blue: f64) -> ColorSaturation {
        ColorSaturation { blue, ..self }
    }

    /// Sets the saturation of magenta.
    #[must_use]
    pub fn magenta(self, magenta: f64) -> ColorSaturation {
        ColorSaturation { magenta, ..self }
    }
}

/// The largest value of a field `sat_factor_i`, in 1/128.
const MAX_SATURATION: f64 = 255.0 / 128.0;

impl ColorParameters {
    /// Sets and enables the picture controls (§6.5): `brightness`, `contrast`, `cos_c_s`,
    /// `sin_c_s`, `procamp_enable`. In the full range black gets darker than requested with a
    /// contrast above 9: the field of the brightness cannot hold the offset.
    ///
    /// # Errors
    /// [`ParameterError::Real`] with the first control that is outside its range; the parameters
    /// are then unchanged.
    pub fn set_procamp(&mut self, controls: &ProcAmp) -> Result<(), ParameterError> {
        let brightness = within("brightness", controls.brightness, -100.0..=100.0)?;
        let contrast = within("contrast", controls.contrast, 0.0..=10.0)?;
        let saturation = within("saturation", controls.saturation, 0.0..=10.0)?;
        let (sin, cos) = within("hue", controls.hue, -180.0..=180.0)?.to_radians().sin_cos();
        // The stage multiplies about 16. An offset moves a black of 0 back, as far as the field
        // can.
        let black = if controls.range == ColorRange::Full { 256.0 * (contrast - 1.0) } else { 0.0 };
        self.brightness = nearest(16.0 * brightness + black).min(2047) as i16;
        self.contrast = nearest(128.0 * contrast) as u16;
        self.cos_c_s = nearest(256.0 * contrast * saturation * cos) as i16;
        self.sin_c_s = nearest(256.0 * contrast * saturation * sin) as i16;
        self.procamp_enable = true;
        Ok(())
    }

    /// Sets and enables the saturation of six colours (§6.4): `sat_factor_1` to `sat_factor_6`,
    /// `tcc_enable`. Their colours are those of the default base colours. The other parameters of
    /// the stage are unchanged.
    ///
    /// # Errors
    /// [`ParameterError::Real`] with the first colour that is outside 0…1.99; the parameters are
    /// then unchanged.
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
}

pub(super) fn nearest(value: f64) -> i32 {
    value.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::field::Stage;

    fn defaults() -> ColorParameters {
        ColorParameters::default()
    }

    #[test]
    fn procamp_fields_and_their_limits() {
        let with = |brightness, contrast, saturation, hue| {
            let mut color = defaults();
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
            let mut color = defaults();
            let error = color.set_procamp(&ProcAmp { brightness, contrast, saturation, hue, ..ProcAmp::default() }).unwrap_err();
            assert_eq!((error.to_string().as_str(), color), (message, defaults()));
        }
    }

    #[test]
    fn contrast_multiplies_about_black() {
        let black = |range: ColorRange, contrast, brightness| {
            let mut color = defaults();
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

    /// The angle of each colour of BT.601 bars, in 1/1024 of a turn, is the base colour of its
    /// factor.
    #[test]
    fn base_colours_are_those_of_colour_bars() {
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
            let mut saturation = ColorSaturation::default();
            let factor = match name {
                "red" => &mut saturation.red,
                "yellow" => &mut saturation.yellow,
                "green" => &mut saturation.green,
                "cyan" => &mut saturation.cyan,
                "blue" => &mut saturation.blue,
                _ => &mut saturation.magenta,
            };
            *factor = 0.5;
            let mut color = defaults();
            color.set_color_saturation(&saturation).unwrap();
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
    fn saturation_factors_and_their_limits() {
        let with = |red| {
            let mut color = defaults();
            color.set_color_saturation(&ColorSaturation { red, ..Default::default() }).map(|()| {
                assert_eq!(color.check_ranges(), Ok(()));
                color.sat_factor_2
            })
        };
        assert_eq!([0.0, 1.0, 1.2, 1.99, 255.0 / 128.0].map(with), [0, 128, 154, 255, 255].map(Ok));
        assert_eq!(with(2.0).unwrap_err().to_string(), "red = 2 is outside 0…1.99");
        assert!(with(-0.1).is_err() && with(f64::NAN).is_err());
    }
}
