//! Sharpening by skin tone (§13.11). The factors of pixels are those that the colour pipe shows.
use super::*;

#[test]
fn skin_takes_its_share_of_the_change() {
    let mut differing = 0;
    for seed in 0..60 {
        let random = &mut Random::new(seed);
        let depth = random.pick(&[8, 9, 10, 12, 14, 16]);
        let sampling = random.pick(&SAMPLINGS);
        let size = |random: &mut Random| random.within(1..=70) as usize;
        let format = Format::new(size(random), size(random), sampling).with_depth(depth);
        let frame = skin(random, format);
        let mut parameters = Parameters::default();
        disturb(random, &mut parameters, "ief.");
        parameters.color.std_enable = true;
        let plain = builder(format, Scan::Progressive).parameters(parameters.clone());
        let mut shown = parameters.clone();
        shown.color.output_control = true;
        let factors = &grids(&process(&plain.clone().parameters(shown), &frame))[0];
        parameters.sharpen.skin_tuned = true;
        parameters.sharpen.skin_detail_factor = random.once_in(2);
        let mode = random.pick(&MODES);
        let level = random.pick(&SimdLevel::ALL);
        let tuned = plain.clone().parameters(parameters.clone()).sharpen(mode);
        let tuned = if level.is_supported() { tuned.simd_level(level) } else { tuned };
        let shares = Grid::make(factors.width, factors.height, |x, y| {
            let factor = factors.at(x, y) >> (depth - 5);
            if parameters.sharpen.skin_detail_factor { 32 - factor } else { 32 + factor }
        });
        let noise = parameters.sharpen.global_noise_estimation.into();
        let (scale, location, sharpen) = (None, ChromaLocation::Left, Some(mode));
        let job = |shares| Job { format, scale, location, sharpen, noise, parameters: &parameters, shares };
        let want = model::run(&job(Some(&shares)), &grids(&frame));
        let got = grids(&process(&tuned, &frame));
        assert!(got[0].data == want[0].data, "seed {seed}: {format:?}, {mode:?}, {:?}", parameters.sharpen);
        differing += usize::from(want[0].data != model::run(&job(None), &grids(&frame))[0].data);
    }
    assert!(differing > 20, "{differing} pictures with skin");
}

/// A random picture whose chroma lies around the middle of skin tones.
fn skin(random: &mut Random, format: Format) -> Frame {
    let samples = grids(&picture(random, format));
    let near = |index: usize, v: i64| match index {
        0 => v,
        _ => ([0, 110, 154][index] << (format.depth - 8)) + v / 8 - (16 << (format.depth - 8)),
    };
    let samples = samples.iter().enumerate().flat_map(|(index, plane)| plane.data.iter().map(move |&v| near(index, v)));
    match format.depth {
        8 => Frame::from_vec(format, samples.map(|v| v as u8).collect()),
        _ => Frame::from_vec_u16(format, samples.map(|v| v as u16).collect()),
    }
}
