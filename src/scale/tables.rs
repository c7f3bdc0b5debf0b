//! Coefficient tables of the scaler: the default ones for any ratio, and replaced coefficients
//! (§5.3).
use super::settings::ScaleFilter;
use crate::parameters::field::ParameterError;
use std::f64::consts::PI;
use std::ops::RangeInclusive;

/// Rows for the phases beta = 0…16 (in 1/32 of a sample), eight taps each, in 1/64.
pub type FilterTable = [[i8; 8]; 17];

/// The four tables of the scaler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterTables {
    /// Table 0X: luma (or G), horizontally.
    pub x0: FilterTable,
    /// Table 0Y: luma (or G), vertically.
    pub y0: FilterTable,
    /// Table 1X: chroma (or R and B), horizontally; only taps 2…5 are not 0.
    pub x1: FilterTable,
    /// Table 1Y: chroma (or R and B), vertically; only taps 2…5 are not 0.
    pub y1: FilterTable,
}

impl FilterTables {
    /// The default tables for scaling from `source` to `target` luma samples, each a width and a
    /// height.
    pub fn new(source: (usize, usize), target: (usize, usize)) -> FilterTables {
        FilterTables::of(ScaleFilter::Poly8, source, target)
    }

    /// The default tables of a filter, for scaling from `source` to `target` luma samples. The
    /// linear filter, which does not read them, has those of [`ScaleFilter::Poly8`].
    pub fn of(filter: ScaleFilter, source: (usize, usize), target: (usize, usize)) -> FilterTables {
        let (across, down) = (ratio(source.0, target.0), ratio(source.1, target.1));
        let reach = if filter == ScaleFilter::Poly5 { 2.5 } else { 4.0 };
        FilterTables { x0: table(across, reach), y0: table(down, reach), x1: table(across, 2.0), y1: table(down, 2.0) }
    }

    /// The four tables with their names, in the order of the hardware state.
    pub fn named(&self) -> [(&'static str, &FilterTable); 4] {
        let [x0, y0, x1, y1] = NAMES;
        [(x0, &self.x0), (y0, &self.y0), (x1, &self.x1), (y1, &self.y1)]
    }

    /// The table at `index` of that order.
    fn table_mut(&mut self, index: usize) -> &mut FilterTable {
        match index {
            0 => &mut self.x0,
            1 => &mut self.y0,
            2 => &mut self.x1,
            _ => &mut self.y1,
        }
    }
}

/// The names of the tables without their group, as in messages and reports.
const NAMES: [&str; 4] = ["table_0x", "table_0y", "table_1x", "table_1y"];

/// The taps of a table that are not always 0.
fn taps(table: usize) -> RangeInclusive<usize> {
    if table < 2 { 0..=7 } else { 2..=5 }
}

/// The share of the source's band that the output can hold, at most 1.
fn ratio(source: usize, target: usize) -> f64 {
    (target as f64 / source as f64).min(1.0)
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) }
}

/// A windowed sinc of `reach` samples on each side with its cutoff at `ratio` of the source's band.
fn table(ratio: f64, reach: f64) -> FilterTable {
    let mut table = [[0; 8]; 17];
    for (beta, row) in table.iter_mut().enumerate() {
        let mut weights = [0.0; 8];
        for (k, weight) in weights.iter_mut().enumerate() {
            let t = k as f64 - 3.0 - beta as f64 / 32.0;
            if t.abs() < reach {
                *weight = sinc(ratio * t) * sinc(t / reach);
            }
        }
        let scale = 64.0 / weights.iter().sum::<f64>();
        let mut rounded = weights.map(|weight| (weight * scale).round() as i32);
        // The remainder of the rounding goes to the largest tap, the first of equal ones.
        let largest = (0..8).rev().max_by_key(|&k| rounded[k]).unwrap_or(3);
        rounded[largest] += 64 - rounded.iter().sum::<i32>();
        *row = rounded.map(|k| k.clamp(-128, 127) as i8);
    }
    table
}

/// A replaced coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    table: usize,
    beta: usize,
    tap: usize,
    value: i8,
}

/// The scaler's tables: the default ones or those of a state, with single coefficients replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coefficients {
    /// Tables to use instead of the default ones.
    pub tables: Option<Box<FilterTables>>,
    changes: Vec<Change>,
}

impl Coefficients {
    /// The tables for scaling from `source` to `target` luma samples with [`ScaleFilter::Poly8`].
    pub fn filter_tables(&self, source: (usize, usize), target: (usize, usize)) -> FilterTables {
        self.tables_of(ScaleFilter::Poly8, source, target)
    }

    /// The tables of a filter for scaling from `source` to `target` luma samples.
    pub fn tables_of(&self, filter: ScaleFilter, source: (usize, usize), target: (usize, usize)) -> FilterTables {
        let mut tables = self.tables.as_deref().cloned().unwrap_or_else(|| FilterTables::of(filter, source, target));
        for change in &self.changes {
            tables.table_mut(change.table)[change.beta][change.tap] = change.value;
        }
        tables
    }

    /// Names and values of the coefficients that do not depend on sizes: all of them with tables of
    /// a state, else the replaced ones.
    pub fn fixed(&self) -> Vec<(String, i8)> {
        let tables = self.filter_tables((1, 1), (1, 1));
        let mut fixed = Vec::new();
        for (table, (name, values)) in tables.named().into_iter().enumerate() {
            for (beta, tap) in (0..17).flat_map(|beta| taps(table).map(move |tap| (beta, tap))) {
                let replaces = |change: &Change| (change.table, change.beta, change.tap) == (table, beta, tap);
                if self.tables.is_some() || self.changes.iter().any(replaces) {
                    fixed.push((format!("scaler.{name}.{beta}.{tap}"), values[beta][tap]));
                }
            }
        }
        fixed
    }

    /// Replaces the coefficient `name`, such as `scaler.table_0x.B.K` or `scaler.table_0x[B][K]`.
    /// Returns false if `name` is not of that kind.
    pub(crate) fn try_set(&mut self, name: &str, value: i64) -> Result<bool, ParameterError> {
        let plain = name.replace('_', "").to_ascii_lowercase();
        let Some(rest) = plain.strip_prefix("scaler.") else { return Ok(false) };
        let (table, indices) = rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()));
        let Some(table) = NAMES.iter().position(|known| known.replace('_', "") == table) else { return Ok(false) };
        let taps = taps(table);
        let found = index(indices).and_then(|(beta, rest)| Some((beta, index(rest)?)));
        let Some((beta @ 0..=16, (tap, ""))) = found.filter(|(_, (tap, _))| taps.contains(tap)) else {
            let (name, table, taps) = (name.to_owned(), NAMES[table], (*taps.start(), *taps.end()));
            return Err(ParameterError::UnknownCoefficient { name, table, taps });
        };
        let refused = |_| ParameterError::CoefficientRange { table: NAMES[table], beta, tap, value };
        let value = i8::try_from(value).map_err(refused)?;
        self.changes.push(Change { table, beta, tap, value });
        Ok(true)
    }
}

/// The index of `.N` or `[N]` at the start of a name, and the rest of the name.
fn index(name: &str) -> Option<(usize, &str)> {
    let bracket = name.starts_with('[');
    let rest = name.strip_prefix(['.', '['])?;
    let (digits, rest) = rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
    let rest = if bracket { rest.strip_prefix(']')? } else { rest };
    // Parsing fails without digits.
    Some((digits.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_add_up_and_the_first_is_the_identity() {
        for (source, target) in [(1, 16), (16, 1), (8192, 512), (1920, 1280), (1280, 1920), (720, 720), (7, 5), (3, 8000)] {
            let tables = FilterTables::new((source, source), (target, target));
            for (name, table) in tables.named() {
                for row in table {
                    assert_eq!(row.iter().map(|&k| k as i32).sum::<i32>(), 64, "{name} {source} to {target}");
                }
                if target >= source {
                    assert_eq!(table[0], [0, 0, 0, 64, 0, 0, 0, 0], "{name}");
                }
            }
            assert_eq!(tables.x0, tables.y0);
            assert!(tables.x1.iter().all(|&[a, b, .., c, d]| [a, b, c, d] == [0; 4]));
        }
    }

    /// Halfway between two samples the taps are symmetric.
    #[test]
    fn the_last_row_is_symmetric() {
        for target in [5, 60, 99, 100, 101, 1000] {
            let tables = FilterTables::new((100, 100), (target, target));
            for (name, table) in tables.named() {
                let [a, b, c, d, e, f, g, h] = table[16];
                assert_eq!([a, b, c], [h, g, f], "{name}");
                assert!((d - e).abs() <= 2, "{name}");
            }
        }
    }

    #[test]
    fn single_coefficients_are_replaced() {
        let mut coefficients = Coefficients::default();
        for name in ["scaler.table_0x.16.7", "SCALER.TABLE0Y[0][0]", "scaler.table_1x.3.2", "scaler.table_1y[3].5"] {
            assert_eq!(coefficients.try_set(name, -128), Ok(true), "{name}");
        }
        let (tables, usual) = (coefficients.filter_tables((4, 4), (4, 4)), FilterTables::new((4, 4), (4, 4)));
        assert_eq!([tables.x0[16][7], tables.y0[0][0], tables.x1[3][2], tables.y1[3][5]], [-128; 4]);
        for ((name, table), (_, usual)) in tables.named().into_iter().zip(usual.named()) {
            let both = table.as_flattened().iter().zip(usual.as_flattened());
            assert_eq!(both.filter(|(a, b)| a != b).count(), 1, "{name}");
        }
        let before = coefficients.clone();
        for indices in [
            "",
            ".0",
            ".17.0",
            ".0.8",
            ".0.0.0",
            "[0.0",
            "[0]0",
            "[0].0]",
            "[0.0]",
            ".+1.0",
            ".0.-1",
            "..0",
            ".0. 0",
            ".[0].0",
            "[][]",
            "[0][0",
            ".0.0.",
            ".99999999999999999999.0",
        ] {
            let error = coefficients.try_set(&format!("scaler.table_0x{indices}"), 0).unwrap_err();
            assert!(matches!(error, ParameterError::UnknownCoefficient { .. }), "{indices}");
            assert!(error.to_string().starts_with("no coefficient"), "{error}");
        }
        assert!(
            coefficients.try_set("scaler.table_1x.0.1", 0).is_err() && coefficients.try_set("scaler.table_1x.0.6", 0).is_err()
        );
        let message = coefficients.try_set("scaler.table0x[12].3", 128).unwrap_err().to_string();
        assert_eq!(message, "scaler.table_0x.12.3 takes a whole number of -128…127");
        for name in
            ["scaler.table_2x.0.0", "table_0x.0.0", "scaler.0.0", "scaler[0]", "scaler.table_0x0].0", "scalertable_0x.0.0"]
        {
            assert_eq!(coefficients.try_set(name, 0), Ok(false), "{name}");
        }
        assert_eq!(coefficients, before);
    }
}
