//! VEBOX_CAPTURE_PIPE_STATE of Gen11: the fields of the white balance (§13.7) and of raw Bayer
//! frames (§13.8).
use crate::parameters::Parameters;

/// Number of DWords of a VEBOX_CAPTURE_PIPE_STATE.
pub const VEBOX_CAPTURE_DWORDS: usize = 7;

impl Parameters {
    /// Sets the parameters of the white balance, except its speed, and of raw Bayer frames from a
    /// VEBOX_CAPTURE_PIPE_STATE. Both have the same gains; the green one of the white balance is
    /// that of the green samples next to red. Other fields are ignored.
    pub fn set_vebox_capture_state(&mut self, state: &[u32; VEBOX_CAPTURE_DWORDS]) {
        let balance = &mut self.white_balance;
        let [bright, outlier, threshold, _] = state[2].to_be_bytes();
        (balance.y_bright, balance.y_outlier, balance.uv_threshold) = (bright, outlier, threshold);
        (balance.red, balance.green) = ((state[5] >> 16) as u16, state[5] as u16);
        balance.blue = (state[6] >> 16) as u16;
        let capture = &mut self.capture;
        (capture.black_enable, capture.balance_enable) = (state[2] >> 1 & 1 == 1, state[2] & 1 == 1);
        // 16 bits, and the sign in another DWord.
        let black = |sign: u32, low: u32| (low & 0xffff) as i32 - (((state[2] >> sign & 1) << 16) as i32);
        (capture.black_red, capture.black_green_top) = (black(7, state[3] >> 16), black(6, state[3]));
        (capture.black_blue, capture.black_green_bottom) = (black(5, state[4] >> 16), black(4, state[4]));
        (capture.balance_red, capture.balance_green_top) = ((state[5] >> 16) as u16, state[5] as u16);
        (capture.balance_blue, capture.balance_green_bottom) = ((state[6] >> 16) as u16, state[6] as u16);
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

    #[test]
    fn fields_of_raw_frames() {
        let mut p = Parameters::default();
        p.set_vebox_capture_state(&[0, 0, 0b1010_0010, 0xffff_0001, 0x8000_0002, 0x0708_090a, 0x0b0c_0d0e]);
        let c = &p.capture;
        assert_eq!((c.black_enable, c.balance_enable), (true, false));
        let blacks = [c.black_red, c.black_green_top, c.black_blue, c.black_green_bottom];
        assert_eq!(blacks, [-1, 1, 0x8000 - 0x1_0000, 2]);
        let gains = [c.balance_red, c.balance_green_top, c.balance_blue, c.balance_green_bottom];
        assert_eq!(gains, [0x0708, 0x090a, 0x0b0c, 0x0d0e]);
    }
}
