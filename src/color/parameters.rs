//! Parameters of the colour pipe (§6), named as the fields of COLOR_PROCESSING_STATE.
use crate::parameters::parameters;

parameters! { "color.",
    /// Parameters of the colour pipe. Every stage is off by default.
    ColorParameters {
        /// V of the middle of the skin rectangle
        v_mid = 154 in 0..=255;
        /// U of the middle of the skin rectangle
        u_mid = 110 in 0..=255;
        /// half width of the skin rectangle, in hue
        hue_max = 14 in 0..=63;
        /// half length of the skin rectangle, in saturation
        sat_max = 31 in 0..=63;
        /// skin factors instead of pixels leave the stage
        output_control = 0 in 0..=1;
        /// skin tones are corrected
        ste_enable = 0 in 0..=1;
        /// skin tones are detected
        std_enable = 0 in 0..=1;
        /// log2 of the margin of the skin rhombus
        diamond_margin = 4 in 0..=7;
        /// shift of the rhombus in saturation
        diamond_du = 0 in -64..=63;
        /// log2 of the margin of the skin rectangle
        hs_margin = 3 in 0..=7;
        /// cosine of the angle of the skin rectangle, in 1/128
        cos ["cos_alpha"] = 79 in -128..=127;
        /// sine of the angle of the skin rectangle, in 1/128
        sin ["sin_alpha"] = 101 in -128..=127;
        /// slope of the rhombus, in 1/64
        diamond_alpha = 100 in 0..=255;
        /// half axis of the rhombus, in saturation
        diamond_th = 35 in 0..=63;
        /// shift of the rhombus in hue
        diamond_dv = 0 in -64..=63;
        /// luma up to which they surely may
        y_point_3 = 254 in 0..=255;
        /// luma from which on they surely may
        y_point_2 = 47 in 0..=255;
        /// luma from which on pixels may be skin
        y_point_1 = 46 in 0..=255;
        /// skin tones are detected by V and luma, too
        vy_std_enable = 0 in 0..=1;
        /// how fast skin ends with the luma, in 1/8
        y_slope_2 = 31 in 0..=31;
        /// how fast skin begins with the luma, in 1/8
        y_slope_1 = 31 in 0..=31;
        /// luma up to which pixels may be skin
        y_point_4 = 255 in 0..=255;
        /// 65536 / (2 * skin_types_margin)
        inv_skin_types_margin = 1638 in 0..=65535;
        /// 65536 / margin above the lower curve of V
        inv_margin_vyl = 6554 in 0..=65535;
        /// luma of point 1 of the lower curve of V
        p1l = 216 in 0..=255;
        /// luma of point 0 of the lower curve of V
        p0l = 46 in 0..=255;
        /// 65536 / margin below the upper curve of V
        inv_margin_vyu = 3227 in 0..=65535;
        /// V at point 1 of the lower curve
        b1l = 130 in 0..=255;
        /// V at point 0 of the lower curve
        b0l = 133 in 0..=255;
        /// luma of point 3 of the lower curve of V
        p3l = 236 in 0..=255;
        /// luma of point 2 of the lower curve of V
        p2l = 236 in 0..=255;
        /// slope from point 0 of the lower curve, in 1/256
        s0l = -5 in -1024..=1023;
        /// V at point 3 of the lower curve
        b3l = 130 in 0..=255;
        /// V at point 2 of the lower curve
        b2l = 130 in 0..=255;
        /// slope from point 2 of the lower curve, in 1/256
        s2l = 0 in -1024..=1023;
        /// slope from point 1 of the lower curve, in 1/256
        s1l = 0 in -1024..=1023;
        /// luma of point 1 of the upper curve of V
        p1u = 66 in 0..=255;
        /// luma of point 0 of the upper curve of V
        p0u = 46 in 0..=255;
        /// slope from point 3 of the lower curve, in 1/256
        s3l = 0 in -1024..=1023;
        /// V at point 1 of the upper curve
        b1u = 163 in 0..=255;
        /// V at point 0 of the upper curve
        b0u = 143 in 0..=255;
        /// luma of point 3 of the upper curve of V
        p3u = 236 in 0..=255;
        /// luma of point 2 of the upper curve of V
        p2u = 150 in 0..=255;
        /// slope from point 0 of the upper curve, in 1/256
        s0u = 256 in -1024..=1023;
        /// V at point 3 of the upper curve
        b3u = 140 in 0..=255;
        /// V at point 2 of the upper curve
        b2u = 200 in 0..=255;
        /// slope from point 2 of the upper curve, in 1/256
        s2u = -179 in -1024..=1023;
        /// slope from point 1 of the upper curve, in 1/256
        s1u = 113 in -1024..=1023;
        /// half width of the luma between dark and bright skin
        skin_types_margin ["skin_margin"] = 20 in 0..=255;
        /// luma between dark and bright skin
        skin_types_thresh ["skin_thresh"] = 120 in 0..=255;
        /// dark and bright skin are corrected apart
        skin_types_enable = 0 in 0..=1;
        /// slope from point 3 of the upper curve, in 1/256
        s3u = 0 in -1024..=1023;
        /// value at point 1 of the saturation curve, bright skin, in 1/4
        satb1 = 0 in -512..=511;
        /// point 3 of the saturation curve, bright skin
        satp3 = 31 in -64..=63;
        /// point 2 of the saturation curve, bright skin
        satp2 = 31 in -64..=63;
        /// point 1 of the saturation curve, bright skin
        satp1 = -11 in -64..=63;
        /// slope from point 0 of the saturation curve, bright skin, in 1/256
        sats0 = 397 in 0..=2047;
        /// value at point 3 of the saturation curve, bright skin, in 1/4
        satb3 = 124 in -512..=511;
        /// value at point 2 of the saturation curve, bright skin, in 1/4
        satb2 = 124 in -512..=511;
        /// slope from point 2 of the saturation curve, bright skin, in 1/256
        sats2 = 256 in 0..=2047;
        /// slope from point 1 of the saturation curve, bright skin, in 1/256
        sats1 = 189 in 0..=2047;
        /// point 3 of the hue curve, bright skin
        huep3 = 14 in -64..=63;
        /// point 2 of the hue curve, bright skin
        huep2 = 2 in -64..=63;
        /// point 1 of the hue curve, bright skin
        huep1 = 0 in -64..=63;
        /// slope from point 3 of the saturation curve, bright skin, in 1/256
        sats3 = 256 in 0..=2047;
        /// value at point 3 of the hue curve, bright skin, in 1/4
        hueb3 = 56 in -512..=511;
        /// value at point 2 of the hue curve, bright skin, in 1/4
        hueb2 = 0 in -512..=511;
        /// value at point 1 of the hue curve, bright skin, in 1/4
        hueb1 = 0 in -512..=511;
        /// slope from point 1 of the hue curve, bright skin, in 1/256
        hues1 = 0 in 0..=2047;
        /// slope from point 0 of the hue curve, bright skin, in 1/256
        hues0 = 256 in 0..=2047;
        /// slope from point 3 of the hue curve, bright skin, in 1/256
        hues3 = 256 in 0..=2047;
        /// slope from point 2 of the hue curve, bright skin, in 1/256
        hues2 = 299 in 0..=2047;
        /// value at point 1 of the saturation curve, dark skin, in 1/4
        satb1_dark = 0 in -512..=511;
        /// point 3 of the saturation curve, dark skin
        satp3_dark = 31 in -64..=63;
        /// point 2 of the saturation curve, dark skin
        satp2_dark = 31 in -64..=63;
        /// point 1 of the saturation curve, dark skin
        satp1_dark = -11 in -64..=63;
        /// slope from point 0 of the saturation curve, dark skin, in 1/256
        sats0_dark = 397 in 0..=2047;
        /// value at point 3 of the saturation curve, dark skin, in 1/4
        satb3_dark = 124 in -512..=511;
        /// value at point 2 of the saturation curve, dark skin, in 1/4
        satb2_dark = 124 in -512..=511;
        /// slope from point 2 of the saturation curve, dark skin, in 1/256
        sats2_dark = 256 in 0..=2047;
        /// slope from point 1 of the saturation curve, dark skin, in 1/256
        sats1_dark = 189 in 0..=2047;
        /// point 3 of the hue curve, dark skin
        huep3_dark = 14 in -64..=63;
        /// point 2 of the hue curve, dark skin
        huep2_dark = 2 in -64..=63;
        /// point 1 of the hue curve, dark skin
        huep1_dark = 0 in -64..=63;
        /// slope from point 3 of the saturation curve, dark skin, in 1/256
        sats3_dark = 256 in 0..=2047;
        /// value at point 3 of the hue curve, dark skin, in 1/4
        hueb3_dark = 56 in -512..=511;
        /// value at point 2 of the hue curve, dark skin, in 1/4
        hueb2_dark = 0 in -512..=511;
        /// value at point 1 of the hue curve, dark skin, in 1/4
        hueb1_dark = 0 in -512..=511;
        /// slope from point 1 of the hue curve, dark skin, in 1/256
        hues1_dark = 0 in 0..=2047;
        /// slope from point 0 of the hue curve, dark skin, in 1/256
        hues0_dark = 256 in 0..=2047;
        /// slope from point 3 of the hue curve, dark skin, in 1/256
        hues3_dark = 256 in 0..=2047;
        /// slope from point 2 of the hue curve, dark skin, in 1/256
        hues2_dark = 299 in 0..=2047;
        /// a factor above it counts as skin in the statistics
        skin_threshold = 26 in 0..=31;
        /// the histogram counts the whole picture
        full_image_histogram = 0 in 0..=1;
        /// contrast is stretched
        ace_enable = 0 in 0..=1;
        /// point 3 of the contrast curve
        y3 = 76 in 0..=255;
        /// point 2 of the contrast curve
        y2 = 56 in 0..=255;
        /// point 1 of the contrast curve
        y1 = 36 in 0..=255;
        /// point 0 of the contrast curve and its value
        ymin = 16 in 0..=255;
        /// point 7 of the contrast curve
        y7 = 156 in 0..=255;
        /// point 6 of the contrast curve
        y6 = 136 in 0..=255;
        /// point 5 of the contrast curve
        y5 = 116 in 0..=255;
        /// point 4 of the contrast curve
        y4 = 96 in 0..=255;
        /// end of the contrast curve
        ymax = 235 in 0..=255;
        /// point 10 of the contrast curve
        y10 = 216 in 0..=255;
        /// point 9 of the contrast curve
        y9 = 196 in 0..=255;
        /// point 8 of the contrast curve
        y8 = 176 in 0..=255;
        /// value at point 4 of the contrast curve
        b4 = 96 in 0..=255;
        /// value at point 3 of the contrast curve
        b3 = 76 in 0..=255;
        /// value at point 2 of the contrast curve
        b2 = 56 in 0..=255;
        /// value at point 1 of the contrast curve
        b1 = 36 in 0..=255;
        /// value at point 8 of the contrast curve
        b8 = 176 in 0..=255;
        /// value at point 7 of the contrast curve
        b7 = 156 in 0..=255;
        /// value at point 6 of the contrast curve
        b6 = 136 in 0..=255;
        /// value at point 5 of the contrast curve
        b5 = 116 in 0..=255;
        /// value at point 10 of the contrast curve
        b10 = 216 in 0..=255;
        /// value at point 9 of the contrast curve
        b9 = 196 in 0..=255;
        /// slope from point 1 of the contrast curve, in 1/1024
        s1 = 1024 in 0..=2047;
        /// slope from point 0 of the contrast curve, in 1/1024
        s0 = 1024 in 0..=2047;
        /// slope from point 3 of the contrast curve, in 1/1024
        s3 = 1024 in 0..=2047;
        /// slope from point 2 of the contrast curve, in 1/1024
        s2 = 1024 in 0..=2047;
        /// slope from point 5 of the contrast curve, in 1/1024
        s5 = 1024 in 0..=2047;
        /// slope from point 4 of the contrast curve, in 1/1024
        s4 = 1024 in 0..=2047;
        /// slope from point 7 of the contrast curve, in 1/1024
        s7 = 1024 in 0..=2047;
        /// slope from point 6 of the contrast curve, in 1/1024
        s6 = 1024 in 0..=2047;
        /// slope from point 9 of the contrast curve, in 1/1024
        s9 = 1024 in 0..=2047;
        /// slope from point 8 of the contrast curve, in 1/1024
        s8 = 1024 in 0..=2047;
        /// slope from point 10 of the contrast curve, in 1/1024
        s10 = 1024 in 0..=2047;
        /// saturation of yellow, in 1/128
        sat_factor_3 = 220 in 0..=255;
        /// saturation of red, in 1/128
        sat_factor_2 = 220 in 0..=255;
        /// saturation of magenta, in 1/128
        sat_factor_1 = 220 in 0..=255;
        /// saturation is changed by colour
        tcc_enable = 0 in 0..=1;
        /// saturation of blue, in 1/128
        sat_factor_6 = 220 in 0..=255;
        /// saturation of cyan, in 1/128
        sat_factor_5 = 220 in 0..=255;
        /// saturation of green, in 1/128
        sat_factor_4 = 220 in 0..=255;
        /// angle of yellow, in 1/1024 of a turn
        base_color_3 = 483 in 0..=1023;
        /// angle of red, in 1/1024 of a turn
        base_color_2 = 307 in 0..=1023;
        /// angle of magenta, in 1/1024 of a turn
        base_color_1 = 145 in 0..=1023;
        /// angle of blue, in 1/1024 of a turn
        base_color_6 = 995 in 0..=1023;
        /// angle of cyan, in 1/1024 of a turn
        base_color_5 = 819 in 0..=1023;
        /// angle of green, in 1/1024 of a turn
        base_color_4 = 657 in 0..=1023;
        /// slope of the transition from red to yellow, in 1/65536
        color_transit_slope_23 = 744 in 0..=65535;
        /// slope of the transition from magenta to red, in 1/65536
        color_transit_slope_12 = 405 in 0..=65535;
        /// slope of the transition from green to cyan, in 1/65536
        color_transit_slope_45 = 407 in 0..=65535;
        /// slope of the transition from yellow to green, in 1/65536
        color_transit_slope_34 = 1131 in 0..=65535;
        /// slope of the transition from blue to magenta, in 1/65536
        color_transit_slope_61 = 377 in 0..=65535;
        /// slope of the transition from cyan to blue, in 1/65536
        color_transit_slope_56 = 372 in 0..=65535;
        /// taken off the transition from yellow, in 1/256
        color_bias_3 = 0 in 0..=1023;
        /// taken off the transition from red, in 1/256
        color_bias_2 = 150 in 0..=1023;
        /// taken off the transition from magenta, in 1/256
        color_bias_1 = 0 in 0..=1023;
        /// taken off the transition from blue, in 1/256
        color_bias_6 = 0 in 0..=1023;
        /// taken off the transition from cyan, in 1/256
        color_bias_5 = 0 in 0..=1023;
        /// taken off the transition from green, in 1/256
        color_bias_4 = 0 in 0..=1023;
        /// saturation up to which colours stay
        uv_threshold = 3 in 0..=127;
        /// log2 of the transition above uv_threshold
        uv_threshold_bits = 3 in 0..=7;
        /// skin factor up to which colours change as others do
        ste_threshold = 0 in 0..=31;
        /// how fast skin is spared above ste_threshold
        ste_slope_bits = 0 in 0..=7;
        /// 65536 / uv_max_color
        inv_uv_max_color = 146 in 0..=65535;
        /// largest saturation that is legal
        uv_max_color = 448 in 0..=511;
        /// factor of the luma, in 1/128
        contrast = 128 in 0..=2047;
        /// added to the luma, in 1/16
        brightness = 0 in -2048..=2047;
        /// luma and chroma are amplified
        procamp_enable = 0 in 0..=1;
        /// saturation times cosine of the hue, in 1/256
        cos_c_s = 256 in -32768..=32767;
        /// saturation times sine of the hue, in 1/256
        sin_c_s = 0 in -32768..=32767;
        /// coefficient of input 1 in output 0, in 1/1024
        c1 = 0 in -4096..=4095;
        /// coefficient of input 0 in output 0, in 1/1024
        c0 = 1024 in -4096..=4095;
        /// the input of the conversion is YUV; carried
        yuv_in = 0 in 0..=1;
        /// the output of the conversion is YUV; carried
        yuv_out = 0 in 0..=1;
        /// the colour space is converted
        transform_enable ["csc_enable"] = 0 in 0..=1;
        /// coefficient of input 0 in output 1, in 1/1024
        c3 = 0 in -4096..=4095;
        /// coefficient of input 2 in output 0, in 1/1024
        c2 = 0 in -4096..=4095;
        /// coefficient of input 2 in output 1, in 1/1024
        c5 = 0 in -4096..=4095;
        /// coefficient of input 1 in output 1, in 1/1024
        c4 = 1024 in -4096..=4095;
        /// coefficient of input 1 in output 2, in 1/1024
        c7 = 0 in -4096..=4095;
        /// coefficient of input 0 in output 2, in 1/1024
        c6 = 0 in -4096..=4095;
        /// coefficient of input 2 in output 2, in 1/1024
        c8 = 1024 in -4096..=4095;
        /// added to output 0, in 10 bits
        offset_out_1 = 0 in -512..=511;
        /// added to input 0, in 10 bits
        offset_in_1 = 0 in -512..=511;
        /// added to output 1, in 10 bits
        offset_out_2 = 0 in -512..=511;
        /// added to input 1, in 10 bits
        offset_in_2 = 0 in -512..=511;
        /// added to output 2, in 10 bits
        offset_out_3 = 0 in -512..=511;
        /// added to input 2, in 10 bits
        offset_in_3 = 0 in -512..=511;
        /// alpha is color_pipe_alpha; carried
        alpha_from_state_select = 0 in 0..=1;
        /// alpha; carried
        color_pipe_alpha = 0 in 0..=65535;
    }
}
