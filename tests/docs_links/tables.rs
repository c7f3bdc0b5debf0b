//! Rows of tables have the cells of their header.
use crate::files::{Findings, files};

/// The number of cells of a row. A bar after a backslash is text, a bar in code is not.
pub fn cells(row: &str) -> usize {
    let row = row.trim().replace("\\|", "");
    let row = row.strip_prefix('|').unwrap_or(&row);
    row.strip_suffix('|').unwrap_or(row).split('|').count()
}

#[test]
fn rows_have_the_cells_of_their_header() {
    let mut findings = Findings::default();
    let mut rows = 0;
    for file in &files() {
        let mut table: Option<(usize, usize)> = None;
        for (number, line) in file.texts().into_iter().filter(|(_, line)| line.starts_with('|')) {
            // The header, if the line before is no row.
            let expected = table.filter(|&(last, _)| last + 1 == number).map_or(cells(line), |(_, expected)| expected);
            table = Some((number, expected));
            rows += 1;
            if cells(line) != expected {
                findings.add(file, number, &format!("{} cells, the header has {expected}", cells(line)));
            }
        }
    }
    findings.expect_none();
    assert!(rows > 0);
}
