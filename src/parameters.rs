//! Parameters of all stages by name, with ranges and defaults (§8.1,
//! docs/specification/parameters.md). Each stage declares its own struct.
pub(crate) mod field;

use crate::capture::CaptureParameters;
use crate::color::{
    ColorCorrectionParameters, ColorParameters, GamutParameters, LocalContrastParameters, WhiteBalanceParameters,
};
use crate::deflicker::DeflickerParameters;
use crate::deinterlace::{CompensationParameters, DeinterlaceParameters};
use crate::denoise::{ChromaDenoiseParameters, Denoise5Parameters, DenoiseParameters};
use crate::enhance::SharpenParameters;
use crate::fmd::FmdParameters;
use crate::hot_pixels::HotPixelParameters;
use crate::noise::NoiseParameters;
use crate::picture_filter::ConvolveParameters;
use crate::scale::{Coefficients, ScalerParameters};
use field::{ParameterError, ParameterField, Stage, parameters};

parameters! {
    /// Fields of the hardware state without effect on any sample. They are read from a state and
    /// written to it (§8.1).
    PassthroughParameters {
        /// index of the stream that the state belongs to, of two simultaneous ones
        stream_id: u8 = 0 in 0..=1;
        /// width of a column of the hardware walker, in blocks
        column_width: u16 = 1 in 1..=512;
        /// whether the hardware walks the frame by itself
        vdi_walker_enable: bool = 0 in 0..=1;
        /// whether the hardware's deinterlacer omits its last step, which software then does
        di_partial: bool = 0 in 0..=1;
    }
}

/// Declares [`Parameters`] from the only list of the stages that have parameter tables.
macro_rules! stages {
    ($($(#[$meta:meta])* $stage:ident: $ty:ident;)*) => {
        /// The parameters of all stages. `Default` has the values that the open drivers of this
        /// hardware program.
        ///
        /// Fields and setters do not check values; [`check`](Parameters::check) does, and so does
        /// every stream that is built with the parameters. [`set`](Parameters::set) checks the
        /// range.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Parameters {
            $($(#[$meta])* pub $stage: $ty,)*
            /// Coefficients of the scaler (§5.3).
            pub coefficients: Coefficients,
        }

        impl Parameters {
            /// All parameters with name, range, default and description, except the coefficients of
            /// the scaler.
            pub fn fields() -> impl Iterator<Item = &'static ParameterField> {
                [$($ty::FIELDS),*].into_iter().flatten()
            }

            /// The values, in the order of [`fields`](Parameters::fields). A switch is 0 or 1.
            pub fn values(&self) -> impl Iterator<Item = i32> {
                let values = std::iter::empty();
                $(let values = values.chain(self.$stage.values());)*
                values
            }

            /// Sets the parameter at `index` of [`fields`](Parameters::fields) to a value within
            /// its range.
            pub(crate) fn put(&mut self, index: usize, value: i32) {
                let mut first = 0;
                $(
                    if let Some(index) = index.checked_sub(first) {
                        self.$stage.put(index, value);
                    }
                    first += $ty::FIELDS.len();
                )*
                debug_assert!(index < first, "an index of the table");
            }

            /// Checks the range of every parameter.
            fn check_ranges(&self) -> Result<(), ParameterError> {
                $(self.$stage.check_ranges()?;)*
                Ok(())
            }
        }
    };
}

stages! {
    /// Denoise filter of the luma (§2.1 to §2.4).
    denoise: DenoiseParameters;
    /// Noise estimate (§2.5).
    noise: NoiseParameters;
    /// Deinterlacer (§3.1 to §3.4, §3.6, §3.7).
    deinterlace: DeinterlaceParameters;
    /// Motion compensation (§3.5).
    compensation: CompensationParameters;
    /// Film mode detection variances (§4.1).
    fmd: FmdParameters;
    /// Fields of the hardware state without effect on any sample.
    passthrough: PassthroughParameters;
    /// Denoise filter of the chroma.
    chroma_denoise: ChromaDenoiseParameters;
    /// Scaler (§5.2).
    scaler: ScalerParameters;
    /// Sharpening filter (§5.4).
    sharpen: SharpenParameters;
    /// Colour pipe (§6).
    color: ColorParameters;
    /// Colour correction matrix and front-end conversion (§13.4).
    color_correction: ColorCorrectionParameters;
    /// Gamut expansion and compression (§13.4, §13.5).
    gamut: GamutParameters;
    /// Local contrast (§13.6).
    local_contrast: LocalContrastParameters;
    /// White balance (§13.7).
    white_balance: WhiteBalanceParameters;
    /// Raw Bayer frames (§13.8).
    capture: CaptureParameters;
    /// Hot pixels (§13.2).
    hot_pixels: HotPixelParameters;
    /// Deflicker of deinterlaced frames (§13.12).
    deflicker: DeflickerParameters;
    /// 5×5 filter of denoising (§13.3).
    denoise5: Denoise5Parameters;
    /// Convolution (§13.9).
    convolve: ConvolveParameters;
}

impl Parameters {
    /// The parameter with this name or alias; case and underscores do not matter. The coefficients
    /// of the scaler are not among them.
    pub fn field(name: &str) -> Option<&'static ParameterField> {
        Parameters::fields().find(|field| field.is_called(name))
    }

    /// The value of the parameter with this name or alias; case and underscores do not matter.
    ///
    /// # Errors
    /// [`ParameterError::Unknown`] if there is no such parameter.
    pub fn get(&self, name: &str) -> Result<i32, ParameterError> {
        let mut named = Parameters::fields().zip(self.values()).filter(|(field, _)| field.is_called(name));
        named.next().map(|(_, value)| value).ok_or_else(|| unknown(name))
    }

    /// Sets the parameter with this name or alias; case and underscores do not matter. Besides the
    /// [`fields`](Parameters::fields) there are the coefficients of the scaler, such as
    /// `scaler.table_0x.B.K` for tap K of row B (§5.3).
    ///
    /// # Errors
    /// [`ParameterError::Unknown`] if there is no such parameter, [`ParameterError::Range`] if the
    /// value is outside its range, [`ParameterError::Conflict`] if a coefficient does not exist or
    /// its value does not fit. The parameters are then unchanged.
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), ParameterError> {
        match Parameters::fields().position(|field| field.is_called(name)) {
            Some(index) => {
                let field = Parameters::fields().nth(index).ok_or_else(|| unknown(name))?;
                self.put(index, field.check(value)?);
                Ok(())
            }
            None if self.coefficients.try_set(name, value)? => Ok(()),
            None => Err(unknown(name)),
        }
    }

    /// Checks the range of every parameter and the conditions across parameters; those of the
    /// deinterlacer only if `deinterlacing`.
    ///
    /// # Errors
    /// [`ParameterError::Range`] or [`ParameterError::Conflict`], the first that applies.
    pub fn check(&self, deinterlacing: bool) -> Result<(), ParameterError> {
        self.check_ranges()?;
        self.denoise.check_blend()?;
        self.chroma_denoise.check_blend()?;
        if deinterlacing { self.deinterlace.check_blend() } else { Ok(()) }
    }
}

/// The error for an unknown name. It lists the parameters of the group of the name, or the
/// parameters without group if there is no such group.
fn unknown(name: &str) -> ParameterError {
    let group = name.split_once('.').map(|(group, _)| group.to_ascii_lowercase());
    let of = |group: Option<&str>| Parameters::fields().filter(|field| field.group() == group).collect::<Vec<_>>();
    let known = Some(of(group.as_deref())).filter(|known| !known.is_empty()).unwrap_or_else(|| of(None));
    ParameterError::Unknown { name: name.to_owned(), known }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_defaults_in_range() {
        let mut seen = std::collections::HashSet::new();
        for (field, value) in Parameters::fields().zip(Parameters::default().values()) {
            assert_eq!(field.default, value, "{}", field.name);
            assert!((field.min..=field.max).contains(&value), "{}", field.name);
            for name in field.aliases.iter().chain([&field.name]) {
                assert!(seen.insert(name.replace('_', "")), "{name} occurs twice");
            }
        }
        assert_eq!(Parameters::fields().filter(|field| !field.name.contains('.')).count(), 44);
        assert_eq!(Parameters::default().check(true), Ok(()));
    }

    #[test]
    fn every_field_is_set_by_its_name_alone() {
        for (index, field) in Parameters::fields().enumerate() {
            let mut changed = Parameters::default();
            let value = if field.default == field.max { field.min } else { field.max };
            changed.set(&field.name.to_uppercase().replace('_', ""), value.into()).unwrap();
            assert_eq!(changed.values().nth(index), Some(value), "{}", field.name);
            assert_eq!(changed.get(field.name), Ok(value));
            assert_eq!(Parameters::field(&field.name.to_uppercase()), Some(field));
            let differing: Vec<_> = changed.values().zip(Parameters::default().values()).map(|(a, b)| a != b).collect();
            assert!(differing.iter().enumerate().all(|(i, &differs)| differs == (i == index)), "{}", field.name);
            for outside in [field.min as i64 - 1, field.max as i64 + 1, i64::MAX] {
                assert!(
                    matches!(changed.set(field.name, outside), Err(ParameterError::Range { name, .. }) if name == field.name)
                );
            }
        }
    }

    #[test]
    fn conditions_across_fields() {
        let with = |changes: &[(&str, i64)]| {
            let mut parameters = Parameters::default();
            changes.iter().for_each(|(name, value)| parameters.set(name, *value).unwrap());
            parameters
        };
        assert!(with(&[("temporal_diff_th", 5)]).check(false).is_err());
        assert!(with(&[("temporal_diff_th", 23)]).check(false).is_err());
        assert!(with(&[("temporal_diff_th", 22)]).check(false).is_ok());
        let chroma = with(&[("chroma.temporal_diff_th", 5)]).check(false).unwrap_err();
        assert_eq!(chroma.names(), ["chroma.temporal_diff_th", "chroma.temporal_diff_low"]);
        assert_eq!(chroma.to_string(), "chroma.temporal_diff_th - chroma.temporal_diff_low = 5 - 6 is outside 0…16");
        let blend = with(&[("stmm_max", 151)]);
        assert!(blend.check(true).is_err() && blend.check(false).is_ok());
        assert!(with(&[("stmm_min", 22), ("stmm_max", 150), ("stmm_shift", 7)]).check(true).is_ok());
        assert!(with(&[("stmm_shift", 16)]).check(true).is_err());
    }

    #[test]
    fn setters_and_fields_are_typed() {
        let parameters = CompensationParameters::default().mcdi_enable(false).cat_slope(16);
        assert!(!parameters.mcdi_enable && parameters.cat_slope == 16u8);
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let message = Parameters::default().set("stadth2", 1).unwrap_err().to_string();
        assert!(
            message.contains("stadth2") && message.contains("stad_th=0…255") && message.contains("di_partial=0…1"),
            "{message}"
        );
        let scaler = Parameters::default().get("scaler.sharp").unwrap_err().to_string();
        assert!(scaler.contains("scaler.max_deriv_4=0…255") && !scaler.contains("stad_th"), "{scaler}");
    }
}
