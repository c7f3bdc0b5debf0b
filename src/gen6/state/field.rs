//! A field of a structure: its bits, their number format, and the values that it may hold.
use super::error::StateError;
use crate::parameters::Parameters;
use crate::parameters::field::ParameterField;
use std::fmt;

/// The number format of the bits of a field, in the notation of the hardware documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Must be zero.
    Reserved,
    /// An unsigned number with this many whole and fractional bits: U3.8.
    Unsigned(u32, u32),
    /// Two's complement: a sign, and this many whole and fractional bits: S2.8.
    Signed(u32, u32),
    /// The upper bits of an offset or address. This many lower bits are 0 and not stored.
    Aligned(u32),
}

/// A field of a hardware structure. Its value is a whole number: the bits read by
/// [`format`](Field::format) without regard to the binary point, plus [`bias`](Field::bias). The
/// value of an aligned offset includes its lower bits, which are 0. The bits of a DWord that is
/// missing are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// The name: that of the [parameter](Parameters::fields) that the field holds, with the group,
    /// if it holds one.
    pub name: &'static str,
    /// The DWord, from 0.
    pub dword: usize,
    /// The highest bit, 0 to 31.
    pub high: u32,
    /// The lowest bit, 0 to 31.
    pub low: u32,
    /// The number format of the bits.
    pub format: Format,
    /// The value minus the stored number: 1 for a width that is stored minus one.
    pub bias: i64,
    /// Fractional bits that the field has and its parameter lacks: with 4 of them the value 40 is
    /// 2.5 in units of the parameter, which is then 2.
    pub extra_fraction_bits: u32,
    /// Smallest value.
    pub min: i64,
    /// Largest value.
    pub max: i64,
    /// The default value.
    pub default: i64,
    /// The names of single values, in ascending order.
    pub values: &'static [(i64, &'static str)],
    /// Whether only the values with a name are allowed.
    pub closed: bool,
    /// A description of one line.
    pub about: &'static str,
    /// The index of the parameter in [`Parameters::fields`].
    pub(super) parameter: Option<usize>,
}

/// The field of the parameter called `name`, with its range (as far as the bits hold it), default
/// and description.
pub(super) fn parameter(name: &'static str, dword: usize, high: u32, low: u32, format: Format) -> Field {
    biased_parameter(0, name, dword, high, low, format)
}

/// The field of a parameter that is stored minus `bias`.
pub(super) fn biased_parameter(bias: i64, name: &'static str, dword: usize, high: u32, low: u32, format: Format) -> Field {
    let (index, known) = Parameters::fields().enumerate().find(|(_, known)| known.name == name).expect("a parameter");
    let field = field(name, dword, high, low, format).with_bias(bias);
    let (min, max) = (field.min.max(known.min.into()), field.max.min(known.max.into()));
    Field { min, max, default: known.default.into(), about: known.about, parameter: Some(index), ..field }
}

/// The field of a parameter that lacks the lowest `bits` fractional bits of the field.
pub(super) fn fine_parameter(bits: u32, name: &'static str, dword: usize, high: u32, low: u32, format: Format) -> Field {
    let field = parameter(name, dword, high, low, format);
    let known = field.parameter().expect("a parameter");
    let (min, max) = (i64::from(known.min) << bits, ((i64::from(known.max) + 1) << bits) - 1);
    let (least, most) = field.capacity();
    Field {
        extra_fraction_bits: bits,
        min: min.max(least),
        max: max.min(most),
        default: i64::from(known.default) << bits,
        ..field
    }
}

/// A field that holds no parameter. It may have any value that fits its bits; the default is 0, or
/// the smallest value if that is above 0.
pub(super) const fn field(name: &'static str, dword: usize, high: u32, low: u32, format: Format) -> Field {
    let field = Field {
        name,
        dword,
        high,
        low,
        format,
        bias: 0,
        extra_fraction_bits: 0,
        min: 0,
        max: 0,
        default: 0,
        values: &[],
        closed: false,
        about: "",
        parameter: None,
    };
    field.with_bias(0)
}

/// Bits that must be zero.
pub(super) const fn reserved(dword: usize, high: u32, low: u32) -> Field {
    Field { max: 0, ..field("reserved", dword, high, low, Format::Reserved) }
}

impl Field {
    /// The same field, stored minus `bias`.
    pub(super) const fn with_bias(self, bias: i64) -> Field {
        let field = Field { bias, ..self };
        let (min, max) = field.capacity();
        Field { min, max, default: if min > 0 { min } else { 0 }, ..field }
    }

    /// The same field with a description of one line.
    pub(super) const fn about(self, about: &'static str) -> Field {
        Field { about, ..self }
    }

    /// The same field with only these values, in ascending order, and their names.
    pub(super) const fn only_values(self, values: &'static [(i64, &'static str)]) -> Field {
        Field { values, closed: true, max: values[values.len() - 1].0, ..self }
    }

    /// The same field with names for some of its values.
    pub(super) const fn named_values(self, values: &'static [(i64, &'static str)]) -> Field {
        Field { values, ..self }
    }

    /// The same field with values up to `max` only.
    pub(super) const fn up_to(self, max: i64) -> Field {
        Field { max, ..self }
    }

    /// The same field with another default.
    pub(super) const fn with_default(self, default: i64) -> Field {
        Field { default, ..self }
    }

    /// Number of bits, 1 to 32.
    pub const fn width(&self) -> u32 {
        let above_lowest = self.high.saturating_sub(self.low);
        if above_lowest < 32 { above_lowest + 1 } else { 32 }
    }

    /// The bits of the DWord that belong to the field.
    pub const fn mask(&self) -> u32 {
        if self.low < 32 { (u32::MAX >> (32 - self.width())) << self.low } else { 0 }
    }

    /// Smallest and largest value that fit the bits.
    pub(super) const fn capacity(&self) -> (i64, i64) {
        let all = (u32::MAX >> (32 - self.width())) as i64;
        let (min, max) = match self.format {
            Format::Reserved | Format::Unsigned(..) => (0, all),
            Format::Signed(..) => (-(all + 1) / 2, all / 2),
            Format::Aligned(bits) => (0, all << bits),
        };
        (min + self.bias, max + self.bias)
    }

    /// The parameter that the field holds, if it holds one.
    pub fn parameter(&self) -> Option<&'static ParameterField> {
        Parameters::fields().nth(self.parameter?)
    }

    /// Whether the bits must be zero.
    pub fn is_reserved(&self) -> bool {
        self.format == Format::Reserved
    }

    /// The bits in `dwords`, moved down to bit 0.
    pub fn bits(&self, dwords: &[u32]) -> u32 {
        dwords.get(self.dword).map_or(0, |dword| (dword & self.mask()).checked_shr(self.low).unwrap_or(0))
    }

    /// The value in `dwords`, whether it is allowed or not.
    pub fn value(&self, dwords: &[u32]) -> i64 {
        let bits = self.bits(dwords);
        let unused = 32 - self.width();
        let value = match self.format {
            Format::Reserved | Format::Unsigned(..) => bits.into(),
            Format::Signed(..) => ((bits << unused) as i32 >> unused).into(),
            Format::Aligned(low) => i64::from(bits).checked_shl(low).unwrap_or(0),
        };
        value.saturating_add(self.bias)
    }

    /// The value in `dwords`.
    ///
    /// # Errors
    /// [`StateError::Range`] if the value is not allowed.
    pub fn get(&self, dwords: &[u32]) -> Result<i64, StateError> {
        let value = self.value(dwords);
        self.allows(value).then_some(value).ok_or_else(|| self.range_error(value))
    }

    /// Writes `value` into `dwords`. The other bits stay as they are.
    ///
    /// # Errors
    /// [`StateError::Range`] if the value is not allowed, [`StateError::Count`] if the DWord of the
    /// field is missing; nothing is changed then.
    pub fn set(&self, dwords: &mut [u32], value: i64) -> Result<(), StateError> {
        if !self.allows(value) {
            return Err(self.range_error(value));
        }
        let stored = value.saturating_sub(self.bias);
        let bits = match self.format {
            Format::Aligned(low) => stored.checked_shr(low).unwrap_or(0),
            _ => stored,
        };
        let count = dwords.len();
        let Some(dword) = dwords.get_mut(self.dword) else {
            let needed = self.dword.saturating_add(1);
            return Err(StateError::Count { structure: self.name, count, needed });
        };
        *dword = *dword & !self.mask() | (bits as u32).checked_shl(self.low).unwrap_or(0) & self.mask();
        Ok(())
    }

    /// All names, those of the parameter included.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        let aliases = self.parameter().map_or(&[][..], |known| known.aliases);
        std::iter::once(self.name).chain(aliases.iter().copied())
    }

    /// The number that all values are multiples of.
    pub fn step(&self) -> i64 {
        let step = if let Format::Aligned(low) = self.format { 1i64.checked_shl(low) } else { None };
        step.filter(|&step| step > 0).unwrap_or(1)
    }

    /// Whether the field may have this value.
    pub fn allows(&self, value: i64) -> bool {
        let named = || !self.closed || self.values.iter().any(|(known, _)| *known == value);
        (self.min..=self.max).contains(&value) && value % self.step() == 0 && named()
    }

    /// The error for a value that is not allowed.
    pub(super) fn range_error(&self, value: i64) -> StateError {
        let &Field { name, min, max, extra_fraction_bits, .. } = self;
        StateError::Range { name, value, min, max, step: self.step(), extra_fraction_bits }
    }
}

/// The notation of the hardware documents.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Format::Reserved => f.write_str("MBZ"),
            Format::Unsigned(whole, 0) => write!(f, "U{whole}"),
            Format::Unsigned(whole, fraction) => write!(f, "U{whole}.{fraction}"),
            Format::Signed(whole, 0) => write!(f, "S{whole}"),
            Format::Signed(whole, fraction) => write!(f, "S{whole}.{fraction}"),
            Format::Aligned(low) => write!(f, "[:{low}]"),
        }
    }
}
