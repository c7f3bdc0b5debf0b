//! §3.1 and §3.2: complexity, temporal difference and STMM; the blend by STMM (§3.7).

use super::Params;
use super::picture::Surface;

/// §3.1, of a pair.
#[derive(Clone, Copy)]
pub struct Complexity {
    /// svcm + shcm, for the content-adaptive threshold of §3.5.
    pub without_vecm: i32,
    pub scm: i32,
}

/// §3.1 for the pair at (x, y); `kept` is K of the specification [I-9], reduced (§9.2).
pub fn complexity(kept: &Surface, x: i32, y: i32, params: &Params) -> Complexity {
    let (mut svcm, mut shcm, mut vecm) = (0, 0, 0);
    for i in 0..=1 {
        for j in 0..=2 {
            svcm += (kept.at(x + i, y + j) - kept.at(x + i, y + j - 2)).abs();
        }
    }
    for i in -1..=1 {
        for j in -1..=1 {
            shcm += (kept.at(x + i, y + j) - kept.at(x + i + 1, y + j)).abs();
        }
    }
    for j in -2..=2 {
        vecm += (kept.at(x, y + j) - kept.at(x + 1, y + j)).abs();
    }
    let vecm = (vecm * params.vecm_mul) >> 5;
    Complexity { without_vecm: svcm + shcm, scm: (svcm + shcm - vecm).max(0) }
}

/// §3.2: the cross filter on lines of one field. Each read is clamped separately.
fn cross(f: &Surface, x: i32, y: i32) -> i32 {
    (2 * f.at(x, y) + f.at(x - 1, y) + f.at(x + 1, y) + 2 * f.at(x, y - 2) + 2 * f.at(x, y + 2)) >> 3
}

/// §3.2: stmm2 of the pair at (x, y), which is stored; `stored` is that of the previous step. `c`
/// and `p` are reduced (§9.2).
pub fn stmm2(c: &Surface, p: &Surface, x: i32, y: i32, scm: i32, stored: i32, params: &Params) -> i32 {
    let mut tdm = 0;
    for i in -1..=2 {
        for j in -2..=2 {
            tdm += (cross(c, x + i, y + j) - cross(p, x + i, y + j)).abs();
        }
    }
    let scaled = (tdm >> params.stmm_shift_down) << params.stmm_shift_up;
    let stmm = (scaled / ((scm >> 4) + params.stmm_c2)).min(255);
    let md_th = if params.blending_constant_select == 1 { params.stmm_trc1 } else { params.stmm_trc2 };
    let trc = if stmm > md_th { params.stmm_trc1 } else { params.stmm_trc2 };
    (trc * stored + (256 - trc) * stmm) >> 8
}

/// §3.2: stmm3 of a pair of a line; pairs outside the picture do not count.
pub fn stmm3(stmm2: &[i32], pair: usize) -> i32 {
    let left = if pair > 0 { stmm2[pair - 1] } else { 0 };
    let right = stmm2.get(pair + 1).copied().unwrap_or(0);
    left.max(stmm2[pair]).max(right)
}

/// §3.6, §3.7: `still` below stmm_min, `moving` above stmm_max, a mixture in between.
pub fn blend(stmm3: i32, still: i32, moving: i32, params: &Params) -> i32 {
    if stmm3 < params.stmm_min {
        still
    } else if stmm3 > params.stmm_max {
        moving
    } else {
        (moving * (stmm3 - params.stmm_min) + still * (params.stmm_max - stmm3)) >> params.stmm_shift
    }
}
