//! VEBOX_IECP_STATE of Gen11. Up to the amplifier (DWord 54) it has the fields of the Gen6 colour
//! pipe. The conversion is finer. The fields behind it hold the parameters of the stages beyond
//! Gen6.
use super::color;
use crate::gen6::state::error::StateError;
use crate::gen6::state::field::Format::{self, Signed as S, Unsigned as U};
use crate::gen6::state::field::{Field, field, fine_parameter, parameter, reserved};
use crate::gen6::state::structure::{Structure, unconditional};
use crate::parameters::Parameters;
use std::sync::LazyLock;

/// Number of DWords of a VEBOX_IECP_STATE.
pub const VEBOX_IECP_DWORDS: usize = 115;

impl Parameters {
    /// Sets the parameters of the colour pipe, including its enables, from a VEBOX_IECP_STATE: all
    /// except `yuv_in` and `yuv_out`. Reserved bits are ignored. The coefficients and offsets of
    /// the Gen11 conversion have six fractional bits more than the parameters; these bits are
    /// truncated.
    ///
    /// # Errors
    /// [`StateError::Range`] if a field is outside the range of its parameter; nothing is changed
    /// then.
    pub fn set_vebox_iecp_state(&mut self, state: &[u32; VEBOX_IECP_DWORDS]) -> Result<(), StateError> {
        self.read_structure(&LAYOUT, state)
    }

    /// The VEBOX_IECP_STATE of these parameters. Fields that hold no parameter have their defaults,
    /// reserved bits are 0.
    ///
    /// # Errors
    /// [`StateError::Range`] if a parameter is outside the range of its field.
    pub fn vebox_iecp_state(&self) -> Result<[u32; VEBOX_IECP_DWORDS], StateError> {
        let mut state = [0; VEBOX_IECP_DWORDS];
        state.copy_from_slice(&LAYOUT.defaults());
        self.update_vebox_iecp_state(&mut state)?;
        Ok(state)
    }

    /// Writes the parameters into a VEBOX_IECP_STATE. Fields that hold no parameter are kept, and
    /// so are the extra fractional bits of values that do not change.
    ///
    /// # Errors
    /// [`StateError::Range`] if a parameter is outside the range of its field; nothing is changed
    /// then.
    pub fn update_vebox_iecp_state(&self, state: &mut [u32; VEBOX_IECP_DWORDS]) -> Result<(), StateError> {
        self.write_structure(&LAYOUT, state)
    }
}

pub(in crate::gen6::state) static LAYOUT: LazyLock<Structure> = LazyLock::new(|| Structure {
    name: "VEBOX_IECP_STATE",
    dwords: VEBOX_IECP_DWORDS,
    section: "Gen11 volume 2d, VEBOX_IECP_STATE",
    condition: unconditional,
    fields: [like_gen6(), conversion(), alpha(), colour_correction(), front_end(), gamut()].concat(),
});

/// Skin tone, contrast, colour control and amplifier: as in a COLOR_PROCESSING_STATE except three
/// DWords.
fn like_gen6() -> Vec<Field> {
    let changed = [
        field("std_score_output", 1, 31, 31, U(1, 0)).about("skin scores replace the samples"),
        parameter("lace.min_luma", 29, 31, 16, U(16, 0)),
        parameter("lace.single_histogram_set", 29, 15, 14, U(2, 0)),
        parameter("lace.histogram_size", 29, 13, 13, U(1, 0)),
        field("lace_histogram_enable", 29, 12, 12, U(1, 0)).about("local histograms are on"),
        reserved(29, 11, 7),
        reserved(29, 1, 1),
        parameter("lace.max_luma", 41, 31, 16, U(16, 0)),
        reserved(41, 15, 11),
    ];
    let mask = |dword: usize| changed.iter().filter(|field| field.dword == dword).fold(0, |bits, field| bits | field.mask());
    let same = color::LAYOUT.fields.iter().filter(|field| field.dword < 55 && mask(field.dword) & field.mask() == 0);
    sorted(same.chain(&changed).copied().collect())
}

fn conversion() -> Vec<Field> {
    let mut fields = vec![parameter("color.transform_enable", 55, 31, 31, U(1, 0)), reserved(55, 30, 19)];
    let names = ["color.c0", "color.c1", "color.c2", "color.c3", "color.c4", "color.c5", "color.c6", "color.c7", "color.c8"];
    for (name, dword) in names.into_iter().zip(55..) {
        if dword > 55 {
            fields.push(reserved(dword, 31, 19));
        }
        fields.push(fine_parameter(6, name, dword, 18, 0, S(2, 16)));
    }
    let offsets = [
        ("color.offset_out_1", "color.offset_in_1"),
        ("color.offset_out_2", "color.offset_in_2"),
        ("color.offset_out_3", "color.offset_in_3"),
    ];
    for ((out, into), dword) in offsets.into_iter().zip(64..) {
        fields.extend([fine_parameter(6, out, dword, 31, 16, S(15, 0)), fine_parameter(6, into, dword, 15, 0, S(15, 0))]);
    }
    fields
}

fn alpha() -> Vec<Field> {
    let area = |dword, most: &'static str, least: &'static str| {
        let limit = |name, low| field(name, dword, low + 13, low, U(14, 0)).about("area of interest of the statistics");
        [reserved(dword, 31, 30), limit(most, 16), reserved(dword, 15, 14), limit(least, 0)]
    };
    let mut fields = vec![
        reserved(67, 31, 18),
        parameter("color.full_image_histogram", 67, 17, 17, U(1, 0)),
        parameter("color.alpha_from_state_select", 67, 16, 16, U(1, 0)),
        parameter("color.color_pipe_alpha", 67, 15, 0, U(16, 0)),
    ];
    fields.extend(area(68, "aoi_max_x", "aoi_min_x"));
    fields.extend(area(69, "aoi_max_y", "aoi_min_y"));
    fields
}

fn colour_correction() -> Vec<Field> {
    let enable = field("ccm_enable", 70, 31, 31, U(1, 0)).about("colour correction matrix");
    let mut fields = vec![enable, reserved(70, 30, 21)];
    fields.extend((71..=78).map(|dword| reserved(dword, 31, 21)));
    fields.extend(matrix("color.ccm_", 70));
    sorted(fields)
}

/// The parameters of a matrix and of its offsets, whose names begin with `stage`, in 15 DWords from
/// DWord `at` on: the lower 21 or 17 bits.
fn matrix(stage: &str, at: usize) -> Vec<Field> {
    // The documents list the coefficients of a row in swapped pairs.
    let coefficients = [1, 0, 3, 2, 5, 4, 7, 6, 8].into_iter().zip(at..);
    let mut fields: Vec<_> =
        coefficients.map(|(number, dword)| held(format!("{stage}c{number}"), dword, 20, 0, S(4, 16))).collect();
    let offsets = ["in_r", "in_g", "in_b", "out_r", "out_g", "out_b"];
    for (offset, dword) in offsets.into_iter().zip(at + 9..) {
        fields.extend([reserved(dword, 31, 17), held(format!("{stage}offset_{offset}"), dword, 16, 0, S(16, 0))]);
    }
    fields
}

/// The field of the parameter with this name.
fn held(name: String, dword: usize, high: u32, low: u32, format: Format) -> Field {
    let known = Parameters::field(&name).map_or("", |known| known.name);
    parameter(known, dword, high, low, format)
}

fn front_end() -> Vec<Field> {
    let mut fields =
        vec![field("fecsc_enable", 85, 31, 31, U(1, 0)).about("conversion before the first stage"), reserved(85, 30, 19)];
    for (number, dword) in (85..=93).enumerate() {
        if dword > 85 {
            fields.push(reserved(dword, 31, 19));
        }
        fields.push(held(format!("color.fecsc_c{number}"), dword, 18, 0, S(2, 16)));
    }
    for (number, dword) in (94..=96).enumerate() {
        let offset =
            |direction: &str, low| held(format!("color.fecsc_offset_{direction}_{}", number + 1), dword, low + 15, low, S(15, 0));
        fields.extend([offset("out", 16), offset("in", 0)]);
    }
    fields
}

fn gamut() -> Vec<Field> {
    let about = "gamut mapping";
    let mut fields = vec![
        field("gamut_a_r", 97, 31, 23, U(9, 0)).with_default(436).about(about),
        parameter("gamut.global_mode", 97, 22, 22, U(1, 0)),
        reserved(97, 21, 21),
        parameter("gamut.cm_w", 98, 31, 22, U(10, 0)),
        reserved(98, 21, 21),
        parameter("gamut.cm_s", 99, 31, 22, U(2, 8)),
        reserved(99, 21, 21),
        field("gamut_a_g", 100, 31, 25, U(7, 0)).about(about),
        reserved(100, 24, 21),
        field("gamut_a_b", 101, 31, 25, U(7, 0)).about(about),
        reserved(101, 24, 21),
        parameter("gamut.r_s", 102, 31, 22, U(2, 8)),
        reserved(102, 21, 21),
        parameter("gamut.cm_i", 103, 31, 24, U(0, 8)),
        reserved(103, 23, 21),
        parameter("gamut.r_i", 104, 31, 24, U(0, 8)),
        reserved(104, 23, 21),
        reserved(105, 31, 21),
        reserved(112, 31, 31),
        parameter("gamut.full_range", 112, 30, 30, U(1, 0)),
        parameter("gamut.d_in", 112, 29, 20, U(10, 0)),
        parameter("gamut.d_out", 112, 19, 10, U(10, 0)),
        parameter("gamut.d1_out", 112, 9, 0, U(10, 0)),
        field("xvycc_enable", 113, 31, 31, U(1, 0)).about("coding of xvYCC"),
        field("gamut_compression_line_shift", 113, 30, 28, U(3, 0)).about(about),
        reserved(113, 27, 10),
        parameter("gamut.d1_in", 113, 9, 0, U(10, 0)),
        parameter("gamut.mode", 114, 31, 30, U(2, 0)),
        parameter("gamut.chroma_only", 114, 29, 29, U(1, 0)),
        reserved(114, 28, 25),
        parameter("gamut.scaling_factor", 114, 24, 11, U(2, 12)),
        reserved(114, 10, 1),
        field("cpi_override", 114, 0, 0, U(1, 0)).about(about),
    ];
    fields.extend(matrix("gamut.", 97));
    sorted(fields)
}

fn sorted(mut fields: Vec<Field>) -> Vec<Field> {
    fields.sort_by_key(|field| (field.dword, std::cmp::Reverse(field.high)));
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gen6::state::layout::color::COLOR_DWORDS;

    /// Up to the amplifier the DWords equal those of Gen6.
    #[test]
    fn the_first_dwords_are_those_of_gen6() {
        let mut parameters = Parameters::default();
        let color: [u32; COLOR_DWORDS] = std::array::from_fn(|dword| (dword as u32 + 1).wrapping_mul(0x9e37_79b9));
        parameters.set_color_state(&color).unwrap();
        let (gen6, gen11) = (parameters.color_state().unwrap(), parameters.vebox_iecp_state().unwrap());
        for (dword, (old, new)) in gen6.into_iter().zip(gen11).enumerate().take(55) {
            let elsewhere = if dword == 29 { 2 } else { 0 };
            // Local contrast.
            let own = [(29, 0xffff_f000), (41, 0xffff_0000)].into_iter().find(|own| own.0 == dword).map_or(0, |own| own.1);
            assert_eq!(old & !elsewhere, new & !own, "DWord {dword}");
        }
        // Six bits more: 19.
        let gen11_coefficients = [55, 56, 63].map(|dword: usize| (gen11[dword] << 13) as i32 >> 13);
        assert_eq!(
            [parameters.color.c0, parameters.color.c1, parameters.color.c8].map(|c| i32::from(c) << 6),
            gen11_coefficients
        );
        let mut again = Parameters::default();
        again.set_vebox_iecp_state(&gen11).unwrap();
        // The structure has no fields for these two.
        (again.color.yuv_in, again.color.yuv_out) = (parameters.color.yuv_in, parameters.color.yuv_out);
        assert_eq!(again, parameters);
    }

    #[test]
    fn an_update_changes_only_the_parameters() {
        let mut state = Parameters::default().vebox_iecp_state().unwrap();
        for (name, value) in [("color.c0", (1024 << 6) + 63), ("gamut_a_g", 1), ("ccm_enable", 1), ("color.offset_in_2", -33)] {
            LAYOUT.field(name).unwrap().set(&mut state, value).unwrap();
        }
        let mut parameters = Parameters::default();
        parameters.set_vebox_iecp_state(&state).unwrap();
        // Truncated towards minus infinity.
        assert_eq!((parameters.color.c0, parameters.color.offset_in_2), (1024, -1));
        let mut updated = state;
        parameters.update_vebox_iecp_state(&mut updated).unwrap();
        assert_eq!(updated, state);
        parameters.color.c0 = 1023;
        parameters.update_vebox_iecp_state(&mut updated).unwrap();
        assert_eq!((updated[55], &updated[56..]), (1023 << 6, &state[56..]));
    }
}
