//! Structures of the library: their values are those of parameters, and are checked.

use super::number::number;
use dndi::gen6::state::Structure;

/// A line `NAME=VALUE` for each field.
pub fn as_lines(structure: &Structure, dwords: &[u32]) -> String {
    let lines = structure.named_fields().map(|field| format!("{}={}\n", field.name, number(field, field.value(dwords))));
    lines.collect()
}

/// All values as JSON.
pub fn as_json(structure: &Structure, dwords: &[u32]) -> String {
    // A map of serde_json would sort the names.
    let fields = structure.named_fields().map(|field| format!("{:?}:{}", field.name, number(field, field.value(dwords))));
    let fields: Vec<_> = fields.collect();
    let reserved = structure.fields.iter().filter(|field| field.is_reserved() && field.bits(dwords) != 0);
    let reserved: Vec<_> =
        reserved.map(|field| format!("{{\"dword\":{},\"bits\":{}}}", field.dword, dwords[field.dword] & field.mask())).collect();
    let (name, fields, reserved) = (structure.name, fields.join(","), reserved.join(","));
    format!("{{\"structure\":{name:?},\"fields\":{{{fields}}},\"reserved\":[{reserved}]}}\n")
}

/// Sets the field `name` in `dwords`. The value is a number, or one of the field's named values.
pub fn assign(structure: &Structure, dwords: &mut [u32], name: &str, text: &str) -> Result<(), String> {
    let field = structure.field(name).map_err(|error| error.to_string())?;
    let called = field.values.iter().find(|(_, known)| known.eq_ignore_ascii_case(text)).map(|(value, _)| *value);
    let value = called.or_else(|| match field.extra_fraction_bits {
        0 => text.parse().ok(),
        finer => {
            let scaled = text.parse::<f64>().ok()? * f64::from(1 << finer);
            // A value that is finer than the field is an error.
            (scaled.fract() == 0.0 && scaled.abs() < 1e9).then_some(scaled as i64)
        }
    });
    let [min, max] = [field.min, field.max].map(|limit| number(field, limit));
    let step = if field.extra_fraction_bits == 0 {
        "a whole number".to_owned()
    } else {
        format!("a multiple of 1/{}", 1 << field.extra_fraction_bits)
    };
    let value = value.ok_or_else(|| format!("{} takes {step} of {min}…{max}", field.name))?;
    field.set(dwords, value).map_err(|error| error.to_string())
}
