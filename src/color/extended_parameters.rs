//! Parameters of the stages of the colour pipe beyond Gen6 (§13.14), named like the fields of the
//! hardware state.
use crate::parameters::field::parameters;

parameters! { "color.",
    /// Parameters of the colour correction matrix and of the front-end conversion (§13.4).
    ColorCorrectionParameters {
        /// coefficient of R in red of the correction matrix, in 1/65536
        ccm_c0: i32 = 44672 in -1048576..=1048575;
        /// coefficient of G in red of the correction matrix, in 1/65536
        ccm_c1: i32 = 18256 in -1048576..=1048575;
        /// coefficient of B in red of the correction matrix, in 1/65536
        ccm_c2: i32 = 544 in -1048576..=1048575;
        /// coefficient of R in green of the correction matrix, in 1/65536
        ccm_c3: i32 = 1136 in -1048576..=1048575;
        /// coefficient of G in green of the correction matrix, in 1/65536
        ccm_c4: i32 = 53808 in -1048576..=1048575;
        /// coefficient of B in green of the correction matrix, in 1/65536
        ccm_c5: i32 = -832 in -1048576..=1048575;
        /// coefficient of R in blue of the correction matrix, in 1/65536
        ccm_c6: i32 = -192 in -1048576..=1048575;
        /// coefficient of G in blue of the correction matrix, in 1/65536
        ccm_c7: i32 = 2688 in -1048576..=1048575;
        /// coefficient of B in blue of the correction matrix, in 1/65536
        ccm_c8: i32 = 54944 in -1048576..=1048575;
        /// offset of R before the correction matrix, in 16-bit code values
        ccm_offset_in_r: i32 = 0 in -65536..=65535;
        /// offset of G before the correction matrix, in 16-bit code values
        ccm_offset_in_g: i32 = 0 in -65536..=65535;
        /// offset of B before the correction matrix, in 16-bit code values
        ccm_offset_in_b: i32 = 0 in -65536..=65535;
        /// offset of R after the correction matrix, in 16-bit code values
        ccm_offset_out_r: i32 = 0 in -65536..=65535;
        /// offset of G after the correction matrix, in 16-bit code values
        ccm_offset_out_g: i32 = 0 in -65536..=65535;
        /// offset of B after the correction matrix, in 16-bit code values
        ccm_offset_out_b: i32 = 0 in -65536..=65535;
        /// coefficient of input 0 in output 0 of the front-end conversion, in 1/65536
        fecsc_c0: i32 = 65536 in -262144..=262143;
        /// coefficient of input 1 in output 0 of the front-end conversion, in 1/65536
        fecsc_c1: i32 = 0 in -262144..=262143;
        /// coefficient of input 2 in output 0 of the front-end conversion, in 1/65536
        fecsc_c2: i32 = 0 in -262144..=262143;
        /// coefficient of input 0 in output 1 of the front-end conversion, in 1/65536
        fecsc_c3: i32 = 0 in -262144..=262143;
        /// coefficient of input 1 in output 1 of the front-end conversion, in 1/65536
        fecsc_c4: i32 = 65536 in -262144..=262143;
        /// coefficient of input 2 in output 1 of the front-end conversion, in 1/65536
        fecsc_c5: i32 = 0 in -262144..=262143;
        /// coefficient of input 0 in output 2 of the front-end conversion, in 1/65536
        fecsc_c6: i32 = 0 in -262144..=262143;
        /// coefficient of input 1 in output 2 of the front-end conversion, in 1/65536
        fecsc_c7: i32 = 0 in -262144..=262143;
        /// coefficient of input 2 in output 2 of the front-end conversion, in 1/65536
        fecsc_c8: i32 = 65536 in -262144..=262143;
        /// offset of output 0 of the front-end conversion, in 15-bit code values
        fecsc_offset_out_1: i16 = 0 in -32768..=32767;
        /// offset of input 0 of the front-end conversion, in 15-bit code values
        fecsc_offset_in_1: i16 = 0 in -32768..=32767;
        /// offset of output 1 of the front-end conversion, in 15-bit code values
        fecsc_offset_out_2: i16 = 0 in -32768..=32767;
        /// offset of input 1 of the front-end conversion, in 15-bit code values
        fecsc_offset_in_2: i16 = 0 in -32768..=32767;
        /// offset of output 2 of the front-end conversion, in 15-bit code values
        fecsc_offset_out_3: i16 = 0 in -32768..=32767;
        /// offset of input 2 of the front-end conversion, in 15-bit code values
        fecsc_offset_in_3: i16 = 0 in -32768..=32767;
    }
}

parameters! { "gamut.",
    /// Parameters of gamut expansion (§13.4) and gamut compression (§13.5).
    GamutParameters {
        /// coefficient of R in red of the expansion matrix, in 1/65536
        c0: i32 = 44672 in -1048576..=1048575;
        /// coefficient of G in red of the expansion matrix, in 1/65536
        c1: i32 = 18256 in -1048576..=1048575;
        /// coefficient of B in red of the expansion matrix, in 1/65536
        c2: i32 = 544 in -1048576..=1048575;
        /// coefficient of R in green of the expansion matrix, in 1/65536
        c3: i32 = 1136 in -1048576..=1048575;
        /// coefficient of G in green of the expansion matrix, in 1/65536
        c4: i32 = 53808 in -1048576..=1048575;
        /// coefficient of B in green of the expansion matrix, in 1/65536
        c5: i32 = -832 in -1048576..=1048575;
        /// coefficient of R in blue of the expansion matrix, in 1/65536
        c6: i32 = -192 in -1048576..=1048575;
        /// coefficient of G in blue of the expansion matrix, in 1/65536
        c7: i32 = 2688 in -1048576..=1048575;
        /// coefficient of B in blue of the expansion matrix, in 1/65536
        c8: i32 = 54944 in -1048576..=1048575;
        /// offset of R before the expansion matrix, in 16-bit code values
        offset_in_r: i32 = 0 in -65536..=65535;
        /// offset of R after the expansion matrix, in 16-bit code values
        offset_out_r: i32 = 0 in -65536..=65535;
        /// offset of G before the expansion matrix, in 16-bit code values
        offset_in_g: i32 = 0 in -65536..=65535;
        /// offset of G after the expansion matrix, in 16-bit code values
        offset_out_g: i32 = 0 in -65536..=65535;
        /// offset of B before the expansion matrix, in 16-bit code values
        offset_in_b: i32 = 0 in -65536..=65535;
        /// offset of B after the expansion matrix, in 16-bit code values
        offset_out_b: i32 = 0 in -65536..=65535;
        /// weight of expanded colours: 0 by their saturation, 1 that of cm_w everywhere
        global_mode: bool = 1 in 0..=1;
        /// weight of expanded colours with global_mode, in 1/1023
        cm_w: u16 = 1023 in 0..=1023;
        /// weight per saturation, in 1/256
        cm_s: u16 = 640 in 0..=1023;
        /// weight per redness, in 1/256
        r_s: u16 = 768 in 0..=1023;
        /// subtracted from the weight by saturation
        cm_i: u8 = 192 in 0..=255;
        /// subtracted from the weight by redness
        r_i: u8 = 128 in 0..=255;
        /// compression of the colours inside, too: 0 basic, 1 advanced mode
        full_range: bool = 0 in 0..=1;
        /// distance inside the gamut from which on bright colours move, in 1/1024
        d_in: u16 = 205 in 0..=1023;
        /// distance outside the gamut up to which bright colours differ, in 1/1024
        d_out: u16 = 164 in 0..=1023;
        /// distance outside the gamut up to which dark colours differ, in 1/1024
        d1_out: u16 = 287 in 0..=1023;
        /// distance inside the gamut from which on dark colours move, in 1/1024
        d1_in: u16 = 820 in 0..=1023;
        /// basic mode: 0 to the surface, 1 scaled, 2 luma or chroma alone, 3 scaled chroma
        mode: u8 = 0 in 0..=3;
        /// compression of chroma instead of luma in mode 2: 0 off, 1 on
        chroma_only: bool = 0 in 0..=1;
        /// factor of modes 1 and 3, in 1/4096
        scaling_factor: u16 = 4096 in 0..=16383;
    }
}

parameters! { "lace.",
    /// Parameters of local contrast (§13.6).
    LocalContrastParameters {
        /// width and height of a region, in luma samples
        region: u16 = 64 in 4..=1024;
        /// number of bins of a histogram: 0 128, 1 256
        histogram_size: u8 = 1 in 0..=1;
        /// histograms of this frame (0), of the previous one (1), of both (2, 3)
        single_histogram_set: u8 = 0 in 0..=3;
        /// limit of a bin, in 1/16 of the mean
        limit: u16 = 48 in 1..=4095;
        /// share of the change, in 1/256
        strength: u16 = 128 in 0..=256;
        /// least luma that changes, in 16-bit code values
        min_luma: u16 = 4096 in 0..=65535;
        /// greatest luma that changes, in 16-bit code values
        max_luma: u16 = 60160 in 0..=65535;
    }
}

parameters! { "wb.",
    /// Parameters of the white balance (§13.7).
    WhiteBalanceParameters {
        /// gain of red set by hand, in 1/4096
        red: u16 = 4096 in 0..=65535;
        /// gain of green set by hand, in 1/4096
        green: u16 = 4096 in 0..=65535;
        /// gain of blue set by hand, in 1/4096
        blue: u16 = 4096 in 0..=65535;
        /// luma above which a point can be grey, in 8-bit code values
        y_bright: u8 = 230 in 0..=255;
        /// luma up to which a point can be grey, in 8-bit code values
        y_outlier: u8 = 253 in 0..=255;
        /// greatest sum of both chroma magnitudes of a grey point, in 1/256 of its luma
        uv_threshold: u8 = 64 in 0..=255;
        /// share of the distance that the gains move in a frame, in 1/16
        speed: u8 = 2 in 0..=16;
    }
}
