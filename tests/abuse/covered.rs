//! The list of public items: every function and every field that takes a number occurs in these
//! tests.

const SOURCES: [&str; 9] = [
    include_str!("convert.rs"),
    include_str!("detector.rs"),
    include_str!("format.rs"),
    include_str!("gen6.rs"),
    include_str!("main.rs"),
    include_str!("parameters.rs"),
    include_str!("repair.rs"),
    include_str!("stream.rs"),
    include_str!("y4m.rs"),
];

/// Types of numbers.
const NUMBERS: [&str; 12] = ["usize", "u64", "u32", "u16", "u8", "i64", "i32", "i16", "i8", "f64", "f32", "Format"];

/// Types whose fields are not tested one by one.
const OTHERS: [&str; 17] = [
    // Results: no function takes their values.
    "ClipPlan",
    "ClipStart",
    "Converted",
    "Decision",
    "DenoiseState",
    "ErrorRecord",
    "Event",
    "GreyStatistics",
    "LumaStatistics",
    "Maps",
    "Output",
    "ParameterField",
    "Report",
    "Statistics",
    "StepReport",
    // Their fields are those of `Structure::all`.
    "MediaSurfaceState",
    "SurfaceState",
];

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

fn takes_numbers(text: &str) -> bool {
    words(text).any(|word| NUMBERS.contains(&word))
}

#[test]
fn every_function_and_field_with_numbers_is_tested() {
    let used: std::collections::HashSet<&str> = SOURCES.into_iter().flat_map(words).collect();
    let mut missing = vec![];
    for line in include_str!("../public_api/items.txt").lines() {
        let Some((kind, rest)) = line.strip_prefix("const ").unwrap_or(line).split_once(' ') else { continue };
        let (path, numbers) = match (kind, rest.split_once('('), rest.split_once(": ")) {
            ("fn", Some((path, parameters)), _) => {
                let parameters = parameters.rsplit_once(" -> ").map_or(parameters, |(parameters, _)| parameters);
                // The receiver, and setters of parameters, which `Parameters::set` covers.
                let setter = parameters.starts_with("self, value: ");
                (path.split('<').next().unwrap_or(path), !setter && takes_numbers(parameters))
            }
            ("field", _, Some((path, kind))) => (path, takes_numbers(kind)),
            _ => continue,
        };
        let mut names = path.rsplit("::");
        let (name, owner) = (names.next().unwrap_or(""), names.next().unwrap_or(""));
        let is_type = owner.starts_with(char::is_uppercase);
        // Parameters are those of `Parameters::fields`. A number of a tuple struct has no name.
        let other = kind == "field" && (OTHERS.contains(&owner) || owner.ends_with("Parameters"));
        let tested = (name == "0" || used.contains(name)) && (!is_type || used.contains(owner));
        if numbers && !other && !tested {
            missing.push(line);
        }
    }
    assert!(missing.is_empty(), "not in these tests:\n{}", missing.join("\n"));
}
