//! Parameters of the stages by name, with ranges and defaults (§8.1). The structs stand with their stages.
use crate::{
    ChromaDenoiseParameters, CompensationParameters, DeinterlaceParameters, DenoiseParameters, FilmParameters, NoiseParameters,
};
use crate::{Coefficients, ColorParameters, EnhanceParameters, ScalerParameters};
use std::fmt;

/// What is known of one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParameterField {
    /// The canonical name.
    pub name: &'static str,
    /// Other names it is found by.
    pub aliases: &'static [&'static str],
    /// Smallest value allowed.
    pub min: i32,
    /// Largest value allowed.
    pub max: i32,
    /// The value of `Default`.
    pub default: i32,
    /// What it means, in a line.
    pub about: &'static str,
}

/// A parameter that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterError {
    /// No parameter is called so.
    Unknown {
        /// The name that was given.
        name: String,
    },
    /// A value outside its field's range.
    Range {
        /// The field's name.
        name: &'static str,
        /// The value that was given.
        value: i64,
        /// Smallest value allowed.
        min: i32,
        /// Largest value allowed.
        max: i32,
    },
    /// Fields that do not fit each other.
    Conflict(
        /// Which, and what is required of them.
        String,
    ),
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterError::Unknown { name } => {
                let group = |name: &str| name.split_once('.').map(|(group, _)| group.to_ascii_lowercase());
                let known = |name| Parameters::fields().any(|field| group(field.name) == group(name));
                let wanted = if known(name) { group(name) } else { None };
                // The colour pipe has too many for a line.
                if wanted.as_deref() == Some("color") {
                    return write!(f, "no parameter '{name}'; the group's are the fields of ColorParameters");
                }
                write!(f, "no parameter '{name}'; there are")?;
                let mut names = Parameters::fields().filter(|field| group(field.name) == wanted);
                names.try_for_each(|field| write!(f, " {}={}…{}", field.name, field.min, field.max))
            }
            ParameterError::Range { name, value, min, max } => write!(f, "{name} = {value} is outside {min}…{max}"),
            ParameterError::Conflict(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for ParameterError {}

/// A stage's parameters as data: the table beside the struct.
pub(crate) trait Stage {
    const FIELDS: &'static [ParameterField];
    /// The values, in the order of the table.
    fn values(&self) -> impl Iterator<Item = i32>;
    /// The field at `index` of the table.
    fn field_mut(&mut self, index: usize) -> &mut i32;

    fn check_ranges(&self) -> Result<(), ParameterError> {
        Self::FIELDS.iter().zip(self.values()).try_for_each(|(field, value)| field.check(value.into()).map(drop))
    }
}

impl ParameterField {
    fn check(&self, value: i64) -> Result<i32, ParameterError> {
        let &ParameterField { name, min, max, .. } = self;
        i32::try_from(value).ok().filter(|v| (min..=max).contains(v)).ok_or(ParameterError::Range { name, value, min, max })
    }

    /// Case and underscores do not matter.
    fn is_called(&self, name: &str) -> bool {
        let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
        std::iter::once(&self.name).chain(self.aliases).any(|known| plain(known) == plain(name))
    }
}

/// Declares a parameter struct of `i32` fields, its `Default`, and the table of names, ranges and descriptions. Names and aliases
/// begin with the group, if there is one.
macro_rules! parameters {
    ($group:literal, $(#[$meta:meta])* $name:ident { $($fields:tt)* }) => {
        $crate::parameters::parameters! { @group $group $(#[$meta])* $name { $($fields)* } }
    };
    ($(#[$meta:meta])* $name:ident { $($fields:tt)* }) => {
        $crate::parameters::parameters! { @group "" $(#[$meta])* $name { $($fields)* } }
    };
    (@group $group:literal $(#[$meta:meta])* $name:ident {
        $(#[doc = $about:literal] $field:ident $([$($alias:literal),+])? = $default:literal in $min:literal..=$max:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name { $(#[doc = concat!($about, " (", $min, "…", $max, ", default ", $default, ")")] pub $field: i32,)* }

        impl Default for $name {
            fn default() -> Self { $name { $($field: $default,)* } }
        }

        impl $crate::parameters::Stage for $name {
            const FIELDS: &'static [$crate::parameters::ParameterField] = &[$($crate::parameters::ParameterField {
                name: concat!($group, stringify!($field)),
                aliases: &[$($(concat!($group, $alias)),+)?],
                min: $min,
                max: $max,
                default: $default,
                about: $about.trim_ascii(),
            }),*];
            fn values(&self) -> impl Iterator<Item = i32> { [$(self.$field),*].into_iter() }
            fn field_mut(&mut self, index: usize) -> &mut i32 {
                let fields = [$(&mut self.$field),*];
                fields.into_iter().nth(index).expect("an index of the table")
            }
        }
    };
}
pub(crate) use parameters;

parameters! {
    /// Fields of the hardware state that the specification only carries: no effect on any sample.
    CarriedParameters {
        /// which of two simultaneous streams the state belongs to
        stream_id = 0 in 0..=1;
        /// width of a column of the hardware's walker, in blocks
        column_width = 1 in 1..=512;
        /// whether the hardware walks the frame by itself
        vdi_walker_enable = 0 in 0..=1;
        /// whether the hardware's deinterlacer leaves its last step to software
        di_partial = 0 in 0..=1;
    }
}

/// The parameters of all stages. `Default` is what the open drivers of this hardware program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameters {
    /// Denoise filter (§2.1 to §2.4).
    pub denoise: DenoiseParameters,
    /// Denoise filter of the chroma.
    pub chroma: ChromaDenoiseParameters,
    /// Noise estimate (§2.5).
    pub noise: NoiseParameters,
    /// Deinterlacer (§3.1 to §3.4, §3.6, §3.7).
    pub deinterlace: DeinterlaceParameters,
    /// Motion compensation (§3.5).
    pub compensation: CompensationParameters,
    /// Film mode variances (§4.1).
    pub film: FilmParameters,
    /// Carried without effect.
    pub carried: CarriedParameters,
    /// Scaler (§5.2).
    pub scaler: ScalerParameters,
    /// Coefficients of the scaler (§5.3).
    pub coefficients: Coefficients,
    /// Enhancement filter (§5.4).
    pub enhance: EnhanceParameters,
    /// Colour pipe (§6).
    pub color: ColorParameters,
}

impl Parameters {
    /// The table of all parameters.
    pub fn fields() -> impl Iterator<Item = &'static ParameterField> {
        let first = DenoiseParameters::FIELDS.iter().chain(NoiseParameters::FIELDS).chain(DeinterlaceParameters::FIELDS);
        let first = first.chain(CompensationParameters::FIELDS).chain(FilmParameters::FIELDS).chain(CarriedParameters::FIELDS);
        let first = first.chain(ChromaDenoiseParameters::FIELDS);
        first.chain(ScalerParameters::FIELDS).chain(EnhanceParameters::FIELDS).chain(ColorParameters::FIELDS)
    }

    /// The values, in the order of [`fields`](Parameters::fields).
    pub fn values(&self) -> impl Iterator<Item = i32> {
        let first = self.denoise.values().chain(self.noise.values()).chain(self.deinterlace.values());
        let first = first.chain(self.compensation.values()).chain(self.film.values()).chain(self.carried.values());
        let first = first.chain(self.chroma.values());
        first.chain(self.scaler.values()).chain(self.enhance.values()).chain(self.color.values())
    }

    /// The value at `index` of the [`fields`](Parameters::fields).
    pub(crate) fn at_mut(&mut self, index: usize) -> &mut i32 {
        fn of<'a, S: Stage>(stage: &'a mut S, index: &mut usize) -> Option<&'a mut i32> {
            let here = *index < S::FIELDS.len();
            if !here {
                *index -= S::FIELDS.len();
            }
            here.then(|| stage.field_mut(*index))
        }
        let index = &mut { index };
        let first = of(&mut self.denoise, index).or_else(|| of(&mut self.noise, index));
        let first = first.or_else(|| of(&mut self.deinterlace, index)).or_else(|| of(&mut self.compensation, index));
        let first = first.or_else(|| of(&mut self.film, index)).or_else(|| of(&mut self.carried, index));
        let first = first.or_else(|| of(&mut self.chroma, index));
        let first = first.or_else(|| of(&mut self.scaler, index)).or_else(|| of(&mut self.enhance, index));
        first.or_else(|| of(&mut self.color, index)).expect("an index of the table")
    }

    /// Sets the parameter called `name` (or one of its aliases; case and underscores do not matter). Beside the
    /// [`fields`](Parameters::fields) there are the scaler's coefficients, `scaler.table_0x.B.K` and so on.
    ///
    /// # Errors
    /// [`ParameterError::Unknown`], [`ParameterError::Range`] or, of a coefficient that does not exist or its value,
    /// [`ParameterError::Conflict`]; nothing is changed then.
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), ParameterError> {
        fn try_set(stage: &mut impl Stage, name: &str, value: i64) -> Result<bool, ParameterError> {
            fn fields<S: Stage>(_: &S) -> &'static [ParameterField] {
                S::FIELDS
            }
            let fields = fields(stage);
            let Some(index) = fields.iter().position(|field| field.is_called(name)) else { return Ok(false) };
            *stage.field_mut(index) = fields[index].check(value)?;
            Ok(true)
        }
        let found = try_set(&mut self.denoise, name, value)?
            || try_set(&mut self.chroma, name, value)?
            || try_set(&mut self.noise, name, value)?
            || try_set(&mut self.deinterlace, name, value)?
            || try_set(&mut self.compensation, name, value)?
            || try_set(&mut self.film, name, value)?
            || try_set(&mut self.carried, name, value)?
            || try_set(&mut self.scaler, name, value)?
            || self.coefficients.try_set(name, value)?
            || try_set(&mut self.enhance, name, value)?
            || try_set(&mut self.color, name, value)?;
        if found { Ok(()) } else { Err(ParameterError::Unknown { name: name.to_owned() }) }
    }

    /// Checks every range and the conditions across fields; those of the deinterlacer only if `deinterlacing`.
    ///
    /// # Errors
    /// [`ParameterError::Range`] or [`ParameterError::Conflict`], the first that applies.
    pub fn check(&self, deinterlacing: bool) -> Result<(), ParameterError> {
        self.denoise.check()?;
        self.chroma.check()?;
        self.noise.check_ranges()?;
        self.deinterlace.check_ranges()?;
        if deinterlacing {
            self.deinterlace.check_blend()?;
        }
        self.compensation.check_ranges()?;
        self.film.check_ranges()?;
        self.carried.check_ranges()?;
        self.scaler.check_ranges()?;
        self.enhance.check_ranges()?;
        self.color.check_ranges()
    }
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
                assert!(seen.insert(name.replace('_', "")), "{name} stands twice");
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
            assert_eq!(*changed.at_mut(index), value, "{}", field.name);
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
        let blend = with(&[("stmm_max", 151)]);
        assert!(blend.check(true).is_err() && blend.check(false).is_ok());
        assert!(with(&[("stmm_min", 22), ("stmm_max", 150), ("stmm_shift", 7)]).check(true).is_ok());
        assert!(with(&[("stmm_shift", 16)]).check(true).is_err());
    }

    #[test]
    fn an_unknown_name_lists_what_there_is() {
        let message = Parameters::default().set("stadth2", 1).unwrap_err().to_string();
        assert!(
            message.contains("stadth2") && message.contains("stad_th=0…255") && message.contains("di_partial=0…1"),
            "{message}"
        );
    }
}
