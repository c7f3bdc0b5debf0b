//! The list of kernels and the table of each instruction set: the only dispatch.
use crate::{
    Alpha, BayerLevel, BwdifValues, Combination, Conversion, Convolution, CurvePiece, DEEP, Denoise5, Detail, FieldLines, Fusion,
    GamutCompression, GamutWeight, Lace, LaceCurves, Lines, Network, Polyphase, QuarterBlock, QuarterPosition, Sharpness,
    SkinEnhance, SkinFactor, Tap, Tile, TotalColor, WIDE, WideMix, WindowTap,
};
use crate::{
    AngleThresholds, Compensate, CompensateRows, DenoiseThresholds, FmdRows, FmdSums, FmdThresholds, MotionHistoryThresholds,
    Row, SimdLevel, SimdLevelError, Stmm, StmmBlend, isa::Portable,
};

#[cfg(target_arch = "x86_64")]
use crate::isa::{Avx2, Avx512};

/// One table entry: checks the lengths of the slices, then calls the vector bodies, widest first,
/// then the scalar form, all compiled with the instructions of `$feature`.
macro_rules! entry {
    (@try $kernel:ident, $isa:expr, ($($arg:ident),*)) => { if crate::$kernel::vector($isa, $($arg),*) { return } };
    ($kernel:ident, [$($isa:expr),*], [$($feature:literal)?], ($($arg:ident: $ty:ty),*), $args:tt) => {{
        // Has the name of the kernel, so that profiles show it.
        fn $kernel($($arg: $ty),*) {
            // Not inlined, so that the checks do not change the code of the loops.
            #[inline(never)]
            $(#[target_feature(enable = $feature)])?
            fn run($($arg: $ty),*) {
                $(entry!(@try $kernel, $isa, $args);)*
                crate::$kernel::scalar $args
            }
            crate::$kernel::check $args;
            // SAFETY: `Kernels::at` hands a table out only where its level is supported.
            #[allow(unused_unsafe, reason = "the levels below AVX2 need no feature")]
            unsafe { run $args }
        }
        $kernel
    }};
}

macro_rules! kernels {
    (
        samples $sample:ident {
            $($(#[$sample_doc:meta])* $sample_kernel:ident ($($sample_arg:ident: $sample_ty:ty),*);)*
        }
        $($(#[$doc:meta])* $kernel:ident ($($arg:ident: $ty:ty),*);)*
    ) => {
        /// The pixel kernels of one instruction set. The contract of a kernel is documented at its
        /// scalar function, in the file of the same name.
        pub struct Kernels {
            level: SimdLevel,
            /// The kernels for samples of 8 bits.
            pub bytes: SampleKernels<u8>,
            /// The kernels for samples of 9 to 16 bits.
            pub words: SampleKernels<u16>,
            $($(#[$doc])* pub $kernel: fn($($ty),*),)*
        }

        /// The kernels that read or write samples of any depth, for one type of samples.
        pub struct SampleKernels<$sample: 'static> {
            $($(#[$sample_doc])* pub $sample_kernel: fn($($sample_ty),*),)*
        }

        /// The table of `$level`, with the vectors `$isa` and the instructions of `$feature`.
        macro_rules! table {
            ($level:expr, $isas:tt, $features:tt) => {
                Kernels {
                    level: $level,
                    bytes: {
                        type $sample = u8;
                        SampleKernels {
                            $($sample_kernel: entry!(
                                $sample_kernel, $isas, $features, ($($sample_arg: $sample_ty),*), ($($sample_arg),*)
                            ),)*
                        }
                    },
                    words: {
                        type $sample = u16;
                        SampleKernels {
                            $($sample_kernel: entry!(
                                $sample_kernel, $isas, $features, ($($sample_arg: $sample_ty),*), ($($sample_arg),*)
                            ),)*
                        }
                    },
                    $($kernel: entry!($kernel, $isas, $features, ($($arg: $ty),*), ($($arg),*)),)*
                }
            };
        }

        static SCALAR: Kernels = table!(SimdLevel::Scalar, [], []);
        static PORTABLE: Kernels = table!(SimdLevel::Portable, [Portable], []);
        #[cfg(target_arch = "x86_64")]
        static AVX2: Kernels = table!(SimdLevel::Avx2, [Avx2::in_avx2(), Portable], ["avx2,bmi1,bmi2"]);
        #[cfg(target_arch = "x86_64")]
        static AVX512: Kernels = table!(
            SimdLevel::Avx512,
            [Avx512::in_avx512(), Avx2::in_avx2(), Portable],
            ["avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl,avx512vnni"]
        );
    };
}

kernels! {
    samples S {
        /// Block noise estimate: metric of each pixel (§2.5).
        noise(dst: &mut [S], rows: [Row<S>; 3], edge_th: u16, noise_th: u16);
        /// Motion history of a row of 4×4 blocks (§2.1).
        motion_history(dst: &mut [u8], old: &[u8], cur: [Row<S>; 4], prev: [Row<S>; 4], th: &MotionHistoryThresholds);
        /// Denoise filter of a line (§2.2 to §2.4).
        denoise(dst: &mut [S], cur: [Row<S>; 3], prev: Row<S>, history: &[u8], th: &DenoiseThresholds);
        /// Denoise filter of a line with the 5×5 neighbourhood (§13.3).
        denoise5(dst: &mut [S], cur: [Row<S>; 5], prev: Row<S>, history: &[u8], th: &DenoiseThresholds, p: &Denoise5);
        /// Removal of hot pixels (§13.2).
        hot_pixel(dst: &mut [S], rows: [Row<S>; 3], threshold: u16, count: u8);
        /// Deflicker of a line of luma (§13.12).
        deflicker(dst: &mut [S], rows: [Row<S>; 3], stmm: &[u8], weights: &[u16; 8]);
        /// Black level and white balance of a line of a Bayer frame (§13.8).
        bayer_levels(dst: &mut [u16], src: &[S], levels: [BayerLevel; 2], depth: u8);
        /// Interpolation along the angle (§3.4).
        interpolate(dst: &mut [S], upper: Row<S>, lower: Row<S>, angle: &[u8]);
        /// Motion compensation of the lines of a block row where its checks pass (§3.5).
        compensate(di: &mut [&mut [S]; 4], rows: &CompensateRows<S>, p: &Compensate);
        /// Numbers of pixels that move and that motion compensation changed.
        compensated(counts: &mut [u32; 2], di: &[S], sdi: &[S], stmm: &[u8], stmm_min: u8);
        /// Chroma interpolation along the angle (§3.6).
        chroma_angle(dst: &mut [S], upper: Row<S>, lower: Row<S>, angle: &[u8]);
        /// Up-sampling of a chroma line inside its field (§3.6).
        upsample(dst: &mut [S], spatial: [&[S]; 2], temporal: [&[S]; 2], stmm: &[u8], p: &StmmBlend);
        /// Final blend of the chroma (§3.6).
        chroma_blend(dst: &mut [S], c3: &[S], existing: [&[S]; 2], fields: [&[S]; 2], stmm: &[u8], p: &StmmBlend);
        /// Final blend of the luma (§3.4, §3.7).
        blend(dst: &mut [S], di: &[S], fields: [&[S]; 2], stmm: &[u8], p: &StmmBlend);
        /// Value of bwdif and of its parts for the missing samples of a line (§14.2).
        bwdif(values: &mut BwdifValues<S>, range: &mut [u16], lines: &FieldLines<S>, depth: u8);
        /// Best of nine angles between the lines above and below (§14.3).
        edge_search(value: &mut [S], costs: &mut [&mut [u16]; 2], decisions: &FieldLines<u8>, lines: &FieldLines<S>, shift: u8);
        /// Best symmetric motion between the fields before and after (§14.3).
        temporal_search(value: &mut [S], costs: &mut [&mut [u16]; 2], decisions: &FieldLines<u8>, lines: &FieldLines<S>, shift: u8);
        /// Differences of values to a base as network inputs (§14.3).
        differences(dst: &mut [u16], stride: usize, values: &[&[S]], base: &[S], shift: u8);
        /// Base and correction, except where the picture is static (§14.4).
        correct(dst: &mut [S], base: &[S], correction: &[u16], still: (&[u16], u16), depth: u8);
        /// Samples at quarter positions of a block (§15.7).
        catmull_rom(dst: &mut [S], stride: usize, block: &QuarterBlock<S>, depth: u8);
        /// Values limited to a range around the temporal mean (§15.8).
        around(dst: &mut [S], value: &[S], mean: &[S], range: &[u16], depth: u8);
        /// Output of the fusion network with its limits (§15.9).
        fuse(dst: &mut [S], p: &Fusion<S>, depth: u8);
        /// Weighted mean of references that agree, except where the picture is static (§15.9).
        agreed_mean(dst: &mut [S], references: [&[S]; 4], alone: &[S], still: (&[u16], u16));
        /// The greatest less the least of several rows (§15.2, §15.9).
        spread(dst: &mut [S], rows: &[&[S]]);
        /// Missing samples of the chroma from the lines of their field (§15.2).
        cubic(dst: &mut [S], lines: [&[S]; 4], depth: u8);
        /// Rounded average of two rows (§15.2).
        average_up(dst: &mut [S], a: &[S], b: &[S]);
        /// Samples of the overlapping blocks and of the mean (§16.7).
        join_blocks(dst: &mut [S], mean: &[u16], parts: [&[i16]; 4], depth: u8);
        /// The 8 most significant bits of samples (§9.2).
        top_byte(dst: &mut [u8], src: &[S], shift: u8);
        /// Truncated average of two rows (§1.6, §3.6).
        average(dst: &mut [S], a: &[S], b: &[S]);
        /// Three quarters of a row and one quarter of another (§14.6).
        quarter(dst: &mut [S], near: &[S], far: &[S]);
        /// Copies samples, limited to the greatest value of their depth (§9.1).
        limit(dst: &mut [S], src: &[S], most: S);
        /// Transposes rows of samples, limited to the greatest value of their depth.
        transpose(dst: &mut [S], dst_stride: usize, src: Lines<S>, rows: usize, most: S);
        /// Reverses a row (§13.10).
        mirror(dst: &mut [S], src: &[S]);
        /// Chroma of twice the width (§13.10).
        chroma_across(dst: &mut [S], src: &[S], siting: u8);
        /// Weighted mean of two rows of chroma (§13.10).
        chroma_mix(dst: &mut [S], rows: [&[S]; 2], weight: u8);
        /// Chroma of half the width (§13.10).
        chroma_reduce(dst: &mut [S], rows: [&[S]; 2], sitings: [u8; 2]);
        /// Convolution of a line (§13.9).
        convolve(dst: &mut [S], src: Lines<S>, p: &Convolution);
        /// The least sample of a window (§13.9).
        erode(dst: &mut [S], src: Lines<S>, taps: &[WindowTap]);
        /// The greatest sample of a window (§13.9).
        dilate(dst: &mut [S], src: Lines<S>, taps: &[WindowTap]);
        /// The greatest less the least sample of a window (§13.9).
        extent(dst: &mut [S], src: Lines<S>, taps: &[WindowTap]);
        /// The 8 most significant bits of the mean of R, G, B (§5.2, §9.4).
        mixed_levels(dst: &mut [u8], planes: [&[S]; 3], depth: u8);
        /// The scaler's filter of one direction, to P bits (§5.2, §9.4).
        filter(dst: &mut [u16], src: Lines<S>, taps: &[Tap], filter: &Polyphase, alpha: Alpha);
        /// The scaler's second direction with output of the depth of the picture (§5.1, §9.4).
        filter_to_samples(dst: &mut [S], src: Lines<u16>, tap: Tap, filter: &Polyphase, alpha: Alpha, depth: u8);
        /// Rounds P bits to the depth of the picture (§5.1, §9.4).
        narrow(dst: &mut [S], src: &[u16], depth: u8);
        /// Unpacker of the colour pipe: samples to components (§6, §9.5).
        unpack(dst: &mut [u16], src: &[S], depth: u8);
        /// Unpacker of the colour pipe: chroma of pairs of pixels (§6, §9.5).
        unpack_pairs(dst: &mut [u16], src: &[S], depth: u8);
        /// Brightness and contrast of samples (§6.5).
        amplify_luma_samples(dst: &mut [S], y: &[S], contrast: u16, brightness: i16, depth: u8);
        /// Saturation and hue of samples (§6.5).
        amplify_chroma_samples(dst: &mut [&mut [S]; 2], uv: [&[S]; 2], cos: i16, sin: i16, depth: u8);
        /// A component of another colour space as samples, for all pixels (§6.6).
        convert_luma_samples(dst: &mut [S], y: &[S], uv: [&[S]; 2], p: &Conversion, depth: u8);
        /// Two components of another colour space as samples, for the left pixels of pairs (§6.6).
        convert_chroma_samples(dst: &mut [&mut [S]; 2], y: &[S], uv: [&[S]; 2], p: [&Conversion; 2], depth: u8);
        /// Repacker of the colour pipe: components to samples (§6, §9.5).
        pack(dst: &mut [S], src: &[u16], depth: u8);
        /// Repacker of the colour pipe for 4:2:2: average of the chroma of a pair (§6, §9.5).
        pack_422(dst: &mut [S], src: &[u16], depth: u8);
        /// Repacker of the colour pipe for 4:2:0: chroma of the left pixel of a pair (§6, §9.5).
        pack_420(dst: &mut [S], src: &[u16], depth: u8);
    }
    /// Costs of the missing samples of a line: differences in time and across lines, static
    /// measure, comb measure (§14.3).
    field_costs(costs: &mut [&mut [u16]; 4], lines: &FieldLines<u8>, shift: u8, limit: u8);
    /// Changes of the cells of a line from field to field (§14.4).
    cell_changes(sums: &mut [u32], a: &[u8], b: &[u8]);
    /// Detail of a steady part of the picture that noise alone changes (§14.4).
    steady_detail(still: &mut [u16], comb: &[u16], factor: u16);
    /// Thin lines that stand still before a picture that moves (§14.4).
    still_lines(still: &mut [u16], lines: &FieldLines<u8>, third: Row<u8>);
    /// Output of a small network for each sample (§14.4).
    network(dst: &mut [u16], inputs: &[u16], stride: usize, network: &Network, depth: u8);
    /// Vertical low-pass of five lines (§15.3).
    smooth(dst: &mut [u8], lines: [&[u8]; 5]);
    /// A line of a picture of half the size (§15.3).
    halve(dst: &mut [u8], lines: [&[u8]; 2]);
    /// Sums of absolute differences of a block and candidates (§15.4).
    block_sads(sads: &mut [u16], block: &[u8], reference: &[u8], stride: usize, at: &[usize]);
    /// The same between samples (§15.4).
    quarter_sads(sads: &mut [u16], block: &[u8], reference: &[u8], stride: usize, at: &[QuarterPosition], lines: usize);
    /// Absolute differences (§15.8).
    distance(dst: &mut [u8], a: &[u8], b: &[u8]);
    /// Costs of a compensated picture by its residuals (§15.8).
    residual_costs(costs: &mut [&mut [u16]; 2], residuals: [Row; 4], shift: u8);
    /// Cost of two compensated pictures that differ (§15.8).
    match_cost(dst: &mut [u16], a: Row, b: Row, shift: u8);
    /// Inputs of the fusion network made of its other inputs (§15.8).
    fusion_choice(inputs: &mut [u16], stride: usize, mean: &[u16], shift: u8);
    /// 3×3 low-pass of three rows (§16.3).
    smooth3(dst: &mut [u8], rows: [&[u8]; 3]);
    /// Sums of the differences of two pictures over cells of 4×4 samples (§16.5).
    cell_sums(absolute: &mut [i32], signed: &mut [i32], own: [&[u16]; 4], other: [&[u16]; 4], shift: u8);
    /// Weighted mean of a sample and those of two references (§16.6).
    weighted_mean(dst: &mut [u16], own: &[u16], others: [&[u16]; 2], weights: [&[u16]; 2], depth: u8);
    /// Blocks of 8×8 samples with the coefficients of their cosine transform shrunk (§16.7).
    shrink_blocks(dst: &mut [&mut [i16]; 8], src: [&[u16]; 8], thresholds: &[u16], shift: u8);
    /// Difference of the cross-filtered frames (§3.2).
    temporal_difference(dst: &mut [u16], c: [Row; 3], p: [Row; 3]);
    /// Complexity and motion measure of a line's pairs (§3.1, §3.2).
    stmm(dst: &mut [u8], detail: &mut [u16], k: [Row; 5], difference: [&[u16]; 5], old: &[u8], p: &Stmm);
    /// Greatest of three neighbours (§3.2).
    max3(dst: &mut [u8], src: &[u8]);
    /// Angle of each pair; the vertical where the pair and its neighbours are static (§3.3).
    angle(dst: &mut [u8], cost90: &mut [u16], lines: [Row; 4], stmm: &[u8], th: &AngleThresholds);
    /// Median of three neighbours (§3.3).
    median3(dst: &mut [u8], src: &[u8]);
    /// Expands one value per pair to one per pixel.
    expand_pairs(dst: &mut [u8], src: &[u8]);
    /// Film mode detection variances of two lines (§4.1).
    fmd(sums: &mut [FmdSums], tears: &mut [u8], rows: &FmdRows, th: &FmdThresholds);
    /// Clean-up and count of the tears of a line (§4.1).
    tears(sums: &mut [[u32; 3]], above: &[u8], flags: &[u8], below: &[u8]);
    /// Packs words of 9 to 15 bits without the unused bits, in blocks of
    /// [`BIT_BLOCK`](crate::BIT_BLOCK).
    pack_bits(dst: &mut [u16], src: &[u16], depth: u8);
    /// The samples of packed words.
    unpack_bits(dst: &mut [u16], src: &[u16], depth: u8);
    /// Reduces a line to a quarter of its width.
    downsample4(dst: &mut [u8], src: &[u8]);
    /// Comb metrics and field differences of two frames, for the detector.
    field_metrics(tiles: &mut [Tile], current: [&[u8]; 5], previous: [&[u8]; 5]);
    /// Weight of the scaler's sharp filter (§5.2).
    sharpness(dst: &mut [u8], src: Lines<u8>, taps: &[Tap], p: &Sharpness);
    /// Detail filter of the enhancement (§5.4).
    detail_filter(dst: &mut [u16], rows: [&[u16]; 5], shares: Option<&[u16]>, p: &Detail);
    /// Combination mode of the enhancement (§5.4).
    combination_filter(dst: &mut [u16], rows: [&[u16]; 5], shares: Option<&[u16]>, p: &Combination);
    /// Skin tone detection (§6.1).
    skin_factor(dst: &mut [u16], yuv: [&[u16]; 3], p: &SkinFactor, bits: u8);
    /// Skin tone enhancement (§6.2).
    skin_enhance(dst: &mut [&mut [u16]; 2], yuv: [&[u16]; 3], factor: &[u16], p: &SkinEnhance, bits: u8);
    /// Adaptive contrast enhancement of 12 bits (§6.3).
    contrast(dst: &mut [u16], y: &[u16], factor: &[u16], curve: &[u16; DEEP]);
    /// Adaptive contrast enhancement of more than 12 bits (§6.3, §9.5).
    contrast_pieces(dst: &mut [u16], y: &[u16], factor: &[u16], curve: &[CurvePiece; 256], bits: u8);
    /// Total colour control (§6.4).
    total_color(dst: &mut [&mut [u16]; 2], uv: [&[u16]; 2], factor: &[u16], p: &TotalColor, bits: u8);
    /// Brightness and contrast (§6.5).
    amplify_luma(dst: &mut [u16], y: &[u16], contrast: u16, brightness: i16, bits: u8);
    /// Saturation and hue (§6.5).
    amplify_chroma(dst: &mut [&mut [u16]; 2], uv: [&[u16]; 2], cos: i16, sin: i16, bits: u8);
    /// A component of another colour space (§6.6).
    convert(dst: &mut [u16], components: [&[u16]; 3], p: &Conversion, bits: u8);
    /// Components as numbers of 16 bits (§13.1).
    widen(dst: &mut [i32], src: &[u16], bits: u8);
    /// Components of numbers of 16 bits (§13.1).
    narrow_wide(dst: &mut [u16], src: &[i32], bits: u8);
    /// One component of a matrix on numbers of 16 bits (§13.1, §13.4, §13.7).
    wide_mix(dst: &mut [i32], src: [&[i32]; 3], p: &WideMix);
    /// A curve on numbers of 16 bits (§13.4).
    wide_curve(dst: &mut [i32], src: &[i32], curve: &[u16; WIDE]);
    /// Weight of expanded colours in the advanced mode (§13.4).
    gamut_weight(dst: &mut [i32], rgb: [&[i32]; 3], p: &GamutWeight);
    /// Blend of expanded and original colours (§13.4).
    wide_blend(dst: &mut [i32], expanded: &[i32], original: &[i32], weight: &[i32]);
    /// Gamut compression (§13.5).
    compress_gamut(dst: &mut [&mut [u16]; 3], outside: &mut [u16], yuv: [&[u16]; 3], p: &GamutCompression);
    /// Green of a line of a Bayer frame (§13.8).
    bayer_green(dst: &mut [u16], rows: [&[u16]; 5], green: usize);
    /// Red and blue of a line of a Bayer frame (§13.8).
    bayer_colors(own: &mut [u16], other: &mut [u16], values: [&[u16]; 3], greens: [&[u16]; 3], green: usize);
    /// Local contrast of the pixels between the centres of four regions (§13.6).
    lace(dst: &mut [u16], y: &[u16], factor: &[u16], curves: &LaceCurves, p: &Lace, bits: u8);
}

impl std::fmt::Debug for Kernels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Kernels({})", self.level)
    }
}

impl Kernels {
    /// The table of `level`. Fails if the processor lacks the instruction set.
    pub fn at(level: SimdLevel) -> Result<&'static Kernels, SimdLevelError> {
        Ok(match level.supported()? {
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 => &AVX512,
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2 => &AVX2,
            SimdLevel::Portable => &PORTABLE,
            _ => &SCALAR,
        })
    }

    /// The instruction set of the table.
    pub fn level(&self) -> SimdLevel {
        self.level
    }
}
