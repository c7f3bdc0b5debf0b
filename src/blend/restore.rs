//! The pictures of blended fields, by least squares.
//!
//! The fields are deinterlaced: a field has samples at all lines, its own ones (*known* lines) and
//! interpolated ones. For each parity of lines the fields around a picture are equations for the
//! pictures that they mix, with less weight where the lines are interpolated. Since fields of both
//! parities repeat each picture, known lines alone nearly define it.
use super::Blend;
use crate::frame::{Frame, PlaneSample, SamplesMut};
use crate::memory::{OutOfMemory, filled};
use rayon::prelude::*;

/// Fields on either side of a picture that are equations for it. On linear blends of four clips
/// pictures lose 0.1 to 2 dB with 5, and gain at most 0.2 dB with 12; each is a frame of memory.
pub(crate) const REACH: f64 = 8.0;

/// The weight of interpolated lines against known ones, on the same clips. With 0.1 pictures lose 2
/// to 7 dB, and gain 0.3 to 0.9 dB if the input has noise of 2 steps; with 1 they are as good as
/// interpolated ones. With 0.02 those of 30 pictures in 50 fields, of which the fields of one
/// parity are too few equations, lose 0.3 dB.
const INTERPOLATED: f64 = 0.03;

/// The weight of the equation that pictures are equal to their mean, for pictures that the fields
/// hardly define. With 0.01 pictures lose 0.4 to 2 dB; with 0.0003 they gain at most 0.5 dB.
const EQUAL: f64 = 0.001;

/// The least part of a field that belongs to a picture if the field stands for it.
const OWN: f64 = 0.5;

/// 1 as a weight of a field.
const ONE: i32 = 1 << 12;

/// The most that the sizes of the weights add up to, in [`ONE`], so that sums of 16-bit samples fit
/// 32 bits. Weights of the blends that are found have 1 to 4.
const MOST: i32 = 7;

/// Lines that a task of the thread pool computes.
const TASK_LINES: usize = 16;

/// A field as a mix of two pictures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MixedField {
    /// The number of the first picture.
    pub first: i64,
    /// The weight of the next one.
    pub weight: f64,
    /// The parity of its known lines.
    pub parity: usize,
    /// Whether it is such a mix; else it is no equation.
    pub fits: bool,
}

impl MixedField {
    /// The field at a position.
    pub fn new(blend: Blend, position: f64, parity: usize, fits: bool) -> MixedField {
        let (first, weight) = blend.mix(position);
        MixedField { first, weight, parity, fits }
    }

    /// The weight of a picture.
    pub fn of(&self, picture: i64) -> f64 {
        match picture - self.first {
            0 => 1.0 - self.weight,
            1 => self.weight,
            _ => 0.0,
        }
    }
}

/// A deinterlaced field in the sum that makes a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tap {
    /// The index of the field.
    pub field: usize,
    /// The weights at even and at odd lines, in units of 2⁻¹².
    pub weights: [i32; 2],
}

/// The taps of a picture from the fields around it. If the field with most of it is no mix, or no
/// weights are found, that field alone.
pub(crate) fn taps(picture: i64, fields: &[MixedField]) -> Vec<Tap> {
    let nearest = (0..fields.len()).max_by(|&a, &b| fields[a].of(picture).total_cmp(&fields[b].of(picture)));
    let Some(nearest) = nearest else { return Vec::new() };
    let alone = || vec![Tap { field: nearest, weights: [ONE; 2] }];
    if fields.iter().any(|field| !field.fits && field.of(picture) >= OWN) {
        return alone();
    }
    match (weights(picture, fields, 0), weights(picture, fields, 1)) {
        (Some(even), Some(odd)) => {
            let taps = even.into_iter().zip(odd).enumerate().map(|(field, (even, odd))| Tap { field, weights: [even, odd] });
            taps.filter(|tap| tap.weights != [0; 2]).collect()
        }
        _ => alone(),
    }
}

/// The weights of all fields at the lines of a parity; none if a picture does not follow from them.
fn weights(picture: i64, fields: &[MixedField], parity: usize) -> Option<Vec<i32>> {
    let used = || fields.iter().filter(|field| field.fits);
    let first = used().map(|field| field.first).min()?;
    let last = used().map(|field| field.first + i64::from(field.weight > 0.0)).max()?;
    if !(first..=last).contains(&picture) {
        return None;
    }
    let count = (last - first + 1) as usize;
    let own = |field: &MixedField| if field.fits { if field.parity == parity { 1.0 } else { INTERPOLATED } } else { 0.0 };
    // The normal equations. The small number on the diagonal keeps pictures without fields defined.
    let mut matrix = vec![vec![-EQUAL / count as f64; count]; count];
    (0..count).for_each(|index| matrix[index][index] += EQUAL + 1e-9);
    for field in used() {
        for (row, values) in matrix.iter_mut().enumerate() {
            let left = own(field) * field.of(first + row as i64);
            for (column, value) in values.iter_mut().enumerate().filter(|_| left > 0.0) {
                *value += left * field.of(first + column as i64);
            }
        }
    }
    let mut right = vec![0.0; count];
    right[(picture - first) as usize] = 1.0;
    let inverse = solve(matrix, right);
    let exact = fields.iter().map(|field| {
        let mixed = (field.first..field.first + 2).map(|picture| {
            let of_picture = usize::try_from(picture - first).ok().and_then(|index| inverse.get(index));
            of_picture.map_or(0.0, |value| value * field.of(picture))
        });
        own(field) * mixed.sum::<f64>()
    });
    let mut weights: Vec<i32> = exact.map(|weight| (weight * f64::from(ONE)).round() as i32).collect();
    let (sum, size) = weights.iter().fold((0, 0), |(sum, size), weight| (sum + weight, size + weight.abs()));
    if size > MOST * ONE || (sum - ONE).abs() > ONE / 4 {
        return None;
    }
    // The weights add up to 1, so that still parts stay as they are.
    *weights.iter_mut().max()? += ONE - sum;
    Some(weights)
}

/// Solves a system of equations with a symmetric, positive definite matrix.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for pivot in 0..count {
        let (row, value) = (matrix[pivot].clone(), right[pivot]);
        for other in pivot + 1..count {
            let factor = matrix[other][pivot] / row[pivot];
            matrix[other].iter_mut().zip(&row).for_each(|(value, pivot)| *value -= factor * pivot);
            right[other] -= factor * value;
        }
    }
    for pivot in (0..count).rev() {
        let known: f64 = (pivot + 1..count).map(|other| matrix[pivot][other] * right[other]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}

/// Writes the sum of the deinterlaced fields with these taps; `field` returns that with an index.
/// All frames have the format of `to`.
pub(crate) fn combine<'a>(to: &mut Frame, taps: &[Tap], field: impl Fn(usize) -> Option<&'a Frame>) -> Result<(), OutOfMemory> {
    let format = to.format();
    let fields: Vec<(&Frame, [i32; 2])> = taps.iter().filter_map(|tap| Some((field(tap.field)?, tap.weights))).collect();
    for (index, plane) in to.planes_mut().into_iter().enumerate() {
        let (width, _) = format.plane_size(index);
        if width == 0 {
            continue;
        }
        match plane.samples {
            SamplesMut::U8(to) => sum(to, &fields, index, width, format.depth)?,
            SamplesMut::U16(to) => sum(to, &fields, index, width, format.depth)?,
        }
    }
    Ok(())
}

fn sum<S: PlaneSample>(
    to: &mut [S],
    fields: &[(&Frame, [i32; 2])],
    index: usize,
    width: usize,
    depth: u8,
) -> Result<(), OutOfMemory> {
    let plane = |frame: &'_ Frame| -> Option<usize> { frame.planes().get(index).map(|plane| plane.stride) };
    let most = (1i32 << depth.min(16)) - 1;
    let mut sums = filled(to.len(), 0i32)?;
    for &(frame, weights) in fields {
        let (Some(stride), Some(from)) = (plane(frame), frame.planes().get(index).and_then(|plane| S::of(plane.samples))) else {
            continue;
        };
        let lines = sums.par_chunks_mut(width).zip(from.par_chunks(stride)).enumerate().with_min_len(TASK_LINES);
        lines.for_each(|(y, (sums, from))| {
            let weight = weights[y % 2];
            sums.iter_mut().zip(from).for_each(|(sum, from)| *sum += weight * from.signed());
        });
    }
    let lines = to.par_chunks_mut(width).zip(sums.par_chunks(width)).with_min_len(TASK_LINES);
    lines.for_each(|(to, sums)| {
        for (to, sum) in to.iter_mut().zip(sums) {
            *to = S::from_u32(((sum + ONE / 2) >> ONE.ilog2()).clamp(0, most) as u32);
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blend::BlendRate;
    use crate::format::{Format, Sampling};
    use crate::frame::Samples;

    /// A picture of random samples.
    fn picture(format: Format, number: i64) -> Frame {
        let mut random = fastrand::Rng::with_seed(number as u64);
        let mut frame = Frame::new(format);
        match frame.samples_mut() {
            SamplesMut::U8(data) => data.iter_mut().for_each(|v| *v = random.u8(..)),
            SamplesMut::U16(data) => data.iter_mut().for_each(|v| *v = random.u16(..) >> (16 - format.depth)),
        }
        frame
    }

    fn value(frame: &Frame, index: usize) -> f64 {
        match frame.samples() {
            Samples::U8(data) => f64::from(data[index]),
            Samples::U16(data) => f64::from(data[index]),
        }
    }

    /// A frame with the mix of two pictures at its known lines, and with one of them at the others.
    fn mixed(format: Format, field: MixedField) -> Frame {
        let [a, b] = [picture(format, field.first), picture(format, field.first + 1)];
        let mut frame = a.clone();
        let mut at = 0;
        for plane in 0..format.sampling.planes() {
            let (width, height) = format.plane_size(plane);
            for y in 0..height {
                for _ in 0..width {
                    let known = if y % 2 == field.parity { 1.0 } else { 0.95 };
                    let mix = (1.0 - field.weight * known) * value(&a, at) + field.weight * known * value(&b, at);
                    match frame.samples_mut() {
                        SamplesMut::U8(data) => data[at] = mix.round() as u8,
                        SamplesMut::U16(data) => data[at] = mix.round() as u16,
                    }
                    at += 1;
                }
            }
        }
        frame
    }

    /// Of random pictures, whose interpolated lines are a little wrong, each is restored.
    #[test]
    fn pictures_follow_from_their_mixes() {
        for (depth, sampling) in [(8, Sampling::C420), (10, Sampling::C422), (16, Sampling::Mono)] {
            let format = Format::new(20, 12, sampling).with_depth(depth);
            for blend in Blend::ALL {
                let rate = blend.rate.per_field();
                for at in [10.2, 11.5, 12.9] {
                    let fields: Vec<MixedField> =
                        (0..17).map(|j| MixedField::new(blend, at + (f64::from(j) - 8.0) * rate, j as usize % 2, true)).collect();
                    let frames: Vec<Frame> = fields.iter().map(|&field| mixed(format, field)).collect();
                    let number = at.round() as i64;
                    let taps = taps(number, &fields);
                    assert!(taps.len() > 1, "{blend:?} {at}");
                    assert!([0, 1].iter().all(|&line| taps.iter().map(|tap| tap.weights[line]).sum::<i32>() == ONE));
                    let mut restored = Frame::new(format);
                    combine(&mut restored, &taps, |index| frames.get(index)).unwrap();
                    let want = picture(format, number);
                    let count = format.samples();
                    let error = (0..count).map(|i| (value(&restored, i) - value(&want, i)).powi(2)).sum::<f64>() / count as f64;
                    let [a, b] = [value(&want, 0), value(&frames[8], 0)];
                    let peak = f64::from((1u32 << depth) - 1);
                    let psnr = 10.0 * (peak * peak / error).log10();
                    // The fields of one parity are too few for 30 pictures in 50 fields.
                    let limit = if blend.rate == BlendRate::P30In50 { 20.0 } else { 29.0 };
                    assert!(psnr > limit, "{blend:?} {at} {depth}: {psnr} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn a_picture_that_is_no_mix_is_its_field() {
        let blend = Blend::ALL[0];
        let field = |position: f64, fits| MixedField::new(blend, position, 0, fits);
        let alone = |field| vec![Tap { field, weights: [ONE; 2] }];
        assert_eq!(taps(1, &[field(0.0, true), field(0.6, true), field(1.1, false), field(1.6, true)]), alone(2));
        assert_eq!(taps(5, &[]), vec![]);
        assert_eq!(taps(9, &[field(0.0, false), field(0.5, false)]).len(), 1);
    }

    /// Weights that add up to 1 keep still pictures, to the largest sample.
    #[test]
    fn still_pictures_stay() {
        let format = Format::new(9, 5, Sampling::C444).with_depth(16);
        let mut white = Frame::new(format);
        if let SamplesMut::U16(data) = white.samples_mut() {
            data.fill(u16::MAX);
        }
        for blend in Blend::ALL {
            let fields: Vec<MixedField> =
                (0..17).map(|j| MixedField::new(blend, f64::from(j) * blend.rate.per_field(), j as usize % 2, true)).collect();
            let mut to = Frame::new(format);
            combine(&mut to, &taps(4, &fields), |_| Some(&white)).unwrap();
            assert_eq!(to, white);
        }
    }
}
