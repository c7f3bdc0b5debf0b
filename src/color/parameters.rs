//! Parameters of the colour pipe (§6), named as the fields of COLOR_PROCESSING_STATE.
use crate::parameters::field::parameters;

parameters! { "color.",
    /// Parameters of the colour pipe (§6; docs/specification/parameters.md). By default every stage
    /// is off. Angles, slopes and factors have the units of the hardware fields.
    ColorParameters {
        /// V of the middle of the skin rectangle
        v_mid: u8 = 154 in 0..=255;
        /// U of the middle of the skin rectangle
        u_mid: u8 = 110 in 0..=255;
        /// half width of the skin rectangle, in hue
        hue_max: u8 = 14 in 0..=63;
        /// half length of the skin rectangle, in saturation
        sat_max: u8 = 31 in 0..=63;
        /// the stage outputs skin factors instead of pixels
        output_control: bool = 0 in 0..=1;
        /// skin tones are enhanced
        ste_enable: bool = 0 in 0..=1;
        /// skin tones are detected
        std_enable: bool = 0 in 0..=1;
        /// log2 of the margin of the skin rhombus
        diamond_margin: u8 = 4 in 0..=7;
        /// shift of the rhombus in saturation
        diamond_du: i8 = 0 in -64..=63;
        /// log2 of the margin of the skin rectangle
        hs_margin: u8 = 3 in 0..=7;
        /// cosine of the angle of the skin rectangle, in 1/128
        cos: i8 ["cos_alpha"] = 79 in -128..=127;
        /// sine of the angle of the skin rectangle, in 1/128
        sin: i8 ["sin_alpha"] = 101 in -128..=127;
        /// slope of the rhombus, in 1/64
        diamond_alpha: u8 = 100 in 0..=255;
        /// half axis of the rhombus, in saturation
        diamond_th: u8 = 35 in 0..=63;
        /// shift of the rhombus in hue
        diamond_dv: i8 = 0 in -64..=63;
        /// luma up to which pixels are skin by luma alone
        y_point_3: u8 = 254 in 0..=255;
        /// luma from which on pixels are skin by luma alone
        y_point_2: u8 = 47 in 0..=255;
        /// luma from which on pixels may be skin
        y_point_1: u8 = 46 in 0..=255;
        /// skin tones are also detected by V and luma
        vy_std_enable: bool = 0 in 0..=1;
        /// slope of the skin factor from y_point_3 to y_point_4, in 1/8
        y_slope_2: u8 = 31 in 0..=31;
        /// slope of the skin factor from y_point_1 to y_point_2, in 1/8
        y_slope_1: u8 = 31 in 0..=31;
        /// luma up to which pixels may be skin
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
        /// V at point 1 of the lower curve
        b1l: u8 = 130 in 0..=255;
        /// V at point 0 of the lower curve
        b0l: u8 = 133 in 0..=255;
        /// luma of point 3 of the lower curve of V
        p3l: u8 = 236 in 0..=255;
        /// luma of point 2 of the lower curve of V
        p2l: u8 = 236 in 0..=255;
        /// slope from point 0 of the lower curve, in 1/256
        s0l: i16 = -5 in -1024..=1023;
        /// V at point 3 of the lower curve
        b3l: u8 = 130 in 0..=255;
        /// V at point 2 of the lower curve
        b2l: u8 = 130 in 0..=255;
        /// slope from point 2 of the lower curve, in 1/256
        s2l: i16 = 0 in -1024..=1023;
        /// slope from point 1 of the lower curve, in 1/256
        s1l: i16 = 0 in -1024..=1023;
        /// luma of point 1 of the upper curve of V
        p1u: u8 = 66 in 0..=255;
        /// luma of point 0 of the upper curve of V
        p0u: u8 = 46 in 0..=255;
        /// slope from point 3 of the lower curve, in 1/256
        s3l: i16 = 0 in -1024..=1023;
        /// V at point 1 of the upper curve
        b1u: u8 = 163 in 0..=255;
        /// V at point 0 of the upper curve
        b0u: u8 = 143 in 0..=255;
        /// luma of point 3 of the upper curve of V
        p3u: u8 = 236 in 0..=255;
        /// luma of point 2 of the upper curve of V
        p2u: u8 = 150 in 0..=255;
        /// slope from point 0 of the upper curve, in 1/256
        s0u: i16 = 256 in -1024..=1023;
        /// V at point 3 of the upper curve
        b3u: u8 = 140 in 0..=255;
        /// V at point 2 of the upper curve
        b2u: u8 = 200 in 0..=255;
        /// slope from point 2 of the upper curve, in 1/256
        s2u: i16 = -179 in -1024..=1023;
        /// slope from point 1 of the upper curve, in 1/256
        s1u: i16 = 113 in -1024..=1023;
        /// half width of the transition between dark and bright skin, in luma
        skin_types_margin: u8 ["skin_margin"] = 20 in 0..=255;
        /// luma threshold between dark and bright skin
        skin_types_thresh: u8 ["skin_thresh"] = 120 in 0..=255;
        /// dark and bright skin have separate curves
        skin_types_enable: bool = 0 in 0..=1;
        /// slope from point 3 of the upper curve, in 1/256
        s3u: i16 = 0 in -1024..=1023;
        /// value at point 1 of the saturation curve, bright skin, in 1/4
        satb1: i16 = 0 in -512..=511;
        /// point 3 of the saturation curve, bright skin
        satp3: i8 = 31 in -64..=63;
        /// point 2 of the saturation curve, bright skin
        satp2: i8 = 31 in -64..=63;
        /// point 1 of the saturation curve, bright skin
        satp1: i8 = -11 in -64..=63;
        /// slope from point 0 of the saturation curve, bright skin, in 1/256
        sats0: u16 = 397 in 0..=2047;
        /// value at point 3 of the saturation curve, bright skin, in 1/4
        satb3: i16 = 124 in -512..=511;
        /// value at point 2 of the saturation curve, bright skin, in 1/4
        satb2: i16 = 124 in -512..=511;
        /// slope from point 2 of the saturation curve, bright skin, in 1/256
        sats2: u16 = 256 in 0..=2047;
        /// slope from point 1 of the saturation curve, bright skin, in 1/256
        sats1: u16 = 189 in 0..=2047;
        /// point 3 of the hue curve, bright skin
        huep3: i8 = 14 in -64..=63;
        /// point 2 of the hue curve, bright skin
        huep2: i8 = 2 in -64..=63;
        /// point 1 of the hue curve, bright skin
        huep1: i8 = 0 in -64..=63;
        /// slope from point 3 of the saturation curve, bright skin, in 1/256
        sats3: u16 = 256 in 0..=2047;
        /// value at point 3 of the hue curve, bright skin, in 1/4
        hueb3: i16 = 56 in -512..=511;
        /// value at point 2 of the hue curve, bright skin, in 1/4
        hueb2: i16 = 0 in -512..=511;
        /// value at point 1 of the hue curve, bright skin, in 1/4
        hueb1: i16 = 0 in -512..=511;
        /// slope from point 1 of the hue curve, bright skin, in 1/256
        hues1: u16 = 0 in 0..=2047;
        /// slope from point 0 of the hue curve, bright skin, in 1/256
        hues0: u16 = 256 in 0..=2047;
        /// slope from point 3 of the hue curve, bright skin, in 1/256
        hues3: u16 = 256 in 0..=2047;
        /// slope from point 2 of the hue curve, bright skin, in 1/256
        hues2: u16 = 299 in 0..=2047;
        /// value at point 1 of the saturation curve, dark skin, in 1/4
        satb1_dark: i16 = 0 in -512..=511;
        /// point 3 of the saturation curve, dark skin
        satp3_dark: i8 = 31 in -64..=63;
        /// point 2 of the saturation curve, dark skin
        satp2_dark: i8 = 31 in -64..=63;
        /// point 1 of the saturation curve, dark skin
        satp1_dark: i8 = -11 in -64..=63;
        /// slope from point 0 of the saturation curve, dark skin, in 1/256
        sats0_dark: u16 = 397 in 0..=2047;
        /// value at point 3 of the saturation curve, dark skin, in 1/4
        satb3_dark: i16 = 124 in -512..=511;
        /// value at point 2 of the saturation curve, dark skin, in 1/4
        satb2_dark: i16 = 124 in -512..=511;
        /// slope from point 2 of the saturation curve, dark skin, in 1/256
        sats2_dark: u16 = 256 in 0..=2047;
        /// slope from point 1 of the saturation curve, dark skin, in 1/256
        sats1_dark: u16 = 189 in 0..=2047;
        /// point 3 of the hue curve, dark skin
        huep3_dark: i8 = 14 in -64..=63;
        /// point 2 of the hue curve, dark skin
        huep2_dark: i8 = 2 in -64..=63;
        /// point 1 of the hue curve, dark skin
        huep1_dark: i8 = 0 in -64..=63;
        /// slope from point 3 of the saturation curve, dark skin, in 1/256
        sats3_dark: u16 = 256 in 0..=2047;
        /// value at point 3 of the hue curve, dark skin, in 1/4
        hueb3_dark: i16 = 56 in -512..=511;
        /// value at point 2 of the hue curve, dark skin, in 1/4
        hueb2_dark: i16 = 0 in -512..=511;
        /// value at point 1 of the hue curve, dark skin, in 1/4
        hueb1_dark: i16 = 0 in -512..=511;
        /// slope from point 1 of the hue curve, dark skin, in 1/256
        hues1_dark: u16 = 0 in 0..=2047;
        /// slope from point 0 of the hue curve, dark skin, in 1/256
        hues0_dark: u16 = 256 in 0..=2047;
        /// slope from point 3 of the hue curve, dark skin, in 1/256
        hues3_dark: u16 = 256 in 0..=2047;
        /// slope from point 2 of the hue curve, dark skin, in 1/256
        hues2_dark: u16 = 299 in 0..=2047;
        /// skin factor above which a pixel counts as skin in the statistics
        skin_threshold: u8 = 26 in 0..=31;
        /// the histogram counts the whole picture
        full_image_histogram: bool = 0 in 0..=1;
        /// the contrast curve is applied
        ace_enable: bool = 0 in 0..=1;
        /// point 3 of the contrast curve
        y3: u8 = 76 in 0..=255;
        /// point 2 of the contrast curve
        y2: u8 = 56 in 0..=255;
        /// point 1 of the contrast curve
        y1: u8 = 36 in 0..=255;
        /// point 0 of the contrast curve, and its value
        ymin: u8 = 16 in 0..=255;
        /// point 7 of the contrast curve
        y7: u8 = 156 in 0..=255;
        /// point 6 of the contrast curve
        y6: u8 = 136 in 0..=255;
        /// point 5 of the contrast curve
        y5: u8 = 116 in 0..=255;
        /// point 4 of the contrast curve
        y4: u8 = 96 in 0..=255;
        /// end of the contrast curve
        ymax: u8 = 235 in 0..=255;
        /// point 10 of the contrast curve
        y10: u8 = 216 in 0..=255;
        /// point 9 of the contrast curve
        y9: u8 = 196 in 0..=255;
        /// point 8 of the contrast curve
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
        /// slope from point 1 of the contrast curve, in 1/1024
        s1: u16 = 1024 in 0..=2047;
        /// slope from point 0 of the contrast curve, in 1/1024
        s0: u16 = 1024 in 0..=2047;
        /// slope from point 3 of the contrast curve, in 1/1024
        s3: u16 = 1024 in 0..=2047;
        /// slope from point 2 of the contrast curve, in 1/1024
        s2: u16 = 1024 in 0..=2047;
        /// slope from point 5 of the contrast curve, in 1/1024
        s5: u16 = 1024 in 0..=2047;
        /// slope from point 4 of the contrast curve, in 1/1024
        s4: u16 = 1024 in 0..=2047;
        /// slope from point 7 of the contrast curve, in 1/1024
        s7: u16 = 1024 in 0..=2047;
        /// slope from point 6 of the contrast curve, in 1/1024
        s6: u16 = 1024 in 0..=2047;
        /// slope from point 9 of the contrast curve, in 1/1024
        s9: u16 = 1024 in 0..=2047;
        /// slope from point 8 of the contrast curve, in 1/1024
        s8: u16 = 1024 in 0..=2047;
        /// slope from point 10 of the contrast curve, in 1/1024
        s10: u16 = 1024 in 0..=2047;
        /// saturation of yellow, in 1/128
        sat_factor_3: u8 = 220 in 0..=255;
        /// saturation of red, in 1/128
        sat_factor_2: u8 = 220 in 0..=255;
        /// saturation of magenta, in 1/128
        sat_factor_1: u8 = 220 in 0..=255;
        /// the saturation of six colours is changed
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
        /// subtracted from the transition from yellow, in 1/256
        color_bias_3: u16 = 0 in 0..=1023;
        /// subtracted from the transition from red, in 1/256
        color_bias_2: u16 = 150 in 0..=1023;
        /// subtracted from the transition from magenta, in 1/256
        color_bias_1: u16 = 0 in 0..=1023;
        /// subtracted from the transition from blue, in 1/256
        color_bias_6: u16 = 0 in 0..=1023;
        /// subtracted from the transition from cyan, in 1/256
        color_bias_5: u16 = 0 in 0..=1023;
        /// subtracted from the transition from green, in 1/256
        color_bias_4: u16 = 0 in 0..=1023;
        /// saturation up to which colours do not change
        uv_threshold: u8 = 3 in 0..=127;
        /// log2 of the transition above uv_threshold
        uv_threshold_bits: u8 = 3 in 0..=7;
        /// skin factor up to which colours change like others
        ste_threshold: u8 = 0 in 0..=31;
        /// log2 of the slope above ste_threshold that excludes skin
        ste_slope_bits: u8 = 0 in 0..=7;
        /// 65536 / uv_max_color
        inv_uv_max_color: u16 = 146 in 0..=65535;
        /// saturation from which on factors above 1 have no effect
        uv_max_color: u16 = 448 in 0..=511;
        /// factor of the luma, in 1/128
        contrast: u16 = 128 in 0..=2047;
        /// added to the luma, in 1/16
        brightness: i16 = 0 in -2048..=2047;
        /// luma and chroma are amplified
        procamp_enable: bool = 0 in 0..=1;
        /// saturation times cosine of the hue, in 1/256
        cos_c_s: i16 = 256 in -32768..=32767;
        /// saturation times sine of the hue, in 1/256
        sin_c_s: i16 = 0 in -32768..=32767;
        /// coefficient of input 1 in output 0, in 1/1024
        c1: i16 = 0 in -4096..=4095;
        /// coefficient of input 0 in output 0, in 1/1024
        c0: i16 = 1024 in -4096..=4095;
        /// the input of the conversion is YUV; no effect on samples
        yuv_in: bool = 0 in 0..=1;
        /// the output of the conversion is YUV; no effect on samples
        yuv_out: bool = 0 in 0..=1;
        /// the colour space is converted
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
        /// added to output 0, in 10 bits
        offset_out_1: i16 = 0 in -512..=511;
        /// added to input 0, in 10 bits
        offset_in_1: i16 = 0 in -512..=511;
        /// added to output 1, in 10 bits
        offset_out_2: i16 = 0 in -512..=511;
        /// added to input 1, in 10 bits
        offset_in_2: i16 = 0 in -512..=511;
        /// added to output 2, in 10 bits
        offset_out_3: i16 = 0 in -512..=511;
        /// added to input 2, in 10 bits
        offset_in_3: i16 = 0 in -512..=511;
        /// alpha is color_pipe_alpha; no effect on samples
        alpha_from_state_select: bool = 0 in 0..=1;
        /// alpha; no effect on samples
        color_pipe_alpha: u16 = 0 in 0..=65535;
    }
}
