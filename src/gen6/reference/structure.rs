//! A structure of the reference: its fields with those of nested structures, and its DWords.
use super::error::ReferenceError;
use super::field::ReferenceField;
use super::tables::{self, field, structure};
use super::value::ReferenceValue;

/// A structure of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceStructure {
    /// The line of the table.
    line: &'static str,
}

/// A name without the differences that do not matter: case, blanks, dashes and underscores.
fn plain(name: &str) -> String {
    name.replace(['_', '-', ' '], "").to_ascii_lowercase()
}

/// A number of the tables; 0 for an empty one.
fn number(text: &str) -> usize {
    text.parse().unwrap_or(0)
}

/// The name of a type and its number of elements: `u8[4]`, `struct:NAME[2]`.
fn elements(type_name: &'static str) -> (&'static str, Option<usize>) {
    let array = type_name.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    array.map_or((type_name, None), |(name, count)| (name, count.parse().ok()))
}

impl ReferenceStructure {
    /// All structures, in the order of the tables.
    pub fn all() -> impl Iterator<Item = ReferenceStructure> {
        tables::structures().map(|line| ReferenceStructure { line })
    }

    /// The structure called `name`. Case, blanks, dashes and underscores do not matter.
    ///
    /// # Errors
    /// [`ReferenceError::Structure`]
    pub fn named(name: &str) -> Result<ReferenceStructure, ReferenceError> {
        let wanted = plain(name);
        let found = ReferenceStructure::all().find(|known| plain(known.name()) == wanted);
        found.ok_or_else(|| ReferenceError::Structure { name: name.to_owned() })
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        tables::column(self.line, structure::NAME)
    }

    /// The family: `message`, `3D pipeline` and so on.
    pub fn family(&self) -> &'static str {
        tables::column(self.line, structure::FAMILY)
    }

    /// The title in the document; may be empty.
    pub fn title(&self) -> &'static str {
        tables::column(self.line, structure::TITLE)
    }

    /// The description; may be empty.
    pub fn about(&self) -> &'static str {
        tables::column(self.line, structure::ABOUT)
    }

    /// Whether the document does not mention some of the bits. They are reserved here.
    pub fn is_mended(&self) -> bool {
        tables::column(self.line, structure::STATE) == "mended"
    }

    /// The number of bits.
    pub fn bits(&self) -> usize {
        number(tables::column(self.line, structure::BITS))
    }

    /// The number of DWords.
    pub fn dwords(&self) -> usize {
        self.bits().div_ceil(32)
    }

    /// The fields, reserved ones included, in the order of the tables.
    pub fn fields(&self) -> Vec<ReferenceField> {
        let mut fields = vec![];
        self.add_fields(0, "", "", &mut fields);
        fields
    }

    /// Adds the fields of the structure that starts at `base`, with names and conditions after
    /// those of the field that holds it.
    fn add_fields(&self, base: usize, prefix: &str, when: &str, fields: &mut Vec<ReferenceField>) {
        let owner = self.name();
        for row in tables::fields(owner) {
            let [dword, high, low, stride] = [field::DWORD, field::HIGH, field::LOW, field::STRIDE].map(|n| number(row[n]));
            let count = number(row[field::REPEATED]).max(1);
            let when = [when, row[field::WHEN]].into_iter().filter(|when| !when.is_empty()).collect::<Vec<_>>().join(" AND ");
            let (type_name, repeated) = elements(row[field::TYPE]);
            for k in 0..count {
                let at = base + 32 * (dword + k * stride) + low;
                let mut id = format!("{prefix}{}", row[field::ID]);
                if count > 1 {
                    id += &format!("[{k}]");
                }
                let element = |n: usize| if repeated.unwrap_or(1) > 1 { format!("{id}[{n}]") } else { id.clone() };
                if let Some(name) = type_name.strip_prefix("struct:") {
                    let Some(nested) = ReferenceStructure::all().find(|known| known.name() == name) else { continue };
                    for n in 0..repeated.unwrap_or(1) {
                        nested.add_fields(at + n * nested.bits(), &(element(n) + "."), &when, fields);
                    }
                } else if let Some(repeated) = repeated {
                    let width = number(&type_name[1..]);
                    for n in 0..repeated {
                        let (id, at) = (format!("{id}[{n}]"), at + n * width);
                        fields.push(ReferenceField::new(owner, row, id, when.clone(), at, width as u32, type_name));
                    }
                } else {
                    let width = (high + 1).saturating_sub(low) as u32;
                    fields.push(ReferenceField::new(owner, row, id, when.clone(), at, width, type_name));
                }
            }
        }
    }

    /// The DWords with all fields at their defaults. A field that shares bits with an earlier one
    /// stays 0.
    pub fn defaults(&self) -> Vec<u32> {
        let mut dwords = vec![0; self.dwords()];
        let mut taken = vec![false; 32 * dwords.len()];
        for field in self.fields() {
            let Some(default) = field.default.filter(|_| !field.is_reserved()) else { continue };
            let Some(own) = taken.get_mut(field.bit..field.bit + field.width as usize) else { continue };
            if !own.contains(&true) {
                own.fill(true);
                let bits: Vec<u32> = (0..4).map(|n| (default >> (32 * n)) as u32).collect();
                super::kind::set_bits(&mut dwords, field.bit, field.width, &bits);
            }
        }
        dwords
    }

    /// The field called `name` in `fields`, those of this structure. A name that no field has
    /// exactly is compared without case, blanks, dashes and underscores.
    ///
    /// # Errors
    /// [`ReferenceError::Field`]
    pub fn find<'a>(&self, fields: &'a [ReferenceField], name: &str) -> Result<&'a ReferenceField, ReferenceError> {
        let mut named = fields.iter().filter(|field| !field.is_reserved());
        let exact = named.clone().find(|field| field.id == name);
        let found = exact.or_else(|| named.find(|field| plain(&field.id) == plain(name)));
        found.ok_or_else(|| ReferenceError::Field { structure: self.name(), name: name.to_owned() })
    }

    /// Sets the field called `name` in `dwords` to the value of a text: a decimal number, or a
    /// hexadecimal one after `0x`.
    ///
    /// # Errors
    /// [`ReferenceError::Field`], [`ReferenceError::Number`], [`ReferenceError::Range`]
    pub fn set(&self, dwords: &mut [u32], name: &str, value: &str) -> Result<(), ReferenceError> {
        let value: ReferenceValue = value.parse()?;
        self.find(&self.fields(), name)?.set(dwords, &value)
    }

    /// Checks the number of DWords. With `strict` also that reserved bits are 0, and that fields of
    /// which the document names single values only have one of them.
    ///
    /// # Errors
    /// [`ReferenceError::Count`], [`ReferenceError::Reserved`], [`ReferenceError::Unnamed`], the
    /// first that applies.
    pub fn check(&self, dwords: &[u32], strict: bool) -> Result<(), ReferenceError> {
        let (structure, needed) = (self.name(), self.dwords());
        if dwords.len() != needed {
            return Err(ReferenceError::Count { structure, count: dwords.len(), needed });
        }
        if !strict {
            return Ok(());
        }
        let reserved = self.reserved_bits(dwords);
        if !reserved.is_empty() {
            return Err(ReferenceError::Reserved { structure, bits: reserved });
        }
        // Under a condition the same bits may be another field.
        self.fields().iter().filter(|field| field.when.is_empty()).try_for_each(|field| field.check(dwords))
    }

    /// Each DWord with its bits that are set and belong to no field, or to reserved ones only.
    pub fn reserved_bits(&self, dwords: &[u32]) -> Vec<(usize, u32)> {
        let mut used = vec![0u32; dwords.len()];
        for field in self.fields().iter().filter(|field| !field.is_reserved()) {
            let ones = vec![u32::MAX; (field.width as usize).div_ceil(32)];
            super::kind::set_bits(&mut used, field.bit, field.width, &ones);
        }
        let set = dwords.iter().zip(used).map(|(dword, used)| dword & !used).enumerate();
        set.filter(|(_, bits)| *bits != 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gen6::reference::kind::Kind;

    #[test]
    fn fields_cover_each_bit_once() {
        for structure in ReferenceStructure::all() {
            let name = structure.name();
            let mut owners = vec![None; structure.bits()];
            let fields = structure.fields();
            for field in &fields {
                let known = Kind::of(field.type_name);
                assert!(known.is_some() && field.width > 0, "{name} {}: {}", field.id, field.type_name);
                let own = owners.get_mut(field.bit..field.bit + field.width as usize);
                for owner in own.unwrap_or_else(|| panic!("{name} {} is beyond the end", field.id)) {
                    let shared = !field.when.is_empty() || owner.is_none_or(|other: &ReferenceField| !other.when.is_empty());
                    assert!(shared, "{name} {} shares bits with {owner:?}", field.id);
                    *owner = Some(field);
                }
                let largest = if field.width < 128 { (1 << field.width) - 1 } else { u128::MAX };
                assert!(field.default.is_none_or(|default| default <= largest), "{name} {}", field.id);
            }
            assert!(owners.iter().all(Option::is_some), "{name}");
            let ids = || fields.iter().filter(|field| !field.is_reserved()).map(|field| &field.id);
            assert_eq!(ids().collect::<std::collections::BTreeSet<_>>().len(), ids().count(), "{name}");
        }
    }

    #[test]
    fn names() {
        let structure = ReferenceStructure::named("sampler-state 8X8 avs").unwrap();
        assert_eq!((structure.name(), structure.family()), ("SAMPLER_STATE_8x8_AVS", "sampler and surface state"));
        assert!(ReferenceStructure::named("nothing").unwrap_err().to_string().contains("'nothing'"));
        let all: std::collections::BTreeSet<String> = ReferenceStructure::all().map(|known| plain(known.name())).collect();
        assert_eq!(all.len(), 473);
    }

    #[test]
    fn strict_checks() {
        let clip = ReferenceStructure::named("3DSTATE_CLIP_BODY").unwrap();
        assert_eq!(clip.check(&[0; 2], false), Err(ReferenceError::Count { structure: clip.name(), count: 2, needed: 3 }));
        let mut dwords = clip.defaults();
        assert_eq!(clip.check(&dwords, true), Ok(()));
        let fields = clip.fields();
        let reserved = fields.iter().find(|field| field.is_reserved()).unwrap();
        dwords[reserved.bit / 32] |= 1 << (reserved.bit % 32);
        assert_eq!(clip.check(&dwords, false), Ok(()));
        let bits = vec![(reserved.bit / 32, 1 << (reserved.bit % 32))];
        assert_eq!(clip.check(&dwords, true), Err(ReferenceError::Reserved { structure: clip.name(), bits }));
        assert_eq!(
            clip.set(&mut dwords, "clip mode", "8").unwrap_err().to_string(),
            "clip_mode = 8 does not fit 3 bits of type u3"
        );
        assert!(matches!(clip.set(&mut dwords, "reserved", "0"), Err(ReferenceError::Field { .. })));
    }

    /// Fields with a list of single values.
    #[test]
    fn values_without_a_name() {
        let mut refused = 0;
        for structure in ReferenceStructure::all() {
            let zeros = vec![0; structure.dwords()];
            for field in structure.fields().iter().filter(|field| field.when.is_empty() && field.width < 32) {
                let mut dwords = zeros.clone();
                super::super::kind::set_bits(&mut dwords, field.bit, field.width, &[u32::MAX]);
                if field.check(&dwords).is_err() {
                    refused += 1;
                    assert!(field.named_values().count() > 0 && field.named_value(&dwords).is_none());
                    assert!(structure.check(&dwords, true).is_err(), "{} {}", structure.name(), field.id);
                }
            }
        }
        assert!(refused > 50, "{refused}");
    }
}
