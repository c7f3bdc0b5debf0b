//! Values of fields as text.

use dndi::gen6::state::Field;

/// A value as a decimal number. Bits of the field that are finer than one unit of its parameter are
/// decimals.
pub fn number(field: &Field, value: i64) -> String {
    (value as f64 / f64::from(1 << field.extra_fraction_bits)).to_string()
}
