//! §8.1: the parameters that have an effect, by the names of the specification.

macro_rules! params {
    ($($name:ident = $default:literal;)*) => {
        /// The defaults are the values of the open drivers; for motion compensation those of Gen11.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params { $(pub $name: i32,)* }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default,)* }
            }
        }

        impl Params {
            /// Sets a parameter by its name. Returns false if no parameter with an effect has this
            /// name. The caller checks the range.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }

            /// All parameters with their values.
            pub fn named(&self) -> impl Iterator<Item = (&'static str, i32)> {
                [$((stringify!($name), self.$name)),*].into_iter()
            }
        }
    };
}

params! {
    stad_th = 128;
    history_max = 192;
    history_delta = 8;
    asd_th = 32;
    temporal_diff_th = 12;
    temporal_diff_low = 6;
    stmm_c2 = 3;
    moving_pixel_th = 0;
    scm_th = 32;
    good_neighbor_th = 12;
    bne_edge_th = 1;
    bne_noise_th = 20;
    blending_constant_select = 0;
    stmm_trc1 = 64;
    stmm_trc2 = 125;
    vecm_mul = 30;
    stmm_max = 150;
    stmm_min = 118;
    stmm_shift_down = 4;
    stmm_shift_up = 7;
    stmm_shift = 5;
    sdi_threshold = 100;
    sdi_delta = 5;
    sdi_t1 = 50;
    sdi_t2 = 100;
    angle2x1 = 37;
    fmd_tdiff = 175;
    fmd_vdiff1 = 16;
    fmd_vdiff2 = 100;
    fmd_thr_tear = 2;
    mcdi_enable = 1;
    cat_slope = 10;
    sad_tight_th = 5;
    smooth_mv_th = 0;
    cat_th1 = 0;
    neighbor_pixel_th = 10;
    mc_pixel_consistency_th = 25;
    sad_tha = 5;
    sad_thb = 10;
}
