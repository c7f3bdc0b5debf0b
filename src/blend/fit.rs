//! Whether a window of fields is blended: the residual of the fields, which is the part of them
//! that lies outside the span of the pictures that a blend, or a pulldown pattern, would make them
//! of.
//!
//! All measures follow from the inner products of the fields. Numbers are 64-bit floating point in
//! a fixed order of operations without fused ones, so that they are the same on any processor.
use super::{Blend, BlendRate};
use rayon::prelude::*;

/// Phases in which a blend is tried, in a picture: a field is at most a fiftieth of a picture from
/// one of them. Time is proportional to it.
const PHASES: usize = 24;

/// The least part of a column that must lie outside the span of the columns before it, squared.
/// Otherwise a picture counts whose weight in the window is nearly 0.
const INDEPENDENT: f64 = 0.0025;

/// The least mean square of the residual in the median phase, in levels of 8 bits. With less,
/// pictures hardly move, and rounding alone fits all phases.
const MOTION: f64 = 0.02;

/// The residual of the best phase over that of the median phase: the limit for windows of at least
/// so many fields, and the limit of this ratio over that of the pulldown pattern that fits best,
/// since film with a pattern is close to the span of a blend, too. Blends of the corpus have at
/// most 0.54 in 46 fields, 0.53 in 24 and 0.52 in 16; interlaced clips have at least 0.88, 0.72 and
/// 0.6, and with a lost field 0.7 in 46.
const LIMITS: [(usize, f64, f64); 3] = [(40, 0.65, 0.95), (24, 0.55, 0.8), (FEWEST, 0.48, 0.8)];

/// The limit over the pattern for the blend of the whole clip, and at 25 frames a second, where
/// film has no pattern but 2:2. Area blends of fine texture have up to 1.2, film 2 or more.
const OF_EXPECTED: f64 = 1.3;

/// The fewest fields of a window. In fewer, blends and interlaced fields look alike.
pub(crate) const FEWEST: usize = 16;

/// The fewest samples of a field. Noise in less fits a blend by chance, and without samples
/// everything fits.
const FEWEST_SAMPLES: usize = 4;

/// A blend that was found in a window of fields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub blend: Blend,
    /// The residual of its best phase over that of the median phase, 0 to 1.
    pub ratio: f64,
    /// The residual of the best phase over its degrees of freedom.
    variance: f64,
    /// Whether it is the blend of the whole clip, or the clip has a rate of few patterns.
    is_expected: bool,
}

impl Found {
    /// Whether the fields of a window are closer to these pictures, each shown in one or more
    /// fields (`pictures` has their numbers), than to the blend. `products` are the inner products.
    pub fn is_film(&self, products: &[f64], pictures: &[i64]) -> bool {
        let film = Projection::new(pictures.len(), |field| (pictures[field], 0.0));
        let limit = if self.is_expected { OF_EXPECTED } else { 1.0 };
        film.variance(products).is_some_and(|film| self.variance > limit * film)
    }
}

/// Projections for windows of one length.
#[derive(Debug)]
pub(crate) struct BlendFit {
    fields: usize,
    /// The projections of each phase of each blend.
    blends: Vec<(Blend, Vec<Projection>)>,
    /// The same for each pulldown pattern.
    patterns: Vec<Vec<Projection>>,
    /// Whether the frame rate is that of film with no pattern but 2:2.
    is_certain: bool,
}

impl BlendFit {
    /// The fit for windows of `fields` fields. `patterns` are the pulldown patterns: of each phase
    /// the numbers of the pictures of the fields. Only blends that a clip of this frame rate can
    /// have are looked for.
    pub fn new(fields: usize, frame_rate: Option<(u32, u32)>, patterns: impl IntoIterator<Item = Vec<Vec<i64>>>) -> BlendFit {
        let of_phase = |blend, phase| Projection::of_blend(fields, blend, phase as f64 / PHASES as f64);
        let phases = |blend| (0..PHASES).into_par_iter().map(move |phase| of_phase(blend, phase)).collect();
        let hold = |pictures: Vec<i64>| Projection::new(fields, |field| (pictures[field], 0.0));
        let blends = Blend::ALL.into_iter().filter(|blend| blend.rate.fits(frame_rate));
        BlendFit {
            fields,
            blends: blends.map(|blend| (blend, phases(blend))).collect(),
            is_certain: frame_rate.is_some() && BlendRate::P24In50.fits(frame_rate),
            patterns: patterns.into_iter().map(|phases| phases.into_par_iter().map(hold).collect()).collect(),
        }
    }

    /// The blend of a window; none if there is none. `products` are the inner products of its
    /// fields, each of `samples` samples. `expected` is the blend of the whole clip, if it is
    /// known.
    pub fn find(&self, products: &[f64], samples: usize, expected: Option<Blend>) -> Option<Found> {
        if samples < FEWEST_SAMPLES {
            return None;
        }
        let (_, limit, over_pattern) = LIMITS.into_iter().find(|(fields, ..)| self.fields >= *fields)?;
        let extremes = |phases: &[Projection]| {
            let mut all: Vec<f64> = phases.iter().map(|phase| phase.residual(products)).collect();
            all.sort_by(f64::total_cmp);
            (all[0], all[all.len() / 2])
        };
        let blends = self.blends.iter().map(|(blend, phases)| (*blend, extremes(phases)));
        let blends: Vec<(Blend, (f64, f64))> =
            blends.filter(|(_, (_, median))| *median >= MOTION * (self.fields * samples) as f64).collect();
        let ratio = |(least, median): (f64, f64)| least / median;
        let (first, best) = blends.iter().map(|(blend, fit)| (blend, ratio(*fit))).min_by(|a, b| a.1.total_cmp(&b.1))?;
        let pattern = self.patterns.iter().map(|phases| extremes(phases)).map(ratio).fold(1.0, f64::min);
        let is_expected = self.is_certain || expected.is_some_and(|expected| expected.rate == first.rate);
        let over_pattern = if is_expected { OF_EXPECTED } else { over_pattern };
        if best >= limit || best >= over_pattern * pattern {
            return None;
        }
        // Of two kernels of one rate the one that leaves less fits: their medians differ.
        let same = blends.iter().filter(|(blend, _)| blend.rate == first.rate);
        let (blend, _) = same.min_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
        let (_, phases) = self.blends.iter().find(|(known, _)| known == blend)?;
        let variances = phases.iter().filter_map(|phase| phase.variance(products));
        Some(Found { blend: *blend, ratio: best, variance: variances.fold(f64::INFINITY, f64::min), is_expected })
    }
}

/// The phase of a blend in a window.
#[derive(Debug)]
pub(crate) struct Phase {
    /// The position of the first field, 0 to 1 picture.
    pub phase: f64,
    /// Whether it fits better than the others. Without motion all phases fit alike.
    pub is_clear: bool,
    /// For each field whether it is close to a mix of pictures of this phase.
    pub fits: Vec<bool>,
}

/// Steps between two of the [`PHASES`] in which the best phase is found.
const FINE: usize = 16;

/// The residual of a field in the best phase, at most, over its mean in all phases. A field beside
/// a cut that the converter did not mix has more.
const FIELD_LIMIT: f64 = 0.95;

/// The residual of a field, at most, over the mean of the window.
const OUTLIER: f64 = 4.0;

/// The phase of a blend that fits a window of `fields` fields best.
pub(crate) fn phase_of(fields: usize, products: &[f64], blend: Blend) -> Phase {
    let mut mean = vec![0.0; fields];
    let coarse = (0..PHASES).map(|phase| {
        let projection = Projection::of_blend(fields, blend, phase as f64 / PHASES as f64);
        let each = projection.residuals(products);
        mean.iter_mut().zip(&each).for_each(|(mean, each)| *mean += each / PHASES as f64);
        (phase, each.iter().sum::<f64>())
    });
    let best = coarse.fold((0, f64::INFINITY), |best, next| if next.1 < best.1 { next } else { best }).0;
    let fine = (0..2 * FINE).map(|step| (best as f64 + step as f64 / FINE as f64 - 1.0) / PHASES as f64);
    let fits = fine.map(|phase| (phase, Projection::of_blend(fields, blend, phase)));
    let (phase, projection, least) = fits.fold((0.0, None, f64::INFINITY), |best, (phase, projection)| {
        let residual = projection.residual(products);
        if residual < best.2 { (phase, Some(projection), residual) } else { best }
    });
    let each = projection.map_or_else(|| mean.clone(), |projection| projection.residuals(products));
    let outlier = OUTLIER * least / fields as f64;
    let fits = each.iter().zip(&mean).map(|(each, mean)| *each <= FIELD_LIMIT * mean || *each <= outlier).collect();
    Phase { phase: phase.rem_euclid(1.0), is_clear: least < FIELD_LIMIT * mean.iter().sum::<f64>(), fits }
}

/// The projection on the span of the weights of pictures in a window, and of the difference of the
/// two parities, which have other samples of still detail.
#[derive(Debug)]
struct Projection {
    fields: usize,
    /// The dimensions of the span.
    rank: usize,
    /// A symmetric matrix.
    matrix: Vec<f64>,
}

impl Projection {
    fn of_blend(fields: usize, blend: Blend, phase: f64) -> Projection {
        let rate: BlendRate = blend.rate;
        Projection::new(fields, |field| blend.mix(phase + field as f64 * rate.per_field()))
    }

    /// The projection for fields that are mixed of the picture with this number and the next one,
    /// with this weight of the next one. Numbers do not fall.
    fn new(fields: usize, mix: impl Fn(usize) -> (i64, f64)) -> Projection {
        let (first, last) = (mix(0).0, mix(fields.saturating_sub(1)).0 + 1);
        let weight = |picture: i64, field: usize| match mix(field) {
            (own, weight) if own == picture => 1.0 - weight,
            (own, weight) if own + 1 == picture => weight,
            _ => 0.0,
        };
        // Columns are stored up to the last field of their picture: the zeros behind it add nothing
        // to any sum.
        let picture = |picture| {
            let end = (0..fields).rev().find(|&field| mix(field).0 <= picture).map_or(0, |field| field + 1);
            (0..end).map(|field| weight(picture, field)).collect::<Vec<f64>>()
        };
        let parity = (0..fields).map(|field| if field % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let mut basis: Vec<Vec<f64>> = Vec::new();
        for mut column in (first..=last).map(picture).chain([parity]) {
            let whole = dot(&column, &column);
            let begin = column.iter().position(|&weight| weight != 0.0).unwrap_or(column.len());
            // Twice, so that the rounding of the first pass does not matter. In the first one,
            // columns that end before this one begins have no part in it.
            for begin in [begin, 0] {
                for known in basis.iter().filter(|known| known.len() > begin) {
                    let part = dot(&column, known);
                    column.iter_mut().zip(known).for_each(|(value, known)| *value -= part * known);
                }
            }
            let rest = dot(&column, &column);
            if rest > INDEPENDENT * whole.max(1.0) {
                let scale = 1.0 / rest.sqrt();
                column.iter_mut().for_each(|value| *value *= scale);
                basis.push(column);
            }
        }
        let mut matrix = vec![0.0; fields * fields];
        for column in &basis {
            for (row, &left) in matrix.chunks_exact_mut(fields).zip(column) {
                row.iter_mut().zip(column).for_each(|(value, right)| *value += left * right);
            }
        }
        Projection { fields, rank: basis.len(), matrix }
    }

    /// The sum of the squares of the residual.
    fn residual(&self, products: &[f64]) -> f64 {
        let all: f64 = products.iter().step_by(self.fields + 1).sum();
        (all - dot(&self.matrix, products)).max(0.0)
    }

    /// The same over its degrees of freedom; none if it has none.
    fn variance(&self, products: &[f64]) -> Option<f64> {
        (self.fields > self.rank).then(|| self.residual(products) / (self.fields - self.rank) as f64)
    }

    /// The same for each field.
    fn residuals(&self, products: &[f64]) -> Vec<f64> {
        let rows = self.matrix.chunks_exact(self.fields).enumerate();
        rows.map(|(field, row)| {
            let rest: Vec<f64> = (0..self.fields).map(|other| f64::from(u8::from(other == field)) - row[other]).collect();
            let products = products.chunks_exact(self.fields).zip(&rest);
            products.map(|(row, weight)| weight * dot(row, &rest)).sum::<f64>().max(0.0)
        })
        .collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blend::BlendKernel;

    const SAMPLES: usize = 200;

    /// The inner products of fields of random pictures, each with random errors of this size.
    fn products(fields: usize, error: f64, mix: impl Fn(usize) -> (i64, f64)) -> Vec<f64> {
        let mut random = fastrand::Rng::with_seed(1);
        let pictures: Vec<Vec<f64>> = (0..99).map(|_| (0..SAMPLES).map(|_| 100.0 * random.f64()).collect()).collect();
        let mut all: Vec<Vec<f64>> = Vec::new();
        for (picture, weight) in (0..fields).map(mix) {
            let [first, second] = [0, 1].map(|next| &pictures[picture as usize + next]);
            let mixed = first.iter().zip(second).map(|(first, second)| (1.0 - weight) * first + weight * second);
            all.push(mixed.map(|value| value + error * (random.f64() - 0.5)).collect());
        }
        all.iter().flat_map(|a| all.iter().map(|b| dot(a, b)).collect::<Vec<_>>()).collect()
    }

    fn patterns(fields: usize) -> Vec<Vec<Vec<i64>>> {
        let hold = |phase: usize| (0..fields).map(|field| ((field + phase) / 2) as i64).collect();
        vec![vec![hold(0), hold(1)]]
    }

    #[test]
    fn blends_are_found_in_their_phase() {
        for fields in [16, 24, 46] {
            let fit = BlendFit::new(fields, None, patterns(fields));
            for blend in Blend::ALL {
                for phase in [0.0, 0.3, 0.77] {
                    let products = products(fields, 4.0, |field| blend.mix(phase + field as f64 * blend.rate.per_field()));
                    let found = fit.find(&products, SAMPLES, None);
                    // Few fields do not show the rate.
                    assert!(
                        found.is_some_and(|found| fields < 24 || found.blend == blend),
                        "{blend:?} {phase} {fields}: {found:?}"
                    );
                    let measured = phase_of(fields, &products, blend);
                    let error = (measured.phase - phase + 0.5).rem_euclid(1.0) - 0.5;
                    assert!(error.abs() < 0.02, "{blend:?} {phase} {fields}: {}", measured.phase);
                    assert!(measured.fits.iter().all(|&fits| fits));
                }
            }
        }
    }

    #[test]
    fn interlaced_fields_and_film_are_no_blends() {
        let fit = BlendFit::new(46, None, patterns(46));
        let interlaced = products(46, 0.0, |field| (field as i64, 0.0));
        assert!(fit.find(&interlaced, SAMPLES, None).is_none());
        let film = products(46, 4.0, |field| (field as i64 / 2, 0.0));
        assert!(fit.find(&film, SAMPLES, None).is_none());
        let still = products(46, 1.0, |_| (0, 0.0));
        assert!(fit.find(&still, SAMPLES, None).is_none());
        let blend = Blend::new(BlendRate::P24In50, BlendKernel::Area);
        let products = products(46, 0.0, |field| blend.mix(field as f64 * blend.rate.per_field()));
        let found = |samples| fit.find(&products, samples, None).is_some();
        assert_eq!([found(0), found(FEWEST_SAMPLES - 1), found(FEWEST_SAMPLES)], [false, false, true]);
    }

    /// A picture in the place of a mixed field.
    #[test]
    fn single_fields_do_not_fit() {
        let blend = Blend::new(BlendRate::P24In50, BlendKernel::Linear);
        let products =
            products(48, 1.0, |field| if field == 20 { (70, 0.0) } else { blend.mix(field as f64 * blend.rate.per_field()) });
        let phase = phase_of(48, &products, blend);
        assert!(!phase.fits[20] && phase.fits.iter().filter(|&&fits| !fits).count() < 5, "{:?}", phase.fits);
    }
}
