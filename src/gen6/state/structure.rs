//! A hardware structure: its name, its size, and the table of its fields.
use super::error::StateError;
use super::field::Field;

/// A hardware structure as a table of fields.
#[derive(Debug)]
#[non_exhaustive]
pub struct Structure {
    /// The name in the hardware documents. If one name has several layouts, the message follows it.
    pub name: &'static str,
    /// Number of DWords.
    pub dwords: usize,
    /// The section of the hardware documents that describes the structure.
    pub section: &'static str,
    /// The fields, reserved ones included, from the first DWord on and from bit 31 down. Each bit
    /// belongs to one of them.
    pub fields: Vec<Field>,
    /// Checks conditions across fields whose values are in their ranges.
    pub(super) condition: fn(&[u32]) -> Result<(), StateError>,
}

/// The condition of a structure that has none across fields.
pub(super) fn unconditional(_: &[u32]) -> Result<(), StateError> {
    Ok(())
}

impl Structure {
    /// The field called `name`, or that of a parameter with this alias. Case, dashes and
    /// underscores do not matter.
    ///
    /// # Errors
    /// [`StateError::Field`]
    pub fn field(&self, name: &str) -> Result<&Field, StateError> {
        let wanted = plain(name);
        let is_called = |field: &&Field| !field.is_reserved() && field.names().any(|known| plain(known) == wanted);
        let found = self.fields.iter().find(is_called);
        found.ok_or_else(|| StateError::Field { structure: self.name, name: name.to_owned() })
    }

    /// The fields that are not reserved.
    pub fn named_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !field.is_reserved())
    }

    /// The DWords with all fields at their defaults.
    pub fn defaults(&self) -> Vec<u32> {
        let mut dwords = vec![0; self.dwords];
        for field in self.named_fields() {
            field.set(&mut dwords, field.default).expect("a default in range");
        }
        dwords
    }

    /// Checks that `dwords` is a state of this structure: the count, ranges, conditions across
    /// fields, and if `strict` that reserved bits are 0.
    ///
    /// # Errors
    /// [`StateError::Count`], [`StateError::Range`], [`StateError::Conflict`],
    /// [`StateError::Parameter`] or [`StateError::Reserved`], the first that applies.
    pub fn check(&self, dwords: &[u32], strict: bool) -> Result<(), StateError> {
        if dwords.len() != self.dwords {
            return Err(StateError::Count { structure: self.name, count: dwords.len(), needed: self.dwords });
        }
        self.named_fields().try_for_each(|field| field.get(dwords).map(drop))?;
        (self.condition)(dwords)?;
        let reserved = self.fields.iter().filter(|field| field.is_reserved() && field.bits(dwords) != 0);
        let bits: Vec<_> = reserved.map(|field| (field.dword, field.mask() & dwords[field.dword])).collect();
        if strict && !bits.is_empty() { Err(StateError::Reserved { structure: self.name, bits }) } else { Ok(()) }
    }
}

/// A name without the differences that do not matter: case, blanks, dashes and underscores.
pub(super) fn plain(name: &str) -> String {
    name.replace(['_', '-', ' '], "").to_ascii_lowercase()
}
