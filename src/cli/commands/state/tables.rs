//! Structures of the reference: values of any bits, by the tables.

use super::explain::text;
use dndi::gen6::reference::{ReferenceField, ReferenceStructure, ReferenceValue};

const HEADING: [&str; 7] = ["BITS", "NAME", "TYPE", "RAW", "VALUE", "DEFAULT", "MEANING"];

/// The fields that are not reserved.
fn named(fields: &[ReferenceField]) -> impl Iterator<Item = &ReferenceField> {
    fields.iter().filter(|field| !field.is_reserved())
}

/// A line `NAME=VALUE` for each field; an empty line for a structure without fields.
pub fn as_lines(fields: &[ReferenceField], dwords: &[u32]) -> String {
    let lines: Vec<_> = named(fields).map(|field| format!("{}={}", field.id, field.value(dwords))).collect();
    lines.join("\n") + "\n"
}

/// All values as JSON; those in hexadecimal are texts.
pub fn as_json(structure: &ReferenceStructure, fields: &[ReferenceField], dwords: &[u32]) -> String {
    let value = |field: &ReferenceField| match field.value(dwords) {
        ReferenceValue::Number(value) => value.to_string(),
        other => format!("\"{other}\""),
    };
    let fields: Vec<_> = named(fields).map(|field| format!("{:?}:{}", field.id, value(field))).collect();
    let reserved = structure.reserved_bits(dwords).into_iter();
    let reserved: Vec<_> = reserved.map(|(dword, bits)| format!("{{\"dword\":{dword},\"bits\":{bits}}}")).collect();
    let (name, fields, reserved) = (structure.name(), fields.join(","), reserved.join(","));
    format!("{{\"structure\":{name:?},\"fields\":{{{fields}}},\"reserved\":[{reserved}]}}\n")
}

/// Sets the field `name` in `dwords` to a number.
pub fn assign(
    structure: &ReferenceStructure,
    fields: &[ReferenceField],
    dwords: &mut [u32],
    name: &str,
    text: &str,
) -> Result<(), String> {
    let field = structure.find(fields, name).map_err(|error| error.to_string())?;
    let value = text.parse().map_err(|_| format!("{} takes a whole number, not \"{text}\"", field.id))?;
    field.set(dwords, &value).map_err(|error| error.to_string())
}

/// The table, with one part for each DWord in which fields start. `!` marks reserved bits that are
/// set.
pub fn explain(structure: &ReferenceStructure, fields: &[ReferenceField], dwords: &[u32]) -> String {
    let mut title = format!("{}, {} bits: {}", structure.name(), structure.bits(), structure.family());
    for text in [structure.title(), structure.about()] {
        if !text.is_empty() {
            title += &format!("\n{text}");
        }
    }
    if structure.is_mended() {
        title += "\nThe reference does not mention some of the bits; they are reserved here.";
    }
    let set = structure.reserved_bits(dwords);
    let rows: Vec<_> = fields.iter().map(|field| (field.bit / 32, row(field, dwords, &set).to_vec())).collect();
    text(&title, &HEADING, &rows, dwords)
}

/// The cells of a field, in the order of [`HEADING`]. `set` are the reserved bits that are set.
fn row(field: &ReferenceField, dwords: &[u32], set: &[(usize, u32)]) -> [String; 7] {
    let (low, high) = (field.bit % 32, field.bit % 32 + field.width as usize - 1);
    let bits = if low == high { low.to_string() } else { format!("{high}:{low}") };
    let raw = shortened(ReferenceValue::Bits(field.bits(dwords)).to_string());
    if field.is_reserved() {
        let own =
            |dword: usize| (0..32).filter(move |bit| (field.bit..field.bit + field.width as usize).contains(&(32 * dword + bit)));
        let is_set = set.iter().any(|&(dword, bits)| own(dword).any(|bit| bits >> bit & 1 == 1));
        let meaning = if is_set { "! set" } else { "" };
        return [bits, field.id.clone(), "reserved".into(), raw, String::new(), String::new(), meaning.into()];
    }
    let value = field.value(dwords).to_string();
    let called = field.named_value(dwords).map(|known| if known.name.is_empty() { known.about } else { known.name });
    let value = match called.filter(|called| !called.is_empty()) {
        Some(called) => format!("{value} ({called})"),
        None => value,
    };
    let default = field.default.map_or_else(String::new, |default| format!("{default:#x}"));
    let when = if field.when.is_empty() { String::new() } else { format!("If {}. ", field.when) };
    let about = if field.about.is_empty() { field.name } else { field.about };
    [bits, field.id.clone(), field.type_name.into(), raw, value, default, when + about]
}

/// The start of a number that is too long for a column.
fn shortened(digits: String) -> String {
    if digits.len() <= 18 { digits } else { format!("{}…", &digits[..17]) }
}
