//! VEBOX_CAPTURE_PIPE_STATE of Gen11: the fields of the white balance (§13.7).
use crate::parameters::Parameters;

/// Number of DWords of a VEBOX_CAPTURE_PIPE_STATE.
pub const VEBOX_CAPTURE_DWORDS: usize = 7;

impl Parameters {
    /// Sets the parameters of the white balance, except its speed, from a VEBOX_CAPTURE_PIPE_STATE.
    /// The gain of green is that of the upper green pixels. Other fields are ignored.
    pub fn set_vebox_capture_state(&mut self, state: &[u32; VEBOX_CAPTURE_DWORDS]) {
        let balance = &mut self.white_balance;
        let [bright, outlier, threshold, _] = state[2].to_be_bytes();
        (balance.y_bright, balance.y_outlier, balance.uv_threshold) = (bright, outlier, threshold);
        (balance.red, balance.green) = ((state[5] >> 16) as u16, state[5] as u16);
        balance.blue = (state[6] >> 16) as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_the_white_balance() {
        let mut p = Parameters::default();
        p.set_vebox_capture_state(&[1, 2, 0x0102_0304, 5, 6, 0x0708_090a, 0x0b0c_0d0e]);
        let w = &p.white_balance;
        assert_eq!((w.y_bright, w.y_outlier, w.uv_threshold, w.speed), (1, 2, 3, 2));
        assert_eq!([w.red, w.green, w.blue], [0x0708, 0x090a, 0x0b0c]);
    }
}
