//! `dndi state explain`: the bits of a state as a table.

use super::number::number;
use dndi::gen6::state::{Field, Format, Structure};

const HEADING: [&str; 8] = ["BITS", "NAME", "FORMAT", "RAW", "VALUE", "RANGE", "DEFAULT", "MEANING"];

/// The table, with one part for each DWord. `!` marks values that are not allowed.
pub fn explain(structure: &Structure, dwords: &[u32]) -> String {
    let rows: Vec<_> = structure.fields.iter().map(|field| (field.dword, row(field, dwords).to_vec())).collect();
    text(&format!("{}, {} DWords: {}", structure.name, structure.dwords, structure.section), &HEADING, &rows, dwords)
}

/// A table of rows of cells, each with its DWord, in columns of equal width.
pub fn text(title: &str, heading: &[&str], rows: &[(usize, Vec<String>)], dwords: &[u32]) -> String {
    let widths: Vec<usize> = (0..heading.len())
        .map(|column| {
            let cells = rows.iter().map(|(_, row)| row[column].chars().count());
            cells.chain([heading[column].len()]).max().unwrap_or(0)
        })
        .collect();
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        format!("  {}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    };
    let heading: Vec<String> = heading.iter().map(|&cell| cell.to_owned()).collect();
    let mut text = format!("{title}\n{}", line(&heading));
    let mut of_dword: Vec<Vec<&[String]>> = vec![vec![]; dwords.len()];
    for (dword, row) in rows {
        if let Some(rows) = of_dword.get_mut(*dword) {
            rows.push(row);
        }
    }
    for (dword, (bits, rows)) in dwords.iter().zip(of_dword).enumerate() {
        text += &format!("DWord {dword} = {bits:08x}\n");
        rows.into_iter().for_each(|row| text += &line(row));
    }
    text
}

/// The cells of a field, in the order of [`HEADING`].
fn row(field: &Field, dwords: &[u32]) -> [String; 8] {
    let bits = if field.high == field.low { field.low.to_string() } else { format!("{}:{}", field.high, field.low) };
    let raw = format!("{:#x}", field.bits(dwords));
    let allowed = field.get(dwords).is_ok();
    if field.is_reserved() {
        let meaning = if allowed { "" } else { "! set" };
        return [
            bits,
            field.name.into(),
            field.format.to_string(),
            raw,
            String::new(),
            String::new(),
            String::new(),
            meaning.into(),
        ];
    }
    let value = field.value(dwords);
    let text = |value| number(field, value);
    let range = format!("{}…{}", text(field.min), text(field.max));
    let mut meaning = field.about.to_owned();
    if !allowed {
        meaning.insert_str(0, "! not allowed: ");
    }
    let format = match (field.format, field.bias) {
        (Format::Aligned(low), _) => format!("U{} << {low}", field.width()),
        (format, 0) => format.to_string(),
        (format, bias) => format!("{format} + {bias}"),
    };
    [bits, field.name.into(), format, raw, text(value) + &value_text(field, value), range, text(field.default), meaning]
}

/// A value in parentheses: its name, or for a fixed-point field the number. Empty if the raw value
/// is sufficient.
fn value_text(field: &Field, value: i64) -> String {
    let called = field.values.iter().find(|(known, _)| *known == value);
    let fraction = match field.format {
        Format::Unsigned(_, fraction) | Format::Signed(_, fraction) if field.extra_fraction_bits == 0 => fraction,
        _ => 0,
    };
    match called {
        Some((_, name)) => format!(" ({name})"),
        None if fraction > 0 => format!(" ({})", value as f64 / f64::from(1 << fraction)),
        None => String::new(),
    }
}
