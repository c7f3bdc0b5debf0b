//! Parameters of the colour pipe (§6), named like the fields of COLOR_PROCESSING_STATE.
use crate::parameters::field::parameters;

parameters! { "color.",
    /// Parameters of the colour pipe. Every stage is off by default.
    ColorParameters {
        /// V of the centre of the skin rectangle, in 8-bit code values
        v_mid: u8 = 154 in 0..=255;
        /// U of the centre of the skin rectangle, in 8-bit code values
        u_mid: u8 = 110 in 0..=255;
        /// half width of the skin rectangle along hue, in 8-bit code values
        hue_max: u8 = 14 in 0..=63;
        /// half length of the skin rectangle along saturation, in 8-bit code values
        sat_max: u8 = 31 in 0..=63;
        /// output of the skin tone factors instead of the picture: 0 off, 1 on
        output_control: bool = 0 in 0..=1;
        /// skin tone enhancement: 0 off, 1 on
        ste_enable: bool = 0 in 0..=1;
        /// skin tone detection: 0 off, 1 on
        std_enable: bool = 0 in 0..=1;
        /// log2 of the width of the skin rhombus's soft edge, in 8-bit code values
        diamond_margin: u8 = 4 in 0..=7;
        /// shift of the skin rhombus along saturation, in 8-bit code values
        diamond_du: i8 = 0 in -64..=63;
        /// log2 of the width of the skin rectangle's soft edge, in 8-bit code values
        hs_margin: u8 = 3 in 0..=7;
        /// cosine of the angle of the skin rectangle, in 1/128
        cos: i8 ["cos_alpha"] = 79 in -128..=127;
        /// sine of the angle of the skin rectangle, in 1/128
        sin: i8 ["sin_alpha"] = 101 in -128..=127;
        /// slope of the skin rhombus, in 1/64
        diamond_alpha: u8 = 100 in 0..=255;
        /// half axis of the skin rhombus along saturation, in 8-bit code values
        diamond_th: u8 = 35 in 0..=63;
        /// shift of the skin rhombus along hue, in 8-bit code values
        diamond_dv: i8 = 0 in -64..=63;
        /// luma above which the weight of skin falls
        y_point_3: u8 = 254 in 0..=255;
        /// luma from which on the weight of skin is at its maximum
        y_point_2: u8 = 47 in 0..=255;
        /// luma above which the weight of skin rises from 0
        y_point_1: u8 = 46 in 0..=255;
        /// skin tone detection by V and luma in addition: 0 off, 1 on
        vy_std_enable: bool = 0 in 0..=1;
        /// slope of the weight between y_point_3 and y_point_4, in 1/8
        y_slope_2: u8 = 31 in 0..=31;
        /// slope of the weight between y_point_1 and y_point_2, in 1/8
        y_slope_1: u8 = 31 in 0..=31;
        /// luma from which on the weight of skin is 0 again
        y_point_4: u8 = 255 in 0..=255;
        /// 65536 / (2 * skin_types_margin)
        inv_skin_types_margin: u16 = 1638 in 0..=65535;
        /// 65536 / margin above the lower curve of V
        inv_margin_vyl: u16 = 6554 in 0..=65535;
        /// luma of point 1 of the lower curve of V
        p1l: u8 = 216 in 0..=255;
        /// luma of point 0 of the lower curve of V
        p0l: u8 = 46 in 0..=255;
        /// 65536 / margin below the upper curve of V
        inv_margin_vyu: u16 = 3227 in 0..=65535;
        /// V at point 1 of the lower curve of V
        b1l: u8 = 130 in 0..=255;
        /// V at point 0 of the lower curve of V
        b0l: u8 = 133 in 0..=255;
        /// luma of point 3 of the lower curve of V
        p3l: u8 = 236 in 0..=255;
        /// luma of point 2 of the lower curve of V
        p2l: u8 = 236 in 0..=255;
        /// slope of the lower curve of V from point 0 on, in 1/256
        s0l: i16 = -5 in -1024..=1023;
        /// V at point 3 of the lower curve of V
        b3l: u8 = 130 in 0..=255;
        /// V at point 2 of the lower curve of V
        b2l: u8 = 130 in 0..=255;
        /// slope of the lower curve of V from point 2 on, in 1/256
        s2l: i16 = 0 in -1024..=1023;
        /// slope of the lower curve of V from point 1 on, in 1/256
        s1l: i16 = 0 in -1024..=1023;
        /// luma of point 1 of the upper curve of V
        p1u: u8 = 66 in 0..=255;
        /// luma of point 0 of the upper curve of V
        p0u: u8 = 46 in 0..=255;
        /// slope of the lower curve of V from point 3 on, in 1/256
        s3l: i16 = 0 in -1024..=1023;
        /// V at point 1 of the upper curve of V
        b1u: u8 = 163 in 0..=255;
        /// V at point 0 of the upper curve of V
        b0u: u8 = 143 in 0..=255;
        /// luma of point 3 of the upper curve of V
        p3u: u8 = 236 in 0..=255;
        /// luma of point 2 of the upper curve of V
        p2u: u8 = 150 in 0..=255;
        /// slope of the upper curve of V from point 0 on, in 1/256
        s0u: i16 = 256 in -1024..=1023;
        /// V at point 3 of the upper curve of V
        b3u: u8 = 140 in 0..=255;
        /// V at point 2 of the upper curve of V
        b2u: u8 = 200 in 0..=255;
        /// slope of the upper curve of V from point 2 on, in 1/256
        s2u: i16 = -179 in -1024..=1023;
        /// slope of the upper curve of V from point 1 on, in 1/256
        s1u: i16 = 113 in -1024..=1023;
        /// half width of the luma range between dark and bright skin
        skin_types_margin: u8 ["skin_margin"] = 20 in 0..=255;
        /// luma at the middle between dark and bright skin
        skin_types_thresh: u8 ["skin_thresh"] = 120 in 0..=255;
        /// separate curves for dark and bright skin: 0 off, 1 on
        skin_types_enable: bool = 0 in 0..=1;
        /// slope of the upper curve of V from point 3 on, in 1/256
        s3u: i16 = 0 in -1024..=1023;
        /// value at point 1 of the saturation curve for bright skin, in 1/4 of a code value
        satb1: i16 = 0 in -512..=511;
        /// saturation at point 3 of the saturation curve for bright skin, in 8-bit code values
        satp3: i8 = 31 in -64..=63;
        /// saturation at point 2 of the saturation curve for bright skin, in 8-bit code values
        satp2: i8 = 31 in -64..=63;
        /// saturation at point 1 of the saturation curve for bright skin, in 8-bit code values
        satp1: i8 = -11 in -64..=63;
        /// slope of the saturation curve for bright skin from point 0 on, in 1/256
        sats0: u16 = 397 in 0..=2047;
        /// value at point 3 of the saturation curve for bright skin, in 1/4 of a code value
        satb3: i16 = 124 in -512..=511;
        /// value at point 2 of the saturation curve for bright skin, in 1/4 of a code value
        satb2: i16 = 124 in -512..=511;
        /// slope of the saturation curve for bright skin from point 2 on, in 1/256
        sats2: u16 = 256 in 0..=2047;
        /// slope of the saturation curve for bright skin from point 1 on, in 1/256
        sats1: u16 = 189 in 0..=2047;
        /// hue at point 3 of the hue curve for bright skin, in 8-bit code values
        huep3: i8 = 14 in -64..=63;
        /// hue at point 2 of the hue curve for bright skin, in 8-bit code values
        huep2: i8 = 2 in -64..=63;
        /// hue at point 1 of the hue curve for bright skin, in 8-bit code values
        huep1: i8 = 0 in -64..=63;
        /// slope of the saturation curve for bright skin from point 3 on, in 1/256
        sats3: u16 = 256 in 0..=2047;
        /// value at point 3 of the hue curve for bright skin, in 1/4 of a code value
        hueb3: i16 = 56 in -512..=511;
        /// value at point 2 of the hue curve for bright skin, in 1/4 of a code value
        hueb2: i16 = 0 in -512..=511;
        /// value at point 1 of the hue curve for bright skin, in 1/4 of a code value
        hueb1: i16 = 0 in -512..=511;
        /// slope of the hue curve for bright skin from point 1 on, in 1/256
        hues1: u16 = 0 in 0..=2047;
        /// slope of the hue curve for bright skin from point 0 on, in 1/256
        hues0: u16 = 256 in 0..=2047;
        /// slope of the hue curve for bright skin from point 3 on, in 1/256
        hues3: u16 = 256 in 0..=2047;
        /// slope of the hue curve for bright skin from point 2 on, in 1/256
        hues2: u16 = 299 in 0..=2047;
        /// value at point 1 of the saturation curve for dark skin, in 1/4 of a code value
        satb1_dark: i16 = 0 in -512..=511;
        /// saturation at point 3 of the saturation curve for dark skin, in 8-bit code values
        satp3_dark: i8 = 31 in -64..=63;
        /// saturation at point 2 of the saturation curve for dark skin, in 8-bit code values
        satp2_dark: i8 = 31 in -64..=63;
        /// saturation at point 1 of the saturation curve for dark skin, in 8-bit code values
        satp1_dark: i8 = -11 in -64..=63;
        /// slope of the saturation curve for dark skin from point 0 on, in 1/256
        sats0_dark: u16 = 397 in 0..=2047;
        /// value at point 3 of the saturation curve for dark skin, in 1/4 of a code value
        satb3_dark: i16 = 124 in -512..=511;
        /// value at point 2 of the saturation curve for dark skin, in 1/4 of a code value
        satb2_dark: i16 = 124 in -512..=511;
        /// slope of the saturation curve for dark skin from point 2 on, in 1/256
        sats2_dark: u16 = 256 in 0..=2047;
        /// slope of the saturation curve for dark skin from point 1 on, in 1/256
        sats1_dark: u16 = 189 in 0..=2047;
        /// hue at point 3 of the hue curve for dark skin, in 8-bit code values
        huep3_dark: i8 = 14 in -64..=63;
        /// hue at point 2 of the hue curve for dark skin, in 8-bit code values
        huep2_dark: i8 = 2 in -64..=63;
        /// hue at point 1 of the hue curve for dark skin, in 8-bit code values
        huep1_dark: i8 = 0 in -64..=63;
        /// slope of the saturation curve for dark skin from point 3 on, in 1/256
        sats3_dark: u16 = 256 in 0..=2047;
        /// value at point 3 of the hue curve for dark skin, in 1/4 of a code value
        hueb3_dark: i16 = 56 in -512..=511;
        /// value at point 2 of the hue curve for dark skin, in 1/4 of a code value
        hueb2_dark: i16 = 0 in -512..=511;
        /// value at point 1 of the hue curve for dark skin, in 1/4 of a code value
        hueb1_dark: i16 = 0 in -512..=511;
        /// slope of the hue curve for dark skin from point 1 on, in 1/256
        hues1_dark: u16 = 0 in 0..=2047;
        /// slope of the hue curve for dark skin from point 0 on, in 1/256
        hues0_dark: u16 = 256 in 0..=2047;
        /// slope of the hue curve for dark skin from point 3 on, in 1/256
        hues3_dark: u16 = 256 in 0..=2047;
        /// slope of the hue curve for dark skin from point 2 on, in 1/256
        hues2_dark: u16 = 299 in 0..=2047;
        /// skin tone factor above which a pixel counts as skin in the statistics
        skin_threshold: u8 = 26 in 0..=31;
        /// histogram of the whole picture in spite of an area of interest: 0 off, 1 on
        full_image_histogram: bool = 0 in 0..=1;
        /// contrast curve: 0 off, 1 on
        ace_enable: bool = 0 in 0..=1;
        /// luma of point 3 of the contrast curve
        y3: u8 = 76 in 0..=255;
        /// luma of point 2 of the contrast curve
        y2: u8 = 56 in 0..=255;
        /// luma of point 1 of the contrast curve
        y1: u8 = 36 in 0..=255;
        /// luma of point 0 of the contrast curve, and its value
        ymin: u8 = 16 in 0..=255;
        /// luma of point 7 of the contrast curve
        y7: u8 = 156 in 0..=255;
        /// luma of point 6 of the contrast curve
        y6: u8 = 136 in 0..=255;
        /// luma of point 5 of the contrast curve
        y5: u8 = 116 in 0..=255;
        /// luma of point 4 of the contrast curve
        y4: u8 = 96 in 0..=255;
        /// luma at the end of the contrast curve
        ymax: u8 = 235 in 0..=255;
        /// luma of point 10 of the contrast curve
        y10: u8 = 216 in 0..=255;
        /// luma of point 9 of the contrast curve
        y9: u8 = 196 in 0..=255;
        /// luma of point 8 of the contrast curve
        y8: u8 = 176 in 0..=255;
        /// value at point 4 of the contrast curve
        b4: u8 = 96 in 0..=255;
        /// value at point 3 of the contrast curve
        b3: u8 = 76 in 0..=255;
        /// value at point 2 of the contrast curve
        b2: u8 = 56 in 0..=255;
        /// value at point 1 of the contrast curve
        b1: u8 = 36 in 0..=255;
        /// value at point 8 of the contrast curve
        b8: u8 = 176 in 0..=255;
        /// value at point 7 of the contrast curve
        b7: u8 = 156 in 0..=255;
        /// value at point 6 of the contrast curve
        b6: u8 = 136 in 0..=255;
        /// value at point 5 of the contrast curve
        b5: u8 = 116 in 0..=255;
        /// value at point 10 of the contrast curve
        b10: u8 = 216 in 0..=255;
        /// value at point 9 of the contrast curve
        b9: u8 = 196 in 0..=255;
        /// slope of the contrast curve from point 1 on, in 1/1024
        s1: u16 = 1024 in 0..=2047;
        /// slope of the contrast curve from point 0 on, in 1/1024
        s0: u16 = 1024 in 0..=2047;
        /// slope of the contrast curve from point 3 on, in 1/1024
        s3: u16 = 1024 in 0..=2047;
        /// slope of the contrast curve from point 2 on, in 1/1024
        s2: u16 = 1024 in 0..=2047;
        /// slope of the contrast curve from point 5 on, in 1/1024
        s5: u16 = 1024 in 0..=2047;
        /// slope of the contrast curve from point 4 on, in 1/1024
        s4: u16 = 1024 in 0..=2047;
        /// slope of the contrast curve from point 7 on, in 1/1024
        s7: u16 = 1024 in 0..=2047;
        /// slope of the contrast curve from point 6 on, in 1/1024
        s6: u16 = 1024 in 0..=2047;
        /// slope of the contrast curve from point 9 on, in 1/1024
        s9: u16 = 1024 in 0..=2047;
        /// slope of the contrast curve from point 8 on, in 1/1024
        s8: u16 = 1024 in 0..=2047;
        /// slope of the contrast curve from point 10 on, in 1/1024
        s10: u16 = 1024 in 0..=2047;
        /// saturation of yellow, in 1/128
        sat_factor_3: u8 = 220 in 0..=255;
        /// saturation of red, in 1/128
        sat_factor_2: u8 = 220 in 0..=255;
        /// saturation of magenta, in 1/128
        sat_factor_1: u8 = 220 in 0..=255;
        /// saturation by colour: 0 off, 1 on
        tcc_enable: bool = 0 in 0..=1;
        /// saturation of blue, in 1/128
        sat_factor_6: u8 = 220 in 0..=255;
        /// saturation of cyan, in 1/128
        sat_factor_5: u8 = 220 in 0..=255;
        /// saturation of green, in 1/128
        sat_factor_4: u8 = 220 in 0..=255;
        /// angle of yellow, in 1/1024 of a turn
        base_color_3: u16 = 483 in 0..=1023;
        /// angle of red, in 1/1024 of a turn
        base_color_2: u16 = 307 in 0..=1023;
        /// angle of magenta, in 1/1024 of a turn
        base_color_1: u16 = 145 in 0..=1023;
        /// angle of blue, in 1/1024 of a turn
        base_color_6: u16 = 995 in 0..=1023;
        /// angle of cyan, in 1/1024 of a turn
        base_color_5: u16 = 819 in 0..=1023;
        /// angle of green, in 1/1024 of a turn
        base_color_4: u16 = 657 in 0..=1023;
        /// slope of the transition from red to yellow, in 1/65536
        color_transit_slope_23: u16 = 744 in 0..=65535;
        /// slope of the transition from magenta to red, in 1/65536
        color_transit_slope_12: u16 = 405 in 0..=65535;
        /// slope of the transition from green to cyan, in 1/65536
        color_transit_slope_45: u16 = 407 in 0..=65535;
        /// slope of the transition from yellow to green, in 1/65536
        color_transit_slope_34: u16 = 1131 in 0..=65535;
        /// slope of the transition from blue to magenta, in 1/65536
        color_transit_slope_61: u16 = 377 in 0..=65535;
        /// slope of the transition from cyan to blue, in 1/65536
        color_transit_slope_56: u16 = 372 in 0..=65535;
        /// reduction of the transition from yellow, in 1/256
        color_bias_3: u16 = 0 in 0..=1023;
        /// reduction of the transition from red, in 1/256
        color_bias_2: u16 = 150 in 0..=1023;
        /// reduction of the transition from magenta, in 1/256
        color_bias_1: u16 = 0 in 0..=1023;
        /// reduction of the transition from blue, in 1/256
        color_bias_6: u16 = 0 in 0..=1023;
        /// reduction of the transition from cyan, in 1/256
        color_bias_5: u16 = 0 in 0..=1023;
        /// reduction of the transition from green, in 1/256
        color_bias_4: u16 = 0 in 0..=1023;
        /// largest chroma that is unchanged, in 10-bit code values
        uv_threshold: u8 = 3 in 0..=127;
        /// log2 of the width of the transition above uv_threshold, in 10-bit code values
        uv_threshold_bits: u8 = 3 in 0..=7;
        /// skin tone factor above which the saturation changes less
        ste_threshold: u8 = 0 in 0..=31;
        /// left shift of the skin tone factor's excess over ste_threshold, in bits
        ste_slope_bits: u8 = 0 in 0..=7;
        /// 65536 / uv_max_color
        inv_uv_max_color: u16 = 146 in 0..=65535;
        /// chroma from which on saturation is not increased, in 10-bit code values
        uv_max_color: u16 = 448 in 0..=511;
        /// factor of the luma about 16, in 1/128
        contrast: u16 = 128 in 0..=2047;
        /// offset of the luma, in 1/16 of an 8-bit code value
        brightness: i16 = 0 in -2048..=2047;
        /// picture controls (ProcAmp): 0 off, 1 on
        procamp_enable: bool = 0 in 0..=1;
        /// contrast times saturation times cosine of the hue, in 1/256
        cos_c_s: i16 = 256 in -32768..=32767;
        /// contrast times saturation times sine of the hue, in 1/256
        sin_c_s: i16 = 0 in -32768..=32767;
        /// coefficient of input 1 in output 0, in 1/1024
        c1: i16 = 0 in -4096..=4095;
        /// coefficient of input 0 in output 0, in 1/1024
        c0: i16 = 1024 in -4096..=4095;
        /// flag that the conversion's input is YUV; without effect on samples
        yuv_in: bool = 0 in 0..=1;
        /// flag that the conversion's output is YUV; without effect on samples
        yuv_out: bool = 0 in 0..=1;
        /// conversion of the colour space: 0 off, 1 on
        transform_enable: bool ["csc_enable"] = 0 in 0..=1;
        /// coefficient of input 0 in output 1, in 1/1024
        c3: i16 = 0 in -4096..=4095;
        /// coefficient of input 2 in output 0, in 1/1024
        c2: i16 = 0 in -4096..=4095;
        /// coefficient of input 2 in output 1, in 1/1024
        c5: i16 = 0 in -4096..=4095;
        /// coefficient of input 1 in output 1, in 1/1024
        c4: i16 = 1024 in -4096..=4095;
        /// coefficient of input 1 in output 2, in 1/1024
        c7: i16 = 0 in -4096..=4095;
        /// coefficient of input 0 in output 2, in 1/1024
        c6: i16 = 0 in -4096..=4095;
        /// coefficient of input 2 in output 2, in 1/1024
        c8: i16 = 1024 in -4096..=4095;
        /// offset of output 0, in 10-bit code values
        offset_out_1: i16 = 0 in -512..=511;
        /// offset of input 0, in 10-bit code values
        offset_in_1: i16 = 0 in -512..=511;
        /// offset of output 1, in 10-bit code values
        offset_out_2: i16 = 0 in -512..=511;
        /// offset of input 1, in 10-bit code values
        offset_in_2: i16 = 0 in -512..=511;
        /// offset of output 2, in 10-bit code values
        offset_out_3: i16 = 0 in -512..=511;
        /// offset of input 2, in 10-bit code values
        offset_in_3: i16 = 0 in -512..=511;
        /// flag that alpha is color_pipe_alpha; without effect on samples
        alpha_from_state_select: bool = 0 in 0..=1;
        /// alpha of the output; without effect on samples
        color_pipe_alpha: u16 = 0 in 0..=65535;
    }
}
