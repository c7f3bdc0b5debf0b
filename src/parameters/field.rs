//! Parameter structs as data (§8.1): a table of names, ranges and defaults for each struct, and the
//! errors of values.
use std::fmt;

/// Name, range, default and description of one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParameterField {
    /// The canonical name.
    pub name: &'static str,
    /// Other names that [`Parameters::set`](crate::Parameters::set) accepts.
    pub aliases: &'static [&'static str],
    /// Smallest allowed value. A switch has 0 and 1.
    pub min: i32,
    /// Largest allowed value.
    pub max: i32,
    /// The value of `Default`.
    pub default: i32,
    /// A description in one line.
    pub about: &'static str,
}

impl ParameterField {
    /// The first part of the name, such as `color` of `color.contrast`; none for the parameters of
    /// denoising, deinterlacing and film mode detection.
    pub fn group(&self) -> Option<&'static str> {
        self.name.split_once('.').map(|(group, _)| group)
    }

    /// Checks that `value` is within the range.
    pub(crate) fn check(&self, value: i64) -> Result<i32, ParameterError> {
        let &ParameterField { name, min, max, .. } = self;
        i32::try_from(value).ok().filter(|v| (min..=max).contains(v)).ok_or(ParameterError::Range { name, value, min, max })
    }

    /// Whether `name` is the canonical name or an alias. Case and underscores do not matter.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        std::iter::once(&self.name).chain(self.aliases).any(|known| plain(known).eq(plain(name)))
    }
}

/// A name without the differences that do not matter: case and underscores.
fn plain(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|&byte| byte != b'_').map(|byte| byte.to_ascii_lowercase())
}

/// An unknown parameter, a value outside its range, or values that exclude each other.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ParameterError {
    /// No parameter has this name.
    Unknown {
        /// The unknown name.
        name: String,
        /// The parameters of the group of the name, or the parameters without group.
        known: Vec<&'static ParameterField>,
    },
    /// A value outside the range of its parameter.
    Range {
        /// The name of the parameter.
        name: &'static str,
        /// The rejected value.
        value: i64,
        /// Smallest allowed value.
        min: i32,
        /// Largest allowed value.
        max: i32,
    },
    /// A real number outside its range. NaN is outside every range.
    Real {
        /// The name of the control.
        name: &'static str,
        /// The rejected value.
        value: f64,
        /// Smallest allowed value.
        min: f64,
        /// Largest allowed value.
        max: f64,
    },
    /// A filter table of the scaler has no such coefficient.
    UnknownCoefficient {
        /// The unknown name.
        name: String,
        /// The name of the table.
        table: &'static str,
        /// The first and the last tap of the table. Phases are 0 to 16.
        taps: (usize, usize),
    },
    /// A coefficient of a filter table outside -128…127.
    CoefficientRange {
        /// The name of the table.
        table: &'static str,
        /// The phase.
        beta: usize,
        /// The tap.
        tap: usize,
        /// The rejected value.
        value: i64,
    },
    /// Values that exclude each other.
    Conflict {
        /// The names of the parameters.
        fields: &'static [&'static str],
        /// The values and the condition that they violate.
        message: String,
    },
}

impl ParameterError {
    /// The names of the parameters with wrong values; empty for an unknown name and for
    /// coefficients.
    pub fn names(&self) -> Vec<&'static str> {
        match self {
            ParameterError::Unknown { .. }
            | ParameterError::UnknownCoefficient { .. }
            | ParameterError::CoefficientRange { .. } => vec![],
            ParameterError::Range { name, .. } | ParameterError::Real { name, .. } => vec![name],
            ParameterError::Conflict { fields, .. } => fields.to_vec(),
        }
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // The colour pipe has too many parameters for a line.
            ParameterError::Unknown { name, known } if known.first().is_some_and(|field| field.group() == Some("color")) => {
                write!(f, "no parameter '{name}'; those of this group are the fields of ColorParameters")
            }
            ParameterError::Unknown { name, known } => {
                write!(f, "no parameter '{name}'; there are")?;
                known.iter().try_for_each(|field| write!(f, " {}={}…{}", field.name, field.min, field.max))
            }
            ParameterError::Range { name, value, min, max } => write!(f, "{name} = {value} is outside {min}…{max}"),
            ParameterError::Real { name, value, min, max } => {
                // Bounds are truncated to two digits, so that a printed bound is an allowed value.
                let cut = |bound: f64| (bound * 100.0).trunc() / 100.0;
                write!(f, "{name} = {value} is outside {}…{}", cut(*min), cut(*max))
            }
            ParameterError::UnknownCoefficient { name, table, taps: (first, last) } => {
                write!(f, "no coefficient '{name}'; there is scaler.{table}.B.K with B = 0…16, K = {first}…{last}")
            }
            ParameterError::CoefficientRange { table, beta, tap, .. } => {
                write!(f, "scaler.{table}.{beta}.{tap} takes a whole number of {}…{}", i8::MIN, i8::MAX)
            }
            ParameterError::Conflict { message, .. } => f.write_str(message),
        }
    }
}

impl std::error::Error for ParameterError {}

/// A type of parameter values.
pub(crate) trait Value: Copy {
    /// The value as a number; a switch is 0 or 1.
    fn to_number(self) -> i32;
    /// The value of a number within the range of its field.
    fn from_number(number: i32) -> Self;
}

impl Value for bool {
    fn to_number(self) -> i32 {
        self.into()
    }

    fn from_number(number: i32) -> bool {
        number != 0
    }
}

macro_rules! integer {
    ($($ty:ident),*) => {$(
        impl Value for $ty {
            fn to_number(self) -> i32 {
                self.into()
            }

            fn from_number(number: i32) -> $ty {
                number as $ty
            }
        }
    )*};
}

integer! { u8, i8, u16, i16, i32 }

/// The parameters of a stage as data.
pub(crate) trait Stage: Default {
    /// The table of the parameters.
    const FIELDS: &'static [ParameterField];
    /// The values, in the order of the table.
    fn values(&self) -> impl Iterator<Item = i32>;
    /// Sets the field at `index` of the table to a value within its range. An index beyond the
    /// table has no effect.
    fn put(&mut self, index: usize, value: i32);

    /// Checks the range of every parameter.
    fn check_ranges(&self) -> Result<(), ParameterError> {
        Self::FIELDS.iter().zip(self.values()).try_for_each(|(field, value)| field.check(value.into()).map(drop))
    }
}

/// Declares a parameter struct with typed fields, its `Default`, a setter for each field, and the
/// table of names, ranges and descriptions. Names and aliases start with the group, if there is
/// one.
macro_rules! parameters {
    ($group:literal, $(#[$meta:meta])* $name:ident { $($fields:tt)* }) => {
        $crate::parameters::field::parameters! { @group $group $(#[$meta])* $name { $($fields)* } }
    };
    ($(#[$meta:meta])* $name:ident { $($fields:tt)* }) => {
        $crate::parameters::field::parameters! { @group "" $(#[$meta])* $name { $($fields)* } }
    };
    (@group $group:literal $(#[$meta:meta])* $name:ident {
        $(#[doc = $about:literal]
        $field:ident: $ty:ident $([$($alias:literal),+])? = $default:literal in $min:literal..=$max:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name { $(#[doc = concat!($about, " (", $min, "…", $max, ", default ", $default, ").")] pub $field: $ty,)* }

        impl Default for $name {
            fn default() -> Self { $name { $($field: <$ty as $crate::parameters::field::Value>::from_number($default),)* } }
        }

        impl $name {
            $(
                #[doc = concat!("Sets `", stringify!($field), "`:", $about, " (", $min, "…", $max, ", default ", $default, ").")]
                #[must_use]
                pub fn $field(mut self, value: $ty) -> Self {
                    self.$field = value;
                    self
                }
            )*
        }

        impl $crate::parameters::field::Stage for $name {
            const FIELDS: &'static [$crate::parameters::field::ParameterField] = &[$($crate::parameters::field::ParameterField {
                name: concat!($group, stringify!($field)),
                aliases: &[$($(concat!($group, $alias)),+)?],
                min: $min,
                max: $max,
                default: $default,
                about: $about.trim_ascii(),
            }),*];
            fn values(&self) -> impl Iterator<Item = i32> {
                [$($crate::parameters::field::Value::to_number(self.$field)),*].into_iter()
            }
            fn put(&mut self, index: usize, value: i32) {
                let mut fields = 0..;
                $(
                    if fields.next() == Some(index) {
                        self.$field = $crate::parameters::field::Value::from_number(value);
                    }
                )*
            }
        }
    };
}
pub(crate) use parameters;
