//! Automatic contrast: from histograms to contrast curves, steps 2 to 10 of the ACE section of the
//! hardware documents (§6.3).
//!
//! The documents define these steps without numbers. The constants were chosen on the corpus by
//! inspection; the unit tests fix them.
use crate::color::ColorParameters;

/// A bin of the histogram counts at most one part in `LARGEST_BIN` of all pixels (step 2), so that
/// large flat areas, such as letterbox bars, do not determine the curve.
///
/// With a larger bin (a smaller number) letterbox bars and flat backgrounds dominate the curve;
/// with a smaller bin the curve ignores real peaks, and at 1/64 `a_cut_shifts_most_anchors` fails.
const LARGEST_BIN: u64 = 32;

/// Mean luma, in 1/256 of the range, up to which a picture is dark, and from which on it is bright
/// (step 4).
///
/// Raised, more pictures are treated as dark and mid-tones get darker (`a_cut_shifts_most_anchors`
/// fails with 96 or 200); lowered, more are treated as bright and noise in shadows is amplified.
const DARK: [i64; 2] = [64, 144];

/// Values of the anchors below which one, two … ten elevenths of the pixels lie, in 1/1024 of the
/// range: first of dark pictures, `(k/11)^1.6`, then of bright ones, `(k/11)^0.625` (steps 5 to 7).
/// Dark pictures thus remain dark and bright ones bright.
///
/// Exponents further from 1 make curves stronger, dark pictures darker and bright ones brighter;
/// exponents nearer to 1 make all pictures equally bright.
const DESTINATIONS: [[i64; 10]; 2] =
    [[22, 67, 128, 203, 290, 388, 497, 615, 743, 879], [229, 353, 455, 544, 626, 701, 772, 839, 903, 965]];

/// Smallest and largest slope of the curve, in 1/256: 0.625 and 1.75 (step 8).
///
/// A larger minimum reduces the contrast gain elsewhere; with a smaller one flat areas lose detail
/// and show banding. A larger maximum amplifies noise and banding (2.3: two unit tests fail); with
/// a smaller one dull pictures gain too little (1.25: `dull_pictures_gain_contrast` fails).
const SLOPES: [i64; 2] = [160, 448];

/// Weight of a new curve against the history, in 1/256: an eighth (step 10).
///
/// Raised, brightness flickers with the histogram: at 1/4 a caption changes the rest of the picture
/// by more than 2 code values. Lowered, changes of the light are followed late.
const NEW_WEIGHT: i64 = 32;

/// Distance beyond which an anchor counts as shifted, in 1/256 of an 8-bit code value: 16 code
/// values.
///
/// With 24 the measure finds 165 instead of 241 of the 328 cuts of the scene-cut series, and curves
/// of the old shot persist; with 8 it finds 296, but 200 instead of 4 false cuts in fades.
const MAX_ANCHOR_SHIFT: i64 = 16 << 8;

/// Number of shifted inner anchors, of ten, up to which a frame belongs to the same shot.
///
/// With 6 the measure finds 196 instead of 241 cuts; with 4 it finds 267, but 14 instead of 4 false
/// cuts in fades; with 2 captions and lamps count as cuts, and `a_cut_shifts_most_anchors` fails.
const MAX_SHIFTED_ANCHORS: usize = 5;

/// Anchor points of a curve from ymin to ymax, in 1/256 of an 8-bit code value; both coordinates
/// ascend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Anchors {
    x: [i64; 12],
    y: [i64; 12],
}

/// Computes the contrast curve of each frame.
#[derive(Clone, Debug)]
pub(crate) struct AutoContrast {
    /// Weight of the curve against the identity, 0…100 %.
    strength: i64,
    last: Option<Last>,
}

/// The curve of the previous frame.
#[derive(Clone, Debug)]
struct Last {
    /// The anchors of its histogram, without history.
    own: Anchors,
    /// Output of each 8-bit value, with history, in 1/256 of a code value.
    curve: [i64; 256],
    /// Positions of the anchors, with history.
    x: [i64; 12],
}

impl AutoContrast {
    /// `strength` is the weight of the curve, 0…100 %.
    pub fn new(strength: u8) -> AutoContrast {
        AutoContrast { strength: strength.into(), last: None }
    }

    /// Discards the history.
    pub fn reset(&mut self) {
        self.last = None;
    }

    /// Writes the curve for a frame with this histogram to the points, values and slopes of `p`,
    /// between its `ymin` and `ymax`.
    ///
    /// The curve is blended with the history. A scene cut discards the history, so that the first
    /// frame of a shot has its own curve.
    pub fn follow(&mut self, histogram: &[u32; 256], p: &mut ColorParameters) {
        let range = [p.ymin.min(p.ymax) as i64, p.ymax as i64];
        let own = anchors(histogram, range);
        // Step 9.
        let with_identity = |v: i64| (v << 8) + (own.interpolate(v << 8) - (v << 8)) * self.strength / 100;
        let (mut curve, mut x) = (std::array::from_fn(|v| with_identity(v as i64)), own.x);
        if let Some(last) = self.last.as_ref().filter(|last| !is_cut(&last.own.x, &own.x)) {
            // Step 10.
            let blend = |new: &mut [i64], old: &[i64]| {
                new.iter_mut().zip(old).for_each(|(v, old)| *v = old + (((*v - old) * NEW_WEIGHT) >> 8))
            };
            blend(&mut curve, &last.curve);
            blend(&mut x, &last.x);
        }
        write(p, &curve, &x);
        self.last = Some(Last { own, curve, x });
    }
}

impl Anchors {
    /// The value of the curve at `x`, in 1/256 of a code value; `x` itself outside its range.
    fn interpolate(&self, x: i64) -> i64 {
        if x < self.x[0] || x >= self.x[11] {
            return x;
        }
        let k = self.x[..11].iter().rposition(|&point| point <= x).unwrap_or(0);
        // Greater than 0, since `x` lies before the next point.
        let width = self.x[k + 1] - self.x[k];
        self.y[k] + (x - self.x[k]) * (self.y[k + 1] - self.y[k]) / width
    }
}

/// Whether a frame starts another shot: most of the inner anchors of the curve have shifted. A
/// caption or a lamp shifts fewer. `docs/design/scene-cuts.md` compares this measure with those of
/// automatic denoising and of the detector.
fn is_cut(before: &[i64; 12], now: &[i64; 12]) -> bool {
    let shifted = before[1..11].iter().zip(&now[1..11]).filter(|(before, now)| (**now - **before).abs() > MAX_ANCHOR_SHIFT);
    shifted.count() > MAX_SHIFTED_ANCHORS
}

/// Writes a curve as pieces that begin at the positions `x`.
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

/// The anchors of a histogram between `least` and `most` (steps 2 to 8).
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
    // Steps 5 to 7: dark and bright pictures have the same portions, elevenths.
    let (mut k, mut below) = (1, 0);
    for (bin, &count) in inside.iter().enumerate() {
        let count = limited(count);
        // An empty bin reaches no portion that the bins before it did not reach.
        while k < 11 && (below + count) * 11 >= total * k as u64 {
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
    adjust_heights(&mut heights, &widths, span << 8);
    for k in 1..11 {
        y[k] = y[k - 1] + heights[k - 1];
    }
    Anchors { x, y }
}

/// Adjusts the heights of a curve's pieces so that their sum is `whole` and each slope remains
/// within its limits. Each piece takes a share of the difference in proportion to its distance from
/// the limit.
fn adjust_heights(heights: &mut [i64; 11], widths: &[i64; 11], whole: i64) {
    let lacking = whole - heights.iter().sum::<i64>();
    let limit = SLOPES[(lacking > 0) as usize];
    let slack: [i64; 11] = std::array::from_fn(|k| widths[k] * limit / 256 - heights[k]);
    let all: i64 = slack.iter().sum();
    if all == 0 {
        return;
    }
    // Shares of running sums have no rounding error in total.
    let (mut before, mut added) = (0, 0);
    for (height, slack) in heights.iter_mut().zip(slack) {
        before += slack;
        let due = lacking * before / all;
        *height += due - added;
        added = due;
    }
}

#[cfg(test)]
mod tests;
