//! Numbers of fields as text.

use dndi::gen6::state::Field;

/// A value as text: the bits that are finer than the field's parameter follow the point.
pub fn number(field: &Field, value: i64) -> String {
    (value as f64 / f64::from(1 << field.extra_fraction_bits)).to_string()
}
