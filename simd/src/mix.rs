//! Blend of a moving and a still value by the motion measure (§3.6, §3.7).

/// Ends of the blend, named as in §8.1: `stmm_max - stmm_min = 1 << stmm_shift`, 0…7.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    /// Below it `still` alone.
    pub stmm_min: u8,
    /// Above it `moving` alone.
    pub stmm_max: u8,
    /// log2 of the distance between the two.
    pub stmm_shift: u8,
}

/// `dst` holds the value for motion on entry and the blend on return; `stmm` is the motion measure of each sample.
pub fn scalar(dst: &mut [u8], still: &[u8], stmm: &[u8], p: &Mix) {
    for (out, (&still, &s)) in dst.iter_mut().zip(still.iter().zip(stmm)) {
        if s < p.stmm_min {
            *out = still;
        } else if s <= p.stmm_max {
            let (up, down) = ((s - p.stmm_min) as u16, (p.stmm_max - s) as u16);
            *out = ((*out as u16 * up + still as u16 * down) >> p.stmm_shift) as u8;
        }
    }
}
