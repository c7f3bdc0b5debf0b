//! A hardware structure: its name, its size, and the table of its fields.
use super::{Field, StateError, color, deinterlace, iecp, sampler, scaler, surface, vebox};

/// A hardware structure as a table of fields.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Structure {
    /// Its name in the hardware documents, with the message where one name has several layouts.
    pub name: &'static str,
    /// How many DWords it has.
    pub dwords: usize,
    /// Where the hardware documents describe it.
    pub section: &'static str,
    /// Its fields, the reserved ones too, from the first DWord on and from bit 31 down. Each bit belongs to one of them.
    pub fields: Vec<Field>,
    /// Conditions across fields, which are in their ranges.
    pub(super) condition: fn(&[u32]) -> Result<(), StateError>,
}

/// No conditions across fields.
pub(super) fn unconditional(_: &[u32]) -> Result<(), StateError> {
    Ok(())
}

impl Structure {
    /// All structures.
    pub fn all() -> impl Iterator<Item = &'static Structure> {
        let stages = [&*deinterlace::LAYOUT, &*sampler::LAYOUT, &*scaler::LAYOUT, &*color::LAYOUT];
        let surfaces = [&*surface::SURFACE, &*surface::MEDIA_SURFACE, &*surface::BINDING_TABLE];
        stages.into_iter().chain(surfaces).chain([&*vebox::LAYOUT, &*iecp::LAYOUT])
    }

    /// The structure called `name`; case, dashes and underscores do not matter.
    ///
    /// # Errors
    /// [`StateError::Structure`]
    pub fn named(name: &str) -> Result<&'static Structure, StateError> {
        let found = Structure::all().find(|known| plain(known.name) == plain(name));
        found.ok_or_else(|| StateError::Structure { name: name.to_owned() })
    }

    /// The field called `name`, or that of a parameter with such an alias; case and underscores do not matter.
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

    /// Whether `dwords` is a state of this structure: count, ranges, conditions across fields, and if `strict` that reserved bits are 0.
    ///
    /// # Errors
    /// [`StateError::Count`], [`StateError::Range`], [`StateError::Conflict`] or [`StateError::Reserved`], the first that applies.
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

/// A name without what does not matter.
fn plain(name: &str) -> String {
    name.replace(['_', '-'], "").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Parameters;

    #[test]
    fn each_bit_belongs_to_one_field() {
        for structure in Structure::all() {
            let mut taken = vec![0u32; structure.dwords];
            let mut last = (0, 32);
            for field in &structure.fields {
                let name = format!("{} {} in DWord {}", structure.name, field.name, field.dword);
                assert!(field.high < 32 && field.low <= field.high, "{name}");
                assert_eq!(taken[field.dword] & field.mask(), 0, "{name} overlaps");
                taken[field.dword] |= field.mask();
                assert!(field.dword > last.0 || field.dword == last.0 && field.high < last.1, "{name} is out of order");
                last = (field.dword, field.high);
                assert!(!field.name.is_empty(), "{name}");
            }
            for (dword, taken) in taken.into_iter().enumerate() {
                assert_eq!(taken, u32::MAX, "{} DWord {dword}", structure.name);
            }
        }
    }

    #[test]
    fn names_are_unique_and_formats_as_wide_as_the_bits() {
        let mut structures = std::collections::HashSet::new();
        for structure in Structure::all() {
            assert!(structures.insert(plain(structure.name)) && !structure.section.is_empty());
            let mut names = std::collections::HashSet::new();
            for field in structure.named_fields() {
                assert!(names.insert(plain(field.name)), "{} twice in {}", field.name, structure.name);
                assert_eq!(structure.field(&field.name.to_uppercase()), Ok(field));
                let width = match field.format {
                    super::super::Format::Unsigned(whole, fraction) => whole + fraction,
                    super::super::Format::Signed(whole, fraction) => 1 + whole + fraction,
                    _ => field.width(),
                };
                assert_eq!(width, field.width(), "{}", field.name);
                let (least, most) = field.capacity();
                assert!(least <= field.min && field.min <= field.max && field.max <= most, "{}", field.name);
                assert!(field.allows(field.default), "{}", field.name);
            }
        }
    }

    /// The smallest, the largest and any value stand in their own bits alone, and come back.
    #[test]
    fn values_round_trip() {
        let mut noise = noise();
        for structure in Structure::all() {
            for field in structure.named_fields() {
                let mut any = || field.min + (noise() as i64) % (field.max - field.min + 1);
                for value in [field.min, field.max, any(), any(), any()] {
                    for background in [0, u32::MAX] {
                        let mut dwords = vec![background; structure.dwords];
                        let value = value - value % field.step();
                        if !field.allows(value) {
                            assert!(field.set(&mut dwords, value).is_err());
                            continue;
                        }
                        field.set(&mut dwords, value).unwrap();
                        assert_eq!(field.get(&dwords), Ok(value), "{}", field.name);
                        dwords[field.dword] |= field.mask();
                        dwords[field.dword] ^= background & field.mask() ^ field.mask();
                        assert_eq!(dwords, vec![background; structure.dwords], "{} reaches other bits", field.name);
                    }
                }
                for value in [field.min - field.step(), field.max + field.step(), i64::MIN, i64::MAX] {
                    let mut dwords = vec![0; structure.dwords];
                    let told = field.set(&mut dwords, value).unwrap_err().to_string();
                    assert!(told.contains(field.name) && (field.finer > 0 || told.contains(&value.to_string())), "{told}");
                    assert!(dwords.iter().all(|&dword| dword == 0));
                }
            }
        }
    }

    #[test]
    fn reserved_bits_are_ignored_unless_strict() {
        for structure in Structure::all() {
            let usual = structure.defaults();
            assert_eq!(structure.check(&usual, true), Ok(()));
            for field in structure.fields.iter().filter(|field| field.is_reserved()) {
                let mut dwords = usual.clone();
                dwords[field.dword] |= 1 << field.high;
                assert_eq!(structure.check(&dwords, false), Ok(()));
                let bits = vec![(field.dword, 1 << field.high)];
                assert_eq!(structure.check(&dwords, true), Err(StateError::Reserved { structure: structure.name, bits }));
            }
            for count in [0, structure.dwords - 1, structure.dwords + 1] {
                assert!(matches!(structure.check(&vec![0; count], false), Err(StateError::Count { .. })));
            }
        }
    }

    #[test]
    fn parameters_keep_their_range_and_default() {
        for field in Structure::all().flat_map(Structure::named_fields) {
            let known = field.parameter();
            assert_eq!(
                known.map(|known| known.name),
                Parameters::fields().map(|known| known.name).find(|name| *name == field.name)
            );
            let Some(known) = known else { continue };
            // The shift of 16 that the documents allow has no bits.
            let max = if known.name == "stmm_shift" { 15 } else { known.max };
            let [min, most, default] = [field.min, field.max, field.default].map(|value| value >> field.finer);
            assert_eq!((min, most, default), (known.min.into(), max.into(), known.default.into()), "{}", field.name);
        }
    }

    fn noise() -> impl FnMut() -> u32 {
        let mut noise = 1u32;
        move || {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            noise.rotate_left(16)
        }
    }
}
