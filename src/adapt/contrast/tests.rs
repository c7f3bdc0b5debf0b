//! Curves of histograms.
use super::*;
use crate::color::contrast::Curve;

fn histogram(of: impl Fn(usize) -> u32) -> [u32; 256] {
    std::array::from_fn(of)
}

fn around(mean: usize, width: usize) -> [u32; 256] {
    histogram(|v| if v.abs_diff(mean) < width { 1000 * (width - v.abs_diff(mean)) as u32 } else { 0 })
}

fn curve(p: &ColorParameters) -> Vec<u16> {
    match Curve::new(p, 12).unwrap() {
        Curve::Values(values) => values.to_vec(),
        Curve::Pieces(_) => unreachable!("12 bits have values"),
    }
}

/// The parameters after each of these histograms.
fn followed(strength: u8, histograms: &[[u32; 256]]) -> Vec<ColorParameters> {
    let (mut auto, mut p) = (AutoContrast::new(strength), ColorParameters::default());
    let mut next = |histogram| {
        auto.follow(histogram, &mut p);
        p.clone()
    };
    histograms.iter().map(&mut next).collect()
}

const EMPTY: [u32; 256] = [0; 256];

#[test]
fn strength_0_is_the_identity() {
    for histogram in [EMPTY, around(40, 20), around(200, 50), histogram(|_| 7)] {
        let p = &followed(0, &[histogram])[0];
        assert!(curve(p).iter().enumerate().all(|(y, &v)| v == y as u16), "{p:?}");
    }
}

#[test]
fn every_curve_ascends_within_its_range_and_slopes() {
    let mut odd = vec![EMPTY, histogram(|_| 1), histogram(|v| (v == 16) as u32), histogram(|v| (v == 234) as u32)];
    odd.extend([histogram(|v| (v < 16) as u32), histogram(|v| (v % 50 == 20) as u32 * 1_000_000), histogram(|_| 1 << 18)]);
    odd.extend((16..235).step_by(7).flat_map(|mean| [1, 3, 20, 100].map(|width| around(mean, width))));
    for histogram in &odd {
        let p = &followed(100, &[*histogram])[0];
        let curve = curve(p);
        // Up to two by the slope. The next piece's first value corrects the error of a long
        // piece, whose slope has ten bits only.
        let steps = curve.windows(2).map(|pair| pair[1] as i32 - pair[0] as i32);
        assert!(steps.into_iter().all(|step| (0..=6).contains(&step)), "{histogram:?} {p:?}");
        assert_eq!((curve[16 << 4], curve[235 << 4]), (16 << 4, 235 << 4));
        assert!((curve[(235 << 4) - 1]) <= 235 << 4);
    }
}

/// A dull picture gains contrast in the range of its pixels.
#[test]
fn dull_pictures_gain_contrast() {
    for mean in [60, 110, 170] {
        let curve = curve(&followed(100, &[around(mean, 30)])[0]);
        let gain = curve[(mean + 20) << 4] as i32 - curve[(mean - 20) << 4] as i32;
        assert!(gain > 40 * 16 * 5 / 4, "{mean}: {gain}");
    }
    let mean = |mean: usize| curve(&followed(100, &[around(mean, 30)])[0])[mean << 4] as i32 - ((mean as i32) << 4);
    assert!(mean(60).abs() < 30 * 16 && mean(190).abs() < 30 * 16, "dark pictures remain dark, bright ones bright");
}

fn points(p: &ColorParameters) -> [u8; 10] {
    [p.y1, p.y2, p.y3, p.y4, p.y5, p.y6, p.y7, p.y8, p.y9, p.y10]
}

fn values(p: &ColorParameters) -> [u8; 10] {
    [p.b1, p.b2, p.b3, p.b4, p.b5, p.b6, p.b7, p.b8, p.b9, p.b10]
}

/// The rounded results of the steps in real numbers, for a picture with equally frequent values
/// and for one with a large flat area.
#[test]
fn curves_match_real_arithmetic() {
    let near = |got: [u8; 10], want: [u8; 10]| {
        assert!(got.iter().zip(want).all(|(got, want)| got.abs_diff(want) <= 1), "{got:?} {want:?}");
    };
    let even = &followed(100, &[histogram(|v| if (16..236).contains(&v) { 10 } else { 0 })])[0];
    assert_eq!(points(even), [36, 56, 76, 96, 116, 135, 155, 175, 195, 215]);
    near(values(even), [51, 74, 95, 114, 132, 149, 166, 184, 201, 218]);
    assert!(even.s0.abs_diff(1792) < 60 && even.s5.abs_diff(916) < 60 && even.s10.abs_diff(870) < 60);
    let flat = histogram(|v| if v == 180 { 5000 } else { 30 * (40..200).contains(&v) as u32 });
    let flat = &followed(100, &[flat])[0];
    assert_eq!(points(flat), [55, 71, 86, 102, 117, 132, 148, 163, 178, 185]);
    near(values(flat), [53, 75, 93, 111, 128, 144, 161, 177, 193, 204]);
}

/// A new curve has a weight of an eighth.
#[test]
fn curves_are_blended_with_the_history() {
    let curves = followed(100, &[around(100, 30), around(112, 30)]);
    for (old, new) in points(&curves[0]).into_iter().zip(points(&curves[1])) {
        assert!((1..=2).contains(&(new - old)), "{old} to {new}");
    }
}

/// At a cut most quantiles shift by more than 16 code values.
#[test]
fn a_cut_shifts_most_anchors() {
    let own = |histogram| followed(100, &[histogram])[0].clone();
    let after = |histogram| followed(100, &[around(90, 30), histogram])[1].clone();
    assert_ne!(after(around(105, 30)), own(around(105, 30)));
    assert_eq!(after(around(108, 30)), own(around(108, 30)));
    // Captions, lamps and flashes on less than half of the picture change the rest of it by two
    // code values at most.
    for (share, by) in [(10, 130), (30, 90), (40, 60)] {
        let lit = |v: usize| around(90, 30)[v] * (100 - share) + if v >= by { around(90, 30)[v - by] * share } else { 0 };
        let before = curve(&own(histogram(|v| around(90, 30)[v] * 100)));
        let curves = followed(100, &[histogram(|v| around(90, 30)[v] * 100), histogram(lit)]);
        let most = (61..120).map(|v| before[v << 4].abs_diff(curve(&curves[1])[v << 4])).max().unwrap();
        assert!(most <= 2 * 16 + 8, "{share} % by {by}: {most}");
    }
}

#[test]
fn a_still_scene_has_a_constant_curve() {
    let curves = followed(100, &[around(90, 40); 20]);
    assert!(curves.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn slow_changes_are_followed_smoothly_and_cuts_at_once() {
    let fade: Vec<_> = (60..160).map(|mean| around(mean, 30)).collect();
    let curves: Vec<_> = followed(100, &fade).iter().map(curve).collect();
    for pair in curves.windows(2) {
        let most = pair[0].iter().zip(&pair[1]).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(most <= 3 * 16, "{most}");
    }
    let (dark, bright) = (around(50, 20), around(180, 40));
    let cut = followed(100, &[dark, dark, bright, bright]);
    assert_eq!(cut[2], followed(100, &[bright])[0]);
    assert_eq!(cut[2], cut[3]);
}

/// The inner anchors of two histograms, in 1/256 of a code value. A change of any number of the
/// steps by one is visible.
#[test]
fn anchors_are_exact() {
    let inner = |histogram: &[u32; 256]| {
        let Anchors { x, y } = anchors(histogram, [16, 235]);
        assert_eq!((x[0], x[11], y[0], y[11]), (16 << 8, 235 << 8, 16 << 8, 235 << 8));
        (x[1..11].to_vec(), y[1..11].to_vec())
    };
    let (x, y) = inner(&around(90, 120));
    assert_eq!(x, [9621, 13759, 17215, 20245, 22975, 25669, 28648, 32030, 36041, 41268]);
    assert_eq!(y, [9138, 12916, 16680, 20559, 24612, 28702, 33204, 37938, 42975, 48353]);
    // Pictures that are dark, nearly dark, and bright.
    assert_eq!(inner(&around(36, 120)).1, [5421, 7693, 10627, 13678, 16957, 20522, 24468, 28944, 34254, 40967]);
    assert_eq!(inner(&around(64, 140)).1, [7419, 10490, 13846, 17513, 21475, 25782, 30487, 35516, 40946, 46810]);
    assert_eq!(inner(&around(80, 100)).1, [7527, 10690, 14175, 18014, 21644, 25191, 29109, 33556, 38832, 44836]);
    assert_eq!(inner(&around(170, 120)).1, [17352, 24023, 29505, 34285, 38686, 42711, 46523, 50128, 53582, 56941]);
    let (x, y) = inner(&around(20, 20));
    assert_eq!(x, [4564, 5032, 5500, 5968, 6436, 6904, 7372, 7840, 8320, 8917]);
    assert_eq!(y, [4915, 5734, 6553, 7372, 8191, 9010, 9829, 10648, 11488, 12532]);
}

/// A portion that ends with a bin ends there, though the next bins are empty.
#[test]
fn portions_end_with_their_last_bin() {
    // 44 pixels with the even values from 100 on, four in each eleventh.
    let x = anchors(&histogram(|v| (v % 2 == 0 && (100..188).contains(&v)) as u32), [0, 255]).x;
    assert_eq!(x[1..11], std::array::from_fn::<i64, 10, _>(|k| (107 + 8 * k as i64) << 8));
}

#[test]
fn points_outside_the_range_are_kept() {
    let own = anchors(&around(90, 40), [16, 235]);
    for x in [0, 15 << 8, 16 << 8, 235 << 8, 255 << 8] {
        assert_eq!(own.interpolate(x), x);
    }
    // A range that is empty because its ends are exchanged.
    let (mut auto, mut p) = (AutoContrast::new(100), ColorParameters { ymin: 200, ymax: 100, ..ColorParameters::default() });
    auto.follow(&around(90, 40), &mut p);
    assert_eq!((points(&p), values(&p)), ([100; 10], [100; 10]));
}

/// Positions and values are rounded to the nearest code value, and slopes have eleven bits.
#[test]
fn pieces_are_rounded() {
    let mut p = ColorParameters::default();
    let x: [i64; 12] = std::array::from_fn(|k| ((20 * k as i64) << 8) + if k % 2 == 0 { 127 } else { 128 });
    let curve: [i64; 256] = std::array::from_fn(|v| ((v as i64) << 8) + if v % 20 == 0 { 127 } else { 128 });
    write(&mut p, &curve, &x);
    assert_eq!(points(&p), [21, 40, 61, 80, 101, 120, 141, 160, 181, 200]);
    assert_eq!(values(&p), [22, 40, 62, 80, 102, 120, 142, 160, 182, 200]);
    assert_eq!([p.s0, p.s1, p.s10], [22 * 1024 / 21, 18 * 1024 / 19, 22 * 1024 / 21]);
    // Widths and heights of 0 and 1, and one that is too steep.
    let x: [i64; 12] = [0, 1, 2, 2, 4, 5, 6, 7, 8, 9, 10, 11].map(|x| x << 8);
    let curve: [i64; 256] = std::array::from_fn(|v| [0, 2, 2, 3, 4, 3].get(v).copied().unwrap_or(9) << 8);
    write(&mut p, &curve, &x);
    assert_eq!([p.s0, p.s1, p.s2, p.s3, p.s4], [2047, 0, 0, 1024, 0]);
}

/// A difference that the last piece cannot take goes to the one before it.
#[test]
fn heights_remain_within_their_limits() {
    let mut heights = [256; 11];
    heights[10] = 448;
    adjust_heights(&mut heights, &[256; 11], 10 * 256 + 448 + 1);
    assert_eq!((heights[..9].to_vec(), heights[9], heights[10]), (vec![256; 9], 257, 448));
    let mut none = [0; 11];
    adjust_heights(&mut none, &[0; 11], 0);
    assert_eq!(none, [0; 11]);
}

/// A bin counts at most a 32nd of all pixels: 2000 of 64 000.
#[test]
fn large_bins_are_limited() {
    let bins = histogram(|v| match v {
        50 | 100 | 150 => 1000,
        200 => 61_000,
        _ => 0,
    });
    // Boundaries of elevenths of 5000 in bins of 1000, 1000, 1000 and 2000.
    let x = anchors(&bins, [0, 255]).x;
    assert_eq!(x, [0, 12_916, 13_032, 25_693, 25_809, 38_469, 38_586, 51_223, 51_281, 51_339, 51_397, 255 << 8]);
}

#[test]
fn six_of_ten_anchors_shift_by_more_than_16_at_a_cut() {
    let before: [i64; 12] = std::array::from_fn(|k| 5000 * k as i64);
    let cut = |shift: i64, count: usize| {
        let [now, back] =
            [shift, -shift].map(|shift| std::array::from_fn(|k| before[k] + if (1..=count).contains(&k) { shift } else { 0 }));
        assert_eq!(is_cut(&before, &now), is_cut(&before, &back));
        is_cut(&before, &now)
    };
    assert!(cut(16 * 256 + 1, 6) && !cut(16 * 256, 10) && !cut(16 * 256 + 1, 5));
    let last: [i64; 12] = std::array::from_fn(|k| before[k] + if k > 4 { 9000 } else { 0 });
    assert!(is_cut(&before, &last));
    // The ends do not count.
    let ends: [i64; 12] = std::array::from_fn(|k| before[k] + if [0, 1, 2, 3, 4, 5, 11].contains(&k) { 9000 } else { 0 });
    assert!(!is_cut(&before, &ends));
}

/// A new curve has a weight of an eighth.
#[test]
fn curves_follow_by_an_eighth() {
    let (mut auto, mut p) = (AutoContrast::new(100), ColorParameters::default());
    auto.follow(&around(90, 40), &mut p);
    let before = auto.last.clone().unwrap();
    auto.follow(&around(98, 40), &mut p);
    let after = auto.last.clone().unwrap();
    let own = anchors(&around(98, 40), [16, 235]);
    assert_eq!(after.own, own);
    for k in 0..12 {
        assert_eq!(after.x[k], before.x[k] + ((own.x[k] - before.x[k]) >> 3), "{k}");
    }
    for v in 16..235 {
        let new = own.interpolate(v << 8);
        assert_eq!(after.curve[v as usize], before.curve[v as usize] + ((new - before.curve[v as usize]) >> 3), "{v}");
    }
    assert!((1..11).all(|k| own.x[k] - before.x[k] > 1000), "a weight of one 256th more or less is visible");
    auto.reset();
    assert!(auto.last.is_none());
}
