//! A field of a structure: its bits, its type, and the values that have a name.
use super::error::ReferenceError;
use super::kind::{Kind, bits, number, set_bits};
use super::tables::{self, Row, field, value};
use super::value::ReferenceValue;

/// A named value or a range of values of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedValue {
    /// The bits of the first and of the last value; none if the document gives no number.
    pub range: Option<(u128, u128)>,
    /// The name; may be empty.
    pub name: &'static str,
    /// The description.
    pub about: &'static str,
}

/// A field of a structure. Fields of structures within the structure and repeated fields are fields
/// of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReferenceField {
    /// The name in the structure, such as `filter_coefficient[3].value`. Reserved fields have no
    /// name of their own.
    pub id: String,
    /// The lowest bit: bit b of the structure is bit b mod 32 of DWord b / 32.
    pub bit: usize,
    /// The number of bits.
    pub width: u32,
    /// The type, as in the tables: `u8`, `s2.10`, `enable`.
    pub type_name: &'static str,
    /// The bits of the default, as an unsigned number; none if the document has none.
    pub default: Option<u128>,
    /// The condition of the document under which the field exists; empty for none.
    pub when: String,
    /// The name in the document.
    pub name: &'static str,
    /// The description.
    pub about: &'static str,
    pub(super) kind: Kind,
    /// The structure that declares the field.
    owner: &'static str,
    row: Row<{ field::COUNT }>,
}

impl ReferenceField {
    /// A field of one number, or an element of one: `width` bits from `bit` on.
    pub(super) fn new(
        owner: &'static str,
        row: Row<{ field::COUNT }>,
        id: String,
        when: String,
        bit: usize,
        width: u32,
        type_name: &'static str,
    ) -> ReferenceField {
        let kind = Kind::of(type_name).unwrap_or(Kind::Unsigned);
        // Elements of an array have no default.
        let default = if type_name == row[field::TYPE] { row[field::DEFAULT].parse().ok() } else { None };
        let (name, about) = (row[field::NAME], row[field::ABOUT]);
        ReferenceField { id, bit, width, type_name, default, when, name, about, kind, owner, row }
    }

    /// Whether the bits must be zero.
    pub fn is_reserved(&self) -> bool {
        self.kind == Kind::Reserved
    }

    /// The bits in `dwords`, moved down to bit 0, 32 of them an element. The bits of a DWord that
    /// is missing are 0.
    pub fn bits(&self, dwords: &[u32]) -> Vec<u32> {
        bits(dwords, self.bit, self.width)
    }

    /// The value in `dwords`: signed where the type is, plus 1 for types that are stored less one,
    /// with the lower bits of addresses, otherwise the bits.
    pub fn value(&self, dwords: &[u32]) -> ReferenceValue {
        self.kind.value(&self.bits(dwords), self.width)
    }

    /// Writes `value` into `dwords`. The other bits stay as they are; bits of a DWord that is
    /// missing are dropped.
    ///
    /// # Errors
    /// [`ReferenceError::Range`] if the bits do not hold the value.
    pub fn set(&self, dwords: &mut [u32], value: &ReferenceValue) -> Result<(), ReferenceError> {
        let Some(bits) = self.kind.bits(value, self.width) else {
            let (field, value, kind) = (self.id.clone(), value.to_string(), self.type_name.to_owned());
            return Err(ReferenceError::Range { field, value, kind, width: self.width });
        };
        set_bits(dwords, self.bit, self.width, &bits);
        Ok(())
    }

    /// The values that the document names.
    pub fn named_values(&self) -> impl Iterator<Item = NamedValue> {
        let (id, dword) = (self.row[field::ID], self.row[field::DWORD]);
        let own = tables::values(self.owner).filter(move |row| row[value::ID] == id && row[value::DWORD] == dword);
        own.map(|row| {
            let range = row[value::FROM].parse().ok().zip(row[value::TO].parse().ok());
            NamedValue { range, name: row[value::NAME], about: row[value::ABOUT] }
        })
    }

    /// The named value or the range that the bits in `dwords` belong to, single values first.
    pub fn named_value(&self, dwords: &[u32]) -> Option<NamedValue> {
        if self.width > 128 {
            return None;
        }
        let bits = number(&self.bits(dwords));
        let known = self.named_values().filter(|known| known.range.is_some_and(|(from, to)| (from..=to).contains(&bits)));
        known.min_by_key(|known| known.range.map(|(from, to)| to - from))
    }

    /// Checks that the value in `dwords` has a name, if the document names single values only.
    ///
    /// # Errors
    /// [`ReferenceError::Unnamed`]
    pub(super) fn check(&self, dwords: &[u32]) -> Result<(), ReferenceError> {
        let is_single = |known: &NamedValue| known.range.is_some_and(|(from, to)| from == to);
        let mut known = self.named_values().peekable();
        let is_closed = known.peek().is_some() && known.all(|known| is_single(&known));
        match self.named_value(dwords) {
            None if is_closed => Err(ReferenceError::Unnamed { field: self.id.clone(), bits: number(&self.bits(dwords)) }),
            _ => Ok(()),
        }
    }
}
