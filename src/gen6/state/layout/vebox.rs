//! VEBOX_DNDI_STATE of Gen11. Many fields exist on Gen6, too, and hold the same parameters. The
//! others have names but hold no parameters.
use super::field_match::{self, CODES};
use crate::field_match::FieldMatch;
use crate::gen6::state::error::StateError;
use crate::gen6::state::field::Format::Unsigned as U;
use crate::gen6::state::field::{Field, biased_parameter, field, fine_parameter, parameter, reserved};
use crate::gen6::state::structure::{Structure, unconditional};
use crate::parameters::Parameters;
use std::sync::LazyLock;

/// Number of DWords of a VEBOX_DNDI_STATE.
pub const VEBOX_DNDI_DWORDS: usize = 45;

/// The settings of one step in a VEBOX_DNDI_STATE. On Gen11 the enables are in another structure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VeboxControl {
    /// Whether the top field is the earlier one.
    pub top_first: bool,
    /// Whether the denoise filter treats the picture as progressive.
    pub progressive_dn: bool,
    /// Match of the second field of the previous frame (§3.8).
    pub prev2: FieldMatch,
    /// Match of the first field of the current frame (§3.8).
    pub cur1: FieldMatch,
}

impl Parameters {
    /// Sets the parameters that a VEBOX_DNDI_STATE holds, including motion compensation, and
    /// returns its settings of the step. Chroma denoising gets the history and the good neighbours
    /// of the luma. Reserved bits are ignored. Parameters that Gen11 lacks
    /// (`good_neighbor_th`, those of the angles) are kept. The denoise thresholds of Gen11 have
    /// four fractional bits that the parameters lack; these bits are truncated.
    ///
    /// # Errors
    /// [`StateError::Range`] if a field is outside the range of its parameter; nothing is changed
    /// then.
    pub fn set_vebox_dndi_state(&mut self, state: &[u32; VEBOX_DNDI_DWORDS]) -> Result<VeboxControl, StateError> {
        let control = VeboxControl {
            top_first: TOP_FIRST.value(state) == 1,
            progressive_dn: PROGRESSIVE_DN.value(state) == 1,
            prev2: field_match::get(&PREV2, state)?,
            cur1: field_match::get(&CUR1, state)?,
        };
        self.read_structure(&LAYOUT, state)?;
        // Chroma has no fields of these.
        let (chroma, luma) = (&mut self.chroma_denoise, &self.denoise);
        chroma.good_neighbor_th = luma.good_neighbor_th;
        (chroma.history_max, chroma.history_delta) = (luma.history_max, luma.history_delta);
        Ok(control)
    }

    /// The VEBOX_DNDI_STATE of these parameters and the settings of a step. Fields that hold no
    /// parameter have their defaults, reserved bits are 0.
    ///
    /// # Errors
    /// [`StateError::Range`] if a parameter is outside the range of its field.
    pub fn vebox_dndi_state(&self, control: &VeboxControl) -> Result<[u32; VEBOX_DNDI_DWORDS], StateError> {
        let mut state = [0; VEBOX_DNDI_DWORDS];
        state.copy_from_slice(&LAYOUT.defaults());
        self.update_vebox_dndi_state(control, &mut state)?;
        Ok(state)
    }

    /// Writes the parameters and the settings of a step into a VEBOX_DNDI_STATE. Fields that hold
    /// no parameter are kept, and so are the extra fractional bits of thresholds that do not
    /// change.
    ///
    /// # Errors
    /// [`StateError::Range`] if a parameter is outside the range of its field; nothing is changed
    /// then.
    pub fn update_vebox_dndi_state(
        &self,
        control: &VeboxControl,
        state: &mut [u32; VEBOX_DNDI_DWORDS],
    ) -> Result<(), StateError> {
        self.write_structure(&LAYOUT, state)?;
        let values = [
            (TOP_FIRST, control.top_first.into()),
            (PROGRESSIVE_DN, control.progressive_dn.into()),
            (PREV2, field_match::value(control.prev2)),
            (CUR1, field_match::value(control.cur1)),
        ];
        for (field, value) in values {
            field.set(state, value)?;
        }
        Ok(())
    }
}

const PROGRESSIVE_DN: Field = field("progressive_dn", 3, 10, 10, U(1, 0)).about("denoise filter for progressive pictures");
const TOP_FIRST: Field = field("top_first", 38, 3, 3, U(1, 0)).about("the top field is the earlier one");
const PREV2: Field =
    field("cadence_prev2", 39, 17, 16, U(2, 0)).only_values(CODES).about("match of the 2nd field of the previous frame");
const CUR1: Field =
    field("cadence_cur1", 39, 9, 8, U(2, 0)).only_values(CODES).about("match of the 1st field of the current frame");

/// The parameters of the 5×5 filter of one channel from DWord `at` on: weights of differences,
/// limits and thresholds, and weights of the window.
macro_rules! spatial {
    ($channel:literal, $at:literal) => {{
        macro_rules! name {
            ($name:literal) => {
                concat!("dn5.", $channel, "_", $name)
            };
        }
        let threshold = |name, dword: usize, low: u32| parameter(name, $at + dword, low + 12, low, U(13, 0));
        let pair = |dword: usize, upper: &'static str, lower: &'static str| {
            let (upper, lower) = (threshold(upper, dword, 16), threshold(lower, dword, 0));
            vec![reserved($at + dword, 31, 29), upper, reserved($at + dword, 15, 13), lower]
        };
        let weights = |dword: usize, high: u32, names: &[&'static str]| -> Vec<Field> {
            let fields = names.iter().zip((0..=high).rev().step_by(5));
            fields.map(|(name, high)| parameter(name, $at + dword, high, high - 4, U(5, 0))).collect()
        };
        [
            vec![reserved($at, 31, 30)],
            weights(0, 29, &[name!("wr5"), name!("wr4"), name!("wr3"), name!("wr2"), name!("wr1"), name!("wr0")]),
            pair(1, name!("thmax"), name!("thmin")),
            pair(2, name!("prt5"), name!("dyn_thmin")),
            pair(3, name!("prt4"), name!("prt3")),
            pair(4, name!("prt2"), name!("prt1")),
            vec![reserved($at + 5, 31, 29), threshold(name!("prt0"), 5, 16), reserved($at + 5, 15, 15)],
            weights(5, 14, &[name!("wd22"), name!("wd21"), name!("wd20")]),
            vec![reserved($at + 6, 31, 30)],
            weights(6, 29, &[name!("wd12"), name!("wd11"), name!("wd10"), name!("wd02"), name!("wd01"), name!("wd00")]),
        ]
        .concat()
    }};
}

pub(in crate::gen6::state) static LAYOUT: LazyLock<Structure> = LazyLock::new(|| Structure {
    name: "VEBOX_DNDI_STATE",
    dwords: VEBOX_DNDI_DWORDS,
    section: "Gen11 volume 2d, VEBOX_DNDI_STATE",
    condition: unconditional,
    fields: [denoise(), spatial!("y", 9), spatial!("u", 16), spatial!("v", 23), rest()].concat(),
});

fn denoise() -> Vec<Field> {
    vec![
        fine_parameter(4, "stad_th", 0, 31, 17, U(11, 4)),
        reserved(0, 16, 8),
        parameter("history_max", 0, 7, 0, U(8, 0)),
        parameter("history_delta", 1, 31, 28, U(4, 0)),
        parameter("moving_pixel_th", 1, 27, 23, U(5, 0)),
        reserved(1, 22, 12),
        fine_parameter(4, "asd_th", 1, 11, 0, U(8, 4)),
        fine_parameter(4, "temporal_diff_th", 2, 31, 20, U(8, 4)),
        reserved(2, 19, 11),
        field("initial_history", 2, 10, 5, U(6, 0)).with_default(32).about("history of blocks without one"),
        reserved(2, 4, 0),
        fine_parameter(4, "temporal_diff_low", 3, 31, 20, U(8, 4)),
        reserved(3, 19, 11),
        PROGRESSIVE_DN,
        parameter("hot.luma_count", 3, 9, 2, U(8, 0)),
        reserved(3, 1, 0),
        fine_parameter(4, "scm_th", 4, 31, 20, U(8, 4)),
        parameter("hot.luma_threshold", 4, 19, 12, U(8, 0)),
        fine_parameter(4, "bne_noise_th", 4, 11, 0, U(8, 4)),
        fine_parameter(4, "chroma.stad_th", 5, 31, 17, U(11, 4)),
        reserved(5, 16, 16),
        parameter("hot.u_threshold", 5, 15, 8, U(8, 0)),
        parameter("hot.u_count", 5, 7, 0, U(8, 0)),
        fine_parameter(4, "chroma.temporal_diff_th", 6, 31, 20, U(8, 4)),
        reserved(6, 19, 12),
        fine_parameter(4, "bne_edge_th", 6, 11, 1, U(7, 4)),
        field("chroma_denoise_enable", 6, 0, 0, U(1, 0)).about("chroma denoising is on"),
        fine_parameter(4, "chroma.temporal_diff_low", 7, 31, 20, U(8, 4)),
        reserved(7, 19, 16),
        parameter("hot.v_threshold", 7, 15, 8, U(8, 0)),
        parameter("hot.v_count", 7, 7, 0, U(8, 0)),
        reserved(8, 31, 29),
        parameter("chroma.moving_pixel_th", 8, 28, 24, U(5, 0)),
        fine_parameter(4, "chroma.asd_th", 8, 23, 12, U(8, 4)),
        fine_parameter(4, "chroma.scm_th", 8, 11, 0, U(8, 4)),
    ]
}

fn rest() -> Vec<Field> {
    vec![
        field("eight_direction_edge_th", 30, 31, 17, U(15, 0))
            .with_default(1024)
            .about("edge threshold of the detector in eight directions"),
        field("valid_pixel_th", 30, 16, 7, U(10, 0))
            .with_default(480)
            .about("threshold of the valid pixels in the noise estimate"),
        reserved(30, 6, 0),
        field("small_sobel_th", 31, 31, 19, U(13, 0)).with_default(480).about("threshold of weak edges in the noise estimate"),
        field("large_sobel_th", 31, 18, 6, U(13, 0)).with_default(2400).about("threshold of strong edges in the noise estimate"),
        field("small_sobel_count_th", 31, 5, 0, U(6, 0)).about("threshold of the weak edges in a block"),
        field("median_sobel_count_th", 32, 31, 26, U(6, 0)).about("threshold of the edges in a block"),
        field("large_sobel_count_th", 32, 25, 20, U(6, 0)).about("threshold of the strong edges in a block"),
        field("block_sigma_diff_th", 32, 19, 6, U(14, 0)).with_default(480).about("threshold of the range of sigma in a block"),
        reserved(32, 5, 0),
        field("max_sobel_th", 33, 31, 19, U(13, 0))
            .with_default(1440)
            .about("threshold of the largest edge in the noise estimate"),
        reserved(33, 18, 0),
        reserved(34, 31, 13),
        biased_parameter(1, "stmm_c2", 34, 12, 10, U(3, 0)),
        biased_parameter(1, "cat_slope", 34, 9, 6, U(4, 0)),
        parameter("sad_tight_th", 34, 5, 2, U(4, 0)),
        parameter("smooth_mv_th", 34, 1, 0, U(2, 0)),
        parameter("blending_constant_select", 35, 31, 31, U(1, 0)),
        parameter("stmm_trc1", 35, 30, 24, U(7, 0)),
        parameter("stmm_trc2", 35, 23, 16, U(8, 0)),
        reserved(35, 15, 14),
        parameter("vecm_mul", 35, 13, 8, U(6, 0)),
        parameter("stmm_max", 35, 7, 0, U(8, 0)),
        parameter("stmm_min", 36, 31, 24, U(8, 0)),
        biased_parameter(4, "stmm_shift_down", 36, 23, 22, U(2, 0)),
        biased_parameter(6, "stmm_shift_up", 36, 21, 20, U(2, 0)),
        parameter("stmm_shift", 36, 19, 16, U(4, 0)),
        field("chroma_tdm_weight", 36, 15, 12, U(2, 2)).about("weight of the chroma in the temporal difference"),
        field("luma_tdm_weight", 36, 11, 8, U(2, 2)).with_default(4).about("weight of the luma in the temporal difference"),
        parameter("fmd_tdiff", 36, 7, 0, U(8, 0)),
        reserved(37, 31, 28),
        field("shcm_delta", 37, 27, 24, U(4, 0)).up_to(8).with_default(5).about("right shift of the horizontal complexity"),
        field("shcm_coring_th", 37, 23, 16, U(8, 0)).with_default(255).about("coring of the horizontal complexity"),
        reserved(37, 15, 12),
        field("svcm_delta", 37, 11, 8, U(4, 0)).up_to(8).with_default(5).about("right shift of the vertical complexity"),
        field("svcm_coring_th", 37, 7, 0, U(8, 0)).with_default(255).about("coring of the vertical complexity"),
        parameter("fmd_vdiff1", 38, 31, 24, U(8, 0)),
        parameter("fmd_vdiff2", 38, 23, 16, U(8, 0)),
        parameter("cat_th1", 38, 15, 14, U(2, 0)),
        parameter("fmd_thr_tear", 38, 13, 8, U(6, 0)),
        parameter("mcdi_enable", 38, 7, 7, U(1, 0)),
        reserved(38, 6, 4),
        TOP_FIRST,
        reserved(38, 2, 0),
        reserved(39, 31, 26),
        field("faster_convergence", 39, 25, 25, U(1, 0)).about("faster convergence of the motion measure"),
        field("luma_smaller_window", 39, 24, 24, U(1, 0)).about("smaller window of the luma's temporal difference"),
        field("chroma_smaller_window", 39, 23, 23, U(1, 0)).about("smaller window of the chroma's temporal difference"),
        parameter("neighbor_pixel_th", 39, 22, 19, U(4, 0)),
        reserved(39, 18, 18),
        PREV2,
        parameter("mc_pixel_consistency_th", 39, 15, 10, U(6, 0)),
        CUR1,
        parameter("sad_thb", 39, 7, 4, U(4, 0)),
        parameter("sad_tha", 39, 3, 0, U(4, 0)),
        field("sad_weight_3", 40, 31, 24, U(8, 0)).about("weight of a SAD"),
        field("sad_weight_2", 40, 23, 16, U(8, 0)).about("weight of a SAD"),
        field("sad_weight_1", 40, 15, 8, U(8, 0)).about("weight of a SAD"),
        field("sad_weight_0", 40, 7, 0, U(8, 0)).about("weight of a SAD"),
        field("chroma_sad_coring_th", 41, 31, 24, U(8, 0)).about("coring of the chroma's SAD"),
        field("luma_sad_coring_th", 41, 23, 16, U(8, 0)).about("coring of the luma's SAD"),
        field("sad_weight_6", 41, 15, 8, U(8, 0)).about("weight of a SAD"),
        field("sad_weight_4", 41, 7, 0, U(8, 0)).about("weight of a SAD"),
        reserved(42, 31, 31),
        field("bypass_deflicker", 42, 30, 30, U(1, 0)).about("no deflicker"),
        field("par_synthetic_median", 42, 29, 29, U(1, 0)).about("median of synthetic content"),
        field("par_local_check", 42, 28, 28, U(1, 0)).with_default(1).about("check of the surroundings"),
        field("par_synthetic_check", 42, 27, 27, U(1, 0)).about("check for synthetic content"),
        field("par_direction_check_th", 42, 26, 24, U(3, 0)).with_default(3).about("threshold of the directions"),
        field("par_tearing_low_th", 42, 23, 16, U(8, 0)).with_default(20).about("lower threshold of tearing"),
        field("par_tearing_high_th", 42, 15, 8, U(8, 0)).with_default(100).about("upper threshold of tearing"),
        field("par_diff_check_slack_th", 42, 7, 0, U(8, 0)).with_default(15).about("slack of the differences"),
        parameter("deflicker.lut_3", 43, 31, 24, U(8, 0)),
        parameter("deflicker.lut_2", 43, 23, 16, U(8, 0)),
        parameter("deflicker.lut_1", 43, 15, 8, U(8, 0)),
        parameter("deflicker.lut_0", 43, 7, 0, U(8, 0)),
        parameter("deflicker.lut_7", 44, 31, 24, U(8, 0)),
        parameter("deflicker.lut_6", 44, 23, 16, U(8, 0)),
        parameter("deflicker.lut_5", 44, 15, 8, U(8, 0)),
        parameter("deflicker.lut_4", 44, 7, 0, U(8, 0)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields that hold no parameter have the reset values of the hardware documents.
    #[test]
    fn own_fields_have_the_documents_defaults() {
        let mut reset = [0; VEBOX_DNDI_DWORDS];
        let documented = [
            (1, 0x8000_0000),
            (2, 0x400),
            (6, 0xa0),
            (30, 0x0800_f000),
            (31, 0x0f02_5800),
            (32, 0x7800),
            (33, 0x2d00_0000),
            (34, 0x254),
            (36, 0x400),
            (37, 0x05ff_05ff),
            (39, 0x0050_64a5),
            (42, 0x1314_640f),
            (44, 0xff80_4020),
        ];
        documented.iter().for_each(|&(dword, bits)| reset[dword] = bits);
        let defaults = LAYOUT.defaults();
        for field in LAYOUT.named_fields().filter(|field| field.parameter().is_none()) {
            assert_eq!(field.value(&defaults), field.value(&reset), "{}", field.name);
        }
        // These parameters have the same defaults.
        for name in
            ["history_delta", "cat_slope", "sad_tight_th", "neighbor_pixel_th", "mc_pixel_consistency_th", "sad_tha", "sad_thb"]
        {
            let field = LAYOUT.field(name).unwrap();
            assert_eq!(field.value(&defaults), field.value(&reset), "{name}");
        }
    }

    #[test]
    fn parameters_and_step_round_trip() {
        let mut parameters = Parameters::default();
        for (name, value) in [("stad_th", 140), ("bne_edge_th", 5), ("cat_slope", 16), ("mcdi_enable", 0), ("stmm_shift_up", 8)] {
            parameters.set(name, value).unwrap();
        }
        let control = VeboxControl { top_first: true, progressive_dn: true, prev2: FieldMatch::Next, cur1: FieldMatch::Previous };
        let state = parameters.vebox_dndi_state(&control).unwrap();
        assert_eq!((state[0], state[1]), (140 << 21 | 192, 8 << 28 | 32 << 4));
        assert_eq!((state[6], state[34]), (12 << 24 | 80 << 1, 2 << 10 | 15 << 6 | 5 << 2));
        let mut again = Parameters::default();
        assert_eq!(again.set_vebox_dndi_state(&state), Ok(control));
        assert_eq!(again, parameters);
    }

    /// An update keeps fields that hold no parameter, and extra fractional bits.
    #[test]
    fn an_update_changes_only_the_parameters() {
        let mut state = Parameters::default().vebox_dndi_state(&VeboxControl::default()).unwrap();
        for (name, value) in
            [("stad_th", 128 * 16 + 7), ("initial_history", 21), ("par_tearing_low_th", 3), ("asd_th", 32 * 16 + 15)]
        {
            LAYOUT.field(name).unwrap().set(&mut state, value).unwrap();
        }
        let mut parameters = Parameters::default();
        let control = parameters.set_vebox_dndi_state(&state).unwrap();
        assert_eq!(parameters, Parameters::default());
        let mut updated = state;
        parameters.update_vebox_dndi_state(&control, &mut updated).unwrap();
        assert_eq!(updated, state);
        parameters.denoise.stad_th = 129;
        parameters.update_vebox_dndi_state(&control, &mut updated).unwrap();
        assert_eq!((updated[0], &updated[1..]), (129 << 21 | 192, &state[1..]));
    }

    #[test]
    fn values_out_of_range_are_refused() {
        let mut state = Parameters::default().vebox_dndi_state(&VeboxControl::default()).unwrap();
        state[0] = 256 << 21 | 192;
        let mut parameters = Parameters::default();
        assert_eq!(parameters.set_vebox_dndi_state(&state).unwrap_err().to_string(), "stad_th = 256 is outside 0…255");
        assert_eq!(LAYOUT.check(&state, false).unwrap_err().to_string(), "stad_th = 256 is outside 0…255.9375");
    }
}
