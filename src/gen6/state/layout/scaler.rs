//! SAMPLER_8x8_STATE: the coefficients and parameters of the scaler.
use crate::gen6::state::error::StateError;
use crate::gen6::state::field::Format::{Signed as S, Unsigned as U};
use crate::gen6::state::field::{Field, field, parameter, reserved};
use crate::gen6::state::structure::{Structure, unconditional};
use crate::parameters::Parameters;
use crate::scale::FilterTables;
use std::sync::LazyLock;

/// Number of DWords of a SAMPLER_8x8_STATE.
pub const SCALER_DWORDS: usize = 138;

/// Rows of the tables: beta = 0…16.
const ROWS: usize = 17;
/// DWords of one row of all four tables.
const ROW: usize = 8;

impl Parameters {
    /// Sets the filter tables and the parameters of the scaler from a SAMPLER_8x8_STATE. Reserved
    /// bits are ignored.
    ///
    /// # Errors
    /// [`StateError::Range`] if a field is outside the range of its parameter; nothing is changed
    /// then.
    pub fn set_scaler_state(&mut self, state: &[u32; SCALER_DWORDS]) -> Result<(), StateError> {
        let empty = [[0; 8]; ROWS];
        let mut tables = FilterTables { x0: empty, y0: empty, x1: empty, y1: empty };
        for (beta, row) in state[..ROWS * ROW].chunks_exact(ROW).enumerate() {
            let taps = |at: usize| -> [i8; 8] {
                let bytes = [row[at].to_le_bytes(), row[at + 1].to_le_bytes()];
                std::array::from_fn(|k| bytes[k / 4][k % 4] as i8)
            };
            let inner = |taps: [i8; 8]| [0, 0, taps[2], taps[3], taps[4], taps[5], 0, 0];
            (tables.x0[beta], tables.y0[beta]) = (taps(0), taps(2));
            (tables.x1[beta], tables.y1[beta]) = (inner(taps(4)), inner(taps(6)));
        }
        self.read_structure(&LAYOUT, state)?;
        self.coefficients.tables = Some(Box::new(tables));
        Ok(())
    }

    /// The SAMPLER_8x8_STATE of `tables` and the parameters of the scaler, with reserved bits 0.
    ///
    /// # Errors
    /// [`StateError::Range`] if a parameter is outside the range of its field.
    pub fn scaler_state(&self, tables: &FilterTables) -> Result<[u32; SCALER_DWORDS], StateError> {
        let mut state = [0; SCALER_DWORDS];
        for (beta, row) in state[..ROWS * ROW].chunks_exact_mut(ROW).enumerate() {
            for (index, (dwords, (_, table))) in row.chunks_exact_mut(2).zip(tables.named()).enumerate() {
                let [low, high] = [0, 4].map(|at| u32::from_le_bytes(std::array::from_fn(|k| table[beta][at + k] as u8)));
                // The chroma tables have the inner four taps only.
                let inner = if index < 2 { [u32::MAX; 2] } else { [0xffff_0000, 0x0000_ffff] };
                (dwords[0], dwords[1]) = (low & inner[0], high & inner[1]);
            }
        }
        self.write_structure(&LAYOUT, &mut state)?;
        Ok(state)
    }
}

pub(in crate::gen6::state) static LAYOUT: LazyLock<Structure> = LazyLock::new(|| {
    let mut fields = coefficients();
    fields.extend([
        parameter("scaler.default_sharpness", 136, 31, 24, U(8, 0)),
        parameter("scaler.max_deriv_4", 136, 23, 16, U(8, 0)),
        parameter("scaler.max_deriv_8", 136, 15, 8, U(8, 0)),
        reserved(136, 7, 7),
        parameter("scaler.transition_4", 136, 6, 4, U(3, 0)),
        reserved(136, 3, 3),
        parameter("scaler.transition_8", 136, 2, 0, U(3, 0)),
        reserved(137, 31, 23),
        parameter("scaler.bypass_x_adaptive", 137, 22, 22, U(1, 0)),
        parameter("scaler.bypass_y_adaptive", 137, 21, 21, U(1, 0)),
        reserved(137, 20, 2),
        parameter("scaler.adaptive_filter_for_all_channels", 137, 1, 1, U(1, 0)),
        parameter("scaler.rgb_adaptive", 137, 0, 0, U(1, 0)),
    ]);
    Structure {
        name: "SAMPLER_8x8_STATE",
        dwords: SCALER_DWORDS,
        section: "Gen6 volume 4 part 1, 2.11.4",
        condition: unconditional,
        fields,
    }
});

/// The four tables row by row, two DWords each, the lowest tap in the lowest byte. The defaults are
/// the tables for equal sizes.
fn coefficients() -> Vec<Field> {
    let usual = FilterTables::new((1, 1), (1, 1));
    let mut fields = Vec::new();
    for beta in 0..ROWS {
        for (table, (name, rows)) in usual.named().into_iter().enumerate() {
            for tap in [3, 2, 1, 0, 7, 6, 5, 4] {
                let (dword, low) = (beta * ROW + 2 * table + tap / 4, 8 * (tap as u32 % 4));
                if table >= 2 && !(2..=5).contains(&tap) {
                    // Four taps only: half of each DWord is reserved.
                    if tap == 1 || tap == 7 {
                        let low = if tap == 1 { 0 } else { 16 };
                        fields.push(reserved(dword, low + 15, low));
                    }
                    continue;
                }
                // The table is built once, so the leak is bounded.
                let coefficient = format!("scaler.{name}.{beta}.{tap}").leak();
                let field = field(coefficient, dword, low + 7, low, S(1, 6));
                fields.push(field.with_default(rows[beta][tap].into()).about("coefficient: row B, tap K"));
            }
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields of the table and the conversion use the same bytes.
    #[test]
    fn coefficients_use_the_bytes_of_the_table() {
        let mut state = [0; SCALER_DWORDS];
        state.copy_from_slice(&LAYOUT.defaults());
        for (name, value) in [("scaler.table_0x.16.7", -128), ("scaler.table_0y.3.0", 17), ("scaler.table_1y.9.2", 127)] {
            LAYOUT.field(name).unwrap().set(&mut state, value).unwrap();
        }
        let mut parameters = Parameters::default();
        parameters.set_scaler_state(&state).unwrap();
        let mut expected = FilterTables::new((1, 1), (1, 1));
        (expected.x0[16][7], expected.y0[3][0], expected.y1[9][2]) = (-128, 17, 127);
        assert_eq!(parameters.coefficients.tables.as_deref(), Some(&expected));
        // The outer taps of the chroma tables have no bits.
        expected.x1[4][0] = 5;
        assert_eq!(parameters.scaler_state(&expected), Ok(state));
    }
}
