//! Parameters of the colour pipe (§6), named as the fields of COLOR_PROCESSING_STATE.
use crate::parameters::parameters;

parameters! { "color.",
    /// Parameters of the colour pipe. Every stage is off by default.
    ColorParameters {
        /// DW0 31:24 of the state
        v_mid = 154 in 0..=255;
        /// DW0 23:16 of the state
        u_mid = 110 in 0..=255;
        /// DW0 15:10 of the state
        hue_max = 14 in 0..=63;
        /// DW0 9:4 of the state
        sat_max = 31 in 0..=63;
        /// DW0 2:2 of the state
        output_control = 0 in 0..=1;
        /// DW0 1:1 of the state
        ste_enable = 0 in 0..=1;
        /// DW0 0:0 of the state
        std_enable = 0 in 0..=1;
        /// DW1 30:28 of the state
        diamond_margin = 4 in 0..=7;
        /// DW1 27:21 of the state
        diamond_du = 0 in -64..=63;
        /// DW1 20:18 of the state
        hs_margin = 3 in 0..=7;
        /// DW1 17:10 of the state
        cos ["cos_alpha"] = 79 in -128..=127;
        /// DW1 7:0 of the state
        sin ["sin_alpha"] = 101 in -128..=127;
        /// DW2 20:13 of the state
        diamond_alpha = 100 in 0..=255;
        /// DW2 12:7 of the state
        diamond_th = 35 in 0..=63;
        /// DW2 6:0 of the state
        diamond_dv = 0 in -64..=63;
        /// DW3 31:24 of the state
        y_point_3 = 254 in 0..=255;
        /// DW3 23:16 of the state
        y_point_2 = 47 in 0..=255;
        /// DW3 15:8 of the state
        y_point_1 = 46 in 0..=255;
        /// DW3 7:7 of the state
        vy_std_enable = 0 in 0..=1;
        /// DW4 17:13 of the state
        y_slope_2 = 31 in 0..=31;
        /// DW4 12:8 of the state
        y_slope_1 = 31 in 0..=31;
        /// DW4 7:0 of the state
        y_point_4 = 255 in 0..=255;
        /// DW5 31:16 of the state
        inv_skin_types_margin = 1638 in 0..=65535;
        /// DW5 15:0 of the state
        inv_margin_vyl = 6554 in 0..=65535;
        /// DW6 31:24 of the state
        p1l = 216 in 0..=255;
        /// DW6 23:16 of the state
        p0l = 46 in 0..=255;
        /// DW6 15:0 of the state
        inv_margin_vyu = 3227 in 0..=65535;
        /// DW7 31:24 of the state
        b1l = 130 in 0..=255;
        /// DW7 23:16 of the state
        b0l = 133 in 0..=255;
        /// DW7 15:8 of the state
        p3l = 236 in 0..=255;
        /// DW7 7:0 of the state
        p2l = 236 in 0..=255;
        /// DW8 26:16 of the state
        s0l = -5 in -1024..=1023;
        /// DW8 15:8 of the state
        b3l = 130 in 0..=255;
        /// DW8 7:0 of the state
        b2l = 130 in 0..=255;
        /// DW9 21:11 of the state
        s2l = 0 in -1024..=1023;
        /// DW9 10:0 of the state
        s1l = 0 in -1024..=1023;
        /// DW10 26:19 of the state
        p1u = 66 in 0..=255;
        /// DW10 18:11 of the state
        p0u = 46 in 0..=255;
        /// DW10 10:0 of the state
        s3l = 0 in -1024..=1023;
        /// DW11 31:24 of the state
        b1u = 163 in 0..=255;
        /// DW11 23:16 of the state
        b0u = 143 in 0..=255;
        /// DW11 15:8 of the state
        p3u = 236 in 0..=255;
        /// DW11 7:0 of the state
        p2u = 150 in 0..=255;
        /// DW12 26:16 of the state
        s0u = 256 in -1024..=1023;
        /// DW12 15:8 of the state
        b3u = 140 in 0..=255;
        /// DW12 7:0 of the state
        b2u = 200 in 0..=255;
        /// DW13 21:11 of the state
        s2u = -179 in -1024..=1023;
        /// DW13 10:0 of the state
        s1u = 113 in -1024..=1023;
        /// DW14 27:20 of the state
        skin_types_margin ["skin_margin"] = 20 in 0..=255;
        /// DW14 19:12 of the state
        skin_types_thresh ["skin_thresh"] = 120 in 0..=255;
        /// DW14 11:11 of the state
        skin_types_enable = 0 in 0..=1;
        /// DW14 10:0 of the state
        s3u = 0 in -1024..=1023;
        /// DW15 30:21 of the state
        satb1 = 0 in -512..=511;
        /// DW15 20:14 of the state
        satp3 = 31 in -64..=63;
        /// DW15 13:7 of the state
        satp2 = 31 in -64..=63;
        /// DW15 6:0 of the state
        satp1 = -11 in -64..=63;
        /// DW16 30:20 of the state
        sats0 = 397 in 0..=2047;
        /// DW16 19:10 of the state
        satb3 = 124 in -512..=511;
        /// DW16 9:0 of the state
        satb2 = 124 in -512..=511;
        /// DW17 21:11 of the state
        sats2 = 256 in 0..=2047;
        /// DW17 10:0 of the state
        sats1 = 189 in 0..=2047;
        /// DW18 31:25 of the state
        huep3 = 14 in -64..=63;
        /// DW18 24:18 of the state
        huep2 = 2 in -64..=63;
        /// DW18 17:11 of the state
        huep1 = 0 in -64..=63;
        /// DW18 10:0 of the state
        sats3 = 256 in 0..=2047;
        /// DW19 29:20 of the state
        hueb3 = 56 in -512..=511;
        /// DW19 19:10 of the state
        hueb2 = 0 in -512..=511;
        /// DW19 9:0 of the state
        hueb1 = 0 in -512..=511;
        /// DW20 21:11 of the state
        hues1 = 0 in 0..=2047;
        /// DW20 10:0 of the state
        hues0 = 256 in 0..=2047;
        /// DW21 21:11 of the state
        hues3 = 256 in 0..=2047;
        /// DW21 10:0 of the state
        hues2 = 299 in 0..=2047;
        /// DW22 30:21 of the state
        satb1_dark = 0 in -512..=511;
        /// DW22 20:14 of the state
        satp3_dark = 31 in -64..=63;
        /// DW22 13:7 of the state
        satp2_dark = 31 in -64..=63;
        /// DW22 6:0 of the state
        satp1_dark = -11 in -64..=63;
        /// DW23 30:20 of the state
        sats0_dark = 397 in 0..=2047;
        /// DW23 19:10 of the state
        satb3_dark = 124 in -512..=511;
        /// DW23 9:0 of the state
        satb2_dark = 124 in -512..=511;
        /// DW24 21:11 of the state
        sats2_dark = 256 in 0..=2047;
        /// DW24 10:0 of the state
        sats1_dark = 189 in 0..=2047;
        /// DW25 31:25 of the state
        huep3_dark = 14 in -64..=63;
        /// DW25 24:18 of the state
        huep2_dark = 2 in -64..=63;
        /// DW25 17:11 of the state
        huep1_dark = 0 in -64..=63;
        /// DW25 10:0 of the state
        sats3_dark = 256 in 0..=2047;
        /// DW26 29:20 of the state
        hueb3_dark = 56 in -512..=511;
        /// DW26 19:10 of the state
        hueb2_dark = 0 in -512..=511;
        /// DW26 9:0 of the state
        hueb1_dark = 0 in -512..=511;
        /// DW27 21:11 of the state
        hues1_dark = 0 in 0..=2047;
        /// DW27 10:0 of the state
        hues0_dark = 256 in 0..=2047;
        /// DW28 21:11 of the state
        hues3_dark = 256 in 0..=2047;
        /// DW28 10:0 of the state
        hues2_dark = 299 in 0..=2047;
        /// DW29 6:2 of the state
        skin_threshold = 26 in 0..=31;
        /// DW29 1:1 of the state
        full_image_histogram = 0 in 0..=1;
        /// DW29 0:0 of the state
        ace_enable = 0 in 0..=1;
        /// DW30 31:24 of the state
        y3 = 76 in 0..=255;
        /// DW30 23:16 of the state
        y2 = 56 in 0..=255;
        /// DW30 15:8 of the state
        y1 = 36 in 0..=255;
        /// DW30 7:0 of the state
        ymin = 16 in 0..=255;
        /// DW31 31:24 of the state
        y7 = 156 in 0..=255;
        /// DW31 23:16 of the state
        y6 = 136 in 0..=255;
        /// DW31 15:8 of the state
        y5 = 116 in 0..=255;
        /// DW31 7:0 of the state
        y4 = 96 in 0..=255;
        /// DW32 31:24 of the state
        ymax = 235 in 0..=255;
        /// DW32 23:16 of the state
        y10 = 216 in 0..=255;
        /// DW32 15:8 of the state
        y9 = 196 in 0..=255;
        /// DW32 7:0 of the state
        y8 = 176 in 0..=255;
        /// DW33 31:24 of the state
        b4 = 96 in 0..=255;
        /// DW33 23:16 of the state
        b3 = 76 in 0..=255;
        /// DW33 15:8 of the state
        b2 = 56 in 0..=255;
        /// DW33 7:0 of the state
        b1 = 36 in 0..=255;
        /// DW34 31:24 of the state
        b8 = 176 in 0..=255;
        /// DW34 23:16 of the state
        b7 = 156 in 0..=255;
        /// DW34 15:8 of the state
        b6 = 136 in 0..=255;
        /// DW34 7:0 of the state
        b5 = 116 in 0..=255;
        /// DW35 15:8 of the state
        b10 = 216 in 0..=255;
        /// DW35 7:0 of the state
        b9 = 196 in 0..=255;
        /// DW36 26:16 of the state
        s1 = 1024 in 0..=2047;
        /// DW36 10:0 of the state
        s0 = 1024 in 0..=2047;
        /// DW37 26:16 of the state
        s3 = 1024 in 0..=2047;
        /// DW37 10:0 of the state
        s2 = 1024 in 0..=2047;
        /// DW38 26:16 of the state
        s5 = 1024 in 0..=2047;
        /// DW38 10:0 of the state
        s4 = 1024 in 0..=2047;
        /// DW39 26:16 of the state
        s7 = 1024 in 0..=2047;
        /// DW39 10:0 of the state
        s6 = 1024 in 0..=2047;
        /// DW40 26:16 of the state
        s9 = 1024 in 0..=2047;
        /// DW40 10:0 of the state
        s8 = 1024 in 0..=2047;
        /// DW41 10:0 of the state
        s10 = 1024 in 0..=2047;
        /// DW42 31:24 of the state
        sat_factor_3 = 220 in 0..=255;
        /// DW42 23:16 of the state
        sat_factor_2 = 220 in 0..=255;
        /// DW42 15:8 of the state
        sat_factor_1 = 220 in 0..=255;
        /// DW42 7:7 of the state
        tcc_enable = 0 in 0..=1;
        /// DW43 31:24 of the state
        sat_factor_6 = 220 in 0..=255;
        /// DW43 23:16 of the state
        sat_factor_5 = 220 in 0..=255;
        /// DW43 15:8 of the state
        sat_factor_4 = 220 in 0..=255;
        /// DW44 29:20 of the state
        base_color_3 = 483 in 0..=1023;
        /// DW44 19:10 of the state
        base_color_2 = 307 in 0..=1023;
        /// DW44 9:0 of the state
        base_color_1 = 145 in 0..=1023;
        /// DW45 29:20 of the state
        base_color_6 = 995 in 0..=1023;
        /// DW45 19:10 of the state
        base_color_5 = 819 in 0..=1023;
        /// DW45 9:0 of the state
        base_color_4 = 657 in 0..=1023;
        /// DW46 31:16 of the state
        color_transit_slope_23 = 744 in 0..=65535;
        /// DW46 15:0 of the state
        color_transit_slope_12 = 405 in 0..=65535;
        /// DW47 31:16 of the state
        color_transit_slope_45 = 407 in 0..=65535;
        /// DW47 15:0 of the state
        color_transit_slope_34 = 1131 in 0..=65535;
        /// DW48 31:16 of the state
        color_transit_slope_61 = 377 in 0..=65535;
        /// DW48 15:0 of the state
        color_transit_slope_56 = 372 in 0..=65535;
        /// DW49 31:22 of the state
        color_bias_3 = 0 in 0..=1023;
        /// DW49 21:12 of the state
        color_bias_2 = 150 in 0..=1023;
        /// DW49 11:2 of the state
        color_bias_1 = 0 in 0..=1023;
        /// DW50 31:22 of the state
        color_bias_6 = 0 in 0..=1023;
        /// DW50 21:12 of the state
        color_bias_5 = 0 in 0..=1023;
        /// DW50 11:2 of the state
        color_bias_4 = 0 in 0..=1023;
        /// DW51 30:24 of the state
        uv_threshold = 3 in 0..=127;
        /// DW51 18:16 of the state
        uv_threshold_bits = 3 in 0..=7;
        /// DW51 12:8 of the state
        ste_threshold = 0 in 0..=31;
        /// DW51 2:0 of the state
        ste_slope_bits = 0 in 0..=7;
        /// DW52 31:16 of the state
        inv_uv_max_color = 146 in 0..=65535;
        /// DW52 8:0 of the state
        uv_max_color = 448 in 0..=511;
        /// DW53 27:17 of the state
        contrast = 128 in 0..=2047;
        /// DW53 12:1 of the state
        brightness = 0 in -2048..=2047;
        /// DW53 0:0 of the state
        procamp_enable = 0 in 0..=1;
        /// DW54 31:16 of the state
        cos_c_s = 256 in -32768..=32767;
        /// DW54 15:0 of the state
        sin_c_s = 0 in -32768..=32767;
        /// DW55 28:16 of the state
        c1 = 0 in -4096..=4095;
        /// DW55 15:3 of the state
        c0 = 1024 in -4096..=4095;
        /// DW55 2:2 of the state
        yuv_in = 0 in 0..=1;
        /// DW55 1:1 of the state
        yuv_out = 0 in 0..=1;
        /// DW55 0:0 of the state
        transform_enable ["csc_enable"] = 0 in 0..=1;
        /// DW56 25:13 of the state
        c3 = 0 in -4096..=4095;
        /// DW56 12:0 of the state
        c2 = 0 in -4096..=4095;
        /// DW57 25:13 of the state
        c5 = 0 in -4096..=4095;
        /// DW57 12:0 of the state
        c4 = 1024 in -4096..=4095;
        /// DW58 25:13 of the state
        c7 = 0 in -4096..=4095;
        /// DW58 12:0 of the state
        c6 = 0 in -4096..=4095;
        /// DW59 12:0 of the state
        c8 = 1024 in -4096..=4095;
        /// DW60 19:10 of the state
        offset_out_1 = 0 in -512..=511;
        /// DW60 9:0 of the state
        offset_in_1 = 0 in -512..=511;
        /// DW61 19:10 of the state
        offset_out_2 = 0 in -512..=511;
        /// DW61 9:0 of the state
        offset_in_2 = 0 in -512..=511;
        /// DW62 19:10 of the state
        offset_out_3 = 0 in -512..=511;
        /// DW62 9:0 of the state
        offset_in_3 = 0 in -512..=511;
        /// DW63 16:16 of the state
        alpha_from_state_select = 0 in 0..=1;
        /// DW63 15:0 of the state
        color_pipe_alpha = 0 in 0..=65535;
    }
}
