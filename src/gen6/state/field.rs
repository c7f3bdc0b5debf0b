//! A field of a structure: where its bits stand, how they are read, and what it may hold.
use super::StateError;
use crate::parameters::Parameters;
use crate::parameters::field::ParameterField;
use std::fmt;

/// How the bits of a field are read, in the notation of the hardware documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Must be zero, and means nothing.
    Reserved,
    /// An unsigned number of so many whole and fractional bits, U3.8.
    Unsigned(u32, u32),
    /// Two's complement: a sign, and so many whole and fractional bits, S2.8.
    Signed(u32, u32),
    /// The upper bits of an offset or address whose lower bits are 0; how many these are.
    Aligned(u32),
}

/// A field of a hardware structure. Its value is a whole number: the bits as [`format`](Field::format) says, without regard to the
/// binary point, plus [`bias`](Field::bias). An offset counts with its lower bits.
///
/// Methods that take DWords expect as many as the structure has, and panic if they end before the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// Its name: that of the [parameter](Parameters::fields) that it holds, with the group, if there is one.
    pub name: &'static str,
    /// The DWord, from 0.
    pub dword: usize,
    /// The highest bit.
    pub high: u32,
    /// The lowest bit.
    pub low: u32,
    /// How the bits are read.
    pub format: Format,
    /// What is stored less by it: 1 of a width that is stored minus one.
    pub bias: i64,
    /// Fractional bits that its parameter lacks: with 4 of them a value of 40 is the parameter's 2, and a half.
    pub finer: u32,
    /// Smallest value.
    pub min: i64,
    /// Largest value.
    pub max: i64,
    /// The usual value.
    pub default: i64,
    /// What single values are called.
    pub values: &'static [(i64, &'static str)],
    /// Whether only those values are allowed.
    pub closed: bool,
    /// What it means, in a line.
    pub about: &'static str,
    /// The parameter's index in [`Parameters::fields`].
    pub(super) parameter: Option<usize>,
}

/// The field of the parameter called `name`, with its range (as far as the bits hold it), default and description.
pub(super) fn parameter(name: &'static str, dword: usize, high: u32, low: u32, format: Format) -> Field {
    stored_less(0, name, dword, high, low, format)
}

/// The same, stored less by `bias`.
pub(super) fn stored_less(bias: i64, name: &'static str, dword: usize, high: u32, low: u32, format: Format) -> Field {
    let (index, known) = Parameters::fields().enumerate().find(|(_, known)| known.name == name).expect("a parameter");
    let field = field(name, dword, high, low, format).biased(bias);
    let (min, max) = (field.min.max(known.min.into()), field.max.min(known.max.into()));
    Field { min, max, default: known.default.into(), about: known.about, parameter: Some(index), ..field }
}

/// The same with `bits` fractional bits more than the parameter has.
pub(super) fn finer(bits: u32, name: &'static str, dword: usize, high: u32, low: u32, format: Format) -> Field {
    let field = parameter(name, dword, high, low, format);
    let known = field.parameter().expect("a parameter");
    let (min, max) = (i64::from(known.min) << bits, ((i64::from(known.max) + 1) << bits) - 1);
    let (least, most) = field.capacity();
    Field { finer: bits, min: min.max(least), max: max.min(most), default: i64::from(known.default) << bits, ..field }
}

/// A field that may hold all its bits allow, by default the least that is not negative.
pub(super) const fn field(name: &'static str, dword: usize, high: u32, low: u32, format: Format) -> Field {
    let field = Field {
        name,
        dword,
        high,
        low,
        format,
        bias: 0,
        finer: 0,
        min: 0,
        max: 0,
        default: 0,
        values: &[],
        closed: false,
        about: "",
        parameter: None,
    };
    field.biased(0)
}

/// Bits that must be zero.
pub(super) const fn reserved(dword: usize, high: u32, low: u32) -> Field {
    Field { max: 0, ..field("reserved", dword, high, low, Format::Reserved) }
}

impl Field {
    /// Stored less by `bias`.
    pub(super) const fn biased(self, bias: i64) -> Field {
        let field = Field { bias, ..self };
        let (min, max) = field.capacity();
        Field { min, max, default: if min > 0 { min } else { 0 }, ..field }
    }

    /// What it means, in a line.
    pub(super) const fn about(self, about: &'static str) -> Field {
        Field { about, ..self }
    }

    /// What its values, which ascend, are called; there are no others.
    pub(super) const fn values(self, values: &'static [(i64, &'static str)]) -> Field {
        Field { values, closed: true, max: values[values.len() - 1].0, ..self }
    }

    /// What some of its values are called.
    pub(super) const fn some_values(self, values: &'static [(i64, &'static str)]) -> Field {
        Field { values, ..self }
    }

    /// Values up to `max` only.
    pub(super) const fn up_to(self, max: i64) -> Field {
        Field { max, ..self }
    }

    /// The usual value.
    pub(super) const fn usually(self, default: i64) -> Field {
        Field { default, ..self }
    }

    /// How many bits it has.
    pub const fn width(&self) -> u32 {
        self.high - self.low + 1
    }

    /// The bits, in their place in the DWord.
    pub const fn mask(&self) -> u32 {
        (u32::MAX >> (32 - self.width())) << self.low
    }

    /// Smallest and largest value that the bits can hold.
    pub(super) const fn capacity(&self) -> (i64, i64) {
        let all = (u32::MAX >> (32 - self.width())) as i64;
        let (min, max) = match self.format {
            Format::Reserved | Format::Unsigned(..) => (0, all),
            Format::Signed(..) => (-(all + 1) / 2, all / 2),
            Format::Aligned(bits) => (0, all << bits),
        };
        (min + self.bias, max + self.bias)
    }

    /// The parameter that it holds.
    pub fn parameter(&self) -> Option<&'static ParameterField> {
        Parameters::fields().nth(self.parameter?)
    }

    /// Whether its bits must be zero.
    pub fn is_reserved(&self) -> bool {
        self.format == Format::Reserved
    }

    /// The bits in `dwords`, moved down to bit 0.
    pub fn bits(&self, dwords: &[u32]) -> u32 {
        (dwords[self.dword] & self.mask()) >> self.low
    }

    /// The value in `dwords`, whether allowed or not.
    pub fn value(&self, dwords: &[u32]) -> i64 {
        let bits = self.bits(dwords);
        let unused = 32 - self.width();
        let value = match self.format {
            Format::Reserved | Format::Unsigned(..) => bits.into(),
            Format::Signed(..) => ((bits << unused) as i32 >> unused).into(),
            Format::Aligned(low) => i64::from(bits) << low,
        };
        value + self.bias
    }

    /// The value in `dwords`.
    ///
    /// # Errors
    /// [`StateError::Range`] of a value that is not allowed.
    pub fn get(&self, dwords: &[u32]) -> Result<i64, StateError> {
        let value = self.value(dwords);
        self.allows(value).then_some(value).ok_or_else(|| self.range(value))
    }

    /// Puts `value` into `dwords`, whose other bits stay.
    ///
    /// # Errors
    /// [`StateError::Range`]; nothing is changed then.
    pub fn set(&self, dwords: &mut [u32], value: i64) -> Result<(), StateError> {
        if !self.allows(value) {
            return Err(self.range(value));
        }
        let bits = match self.format {
            Format::Aligned(low) => (value - self.bias) >> low,
            _ => value - self.bias,
        };
        let dword = &mut dwords[self.dword];
        *dword = *dword & !self.mask() | (bits as u32) << self.low & self.mask();
        Ok(())
    }

    /// All names: those of its parameter too.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        let aliases = self.parameter().map_or(&[][..], |known| known.aliases);
        std::iter::once(self.name).chain(aliases.iter().copied())
    }

    /// What a multiple of which its values are.
    pub fn step(&self) -> i64 {
        if let Format::Aligned(low) = self.format { 1 << low } else { 1 }
    }

    /// Whether it may hold `value`.
    pub fn allows(&self, value: i64) -> bool {
        let named = || !self.closed || self.values.iter().any(|(known, _)| *known == value);
        (self.min..=self.max).contains(&value) && value % self.step() == 0 && named()
    }

    fn range(&self, value: i64) -> StateError {
        StateError::Range { name: self.name, value, min: self.min, max: self.max, step: self.step(), finer: self.finer }
    }
}

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
