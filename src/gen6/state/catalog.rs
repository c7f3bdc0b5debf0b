//! The list of all structures.
use super::error::StateError;
use super::layout::{color, deinterlace, iecp, sampler, scaler, surface, vebox};
use super::structure::{Structure, plain};

impl Structure {
    /// All structures.
    pub fn all() -> impl Iterator<Item = &'static Structure> {
        let stages = [&*deinterlace::LAYOUT, &*sampler::LAYOUT, &*scaler::LAYOUT, &*color::LAYOUT];
        let surfaces = [&*surface::SURFACE, &*surface::MEDIA_SURFACE, &*surface::BINDING_TABLE];
        stages.into_iter().chain(surfaces).chain([&*vebox::LAYOUT, &*iecp::LAYOUT])
    }

    /// The structure called `name`. Case, dashes and underscores do not matter.
    ///
    /// # Errors
    /// [`StateError::Structure`]
    pub fn named(name: &str) -> Result<&'static Structure, StateError> {
        let found = Structure::all().find(|known| plain(known.name) == plain(name));
        let known = || Structure::all().map(|known| known.name).collect();
        found.ok_or_else(|| StateError::Structure { name: name.to_owned(), known: known() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gen6::state::error::StateError;
    use crate::gen6::state::field::Format;
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
                    Format::Unsigned(whole, fraction) => whole + fraction,
                    Format::Signed(whole, fraction) => 1 + whole + fraction,
                    _ => field.width(),
                };
                assert_eq!(width, field.width(), "{}", field.name);
                let (least, most) = field.capacity();
                assert!(least <= field.min && field.min <= field.max && field.max <= most, "{}", field.name);
                assert!(field.allows(field.default), "{}", field.name);
            }
        }
    }

    /// The smallest, the largest and any other value use the bits of their field alone, and are
    /// read back.
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
                    let message = field.set(&mut dwords, value).unwrap_err().to_string();
                    assert!(
                        message.contains(field.name) && (field.extra_fraction_bits > 0 || message.contains(&value.to_string())),
                        "{message}"
                    );
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
            // The documents allow a shift of 16, which has no bits.
            let max = if known.name == "stmm_shift" { 15 } else { known.max };
            let [min, most, default] = [field.min, field.max, field.default].map(|value| value >> field.extra_fraction_bits);
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
