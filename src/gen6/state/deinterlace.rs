//! SAMPLER_STATE of deinterlace: denoise filter, noise estimate, deinterlacer, film variances, and how a step is to run.
use super::StateError;
use super::field::Format::Unsigned as U;
use super::field::{Field, field, parameter, reserved, stored_less};
use super::structure::Structure;
use crate::field_match::FieldMatch;
use crate::parameters::Parameters;
use crate::parameters::field::ParameterError;
use std::sync::LazyLock;

/// DWords of a SAMPLER_STATE for deinterlace.
pub const DEINTERLACE_DWORDS: usize = 8;

/// What a SAMPLER_STATE for deinterlace says beside parameters: how one step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeinterlaceControl {
    /// The luma is denoised.
    pub dn_enable: bool,
    /// Fields are completed. This or `dn_enable` must be on.
    pub di_enable: bool,
    /// The top field is the earlier one.
    pub top_first: bool,
    /// The first frame of a stream: there is none before it.
    pub first_frame: bool,
    /// The denoise filter takes the picture as progressive; only without `di_enable`.
    pub progressive_dn: bool,
    /// What the 2nd field of the previous frame is made with.
    pub prev2: FieldMatch,
    /// What the 1st field of the current frame is made with.
    pub cur1: FieldMatch,
}

impl Default for DeinterlaceControl {
    /// Denoises and deinterlaces a frame in the middle of a stream, bottom field first.
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
    fn check(&self) -> Result<(), ParameterError> {
        let conflict = |message: &str| Err(ParameterError::Conflict { fields: &[], message: message.to_owned() });
        match self {
            DeinterlaceControl { dn_enable: false, di_enable: false, .. } => conflict("dn_enable and di_enable are both off"),
            DeinterlaceControl { di_enable: true, progressive_dn: true, .. } => {
                conflict("progressive_dn is on, which needs di_enable off")
            }
            _ => Ok(()),
        }
    }
}

impl Parameters {
    /// Takes what a SAMPLER_STATE for deinterlace holds of the parameters, and tells the rest. Reserved bits are ignored; conditions
    /// across parameters are left to [`check`](Parameters::check).
    ///
    /// # Errors
    /// [`ParameterError::Range`] where a field holds what it cannot be, [`ParameterError::Conflict`] of enables that exclude each other;
    /// nothing is changed then.
    pub fn set_deinterlace_state(&mut self, state: &[u32; DEINTERLACE_DWORDS]) -> Result<DeinterlaceControl, ParameterError> {
        let flag = |field: Field| field.value(state) == 1;
        let control = DeinterlaceControl {
            dn_enable: flag(DN_ENABLE),
            di_enable: flag(DI_ENABLE),
            top_first: flag(TOP_FIRST),
            first_frame: flag(FIRST_FRAME),
            progressive_dn: flag(PROGRESSIVE_DN),
            prev2: code(PREV2, state)?,
            cur1: code(CUR1, state)?,
        };
        control.check()?;
        self.read_structure(&LAYOUT, state)?;
        Ok(control)
    }

    /// The SAMPLER_STATE for deinterlace of these parameters and a step, reserved bits 0.
    ///
    /// # Errors
    /// [`ParameterError::Range`] of a parameter that its field cannot hold, [`ParameterError::Conflict`] of enables that exclude each
    /// other.
    pub fn deinterlace_state(&self, control: &DeinterlaceControl) -> Result<[u32; DEINTERLACE_DWORDS], ParameterError> {
        control.check()?;
        let mut state = [0; DEINTERLACE_DWORDS];
        self.write_structure(&LAYOUT, &mut state)?;
        let values = [
            (DN_ENABLE, control.dn_enable.into()),
            (DI_ENABLE, control.di_enable.into()),
            (TOP_FIRST, control.top_first.into()),
            (FIRST_FRAME, control.first_frame.into()),
            (PROGRESSIVE_DN, control.progressive_dn.into()),
            (PREV2, value(control.prev2)),
            (CUR1, value(control.cur1)),
        ];
        for (field, value) in values {
            field.set(&mut state, value).expect("a value of the field");
        }
        Ok(state)
    }
}

/// The code in a field.
pub(super) fn code(field: Field, dwords: &[u32]) -> Result<FieldMatch, ParameterError> {
    match field.value(dwords) {
        0 => Ok(FieldMatch::Deinterlace),
        1 => Ok(FieldMatch::Previous),
        2 => Ok(FieldMatch::Next),
        value => Err(ParameterError::Range { name: field.name, value, min: 0, max: 2 }),
    }
}

/// A code's value.
pub(super) fn value(code: FieldMatch) -> i64 {
    match code {
        FieldMatch::Deinterlace => 0,
        FieldMatch::Previous => 1,
        FieldMatch::Next => 2,
    }
}

pub(super) const CODES: &[(i64, &str)] = &[(0, "deinterlace"), (1, "previous field"), (2, "next field")];

const PROGRESSIVE_DN: Field = field("progressive_dn", 6, 6, 6, U(1, 0)).about("denoise takes the picture as progressive");
const FIRST_FRAME: Field = field("first_frame", 6, 5, 5, U(1, 0)).about("no frame came before");
const TOP_FIRST: Field = field("top_first", 6, 3, 3, U(1, 0)).about("the top field is the earlier one");
const DI_ENABLE: Field = field("di_enable", 6, 1, 1, U(1, 0)).usually(1).about("fields are completed");
const DN_ENABLE: Field = field("dn_enable", 6, 0, 0, U(1, 0)).usually(1).about("luma is denoised");
const PREV2: Field = field("cadence_prev2", 7, 17, 16, U(2, 0)).values(CODES).about("2nd field of the previous frame");
const CUR1: Field = field("cadence_cur1", 7, 9, 8, U(2, 0)).values(CODES).about("1st field of the current frame");

pub(super) static LAYOUT: LazyLock<Structure> = LazyLock::new(|| Structure {
    name: "SAMPLER_STATE_DEINTERLACE",
    dwords: DEINTERLACE_DWORDS,
    section: "Gen6 volume 4 part 1, 2.11.3.3",
    condition: |dwords| {
        let mut parameters = Parameters::default();
        let state = dwords.try_into().expect("as many DWords as the structure has");
        let checked = parameters.set_deinterlace_state(state).and_then(|control| parameters.check(control.di_enable));
        checked.map_err(|error| StateError::Conflict(error.to_string()))
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
        stored_less(1, "stmm_c2", 1, 15, 13, U(3, 0)),
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
        stored_less(4, "stmm_shift_down", 4, 23, 22, U(2, 0)),
        stored_less(6, "stmm_shift_up", 4, 21, 20, U(2, 0)),
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
        stored_less(1, "column_width", 7, 31, 23, U(9, 0)),
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
        // The defaults, as the table of the specification places them.
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
        let told = |dword: usize, bits: u32, low: u32, width: u32| {
            let mut state = good;
            state[dword] = state[dword] & !(((1 << width) - 1) << low) | bits << low;
            let mut parameters = usual.clone();
            let told = parameters.set_deinterlace_state(&state).unwrap_err().to_string();
            assert_eq!(parameters, usual);
            told
        };
        assert_eq!(told(0, 127, 16, 8), "history_max = 127 is outside 128…240");
        assert_eq!(told(4, 3, 22, 2), "stmm_shift_down = 7 is outside 4…6");
        assert_eq!(told(7, 3, 16, 2), "cadence_prev2 = 3 is outside 0…2");
        assert_eq!(told(6, 0, 0, 2), "dn_enable and di_enable are both off");
        assert_eq!(told(6, 1, 6, 1), "progressive_dn is on, which needs di_enable off");
        let mut parameters = usual.clone();
        parameters.deinterlace.stmm_shift = 16;
        let told = parameters.deinterlace_state(&DeinterlaceControl::default()).unwrap_err().to_string();
        assert_eq!(told, "stmm_shift = 16 is outside 0…15");
        let off = DeinterlaceControl { dn_enable: false, di_enable: false, ..Default::default() };
        assert!(usual.deinterlace_state(&off).is_err());
    }

    #[test]
    fn the_whole_state_has_conditions() {
        let mut state = LAYOUT.defaults();
        assert_eq!(LAYOUT.check(&state, true), Ok(()));
        LAYOUT.field("stmm_max").unwrap().set(&mut state, 151).unwrap();
        assert!(matches!(LAYOUT.check(&state, false), Err(StateError::Conflict(told)) if told.contains("stmm_max")));
        // Only when deinterlacing.
        DI_ENABLE.set(&mut state, 0).unwrap();
        assert_eq!(LAYOUT.check(&state, false), Ok(()));
        LAYOUT.field("temporal_diff_low").unwrap().set(&mut state, 13).unwrap();
        assert!(matches!(LAYOUT.check(&state, false), Err(StateError::Conflict(told)) if told.contains("temporal_diff")));
    }
}
