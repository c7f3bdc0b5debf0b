//! Known names that resemble an unknown one, for error messages.

/// The least similarity of a name, from 0 to 1. Two letters in the wrong order have more, and so
/// has the beginning of a name; names that only share an ending have less.
const LEAST: f64 = 0.8;

/// Names whose similarity is less than that of the nearest one by more than this are not shown.
const BELOW_NEAREST: f64 = 0.1;

/// The most names that a message shows.
const MOST: usize = 3;

/// The names of `known` that resemble `name`, the nearest first. Case, underscores and dashes do
/// not matter. The group of a name, as in `ief.gain_factor`, may be missing.
pub fn similar<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name = plain(name);
    let similarity = |known: &str| {
        let known = plain(known);
        match (name.split_once('.'), known.split_once('.')) {
            (Some((group, name)), Some((same, known))) if group == same => strsim::jaro_winkler(name, known),
            (None, Some((_, part))) => strsim::jaro_winkler(&name, &known).max(strsim::jaro_winkler(&name, part)),
            _ => strsim::jaro_winkler(&name, &known),
        }
    };
    let rated = known.into_iter().map(|known| (similarity(known), known));
    let mut rated: Vec<_> = rated.filter(|(similarity, _)| !name.is_empty() && *similarity >= LEAST).collect();
    rated.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let nearest = rated.first().map_or(0.0, |(nearest, _)| *nearest);
    let shown = rated.into_iter().take(MOST).filter(|(similarity, _)| *similarity >= nearest - BELOW_NEAREST);
    shown.map(|(_, known)| known).collect()
}

/// A name without the differences that do not matter.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !['_', '-'].contains(c)).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let known = ["stad_th", "stmm_max", "stmm_min", "ief.gain_factor", "scaler.max_deriv_4", "field-order"];
        let cases: [(&str, &[&str]); 11] = [
            ("stad", &["stad_th"]),
            ("STADTH", &["stad_th"]),
            ("stda_th", &["stad_th"]),
            ("stmm_mex", &["stmm_max", "stmm_min"]),
            ("gain_factr", &["ief.gain_factor"]),
            ("max_deriv_4", &["scaler.max_deriv_4"]),
            ("scaler.maxderiv4", &["scaler.max_deriv_4"]),
            ("feild_order", &["field-order"]),
            // The group alone is no similarity.
            ("scaler.bogus", &[]),
            ("", &[]),
            ("brightness", &[]),
        ];
        for (name, found) in cases {
            assert_eq!(similar(name, known), found, "{name}");
        }
        assert_eq!(similar("name", ["name1", "name2", "name3", "name4"]), ["name1", "name2", "name3"]);
    }
}
