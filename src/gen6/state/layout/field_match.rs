//! Field matches (§3.8) in the cadence codes of the structures.
use crate::field_match::FieldMatch;
use crate::gen6::state::error::StateError;
use crate::gen6::state::field::Field;

/// The names of the codes, for [`Field::only_values`].
pub(super) const CODES: &[(i64, &str)] = &[(0, "deinterlace"), (1, "previous field"), (2, "next field")];

/// The field match whose code `field` holds.
pub(super) fn get(field: &Field, dwords: &[u32]) -> Result<FieldMatch, StateError> {
    let value = field.get(dwords)?;
    let code = u8::try_from(value).ok().and_then(FieldMatch::from_code);
    code.ok_or_else(|| field.range_error(value))
}

/// The value of a field that holds the code of `field_match`.
pub(super) fn value(field_match: FieldMatch) -> i64 {
    field_match.code().into()
}
