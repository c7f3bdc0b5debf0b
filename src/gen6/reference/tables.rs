//! The tables as text, and the lines of each structure.
//!
//! Origin: Intel's published Gen11 command reference, volume 2d. A program extracted the tables
//! from the text of the document; nothing in them is written by hand. The columns are separated by
//! tabs, and named in the modules below.
//!
//! * `structures.tsv` has a line for each structure: name, family, source, bits, DWords, fields,
//!   reserved fields, line of the document, state, title, exists, description.
//! * `fields.tsv` has a line for each field, the reserved ones too, in the order of the document.
//!   The bits are `high:low`, counted from bit 0 of the DWord; they may pass 31. With a count above
//!   1 there are so many fields, each `stride` DWords further, called `id[k]`.
//! * `values.tsv` has a line for each named value or range of a field.
//! * Types: `reserved`; `uN`, `uI.F` unsigned; `sN`, `sI.F` two's complement of 1 + I + F bits;
//!   `uN-1` stored less one; `enable`, `disable` one bit; `addr:K` the bits from K up of an address
//!   or offset; `f32`, `f16`; `bits` a mask; `uN[M]` M elements, the first lowest; `struct:NAME`,
//!   `struct:NAME[M]` another structure in place.
//! * Defaults and values are the bits as an unsigned number.
//! * Fields with a condition may share bits. Everything else covers each bit once. Bits that the
//!   document does not mention are reserved, and the state of their structure is `mended`, that of
//!   the others `clean`.
use std::collections::BTreeMap;
use std::sync::LazyLock;

const STRUCTURES: &str = include_str!("structures.tsv");
const FIELDS: &str = include_str!("fields.tsv");
const VALUES: &str = include_str!("values.tsv");

/// A line of a table with `N` columns.
pub(super) type Row<const N: usize> = [&'static str; N];

/// Columns of a structure.
pub(super) mod structure {
    pub const NAME: usize = 0;
    pub const FAMILY: usize = 1;
    pub const BITS: usize = 3;
    pub const STATE: usize = 8;
    pub const TITLE: usize = 9;
    pub const ABOUT: usize = 11;
}

/// Columns of a field.
pub(super) mod field {
    pub const DWORD: usize = 1;
    pub const HIGH: usize = 2;
    pub const LOW: usize = 3;
    pub const REPEATED: usize = 4;
    pub const STRIDE: usize = 5;
    pub const ID: usize = 6;
    pub const TYPE: usize = 7;
    pub const DEFAULT: usize = 8;
    pub const WHEN: usize = 9;
    pub const NAME: usize = 10;
    pub const ABOUT: usize = 12;
    pub const COUNT: usize = 13;
}

/// Columns of a value.
pub(super) mod value {
    pub const ID: usize = 1;
    pub const DWORD: usize = 2;
    pub const FROM: usize = 3;
    pub const TO: usize = 4;
    pub const NAME: usize = 5;
    pub const ABOUT: usize = 6;
    pub const COUNT: usize = 8;
}

/// The columns of a line; those that it lacks are empty.
fn row<const N: usize>(line: &'static str) -> Row<N> {
    let mut columns = line.split('\t');
    std::array::from_fn(|_| columns.next().unwrap_or(""))
}

/// The lines of a table after its heading.
fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().skip(1)
}

/// The lines of each structure in a table, which follow each other.
fn groups(table: &'static str) -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for line in lines(table) {
        groups.entry(line.split('\t').next().unwrap_or("")).or_default().push(line);
    }
    groups
}

static FIELD_LINES: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| groups(FIELDS));
static VALUE_LINES: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| groups(VALUES));

/// The lines of all structures, in the order of the table.
pub(super) fn structures() -> impl Iterator<Item = &'static str> {
    lines(STRUCTURES)
}

/// A column of a line; empty if the line lacks it.
pub(super) fn column(line: &'static str, number: usize) -> &'static str {
    line.split('\t').nth(number).unwrap_or("")
}

/// The fields of a structure, in the order of the table.
pub(super) fn fields(structure: &str) -> impl Iterator<Item = Row<{ field::COUNT }>> {
    FIELD_LINES.get(structure).into_iter().flatten().map(|line| row(line))
}

/// The values of the fields of a structure.
pub(super) fn values(structure: &str) -> impl Iterator<Item = Row<{ value::COUNT }>> {
    VALUE_LINES.get(structure).into_iter().flatten().map(|line| row(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lines_have_all_columns() {
        for (table, columns) in [(STRUCTURES, 12), (FIELDS, field::COUNT), (VALUES, value::COUNT)] {
            assert!(table.lines().all(|line| line.split('\t').count() == columns));
        }
        assert_eq!((structures().count(), FIELD_LINES.len()), (473, 473));
        let with_values = structures().filter(|line| values(column(line, structure::NAME)).next().is_some());
        assert_eq!(with_values.count(), VALUE_LINES.len());
    }
}
