//! The documents fit together: each link and anchor has a target, each section number is one of the
//! specification, each id of an interpretation or decision has an entry, each tuned constant is in
//! the document of constants, each row of a table has the cells of its header, and each public item
//! that a document names exists. Lines of prose and comment lines have at most 100 columns. Prose,
//! comments and strings have no banned word.
//!
//! Every check reports all its findings as `file:line: message`.
mod columns;
mod constants;
mod files;
mod items;
mod links;
mod specification;
mod tables;
mod words;

use columns::has_no_prose;
use files::slug;
use items::paths;
use links::links;
use specification::{defined, ids, section_references};
use tables::cells;

#[test]
fn parts_of_a_line() {
    assert_eq!(slug("5.1 Samples and addresses"), "51-samples-and-addresses");
    assert_eq!(slug("8.2 `sample_8x8`, [state](08-state.md) - Über"), "82-sample_8x8-state---über");
    assert_eq!(links("[a](b.md#c), `[no](code)` ![i](d.png \"title\")"), ["b.md#c", "d.png"]);
    assert_eq!(
        section_references("\u{a7}3.1 to \u{a7}3.4, \u{a7}2. \u{a7}5.2-5.4 and 10 (\u{a7})"),
        ["3.1", "3.4", "2", "5.2", "5.4"]
    );
    assert_eq!(paths("`dndi::a::B`, use dndi::{C}; dndi_simd::D"), ["dndi::a::B", "dndi"]);
    assert_eq!([cells("| a | b |"), cells("| a ||"), cells("a \\| b | `c | d`")], [2, 2, 3]);
    assert_eq!(ids("[I-1], I-23; UI-4, I-5x, D-6", 'I'), ["I-1", "I-23"]);
    assert_eq!(defined("| I-1 | averages |"), Some("I-1".to_owned()));
    assert_eq!(defined("* **D-2** text, I-3"), Some("D-2".to_owned()));
    assert!(has_no_prose("* [a](b), [c](d)") && !has_no_prose("* [a](b) is prose"));
}
