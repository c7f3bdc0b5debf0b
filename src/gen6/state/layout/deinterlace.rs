//! SAMPLER_STATE of `deinterlace`: parameters of the denoise filter, the noise estimate, the
//! deinterlacer and the film mode variances, and the settings of one step.
use super::field_match::{self, CODES};
use crate::field_match::FieldMatch;
use crate::gen6::state::error::StateError;
use crate::gen6::state::field::Format::Unsigned as U;
use crate::gen6::state::field::{Field, biased_parameter, field, parameter, reserved};
use crate::gen6::state::structure::Structure;
use crate::parameters::Parameters;
use std::sync::LazyLock;

/// Number of DWords of a SAMPLER_STATE for `deinterlace`.
pub const DEINTERLACE_DWORDS: usize = 8;

/// The settings of one step in a SAMPLER_STATE for `deinterlace`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeinterlaceControl {
    /// Whether the luma is denoised.
    pub dn_enable: bool,
    /// Whether the fields are deinterlaced. This or `dn_enable` must be on.
    pub di_enable: bool,
    /// Whether the top field is the earlier one.
    pub top_first: bool,
    /// Whether the frame is the first one of a stream, so that there is no previous frame.
    pub first_frame: bool,
    /// Whether the denoise filter treats the picture as progressive; only without `di_enable`.
    pub progressive_dn: bool,
    /// Match of the second field of the previous frame (§3.8).
    pub prev2: FieldMatch,
    /// Match of the first field of the current frame (§3.8).
    pub cur1: FieldMatch,
}

impl Default for DeinterlaceControl {
    /// Denoising and deinterlacing of a frame in the middle of a stream, bottom field first, no
    /// matches.
    fn default() -> DeinterlaceControl {
        DeinterlaceControl {
            dn_enable: true,
            di_enable: true,
            top_first: false,
            first_frame: false,
            progressive_dn: false,
            prev2: FieldMatch::Deinterlace,
            cur1: FieldMatch::Deinterlace,
        }
    }
}

impl DeinterlaceControl {
    fn check(&self) -> Result<(), StateError> {
        let (fields, message): (&[&str], &str) = match self {
            DeinterlaceControl { dn_enable: false, di_enable: false, .. } => {
                (&["dn_enable", "di_enable"], "dn_enable and di_enable are both off")
            }
            DeinterlaceControl { di_enable: true, progressive_dn: true, .. } => {
                (&["progressive_dn", "di_enable"], "progressive_dn is on, which needs di_enable off")
            }
            _ => return Ok(()),
        };
        Err(StateError::Conflict { fields, message: message.to_owned() })
    }
}

impl Parameters {
    /// Sets the parameters that a SAMPLER_STATE for `deinterlace` holds, and returns its settings
    /// of the step. Reserved bits are ignored. Conditions across parameters are those of
    /// [`check`](Parameters::check), which the caller calls.
    ///
    /// # Errors
    /// [`StateError::Range`] if a field is outside its range, [`StateError::Conflict`] if enables
    /// exclude each other; nothing is changed then.
    pub fn set_deinterlace_state(&mut self, state: &[u32; DEINTERLACE_DWORDS]) -> Result<DeinterlaceControl, StateError> {
        let flag = |field: Field| field.value(state) == 1;
        let control = DeinterlaceControl {
            dn_enable: flag(DN_ENABLE),
            di_enable: flag(DI_ENABLE),
            top_first: flag(TOP_FIRST),
            first_frame: flag(FIRST_FRAME),
            progressive_dn: flag(PROGRESSIVE_DN),
            prev2: field_match::get(&PREV2, state)?,
            cur1: field_match::get(&CUR1, state)?,
        };
        control.check()?;
        self.read_structure(&LAYOUT, state)?;
        Ok(control)
    }

    /// The SAMPLER_STATE for `deinterlace` of these parameters and the settings of a step, with
    /// reserved bits 0.
    ///
    /// # Errors
    /// [`StateError::Range`] if a parameter is outside the range of its field,
    /// [`StateError::Conflict`] if enables exclude each other.
    pub fn deinterlace_state(&self, control: &DeinterlaceControl) -> Result<[u32; DEINTERLACE_DWORDS], StateError> {
        control.check()?;
        let mut state = [0; DEINTERLACE_DWORDS];
        self.write_structure(&LAYOUT, &mut state)?;
        let values = [
            (DN_ENABLE, control.dn_enable.into()),
            (DI_ENABLE, control.di_enable.into()),
            (TOP_FIRST, control.top_first.into()),
            (FIRST_FRAME, control.first_frame.into()),
            (PROGRESSIVE_DN, control.progressive_dn.into()),
            (PREV2, field_match::value(control.prev2)),
            (CUR1, field_match::value(control.cur1)),
        ];
        for (field, value) in values {
            field.set(&mut state, value)?;
        }
        Ok(state)
    }
}

const PROGRESSIVE_DN: Field = field("progressive_dn", 6, 6, 6, U(1, 0)).about("denoise filter for progressive pictures");
const FIRST_FRAME: Field = field("first_frame", 6, 5, 5, U(1, 0)).about("there is no previous frame");
const TOP_FIRST: Field = field("top_first", 6, 3, 3, U(1, 0)).about("the top field is the earlier one");
const DI_ENABLE: Field = field("di_enable", 6, 1, 1, U(1, 0)).with_default(1).about("deinterlacing is on");
const DN_ENABLE: Field = field("dn_enable", 6, 0, 0, U(1, 0)).with_default(1).about("luma denoising is on");
const PREV2: Field =
    field("cadence_prev2", 7, 17, 16, U(2, 0)).only_values(CODES).about("match of the 2nd field of the previous frame");
const CUR1: Field =
    field("cadence_cur1", 7, 9, 8, U(2, 0)).only_values(CODES).about("match of the 1st field of the current frame");

pub(in crate::gen6::state) static LAYOUT: LazyLock<Structure> = LazyLock::new(|| Structure {
    name: "SAMPLER_STATE_DEINTERLACE",
    dwords: DEINTERLACE_DWORDS,
    section: "Gen6 volume 4 part 1, 2.11.3.3",
    condition: |dwords| {
        let mut parameters = Parameters::default();
        let state = dwords.try_into().expect("as many DWords as the structure has");
        let control = parameters.set_deinterlace_state(state)?;
        Ok(parameters.check(control.di_enable)?)
    },
    fields: vec![
        parameter("stad_th", 0, 31, 24, U(8, 0)),
        parameter("history_max", 0, 23, 16, U(8, 0)),
        parameter("history_delta", 0, 15, 8, U(8, 0)),
        parameter("asd_th", 0, 7, 0, U(8, 0)),
        reserved(1, 31, 30),
        parameter("temporal_diff_th", 1, 29, 24, U(6, 0)),
        reserved(1, 23, 22),
        parameter("temporal_diff_low", 1, 21, 16, U(6, 0)),
        biased_parameter(1, "stmm_c2", 1, 15, 13, U(3, 0)),
        parameter("moving_pixel_th", 1, 12, 8, U(5, 0)),
        parameter("scm_th", 1, 7, 0, U(8, 0)),
        parameter("good_neighbor_th", 2, 31, 24, U(8, 0)),
        parameter("denoise_edge_th", 2, 23, 16, U(8, 0)),
        parameter("bne_edge_th", 2, 15, 8, U(8, 0)),
        parameter("bne_noise_th", 2, 7, 0, U(8, 0)),
        parameter("blending_constant_select", 3, 31, 31, U(1, 0)),
        parameter("stmm_trc1", 3, 30, 24, U(7, 0)),
        parameter("stmm_trc2", 3, 23, 16, U(8, 0)),
        reserved(3, 15, 14),
        parameter("vecm_mul", 3, 13, 8, U(6, 0)),
        parameter("stmm_max", 3, 7, 0, U(8, 0)),
        parameter("stmm_min", 4, 31, 24, U(8, 0)),
        biased_parameter(4, "stmm_shift_down", 4, 23, 22, U(2, 0)),
        biased_parameter(6, "stmm_shift_up", 4, 21, 20, U(2, 0)),
        parameter("stmm_shift", 4, 19, 16, U(4, 0)),
        parameter("sdi_threshold", 4, 15, 8, U(8, 0)),
        parameter("sdi_delta", 4, 7, 0, U(8, 0)),
        parameter("sdi_t1", 5, 31, 24, U(8, 0)),
        parameter("sdi_t2", 5, 23, 16, U(8, 0)),
        parameter("angle2x1", 5, 15, 8, U(8, 0)),
        parameter("fmd_tdiff", 5, 7, 0, U(8, 0)),
        parameter("fmd_vdiff1", 6, 31, 24, U(8, 0)),
        parameter("fmd_vdiff2", 6, 23, 16, U(8, 0)),
        reserved(6, 15, 14),
        parameter("fmd_thr_tear", 6, 13, 8, U(6, 0)),
        reserved(6, 7, 7),
        PROGRESSIVE_DN,
        FIRST_FRAME,
        parameter("stream_id", 6, 4, 4, U(1, 0)),
        TOP_FIRST,
        parameter("di_partial", 6, 2, 2, U(1, 0)),
        DI_ENABLE,
        DN_ENABLE,
        biased_parameter(1, "column_width", 7, 31, 23, U(9, 0)),
        reserved(7, 22, 19),
        parameter("vdi_walker_enable", 7, 18, 18, U(1, 0)),
        PREV2,
        reserved(7, 15, 10),
        CUR1,
        reserved(7, 7, 0),
    ],
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_and_its_parameters_round_trip() {
        let mut parameters = Parameters::default();
        parameters.set("stmm_c2", 8).unwrap();
        parameters.set("column_width", 45).unwrap();
        let control =
            DeinterlaceControl { top_first: true, prev2: FieldMatch::Previous, cur1: FieldMatch::Next, ..Default::default() };
        let state = parameters.deinterlace_state(&control).unwrap();
        // The defaults, as the table of the specification lists them.
        assert_eq!(state[0], 128 << 24 | 192 << 16 | 8 << 8 | 32);
        assert_eq!(state[1], 12 << 24 | 6 << 16 | 7 << 13 | 32);
        assert_eq!(state[4], 118 << 24 | 1 << 20 | 5 << 16 | 100 << 8 | 5);
        assert_eq!(state[6], 16 << 24 | 100 << 16 | 2 << 8 | 1 << 3 | 3);
        assert_eq!(state[7], 44 << 23 | 1 << 16 | 2 << 8);
        let mut again = Parameters::default();
        assert_eq!(again.set_deinterlace_state(&state), Ok(control));
        assert_eq!(again, parameters);
    }

    #[test]
    fn what_the_fields_cannot_hold_is_refused() {
        let usual = Parameters::default();
        let good = usual.deinterlace_state(&DeinterlaceControl::default()).unwrap();
        let refused = |dword: usize, bits: u32, low: u32, width: u32| {
            let mut state = good;
            state[dword] = state[dword] & !(((1 << width) - 1) << low) | bits << low;
            let mut parameters = usual.clone();
            let message = parameters.set_deinterlace_state(&state).unwrap_err().to_string();
            assert_eq!(parameters, usual);
            message
        };
        assert_eq!(refused(0, 127, 16, 8), "history_max = 127 is outside 128…240");
        assert_eq!(refused(4, 3, 22, 2), "stmm_shift_down = 7 is outside 4…6");
        assert_eq!(refused(7, 3, 16, 2), "cadence_prev2 = 3 is outside 0…2");
        assert_eq!(refused(6, 0, 0, 2), "dn_enable and di_enable are both off");
        assert_eq!(refused(6, 1, 6, 1), "progressive_dn is on, which needs di_enable off");
        let mut parameters = usual.clone();
        parameters.deinterlace.stmm_shift = 16;
        let message = parameters.deinterlace_state(&DeinterlaceControl::default()).unwrap_err().to_string();
        assert_eq!(message, "stmm_shift = 16 is outside 0…15");
        let off = DeinterlaceControl { dn_enable: false, di_enable: false, ..Default::default() };
        assert!(usual.deinterlace_state(&off).is_err());
    }

    #[test]
    fn the_whole_state_has_conditions() {
        let mut state = LAYOUT.defaults();
        assert_eq!(LAYOUT.check(&state, true), Ok(()));
        LAYOUT.field("stmm_max").unwrap().set(&mut state, 151).unwrap();
        let wrong = |state: &[u32]| match LAYOUT.check(state, false) {
            Err(StateError::Parameter(error)) => error.names(),
            other => panic!("{other:?}"),
        };
        assert!(wrong(&state).contains(&"stmm_max"));
        // Only with deinterlacing on.
        DI_ENABLE.set(&mut state, 0).unwrap();
        assert_eq!(LAYOUT.check(&state, false), Ok(()));
        LAYOUT.field("temporal_diff_low").unwrap().set(&mut state, 13).unwrap();
        assert!(wrong(&state).contains(&"temporal_diff_low"));
    }
}
