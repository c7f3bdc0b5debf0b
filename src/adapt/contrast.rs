//! The software part of the contrast enhancement: from histograms to curves, steps 2 to 10 of the seed's ACE section (§6.3).
use super::scene::most_quantiles_moved;
use crate::color::ColorParameters;

/// No bin counts more than this part of all pixels: large flat areas, such as the bars of a letterbox, say little (step 2).
const LARGEST_BIN: u64 = 32;

/// Mean luma, in 1/256 of the range, up to which a picture is dark, and from which on it is bright (step 4).
const DARK: [i64; 2] = [64, 144];

/// The luma below which one, two … ten elevenths of the pixels lie goes to these parts of the range, in 1/1024: in dark pictures
/// they stay dark (`(k/11)^1.6`), in bright ones bright (`(k/11)^0.625`) (steps 5 to 7).
const DESTINATIONS: [[i64; 10]; 2] =
    [[22, 67, 128, 203, 290, 388, 497, 615, 743, 879], [229, 353, 455, 544, 626, 701, 772, 839, 903, 965]];

/// Least and greatest slope of the curve, in 1/256 (step 8).
const SLOPES: [i64; 2] = [160, 448];

/// What a new curve weighs against the history, in 1/256 (step 10).
const NEW: i64 = 32;

/// Anchor points of a curve, from Ymin to Ymax, in 1/256 of a value of 8 bits; both coordinates ascend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Anchors {
    x: [i64; 12],
    y: [i64; 12],
}

/// Finds each frame's curve.
#[derive(Clone, Debug)]
pub(crate) struct AutoContrast {
    /// Weight of the curve against the identity, 0…100.
    strength: i64,
    last: Option<Last>,
}

/// The frame before.
#[derive(Clone, Debug)]
struct Last {
    /// Its own anchors.
    own: Anchors,
    /// Its curve, history and all: what each value of 8 bits becomes, in 1/256, and where the anchors lie.
    curve: [i64; 256],
    x: [i64; 12],
}

impl AutoContrast {
    /// `strength` 0…100.
    pub fn new(strength: u8) -> AutoContrast {
        AutoContrast { strength: strength.into(), last: None }
    }

    /// Forgets all frames.
    pub fn reset(&mut self) {
        self.last = None;
    }

    /// Writes the curve for the frame of this histogram into the points, values and slopes of `p`, within its `ymin` and `ymax`.
    ///
    /// The frame before weighs in, but across a cut: the new scene has its own curve from its first frame on.
    pub fn follow(&mut self, histogram: &[u32; 256], p: &mut ColorParameters) {
        let range = [p.ymin.min(p.ymax) as i64, p.ymax as i64];
        let own = anchors(histogram, range);
        // Step 9.
        let deinterlace_for_noise = |v: i64| (v << 8) + (own.interpolate(v << 8) - (v << 8)) * self.strength / 100;
        let (mut curve, mut x) = (std::array::from_fn(|v| deinterlace_for_noise(v as i64)), own.x);
        if let Some(last) = self.last.as_ref().filter(|last| !most_quantiles_moved(&last.own.x, &own.x)) {
            // Step 10.
            let blend =
                |new: &mut [i64], old: &[i64]| new.iter_mut().zip(old).for_each(|(v, old)| *v = old + (((*v - old) * NEW) >> 8));
            blend(&mut curve, &last.curve);
            blend(&mut x, &last.x);
        }
        write(p, &curve, &x);
        self.last = Some(Last { own, curve, x });
    }
}

impl Anchors {
    /// The curve's value at `x`, in 1/256; `x` itself outside its range.
    fn interpolate(&self, x: i64) -> i64 {
        if x < self.x[0] || x >= self.x[11] {
            return x;
        }
        let k = self.x[..11].iter().rposition(|&point| point <= x).unwrap_or(0);
        let (width, height) = (self.x[k + 1] - self.x[k], self.y[k + 1] - self.y[k]);
        if width == 0 { self.y[k] } else { self.y[k] + (x - self.x[k]) * height / width }
    }
}

/// Writes a curve as pieces that begin at `x`.
fn write(p: &mut ColorParameters, curve: &[i64; 256], x: &[i64; 12]) {
    let rounded = |v: i64| (v + 128) >> 8;
    let x = x.map(rounded);
    let y = x.map(|x| rounded(curve[x as usize]));
    let slope = |k: usize| match x[k + 1] - x[k] {
        0 => 0,
        width => (((y[k + 1] - y[k]) << 10) / width).clamp(0, 2047) as u16,
    };
    let points = [&mut p.y1, &mut p.y2, &mut p.y3, &mut p.y4, &mut p.y5, &mut p.y6, &mut p.y7, &mut p.y8, &mut p.y9, &mut p.y10];
    points.into_iter().zip(&x[1..]).for_each(|(field, &x)| *field = x as u8);
    let values = [&mut p.b1, &mut p.b2, &mut p.b3, &mut p.b4, &mut p.b5, &mut p.b6, &mut p.b7, &mut p.b8, &mut p.b9, &mut p.b10];
    values.into_iter().zip(&y[1..]).for_each(|(field, &y)| *field = y as u8);
    let slopes = [
        &mut p.s0, &mut p.s1, &mut p.s2, &mut p.s3, &mut p.s4, &mut p.s5, &mut p.s6, &mut p.s7, &mut p.s8, &mut p.s9, &mut p.s10,
    ];
    slopes.into_iter().enumerate().for_each(|(k, field)| *field = slope(k));
}

/// Steps 2 to 8.
fn anchors(histogram: &[u32; 256], [least, most]: [i64; 2]) -> Anchors {
    let span = most - least;
    let inside = &histogram[least as usize..most as usize];
    let all: u64 = inside.iter().map(|&count| count as u64).sum();
    // Step 2.
    let limited = |count: u32| (count as u64).min(all.div_ceil(LARGEST_BIN));
    let total: u64 = inside.iter().map(|&count| limited(count)).sum();
    let mut x = std::array::from_fn(|k| (least << 8) + (span << 8) * k as i64 / 11);
    if total == 0 {
        return Anchors { x, y: x };
    }
    // Steps 3 and 4.
    let moment: u64 = inside.iter().enumerate().map(|(bin, &count)| bin as u64 * limited(count)).sum();
    let mean = (moment * 256 / (total * span as u64)) as i64;
    let dark = ((DARK[1] - mean) * 256 / (DARK[1] - DARK[0])).clamp(0, 256);
    // Steps 5 to 7: the portions are the same elevenths for dark and bright pictures.
    let (mut k, mut below) = (1, 0);
    for (bin, &count) in inside.iter().enumerate() {
        let count = limited(count);
        while k < 11 && (below + count) * 11 >= total * k as u64 && count > 0 {
            let part = (total * k as u64 - below * 11) * 256 / (count * 11);
            x[k] = ((least + bin as i64) << 8) + part as i64;
            k += 1;
        }
        below += count;
    }
    let destination = |k: usize| (DESTINATIONS[0][k - 1] * dark + DESTINATIONS[1][k - 1] * (256 - dark)) * span / 1024;
    let mut y = [least << 8; 12];
    y[11] = most << 8;
    (1..11).for_each(|k| y[k] += destination(k));
    // Step 8.
    let widths: [i64; 11] = std::array::from_fn(|k| x[k + 1] - x[k]);
    let mut heights = std::array::from_fn(|k| (y[k + 1] - y[k]).clamp(widths[k] * SLOPES[0] / 256, widths[k] * SLOPES[1] / 256));
    level(&mut heights, &widths, span << 8);
    for k in 1..11 {
        y[k] = y[k - 1] + heights[k - 1];
    }
    Anchors { x, y }
}

/// Makes the heights of a curve's pieces together `whole`, each slope within its limits: what lacks or is too much is taken from each
/// by the room that it has.
fn level(heights: &mut [i64; 11], widths: &[i64; 11], whole: i64) {
    let lacking = whole - heights.iter().sum::<i64>();
    let limit = SLOPES[(lacking > 0) as usize];
    let room: [i64; 11] = std::array::from_fn(|k| widths[k] * limit / 256 - heights[k]);
    let all: i64 = room.iter().sum();
    if all == 0 {
        return;
    }
    // Shares of running sums, so that nothing is lost by rounding.
    let (mut before, mut given) = (0, 0);
    for (height, room) in heights.iter_mut().zip(room) {
        before += room;
        let due = lacking * before / all;
        *height += due - given;
        given = due;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(of: impl Fn(usize) -> u32) -> [u32; 256] {
        std::array::from_fn(of)
    }

    fn around(mean: usize, width: usize) -> [u32; 256] {
        histogram(|v| if v.abs_diff(mean) < width { 1000 * (width - v.abs_diff(mean)) as u32 } else { 0 })
    }

    fn curve(p: &ColorParameters) -> Vec<u16> {
        crate::color::contrast::curve(p).to_vec()
    }

    fn followed(strength: u8, histograms: &[[u32; 256]]) -> Vec<ColorParameters> {
        let (mut auto, mut p) = (AutoContrast::new(strength), ColorParameters::default());
        let mut next = |histogram| {
            auto.follow(histogram, &mut p);
            p.clone()
        };
        histograms.iter().map(&mut next).collect()
    }

    const NOTHING: [u32; 256] = [0; 256];

    #[test]
    fn no_strength_is_the_identity() {
        for histogram in [NOTHING, around(40, 20), around(200, 50), histogram(|_| 7)] {
            let p = &followed(0, &[histogram])[0];
            assert!(curve(p).iter().enumerate().all(|(y, &v)| v == y as u16), "{p:?}");
        }
    }

    #[test]
    fn every_curve_ascends_within_its_range_and_slopes() {
        let mut odd = vec![NOTHING, histogram(|_| 1), histogram(|v| (v == 16) as u32), histogram(|v| (v == 234) as u32)];
        odd.extend([histogram(|v| (v < 16) as u32), histogram(|v| (v % 50 == 20) as u32 * 1_000_000), histogram(|_| 1 << 18)]);
        odd.extend((16..235).step_by(7).flat_map(|mean| [1, 3, 20, 100].map(|width| around(mean, width))));
        for histogram in &odd {
            let p = &followed(100, &[*histogram])[0];
            let curve = curve(p);
            // Two for the slope; what its ten bits lose over a long piece comes with the next piece's first value.
            let steps = curve.windows(2).map(|pair| pair[1] as i32 - pair[0] as i32);
            assert!(steps.into_iter().all(|step| (0..=6).contains(&step)), "{histogram:?} {p:?}");
            assert_eq!((curve[16 << 4], curve[235 << 4]), (16 << 4, 235 << 4));
            assert!((curve[(235 << 4) - 1]) <= 235 << 4);
        }
    }

    /// A dull picture gains contrast where its pixels are.
    #[test]
    fn dull_pictures_gain_contrast() {
        for mean in [60, 110, 170] {
            let curve = curve(&followed(100, &[around(mean, 30)])[0]);
            let gain = curve[(mean + 20) << 4] as i32 - curve[(mean - 20) << 4] as i32;
            assert!(gain > 40 * 16 * 5 / 4, "{mean}: {gain}");
        }
        let mean = |mean: usize| curve(&followed(100, &[around(mean, 30)])[0])[mean << 4] as i32 - ((mean as i32) << 4);
        assert!(mean(60).abs() < 30 * 16 && mean(190).abs() < 30 * 16, "dark stays dark, bright bright");
    }

    fn points(p: &ColorParameters) -> [u8; 10] {
        [p.y1, p.y2, p.y3, p.y4, p.y5, p.y6, p.y7, p.y8, p.y9, p.y10]
    }

    fn values(p: &ColorParameters) -> [u8; 10] {
        [p.b1, p.b2, p.b3, p.b4, p.b5, p.b6, p.b7, p.b8, p.b9, p.b10]
    }

    /// What the steps give in real numbers, rounded: for a picture that has all values alike, and for one with a large flat area.
    #[test]
    fn curves_are_those_of_real_numbers() {
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

    /// A new curve weighs an eighth.
    #[test]
    fn the_history_weighs_in() {
        let curves = followed(100, &[around(100, 30), around(112, 30)]);
        for (old, new) in points(&curves[0]).into_iter().zip(points(&curves[1])) {
            assert!((1..=2).contains(&(new - old)), "{old} to {new}");
        }
    }

    /// Most of the picture must move, and by more than 16.
    #[test]
    fn what_is_a_cut() {
        let own = |histogram| followed(100, &[histogram])[0].clone();
        let after = |histogram| followed(100, &[around(90, 30), histogram])[1].clone();
        assert_ne!(after(around(105, 30)), own(around(105, 30)));
        assert_eq!(after(around(108, 30)), own(around(108, 30)));
        // Captions, lamps and flashes on less than half of it: what the rest becomes stays within two.
        for (share, by) in [(10, 130), (30, 90), (40, 60)] {
            let lit = |v: usize| around(90, 30)[v] * (100 - share) + if v >= by { around(90, 30)[v - by] * share } else { 0 };
            let before = curve(&own(histogram(|v| around(90, 30)[v] * 100)));
            let curves = followed(100, &[histogram(|v| around(90, 30)[v] * 100), histogram(lit)]);
            let most = (61..120).map(|v| before[v << 4].abs_diff(curve(&curves[1])[v << 4])).max().unwrap();
            assert!(most <= 2 * 16 + 8, "{share} % by {by}: {most}");
        }
    }

    #[test]
    fn a_still_scene_keeps_its_curve() {
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
}
